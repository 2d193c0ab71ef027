"""The record of retired episodes, which keeps their deletion from being an error (H02).

`.agents/eco-mem.retired` has a line for each published version of a retired episode:
the digest of its path and content, the day, the reason. It names no slug. It lies
outside of the store, belongs to the project, and is written by forget.py alone.
"""

from __future__ import annotations

import os

from ecomem.cheap_imports import Iterable, NamedTuple
from ecomem.entry import is_date
from ecomem.findings import Findings, finding
from ecomem.store import decode, read_bytes, write_atomically

RECORD = ".agents/eco-mem.retired"
REASONS = ("noise", "wrong", "sensitive")
MAX_RECORD = 8 * 1024 * 1024  # bytes
_CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


class Retirement(NamedTuple):
    """One line of the record, in the order of its words."""

    digest: str
    day: str
    reason: str


def digest(path: str, blob: str) -> str:
    """The SHA-256 that names a version of an episode, as 64 hexadecimal digits.

    path is relative to the project; blob is the id that git gives to the content.
    """
    from ecomem.cheap_imports import sha256

    return sha256(f"{path}\n{blob}".encode()).hexdigest()


def parse(text: str) -> list[Retirement]:
    """The retirements in the text of a record, those in a merge conflict included."""
    words = (line.split() for line in text.split("\n"))
    lines = (Retirement(*parts) for parts in words if len(parts) == 3)
    return [line for line in lines if _is_valid(line)]


def digests(root: str) -> set[str]:
    """The digests in the record of a project; none where it has no readable record."""
    try:
        text = decode(read_bytes(os.path.join(root, RECORD), MAX_RECORD))
    except (OSError, ValueError):
        return set()
    return {item.digest for item in parse(text)}


def check(root: str) -> Findings:
    """Report a record that cannot be read, or that contains merge conflicts."""
    try:
        lines = decode(read_bytes(os.path.join(root, RECORD), MAX_RECORD)).split("\n")
    except FileNotFoundError:
        return
    except OSError:
        yield finding("L08", RECORD)
        return
    except ValueError:
        yield finding("L09", RECORD)
        return
    marked = [at for at, line in enumerate(lines, 1) if line.startswith(_CONFLICT)]
    if marked:
        yield finding("L13", RECORD, marked[0])


def add(root: str, new: Iterable[Retirement]) -> bool:
    """Write retirements into the record. Returns whether the record changed.

    Raises OSError or ValueError, and changes nothing, where the record is no text.
    """
    path = os.path.join(root, RECORD)
    old = ""
    if os.path.lexists(path):
        old = decode(read_bytes(path, MAX_RECORD))
    text = merged(old, new)
    if text == old:
        return False
    write_atomically(root, RECORD, text.encode())
    return True


def resolve(root: str) -> bool:
    """Settle merge conflicts in the record by keeping both sides.

    Returns whether it had any. A record that cannot be read is left as it is.
    """
    if not any(item.code == "L13" for item in check(root)):
        return False
    return add(root, ())


def merged(text: str, new: Iterable[Retirement]) -> str:
    """The text of a record with more lines: sorted, each digest once.

    What is no retirement stays, above the others, without conflict markers.
    """
    by_digest: dict[str, Retirement] = {}
    for item in sorted([*parse(text), *new]):
        if item.digest not in by_digest:  # the earliest day counts
            by_digest[item.digest] = item
    others = [
        line
        for line in text.split("\n")
        if line.strip() and not parse(line) and not line.startswith(_CONFLICT)
    ]
    lines = [*others, *(" ".join(item) for item in by_digest.values())]
    return "".join(f"{line}\n" for line in lines)


def _is_valid(item: Retirement) -> bool:
    is_digest = len(item.digest) == 64 and not item.digest.strip("0123456789abcdef")
    return is_digest and is_date(item.day) and item.reason in REASONS
