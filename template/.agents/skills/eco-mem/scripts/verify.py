"""usage: verify.py [SLUG...] [options]

Check the memory of this repository, and repair what is provably wrong.

Each finding says where, how bad, which rule, and the next step; the rules are
explained in .agents/skills/eco-mem/references/rules.md. With slugs only those entries
are checked, and whether their evidence still holds.

options:
  --fix            rebuild the catalogs from the entries
  --base REF       the commit that counts as published
  --staged         check what is staged, before a commit
  --strict         fail on warnings too
  --format FORM    how to print: text, json or github
  --allow          on a terminal, print lines for the allow file
  --root DIR       the project to work on

exit codes: 0 no errors, 1 errors (with --strict, warnings too), 2 could not run.
"""

from __future__ import annotations

import sys

from ecomem import catalog, cli, entry, history, install, reindex, staleness
from ecomem.entry import Entries
from ecomem.findings import Finding, Findings, found, write_findings
from ecomem.gate import pages
from ecomem.git import inside
from ecomem.history import Published
from ecomem.rules import ERROR, RULES, WARNING
from ecomem.store import DURABLE, Store, scan

OPTIONS = {
    **dict.fromkeys(("fix", "staged", "strict", "allow"), False),
    "base": "",
    "format": ("text", "json", "github"),
}


def main(arguments: list[str]) -> int:
    """Run the check and print its findings. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments)
    root = cli.root(options)
    known = history.read(root, options.base, options.staged)
    if not known:
        cli.fail("--base names no commit here; fetch it first")
    if options.staged and (options.fix or not known.tracked):
        cli.fail("--staged needs a store in git, and repairs nothing")
    store = history.scanned(known)
    if not set(options.words) <= set(store.slugs.values()):
        cli.fail("no entry of that name in the store")
    mended = 0
    if options.fix:
        with cli.lock(root):
            mended = reindex.fix(scan(root))
        store = scan(root)
    entries = entry.parse_all(store)
    allowed: list[str] = []
    findings = [
        item
        for item in judge(store, entries, known, allowed)
        if is_asked_for(item, options.words)
    ]
    findings = sorted(step_down(store, known, findings))
    top = (inside(root) or "") if options.format == "github" else ""
    told = [item._replace(path=top + item.path) for item in findings]
    counts = {"entries": len(entries), "rebuilt": mended, "allowed": len(allowed)}
    write_findings(told, counts, options.format)
    texts = {**store.entries, **store.catalogs}
    for item in findings if options.allow and sys.stdout.isatty() else ():
        if RULES[item.code].allowable:
            line = texts[item.path].text.split("\n")[item.line - 1]
            print(pages.allow_mark(item.path, item.code, line), "REASON")
    bad = (ERROR, WARNING) if options.strict else (ERROR,)
    return int(any(item.level in bad and RULES[item.code].fails for item in findings))


def is_asked_for(item: Finding, slugs: list[str]) -> bool:
    """Whether to report a finding, given the entries named on the command line."""
    if slugs:
        return item.subject in slugs
    return not RULES[item.code].on_request


def judge(
    store: Store, entries: Entries, known: Published, allowed: list[str]
) -> Findings:
    """Every finding about the store, its history and its installation."""
    yield from store.findings
    tomorrow = entry.local_day(1)
    slugs = set(store.slugs.values())
    for path, item in entries.items():
        yield from entry.check(item, tomorrow)
        for line, slug in entry.links(item):
            if slug not in slugs:
                yield found(path, line, "E12", item.page.name, slug)
    yield from catalog.check(store, entries)
    for drawer in DURABLE:
        yield from staleness.full(store, entries, drawer)
    yield from pages.check(store, entries, allowed)
    yield from history.check(store, entries, known)
    yield from staleness.check(store, entries)
    yield from install.check(store.root)


def step_down(store: Store, known: Published, findings: list[Finding]) -> Findings:
    """Errors about what this change does not touch become warnings."""
    some = any(item.level == ERROR and item.subject for item in findings)
    touched = history.touched(known, store) if some else None
    for item in findings:
        stays = touched is None or not item.subject or item.subject in touched
        if item.code == "C14" and not stays:
            stays = history.removed(known, item.subject)
        lower = item.level == ERROR and not stays
        yield item._replace(level=WARNING) if lower else item


if __name__ == "__main__":
    cli.run(main)
