"""The Markdown that entries and catalogs need: lists, wrapping, fences, marks."""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import Sequence

LIST_MARKS = ("- ", "* ", "+ ")

_OPENINGS = ("```", "~~~", "<!-")  # how the lines begin that may match below
_FENCE = r"~~~+|```+(?=[^`]*$)"
# What begins a block of its own, and so does not go on with a paragraph.
_BLOCK = r"(?:#{1,6}|[-*+]|1[.)])(?:\s|$)|>|<!--|=+$|(?:-+|\*{3,}|_{3,})$"
# Scripts without spaces between words: Han, kana, and their punctuation.
_UNSPACED = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
MIN_WIDTH = 40  # the narrowest column at which a formatter is expected to wrap


def begins_block(text: str) -> bool:
    """Return true if a stripped line begins a list, heading, quote, comment or rule."""
    return re.match(_BLOCK, text) is not None


def heading_text(line: str) -> str:
    """A heading without the marks that may close it, and without spaces after it."""
    line = line.rstrip()
    return re.sub(r"\s+#+$", "", line) if line.endswith("#") else line


def is_fence(text: str) -> bool:
    """Return true if a stripped line may open or close a code fence."""
    return text[:3] in ("```", "~~~")


def join_lines(lines: Sequence[str]) -> str:
    """Wrapped lines as one: with a space, except inside text of unspaced scripts."""
    joined = " ".join(filter(None, map(str.strip, lines)))
    if joined.isascii():
        return joined
    parts = [line.strip() for line in lines]
    joined = parts[0]
    for part in parts[1:]:
        ends = joined[-1:] + part[:1]
        gap = "" if re.fullmatch(_UNSPACED * 2, ends) or not (joined and part) else " "
        joined += gap + part
    return joined


def unformatted(text: str) -> str:
    """The text without what formatters add, drop or exchange, for comparisons.

    These are escapes, marks of emphasis and code, repeated spaces, and spaces beside
    a character of an unspaced script.
    """
    for mark in "\\*_`":
        text = text.replace(mark, "")
    text = " ".join(text.split())
    if not text.isascii():
        text = re.sub(f"(?<={_UNSPACED}) | (?={_UNSPACED})", "", text)
    return text


def unescape(text: str) -> str:
    """The text without the backslashes that formatters put before punctuation."""
    if "\\" not in text:
        return text
    return re.sub(r"(`[^`]*`)|\\([!-/:-@\[-`{-~])", r"\1\2", text)


def masked(lines: list[str]) -> set[int]:
    """Indexes of the lines in code fences and HTML comments that are closed."""
    return _enclosed(lines, rf"{_FENCE}|<!--")


def fenced(lines: list[str]) -> set[int]:
    """Indexes of the lines in code fences that are closed, with the fences."""
    return _enclosed(lines, _FENCE)


def _enclosed(lines: list[str], opening: str) -> set[int]:
    """Indexes of the lines from each opening mark to the mark that closes it."""
    inside: set[int] = set()
    start, mark = 0, ""
    for at, line in enumerate(lines):
        text = line.strip()
        if not mark:
            may_open = text[:3] in _OPENINGS
            found = re.match(opening, text) if may_open else None
            start, mark = at, found[0] if found else ""
        alone = at > start and text.startswith(mark) and not text.strip(mark[:1])
        if mark and (alone or (mark == "<!--" and "-->" in text)):
            inside.update(range(start, at + 1))
            mark = ""
    return inside


def count_unwrapped(lines: list[str]) -> int:
    """The number of lines before a formatter wrapped paragraphs, at any width."""
    hidden = masked(lines)
    count, paragraph = 0, list[str]()
    for at, line in enumerate([*lines, ""]):
        text = "" if at in hidden else line.strip()
        if not text or begins_block(text):
            count += _count_in_paragraph(paragraph)
            paragraph = []
        if text:
            paragraph.append(line.rstrip())
        elif at < len(lines):
            count += 1
    return count


def _count_in_paragraph(lines: list[str]) -> int:
    """Count a wrapped paragraph as 1 line, and any other by its lines.

    In a wrapped paragraph, each line ends because the next word did not fit.
    """
    longest = max(MIN_WIDTH, *map(len, lines)) if lines else 0
    for line, following in zip(lines, lines[1:]):
        if len(line) + 1 + len(following.split(None, 1)[0]) <= longest:
            return len(lines)
    return min(len(lines), 1)
