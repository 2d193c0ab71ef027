"""People: identity numbers by checksum, patient records, transcripts (G06-G08)."""

from __future__ import annotations

from collections.abc import Iterator

from ecomem.gate.text import Reading, rx
from ecomem.gate.tokens import called, matches, rows, rule, terms

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # in the order of what they are worth


def weighed(value: str, check: str) -> bool:
    """Does the sign after the weighed figures follow from them?"""
    factors, marks, signs = (*check.split("  "), SIGNS)[:3]
    value = value.upper().rjust(len(factors) + 1, "0")
    total = sum(int(w, 36) * signs.index(c) for w, c in zip(factors, value))
    return value[len(factors)] == marks[total % len(marks)]


def real(scheme: str, value: str) -> bool:
    """Does a number pass the check of its scheme, and is it no known sample?"""
    if len(set(value)) < 4 or value in terms("number_samples"):
        return False
    if scheme == "luhn":
        twice = sum(sum(divmod(int(c) * 2, 10)) for c in value[-2::-2])
        return (twice + sum(map(int, value[::-2]))) % 10 == 0
    if scheme == "iban":
        return int("".join(str(int(c, 36)) for c in value[4:] + value[:4])) % 97 == 1
    if scheme in ("nir", "rijks"):  # who is born since 2000 has a 2 more in front
        body, check = divmod(int(value.replace("2A", "19").replace("2B", "18")), 100)
        return 0 in ((body + check) % 97, (2 * 10**9 + body + check) % 97)
    checks = [row for name, row in rows("weights") if name == scheme]
    return all(weighed(value, row) for row in checks)


def spoken(page: Reading, at: int, topic: str = "") -> bool:
    """Do the lines up to an offset speak of a topic, if any, or of an identity?"""
    line = page.line(at)
    block = page.low.rfind("\n\n", max(0, at - 600), line.start)
    said = page.low[line.start if block < 0 else block : line.stop]
    if rx(topic).search(said):
        return True
    return "$" not in topic and bool(rule("identity").search(said))


def numbers(page: Reading) -> Iterator[tuple[int, str]]:
    """Numbers that name one person and pass their own check (G06): offset, code."""
    if not (called(page, "titles") or rule("figures").search(page.shape)):
        return
    calls = page.shape if page.low.isascii() else page.low + page.shape
    for item in {item for call, item in rows("numbers") if call in calls}:
        scheme, form, *topic = item.split("  ")
        form = rf"(?<![\w.#/-])(?:{form})(?![\w-])"
        for match in list(rx(form).finditer(page.text))[:99]:
            value = rx("[ ().+/-]").sub("", match[0])
            if spoken(page, match.start(), *topic) and real(scheme, value):
                yield match.start(), "G06"


def patients(page: Reading) -> Iterator[tuple[int, str]]:
    """Records of a patient (G07): offset and code."""
    for match in matches(page, "records", page.low):
        yield match.start(), "G07"
    labels = rule("label").finditer(page.low) if called(page, "care") else ()
    for match in list(labels)[:99]:
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
    if timed or "?" in low or called(page, "talks"):
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
        for part in rule("within").split(line) if line.count(": ") > 1 else [line]:
            said = ":" in part[:70] or "> " in part[:70] or "| " in part[9:70]
            turn = rule("turn").match(part) if said else None
            if turn and turn[2].strip("*_ ").lower() not in terms("labels"):
                nick = turn[4] == ">" and "</" not in part
                yield at, bool(turn[1] or turn[3] or nick), turn[2].strip("_ "), turn[5]
        at += len(line) + 1


def talked(said: list[tuple[int, bool, str, str]]) -> bool:
    """Are these the turns of a talk: of people and helpers, timed, or in the I form?"""
    people, roles = terms("people"), terms("people") + terms("helpers")
    sides = [x for *_, who, _ in said if (x := who.strip("*<@").lower()) in roles]
    timed = [(who, words.lower()) for _, stamped, who, words in said if stamped]
    named = [(x, y.lower()) for *_, x, y in said if rule("speaker").fullmatch(x)]
    talks = [(x, y) for x, y in named if rule("says").search(y) or not x.isascii()]
    replies = [who for who, words in timed if rule("replies").search(words)]
    replies += [who for who, _ in timed if rule("person").fullmatch(who)]
    owns = [words for _, words in talks if rule("owns").search(words)]
    return (
        (repeated(sides) and not set(people).isdisjoint(sides))
        or (len(replies) > 1 and repeated([who for who, _ in timed]))
        or (len(owns) > 1 and repeated([who for who, _ in talks]))
    )


def repeated(names: list[str]) -> bool:
    """Three lines and more of two speakers and more, who speak again."""
    return len(names) > 2 and 1 < len(set(names)) < len(names)
