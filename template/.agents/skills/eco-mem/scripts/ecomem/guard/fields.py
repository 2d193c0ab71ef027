"""The words of a command as text: patterns, braces and unknown parts are marked."""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterable, Sequence
from ecomem.guard.places import ANY, ONE, STAR

MAX_FIELDS = 64  # values of one word; more are read as one pattern
OPEN, COMMA, CLOSE = "\ue010", "\ue011", "\ue012"  # an unquoted brace, and its commas
Group = list[str]  # the fields that one word of a command gives


def shared(fields: Sequence[str]) -> str:
    """The beginning of all fields."""
    first, last = min(fields), max(fields)
    same = (at for at, (a, b) in enumerate(zip(first, last)) if a != b)
    return first[: next(same, min(len(first), len(last)))]


def flat(groups: Iterable[Group]) -> list[str]:
    return [field for group in groups for field in group] or [""]


def globbed(text: str) -> str:
    """A text with its pattern signs marked, as in the value of an unquoted variable."""
    if "*" in text:
        text = re.sub(r"\*+", STAR, text)
    text = text.replace("?", ONE)
    if "[" in text:
        text = re.sub(r"\[[^]\s/]+\]", ONE, text)
    return text


def marked(text: str) -> str:
    """An unquoted text with its pattern signs and its braces marked."""
    text = globbed(text)
    if "{" in text or "}" in text or "," in text:
        text = text.replace("{", OPEN).replace(",", COMMA).replace("}", CLOSE)
    return text


def unmarked(text: str) -> str:
    """The text as it was written, as far as that is known."""
    for mark, sign in (
        (STAR, "*"),
        (ONE, "?"),
        (OPEN, "{"),
        (COMMA, ","),
        (CLOSE, "}"),
    ):
        text = text.replace(mark, sign)
    return text


def braces(text: str) -> list[str]:
    """The words that braces stand for."""
    done: list[str] = []
    todo = [text]
    while todo:
        one = todo.pop(0)
        match = re.search(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}", one)
        if not match or len(done) + len(todo) > MAX_FIELDS:
            done.append(plain_braces(one))
            continue
        inner = match[1]
        span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)(?:\.\.\d+)?", inner)
        if span and abs(int(span[2]) - int(span[1])) <= MAX_FIELDS:
            low, high = sorted((int(span[1]), int(span[2])))
            choices = [str(number) for number in range(low, high + 1)]
        elif span or re.fullmatch(r"\w\.\.\w", inner):
            choices = [ANY]
        elif COMMA in inner:
            choices = inner.split(COMMA)
        else:
            todo.insert(0, one.replace(match[0], "{" + inner + "}", 1))
            continue
        todo[:0] = [one[: match.start()] + c + one[match.end() :] for c in choices]
    return done


def plain_braces(text: str) -> str:
    return text.replace(OPEN, "{").replace(COMMA, ",").replace(CLOSE, "}")


def filled(form: str, values: Sequence[str]) -> str:
    """A format with its places filled."""
    for value in values:
        form = form.replace("\ue020", value, 1)
    return form.replace("\ue020", "")


def replaced(group: Group, mark: str, values: Group) -> Group:
    """The fields of a word with a mark replaced by each value."""
    if not any(mark in field for field in group):
        return group
    fields = [field.replace(mark, value) for field in group for value in values]
    return fields or [field.replace(mark, ANY) for field in group]
