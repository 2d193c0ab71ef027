"""One entry: reading its header, and the rules that need nothing but it (family E)."""

from __future__ import annotations

import time

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterator, NamedTuple, Sequence, cache
from ecomem.conflicts import find_marker
from ecomem.findings import Finding, Findings, finding
from ecomem.markdown import (
    LIST_MARKS,
    begins_block,
    count_unwrapped,
    heading_text,
    is_fence,
    join_lines,
    masked,
    unescape,
    unformatted,
)
from ecomem.store import Page, Store, conflict_finding, is_slug


class Format(NamedTuple):
    """The keys, parts and length of the entries of one drawer."""

    header: tuple[str, ...]  # the keys that each entry has
    date: str  # the key among them for the day when the entry was true; or empty
    parts: tuple[str, ...]  # the labels in the body
    max_lines: int


FORMATS = {
    "working": Format(("goal", "constraints", "progress", "next", "open"), "", (), 80),
    "semantic": Format(("cue", "as_of", "source", "scope", "expires"), "as_of", (), 30),
    "episodic": Format(
        ("cue", "when", "task"), "when", ("Context", "Action", "Result", "Lesson"), 40
    ),
    "procedural": Format(("cue",), "", ("When", "Steps", "Verify", "Graduate-to"), 40),
}
RANKS = {"derived": 0, "verified": 1, "user-confirmed": 2}
# These keys take one date or one word; the values of all others may be wrapped.
ONE_WORD_KEYS = frozenset(("as_of", "when", "expires", "source", "superseded-by"))

_RELATIVE = (
    r"(?<!\w)(?:yesterday|today|tomorrow|tonight|(?:last|next)\s+(?:week|month|quarter|"
    r"year)|(?:days?|weeks?|months?)\s+ago|gestern|heute|aujourd'hui|demain|ayer|ontem|"
    r"mañana|amanhã|вчера|сегодня|завтра)(?!\w)"
    "|昨天|今天|明天|上周|下周|上个月|昨日|今日|明日|先週|어제|오늘|내일"
)
# ASCII text without any of these has none of those, and is not searched for them.
_STEMS = (
    *("day", "tomorrow", "tonight", "last", "next", "ago", "gestern", "heute"),
    *("aujourd", "demain", "ayer", "ontem"),
)
_EVIDENCE = r"""(?x)
    (?P<commit>commit\s`?[0-9a-f]{7,64}`?)
  | (?P<user>user\s(?P<date>[\d-]{10}):\s*["“„«「](?=\W*\w).*["”“»」])
  | (?P<review>review\s<?https?://\S+\s+\S.*)
  | (?P<url><?https?://\S+)
  | (?P<path>(?P<file>`[^`]+?|(?=[^\s`#]*[./])[^\s`#]+)
    (?:\#L(?P<first>[0-9]{1,9})(?:-L?(?P<last>[0-9]{1,9}))?)?`?
    (?:\ssha:(?P<sha>[0-9a-f]{8}))?)
"""
_NO_LINES = frozenset("0" * count for count in range(1, 10))
_SHOWABLE = r"[A-Za-z0-9_.:/+-]{1,24}"


class Field(NamedTuple):
    """A header value, wrapped lines joined, and the line of its key."""

    value: str
    line: int


NONE = Field("", 1)


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
    problems: list[Finding]

    @property
    def row(self) -> str:
        """The text of the entry's catalog row; empty without a cue."""
        cue, source = self.fields.get("cue", NONE), self.fields.get("source", NONE)
        if cue.value and source.value == "derived":
            return f"{cue.value} (derived)"
        return cue.value

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
    """Return true if text is a real ISO date, YYYY-MM-DD."""
    if not re.fullmatch(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])", text):
        return False
    if text[8:] <= "28" and text[:4] > "0000":
        return True  # every month has these days; datetime takes long to import
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_month(text: str) -> bool:
    """Return true if text is an ISO month, YYYY-MM."""
    return len(text) == 7 and is_date(f"{text}-01")


def dated(entry: Entry | None) -> str:
    """The day that an entry carries, a month as its first day; empty without one."""
    fields = entry.fields if entry else {}
    value = fields.get("as_of", fields.get("when", NONE)).value
    if is_month(value):
        return f"{value}-01"
    return value if is_date(value) else ""


def parse_all(store: Store) -> Entries:
    """The readable entries of a store, by path."""
    return {path: parse(page) for path, page in store.entries.items()}


