"""The catalogs: reading rows, and judging them against the entries (family C)."""

from __future__ import annotations

import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterable, Iterator, NamedTuple, cache, defaultdict
from ecomem.entry import NONE, Entries, Entry, listing, shown
from ecomem.findings import Finding, Findings, finding, with_names
from ecomem.git import CannotAsk
from ecomem.markdown import (
    LIST_MARKS,
    begins_block,
    heading_text,
    is_fence,
    join_lines,
    masked,
    unformatted,
)
from ecomem.rules import FORGET, RULES, VERIFY
from ecomem.store import CATALOGS, DURABLE, STORE, Page, Store, is_slug

MAX_NAMED = 3  # entries that a finding names
MAX_NAME_LINES = 3  # over which the link of a row may be wrapped
CUE_LENGTH = range(8, 121)
BEGIN, END = "<!-- eco-mem:contract:begin", "<!-- eco-mem:contract:end"
_ITEM = r" {0,3}[-*+] {1,4}\[([^]]*)\]"
_LINK = r"<[^<>]*>[^()]*|(?:[^()<]|\([^()]*\))*"
_ROW = rf"(?s){_ITEM}\(({_LINK})\)\s*:?(.*)"
FIX = f"{VERIFY} --fix"


class Row(NamedTuple):
    """One row, which may go on over lines; line and last are its lines, from 1.

    name is the text of the link, target where it leads in its one right spelling, slug
    the entry it names (empty for a pointer), text what follows, wrapped lines joined.
    tidy: the link is spelled as it should be. texts: the text of each line.
    """

    line: int
    name: str
    target: str
    slug: str
    text: str
    tidy: bool
    last: int
    texts: tuple[str, ...]


class Section(NamedTuple):
    """A catalog heading: from and to which line indexes it reaches, and its rows."""

    spans: list[tuple[int, int]]
    rows: list[Row]


def headings(drawer: str) -> list[str]:
    """The catalog headings of a durable drawer; the last one is for entries."""
    if drawer == "procedural":
        return ["## In force", "## Not yet a skill"]
    return ["## Catalog"]


def canonical(link: str) -> str:
    """One spelling of a link: without ./, <>, title, anchor, escapes and %20."""
    link = link[1:].partition(">")[0] if link[:1] == "<" else link.partition(" ")[0]
    link = link.partition("#")[0].partition("?")[0].replace("\\", "")
    if "%" in link:
        from urllib.parse import unquote

        link = unquote(link)
    while link.startswith("./"):
        link = link[2:]
    return link


@cache
def read_row(line: str, number: int) -> Row | None:
    """A line as a catalog row, or None: a list item that begins with a link."""
    match = re.match(_ROW, line) if "](" in line else None
    if not match:
        return None
    name, link, text = (part.strip() for part in match.groups())
    target = canonical(link)
    slug = target[:-3] if target[-3:] == ".md" and "/" not in target else ""
    return Row(number, name, target, slug, text, link == target, number, (text,))


def _read_wrapped_row(lines: list[str], number: int) -> Row | None:
    """Some lines, of which the first has this number, as one row, or None."""
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip(" "))]
    for count in range(1, min(len(lines), MAX_NAME_LINES) + 1):
        row = read_row(indent + join_lines(lines[:count]), number)
        if row:
            texts = (row.text, *map(str.strip, lines[count:]))
            last = number + len(lines) - 1
            return row._replace(text=join_lines(texts), last=last, texts=texts)
    return None


def rows_of(lines: list[str], start: int = 0, stop: int | None = None) -> Iterator[Row]:
    """The rows among the lines of a catalog, wrapped ones as one, by line.

    Only real list items count: none in code fences, comments, quotes or code blocks.
    """
    yield from _rows(lines, masked(lines), start, len(lines) if stop is None else stop)


def _rows(lines: list[str], hidden: set[int], start: int, stop: int) -> Iterator[Row]:
    at = start
    while at < stop:
        line, first = lines[at], at
        at += 1
        if first in hidden or not _may_be_row(line):
            continue
        while at < stop and at not in hidden and _goes_on(lines[at]):
            at += 1
        if at == first + 1:
            row = read_row(line, at)
        else:
            row = _read_wrapped_row(lines[first:at], first + 1)
        if row:
            yield row


