"""One-fact notes with front matter and an index of hooks: Claude Code's auto memory.

`MEMORY.md` has one row a note, `- [Title](file.md): hook`; each note says its type
(user, feedback, project or reference), at the top of its header or under `metadata`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from migrate.folders import is_file, load, read_head, readable, text_files
from migrate.front_matter import read_header
from migrate.model import Note, Source, SourceFile, as_ranges, written_lines
from migrate.readers.common import by_section, decided, one_note, spread, text_of
from migrate.text import as_cue, sections

KIND = "claude-memory"
INDEX = "MEMORY.md"
TYPES = ("user", "feedback", "project", "reference")
PLACES = (
    ".claude/memory",
    ".claude/projects/memory",
    "memory",
    ".memory",
    "docs/memory",
    ".agents/notes",
)
ROW = re.compile(
    r"^\s*[-*+]\s+\[([^]]+)\]\(<?([^)>]+\.md)>?\)\s*(?:[-:\u2013\u2014]+\s*)?(.*)$"
)
DAILY_LOG = re.compile(r"\d{4}-\d\d-\d\d")
STATUS = re.compile(
    r"(?i)\b(?:in progress|status|todo|next steps?|blocked|pending|wip|sprint)\b"
)


def find(project: Path) -> list[Path]:
    """Return the usual folders of a project that hold such notes."""
    return [project / place for place in PLACES if fits(project / place)]


def fits(path: Path) -> bool:
    """Return true for a folder with an index, or notes that say one of the four types.

    The index may be prose alone: so Claude Code wrote it before there were types.
    """
    if not path.is_dir():
        return False
    if is_file(path / INDEX):
        return True
    some = [each for each in sorted(path.glob("*.md")) if each.name != INDEX]
    return any(kind_of(each) in TYPES for each in some[:20])


def kind_of(path: Path) -> str:
    """Return the type in the header of a file, else ""."""
    return read_header(read_head(path)).get("type")


def files(root: Path) -> list[Path]:
    """Return the notes and the index."""
    return text_files(root)


def read(source: Source) -> Iterator[Note]:
    """Yield a note for each file, with the hook of the index as its cue."""
    hooks = read_hooks(source)
    for file in readable(source):
        yield from notes_of(file, hooks)


def notes_of(file: SourceFile, hooks: dict[str, tuple[str, str]]) -> list[Note]:
    """Return the notes of one file."""
    if file.name.rpartition("/")[2] == INDEX:
        return index_rows(file)
    if DAILY_LOG.match(Path(file.name).name):
        return by_section(file, decision="left", reason="log")
    title, hook = hooks.get(file.name, ("", ""))
    return typed(one_note(file, title, as_cue(hook)))


def typed(parts: list[Note]) -> list[Note]:
    """Return the parts of a file, with the traits that follow from its type."""
    kind = read_header(parts[0].file.lines).get("type") if parts else ""
    if kind == "user":
        return decided(parts, "person", "about the person, by its type")
    if kind == "feedback":
        reason = "feedback: a fact, rule or person?"
        return [
            part if part.decision else part._replace(reason=reason) for part in parts
        ]
    if kind == "project":
        return [
            part._replace(status=bool(STATUS.search(text_of(part)))) for part in parts
        ]
    return parts


def read_hooks(source: Source) -> dict[str, tuple[str, str]]:
    """Return title and hook of each note that an index names, by the note's path."""
    hooks: dict[str, tuple[str, str]] = {}
    for file in source.files:
        name = file.name
        if name.rpartition("/")[2] != INDEX:
            continue
        folder = name.rpartition("/")[0]
        for line in load(file).lines:
            row = ROW.match(line)
            if row:
                target = row[2].removeprefix("./")
                hooks[f"{folder}/{target}" if folder else target] = (
                    row[1],
                    row[3].strip(),
                )
    return hooks


def index_rows(file: SourceFile) -> list[Note]:
    """Return the rows of an index and bare headings as dropped, its prose as open."""
    rows = {at for at, line in enumerate(file.lines, 1) if ROW.match(line)}
    bare: set[int] = set()
    found: list[Note] = []
    for each in sections(file.lines):
        first, last = each.lines
        mine = (written_lines(file) & {*range(first, last + 1)}) - rows
        if mine - {first if each.level else 0}:
            ranges = list(as_ranges(file, mine))
            found.append(spread(file, ranges, "decide", "cue? prose has none"))
        else:
            bare |= mine
    if rows:
        found.append(spread(file, list(as_ranges(file, rows)), "drop", "index-row"))
    if bare:
        found.append(spread(file, list(as_ranges(file, bare)), "drop", "heading"))
    return found
