"""The shapes that the readers, the plan and the proof of a migration share."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

Range = tuple[int, int]  # first and last line of a file, both counted from 1

# What the first word of a line of the plan may be. The words of WRITES need a draft.
WRITES = ("import", "lead")
KEEPS = ("doc", "left", "repo", "rule", "person", "drop")
FOUND = ("refused", "there", "gone")
OPEN = "decide"
DECISIONS = (*WRITES, *KEEPS, *FOUND, OPEN)


class SourceFile(NamedTuple):
    """One file of a source, never written.

    It has no lines until folders.load reads them: so no more than one file of a source
    has to be in memory.
    """

    label: str  # kind and path below the source, as plan and receipt name the file
    name: str  # its path below the source, as it is: never printed
    path: Path
    lines: tuple[str, ...]
    problem: str  # one sentence if the file is no readable text, else empty
    day: str  # YYYY-MM-DD of its last change
    day_from: str  # "git" or "file": who knows that day

    def text(self, first: int, last: int) -> str:
        """Return some lines of the file, joined by line feeds."""
        return "\n".join(self.lines[first - 1 : last])


class Source(NamedTuple):
    """A folder or file that one kind of memory was found in."""

    kind: str
    root: Path
    files: tuple[SourceFile, ...]


class Note(NamedTuple):
    """A part of a file that a reader takes for one memory, or for none."""

    file: SourceFile
    body: Range
    title: str = ""
    cue: str = ""
    drawer: str = "semantic"
    name: str = ""  # what the slug is made from
    fields: tuple[tuple[str, str], ...] = ()  # header keys that are carried along
    header: tuple[Range, ...] = ()  # lines that the draft takes its header from
    day: str = ""  # the date that the note itself carries
    scope: str = ""
    expires: str = ""
    status: bool = False  # it says how far some work is, and so expires soon
    decision: str = ""  # empty: import it if it fits, its lead if it is too long
    reason: str = ""


class Block(NamedTuple):
    """Lines of one file with one decision: a line of the plan."""

    label: str
    ranges: tuple[Range, ...]
    fingerprint: str  # see fingerprint()
    decision: str
    target: str = ""  # drawer/slug, a path for `doc` and `repo`, a code for `refused`
    reason: str = ""
    draft: str = ""  # the whole entry, for the words of WRITES
    day: str = ""  # for the order of writing
    secrets: tuple[tuple[int, str], ...] = ()  # line and code, never the text


def fingerprint(file: SourceFile, ranges: tuple[Range, ...]) -> str:
    """Return eight hex digits of SHA-256 over the lines, stripped, joined by LF."""
    lines = [
        line.strip() for first, last in ranges for line in file.lines[first - 1 : last]
    ]
    return sha256("\n".join(lines).encode()).hexdigest()[:8]


def block(
    file: SourceFile,
    ranges: tuple[Range, ...],
    decision: str,
    target: str = "",
    reason: str = "",
    draft: str = "",
    day: str = "",
) -> Block:
    """Return a block over some lines of a file, with their fingerprint."""
    ordered = tuple(sorted(ranges))
    mark = fingerprint(file, ordered)
    return Block(file.label, ordered, mark, decision, target, reason, draft, day)


def written_lines(file: SourceFile) -> set[int]:
    """Return the numbers of the lines of a file that are not blank."""
    return {at for at, line in enumerate(file.lines, 1) if line.strip()}


def covered(ranges: tuple[Range, ...]) -> set[int]:
    """Return the numbers of all lines in some ranges."""
    return {line for first, last in ranges for line in range(first, last + 1)}


def unaccounted(file: SourceFile, blocks: list[Block]) -> tuple[set[int], set[int]]:
    """Return the non-blank lines that no block has, and those that two have."""
    seen: set[int] = set()
    twice: set[int] = set()
    for each in blocks:
        lines = covered(each.ranges)
        twice |= seen & lines
        seen |= lines
    wanted = written_lines(file)
    return wanted - seen, twice & wanted


def by_label(blocks: Iterable[Block]) -> dict[str, list[Block]]:
    """Return the blocks of each file, by its label."""
    found: dict[str, list[Block]] = {}
    for each in blocks:
        found.setdefault(each.label, []).append(each)
    return found


def as_ranges(file: SourceFile, lines: set[int]) -> tuple[Range, ...]:
    """Return line numbers as ranges, which blank lines do not part."""
    found: list[Range] = []
    for line in sorted(lines):
        if found and not any(map(str.strip, file.lines[found[-1][1] : line - 1])):
            found[-1] = (found[-1][0], line)
        else:
            found.append((line, line))
    return tuple(found)