def _may_be_row(line: str) -> bool:
    """Return true if a line is a list item whose text begins with a bracket."""
    if "[" not in line:
        return False
    text = line.lstrip(" ")
    return text[:1] in "-*+" and text[1:].lstrip(" ")[:1] == "["


def _goes_on(line: str) -> bool:
    """Return true if a line goes on with the list item above it."""
    if not line or line[:2] in LIST_MARKS:
        return False
    text = line.strip()
    return bool(text) and not is_fence(text) and not begins_block(text)


def sections(lines: list[str], drawer: str) -> list[Section]:
    """The places and rows of each heading of the drawer."""
    hidden = masked(lines)
    heads = [at for at, line in enumerate(lines) if line.startswith(("# ", "## "))]
    starts = [at for at in heads if at not in hidden]
    places = {title: Section([], []) for title in headings(drawer)}
    for start, stop in zip(starts, [*starts[1:], len(lines)]):
        place = places.get(heading_text(lines[start]))
        if place:
            place.spans.append((start, stop))
            place.rows.extend(_rows(lines, hidden, start + 1, stop))
    return list(places.values())


@cache
def sections_of(page: Page) -> list[Section]:
    """Return the sections of a catalog, which is read once in a process.

    Nobody may change the result; `sections` makes one of its own.
    """
    return sections(page.text.split("\n"), page.drawer)


def listed(store: Store, path: str) -> set[str]:
    """The paths of the entries that a catalog has rows for."""
    page = store.catalogs.get(path)
    rows = sections_of(page)[-1].rows if page else []
    return {f"{os.path.dirname(path)}/{row.target}" for row in rows if row.slug}


def unread(store: Store, drawer: str) -> bool:
    """Return true if a catalog of a drawer is missing or could not be read."""
    bad = {item.path for item in store.findings} - {*store.catalogs}
    folder = f"{STORE}/{drawer}"
    return folder in bad or any(f"{folder}/{name}.md" in bad for name in CATALOGS)


def touched(old: str, new: str, drawer: str) -> set[str]:
    """Slugs, names and targets of the rows that differ between two texts of a catalog.

    Formatting is no difference, nor is the order of the rows.
    """
    before, after = _row_texts(old, drawer), _row_texts(new, drawer)
    return {word for row in before ^ after for word in row[1:4] if word}


def _row_texts(text: str, drawer: str) -> set[tuple[int, str, str, str, str]]:
    places = sections(text.split("\n"), drawer)
    return {
        (at, row.slug, row.name, row.target, unformatted(row.text))
        for at, place in enumerate(places)
        for row in place.rows
    }


def frame_changed(old: str, new: str, drawer: str) -> bool:
    """Return true if two texts of a catalog differ beside rows and contract."""
    return _frame(old, drawer) != _frame(new, drawer)


def _frame(text: str, drawer: str) -> list[str]:
    """The lines of a catalog, folded, without rows and without the contract's text."""
    lines = text.split("\n")
    left_out = set[int]()
    for place in sections(lines, drawer):
        for row in place.rows:
            left_out.update(range(row.line - 1, row.last))
    inside = False
    frame = []
    for at, line in enumerate(lines):
        if line.startswith(END):
            inside = False
        if not inside and at not in left_out and line.strip():
            frame.append(BEGIN if line.startswith(BEGIN) else unformatted(line))
        inside = inside or line.startswith(BEGIN)
    return frame


def check(store: Store, entries: Entries) -> Findings:
    """All findings of family C. entries holds the parsed entries by path."""
    for page in store.catalogs.values():
        if page.name == "INDEX":
            yield from _check_contract(page)
        if page.drawer == "working" and "](" in page.text:
            for row in rows_of(page.text.split("\n")):
                yield finding("C17", page.path, row.line)
                break
    parsed = {
        page.path: sections_of(page)
        for page in store.catalogs.values()
        if page.drawer in DURABLE
    }
    unseen = targets_kept_from_view(store, _missing_targets(store, parsed))
    for drawer in DURABLE:
        yield from _check_drawer(store, drawer, entries, parsed, unseen)
    yield from cues(entries)


