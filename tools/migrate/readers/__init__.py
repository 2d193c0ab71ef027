"""The kinds of memory that can be taken in: one module each, listed once here.

A reader has `KIND`, `find(project)` for the places in a project where it lies,
`fits(path)` for a place that a person names, and `read(source)`, which cuts the files
into notes. No reader guesses a cue: without one in the source, a person decides.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol

from migrate.folders import read_source
from migrate.model import Note, Source
from migrate.readers import (
    claude_memory,
    eco_mem,
    letta,
    memory_bank,
    notes,
    rules,
    serena,
    three_layer,
)


class Reader(Protocol):
    """What each module of this folder offers."""

    KIND: str

    def find(self, project: Path) -> list[Path]:
        """Return the places of a project that hold this kind of memory."""

    def fits(self, path: Path) -> bool:
        """Return true if a file or folder is this kind of memory."""

    def files(self, root: Path) -> list[Path]:
        """Return the files to read below such a place."""

    def read(self, source: Source) -> list[Note]:
        """Cut the files into notes."""


# In the order in which they are asked: the first that fits a place reads it.
READERS: tuple[Reader, ...] = (
    eco_mem,
    serena,
    memory_bank,
    three_layer,
    claude_memory,
    letta,
    notes,
    rules,
)


class Found(NamedTuple):
    """A source with the notes that its reader made of it."""

    source: Source
    notes: list[Note]


def read_all(project: Path, named: list[Path]) -> list[Found]:
    """Read all memories of a project, and those that a person named."""
    found: list[Found] = []
    seen: set[Path] = set()
    for reader in READERS:
        places = reader.find(project)
        places += [path for path in named if path not in seen and reader.fits(path)]
        for place in places:
            if place.resolve() in seen or place in seen:
                continue
            seen |= {place, place.resolve()}
            source = read_source(reader.KIND, place, reader.files(place))
            found.append(Found(source, reader.read(source)))
    missing = [path for path in named if path not in seen]
    if missing:
        raise LookupError(f"{missing[0].name} is no memory of a known kind")
    return found
