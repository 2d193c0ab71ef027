"""usage: recall.py WORD... [options]

Search the memory of this repository for words, archived entries too.

It prints at most ten rows, best first, then how many match. A row has path, cue and
marks, never the text of an entry. Open only the entries whose cue matches your task.
Case, accents, hyphens and regular plurals do not matter. A rare word counts more than
a common one. A word that is only in the text of an entry counts less. If no row fits,
try one or two other words for the same thing.

  $ python3 .agents/skills/eco-mem/scripts/recall.py refund queue owner
  .agents/memory/semantic/queue-of-refunds.md: who owns the queue of refunds (archived)
  1 of 130 entries matches

marks: (derived) nobody confirmed it; (archived) its row is not in INDEX.md; (in its
text) only its text has the words, not the cue, title, name or scope.

options:
  --drawer NAME    look in one drawer: working, semantic, episodic or procedural
  --format FORM    how to print: text or json
  --root DIR       the project to work on
  --bare           DIR has a memory but no skill

exit codes: 0 found, 1 nothing matches (an answer, not a failure), 2 could not read all
or any of the memory.
"""

from __future__ import annotations

import sys

from ecomem import cli, recall
from ecomem.findings import ascii_text
from ecomem.rules import VERIFY
from ecomem.store import DRAWERS, scan
from ecomem.words import query

OPTIONS = {"drawer": ("", *DRAWERS), "format": ("text", "json")}
MAX_WORDS = 64


def main(arguments: list[str]) -> int:
    """Print the rows that match. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments)
    root = cli.root(options)
    words = query(options.words)
    if not words:
        what = "has a letter or a digit" if options.words else "is given"
        cli.fail(f"no word to look for {what}; try: recall.py refund queue owner")
    if len(words) > MAX_WORDS:
        print(
            f"eco-mem: only the first {MAX_WORDS} words are looked for", file=sys.stderr
        )
    answer = recall.recall(scan(root), words[:MAX_WORDS], options.drawer)
    if options.format == "json":
        print_json(answer)
    else:
        print_text(answer)
    for path in answer.unread:
        print(f"eco-mem: could not read {ascii_text(path)}", file=sys.stderr)
    for path in answer.conflicted:
        print(
            f"eco-mem: {path} has conflict markers: run `{VERIFY} --fix`",
            file=sys.stderr,
        )
    if answer.unread:
        print(f"eco-mem: run `{VERIFY}` for the reasons", file=sys.stderr)
        return 2
    return 0 if answer.total or answer.unlisted else 1


def print_text(answer: recall.Answer) -> None:
    """Print the rows, then the counts."""
    lines = [recall.line_of(match) for match in answer.matches]
    lines += recall.count_lines(answer)
    text = "\n".join([*lines, ""])  # the encoding of a console may lack a letter
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))


def print_json(answer: recall.Answer) -> None:
    """Print everything as JSON."""
    import json

    rows = [
        {
            "path": match.row.path,
            "drawer": match.row.drawer,
            "slug": match.row.slug,
            "text": match.row.text,
            "derived": match.row.text.endswith("(derived)"),
            "archived": match.row.archived,
            "in_text": match.in_text,
        }
        for match in answer.matches
    ]
    counts = {key: value for key, value in answer._asdict().items() if key != "matches"}
    print(json.dumps({"rows": rows, "summary": counts}, indent=1))


if __name__ == "__main__":
    cli.run(main)
