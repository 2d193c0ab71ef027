"""Writing catalogs: rows come from the entries' cues, and all other text stays.

It follows the rows. Only what is provably wrong changes, never an entry.
"""

from __future__ import annotations

import os

from ecomem.catalog import (
    BEGIN,
    END,
    Row,
    Section,
    digest,
    headings,
    last_line_of,
    listed,
    sections,
    targets_kept_from_view,
    unread,
)
from ecomem.cheap_imports import Iterable, Mapping, NamedTuple
from ecomem.conflicts import Conflict, both_sides, conflicts
from ecomem.entry import Entry, parse
from ecomem.git import CannotAsk, ask
from ecomem.markdown import join_lines
from ecomem.store import CATALOGS, DURABLE, STORE, Page, Store, is_slug, write_catalog

Wanted = dict[str, "Entry | None"]  # by path; None for one that cannot be read


class Scope(NamedTuple):
    """The entries whose rows are rebuilt."""

    paths: set[str]
    unseen: set[str]  # those of them that this checkout leaves out
    whole: bool  # all rows are rebuilt, and conflicts are settled
    catalog: str  # the one that their rows go to; empty where they stay


def fix(store: Store, only: list[str] | None = None, where: str = "") -> int:
    """Rebuild the catalogs, or only the rows of the entries at these paths.

    where names the catalog that the rows of `only` go to, INDEX or ARCHIVE; by default
    each stays where it is, and a new one goes to the INDEX.

    Returns how many catalogs changed. Raises OSError where one cannot be written.
    """
    if only is None:
        unseen = {*targets_kept_from_view(store, _without_entry(store))}
        scope = Scope({*store.slugs} | unseen, unseen, True, where)
    else:
        scope = Scope({*only}, set(), False, where)
    read = [parse(page) for path, page in store.entries.items() if path in scope.paths]
    good = {e.page.path: e for e in read if e.row and is_slug(e.page.name)}
    changed = 0
    for drawer in DURABLE:
        concerned = scope.whole or any(f"/{drawer}/" in path for path in scope.paths)
        if concerned and not unread(store, drawer):
            changed += _fix_drawer(store, drawer, scope, good)
    return changed


def _fix_drawer(
    store: Store, drawer: str, scope: Scope, good: Mapping[str, Entry]
) -> int:
    """Rebuild the catalogs of a drawer. Returns how many changed."""
    folder = f"{STORE}/{drawer}/"
    index, archive = (f"{folder}{name}.md" for name in CATALOGS)
    there = {path for path in (*store.slugs, *scope.unseen) if path.startswith(folder)}
    archived = there & listed(store, archive)
    if scope.catalog == "ARCHIVE":
        archived |= there & scope.paths
    elif scope.catalog == "INDEX":
        archived -= scope.paths
    pages = {path: store.catalogs.get(path) for path in (archive, index)}
    if archived and not pages[archive]:
        pages[archive] = Page(archive, drawer, "ARCHIVE", "# Archive\n")
    changed = 0
    for path, page in pages.items():
        if not page:
            continue
        mine = (archived if path == archive else there - archived) & scope.paths
        others = set[str]() if scope.whole else listed(store, path) - scope.paths
        wanted = {name: good.get(name) for name in others | mine}
        settled = _settle_contract(store.root, page) if scope.whole else page
        text = rebuild(settled, wanted, whole=scope.whole)
        changed += write_catalog(store, page, text)
    return changed


def _without_entry(store: Store) -> set[str]:
    """The paths of the entries that rows name, and that are not there."""
    paths = set[str]()
    for page in store.catalogs.values():
        if page.drawer in DURABLE:
            paths |= listed(store, page.path)
    return paths - {*store.slugs}


def unwritable(store: Store, drawers: Iterable[str]) -> str:
    """The reason not to write entries or rows of these drawers; empty for none."""
    if any(item.code == "L10" for item in store.findings):
        return "the store holds symbolic links; see verify"
    if any(unread(store, drawer) for drawer in {*DURABLE}.intersection(drawers)):
        return "a catalog of the drawer is missing or unreadable; see verify"
    return ""


def rebuild(page: Page, wanted: Wanted, whole: bool = True) -> str:
    """The text of a catalog with exactly the rows wanted, in the order of their slugs.

    whole also joins rows that were wrapped, and settles conflicts.
    """
    lines = page.text.split("\n")
    if whole:
        lines = _settle_rows(lines, page.drawer)
    lines = _with_headings(lines, page)
    titles = headings(page.drawer)
    edits: list[tuple[int, int, list[str]]] = []
    for title, place in zip(titles, sections(lines, page.drawer)):
        taken: set[int] = set()
        rows: list[str] = []
        if title == titles[-1]:
            ours = [row for row in place.rows if row.slug]
            spans = {row.line: _span(lines, row, wanted, page) for row in ours}
            taken = {at for span in spans.values() for at in span}
            rows = _wanted_rows(lines, ours, spans, wanted, whole)
        if len(place.spans) > 1 or [lines[at] for at in sorted(taken)] != rows:
            parts = (title, "\n".join(rows), _notes(lines, place, taken))
            first, *more = place.spans
            edits.append((*first, ["\n\n".join(filter(None, parts)), ""]))
            edits += [(*span, []) for span in more]
    for start, stop, part in sorted(edits, reverse=True):
        lines[start:stop] = part
    return "\n".join(lines)


