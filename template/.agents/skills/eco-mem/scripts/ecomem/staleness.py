"""What may no longer be true (family R): always warnings, for the world moves on."""

from __future__ import annotations

import os
import re
import time
from functools import cache
from typing import NamedTuple

from ecomem.catalog import fold, listed
from ecomem.entry import (
    NONE,
    Entries,
    Entry,
    Evidence,
    is_date,
    local_day,
    read_evidence,
)
from ecomem.findings import Finding, Findings, found
from ecomem.git import changes, git, inside
from ecomem.store import DURABLE, STORE, Store, decode, read_bytes

SOON_DAYS, CONFIRM_DAYS, DESK_DAYS = 14, 180, 7
ALIKE = 0.75
MAX_COMPARED = 40  # entries of an INDEX that are compared with each other
# From the most broken to the mildest: the order in which things are due.
ORDER = ("R03", "R05", "R10", "R11", "R04", "R01", "R06", "R02", "R09", "R07", "R08")

FRESH, MOVED, CHANGED, GONE = "fresh", "moved", "changed", "gone"
MAX_CITED, MAX_RENAMES, MAX_ADDED = 4 * 1024 * 1024, 5, 50
MAX_SOUGHT = 2_000_000  # lines cited times lines of the file, to look for what moved

_STATES = {GONE: "R03", MOVED: "R04", CHANGED: "R05", FRESH: "R12"}
# In a code span, a word that can be nothing but a path of a file, and its anchor.
_PATH = r"(?<!\S)(?!\S*\.\.)((?:[\w.-]+/)+[\w.-]+\.[\w-]+)(?:#(\S*)|[.,:;)]*)(?!\S)"
_LASTING = ("semantic", "procedural")  # an episode may tell of what is gone
_real = cache(os.path.realpath)


class Project(NamedTuple):
    """The files that entries cite: each is read once."""

    root: str
    files: dict[str, list[str] | None]

    def lines(self, path: str) -> list[str] | None:
        """The lines of a file, stripped; none where unreadable, None for no file."""
        if path not in self.files:
            full = os.path.realpath(os.path.join(self.root, path))
            self.files[path] = None
            try:
                if full.startswith(_real(self.root) + os.sep):
                    text = decode(read_bytes(full, MAX_CITED))
                    self.files[path] = [line.strip() for line in text.split("\n")]
            except (FileNotFoundError, NotADirectoryError):
                pass
            except (OSError, ValueError):
                self.files[path] = []
        return self.files[path]

    def fingerprint(self, path: str, first: int, last: int) -> str:
        """Eight hex digits of SHA-256 over the lines cited; empty where none are."""
        from hashlib import sha256

        lines = (self.lines(path) or [])[max(first - 1, 0) : last]
        cited = "\n".join(lines).encode("utf-8")
        return sha256(cited).hexdigest()[:8] if first and any(lines) else ""

    def judge(self, item: Evidence) -> tuple[str, str]:
        """Whether what is cited is fresh, moved, changed or gone; and where it is."""
        more = item.last - item.first
        gone = self.lines(item.what) is None
        heirs, added = _heirs(self.root, item.what) if gone else ([item.what], [])
        for place in [*heirs, *added] if item.sha else heirs:
            size = len(self.lines(place) or [])
            if not item.sha and item.last <= size:
                return MOVED if gone else FRESH, place
            near = range(1, size - more + 1) if 0 <= more * size < MAX_SOUGHT else ()
            for at in (item.first, *near) if item.sha else ():
                if self.fingerprint(place, at, at + more) == item.sha:
                    state = MOVED if gone or at != item.first else FRESH
                    return state, f"{place}#L{at}" + (f"-L{at + more}" if more else "")
        return GONE if gone else CHANGED, "".join(heirs)


@cache
def _heirs(root: str, path: str) -> tuple[list[str], list[str]]:
    """What a file that is gone was renamed to, says git, and what was added then."""
    last = ("log", "-1", "--format=", "--full-diff", "--no-follow", "--diff-filter=ADR")
    added: list[str] = []
    for _ in range(MAX_RENAMES):
        changed = changes(root, *last, "--", path)
        gone = path in changed.values()  # in that commit, not only since
        added += [new for new, old in changed.items() if gone and not old][:MAX_ADDED]
        heirs = [new for new, old in changed.items() if old == path != new]
        if not heirs or os.path.exists(os.path.join(root, heirs[0])):
            return heirs, added
        path = heirs[0]
    return [], added


