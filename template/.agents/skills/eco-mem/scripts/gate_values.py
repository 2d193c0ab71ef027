"""Credentials by shape: URLs, commands, names with a value (G03-G05, G09)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_text import Reading, rx, spots
from gate_tokens import dull, literal, matches, prosaic, rule, terms

SWING = r"(?i)[a-z](?=\d)|\d(?=[a-z])"
WITH = r"(?:with|and|[^\w\s]) ?$"
SIGNS = r"!#-&*+.\w?@^~-"  # of a word that may be a secret
UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
RUN = r"(?<![\w/+.-])[\w+/-]{24,255}={0,2}(?![\w/+-]|\.\w)"


def pair(user: str, word: str) -> bool:
    """True for a user and a password, as URLs and basic authorization have them."""
    if word == user or rule("no_pair").match(word.lower()):
        return False
    return literal(word)


def rate(value: str) -> int:
    """How much a word looks like a password that somebody chose, from 0 to 3."""
    if not 5 <= len(value) <= 128 or not rx("[A-Za-z]").search(value):
        return 0
    if not rx(r"[\d!@#$%^&*+?~]").search(value) or not literal(value):
        return 0
    if rule("wordy").fullmatch(value):
        low = value.lower()
        chosen = rule("chosen").fullmatch(low) and not rule("no_password").search(low)
        return int(bool(chosen) and not rx(r"^[A-Z]+\W?\d").match(value))
    if len(value) < 6 or rx("[0-9a-f]{7,}").fullmatch(value):
        return 2
    kinds = [bool(rx(kind).search(value)) for kind in ("[a-z]", "[A-Z]", r"\d")]
    mixed = sum(kinds) > 1 and rx("[!@#$%^&*?~]").search(value)
    swings = len(value) > 7 and len(rx(SWING).findall(value)) > 1 - all(kinds)
    return 3 if mixed or swings else 2


def opaque(value: str, least: int = 16) -> bool:
    """True for a run of mixed letters and figures that no language explains."""
    if len(value) < least or dull(value) or not literal(value):
        return False
    figures = sum(c.isdigit() for c in value)
    classes = len(rx("[a-z]+|[A-Z]+|[0-9]+").findall(value))
    if figures < 2 or len(value) - figures < 3 or classes * 5 < len(value):
        return False
    if value.lower() == value:
        return len(rx(SWING).findall(value)) > 2
    spoken = sum(map(len, rx("[A-Z][a-z]{3,}|[a-z]{4,}").findall(value)))
    return spoken * 3 < len(value) * 2


def trim(raw: str) -> str:
    """A value without what closes it or follows it without a space."""
    return rx(r"[,;&]\w{1,40}=").split(raw)[0].lstrip("*").rstrip(".,;:)]}>*_\"'`\\")


def given(tail: str) -> str:
    """The value that a sign or a verb right after a name gives it, or nothing."""
    named = tail[:1] == "_" and rule("about").match(tail[1:].lower())
    match = None if named else rule("gives").match(tail)
    return trim(match[1]) if match else ""


def told(tail: str, ties: str) -> bool:
    """Does the phrase after the name of a password tell it?"""
    phrase = rx(r"[.;]\s").split(tail[:110])[0]
    least = 3 if rule("about").match(phrase) else 1
    phrase = rx("[\u0400-\uffff]+").sub(" ~ ", phrase)
    for match in rx(rf"[={SIGNS}]+(?![={SIGNS}]|[(/:]\w)").finditer(phrase):
        value = trim(match[0])
        score = max(rate(value), rate(value.partition("=")[2]))
        if not score:
            continue
        before = phrase[max(0, match.start() - 40) : match.start()]
        need = least if rule(ties).search(before) else 3 - before.endswith("~ ")
        loose = need > 2 and ties == "paired" and not rx("[!@#$%^&*?~]").search(value)
        if score < need or rx(UUID).fullmatch(value):
            continue
        if loose and not rule("along").search(before):
            continue
        if not rule("untied").search(before.lower()):
            return True
    return False


def keyed(tail: str) -> bool:
    """Does the phrase after the name of a key hold an opaque run, and no hash?"""
    phrase = rx(r"[.;]\s").split(tail.replace(";", ",")[:110])[0]
    found = [run for run in rx(f"[{SIGNS}]+").findall(phrase) if opaque(trim(run), 20)]
    return bool(found) and not rule("hashes").search(phrase.split(found[0])[0].lower())


def named(page: Reading, start: int, end: int) -> bool:
    """True where a name ends: not inside of a longer word."""
    after, before = page.low[end : end + 1], page.low[max(0, start - 4) : start]
    if after.isascii() and after.isalnum():
        return False
    camel = page.text[start:end].istitle() and page.text[start - 1].islower()
    joined = before[-1:].isascii() and before[-1:].isalpha()
    return not joined or camel or end - start > 5 or before.endswith(("api", "auth"))


def tails(page: Reading, start: int, end: int) -> list[str]:
    """What stands after a name; of the heading of a column, its cells."""
    tail, *below = page.text[end : end + 440].split("\n")
    if "|" in tail and below and not below[0].strip(" |:-"):
        column = page.text.count("|", page.line(start).start, start)
        rows = (row.split("|") for row in below[1:6])
        return [f": {row[column].strip(' `*')}" for row in rows if len(row) > column]
    if tail[:1] == ">" and "</" in tail:
        return [f"={tail[1:]}"]
    headed = below and ":" in tail and not tail.strip(" :*_`")
    return [f": {below[0].strip(' >*_`-')}" if headed else tail]


def passed(name: str, tail: str, before: str) -> bool:
    """Does what stands around the name of a password give it away?"""
    if name == "pass" and tail[:1] == " " and not rx(WITH).search(before):
        return rate(trim(tail.split(" ", 2)[1].lstrip("`'\""))) == 3  # maybe the verb
    if tail[:1] in ("_", ".", "@") or rx(r"-\w").match(tail):
        return False
    said = rule("before").search(before) if " is " in before else None
    if said and rate(trim(said[1])) == 3:
        return True
    if name not in terms("passwords"):
        return told(tail, "paired")
    drawn = rule("passphrase" if name == "passphrase" else "phrase").match(tail)
    return told(tail, "tied") or (
        drawn is not None and not prosaic(drawn[drawn.lastindex or 0])
    )


def filled(kind: str, name: str, tail: str, before: str) -> bool:
    """Is the name of a credential given a value?"""
    value = given(tail)
    if kind in ("passwords", "logins"):
        return rate(value) > (kind == "logins") or passed(name, tail, before)
    if rx("[-_ ]?ids?\\b").match(tail.lower()):
        return False
    public = before.lower().rstrip("-_ ").endswith(tuple(terms("public")))
    return not public and (opaque(value) or keyed(tail))


def assigned(page: Reading) -> Iterator[tuple[int, str]]:
    """Values given to the name of a credential (G05; G04 in a header or cookie)."""
    for kind in ("passwords", "logins", *(("sent", "keys") if page.long else ())):
        for start, end in spots(page.low, terms(kind)):
            before = page.text[max(0, start - 130) : start]
            for tail in tails(page, start, end) if named(page, start, end) else ():
                if filled(kind, page.low[start:end], tail, before):
                    head = before[-1:] == "-" and ":" in tail[:2]
                    yield start, "G04" if head or kind == "sent" else "G05"


def shapes(page: Reading) -> Iterator[tuple[int, str]]:
    """URLs (G03), commands and codes (G05) that let somebody in: offset and code."""
    if "://" in page.low and "@" in page.low:
        for match in rule("urls").finditer(page.text):
            if pair(match[1], match[2]):
                yield match.start(), "G03"
    for match in matches(page, "commands", page.text):
        value = trim(match[1])
        if rate(value) > 1 or opaque(value):
            yield match.start(), "G05"
    for match in matches(page, "codes", page.low):
        yield match.start(), "G05"


def runs(page: Reading) -> Iterator[tuple[int, str]]:
    """Opaque runs (G09), worse on a line that speaks of a credential (G05)."""
    for match in rx(RUN).finditer(page.text if rx(RUN).search(page.long) else ""):
        hexed = rx(r"(?i)(?:[a-z]+[-_/])*[\da-f-]+").fullmatch(match[0])
        line = page.low[page.line(match.start())]
        if not hexed and opaque(match[0], 24) and not rule("hashes").search(line):
            yield match.start(), "G05" if rule("near").search(line) else "G09"
