"""Runs the commands of the library in a fork of this process: whole, or cut short."""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

SCRIPTS = (
    Path(__file__).resolve().parents[2] / "template/.agents/skills/eco-mem/scripts"
)
sys.path.insert(0, str(SCRIPTS))

import copier_project  # noqa: E402
import forget  # noqa: E402
from ecomem import catalog, cli, entry, reindex, remember, store, verify  # noqa: E402

MAINS = {
    "forget": forget.main,
    "remember": remember.main,
    "verify": verify.main,
}
DEAD = 9


class Cut(NamedTuple):
    """The way in which a command is cut short."""

    call: int = 0  # dies at this call that opens, replaces or removes a file
    size: int = 0  # no file may grow beyond so many bytes, as on a full disk


class Ended(NamedTuple):
    """A command that has ended: its exit code and all that it printed."""

    code: int
    text: str


def command(
    root: Path, name: str, *words: str, given: str = "", cut: Cut | None = None
) -> Ended:
    """Run a command in a project, with a text on its standard input."""

    def act() -> None:
        if cut and cut.call:
            _die_at(cut.call)
        if cut and cut.size:
            limit = (cut.size, resource.RLIM_INFINITY)
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        sys.argv = [f"{name}.py", *words, "--root", str(root), "--bare"]
        cli.run(MAINS[name])

    return _in_a_fork(root, act, given)


def warm_up(root: Path, text: str) -> None:
    """Run commands in this process once, so that each fork has all that they import."""
    words = ["semantic", "warm", "--dry-run", "--root", str(root), "--bare"]
    with tempfile.NamedTemporaryFile("w", suffix=".md") as stream:
        stream.write(text)
        stream.flush()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            remember.main([*words[:2], stream.name, *words[2:]])
            verify.main(["--fix", *words[3:]])


def repaired(root: Path) -> Ended:
    """Repair the catalogs; print each error that is left, and what a second time does.

    The code is that of the first repair.
    """
    done = command(root, "verify", "--fix")

    def act() -> None:
        scanned = store.scan(str(root))
        found = [*scanned.findings, *catalog.check(scanned, entry.parse_all(scanned))]
        for item in found:
            if item.level == "error":
                print(item.code, item.path, item.message)
        if reindex.fix(scanned):
            print("a second repair changed something")

    if done.code == 2 or "Traceback" in done.text:
        return done
    return Ended(done.code, _in_a_fork(root, act, "").text)


def _in_a_fork(root: Path, act: Callable[[], None], given: str) -> Ended:
    printed, to_printed = os.pipe()
    with tempfile.TemporaryFile() as read:
        read.write(given.encode())
        read.seek(0)
        child = os.fork()
        if child == 0:
            os.close(printed)
            _be_the_child(root, act, read.fileno(), to_printed)
    os.close(to_printed)
    with os.fdopen(printed, "rb") as stream:
        text = stream.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    return Ended(os.waitstatus_to_exitcode(status), text)


def _be_the_child(
    root: Path, act: Callable[[], None], read: int, printed: int
) -> NoReturn:
    code: Any = 1
    try:
        copier_project.take_streams(read, printed)
        os.chdir(root)
        act()
        code = 0
    except SystemExit as stop:
        code = stop.code
    except BaseException:
        traceback.print_exc()
    finally:
        copier_project.leave_fork(code)


def _die_at(call: int) -> None:
    """Let this process die at a call that opens, replaces or removes a file."""
    left = [call]

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def at_last(*words: Any, **more: Any) -> Any:
            left[0] -= 1
            if not left[0]:
                os._exit(DEAD)
            return real(*words, **more)

        return at_last

    for place, name in (
        (os, "open"),
        (os, "replace"),
        (os, "unlink"),
        (builtins, "open"),
    ):
        setattr(place, name, counted(getattr(place, name)))
