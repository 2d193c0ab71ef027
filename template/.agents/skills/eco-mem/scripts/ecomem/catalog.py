"""The catalogs: reading rows, judging them (family C), building them anew."""

from __future__ import annotations

import os
import re
from binascii import crc32
from functools import cache

from ecomem.cheap_imports import NamedTuple
from ecomem.entry import NONE, Entries, Entry, masked
from ecomem.findings import Findings, found
from ecomem.store import CATALOGS, DURABLE, STORE, Page, Store, is_slug

CUE_LENGTH = range(8, 121)
BEGIN, END = "<!-- eco-mem:contract:begin", "<!-- eco-mem:contract:end"
_ITEM = r" {0,3}[-*+] {1,4}\[([^]]*)\]"
_LINK = r"<[^<>]*>[^()]*|(?:[^()<]|\([^()]*\))*"
_ROW = rf"(?s){_ITEM}\(({_LINK})\)\s*:?(.*)"


class Row(NamedTuple):
    """One row: its line from 1, its canonical link, and the slug of the entry there."""

    line: int
    name: str
    target: str
    slug: str
    text: str
    tidy: bool


class Section(NamedTuple):
    """Where a catalog heading stands, from and to which line index, and its rows."""

    spans: list[tuple[int, int]]
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
    match = re.match(_ROW, line) if "](" in line else None
    if not match:
        return None
    name, link, text = (part.strip() for part in match.groups())
    target = canonical(link)
    slug = target[:-3] if target[-3:] == ".md" and "/" not in target else ""
    return Row(number, name, target, slug, text, link == target)


def sections(lines: list[str], drawer: str) -> list[Section]:
    """What stands under each heading of the drawer."""
    hidden = masked(lines)
    heads = [at for at, line in enumerate(lines) if line.startswith(("# ", "## "))]
    starts = [at for at in heads if at not in hidden]
    places = {title: Section([], []) for title in headings(drawer)}
    for start, stop in zip(starts, [*starts[1:], len(lines)]):
        place = places.get(lines[start].rstrip(), Section([], []))
        place.spans.append((start, stop))
        shown = (at for at in range(start + 1, stop) if at not in hidden)
        place.rows.extend(filter(None, (read_row(lines[at], at + 1) for at in shown)))
    return list(places.values())


def listed(store: Store, path: str) -> set[str]:
    """The paths of the entries that a catalog has rows for."""
    page = store.catalogs.get(path)
    rows = sections(page.text.split("\n"), page.drawer)[-1].rows if page else []
    return {f"{os.path.dirname(path)}/{row.target}" for row in rows if row.slug}


def unread(store: Store, drawer: str) -> bool:
    """Whether a catalog of a drawer is missing, or there but not to be read."""
    bad = {item.path for item in store.findings} - {*store.catalogs}
    return any(f"{STORE}/{drawer}/{name}.md" in bad for name in CATALOGS)


def check(store: Store, entries: Entries) -> Findings:
    """All findings of family C. entries holds the parsed entries by path."""
    for page in store.catalogs.values():
        if page.name == "INDEX":
            yield from _contract(page)
        if page.drawer == "working" and "](" in page.text:
            lines = page.text.split("\n")
            shown = {*range(len(lines))} - masked(lines)
            rows = [at + 1 for at in sorted(shown) if read_row(lines[at], at + 1)]
            yield from (found(page.path, line, "C17") for line in rows[:1])
    for drawer in DURABLE:
        yield from _drawer(store, drawer, entries)
    yield from cues(entries)


def _contract(page: Page) -> Findings:
    above, _, rest = f"\n{page.text}".partition(f"\n{BEGIN}")
    inner, end, _ = rest.partition(f"\n{END}")
    stamp, _, text = inner.partition("\n")
    stamp = stamp.replace("-->", "").strip()
    if not end or f"\n{END}" in above:
        yield found(page.path, 1, "C12")
    elif stamp and stamp != digest(text.split("\n")):
        yield found(page.path, above.count("\n") + 1, "C13")


def digest(lines: list[str]) -> str:
    """The short hash the weave stamps on a contract, blind to what formatters do."""
    plain = (fold(re.sub(r"^\s*[-*+]\s+", "", line)) for line in lines)
    text = "\n".join(line for line in plain if line)
    return f"{crc32(text.encode()):08x}"


def _drawer(store: Store, drawer: str, entries: Entries) -> Findings:
    """Whether the catalogs of a drawer and its entries agree."""
    index, archive = (f"{STORE}/{drawer}/{name}.md" for name in CATALOGS)
    complete, seen = not unread(store, drawer), dict[str, str]()
    for page in filter(None, map(store.catalogs.get, (index, archive))):
        places = sections(page.text.split("\n"), drawer)
        complete &= bool(places[-1].spans)
        yield from _shape(store, page, places)
        for row in places[-1].rows:
            here, path = (page.path, row.line), f"{STORE}/{drawer}/{row.target}"
            entry, other = entries.get(path), seen.get(path)
            seen.setdefault(path, page.path)
            if not row.slug:
                yield found(*here, "C18")
            elif path not in store.slugs:
                yield found(*here, "C01", row.slug)
            elif other:
                yield found(*here, "C03" if other == page.path else "C04", row.slug)
            elif entry and entry.row and is_slug(row.slug) and not same_row(row, entry):
                yield found(*here, "C05", row.slug)
    for path, entry in entries.items() if complete else ():
        if entry.page.drawer == drawer and path not in seen and entry.row:
            yield found(index, 1, "C02", entry.page.name, f"{entry.page.name}.md")


def _shape(store: Store, page: Page, places: list[Section]) -> Findings:
    """Whether a catalog has its headings and order, and what is in force is there."""
    *above, last = places
    for heading, place in zip(headings(page.drawer), places):
        if len(place.spans) != 1 and (page.name == "INDEX" or place is last):
            yield found(page.path, 1, "C06", "", heading)
    lines = page.text.split("\n")
    hidden = masked(lines) if "\n|" in page.text else set()
    under = range(last.spans[0][0] if last.spans else 0, len(lines))
    bars = [at for at in under if lines[at][:1] == "|" and at not in hidden]
    yield from (found(page.path, at + 1, "C15") for at in bars[:1])
    order = [row.slug for row in last.rows if row.slug]
    if order != sorted(order):
        yield found(page.path, last.rows[0].line, "C16")
    root, names = os.path.realpath(store.root), set[str]()
    for row in above[0].rows if above else ():
        path = os.path.join(root, os.path.dirname(page.path), row.target)
        inside = os.path.normpath(path).startswith(root + os.sep)
        if row.slug:
            yield found(page.path, row.line, "C18", row.slug)
        elif not inside or not row.target or not os.path.exists(path):
            yield found(page.path, row.line, "C14", row.target)
        elif row.name in names:
            yield found(page.path, row.line, "C19", row.name)
        names.add(row.name)


def same_row(row: Row, entry: Entry) -> bool:
    """Whether a row says what its entry's cue says, formatting aside."""
    same_text = row.text == entry.row or fold(row.text) == fold(entry.row)
    return same_text and row.name.replace("\\", "") == entry.page.name


def cues(entries: Entries) -> Findings:
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
            others = ", ".join(e.page.name for e in alike if e is not entry)
            if len(cue) not in CUE_LENGTH:
                yield found(path, line, "C10", slug)
            elif others:
                yield found(path, line, "C11", slug, others)
            elif folded in (slug, slug.replace("-", " "), fold(entry.title).lower()):
                yield found(path, line, "C09", slug)