def _missing_targets(store: Store, parsed: dict[str, list[Section]]) -> list[str]:
    """The paths that rows lead to, and that are not there."""
    missing: list[str] = []
    for path, places in parsed.items():
        folder = os.path.dirname(path)
        for row in [row for place in places for row in place.rows]:
            if f"{folder}/{row.target}" in store.slugs or not row.target:
                continue
            target = os.path.normpath(f"{folder}/{row.target}").replace(os.sep, "/")
            there = not row.slug and _exists(os.path.join(store.root, target))
            if not there and target[:3] != "../":
                missing.append(target)
    return missing


def targets_kept_from_view(store: Store, paths: Iterable[str]) -> dict[str, str]:
    """Paths that git has and this checkout leaves out, each with a sentence why."""
    asked = {path for path in paths if path.isprintable() and path[:1] != "/"}
    if not asked:
        return {}
    from ecomem import evidence

    try:
        return evidence.kept_from_view(store.root, sorted(asked))
    except CannotAsk:
        return {}


_MOVE_POINTER = (
    "Move it under `## In force` in `.agents/memory/procedural/INDEX.md`, or remove it."
)


def _check_contract(page: Page) -> Findings:
    """Report a contract without both its markers, twice, or edited."""
    above, begin, rest = f"\n{page.text}".partition(f"\n{BEGIN}")
    inner, end, below = rest.partition(f"\n{END}")
    stamp, _, text = inner.partition("\n")
    stamp = stamp.replace("-->", "").strip()
    line = above.count("\n") + 1
    if not begin and not end:
        yield finding("C12", page.path)
    elif not begin or f"\n{END}" in above:
        problem = "The contract's end marker has no begin marker above it."
        yield finding("C12", page.path, problem=problem, advice=_MEND_MARKERS)
    elif not end:
        problem = "The contract's begin marker has no end marker below it."
        yield finding("C12", page.path, line, problem=problem, advice=_MEND_MARKERS)
    elif f"\n{BEGIN}" in inner + below or f"\n{END}" in below:
        problem = "There is more than one contract."
        yield finding("C12", page.path, line, problem=problem, advice=_MEND_MARKERS)
    elif stamp and stamp != digest(text.split("\n")):
        yield finding("C13", page.path, line)


_MEND_MARKERS = (
    f"Run `{FIX}`; if that does not help, remove all from the first marker to the last,"
    " and run `copier update --trust`, which writes the contract under the title."
)


def digest(lines: list[str]) -> str:
    """The hash that the weave stamps on a contract, blind to what formatters do.

    They change blank lines, wrapping, escapes, and the marks of lists, of emphasis and
    of tables. The weave has the same function in tasks/blocks.py.
    """
    text = re.sub(r"(?m)^[ \t]*(?:[-*+]|\d+[.)])[ \t]+", "", "\n".join(lines))
    text = re.sub(r"[\\*_`]", "", text)
    words = [word for word in text.split() if word.strip("-+|:")]
    from binascii import crc32

    return f"{crc32(' '.join(words).encode()):08x}"


