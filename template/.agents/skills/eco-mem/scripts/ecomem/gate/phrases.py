"""What words mean together: the orders that a sentence gives (J04, J05)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from ecomem import cache as disk_cache
from ecomem.cheap_imports import NamedTuple
from ecomem.gate.text import rx, table

# How far two steps of an order may stand apart, in characters: next to each other,
# in one breath, in one sentence.
NEXT, NEAR, FAR = 3, 30, 70
LONGEST, OVERLAP = 600, 200  # characters of a sentence that are read at once, and again
REPORTED = "REPORTED"  # the meaning of a sentence that tells what others said
HERE = "^"  # the step where a clause begins: who orders, begins with the verb
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
SPELLED = r"[a-z\xdf-\u024f\u0400-\u052f\u1e00-\u1eff]+(?![^\W_])"
Names = tuple[str, ...]


class Lexicon(NamedTuple):
    """What words mean, as names of meanings, and the recipes by what calls them.

    Phrases stand under their first word. Signs begin with no letter; foreign ones are of
    scripts that do not part words. hopeful: all that signs may mean.
    """

    words: dict[str, Names]
    stems: dict[str, Names]
    phrases: dict[str, dict[str, Names]]
    signs: dict[str, Names]
    foreign: dict[str, Names]
    hopeful: set[str]
    recipes: dict[str, list[str]]

    def learn(self, item: str, name: str) -> None:
        """Add one item of a meaning: a word, a stem*, a_phrase or a sign."""
        kind = self.words
        if item[-1] == "*":
            item, kind = item[:-1], self.stems
        if not (item.isascii() and item.isalpha()):
            item = plain(item.replace("_", " "))
            first = rx(SPELLED).match(item)
            if not first:
                kind = self.signs if item.isascii() else self.foreign
            elif first[0] != item:
                kind = self.phrases.setdefault(first[0], {})
        kind[item] = (*kind.get(item, ()), name)

    def signs_of(self, text: str) -> Iterator[tuple[str, Names]]:
        """The signs that occur in a text, with what they mean."""
        for signs in (self.signs,) if text.isascii() else (self.signs, self.foreign):
            yield from ((sign, signs[sign]) for sign in signs if sign in text)


class Order(NamedTuple):
    """What makes an order: its code and, in any order, runs of steps.

    A step is names of meanings, one of which a word must have, and how far from the
    step before it may stand. Something of each of needs must occur, of bars nothing.
    """

    code: str
    runs: list[list[tuple[set[str], int]]]
    needs: list[set[str]]
    bars: set[str]


@cache
def words_of(section: str) -> list[str]:
    """The words of a section of phrases.txt."""
    return " ".join(table("phrases", section)).split()


@cache
def lexicon() -> Lexicon:
    """The meanings and the recipes of phrases.txt."""
    kept = disk_cache.load("lexicon", tuple)
    known = Lexicon(*kept) if kept else _learned()
    if not kept:
        disk_cache.save("lexicon", tuple(known))
    return known


def _learned() -> Lexicon:
    known = Lexicon({}, {}, {}, {}, {}, set(), {})
    for line in table("phrases", "meanings"):
        name, _, items = line.partition(": ")
        for item in items.split():
            known.learn(item, name)
    recipes = table("phrases", "orders")
    for recipe in recipes:
        for name in names_in(recipe.replace(" ^", "", 1).split(None, 2)[1]):
            known.recipes.setdefault(name, []).append(recipe)
    steps = {*" ".join(recipes).split()} - {HERE, "+"}
    for name in set().union(*map(names_in, steps)):
        if not name.isupper():  # a word that stands for itself
            known.learn(name, name)
    known.hopeful.update(*known.signs.values())
    return known


def names_in(step: str) -> set[str]:
    """The names that a step of a recipe lists."""
    return set(step.lstrip("-~!").split("|"))


@cache
def order(recipe: str) -> Order:
    """A recipe of the table, read."""
    code, _, rest = recipe.partition(" ")
    runs, bars = [], set()
    for run in rest.split(" + "):
        if run[0] == "!":
            bars |= names_in(run)
        else:
            gaps = {"-": NEXT, "~": FAR}
            steps = run.split()
            runs.append([(names_in(step), gaps.get(step[0], NEAR)) for step in steps])
    needs = [names for run in runs for names, _ in run if HERE not in names]
    return Order(code, runs, needs, bars)


@lru_cache(8192)
def meaning(word: str) -> Names:
    """What a word means; a core word with a typo means what it would without."""
    known = lexicon()
    names = known.words.get(word, ())
    for end in range(2, len(word) + 1):
        names += known.stems.get(word[:end], ())
    if not names and len(word) > 5:
        right = (each for each in words_of("core") if mistyped(word, each))
        return next(map(meaning, right), ())
    return names


def mistyped(word: str, right: str) -> bool:
    """Has a word the letters of a long one, in any order, but for one or two?"""
    if word[0] != right[0] or word == right or len(right) < 6:
        return False
    extra = word
    for letter in right:
        extra = extra.replace(letter, "", 1)
    return 2 * len(extra) + len(right) - len(word) <= len(right) // 5


def plain(low: str) -> str:
    """A text in one spelling, without emphasis and quotation marks; lines are kept."""
    low = low.replace("\u2019", "'").replace("n't", " not").replace("cannot", "can not")
    return rx(EXTRA).sub(lambda match: " " * (match[0] in "-_"), low)


def called(present: set[str]) -> list[Order]:
    """The orders of which all needs are present, by names of meanings."""
    known = lexicon()
    found = []
    for name in known.recipes.keys() & present:
        for each in map(order, known.recipes[name]):
            for need in each.needs:
                if need.isdisjoint(present):
                    break
            else:
                found.append(each)
    return found


def possible(text: str, words: set[str]) -> list[Order]:
    """The orders whose words all occur somewhere in a text."""
    known = lexicon()
    present = set().union(*map(meaning, words))
    flat = text.replace("-", " ").replace("_", " ").replace("\n", " ")
    for word in known.phrases.keys() & words:
        for phrase, names in known.phrases[word].items():
            if phrase in flat:
                present.update(names)
    # Most texts give no order even if they had every sign: these are not looked for.
    if text.isascii() and not called(present | known.hopeful):
        return []
    present.update(*(names for _, names in known.signs_of(text)))
    return called(present)


def placed(sentence: str) -> list[tuple[int, int, Names]]:
    """What means something in a sentence: start, end and names, by start."""
    known = lexicon()
    found: list[tuple[int, int, Names]] = [
        (match.end(), match.end(), (HERE,)) for match in rx(CLAUSE).finditer(sentence)
    ]
    for match in rx(WORD).finditer(sentence):
        start, end = match.span()
        names = meaning(match[0])
        if names:
            found.append((start, end, names))
        for phrase, names in known.phrases.get(match[0], {}).items():
            if sentence.startswith(phrase, start):
                found.append((start, start + len(phrase), names))
    for sign, names in known.signs_of(sentence):
        at = sentence.find(sign)
        while at >= 0:
            found.append((at, at + len(sign), names))
            at = sentence.find(sign, at + 1)
    return sorted(found)


def follows(
    steps: list[tuple[set[str], int]], found: list[tuple[int, int, Names]]
) -> bool:
    """Do the steps occur one after the other, each close enough to the last?"""
    ends = {-1}
    for names, gap in steps:
        ends = {
            end
            for start, end, meant in found
            if not names.isdisjoint(meant)
            and any(last < 0 or 0 <= start - last <= gap for last in ends)
        }
    return bool(ends)


def said(sentence: str, orders: list[Order], told: bool) -> Iterator[str]:
    """The codes of those orders that a sentence gives; told: or tells of others'."""
    found = placed(sentence)
    present = {name for *_, names in found for name in names}
    if REPORTED in present and not told:
        return
    for each in orders:
        if each.bars.isdisjoint(present) and all(
            follows(run, found) for run in each.runs
        ):
            yield each.code


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
    if "t" in words or "cannot" in words:  # as don't has it
        words = words | {"not"}
    if possible(low, words):
        for row, sentence in sentences(plain(low)):
            orders = possible(sentence, set(rx(WORD).findall(sentence)))
            for code in said(sentence, orders, told) if orders else ():
                yield row, code
