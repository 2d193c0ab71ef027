"""What may no longer be true (family R): always warnings, for the world moves on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from catalog import fold, listed, sections
from entry import NONE, Entries, Entry, Evidence, is_date, local_day, read_evidence
from findings import Finding, Findings, found
from gitcli import git, items, work_tree
from store import DURABLE, STORE, Store, decode, read_bytes

SOON_DAYS, CONFIRM_DAYS, DESK_DAYS = 14, 180, 7
ALIKE = 0.75
MAX_ROWS, FULL_ROWS, BEST = 40, 36, 5
# From the most broken to the mildest: the order in which things are due.
ORDER = ("R03", "R05", "R10", "R11", "R04", "R01", "R06", "R02", "R09", "R07", "R08")

FRESH, MOVED, CHANGED, GONE = "fresh", "moved", "changed", "gone"
MAX_CITED, MAX_RENAMES, MAX_ADDED = 4 * 1024 * 1024, 5, 50
MAX_SOUGHT = 2_000_000  # lines cited times lines of the file, to look for what moved

_STATES = {GONE: "R03", MOVED: "R04", CHANGED: "R05", FRESH: "R12"}
_NO_MARKS = {ord(mark): None for mark in "/.-_"}
_real = cache(os.path.realpath)


class Project(NamedTuple):
    """The files that entries cite: each is read once."""

    root: str
    files: dict[str, list[str] | None]

    def lines(self, path: str) -> list[str] | None:
        """The lines of a file, stripped; None where it is not to be read."""
        if path not in self.files:
            self.files[path] = _read_lines(self.root, path)
        return self.files[path]

    def fingerprint(self, path: str, first: int, last: int) -> str:
        """Eight hex digits of SHA-256 over the lines cited; empty where none are."""
        from hashlib import sha256

        lines = (self.lines(path) or [])[max(first - 1, 0) : last]
        cited = "\n".join(lines).encode("utf-8")
        return sha256(cited).hexdigest()[:8] if first and any(lines) else ""

    def judge(self, cited: Evidence) -> tuple[str, str]:
        """Whether what is cited is fresh, moved, changed or gone; and where it is."""
        path, places, more = cited.what, [cited.what], cited.last - cited.first
        gone = self.lines(path) is None
        if gone:
            path, added = _heirs(self.root, path)
            places = ([path] if path else []) + (added if cited.sha else [])
        for place in places:
            size = len(self.lines(place) or [])
            if not cited.sha and cited.last <= size:
                return MOVED if gone else FRESH, place
            near = range(1, size - more + 1) if 0 <= more * size < MAX_SOUGHT else ()
            for at in (cited.first, *near) if cited.sha else ():
                if self.fingerprint(place, at, at + more) == cited.sha:
                    state = MOVED if gone or at != cited.first else FRESH
                    return state, f"{place}#L{at}" + (f"-L{at + more}" if more else "")
        return GONE if gone else CHANGED, path


def _read_lines(root: str, path: str) -> list[str] | None:
    full = os.path.realpath(os.path.join(root, path))
    if not full.startswith(_real(root) + os.sep):
        return None
    try:
        text = decode(read_bytes(full, MAX_CITED))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        return []
    return [line.strip() for line in text.split("\n")]


@cache
def _heirs(root: str, path: str) -> tuple[str, list[str]]:
    """What a file that is gone was renamed to, says git, and what was added then."""
    last = ("log", "-1", "--no-renames", "--diff-filter=D", "--format=%H", "--")
    shown = ("show", "-M", "--relative", "--diff-filter=AR", "--name-status")
    added: list[str] = []
    for _ in range(MAX_RENAMES):
        commit = git(root, *last, path).strip()
        names = items(root, *shown, "--format=", "-z", commit) if commit else []
        told = list(zip(names, names[1:], [*names[2:], ""]))
        added += [new for how, new, _ in told if how == "A"][:MAX_ADDED]
        renamed = [new for how, old, new in told if how[0] == "R" and old == path]
        if not renamed or os.path.exists(os.path.join(root, renamed[0])):
            return "".join(renamed[:1]), added
        path = renamed[0]
    return "", added


def check(store: Store, entries: Entries) -> Findings:
    """All findings of family R; R12, that evidence is fresh, is for those who ask."""
    project = Project(store.root, {})
    facts = [e for e in entries.values() if e.page.drawer == "semantic"]
    yield from _facts(project, facts)
    yield from _commits(store.root, facts)
    yield from _named_paths(project, entries.values())
    yield from _alike(store, entries)
    for path, slug in store.slugs.items():
        if path.startswith(f"{STORE}/working/"):
            age = time.time() - os.lstat(os.path.join(store.root, path)).st_mtime
            if age > DESK_DAYS * 86400:
                yield found(path, 1, "R08", slug, f"{int(age / 86400)} days")


def due(store: Store, entries: Entries) -> list[Finding]:
    """What is due, the most broken and oldest first."""

    def rank(item: Finding) -> tuple[int, str, str]:
        return ORDER.index(item.code), dated(entries.get(item.path)), item.path

    return sorted((i for i in check(store, entries) if i.code in ORDER), key=rank)


def dated(entry: Entry | None) -> str:
    """The date an entry carries, or an empty string."""
    fields = entry.fields if entry else {}
    value = fields.get("as_of", fields.get("when", NONE)).value
    return value if is_date(value) else ""  # it is printed


def full(store: Store, entries: Entries, drawer: str, more: int = 0) -> Findings:
    """Whether an INDEX is nearly full, or has no room for more rows.

    It names the rows that are best to archive.
    """
    page = store.catalogs.get(f"{STORE}/{drawer}/INDEX.md")
    places = sections(page.text.split("\n"), drawer) if page else []
    count = more + sum(len(place.rows) for place in places)
    if page and count >= (MAX_ROWS + 1 if more else FULL_ROWS):
        rows = listed(store, page.path)
        mine = {path: entry for path, entry in entries.items() if path in rows}
        why: dict[str, str] = {}
        for item in due(store, mine):
            why.setdefault(item.subject, item.code)
        for entry in sorted(mine.values(), key=dated):
            why.setdefault(entry.page.name, dated(entry))
        best = ", ".join(f"{slug} {reason}" for slug, reason in [*why.items()][:BEST])
        code = "C07" if count > MAX_ROWS else "C08"
        yield found(page.path, 1, code, "", f"{count} rows; best to archive: {best}")


def _facts(project: Project, facts: list[Entry]) -> Findings:
    """What the dates and the cited lines of facts say."""
    today, soon, stale = map(local_day, (0, SOON_DAYS, -CONFIRM_DAYS))
    for entry in facts:
        path, _, slug, _ = entry.page
        expires, line = entry.fields.get("expires", NONE)
        if is_date(expires) and expires <= soon:
            yield found(path, line, "R01" if expires < today else "R02", slug, expires)
        as_of, line = entry.fields.get("as_of", NONE)
        if is_date(as_of) and as_of < stale:
            yield found(path, line, "R09", slug, as_of)
        if "superseded-by" in entry.fields:
            yield found(path, entry.fields["superseded-by"].line, "R11", slug)
        for value, line in entry.evidence:
            cited = read_evidence(value)
            if cited and cited.kind == "path":
                state, now = project.judge(cited)
                yield found(path, line, _STATES[state], slug, now)


def _commits(root: str, facts: list[Entry]) -> Findings:
    """Cited commits that are not in this branch's history."""
    cited = [
        (entry.page, line, value.split()[1].strip("`"))
        for entry in facts
        for value, line in entry.evidence
        if value.startswith("commit ") and read_evidence(value)
    ]
    if not cited or not work_tree(root):
        return
    names = sorted({name for _, _, name in cited})
    known = git(root, "log", "--no-walk", "--ignore-missing", "--format=%H", *names)
    beside = git(root, "rev-list", "--ignore-missing", *names, "--not", "HEAD")
    there = set(known.split()) - set(beside.split())
    for page, line, name in cited:
        kept = any(full.startswith(name) for full in there)
        yield found(page.path, line, "R12" if kept else "R10", page.name)


