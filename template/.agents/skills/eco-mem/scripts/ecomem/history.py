"""What is published already, and what may not change once it is (family H)."""

from __future__ import annotations

import os

from ecomem.catalog import read_row
from ecomem.cheap_imports import NamedTuple
from ecomem.entry import NONE, RANKS, Entries, Entry, backed, parse
from ecomem.evidence import FRESH, CitedFiles, cited
from ecomem.findings import Findings, found
from ecomem.gate.pages import ALLOW
from ecomem.git import changes, diff_lines, git, inside, items
from ecomem.store import CATALOGS, DRAWERS, STORE, Page, Store, decode, scan

MAX_WORDS, MAX_DISTANCE = 2, 2
# The drawers whose entries are bound by what they were, and how each is dated.
DATES = {"semantic": "as_of", "episodic": "when"}

_NEGATIONS = (
    "not no never none nor cannot without nicht kein keine nie ne pas sans jamais nunca"
    " sin sem не нет никогда"
)
_NEGATIONS_CJK = "不没沒未無无莫勿"


class Published(NamedTuple):
    """What git tells about the store."""

    root: str
    commit: str  # what counts as published; empty for nothing
    shallow: bool  # and so the base may be out of sight
    staged: bool
    tracked: dict[str, str]  # path to mode
    changed: dict[str, str]  # path to what it was, empty for a new one


def read(root: str, ref: str, staged: bool = False) -> Published | None:
    """Ask git about the store. Returns None where ref names no commit."""
    ask = ("rev-parse", "--verify", "-q", "--end-of-options", f"{ref}^{{commit}}")
    commit, shallow = (git(root, *ask).strip(), False) if ref else base(root)
    if ref and not commit:
        return None
    index = [item.partition("\t") for item in items(root, "ls-files", "-sz", STORE)]
    tracked = {path: mode[:6] for mode, _, path in index}
    asked = [*(["--cached"] if staged else []), commit, "--", STORE, ALLOW]
    changed = changes(root, "diff", *asked) if commit else {}
    return Published(root, commit, shallow, staged, tracked, changed)


def base(root: str) -> tuple[str, bool]:
    """The merge base with the default branch; or HEAD, and whether history is cut."""
    wanted = ("refs/remotes/*/HEAD", "refs/heads/main", "refs/heads/master")
    form = "--format=%(objectname) %(refname) %(HEAD)"
    told = git(root, "for-each-ref", form, *wanted)
    refs = [line.split() for line in told.splitlines()]
    refs.sort(key=lambda ref: (ref[1][5] == "h", "/origin/" not in ref[1]))
    here = [commit for commit, _, *mark in refs if mark]
    for commit, name, *_ in refs:
        common = commit if commit in here else git(root, "merge-base", "HEAD", name)
        if common:
            return common.strip(), False
    told = git(root, "rev-parse", "--is-shallow-repository", "HEAD")
    shallow, _, head = told.strip().partition("\n")
    return head, bool(refs) and shallow == "true"


def published(root: str, commit: str, path: str) -> Entry | None:
    """The entry that stood at path in a commit, where there was a readable one."""
    shown = git(root, "show", f"{commit}:./{path}") if commit and path else ""
    folder, file = os.path.split(path)
    page = Page(path, os.path.basename(folder), file[:-3], "")
    try:
        return parse(page._replace(text=decode(os.fsencode(shown)))) if shown else None
    except ValueError:
        return None


def scanned(known: Published) -> Store:
    """The store as it lies there, or as it is staged."""
    if not known.staged:
        return scan(known.root)
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        git(known.root, "checkout-index", f"--prefix={folder}/", "--", *known.tracked)
        staged = scan(os.path.join(folder, inside(known.root) or ""))
        return staged._replace(root=known.root)


