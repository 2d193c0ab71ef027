"""Shared by the commands: their options, their project, one writer at a time."""

from __future__ import annotations

import gc
import os
import sys

from ecomem import cheap_re
from ecomem.cheap_imports import TYPE_CHECKING, Callable, Iterable, Iterator, Mapping
from ecomem.findings import Finding, ascii_text
from ecomem.git import CannotAsk
from ecomem.rules import RULES
from ecomem.store import STORE, TEMPORARY, remove_leftovers

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any, NoReturn

LOCK = f"{TEMPORARY}lock"
Texts = Mapping[str, str]  # by path
COMMON = {"root": "", "bare": False}  # the options that every command has


class Options:
    """The options of a command as attributes, and the other words as `words`."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no option {name}")


def options(
    text: str | None,
    known: dict[str, Any],
    arguments: list[str],
    most_words: int | None = None,
) -> Any:
    """Read a command line, for which argparse takes longer than most checks do.

    text is the help. known maps an option to its default: False makes a flag, and a
    tuple lists the choices, its first the default. The other words are in `words`;
    more than most_words of them are an error, as is everything that is not known.
    """
    known = {**known, **COMMON}
    read = {key: v[0] if isinstance(v, tuple) else v for key, v in known.items()}
    words: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word in ("-h", "--help"):
            print(text)
            sys.exit(0)
        elif word == "--":
            words.extend(rest)
        elif word[:1] != "-" or word == "-":
            words.append(word)
        else:
            name, given, value = word.partition("=")
            key = name[2:].replace("-", "_") if name[:2] == "--" else ""
            if key not in known:
                fail(f"there is no option {name}; see --help")
            read[key] = _value(name, known[key], value if given else None, rest)
    if most_words is not None and len(words) > most_words:
        fail(f"these words are too many: {' '.join(words[most_words:])}; see --help")
    return Options(**read, words=words)


def _value(name: str, default: Any, value: str | None, rest: Iterator[str]) -> Any:
    """The value of an option; value is what followed its equals sign, if anything."""
    if default is False:
        if value is not None:
            fail(f"{name} takes no value")
        return True
    if value is None:
        value = next(rest, None)
    if value is None:
        fail(f"{name} needs a value; see --help")
    if isinstance(default, tuple) and value not in default:
        choices = ", ".join(filter(None, default))
        fail(f"{name} is one of {choices}, not {value}")
    return value


def fail(message: str) -> NoReturn:
    """Print on standard error why the command could not run, and exit with code 2."""
    print(f"eco-mem: {ascii_text(message)}", file=sys.stderr)
    sys.exit(2)


def refuse(name: str, reason: str) -> int:
    """Print on standard error that a command changed nothing, and why. Returns 1."""
    text = f"{name}: refused, nothing was changed: {ascii_text(reason)}"
    print(text, file=sys.stderr)
    return 1


def print_allow_lines(name: str, findings: Iterable[Finding], texts: Texts) -> None:
    """Print a line for the allow file for each finding that a person may let pass.

    Only on a terminal: agents must not let their own writes pass. texts are the texts
    that were judged, by path.
    """
    if not sys.stdout.isatty():
        print(f"{name}: --allow prints on a terminal only", file=sys.stderr)
        return
    from ecomem.gate.allow_file import allow_mark

    for item in findings:
        if RULES[item.code].allowable:
            line = texts[item.path].split("\n")[item.line - 1]
            print(allow_mark(item.path, item.code, line), "REASON")


def root(chosen: Options) -> str:
    """The project to work on, by default the one that contains these scripts."""
    path = os.path.abspath(chosen.root or f"{__file__}/../../../../../..")
    if not os.path.isdir(path):
        fail(f"--root: there is no folder {chosen.root}")
    if not os.path.isdir(os.path.join(path, STORE)):
        fail(f"there is no store at {STORE} in {chosen.root or 'this project'}")
    return path


def run(main: Callable[[list[str]], int]) -> None:
    """Run a command and exit with its code, quietly where nobody reads the output."""
    gc.disable()  # a run is short, and a tenth of it would go into collecting
    try:
        code = main(sys.argv[1:])
        cheap_re.save()
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        code = 2
    except CannotAsk as fault:
        fail(f"git was needed, and did not answer. {fault.problem} {fault.advice}")
    except (OSError, ValueError, LookupError, AttributeError) as error:
        what = getattr(error, "strerror", None) or type(error).__name__
        where = os.path.basename(str(getattr(error, "filename", None) or ""))
        name = f" ({where})" if where else ""
        fail(f"stopped by an error: {what}{name}. Only what is printed above was done")
    os._exit(code)  # there is nothing left to tidy up, and tidying takes its time


def lock(root: str) -> AbstractContextManager[None]:
    """Keep other writers out. The system releases the lock of a killed writer."""
    from contextlib import contextmanager  # which readers need not import

    return contextmanager(_hold_lock)(root)


def _hold_lock(root: str) -> Iterator[None]:
    folder = os.path.join(root, STORE, "working")
    for path in (".agents", STORE, f"{STORE}/working"):
        if os.path.islink(os.path.join(root, path)):
            fail("the store contains symbolic links; run verify.py")
    os.makedirs(folder, exist_ok=True)
    if sys.platform == "win32":  # where a folder cannot be opened
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
        remove_leftovers(root, (LOCK,))
        yield
    finally:
        os.close(handle)
