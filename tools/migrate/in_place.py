"""An older eco-mem in the project itself: no cues, and catalogs that are tables.

The entries stay where they are. Each gains what today's format asks for, at the top of
its header, and keeps every other byte; then the tables and the known old contract lines
leave the catalogs. This is the one migration that changes its source.
"""

from __future__ import annotations

import os
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ecomem.entry import NONE, backed, parse, read_evidence
from ecomem.store import DRAWERS, DURABLE, STORE, Page, write_atomically

from migrate import plan_file
from migrate.project import Draft, Refused, judge, run_script
from migrate.project import changes as dirty
from migrate.text import as_cue

CONTRACTS = Path(__file__).with_name("old_contracts.txt")
TABLE = re.compile(r"^\s*\|.*\|\s*$")
RULE = re.compile(r"^\s*\|[\s|:-]+\|\s*$")
RETIRED = ("deprecated", "archived", "expired", "superseded")
# What an interrupted run still has to archive: the tables that said so may be gone.
PENDING = f"{plan_file.FOLDER}/retired"
# The column that says when an entry matters, in the catalogs of all releases.
ONE_LINERS = (
    "one-liner",
    "one liner",
    "summary",
    "title",
    "when",
    "一句話",
    "一句话",
    "摘要",
    "標題",
    "标题",
)
NAMES = ("slug", "name", "名稱", "名称")
STATES = ("status", "狀態", "状态")
# The last line of the older catalogs: how many entries there are.
COUNT = re.compile(r"^(?:\u76ee\u524d \d+ [\u5247\u6761\u689d].*|\d+ entr(?:y|ies)\.)$")
END = "<!-- eco-mem:contract:end -->"


class OldRow(NamedTuple):
    """A row of an old table: its line from 1, and the cells that matter."""

    line: int
    slug: str
    one_liner: str
    status: str
    path: str


class Change(NamedTuple):
    """A new content for one file of the store, and one sentence on what it is."""

    path: str
    data: bytes
    what: str


def is_old(project: Path) -> bool:
    """Return true if a catalog has a table, or an interrupted run is to be ended."""
    if (project / PENDING).exists():
        return True
    return any(read_rows(project, drawer) for drawer in DRAWERS) or any(
        RULE.match(line) for drawer in DRAWERS for line in index_lines(project, drawer)
    )


def index_lines(project: Path, drawer: str) -> list[str]:
    """Return the lines of an INDEX; none if it is missing."""
    try:
        return (
            (project / STORE / drawer / "INDEX.md").read_text("utf-8-sig").split("\n")
        )
    except (OSError, UnicodeDecodeError):
        return []


def read_rows(project: Path, drawer: str) -> list[OldRow]:
    """Return the rows of the tables of an INDEX."""
    rows: list[OldRow] = []
    head: list[str] = []
    for at, line in enumerate(index_lines(project, drawer), 1):
        if not TABLE.match(line):
            head = []
        elif RULE.match(line):
            continue
        elif not head:
            head = [cell.lower() for cell in cells(line)]
        else:
            named = dict(zip(head, cells(line), strict=False))
            slug = pick(named, NAMES)
            path = pick(named, ("file", "path", "檔案", "文件"))
            rows.append(
                OldRow(
                    at,
                    slug.strip("`"),
                    pick(named, ONE_LINERS),
                    pick(named, STATES),
                    path,
                )
            )
    return [row for row in rows if row.slug]


def cells(line: str) -> list[str]:
    """Return the cells of a row of a Markdown table."""
    parts = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [part.strip().replace("\\|", "|") for part in parts]


def pick(named: dict[str, str], keys: tuple[str, ...]) -> str:
    """Return the first cell under one of some headings."""
    return next((named[key] for key in keys if named.get(key)), "")


def entry_changes(project: Path) -> tuple[list[Change], list[str]]:
    """Return what every entry gains, and what a person must decide, one line each."""
    changes: list[Change] = []
    asked: list[str] = []
    for drawer in DURABLE:
        rows = {row.slug: row for row in read_rows(project, drawer)}
        for path in sorted((project / STORE / drawer).glob("*.md")):
            if path.stem in ("INDEX", "ARCHIVE") or path.is_symlink():
                continue
            name = path.relative_to(project).as_posix()
            row = rows.get(path.stem)
            gained, question = gain(path, drawer, row)
            if question:
                asked.append(f"{name}: {question}")
            if gained:
                changes.append(Change(name, gained, "gains its cue"))
    return changes, asked


