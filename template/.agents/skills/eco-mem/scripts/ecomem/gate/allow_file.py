"""The allow file: lines that a person let pass although the gate refuses them."""

from __future__ import annotations

import os

from ecomem.cheap_imports import cache, sha256
from ecomem.rules import RULES
from ecomem.store import decode, read_bytes

ALLOW = ".agents/eco-mem.allow"


def allow_mark(path: str, code: str, line: str) -> str:
    """Name a hit for the allow file: its code, path and the SHA-256 of its line."""
    return f"{code} {path} {sha256(line.strip().encode()).hexdigest()}"


def is_allowed(root: str, path: str, code: str, line: str) -> bool:
    """Return true if a person let a hit pass, and its rule can be allowed."""
    return RULES[code].allowable and allow_mark(path, code, line) in allowed_marks(root)


@cache
def allowed_marks(root: str) -> set[str]:
    """The marks of the allow file; a line without a reason counts for nothing."""
    try:
        text = decode(read_bytes(os.path.join(root, ALLOW), 1 << 20))
    except (OSError, ValueError):
        return set()
    parts = (line.split(None, 3) for line in text.split("\n"))
    return {" ".join(part[:3]) for part in parts if len(part) == 4}
