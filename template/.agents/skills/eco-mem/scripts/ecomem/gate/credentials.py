"""Credentials by shape: URLs, commands, names with a value (G03-G05, G09)."""

from __future__ import annotations

from ecomem.cheap_imports import Iterator
from ecomem.gate.text import Reading, rx, spots
from ecomem.gate.tokens import in_words, literal, matches, opaque, rule, terms


def is_pair(user: str, word: str) -> bool:
    """True for a user and a password, as URLs and basic authorization have them."""
    return word != user and not rule("no_pair").match(word.lower()) and literal(word)


def rate(value: str) -> int:
    """Rate how much a word looks like a password that somebody chose, from 0 to 3."""
    if value.isalpha() and scrambled(value):
        return 2
    if not rule("password_like").fullmatch(value) or not literal(value):
        return 0
    if rule("wordy").fullmatch(value):
        return int(bool(rule("chosen").fullmatch(value)))
    return 3 if rule("strong").match(value) else 2


def scrambled(value: str) -> bool:
    """True for letters of both cases in no order that a name in camel case has."""
    plain = value.islower() or value.isupper() or not value.isascii()
    return len(value) > 9 and not plain and in_words(value) * 3 < len(value)


def trim(raw: str) -> str:
    """A value without what closes it or follows it without a space."""
    return rx(r"[,;&]\w{1,40}=").split(raw)[0].lstrip("*").rstrip(".,;:)]}>*_\"'`\\")


def gives_password(tail: str, ties: str) -> bool:
    """True where the phrase after the name of a password contains it."""
    phrase = rx(r"[.;]\s|\x0a").split(tail[:110])[0]
    for match in rule("word").finditer(phrase):
        value, at = trim(match[0]), match.start()
        score = max(rate(value), rate(value.partition("=")[2]))
        if score == 0 or rule("untied").search(phrase, 0, at):
            continue
        near = ties == "tied" or rule("along").search(phrase, 0, at)
        linked = phrase[:at].endswith(("/", "]("))
        loose = score == 3 and not linked and (near or rx("[!@#$%^&*?~]").search(value))
        if loose or rule(ties).search(phrase, 0, at):
            return True
    return False


def gives_key(tail: str) -> bool:
    """True where the phrase after the name of a key contains an opaque run, no hash."""
    phrase = rx(r"\.\s|\x0a").split(tail[:110])[0]
    for match in rx(r"[!#-&*+.\w?@^~-]{20,}").finditer(phrase):
        if opaque(trim(match[0]), 20):
            return not rule("hashes").search(phrase.lower(), 0, match.start())
    return False


def named(page: Reading, start: int, end: int) -> bool:
    """True where a name ends: not inside of a longer word."""
    camel = page.text[start:end].istitle() and page.text[start - 1].islower()
    begins = rx("(?:^|[^a-z]|api|auth)$").search(page.low, max(0, start - 4), start)
    goes_on = rx("[a-z0-9]").match(page.low, end)
    return not goes_on and bool(begins or camel or end - start > 5)


def tails(page: Reading, start: int, end: int) -> list[str]:
    """The text after a name; for a heading of a column its cells, else a value below.

    A value below is that of Kubernetes: `name: DB_PASSWORD`, and `value:` on a line of
    its own.
    """
    tail, *below = page.text[end : end + 440].split("\n")
    if "|" in tail and below and not below[0].strip(" |:-"):
        column = page.text.count("|", page.line(start).start, start)
        rows = (row.split("|") for row in below[1:6])
        return [f": {row[column].strip(' `*')}" for row in rows if len(row) > column]
    if not tail.strip(" \"'`,:{"):
        value = rx(r"\s*[\"']?(?:value|default)[\"']?\s*[:=]\s*(\S.*)")
        for match in map(value.match, below[:2]):
            if match:
                return [f": {match[1]}"]
    return [page.text[end : end + 440]]


def passed(name: str, tail: str, before: str) -> bool:
    """True where the text around the name of a password gives it away."""
    verb = name + tail[:1] == "pass " and not rule("pass_is").search(before)
    if verb or rule("no_value").match(tail):
        return False
    said = rule("before").search(before) if " is " in before else None
    first = said and rate(trim(said[1])) == 3
    ties = "tied" if name in terms("passwords") else "paired"
    return bool(first or rule("phrase").match(name + tail)) or gives_password(
        tail, ties
    )


def filled(kind: str, name: str, tail: str, before: str) -> bool:
    """True where the name of a credential is given a value."""
    if rx(r"/[\w-]{0,40}-$").search(before):  # a path, as of /reset-password
        return False
    match = rule("gives").match(tail)
    value = trim(match[1]) if match else ""
    if kind in ("passwords", "logins"):
        return rate(value) > (kind == "logins") or passed(name, tail, before)
    if (kind == "sent" or ":" in value) and rule("plain_id").fullmatch(value):
        return "cookie" in before.lower().rpartition("\n")[2] + name
    if kind == "sent" and tail[:1] == "_":
        return False
    public = rule("public").search(before.lower()) or rule("id_of").match(tail)
    return not public and (opaque(value) or gives_key(tail))


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
            if is_pair(match[1], match[2]):
                yield match.start(), "G03"
    for match in matches(page, "commands", page.text):
        if rate(trim(match[match.lastindex or 0])) > 0:
            yield match.start(), "G05"
    for match in matches(page, "codes", page.low):
        yield match.start(), "G05"


def kubernetes(page: Reading) -> Iterator[tuple[int, str]]:
    """Values in the data of a Kubernetes Secret (G05), packed as base64: offset, code."""
    if not {"kind", "secret", "data"} <= page.words:
        return
    from binascii import a2b_base64

    for match in rule("secret_data").finditer(page.text):
        try:
            value = a2b_base64(match[1] + "==").decode("ascii").strip()
        except ValueError:
            continue
        if rate(value) or opaque(value):
            yield match.start(), "G05"


def runs(page: Reading) -> Iterator[tuple[int, str]]:
    """Opaque runs (G09), worse on a line that speaks of a credential (G05)."""
    found = bool(page.long) and rule("run").search(page.long)
    for match in rule("run").finditer(page.text) if found else ():
        line = page.low[page.line(match.start())]
        if opaque(match[0], 24) and not rule("hashes").search(line):
            yield match.start(), "G05" if rule("near").search(line) else "G09"
