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
from collections.abc import Iterator
from typing import Any

import catalog
import cli
import entry
import history
import rebuild
import rot
import screen
from findings import ERROR, Finding, ascii_text, found, line_of
from store import (
    DRAWERS,
    MAX_BYTES,
    MAX_DESKS,
    STORE,
    Page,
    Store,
    decode,
    is_slug,
    read_bytes,
    scan,
    write_atomically,
    write_catalog,
)

OPTIONS = {"dry_run": False, "confirm": False, "path": "", "cue": ""}
DATES = {"semantic": "as_of", "episodic": "when"}


def main(arguments: list[str]) -> int:
    """Write the entry, or say why not. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments)
    root = cli.root(options)
    drawer, slug, file = (*options.words, "-")[:3] if options.words[1:] else ("",) * 3
    if drawer not in DRAWERS or not is_slug(slug):
        cli.fail("DRAWER is one of the four; SLUG lower-case ASCII words joined by -")
    if options.path:
        return point(root, drawer, slug, options)
    path = f"{STORE}/{drawer}/{slug}.md"
    source = os.path.join(root, path) if options.confirm else file
    try:
        given = sys.stdin.buffer.read(MAX_BYTES + 1) if source == "-" else None
        text = decode(read_bytes(source, MAX_BYTES) if given is None else given)
    except (OSError, ValueError):
        cli.fail("the entry cannot be read as UTF-8 text")
    text = complete(rot.Project(root, {}, {}), drawer, text, options.confirm)
    new = entry.parse(Page(path, drawer, slug, text))
    if options.dry_run:
        return int(not passes(scan(root), new))
    with cli.lock(root):
        store = scan(root)
        if not passes(store, new):
            return 1
        write(store, new)
    return 0


def complete(project: rot.Project, drawer: str, text: str, confirm: bool) -> str:
    """The text with its date and fingerprints filled in, or, to confirm, renewed."""
    parsed = entry.parse(Page("", drawer, "", text.rstrip() + "\n"))
    lines, fields = parsed.lines, parsed.fields
    for value, line in parsed.evidence:
        cited = entry.read_evidence(value)
        if not cited or not cited.first or (cited.sha and not confirm):
            continue
        value, sha = value.partition(" sha:")[0], cited.sha
        state, now = project.judge(cited)
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


def passes(store: Store, new: entry.Entry) -> bool:
    """Print what the rules say of an entry; tell whether it may be written."""
    findings = sorted(set(judge(store, new)))
    for item in findings:
        print(line_of(item))
    if any(item.level == ERROR for item in findings):
        print("remember: refused, nothing was written")
        return False
    return True


def judge(store: Store, new: entry.Entry) -> Iterator[Finding]:
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
        if drawer == "working" and len(desks) >= MAX_DESKS:
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
    write_atomically(store.root, path, text.encode())
    if drawer != "working":
        folder = f"{STORE}/{drawer}"
        archived = path in rebuild.listed(store, f"{folder}/ARCHIVE.md")
        catalog = f"{folder}/{'ARCHIVE' if archived else 'INDEX'}.md"
        rebuild.set_rows(store, catalog, {path: new})
    cited = [entry.read_evidence(value) for value, _ in new.evidence]
    kinds = ", ".join(item.kind for item in cited if item) or "none"
    done = "revised" if path in store.slugs else "created"
    print(f"{drawer} {slug}: {done}; evidence: {kinds}")


def point(root: str, drawer: str, slug: str, options: Any) -> int:
    """Write a row under In force that points at something real."""
    index = f"{STORE}/procedural/INDEX.md"
    folder = os.path.join(root, os.path.dirname(index))
    link = os.path.relpath(os.path.join(root, options.path), folder)
    link = link.replace(os.sep, "/").replace(" ", "%20")
    row = f"- [{slug}]({link}): {options.cue}"
    with cli.lock(root):
        store = scan(root)
        old = store.catalogs.get(index)
        if not old or drawer != "procedural":
            cli.fail("--path needs the drawer procedural")
        text = rebuild.with_pointer(old.text, slug, row)
        page = store.catalogs[index] = old._replace(text=text)
        line = text.split("\n").index(row) + 1
        said = [*catalog.check(store, {}), *screen.judge(root, page, None, [])]
        findings = [item for item in said if item.line == line]
        if len(options.cue) not in catalog.CUE_LENGTH:
            findings.append(found(index, line, "C10"))
        for item in findings:
            print(line_of(item))
        if findings or options.dry_run:
            return int(bool(findings))
        write_catalog(store, old, text)
    print(f"procedural {slug}: points at {ascii_text(options.path)}")
    return 0


if __name__ == "__main__":
    cli.run(main)