def _named_paths(project: Project, entries: Iterable[Entry]) -> Findings:
    """Paths in code spans that are not there, where that can be told.

    That is: their first folder exists here, and git does not ignore them.
    """
    missing = []
    for entry in entries:
        if entry.page.drawer in ("working", "episodic"):
            continue
        for line, text in enumerate(entry.lines[entry.body :], entry.body + 1):
            for word in " ".join(text.split("`")[1::2]).split():
                path, _, anchor = word.rstrip(".,:;)").partition("#")
                top = path.partition("/")[0]
                if not _plain(path) or project.lines(top) is None:
                    continue
                lines = project.lines(path)
                if lines is None or (anchor and not _has_anchor(lines, path, anchor)):
                    missing.append((entry.page, line, path))
    names = sorted({path for _, _, path in missing})
    ignored = git(project.root, "check-ignore", "--", *names) if names else ""
    for page, line, path in missing:
        if path not in ignored.splitlines():
            yield found(page.path, line, "R06", page.name)


def _plain(path: str) -> bool:
    """Whether a word can be nothing but a relative path of a file."""
    parts = path.split("/")
    named = "." in parts[-1].strip(".") and "" not in parts and ".." not in parts
    return len(parts) > 1 and named and path.translate(_NO_MARKS).isalnum()


def _has_anchor(lines: list[str], path: str, anchor: str) -> bool:
    if anchor[:1] == "L" and len(anchor) < 11 and anchor[1:].isdecimal():
        return int(anchor[1:]) <= len(lines)
    titles = (line.lstrip("#").strip().lower() for line in lines if line[:1] == "#")
    kept = ("".join(c for c in t if c.isalnum() or c in " -_") for t in titles)
    known = [title.replace(" ", "-") for title in kept]
    return not path.endswith(".md") or anchor.lower() in known


def _alike(store: Store, entries: Entries) -> Findings:
    """Entries of one INDEX that say nearly the same, by the words of title and cue."""
    for drawer in DURABLE:
        seen: dict[str, set[str]] = {}
        paths = sorted(listed(store, f"{STORE}/{drawer}/INDEX.md") & set(entries))
        for path in paths[:MAX_ROWS]:
            entry = entries[path]
            words = fold(f"{entry.title} {entry.row}").lower().split()
            mine = {word for word in words if len(word) > 3 or not word.isalpha()}
            for other, theirs in seen.items():
                same = len(mine & theirs)
                if same >= ALIKE * (len(mine) + len(theirs) - same):
                    yield found(path, 1, "R07", entry.page.name, other)
            seen[path] = mine
