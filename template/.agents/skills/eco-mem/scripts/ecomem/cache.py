"""What took long to work out, kept beside the bytecode while no script changes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from typing import Any

from ecomem.store import read_bytes

_HERE = os.path.dirname(os.path.abspath(__file__))
_MOST = 1 << 26  # bytes


def recall(name: str, kind: type) -> Any:
    """What these scripts and this Python kept under a name, or None."""
    import marshal

    stamp = _stamp()
    with suppress(OSError, ValueError, EOFError, TypeError):
        data = read_bytes(_path(name), _MOST)
        if data.startswith(stamp):
            value = marshal.loads(data[len(stamp) :])
            return value if type(value) is kind else None
    return None


def keep(name: str, value: Any) -> None:
    """Keep a value of built-in types under a name, where bytecode is kept too."""
    import marshal

    if sys.dont_write_bytecode or sys.pycache_prefix:
        return
    path = _path(name)
    temporary = f"{path}-{os.urandom(4).hex()}"
    try:
        with open(temporary, "xb") as file:
            file.write(_stamp() + marshal.dumps(value))
        os.replace(temporary, path)
    except OSError:  # to work it out again is slow, not wrong
        with suppress(OSError):
            os.unlink(temporary)


def _path(name: str) -> str:
    return os.path.join(_HERE, "__pycache__", f"kept-{name}")


@cache
def _stamp() -> bytes:
    """The sizes and times of the scripts and tables, as the run found them.

    Taken once: what changes while a run works must not stand under the new times.
    """
    folders = (os.path.dirname(_HERE), _HERE, os.path.join(_HERE, "gate"))
    files = [
        file for folder in folders for file in os.scandir(folder) if file.is_file()
    ]
    found = sorted((file.path, file.stat()) for file in files)
    times = [(name, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for name, s in found]
    return repr((sys.version, times)).encode()
