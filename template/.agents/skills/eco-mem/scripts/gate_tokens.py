"""Secrets in a vendor's format and key material (G01, G02)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

from gate_text import Reading, pattern, rx, spots, table

rule = partial(pattern, "secrets")
terms = partial(table, "secrets")


@cache
def rows(section: str) -> list[tuple[list[str], str]]:
    """The items of a section, what calls each apart."""
    items = (item.partition("  ") for item in terms(section))
    return [(calls.split("|"), rest) for calls, _, rest in items]


@cache
def calls(section: str) -> frozenset[str]:
    """All words that call an item of a section."""
    return frozenset(call for words, _ in rows(section) for call in words)


@cache
def formats(section: str) -> list[tuple[str, str]]:
    """The token formats: what calls each, and the pattern that decides."""
    found: list[tuple[str, str]] = []
    for heads, form in rows(section):
        free = "(?<![A-Za-z0-9])" if heads[0][0].isalnum() else ""
        start = f"{free}(?:{'|'.join(map(re.escape, heads))})"
        whole = form[2:] if form.startswith("= ") else f"{start}{form}"
        found += [(head, whole) for head in heads]
    return found


def called(page: Reading, section: str) -> Iterator[re.Match[str]]:
    """The matches of those patterns of a section whose words stand in a text."""
    said = page.words & calls(section)
    for words, form in rows(section) if said else ():
        if not said.isdisjoint(words):
            yield from rx(form).finditer(page.text)


def plain(text: str) -> str:
    """The text without what may split a token and be read over."""
    return text.replace("*", "").replace("`", "").replace("\\n", "  ")


def unwrapped(text: str) -> list[str]:
    """The lines of a text, those of one word also at the end of the line before."""
    lines = [plain(line) for line in text.split("\n")]
    for at in range(len(lines) - 2, -1, -1):
        below = lines[at + 1].lstrip(" >")
        if len(below) > 7 and " " not in below and len(lines[at]) > 9:
            lines[at] = lines[at].rstrip("\\") + below
    return lines


def tokens(page: Reading) -> Iterator[tuple[int, str]]:
    """Tokens in a vendor's format (G01), on lines of any length: offset and code."""
    long = plain(page.long)
    for section, code in (("tokens", "G01"), ("key_tokens", "G02")) if long else ():
        for form in {form for call, form in formats(section) if call in long}:
            at = 0
            for line, shown in zip(unwrapped(page.full), page.text.split("\n")):
                if any(not dull(match[0]) for match in rx(form).finditer(line)):
                    yield at, code
                at += len(shown) + 1


def keys(page: Reading) -> Iterator[tuple[int, str]]:
    """Private keys and seed phrases with their matter (G02): offset and code."""
    for match in called(page, "key_frames"):
        if not dull(match[1]):
            yield match.start(), "G02"
    for _, end in spots(page.low, terms("seeds")):
        drawn = rule("seed").match(page.low, end, end + 460)
        if drawn and not dull(drawn[1]) and not prosaic(drawn[1]):
            yield end, "G02"


def prosaic(words: str) -> bool:
    """True for words in a row that are no phrase drawn by lot."""
    return not set(terms("prose")).isdisjoint(words.split())


def dull(value: str) -> bool:
    """True for what only shows a format: few characters, or a mark of a sample."""
    few = len(set(value)) < 9
    return few or bool(rule("dull").search(value.lower())) or sampled(value)


def sampled(value: str) -> bool:
    """True for a value that public documents print."""
    return any(sample in value for sample in terms("samples"))
