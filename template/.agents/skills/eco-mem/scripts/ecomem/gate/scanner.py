"""The write gate: scan a text for secrets (G01-G10) and orders to the reader (J01-J07)."""

from __future__ import annotations

from ecomem.cheap_imports import NamedTuple
from ecomem.gate.credentials import assigned, is_pair, kubernetes, runs, shapes
from ecomem.gate.injection import orders
from ecomem.gate.people import numbers, patients, private, transcripts
from ecomem.gate.text import Reading, fold, hidden, pattern, rx, unescaped, unpack
from ecomem.gate.tokens import keys, tokens

RULES = (
    keys,
    assigned,
    shapes,
    kubernetes,
    runs,
    tokens,
    numbers,
    patients,
    transcripts,
)
# Findings that make another finding on the same line redundant.
REDUNDANT = {
    "G09": ("G01", "G02", "G03", "G04", "G05"),
    "G10": ("G06", "G07", "G08"),
    "J05": ("J04",),
}
RECORDS = {"G07", "G08"}  # whose texts hold names all over: no word of them is quoted
AUTH = {"basic", "authorization", "auth"}
BASIC = r"([\w.@-]{1,64}):(\S{4,64})"  # what a basic authorization packs
DEPTH = 2  # base64 inside of base64, as a Docker secret of Kubernetes has it
MAX_WORDS, MAX_LETTERS = 3, 24


class Hit(NamedTuple):
    """One finding: line from 1, code, level ("error" or "warning").

    words: for J findings, up to three words that made the finding, in alphabetical order;
    none for hidden characters, and none that is part of a secret.
    """

    line: int
    code: str
    level: str
    words: tuple[str, ...] = ()


def scan(text: str, strict: frozenset[int] = frozenset()) -> list[Hit]:
    """Scan a Markdown file: one hit a line and code, sorted.

    Lines are counted by LF, CRLF or CR. On the lines of strict (title, cue, row) quoting
    lowers nothing and every J finding is an error.
    """
    worst: dict[tuple[int, str], Hit] = {}
    for hit in _scan(text, depth=0):
        if hit.code[0] == "J" and hit.line in strict:
            hit = hit._replace(level="error")
        key = hit.line, hit.code
        known = worst.get(key)
        if known and known.level == hit.level:
            worst[key] = known._replace(words=(*known.words, *hit.words))
        elif not known or hit.level == "error":
            worst[key] = hit
    return sorted(
        hit._replace(words=_shown(hit.words))
        for hit in worst.values()
        if not _is_redundant(hit, worst)
    )


def _is_redundant(hit: Hit, found: dict[tuple[int, str], Hit]) -> bool:
    """True where another finding on the line is as bad and more exact."""
    for code in REDUNDANT.get(hit.code, ()):
        better = found.get((hit.line, code))
        if better and better.level in ("error", hit.level):
            return True
    return False


def _shown(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words that a finding quotes: the first three, shortened and sorted."""
    short = dict.fromkeys(word[:MAX_LETTERS] for word in words)
    return tuple(sorted([*short][:MAX_WORDS]))


def _scan(text: str, depth: int) -> list[Hit]:
    """All hits of a text, and of what is packed in it."""
    found: list[Hit] = []
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii() or any(c in text for c in "\x00\x08\x1b\x7f"):
        found += [Hit(line, code, "error") for line, code in hidden(text)]
        text = fold(text)
        row, seen = 1, 0
        for match in pattern("secrets", "mixed").finditer(text):
            row, seen = row + text.count("\n", seen, match.start()), match.start()
            found.append(Hit(row, "J06", "warning"))
    bared = text if depth else unescaped(text)
    if bared != text:
        found += _scan(bared, DEPTH)
    page = Reading(text)
    for rule in RULES:
        for at, code in rule(page):
            level = "warning" if code == "G09" else "error"
            found.append(Hit(page.row(at), code, level))
    for at, level in private(page):
        found.append(Hit(page.row(at), "G10", level))
    found += [Hit(*order) for order in orders(page)]
    if page.long and depth < DEPTH:
        found += _packed(page, text, depth)
    return _without_secrets(found, text, bared)


def _packed(page: Reading, text: str, depth: int) -> list[Hit]:
    """The hits in runs of base64 or hex, on the lines of the runs."""
    found: list[Hit] = []
    at = 0
    for run, inner in unpack(page.long):
        at = max(text.find(run, at), 0)
        line = text.count("\n", 0, at) + 1
        found += [hit._replace(line=line) for hit in _scan(inner, depth + 1)]
        basic = rx(BASIC).fullmatch(inner) if page.words & AUTH else None
        if basic and is_pair(basic[1], basic[2]):
            found.append(Hit(line, "G04", "error"))
    return found


def _without_secrets(hits: list[Hit], *texts: str) -> list[Hit]:
    """The hits, without words that stand in a paragraph where a secret was found."""
    secret = {hit.line for hit in hits if hit.code[0] == "G"}
    if not secret or not any(hit.words for hit in hits):
        return hits
    if not RECORDS.isdisjoint(hit.code for hit in hits):
        return [hit._replace(words=()) for hit in hits]
    barred: set[str] = set()
    for text in texts:
        row = 1
        for block in text.split("\n\n"):
            end = row + block.count("\n")
            if any(row <= line <= end for line in secret):
                barred.update(rx(r"[^\W\d_]+").findall(block.lower()))
            row = end + 2
    return [
        hit._replace(words=tuple(word for word in hit.words if word not in barred))
        for hit in hits
    ]
