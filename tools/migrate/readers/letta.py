"""Letta's memory blocks as files: a header with `description`, below `system/`."""

from __future__ import annotations

from pathlib import Path

from migrate.folders import read_head, text_files
from migrate.front_matter import read_header
from migrate.model import Note, Source
from migrate.readers.common import one_note

KIND = "letta"
PLACES = (".letta/memory", ".letta/system", ".letta")
PERSONAL = ("human", "persona", "personas", "user")


def find(project: Path) -> list[Path]:
    """Return the first of the usual folders that fits."""
    return [project / place for place in PLACES if fits(project / place)][:1]


def fits(path: Path) -> bool:
    """Return true for a folder of blocks that say a description and a limit."""
    if not path.is_dir():
        return False
    for each in text_files(path)[:20]:
        keys = {field.key for field in read_header(read_head(each)).fields}
        if {"description", "limit"} <= keys or (
            {"description"} <= keys and "system" in each.parts
        ):
            return True
    return False


def files(root: Path) -> list[Path]:
    """Return the blocks."""
    return text_files(root)


def read(source: Source) -> list[Note]:
    """Return each block as a note; those about people are left to the host."""
    found: list[Note] = []
    for file in source.files:
        if file.problem:
            continue
        parts = one_note(file)
        words = Path(file.name.lower()).with_suffix("").parts
        if any(word in PERSONAL for word in words):
            reason = "about the person or the agent, by its name"
            parts = [
                part
                if part.decision
                else part._replace(decision="person", reason=reason)
                for part in parts
            ]
        found.extend(parts)
    return found