def _check_drawer(
    store: Store,
    drawer: str,
    entries: Entries,
    parsed: dict[str, list[Section]],
    unseen: dict[str, str],
) -> Findings:
    """Report where the catalogs of a drawer and its entries disagree."""
    index, archive = (f"{STORE}/{drawer}/{name}.md" for name in CATALOGS)
    complete = not unread(store, drawer)
    spelled = _by_spelling(store, drawer)
    seen: dict[str, Row] = {}
    seen_in: dict[str, str] = {}
    for page in (store.catalogs.get(index), store.catalogs.get(archive)):
        if not page:
            continue
        places = parsed[page.path]
        complete = complete and bool(places[-1].spans)
        yield from _check_frame(page, places)
        yield from _check_pointers(store, page, places, unseen)
        for row in places[-1].rows:
            path = f"{STORE}/{drawer}/{row.target}"
            path = spelled.get(path, path)
            if not row.slug:
                heading = headings(drawer)[-1]
                problem = f"A row under `{heading}` leads out of the drawer."
                advice = "" if drawer == "procedural" else _MOVE_POINTER
                yield finding("C18", page.path, row.line, "", problem, advice)
            elif path in unseen:
                yield _not_looked_at(page, row, unseen[path])
            elif path not in store.slugs:
                yield finding("C01", page.path, row.line, row.slug)
            elif path in seen and seen_in[path] == page.path:
                problem = f"The row repeats that on line {seen[path].line}."
                yield finding("C03", page.path, row.line, row.slug, problem)
            elif path in seen:
                yield finding("C04", page.path, row.line, row.slug)
            elif path in entries:
                yield from _check_text(page, row, entries[path])
            if path not in seen:
                seen[path], seen_in[path] = row, page.path
    if not complete:
        return
    for path, entry in entries.items():
        if entry.page.drawer == drawer and path not in seen and entry.row:
            problem = f"{entry.page.name}.md has no row, so no reader finds it."
            yield finding("C02", index, 1, entry.page.name, problem)


def _by_spelling(store: Store, drawer: str) -> dict[str, str]:
    """The paths whose names are not ASCII, by their other Unicode forms."""
    spelled: dict[str, str] = {}
    for path in store.slugs:
        if not path.isascii() and path.startswith(f"{STORE}/{drawer}/"):
            from unicodedata import normalize

            spelled[normalize("NFC", path)] = path
            spelled[normalize("NFD", path)] = path
    return spelled


def _check_text(page: Page, row: Row, entry: Entry) -> Findings:
    """Report a row whose text or name is not that of its entry."""
    if not entry.row or not is_slug(row.slug) or same_row(row, entry):
        return
    problem = "The text of the row is not its entry's cue."
    if row.name.replace("\\", "") != entry.page.name:
        problem = f"The row's name in brackets is not `{entry.page.name}`."
    elif unformatted(f"{row.text} (derived)") == unformatted(entry.row):
        problem = "The entry is derived, and the row does not end with `(derived)`."
    elif unformatted(row.text) == unformatted(f"{entry.row} (derived)"):
        problem = "The row ends with `(derived)`, and the entry is not derived."
    yield finding("C05", page.path, row.line, row.slug, problem)


def _check_frame(page: Page, places: list[Section]) -> Findings:
    """Report missing or repeated headings, a table in place of rows, and disorder."""
    *_, last = places
    for heading, place in zip(headings(page.drawer), places):
        if not place.spans and (page.name == "INDEX" or place is last):
            problem = f"The heading `{heading}` is missing."
            yield finding("C06", page.path, problem=problem)
        elif len(place.spans) > 1 and (page.name == "INDEX" or place is last):
            line = place.spans[1][0] + 1
            problem = f"The heading `{heading}` stands here for the second time."
            yield finding("C06", page.path, line, problem=problem)
    if "\n|" in page.text:
        lines = page.text.split("\n")
        hidden = masked(lines)
        start = last.spans[0][0] if last.spans else 0
        for at in range(start, len(lines)):
            if lines[at][:1] == "|" and at not in hidden:
                yield finding("C15", page.path, at + 1)
                break
    order = [row.slug for row in last.rows if row.slug]
    if order != sorted(order):
        yield finding("C16", page.path, last.rows[0].line)


def _not_looked_at(page: Page, row: Row, reason: str) -> Finding:
    """The note that the target of a row is not here, and not gone either."""
    problem = f"What the row points at could not be looked at here. {reason}"
    return finding("R13", page.path, row.line, row.slug or row.name, problem)


