"""Orders to the reader that no phrase has: sentences weighed by their words (J05).

A signal is a word, two words that follow each other or stand near each other, a meaning,
two meanings near each other, or how a sentence begins. Each has a weight, learned from
texts (tools/training). The weights of two neighbouring sentences are added up; the more
signals they have, the greater the sum must be to be taken for an order.
"""

from __future__ import annotations

from binascii import a2b_base64
from zlib import crc32, decompress

from ecomem import cheap_re as re
from ecomem.cache import load, save
from ecomem.cheap_imports import Iterator, NamedTuple, cache, lru_cache
from ecomem.gate.phrases import Words, plain, sentences
from ecomem.gate.text import QUOTES, rx, table

STEM = 6  # letters of a word that tell it from others
SPAN = 3  # meanings further on that one makes a pair with
SPACE = 1 << 18  # numbers that signals are hashed to
FIRST, OPENING = crc32(b"^"), 11  # make the signals of how a sentence begins
USUAL, FEWEST = (
    40,
    20,
)  # signals of two sentences: what the least score is for, at least
# Words, figures, and signs that structure a message; figures count as one word.
TOKEN = r"[^\W\d_]+|\d+|[<>\[\]#@|=:]"
# Words that say nothing to who is to reword the sentence.
LITTLE = frozenset(
    [
        "a",
        "an",
        "the",
        "it",
        "is",
        "are",
        "be",
        "has",
        "have",
        "this",
        "that",
        "to",
        "of",
        "in",
        "on",
        "for",
        "and",
        "or",
        "you",
        "i",
    ]
)
# Scripts that do not part words: a word there is any two signs in a row.
UNPARTED = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]"
# Fields of an entry that hold no sentence, and the names of those that do.
FIELDS = r"(?m)^- (?:(?:as_of|source|scope|expires|evidence|when|task):.*|[a-z]+: )"
# Hosts, paths, targets of links, and <user:password>: their words mean nothing.
PLACES = r"(?<=://)\S+|(?<=@)[\w.-]+|(?<=\])\([^()\s]+\)|<\w+:\w+>"
# Words around a quotation that make it a report of what others wrote.
REPORTS = (
    r"\b(?:said|says|told|asked|asks|asking|wrote|writes|reads?|tried|tells?|telling|quot\w+"
    r"|claim\w*|contain\w*|comments?|readme|issue|ticket|phrases?|sentences?|strings?|words"
    r"|matches|text|refus\w+|flag\w*|block\w*|schrieb|stand|sagte|zeile|dec[ií]a|dijo|texto"
    r"|disait|phrase|disse|dizia|написан\w*|сказал\w*|текст\w*)\b"
    r"|写着|文字列|書かれ|と書|という|적혀|라고|内容|出现"
)


class Learned(NamedTuple):
    """The table: weights in tenths and meanings, by signal, and the least score."""

    weights: dict[int, int]
    meanings: dict[int, tuple[int, ...]]
    least: int


@cache
def learned() -> Learned:
    """The learned table, from the cache where it is there."""
    cached = load("weights", tuple)
    if cached:
        return Learned(*cached)
    meanings: dict[int, tuple[int, ...]] = {}
    for signal, meaning in unpacked("meanings"):
        name = crc32(b"#%d" % meaning)
        meanings[signal] = (*meanings.get(signal, ()), name)
    found = Learned(
        {signal: value - 128 for signal, value in unpacked("weights")},
        meanings,
        int(table("weights", "least")[0]),
    )
    save("weights", tuple(found))
    return found


def unpacked(section: str) -> Iterator[tuple[int, int]]:
    """The pairs of a section: a signal, and a value from 0 to 255.

    They are packed by zlib and base64: how many pairs there are, in four bytes, their
    values, and by how much each signal is more than the last, in bytes of seven bits.
    """
    data = decompress(a2b_base64("".join(table("weights", section))))
    count = int.from_bytes(data[:4], "big")
    at, signal = 4 + count, 0
    for value in data[4:at]:
        more = shift = 0
        while data[at] & 128:
            more |= (data[at] & 127) << shift
            shift += 7
            at += 1
        signal += more | data[at] << shift
        at += 1
        yield signal, value


@lru_cache(8192)
def hashed(word: str) -> int:
    """A number for a word, the same in every run; figures all have one."""
    return crc32(b"0" if word.isdigit() else word[:STEM].encode())