def parse(page: Page) -> Entry:
    """Read title, header and body, and note what is wrong with the former two.

    The header is the first list: an item is `- key: value`, and a value goes on over
    the lines that do not begin an item, up to a blank line or a code fence.
    """
    lines = page.text.split("\n")
    title = heading_text(lines[0])[2:].strip() if lines[0][:2] == "# " else ""
    fields: dict[str, Field] = {}
    evidence: list[Field] = []
    problems = [] if title else [_no_title(page, lines[0])]

    def report(code: str, line: int, problem: str) -> None:
        problems.append(finding(code, page.path, line, page.name, problem))

    start = next((at for at, line in enumerate(lines) if at and line.strip()), 1)
    items = _header_items(lines, start)
    line = start + 1
    for first, *more in items:
        key, colon, value = first[2:].partition(":")
        key, value = key.replace("\\", "").strip(), value.strip()
        if not (colon and key and key.isascii()) or " " in key:
            report("E13", line, _bad_item(key, colon))
            line += 1 + len(more)
            continue
        if more:
            value, wrong = _go_on(key, value, more)
            if wrong:
                at = line + 1 + wrong.at
                report("E13", at, wrong.problem)
        if key == "evidence":
            evidence.append(Field(value, line))
        elif key in fields:
            problem = f"The key `{key}` is on line {fields[key].line} already."
            report("E05", line, problem)
        else:
            fields[key] = Field(value, line)
        line += 1 + len(more)
    return Entry(page, lines, title, fields, evidence, line - 1, problems)


def _header_items(lines: list[str], start: int) -> list[list[str]]:
    """The items of the list that begins at index start, each with its wrapped lines."""
    items: list[list[str]] = []
    for line in lines[start:]:
        if line[:2] in LIST_MARKS:
            items.append([line])
            continue
        text = line.strip()
        if not items or not text or is_fence(text):
            break
        items[-1].append(text)
    return items


class _Wrong(NamedTuple):
    """A wrapped line, by index, that does not belong to the value above it."""

    at: int
    problem: str


def _go_on(key: str, value: str, more: list[str]) -> tuple[str, _Wrong | None]:
    """A value with the wrapped lines below it, and the first line that is none."""
    for index, text in enumerate(more):
        if begins_block(text):
            problem = "This line is neither `- key: value` nor part of the value above."
            return join_lines([value, *more[:index]]), _Wrong(index, problem)
    if key not in ONE_WORD_KEYS:
        return join_lines([value, *more]), None
    if key == "superseded-by" and not value and len(more) == 1:
        return more[0], None  # a long slug, which did not fit
    return value, _Wrong(0, f"This line continues `{key}`, which takes one word.")


def _no_title(page: Page, line: str) -> Finding:
    """The finding that the first line is no title, with what it is instead."""
    advice = "Begin with `# Title`, then a blank line, then `- key: value` lines."
    if line.rstrip() in ("---", "+++"):
        kind = "YAML" if line[0] == "-" else "TOML"
        problem = f"The file begins with {kind} front matter; an entry has none."
        return finding("E01", page.path, 1, page.name, problem, advice)
    if line[:1] == "#" and not line.strip("# \t"):
        return finding("E01", page.path, 1, page.name, "The title is empty.", advice)
    return finding("E01", page.path, 1, page.name, advice=advice)


def _bad_item(key: str, colon: str) -> str:
    """The sentence about a list item in the header that is not `- key: value`."""
    if not colon:
        return "This line of the header has no colon after a key."
    if not key:
        return "This line of the header has no key before its colon."
    return "The key on this line of the header is not one word of ASCII letters."


def field_lines(entry: Entry, line: int) -> range:
    """Indexes of the lines of the header field whose key is on a line (from 1)."""
    stop = line
    while stop < entry.body and entry.lines[stop][:2] not in LIST_MARKS:
        stop += 1
    return range(line - 1, stop)


def check(entry: Entry, tomorrow: str) -> Findings:
    """All findings of family E for one entry; conflict markers (L13) come alone."""
    marker = find_marker(entry.page.text)
    if marker:
        yield conflict_finding(entry.page, marker)
        return
    yield from entry.problems
    if entry.lines[0].rstrip() in ("---", "+++"):
        return  # all else follows from the front matter
    yield from _check_fields(entry)
    yield from _check_dates(entry, tomorrow)
    if entry.page.drawer == "semantic":
        yield from _check_evidence(entry, tomorrow)
    yield from _check_body(entry)


def _find(
    entry: Entry, code: str, line: int, problem: str, advice: str = ""
) -> Finding:
    return finding(code, entry.page.path, line, entry.page.name, problem, advice)


def _check_fields(entry: Entry) -> Findings:
    """Report the header fields that are missing or empty, all in one finding."""
    fields, form = entry.fields, FORMATS[entry.page.drawer]
    missing = [key for key in form.header if not fields.get(key, NONE).value]
    if not missing:
        return
    line = min((fields[key].line for key in missing if key in fields), default=1)
    problem = f"The header gives no value for {listing(missing)}."
    advice = "Add a line `- key: value` for each."
    if len(missing) == 1:
        advice = f"Add a line `- {missing[0]}: value`."
    if form.date in missing:
        advice += " For today's date, run `date`."
    yield _find(entry, "E02", line, problem, advice)