def touched(known: Published, store: Store) -> set[str] | None:
    """Slugs of the entries and rows that differ from the base; None: judge them all."""
    if not known.commit:
        return None
    new = {path for path in store.slugs if path not in known.tracked}
    clean = not known.changed and all("/working/" in path for path in new)
    if clean and git(known.root, "rev-parse", "HEAD").strip() == known.commit:
        return None
    paths = new.union(known.changed, known.changed.values())
    slugs = {os.path.basename(path)[:-3] for path in paths}
    asked = [*(["--cached"] if known.staged else []), known.commit, "--"]
    asked += [f"{STORE}/{drawer}/{name}.md" for drawer in DRAWERS for name in CATALOGS]
    lines = diff_lines(known.root, *asked)
    for row in filter(None, (read_row(line[1:], 0) for line in lines)):
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
        if entry and entry.page.drawer in DATES:
            before = published(known.root, known.commit, old)
            yield from revision(store.root, entry, before)
        if not _is_episode(path) or path not in store.slugs:
            gone.append(old)
        elif entry and not old:
            fresh.append(entry)
    for path in filter(_is_episode, gone):
        before = published(known.root, known.commit, path)
        if before and not any(typo(before, entry) for entry in fresh):
            yield found(path, 1, "H02", before.page.name)


def _is_episode(path: str) -> bool:
    folder, name = os.path.split(path)
    return folder == f"{STORE}/episodic" and name[:-3] not in CATALOGS


def revision(root: str, entry: Entry, before: Entry | None) -> Findings:
    """An episode stays; a raised source or a moved as_of of a fact needs evidence."""
    path, drawer, slug, _ = entry.page
    if drawer == "episodic" and before and not typo(before, entry):
        yield found(path, 1, "H01", slug)
    if drawer != "semantic":
        return
    was = before.fields if before else {}
    old, new = ([item for _, item in cited(e)] if e else [] for e in (before, entry))
    known = [item[:4] for item in old]
    kinds = {item.kind for item in new if item[:4] not in known}
    source, line = entry.fields.get("source", NONE)
    raised = RANKS.get(source, 0) > RANKS.get(was.get("source", NONE).value, 0)
    if raised and not backed(source, kinds):
        yield found(path, line, "H03", slug)
    as_of, line = entry.fields.get("as_of", NONE)
    if before and as_of != was.get("as_of", NONE).value and old == new:
        files = CitedFiles(root)
        if not any(files.judge(item).state == FRESH for item in new if item.sha):
            yield found(path, line, "H04", slug)


def typo(before: Entry, after: Entry) -> bool:
    """Whether an edit only mends spelling: same header, same words but for two."""
    one, two = ({k: f.value for k, f in e.fields.items()} for e in (before, after))
    old, new = before.page.text.split(), after.page.text.split()
    pairs = [pair for pair in zip(old, new) if pair[0] != pair[1]]
    small = one == two and len(old) == len(new) and len(pairs) <= MAX_WORDS
    near = (_weighty(a) == _weighty(b) and _near(a, b, MAX_DISTANCE) for a, b in pairs)
    return small and all(near)


def _near(one: str, two: str, edits: int) -> bool:
    """Whether two words differ in at most so many letters."""
    if one == two or not edits:
        return one == two
    differ = (at for at, (a, b) in enumerate(zip(one, two)) if a != b)
    at = next(differ, min(len(one), len(two)))
    steps = ((1, 1), (1, 0), (0, 1))  # a letter is another, too many or missing
    return any(_near(one[at + i :], two[at + j :], edits - 1) for i, j in steps)


def _weighty(word: str) -> list[str]:
    """What of a word a typo never changes: its digits, and that it negates."""
    plain = word.lower().strip(".,;:!?()\"'`*_")
    negation = plain in _NEGATIONS.split() or plain.endswith(("n't", "n\u2019t"))
    marks = [c for c in word if c.isdigit() or c in _NEGATIONS_CJK]
    return [*marks, "not"] if negation else marks
