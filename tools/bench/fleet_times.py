"""Measure the fleet tool: a table of forty repositories, and the update of one.

All are CPU seconds of this process and its children.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import copier_project
from bench_table import Line
from fleet import fleet

REPOSITORIES = 40


def measure(work: Path, repositories: int = REPOSITORIES) -> Iterator[Line]:
    """Yield what a table of all costs, and what the update of one does."""
    copier_project.isolate(work / "home", work / "bytecode")
    first = project(work)
    for number in range(repositories):
        shutil.copytree(first, work / "all" / f"repository-{number}", symlinks=True)
    shutil.copytree(first, work / "one" / "repository", symlinks=True)
    looking = seconds(str(work / "all")) / repositories
    updating = seconds("--update", str(work / "one"))
    yield Line(f"{repositories} repositories: seconds for each", f"{looking:.2f}")
    yield Line("  seconds to update one", f"{updating:.2f}")


def project(work: Path) -> Path:
    """A project of an older release, from a template that has a newer one."""
    template, root = work / "template", work / "first"
    copier_project.source_to(template)
    copier_project.make_older(template)
    copier_project.commit(template, tag=copier_project.OLD)
    copied = copier_project.copy(template, root, "--vcs-ref", copier_project.OLD)
    copier_project.fine(copied)
    copier_project.commit(root)
    copier_project.git(template, "rm", "-rqf", ".")
    copier_project.source_to(template)
    copier_project.commit(template, tag=copier_project.NOW)
    return root


def seconds(*words: str) -> float:
    """Run the command line without its output. Returns its CPU seconds."""
    before = os.times()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code = fleet.main(words)
    if code:
        raise SystemExit(f"fleet ended with {code}: {printed.getvalue()}")
    after = os.times()
    return sum(after[:4]) - sum(before[:4])
