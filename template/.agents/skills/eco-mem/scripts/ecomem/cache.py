"""A cache in `__pycache__`: results that are slow to compute, for the next run.

A result is discarded when a script, a table or the Python version changes. Losing the
cache costs time and nothing else.
"""

from __future__ import annotations

import os
import sys

from ecomem.cheap_imports import TYPE_CHECKING, cache, suppress
from ecomem.files import read_bytes

if TYPE_CHECKING:
    from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
_MAX_BYTES = 1 << 26


def load(name: str, kind: type) -> Any:
    """The value saved under name, if it is of type kind and not outdated, else None."""
    import marshal

    stamp = _stamp()
    try:
        data = read_bytes(_path(name), _MAX_BYTES)
        value = marshal.loads(data[len(stamp) :]) if data.startswith(stamp) else None
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return value if type(value) is kind else None


def save(name: str, value: Any) -> None:
    """Save a value of built-in types under name, where Python may write bytecode."""
    import marshal

    if sys.dont_write_bytecode or sys.pycache_prefix:
        return
    path = _path(name)
    temporary = f"{path}-{os.urandom(4).hex()}"
    try:
        with open(temporary, "xb") as file:
            file.write(_stamp() + marshal.dumps(value))
        os.replace(temporary, path)
    except OSError:  # the next run computes it again
        with suppress(OSError):
            os.unlink(temporary)


def _path(name: str) -> str:
    return os.path.join(_HERE, "__pycache__", f"cached-{name}")


@cache
def _stamp() -> bytes:
    """The Python version, and the size and times of every script and table.

    Taken once, at the first use: a file that changes while a run works must not have
    its old results saved under its new times.
    """
    folders = (os.path.dirname(_HERE), _HERE, os.path.join(_HERE, "gate"))
    files = [
        file for folder in folders for file in os.scandir(folder) if file.is_file()
    ]
    stats = sorted((file.path, file.stat()) for file in files)
    times = [(name, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for name, s in stats]
    return repr((sys.version, times)).encode()
