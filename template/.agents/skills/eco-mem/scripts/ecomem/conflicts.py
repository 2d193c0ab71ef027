"""Conflict markers of git and Jujutsu: finding them, and taking both sides of one.

Git writes each marker at the start of a line, seven characters long, or longer where
the attribute `conflict-marker-size` says so. `<` begins a conflict, `|` its ancestor
(diff3, zdiff3), `=` the other side, and `>` ends it. Jujutsu begins and ends one alike
and writes each side below `+`, the ancestor below `-`, or a difference below `%`, whose
second title line begins with backslashes.
"""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterator, NamedTuple
from ecomem.markdown import fenced

_MARKER = r"(?m)^(?:(?:<{7,}|>{7,})(?: .*)?|\|{7,} \S.*)$"


class Conflict(NamedTuple):
    """A conflict in some lines: indexes from start up to stop, and its sides."""

    start: int
    stop: int
    sides: list[list[str]]


def find_marker(text: str) -> int:
    """The line of the first conflict marker, from 1; 0 where there is none.

    One marker is enough: half a resolution leaves one. In a code fence it is text.
    """
    if not any(map(text.__contains__, ("<<<<<<<", ">>>>>>>", "||||||| "))):
        return 0
    hidden = fenced(text.split("\n")) if "```" in text or "~~~" in text else set()
    for match in re.finditer(_MARKER, text):
        line = text.count("\n", 0, match.start())
        if line not in hidden:
            return line + 1
    return 0


def conflicts(lines: list[str]) -> Iterator[Conflict]:
    """The whole conflicts among lines, in order, those in code fences left out."""
    hidden = fenced(lines)
    start, length = 0, 0
    for at, line in enumerate(lines):
        if at in hidden:
            continue
        size = _marker_size(line)
        if size and line[0] == "<" and not length:
            start, length = at, size
        elif size == length and size and line[0] == ">":
            yield Conflict(start, at + 1, _sides(lines[start + 1 : at], length))
            length = 0
        elif size == length and size and line[0] == "<":
            start = at  # the one before was never ended


def _marker_size(line: str) -> int:
    """The length of the marker that a line is; 0 for any other line."""
    if line[:7] not in ("<" * 7, ">" * 7):
        return 0
    marker = line.partition(" ")[0]
    return len(marker) if not marker.strip(line[0]) else 0


def _sides(lines: list[str], length: int) -> list[list[str]]:
    """The sides of a conflict, without its ancestor; length is that of its markers."""
    if lines and _is_title(lines[0], "%+-", length):
        return _jujutsu_sides(lines, length)
    ours: list[str] = []
    theirs: list[str] = []
    ancestor: list[str] = []
    part = ours
    for line in lines:
        if part is ours and _is_title(line, "|", length):
            part = ancestor
        elif part is not theirs and line.rstrip() == "=" * length:
            part = theirs
        else:
            part.append(line)
    return [ours, theirs]


def _jujutsu_sides(lines: list[str], length: int) -> list[list[str]]:
    sides: list[list[str]] = []
    kind = ""
    for line in lines:
        if _is_title(line, "%+-", length):
            kind = line[0]
            if kind != "-":
                sides.append([])
        elif _is_title(line, "\\", length):
            pass  # the second title line of a difference
        elif kind == "+":
            sides[-1].append(line)
        elif kind == "%" and line[:1] != "-":
            sides[-1].append(line[1:])
    return sides


def _is_title(line: str, signs: str, length: int) -> bool:
    """Return true if a line is a marker of one of these signs, with a title."""
    marker, space, _ = line.partition(" ")
    sign = line[:1]
    return bool(sign) and sign in signs and bool(space) and marker == sign * length


def both_sides(sides: list[list[str]]) -> list[str]:
    """All sides of a conflict after one another, with what they share only once."""
    from difflib import SequenceMatcher

    merged, *others = sides
    for other in others:
        united: list[str] = []
        matcher = SequenceMatcher(None, merged, other)
        for kind, a, b, c, d in matcher.get_opcodes():
            united += merged[a:b]
            if kind != "equal":
                united += other[c:d]
        merged = united
    return merged
