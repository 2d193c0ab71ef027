"""Orders that no recipe has: words and meanings that together speak for one (J05)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from ecomem.gate.phrases import WORD, meaning, placed, plain, sentences
from ecomem.gate.text import QUOTES, Reading, bare, rx, table

STEM = 7  # letters of a word that tell it from others
SPAN = 3  # meanings further on that one makes a pair with
SILENT = {"END", "BANG"}  # meanings of signs, which every sentence has
# Fields of an entry that hold no sentence, and the name of the one that does.
FIELDS = r"(?m)^- (?:(?:as_of|source|scope|expires|evidence|when|task):.*|cue: )"
PLACES = r"(?<=://)\S+|(?<=@)[\w.-]+"  # hosts and paths, whose words say nothing
LEAST = 4.5  # what speaks for an order in the words of nearly all, and on few pages


@cache
def weights() -> dict[str, float]:
    """What each signal weighs for an order, and `^`, which every sentence has."""
    rows = (line.split() for line in table("weights", "weights"))
    return {signal: float(row[0]) for row in rows for signal in row[1:]}


def signals(sentence: str) -> set[str]:
    """The stems of a sentence, its meanings, and the pairs of those near each other."""
    found = {word[:STEM] for word in rx(WORD).findall(sentence)}
    row = [[n for n in names if n.isupper()] for *_, names in placed(sentence)]
    told = [names for names in ({*names} - SILENT for names in row) if names]
    found.update(*told)
    for at, names in enumerate(told):
        later = set().union(*told[at + 1 : at + 1 + SPAN])
        found.update(f"{one}>{two}" for one in names for two in later)
    return found


def prose(low: str) -> Iterator[tuple[int, str]]:
    """The unquoted sentences of an entry in small letters: row from 1, and text."""
    text = rx(PLACES).sub("", rx(FIELDS).sub("", bare(bare(low), QUOTES)))
    return sentences(plain(text))


def ordered(page: Reading) -> Iterator[int]:
    """The rows of a page where enough speaks for an order."""
    blocks = page.shape.split("\n\n")
    if page.low.isascii() and not any(hints(x.split()) > LEAST for x in blocks):
        return
    known = weights()
    for row, sentence in prose(page.low):
        if sentence.isascii() and hints(rx(WORD).findall(sentence)) < LEAST:
            continue
        if sum(known.get(signal, 0) for signal in signals(sentence)) > -known["^"]:
            yield row


def hints(words: Iterable[str]) -> float:
    """What speaks for an order in words alone."""
    return sum(map(alone, {*words}))


@lru_cache(8192)
def alone(word: str) -> float:
    """What speaks for an order in a word."""
    found = (weights().get(each, 0) for each in {word[:STEM], *meaning(word)})
    return max(sum(found), 0)
