"""Three layers: a prose MEMORY.md, `memory/facts.yaml`, a lookup index, daily logs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from migrate.folders import is_file, load, readable, text_files
from migrate.model import Note, Source, SourceFile
from migrate.readers.common import by_section, one_note
from migrate.text import as_cue, sections

KIND = "three-layer"
PERSONAL = ("identity", "health", "contact", "contacts", "person", "family", "user")
TODOS = ("todo", "todos", "tasks", "next")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
WORTH = re.compile(r"(?i)\b(?:lessons?|decisions?|root cause|learned|gotcha)\b")
LOOKUP = re.compile(
    r"^\s*(?:[-*+]|\|)\s*(.+?)\s*(?:\u2192|->|=>|\||:)\s*`?\[?([\w./#-]+\.(?:md|ya?ml)(?:#[\w-]+)?)"
)
KEY = re.compile(r"^(\w[\w -]*):(.*)$")
ITEM = re.compile(r"^ {2}([\w -]+):(.*)$")


def find(project: Path) -> list[Path]:
    """Return the project itself if it has the layers."""
    return [project] if fits(project) else []


def fits(path: Path) -> bool:
    """Return true for a folder with some of the layers.

    They are facts.yaml or a lookup index below `memory/`; or MEMORY.md beside it, with
    at least one daily log in it.
    """
    layer = path / "memory"
    if any(is_file(layer / name) for name in ("facts.yaml", "lookup-index.md")):
        return True
    logs = (DAY.match(each.stem) for each in text_files(layer))
    return is_file(path / "MEMORY.md") and any(logs)


def files(root: Path) -> list[Path]:
    """Return MEMORY.md and what lies below `memory/`."""
    index = root / "MEMORY.md"
    return ([index] if is_file(index) else []) + text_files(root / "memory")


def read(source: Source) -> Iterator[Note]:
    """Yield the layers as notes, by what each file is."""
    cues = lookups(source)
    for file in readable(source):
        yield from notes_of(file, cues)


def notes_of(file: SourceFile, cues: dict[str, str]) -> list[Note]:
    """Return the notes of one file of the layers."""
    name = file.name
    if name == "MEMORY.md":
        return by_section(file)
    if name.endswith((".yaml", ".yml")):
        return facts(file, cues)
    if name.endswith("lookup-index.md"):
        return index(file)
    if DAY.search(name):
        return log(file)
    return one_note(file, cue=cues.get(name.removeprefix("memory/"), ""))


def lookups(source: Source) -> dict[str, str]:
    """Return the cue that the lookup index has for each target."""
    cues: dict[str, str] = {}
    for file in source.files:
        if file.name.endswith("lookup-index.md"):
            for line in load(file).lines:
                row = LOOKUP.match(line)
                if row:
                    target = row[2].removeprefix("memory/")
                    cues[target] = as_cue(row[1].strip("*|` "))
    return cues


def index(file: SourceFile) -> list[Note]:
    """Return the rows of the lookup index as dropped, its prose as open."""
    notes: list[Note] = []
    for at, line in enumerate(file.lines, 1):
        if LOOKUP.match(line) or re.match(r"^\s*\|[\s|:-]*\|?\s*$", line):
            notes.append(Note(file, (at, at), decision="drop", reason="index-row"))
        elif line.startswith("#"):
            notes.append(Note(file, (at, at), decision="drop", reason="heading"))
    return notes


def log(file: SourceFile) -> list[Note]:
    """Return a daily log as left, but its lessons and decisions as open."""
    notes: list[Note] = []
    for each in sections(file.lines):
        if WORTH.search(each.title):
            reason = "an episode? the lesson is missing, do not invent one"
            notes.append(
                Note(
                    file, each.lines, title=each.title, decision="decide", reason=reason
                )
            )
        else:
            notes.append(Note(file, each.lines, decision="left", reason="log"))
    return notes


def facts(file: SourceFile, cues: dict[str, str]) -> list[Note]:
    """Return each second-level key or list item of a facts file as a note, verbatim."""
    notes: list[Note] = []
    top, start, at = "", 0, 0
    for at, line in enumerate([*file.lines, "end:"], 1):
        listed = start > 0 and file.lines[start - 1].startswith("- ")
        first = KEY.match(line)
        second = line.startswith("- ") or (not listed and ITEM.match(line))
        if (first or second) and start:
            notes.append(fact(file, top, start, last_text(file, at - 1), cues))
            start = 0
        if at > len(file.lines):
            break
        if first:
            top = first[1].strip()
            start = at if first[2].strip() else 0
            if not start:
                notes.append(Note(file, (at, at), decision="drop", reason="heading"))
        elif second:
            start = at
        elif line.strip() and not start:
            notes.append(
                Note(
                    file,
                    (at, at),
                    decision="drop" if line.lstrip()[0] == "#" else "decide",
                    reason="comment",
                )
            )
    return notes


def last_text(file: SourceFile, at: int) -> int:
    """Return the last line up to `at` that is not blank."""
    while at > 1 and not file.lines[at - 1].strip():
        at -= 1
    return at


def fact(
    file: SourceFile, top: str, first: int, last: int, cues: dict[str, str]
) -> Note:
    """Return one block of a facts file."""
    key, _, value = file.lines[first - 1].partition(":")
    key = value.strip() if key.startswith("- ") else key.strip()
    lines = (first, last)
    if top.lower() in PERSONAL or key.lower() in PERSONAL:
        return Note(
            file, lines, decision="person", reason="about the person, by its key"
        )
    if top.lower() in TODOS or key.lower() in TODOS:
        return Note(file, lines, decision="left", reason="status")
    name = f"{top} {key}" if top and top != key else key
    anchor = f"{Path(file.name).name}#{key}"
    cue = cues.get(anchor, "") or cues.get(f"{Path(file.name).name}#{top}", "")
    return Note(
        file, lines, title=name.replace("_", " ").capitalize(), cue=cue, name=name
    )
