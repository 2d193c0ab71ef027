"""What took long to work out, kept beside the bytecode while the gate is the same."""

from __future__ import annotations

import os
import sys
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))


def recall(name: str) -> Any:
    """What was kept under a name by this gate and this Python, or None."""
    import marshal

    stamp = _stamp()
    try:
        with open(_path(name), "rb") as file:
            data = file.read()
        return marshal.loads(data[len(stamp) :]) if data.startswith(stamp) else None
    except (OSError, ValueError, EOFError, TypeError):
        return None


def keep(name: str, value: Any) -> None:
    """Keep a value of built-in types under a name, where bytecode is kept too."""
    import marshal

    if sys.dont_write_bytecode or sys.pycache_prefix:
        return
    path = _path(name)
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "xb") as file:
            file.write(_stamp() + marshal.dumps(value))
        os.replace(temporary, path)
    except OSError:  # to work it out again is slow, not wrong
        return


def _path(name: str) -> str:
    return os.path.join(_HERE, "__pycache__", f"kept-{name}")


def _stamp() -> bytes:
    """The sizes and times of the gate's files, which every change of it changes."""
    files = (file for file in os.scandir(_HERE) if file.name.startswith("gate"))
    states = sorted((file.name, file.stat()) for file in files)
    sizes = [(name, state.st_size, state.st_mtime_ns) for name, state in states]
    return repr((sys.version, sizes)).encode()