def _check_dates(entry: Entry, tomorrow: str) -> Findings:
    """Report dates that are none, or lie in the future."""
    form = FORMATS[entry.page.drawer]
    key = form.date
    value, line = entry.fields.get(key, NONE)
    if value:
        month = key == "when" and is_month(value)
        day = f"{value}-01" if month else value
        if not is_date(day):
            wanted = "a date (YYYY-MM-DD)"
            if key == "when":
                wanted = "a date (YYYY-MM-DD) or a month (YYYY-MM)"
            yield _find(entry, "E04", line, _no_date(key, value, wanted))
        elif day > tomorrow:
            problem = f"`{key}` is {shown(value)}, which lies in the future."
            yield _find(entry, "E04", line, problem)
    value, line = entry.fields.get("expires", NONE)
    wanted = "a date (YYYY-MM-DD) or `never`"
    if "expires" in form.header and value not in ("", "never") and not is_date(value):
        problem = _no_date("expires", value, wanted)
        yield _find(entry, "E04", line, problem, f"Write {wanted}.")


def _no_date(key: str, value: str, wanted: str) -> str:
    """The sentence about a value that should be a date, and is none."""
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?", value):
        return f"`{key}` is {shown(value)}, which is not in the calendar."
    return f"`{key}` is {shown(value)}, not {wanted}."


def _check_evidence(entry: Entry, tomorrow: str) -> Findings:
    """Report evidence of no known form, and a source that it does not support."""
    kinds = set[str]()
    for value, line in entry.evidence:
        item = read_evidence(value)
        if item:
            kinds.add(item.kind)
        else:
            yield _find(entry, "E07", line, _evidence_problem(value))
        day = value[5:15]
        if item and item.kind == "user" and day > tomorrow:
            problem = f"The quotation is dated {shown(day)}, which lies in the future."
            advice = "Write the day on which the user said it."
            yield _find(entry, "E04", line, problem, advice)
    source, line = entry.fields.get("source", NONE)
    if source and source not in RANKS:
        problem = f"The source is {shown(source)}, not {listing([*RANKS], 'or')}."
        yield _find(entry, "E03", line, problem)
    elif source and not backed(source, kinds):
        yield _unsupported(entry, source, line, bool(kinds))


def _unsupported(entry: Entry, source: str, line: int, has_evidence: bool) -> Finding:
    """The finding that a source claims more than the evidence shows."""
    if source == "verified":
        problem = "The source is `verified`, but there is no line of evidence."
        return _find(entry, "E06", line, problem, "Add one, or write `derived`.")
    problem = "The source is `user-confirmed`, but no evidence quotes the user."
    lower = "verified" if has_evidence else "derived"
    advice = (
        'Add `- evidence: user DATE: "their words"` or `- evidence: review URL author`,'
        f" or write `{lower}`."
    )
    return _find(entry, "E06", line, problem, advice)


def _check_body(entry: Entry) -> Findings:
    """Report what is wrong below the header, and with the length of the whole."""
    drawer, lines, text = entry.page.drawer, entry.lines, entry.page.text
    form = FORMATS[drawer]
    count = len(lines) - (not lines[-1])
    if count > form.max_lines:  # a formatter may have wrapped them
        count = count_unwrapped(lines[:count])
    if count > form.max_lines:
        problem = f"The entry has {count} lines; {form.max_lines} are allowed."
        yield _find(entry, "E09", form.max_lines + 1, problem)
    if drawer == "working":
        return
    line = min(entry.body + 1, len(lines))
    missing = _missing_parts(entry)
    if missing:
        problem = f"The body has no text for {listing(missing)}."
        yield _find(entry, "E08", line, problem, "Write a sentence for each.")
    elif not form.parts and not any(map(str.strip, lines[entry.body :])):
        problem = "There is no text below the header."
        advice = "State the fact, and what to do about it."
        yield _find(entry, "E08", line, problem, advice)
    lower = text.lower()
    if not text.isascii() or any(map(lower.__contains__, _STEMS)):
        for line, word in _relative_days(entry):
            problem = f"`{word}` means another day for each reader."
            yield _find(entry, "E11", line, problem)


def _missing_parts(entry: Entry) -> list[str]:
    """The labelled parts that the body lacks or leaves empty, as `Label:`."""
    labels = FORMATS[entry.page.drawer].parts
    if not labels:
        return []
    texts, hidden = entry.lines.copy(), entry.hidden
    for at in hidden:
        texts[at] = "code"
    # A label may stand inside a line: formatters join the lines of a paragraph.
    text = "\n".join(texts[entry.body :])
    label = rf"({'|'.join(labels)})[*_ \t]*:"
    marks = [
        match for match in re.finditer(label, text) if _begins_word(text, match.start())
    ]
    ends = [*(match.start() for match in marks[1:]), len(text)]
    written = {
        match[1]
        for match, end in zip(marks, ends)
        if text[match.end() : end].strip().strip("*_ ")
    }
    return [f"{name}:" for name in labels if name not in written]


