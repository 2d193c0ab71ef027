"""Writing catalogs: rows come from the entries' cues, and everything else stays.

Only what is provably wrong changes, and never an entry. Whatever is no row of an
entry is kept as written, after the rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from catalog import Section, headings, same_row, sections
from entry import Entry, parse_all
from store import (
    CATALOGS,
    DURABLE,
    STORE,
    Page,
    Store,
    conflicts,
    is_slug,
    write_catalog,
)

# What rows a catalog is to have: path to entry, None for one that cannot be read.
Wanted = dict[str, "Entry | None"]


def fix(
    store: Store, shelved: Iterable[str] = (), only: Iterable[str] | None = None
) -> int:
    """Mend the catalogs that are provably wrong, with what is shelved in ARCHIVE.md.

    only: the paths whose rows may change, by default all. Returns how many changed.
    """
    entries = parse_all(store)
    mine = {*(store.slugs if only is None else only)}
    changed = 0
    for drawer in DURABLE:
        index, shelf = (f"{STORE}/{drawer}/{name}.md" for name in CATALOGS)
        if only is not None and not any(f"/{drawer}/" in path for path in mine):
            continue
        if any(item.path == shelf and item.code != "L13" for item in store.findings):
            continue
        there = {path for path in store.slugs if path.startswith(f"{STORE}/{drawer}/")}
        archived = there & {*listed(store, shelf), *shelved}
        if archived:
            new = Page(shelf, drawer, "ARCHIVE", "# Archive\n")
            store.catalogs.setdefault(shelf, new)
        for path, paths in ((shelf, archived), (index, there - archived)):
            page = store.catalogs.get(path)
            kept = set() if only is None else listed(store, path) - mine
            wanted: Wanted = dict.fromkeys(kept)
            wanted.update((entry, entries.get(entry)) for entry in paths & mine)
            changed += bool(page and write_catalog(store, page, rebuilt(page, wanted)))
    return changed


def unwritable(store: Store, drawers: Iterable[str]) -> str:
    """Why entries or rows of these drawers cannot be written; empty where they can."""
    if any(item.code == "L10" for item in store.findings):
        return "the store holds symbolic links; see verify"
    catalogs = {
        f"{STORE}/{drawer}/{name}.md" for drawer in drawers for name in CATALOGS
    }
    catalogs -= {*store.catalogs, f"{STORE}/working/INDEX.md"}
    if any(item.path in catalogs for item in store.findings):
        return "a catalog of the drawer is missing or unreadable; see verify"
    return ""


def listed(store: Store, path: str) -> set[str]:
    """The paths of the entries that a catalog has rows for."""
    page = store.catalogs.get(path)
    rows = sections(page.text.split("\n"), page.drawer)[-1].rows if page else []
    return {f"{os.path.dirname(path)}/{row.target}" for row in rows if row.slug}


def rebuilt(page: Page, wanted: Wanted) -> str:
    """The text of a catalog with exactly the rows wanted."""
    lines = _settled(page.text.split("\n"), page.drawer)
    titles = headings(page.drawer)
    if not sections(lines, page.drawer)[-1].spans:
        tail = [lines[-1]] if lines[-1].strip() else []
        lines[-1:] = [*tail, "", titles[-1], ""]
    places = sections(lines, page.drawer)
    if page.name == "INDEX" and not places[0].spans:
        at = places[-1].spans[0][0]
        lines[at:at] = [titles[0], ""]
    edits: list[tuple[int, int, list[str]]] = []
    for title, place in zip(titles, sections(lines, page.drawer)):
        rows = [row for row in place.rows if row.slug and title == titles[-1]]
        old = {row.line - 1: lines[row.line - 1] for row in rows}
        new = _rows(lines, place, wanted) if title == titles[-1] else []
        if len(place.spans) > 1 or [*old.values()] != new:
            others = _others(lines, place, set(old))
            body = [line for part in (new, others) if part for line in ("", *part)]
            parts = [[title, *body, ""], *[[] for _ in place.spans]]
            edits += [(*span, part) for span, part in zip(place.spans, parts)]
    for start, stop, part in sorted(edits, reverse=True):
        lines[start:stop] = part
    return "\n".join(lines)


def _rows(lines: list[str], place: Section, wanted: Wanted) -> list[str]:
    """The row lines that should stand: as they are, where they are right."""
    now = {row.target: row for row in reversed(place.rows)}
    rows = []
    for path, entry in sorted(wanted.items(), key=lambda item: item[0][:-3]):
        target = os.path.basename(path)
        row = now.get(target)
        made = entry if entry and entry.row and is_slug(entry.page.name) else None
        if row and (not made or (row.tidy and same_row(row, made))):
            rows.append(lines[row.line - 1])
        elif made:
            rows.append(f"- [{made.page.name}]({target}): {made.row}")
    return rows


def _others(lines: list[str], place: Section, rows: set[int]) -> list[str]:
    """The lines below a heading that are no rows, without the gaps these leave."""
    others: list[str] = []
    gap = True
    for at in (at for start, stop in place.spans for at in range(start + 1, stop)):
        if at in rows:
            gap = True
        elif lines[at].strip() or not gap:
            others.append(lines[at])
            gap = not lines[at].strip() and gap
    while others and not others[-1].strip():
        others.pop()
    return others


def _settled(lines: list[str], drawer: str) -> list[str]:
    """The lines with both sides of each conflict below the first heading, told once."""
    starts = [span[0] for place in sections(lines, drawer) for span in place.spans]
    if not starts or not conflicts(lines):
        return lines
    from difflib import SequenceMatcher

    done, side = lines[: min(starts)], 0
    parts: list[list[str]] = [done, [], [], []]
    for line in lines[min(starts) :]:
        if line.startswith("<<<<<<< ") and not side:
            side, parts = 1, [done, [], [], []]
        elif line.startswith("||||||| ") and side == 1:
            side = 2
        elif line == "=======" and side:
            side = 3
        elif line.startswith(">>>>>>> ") and side == 3:
            ours, theirs = parts[1], parts[3]
            for what, a, b, c, d in SequenceMatcher(None, ours, theirs).get_opcodes():
                done += ours[a:b] + (theirs[c:d] if what != "equal" else [])
            side = 0
        else:
            parts[side].append(line)
    return lines if side else done
