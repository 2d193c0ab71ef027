"""The write gate: what no entry may hold, secrets (G01-G09) and orders (J01-J07)."""

from __future__ import annotations

from ecomem.cheap_imports import NamedTuple
from ecomem.gate.credentials import assigned, pair, runs, shapes
from ecomem.gate.injection import orders
from ecomem.gate.people import numbers, patients, transcripts
from ecomem.gate.text import Reading, fold, hidden, pattern, rx, unescaped, unpack
from ecomem.gate.tokens import keys, tokens

RULES = (keys, assigned, shapes, runs, tokens, numbers, patients, transcripts)
# What says the same of a line and says it better.
SAYS = {"G09": ("G01", "G02", "G03", "G04", "G05"), "J05": ("J04",)}
SIGNS = {"basic", "authorization"}
BASIC = r"([\w.@-]{1,64}):(\S{4,64})"  # what a basic authorization packs


class Hit(NamedTuple):
    """One finding: line from 1, code, level ("error" or "warning"); never the text."""

    line: int
    code: str
    level: str


def scan(text: str, strict: frozenset[int] = frozenset()) -> list[Hit]:
    """What is wrong with a text: one hit a line and code, sorted.

    text is a whole Markdown file, its lines counted by LF, CRLF or CR. On the lines of
    strict (title, cue, row) quoting lowers nothing and every J finding is an error.
    """
    worst: dict[tuple[int, str], str] = {}
    for line, code, level in _scan(text, packed=False):
        if code[0] == "J" and line in strict:
            level = "error"
        if worst.get((line, code)) != "error":
            worst[line, code] = level
    return sorted(
        Hit(line, code, level)
        for (line, code), level in worst.items()
        if not any(worst.get((line, c)) in ("error", level) for c in SAYS.get(code, ()))
    )


def _scan(text: str, packed: bool) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii() or any(c in text for c in "\x00\x08\x1b\x7f"):
        found += [(line, code, "error") for line, code in hidden(text)]
        text = fold(text)
        row, seen = 1, 0
        for match in pattern("secrets", "mixed").finditer(text):
            row, seen = row + text.count("\n", seen, match.start()), match.start()
            found.append((row, "J06", "warning"))
    bared = text if packed else unescaped(text)
    if bared != text:
        found += _scan(bared, packed=True)
    page = Reading(text)
    places = [(at, code, "error") for rule in RULES for at, code in rule(page)]
    for at, code, level in places:
        found.append((page.row(at), code, "warning" if code == "G09" else level))
    found += orders(page)
    at = 0
    for run, inner in unpack(page.long) if page.long and not packed else ():
        at = max(text.find(run, at), 0)
        line = text.count("\n", 0, at) + 1
        found += [(line, code, level) for _, code, level in _scan(inner, packed=True)]
        basic = rx(BASIC).fullmatch(inner) if page.words & SIGNS else None
        if basic and pair(basic[1], basic[2]):
            found.append((line, "G04", "error"))
    return found