def _begins_word(text: str, at: int) -> bool:
    """Return whether a word can begin at an offset: after a space or a Markdown mark.

    An expression that looks behind takes three times as long.
    """
    return not at or text[at - 1].isspace() or text[at - 1] in "*_#>+-"


def _relative_days(entry: Entry) -> Iterator[tuple[int, str]]:
    """Words that mean a day by its distance, outside code and quotations, by line."""
    hidden = entry.hidden
    for _, line in entry.evidence:
        hidden = hidden | {*field_lines(entry, line)}
    shown_lines = ["" if at in hidden else line for at, line in enumerate(entry.lines)]
    text = "\n".join(shown_lines).lower()
    quoted = r'`[^`\n]*(?:\n(?!\n)[^`\n]*)*`|"[^"\n]*(?:\n(?!\n)[^"\n]*)*"'
    if "`" in text or '"' in text:
        text = re.sub(quoted, lambda match: "\n" * match[0].count("\n"), text)
    seen = set[int]()
    for match in re.finditer(_RELATIVE, text):
        line = text.count("\n", 0, match.start()) + 1
        if line not in seen:
            seen.add(line)
            yield line, " ".join(match[0].split())


def backed(source: str, kinds: set[str]) -> bool:
    """Return true if evidence of these kinds is enough for a source."""
    if source == "user-confirmed":
        return bool(kinds & {"user", "review"})
    return source != "verified" or bool(kinds)


@cache
def read_evidence(value: str) -> Evidence | None:
    """The citation in an evidence line, or None where it has no known form.

    Quotations and reviews come folded, so that a formatter does not make new ones.
    """
    value = unescape(value)
    match = re.fullmatch(_EVIDENCE, value)
    if not match or not is_date(match["date"] or "2000-01-01"):
        return None
    kind, what = match.lastgroup or "", (match["file"] or value).strip("`")
    if kind == "path" and (_leads_out(what) or match["first"] in _NO_LINES):
        return None
    if kind in ("user", "review"):
        what = unformatted(what)
    elif kind == "commit":
        what = what.replace("`", "")
    elif kind == "url":
        what = what.strip("<>")
    first = int(match["first"] or 0)
    return Evidence(kind, what, first, int(match["last"] or first), match["sha"] or "")


def _leads_out(path: str) -> bool:
    """Return true if a cited path is absolute, or leads out of the project."""
    outside = path[:1] in "/~" or "\\" in path or ".." in path.split("/")
    return outside or ":" in path.split("/")[0]


def _evidence_problem(value: str) -> str:
    """The sentence about evidence that has no known form."""
    value = unescape(value)
    match = re.fullmatch(_EVIDENCE, value)
    if match and match["date"]:
        return f"The quotation is dated {shown(match['date'])}, which is no date."
    if match and match["first"] in _NO_LINES:
        return "Lines are counted from 1."
    if match:
        return "The cited path is absolute, or leads out of this project."
    if not value:
        return "The line of evidence is empty."
    if re.match(r"commit\s", value):
        return "A commit is cited by 7 or more hexadecimal digits, in lower case."
    if re.match(r"user\s", value):
        return "The words of the user lack their date or their quotation marks."
    if re.match(r"review\s", value):
        return "A review is cited by its address and its author."
    return "The evidence has no known form."


def listing(names: Sequence[str], word: str = "and") -> str:
    """Names in code spans as part of a sentence: `a`, `b` and `c`."""
    spans = [f"`{name}`" for name in names]
    if len(spans) < 2:
        return "".join(spans)
    return f"{', '.join(spans[:-1])} {word} {spans[-1]}"


def shown(value: str) -> str:
    """A wrong value as part of a sentence, if it is short and plain.

    Anything else is not printed: an entry may contain a secret or an instruction.
    """
    return f"`{value}`" if re.fullmatch(_SHOWABLE, value) else "some other text"


def links(entry: Entry) -> Iterator[tuple[int, str]]:
    """The `[[slug]]` links outside code, each with its line number."""
    if "[[" not in entry.page.text.replace("\\", ""):
        return
    for line, text in entry.prose():
        for slug in re.findall(r"\[\[([^][|#]+)", text.replace("\\", "")):
            if is_slug(slug):
                yield line, slug


def check_links(entry: Entry, slugs: set[str]) -> Findings:
    """Report the links of an entry that lead to none of the slugs (E12)."""
    for line, slug in links(entry):
        if slug not in slugs:
            problem = f"No entry is named {slug} yet."
            yield finding("E12", entry.page.path, line, entry.page.name, problem)
