"""People: identity numbers by checksum, patient records, transcripts (G06-G08)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from gate_text import Reading, rx
from gate_tokens import calls, rows, rule, terms

PERSON = r"[A-Z][a-z.'-]+(?: [A-Z][a-z.'-]*)?|[^\0-\x7f]{2,6}"
NAME = rf"[A-PR-Z][\w.'-]{{0,20}}(?: [A-Z][\w.'-]{{0,20}}| \d)?|(?:\*\*|@)[\w.-]{{2,20}}|{PERSON}"
INLINE = r"(?<=[.?!:\"”|/]) (?=\**\w[\w .]{0,20}\**: )"
FIGURES = "0(?:0{5}|[0 ]{9,}0)"
VAGUER = {2, 3, 6}  # facts of a patient that a text about software may state as well


@cache
def schemes() -> list[tuple[str, list[str], list[str], str, str]]:
    """The schemes of numbers: name, figures and words that call it, pattern, topic."""
    found: list[tuple[str, list[str], list[str], str, str]] = []
    for item in terms("numbers"):
        name, calls, form, topic = (*item.split("  "), "")[:4]
        words = [call for call in calls.split("|") if "0" not in call]
        shapes = [call for call in calls.split("|") if "0" in call]
        shapes = [shape.replace("_", gap) for shape in shapes for gap in ("", " ")]
        found.append((name, shapes, words, rf"(?<![\w.#/-])(?:{form})(?![\w-])", topic))
    return found


@cache
def weights() -> dict[str, tuple[str, str]]:
    """How each scheme with a check weighs its figures, and which signs may follow."""
    items = (item.split("  ") for item in terms("weights"))
    return {scheme: (factors, marks) for scheme, factors, marks in items}


def weighed(scheme: str, value: str, start: int = 0) -> bool:
    """Does the sign after the weighed figures follow from them?"""
    factors, marks = weights()[scheme]
    total = start + sum(int(w, 36) * int(c, 36) for w, c in zip(factors, value))
    return value[len(factors)] == marks[total % len(marks)]


def luhn(value: str) -> bool:
    """Does a number pass the check of payment cards?"""
    twice = sum(sum(divmod(int(c) * 2, 10)) for c in value[-2::-2])
    return (twice + sum(map(int, value[::-2]))) % 10 == 0


def real(scheme: str, value: str) -> bool:
    """Does a number pass the check of its scheme, and is it no known sample?"""
    start = 0
    if len(set(value)) < 4 or value in terms("number_samples"):
        return False
    if scheme == "card":
        branded = "0000000" not in value and rule("brands").match(value)
        return bool(branded) and luhn(value)
    if scheme == "luhn":
        return luhn(value)
    if scheme == "iban":
        number = "".join(str(int(c, 36)) for c in value[4:] + value[:4])
        return 14 < len(value) < 35 and int(number) % 97 == 1
    if scheme == "ssn":
        return not rx(r"000|666|9|\d{3}00|\d{5}0000").match(value)
    if scheme in ("nir", "rijks"):
        body, check = divmod(int(value.replace("2A", "19").replace("2B", "18")), 100)
        return check in (97 - body % 97, 97 - (2 * 10**9 + body) % 97)
    if scheme == "nric":
        scheme, start = "S" if value[0] in "ST" else "F", 4 * (value[0] in "TG")
    elif scheme == "hkid":
        value, start = value.rjust(9, "0"), 324 * (len(value) == 8)
    elif scheme == "taiwan":
        value = f"{'ABCDEFGHJKLMNPQRSTUVXYWZIO'.index(value[0]) + 10}{value[1:]}"
    elif scheme == "dni":
        value = f"{'XYZ'.find(value[0]) if value[0] in 'XYZ' else value[0]}{value[1:]}"
    elif scheme == "rut":
        value = value.rjust(9, "0")
    checks = [name for name in (scheme, f"{scheme}2") if name in weights()]
    return all(weighed(name, value.upper(), start) for name in checks)


def spoken(page: Reading, at: int, topic: str, near: bool) -> bool:
    """Do the lines up to an offset, or its own line alone, speak of a topic?"""
    line = page.line(at)
    block = page.low.rfind("\n\n", max(0, at - 600), line.start)
    said = page.low[line.start if near or block < 0 else block : line.stop]
    return bool(rx(topic).search(said) or (not near and rule("identity").search(said)))


def numbers(page: Reading) -> Iterator[tuple[int, str]]:
    """Numbers that name one person and pass their own check (G06): offset, code."""
    upper = rx("[A-Z]{6}[0-9]{2}").search(page.long)
    figures = upper or rx(FIGURES).search(page.shape) or not page.low.isascii()
    if not figures and page.words.isdisjoint(terms("titles")):
        return
    for name, shapes, words, form, topic in schemes():
        called = upper if words == ["~"] else any(word in page.low for word in words)
        if not called and not any(shape in page.shape for shape in shapes):
            continue
        for match in list(rx(form).finditer(page.text))[:99]:
            at, value = match.start(), rx("[ ().+/-]").sub("", match[0])
            said = not topic or spoken(page, at, topic, name[-1] == "!")
            if said and real(name, value):
                yield at, "G06"


def patients(page: Reading) -> Iterator[tuple[int, str]]:
    """Records of a patient (G07): offset and code."""
    low = page.low
    if low.isascii() and page.words.isdisjoint(terms("care")):
        return
    yield from ((match.start(), "G07") for match in rule("records").finditer(low))
    for match in list(rule("label").finditer(low))[:99]:
        near = low[max(0, match.start() - 200) : match.start() + 400]
        facts = enumerate(terms("facts"))
        found = {at for at, fact in facts if rx(fact).search(near)}
        if len(found) > 1 and found - VAGUER and not rule("schema").search(near):
            yield match.start(), "G07"


def transcripts(page: Reading) -> Iterator[tuple[int, str]]:
    """Chats, mails and captions kept word for word (G08): offset and code."""
    low = f"\n{page.low}"
    calling = page.words & calls("chats")
    for words, rest in rows("chats") if calling else ():
        if not calling.isdisjoint(words):
            least, kinds, form = rest.split("  ", 2)
            found = list(rx(form).finditer(low))
            if len(found) >= int(least) and len({m[1] for m in found}) >= int(kinds):
                yield found[0].start(), "G08"
    timed = page.shape.count("0 00") > 2
    people = not page.words.isdisjoint(terms("people"))
    if timed or people or "?" in low or page.words & {"i", "we"} or not low.isascii():
        said = list(turns(page))
        if talked(said):
            yield said[0][0], "G08"
    if timed:
        heads = list(rule("above").finditer(f"\n{page.text}"))
        if repeated([match[1] or match[2] for match in heads]):
            yield heads[0].start(), "G08"


def turns(page: Reading) -> Iterator[tuple[int, bool, str, str]]:
    """What somebody says: where, whether with a stamp, who, and the words."""
    at = 0
    for line in page.text.split("\n"):
        for part in rx(INLINE).split(line) if line.count(": ") > 1 else [line]:
            said = ":" in part[:70] or "> " in part[:70] or "| " in part[9:70]
            match = rule("turn").match(part) if said else None
            if match and match[2].strip("*_ ").lower() not in terms("labels"):
                nick = match[4] == ">" and "</" not in part
                who = match[2].lower() if match[4] == "|" else match[2]
                yield at, bool(match[1] or match[3] or nick), who.strip("_ "), match[5]
        at += len(line) + 1


def talked(said: list[tuple[int, bool, str, str]]) -> bool:
    """Are these the turns of a talk: of people and helpers, timed, or in the I form?"""
    people, roles = terms("people"), terms("people") + terms("helpers")
    sides = [x for *_, who, _ in said if (x := who.strip("*<@").lower()) in roles]
    timed = [(who, words.lower()) for _, stamped, who, words in said if stamped]
    named = [(x, words.lower()) for *_, x, words in said if rx(NAME).fullmatch(x)]
    talks = [(x, y) for x, y in named if rule("says").search(y) or not x.isascii()]
    replies = [who for who, words in timed if rule("replies").search(words)]
    replies += [who for who, _ in timed if rx(PERSON).fullmatch(who)]
    owns = [words for _, words in talks if rule("owns").search(words)]
    return (
        (repeated(sides) and not set(people).isdisjoint(sides))
        or (len(replies) > 1 and repeated([who for who, _ in timed]))
        or (len(owns) > 1 and repeated([who for who, _ in talks]))
    )


def repeated(names: list[str]) -> bool:
    """Three lines and more of two speakers and more, who speak again."""
    return len(names) > 2 and 1 < len(set(names)) < len(names)
