"""Small readings of Markdown text that several kinds of memory need."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from ecomem.gate.scanner import scan
from ecomem.store import MAX_SLUG, is_slug

from migrate.model import Range

HOME = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\+Users\\+)(?!\W)[^\s/\\`'\"]+")
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
CUE_LENGTH = (8, 120)
CLAUSE_END = re.compile(r"[.;:,](?=\s)|\s[-\u2013\u2014](?=\s)|\s[(\uff08]|\uff08")
BRACKETS = (("(", ")"), ("[", "]"), ("\uff08", "\uff09"))


class Section(NamedTuple):
    """A heading with the lines below it, up to the next heading of any level."""

    title: str
    level: int  # 0 for the lines before the first heading
    lines: Range


def fold(text: str) -> str:
    """Return text without what formatters add or drop, for comparing lines."""
    return " ".join(re.sub(r"[\\*_`>#]", "", text).split())


def is_clean(name: str) -> bool:
    """Return true if a name may be printed: the gate finds nothing, no home path.

    A name is read as it is, and as the words that its separators part.
    """
    if has_home_path(f"/{name}"):
        return False
    words = " ".join(re.split(r"[\s._/-]+", name))
    one = " ".join(name.splitlines())
    return not refusal(f"{one}\n\n{words}", frozenset({1, 3}))[1]


def refusal(text: str, strict: frozenset[int] = frozenset()) -> tuple[int, str]:
    """Return line and code of the first thing that the gate refuses, else (0, "").

    strict: the lines that an agent reads first, as title and cue.
    """
    for hit in scan(text, strict):
        if hit.level == "error":
            return hit.line, hit.code
    return 0, ""


def refusals(text: str) -> dict[int, str]:
    """Return each line that the gate refuses, with the first code that it has there."""
    found: dict[int, str] = {}
    for hit in scan(text, frozenset()):
        if hit.level == "error" and hit.line not in found:
            found[hit.line] = hit.code
    return found


def has_home_path(text: str) -> bool:
    """Return true if the text names a folder of a person on some machine."""
    return HOME.search(text) is not None


def fenced(lines: Sequence[str]) -> set[int]:
    """Return the numbers, from 1, of the lines in code fences, fence lines included."""
    inside: set[int] = set()
    mark = ""
    for at, line in enumerate(lines, 1):
        found = FENCE.match(line)
        if mark:
            inside.add(at)
            if found and found[1].startswith(mark) and not line.strip().strip(mark[0]):
                mark = ""
        elif found:
            mark = found[1]
            inside.add(at)
    return inside


def sections(lines: Sequence[str], first: int = 1, last: int = 0) -> list[Section]:
    """Return the sections of lines first to last, headings in fences aside."""
    last = last or len(lines)
    hidden = fenced(lines)
    starts: list[tuple[int, int, str]] = []
    for at in range(first, last + 1):
        found = None if at in hidden else HEADING.match(lines[at - 1])
        if found:
            starts.append((at, len(found[1]), found[2]))
    result: list[Section] = []
    if not starts or starts[0][0] > first:
        end = starts[0][0] - 1 if starts else last
        result.append(Section("", 0, (first, end)))
    for number, (at, level, title) in enumerate(starts):
        end = starts[number + 1][0] - 1 if number + 1 < len(starts) else last
        result.append(Section(title, level, (at, end)))
    return [
        each
        for each in result
        if any(map(str.strip, lines[each.lines[0] - 1 : each.lines[1]]))
    ]


def paragraphs(lines: Sequence[str], first: int, last: int) -> list[Range]:
    """Return the ranges of lines between blank lines; a code fence is never parted."""
    hidden = fenced(lines)
    found: list[Range] = []
    start = 0
    for at in range(first, last + 1):
        blank = not lines[at - 1].strip() and at not in hidden
        if blank and start:
            found.append((start, at - 1))
            start = 0
        elif not blank and not start:
            start = at
    if start:
        found.append((start, last))
    return found


def only_headings(lines: Sequence[str], part: Range) -> bool:
    """Return true if all lines of a paragraph are headings."""
    return all(map(HEADING.match, lines[part[0] - 1 : part[1]]))


def as_slug(name: str) -> str:
    """Return a name as a slug of at most 48 characters, or "" if nothing is left."""
    plain = (
        unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    )
    words = [word for word in re.split(r"[^a-z0-9]+", plain) if word]
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:MAX_SLUG]
        if len(longer) > MAX_SLUG:
            break
        slug = longer
    return slug if slug and is_slug(slug) else ""


def as_cue(text: str) -> str:
    """Return text as a cue: one line of 8 to 120 characters, or "" if there is none.

    Text that is too long is cut after its first clause.
    """
    line = " ".join(text.split()).strip()
    line = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line)
    line = re.sub(r"\*\*|__", "", line)
    if len(line) > CUE_LENGTH[1]:
        cuts = [match.start() for match in CLAUSE_END.finditer(line)]
        fits = [
            at
            for at in cuts
            if CUE_LENGTH[0] <= at <= CUE_LENGTH[1] and is_closed(line[:at])
        ]
        line = line[: fits[-1]] if fits else ""
    line = line.rstrip(".;, ")
    return line if len(line) >= CUE_LENGTH[0] else ""


def is_closed(text: str) -> bool:
    """Return true if each bracket that the text opens is closed in it."""
    return all(text.count(a) == text.count(b) for a, b in BRACKETS)


def title_as_cue(title: str) -> str:
    """Return a title as a cue if it has at least three words, else ""."""
    return as_cue(title) if len(title.split()) >= 3 else ""
