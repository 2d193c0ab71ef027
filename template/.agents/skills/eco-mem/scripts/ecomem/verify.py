"""usage: verify.py [SLUG...] [options]

Check the memory of this repository, and repair what needs no decision.

Each finding gives the place, the level, the rule and the next step. The file
.agents/skills/eco-mem/references/rules.md explains the rules. With slugs, it reports
only on those entries, and also whether their evidence is still fresh.

options:
  --fix            rebuild INDEX.md, ARCHIVE.md and copies of SKILL.md
  --base REF       compare with the commit at which this branch left REF
  --staged         check what is staged, before a commit
  --strict         fail on warnings too
  --format FORM    how to print: text, json, github or gitlab
  --allow          on a terminal, print lines for the allow file
  --root DIR       the project to work on
  --bare           DIR has a memory but no skill: do not check the installation

exit codes: 0 no errors; 1 errors (with --strict, warnings too); 2 could not run, or
(in CI, with --base or --strict) git did not answer, so that some rules were not judged.
"""

from __future__ import annotations

from ecomem import (
    capacity,
    catalog,
    cli,
    entry,
    evidence,
    history,
    install,
    retired,
    staleness,
)
from ecomem.baseline import UnknownBase, in_ci
from ecomem.cheap_imports import TYPE_CHECKING
from ecomem.entry import Entries
from ecomem.findings import (
    PRINTERS,
    Finding,
    Findings,
    Verdict,
    finding,
    summary_of,
)
from ecomem.gate import pages
from ecomem.git import CannotAsk, inside
from ecomem.history import Published
from ecomem.rules import CATALOG, ERROR, NOTHING, POINTER, RULES, WARNING
from ecomem.store import DURABLE, Store, scan

if TYPE_CHECKING:
    from typing import Any

# Evidence that no program can look at, as a finding calls it.
PRIVATE_EVIDENCE = {
    "user": "what the user said on the day given",
    "review": "what a reviewer wrote",
    "url": "a page on the network, which is never fetched",
}
OPTIONS = {
    **dict.fromkeys(("fix", "staged", "strict", "allow"), False),
    "base": "",
    "format": ("text", "json", "github", "gitlab"),
}


