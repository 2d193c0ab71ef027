"""What is published already, and what may not change once it is (family H)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from catalog import read_row
from entry import NONE, RANKS, Entry, backed, parse, read_evidence
from findings import Finding, found
from gitcli import git, work_tree
from rot import FRESH, Project
from store import CATALOGS, STORE, Page, Store, decode

ALLOW = ".agents/eco-mem.allow"
MAX_WORDS, MAX_DISTANCE = 2, 2

_NEGATIONS = (
    "not no never none nor cannot without nicht kein keine nie ne pas sans jamais nunca"
    " sin sem не нет никогда"
)
_NEGATIONS_CJK = "不没沒未無无莫勿"


class Published(NamedTuple):
    """What git tells about the store.

    commit is what counts as published, empty outside git and before any commit;
    shallow says that it could not be seen for want of history. tracked maps paths to
    modes. changed maps paths that differ to their path at commit, empty where new.
    """

    root: str
    commit: str
    shallow: bool
    staged: bool
    tracked: dict[str, str]
    changed: dict[str, str]
    deleted: list[str]


def read(root: str, ref: str, staged: bool = False) -> Published | None:
    """Ask git about the store. Returns None where ref names no commit."""
    commit, shallow = base(root, ref)
    known = Published(root, commit, shallow, staged, {}, {}, [])
    if ref and not commit:
        return None
    if not work_tree(root):
        return known
    for item in git(root, "ls-files", "-s", "-z", "--", STORE).items():
        known.tracked[item.partition("\t")[2]] = item[:6]
    diff = ["diff", "-M", "--relative", "--no-ext-diff", "--name-status", "-z"]
    diff += ["--cached"] if staged else []
    asked = git(root, *diff, commit, "--", STORE, ALLOW).items() if commit else []
    items = iter(asked)
    for status in items:
        path = next(items)
        if status[0] == "R":
            known.changed[next(items)] = path
        elif status[0] == "D":
            known.deleted.append(path)
        else:
            known.changed[path] = "" if status[0] == "A" else path
    return known


def base(root: str, ref: str = "") -> tuple[str, bool]:
    """The commit of ref, or else the merge base with the default branch, or HEAD.

    And whether that merge base is hidden, because the clone is shallow.
    """
    if not work_tree(root):
        return "", False
    if ref:
        ask = ("rev-parse", "--verify", "--quiet", "--end-of-options")
        return git(root, *ask, f"{ref}^{{commit}}").text(), False
    wanted = ("refs/remotes/*/HEAD", "refs/heads/main", "refs/heads/master")
    form = "--format=%(objectname) %(refname) %(HEAD)"
    lines = git(root, "for-each-ref", form, *wanted).items("\n")
    refs = [(*line.split(), "")[:3] for line in lines]
    here = [commit for commit, _, mark in refs if mark]
    refs.sort(key=lambda ref: (ref[1][5] == "h", "/origin/" not in ref[1]))
    for commit, name, _ in [*refs, ("", "HEAD", "")]:
        if commit in here:
            return commit, False
        answer = git(root, "merge-base", "HEAD", name)
        if answer.code == 0:
            depth = ("rev-parse", "--is-shallow-repository")
            hidden = not commit and refs and git(root, *depth).text() == "true"
            return answer.text(), bool(hidden)
    return "", False


def published(root: str, commit: str, path: str) -> Entry | None:
    """The entry that stood at path in a commit, where there was a readable one."""
    answer = git(root, "show", f"{commit}:./{path}") if commit and path else None
    try:
        text = decode(answer.out) if answer and answer.code == 0 else ""
    except ValueError:
        return None
    folder, _, file = path.rpartition("/")
    page = Page(path, os.path.basename(folder), file[:-3], text)
    return parse(page) if text else None


@contextmanager
def snapshot(known: Published) -> Iterator[str]:
    """The project root to read: the real one, or a copy of what is staged."""
    if not known.staged:
        yield known.root
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        root, prefix = known.root, f"--prefix={folder}/"
        git(root, "checkout-index", prefix, "--", *known.tracked)
        yield os.path.join(folder, os.path.relpath(root, work_tree(root)))


def touched(known: Published, store: Store) -> set[str] | None:
    """Slugs of the entries and rows that differ from the base; None: judge them all."""
    if not known.commit:
        return None
    paths = {path for path in store.slugs if path not in known.tracked}
    new = [path for path in paths if not path.startswith(f"{STORE}/working/")]
    paths.update(known.changed, known.changed.values(), known.deleted)
    clean = not (new or known.changed or known.deleted)
    if clean and git(known.root, "rev-parse", "HEAD").text() == known.commit:
        return None
    diff = ["diff", "--relative", "--no-ext-diff", "-U0"]
    diff += ["--cached"] if known.staged else []
    rows = git(known.root, *diff, known.commit, "--", f"{STORE}/*/[IA]*.md").items("\n")
    slugs = {os.path.basename(path)[:-3] for path in paths}
    for line in rows:
        row = read_row(line[1:], 0) if line[:1] in ("+", "-") else None
        if row:
            slugs.update((row.slug, row.name, row.target))
    return slugs


def removed(known: Published, target: str) -> bool:
    """Whether what a row In force points at, relative to its INDEX, was published."""
    path = os.path.normpath(f"{STORE}/procedural/{target}").replace(os.sep, "/")
    return git(known.root, "cat-file", "-e", f"{known.commit}:./{path}").code == 0


def check(
    store: Store, entries: dict[str, Entry], known: Published
) -> Iterator[Finding]:
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
    if ALLOW in known.changed or ALLOW in known.deleted:
        yield found(ALLOW, 1, "H07")
    moved = dict(known.changed)
    moved.update((path, "") for path in entries if path not in known.tracked)
    gone, fresh = list(known.deleted), []
    for path, old in moved.items():
        entry = entries.get(path)
        if not _is_episode(path):
            gone.append(old)
            if entry and entry.page.drawer == "semantic":
                before = published(known.root, known.commit, old)
                yield from claims(store.root, entry, before)
        elif entry and not old:
            fresh.append(entry)
        elif entry:
            before = published(known.root, known.commit, old)
            if before and not typo(before, entry):
                yield found(path, 1, "H01", entry.page.name)
    for path in filter(_is_episode, gone):
        before = published(known.root, known.commit, path)
        if before and not any(typo(before, entry) for entry in fresh):
            yield found(path, 1, "H02", before.page.name)


def _is_episode(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder == f"{STORE}/episodic" and name[:-3] not in CATALOGS


def claims(root: str, entry: Entry, before: Entry | None) -> Iterator[Finding]:
    """A source above what it was needs new evidence; a moved as_of needs fresh one."""
    old, new = (
        [read_evidence(field.value) for field in evidence]
        for evidence in (before.evidence if before else [], entry.evidence)
    )
    known = [item[:4] for item in old if item]
    kinds = {item.kind for item in new if item and item[:4] not in known}
    fields = before.fields if before else {}
    (source, line), was = entry.fields.get("source", NONE), fields.get("source", NONE)
    if RANKS.get(source, 0) > RANKS.get(was.value, 0) and not backed(source, kinds):
        yield found(entry.page.path, line, "H03", entry.page.name)
    as_of, line = entry.fields.get("as_of", NONE)
    if before and as_of != fields.get("as_of", NONE).value and old == new:
        project = Project(root, {}, {})
        marked = (item for item in new if item and item.sha)
        if not any(project.judge(item)[0] == FRESH for item in marked):
            yield found(entry.page.path, line, "H04", entry.page.name)


def typo(before: Entry, after: Entry) -> bool:
    """Whether an edit only mends spelling: same header, same words but for two."""
    one, two = (
        {key: field.value for key, field in entry.fields.items()}
        for entry in (before, after)
    )
    old, new = before.page.text.split(), after.page.text.split()
    pairs = [pair for pair in zip(old, new) if pair[0] != pair[1]]
    small = len(old) == len(new) and len(pairs) <= MAX_WORDS
    return one == two and small and all(_misspelt(*pair) for pair in pairs)


def _misspelt(one: str, two: str) -> bool:
    """Whether two words differ in a few letters, but in no digit and no negation."""
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
