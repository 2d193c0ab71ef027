"""What is published already, and what may not change once it is (family H)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from catalog import read_row
from entry import NONE, RANKS, Entries, Entry, backed, parse, read_evidence
from findings import Findings, found
from gitcli import git, items, work_tree
from rot import FRESH, Project
from store import CATALOGS, STORE, Page, Store, decode

ALLOW = ".agents/eco-mem.allow"
MAX_WORDS, MAX_DISTANCE, MAX_WORD = 2, 2, 200

_NEGATIONS = (
    "not no never none nor cannot without nicht kein keine nie ne pas sans jamais nunca"
    " sin sem не нет никогда"
)
_NEGATIONS_CJK = "不没沒未無无莫勿"


class Published(NamedTuple):
    """What git tells about the store.

    commit is what counts as published, or empty; shallow, that it is out of sight.
    tracked maps paths to modes; changed, paths to what they were, empty for a new one.
    """

    root: str
    commit: str
    shallow: bool
    staged: bool
    tracked: dict[str, str]
    changed: dict[str, str]


def read(root: str, ref: str, staged: bool = False) -> Published | None:
    """Ask git about the store. Returns None where ref names no commit."""
    commit, shallow = base(root, ref)
    known = Published(root, commit, shallow, staged, {}, {})
    if ref and not commit:
        return None
    for item in items(root, "ls-files", "-s", "-z", "--", STORE):
        known.tracked[item.partition("\t")[2]] = item[:6]
    diff = ["diff", "-M", "--relative", "--no-ext-diff", "--name-status", "-z"]
    diff += ["--cached"] if staged else []
    words = iter(items(root, *diff, commit, "--", STORE, ALLOW) if commit else [])
    for status in words:
        old = next(words)
        path = next(words) if status[0] == "R" else old
        known.changed[path] = "" if status[0] == "A" else old
    return known


def base(root: str, ref: str = "") -> tuple[str, bool]:
    """The commit of ref, or else the merge base with the default branch, or HEAD.

    It also tells whether that merge base is out of sight, in a shallow clone.
    """
    if not work_tree(root):
        return "", False
    if ref:
        ask = ("rev-parse", "--verify", "--quiet", "--end-of-options")
        return git(root, *ask, f"{ref}^{{commit}}").strip(), False
    wanted = ("refs/remotes/*/HEAD", "refs/heads/main", "refs/heads/master")
    form = "--format=%(objectname) %(refname) %(HEAD)"
    lines = git(root, "for-each-ref", form, *wanted).splitlines()
    refs = [(*line.split(), "")[:3] for line in lines]
    refs.sort(key=lambda ref: (ref[1][5] == "h", "/origin/" not in ref[1]))
    here = [commit for commit, _, mark in refs if mark]
    for commit, name, _ in refs:
        common = commit if commit in here else git(root, "merge-base", "HEAD", name)
        if common:
            return common.strip(), False
    shallow = bool(refs) and git(root, "rev-parse", "--is-shallow-repository")
    return git(root, "rev-parse", "--verify", "-q", "HEAD").strip(), shallow == "true\n"


def published(root: str, commit: str, path: str) -> Entry | None:
    """The entry that stood at path in a commit, where there was a readable one."""
    shown = git(root, "show", f"{commit}:./{path}") if commit and path else ""
    try:
        text = decode(os.fsencode(shown))
    except ValueError:
        return None
    folder, _, file = path.rpartition("/")
    return (
        parse(Page(path, os.path.basename(folder), file[:-3], text)) if text else None
    )


@contextmanager
def snapshot(known: Published) -> Iterator[str]:
    """The project root to read: the real one, or a copy of what is staged."""
    if not known.staged:
        yield known.root
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        git(known.root, "checkout-index", f"--prefix={folder}/", "--", *known.tracked)
        yield os.path.join(folder, os.path.relpath(known.root, work_tree(known.root)))


def touched(known: Published, store: Store) -> set[str] | None:
    """Slugs of the entries and rows that differ from the base; None: judge them all."""
    if not known.commit:
        return None
    paths = {path for path in store.slugs if path not in known.tracked}
    new = [path for path in paths if not path.startswith(f"{STORE}/working/")]
    paths.update(known.changed, known.changed.values())
    if (
        not (new or known.changed)
        and git(known.root, "rev-parse", "HEAD").strip() == known.commit
    ):
        return None
    diff = ["diff", "--relative", "--no-ext-diff", "--no-color", "-U0"]
    diff += ["--cached"] if known.staged else []
    slugs = {os.path.basename(path)[:-3] for path in paths}
    rows = git(known.root, *diff, known.commit, "--", f"{STORE}/*/[IA]*.md")
    for line in rows.split("\n"):
        row = read_row(line[1:], 0) if line[:1] in ("+", "-") else None
        if row:
            slugs.update((row.slug, row.name, row.target))
    return slugs


def removed(known: Published, target: str) -> bool:
    """Whether what a row In force points at, relative to its INDEX, was published."""
    path = os.path.normpath(f"{STORE}/procedural/{target}").replace(os.sep, "/")
    return bool(git(known.root, "cat-file", "-t", f"{known.commit}:./{path}"))


def check(store: Store, entries: Entries, known: Published) -> Findings:
    """All findings of family H."""
    for path, mode in known.tracked.items():
        if mode == "120000":
            yield found(path, 1, "H06")
        elif path.startswith(f"{STORE}/working/") and path in store.slugs:
            yield found(path, 1, "H05")
    if known.shallow:
        yield found(STORE, 1, "H08")
    if not known.commit:
        return
    if ALLOW in known.changed:
        yield found(ALLOW, 1, "H07")
    new = {path: "" for path in entries if path not in known.tracked}
    gone, fresh = [], []
    for path, old in {**known.changed, **new}.items():
        entry = entries.get(path)
        before = published(known.root, known.commit, old) if entry else None
        if entry and entry.page.drawer == "semantic":
            yield from claims(store.root, entry, before)
        if not _is_episode(path) or path not in store.slugs:
            gone.append(old)
        elif entry and not old:
            fresh.append(entry)
        elif entry and before and not typo(before, entry):
            yield found(path, 1, "H01", entry.page.name)
    for path in filter(_is_episode, gone):
        before = published(known.root, known.commit, path)
        if before and not any(typo(before, entry) for entry in fresh):
            yield found(path, 1, "H02", before.page.name)


def _is_episode(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder == f"{STORE}/episodic" and name[:-3] not in CATALOGS


def claims(root: str, entry: Entry, before: Entry | None) -> Findings:
    """A source above what it was needs new evidence; a moved as_of needs fresh one."""
    path, _, slug, _ = entry.page
    was = before.fields if before else {}
    old = [read_evidence(value) for value, _ in (before.evidence if before else ())]
    new = [read_evidence(value) for value, _ in entry.evidence]
    known = [item[:4] for item in old if item]
    kinds = {item.kind for item in new if item and item[:4] not in known}
    source, line = entry.fields.get("source", NONE)
    raised = RANKS.get(source, 0) > RANKS.get(was.get("source", NONE).value, 0)
    if raised and not backed(source, kinds):
        yield found(path, line, "H03", slug)
    as_of, line = entry.fields.get("as_of", NONE)
    if before and as_of != was.get("as_of", NONE).value and old == new:
        project = Project(root, {})
        marked = (item for item in new if item and item.sha)
        if not any(project.judge(item)[0] == FRESH for item in marked):
            yield found(path, line, "H04", slug)


def typo(before: Entry, after: Entry) -> bool:
    """Whether an edit only mends spelling: same header, same words but for two."""
    one, two = ([(k, f.value) for k, f in e.fields.items()] for e in (before, after))
    old, new = before.page.text.split(), after.page.text.split()
    pairs = [pair for pair in zip(old, new) if pair[0] != pair[1]]
    small = len(old) == len(new) and len(pairs) <= MAX_WORDS
    return (
        sorted(one) == sorted(two) and small and all(_misspelt(*pair) for pair in pairs)
    )


def _misspelt(one: str, two: str) -> bool:
    """Whether two words differ in a few letters, but in no digit and no negation."""
    if abs(len(one) - len(two)) > MAX_DISTANCE or len(one) > MAX_WORD:
        return False
    row = list(range(len(two) + 1))
    for at, left in enumerate(one, 1):
        last, row = row, [at]
        for to, right in enumerate(two, 1):
            row.append(min(last[to] + 1, row[-1] + 1, last[to - 1] + (left != right)))
    return row[-1] <= MAX_DISTANCE and _weighty(one) == _weighty(two)


def _weighty(word: str) -> list[str]:
    """What of a word a typo never changes."""
    plain = word.lower().strip(".,;:!?()\"'`*_")
    negation = plain in _NEGATIONS.split() or plain.endswith(("n't", "n\u2019t"))
    marks = [c for c in word if c.isdigit() or c in _NEGATIONS_CJK]
    return [*marks, "not"] if negation else marks
