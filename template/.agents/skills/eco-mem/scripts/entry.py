"""One entry: reading its header, and the rules that need nothing but it (family E)."""

from __future__ import annotations

import time
from functools import cache
from typing import NamedTuple

from findings import Finding, Findings, found
from store import Page, Store, is_slug

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
_EVIDENCE = r"""(?x)
    (?P<commit>commit\s`?[0-9a-f]{7,64}`?)
  | (?P<user>user\s(?P<date>[\d-]{10}):\s*["“„«「].*\w.*["”“»」])
  | (?P<review>review\s<?https?://\S+\s+\S.*)
  | (?P<url><?https?://\S+)
  | (?P<path>`[^`#]+|[^\s`#]*[./][^\s`#]*)
    (?:\#L(?P<first>[0-9]{1,9})(?:-L?(?P<last>[0-9]{1,9}))?)?`?
    (?:\ssha:(?P<sha>[0-9a-f]{8}))?
"""


class Field(NamedTuple):
    """A header value and the line it stands on."""

    value: str
    line: int


NONE = Field("", 1)


class Evidence(NamedTuple):
    """What an evidence line cites: kind is commit, user, review, url or path.

    what is the path, or else the whole value; first and last are 0 for a whole file.
    """

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
    findings: list[Finding]

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


Entries = dict[str, Entry]


def local_day(offset: int = 0) -> str:
    """The local date as YYYY-MM-DD, offset days from now."""
    return time.strftime("%Y-%m-%d", time.localtime(time.time() + offset * 86400))


