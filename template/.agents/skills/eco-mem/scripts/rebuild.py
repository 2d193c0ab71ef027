"""Writing catalogs: rows come from the entries' cues, and everything else stays.

Only what is provably wrong changes, and never an entry. Whatever is no row of an
entry is kept as written, after the rows.
"""

from __future__ import annotations

import os

from catalog import Section, headings, same_row, sections
from entry import Entry, parse_all
from store import DURABLE, MAX_CATALOG_BYTES, STORE, Store, conflicts, read_bytes

# What rows a catalog is to have: path to entry, None for "as the row is now".
Wanted = dict[str, "Entry | None"]


def fix(store: Store) -> dict[str, bytes]:
    """New contents, by path, of the catalogs that are provably wrong."""
    entries = parse_all(store)
    changed: dict[str, bytes] = {}
    for drawer in DURABLE:
        folder = f"{STORE}/{drawer}/"
        there = {path for path in store.slugs if path.startswith(folder)}
        archived = listed(store, folder + "ARCHIVE.md") & there
        for name, paths in (("ARCHIVE.md", archived), ("INDEX.md", there - archived)):
            if folder + name in store.catalogs:
                wanted = {path: entries.get(path) for path in sorted(paths)}
                old = _read(store, folder + name)
                new = rebuilt(old, folder + name, wanted)
                if new != old:
                    changed[folder + name] = new.encode()
    return changed


def with_entries(store: Store, path: str, changes: Wanted) -> bytes:
    """A catalog in which the rows of some entries are set, or, for None, dropped."""
    old = _read(store, path)
    rows: Wanted = dict.fromkeys(_listed(old, path))
    rows.update(changes)
    keys = [key for key in sorted(rows) if key not in changes or changes[key]]
    return rebuilt(old, path, {key: rows[key] for key in keys}).encode()


def with_pointer(text: str, name: str, row: str) -> str:
    """A catalog in which the row of a name under the first heading is set."""
    lines = text.split("\n")
    section = sections(lines, "procedural")[0][0]
    old = [at.line - 1 for at in section.rows if at.name == name]
    after = [at.line - 1 for at in section.rows if at.name > name]
    if old:
        lines[old[0]] = row
    elif section.rows:
        at = after[0] if after else section.rows[-1].line
        lines.insert(at, row)
    else:
        lines[section.start + 1 : section.start + 1] = ["", row]
    return "\n".join(lines)


def listed(store: Store, path: str) -> set[str]:
    """The paths of the entries that a catalog has rows for."""
    return _listed(store.catalogs[path].text, path) if path in store.catalogs else set()


def _listed(text: str, path: str) -> set[str]:
    folder = os.path.dirname(path)
    places = sections(text.split("\n"), os.path.basename(folder))[-1]
    rows = [row for place in places for row in place.rows if row.slug]
    return {f"{folder}/{row.target}" for row in rows}


def _read(store: Store, path: str) -> str:
    try:
        full = os.path.join(store.root, path)
        return read_bytes(full, MAX_CATALOG_BYTES).decode()
    except FileNotFoundError:
        return "# Archive\n"


def rebuilt(old: str, path: str, wanted: Wanted) -> str:
    """The text of a catalog with exactly the rows wanted, line ends as they were."""
    eol = "\r" if old.count("\r\n") * 2 > old.count("\n") else ""
    drawer, name = path.split("/")[-2:]
    lines = old.split("\n")
    needed = headings(drawer)[-1:] if name == "ARCHIVE.md" else headings(drawer)
    _add_headings(lines, drawer, needed, eol)
    edits = []
    for heading, places in zip(headings(drawer), sections(lines, drawer)):
        if places:
            rows = _rows(lines, places, wanted) if heading == needed[-1] else None
            new = _section(lines, places, rows, eol)
            if new is not None:
                edits.append((places[0].start, places[0].stop, [heading + eol, *new]))
                edits.extend((place.start, place.stop, []) for place in places[1:])
    for start, stop, new in sorted(edits, reverse=True):
        lines[start:stop] = new
    return "\n".join(lines)


def _add_headings(lines: list[str], drawer: str, needed: list[str], eol: str) -> None:
    places = sections(lines, drawer)
    if not places[-1]:
        if lines[-1].strip():
            lines += [lines.pop() + eol, ""]
        lines[-1:] = [eol, needed[-1] + eol, ""]
        places = sections(lines, drawer)
    if places[-1] and len(needed) > 1 and not places[0]:
        at = places[-1][0].start
        lines[at:at] = [needed[0] + eol, eol]


def _rows(
    lines: list[str], places: list[Section], wanted: Wanted
) -> dict[str, tuple[str, bool]]:
    """The row lines that should stand, by target, and whether they stand so now."""
    now = {row.target: row for place in reversed(places) for row in place.rows}
    rows: dict[str, tuple[str, bool]] = {}
    for path, entry in wanted.items():
        target = os.path.basename(path)
        row = now.get(target)
        if entry and entry.row and entry.page.name.isascii():
            right = bool(row and row.tidy and same_row(row, entry))
            rows[target] = f"- [{entry.page.name}]({target}): {entry.row}", right
        elif row:
            rows[target] = lines[row.line - 1].rstrip(), True
    return rows


def _section(
    lines: list[str],
    places: list[Section],
    rows: dict[str, tuple[str, bool]] | None,
    eol: str,
) -> list[str] | None:
    """The new lines below a heading, or None where they are right as they are.

    rows is None under a heading whose rows are written by hand.
    """
    numbers = [at for p in places for at in range(p.start + 1, p.stop)]
    merging = bool(conflicts([lines[at] for at in numbers]))
    current = [] if rows is None else [r for p in places for r in p.rows if r.slug]
    right = all(same for _, same in (rows or {}).values())
    if [row.target for row in current] != list(rows or {}):
        right = False
    if right and len(places) == 1 and not merging:
        return None
    dropped = {row.line - 1 for row in current}
    others: list[str] = []
    for at in numbers:
        text = lines[at].rstrip("\r")
        marker = merging and (conflicts([text]) or text == "=======")
        repeated = merging and text.strip() and text + eol in others
        blank = not text.strip() and (not others or not others[-1].strip())
        if not (at in dropped or marker or repeated or blank):
            others.append(text + eol)
    while others and not others[-1].strip():
        others.pop()
    made = [line + eol for line, _ in (rows or {}).values()]
    body = [line for part in (made, others) if part for line in (eol, *part)]
    return [*body, "" if max(p.stop for p in places) == len(lines) else eol]
