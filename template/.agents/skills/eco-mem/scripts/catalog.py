"""The catalogs: reading rows, judging them (family C), building them anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from entry import NONE, Entry, masked
from findings import Finding, found
from store import DURABLE, STORE, Page, Store, is_slug

CUE_LENGTH = range(8, 121)
_MARKS = ("\\", "*", "_", "`")
BEGIN, END = "<!-- eco-mem:contract:begin", "<!-- eco-mem:contract:end"


if TYPE_CHECKING:
    import re


class Row(NamedTuple):
    """One row: line counts from 1, target is the canonical link.

    slug is the entry the row names, empty where it points out of the drawer.
    """

    line: int
    name: str
    target: str
    slug: str
    text: str
    tidy: bool


class Section(NamedTuple):
    """A heading's index among the lines, the index after its last line, its rows."""

    start: int
    stop: int
    rows: list[Row]


def headings(drawer: str) -> list[str]:
    """The catalog headings of a durable drawer; entries stand under the last one."""
    if drawer == "procedural":
        return ["## In force", "## Not yet a skill"]
    return ["## Catalog"]


def fold(text: str) -> str:
    """Text without what formatters add or drop: to compare cues and rows."""
    if any(map(text.__contains__, _MARKS)):
        text = text.translate({ord(mark): None for mark in _MARKS})
    return " ".join(text.split())


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


def read_row(line: str, number: int) -> Row | None:
    """A line as a catalog row, or None: a list item that begins with a link."""
    if "](" not in line:
        return None
    match = _row_pattern().match(line)
    if not match:
        return None
    name, link, text = (part.strip() for part in match.groups())
    target = canonical(link)
    slug = target[:-3] if target[-3:] == ".md" and "/" not in target else ""
    return Row(number, name, target, slug, text, link == target)


@cache
def _row_pattern() -> re.Pattern[str]:
    import re

    link = r"<[^<>]*>[^()]*|(?:[^()<]|\([^()]*\))*"
    item = r" {0,3}[-*+] {1,4}\[([^]]*)\]"
    return re.compile(rf"{item}\(({link})\)\s*:?(.*)", re.DOTALL)


def sections(lines: list[str], drawer: str) -> list[list[Section]]:
    """For each heading of the drawer, the places where it stands."""
    skipped = masked(lines)
    starts = [
        at
        for at, line in enumerate(lines)
        if (line[:2] == "# " or line[:3] == "## ") and at not in skipped
    ] + [len(lines)]
    places: list[list[Section]] = []
    for wanted in headings(drawer):
        places.append([])
        for at, start in enumerate(starts[:-1]):
            stop = starts[at + 1]
            if lines[start].rstrip() == wanted:
                numbers = (at for at in range(start + 1, stop) if at not in skipped)
                rows = (read_row(lines[at], at + 1) for at in numbers)
                section = Section(start, stop, [row for row in rows if row])
                places[-1].append(section)
    return places


def check(store: Store, entries: dict[str, Entry]) -> Iterator[Finding]:
    """All findings of family C. entries holds the parsed entries by path."""
    for page in store.catalogs.values():
        lines = page.text.split("\n")
        if page.name == "INDEX":
            yield from _contract(page, lines)
        shown = [at for at in range(len(lines)) if "](" in lines[at]]
        if page.drawer == "working" and shown:
            hidden = masked(lines)
            rows = [at for at in shown if at not in hidden and read_row(lines[at], 1)]
            yield from (found(page.path, at + 1, "C17") for at in rows[:1])
    for drawer in DURABLE:
        yield from _drawer(store, drawer, entries)
    yield from cues(entries)


def _contract(page: Page, lines: list[str]) -> Iterator[Finding]:
    begin = [at for at, line in enumerate(lines) if line.startswith(BEGIN)]
    end = [at for at, line in enumerate(lines) if line.startswith(END)]
    if not begin or not end or begin[0] > end[0]:
        yield found(page.path, 1, "C12")
        return
    stamp = lines[begin[0]][len(BEGIN) :].replace("-->", "").strip()
    if stamp and stamp != digest(lines[begin[0] + 1 : end[0]]):
        yield found(page.path, begin[0] + 1, "C13")


