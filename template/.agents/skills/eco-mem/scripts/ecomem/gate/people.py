"""People: identity numbers, patient records, transcripts, private details (G06-G08, G10)."""

from __future__ import annotations

from ecomem.cheap_imports import Iterator, NamedTuple
from ecomem.gate.text import Reading, rx
from ecomem.gate.tokens import called, matches, rows, rule, terms

CLOSE = 400  # characters between two details of one person
FIELD = r"- [a-z_-]{2,16}: "  # a field of an entry's header
COMMON = {"the", "private", "mobile", "home", "phone", "contact", "born", "birthday"}
CHINA = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)  # weights of its digits


def luhn(value: str) -> bool:
    """True for digits that pass the Luhn check, as those of a card do."""
    twice = sum(sum(divmod(int(digit) * 2, 10)) for digit in value[-2::-2])
    return (twice + sum(map(int, value[::-2]))) % 10 == 0


def real(scheme: str, value: str) -> bool:
    """True for a number that passes the check of its scheme and is no known sample."""
    if len(set(value)) < 4 or any(item in value for item in terms("number_samples")):
        return False
    if scheme == "luhn":
        return luhn(value)
    if scheme == "iban":
        return int("".join(str(int(c, 36)) for c in value[4:] + value[:4])) % 97 == 1
    if scheme == "china":
        total = sum(weight * int(digit) for weight, digit in zip(CHINA, value))
        return value[-1].upper() == "10X98765432"[total % 11]
    return True


def numbers(page: Reading) -> Iterator[tuple[int, str]]:
    """Numbers that name one person (G06): offset, code.

    The scheme of a number is known by its form and check, or by a name before it.
    """
    if not rule("digits").search(page.shape):
        return
    for scheme, form in rows("numbers"):
        for match in rx(rf"(?<![\w.#/-])(?:{form})(?![\w-])").finditer(page.text):
            if real(scheme, plain(match[0])):
                yield match.start(), "G06"
    for match in rule("named_number").finditer(page.low):
        near = page.low[page.line(match.start())]
        if real("named", plain(match[1])) and not rule("schema").search(near):
            yield match.start(), "G06"


def plain(number: str) -> str:
    """A number without the signs between its digits."""
    return rx("[ ().+/-]").sub("", number)


def patients(page: Reading) -> Iterator[tuple[int, str]]:
    """Records of a patient (G07): offset and code."""
    for match in matches(page, "records", page.low):
        yield match.start(), "G07"
    for match in list(rule("label").finditer(page.low))[:99]:
        near = page.low[max(0, match.start() - 200) : match.start() + 400]
        sure = sum(bool(rx(fact).search(near)) for fact in terms("facts"))
        facts = sure + sum(bool(rx(fact).search(near)) for fact in terms("vague"))
        if sure and facts > 1 and not rule("schema").search(near):
            yield match.start(), "G07"


def transcripts(page: Reading) -> Iterator[tuple[int, str]]:
    """Chats, mails and captions kept word for word (G08): offset and code."""
    low = f"\n{page.low}"
    for item in called(page, "chats"):
        least, kinds, form = item.split("  ", 2)
        parts = list(rx(form).finditer(low))
        if len(parts) >= int(least) and len({m[1] for m in parts}) >= int(kinds):
            yield parts[0].start(), "G08"
    timed = page.shape.count("0 00") > 2
    at = talk(list(turns(page)))
    if at is not None:
        yield at, "G08"
    if timed:
        heads = list(rule("above").finditer(f"\n{page.text}"))
        heads = [m for m in heads if is_speaker(m[1] or m[2])]
        if repeated([match[1] or match[2] for match in heads]):
            yield heads[0].start(), "G08"


class Turn(NamedTuple):
    """A line that somebody may have said: its offset, speaker and words.

    stamped: a time or a mark shows that it is one.
    """

    at: int
    stamped: bool
    speaker: str
    words: str


