"""usage: remember.py DRAWER SLUG [FILE|-] [options]

Write one memory: judge the whole entry, then write it together with its row.

The entry comes from FILE or from standard input. A missing as_of or when becomes the
local date, and cited lines get their fingerprint. A refusal names rule and line and
what to write instead; then nothing is written. With --path, procedural SLUG becomes a
row under In force that points at a real skill, workflow or test.

options:
  --dry-run        judge only, and touch nothing
  --confirm        the entry that is there still holds: renew its date and cited lines
  --path PATH      what a row under In force points at
  --cue TEXT       the text of that row
  --root DIR       the project to work on

exit codes: 0 written, 1 refused, 2 could not run.
"""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from typing import Any

import catalog
import cli
import entry
import history
import rebuild
import rot
import screen
import store as disk
from findings import ERROR, Findings, ascii_text, found, line_of
from store import DURABLE, MAX_BYTES, STORE, Page, Store, scan

OPTIONS = {"dry_run": False, "confirm": False, "path": "", "cue": ""}
DATES = {"semantic": "as_of", "episodic": "when"}


def main(arguments: list[str]) -> int:
    """Write the entry, or say why not. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments)
    root = cli.root(options)
    drawer, slug, file = (*options.words, "-")[:3] if options.words[1:] else ("",) * 3
    if drawer not in disk.DRAWERS or not disk.is_slug(slug):
        cli.fail("DRAWER is one of the four; SLUG lower-case ASCII words joined by -")
    if options.path:
        return point(root, drawer, slug, options)
    path = f"{STORE}/{drawer}/{slug}.md"
    source = os.path.join(root, path) if options.confirm else file
    try:
        given = sys.stdin.buffer.read(MAX_BYTES + 1) if source == "-" else None
        data = disk.read_bytes(source, MAX_BYTES) if given is None else given
        text = disk.decode(data)
    except (OSError, ValueError):
        cli.fail("the entry cannot be read as UTF-8 text")
    text = complete(rot.Project(root, {}), drawer, text, options.confirm)
    new = entry.parse(Page(path, drawer, slug, text))
    with nullcontext() if options.dry_run else cli.lock(root):
        store = scan(root)
        findings = sorted({*judge(store, new)})
        for item in findings:
            print(line_of(item))
        if any(item.level == ERROR for item in findings):
            print("remember: refused, nothing was written")
            return 1
        if not options.dry_run:
            broken = rebuild.unwritable(store, [drawer] if drawer in DURABLE else [])
            if broken:
                cli.fail(broken)
            if options.confirm and disk.read_bytes(source, MAX_BYTES) != data:
                cli.fail("the entry changed meanwhile; run it again")
            write(store, new)
    return 0


def complete(project: rot.Project, drawer: str, text: str, confirm: bool) -> str:
    """The text with its date and fingerprints filled in, or, to confirm, renewed."""
    parsed = entry.parse(Page("", drawer, "", text.rstrip() + "\n"))
    lines, fields = parsed.lines, parsed.fields
    for value, line in parsed.evidence:
        cited = entry.read_evidence(value)
        if cited and cited.first and (confirm or not cited.sha):
            state, now = project.judge(cited)
            value, _, sha = value.partition(" sha:")
            if sha and state == rot.MOVED:
                value = f"`{now}`"
            else:
                sha = project.fingerprint(cited.what, cited.first, cited.last)
            value += f" sha:{sha}" if sha else ""
            lines[line - 1] = f"{lines[line - 1][:2]}evidence: {value}"
    key = DATES.get(drawer, "")
    dated = f"{key}: {entry.local_day()}"
    if key in fields and confirm and drawer == "semantic":
        lines[fields[key].line - 1] = lines[fields[key].line - 1][:2] + dated
    elif key and key not in fields and fields:
        first = min(field.line for field in fields.values())
        lines.insert(first, lines[first - 1][:2] + dated)
    return "\n".join(lines)


def judge(store: Store, new: entry.Entry) -> Findings:
    """The findings of every rule that needs only the entry and the store."""
    path, drawer, slug, text = new.page
    yield from entry.check(new, entry.local_day(1))
    yield from screen.judge(store.root, new.page, new, [])
    if len(text.encode()) > MAX_BYTES:
        yield found(path, 1, "L07", slug)
    if any(slug == name and path != other for other, name in store.slugs.items()):
        yield found(path, 1, "L12", slug)
    entries = {**entry.parse_all(store), path: new}
    yield from (item for item in catalog.cues(entries) if item.subject == slug)
    if path not in store.slugs:
        del entries[path]
        desks = [other for other in store.slugs if f"{STORE}/working/" in other]
        if drawer == "working" and len(desks) >= disk.MAX_DESKS:
            yield found(path, 1, "E10", slug)
        yield from rot.full(store, entries, drawer, 1)
    if drawer in DATES:
        commit, _ = history.base(store.root)
        before = history.published(store.root, commit, path)
        if drawer == "semantic" and commit:
            yield from history.claims(store.root, new, before)
        elif before and not history.typo(before, new):
            yield found(path, 1, "H01", slug)


def write(store: Store, new: entry.Entry) -> None:
    """Write entry, then row, and print the receipt."""
    path, drawer, slug, text = new.page
    disk.write_atomically(store.root, path, text.encode())
    rebuild.fix(scan(store.root), [path])
    cited = [entry.read_evidence(value) for value, _ in new.evidence]
    kinds = ", ".join(item.kind for item in cited if item) or "none"
    done = "revised" if path in store.slugs else "created"
    print(f"{drawer} {slug}: {done}; evidence: {kinds}")


def point(root: str, drawer: str, slug: str, options: Any) -> int:
    """Write a row under In force that points at something real."""
    index = f"{STORE}/procedural/INDEX.md"
    if not (options.path + options.cue).isprintable():
        cli.fail("PATH and TEXT are one line of printable text each")
    target = os.path.join(root, options.path)
    link = os.path.relpath(target, os.path.dirname(os.path.join(root, index)))
    row = f"- [{slug}]({link.replace(os.sep, '/').replace(' ', '%20')}): {options.cue}"
    with cli.lock(root):
        store = scan(root)
        old = store.catalogs.get(index)
        lines = old.text.split("\n") if old else []
        place = catalog.sections(lines, "procedural")[0]
        if not old or drawer != "procedural" or not place.spans:
            cli.fail("--path needs the drawer procedural, with its heading In force")
        rows = {item.name: item.line - 1 for item in place.rows}
        later = [at for name, at in rows.items() if name > slug]
        if slug in rows:
            lines[rows[slug]] = row
        elif rows:
            lines.insert(min(later, default=max(rows.values()) + 1), row)
        else:
            lines[place.spans[0][0] + 1 : place.spans[0][0] + 1] = ["", row]
        page = store.catalogs[index] = old._replace(text="\n".join(lines))
        line = lines.index(row) + 1
        said = [*catalog.check(store, {}), *screen.judge(root, page, None, [])]
        findings = [item for item in said if item.line == line]
        if len(options.cue) not in catalog.CUE_LENGTH:
            findings.append(found(index, line, "C10"))
        for item in findings:
            print(line_of(item))
        if findings or options.dry_run:
            return int(bool(findings))
        disk.write_catalog(store, old, page.text)
    print(f"procedural {slug}: points at {ascii_text(options.path)}")
    return 0


if __name__ == "__main__":
    cli.run(main)
