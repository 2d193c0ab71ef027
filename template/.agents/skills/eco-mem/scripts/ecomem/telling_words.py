"""Words that tell an entry from all others and that its title and cue lack (C20).

A reader chooses entries by their cue. If the only entry about a customer names the
customer in its text alone, the map does not lead to it. Names, identifiers and a number
with a unit count; common words do not, so that most entries cause no warning.
"""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterator
from ecomem.entry import NONE, Entry
from ecomem.findings import Finding, finding
from ecomem.store import Store
from ecomem.words import UNPARTED, Word, has, query, without_accents, word_set

MAX_WORD, MAX_SHOWN = 24, 3
LABELS = "Context|Action|Result|Lesson|When|Steps|Verify|Graduate-to"
UNITS = (
    "ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|[KMGT]i?B|"
    "EUR|USD|GBP|CHF|k?Hz|MHz|GHz|km|kg"
)
NUMBER = rf"(?<![\w.,-])\d[\d.,]*[ -]?(?:{UNITS})(?!\w)"
_SIGN = "[A-Za-z0-9_]"
# Chinese and others write no space around a name.
_BEFORE = rf"(?<!(?![{UNPARTED}])[\w/.@-])"
_AFTER = rf"(?!(?![{UNPARTED}])[\w/@])"
IDENTIFIER = (
    rf"{_BEFORE}(?:[A-Za-z][A-Za-z0-9]*_{_SIGN}+"  # order_id, NODE_ENV
    rf"|[a-z]+[A-Z]{_SIGN}+|[A-Z][a-z]+[A-Z]{_SIGN}+"  # waitForTimeout, HttpOnly
    r"|[A-Z]{2,}-[0-9]+|[a-z]{2,}-[0-9]+"  # OPS-77, build-01
    rf"|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z]{_SIGN}{{3,}}){_AFTER}"  # argon2id
)
CALENDAR = word_set(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March",
    "April May June July August September October November December",
)
# In German every noun has a capital letter, so a capital letter shows no name.
GERMAN = word_set(
    "aber alle als auf aus bei beim bis damit dann das dass dem den der des die diese",
    "durch ein eine einem einen einer eines erst es für gibt hat ihr im ist jede jeden",
    "jeder kann kein keine man mit muss nach nicht nie noch nur oder ohne pro sich sie",
    "sind sonst steht über um und unter vom von vor während warum was weil wenn wer",
    "werden wie wird wo zu zum zur",
)
ENGLISH = word_set(
    "and are be but by every for from if is it never no not of on only or than that",
    "the then this to when which with",
)


def check(store: Store, new: Entry) -> list[Finding]:
    """Report the telling words of a new or changed entry that title and cue lack."""
    missing = telling_words(store, new)
    if not missing:
        return []
    line = new.fields.get("cue", NONE).line
    shown = missing[:MAX_SHOWN]
    quoted = " or ".join(f'"{word}"' for word in shown)
    words: tuple[str, ...] = ()
    if not quoted.isascii():  # letters of other scripts print only as words
        quoted = "some words"
        words = tuple(part for word in shown for part in word.split())
    problem = f"Only this entry has {quoted}, and neither its title nor its cue does."
    item = finding("C20", new.page.path, line, new.page.name, problem)
    return [item._replace(words=words)]


def telling_words(store: Store, new: Entry) -> list[str]:
    """The words that only this entry has, if title, cue, slug and scope have none."""
    if new.page.drawer == "working":
        return []
    cue, scope = (new.fields.get(key, NONE).value for key in ("cue", "scope"))
    head = without_accents(f"{new.title}\n{cue}\n{scope}\n{new.page.name}")
    found = {word: query([word]) for word in candidates(new, head)}
    if not found:
        return []
    others = [page for page in store.entries.values() if page.path != new.page.path]
    texts = [without_accents(page.text) for page in others if page.drawer != "working"]
    telling = [word for word, parts in found.items() if _is_new(texts, parts)]
    if any(has(head, part) for word in telling for part in found[word]):
        return []
    return telling


def _is_new(texts: list[str], parts: list[Word]) -> bool:
    """Return true if one of the parts of a name is in none of the texts."""
    return any(not any(has(text, part) for text in texts) for part in parts)


def candidates(entry: Entry, head: str) -> Iterator[str]:
    """Names, identifiers and numbers of the text of an entry, each once.

    head is its folded title and cue: if that has a figure, numbers are not reported.
    """
    shown, spans = _prose(entry)
    cue = entry.fields.get("cue", NONE).value
    found = [] if _is_german(f"{entry.title}\n{cue}\n{shown}") else [*_names(shown)]
    found += re.findall(IDENTIFIER, shown)
    found += [span for span in spans if re.fullmatch(IDENTIFIER, span)]
    numbers = dict.fromkeys(re.findall(NUMBER, shown))
    if len(numbers) == 1 and not any(sign.isdigit() for sign in head):
        found += numbers
    yield from dict.fromkeys(word for word in found if len(word) <= MAX_WORD)


def _prose(entry: Entry) -> tuple[str, list[str]]:
    """The text without code, labels and quotations; and its code spans."""
    hidden = entry.hidden
    lines = [
        line
        for at, line in enumerate(entry.lines)
        if at >= entry.body and at not in hidden and line[:1] != ">"
    ]
    text = re.sub(rf"(?m)^\W*(?:{LABELS}):", "", "\n".join(lines))
    spans = re.findall("`([^`\n]+)`", text)
    text = re.sub("`[^`\n]*`", "`", text)
    return re.sub('"[^"\n]*"|[“„«][^”“»\n]*[”“»]', '"', text), spans


def _is_german(text: str) -> bool:
    """Return true if a text has more short German words than short English ones."""
    words = {*re.findall(r"[^\W\d_]+", text.lower())}
    return len(words & GERMAN) > max(1, len(words & ENGLISH))


def _names(text: str) -> Iterator[str]:
    """Words with a capital letter inside a sentence, or two of them at its start."""
    for match in re.finditer(r"(?:[^\W\d_]{3,} )*[^\W\d_]{3,}", text):
        yield from _names_in(match[0], text[: match.start()])


def _names_in(run: str, before: str) -> Iterator[str]:
    """The names in a run of words. before is the text in front of it."""
    inside = before[-1:] in (" ", "\n") and (
        before[-2:-1].isalnum() or before[-2:-1] in (",", ")")
    )
    name: list[str] = []
    first_is_name = inside
    for word in [*run.split(" "), ""]:
        if word and word[0].isupper() and word[1:].islower() and word not in CALENDAR:
            name.append(word)
            continue
        if len(name) > 1 or (name and first_is_name):
            yield " ".join(name)
        name, first_is_name = [], True