@cache
def is_date(text: str) -> bool:
    """Whether text is a real ISO date, YYYY-MM-DD."""
    try:
        year, month, day = map(int, text.split("-"))
    except ValueError:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = (0, 31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    real = 0 < year < 10000 and 0 < month < 13 and 0 < day <= lengths[month]
    return real and text == f"{year:04}-{month:02}-{day:02}"


def parse_all(store: Store) -> Entries:
    """The readable entries of a store, by path."""
    return {path: parse(page) for path, page in store.entries.items()}


def parse(page: Page) -> Entry:
    """Read title, header and body. Every problem met becomes a finding."""
    lines = page.text.split("\n")
    title = lines[0][2:].strip() if lines[0][:2] == "# " else ""
    fields: dict[str, Field] = {}
    evidence: list[Field] = []
    problems = [] if title else [(1, "E01")]
    texts = (at for at, line in enumerate(lines) if at and line.strip())
    at = start = next(texts, len(lines))
    while at < len(lines) and lines[at].strip():
        line = lines[at]
        item = line[:2] in ("- ", "* ", "+ ")
        if not item and (at == start or line.lstrip()[:3] in ("```", "~~~")):
            break
        key, colon, value = line[2:].partition(":")
        key = key.replace("\\", "").strip()
        at += 1
        if not (item and colon and key.isascii() and key) or " " in key:
            problems.append((at, "E13"))
        elif key == "evidence":
            evidence.append(Field(value.strip(), at))
        elif key in fields:
            problems.append((at, "E05"))
        else:
            fields[key] = Field(value.strip(), at)
    findings = [found(page.path, line, code, page.name) for line, code in problems]
    return Entry(page, lines, title, fields, evidence, at, findings)


def check(entry: Entry, tomorrow: str) -> Findings:
    """All findings of family E for one entry, those of parsing included."""
    path, drawer, slug, _ = entry.page
    lines, fields = entry.lines, entry.fields
    yield from entry.findings
    for key in HEADERS[drawer]:
        value, line = fields.get(key, NONE)
        dated = key in ("as_of", "when") or (key == "expires" and value != "never")
        if not value:
            yield found(path, 1, "E02", slug, key)
        elif dated and (not is_date(value) or (key != "expires" and value > tomorrow)):
            yield found(path, line, "E04", slug, key)
    if drawer == "semantic":
        yield from _source(entry)
        if not any(map(str.strip, lines[entry.body :])):
            yield found(path, len(lines), "E08", slug, "the fact")
    elif drawer in SECTIONS:
        for name in sorted(set(SECTIONS[drawer]) - _sections(entry)):
            yield found(path, min(entry.body + 1, len(lines)), "E08", slug, f"{name}:")
    count, cap = len(lines) - (not lines[-1]), CAPS[drawer]
    if count > cap:
        yield found(path, cap + 1, "E09", slug, f"{count} of {cap}")
    if drawer != "working":
        yield from _relative_dates(entry)


def _source(entry: Entry) -> Findings:
    path, slug = entry.page.path, entry.page.name
    cited = {line: read_evidence(value) for value, line in entry.evidence}
    kinds = {item.kind for item in cited.values() if item}
    yield from (found(path, at, "E07", slug) for at, item in cited.items() if not item)
    source, line = entry.fields.get("source", NONE)
    if source and source not in RANKS:
        yield found(path, line, "E03", slug)
    elif source and not backed(source, kinds):
        yield found(path, line, "E06", slug, source)


def backed(source: str, kinds: set[str]) -> bool:
    """Whether evidence of these kinds is enough for a source."""
    if source == "user-confirmed":
        return bool(kinds & {"user", "review"})
    return source != "verified" or bool(kinds)


@cache
def read_evidence(value: str) -> Evidence | None:
    """What an evidence line cites, or None where it has no known form."""
    import re

    match = re.fullmatch(_EVIDENCE, value)
    if not match or not is_date(match["date"] or "2000-01-01"):
        return None
    kind = next(k for k in ("commit", "user", "review", "url", "path") if match[k])
    what = (match["path"] or value).strip("`")
    outside = what[:1] in "/~" or "\\" in what or ".." in what.split("/")
    if kind == "path" and (outside or ":" in what.split("/")[0]):
        return None
    first = int(match["first"] or 0)
    return Evidence(kind, what, first, int(match["last"] or first), match["sha"] or "")


def _sections(entry: Entry) -> set[str]:
    """The labels of the drawer that stand in the body, followed by some text."""
    names = SECTIONS[entry.page.drawer]
    written: set[str] = set()
    current = ""
    hidden = entry.hidden
    for at in range(entry.body, len(entry.lines)):
        text = entry.lines[at].strip()
        if ":" in text and at not in hidden:
            label, _, rest = text.lstrip("-*+#_ ").partition(":")
            if label.strip("*_ ") in names:
                current, text = label.strip("*_ "), rest.strip("*_ ")
        if text and current:
            written.add(current)
            current = ""
    return written


def masked(lines: list[str]) -> set[int]:
    """Indexes of the lines in code fences and HTML comments that are closed."""
    inside: list[int] = []
    fence, opened = "", 0
    for at, line in enumerate(lines):
        text = line.strip()
        mark = text[: len(text) - len(text.lstrip(text[:1]))]
        if fence:
            inside.append(at)
            if fence == "-->" in text or (mark == text and text.startswith(fence)):
                fence = ""
        elif text[:4] == "<!--":
            fence, opened = "" if "-->" in text else "-->", len(inside)
            inside.append(at)
        elif text[:3] == "~~~" or (text[:3] == "```" and text.count("`") == len(mark)):
            fence, opened = mark, len(inside)
            inside.append(at)
    return set(inside[:opened] if fence else inside)


def _relative_dates(entry: Entry) -> Findings:
    text = entry.page.text.lower()
    if text.isascii() and not any(map(text.__contains__, _STEMS.split())):
        return
    import re

    hidden = entry.hidden | {field.line - 1 for field in entry.evidence}
    for at, line in enumerate(entry.lines):
        for mark in '`"':
            line = "".join(line.split(mark)[::2])
        if at not in hidden and re.search(_RELATIVE, line.lower()):
            yield found(entry.page.path, at + 1, "E11", entry.page.name)


def links(entry: Entry) -> list[tuple[int, str]]:
    """The `[[slug]]` links outside code, each with its line number."""
    if "[[" not in entry.page.text:
        return []
    import re

    hidden = entry.hidden
    return [
        (at + 1, slug)
        for at, line in enumerate(entry.lines)
        if "[[" in line and at not in hidden
        for slug in re.findall(r"\[\[([^][|#]+)", re.sub(r"`[^`]*`", "", line))
        if is_slug(slug)
    ]
