"""Room in an INDEX: rules C07 and C08, and the entries that are best to archive."""

from __future__ import annotations

from ecomem.catalog import listed, sections_of
from ecomem.entry import Entries, Entry, dated, links, local_day
from ecomem.findings import Finding, Findings, finding
from ecomem.rules import FORGET
from ecomem.store import STORE, Store

MAX_ROWS, FULL_ROWS = 40, 36
SUGGESTED = 5  # entries named as best to archive
NEAR_DAYS = 42  # before and after today: what happens in them matters

_DATE = r"(?<![0-9-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9-])"


def check(
    store: Store,
    entries: Entries,
    drawer: str,
    more: int = 0,
    stale: list[Finding] | None = None,
) -> Findings:
    """Report an INDEX that is full, or nearly, once `more` rows are added to it.

    stale: the findings of staleness about the entries, where they are known already.
    """
    page = store.catalogs.get(f"{STORE}/{drawer}/INDEX.md")
    if not page:
        return
    places = sections_of(page)
    count = more + sum(len(place.rows) for place in places)
    if count < (MAX_ROWS + 1 if more else FULL_ROWS):
        return
    mine = {path: entries[path] for path in listed(store, page.path) if path in entries}
    best = ", ".join(best_to_archive(store, entries, mine, stale))
    problem = f"The INDEX has {count} rows, and {MAX_ROWS} is the most."
    if more:
        problem = f"The INDEX would have {count} rows, and {MAX_ROWS} is the most."
    advice = ""
    if best:
        advice = f"Archive some with `{FORGET} SLUG --archive`; these first: {best}."
    code = "C07" if count > MAX_ROWS else "C08"
    yield finding(code, page.path, 1, "", problem, advice)


def best_to_archive(
    store: Store,
    entries: Entries,
    mine: Entries,
    stale: list[Finding] | None = None,
) -> list[str]:
    """Name entries that matter least, each with the code or date that is the reason.

    The most broken come first, then the oldest. Last come those that matter soon:
    entries that end or name a day within some weeks, that a desk links to, and young
    ones that are not broken.
    """
    from ecomem import staleness  # which few writes need

    if stale is None:
        stale = [*staleness.check(store, mine)]
    broken = staleness.rank([item for item in stale if item.path in mine], mine)
    worst = {item.path: item.code for item in reversed(broken)}
    order = [item.path for item in broken]
    order += sorted(mine, key=lambda path: dated(mine[path]))
    soon = {path for path, item in mine.items() if names_near_day(item)}
    soon |= {path for path, item in mine.items() if is_young(item)} - worst.keys()
    soon |= _on_desks(entries, mine)
    unique = dict.fromkeys(order)
    ranked = [path for path in unique if path not in soon]
    ranked += [path for path in unique if path in soon]
    return [
        f"{mine[path].page.name} ({worst.get(path) or dated(mine[path]) or 'no date'})"
        for path in ranked[:SUGGESTED]
    ]


def names_near_day(item: Entry) -> bool:
    """Return true if an entry names a day from today to some weeks ahead.

    A fact that expires soon names that day in its header.
    """
    from ecomem import cheap_re as re

    today, near = local_day(), local_day(NEAR_DAYS)
    days = re.findall(_DATE, item.page.text)
    return any(today <= day <= near for day in days if day != dated(item))


def is_young(item: Entry) -> bool:
    """Return true if an entry was written or confirmed within the last weeks."""
    return dated(item) > local_day(-NEAR_DAYS)


def _on_desks(entries: Entries, mine: Entries) -> set[str]:
    """The paths among mine that a desk links to."""
    linked = {
        slug
        for desk in entries.values()
        if desk.page.drawer == "working"
        for _, slug in links(desk)
    }
    return {path for path, item in mine.items() if item.page.name in linked}
