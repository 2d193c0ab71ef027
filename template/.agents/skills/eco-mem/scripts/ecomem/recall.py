"""Finding rows by words: which rows of a store match, best first.

A row is a line of INDEX.md or ARCHIVE.md, or the goal of a desk. A word found in the
row, the title, the slug or the scope counts most; one found only in the text counts
less. A word that few entries have counts more than one that many have.
"""

from __future__ import annotations

import os

from ecomem import catalog
from ecomem.cheap_imports import NamedTuple
from ecomem.conflicts import find_marker
from ecomem.findings import Finding
from ecomem.gate import pages
from ecomem.rules import RULES, VERIFY
from ecomem.store import CATALOGS, DRAWERS, STORE, Page, Store
from ecomem.words import Word, has, without_accents

MAX_ROWS, MAX_TOKENS, MAX_TEXT = 10, 300, 160
LINE_TOKENS = 30  # what each line below the rows takes
IN_TEXT = 0.7  # what a word in the text counts, where one in the row counts 1; measured
RARITY = 0.25  # a word in one of 10,000 entries counts as ten in all of them; measured
MARKERS = tuple(sign * 7 for sign in "<>|=%+-\\")  # how lines of a conflict begin
HEAD, TEXT = 2, 1  # where a word was found
_SIGNS_APART = {ord(sign): f" {sign} " for sign in "./-_:()[]{},;'\"!?#@&=+*<>|\\~`$%^"}


class Row(NamedTuple):
    """One thing that recall can print: an entry, a desk or a pointer."""

    path: str  # of what the row leads to, from the project root
    drawer: str
    slug: str
    text: str  # the cue, the goal, or the text of the pointer
    catalog: str  # the file that the text is from
    lines: range  # the lines of that file, from 1, that the text is from

    @property
    def archived(self) -> bool:
        """Return true if the row is in ARCHIVE.md."""
        return self.catalog.endswith("/ARCHIVE.md")


class Match(NamedTuple):
    """A row that has words of the query; in_text if only its text has them."""

    row: Row
    score: float
    in_text: bool


class Answer(NamedTuple):
    """The result of a search.

    `matches` are the rows to print. `total` counts all matching rows, those that the
    gate refuses too. `unlisted` counts matching entries without a row. `unread` names
    the files that could not be read, `conflicted` catalogs with conflict markers.
    """

    matches: list[Match]
    total: int
    refused: int
    unlisted: int
    entries: int
    unread: list[str]
    conflicted: list[str]


def recall(store: Store, words: list[Word], drawer: str = "") -> Answer:
    """Look for words in a store, or in one drawer of it."""
    drawers = [drawer] if drawer else list(DRAWERS)
    rows = [row for name in drawers for row in read_rows(store, name)]
    listed = {row.path for row in rows}
    inside = tuple(f"{STORE}/{name}/" for name in drawers)
    paths = [path for path in store.slugs if path.startswith(inside)]
    unlisted = [path for path in paths if path not in listed]
    rows += [Row(path, "", store.slugs[path], "", "", range(0)) for path in unlisted]
    found = ranked(store, rows, words)
    with_row = [match for match in found if match.row.catalog]
    alone = len(found) - len(with_row)
    matches, refused = select(store, with_row, alone)
    return Answer(
        matches,
        len(with_row),
        refused,
        alone,
        len(paths),
        unread(store, drawers),
        [item.path for item in store.findings if is_conflict(item, inside)],
    )


def is_conflict(item: Finding, inside: tuple[str, ...]) -> bool:
    """Return true if a finding is about conflict markers in a catalog of a drawer."""
    return item.code == "L13" and item.path.startswith(inside) and not item.subject


