"""The rules that one new or changed entry must pass before it is written.

remember, the guard and migration share them. They need the entry, the store and git,
and nothing of a session.
"""

from __future__ import annotations

from ecomem import capacity, catalog, entry, evidence, history, telling_words
from ecomem.entry import Entry
from ecomem.evidence import CitedFiles
from ecomem.findings import Finding, Verdict, finding
from ecomem.gate import pages
from ecomem.rules import RULES
from ecomem.store import MAX_BYTES, MAX_DESKS, Store


def judge(
    store: Store,
    new: Entry,
    archived: bool = False,
    files: CitedFiles | None = None,
) -> Verdict:
    """Judge an entry as it would be in the store. Returns findings of any level.

    archived: its row goes into the ARCHIVE, which has room for any number.
    files: the cited files, where some were read already.
    """
    path, _, slug, text = new.page
    if len(text.encode()) > MAX_BYTES:
        return Verdict([finding("L07", path, 1, slug)], 0)
    gate = pages.judge(store.root, new.page, new)
    entries = {**entry.parse_all(store), path: new}
    findings = [*entry.check(new, entry.local_day(1)), *gate.findings]
    findings += [item for item in catalog.cues(entries) if item.path == path]
    findings += _name(store, new)
    if path not in store.slugs and not archived:
        findings += _room(store, entries, new)
    findings += history.check_new(store, new)
    findings += evidence.check_new(files or CitedFiles(store.root), new)
    if not gate.findings:  # C20 would quote what they are about, for the cue
        findings += telling_words.check(store, new)
    return Verdict(findings, gate.allowed)


def foresee(store: Store, new: Entry) -> list[Finding]:
    """The findings of verify about an entry that passes, once it is written."""
    path = new.page.path
    from ecomem import staleness  # which a dry run does not need

    findings = [*entry.check_links(new, {*store.slugs.values(), new.page.name})]
    alone = store._replace(slugs={})  # the desks of others are not asked about
    for item in staleness.check(alone, {path: new}):
        if not RULES[item.code].on_request:
            findings.append(item)
    return findings


def _name(store: Store, new: Entry) -> list[Finding]:
    """Report a slug that another drawer uses."""
    path, _, slug, _ = new.page
    others = [other for other, name in store.slugs.items() if name == slug]
    return [
        finding("L12", path, 1, slug, f"The name is taken by {other}.")
        for other in others
        if other != path
    ]


def _room(store: Store, entries: entry.Entries, new: Entry) -> list[Finding]:
    """Report that a drawer has no room for one more entry."""
    path, drawer, slug, _ = new.page
    if drawer != "working":
        return [*capacity.check(store, entries, drawer, 1)]
    desks = [other for other in store.slugs if "/working/" in other]
    if len(desks) < MAX_DESKS:
        return []
    return [finding("E10", path, 1, slug, "There are three desks already.")]