def main(arguments: list[str]) -> int:
    """Run the check and print its findings. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments)
    root = cli.root(options)
    known = read_published(root, options)
    store = history.read_store(known)
    # A name may be the path of an entry too, as findings and recall print it.
    slugs = [store.slugs.get(word, word) for word in options.words]
    unknown = [slug for slug in slugs if slug not in store.slugs.values()]
    if unknown:
        cli.fail(f"the store has no entry named {', '.join(unknown)}")
    rebuilt = 0
    if options.fix:
        rebuilt = repair(root, known.tracked, options.bare)
        store = scan(root, known.tracked)
    entries = entry.parse_all(store)
    gate = judge_gate(store, entries, slugs)
    findings = [*judge(store, entries, known), *gate.findings]
    if slugs:
        findings += unlooked_evidence(entries)
    not_judged = known.not_judged
    if not options.bare:
        around, unanswered = judge_install(root, known)
        findings += around
        not_judged = sorted({*not_judged, *unanswered})
    asked = [item for item in findings if is_asked_for(item, slugs)]
    asked = sorted(step_down(store, known, asked))
    counts = {
        "entries": len(set(slugs) or entries),
        "rebuilt": rebuilt,
        "allowed": gate.allowed,
        "not_judged": not_judged,
    }
    if options.format == "github":
        asked = touched_first(store, known, asked)
    report(root, asked, counts, options.format)
    if options.allow:
        pages_by_path = {**store.entries, **store.catalogs}
        texts = {path: page.text for path, page in pages_by_path.items()}
        cli.print_allow_lines("verify", asked, texts)
    if fails(asked, options.strict):
        return 1
    must_know = options.base or options.strict or in_ci()
    return 2 if not_judged and must_know else 0


def read_published(root: str, options: Any) -> Published:
    """Ask git what is published. Ends the command where the options do not fit that."""
    if options.staged and options.fix:
        cli.fail("--staged only checks: it does not go with --fix")
    try:
        known = history.read(root, options.base, options.staged)
    except UnknownBase:
        cli.fail(f"--base: {options.base} is no commit here; fetch it first")
    if options.staged and not known.tracked:
        if known.fault:
            cli.fail(f"--staged: {known.fault.problem} {known.fault.advice}")
        cli.fail("--staged needs a store that git tracks")
    return known


def repair(root: str, tracked: dict[str, str], bare: bool) -> int:
    """Repair what is provably wrong. Returns how many files were rebuilt."""
    from ecomem import reindex

    with cli.lock(root):
        rebuilt = reindex.fix(scan(root, tracked)) + retired.resolve(root)
        if not bare:
            rebuilt += install.fix_copies(root)
    return rebuilt


def fails(findings: list[Finding], strict: bool) -> bool:
    """Return true if findings make the command fail."""
    bad = (ERROR, WARNING) if strict else (ERROR,)
    return any(item.level in bad and RULES[item.code].fails for item in findings)


def judge(store: Store, entries: Entries, known: Published) -> Findings:
    """Every finding about the store and its history, those of the gate aside."""
    yield from store.findings
    yield from retired.check(store.root)
    tomorrow = entry.local_day(1)
    slugs = set(store.slugs.values())
    for item in entries.values():
        yield from entry.check(item, tomorrow)
        yield from evidence.check_memories(item)
        yield from entry.check_links(item, slugs)
    yield from catalog.check(store, entries)
    stale = [*staleness.check(store, entries)]
    for drawer in DURABLE:
        yield from capacity.check(store, entries, drawer, 0, stale)
    yield from history.check(store, entries, known)
    yield from stale


def judge_install(root: str, known: Published) -> tuple[list[Finding], list[str]]:
    """Findings about what lies around the store, and the codes not judged for git."""
    findings = []
    try:
        for item in install.check(root, known.tracked):
            findings.append(item)  # one by one: a fault of git comes after the first
    except CannotAsk as fault:
        codes = [code for code in RULES if code[0] == "I" and RULES[code].needs_git]
        if not known.not_judged:
            findings.append(history.unanswered(fault, codes))
        return findings, codes
    return findings, []


def judge_gate(store: Store, entries: Entries, slugs: list[str]) -> Verdict:
    """Judge by the gate the entries named, or every page where none is named."""
    if not slugs:
        return pages.check(store, entries)
    verdicts = [
        pages.judge(store.root, item.page, item)
        for item in entries.values()
        if item.page.name in slugs
    ]
    findings = [item for verdict in verdicts for item in verdict.findings]
    return Verdict(findings, sum(verdict.allowed for verdict in verdicts))


def unlooked_evidence(entries: Entries) -> Findings:
    """Name the evidence that is the word of a person or an address (on request)."""
    for path, item in entries.items():
        for line, cited in evidence.cited(item):
            if cited.kind in PRIVATE_EVIDENCE:
                problem = f"The evidence is {PRIVATE_EVIDENCE[cited.kind]}."
                yield finding("R14", path, line, item.page.name, problem)


def is_asked_for(item: Finding, slugs: list[str]) -> bool:
    """Return true for a finding to report, given the entries on the command line."""
    if slugs:
        return item.subject in slugs
    return not RULES[item.code].on_request


def step_down(store: Store, known: Published, findings: list[Finding]) -> list[Finding]:
    """Turn errors about what this change does not touch into warnings."""
    if not any(item.level == ERROR for item in findings):
        return findings  # to ask what was touched takes time
    touched = history.changed_slugs(known, store)
    if touched is None:
        return findings
    return [
        item._replace(level=WARNING) if is_old(item, known, touched) else item
        for item in findings
    ]


def touched_first(
    store: Store, known: Published, findings: list[Finding]
) -> list[Finding]:
    """Findings in their order, but first those about what this change touches."""
    touched = history.changed_slugs(known, store) or set()

    def is_elsewhere(item: Finding) -> bool:
        return item.subject not in touched and item.path not in touched

    return sorted(findings, key=is_elsewhere)


def is_old(item: Finding, known: Published, touched: set[str]) -> bool:
    """Return true if an error is about something that this change does not touch."""
    concerns = RULES[item.code].steps_down
    if item.level != ERROR or concerns == NOTHING:
        return False
    if concerns == CATALOG:
        return item.path not in touched
    if not item.subject or item.subject in touched:
        return False
    return concerns != POINTER or not history.target_was_published(known, item.subject)


def report(
    root: str, findings: list[Finding], counts: dict[str, Any], form: str
) -> None:
    """Print findings and summary; for a forge, with paths from the top of the clone."""
    top = (inside(root) or "") if form in ("github", "gitlab") else ""
    shown = [item._replace(path=top + item.path) for item in findings]
    PRINTERS[form](shown, summary_of(shown, counts))
