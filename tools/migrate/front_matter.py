"""Reading YAML front matter without losing a word of it.

A YAML parser alone drops a comment inside of a value, fails on `a: b: c`, and turns
words into dates and booleans. So the raw lines are the truth, and the parser only helps
to take off quotation marks and to join folded lines.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import yaml

from migrate.model import Range

YAML_ERRORS = (yaml.YAMLError, TypeError, KeyError, ValueError, RecursionError)
MOST = 8192  # characters of one value that are parsed
INNER = re.compile(r"^\s+[A-Za-z_][\w.-]*:(?:\s|$)")
KEY = re.compile(r"^([A-Za-z_][\w.-]*):(?:\s+(.*))?$")
# Keys that only the program that wrote the note needs.
BOOKKEEPING = frozenset(
    """aliases confidence createdby created_by embedding hash id importance lifecycle
    limit memoryversion memory_version metadata model node_type nodetype
    origin_session_id originsessionid permalink project projectname read_only readonly
    recency relatedto session session_id sessionid tags type uuid version
    weight""".split()
)
DATES = (
    "modified",
    "updated",
    "updatedat",
    "updated_at",
    "date",
    "createdat",
    "created",
    "created_at",
)
USED = frozenset(("name", "title", "description", *DATES))


class Field(NamedTuple):
    """One key of a header, in lower case; value is None where it is no plain text."""

    key: str
    value: str | None
    lines: Range


class Header(NamedTuple):
    """The front matter of a file: end is its last line, 0 where there is none."""

    fields: tuple[Field, ...]
    end: int
    problem: str

    def get(self, *keys: str) -> str:
        """Return the value of the first of some keys that has one, else ""."""
        for key in keys:
            for field in self.fields:
                if field.key == key and field.value:
                    return field.value
        return ""

    def day(self) -> str:
        """Return the day that the header dates the note to, as YYYY-MM-DD, else "".

        A day that is not real, or lies in the future, is passed over.
        """
        for key in DATES:
            day = self.get(key)[:10]
            if is_past(day):
                return day
        return ""


def is_past(day: str) -> bool:
    """Return true for a real day, as YYYY-MM-DD, that is not after today."""
    try:
        return len(day) == 10 and date.fromisoformat(day) <= date.today()
    except ValueError:
        return False


def read_header(lines: Sequence[str]) -> Header:
    """Read the front matter at the start of some lines."""
    if not lines or lines[0].strip() != "---":
        return Header((), 0, "")
    end = next(
        (at for at, line in enumerate(lines[1:], 2) if line.strip() in ("---", "...")),
        0,
    )
    if not end:
        return Header((), 0, "The front matter has no closing line `---`.")
    fields: list[Field] = []
    problem = ""
    start = 2
    while start < end:
        found = KEY.match(lines[start - 1])
        last = start
        while last + 1 < end and not KEY.match(lines[last]):
            last += 1
        if found:
            fields.extend(_fields(found[1], lines[start - 1 : last], start))
        elif any(map(str.strip, lines[start - 1 : last])):
            problem = f"Line {start} of the front matter has no key."
        start = last + 1
    keys = [field.key for field in fields]
    if len(keys) != len({*keys}):
        problem = "A key of the front matter is there twice."
    return Header(tuple(fields), end, problem)


def is_flat(value: object, lines: Sequence[str]) -> bool:
    """Return true for a map of plain values with one line for each of them."""
    if not isinstance(value, dict) or len(value) != len(lines):
        return False
    plain = all(isinstance(inner, str) for inner in value.values())
    return plain and all(map(INNER.match, lines))


def _fields(key: str, lines: Sequence[str], start: int) -> list[Field]:
    """Return the field of a key, or one for each key of a map inside of it."""
    where = (start, start + len(lines) - 1)
    raw = lines[0].partition(":")[2].strip()
    text = "\n".join(lines)
    value = raw if len(lines) == 1 else None
    if len(text) <= MOST:
        with contextlib.suppress(*YAML_ERRORS):
            value = yaml.load(text, yaml.BaseLoader)[key]
    inside = [line for line in lines[1:] if line.strip()]
    if is_flat(value, inside):
        # The outer key has the line of its own, and each inner key its own line.
        return [
            Field(key.lower(), None, (start, start)),
            *(
                Field(
                    line.partition(":")[0].strip().lower(),
                    line.partition(":")[2].strip(" \"'"),
                    (at, at),
                )
                for at, line in enumerate(lines[1:], start + 1)
                if line.strip()
            ),
        ]
    if not isinstance(value, str):
        return [Field(key.lower(), None, where)]
    if loses_words(raw, lines[1:], value):
        value = raw if len(lines) == 1 else None  # a word was taken for a comment
    folded = None if value is None else " ".join(value.split())
    return [Field(key.lower(), folded, where)]


def loses_words(raw: str, more: Sequence[str], value: str) -> bool:
    """Return true if the value that was parsed lacks a word of its lines."""
    if raw[:1] in ("'", '"'):
        return not " ".join((raw, *more)).rstrip().endswith(raw[0])
    first = "" if raw[:1] in ("|", ">") else raw
    return bool({*first.split(), *" ".join(more).split()} - {*value.split()})
