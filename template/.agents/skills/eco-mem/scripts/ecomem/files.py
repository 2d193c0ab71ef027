"""Reading one file without following a link and without waiting."""

from __future__ import annotations

import os

_READ_FLAGS = sum(
    getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
)


def read_bytes(path: str, limit: int) -> bytes:
    """At most limit + 1 bytes of a file, never through a link, never waiting."""
    handle = os.open(path, _READ_FLAGS)
    try:
        data = b""
        while more := os.read(handle, limit + 1 - len(data)):
            data += more
        return data
    finally:
        os.close(handle)
