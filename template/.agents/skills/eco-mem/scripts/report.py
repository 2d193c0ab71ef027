"""usage: report.py [options]

Show what changed in the memory, what is due, and what it costs.

It compares the memory with the branch that the change will be merged into, or with
REF. It names entries that the gate refuses, but does not show them.

options:
  --base REF       compare with the commit at which this branch left REF
  --format FORM    how to print: text or markdown
  --root DIR       the project to work on
  --bare           DIR has a memory but no skill

exit codes: 0 printed, 2 could not run.
"""

from __future__ import annotations

from ecomem import (
    baseline,
    changes,
    cli,
    entry,
    git,
    history,
    report,
    staleness,
    verify,
)
from ecomem.rules import ERROR, WARNING
from ecomem.store import scan

OPTIONS = {"base": "", "format": ("text", "markdown")}


def main(arguments: list[str]) -> int:
    """Print the report. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments, most_words=0)
    root = cli.root(options)
    try:
        known = history.read(root, options.base)
    except baseline.UnknownBase:
        cli.fail(f"--base: {options.base} is no commit here; fetch it first")
    made = make(root, known)
    if options.format == "markdown":
        print(report.as_markdown(made), end="")
    else:
        print("\n".join(report.as_text(made)))
    return 0


def make(root: str, known: history.Published) -> report.Report:
    """Put the report of a project together."""
    store = scan(root)
    entries = entry.parse_all(store)
    note, day = "", ""
    found: list[changes.Change] = []
    try:
        if known.fault:
            raise known.fault
        if known.commit:
            found = changes.read(known, entries)
            day = git.ask(root, "log", "-1", "--format=%cs", known.commit).strip()
        else:
            note = "Nothing is compared: no commit counts as published."
    except git.CannotAsk as fault:
        note = f"Nothing is compared. {fault.problem} {fault.advice}"
    findings = [
        *verify.judge(store, entries, known),
        *verify.judge_gate(store, entries, []).findings,
    ]
    errors = sum(item.level == ERROR for item in findings)
    due = [item for item in staleness.due(store, entries) if item.level == WARNING]
    drawers = report.drawers_of(store)
    short = known.commit[:8]
    return report.Report(short, day, note, found, due, errors, len(entries), drawers)


if __name__ == "__main__":
    cli.run(main)
