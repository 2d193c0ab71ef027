"""The data of the page: the entries of a store, how sure each is, and what changed."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import report as report_command
from ecomem import catalog, entry, evidence, history, report, staleness, store
from ecomem.entry import Entry
from ecomem.findings import Finding
from ecomem.gate import pages
from ecomem.rules import RULES

SOURCES = ("user-confirmed", "verified", "derived")
# From the surest to the most broken; an entry counts by its most broken evidence.
STATES = ("quoted", "fresh", "address", "none", "not here", "moved", "changed", "gone")
MAX_CHANGES = 20  # changes that are shown at once; the others are folded away
MAX_SAME = 8  # entries with one reason that are named; the others are counted
QUIET = "R09"  # nobody confirmed it for long: many are, so they are one line


class Card(NamedTuple):
    """One entry as the page shows it."""

    slug: str
    drawer: str
    title: str
    cue: str
    source: str
    state: str
    scope: str
    expires: str
    archived: bool
    text: str  # empty for an archived entry that is not due
    withheld: str  # codes of the gate; empty where the entry may be shown
    due: tuple[str, ...]  # sentences
    links: tuple[str, ...]  # slugs it links to
    linked_by: int
    tokens: int


class Due(NamedTuple):
    """One reason for which entries are due, and their slugs."""

    code: str
    meaning: str
    slugs: tuple[str, ...]


class Alike(NamedTuple):
    """Two entries that may be the same."""

    one: str
    other: str


class Page(NamedTuple):
    """Everything on the page."""

    name: str
    made: str  # local time
    report: report.Report
    cards: tuple[Card, ...]
    due: tuple[Due, ...]
    sure: dict[str, Counter[str]]  # by source, how many facts in each state
    expiries: tuple[tuple[str, str], ...]  # day and slug, by day
    never: int
    alike: tuple[Alike, ...]
    unwritten: tuple[str, ...]  # slugs that are linked to and do not exist


def collect(root: Path, base: str) -> Page:
    """Read a project. Raises baseline.UnknownBase where base is no commit."""
    known = history.read(str(root), base)
    made = report_command.make(str(root), known)
    found = store.scan(str(root))
    entries = entry.parse_all(found)
    findings = [*staleness.check(found, entries)]
    due = [item for item in findings if RULES[item.code].due]
    cards = read_cards(found, entries, due)
    facts = [card for card in cards if card.drawer == "semantic"]
    sure = {
        name: Counter(c.state for c in facts if c.source == name) for name in SOURCES
    }
    dated = [(c.expires, c.slug) for c in facts if entry.is_date(c.expires)]
    slugs = {card.slug for card in cards}
    wanted = {link for card in cards for link in card.links}
    return Page(
        root.resolve().name,
        time.strftime("%Y-%m-%d %H:%M"),
        made,
        tuple(cards),
        tuple(read_due(due)),
        sure,
        tuple(sorted(dated)),
        sum(card.expires == "never" for card in facts),
        tuple(read_alike(findings)),
        tuple(sorted(wanted - slugs)),
    )


def read_cards(
    found: store.Store, entries: entry.Entries, due: list[Finding]
) -> list[Card]:
    """Return a card for each entry, in the order of drawers and slugs."""
    files = evidence.CitedFiles(found.root)
    looks = evidence.commits(found.root, commit_names(entries))
    reasons: dict[str, list[str]] = {}
    for item in due:
        reasons.setdefault(item.path, []).append(item.message)
    linked = Counter(slug for each in entries.values() for _, slug in entry.links(each))
    cards = []
    for path, each in sorted(entries.items(), key=lambda pair: pair[1].page[1:3]):
        drawer, slug = each.page.drawer, each.page.name
        archive = f"{store.STORE}/{drawer}/ARCHIVE.md"
        archived = path in catalog.listed(found, archive)
        refused = codes(found.root, each)
        value = {key: field.value for key, field in each.fields.items()}
        shown = not refused and (not archived or path in reasons)
        cards.append(
            Card(
                slug,
                drawer,
                "" if refused else each.title,
                "" if refused else value.get("cue", value.get("goal", "")),
                value.get("source", ""),
                state_of(each, files, looks),
                "" if refused else value.get("scope", ""),
                value.get("expires", ""),
                archived,
                each.page.text if shown else "",
                ", ".join(refused),
                tuple(reasons.get(path, ())),
                tuple(dict.fromkeys(slug for _, slug in entry.links(each))),
                linked[slug],
                report.estimate_tokens(each.page.text),
            )
        )
    return cards


def facts_of(card: Card) -> list[str]:
    """Return what is known about an entry, in a few words each."""
    parts = [card.source] if card.source else []
    if card.drawer == "semantic":
        parts.append(f"evidence: {card.state}")
    if card.scope:
        parts.append(f"scope: {card.scope}")
    if card.expires:
        parts.append(f"expires: {card.expires}")
    if card.archived:
        parts.append("archived")
    if card.linked_by:
        parts.append(
            f"linked {card.linked_by} {'time' if card.linked_by == 1 else 'times'}"
        )
    return parts


def codes(root: str, each: Entry) -> list[str]:
    """Return the codes of the gate that refuse an entry."""
    findings = pages.judge(root, each.page, each).findings
    return sorted({item.code for item in findings if item.level == "error"})


def commit_names(entries: entry.Entries) -> list[str]:
    """Return every commit that an entry cites."""
    items = (item for each in entries.values() for _, item in evidence.cited(each))
    return [evidence.commit_name(item) for item in items if item.kind == "commit"]


def state_of(
    each: Entry, files: evidence.CitedFiles, looks: dict[str, evidence.Look]
) -> str:
    """Return the state of the most broken evidence of an entry; see STATES."""
    states = []
    for _, item in evidence.cited(each):
        if item.kind in ("user", "review"):
            states.append("quoted")
        elif item.kind == "path":
            states.append(files.judge(item).state)
        elif item.kind == "commit":
            look = looks[evidence.commit_name(item)].state
            known = {evidence.IN_HISTORY: "fresh", evidence.NOT_HERE: "not here"}
            states.append(known.get(look, "gone"))
        else:
            states.append("address")
    return max(states, key=STATES.index, default="none")


def read_due(due: list[Finding]) -> list[Due]:
    """Return the reasons, most broken first, each with its entries once."""
    slugs: dict[str, list[str]] = {}
    for item in due:
        mine = slugs.setdefault(item.code, [])
        if item.subject and item.subject not in mine:
            mine.append(item.subject)
    order = sorted(slugs, key=lambda code: RULES[code].due)
    return [Due(code, RULES[code].problem, tuple(slugs[code])) for code in order]


def read_alike(findings: list[Finding]) -> list[Alike]:
    """Return the pairs of entries that say nearly the same."""
    pairs = []
    for item in findings:
        if item.code == "R07":
            other = re.search(r"`([^`]+)`", item.message)
            if other:
                pairs.append(Alike(item.subject, other[1]))
    return pairs
