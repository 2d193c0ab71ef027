"""Asking git, through posix_spawn where it exists: importing subprocess costs more
than a git call does."""

from __future__ import annotations

import os
from typing import NamedTuple

_OPTIONS = ("--no-optional-locks", "-c", "core.quotePath=false", "-c", "color.ui=false")


class Answer(NamedTuple):
    """A finished git call: exit code (127: no git) and standard output."""

    code: int
    out: bytes

    def text(self) -> str:
        """The output as text."""
        return os.fsdecode(self.out).strip()

    def items(self, end: str = "\0") -> list[str]:
        """The items of the output, each of which ends with end."""
        return os.fsdecode(self.out).split(end)[:-1]


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
        reading, writing = os.pipe()
        streams = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, writing, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        with open(reading, "rb") as stream:
            try:
                child = os.posix_spawnp(
                    "git", command, os.environ, file_actions=streams
                )
            finally:
                os.close(writing)
            out = stream.read()
        return Answer(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), out)
    except (OSError, ValueError):
        return Answer(127, b"")