def _check_pointers(
    store: Store, page: Page, places: list[Section], unseen: dict[str, str]
) -> Findings:
    """Report rows In force that lead nowhere, to an entry, or have one name."""
    if len(places) == 1:
        return  # only the procedural drawer has this heading
    root = os.path.realpath(store.root)
    names: dict[str, int] = {}
    for row in places[0].rows:
        path = os.path.join(root, os.path.dirname(page.path), row.target)
        inside = os.path.normpath(path).startswith(root + os.sep)
        target = os.path.normpath(f"{os.path.dirname(page.path)}/{row.target}")
        reason = unseen.get(target.replace(os.sep, "/"))
        if row.slug:
            problem = "This row names an entry, under `## In force`."
            yield finding("C18", page.path, row.line, row.slug, problem)
        elif reason:
            yield _not_looked_at(page, row, reason)
        elif not inside or not row.target or not _exists(path):
            yield _leads_nowhere(page, row)
        elif row.name in names:
            problem = f"The row repeats the name of that on line {names[row.name]}."
            yield finding("C19", page.path, row.line, row.name, problem)
        names[row.name] = row.line


def _leads_nowhere(page: Page, row: Row) -> Finding:
    """Report a row under In force whose target is not in this project."""
    target = shown(row.target)
    problem = ""
    if row.target in target:
        problem = f"The row points to {target}, which is not in this project."
    advice = with_names(RULES["C14"].advice, subject=row.name)
    return finding("C14", page.path, row.line, row.target, problem, advice)


def _exists(path: str) -> bool:
    """Return true if a file or folder is there, in any Unicode form of its name."""
    if "\0" in path:
        return False
    if os.path.exists(path) or path.isascii():
        return os.path.exists(path)
    from unicodedata import normalize

    return os.path.exists(normalize("NFC", path)) or os.path.exists(
        normalize("NFD", path)
    )


def same_row(row: Row, entry: Entry) -> bool:
    """Return true if a row has the name and cue of its entry, formatting aside."""
    return last_line_of(row, entry) > 0


def last_line_of(row: Row, entry: Entry) -> int:
    """The line on which a row ends that has its entry's name and cue; else 0.

    What a person wrote directly below a row looks like more of it, but is not.
    """
    if row.name.replace("\\", "") != entry.page.name:
        return 0
    if row.text == entry.row:
        return row.last
    wanted = unformatted(entry.row)
    text = ""
    for count, part in enumerate(row.texts, 1):
        text = join_lines([text, part])
        if unformatted(text) == wanted:
            return row.last - (len(row.texts) - count)
        if len(text) > 4 * len(wanted) + 80:  # escapes may double it
            break
    return 0


def cues(entries: Entries) -> Findings:
    """Findings about cues: their length, vagueness and likeness."""
    same: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries.values():
        cue = entry.fields.get("cue", NONE).value
        if cue and entry.page.drawer != "working":
            same[unformatted(cue).lower()].append(entry)
    for folded, alike in same.items():
        for entry in alike:
            path, _, slug, _ = entry.page
            cue, line = entry.fields["cue"]
            some = alike[: MAX_NAMED + 1]
            others = [other.page for other in some if other is not entry]
            if len(cue) not in CUE_LENGTH:
                yield finding("C10", path, line, slug, wrong_length(cue))
            elif others:
                yield _shared_cue(entry, line, others)
            elif folded in (slug, slug.replace("-", " ")):
                yield finding("C09", path, line, slug, "The cue repeats the slug.")
            elif folded == unformatted(entry.title).lower():
                yield finding("C09", path, line, slug, "The cue repeats the title.")


def wrong_length(cue: str) -> str:
    """The sentence about a cue that is too short or too long."""
    bounds = f"at least {CUE_LENGTH[0]} and at most {CUE_LENGTH[-1]}"
    return f"The length of the cue is {len(cue)}; it needs {bounds} characters."


def _shared_cue(entry: Entry, line: int, others: list[Page]) -> Finding:
    """Report a cue that is that of others too, and which of the entries can change."""
    path, drawer, slug, _ = entry.page
    names = listing([other.name for other in others[:MAX_NAMED]])
    problem = f"{names} {'has' if len(others) == 1 else 'have'} the same cue."
    if drawer == "episodic":
        advice = "Make the cues different; a published episode keeps its cue."
    elif any(other.drawer == "episodic" for other in others):
        advice = "Make the cue of this entry different."
    else:
        name = others[0].name if len(others) == 1 else ""
        advice = "Make the cues different; or, if this entry replaces another, "
        advice += with_names(f"remove that one with `{FORGET} SLUG`.", subject=name)
    return finding("C11", path, line, slug, problem, advice)
