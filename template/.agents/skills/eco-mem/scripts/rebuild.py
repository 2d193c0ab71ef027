"""Writing catalogs: rows come from the entries' cues, and everything else stays.

Only what is provably wrong changes, and never an entry. Whatever is no row of an
entry is kept as written, after the rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from catalog import Section, headings, same_row, sections
from entry import Entry, parse_all
from store import DURABLE, STORE, Page, Store, conflicts, is_slug, write_catalog

# What rows a catalog is to have: path to entry, None for "as the row is now".
Wanted = dict[str, "Entry | None"]


def fix(store: Store) -> int:
    """Mend the catalogs that are provably wrong. Returns how many there were."""
    entries = parse_all(store)
    changed = 0
    for folder in (f"{STORE}/{drawer}/" for drawer in DURABLE):
        there = {path for path in store.slugs if path.startswith(folder)}
        shelf = folder + "ARCHIVE.md"
        if any(item.path == shelf and item.code != "L13" for item in store.findings):
            continue
        archived = listed(store, shelf) & there
        for name, paths in (("ARCHIVE.md", archived), ("INDEX.md", there - archived)):
            page = store.catalogs.get(folder + name)
            wanted = {path: entries.get(path) for path in _by_slug(paths)}
            changed += bool(page and write_catalog(store, page, rebuilt(page, wanted)))
    return changed


def set_rows(store: Store, path: str, changes: Wanted) -> None:
    """Set the rows of some entries in a catalog, or, for None, drop them."""
    drawer = os.path.basename(os.path.dirname(path))
    page = store.catalogs.get(path, Page(path, drawer, "ARCHIVE", "# Archive\n"))
    rows: Wanted = {**dict.fromkeys(listed(store, path)), **changes}
    keys = [key for key in _by_slug(rows) if key not in changes or changes[key]]
    write_catalog(store, page, rebuilt(page, {key: rows[key] for key in keys}))


def listed(store: Store, path: str) -> set[str]:
    """The paths of the entries that a catalog has rows for."""
    page = store.catalogs.get(path)
    places = sections(page.text.split("\n"), page.drawer)[-1] if page else []
    rows = [row for place in places for row in place.rows if row.slug]
    return {f"{os.path.dirname(path)}/{row.target}" for row in rows}


def _by_slug(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: path[:-3])


def rebuilt(page: Page, wanted: Wanted) -> str:
    """The text of a catalog with exactly the rows wanted."""
    lines = _settled(page.text.split("\n"), page.drawer)
    titles = headings(page.drawer)
    if not sections(lines, page.drawer)[-1]:
        tail = [lines[-1]] if lines[-1].strip() else []
        lines[-1:] = [*tail, "", titles[-1], ""]
    places = sections(lines, page.drawer)
    if not places[-1]:
        return page.text
    if page.name == "INDEX" and not places[0]:
        at = places[-1][0].start
        lines[at:at] = [titles[0], ""]
    edits: list[tuple[int, int, list[str]]] = []
    for title, found in zip(titles, sections(lines, page.drawer)):
        old: list[int] = []
        new: list[str] = []
        if title == titles[-1]:
            old = [row.line - 1 for place in found for row in place.rows if row.slug]
            new = _rows(lines, found, wanted)
        if found and (len(found) > 1 or [lines[at] for at in old] != new):
            parts = (part for part in (new, _others(lines, found, {*old})) if part)
            body = [line for part in parts for line in ("", *part)]
            edits.append((found[0].start, found[0].stop, [title, *body, ""]))
            edits += [(place.start, place.stop, []) for place in found[1:]]
    for start, stop, part in sorted(edits, reverse=True):
        lines[start:stop] = part
    return "\n".join(lines)


def _rows(lines: list[str], places: list[Section], wanted: Wanted) -> list[str]:
    """The row lines that should stand: as they are, where they are right."""
    now = {row.target: row for place in reversed(places) for row in place.rows}
    rows = []
    for path, entry in wanted.items():
        target = os.path.basename(path)
        row = now.get(target)
        made = entry if entry and entry.row and is_slug(entry.page.name) else None
        if row and (not made or (row.tidy and same_row(row, made))):
            rows.append(lines[row.line - 1])
        elif made:
            rows.append(f"- [{made.page.name}]({target}): {made.row}")
    return rows


def _others(lines: list[str], places: list[Section], rows: set[int]) -> list[str]:
    """The lines below a heading that are no rows, without the gaps these leave."""
    others: list[str] = []
    gap = True
    for at in (at for place in places for at in range(place.start + 1, place.stop)):
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
    starts = [place.start for found in sections(lines, drawer) for place in found]
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


def with_pointer(text: str, name: str, row: str) -> str:
    """A catalog in which the row of a name under the first heading is set."""
    lines = text.split("\n")
    section = sections(lines, "procedural")[0][0]
    old = [at.line - 1 for at in section.rows if at.name == name]
    after = [at.line - 1 for at in section.rows if at.name > name]
    if old:
        lines[old[0]] = row
    elif section.rows:
        lines.insert(after[0] if after else section.rows[-1].line, row)
    else:
        lines[section.start + 1 : section.start + 1] = ["", row]
    return "\n".join(lines)
