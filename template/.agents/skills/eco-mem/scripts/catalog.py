"""The catalogs: reading rows, judging them (family C), building them anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from entry import NONE, Entry, masked
from findings import Finding, found
from store import CATALOGS, DURABLE, STORE, Page, Store, is_slug

CUE_LENGTH = range(8, 121)
BEGIN, END = "<!-- eco-mem:contract:begin", "<!-- eco-mem:contract:end"
_ITEM = r" {0,3}[-*+] {1,4}\[([^]]*)\]"
_LINK = r"<[^<>]*>[^()]*|(?:[^()<]|\([^()]*\))*"
_ROW = rf"(?s){_ITEM}\(({_LINK})\)\s*:?(.*)"


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
    procedural = ["## In force", "## Not yet a skill"]
    return procedural if drawer == "procedural" else ["## Catalog"]


def fold(text: str) -> str:
    """Text without what formatters add or drop: to compare cues and rows."""
    for mark in "\\*_`":
        text = text.replace(mark, "")
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


@cache
def read_row(line: str, number: int) -> Row | None:
    """A line as a catalog row, or None: a list item that begins with a link."""
    import re

    match = re.match(_ROW, line) if "](" in line else None
    if not match:
        return None
    name, link, text = (part.strip() for part in match.groups())
    target = canonical(link)
    slug = target[:-3] if target[-3:] == ".md" and "/" not in target else ""
    return Row(number, name, target, slug, text, link == target)


def sections(lines: list[str], drawer: str) -> list[list[Section]]:
    """For each heading of the drawer, the places where it stands."""
    skipped = masked(lines)
    starts = [
        at
        for at, line in enumerate(lines)
        if line.startswith(("# ", "## ")) and at not in skipped
    ]
    places: list[list[Section]] = [[] for _ in headings(drawer)]
    for start, stop in zip(starts, [*starts[1:], len(lines)]):
        if lines[start].rstrip() in headings(drawer):
            numbers = (at for at in range(start + 1, stop) if at not in skipped)
            rows = [row for at in numbers if (row := read_row(lines[at], at + 1))]
            place = places[headings(drawer).index(lines[start].rstrip())]
            place.append(Section(start, stop, rows))
    return places


def check(store: Store, entries: dict[str, Entry]) -> Iterator[Finding]:
    """All findings of family C. entries holds the parsed entries by path."""
    for page in store.catalogs.values():
        lines = page.text.split("\n")
        if page.name == "INDEX":
            yield from _contract(page, lines)
        if page.drawer == "working" and "](" in page.text:
            shown = [at for at in range(len(lines)) if at not in masked(lines)]
            rows = [at + 1 for at in shown if read_row(lines[at], 1)]
            yield from (found(page.path, line, "C17") for line in rows[:1])
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

    plain = (fold(re.sub(r"^\s*[-*+]\s+", "", line)) for line in lines)
    text = "\n".join(line for line in plain if line)
    return f"{crc32(text.encode()):08x}"


def _drawer(store: Store, drawer: str, entries: dict[str, Entry]) -> Iterator[Finding]:
    """Whether the catalogs of a drawer and its entries agree."""
    folder = f"{STORE}/{drawer}"
    listed: dict[str, str] = {}
    index, archive = (f"{folder}/{name}.md" for name in CATALOGS)
    unread = any(item.path == archive for item in store.findings)
    complete = index in store.catalogs and not unread
    for page in filter(None, map(store.catalogs.get, (index, archive))):
        lines = page.text.split("\n")
        *above, places = sections(lines, drawer)
        for heading, found_at in zip(headings(drawer), (*above, places)):
            if len(found_at) != 1 and (page.path == index or found_at is places):
                yield found(page.path, 1, "C06", "", heading)
        complete = complete and bool(places)
        hidden = masked(lines) if "\n|" in page.text else set()
        under = range(places[0].start if places else 0, len(lines))
        bars = [at for at in under if lines[at][:1] == "|" and at not in hidden]
        yield from (found(page.path, at + 1, "C15") for at in bars[:1])
        for section in places:
            yield from _rows(store, page, section.rows, listed, entries)
        for section in above[0] if above else ():
            yield from _pointers(store, page, section.rows)
    for path, entry in entries.items() if complete else ():
        if entry.page.drawer == drawer and path not in listed and entry.row:
            slug = entry.page.name
            yield found(index, 1, "C02", slug, f"{slug}.md")


def _rows(
    store: Store,
    page: Page,
    rows: list[Row],
    listed: dict[str, str],
    entries: dict[str, Entry],
) -> Iterator[Finding]:
    """What is wrong with the rows of entries; notes in listed who lists which."""
    order = [row.slug for row in rows if row.slug]
    if order != sorted(order):
        yield found(page.path, rows[0].line, "C16")
    for row in rows:
        path = f"{STORE}/{page.drawer}/{row.target}"
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
    names: set[str] = set()
    for row in rows:
        path = os.path.join(root, os.path.dirname(page.path), row.target)
        inside = os.path.normpath(path).startswith(root + os.sep)
        if row.slug:
            yield found(page.path, row.line, "C18", row.slug)
        elif not inside or not row.target or not os.path.exists(path):
            yield found(page.path, row.line, "C14", row.target)
        elif row.name in names:
            yield found(page.path, row.line, "C19", row.name)
        names.add(row.name)


def cues(entries: dict[str, Entry]) -> Iterator[Finding]:
    """Findings about cues: their length, vagueness and likeness."""
    same: dict[str, list[Entry]] = {}
    for entry in entries.values():
        cue = entry.fields.get("cue", NONE).value
        if cue and entry.page.drawer != "working":
            same.setdefault(fold(cue).lower(), []).append(entry)
    for folded, alike in same.items():
        for entry in alike:
            path, _, slug, _ = entry.page
            cue, line = entry.fields["cue"]
            if len(cue) not in CUE_LENGTH:
                yield found(path, line, "C10", slug)
            elif len(alike) > 1:
                others = ", ".join(e.page.name for e in alike if e is not entry)
                yield found(path, line, "C11", slug, others)
            elif folded in (slug, slug.replace("-", " "), fold(entry.title).lower()):
                yield found(path, line, "C09", slug)