def is_speaker(name: str) -> bool:
    """True for a name that may speak: no label, weekday or edge of a diagram."""
    first = name.strip("*_ ").lower().split(" ")[0]
    return not name.rstrip().endswith("-") and not rule("labels").match(first)


def turns(page: Reading) -> Iterator[Turn]:
    """The lines of a page that somebody may have said: no header, no row of a table."""
    at = 0
    for line in page.text.split("\n"):
        parts = rule("within").split(line) if line.count(": ") > 1 else [line]
        if line.lstrip().startswith("|") or rx(FIELD).match(line):
            parts = []
        for part in parts:
            turn = rule("turn").match(part) if rx("[:>]").search(part[:70]) else None
            if turn and is_speaker(turn[2]):
                nick = turn[4] == ">" and "</" not in part
                stamped = bool(turn[1] or turn[3] or nick)
                yield Turn(at, stamped, turn[2].strip("*_<@ "), turn[5].lower())
        at += len(line) + 1


def talk(said: list[Turn]) -> int | None:
    """The offset of the first turn of a talk, or None.

    A talk is one of people and helpers, or its lines have times, and people in it.
    """
    people = set(terms("people"))
    sides = [x for x in said if x.speaker.lower() in {*people, *terms("helpers")}]
    names = [x.speaker.lower() for x in sides]
    if repeated(names) and not people.isdisjoint(names):
        return sides[0].at
    timed = [x for x in said if x.stamped]
    people_in_it = [
        x
        for x in timed
        if rule("replies").search(x.words) or rule("person").fullmatch(x.speaker)
    ]
    if len(people_in_it) > 1 and repeated([x.speaker for x in timed]):
        return timed[0].at
    return None


def repeated(names: list[str]) -> bool:
    """True for three lines and more of two speakers and more, one of them again."""
    return len(names) > 2 and 1 < len(set(names)) < len(names)


class Detail(NamedTuple):
    """A private detail of a person: its offset, end, kind, and if it warns alone."""

    at: int
    end: int
    kind: str
    telling: bool


def private(page: Reading) -> Iterator[tuple[int, str]]:
    """Private details of a person (G10): offset, and level.

    Two details of different kinds near each other are an error, one with a name on its
    line is a warning. Addresses of roles and numbers of services are facts.
    """
    found = sorted(details(page))
    reported: set[str] = set()
    for at, one in enumerate(found):
        near = [x for x in found[at + 1 :] if x.at - one.end < CLOSE]
        others = {x.kind for x in near} - {one.kind}
        if others and not reported & others:
            yield one.at, "error"
            reported = {one.kind, *others}
        elif not others and one.telling and not reported:
            line = page.text[page.line(one.at)]
            if named_person(line):
                yield one.at, "warning"


def details(page: Reading) -> Iterator[Detail]:
    """The private details on a page, those of roles, services and samples left out."""
    kinds = ["mail_detail"] if "@" in page.text else []
    if rx(r"\d").search(page.text):
        kinds += ["phone_detail", "birth_detail", "street_detail"]
    for kind in kinds:
        for match in list(rule(kind).finditer(page.text))[:99]:
            low = match[0].lower()
            line = page.low[page.line(match.start())]
            near = page.low[max(0, match.start() - 100) : match.end() + 60]
            if rule("schema").search(near) or rule("sample_person").search(near):
                continue
            if kind != "birth_detail" and rule("service").search(line):
                continue
            if kind == "mail_detail" and rule("role").match(low):
                continue
            telling = kind != "mail_detail" or bool(rule("private_host").search(low))
            yield Detail(match.start(), match.end(), kind, telling)


def named_person(line: str) -> bool:
    """True for a line with two capitalised words in a row, as a full name has them."""
    row = rx(r"[^\W\d_][\w'\u2019-]*").findall(line)
    proper = [
        word[:1].isupper() and word[1:].islower() and word.lower() not in COMMON
        for word in row
    ]
    pairs = any(one and two for one, two in zip(proper, proper[1:]))
    return pairs or bool(rule("named").search(line.lower()))