def _with_headings(lines: list[str], page: Page) -> list[str]:
    """The lines of a catalog with the headings that it should have."""
    titles, lines = headings(page.drawer), lines.copy()
    if not sections(lines, page.drawer)[-1].spans:
        lines += ["", titles[-1], ""] if lines[-1] else [titles[-1], ""]
    places = sections(lines, page.drawer)
    if page.name == "INDEX" and not places[0].spans:
        at = places[-1].spans[0][0]
        lines[at:at] = [titles[0], ""]
    return lines


def _span(lines: list[str], row: Row, wanted: Wanted, page: Page) -> range:
    """The indexes of the lines that a row takes up, without notes directly below it.

    Where it has its entry's text, it ends with that; else its wrapped lines are those
    that begin below the link, as formatters write them.
    """
    entry = wanted.get(f"{os.path.dirname(page.path)}/{row.target}")
    last = last_line_of(row, entry) if entry else 0
    if not last:
        margin = lines[row.line - 1].index("[")
        last = row.line
        while last < row.last and _indent(lines[last]) == margin:
            last += 1
    return range(row.line - 1, last)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _wanted_rows(
    lines: list[str],
    rows: list[Row],
    spans: dict[int, range],
    wanted: Wanted,
    whole: bool,
) -> list[str]:
    """The lines of the rows that should be there: as they are, where they are right."""
    now = {row.target: row for row in reversed(rows)}
    result: list[str] = []
    for path, entry in sorted(wanted.items(), key=lambda item: item[0][:-3]):
        row = now.get(os.path.basename(path))
        if row and (not entry or (row.tidy and last_line_of(row, entry))):
            old = [lines[at] for at in spans[row.line]]
            if whole and len(old) > 1:
                old = [" " * _indent(old[0]) + join_lines(old)]
            result += old
        elif entry:
            result.append(f"- [{entry.page.name}]({entry.page.name}.md): {entry.row}")
    return result


def _notes(lines: list[str], place: Section, rows: set[int]) -> str:
    """The lines below a heading that are no rows, without the gaps that rows leave."""
    below = (at for start, stop in place.spans for at in range(start + 1, stop))
    others = (at for at in below if at not in rows)
    notes = [lines[at] for at in others if lines[at].strip() or at - 1 not in rows]
    return "\n".join(notes).strip("\n")


def _settle_rows(lines: list[str], drawer: str) -> list[str]:
    """The lines of a catalog with both sides of each conflict among its rows."""
    starts = [span[0] for place in sections(lines, drawer) for span in place.spans]
    settled = lines.copy()
    for conflict in reversed([*conflicts(lines)]):
        if starts and conflict.start > min(starts):
            settled[conflict.start : conflict.stop] = both_sides(conflict.sides)
    return settled


def _settle_contract(root: str, page: Page) -> Page:
    """A catalog without conflicts inside its contract, and with one contract.

    Both sides of a conflict must be contracts as they were laid down: then one is
    taken, for the next update writes the newest. Text of a person stays.
    """
    lines = page.text.split("\n")
    starts = [span[0] for place in sections(lines, page.drawer) for span in place.spans]
    above = min(starts, default=len(lines))
    inside = [item for item in conflicts(lines) if item.stop <= above]
    if inside and all(len(item.sides) == 2 for item in inside):
        versions = [_take_side(lines, inside, side) for side in (0, 1)]
        good = [version for version in versions if _is_laid_down(version)]
        frames = [_outside_contract(version) for version in versions]
        known = len(good) == 2 or _both_laid_down(root, page.path)
        if good and known and frames[0] == frames[1]:
            return page._replace(text="\n".join(good[0]))
    return page._replace(text="\n".join(_one_contract(lines, above)))


def _take_side(lines: list[str], inside: list[Conflict], side: int) -> list[str]:
    taken = lines.copy()
    for conflict in reversed(inside):
        taken[conflict.start : conflict.stop] = conflict.sides[side]
    return taken


def _both_laid_down(root: str, path: str) -> bool:
    """Return true if both sides of a merge in progress have an unedited contract."""
    for stage in (2, 3):
        try:
            text = ask(root, "show", f":{stage}:./{path}").replace("\r\n", "\n")
        except CannotAsk:
            return False
        if not _is_laid_down(text.split("\n")):
            return False
    return True


def _is_laid_down(lines: list[str]) -> bool:
    """Return true if some lines have one contract, unedited since it was laid down."""
    regions = _contracts(lines)
    return len(regions) == 1 and _is_unchanged(lines, regions[0])


def _is_unchanged(lines: list[str], region: range) -> bool:
    stamp = lines[region[0]][len(BEGIN) :].replace("-->", "").strip()
    return stamp == digest(lines[region[0] + 1 : region[-1]])


def _contracts(lines: list[str]) -> list[range]:
    """The indexes of the lines of each contract, its markers included.

    Empty where the markers do not alternate.
    """
    regions: list[range] = []
    begin: int | None = None
    for at, line in enumerate(lines):
        if line.startswith(BEGIN):
            if begin is not None:
                return []
            begin = at
        elif line.startswith(END):
            if begin is None:
                return []
            regions.append(range(begin, at + 1))
            begin = None
    return regions if begin is None else []


def _outside_contract(lines: list[str]) -> list[str]:
    inside = {at for region in _contracts(lines) for at in region}
    return [line for at, line in enumerate(lines) if at not in inside]


def _one_contract(lines: list[str], above: int) -> list[str]:
    """The lines without all contracts but the last, if none was ever edited."""
    regions = [region for region in _contracts(lines) if region[-1] < above]
    if not all(_is_unchanged(lines, region) for region in regions):
        return lines
    gone = {at for region in regions[:-1] for at in region}
    gone |= {at + 1 for at in gone if at + 1 < len(lines) and not lines[at + 1]}
    return [line for at, line in enumerate(lines) if at not in gone]
