"""Marked blocks: finding ours in a text, putting it there, taking it out.

Everything here maps text to text. The text keeps its own line endings; inner text is
given with plain newlines.
"""

from __future__ import annotations

import re
import zlib
from itertools import pairwise
from typing import NamedTuple


class Marks(NamedTuple):
    """How the lines look that enclose a block in one kind of file."""

    name: str
    before: str
    after: str
    margin: str  # between a marker and the inner text

    def line(self, word: str, stamp: str = "") -> str:
        """Return the marker `begin` or `end`, with the hash of the inner text."""
        tail = f" {stamp}" if stamp else ""
        return f"{self.before}{self.name}:{word}{tail}{self.after}"

    def pattern(self) -> re.Pattern[str]:
        """Return what matches either marker, alone on its line."""
        before, name = re.escape(self.before), re.escape(self.name)
        return re.compile(
            rf"^[ \t]*{before}{name}:(begin|end)(?:[ \t]+([0-9a-f]{{8}}))?"
            rf"{re.escape(self.after)}[ \t]*(?=\r?$)",
            re.MULTILINE,
        )


MARKDOWN = Marks("eco-mem", "<!-- ", " -->", "\n\n")
CONTRACT = Marks("eco-mem:contract", "<!-- ", " -->", "\n\n")
TOML = Marks("eco-mem", "# ", "", "\n")


class Region(NamedTuple):
    """Where a block is: from its first marker to the end of its last one."""

    start: int
    end: int
    inner: str
    edited: bool  # somebody changed the inner text since it was written


class BadMarkers(ValueError):
    """The markers of a text do not enclose one block."""


def plain(text: str) -> list[str]:
    """Return the lines of `text` without what formatters of Markdown change."""
    bare = (re.sub(r"^\s*[-*+]\s+", "", line) for line in text.splitlines())
    lines = (" ".join(re.sub(r"[\\*_`]", "", line).split()) for line in bare)
    return [line for line in lines if line]


def digest(text: str) -> str:
    """Return the hash that a begin marker carries for its inner text."""
    joined = "\n".join(plain(text))
    return f"{zlib.crc32(joined.encode()):08x}"


def block(marks: Marks, inner: str) -> str:
    """Return the whole block for `inner`, without a final newline."""
    inner = inner.strip("\n")
    begin, end = marks.line("begin", digest(inner)), marks.line("end")
    return f"{begin}{marks.margin}{inner}{marks.margin}{end}"


def find(text: str, marks: Marks, current: str) -> Region | None:
    """Return the one block in `text`, or None if there is no marker at all.

    Several blocks count as one if nothing but lines of ours stands between the first
    marker and the last: merges of branches leave that. `current` is the inner text
    that would be written now. Raises BadMarkers for anything else.
    """
    found = list(marks.pattern().finditer(text))
    words = [marker[1] for marker in found]
    if not found:
        return None
    start, end = found[0].start(), found[-1].end()
    if words == ["begin", "end"]:
        inner = text[found[0].end() : found[1].start()]
        edited = found[0][2] != digest(inner) != digest(current)
        return Region(start, end, inner, edited)
    if "end" not in words or "begin" not in words:
        raise BadMarkers(f"it has a marker `{words[0]}` without its counterpart")
    if words[0] == "end" or words[-1] == "begin":
        raise BadMarkers("its markers stand in the wrong order")
    ours = set(plain(current))
    for one, two in pairwise(found):
        inner = text[one.end() : two.start()]
        if one[1] == "begin" and one[2] == digest(inner):
            ours.update(plain(inner))
    between = marks.pattern().sub("", text[start:end])
    if not ours.issuperset(plain(between)):
        raise BadMarkers("it has more than two markers, with other text among them")
    return Region(start, end, current, edited=False)


def newline(text: str) -> str:
    """Return the line ending that `text` mostly uses."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def replace(text: str, region: Region, marks: Marks, inner: str) -> str:
    """Return `text` with `inner` in its block; the same if only its layout differs."""
    written = text[region.start : region.end]
    fresh = block(marks, inner)
    if plain(written) == plain(fresh):
        return text
    fresh = fresh.replace("\n", newline(text))
    return text[: region.start] + fresh + text[region.end :]


def append(text: str, marks: Marks, inner: str) -> str:
    """Return `text` with a block after it, and no final newline if it had none."""
    nl = newline(text)
    fresh = block(marks, inner).replace("\n", nl)
    return f"{text}{nl}{fresh}{nl}" if text.endswith("\n") else f"{text}{nl * 2}{fresh}"


def prepend(text: str, marks: Marks, inner: str) -> str:
    """Return `text` with a block before it."""
    nl = newline(text)
    fresh = block(marks, inner).replace("\n", nl)
    return f"{fresh}{nl}{nl}{text}" if text else f"{fresh}{nl}"


def insert_under_title(text: str, marks: Marks, inner: str) -> str:
    """Return `text` with a block after its first heading, or else before it."""
    title = re.search(r"^# [^\n]*(?:\n|\Z)", text, re.MULTILINE)
    if not title:
        return prepend(text, marks, inner)
    head, tail = text[: title.end()], text[title.end() :]
    nl = newline(text)
    fresh = append(head, marks, inner)
    gap = nl if tail and not tail.startswith(("\n", "\r\n")) else ""
    return fresh + gap + tail


def remove(text: str, region: Region) -> str:
    """Return `text` without its block and the blank line that came with it."""
    before, after = text[: region.start], text[region.end :]
    nl = newline(text)
    if not after:
        return before.removesuffix(nl * 2)
    after = after.removeprefix(nl)
    if not before:
        return after.removeprefix(nl)
    if before.removesuffix(nl).endswith("\n"):
        before = before.removesuffix(nl)
    return before + after
