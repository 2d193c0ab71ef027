"""What is published already, and what may not change once it is (family H)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from catalog import read_row
from entry import NONE, Entry, parse, read_evidence
from findings import Finding, found
from gitcli import git, work_tree
from rot import FRESH, Project
from store import STORE, Page, Store, decode

ALLOW = ".agents/eco-mem.allow"
MAX_WORDS, MAX_DISTANCE = 2, 2

_EPISODIC = f"{STORE}/episodic/"
_SEMANTIC = f"{STORE}/semantic/"
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

    def before(self, path: str) -> Entry | None:
        """The entry that stood at path when it was known."""
        answer = git(self.root, "show", f"{self.commit}:./{path}")
        name = os.path.basename(path)[:-3]
        try:
            text = decode(answer.out) if answer.code == 0 else ""
        except ValueError:
            return None
        return parse(Page(path, path.split("/")[-2], name, text)) if text else None


def read(root: str, ref: str, staged: bool = False) -> Published | None:
    """Ask git about the store, with the base ref or the default one for no ref.

    Returns None where ref names no commit.
    """
    if not work_tree(root):
        return None if ref else Published(root, "", False, staged, {}, {}, [])
    commit, shallow = _commit(root, ref) if ref else _default(root)
    if ref and not commit:
        return None
    listing = git(root, "ls-files", "-s", "-z", "--", STORE).items()
    tracked = {path: mode[:6] for mode, _, path in (i.partition("\t") for i in listing)}
    changed: dict[str, str] = {}
    deleted: list[str] = []
    if commit:
        diff = ["diff", "-M", "--relative", "--no-ext-diff", "--name-status", "-z"]
        diff += ["--cached"] if staged else []
        items = iter(git(root, *diff, commit, "--", STORE, ALLOW).items())
        for status in items:
            path = next(items)
            if status[0] == "R":
                changed[next(items)] = path
            elif status[0] == "D":
                deleted.append(path)
            else:
                changed[path] = "" if status[0] == "A" else path
    return Published(root, commit, shallow, staged, tracked, changed, deleted)


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


def _commit(root: str, ref: str) -> tuple[str, bool]:
    name = f"{ref}^{{commit}}"
    answer = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
    return answer.out.decode().strip() if answer.code == 0 else "", False


def _default(root: str) -> tuple[str, bool]:
    """The merge base with the default branch, else HEAD; and whether it is hidden."""
    wanted = ("refs/remotes/*/HEAD", "refs/heads/main", "refs/heads/master")
    names = git(root, "for-each-ref", "--format=%(refname)", *wanted).out.decode()
    refs = sorted(names.split(), key=lambda ref: (ref[5] == "h", "/origin/" not in ref))
    for ref in refs:
        answer = git(root, "merge-base", "HEAD", ref)
        if answer.code == 0:
            return answer.out.decode().strip(), False
    shallow = bool(refs) and os.path.exists(_git_path(root, "shallow"))
    return _commit(root, "HEAD")[0], shallow


def _git_path(root: str, name: str) -> str:
    answer = git(root, "rev-parse", "--path-format=absolute", "--git-path", name)
    return os.fsdecode(answer.out).strip()


def touched(known: Published, store: Store) -> set[str] | None:
    """Slugs of the entries and rows that differ from the base; None: judge them all."""
    if not known.commit:
        return None
    paths = {path for path in store.slugs if path not in known.tracked}
    new = [path for path in paths if not path.startswith(f"{STORE}/working/")]
    paths.update(known.changed, known.changed.values(), known.deleted)
    head = _commit(known.root, "HEAD")[0]
    if head == known.commit and not (new or known.changed or known.deleted):
        return None
    diff = ["diff", "--relative", "--no-ext-diff", "-U0"]
    diff += ["--cached"] if known.staged else []
    rows = git(known.root, *diff, known.commit, "--", f"{STORE}/*/[IA]*.md").out
    slugs = {os.path.basename(path)[:-3] for path in paths}
    for line in rows.decode("utf-8", "replace").split("\n"):
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
        elif path in store.slugs and path.startswith(f"{STORE}/working/"):
            yield found(path, 1, "H05")
    if known.shallow:
        yield found(STORE, 1, "H08")
    if not known.commit:
        return
    if ALLOW in known.changed or ALLOW in known.deleted:
        yield found(ALLOW, 1, "H07")
    moved = dict(known.changed)
    moved.update((path, "") for path in entries if path not in known.tracked)
    yield from _episodes(entries, known, moved)
    for path, old in moved.items():
        if path.startswith(_SEMANTIC) and path in entries:
            before = known.before(old) if old else None
            yield from claims(store.root, entries[path], before)


def _episodes(
    entries: dict[str, Entry], known: Published, moved: dict[str, str]
) -> Iterator[Finding]:
    gone = list(known.deleted)
    for path, old in moved.items():
        if not _is_episode(path):
            gone.append(old)
        elif old and path in entries:
            before = known.before(old)
            if before and not typo(before, entries[path]):
                yield found(path, 1, "H01", entries[path].page.name)
    new = [path for path, old in moved.items() if not old and path in entries]
    fresh = [entries[path] for path in filter(_is_episode, new)]
    for path in filter(_is_episode, gone):
        before = known.before(path)
        if before and not any(typo(before, entry) for entry in fresh):
            yield found(path, 1, "H02", before.page.name)


def _is_episode(path: str) -> bool:
    name = path[len(_EPISODIC) : -3]
    return path.startswith(_EPISODIC) and name not in ("INDEX", "ARCHIVE")


def claims(root: str, entry: Entry, before: Entry | None) -> Iterator[Finding]:
    """A source above what it was needs new evidence; a moved as_of needs fresh one."""
    path, slug = entry.page.path, entry.page.name
    known = [field.value for field in before.evidence] if before else []
    old = [read_evidence(value) for value in known]
    new = [read_evidence(field.value) for field in entry.evidence]
    bare = [item and item._replace(sha="") for item in old]
    kinds = {item.kind for item in new if item and item._replace(sha="") not in bare}
    source, line = entry.fields.get("source", NONE)
    enough = kinds if source == "verified" else kinds & {"user", "review"}
    was = before.fields.get("source", NONE).value if before else ""
    if _rank(source) > _rank(was) and not enough:
        yield found(path, line, "H03", slug)
    as_of, line = entry.fields.get("as_of", NONE)
    if before and as_of != before.fields.get("as_of", NONE).value:
        project = Project(root, {}, {})
        marked = [item for item in new if item and item.sha]
        fresh = [item for item in marked if project.judge(item)[0] == FRESH]
        if old == new and not fresh:
            yield found(path, line, "H04", slug)


def _rank(source: str) -> int:
    return {"user-confirmed": 2, "verified": 1}.get(source, 0)


def typo(before: Entry, after: Entry) -> bool:
    """Whether an edit only mends spelling: same header, same words but for two."""
    headers = [
        {key: field.value for key, field in entry.fields.items()}
        for entry in (before, after)
    ]
    old, new = before.page.text.split(), after.page.text.split()
    pairs = [(one, two) for one, two in zip(old, new) if one != two]
    if headers[0] != headers[1] or len(old) != len(new) or len(pairs) > MAX_WORDS:
        return False
    return all(
        _weighty(one) == _weighty(two) and _distance(one, two) <= MAX_DISTANCE
        for one, two in pairs
    )


def _weighty(word: str) -> list[str]:
    """What of a word a typo never changes: digits and negation."""
    plain = word.lower().strip(".,;:!?()\"'`*_")
    negation = plain in _NEGATIONS.split() or plain.endswith(("n't", "n\u2019t"))
    marks = [c for c in word if c.isdigit() or c in _NEGATIONS_CJK]
    return [*marks, "not"] if negation else marks


def _distance(one: str, two: str) -> int:
    """The edit distance between two words."""
    row = list(range(len(two) + 1))
    for at, left in enumerate(one, 1):
        last, row = row, [at]
        for to, right in enumerate(two, 1):
            row.append(min(last[to] + 1, row[-1] + 1, last[to - 1] + (left != right)))
    return row[-1]
