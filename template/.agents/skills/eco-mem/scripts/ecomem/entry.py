"""One entry: reading its header, and the rules that need nothing but it (family E)."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import cache

from ecomem.cheap_imports import NamedTuple
from ecomem.findings import Findings, found
from ecomem.store import Page, Store, is_slug

HEADERS = {
    "working": ("goal", "constraints", "progress", "next", "open"),
    "semantic": ("cue", "as_of", "source", "scope", "expires"),
    "episodic": ("cue", "when", "task"),
    "procedural": ("cue",),
}
SECTIONS = {
    "episodic": ("Context", "Action", "Result", "Lesson"),
    "procedural": ("When", "Steps", "Verify", "Graduate-to"),
}
CAPS = {"working": 80, "semantic": 30, "episodic": 40, "procedural": 40}
RANKS = {"derived": 0, "verified": 1, "user-confirmed": 2}

_RELATIVE = (
    r"(?<!\w)(?:yesterday|today|tomorrow|tonight|(?:last|next) (?:week|month|quarter|"
    r"year)|(?:days?|weeks?|months?) ago|gestern|heute|aujourd'hui|demain|ayer|ontem|"
    r"mañana|amanhã|вчера|сегодня|завтра)(?!\w)"
    "|昨天|今天|明天|上周|下周|上个月|昨日|今日|明日|先週|어제|오늘|내일"
)
# ASCII text without any of these has none of those, and is not searched for them.
_STEMS = "day tomorrow tonight last next ago gestern heute aujourd demain ayer ontem"
_OPENING = r"~~~+|```+(?=[^`]*$)|<!--"
_EVIDENCE = r"""(?x)
    (?P<commit>commit\s`?[0-9a-f]{7,64}`?)
  | (?P<user>user\s(?P<date>[\d-]{10}):\s*["“„«「](?=\W*\w).*["”“»」])
  | (?P<review>review\s<?https?://\S+\s+\S.*)
  | (?P<url><?https?://\S+)
  | (?P<path>(?P<file>`[^`#]+|(?=[^\s`#]*[./])[^\s`#]+)
    (?:\#L(?P<first>[0-9]{1,9})(?:-L?(?P<last>[0-9]{1,9}))?)?`?
    (?:\ssha:(?P<sha>[0-9a-f]{8}))?)
"""


class Field(NamedTuple):
    """A header value and the line it stands on."""

    value: str
    line: int


NONE = Field("", 1)
Problem = tuple[int, str, str]  # a line, the code of the rule, and a detail


class Evidence(NamedTuple):
    """A commit, user, review, url or path that is cited; first is 0 for all lines."""

    kind: str
    what: str
    first: int
    last: int
    sha: str


class Entry(NamedTuple):
    """A parsed entry. body is the index of the first line after the header."""

    page: Page
    lines: list[str]
    title: str
    fields: dict[str, Field]
    evidence: list[Field]
    body: int
    problems: list[Problem]

    @property
    def row(self) -> str:
        """The text of the entry's catalog row; empty without a cue."""
        cue, source = self.fields.get("cue", NONE), self.fields.get("source", NONE)
        derived = cue.value and source.value == "derived"
        return f"{cue.value} (derived)" if derived else cue.value

    @property
    def hidden(self) -> set[int]:
        """Indexes of the lines in code fences and HTML comments."""
        some = any(map(self.page.text.__contains__, ("```", "~~~", "<!--")))
        return masked(self.lines) if some else set()

    def prose(self) -> Iterator[tuple[int, str]]:
        """The lines that are not hidden, by number, without their code spans."""
        hidden = self.hidden
        for at, line in enumerate(self.lines):
            if at not in hidden:
                yield at + 1, re.sub("`[^`]*`", "", line)


Entries = dict[str, Entry]


def local_day(offset: int = 0) -> str:
    """The local date as YYYY-MM-DD, offset days from now."""
    return time.strftime("%Y-%m-%d", time.localtime(time.time() + offset * 86400))


@cache
def is_date(text: str) -> bool:
    """Whether text is a real ISO date, YYYY-MM-DD."""
    match = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})", text)
    if not match:
        return False
    year, month, day = map(int, match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and 0 < day <= lengths[month - 1]


def parse_all(store: Store) -> Entries:
    """The readable entries of a store, by path."""
    return {path: parse(page) for path, page in store.entries.items()}


def parse(page: Page) -> Entry:
    """Read title, header and body, and note what is wrong with the former two."""
    lines = page.text.split("\n")
    title = lines[0][2:].strip() if lines[0][:2] == "# " else ""
    fields: dict[str, Field] = {}
    evidence: list[Field] = []
    problems = [] if title else [(1, "E01", "")]
    at = start = next((n for n, line in enumerate(lines) if n and line.strip()), 1)
    for line in lines[start:]:
        item = line[:2] in ("- ", "* ", "+ ")
        if line.strip()[:3] in ("", "```", "~~~") or not (item or at > start):
            break
        at += 1
        key, colon, value = line[2:].partition(":")
        key = key.replace("\\", "").strip()
        if not (item and colon and key.isascii() and key) or " " in key:
            problems.append((at, "E13", ""))
        elif key == "evidence":
            evidence.append(Field(value.strip(), at))
        elif key in fields:
            problems.append((at, "E05", ""))
        else:
            fields[key] = Field(value.strip(), at)
    return Entry(page, lines, title, fields, evidence, at, problems)


def check(entry: Entry, tomorrow: str) -> Findings:
    """All findings of family E for one entry, those of parsing included."""
    for problems in (entry.problems, _header(entry, tomorrow), _body(entry)):
        for line, code, detail in problems:
            yield found(entry.page.path, line, code, entry.page.name, detail)


def _header(entry: Entry, tomorrow: str) -> Iterator[Problem]:
    cited = [(read_evidence(value), line) for value, line in entry.evidence]
    kinds = {item.kind for item, _ in cited if item}
    if entry.page.drawer == "semantic":
        yield from ((line, "E07", "") for item, line in cited if not item)
    for key in HEADERS[entry.page.drawer]:
        value, line = entry.fields.get(key, NONE)
        dated = key in ("as_of", "when") or (key == "expires" and value != "never")
        if not value:
            yield 1, "E02", key
        elif dated and (not is_date(value) or (key != "expires" and value > tomorrow)):
            yield line, "E04", key
        elif key == "source" and value not in RANKS:
            yield line, "E03", ""
        elif key == "source" and not backed(value, kinds):
            yield line, "E06", value


def _body(entry: Entry) -> Iterator[Problem]:
    drawer, lines, text = entry.page.drawer, entry.lines, entry.page.text.lower()
    count, cap = len(lines) - (not lines[-1]), CAPS[drawer]
    if count > cap:
        yield cap + 1, "E09", f"{count} of {cap}"
    if drawer == "working":
        return
    for part in _missing(entry):
        yield min(entry.body + 1, len(lines)), "E08", part
    if not text.isascii() or any(map(text.__contains__, _STEMS.split())):
        cited = {line for _, line in entry.evidence}
        for line, shown in entry.prose():
            plain = "".join(shown.split('"')[::2]).lower()
            if line not in cited and re.search(_RELATIVE, plain):
                yield line, "E11", ""


def _missing(entry: Entry) -> list[str]:
    """The parts that the body should have, and lacks or leaves empty."""
    labels = SECTIONS.get(entry.page.drawer, ())
    if not labels:
        return [] if any(map(str.strip, entry.lines[entry.body :])) else ["the fact"]
    shown, hidden = entry.lines.copy(), entry.hidden
    for at in hidden:
        shown[at] = "code"
    label = rf"\n[-*+#_ \t]*({'|'.join(labels)})[*_ \t]*:"
    parts = re.split(label, "\n".join(["", *shown[entry.body :]]))
    told = zip(parts[1::2], parts[2::2])
    written = {label for label, text in told if text.strip().strip("*_ ")}
    return [f"{label}:" for label in labels if label not in written]


def backed(source: str, kinds: set[str]) -> bool:
    """Whether evidence of these kinds is enough for a source."""
    if source == "user-confirmed":
        return bool(kinds & {"user", "review"})
    return source != "verified" or bool(kinds)


@cache
def read_evidence(value: str) -> Evidence | None:
    """What an evidence line cites, or None where it has no known form."""
    match = re.fullmatch(_EVIDENCE, value)
    if not match or not is_date(match["date"] or "2000-01-01"):
        return None
    kind, what = match.lastgroup or "", (match["file"] or value).strip("`")
    outside = what[:1] in "/~" or "\\" in what or ".." in what.split("/")
    if kind == "path" and (outside or ":" in what.split("/")[0]):
        return None
    first = int(match["first"] or 0)
    return Evidence(kind, what, first, int(match["last"] or first), match["sha"] or "")


def masked(lines: list[str]) -> set[int]:
    """Indexes of the lines in code fences and HTML comments that are closed."""
    inside: set[int] = set()
    start, mark = 0, ""
    for at, line in enumerate(lines):
        text = line.strip()
        if not mark:
            opening = re.match(_OPENING, text)
            start, mark = at, opening[0] if opening else ""
        alone = at > start and text.startswith(mark) and not text.strip(mark[:1])
        if mark and (alone or (mark == "<!--" and "-->" in text)):
            inside.update(range(start, at + 1))
            mark = ""
    return inside


def links(entry: Entry) -> Iterator[tuple[int, str]]:
    """The `[[slug]]` links outside code, each with its line number."""
    for line, text in entry.prose() if "[[" in entry.page.text else ():
        for slug in filter(is_slug, re.findall(r"\[\[([^][|#]+)", text)):
            yield line, slug
