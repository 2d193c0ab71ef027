"""Secrets in a vendor's format and key material (G01, G02)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

from ecomem.gate.text import Reading, pattern, rx, table

rule = partial(pattern, "secrets")
terms = partial(table, "secrets")


@cache
def rows(section: str) -> list[tuple[str, str]]:
    """The rows of a section, once for each of the words that call them."""
    items = (item.partition("  ") for item in terms(section))
    return [(call, rest) for calls, _, rest in items for call in calls.split("|")]


def called(page: Reading, section: str) -> set[str]:
    """What the words of a text call in a section: the patterns of its rows."""
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


def unwrapped(text: str) -> list[str]:
    """The bare lines of a text, those of one word also at the end of the line before."""
    lines = text.replace("*", "").replace("`", "").replace("\\n", "  ").split("\n")
    for at in range(len(lines) - 2, -1, -1):
        below = lines[at + 1].lstrip(" >")
        if len(below) > 7 and " " not in below and len(lines[at]) > 9:
            lines[at] = lines[at].rstrip("\\") + below
    return lines


def tokens(page: Reading) -> Iterator[tuple[int, str]]:
    """Tokens in a vendor's format (G01), on lines of any length: offset and code."""
    sections = (("tokens", "G01"), ("key_tokens", "G02")) if page.long else ()
    for section, code in sections:
        for form in {form for head, form in formats(section) if head in page.long}:
            at = 0
            for line, shown in zip(unwrapped(page.full), page.text.split("\n")):
                if any(not dull(match[0]) for match in rx(form).finditer(line)):
                    yield at, code
                at += len(shown) + 1


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
