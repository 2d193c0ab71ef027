"""Secrets in a vendor's format and key material (G01, G02)."""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterator, cache, partial
from ecomem.gate.text import Reading, pattern, rx, table

rule = partial(pattern, "secrets")
terms = partial(table, "secrets")


@cache
def rows(section: str) -> list[tuple[str, str]]:
    """The rows of a section, once for each of the words that call them."""
    items = (item.partition("  ") for item in terms(section))
    return [(call, rest) for calls, _, rest in items for call in calls.split("|")]


def called(page: Reading, section: str) -> set[str]:
    """Return the patterns of a section whose rows the words of a text call."""
    # A script may part no words: where there are other letters, any part of one calls.
    said = page.words if page.low.isascii() else page.low + page.shape
    return {form for call, form in rows(section) if call in said}


def matches(page: Reading, section: str, text: str) -> Iterator[re.Match[str]]:
    """The matches in a text of those patterns of a section that its words call."""
    for form in called(page, section):
        yield from rx(form).finditer(text)


@cache
def formats(section: str) -> list[tuple[str, str]]:
    """The token formats: what calls each, and the pattern that decides."""
    whole: list[tuple[str, str]] = []
    for head, form in rows(section):
        free = "(?<![A-Za-z0-9])" if head[0].isalnum() else ""
        start = "" if form.startswith("= ") else free + re.escape(head)
        whole.append((head, start + form.removeprefix("= ")))
    return whole


def pieces(text: str) -> Iterator[tuple[int, list[str]]]:
    """Places to look for tokens in: row from 0, and the bare lines that are joined.

    Each line is a place. So is a line with the lines of one long word below it, as a
    wrapped token has them, and those alone. A line is in at most three places, so that
    the work is linear.
    """
    lines = text.replace("*", "").replace("`", "").replace("\\n", "  ").split("\n")
    joined: list[str] = []
    for row, line in enumerate([*lines, ""]):
        word = line.lstrip(" >")
        wrapped = row and len(word) > 7 and " " not in word and len(lines[row - 1]) > 9
        if wrapped:
            joined = joined or [lines[row - 1].rstrip("\\")]
            joined.append(word.rstrip("\\"))
        elif joined:
            yield row - len(joined), joined
            if len(joined) > 2:
                yield row - len(joined) + 1, joined[1:]
            joined = []
        if row < len(lines):
            yield row, [line]


def tokens(page: Reading) -> Iterator[tuple[int, str]]:
    """Tokens in a vendor's format (G01), on lines of any length: offset and code."""
    if not page.long:
        return
    places = [(row, parts, "".join(parts)) for row, parts in pieces(page.full)]
    starts = [0]
    for line in page.text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for section, code in (("tokens", "G01"), ("key_tokens", "G02")):
        for form in sorted({x for head, x in formats(section) if head in page.long}):
            for row, parts, joined in places:
                for match in rx(form).finditer(joined):
                    group = match.lastindex
                    sure = opaque(match[group]) if group else drawn(match[0])
                    if sure and not dull(match[0]):
                        yield starts[row + part_at(parts, match.start())], code


def part_at(parts: list[str], offset: int) -> int:
    """The index of the part that an offset into the joined parts falls into."""
    for index, part in enumerate(parts):
        if offset < len(part):
            return index
        offset -= len(part)
    return len(parts) - 1


def keys(page: Reading) -> Iterator[tuple[int, str]]:
    """Private keys and seed phrases with their matter (G02): offset and code."""
    for match in matches(page, "key_frames", page.text):
        if not dull(match[1]):
            yield match.start(), "G02"


def literal(value: str, marks: str = "stands_for", least: int = 4) -> bool:
    """True for a value that is meant as it stands: no template, no printed sample."""
    if len(set(value)) < least or rule(marks).search(value.lower()):
        return False
    return not any(sample in value for sample in terms("samples"))


def dull(value: str) -> bool:
    """True for what only shows the format of a token."""
    return not literal(value, "dull", 9)


def in_words(value: str) -> int:
    """Count the letters that stand in words, as names in camel case have them."""
    return sum(map(len, rx("[A-Z][a-z]{2,}|[a-z]{4,}").findall(value)))


def drawn(value: str) -> bool:
    """True for a run that is not made of words in camel case."""
    return value.islower() or in_words(value) * 3 < len(value) * 2


def opaque(value: str, least: int = 16) -> bool:
    """True for a run of mixed letters and figures that no language explains."""
    if len(value) < least or not rule("mixed_run").match(value):
        return False
    classes = len(rx("[a-z]+|[A-Z]+|[0-9]+").findall(value))
    mixed = drawn(value) and classes * 5 >= len(value)
    return mixed and not dull(value) and literal(value)
