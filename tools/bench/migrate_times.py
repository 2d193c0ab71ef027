"""Measure a migration: 126 notes planned and applied, against as many calls by hand.

    python tools/bench/migrate_times.py [NOTES]

Prints CPU seconds of this process and its children, and the peak of its memory.
"""

from __future__ import annotations

import contextlib
import io
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [
    str(ROOT / "tools"),
    str(ROOT / "tests/support"),
    str(ROOT / "template/.agents/skills/eco-mem/scripts"),
]

from migrate import migrate  # noqa: E402
from store_project import PYTHON, Project, lay_down  # noqa: E402

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


def main(notes: int) -> None:
    """Print what a plan, an apply and as many calls of remember.py cost."""
    with tempfile.TemporaryDirectory() as folder:
        one = project(Path(folder, "one"), notes)
        planned = quietly(str(one.root), "--plan")
        two = project(Path(folder, "two"), 0)
        drafts = sorted(one.path(".eco-mem-import/drafts").glob("*/*.md"))
        applied = quietly(str(one.root), "--apply")
        hand = by_hand(two, drafts)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{notes} notes: planned in {planned:.2f} s, applied in {applied:.2f} s;")
    print(f"as many calls of remember.py take {hand:.2f} s: {applied / hand:.2f} times")
    print(f"peak memory of the tool: {peak:.0f} MiB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 126)