def cited(entry: Entry) -> list[tuple[int, Evidence]]:
    """The evidence of an entry that has a known form, with its lines."""
    read = ((line, read_evidence(value)) for value, line in entry.evidence)
    return [(line, item) for line, item in read if item]


def check(store: Store, entries: Entries) -> Findings:
    """All findings of family R; R12, that evidence is fresh, is for those who ask."""
    project = Project(store.root, {})
    facts = [e for e in entries.values() if e.page.drawer == "semantic"]
    yield from _facts(project, facts)
    yield from _commits(store.root, facts)
    yield from _named_paths(project, entries)
    yield from _alike(store, entries)
    for path, slug in store.slugs.items():
        if path.startswith(f"{STORE}/working/"):
            age = time.time() - os.lstat(os.path.join(store.root, path)).st_mtime
            if age > DESK_DAYS * 86400:
                yield found(path, 1, "R08", slug, f"{int(age / 86400)} days")


def due(store: Store, entries: Entries) -> list[Finding]:
    """What is due, the most broken and oldest first."""
    ranked = [
        (ORDER.index(item.code), dated(entries.get(item.path)), item)
        for item in check(store, entries)
        if item.code in ORDER
    ]
    return [item for *_, item in sorted(ranked)]


def dated(entry: Entry | None) -> str:
    """The date an entry carries, or an empty string."""
    fields = entry.fields if entry else {}
    value = fields.get("as_of", fields.get("when", NONE)).value
    return value if is_date(value) else ""  # it is printed


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
        for line, item in cited(entry):
            if item.kind == "path":
                state, now = project.judge(item)
                yield found(path, line, _STATES[state], slug, now)


def _commits(root: str, facts: list[Entry]) -> Findings:
    """Cited commits that are not in this branch's history."""
    named = [
        (entry.page, line, item.what.split()[1].strip("`"))
        for entry in facts
        for line, item in cited(entry)
        if item.kind == "commit"
    ]
    if not named or inside(root) is None:
        return
    ask = ("rev-list", "HEAD", "--ignore-missing", *{name for *_, name in named})
    head, *known = git(root, *ask, "--no-walk=unsorted", "--").split() or [""]
    # HEAD is in the answer, unless git fails: then none is known to be in its history.
    beside = git(root, *ask, "^HEAD^@", "--").split() or known
    there = {head} | ({*known} - {*beside})
    for page, line, name in named:
        kept = any(full.startswith(name) for full in there)
        yield found(page.path, line, "R12" if kept else "R10", page.name)


def _named_paths(project: Project, entries: Entries) -> Findings:
    """Paths in code spans that are not there, though their first folder is."""
    missing = []
    for entry in entries.values():
        body = entry.lines[entry.body :] if entry.page.drawer in _LASTING else []
        for line, text in enumerate(body, entry.body + 1):
            spans = " ".join(text.split("`")[1::2])
            for path, anchor in re.findall(_PATH, spans) if "/" in spans else ():
                if project.lines(path.split("/")[0]) is None:
                    continue  # a host or a media type, perhaps
                if not _leads(project.lines(path), path, anchor.rstrip(".,:;)")):
                    missing.append((entry.page, line, path))
    names = {path for _, _, path in missing}
    ignored = git(project.root, "check-ignore", "--", *names) if names else ""
    for page, line, path in missing:
        if path not in ignored.splitlines():
            yield found(page.path, line, "R06", page.name)


def _leads(lines: list[str] | None, path: str, anchor: str) -> bool:
    """Whether a file of these lines is there, and what the anchor names is in it."""
    if lines is None or re.fullmatch(r"L[0-9]{1,9}", anchor):
        return lines is not None and int(anchor[1:]) <= len(lines)
    titles = (line.lstrip("#").strip().lower() for line in lines if line[:1] == "#")
    known = [re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in titles]
    return not (anchor and path.endswith(".md")) or anchor.lower() in known


def _alike(store: Store, entries: Entries) -> Findings:
    """Entries of one INDEX that say nearly the same, by the words of title and cue."""
    for drawer in DURABLE:
        seen: dict[str, set[str]] = {}
        paths = sorted(listed(store, f"{STORE}/{drawer}/INDEX.md") & set(entries))
        for path in paths[:MAX_COMPARED]:
            entry = entries[path]
            words = fold(f"{entry.title} {entry.row}").lower().split()
            mine = {word for word in words if len(word) > 3 or not word.isalpha()}
            for other, theirs in seen.items():
                same = len(mine & theirs)
                if same >= ALIKE * (len(mine) + len(theirs) - same):
                    yield found(path, 1, "R07", entry.page.name, other)
            seen[path] = mine