def digest(lines: list[str]) -> str:
    """The short hash the weave stamps on a contract, blind to what formatters do."""
    import re
    from binascii import crc32

    bare = (re.sub(r"^\s*[-*+]\s+", "", line) for line in lines)
    plain = (fold(line) for line in bare)
    text = "\n".join(line for line in plain if line)
    return f"{crc32(text.encode()):08x}"


def _drawer(store: Store, drawer: str, entries: dict[str, Entry]) -> Iterator[Finding]:
    folder = f"{STORE}/{drawer}/"
    listed: dict[str, str] = {}
    unread = [item for item in store.findings if item.path == folder + "ARCHIVE.md"]
    complete = folder + "INDEX.md" in store.catalogs and not unread
    for name in ("INDEX.md", "ARCHIVE.md"):
        page = store.catalogs.get(folder + name)
        if not page:
            continue
        lines = page.text.split("\n")
        places = sections(lines, drawer)
        for heading, found_at in zip(headings(drawer), places):
            if len(found_at) != 1 and (name == "INDEX.md" or found_at is places[-1]):
                yield found(page.path, 1, "C06", "", heading)
        complete = complete and bool(places[-1])
        top = places[-1][0].start if places[-1] else 0
        hidden = masked(lines) if "\n|" in page.text else set()
        bars = [at for at in range(top, len(lines)) if lines[at][:1] == "|"]
        for at in [at for at in bars if at not in hidden][:1]:
            yield found(page.path, at + 1, "C15")
        for section in places[-1]:
            yield from _rows(store, page, section.rows, listed, entries)
        for section in places[0] if len(places) > 1 else []:
            yield from _pointers(store, page, section.rows)
    for path, entry in entries.items() if complete else ():
        if entry.page.drawer == drawer and path not in listed and entry.row:
            slug = entry.page.name
            yield found(folder + "INDEX.md", 1, "C02", slug, f"{slug}.md")


def _rows(
    store: Store,
    page: Page,
    rows: list[Row],
    listed: dict[str, str],
    entries: dict[str, Entry],
) -> Iterator[Finding]:
    folder = f"{STORE}/{page.drawer}/"
    order = [row.slug for row in rows if row.slug]
    if order != sorted(order):
        yield found(page.path, rows[0].line, "C16")
    for row in rows:
        path = folder + row.target
        entry = entries.get(path)
        code = ""
        if not row.slug:
            code = "C18"
        elif path not in store.slugs:
            code = "C01"
        elif path in listed:
            code = "C03" if listed[path] == page.path else "C04"
        elif entry and entry.row and is_slug(row.slug) and not same_row(row, entry):
            code = "C05"
        listed.setdefault(path, page.path)
        if code:
            yield found(page.path, row.line, code, row.slug)


def same_row(row: Row, entry: Entry) -> bool:
    """Whether a row says what its entry's cue says, formatting aside."""
    same_text = row.text == entry.row or fold(row.text) == fold(entry.row)
    return same_text and row.name.replace("\\", "") == entry.page.name


def _pointers(store: Store, page: Page, rows: list[Row]) -> Iterator[Finding]:
    root = os.path.realpath(store.root)
    names = [row.name for row in rows]
    for row in rows:
        path = os.path.join(root, os.path.dirname(page.path), row.target)
        inside = os.path.normpath(path).startswith(root + os.sep)
        if row.slug:
            yield found(page.path, row.line, "C18", row.slug)
        elif not inside or not row.target or not os.path.exists(path):
            yield found(page.path, row.line, "C14", row.target)
        elif row.name in names[: rows.index(row)]:
            yield found(page.path, row.line, "C19", row.name)


def cues(entries: dict[str, Entry]) -> Iterator[Finding]:
    """Findings about cues: their length, vagueness and likeness."""
    same: dict[str, list[str]] = {}
    for path, entry in entries.items():
        cue = entry.fields.get("cue", NONE).value
        if cue and entry.page.drawer != "working":
            same.setdefault(fold(cue).lower(), []).append(path)
    for folded, paths in same.items():
        for path in paths:
            entry = entries[path]
            slug, (cue, line) = entry.page.name, entry.fields["cue"]
            if len(cue) not in CUE_LENGTH:
                yield found(path, line, "C10", slug)
            elif len(paths) > 1:
                others = ", ".join(entries[p].page.name for p in paths if p != path)
                yield found(path, line, "C11", slug, others)
            elif folded in (slug, slug.replace("-", " "), fold(entry.title).lower()):
                yield found(path, line, "C09", slug)
