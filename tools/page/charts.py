"""The two drawings of the page, as numbers for SVG."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from page.model import SOURCES, STATES, Page

WIDTH = 600  # of a drawing, in its own units
MONTHS = 12


class Part(NamedTuple):
    """One state in a bar: where it begins, how wide it is, how many facts it has."""

    state: str
    x: float
    width: float
    number: int


class Bar(NamedTuple):
    """The facts of one source."""

    source: str
    total: int
    parts: tuple[Part, ...]


class Dot(NamedTuple):
    """One fact that expires: its place, and whether it has expired already."""

    x: float
    y: int
    past: bool
    slug: str
    day: str


class Timeline(NamedTuple):
    """The days on which facts expire, from a month ago on."""

    dots: tuple[Dot, ...]
    months: tuple[tuple[float, str], ...]
    now: float
    height: int
    past: int
    soon: int
    within: int
    later: int


def bars(page: Page) -> tuple[Bar, ...]:
    """Return a bar for each source; all have one scale."""
    most = max((sum(page.sure[source].values()) for source in SOURCES), default=0)
    found = []
    for source in SOURCES:
        counts = page.sure[source]
        x = 0.0
        parts = []
        for state in STATES:
            if counts[state]:
                width = round(WIDTH * counts[state] / most, 1)
                parts.append(Part(state, round(x, 1), width, counts[state]))
                x += width
        found.append(Bar(source, sum(counts.values()), tuple(parts)))
    return tuple(found)


def timeline(page: Page) -> Timeline:
    """Return the dots of a year, stacked by day, and the counts beyond it."""
    today = date.today()
    first, last = today - timedelta(days=31), today + timedelta(days=365)
    span = (last - first).days
    stacked: dict[str, int] = {}
    dots = []
    days = [(date.fromisoformat(day), slug) for day, slug in page.expiries]
    for day, slug in days:
        if day > last:
            continue
        # What expired long ago is drawn at the left edge.
        shown = max(day, first)
        x = round(WIDTH * (shown - first).days / span, 1)
        key = str(round(x / 8))
        stacked[key] = stacked.get(key, 0) + 1
        dots.append(Dot(x, stacked[key], day < today, slug, day.isoformat()))
    months = []
    month = date(today.year, today.month, 1)
    for _ in range(MONTHS + 1):
        month = (month + timedelta(days=32)).replace(day=1)
        if month <= last:
            x = round(WIDTH * (month - first).days / span, 1)
            months.append((x, month.strftime("%Y-%m")))
    past = sum(day < today for day, _ in days)
    soon = sum(today <= day <= today + timedelta(days=90) for day, _ in days)
    later = sum(day > last for day, _ in days)
    return Timeline(
        tuple(dots),
        tuple(months[::3]),
        round(WIDTH * 31 / span, 1),
        12 * max(stacked.values(), default=1) + 28,
        past,
        soon,
        len(days) - past - soon - later,
        later,
    )
