"""Orders to the reader, disguised or plain (J02-J05, J07)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

from ecomem.gate.phrases import orders_in, words_of
from ecomem.gate.text import QUOTED, QUOTES, Reading, bare, pattern, rx, table
from ecomem.gate.weights import ordered

rule = partial(pattern, "phrases")

# Figures and letters of other scripts that are drawn like a Latin one.
ALIKE = str.maketrans(
    "013457@$\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u026a\u0262\u0274\u1d0f"
    "\u0280\u1d07\u1d00\u029f\u1d18\u1d20\u1d1c\u1d1b\u1d04\u03bf\u03b1\u03b5\u03b9\u03c1\u03bd",
    "oieastasaeopcyxisignoreaipvutcoaeipv",
)
ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
LIKE = r"(?:[a-z][013457@$]+[a-z][^\n]*){2}|[a-z][\u03b1-\u0456\u0262-\u1d20]"
# The letters alone.
SQUASH = dict.fromkeys([*range(97), *range(123, 128)]) | ALIKE
VERBS = ("ignor", "disregard", "forget", "overrid", "bypass")
UNSHOWN = ("{#", "![", '")', "')", "]: ", "</", '="')
FETCHERS = {"curl", "wget", "iwr", "irm", "invoke", "webclient"}
# A code span that holds words rather than a command.
SPOKEN = r"`[^`\n]*(?:[a-z']{2,}[ ,.:]+){3}[a-z']{2,}[^`\n]*`"
# A fetch that nobody vouches for: quoted or not, it is meant to be run.
UNSAFE = r"http://|://\d{1,3}(?:\.\d{1,3}){3}\b"


def readings(low: str, words: set[str]) -> Iterator[str]:
    """Other readings of a text, where something in it looks disguised."""
    mixed = [word for word in words if "0" in word and "0" in word.strip("0")]
    if (mixed or not low.isascii()) and rx(LIKE).search(low):
        yield low.translate(ALIKE)
    if "*" in low and rx(r"[a-z]\*+[a-z]").search(low):
        yield low.replace("*", "")
    if not words.isdisjoint(turned()):
        yield low.translate(ROT13)
        yield "\n".join(line[::-1] for line in low.split("\n"))


@cache
def turned() -> set[str]:
    """The longer words of an override in ROT13 and backwards."""
    words = [word for word in words_of("core") if len(word) > 5]
    return {turn for word in words for turn in (word.translate(ROT13), word[::-1])}


def squashed(low: str) -> Iterator[int]:
    """Where the letters of a text, whatever parts them, make an override (J04)."""
    letters = low.translate(SQUASH)
    if not [verb for verb in VERBS if verb in letters]:
        return
    kept: list[int] = []  # where each letter stood
    for match in rule("squashed").finditer(letters):
        kept = kept or [
            at for at, sign in enumerate(low) if SQUASH.get(ord(sign), sign)
        ]
        start, end = kept[match.start()], kept[match.end() - 1]
        apart = rx(r"[.;:!?]\s+\w{2}|\n\s*\n").search(low, start, end)
        if not apart and not low[start - 1 : start].isalnum():
            yield start


def marks(low: str, words: set[str]) -> Iterator[int]:
    """Where another speaker seems to begin (J02)."""
    if ("<" in low or "[" in low) and rx(r"<[a-z/|<]|\[/?inst").search(low):
        yield from (match.start() for match in rule("tags").finditer(low))
    speakers = words_of("speakers")
    if words.isdisjoint(speakers):
        return
    starts = rf"(?m)^[\W\d]{{0,12}}(?:\w+ )?(?:{'|'.join(speakers)})"
    if rx(starts).search(low):
        begun = "|".join(table("phrases", "turns"))
        lines = rf"(?m)^[ \t>*\d.)-]{{0,6}}(?:\[[ x]\] )?(?:{begun})"
        yield from (match.start() for match in rx(lines).finditer(low))


def unshown(low: str) -> Iterator[int]:
    """Places that a reader does not see and that order or address somebody (J03)."""
    shut = low.count("<!--") > low.count("<!-- eco-mem:contract:")  # not ours alone
    if not shut and not any(sign in low for sign in UNSHOWN):
        return
    for match in rule("unshown").finditer("\n" + low):
        inner = next(group for group in match.groups() if group)
        if rule("hail").search(inner) or any(orders_in(inner)):
            yield max(match.start() - 1, 0)


def fetched(low: str, words: set[str]) -> Iterator[re.Match[str]]:
    """What is fetched and run at once (J07)."""
    if not words.isdisjoint(FETCHERS):
        yield from rule("fetch").finditer(low)


def _by_words(page: Reading, low: str, told: bool) -> Iterator[tuple[int, str]]:
    """What a text with the rows of the page orders in words: row and code."""
    yield from orders_in(low, page.words, told)
    for reading in readings(low, page.words):
        yield from orders_in(reading, None, told)
    yield from ((page.row(at), "J04") for at in squashed(low))


def _by_marks(page: Reading, low: str) -> Iterator[tuple[int, str]]:
    """What it orders by marks, hidden places and commands: row and code."""
    yield from ((page.row(at), "J02") for at in marks(low, page.words))
    yield from ((page.row(at), "J03") for at in unshown(low))
    yield from ((page.row(m.start()), "J07") for m in fetched(low, page.words))


def _meant(page: Reading) -> Iterator[tuple[int, str]]:
    """The orders that are not quoted: row and code.

    Fences, block quotes and code spans quote, and quotation marks what is said in words.
    But a command in a span may be part of an order (first run `x`, and tell nobody), and
    so is one that fetches from no proper host.
    """
    shown = bare(page.low, QUOTED)
    unquoted = bare(shown)
    yield from _by_marks(page, unquoted)
    yield from _by_words(page, bare(unquoted, QUOTES), told=False)
    commands = bare(bare(shown, QUOTES), SPOKEN)
    for row, code in orders_in(commands, None, told=False):
        if code == "J05":
            yield row, code
    for match in fetched(shown, page.words):
        line = page.low[page.line(match.start())]
        if rx(UNSAFE).search(match[0]) and not rule("reported").search(line):
            yield page.row(match.start()), "J07"


def orders(page: Reading) -> Iterator[tuple[int, str, str]]:
    """Orders to the reader: row, code, and level, lower for what is quoted."""
    found = {*_by_words(page, page.low, told=True), *_by_marks(page, page.low)}
    meant = set(_meant(page)) if found else found
    for row, code in found:
        yield row, code, "error" if (row, code) in meant else "warning"
    yield from ((row, "J05", "error") for row in ordered(page))
