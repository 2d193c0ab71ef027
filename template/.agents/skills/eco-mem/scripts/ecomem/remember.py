"""usage: remember.py DRAWER SLUG [FILE|-] [options]

Write one entry: judge the whole entry, then write it together with its row.

The entry comes from FILE or from standard input. If as_of or when is missing, the
command adds the local date. It adds a fingerprint to cited lines. If it refuses the
entry, it names the rule, the line and what to write instead, and writes nothing.

options:
  --dry-run        judge only, and touch nothing
  --archive        write its row into the ARCHIVE, not the INDEX
  --allow          on a terminal, print a line for the allow file for each refused line
  --confirm        the stored entry is still true: renew its date and its fingerprints
  --path PATH      instead of an entry, write a row under In force that points to PATH
  --cue TEXT       the text of that row
  --root DIR       the project to work on
  --bare           DIR has a memory but no skill

exit codes: 0 written, 1 refused, 2 could not run.
"""

from __future__ import annotations

import os
import sys

from ecomem import catalog, cli, entry, evidence, history, new_entry
from ecomem import store as disk
from ecomem.catalog import Section
from ecomem.cheap_imports import TYPE_CHECKING, NamedTuple, nullcontext
from ecomem.entry import Entry, Evidence
from ecomem.evidence import CitedFiles
from ecomem.findings import Finding, ascii_text, finding, line_of
from ecomem.gate import pages
from ecomem.rules import ERROR, VERIFY
from ecomem.store import DRAWERS, STORE, Page, Store, scan

if TYPE_CHECKING:
    from typing import Any

OPTIONS = {
    **dict.fromkeys(("dry_run", "confirm", "archive", "allow"), False),
    "path": "",
    "cue": "",
}
MAX_TEXT = 1024 * 1024  # bytes read; an entry has far fewer, and the rules say so

# What ends or changes the target of a link in Markdown, and is written as %XX.
NOT_IN_LINKS = " #?%()<>\\\"'"


class Completed(NamedTuple):
    """A text with what was missing filled in; origins: each line's number before."""

    text: str
    origins: list[int]


