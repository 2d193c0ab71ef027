"""Printing findings: text for people and agents, JSON, GitHub annotations.

Everything printed is ASCII, so that any console can show it and nothing in a file
name can act on the terminal.
"""

from __future__ import annotations

import os
from functools import cache

from findings import ERROR, INFO, WARNING, Finding
from store import decode, read_bytes

PER_RULE = 20


def ascii_text(text: str) -> str:
    """text with every control or non-ASCII character escaped."""
    plain = text.encode("ascii", "backslashreplace").decode("ascii")
    return "".join(c if " " <= c <= "~" else f"\\x{ord(c):02x}" for c in plain)


@cache
def _rules() -> dict[str, list[str]]:
    """Code to what it means and what to do, from the page of the rules."""
    here = os.path.dirname(os.path.abspath(__file__))
    try:
        page = decode(read_bytes(os.path.join(here, "../references/rules.md"), 1 << 20))
    except (OSError, ValueError):
        return {}
    rows = [line.split("|") for line in page.split("\n") if line[:2] == "| "]
    return {row[1].strip(): [cell.strip() for cell in row[3:5]] for row in rows}


def message(item: Finding) -> str:
    """What a finding means, its detail, and the next safe step."""
    means, do = _rules().get(item.code, ["See references/rules.md.", ""])
    detail = f" ({item.detail})" if item.detail else ""
    return ascii_text(f"{means[:-1]}{detail}. {do}".strip())


def line(item: Finding) -> str:
    """A finding as a line of text."""
    place = f"{ascii_text(item.path)}:{item.line}"
    return f"{place}: {item.level} {item.code} {message(item)}"


def write(findings: list[Finding], summary: dict[str, object], form: str) -> None:
    """Print findings (text: at most 20 a rule), then the summary with their counts."""
    levels = [item.level for item in findings]
    for level in (ERROR, WARNING, INFO):
        summary[f"{level}s"] = levels.count(level)
    if form == "json":
        import json

        kept = ("path", "line", "code", "level")
        rows = [
            {**{key: getattr(item, key) for key in kept}, "message": message(item)}
            for item in findings
        ]
        print(json.dumps({"findings": rows, "summary": summary}, indent=1))
        return
    printed: dict[str, int] = {}
    for item in findings:
        printed[item.code] = printed.get(item.code, 0) + 1
        if form == "github":
            print(_annotation(item))
        elif printed[item.code] <= PER_RULE:
            print(line(item))
    for code, count in printed.items():
        if form == "text" and count > PER_RULE:
            print(f"{count - PER_RULE} more of {code}; --format json lists them all")
    said = [f"{count} {name}" for name, count in summary.items() if count]
    print(f"eco-mem: {', '.join(said) or 'an empty store'}")


def _annotation(item: Finding) -> str:
    """A GitHub Actions workflow command; properties escape more than messages do."""
    kind = "notice" if item.level == INFO else item.level
    path = ascii_text(item.path).replace("%", "%25").replace(":", "%3A")
    text = message(item).replace("%", "%25")
    place = f"file={path.replace(',', '%2C')},line={item.line}"
    return f"::{kind} {place},title=eco-mem {item.code}::{text}"
