"""The kinds of memory that can be taken in: one module each, listed once here.

A reader has `KIND`, `find(project)` for the places in a project where it lies,
`fits(path)` for a place that a person names, and `read(source)`, which cuts the files
into notes. No reader guesses a cue: without one in the source, a person decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol

from migrate.folders import read_source
from migrate.model import Note, Source
from migrate.readers import (
    claude_memory,
    eco_mem,
    host_memories,
    letta,
    memory_bank,
    notes,
    rules,
    serena,
    three_layer,
)


class Reader(Protocol):
    """The functions that each module of this folder offers."""

    @property
    def KIND(self) -> str:
        """The name of the kind, with which labels begin."""

    def find(self, project: Path) -> list[Path]:
        """Return the places of a project that hold this kind of memory."""

    def fits(self, path: Path) -> bool:
        """Return true if a file or folder is this kind of memory."""

    def files(self, root: Path) -> list[Path]:
        """Return the files to read below such a place."""

    def read(self, source: Source) -> Iterator[Note]:
        """Yield the notes of each file, in the order of the files."""


# In the order in which they are asked: the first that fits a place reads it.
READERS: tuple[Reader, ...] = (
    eco_mem,
    serena,
    memory_bank,
    three_layer,
    claude_memory,
    host_memories.WINDSURF,
    host_memories.COPILOT,
    rules,
    letta,
    notes,
)
# The folder of a program, and the folder of its memories in it: both name one store.
INSIDE = {".serena": "memories", ".mnemonic": "notes", ".windsurf": "memories"}


class Found(NamedTuple):
    """A source with the reader of its kind."""

    source: Source
    reader: Reader


class Readings(NamedTuple):
    """All sources, and how many places were left aside because they are links."""

    found: list[Found]
    linked: int


def read_all(project: Path, named: list[Path]) -> Readings:
    """Return all memories of a project, and those that a person named.

    project and named are resolved paths. A file that two kinds would read is read by
    the first of them. Raises LookupError for a named place of no known kind.
    """
    found: list[Found] = []
    seen: set[Path] = set()
    files: set[Path] = set()
    labels: set[str] = set()
    linked = 0
    named = [memories_in(path) for path in named]
    for reader in READERS:
        places = reader.find(project)
        places += [path for path in named if path not in seen and reader.fits(path)]
        for place in places:
            if place in seen:
                continue
            seen.add(place)
            if place.resolve() != place:
                linked += 1
                continue
            mine = [path for path in reader.files(place) if path not in files]
            if files and not mine:
                continue
            files.update(mine)
            source = read_source(reader.KIND, place, mine)
            if labels & {file.label for file in source.files}:
                source = relabelled(source, project)
            labels |= {file.label for file in source.files}
            found.append(Found(source, reader))
    missing = [path for path in named if path not in seen]
    if missing:
        raise LookupError(f"{missing[0].name} is no memory of a known kind")
    return Readings(found, linked)


def memories_in(path: Path) -> Path:
    """Return the folder of memories in a folder of its program, else the path."""
    inner = path / INSIDE.get(path.name, ".")
    return inner if inner.is_dir() and not inner.is_symlink() else path


def relabelled(source: Source, project: Path) -> Source:
    """Return a second source of a kind with labels of its own: `serena~1a2b:...`.

    They depend on its place in the project, or on its name outside of it.
    """
    inside = source.root.is_relative_to(project)
    place = source.root.relative_to(project).as_posix() if inside else source.root.name
    mark = sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:4]
    files = tuple(
        file._replace(label=file.label.replace(":", f"~{mark}:", 1))
        for file in source.files
    )
    return source._replace(files=files)
