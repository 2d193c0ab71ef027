"""Orders to the reader, disguised or plain (J02-J05, J07)."""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterator, NamedTuple, cache, partial
from ecomem.gate.phrases import WORD, Words, corrected, phrased, words_of
from ecomem.gate.text import QUOTED, Reading, bare, pattern, rx, table
from ecomem.gate.weights import unreported, weighed

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
SHELLS = {"bash", "sh", "zsh", "python", "node", "perl", "iex", "powershell", "eval"}
COMMANDS = frozenset(FETCHERS | SHELLS)
# A fetch that nobody vouches for: quoted or not, it is meant to be run.
UNSAFE = r"http://|://\d{1,3}(?:\.\d{1,3}){3}\b"


class Order(NamedTuple):
    """An order to the reader: row from 1, code, and the words that make it."""

    row: int
    code: str
    words: Words


def readings(low: str, words: set[str]) -> Iterator[str]:
    """Other readings of a text, where something in it looks disguised."""
    mixed = [word for word in words if "0" in word and "0" in word.strip("0")]
    if (mixed or not low.isascii()) and rx(LIKE).search(low):
        yield low.translate(ALIKE)
    if "*" in low and rx(r"[a-z]\*+[a-z]").search(low):
        yield low.replace("*", "")
    right = corrected(low, words)
    if right != low:
        yield right
    if not words.isdisjoint(turned()):
        yield low.translate(ROT13)
        yield "\n".join(line[::-1] for line in low.split("\n"))


@cache
def turned() -> set[str]:
    """The longer words of an override in ROT13 and backwards."""
    words = [word for word in words_of("core") if len(word) > 5]
    return {turn for word in words for turn in (word.translate(ROT13), word[::-1])}


def squashed(low: str) -> Iterator[tuple[int, str]]:
    """Letters that make an override whatever parts them (J04): offset, and the verb."""
    letters = low.translate(SQUASH)
    if not [verb for verb in VERBS if verb in letters]:
        return
    places = [at for at, sign in enumerate(low) if SQUASH.get(ord(sign), sign)]
    for match in rule("squashed").finditer(letters):
        start, end = places[match.start()], places[match.end() - 1]
        if rx(r"[a-z]+(?:[ \n][a-z]+)*").fullmatch(low, start, end):
            continue  # nothing parts the letters of its words: see phrased()
        apart = rx(r"[.;:!?]\s+\w{2}|\n\s*\n").search(low, start, end)
        if not apart and not low[start - 1 : start].isalnum():
            verb = next((verb for verb in VERBS if verb in match[0]), "")
            yield start, verb


def marks(low: str, words: set[str]) -> Iterator[tuple[int, str]]:
    """Marks after which another speaker seems to begin (J02): offset, and the mark."""
    if ("<" in low or "[" in low) and rx(r"<[a-z/|<]|\[/?inst").search(low):
        for match in rule("tags").finditer(low):
            yield match.start(), match[0]
    speakers = words_of("speakers")
    if words.isdisjoint(speakers):
        return
    starts = rf"(?m)^[\W\d]{{0,12}}(?:\w+ )?(?:{'|'.join(speakers)})"
    if rx(starts).search(low):
        begun = "|".join(table("phrases", "turns"))
        lines = rf"(?m)^[ \t>*\d.)-]{{0,6}}(?:\[[ x]\] )?(?:{begun})"
        for match in rx(lines).finditer(low):
            yield match.start(), match[0]


def unshown(low: str) -> Iterator[tuple[int, Words]]:
    """Hidden places that order or address somebody (J03): offset, and the words."""
    shut = low.count("<!--") > low.count("<!-- eco-mem:contract:")  # not ours alone
    if not shut and not any(sign in low for sign in UNSHOWN):
        return
    for match in rule("unshown").finditer("\n" + low):
        inner = next(group for group in match.groups() if group)
        hail = rule("hail").search(inner)
        words = [words_in(hail[0])] if hail else []
        words += [found for *_, found in phrased(inner)]
        words += [found for _, found in weighed(inner)]
        if words:
            yield max(match.start() - 1, 0), words[0]


def fetched(low: str, words: set[str]) -> Iterator[re.Match[str]]:
    """Commands that fetch and run at once (J07)."""
    if not words.isdisjoint(FETCHERS):
        yield from rule("fetch").finditer(low)


def untold(low: str) -> str:
    """The text with the ends of sentences blanked that retell what a text ordered."""
    return rule("retold").sub(lambda match: rx(r"[^\x0a]").sub(" ", match[0]), low)


def words_in(text: str, only: frozenset[str] = frozenset()) -> Words:
    """The words of a text, or those of them that are in only."""
    found = rx(WORD).findall(text)
    return tuple(word for word in found if word in only) if only else tuple(found)


def _by_words(page: Reading, low: str, reported: bool) -> Iterator[Order]:
    """The orders that a text with the rows of the page gives in words."""
    for reading in (low, *readings(low, page.words)):
        for order in phrased(reading, reported):
            yield Order(*order)
    for at, verb in squashed(low):
        yield Order(page.row(at), "J04", (verb,))
    for row, words in weighed(low if reported else untold(low)):
        yield Order(row, "J05", words)


def _by_marks(page: Reading, low: str) -> Iterator[Order]:
    """The orders that it gives by marks, hidden places and commands."""
    for at, mark in marks(low, page.words):
        yield Order(page.row(at), "J02", words_in(mark))
    for at, words in unshown(low):
        yield Order(page.row(at), "J03", words)
    for match in fetched(low, page.words):
        yield Order(page.row(match.start()), "J07", words_in(match[0], COMMANDS))


def _meant(page: Reading) -> Iterator[tuple[int, str]]:
    """The orders that are not quoted: row and code.

    Fences, block quotes and code spans quote; so do quotation marks where others are
    reported. But a command that fetches from no proper host is meant to be run.
    """
    shown = bare(page.low, QUOTED)
    unquoted = bare(shown)
    for order in _by_marks(page, unquoted):
        yield order.row, order.code
    for order in _by_words(page, unreported(unquoted), reported=False):
        yield order.row, order.code
    for match in fetched(shown, page.words):
        line = page.low[page.line(match.start())]
        if rx(UNSAFE).search(match[0]) and not rule("reported").search(line):
            yield page.row(match.start()), "J07"


def orders(page: Reading) -> Iterator[tuple[int, str, str, Words]]:
    """Orders to the reader: row, code, level (lower for a quotation), and words."""
    found = [
        *_by_words(page, page.low, reported=True),
        *_by_marks(page, page.low),
    ]
    meant = set(_meant(page))
    for row, code, words in found:
        yield row, code, "error" if (row, code) in meant else "warning", words
        meant.discard((row, code))
    for row, code in meant:
        yield row, code, "error", ()