def read_rows(store: Store, drawer: str) -> list[Row]:
    """The rows of a drawer, INDEX before ARCHIVE, or its desks.

    An entry has more than one row where their texts differ, as in a merge conflict.
    """
    if drawer == "working":
        desks = [page for page in store.entries.values() if page.drawer == drawer]
        return [_desk(page) for page in desks]
    rows: list[Row] = []
    seen: set[tuple[str, str]] = set()
    for name in CATALOGS:
        page = store.catalogs.get(f"{STORE}/{drawer}/{name}.md")
        places = catalog.sections_of(without_markers(page)) if page else []
        for item in [row for place in places for row in place.rows]:
            path = os.path.normpath(f"{STORE}/{drawer}/{item.target}")
            path = path.replace(os.sep, "/")
            exists = path in store.slugs if item.slug else path[:3] != "../"
            if page and exists and (path, item.text) not in seen:
                seen.add((path, item.text))
                slug = item.slug or item.name
                lines = range(item.line, item.last + 1)
                rows.append(Row(path, drawer, slug, item.text, page.path, lines))
    return rows


def without_markers(page: Page) -> Page:
    """A catalog with its conflict markers as blank lines, so that no row takes one."""
    if not find_marker(page.text):
        return page
    lines = page.text.split("\n")
    kept = ["" if line[:7] in MARKERS else line for line in lines]
    return page._replace(text="\n".join(kept))


def _desk(page: Page) -> Row:
    from ecomem import entry

    parsed = entry.parse(page)
    goal = parsed.fields.get("goal", entry.NONE)
    lines = entry.field_lines(parsed, goal.line) if goal.value else range(0)
    shown = range(lines.start + 1, lines.stop + 1)
    return Row(page.path, page.drawer, page.name, goal.value, page.path, shown)


def ranked(store: Store, rows: list[Row], words: list[Word]) -> list[Match]:
    """The rows that match some word, best first; of an entry with two, the better."""
    found: list[tuple[Row, list[int]]] = []
    for row in rows:
        page = store.entries.get(row.path)
        places = _places(row, page.text if page else "", words)
        if any(places):
            found.append((row, places))
    counts = [sum(places[at] > 0 for _, places in found) for at in range(len(words))]
    weights = [(len(rows) / count) ** RARITY if count else 0 for count in counts]
    matches = []
    for row, places in found:
        parts = zip(weights, places)
        score = sum(w if p == HEAD else w * IN_TEXT for w, p in parts if p)
        matches.append(Match(row, score, HEAD not in places))
    matches.sort(key=_order)
    best = {match.row.path: match for match in reversed(matches)}
    return [match for match in matches if best[match.row.path] is match]


def _order(match: Match) -> tuple[object, ...]:
    row = match.row
    return -match.score, match.in_text, row.archived, row.path


def _places(row: Row, text: str, words: list[Word]) -> list[int]:
    """The place where each word was found: HEAD, TEXT or 0."""
    whole = without_accents(f"{row.slug}\n{row.text}\n{text}")
    joined = whole.replace("-", "")
    some = [word for word in words if word.stem in joined or word.stem in whole]
    if not some:
        return []
    title, _, rest = text.partition("\n")
    head = without_accents(f"{row.slug}\n{row.text}\n{title}\n{_scope(rest)}")
    places = []
    for word in words:
        if word not in some:
            places.append(0)
        elif has(head, word):
            places.append(HEAD)
        else:
            places.append(TEXT if has(whole, word) else 0)
    return places


def _scope(text: str) -> str:
    """The scope of an entry, if its header has one."""
    before, found, rest = text.partition(" scope:")
    if not found or before[-1:] not in ("-", "*", "+"):
        return ""
    return rest.partition("\n\n")[0].partition("\n- ")[0]


