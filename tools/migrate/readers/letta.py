"""Letta's memory blocks as files: a header with `description`, below `system/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from migrate.folders import is_file, readable, text_files
from migrate.model import Note, Source, SourceFile
from migrate.readers.common import any_header, decided, one_note

KIND = "letta"
PLACES = (".letta/memory", ".letta/system", ".letta")
PERSONAL = ("human", "persona", "personas", "user")
LIMITED = frozenset(("description", "limit"))
DESCRIBED = frozenset(("description",))
STATE = ("todo", "todos", "roadmap", "progress", "tasks", "scratchpad")


def find(project: Path) -> list[Path]:
    """Return the first of the usual folders that fits."""
    return [project / place for place in PLACES if fits(project / place)][:1]


def fits(path: Path) -> bool:
    """Return true for a folder of blocks that say a description and a limit.

    A folder `system` in it has blocks of a description alone.
    """
    system = path / "system"
    if any(is_file(system / f"{name}.md") for name in PERSONAL):
        return True
    return any_header(path, LIMITED.issubset) or any_header(system, DESCRIBED.issubset)


def files(root: Path) -> list[Path]:
    """Return the blocks."""
    return text_files(root)


def read(source: Source) -> Iterator[Note]:
    """Yield each block as a note; those about people are left to the host."""
    for file in readable(source):
        yield from notes_of(file)


def notes_of(file: SourceFile) -> list[Note]:
    """Return the parts of one block."""
    parts = one_note(file)
    words = Path(file.name.lower()).with_suffix("").parts
    if any(word in PERSONAL for word in words):
        reason = "about the person or the agent, by its name"
        return decided(parts, "person", reason)
    if words[-1] in STATE:
        return decided(parts, "left", "status")
    return parts
