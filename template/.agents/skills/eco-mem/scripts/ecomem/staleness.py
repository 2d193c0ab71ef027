"""Claims that may no longer be true (family R); these never fail a build."""

from __future__ import annotations

import os
import time

from ecomem import cheap_re as re
from ecomem import git
from ecomem.catalog import listed
from ecomem.cheap_imports import Iterable, Iterator, NamedTuple
from ecomem.entry import NONE, Entries, Entry, dated, is_date, local_day
from ecomem.evidence import (
    AMBIGUOUS,
    CHANGED,
    FRESH,
    GONE,
    IN_HISTORY,
    MOVED,
    NOT_HERE,
    CitedFiles,
    Look,
    cited,
    commit_name,
    commits,
    kept_from_view,
    leads_through_link,
)
from ecomem.findings import Finding, Findings, finding
from ecomem.markdown import unformatted
from ecomem.rules import REMEMBER, RULES
from ecomem.store import DURABLE, STORE, Page, Store, is_slug

SOON_DAYS, CONFIRM_DAYS, DESK_DAYS = 14, 180, 7
ALIKE = 0.75
MAX_COMPARED = 40  # entries of an INDEX that are compared with each other

_FILE_RULES = {GONE: "R03", MOVED: "R04", CHANGED: "R05", FRESH: "R12", NOT_HERE: "R13"}
_COMMIT_RULES = {IN_HISTORY: "R12", NOT_HERE: "R13"}  # R10 in every other state
# In a code span, a word that can be nothing but a path of a file, and its anchor.
_PATH = r"(?<!\S)(?!\S*\.\.)((?:[\w.-]+/)+[\w.-]+\.[\w-]+)(?:#(\S*)|[.,:;)]*)(?!\S)"
_LASTING = ("semantic", "procedural")  # an episode may describe what is gone


class NamedPath(NamedTuple):
    """A path in a code span that leads to nothing here, and where it is written."""

    page: Page
    line: int
    path: str
    anchor: bool  # the file is here, and what the anchor names is not


def check(store: Store, entries: Entries) -> Findings:
    """All findings of family R. R12, fresh evidence, is printed on request only."""
    files = CitedFiles(store.root)
    facts = [e for e in entries.values() if e.page.drawer == "semantic"]
    yield from _facts(files, facts)
    yield from _commits(store.root, facts)
    yield from _named_paths(files, entries)
    yield from _alike(store, entries)
    yield from _old_desks(store)


def _old_desks(store: Store) -> Findings:
    for path, slug in store.slugs.items():
        if path.startswith(f"{STORE}/working/"):
            age = time.time() - os.lstat(os.path.join(store.root, path)).st_mtime
            days = int(age / 86400)
            if age > DESK_DAYS * 86400:
                problem = f"The desk was not touched for {days} days."
                yield finding("R08", path, 1, slug, problem)


def due(store: Store, entries: Entries) -> list[Finding]:
    """The entries that are due, the most broken and oldest first."""
    return rank(check(store, entries), entries)


def rank(findings: Iterable[Finding], entries: Entries) -> list[Finding]:
    """Those of the findings that make an entry due, most broken and oldest first."""
    ranked = [
        (RULES[item.code].due, dated(entries.get(item.path)), item)
        for item in findings
        if RULES[item.code].due
    ]
    return [item for *_, item in sorted(ranked)]


def _facts(files: CitedFiles, facts: list[Entry]) -> Findings:
    """Findings about the dates and the cited files of facts."""
    today, soon, stale = map(local_day, (0, SOON_DAYS, -CONFIRM_DAYS))
    for entry in facts:
        path, _, slug, _ = entry.page
        expires, line = entry.fields.get("expires", NONE)
        if is_date(expires) and expires < today:
            problem = f"The fact expired on {expires}."
            yield finding("R01", path, line, slug, problem)
        elif is_date(expires) and expires <= soon:
            problem = f"The fact expires on {expires}."
            yield finding("R02", path, line, slug, problem)
        as_of, line = entry.fields.get("as_of", NONE)
        if is_date(as_of) and as_of < stale:
            problem = f"Nobody confirmed the fact since {as_of}."
            yield finding("R09", path, line, slug, problem, _confirm(slug))
        if "superseded-by" in entry.fields:
            yield finding("R11", path, entry.fields["superseded-by"].line, slug)
        for line, item in cited(entry):
            if item.kind == "path":
                look = files.judge(item)
                code = _FILE_RULES[look.state]
                advice = _confirm(slug) if look.state == MOVED else ""
                yield finding(code, path, line, slug, _about_file(look), advice)