def select(
    store: Store, matches: list[Match], unlisted: int
) -> tuple[list[Match], int]:
    """The matches to print, and how many the gate refuses among those looked at."""
    chosen: list[Match] = []
    refused = at = 0
    size = MAX_ROWS
    while at < len(matches) and len(chosen) < MAX_ROWS:
        batch = matches[at : at + size]
        bad = refused_rows(store, [match.row for match in batch])
        at, size = at + size, 2 * size
        for match in batch:
            if len(chosen) == MAX_ROWS:
                break
            if match.row in bad:
                refused += 1
            else:
                chosen.append(match)
    left = MAX_TOKENS - LINE_TOKENS * (1 + bool(refused) + bool(unlisted))
    costs = [estimate(line_of(match)) for match in chosen]
    while len(costs) > 1 and sum(costs) > left:
        costs.pop()
    return chosen[: len(costs)], refused


def refused_rows(store: Store, rows: list[Row]) -> set[Row]:
    """The rows that the gate refuses to have printed."""
    bad: set[Row] = set()
    for path in {row.catalog for row in rows}:
        page = store.catalogs.get(path) or store.entries[path]
        mine = [row for row in rows if row.catalog == path]
        wrong = pages.refused_lines(store.root, page, [row.lines for row in mine])
        bad.update(row for row in mine if not wrong.isdisjoint(row.lines))
    return bad


def unread(store: Store, drawers: list[str]) -> list[str]:
    """The paths in these drawers that could not be read."""
    read = {*store.entries, *store.catalogs}
    closed = [path for path in store.slugs if path not in read]
    closed += [item.path for item in store.findings if RULES[item.code].hides]
    closed += [item.path for item in store.findings if _is_catalog(item.path)]
    inside = tuple(f"{STORE}/{name}" for name in drawers)
    return sorted({path for path in closed if path.startswith(inside)} - read)


def _is_catalog(path: str) -> bool:
    """Return true if a path is one of a catalog, whatever lies there."""
    return path.endswith(tuple(f"/{name}.md" for name in CATALOGS))


def line_of(match: Match) -> str:
    """A match as a line of text."""
    row = match.row
    text = " ".join(row.text.split())
    if len(text) > MAX_TEXT:
        text = text[:MAX_TEXT] + "..."
    marks = " (archived)" if row.archived else ""
    marks += " (in its text)" if match.in_text else ""
    shown = f"{row.path}: {text}{marks}"
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in shown)


def count_lines(answer: Answer) -> list[str]:
    """The lines below the rows: how many match, and what is not shown."""
    shown, total = len(answer.matches), answer.total - answer.refused
    lines = []
    if total > shown:
        more = "add a word, or name a --drawer, to see others"
        lines.append(f"{shown} of {total} matching entries are shown; {more}")
    elif total:
        lines.append(f"{total} of {_entries(answer.entries)} {_match(total)}")
    if answer.refused:
        rows = "1 matching row is" if answer.refused == 1 else ""
        rows = rows or f"{answer.refused} matching rows are"
        lines.append(f"{rows} not shown: the gate refuses the text; run `{VERIFY}`")
    if answer.unlisted:
        count = answer.unlisted
        has = "has" if count == 1 else "have"
        advice = f"run `{VERIFY} --fix`, then ask again"
        lines.append(f"{_entries(count)} {has} the words and no row; {advice}")
    if not lines and answer.unread:
        lines.append("nothing that could be read matches")
    if not lines:
        lines.append(f"nothing in {_entries(answer.entries)} matches")
    return lines


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _match(count: int) -> str:
    return "matches" if count == 1 else "match"


def estimate(line: str) -> float:
    """About how many tokens a line takes, rather too many than too few.

    Measured with cl100k_base on 4,000 rows in 20 languages: one in four takes more, and
    ten together at most 3 % more.
    """
    tokens = 0.0
    for part in line.translate(_SIGNS_APART).split():
        if not part.isascii():
            tokens += 0.65 * len(part.encode())
        elif part.isalpha():
            tokens += max(1, (len(part) + 1) / 5)
        elif part.isdigit():
            tokens += 1 + (len(part) + 2) // 3
        else:
            tokens += len(part) if part.isalnum() else 0.5
    return tokens
