"""What a rule reports. The rules stand in `references/rules.md`, and only there:
what each code means and what to do is read from that page when it is printed."""

from __future__ import annotations

from typing import NamedTuple

ERROR, WARNING, INFO = "error", "warning", "info"

_WARNINGS = (
    "C08",
    "C09",
    "C13",
    "C16",
    "E11",
    "G09",
    "H04",
    "H07",
    "I07",
    "I08",
    "J06",
)
_INFOS = ("E12", "H08", "I09", "R12")


class Finding(NamedTuple):
    """One thing a rule found.

    path is relative to the project root, with `/`; line counts from 1. detail says
    what the page cannot know. subject is the slug of the entry or row concerned.
    """

    path: str
    line: int
    code: str
    level: str
    detail: str
    subject: str


def level_of(code: str) -> str:
    """How bad a finding is, where nothing says otherwise: error, warning or info."""
    if code in _INFOS:
        return INFO
    return WARNING if code in _WARNINGS or code[0] == "R" else ERROR


def found(
    path: str, line: int, code: str, subject: str = "", detail: object = ""
) -> Finding:
    """A finding at the level of its rule."""
    return Finding(path, line, code, level_of(code), str(detail), subject)
