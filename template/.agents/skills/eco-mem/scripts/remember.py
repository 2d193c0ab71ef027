"""Write one memory: judge the whole entry, then write it together with its row.

The entry comes from FILE or from standard input. A missing as_of or when becomes the
local date, and cited lines get their fingerprint. A refusal names rule and line and
what to write instead; then nothing is written. With --confirm the entry that is there
gets today's date and fresh fingerprints. With --path, procedural SLUG becomes a row
under In force that points at a real skill, workflow or test.

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
from rot import MOVED, Project
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
)

DATES = {"semantic": "as_of", "episodic": "when"}


OPTIONS: dict[str, tuple[Any, str]] = {
    "dry_run": (False, "judge only, and touch nothing"),
    "confirm": (False, "it still holds: renew its date and cited lines"),
    "path": ("", "what a row under In force points at"),
    "cue": ("", "the text of that row"),
}


def main(arguments: list[str]) -> int:
    """Write the entry, or say why not. Returns the exit code."""
    options = cli.options(__doc__, "DRAWER SLUG [FILE|-]", OPTIONS, arguments)
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
    text = complete(Project(root, {}, {}), drawer, text, options.confirm)
    new = entry.parse(Page(path, drawer, slug, text))
    if options.dry_run:
        return int(not passes(scan(root), new))
    with cli.lock(root):
        store = scan(root)
        if not passes(store, new):
            return 1
        write(store, new)
    return 0


def complete(project: Project, drawer: str, text: str, confirm: bool) -> str:
    """The text with its date and fingerprints filled in, or, to confirm, renewed."""
    parsed = entry.parse(Page("", drawer, "", text.rstrip() + "\n"))
    lines, fields = parsed.lines, parsed.fields
    for field in parsed.evidence:
        cited = entry.read_evidence(field.value)
        if not cited or not cited.first or (cited.sha and not confirm):
            continue
        value, sha = field.value.partition(" sha:")[0], cited.sha
        state, now = project.judge(cited)
        if sha and state == MOVED:
            value = f"`{now}`"
        else:
            sha = project.fingerprint(cited.what, cited.first, cited.last)
        mark = lines[field.line - 1][:2]
        lines[field.line - 1] = f"{mark}evidence: {value}" + (
            f" sha:{sha}" if sha else ""
        )
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
    findings = set(judge(store, new))
    for item in sorted(findings):
        print(line_of(item))
    passed = not any(item.level == ERROR for item in findings)
    if not passed:
        print("remember: refused, nothing was written")
    return passed


def judge(store: Store, new: entry.Entry) -> Iterator[Finding]:
    """The findings of every rule that needs only the entry and the store."""
    page = new.page
    yield from entry.check(new, entry.local_day(1))
    yield from screen.judge(store.root, page, new, [])
    if len(page.text.encode()) > MAX_BYTES:
        yield found(page.path, 1, "L07", page.name)
    for path, name in store.slugs.items():
        if name == page.name and path != page.path:
            yield found(page.path, 1, "L12", page.name)
    others = entry.parse_all(store)
    others.pop(page.path, None)
    cues = catalog.cues({**others, page.path: new})
    yield from (item for item in cues if item.subject == page.name)
    folder = os.path.dirname(page.path)
    if page.path not in store.slugs:
        desks = [path for path in store.slugs if path.startswith(folder)]
        if page.drawer == "working" and len(desks) >= MAX_DESKS:
            yield found(page.path, 1, "E10", page.name)
        cap = rot.full(store, others, page.drawer, 1)
        yield from (item for item in cap if item.code == "C07")
    known = history.read(store.root, "")
    before = known.before(page.path) if known and known.commit else None
    if page.drawer == "episodic" and before and not history.typo(before, new):
        yield found(page.path, 1, "H01", page.name)
    if page.drawer == "semantic" and known and known.commit:
        yield from history.claims(store.root, new, before)


def write(store: Store, new: entry.Entry) -> None:
    """Write entry, then row, and print the receipt."""
    page = new.page
    write_atomically(store.root, page.path, page.text.encode())
    if page.drawer != "working":
        folder = os.path.dirname(page.path)
        archived = page.path in rebuild.listed(store, f"{folder}/ARCHIVE.md")
        path = f"{folder}/{'ARCHIVE' if archived else 'INDEX'}.md"
        rebuild.set_rows(store, path, {page.path: new})
    cited = [entry.read_evidence(field.value) for field in new.evidence]
    kinds = ", ".join(item.kind for item in cited if item) or "none"
    done = "revised" if page.path in store.slugs else "created"
    print(f"{page.drawer} {page.name}: {done}; evidence: {kinds}")


def point(root: str, drawer: str, slug: str, options: Any) -> int:
    """Write a row under In force that points at something real."""
    index = f"{STORE}/procedural/INDEX.md"
    folder = os.path.join(root, os.path.dirname(index))
    link = os.path.relpath(os.path.join(root, options.path), folder)
    link = link.replace(os.sep, "/").replace(" ", "%20")
    row = f"- [{slug}]({link}): {options.cue}"
    with cli.lock(root):
        store = scan(root)
        page = store.catalogs.get(index)
        if not page or drawer != "procedural":
            cli.fail("--path needs the drawer procedural")
        text = rebuild.with_pointer(page.text, slug, row)
        old, page = page, page._replace(text=text)
        store.catalogs[index] = page
        line = text.split("\n").index(row) + 1
        found_now = [*catalog.check(store, {}), *screen.judge(root, page, None, [])]
        findings = [item for item in found_now if item.line == line]
        if len(options.cue) not in catalog.CUE_LENGTH:
            findings.append(found(index, line, "C10"))
        for item in findings:
            print(line_of(item))
        if findings or options.dry_run:
            return int(bool(findings))
        rebuild.write(store, old, text)
    print(f"procedural {slug}: points at {ascii_text(options.path)}")
    return 0


if __name__ == "__main__":
    cli.run(main)