def main(arguments: list[str]) -> int:
    """Write the entry, or say why not. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments, most_words=3)
    root = cli.root(options)
    drawer, slug, file = read_words(options)
    given = read_text(file) if file else ""
    with nullcontext() if options.dry_run else cli.lock(root):
        store = scan(root)
        if options.path:
            return point(store, drawer, slug, options)
        path = f"{STORE}/{drawer}/{slug}.md"
        if options.confirm and path not in store.entries:
            cli.fail(f"--confirm: {drawer} has no readable entry {slug}")
        page = Page(path, drawer, slug, given)
        if options.confirm:
            page = store.entries[path]
        files = evidence.CitedFiles(root)
        done = complete(files, page, options.confirm)
        new = entry.parse(page._replace(text=done.text))
        findings = new_entry.judge(store, new, options.archive, files).findings
        if options.confirm:
            findings += check_confirmed(files, page, new)
        if not has_error(findings):
            findings += new_entry.foresee(store, new)
        if has_error(findings):
            print_findings(as_given(findings, path, done))
            if options.allow:
                cli.print_allow_lines("remember", findings, {path: done.text})
            return cli.refuse("remember", f"{drawer}/{slug} breaks the rules above")
        if not options.dry_run:
            write(store, new, "ARCHIVE" if options.archive else "")
        print_findings(findings)
        print_receipt(store, new, options)
    return 0


def read_words(options: Any) -> tuple[str, str, str]:
    """Drawer, slug and file from the command line; an empty file where none is read."""
    if len(options.words) < 2:
        cli.fail("remember needs DRAWER and SLUG; see --help")
    drawer, slug, *files = options.words
    if drawer not in DRAWERS:
        cli.fail(f"there is no drawer {drawer}; the drawers are {', '.join(DRAWERS)}")
    if not disk.is_slug(slug):
        cli.fail(
            f"{slug or 'an empty word'} is no slug, which is lower-case ASCII "
            f"words joined by -, at most {disk.MAX_SLUG} characters, no reserved name"
        )
    if options.archive and drawer == "working":
        cli.fail("--archive: desks have no archive")
    if options.path and not options.cue:
        cli.fail("--path needs --cue TEXT: when the row matters")
    if options.cue and not options.path:
        cli.fail("--cue goes with --path; the cue of an entry is in its header")
    if options.confirm or options.path:
        option = "--confirm" if options.confirm else "--path"
        if files:
            cli.fail(f"{option} reads no file: remove {files[0]}")
        return drawer, slug, ""
    return drawer, slug, files[0] if files else "-"


def read_text(file: str) -> str:
    """The text of a file, a link or a pipe, or of standard input for -."""
    name = "standard input" if file == "-" else file
    try:
        if file != "-":
            with open(file, "rb") as stream:
                data = stream.read(MAX_TEXT + 1)
        elif sys.stdin is None:
            cli.fail("standard input is closed; name a FILE")
        else:
            if sys.stdin.isatty():
                print("remember: reading the entry from the terminal", file=sys.stderr)
            data = sys.stdin.buffer.read(MAX_TEXT + 1)
    except FileNotFoundError:
        cli.fail(f"there is no file {file}")
    except IsADirectoryError:
        cli.fail(f"{file} is a folder, not a file")
    except OSError as error:
        cli.fail(f"{name} cannot be read: {error.strerror}")
    if len(data) > MAX_TEXT:
        cli.fail(f"{name} is longer than {MAX_TEXT} bytes; an entry has at most 8 KiB")
    try:
        return disk.decode(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if error.reason == "NUL":
            cli.fail(f"{name}: line {line} contains a NUL byte")
        if error.reason == "unexpected end of data":
            cli.fail(f"{name} ends inside a character: the text was cut off")
        cli.fail(f"{name} is not UTF-8 text: see line {line}")


def has_error(findings: list[Finding]) -> bool:
    """Return true if one of the findings is an error."""
    return any(item.level == ERROR for item in findings)


def print_findings(findings: list[Finding]) -> None:
    """Print findings, sorted."""
    for item in sorted(set(findings)):
        print(line_of(item))


def as_given(findings: list[Finding], path: str, done: Completed) -> list[Finding]:
    """Findings with the line numbers of the text as it was given."""
    given = []
    for item in findings:
        if item.path == path and item.line <= len(done.origins):
            item = item._replace(line=done.origins[item.line - 1])
        given.append(item)
    return given


def complete(files: CitedFiles, page: Page, confirm: bool) -> Completed:
    """Fill in date and fingerprints, or renew them to confirm an entry."""
    parsed = entry.parse(page._replace(text=page.text.rstrip() + "\n"))
    edits: dict[range, tuple[int, str]] = {}  # line indexes to the line they become
    for value, at in parsed.evidence:
        item = entry.read_evidence(value)
        if item and item.kind == "path" and item.first:
            cited = with_fingerprint(files, value, item, confirm)
            if cited != value:
                mark = parsed.lines[at - 1][:2]
                span = entry.field_lines(parsed, at)
                edits[span] = (at, f"{mark}evidence: {cited}")
    edits.update(dating(parsed, confirm))
    lines = [*enumerate(parsed.lines, 1)]
    for span in sorted(edits, key=lambda span: span.start, reverse=True):
        lines[span.start : span.stop] = [edits[span]]
    text = "\n".join(line for _, line in lines)
    return Completed(text, [number for number, _ in lines])


def dating(parsed: Entry, confirm: bool) -> dict[range, tuple[int, str]]:
    """The edit that adds the date an entry lacks, or renews it to confirm a fact."""
    key, fields = history.DATES.get(parsed.page.drawer), parsed.fields
    if not key or not fields or (key in fields and not (confirm and key == "as_of")):
        return {}
    first = fields.get(key) or min(fields.values(), key=lambda field: field.line)
    span = entry.field_lines(parsed, first.line)
    if key not in fields:
        span = range(span.stop, span.stop)
    mark = parsed.lines[first.line - 1][:2]
    return {span: (first.line, f"{mark}{key}: {entry.local_day()}")}


def with_fingerprint(
    files: CitedFiles, value: str, item: Evidence, confirm: bool
) -> str:
    """An evidence line with the fingerprint and place of what was seen.

    Lines that moved are cited where they are now. To confirm, lines that changed get
    their new fingerprint. What was not seen is left as it is, for the rules to judge.
    """
    look = files.judge(item)
    if item.sha:
        if look.state == evidence.MOVED:
            return f"`{look.place}` sha:{item.sha}"
        if not confirm or look.state != evidence.CHANGED:
            return value
    elif look.state != evidence.FRESH:
        return value
    sha = files.fingerprint(item.what, item.first, item.last)
    return f"{value.partition(' sha:')[0]} sha:{sha}" if sha else value


def check_confirmed(files: CitedFiles, old: Page, new: Entry) -> list[Finding]:
    """Report cited evidence of an entry to confirm that could not be looked at.

    Ends the command where there is nothing to confirm.
    """
    if new.page.drawer != "semantic" and new.page.text.rstrip() == old.text.rstrip():
        cli.fail(
            "--confirm: nothing to confirm. Only a fact has a date that is renewed, "
            "and no cited lines of this entry moved or changed"
        )
    unseen = []
    for line, item in evidence.cited(new):
        look = evidence.Look(evidence.FRESH)
        if item.kind == "path":
            look = files.judge(item)
        elif item.kind == "commit":
            name = evidence.commit_name(item)
            look = evidence.commits(files.root, [name])[name]
        if look.state == evidence.NOT_HERE:
            problem = f"The evidence could not be looked at. {look.reason}"
            advice = "Confirm it where it can be looked at."
            path, _, slug, _ = new.page
            unseen.append(finding("E14", path, line, slug, problem, advice))
    return unseen


def write(store: Store, new: Entry, where: str) -> None:
    """Write the entry, then its row; where names a catalog to move the row to."""
    from ecomem import reindex

    path, drawer, _, text = new.page
    broken = reindex.unwritable(store, [drawer])
    if broken:
        cli.fail(broken)
    disk.write_atomically(store.root, path, text.encode())
    try:
        reindex.fix(scan(store.root), [path], where)
    except OSError as error:
        cli.fail(
            f"the entry was written, its row was not ({error.strerror}); "
            f"run `{VERIFY} --fix`"
        )


def print_receipt(store: Store, new: Entry, options: Any) -> None:
    """Print what was done to an entry, or would be, and the kinds of its evidence."""
    path, drawer, slug, _ = new.page
    if options.confirm:
        done = "confirmed"
    else:
        done = "revised" if path in store.slugs else "created"
    kinds = ", ".join(item.kind for _, item in evidence.cited(new)) or "none"
    would = "would be " if options.dry_run else ""
    archived = ", in the archive" if options.archive else ""
    print(f"{drawer} {slug}: {would}{done}{archived}; evidence: {kinds}")


def point(store: Store, drawer: str, slug: str, options: Any) -> int:
    """Write a row under In force that points at something real."""
    index = f"{STORE}/procedural/INDEX.md"
    old = store.catalogs.get(index)
    if drawer != "procedural":
        cli.fail("--path needs the drawer procedural")
    if not (options.path + options.cue).isprintable():
        cli.fail("PATH and TEXT are one line of printable text each")
    place = catalog.sections(old.text.split("\n"), drawer)[0] if old else None
    if not old or not place or not place.spans:
        cli.fail("procedural/INDEX.md has no readable heading In force; run verify.py")
    row = f"- [{slug}]({link_to(store.root, options.path)}): {options.cue}"
    lines = with_row(old.text.split("\n"), place, slug, row)
    page = old._replace(text="\n".join(lines))
    changed = store._replace(catalogs={**store.catalogs, index: page})
    where = index, lines.index(row) + 1
    every = [*catalog.check(changed, {}), *pages.judge(store.root, page, None).findings]
    findings = [item for item in every if item[:2] == where]
    if any(item.code == "C14" for item in findings):
        advice = "Give the path of a file or folder, from the root of the project."
        findings = [item for item in findings if item.code != "C14"]
        findings.append(finding("C14", *where, advice=advice))
    if len(options.cue) not in catalog.CUE_LENGTH:
        problem = catalog.wrong_length(options.cue)
        findings.append(finding("C10", *where, problem=problem))
    print_findings(findings)
    if has_error(findings):
        if options.allow:
            cli.print_allow_lines("remember", findings, {index: page.text})
        return cli.refuse("remember", f"the row {slug} breaks the rules above")
    if not options.dry_run:
        disk.write_catalog(store, old, page.text)
    points = "would point" if options.dry_run else "points"
    print(f"procedural {slug}: {points} at {ascii_text(options.path)}")
    return 0


def link_to(root: str, path: str) -> str:
    """The link from the procedural INDEX to a path of the project, as Markdown."""
    drawer = os.path.join(root, STORE, "procedural")
    link = os.path.relpath(os.path.join(root, path), drawer).replace(os.sep, "/")
    return "".join(f"%{ord(c):02X}" if c in NOT_IN_LINKS else c for c in link)


def with_row(lines: list[str], place: Section, slug: str, row: str) -> list[str]:
    """The lines of a catalog with a row in place of the one of its name, or added."""
    for old in place.rows:
        if old.name == slug:
            return [*lines[: old.line - 1], row, *lines[old.last :]]
    later = [old.line - 1 for old in place.rows if old.name > slug]
    if not place.rows:
        at = place.spans[0][0] + 1
        return [*lines[:at], "", row, *lines[at:]]
    at = min(later) if later else max(old.last for old in place.rows)
    return [*lines[:at], row, *lines[at:]]
