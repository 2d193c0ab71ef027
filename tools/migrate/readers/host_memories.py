"""Memories that Windsurf and Copilot keep as files: lists of short statements.

Each statement is one note without a cue, so a person decides on it. `applyTo` or
`globs` in the header say where it holds, and become the scope of its draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from migrate.folders import is_file, readable, text_files
from migrate.front_matter import read_header
from migrate.model import Note, Range, Source, SourceFile
from migrate.readers.common import first_text
from migrate.text import Section, paragraphs, sections

BULLET = re.compile(r"^[-*+]\s+\S")
# What only makes sense with its neighbours: fences, steps, tables, lists in lists.
MORE = re.compile(r"^\s*(?:`{3}|~{3}|\d+[.)]\s|\|)|^\s+[-*+]\s")
EVERYWHERE = ("**", "**/*", "*", "always")
NAME_WORDS = 6  # of a statement, that its slug is made from
FEW_WORDS = 3  # with fewer, the title of the section comes first


class HostMemories(NamedTuple):
    """The reader of one host; see Reader in the package."""

    KIND: str
    folders: tuple[str, ...]
    file_ends: tuple[str, ...]  # of files among the instructions of the host
    beside: str  # the folder where such files lie

    def find(self, project: Path) -> list[Path]:
        """Return the folders and files of a project that hold memories."""
        found = [project / each for each in self.folders if self.fits(project / each)]
        files = sorted((project / self.beside).glob("*"))
        return found + [path for path in files if is_file(path) and self.fits(path)]

    def fits(self, path: Path) -> bool:
        """Return true for such a folder with text in it, or such a file."""
        if path.is_dir():
            return path.as_posix().endswith(self.folders) and bool(text_files(path))
        return path.as_posix().lower().endswith(self.file_ends)

    def files(self, root: Path) -> list[Path]:
        """Return the files of a folder, or the file itself."""
        return text_files(root) if root.is_dir() else [root]

    def read(self, source: Source) -> Iterator[Note]:
        """Yield one note for each statement."""
        for file in readable(source):
            yield from statements(file)


WINDSURF = HostMemories(
    "windsurf",
    (".windsurf/memories",),
    (".windsurf/memories.md", ".windsurf/memory.md"),
    ".windsurf",
)
COPILOT = HostMemories(
    "copilot",
    (".github/memories", ".copilot/memories", ".copilot/memory"),
    ("memory.instructions.md", "memory.instruction.md"),
    ".github/instructions",
)


def statements(file: SourceFile) -> list[Note]:
    """Return the parts of one file: header, headings, statements.

    A section with more than plain statements (code, steps, tables, lists in lists) is
    one note, as its parts say nothing alone.
    """
    header = read_header(file.lines)
    if header.problem:
        lines = (1, len(file.lines))
        return [Note(file, lines, decision="decide", reason=header.problem)]
    notes: list[Note] = []
    if header.end:
        notes.append(Note(file, (1, header.end), decision="drop", reason="bookkeeping"))
    scope = header.get("applyto", "globs").strip("\"'")
    scope = "" if scope in EVERYWHERE else scope
    for each in sections(file.lines, header.end + 1):
        first, last = each.lines
        begin = first + bool(each.level)
        if each.level:
            notes.append(Note(file, (first, first), decision="drop", reason="heading"))
        if any(map(MORE.match, file.lines[begin - 1 : last])):
            lines = (first_text(file, begin), last)
            notes.append(whole(file, lines, each, scope))
        else:
            notes.extend(
                statement(file, lines, each, scope)
                for lines in parts(file, begin, last)
            )
    return notes


def whole(file: SourceFile, lines: Range, section: Section, scope: str) -> Note:
    """Return all below a heading as one note."""
    name = section.title or Path(file.name).stem
    return Note(file, lines, title=name, name=name, scope=scope)


def parts(file: SourceFile, first: int, last: int) -> Iterator[Range]:
    """Yield the paragraphs of a section, lists cut at their items."""
    for start, end in paragraphs(file.lines, first, last):
        begin = start
        for at in range(start + 1, end + 1):
            if BULLET.match(file.lines[at - 1]):
                yield begin, at - 1
                begin = at
        yield begin, end


def statement(file: SourceFile, lines: Range, section: Section, scope: str) -> Note:
    """Return one statement as a note."""
    words = re.findall(r"[^\W\d_][\w'.-]*", file.lines[lines[0] - 1])
    name = " ".join(words[:NAME_WORDS])
    if len(words) < FEW_WORDS:
        name = f"{section.title} {name}".strip()
    return Note(file, lines, title=section.title or name, name=name, scope=scope)
