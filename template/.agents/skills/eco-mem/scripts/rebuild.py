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
    DURABLE,
    STORE,
    Page,
    Store,
    conflicts,
    is_slug,
    read_bytes,
    write_atomically,
)

# What rows a catalog is to have: path to entry, None for "as the row is now".
Wanted = dict[str, "Entry | None"]


def fix(store: Store) -> int:
    """Mend the catalogs that are provably wrong. Returns how many there were."""
    entries = parse_all(store)
    changed = 0
    for drawer in DURABLE:
        folder = f"{STORE}/{drawer}/"
        there = {path for path in store.slugs if path.startswith(folder)}
        shelf = folder + "ARCHIVE.md"
        if any(item.path == shelf and item.code != "L13" for item in store.findings):
            continue
        archived = listed(store, shelf) & there
        for name, paths in (("ARCHIVE.md", archived), ("INDEX.md", there - archived)):
            page = store.catalogs.get(folder + name)
            wanted = {path: entries.get(path) for path in _by_slug(paths)}
            changed += bool(page and write(store, page, rebuilt(page, wanted)))
    return changed


def set_rows(store: Store, path: str, changes: Wanted) -> None:
    """Set the rows of some entries in a catalog, or, for None, drop them."""
    drawer = os.path.basename(os.path.dirname(path))
    page = store.catalogs.get(path, Page(path, drawer, "ARCHIVE", "# Archive\n"))
    rows: Wanted = dict.fromkeys(listed(store, path))
    rows.update(changes)
    keys = [key for key in _by_slug(rows) if key not in changes or changes[key]]
    write(store, page, rebuilt(page, {key: rows[key] for key in keys}))


def listed(store: Store, path: str) -> set[str]:
    """The paths of the entries that a catalog has rows for."""
    page = store.catalogs.get(path)
    places = sections(page.text.split("\n"), page.drawer)[-1] if page else []
    rows = [row for place in places for row in place.rows if row.slug]
    return {f"{os.path.dirname(path)}/{row.target}" for row in rows}


def _by_slug(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: path[:-3])


def write(store: Store, page: Page, text: str) -> bool:
    """Write a catalog with the byte order mark and line ends it had, if it changed."""
    if text == page.text:
        return False
    old = b""
    if page.path in store.catalogs:
        old = read_bytes(os.path.join(store.root, page.path), 1 << 24)
    bom = b"\xef\xbb\xbf" if old[:3] == b"\xef\xbb\xbf" else b""
    end = b"\r" if old.count(b"\r\n") * 2 > old.count(b"\n") else b""
    ends = {line.rstrip(b"\r"): line for line in old.split(b"\n")[:-1]}
    *lines, last = text.encode().split(b"\n")
    data = b"\n".join([*(ends.get(line, line + end) for line in lines), last])
    write_atomically(store.root, page.path, bom + data)
    store.catalogs[page.path] = page._replace(text=text)
    return True


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
    edits = []
    for title, found in zip(titles, sections(lines, page.drawer)):
        rows = _rows(lines, found, wanted) if title == titles[-1] else None
        new = _section(lines, found, rows) if found else None
        if new is not None:
            edits.append((found[0].start, found[0].stop, [title, *new]))
            edits.extend((place.start, place.stop, []) for place in found[1:])
    for start, stop, new in sorted(edits, reverse=True):
        lines[start:stop] = new
    return "\n".join(lines)


def _rows(lines: list[str], places: list[Section], wanted: Wanted) -> dict[str, str]:
    """The row lines that should stand, by target: as they are, where they are right."""
    now = {row.target: row for place in reversed(places) for row in place.rows}
    rows: dict[str, str] = {}
    for path, entry in wanted.items():
        target = os.path.basename(path)
        row = now.get(target)
        made = bool(entry and entry.row and is_slug(entry.page.name))
        if row and (not made or (row.tidy and entry and same_row(row, entry))):
            rows[target] = lines[row.line - 1]
        elif entry and made:
            rows[target] = f"- [{entry.page.name}]({target}): {entry.row}"
    return rows


def _section(
    lines: list[str], places: list[Section], rows: dict[str, str] | None
) -> list[str] | None:
    """The new lines below a heading, or None where they are right as they are.

    rows is None under a heading whose rows are written by hand.
    """
    old = (
        {}
        if rows is None
        else {r.line - 1: r for p in places for r in p.rows if r.slug}
    )
    right = [lines[at] for at in old] == list((rows or {}).values())
    if right and len(places) == 1:
        return None
    others: list[str] = []
    gap = True
    for at in (at for place in places for at in range(place.start + 1, place.stop)):
        if at in old:
            gap = True
        elif lines[at].strip() or not gap:
            others.append(lines[at])
            gap = not lines[at].strip() and gap
    while others and not others[-1].strip():
        others.pop()
    made = list((rows or {}).values())
    return [line for part in (made, others) if part for line in ("", *part)] + [""]


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
            matcher = SequenceMatcher(None, ours, theirs)
            for what, a, b, c, d in matcher.get_opcodes():
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
