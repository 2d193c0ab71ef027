"""Check the memory of this repository, and repair what is provably wrong.

Each finding says where, how bad, which rule, and the next step; the rules are
explained in .agents/skills/eco-mem/references/rules.md. An error breaks the build, a
warning asks for a look, info is for your notes.

exit codes: 0 clean or warnings only, 1 errors (or warnings, with --strict),
2 could not run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import catalog
import cli
import entry
import install
import published
import rebuild
import report
import rot
from findings import ERROR, WARNING, Finding, found
from store import DURABLE, Store, scan, write_atomically


def main(arguments: list[str]) -> int:
    """Run the check and print its findings. Returns the exit code."""
    parser = cli.parser("verify", __doc__)
    add = parser.add_argument
    add("slugs", nargs="*", metavar="SLUG", help="check these entries only")
    add("--fix", action="store_true", help="rebuild the catalogs from the entries")
    add("--base", default="", metavar="REF", help="commit that counts as published")
    add("--strict", action="store_true", help="fail on warnings too")
    add("--format", choices=("text", "json", "github"), default="text")
    options = parser.parse_args(arguments)
    root = cli.root(options)
    if not root:
        return 2
    store = scan(root)
    summary: dict[str, object] = {"entries": len(store.entries)}
    if options.fix:
        changed = rebuild.fix(store)
        for path, data in changed.items():
            write_atomically(root, path, data)
        summary["rebuilt"] = len(changed)
        store = scan(root) if changed else store
    known = published.read(root, options.base) if options.base else None
    if options.base and not known:
        print("verify: --base names no commit here; fetch it first", file=sys.stderr)
        return 2
    if not set(options.slugs) <= set(store.slugs.values()):
        print("verify: no entry of that name in the store", file=sys.stderr)
        return 2
    findings = step_down(store, known, list(judge(store, entry.parse_all(store))))
    if options.slugs:
        findings = [item for item in findings if item.subject in options.slugs]
    report.write(sorted(findings), summary, options.format)
    bad = (ERROR, WARNING) if options.strict else (ERROR,)
    return int(any(item.level in bad and item.code[0] != "R" for item in findings))


def judge(store: Store, entries: dict[str, entry.Entry]) -> Iterator[Finding]:
    """Every finding about the store and its installation."""
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
        yield from rot.full(store, entries, drawer)
    yield from install.check(store.root)


def step_down(
    store: Store, known: published.Published | None, findings: list[Finding]
) -> list[Finding]:
    """Errors about what this change does not touch become warnings.

    Git is asked only when there is an error.
    """
    if not any(item.level == ERROR and item.subject for item in findings):
        return findings
    known = known or published.read(store.root, "")
    touched = published.touched(known, store) if known else None
    if touched is None:
        return findings
    return [
        item._replace(level=WARNING)
        if item.level == ERROR and item.subject and item.subject not in touched
        else item
        for item in findings
    ]


if __name__ == "__main__":
    cli.run(main)
