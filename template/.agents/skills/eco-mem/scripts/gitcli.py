"""Asking git, as cheaply as the platform allows: importing subprocess costs more
than a git call does, so posix_spawn is used where it exists."""

from __future__ import annotations

import os
from typing import NamedTuple

_OPTIONS = ("--no-optional-locks", "-c", "core.quotePath=false", "-c", "color.ui=false")


class Answer(NamedTuple):
    """A finished git call: exit code (127: no git) and standard output."""

    code: int
    out: bytes

    def items(self) -> list[str]:
        """The NUL-separated items of the output."""
        return [os.fsdecode(item) for item in self.out.split(b"\0") if item]

    def lines(self) -> list[str]:
        """The lines of the output."""
        return os.fsdecode(self.out).splitlines()


def work_tree(folder: str) -> str:
    """The git work tree that folder lies in, told from the disk; empty for none."""
    here = os.path.abspath(folder)
    while not os.path.exists(os.path.join(here, ".git")):
        here, below = os.path.dirname(here), here
        if here == below:
            return ""
    return here


def git(root: str, *args: str) -> Answer:
    """Run git in root, with nothing on its standard input."""
    command = ["git", *_OPTIONS, "-C", root, *args]
    try:
        if not hasattr(os, "posix_spawnp"):
            import subprocess

            done = subprocess.run(command, check=False, stdin=-3, stdout=-1, stderr=-3)
            return Answer(done.returncode, done.stdout)
        return _spawn(command)
    except (OSError, ValueError):
        return Answer(127, b"")


def _spawn(command: list[str]) -> Answer:
    reading, writing = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    streams = [(os.POSIX_SPAWN_DUP2, *p) for p in ((null, 0), (writing, 1), (null, 2))]
    with open(reading, "rb") as stream:
        try:
            child = os.posix_spawnp("git", command, os.environ, file_actions=streams)
        finally:
            os.close(writing)
            os.close(null)
        out = stream.read()
    return Answer(os.waitpid(child, 0)[1] >> 8, out)
