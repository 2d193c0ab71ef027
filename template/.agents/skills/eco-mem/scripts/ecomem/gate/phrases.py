"""Sentences of a text, and orders in known phrases (J04, J05)."""

from __future__ import annotations

from ecomem.cheap_imports import Iterator, cache, lru_cache, partial
from ecomem.gate.text import pattern, rx, table

rule = partial(pattern, "phrases")

LONGEST, OVERLAP = 600, 200  # characters of a sentence that are read at once, and again
# Where a sentence ends; an item of a list and a line of its own are sentences too.
STOP = (
    r"(?<=[.!?])[ \n]+|[\u0964\u3002\uff01\uff1f]|; |\n[ \t]*\n"
    r"|\n(?=[ \t]*(?:[-*>#|]|\d+[.)])[ \t])"
)
# What joins words, and what stresses or quotes them; a list keeps its marks.
EXTRA = r"(?<=\w)[-_](?=\w)|\*+(?=\w)|(?<=\w)\*+|[`\"\u201c-\u201e\xab\xbb]"
WORD = r"[^\W\d_]+"

Words = tuple[str, ...]


@cache
def words_of(section: str) -> list[str]:
    """The words of a section of phrases.txt."""
    return " ".join(table("phrases", section)).split()


@cache
def forms() -> list[tuple[str, list[str], str]]:
    """The patterns of orders: code, the parts of words that call each, and pattern."""
    found = []
    for section, code in (("overrides", "J04"), ("orders", "J05")):
        for row in table("phrases", section):
            calls, _, form = row.partition("  ")
            found.append((code, calls.split("|"), form))
    return found


def phrased(low: str, reported: bool = True) -> Iterator[tuple[int, str, Words]]:
    """Orders in a text in small letters that a pattern has: row from 1, code, words.

    reported: count also what a sentence only reports of others.
    """
    called = [
        (code, form)
        for code, calls, form in forms()
        if any(call in low for call in calls)
    ]
    if not called:
        return
    for row, sentence in sentences(plain(low)):
        for code, form in called:
            match = rx(form).search(sentence)
            if match and (reported or not is_report(sentence[: match.start()])):
                yield row, code, tuple(rx(WORD).findall(match[0]))


def is_report(before: str) -> bool:
    """True where the words before an order show that somebody else gave it."""
    return bool(rule("reporting").search(before))


def corrected(low: str, words: set[str]) -> str:
    """The text with the typos in words of an override corrected."""
    right = {word: core for word in words for core in [meant(word)] if core}
    if not right:
        return low
    return rx(WORD).sub(lambda match: right.get(match[0], match[0]), low)


@lru_cache(8192)
def meant(word: str) -> str:
    """The word of an override that a word is a typo of, or nothing."""
    found = [core for core in _cores().get(word[0], ()) if is_typo(word, core)]
    return found[-1] if found else ""


@cache
def _cores() -> dict[str, list[str]]:
    """The words of overrides by their first letter."""
    found: dict[str, list[str]] = {}
    for core in words_of("core"):
        found[core[0]] = [*found.get(core[0], []), core]
    return found


def is_typo(word: str, right: str) -> bool:
    """True for a word with the letters of a long one, in any order, but for one or two."""
    few = len(right) // 5
    if len(right) < 6 or word == right or abs(len(word) - len(right)) > few:
        return False
    extra = word
    for letter in right:
        extra = extra.replace(letter, "", 1)
    return 2 * len(extra) + len(right) - len(word) <= few


def plain(low: str) -> str:
    """A text in one spelling, without emphasis and quotation marks; lines are kept."""
    low = low.replace("\u2019", "'").replace("n't", " not").replace("cannot", "can not")
    return rx(EXTRA).sub(lambda match: " " * (match[0] in "-_"), low)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, each with the row it begins on, from 1."""
    start, row = 0, 1
    for end, after in [*(m.span() for m in rx(STOP).finditer(text)), (len(text), 0)]:
        sentence = text[start:end]
        rest = sentence.lstrip()
        if rest:
            before = len(sentence) - len(rest)
            at = row + sentence.count("\n", 0, before)
            for cut in range(0, max(len(rest) - OVERLAP, 1), LONGEST - OVERLAP):
                part = rest[cut : cut + LONGEST].replace("\n", " ")
                yield at + rest.count("\n", 0, cut), part
        row += text.count("\n", start, after)
        start = after