def words(sentence: str) -> list[str]:
    """The words of a sentence in small letters, and the signs that structure it."""
    found = rx(TOKEN).findall(sentence)
    if sentence.isascii() or not rx(UNPARTED).search(sentence):
        return found
    parted = []
    for word in found:
        if rx(UNPARTED).match(word):
            parted += [word[at : at + 2] for at in range(max(len(word) - 1, 1))]
        else:
            parted.append(word)
    return parted


def signals(sentence: str) -> list[tuple[int, int, int]]:
    """The signals of a sentence: number, and the words from and to that make it."""
    row = [hashed(word) for word in words(sentence)]
    meanings = learned().meanings
    found = []
    if row:
        found.append(((FIRST * 5 ^ row[0]) % SPACE, 0, 0))
    if len(row) > 1:
        found.append(((FIRST * 9 ^ row[0] * 5 ^ row[1]) % SPACE, 0, 1))
    meant: list[tuple[int, tuple[int, ...]]] = []
    for at, number in enumerate(row):
        single = number % SPACE
        found.append((single, at, at))
        names = meanings.get(single, ())
        for gap, factor in ((1, 5), (2, 9)):
            if at + gap < len(row):
                pair = (number * factor ^ row[at + gap]) % SPACE
                found.append((pair, at, at + gap))
                if gap == 1:
                    names = (*names, *meanings.get(pair, ()))
        if names:
            meant.append((at, names))
    for place, (at, names) in enumerate(meant):
        for name in names:
            found.append((name % SPACE, at, at))
            if at == 0:
                found.append((name * OPENING % SPACE, at, at))
            for later, others in meant[place + 1 : place + 1 + SPAN]:
                for other in others:
                    found.append(((name * 5 ^ other) % SPACE, at, later))
    return found


def prose(low: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text in small letters, without fields and places: row, text."""
    return sentences(plain(rx(PLACES).sub("", rx(FIELDS).sub("", low))))


def unreported(text: str) -> str:
    """The text with what stands in quotation marks blanked where it is a report."""

    def blank(match: re.Match[str]) -> str:
        start = text.rfind("\n\n", max(0, match.start() - 120), match.start())
        before = text[max(start, match.start() - 120, 0) : match.start()]
        after = text[match.end() : match.end() + 40]
        if rx(REPORTS).search(before) or rx(REPORTS).search(after):
            return rx(r"[^\x0a]").sub(" ", match[0])
        return match[0]

    return rx(QUOTES).sub(blank, text)


@lru_cache(2)
def weighed(low: str) -> tuple[tuple[int, Words], ...]:
    """The sentences of a text in small letters that the weights take for an order.

    Returns for each its row, from 1, and the words that weigh most. A text without
    quotations is asked for twice, with and without them: so the last answers are kept.
    """
    return tuple(_weighed(low))


def _weighed(low: str) -> Iterator[tuple[int, Words]]:
    """The same, one at a time."""
    weights, _, least = learned()
    before: set[int] = set()
    last, last_row, last_sum = "", 0, 0
    for row, sentence in prose(low):
        if sentence.startswith("- ["):  # a row of a catalog, to be judged alone
            before, last, last_row, last_sum = set(), "", 0, 0
        found = {signal for signal, *_ in signals(sentence)}
        own = sum([weights.get(signal, 0) for signal in found])
        both = found | before
        if is_order(sum([weights.get(signal, 0) for signal in both]), len(both), least):
            yield last_row if last_sum > own else row, telling(f"{last} {sentence}")
        before, last, last_row, last_sum = found, sentence, row, own


def is_order(score: int, count: int, least: int) -> bool:
    """True where the weights of so many signals make an order.

    A sum grows by chance as the number of its signals does: it counts less by the fourth
    root of that number. Whole numbers give the same answer everywhere.
    """
    return score > 0 and score**4 * USUAL > least**4 * max(count, FEWEST)


def telling(sentence: str) -> Words:
    """The three words of a sentence whose signals weigh most for an order."""
    weights = learned().weights
    row = words(sentence)
    worth: dict[str, int] = {}
    seen: set[int] = set()
    for signal, start, end in signals(sentence):
        if signal not in seen:
            seen.add(signal)
            for word in {row[start], row[end]}:
                worth[word] = worth.get(word, 0) + weights.get(signal, 0)
    best = sorted(worth, key=lambda word: (-worth[word], word))
    long = [word for word in best if word.isalpha() and word not in LITTLE]
    return tuple((long or best)[:3])
