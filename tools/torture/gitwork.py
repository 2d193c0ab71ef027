"""Steps of git: branches, merges, rebases, checkouts."""

from __future__ import annotations

import random

import copier_project
from copier_project import git

from torture import keeping, people
from torture.world import SEEDED, Broken, World

STYLES = ("merge", "diff3", "zdiff3")


def branch_and_merge(world: World, rng: random.Random) -> None:
    """Change memory on a branch and on main, bring both together, and settle."""
    world.commit()
    world.serial += 1
    branch = f"topic-{world.serial}"
    world.say("branch", branch)
    git(world.repository, "checkout", "-q", "-b", branch)
    work(world, rng)
    git(world.repository, "checkout", "-q", "main")
    work(world, rng)
    rng.choice((merge, merge, pick, rebase))(world, rng, branch)
    world.settle_catalogs()


def work(world: World, rng: random.Random) -> None:
    """Do some work in the store and commit it."""
    for _ in range(rng.randint(1, 3)):
        step = rng.choice(
            (
                keeping.remember_new,
                keeping.remember_again,
                keeping.forget,
                people.write_entry,
            )
        )
        step(world, rng)
    world.commit()


def merge(world: World, rng: random.Random, branch: str) -> None:
    """Merge a branch into the present one."""
    style = f"merge.conflictStyle={rng.choice(STYLES)}"
    _bring(world, "-c", style, "merge", "-q", "-m", "merge", branch)


def pick(world: World, rng: random.Random, branch: str) -> None:
    """Take over the last commit of a branch."""
    style = f"merge.conflictStyle={rng.choice(STYLES)}"
    _bring(world, "-c", style, "cherry-pick", "--allow-empty", branch)


def rebase(world: World, rng: random.Random, branch: str) -> None:
    """Put main on top of a branch."""
    del rng
    _bring(world, "rebase", "-q", branch)
    while (world.repository / ".git/rebase-merge").exists():
        _bring(world, "-c", "core.editor=true", "rebase", "--continue")


def _bring(world: World, *words: str) -> None:
    """Run a merge of some kind; rows are settled by `--fix`, and the rest by a person.

    A person who merges takes the side of the branch where both changed a file.
    """
    world.say("git", *words)
    done = copier_project.run("git", *words, cwd=world.repository)
    unmerged = _unmerged(world)
    if done.rc and not unmerged:
        raise Broken(f"git {words} failed: {done.text}")
    settled = {f"{world.prefix}{path}" for path in SEEDED} - {
        f"{world.prefix}{path}" for path in world.touched
    }
    for path in unmerged:
        if path not in settled:
            theirs = ("git", "checkout", "--theirs", "--", path)
            if copier_project.run(*theirs, cwd=world.repository).rc:
                git(world.repository, "rm", "-q", "--cached", "--", path)
    world.settle_catalogs()
    world.written |= {*world.memory()}
    git(world.repository, "add", "-A")
    if (world.repository / ".git/rebase-merge").exists():
        return
    world.commit()


def _unmerged(world: World) -> list[str]:
    out = git(world.repository, "diff", "--name-only", "--diff-filter=U", "-z")
    return [path for path in out.split("\0") if path]


def check_out_anew(world: World, _: random.Random) -> None:
    """Let git write every file anew, with the line ends that it was told to write."""
    world.commit()
    world.say("check everything out anew")
    desks = {p: c for p, c in world.memory().items() if "/working/" in p}
    world.written |= {*world.memory()} - {*desks}
    git(world.repository, "rm", "-r", "-q", "--cached", ".")
    git(world.repository, "reset", "-q", "--hard")


def stash(world: World, rng: random.Random) -> None:
    """Put work aside and take it back."""
    keeping.remember_new(world, rng)
    if not git(world.repository, "status", "--porcelain").strip():
        return
    world.say("stash, and take it back")
    # Git gives an entry back with the line ends that the attributes ask for.
    world.written |= {path for path in world.memory() if "/working/" not in path}
    git(world.repository, "stash", "-q", "--include-untracked")
    git(world.repository, "stash", "pop", "-q")
