"""Findings: the result of every rule, and their printers: text, JSON, GitHub, GitLab.

Everything printed is ASCII, but for letters in the words of J and C20: any console
shows it, and no file name acts on a terminal.
"""

from __future__ import annotations

import sys

from ecomem.cheap_imports import TYPE_CHECKING, Iterator, NamedTuple, sha256
from ecomem.rules import ERROR, INFO, RULES, WARNING

if TYPE_CHECKING:
    from typing import Any

MAX_PER_RULE = 20  # findings of one rule that a person is shown
MAX_PER_LEVEL = 10  # annotations of one level that GitHub shows of a step

# How a summary names a count in text: of one, and of more.
_NOUNS = {
    "entries": ("entry", "entries"),
    "rebuilt": ("catalog rebuilt", "catalogs rebuilt"),
    "allowed": ("line let pass by a person", "lines let pass by a person"),
    "errors": ("error", "errors"),
    "warnings": ("warning", "warnings"),
    "infos": ("note", "notes"),
}

_PLAIN_SIGNS = str.maketrans("", "", "._/-")


class Finding(NamedTuple):
    """One problem; subject is the slug of the entry or row concerned, if any.

    words: those of the text that made a J finding or C20. They are printed on a
    terminal and in JSON, never in annotations or Markdown, which agents read.
    """

    path: str
    line: int
    code: str
    level: str
    message: str
    subject: str
    words: tuple[str, ...] = ()


Findings = Iterator[Finding]


class Verdict(NamedTuple):
    """Findings, and how many more were left out because a person let them pass."""

    findings: list[Finding]
    allowed: int


def finding(
    code: str,
    path: str,
    line: int = 1,
    subject: str = "",
    problem: str = "",
    advice: str = "",
    mild: bool = False,
) -> Finding:
    """Make a finding. problem and advice are sentences; the rule has default ones.

    mild: it is of the milder case, for which the rule has a level of its own.
    """
    rule = RULES[code]
    if not advice:
        advice = with_names(rule.advice, path, subject)
    message = f"{problem or rule.problem} {advice}"
    level = rule.mild if mild else rule.level
    return Finding(path, line, code, level, message, subject)


def with_names(advice: str, path: str = "", subject: str = "") -> str:
    """The advice of a rule with the path and slug of a finding in its commands.

    A name that a shell could read as more than one plain word is left out.
    """
    for word, value in (("PATH", path), ("SLUG", subject)):
        plain = value.translate(_PLAIN_SIGNS)
        if word in advice and plain.isascii() and plain.isalnum() and value[0] != "-":
            advice = advice.replace(word, value)
    return advice


def ascii_text(text: str) -> str:
    """The text with every control or non-ASCII character escaped."""
    return "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in text)


def line_of(item: Finding) -> str:
    """A finding as a line of text."""
    path = ascii_text(item.path)
    message = ascii_text(item.message) + words_of(item)
    return f"{path}:{item.line}: {item.level} {item.code} {message}"


def words_of(item: Finding) -> str:
    """A sentence that quotes the words of a finding, or nothing where it has none.

    Letters print as they are where the terminal can show them; all else is escaped.
    """
    if not item.words:
        return ""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    shown = []
    for word in item.words:
        try:
            word.encode(encoding)
            shown.append(word if word.isalpha() else ascii_text(word))
        except UnicodeEncodeError:
            shown.append(ascii_text(word))
    return f" Words that made it: {', '.join(shown)}."


def summary_of(findings: list[Finding], counts: dict[str, Any]) -> dict[str, Any]:
    """The counts of a run, followed by the number of findings of each level."""
    levels = [item.level for item in findings]
    by_level = {f"{level}s": levels.count(level) for level in (ERROR, WARNING, INFO)}
    return {**counts, **by_level}


def print_text(findings: list[Finding], summary: dict[str, Any]) -> None:
    """Print a line for each finding, at most 20 of a rule, and the summary."""
    printed: dict[str, int] = {}
    for item in findings:
        printed[item.code] = printed.get(item.code, 0) + 1
        if printed[item.code] <= MAX_PER_RULE:
            print(line_of(item))
    for code, count in printed.items():
        if count > MAX_PER_RULE:
            print(
                f"{count - MAX_PER_RULE} more of {code}; --format json lists them all"
            )
    print(summary_line(summary))


def print_json(findings: list[Finding], summary: dict[str, Any]) -> None:
    """Print all findings and the summary as one JSON object."""
    import json

    rows = [
        {
            "path": item.path,
            "line": item.line,
            "code": item.code,
            "level": item.level,
            "message": ascii_text(item.message) + words_of(item),
        }
        for item in findings
    ]
    print(json.dumps({"findings": rows, "summary": summary}, indent=1))


def print_github(findings: list[Finding], summary: dict[str, Any]) -> None:
    """Print findings as annotations of GitHub Actions, and the summary.

    GitHub shows the first ten of each level. So the order of the findings decides, and
    those that are left out are counted.
    """
    left_out = 0
    printed = dict.fromkeys((ERROR, WARNING, INFO), 0)
    for item in findings:
        printed[item.level] += 1
        if printed[item.level] <= MAX_PER_LEVEL:
            print(_annotation(item))
        else:
            left_out += 1
    if left_out:
        print(f"{left_out} more; verify.py without --format github lists them")
    print(summary_line(summary))


def print_gitlab(findings: list[Finding], summary: dict[str, Any]) -> None:
    """Print all findings as a code quality report of GitLab.

    A fingerprint stays the same when lines move: it has no line number, but the place
    of the finding among those that are alike.
    """
    import json

    severities = {ERROR: "major", WARNING: "minor", INFO: "info"}
    seen: dict[str, int] = {}
    rows = []
    for item in findings:
        key = "\0".join((item.path, item.code, item.subject, _numberless(item.message)))
        seen[key] = seen.get(key, 0) + 1
        digest = sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogateescape"))
        row = {
            "description": ascii_text(item.message),
            "check_name": item.code,
            "severity": severities[item.level],
            "fingerprint": digest.hexdigest(),
            "location": {
                "path": ascii_text(item.path),
                "lines": {"begin": item.line},
            },
        }
        rows.append(row)
    print(json.dumps(rows, indent=1))


def _numberless(message: str) -> str:
    """A message without digits, some of which are numbers of lines."""
    return "".join(sign for sign in message if not sign.isdigit())


PRINTERS = {
    "text": print_text,
    "json": print_json,
    "github": print_github,
    "gitlab": print_gitlab,
}


def summary_line(summary: dict[str, Any]) -> str:
    """The counts that are not zero, as in `eco-mem: 1 entry, 2 warnings`."""
    parts = []
    for name, (one, more) in _NOUNS.items():
        count = summary.get(name, 0)
        if count:
            parts.append(f"{count} {one if count == 1 else more}")
    return f"eco-mem: {', '.join(parts) or 'an empty store'}"


def _annotation(item: Finding) -> str:
    """A GitHub Actions workflow command; properties escape more than messages do."""
    kind = "notice" if item.level == INFO else item.level
    path = ascii_text(item.path).translate({37: "%25", 44: "%2C", 58: "%3A"})
    text = ascii_text(item.message).replace("%", "%25")
    return f"::{kind} file={path},line={item.line},title=eco-mem {item.code}::{text}"
