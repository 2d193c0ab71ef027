"""Updating one project of a fleet on a branch of its own, in a worktree of its own.

Nobody's checkout is touched, dirty or not. A conflict leaves no branch behind.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from fleet.repositories import SCRIPTS, Project, git, run


class Outcome(NamedTuple):
    """The result of an update: updated, current, conflict or failed, and one line."""

    word: str
    detail: str


def update(project: Project, latest: str) -> Outcome:
    """Update a project on the branch eco-mem-VERSION, and commit the result there."""
    branch = f"eco-mem-{latest}"
    there = commit_of(project.repository, f"refs/heads/{branch}")
    if there and there == commit_of(project.repository, start(project.repository)):
        return Outcome(
            "failed",
            f"the branch {branch} has no update, an earlier run was stopped. Remove the"
            " branch and its worktree (`git worktree list`), then run this again",
        )
    if there:
        return Outcome("current", f"the branch {branch} is there already")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        added = run(
            "git",
            "worktree",
            "add",
            "-q",
            "-b",
            branch,
            str(tree),
            start(project.repository),
            cwd=project.repository,
        )
        if added.returncode:
            return Outcome("failed", last_line(added.stderr))
        try:
            outcome = merge(project, tree, branch, latest)
        finally:
            git(project.repository, "worktree", "remove", "--force", str(tree))
        if outcome.word != "updated":
            git(project.repository, "branch", "-q", "-D", branch)
        return outcome


def commit_of(repository: Path, name: str) -> str:
    """Return the commit that a name stands for, "" if there is none."""
    return git(repository, "rev-parse", "-q", "--verify", f"{name}^{{commit}}")


def start(repository: Path) -> str:
    """Return where the branch begins: the default branch of origin, or HEAD."""
    remote = git(
        repository, "rev-parse", "-q", "--verify", "refs/remotes/origin/HEAD^{commit}"
    )
    return remote or "HEAD"


def merge(project: Project, tree: Path, branch: str, latest: str) -> Outcome:
    """Run copier update in the worktree, look at what it left, and commit it."""
    root = tree / project.folder
    done = run(
        sys.executable,
        "-m",
        "copier",
        "update",
        "--trust",
        "--defaults",
        "--skip-answered",
        "--quiet",
        "--vcs-ref",
        latest,
        "-a",
        project.answers_file,
        cwd=root,
    )
    unmerged = git(tree, "diff", "--name-only", "--diff-filter=U").splitlines()
    if unmerged:
        return Outcome("conflict", ", ".join(unmerged))
    if done.returncode:
        return Outcome("failed", last_line(done.stderr + done.stdout))
    git(tree, "add", "--all")
    if not git(tree, "diff", "--cached", "--name-only"):
        return Outcome("current", "nothing changed")
    checked = run(sys.executable, root / SCRIPTS / "verify.py", cwd=root)
    verdict = last_line(checked.stdout)
    message = f"Update eco-mem to {latest}\n\nverify: {verdict}"
    committed = run("git", "commit", "-q", "--no-verify", "-m", message, cwd=tree)
    if committed.returncode:
        return Outcome("failed", last_line(committed.stderr))
    return Outcome("updated", f"on {branch}; verify: {verdict}")


def last_line(text: str) -> str:
    """Return the last line of some output that is not blank."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason was printed"
