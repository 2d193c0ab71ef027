"""Writing catalogs: rows come from the entries' cues, and whatever else stands there is
kept as written, after the rows. Only what is provably wrong changes, never an entry.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from ecomem.catalog import Section, headings, listed, same_row, sections, unread
from ecomem.entry import Entry, parse
from ecomem.store import CATALOGS, DURABLE, STORE, Page, Store, is_slug, write_catalog

Wanted = dict[str, "Entry | None"]  # by path; None for one that cannot be read

_SIDE = r"((?:(?![<|>]{7} |={7}\n).*\n)*)"
_CONFLICT = rf"(?m)^<{{7}} .*\n{_SIDE}(\|{{7}} .*\n{_SIDE})?={{7}}\n{_SIDE}>{{7}} .*\n?"


def fix(store: Store, only: list[str] | None = None, where: str = "") -> int:
    """Mend the catalogs, or only the rows of the paths in `only`.

    where, INDEX or ARCHIVE, moves the rows of those paths there; by default each stays
    where it is, and a new one goes into the INDEX. Returns how many catalogs changed.
    """
    mine = {*(store.slugs if only is None else only)}
    read = [parse(page) for path, page in store.entries.items() if path in mine]
    good = {e.page.path: e for e in read if e.row and is_slug(e.page.name)}
    changed = 0
    for drawer in DURABLE:
        index, shelf = (f"{STORE}/{drawer}/{name}.md" for name in CATALOGS)
        aside = only is not None and not any(f"/{drawer}/" in path for path in mine)
        if aside or unread(store, drawer):
            continue
        there = {path for path in store.slugs if path.startswith(f"{STORE}/{drawer}/")}
        archived = there & listed(store, shelf)
        if where:
            archived = (
                archived | (there & mine) if where == "ARCHIVE" else archived - mine
            )
        if archived and shelf not in store.catalogs:
            store.catalogs[shelf] = Page(shelf, drawer, "ARCHIVE", "# Archive\n")
        for page in filter(None, map(store.catalogs.get, (shelf, index))):
            paths = archived if page.path == shelf else there - archived
            kept = set() if only is None else listed(store, page.path) - mine
            wanted = {path: good.get(path) for path in kept | (paths & mine)}
            changed += write_catalog(store, page, rebuilt(page, wanted))
    return changed


def unwritable(store: Store, drawers: Iterable[str]) -> str:
    """Why entries or rows of these drawers cannot be written; empty where they can."""
    if any(item.code == "L10" for item in store.findings):
        return "the store holds symbolic links; see verify"
    if any(unread(store, drawer) for drawer in {*DURABLE}.intersection(drawers)):
        return "a catalog of the drawer is missing or unreadable; see verify"
    return ""


def rebuilt(page: Page, wanted: Wanted) -> str:
    """The text of a catalog with exactly the rows wanted."""
    lines, titles = page.text.split("\n"), headings(page.drawer)
    starts = [span[0] for place in sections(lines, page.drawer) for span in place.spans]
    if starts and "<<<<<<< " in page.text:
        below = "\n".join(lines[min(starts) :])
        lines[min(starts) :] = re.sub(_CONFLICT, _both, below).split("\n")
    if not sections(lines, page.drawer)[-1].spans:
        lines += ["", titles[-1], ""] if lines[-1] else [titles[-1], ""]
    places = sections(lines, page.drawer)
    if page.name == "INDEX" and not places[0].spans:
        at = places[-1].spans[0][0]
        lines[at:at] = [titles[0], ""]
    edits: list[tuple[int, int, list[str]]] = []
    for title, place in zip(titles, sections(lines, page.drawer)):
        last = title == titles[-1]
        old = [row.line - 1 for row in place.rows if row.slug and last]
        rows = [*_rows(lines, place, wanted)] if last else []
        if len(place.spans) > 1 or [lines[at] for at in old] != rows:
            parts = (title, "\n".join(rows), _notes(lines, place, {*old}))
            first, *more = place.spans
            edits.append((*first, ["\n\n".join(filter(None, parts)), ""]))
            edits += [(*span, []) for span in more]
    for start, stop, part in sorted(edits, reverse=True):
        lines[start:stop] = part
    return "\n".join(lines)


def _rows(lines: list[str], place: Section, wanted: Wanted) -> Iterator[str]:
    """The row lines that should stand: as they are, where they are right."""
    now = {row.target: row for row in reversed(place.rows)}
    for path, entry in sorted(wanted.items(), key=lambda item: item[0][:-3]):
        row = now.get(os.path.basename(path))
        if row and (not entry or (row.tidy and same_row(row, entry))):
            yield lines[row.line - 1]
        elif entry:
            yield f"- [{entry.page.name}]({entry.page.name}.md): {entry.row}"


def _notes(lines: list[str], place: Section, rows: set[int]) -> str:
    """What stands below a heading and is no row, without the gaps these leave."""
    below = (at for start, stop in place.spans for at in range(start + 1, stop))
    others = (at for at in below if at not in rows)
    notes = [lines[at] for at in others if lines[at].strip() or at - 1 not in rows]
    return "\n".join(notes).strip("\n")


def _both(conflict: re.Match[str]) -> str:
    """Both sides of a conflict, with what they share told once."""
    from difflib import SequenceMatcher

    ours, theirs = (conflict[side].splitlines(keepends=True) for side in (1, 4))
    told: list[str] = []
    for what, a, b, c, d in SequenceMatcher(None, ours, theirs).get_opcodes():
        told += ours[a:b] + (theirs[c:d] if what != "equal" else [])
    return "".join(told)
