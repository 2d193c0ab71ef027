"""Pull requests on a forge: a change, its merge, and the run of the laid-down CI."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import ci_runs
import pytest
from github_runner import Job
from store_project import SKILL, Project

TOKEN = "ghp_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"
LEAK = f"Point the checks at the second port with {TOKEN}.\n"
ALLOW = ".agents/eco-mem.allow"
SCANNER = f"{SKILL}/scripts/ecomem/gate/scanner.py"
EPISODE = ".agents/memory/episodic/locked-table.md"

# By default a few of each; `nox -s ci` runs all of them.
ALL = "ECO_MEM_ALL_OF_CI"
slow = pytest.mark.skipif(ALL not in os.environ, reason="`nox -s ci` runs it")

Change = Callable[[Project], None]


def copy_of(published: Path, folder: Path) -> Project:
    """Clone the project into a folder, on the branch `topic`."""
    shutil.copytree(published, folder / "author", symlinks=True)
    made = Project(folder / "author")
    made.script()
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    made.git("switch", "-qc", "topic")
    return made


def empty_the_gate(it: Project) -> None:
    """Let the gate of the change find nothing."""
    text = it.path(SCANNER).read_text("utf-8")
    it.write(SCANNER, f"{text}\n\ndef scan(*_args, **_options):\n    return []\n")


def merged(author: Project, change: Change) -> tuple[str, str]:
    """Commit a change and merge it into main as a forge does: base and merge."""
    change(author)
    author.git("add", "--all")
    author.git("commit", "--quiet", "--allow-empty", "--message", "the change")
    base = author.git("rev-parse", "main").strip()
    author.git("switch", "-q", "--detach", "main")
    author.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
    merge = author.git("rev-parse", "HEAD").strip()
    author.git("update-ref", "refs/pull/1/merge", merge)
    return base, merge


def judge(author: Project, change: Change, event: str, depth: int = 0) -> Job:
    """Run the workflow on a change, as one kind of event."""
    base, merge = merged(author, change)
    checkout = ci_runs.clone(author.root, merge, author.root.with_name("run"), depth)
    return ci_runs.github(checkout, event, "" if event == "pull_request" else base)


def merge_request(author: Project, head: str, base: str) -> Job:
    """Run the job of GitLab on a merge request that began at a commit."""
    checkout = ci_runs.clone(author.root, head, author.root.with_name("request"))
    return ci_runs.gitlab(
        checkout,
        CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main",
        CI_MERGE_REQUEST_IID="1",
    )