def gain(path: Path, drawer: str, row: OldRow | None) -> tuple[bytes, str]:
    """Return the new content of an entry, or nothing; and a question, or nothing."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return b"", "it is not UTF-8 text; save it as UTF-8 first"
    entry = parse(Page(path.name, drawer, path.stem, text.replace("\r\n", "\n")))
    if not entry.fields:
        return b"", "it has no header; write one by formats.md"
    if "cue" in entry.fields and "\n- cue:" in text.replace("\r\n", "\n"):
        return b"", ""
    cue = as_cue(row.one_liner) if row else ""
    if not cue:
        return b"", "no row of the old table says when it matters; add `- cue:` by hand"
    lines = [f"- cue: {cue}"]
    source = entry.fields.get("source", NONE)
    kinds = {
        item.kind
        for item in map(read_evidence, (f.value for f in entry.evidence))
        if item
    }
    lowered = drawer == "semantic" and not backed(source.value, kinds)
    if lowered:
        lines.append(f"- claimed: {source.value}")
    return with_header(
        data,
        min(f.line for f in entry.fields.values()),
        lines,
        source.line if lowered else 0,
    ), ""


def with_header(data: bytes, first: int, lines: list[str], source: int) -> bytes:
    """Return bytes with more header lines; source is the line to lower, 0 for none."""
    end = b"\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else b"\n"
    rows = data.split(b"\n")
    if source:
        rest = b"\r" if rows[source - 1].endswith(b"\r") else b""
        rows[source - 1] = b"- source: derived" + rest
    new = [line.encode() + end.removesuffix(b"\n") for line in lines]
    return b"\n".join([*rows[: first - 1], *new, *rows[first - 1 :]])


def catalog_change(project: Path, drawer: str) -> Change | None:
    """Return an INDEX without its tables and without the known lines of old contracts.

    Rows of tools in force become rows of today's form where their target is there.
    """
    lines = index_lines(project, drawer)
    known = {line.strip() for line in CONTRACTS.read_text("utf-8").splitlines()}
    kept: list[str] = []
    inside = False
    for line in lines:
        inside = inside or line.strip().startswith("<!-- eco-mem:contract:begin")
        ours = sha256(" ".join(line.split()).encode()).hexdigest()[:16] in known
        table = TABLE.match(line) or COUNT.match(line.strip())
        empty = drawer == "working" and line.strip() == "## Catalog"
        if inside or not (ours or table or empty):
            kept.append(line)
        inside = inside and line.strip() != END
    pointers = pointer_rows(project, drawer)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).rstrip("\n") + "\n"
    if pointers:
        heading = "## In force\n"
        before, found, after = text.partition(heading)
        text = (
            f"{before}{found}\n" + "\n".join(pointers) + "\n" + after if found else text
        )
    path = f"{STORE}/{drawer}/INDEX.md"
    data = text.encode()
    return (
        Change(path, data, "loses its table")
        if data != (project / path).read_bytes()
        else None
    )


def pointer_rows(project: Path, drawer: str) -> list[str]:
    """Return the rows of an old table under In force, as rows of today."""
    if drawer != "procedural":
        return []
    found: list[str] = []
    for row in read_rows(project, drawer):
        target = row.path.strip("`")
        cue = as_cue(row.one_liner)
        if "/" in target and cue and (project / target).is_file():
            link = os.path.relpath(project / target, project / STORE / drawer).replace(
                os.sep, "/"
            )
            found.append(f"- [{row.slug}]({link}): {cue}")
    return sorted(found)


def retired(project: Path) -> list[str]:
    """Return the slugs that an old table calls deprecated or archived.

    An interrupted run left them in a file, as its tables may be gone.
    """
    pending = project / PENDING
    noted = pending.read_text("utf-8").split() if pending.exists() else []
    listed = (
        row.slug
        for drawer in DURABLE
        for row in read_rows(project, drawer)
        if row.status.lower() in RETIRED
        and (project / STORE / drawer / f"{row.slug}.md").is_file()
    )
    return sorted({*noted, *listed})


def in_index(project: Path, slug: str) -> bool:
    """Return true if an INDEX has a row of today's form for an entry."""
    return any(
        f"({slug}.md)" in line
        for drawer in DURABLE
        for line in index_lines(project, drawer)
    )


def audit(project: Path) -> None:
    """Print what an older store in place would gain and lose."""
    changes, asked = entry_changes(project)
    print("eco-mem-1: an older store, changed in place")
    print(
        f"  {len(changes)} entries gain a cue from their row, and keep every other byte"
    )
    for line in asked:
        print(f"  open: {line}")
    for slug in retired(project):
        print(f"  {slug}: goes to ARCHIVE, its row says that it is retired")
    for path in person_folders(project):
        print(f"  {path}: about persons. Move it into the host's own memory.")


def person_folders(project: Path) -> list[str]:
    """Return the folders of personas, which no drawer has."""
    folder = project / STORE / "personas"
    return [folder.relative_to(project).as_posix()] if folder.is_dir() else []


def apply(project: Path, partial: bool, dry_run: bool) -> int:
    """Change the store in place. Returns the exit code; see migrate.py."""
    changes, asked = entry_changes(project)
    if asked and not partial:
        print("\n".join(asked))
        raise Refused(
            f"{len(asked)} entries need a person; mend them, or add --partial"
        )
    wrong = judge_in_place(project, changes)
    if wrong:
        print("\n".join(wrong))
        print("migrate: the gate refuses this; nothing was written", file=sys.stderr)
        return 1
    if dry_run:
        print(f"{len(changes)} entries pass; nothing was written")
        return 0
    interrupted = (project / PENDING).exists()
    if dirty(project) and not interrupted:
        raise Refused(
            "git has changes below .agents; commit them first, so that you can go back"
        )
    old = retired(project)
    plan_file.begin(project)
    plan_file.replace(project / PENDING, "\n".join(old) + "\n")
    for change in changes:
        write_atomically(str(project), change.path, change.data)
    # Only now: the one-liners of the tables are in the entries.
    for drawer in DRAWERS:
        catalog = catalog_change(project, drawer)
        if catalog and not (asked and drawer != "working"):
            write_atomically(str(project), catalog.path, catalog.data)
    run_script(project, "verify.py", "--fix")
    there = [slug for slug in old if in_index(project, slug)]
    if there:
        run_script(project, "forget.py", *there, "--archive")
    (project / PENDING).unlink()
    print(f"{len(changes)} entries gained a cue; {len(old)} went to ARCHIVE")
    print("Next: run verify.py, look at git diff, and commit.")
    return 0


def judge_in_place(project: Path, changes: list[Change]) -> list[str]:
    """Return what the rules of the project refuse in the changed entries."""
    drafts = []
    for change in changes:
        drawer, name = change.path.split("/")[-2:]
        text = change.data.decode("utf-8-sig").replace("\r\n", "\n")
        drafts.append(Draft(drawer, name.removesuffix(".md"), text))
    return judge(project, drafts, in_place=True)
