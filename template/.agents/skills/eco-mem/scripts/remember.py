"""usage: remember.py DRAWER SLUG [FILE|-] [options]

Write one memory: judge the whole entry, then write it together with its row.

The entry comes from FILE or from standard input. A missing as_of or when becomes the
local date, and cited lines get their fingerprint. A refusal names rule and line and
what to write instead; then nothing is written.

options:
  --dry-run        judge only, and touch nothing
  --confirm        the entry that is there still holds: renew its date and cited lines
  --path PATH      write a row under In force instead, that points at PATH
  --cue TEXT       the text of that row
  --root DIR       the project to work on

exit codes: 0 written, 1 refused, 2 could not run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

from ecomem import catalog, cli, entry, history, reindex, staleness
from ecomem import store as disk
from ecomem.findings import Finding, Findings, ascii_text, found, line_of
from ecomem.gate import pages
from ecomem.rules import ERROR
from ecomem.store import MAX_BYTES, STORE, Page, Store, scan

OPTIONS = {"dry_run": False, "confirm": False, "path": "", "cue": ""}


def main(arguments: list[str]) -> int:
    """Write the entry, or say why not. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments)
    root = cli.root(options)
    drawer, slug, file = [*options.words, "-", "-", "-"][:3]
    if drawer not in disk.DRAWERS or not disk.is_slug(slug):
        cli.fail("DRAWER is one of the four; SLUG lower-case ASCII words joined by -")
    given = "" if options.confirm or options.path else taken(file)
    with nullcontext() if options.dry_run else cli.lock(root):
        store = scan(root)
        if options.path:
            return point(store, drawer, slug, options)
        path = f"{STORE}/{drawer}/{slug}.md"
        if options.confirm and path not in store.entries:
            cli.fail("--confirm needs an entry that is there and can be read")
        text = store.entries[path].text if options.confirm else given
        text = complete(staleness.Project(root, {}), drawer, text, options.confirm)
        new = entry.parse(Page(path, drawer, slug, text))
        if refused(judge(store, new)):
            return 1
        if not options.dry_run:
            write(store, new)
    return 0


def taken(file: str) -> str:
    """The text of a file, or of standard input for -."""
    try:
        if file == "-":
            return disk.decode(sys.stdin.buffer.read(MAX_BYTES + 1))
        return disk.decode(disk.read_bytes(file, MAX_BYTES))
    except (OSError, ValueError):
        cli.fail("the entry cannot be read as UTF-8 text")


def refused(findings: Iterable[Finding]) -> bool:
    """Whether one of the findings is an error; prints them all."""
    told = sorted({*findings})
    for item in told:
        print(line_of(item))
    wrong = any(item.level == ERROR for item in told)
    if wrong:
        print("remember: refused, nothing was written")
    return wrong


def complete(project: staleness.Project, drawer: str, text: str, confirm: bool) -> str:
    """The text with its date and fingerprints filled in, or, to confirm, renewed."""
    parsed = entry.parse(Page("", drawer, "", text.rstrip() + "\n"))
    lines, fields = parsed.lines, parsed.fields
    for value, line in parsed.evidence:
        item = entry.read_evidence(value)
        if item and item.first and (confirm or not item.sha):
            state, now = project.judge(item)
            what, sha = f"`{now}`", item.sha
            if not sha or state != staleness.MOVED:
                what = value.partition(" sha:")[0]
                sha = project.fingerprint(item.what, item.first, item.last)
            told = f"{what} sha:{sha}" if sha else what
            lines[line - 1] = f"{lines[line - 1][:2]}evidence: {told}"
    key = history.DATES.get(drawer)
    if key and fields and (key not in fields or (confirm and key == "as_of")):
        first = min(field.line for field in fields.values())
        dated = f"{lines[first - 1][:2]}{key}: {entry.local_day()}"
        if key in fields:
            lines[fields[key].line - 1] = dated
        else:
            lines.insert(first, dated)
    return "\n".join(lines)


def judge(store: Store, new: entry.Entry) -> Findings:
    """The findings of every rule that needs only the entry and the store."""
    path, drawer, slug, text = new.page
    yield from entry.check(new, entry.local_day(1))
    yield from pages.judge(store.root, new.page, new, [])
    if len(text.encode()) > MAX_BYTES:
        yield found(path, 1, "L07", slug)
    if any(slug == name and path != other for other, name in store.slugs.items()):
        yield found(path, 1, "L12", slug)
    entries = {**entry.parse_all(store), path: new}
    yield from (item for item in catalog.cues(entries) if item.subject == slug)
    if path not in store.slugs:
        desks = sum("/working/" in other for other in store.slugs)
        if drawer == "working" and desks >= disk.MAX_DESKS:
            yield found(path, 1, "E10", slug)
        yield from staleness.full(store, entries, drawer, 1)
    commit = history.base(store.root)[0] if drawer in history.DATES else ""
    if commit:
        before = history.published(store.root, commit, path)
        yield from history.revision(store.root, new, before)


def write(store: Store, new: entry.Entry) -> None:
    """Write entry, then row, and print the receipt."""
    path, drawer, slug, text = new.page
    broken = reindex.unwritable(store, [drawer])
    if broken:
        cli.fail(broken)
    disk.write_atomically(store.root, path, text.encode())
    reindex.fix(scan(store.root), [path])
    kinds = ", ".join(item.kind for _, item in staleness.cited(new)) or "none"
    done = "revised" if path in store.slugs else "created"
    print(f"{drawer} {slug}: {done}; evidence: {kinds}")


def point(store: Store, drawer: str, slug: str, options: Any) -> int:
    """Write a row under In force that points at something real."""
    index = f"{STORE}/procedural/INDEX.md"
    old = store.catalogs.get(index)
    lines = old.text.split("\n") if old else []
    place = catalog.sections(lines, "procedural")[0]
    if not old or drawer != "procedural" or not place.spans:
        cli.fail("--path needs the drawer procedural, with its heading In force")
    if not (options.path + options.cue).isprintable():
        cli.fail("PATH and TEXT are one line of printable text each")
    target = os.path.join(store.root, options.path)
    link = os.path.relpath(target, os.path.join(store.root, STORE, drawer))
    row = f"- [{slug}]({link.replace(os.sep, '/').replace(' ', '%20')}): {options.cue}"
    rows = {item.name: item.line - 1 for item in place.rows}
    end = max([place.spans[0][0], *rows.values()]) + 1
    later = [line for name, line in rows.items() if name > slug]
    if slug in rows:
        lines[rows[slug]] = row
    else:
        at = min(later, default=end)
        lines[at:at] = [row] if rows else ["", row]
    page = store.catalogs[index] = old._replace(text="\n".join(lines))
    where = index, lines.index(row) + 1
    said = [*catalog.check(store, {}), *pages.judge(store.root, page, None, [])]
    findings = [item for item in said if item[:2] == where]
    if len(options.cue) not in catalog.CUE_LENGTH:
        findings.append(found(*where, "C10"))
    if refused(findings):
        return 1
    if not options.dry_run:
        disk.write_catalog(store, old, page.text)
        print(f"procedural {slug}: points at {ascii_text(options.path)}")
    return 0


if __name__ == "__main__":
    cli.run(main)
