"""Serena's memories: Markdown files below `.serena/memories`, linked as `mem:NAME`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from migrate.folders import readable, text_files
from migrate.model import Note, Source, SourceFile
from migrate.readers.common import by_section, one_note

KIND = "serena"
PLACE = ".serena/memories"
# What Serena writes at its first look; most of it the repository itself tells.
ONBOARDING = (
    "suggested_commands",
    "style",
    "conventions",
    "structure",
    "project_overview",
    "purpose",
    "tech_stack",
    "task_completion",
    "post_task",
    "completion_checklist",
)


def find(project: Path) -> list[Path]:
    """Return the folder of memories of a project."""
    return [project / PLACE] if (project / PLACE).is_dir() else []


def fits(path: Path) -> bool:
    """Return true for a folder `.serena` or the one of its memories."""
    return path.is_dir() and path.as_posix().endswith((".serena", PLACE))


def files(root: Path) -> list[Path]:
    """Return the memories, in nested folders too."""
    return text_files(root if root.name == "memories" else root / "memories")


def read(source: Source) -> Iterator[Note]:
    """Yield each memory as a note, those of the onboarding by section."""
    for file in readable(source):
        yield from notes_of(file)


def notes_of(file: SourceFile) -> list[Note]:
    """Return one memory as a note, or as its sections."""
    stem = Path(file.name).with_suffix("").as_posix()
    plain = stem.lower().replace("-", "_")
    if any(word in plain for word in ONBOARDING):
        return by_section(file, reason="what of this does the repository not tell?")
    return [named_by_path(note, stem) for note in one_note(file)]


def named_by_path(note: Note, stem: str) -> Note:
    """Return a note whose slug is made from its whole path: nested names may repeat."""
    return note._replace(name=stem.replace("/", " ")) if note.name else note
