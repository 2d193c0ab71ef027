"""Orders that words give together in one sentence, in recipes (J05)."""

from __future__ import annotations

from ecomem.cheap_imports import Iterator, NamedTuple, cache, lru_cache
from ecomem.gate.phrases import WORD, Words, is_report, plain, sentences
from ecomem.gate.text import rx, table

# How far two steps may be apart, in characters: neighbours, near, in one sentence.
NEXT, NEAR, FAR = 3, 30, 70
HERE = "^"  # the step where a clause begins
CLAUSE = (
    r"(?:^|[,:;]|\b(?:and|then|please|must|should|shall|may|can|will|to|so|or|but|always"
    r"|also|just|kindly)\b)[^\w.<]*"
    r"(?:(?:to|then|also|please|just|all|you|have|has|simply|and) +){0,3}(?=[\w.<-])"
)


class Step(NamedTuple):
    """A step: meanings, one of which it has, and the most characters before it."""

    names: frozenset[str]
    gap: int


class Recipe(NamedTuple):
    """An order: runs of steps, all of which a sentence has, and meanings it has not."""

    runs: list[list[Step]]
    bars: frozenset[str]

    def fits(self, present: set[str]) -> bool:
        """True where a step of every kind occurs, and nothing that bars the order."""
        for run in self.runs:
            for step in run:
                if step.names.isdisjoint(present):
                    return False
        return self.bars.isdisjoint(present)


class Place(NamedTuple):
    """Words that have meanings: offsets in the sentence, the meanings, the words."""

    start: int
    end: int
    names: frozenset[str]
    text: str


class Lexicon(NamedTuple):
    """Meanings of words, of beginnings of words, of phrases by first word, of signs."""

    words: dict[str, set[str]]
    stems: dict[str, set[str]]
    phrases: dict[str, dict[str, set[str]]]
    signs: dict[str, set[str]]

    def add(self, item: str, name: str) -> None:
        """Add a word, the beginning of one (approv*), a_phrase, or a sign."""
        kind = self.words
        text = item.rstrip("*").replace("_", " ")
        first = rx(WORD).match(text)
        if not first:
            kind = self.signs
        elif first[0] != text:
            kind = self.phrases.get(first[0], {})
            self.phrases[first[0]] = kind
        elif item[-1] == "*":
            kind = self.stems
        kind[text] = kind.get(text, set()) | {name}


def names_of(step: str) -> frozenset[str]:
    """The meanings that a step lists."""
    return frozenset(step.lstrip("-~!").split("|"))


@cache
def recipes() -> list[Recipe]:
    """The recipes of phrases.txt."""
    gaps = {"-": NEXT, "~": FAR}
    found = []
    for row in table("phrases", "recipes"):
        runs = []
        bars: frozenset[str] = frozenset()
        for run in row.split(" + "):
            if run[0] == "!":
                bars |= names_of(run)
            else:
                steps = run.split()
                runs.append([Step(names_of(x), gaps.get(x[0], NEAR)) for x in steps])
        found.append(Recipe(runs, bars))
    return found


@cache
def lexicon() -> Lexicon:
    """The meanings of phrases.txt; a word of a recipe in small letters means itself."""
    known = Lexicon({}, {}, {}, {})
    for line in table("phrases", "meanings"):
        name, _, items = line.partition(": ")
        for item in items.split():
            known.add(item, name)
    for recipe in recipes():
        steps = [step.names for run in recipe.runs for step in run]
        for name in recipe.bars.union(*steps):
            if not name.isupper() and name != HERE:
                known.add(name, name)
    return known


@lru_cache(8192)
def meaning(word: str) -> frozenset[str]:
    """The meanings of a word."""
    known = lexicon()
    names = set(known.words.get(word, ()))
    for end in range(2, len(word) + 1):
        names.update(known.stems.get(word[:end], ()))
    return frozenset(names)


def placed(sentence: str) -> list[Place]:
    """The words of a sentence that have meanings, in order."""
    known = lexicon()
    found = []
    for match in rx(WORD).finditer(sentence):
        start, end = match.span()
        names = meaning(match[0])
        if names:
            found.append(Place(start, end, names, match[0]))
        for phrase, others in known.phrases.get(match[0], {}).items():
            if sentence.startswith(phrase, start):
                end = start + len(phrase)
                found.append(Place(start, end, frozenset(others), phrase))
    for sign, others in known.signs.items():
        at = sentence.find(sign)
        while at >= 0:
            found.append(Place(at, at + len(sign), frozenset(others), ""))
            at = sentence.find(sign, at + 1)
    return found


def followed(run: list[Step], places: list[Place]) -> list[Place]:
    """The places where the steps of a run follow each other; none where they do not.

    places: by start. Of the ways to a step, the next one needs only the closest.
    """
    paths: list[list[Place]] = []
    for number, step in enumerate(run):
        longer = []
        closest = 0
        for place in places:
            if step.names.isdisjoint(place.names):
                continue
            if number == 0:
                longer.append([place])
                continue
            later = closest + 1
            while later < len(paths) and paths[later][-1].end <= place.start:
                closest, later = later, later + 1
            if 0 <= place.start - paths[closest][-1].end <= step.gap:
                longer.append([*paths[closest], place])
        paths = sorted(longer, key=lambda path: path[-1].end)
        if not paths:
            return []
    return paths[0]


class Order(NamedTuple):
    """An order in a sentence: offset, number of its recipe, and the words that make it."""

    start: int
    number: int
    words: Words


@lru_cache(512)  # the text is read again without what it quotes
def ordered(sentence: str) -> tuple[Order, ...]:
    """The orders in a sentence in small letters."""
    places = placed(sentence)
    present = {HERE}.union(*[place.names for place in places])
    fitting = [each for each in enumerate(recipes()) if each[1].fits(present)]
    if not fitting:
        return ()
    for match in rx(CLAUSE).finditer(sentence):
        places.append(Place(match.end(), match.end(), frozenset([HERE]), ""))
    places.sort(key=lambda place: place.start)
    found = []
    for number, recipe in fitting:
        paths = [followed(run, places) for run in recipe.runs]
        if all(paths):
            start = min(path[0].start for path in paths)
            text = " ".join(place.text for path in paths for place in path)
            found.append(Order(start, number, tuple(rx(WORD).findall(text))))
    return tuple(found)


def combined(low: str, reported: bool = True) -> Iterator[tuple[int, int, Words]]:
    """Orders in a text in small letters: row from 1, number of the recipe, and words.

    reported: count also what a sentence only reports of others.
    """
    for row, sentence in sentences(plain(low)):
        for order in ordered(sentence):
            if reported or not is_report(sentence[: order.start]):
                yield row, order.number, order.words
