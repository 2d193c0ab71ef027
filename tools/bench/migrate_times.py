"""Measure a migration: 126 notes planned and applied, against as many calls by hand.

All are CPU seconds of this process and its children.
"""

from __future__ import annotations

import contextlib
import io
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench_table import Line
from migrate import migrate
from store_project import PYTHON, Project, lay_down

NOTES = 126
OLD = 1_700_000_000
NOTE = (
    "---\nname: fact-{0}\ndescription: when case {0} of the queue is asked for\n"
    "metadata:\n  type: reference\nmodified: 2026-03-04\n---\n\n"
    "The queue of case {0} has {0} workers and a time limit of {0} seconds.\n\n"
    "**Why:** the workers of case {0} share one disk.\n"
)


def cpu() -> float:
    """The CPU seconds of this process and of its finished children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def project(folder: Path, notes: int) -> Project:
    """An empty store with an old memory of some notes beside it."""
    made = lay_down(folder)
    for number in range(notes):
        made.write(f"memory/fact-{number}.md", NOTE.format(number))
        os.utime(made.path(f"memory/fact-{number}.md"), (OLD, OLD))
    made.commit()
    return made


def quietly(*words: str) -> float:
    """Run the command line without its output. Returns its CPU seconds."""
    before = cpu()
    with contextlib.redirect_stdout(io.StringIO()):
        code = migrate.main(list(words))
    if code:
        raise SystemExit(f"migrate ended with {code}")
    return cpu() - before


def by_hand(made: Project, drafts: list[Path]) -> float:
    """Write drafts with one call of remember.py each. Returns the CPU seconds."""
    before = cpu()
    for number, draft in enumerate(drafts):
        words = [PYTHON, made.script("remember.py"), "semantic", draft.stem, str(draft)]
        if number < len(drafts) - 30:
            words.append("--archive")
        subprocess.run(words, cwd=made.root, capture_output=True, check=True)
    return cpu() - before


def measure(work: Path, notes: int = NOTES) -> Iterator[Line]:
    """Yield what a plan, an apply and as many calls of remember.py cost."""
    one = project(work / "one", notes)
    planned = quietly(str(one.root), "--plan")
    two = project(work / "two", 0)
    drafts = sorted(one.path(".eco-mem-import/drafts").glob("*/*.md"))
    applied = quietly(str(one.root), "--apply")
    hand = by_hand(two, drafts)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Line(f"{notes} notes: seconds to plan", f"{planned:.2f}", "2")
    yield Line("  seconds to apply", f"{applied:.2f}")
    yield Line("  seconds of as many calls of remember.py", f"{hand:.2f}")
    yield Line("  apply / those calls", f"{applied / hand:.2f}", "1.5")
    yield Line("  peak memory of the tool in MiB", f"{peak:.0f}")
