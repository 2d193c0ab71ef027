"""Managed blocks: finding ours in a text, putting it there, taking it out.

Everything here maps text to text. The text keeps its own line endings; inner text is
given with plain newlines.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple


class Markers(NamedTuple):
    """The lines that enclose a block in one kind of file."""

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


MARKDOWN = Markers("eco-mem", "<!-- ", " -->", "\n\n")
CONTRACT = Markers("eco-mem:contract", "<!-- ", " -->", "\n\n")
TOML = Markers("eco-mem", "# ", "", "\n")


class Region(NamedTuple):
    """The place of a block: from its first marker to the end of its last one."""

    start: int
    end: int
    inner: str
    edited: bool  # somebody changed the inner text since it was written


class BadMarkers(ValueError):
    """The markers of a text do not enclose one block."""


def words(text: str) -> list[str]:
    """Return the words of `text`, without what formatters of Markdown change.

    That is: blank lines, wrapping, repeated spaces, escapes, the marks of lists and of
    emphasis, and the lines of tables.
    """
    bare = re.sub(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+", "", text, flags=re.MULTILINE)
    bare = re.sub(r"[\\*_`]", "", bare)
    return [word for word in bare.split() if word.strip("-+|:")]


def lines(text: str) -> list[str]:
    """Return the lines of `text` that have words, as those words."""
    found = (" ".join(words(line)) for line in text.splitlines())
    return [line for line in found if line]


def digest(text: str) -> str:
    """Return the hash that a begin marker carries for its inner text."""
    return f"{zlib.crc32(' '.join(words(text)).encode()):08x}"


def _digest_of_lines(text: str) -> str:
    """Return the hash of the first releases, which changed when lines were wrapped."""
    bare = (re.sub(r"^\s*[-*+]\s+", "", line) for line in text.splitlines())
    lines = (" ".join(re.sub(r"[\\*_`]", "", line).split()) for line in bare)
    joined = "\n".join(line for line in lines if line)
    return f"{zlib.crc32(joined.encode()):08x}"


def is_intact(stamp: str | None, inner: str) -> bool:
    """Return whether a begin marker carries the hash of the text after it."""
    return stamp is not None and stamp in (digest(inner), _digest_of_lines(inner))


def block(markers: Markers, inner: str) -> str:
    """Return the whole block for `inner`, without a final newline."""
    inner = inner.strip("\n")
    begin, end = markers.line("begin", digest(inner)), markers.line("end")
    return f"{begin}{markers.margin}{inner}{markers.margin}{end}"


def find(
    text: str, markers: Markers, current: str, older: Iterable[str] = ()
) -> Region | None:
    """Return the one block in `text`, or None if there is no marker at all.

    Several blocks count as one if nothing but lines of ours stands between the first
    marker and the last: merges of branches leave that. `current` is the inner text
    that would be written now, `older` are such texts of earlier versions. Raises
    BadMarkers for anything else.
    """
    found = list(markers.pattern().finditer(text))
    kinds = [marker[1] for marker in found]
    if not found:
        return None
    start, end = found[0].start(), found[-1].end()
    if kinds == ["begin", "end"]:
        inner = text[found[0].end() : found[1].start()]
        intact = is_intact(found[0][2], inner) or words(inner) == words(current)
        return Region(start, end, inner, edited=not intact)
    if "end" not in kinds or "begin" not in kinds:
        raise BadMarkers(f"it has a marker `{kinds[0]}` without its counterpart")
    if kinds[0] == "end" or kinds[-1] == "begin":
        raise BadMarkers("its markers stand in the wrong order")
    ours = lines(current)
    for inner in older:
        ours += lines(inner)
    for one, two in pairwise(found):
        inner = text[one.end() : two.start()]
        if one[1] == "begin" and is_intact(one[2], inner):
            ours += lines(inner)
    between = lines(markers.pattern().sub("", text[start:end]))
    if not {*ours}.issuperset(between):
        raise BadMarkers("it has more than two markers, with other text among them")
    return Region(start, end, current, edited=False)


def newline(text: str) -> str:
    """Return the line ending that `text` mostly uses."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def replace(text: str, region: Region, markers: Markers, inner: str) -> str:
    """Return `text` with `inner` in its block; the same if only its layout differs."""
    written = text[region.start : region.end]
    fresh = block(markers, inner)
    if words(written) == words(fresh):
        return text
    fresh = fresh.replace("\n", newline(text))
    return text[: region.start] + fresh + text[region.end :]


def append(text: str, markers: Markers, inner: str) -> str:
    """Return `text` with a block after it, and no final newline if it had none."""
    nl = newline(text)
    fresh = block(markers, inner).replace("\n", nl)
    return f"{text}{nl}{fresh}{nl}" if text.endswith("\n") else f"{text}{nl * 2}{fresh}"


def prepend(text: str, markers: Markers, inner: str) -> str:
    """Return `text` with a block before it."""
    nl = newline(text)
    fresh = block(markers, inner).replace("\n", nl)
    return f"{fresh}{nl}{nl}{text}" if text else f"{fresh}{nl}"


def insert_under_title(text: str, markers: Markers, inner: str) -> str:
    """Return `text` with a block after its first heading, or else before it."""
    title = re.search(r"^# [^\n]*(?:\n|\Z)", text, re.MULTILINE)
    if not title:
        return prepend(text, markers, inner)
    head, tail = text[: title.end()], text[title.end() :]
    nl = newline(text)
    fresh = append(head, markers, inner)
    gap = nl if tail and not tail.startswith(("\n", "\r\n")) else ""
    return fresh + gap + tail


def insert_near_top(text: str, markers: Markers, inner: str) -> str:
    """Return `text` with a block after the front matter and title at its top."""
    opening = re.match(
        r"(?:---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z))?\s*(?:# [^\n]*(?:\n|\Z))?",
        text,
        re.DOTALL | re.MULTILINE,
    )
    end = opening.end() if opening else 0
    head, tail = text[:end], text[end:]
    if not head.strip():
        return prepend(text, markers, inner)
    gap = newline(text) if tail and not tail.startswith(("\n", "\r\n")) else ""
    return append(head, markers, inner) + gap + tail


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
