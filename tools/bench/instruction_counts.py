"""Count the instructions of the commands, as multiples of an empty interpreter's.

The counts are the same on a busy machine. They are those of the process itself, without
git. Valgrind counts them; it must be installed.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench_table import Line
from sample_project import PYTHON, SCRIPTS, calls, entry, project

COUNTER = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")


def measure(work: Path) -> Iterator[Line]:
    """Yield the multiple of each command, in a store of 130 entries."""
    if not shutil.which(COUNTER[0]):
        sys.exit(f"bench: counting instructions needs {COUNTER[0]}, which is not here")
    root = project(work / "130", 130)
    os.environ["XDG_STATE_HOME"] = str(work / "state")  # where the guard makes notes
    empty = count([*PYTHON, "-c", "pass"], root)
    for what, script, words, told, bound in commands(root):
        command = [*PYTHON, f"{SCRIPTS}/{script}.py", *words]
        for _ in range(2):  # which fills the caches
            subprocess.run(command, cwd=root, input=told, capture_output=True)
        multiple = count(command, root, told) / empty
        yield Line(f"{what} / empty interpreter", f"{multiple:.2f}", bound)


def commands(
    root: Path,
) -> Iterator[tuple[str, str, Sequence[str], bytes, str]]:
    """Yield each command: what it is, its script, words, input and bound."""
    yield "verify, 130 entries", "verify", (), b"", "7"
    yield "recall, 130 entries", "recall", ("queue", "worker", "17"), b"", "3"
    cue = "when a shard is rebuilt by hand"
    text = entry("episodic", 1, random.Random(7), cue).encode()
    words = ("episodic", "new", "--dry-run")
    yield "remember --dry-run", "remember", words, text, "5"
    for about, told in calls(root).items():
        bound = "5" if about == "a write" else "2.5"
        yield f"hook, {about}", "hook", (), told, bound


def count(command: Sequence[str], folder: Path, told: bytes = b"") -> int:
    """Return how many instructions a command takes."""
    done = subprocess.run(
        [*COUNTER, *command], cwd=folder, input=told, capture_output=True, check=False
    )
    collected = re.search(rb"Collected : (\d+)", done.stderr)
    if not collected:
        sys.exit(f"bench: {COUNTER[0]} counted nothing for {command[-1]}")
    return int(collected[1])
