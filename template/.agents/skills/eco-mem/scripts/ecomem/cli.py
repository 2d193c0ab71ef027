"""What the commands share: their options, their project, one writer at a time."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, NoReturn

from ecomem.findings import ascii_text
from ecomem.store import STORE, TEMPORARY

LOCK = f"{TEMPORARY}lock"


def options(text: str | None, known: dict[str, Any], words: list[str]) -> Any:
    """Read a command line, for which argparse takes longer than most checks do.

    text is the help. known maps an option to its default: False makes a flag, and a
    tuple lists the choices, its first the default. The other words are in `words`.
    """
    known = {**known, "root": ""}
    found = {key: v[0] if isinstance(v, tuple) else v for key, v in known.items()}
    found["words"] = []
    rest = iter(words)
    for word in rest:
        name, given, value = word.partition("=")
        key = name[2:].replace("-", "_")
        if word in ("-h", "--help"):
            print(text)
            sys.exit(0)
        elif word == "--" or word[:1] != "-" or word == "-":
            found["words"].extend(rest if word == "--" else [word])
        elif word[:2] != "--" or key not in known or (given and known[key] is False):
            fail(f"there is no option {name}; see --help")
        elif known[key] is False:
            found[key] = True
        else:
            found[key] = value if given else next(rest, None)
            choices = known[key] if isinstance(known[key], tuple) else [found[key]]
            if found[key] is None or found[key] not in choices:
                fail(f"{name} needs a value that --help lists")
    return SimpleNamespace(**found)


def fail(message: str) -> NoReturn:
    """Say on standard error why the command could not run, and exit with code 2."""
    print(f"eco-mem: {ascii_text(message)}", file=sys.stderr)
    sys.exit(2)


def root(chosen: SimpleNamespace) -> str:
    """The project to work on, by default the one these scripts were laid into."""
    path = os.path.abspath(chosen.root or f"{__file__}/../../../../../..")
    if not os.path.isdir(os.path.join(path, STORE)):
        fail(f"no store at {STORE} in this project")
    return path


def run(main: Callable[[list[str]], int]) -> None:
    """Run a command and exit with its code, quietly where nobody reads the output."""
    gc.disable()  # a run is short, and a tenth of it would go into collecting
    try:
        code = main(sys.argv[1:])
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        code = 2
    except (OSError, ValueError, LookupError, AttributeError) as error:
        what = getattr(error, "strerror", None) or type(error).__name__
        where = os.path.basename(str(getattr(error, "filename", None) or ""))
        fail(f"{what} {where}".strip() + "; nothing else was done")
    os._exit(code)  # there is nothing left to tidy up, and tidying takes its time


@contextmanager
def lock(root: str) -> Iterator[None]:
    """Keep other writers out; the system lets go of the lock of a killed one."""
    folder = os.path.join(root, STORE, "working")
    for path in (".agents", STORE, f"{STORE}/working"):
        if os.path.islink(os.path.join(root, path)):
            fail("the store holds symbolic links; see verify")
    os.makedirs(folder, exist_ok=True)
    if sys.platform == "win32":  # which opens no folder
        import msvcrt

        handle = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT)
        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("eco-mem: waiting for another writer", file=sys.stderr, flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:  # some file systems have no locks
            pass
    try:
        for name in os.listdir(folder):  # what a killed writer left behind
            if name.startswith(TEMPORARY) and name != LOCK:
                os.unlink(os.path.join(folder, name))
        yield
    finally:
        os.close(handle)
