"""Asking git, by posix_spawn where there is one: subprocess takes long to import."""

from __future__ import annotations

import os

# Set by a hook of git, and wrong for a folder below the top of a linked work tree.
_UNSET = ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX")
_OPTIONS = ("--no-optional-locks", "-c", "core.quotePath=false", "-c", "color.ui=false")


def inside(folder: str) -> str | None:
    """Where folder lies in its git work tree, as `sub/`; None where it lies in none."""
    here, path = os.path.realpath(folder), ""
    while not os.path.exists(os.path.join(here, ".git")):
        here, name = os.path.split(here)
        if not name:
            return None
        path = f"{name}/{path}"
    return path


def git(root: str, *args: str) -> str:
    """What git prints when run in root; empty where it fails, or there is none."""
    if inside(root) is None:
        return ""
    command = ["git", *_OPTIONS, "-C", root, *args]
    env = {key: value for key, value in os.environ.items() if key not in _UNSET}
    try:
        if not hasattr(os, "posix_spawnp"):
            import subprocess

            done = subprocess.run(
                command, check=False, env=env, stdin=-3, stdout=-1, stderr=-3
            )
            return "" if done.returncode else os.fsdecode(done.stdout)
        reading, writing = os.pipe()
        streams = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, writing, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        with open(reading, "rb") as stream:
            with open(writing, "wb"):
                child = os.posix_spawnp("git", command, env, file_actions=streams)
            out = stream.read()
        return "" if os.waitpid(child, 0)[1] else os.fsdecode(out)
    except (OSError, ValueError):
        return ""


def items(root: str, *args: str) -> list[str]:
    """The NUL-separated items that git prints when run in root."""
    return git(root, *args).split("\0")[:-1]


def changes(root: str, verb: str, *args: str) -> dict[str, str]:
    """The paths that git tells as changed, and what each was; empty for a new one."""
    told = ("-M", "--relative", "--no-ext-diff", "--name-status", "-z")
    words = iter(items(root, verb, *told, *args))
    changed: dict[str, str] = {}
    for status in words:
        old = next(words)
        path = next(words) if status[0] == "R" else old
        changed[path] = "" if status[0] == "A" else old
    return changed
