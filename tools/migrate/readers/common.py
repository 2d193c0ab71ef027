"""Readings that several kinds of memory share."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from migrate.folders import read_head, text_files
from migrate.front_matter import BOOKKEEPING, USED, Header, read_header
from migrate.model import Note, Range, SourceFile
from migrate.text import as_cue, sections, title_as_cue

IDENTIFIER = re.compile(r"[\w.-]*[_.-][\w.-]*", re.ASCII)
HEADERS = 20  # of a folder, that are looked at to know its kind
COMMON_NAMES = ("readme", "index", "overview", "notes")  # many folders have one
# The keys of an entry that mean something to eco-mem.
ENTRY_KEYS = frozenset(
    "cue as_of when task source scope expires evidence was superseded-by origin"
    " claimed cited goal constraints progress next open handoff".split()
)


def text_of(note: Note) -> str:
    """Return the lines of the body of a note."""
    return note.file.text(*note.body)


def one_note(file: SourceFile, title: str = "", cue: str = "") -> list[Note]:
    """Return a file as one note, with the parts of its header that the note leaves out.

    title and cue are what an index says; else the file itself gives them.
    """
    header = read_header(file.lines)
    if header.problem:
        return [
            Note(file, (1, len(file.lines)), decision="decide", reason=header.problem)
        ]
    used, parts, carried = split_header(file, header)
    start = first_text(file, header.end + 1)
    heading: tuple[Range, ...] = ()
    if start and file.lines[start - 1].startswith("# "):
        title = file.lines[start - 1][2:].strip()
        heading = ((start, start),)
        start = first_text(file, start + 1)
    if not start:
        rest = [*used, *heading]
        return [*parts, spread(file, rest, "drop", "no text")] if rest else parts
    title = words_of(title) or words_of(header.get("title", "name"))
    description = header.get("description", "summary")
    cue = cue or as_cue(description) or title_as_cue(title)
    if description and description != cue:
        carried = (("description", description), *carried)
    note = Note(
        file,
        (start, len(file.lines)),
        title=title,
        cue=cue,
        name=header.get("name") or name_of(file.name),
        fields=carried,
        header=(*used, *heading),
        day=header.day(),
    )
    return [*parts, note]


def words_of(title: str) -> str:
    """Return a title, or "" for the name of a file or a key, which is no title."""
    return "" if IDENTIFIER.fullmatch(title.strip()) else title


def name_of(path: str) -> str:
    """Return what a note is called by its file; a README is called by its folder."""
    parts = Path(path).with_suffix("").parts
    common = parts[-1].lower() in COMMON_NAMES
    return " ".join(parts[-2:]) if common else parts[-1]


def any_header(folder: Path, holds: Callable[[set[str]], bool]) -> bool:
    """Return true if the keys of one of the first headers of a folder hold."""
    some = text_files(folder)[:HEADERS] if folder.is_dir() else []
    headers = (read_header(read_head(each)) for each in some)
    return any(holds({field.key for field in header.fields}) for header in headers)


def decided(parts: list[Note], decision: str, reason: str) -> list[Note]:
    """Return the parts of a file, with a decision where they have none."""
    return [
        part if part.decision else part._replace(decision=decision, reason=reason)
        for part in parts
    ]


def first_text(file: SourceFile, at: int) -> int:
    """Return the first line from `at` on that is not blank; 0 if there is none."""
    return next(
        (n for n in range(at, len(file.lines) + 1) if file.lines[n - 1].strip()), 0
    )


def split_header(
    file: SourceFile, header: Header
) -> tuple[list[Range], list[Note], tuple[tuple[str, str], ...]]:
    """Return the header lines that a note uses, the other parts, and what is carried.

    The fences count as used. A claim about the source is kept as a word of its own key.
    """
    if not header.end:
        return [], [], ()
    used: list[Range] = [(1, 1), (header.end, header.end)]
    parts: list[Note] = []
    bookkeeping: list[Range] = []
    carried: list[tuple[str, str]] = []
    for field in header.fields:
        if field.key in USED and field.value is not None:
            used.append(field.lines)
        elif field.key in BOOKKEEPING or field.value == "":
            bookkeeping.append(field.lines)
        elif field.value is None or not field.key.isascii():
            reason = "a part of the header that is no plain value"
            parts.append(Note(file, field.lines, decision="decide", reason=reason))
        else:
            used.append(field.lines)
            carried.append((carried_key(field.key), field.value))
    if bookkeeping:
        parts.append(spread(file, bookkeeping, "drop", "bookkeeping"))
    return sorted(used), parts, tuple(carried)


def spread(file: SourceFile, lines: list[Range], decision: str, reason: str) -> Note:
    """Return several parts of a file as one note with a decision."""
    *others, last = lines
    return Note(file, last, header=tuple(others), decision=decision, reason=reason)


def carried_key(key: str) -> str:
    """Return the key that an entry carries a value of another memory under.

    What looks like evidence, a date or a source of an entry is only a claim here.
    """
    if key == "source":
        return "claimed"
    return f"claimed-{key}" if key in ENTRY_KEYS else key


def by_section(
    file: SourceFile, first: int = 1, decision: str = "decide", reason: str = ""
) -> list[Note]:
    """Return a note for each section of a file, all with one decision."""
    return [
        Note(
            file,
            each.lines,
            title=each.title,
            decision=decision,
            reason=reason or "cue? prose has none",
        )
        for each in sections(file.lines, first)
    ]
