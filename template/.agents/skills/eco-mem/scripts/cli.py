"""What the commands share: their options, their project, one writer at a time."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from store import STORE, TEMPORARY

if TYPE_CHECKING:
    from argparse import ArgumentParser

WAIT_SECONDS = 10


def parser(name: str, text: str | None) -> ArgumentParser:
    """A command line with what every command takes."""
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    form = RawDescriptionHelpFormatter
    made = ArgumentParser(f"{name}.py", description=text, formatter_class=form)
    made.add_argument("--root", default="", metavar="DIR", help="the project at DIR")
    return made


def root(options: Any) -> str:
    """The project to work on, by default the one these scripts were laid into.

    Empty, and said so, where there is no store.
    """
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../..")
    path = os.path.abspath(options.root or here)
    if os.path.isdir(os.path.join(path, STORE)):
        return path
    print(f"eco-mem: no store at {STORE} in this project", file=sys.stderr)
    return ""


def run(main: Callable[[list[str]], int]) -> None:
    """Run a command and exit with its code, quietly where nobody reads the output."""
    gc.disable()  # a run is short, and a tenth of it would go into collecting
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            print(f"eco-mem: {error.strerror}; nothing else was done", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 2
    sys.exit(code)


@contextmanager
def lock(root: str) -> Iterator[None]:
    """Keep other writers out; the system lets go of the lock of a killed one."""
    folder = os.path.join(root, STORE, "working")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{TEMPORARY}lock")
    until = time.monotonic() + WAIT_SECONDS
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT)
        if _claim(handle) and _is_at(handle, path):
            break
        os.close(handle)
        if time.monotonic() > until:
            print("eco-mem: another write is under way", file=sys.stderr)
            sys.exit(2)
        time.sleep(0.02)
    try:
        for name in os.listdir(folder):  # what a killed writer left behind
            if name.startswith(TEMPORARY) and not path.endswith(name):
                os.unlink(os.path.join(folder, name))
        yield
    finally:
        if sys.platform != "win32":  # which refuses it for an open file
            os.unlink(path)
        os.close(handle)


def _claim(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_at(handle: int, path: str) -> bool:
    """Whether the lock file was not removed by its last holder in the meantime."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
