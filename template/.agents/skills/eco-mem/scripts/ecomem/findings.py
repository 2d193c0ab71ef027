"""Findings: the result of every rule, and the printers for text, JSON and GitHub.

Everything printed is ASCII: any console shows it, and no file name acts on a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ecomem.rules import ERROR, INFO, RULES, WARNING

PER_RULE = 20


class Finding(NamedTuple):
    """One problem; subject is the slug of the entry or row concerned, if any."""

    path: str
    line: int
    code: str
    level: str
    message: str
    subject: str


Findings = Iterator[Finding]


def finding(
    code: str,
    path: str,
    line: int = 1,
    subject: str = "",
    problem: str = "",
    advice: str = "",
) -> Finding:
    """Make a finding. problem and advice are sentences; the rule has default ones."""
    rule = RULES[code]
    message = f"{problem or rule.problem} {advice or rule.advice}"
    return Finding(path, line, code, rule.level, message, subject)


def found(path: str, line: int, code: str, slug: str = "", detail: str = "") -> Finding:
    """Make a finding with a detail in brackets. Being replaced by `finding`."""
    problem = RULES[code].problem
    if detail:
        problem = f"{problem[:-1]} ({detail})."
    return finding(code, path, line, slug, problem)


def ascii_text(text: str) -> str:
    """text with every control or non-ASCII character escaped."""
    return "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in text)


def line_of(item: Finding) -> str:
    """A finding as a line of text."""
    path = ascii_text(item.path)
    return f"{path}:{item.line}: {item.level} {item.code} {ascii_text(item.message)}"


def write_findings(findings: list[Finding], summary: dict[str, int], form: str) -> None:
    """Print findings (text: at most 20 a rule), then the summary with their counts."""
    for level in (ERROR, WARNING, INFO):
        summary[f"{level}s"] = sum(item.level == level for item in findings)
    if form == "json":
        import json

        keys = ("path", "line", "code", "level", "message")
        rows = [
            dict(zip(keys, (*item[:4], ascii_text(item.message)))) for item in findings
        ]
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
    text = ascii_text(item.message).replace("%", "%25")
    return f"::{kind} file={path},line={item.line},title=eco-mem {item.code}::{text}"
