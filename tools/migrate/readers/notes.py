"""Folders of notes with front matter: Basic Memory, mnemonic, and their like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from migrate.folders import readable, text_files
from migrate.model import Note, Source
from migrate.readers.common import any_header, one_note

KIND = "notes"
PLACES = (
    ".mnemonic/notes",
    ".mnemonic",
    "basic-memory",
    ".basic-memory",
    "notes/memory",
)
KEYS = {"permalink", "createdat", "created_at", "lifecycle", "memoryversion"}
STATUS = re.compile(r"(?i)^(?:status|progress|todo)\b")


def find(project: Path) -> list[Path]:
    """Return the usual folders of a project that hold such notes."""
    found = [project / place for place in PLACES if fits(project / place)]
    return [path for path in found if not any(other in path.parents for other in found)]


def fits(path: Path) -> bool:
    """Return true for a folder with notes that have a key of such tools."""
    return any_header(path, lambda keys: bool(KEYS & keys))


def files(root: Path) -> list[Path]:
    """Return the notes."""
    return text_files(root)


def read(source: Source) -> Iterator[Note]:
    """Yield each file as one note."""
    for file in readable(source):
        for part in one_note(file):
            yield part._replace(status=bool(STATUS.match(part.title)))
