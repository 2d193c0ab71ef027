# /// script
# requires-python = ">=3.11"
# dependencies = ["pyyaml"]
# ///
"""Take an existing memory into the drawers of eco-mem.

    migrate.py PROJECT [--from SOURCE]...             show what it would do
    migrate.py PROJECT [--from SOURCE]... --plan      write a plan for you to edit
    migrate.py PROJECT [--from SOURCE]... --apply     write the entries of the plan
    migrate.py PROJECT [--from SOURCE]... --proof     count where every line went

PROJECT already has eco-mem. Memories of known kinds are found in PROJECT; SOURCE names
another file or folder, and `--from claude` the folder that Claude Code has for this
project in your home. A source is never changed, except an older eco-mem in PROJECT
itself, which is changed in place. Exit codes: 0 done; 1 decisions are open or something
is refused, and nothing was written; 2 the command could not run.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
SCRIPTS = TOOLS.parent / "template/.agents/skills/eco-mem/scripts"
# The folder of this file would hide the package `migrate` behind this module.
sys.path[:] = [
    str(TOOLS),
    str(SCRIPTS),
    *(path for path in sys.path if path != str(TOOLS / "migrate")),
]

from ecomem import entry, markdown, store  # noqa: E402

from migrate import applying, in_place, plan_file, planning, receipt  # noqa: E402
from migrate.folders import links, printable  # noqa: E402
from migrate.model import Block, Source, written_lines  # noqa: E402
from migrate.planning import FilePlan  # noqa: E402
from migrate.project import Refused, check  # noqa: E402
from migrate.readers import Found, read_all  # noqa: E402

Planned = Iterator[tuple[Source, Iterator[FilePlan]]]


def main(words: Sequence[str]) -> int:
    """Run the command line. Returns the exit code."""
    options = arguments(words)
    project = options.project.resolve()
    try:
        check(project)
        named = [place(project, word) for word in options.sources]
        if in_place.is_old(project) and not named:
            if options.apply:
                return in_place.apply(project, options.partial, options.dry_run)
            in_place.audit(project)
            print("Nothing was written. Next: the same command with --apply.")
            return 0
        found = find(project, named)
        sources = [source for source, _ in found]
        if options.apply:
            return applying.apply(project, sources, options.partial, options.dry_run)
        if options.proof:
            return applying.print_proof(project, sources)
        if options.plan:
            return write_plan(project, plan_all(project, found))
        print_audit(plan_all(project, found))
        return 0
    except (Refused, LookupError, receipt.BadReceipt, plan_file.BadPlan) as why:
        print(f"migrate: {why}", file=sys.stderr)
        return 1 if isinstance(why, plan_file.BadPlan) else 2
    except OSError as error:
        name = printable(Path(str(error.filename or "")).name)
        print(f"migrate: {error.strerror}: {name}", file=sys.stderr)
        return 2


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("project", type=Path, help="a project that has eco-mem")
    parser.add_argument(
        "--from", dest="sources", action="append", default=[], metavar="SOURCE"
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--plan", action="store_true", help="write .eco-mem-import/PLAN.md and drafts"
    )
    mode.add_argument(
        "--apply", action="store_true", help="write what the plan decides"
    )
    mode.add_argument(
        "--proof", action="store_true", help="recount the lines, any time later"
    )
    parser.add_argument(
        "--partial", action="store_true", help="with --apply: leave open lines open"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="with --apply: judge, write nothing"
    )
    return parser.parse_args(words)


def place(project: Path, word: str) -> Path:
    """Return the place that --from names."""
    if word == "claude":
        return claude_folder(project)
    path = Path(word)
    path = path if path.is_absolute() or path.exists() else project / path
    if not path.exists():
        raise LookupError(f"there is no {word}")
    if path.is_symlink():
        raise LookupError(f"{word} is a link; name the folder itself")
    return path.resolve()


def claude_folder(project: Path) -> Path:
    """Return the folder where Claude Code keeps its memory of a project.

    Its name is the path of the project, with `-` for `/` or for all signs but letters
    and digits.
    """
    home = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    names = (str(project).replace("/", "-"), re.sub(r"[^A-Za-z0-9]", "-", str(project)))
    for name in names:
        folder = home / "projects" / name / "memory"
        if folder.is_dir():
            return folder
    raise LookupError("Claude Code has no memory of this project")


def find(project: Path, named: list[Path]) -> list[Found]:
    """Return the sources, and say how many places were left aside as links."""
    readings = read_all(project, named)
    if readings.linked == 1:
        print("One of the usual places is a link, which is not followed.")
    elif readings.linked:
        print(f"{readings.linked} of the usual places are links and not followed.")
    return readings.found


def plan_all(project: Path, found: list[Found]) -> Planned:
    """Yield every source with the plans of its files; slugs are unique over all."""
    known = read_store(project)
    before = receipt.read(project)
    for source, reader in found:
        allocated = planning.allocate(source, reader.read, known)
        yield source, planning.plan(source, reader.read, allocated, known, before)
        known = known._replace(slugs=allocated.slugs, cues=allocated.cues)


def read_store(project: Path) -> planning.Store:
    """Return what the project's memory has already."""
    found = store.scan(str(project))
    entries = entry.parse_all(found)
    cues = {
        markdown.unformatted(each.fields["cue"].value)
        for each in entries.values()
        if "cue" in each.fields
    }
    targets = {f"{page.drawer}/{page.name}" for page in found.entries.values()}
    return planning.Store(
        frozenset(found.slugs.values()), frozenset(cues), frozenset(targets)
    )


def print_audit(planned: Planned) -> None:
    """Print what would become of each source."""
    empty = True
    for source, plans in planned:
        empty = False
        print_source(source, plans)
    if empty:
        print("No memory of a known kind was found. Name one with --from.")
    else:
        print("Nothing was written. Next: the same command with --plan.")


def print_source(source: Source, plans: Iterator[FilePlan]) -> None:
    """Print what would become of one source."""
    total = 0
    lines: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    told: list[str] = []
    for file, blocks in plans:
        total += len(written_lines(file))
        for each in blocks:
            lines[each.decision] += sum(last - first + 1 for first, last in each.ranges)
            numbers[each.decision] += 1
            told += warnings_of(each)
    files = "1 file" if len(source.files) == 1 else f"{len(source.files)} files"
    print(f"{source.kind}: {files}, {total} lines")
    for word, number in sorted(numbers.items()):
        print(f"  {word:8} {number:5} blocks, {lines[word]} lines")
    for line in told:
        print(f"  {line}")
    if source.root.is_dir():
        for link in links(source.root):
            print(f"  {printable(link.name)}: a link, not followed")


def warnings_of(block: Block) -> list[str]:
    """Return what the gate refuses of a block, by file, line and code alone."""
    if block.decision == "refused":
        return [f"{block.label}: {block.reason}: refused by {block.target}"]
    return [
        f"{block.label}: line {line}: {code} stays in the source"
        for line, code in block.secrets
    ]


def write_plan(project: Path, planned: Planned) -> int:
    """Write the plan; say how many decisions are open."""
    count = plan_file.write(project, planned)
    where = f"{plan_file.FOLDER}/{plan_file.PLAN}"
    if count == 1:
        print(f"{where} is written. One decision is open.")
    else:
        print(f"{where} is written. {count} decisions are open.")
    return 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):  # a terminal that has not all letters
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
