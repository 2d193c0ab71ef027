"""What words mean together: the orders that a sentence gives (J04, J05)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from gate_text import rx, table

# How far two steps of an order may stand apart, in characters: next to each other,
# in one breath, in one sentence.
NEXT, NEAR, FAR = 3, 30, 70
LONGEST, OVERLAP = 600, 200  # characters of a sentence that are read at once, and again
REPORTED = "REPORTED"  # the meaning of a sentence that tells what others said
HERE = "^"  # the step where a clause begins: who orders, begins with the verb
# What nearly every text holds, and what most do: it calls an order only for want of better.
COMMON = (
    ". , : ( ) the of in to a and is it for on with this that",
    """not or at by from as if when all no any new use run first task action result
    lesson context check changed""",
)
# Where a sentence ends; an item of a list and a line of its own are sentences too.
STOP = (
    r"(?<=[.!?])[ \n]+|[\u0964\u3002\uff01\uff1f]|; |\n[ \t]*\n"
    r"|\n(?=[ \t]*(?:[-*>#|]|\d+[.)])[ \t])"
)
CLAUSE = (
    r"(?:^|[,:;]|\b(?:and|then|please|must|should|shall|may|can|will|to|so|or|but|always"
    r"|also|just|kindly)\b)[^\w.<]*"
    r"(?:(?:to|then|also|please|just|all|you|have|has|simply|and) +){0,3}(?=[\w.<-])"
)


# What joins words, and what stresses or quotes them; a list keeps its marks.
EXTRA = r"(?<=\w)[-_](?=\w)|\*+(?=\w)|(?<=\w)\*+|[`\"\u201c-\u201e\xab\xbb]"
WORD = r"[^\W\d_]+"
# Letters of scripts that part words; what has others is looked for anywhere.
SPELLED = r"[a-z\xdf-\u024f\u0400-\u052f\u1e00-\u1eff' ]+"


class Order(NamedTuple):
    """What makes an order: its code and, in any order, runs of steps.

    A step is a set of meanings (bits) and how far from the step before it may stand.
    All of needs must occur, the first one calls the order; bars stand it down.
    """

    code: str
    runs: list[list[tuple[int, int]]]
    needs: list[int]
    bars: int


class Lexicon(NamedTuple):
    """What words mean, as bits: whole words, stems, phrases by first word, signs."""

    bits: dict[str, int]
    words: dict[str, int]
    stems: dict[str, int]
    phrases: dict[str, list[tuple[str, int]]]
    signs: dict[str, int]
    foreign: dict[str, int]  # signs of other scripts

    def begun(self, word: str) -> int:
        """What a word or a sign means, and every phrase that begins with it."""
        bits = self.words.get(word, 0) | self.signs.get(word, 0)
        for _, bit in self.phrases.get(word, ()):
            bits |= bit
        return bits

    def signs_of(self, text: str) -> list[tuple[str, int]]:
        """The signs that occur in a text, with their bits."""
        found = [(sign, self.signs[sign]) for sign in self.signs if sign in text]
        if text.isascii():
            return found
        return found + [(x, self.foreign[x]) for x in self.foreign if x in text]


def _learn(lexicon: Lexicon, item: str, bit: int) -> None:
    """Add one item of a meaning: word, stem*, a_phrase, or a sign of other letters."""
    word, kind = item, lexicon.words
    if item[-1] == "*":
        word, kind = item[:-1], lexicon.stems
    if not (word.isascii() and word.isalpha()):
        word = word.replace("_", " ")
        spelled = word.isascii() and word.replace(" ", "").isalpha()
        if not spelled:
            word = plain(word)
            spelled = bool(rx(SPELLED).fullmatch(word))
        if spelled and " " in word:
            lexicon.phrases.setdefault(word.split()[0], []).append((word, bit))
            return
        if not spelled:
            kind = lexicon.signs if word.isascii() else lexicon.foreign
    kind[word] = kind.get(word, 0) | bit


def _bit(lexicon: Lexicon, name: str) -> int:
    """The new bit of a word that stands for itself."""
    lexicon.bits[name] = 1 << len(lexicon.bits)
    _learn(lexicon, name, lexicon.bits[name])
    return lexicon.bits[name]


@cache
def words_of(section: str) -> list[str]:
    """The words of a section of gate_orders.txt."""
    return " ".join(table("orders", section)).split()


@cache
def lexicon() -> tuple[Lexicon, list[Order]]:
    """The meanings and the orders of gate_orders.txt."""
    known = Lexicon({HERE: 1}, {}, {}, {}, {}, {})
    words = known.words
    for line in table("orders", "meanings"):
        name, _, items = line.partition(": ")
        bit = known.bits.setdefault(name, 1 << len(known.bits))
        for item in items.split():
            if item.isalpha() and item.isascii():
                words[item] = words.get(item, 0) | bit
            else:
                _learn(known, item, bit)
    orders = [_order(known, line) for line in table("orders", "orders")]
    common = [0, 0]
    for tier, items in enumerate(COMMON):
        for item in items.split():
            common[tier] |= known.begun(item)
    for order in orders:
        order.needs.sort(key=lambda bits: [bool(bits & tier) for tier in common])
    return known, orders


def _order(known: Lexicon, line: str) -> Order:
    """An order as a line of the table has it."""
    code, _, recipe = line.partition(" ")
    runs: list[list[tuple[int, int]]] = []
    bars = 0
    for run in recipe.split(" + "):
        steps = [_step(known, step) for step in run.split()]
        if run[0] == "!":
            bars |= steps[0][0]
        else:
            runs.append(steps)
    needs = [bits for run in runs for bits, _ in run if bits != known.bits[HERE]]
    return Order(code, runs, needs, bars)


def _step(known: Lexicon, step: str) -> tuple[int, int]:
    """What a step may be, as bits, and how far from the last it may stand."""
    bits = 0
    for name in step.lstrip("-~!").split("|"):
        bits |= known.bits.get(name) or _bit(known, name)
    return bits, NEXT if step[0] == "-" else FAR if step[0] == "~" else NEAR


@lru_cache(8192)
def meaning(word: str) -> int:
    """What a word means; a core word with a typo means what it would without."""
    known, _ = lexicon()
    bits = known.words.get(word, 0)
    for end in range(2, len(word) + 1):
        bits |= known.stems.get(word[:end], 0)
    if not bits and len(word) > 5:
        right = [
            each for each in words_of("core") if len(each) > 5 and mistyped(word, each)
        ]
        return meaning(right[0]) if right else 0
    return bits


def mistyped(word: str, right: str) -> bool:
    """Has a word the letters of the right one, in any order, but for one or two?"""
    if word[0] != right[0] or word == right:
        return False
    extra = word
    for letter in right:
        extra = extra.replace(letter, "", 1)
    return 2 * len(extra) + len(right) - len(word) <= len(right) // 5


def plain(low: str) -> str:
    """A text in one spelling, without emphasis and quotation marks; lines are kept."""
    low = low.replace("\u2019", "'").replace("n't", " not").replace("cannot", "can not")
    return rx(EXTRA).sub(lambda match: " " * (match[0] in "-_"), low)


@lru_cache(8192)
def candidates(bits: int) -> list[Order]:
    """The orders that words of these meanings call."""
    return [order for order in lexicon()[1] if order.needs[0] & bits]


def possible(text: str, words: set[str]) -> list[Order]:
    """The orders whose words all occur somewhere in a text."""
    known, _ = lexicon()
    flat = text.replace("-", " ").replace("_", " ").replace("\n", " ")
    marks = [bit for _, bit in known.signs_of(text)]
    for word in words:
        mark = meaning(word)
        if mark:
            marks.append(mark)
        if word in known.phrases:
            marks += [bit for phrase, bit in known.phrases[word] if phrase in flat]
    bits = 0
    for mark in marks:
        bits |= mark
    orders = []
    for mark in marks:
        for order in candidates(mark):
            for need in order.needs:
                if not bits & need:
                    break
            else:
                orders.append(order)
    return orders


def placed(sentence: str) -> list[tuple[int, int, int]]:
    """What means something in a sentence: start, end and bits, by start."""
    known, _ = lexicon()
    found = [(match.end(), match.end(), 1) for match in rx(CLAUSE).finditer(sentence)]
    for match in rx(WORD).finditer(sentence):
        start, end = match.span()
        bits = meaning(match[0])
        if bits:
            found.append((start, end, bits))
        for phrase, bit in known.phrases.get(match[0], ()):
            if sentence.startswith(phrase, start):
                found.append((start, start + len(phrase), bit))
    for sign, bit in known.signs_of(sentence):
        at = sentence.find(sign)
        while at >= 0:
            found.append((at, at + len(sign), bit))
            at = sentence.find(sign, at + 1)
    return sorted(found)


def follows(steps: list[tuple[int, int]], found: list[tuple[int, int, int]]) -> bool:
    """Do the steps occur one after the other, each close enough to the last?"""
    ends = {-1}
    for bits, gap in steps:
        ends = {
            end
            for start, end, mark in found
            if mark & bits
            and any(last < 0 or 0 <= start - last <= gap for last in ends)
        }
    return bool(ends)


def said(sentence: str, orders: list[Order], told: bool) -> Iterator[str]:
    """The codes of those orders that a sentence gives; told: or tells of others'."""
    found = placed(sentence)
    bits = 0
    for _, _, mark in found:
        bits |= mark
    if bits & lexicon()[0].bits[REPORTED] and not told:
        return
    for order in orders:
        if not bits & order.bars and all(follows(run, found) for run in order.runs):
            yield order.code


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, each with the row it begins on, from 1."""
    start, row = 0, 1
    for end, after in [*(m.span() for m in rx(STOP).finditer(text)), (len(text), 0)]:
        sentence = text[start:end]
        kept = sentence.lstrip()
        if kept:
            before = len(sentence) - len(kept)
            at = row + sentence.count("\n", 0, before)
            for cut in range(0, max(len(kept) - OVERLAP, 1), LONGEST - OVERLAP):
                part = kept[cut : cut + LONGEST].replace("\n", " ")
                yield at + kept.count("\n", 0, cut), part
        row += text.count("\n", start, after)
        start = after


def orders_in(
    low: str, words: set[str] | None = None, told: bool = True
) -> Iterator[tuple[int, str]]:
    """The orders that a text in small letters gives: row from 1, and code.

    words: those of the text, where they are known. told: count also what it reports.
    """
    if words is None or not low.isascii():
        words = set(rx(WORD).findall(low))
    if possible(low, words):
        for row, sentence in sentences(plain(low)):
            orders = possible(sentence, set(rx(WORD).findall(sentence)))
            for code in said(sentence, orders, told) if orders else ():
                yield row, code
