"""What a rule reports, and printing it; what a code means, `references/rules.md` says.
All is ASCII: any console shows it, and nothing in a file name can act on the terminal.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

ERROR, WARNING, INFO = "error", "warning", "info"
PER_RULE = 20

_WARNINGS = "C08 C09 C13 C16 E11 G09 H04 H07 I07 I08 J06"
_INFOS = "E12 H08 I09 R12"


class Finding(NamedTuple):
    """What a rule found; subject names the entry or row concerned, if there is one."""

    path: str
    line: int
    code: str
    level: str
    detail: str
    subject: str


Findings = Iterator[Finding]


def found(path: str, line: int, code: str, slug: str = "", detail: str = "") -> Finding:
    """A finding at the level of its rule."""
    level = WARNING if code in _WARNINGS or code[0] == "R" else ERROR
    return Finding(path, line, code, INFO if code in _INFOS else level, detail, slug)


def ascii_text(text: str) -> str:
    """text with every control or non-ASCII character escaped."""
    return "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in text)


@cache
def _rules() -> dict[str, list[str]]:
    """Code to what it means and what to do, from the page of the rules."""
    page = os.path.join(os.path.dirname(__file__), "../../references/rules.md")
    try:
        with open(page, encoding="utf-8") as lines:
            rows = [line.split("|") for line in lines if line[:2] == "| "]
    except (OSError, ValueError):
        return {}
    return {row[1].strip(): [cell.strip() for cell in row[3:5]] for row in rows}


def message(item: Finding) -> str:
    """What a finding means, its detail, and the next safe step."""
    means, do = _rules().get(item.code, ["See references/rules.md.", ""])
    detail = f" ({item.detail})" if item.detail else ""
    return ascii_text(f"{means[:-1]}{detail}. {do}".strip())


def line_of(item: Finding) -> str:
    """A finding as a line of text."""
    path = ascii_text(item.path)
    return f"{path}:{item.line}: {item.level} {item.code} {message(item)}"


def write_findings(findings: list[Finding], summary: dict[str, int], form: str) -> None:
    """Print findings (text: at most 20 a rule), then the summary with their counts."""
    for level in (ERROR, WARNING, INFO):
        summary[f"{level}s"] = sum(item.level == level for item in findings)
    if form == "json":
        import json

        keys = ("path", "line", "code", "level", "message")
        rows = [dict(zip(keys, (*item[:4], message(item)))) for item in findings]
        print(json.dumps({"findings": rows, "summary": summary}, indent=1))
        return
    printed: dict[str, int] = {}
    for item in findings:
        printed[item.code] = printed.get(item.code, 0) + 1
        if form == "github":
            print(_annotation(item))
        elif printed[item.code] <= PER_RULE:
            print(line_of(item))
    for code, count in printed.items():
        if form == "text" and count > PER_RULE:
            print(f"{count - PER_RULE} more of {code}; --format json lists them all")
    said = [f"{count} {name}" for name, count in summary.items() if count]
    print(f"eco-mem: {', '.join(said) or 'an empty store'}")


def _annotation(item: Finding) -> str:
    """A GitHub Actions workflow command; properties escape more than messages do."""
    kind = "notice" if item.level == INFO else item.level
    path = ascii_text(item.path).translate({37: "%25", 44: "%2C", 58: "%3A"})
    text = message(item).replace("%", "%25")
    return f"::{kind} file={path},line={item.line},title=eco-mem {item.code}::{text}"