def _confirm(slug: str) -> str:
    """The advice to look at a fact, and to confirm it."""
    name = slug if is_slug(slug) else "SLUG"
    return f"Check the fact; then run `{REMEMBER} semantic {name} --confirm`."


def _about_file(look: Look) -> str:
    """A sentence about a cited file, where that of the rule has too little detail."""
    if look.state == NOT_HERE:
        return f"The cited file could not be looked at here. {look.reason}"
    if look.state == MOVED:
        return f"What is cited is now at `{look.place}`."
    if look.state == CHANGED and look.place:
        return f"The cited lines of `{look.place}` changed."
    if look.state == GONE and look.place:
        return f"The cited file became `{look.place}`, without the cited lines."
    if look.state == FRESH:
        return f"The evidence is fresh: `{look.place}`."
    return ""


def _commits(root: str, facts: list[Entry]) -> Findings:
    """Findings about cited commits."""
    named = [
        (entry.page, line, commit_name(item))
        for entry in facts
        for line, item in cited(entry)
        if item.kind == "commit"
    ]
    if not named or not git.find(root):
        return
    looks = commits(root, [name for *_, name in named])
    for page, line, name in named:
        code, problem = _COMMIT_RULES.get(looks[name].state, "R10"), ""
        if code == "R13":
            reason = looks[name].reason
            problem = f"The cited commit could not be looked at here. {reason}"
        elif looks[name].state == AMBIGUOUS:
            problem = "The short hash of the cited commit fits more than one."
        yield finding(code, page.path, line, page.name, problem)


def _named_paths(files: CitedFiles, entries: Entries) -> Findings:
    """Report missing paths in code spans whose first folder is there."""
    missing: list[NamedPath] = []
    for entry in entries.values():
        if entry.page.drawer in _LASTING:
            missing.extend(_missing_paths(files, entry))
    names = {item.path for item in missing if not item.anchor}
    aside: set[str] = set()
    if names and git.find(files.root):
        try:
            unlinked = [name for name in names if not leads_through_link(files, name)]
            aside = {*kept_from_view(files.root, names)}
            aside |= {*git.ignore_rules(files.root, unlinked)}
        except git.CannotAsk:
            aside = names  # they may be ignored, or kept from view
    for page, line, path, anchor in missing:
        if anchor:
            problem = "A path in a code span names a line or heading that is not there."
            yield finding("R06", page.path, line, page.name, problem)
        elif path not in aside:
            yield finding("R06", page.path, line, page.name)


def _missing_paths(files: CitedFiles, entry: Entry) -> Iterator[NamedPath]:
    """The paths in code spans of an entry's body that lead to nothing here."""
    for line, text in enumerate(entry.lines[entry.body :], entry.body + 1):
        if "`" not in text or "/" not in text:
            continue
        parts = enumerate(text.split("`"))
        spans = " ".join(part for at, part in parts if at % 2)  # the others lie outside
        for path, anchor in re.findall(_PATH, spans):
            if files.read(path.split("/")[0]) is None:
                continue  # a host or a media type, perhaps
            file = files.read(path)
            if file is None:
                yield NamedPath(entry.page, line, path, False)
            elif not file.hidden and not _has(file.lines, path, anchor):
                yield NamedPath(entry.page, line, path, True)


def _has(lines: list[str], path: str, anchor: str) -> bool:
    """Return true if the file of these lines has the line or heading of the anchor."""
    anchor = anchor.rstrip(".,:;)")
    if re.fullmatch(r"L[0-9]{1,9}", anchor):
        return int(anchor[1:]) <= len(lines)
    if not anchor or not path.endswith(".md"):
        return True
    titles = (line.lstrip("#").strip().lower() for line in lines if line[:1] == "#")
    known = [re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in titles]
    return anchor.lower() in known


def _alike(store: Store, entries: Entries) -> Findings:
    """Report entries of one INDEX whose titles and cues have nearly the same words."""
    for drawer in DURABLE:
        seen: dict[str, set[str]] = {}
        paths = sorted(listed(store, f"{STORE}/{drawer}/INDEX.md") & set(entries))
        for path in paths[:MAX_COMPARED]:
            entry = entries[path]
            words = unformatted(f"{entry.title} {entry.row}").lower().split()
            mine = {word for word in words if len(word) > 3 or not word.isalpha()}
            for other, theirs in seen.items():
                same = len(mine & theirs)
                if same >= ALIKE * (len(mine) + len(theirs) - same):
                    problem = f"This entry says nearly the same as `{other}`."
                    yield finding("R07", path, 1, entry.page.name, problem)
            seen[path] = mine
