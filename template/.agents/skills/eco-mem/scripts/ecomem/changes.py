"""The entries that differ from a commit: added, raised, revised, retired and so on."""

from __future__ import annotations

from ecomem import git
from ecomem.cheap_imports import NamedTuple
from ecomem.entry import NONE, RANKS, Entries, Entry
from ecomem.gate import pages
from ecomem.history import Published
from ecomem.rules import ERROR
from ecomem.store import CATALOGS, DURABLE, STORE

# In the order of a report: what claims more comes first.
RAISED, ADDED, LOWERED, REVISED, RENAMED, RETIRED = KINDS = (
    "raised",
    "added",
    "lowered",
    "revised",
    "renamed",
    "retired",
)


class Change(NamedTuple):
    """One entry that differs from the base; before or after is None where missing."""

    kind: str
    path: str  # as it is now, or as it was
    before: Entry | None
    after: Entry | None
    author: str  # of the last commit that touched it; empty while nobody committed it
    day: str  # of that commit, YYYY-MM-DD
    withheld: str  # codes of the gate that refuse a version of it; empty for none

    @property
    def entry(self) -> Entry:
        """The entry as it is now, or as it was where it is gone."""
        entry = self.after or self.before
        assert entry
        return entry


class Commit(NamedTuple):
    """The author and the day of the last commit that touched a path."""

    author: str
    day: str


def read(known: Published, entries: Entries) -> list[Change]:
    """The changed entries, in the order of KINDS and then by path.

    Raises git.CannotAsk where git does not answer.
    """
    if not known.commit:
        return []
    pairs = {path: old.path for path, old in known.changed.items()}
    pairs.update({path: "" for path in entries if path not in known.tracked})
    pairs = {new: old for new, old in pairs.items() if _is_entry(new) or _is_entry(old)}
    touched = last_commits(known.root, known.commit)
    changes = []
    for path, old in pairs.items():
        was, now = known.before.get(old), entries.get(path)
        if was or now:
            by = touched.get(path) or Commit("", "")
            refused = ", ".join(
                sorted({*_refusals(known, was), *_refusals(known, now)})
            )
            kind = kind_of(was, now)
            changes.append(Change(kind, path, was, now, by.author, by.day, refused))
    return sorted(changes, key=lambda change: (KINDS.index(change.kind), change.path))


def kind_of(before: Entry | None, after: Entry | None) -> str:
    """The kind of a change, by the two versions of an entry."""
    if not before:
        return ADDED
    if not after:
        return RETIRED
    was, now = rank_of(before), rank_of(after)
    if now != was:
        return RAISED if now > was else LOWERED
    moved = (
        before.page.name != after.page.name or before.page.drawer != after.page.drawer
    )
    return RENAMED if moved else REVISED


def rank_of(entry: Entry) -> int:
    """The rank of the source of an entry; 0 where it has none."""
    return RANKS.get(entry.fields.get("source", NONE).value, 0)


def header_changes(change: Change) -> list[tuple[str, str, str]]:
    """The header keys whose value differs: key, value before, value after."""
    if not change.before or not change.after:
        return []
    was = {key: field.value for key, field in change.before.fields.items()}
    now = {key: field.value for key, field in change.after.fields.items()}
    if not was or not now:
        return []
    keys = [*was, *(key for key in now if key not in was)]
    return [
        (key, was.get(key, ""), now.get(key, ""))
        for key in keys
        if was.get(key) != now.get(key)
    ]


def new_evidence(change: Change) -> list[str]:
    """The evidence lines that an entry has gained."""
    before = (
        {field.value for field in change.before.evidence} if change.before else set()
    )
    after = change.after.evidence if change.after else []
    return [field.value for field in after if field.value not in before]


def last_commits(root: str, commit: str) -> dict[str, Commit]:
    """The last commit after a base that touched each path of the store."""
    form = "--format=%x01%an%x02%cs"
    asked = ("log", form, "--name-only", "--no-renames", "-z", "--relative")
    parts = git.nul_items(root, *asked, f"{commit}..HEAD", "--", STORE)
    found: dict[str, Commit] = {}
    by = Commit("", "")
    for part in parts:
        name = part.lstrip("\n")
        if name.startswith("\x01"):
            head, _, name = name.partition("\n")
            author, _, day = head[1:].partition("\x02")
            by, name = Commit(author, day), name.lstrip("\n")
        if name and name not in found:
            found[name] = by
    return found


def _is_entry(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    drawer = folder.rpartition("/")[2]
    inside = folder == f"{STORE}/{drawer}" and drawer in DURABLE
    return inside and name[-3:] == ".md" and name[:-3] not in CATALOGS


def _refusals(known: Published, entry: Entry | None) -> list[str]:
    """The codes of the gate's errors about a version of an entry."""
    if not entry:
        return []
    verdict = pages.judge(known.root, entry.page, entry)
    return [item.code for item in verdict.findings if item.level == ERROR]
