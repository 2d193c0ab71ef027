"""Rules about what is published, and may not change any more (family H)."""

from __future__ import annotations

import os

from ecomem import baseline, catalog, git, retired
from ecomem.cheap_imports import Iterable, NamedTuple
from ecomem.entry import NONE, RANKS, Entries, Entry, backed, parse
from ecomem.evidence import FRESH, CitedFiles, cited, is_memory
from ecomem.findings import Finding, Findings, finding
from ecomem.gate.allow_file import ALLOW
from ecomem.git import CannotAsk, Former
from ecomem.rules import FORGET, REMEMBER, RULES
from ecomem.store import CATALOGS, DRAWERS, STORE, Page, Store, decode, scan

# The drawers whose entries are bound by what they were, and how each is dated.
DATES = {"semantic": "as_of", "episodic": "when"}
# Rules that need the commit that counts as published.
COMPARING = tuple(code for code, rule in RULES.items() if rule.needs_base)
_WHOLE_FILES = "-U99999999"  # lines of context
MAX_NAMES = 400  # of files that are given to git at once

_LINK, _SUBMODULE = "120000", "160000"
# The names that git gives to an empty file, by SHA-1 and by SHA-256.
_EMPTY = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)


class Published(NamedTuple):
    """The store as git knows it, and its changes since it was published."""

    root: str
    staged: bool  # the index is judged, not the work tree
    commit: str  # the one that counts as published; empty where nothing is
    tracked: dict[str, str]  # path to mode
    changed: dict[str, Former]  # path to what it was
    before: dict[str, Entry]  # path as it was published, of a changed or deleted entry
    fault: CannotAsk | None  # why a question was not answered
    not_judged: list[str]  # the rules that could not be judged for it


def read(root: str, ref: str = "", staged: bool = False) -> Published:
    """Ask git about the store. Raises baseline.UnknownBase where ref names no commit.

    Outside git and before the first commit nothing is published.
    """
    nothing = Published(root, staged, "", {}, {}, {}, None, [])
    if not git.find(root):
        if ref:
            raise baseline.UnknownBase(ref)
        return nothing
    try:
        index = _index(root)
    except CannotAsk as fault:
        codes = [code for code, rule in RULES.items() if rule.needs_git]
        return nothing._replace(fault=fault, not_judged=codes)
    known = nothing._replace(tracked={path: mode for path, (mode, _) in index.items()})
    try:
        if known.tracked.get(STORE) == _SUBMODULE:
            problem = "The store is a submodule, with a history of its own."
            raise CannotAsk(problem, "Keep the store in the repository itself.")
        commits = baseline.find(root, ref)
        if not commits:
            return known
        changed = _changes(root, commits, staged)
        known = known._replace(commit=commits[0], changed=changed)
        if staged:
            known = known._replace(tracked=_without_intended(index, changed))
        return known._replace(before=_before(root, changed))
    except CannotAsk as fault:
        return known._replace(
            commit="", changed={}, fault=fault, not_judged=[*COMPARING]
        )


def published_commit(root: str) -> str:
    """The commit that counts as published, or nothing. Raises CannotAsk."""
    commits = baseline.find(root)
    return commits[0] if commits else ""


def published(root: str, commit: str, path: str) -> Entry | None:
    """The readable entry at path in a commit, if there is one. Raises CannotAsk."""
    rows = git.nul_items(root, "ls-tree", "-z", commit, "--", path) if commit else []
    for row in rows:
        _, kind, blob = row.partition("\t")[0].split(" ")
        if kind == "blob":
            return _entry(path, git.blobs(root, [blob])[blob])
    return None


def read_store(known: Published) -> Store:
    """The store as it is in the work tree, or as it is staged. Raises CannotAsk."""
    if not known.staged:
        return scan(known.root, known.tracked)
    from tempfile import TemporaryDirectory

    names = [path for path in known.tracked if path.startswith(f"{STORE}/")]
    with TemporaryDirectory() as folder:
        try:
            for start in range(0, len(names), MAX_NAMES):
                words = ("--", *names[start : start + MAX_NAMES])
                git.ask(known.root, "checkout-index", f"--prefix={folder}/", *words)
        except CannotAsk:
            if not git.ask(known.root, "ls-files", "-u", "--", STORE):
                raise
            problem = "The index has files of the store with conflicts."
            advice = "Resolve them, `git add` them, and run this again."
            raise CannotAsk(problem, advice) from None
        staged = scan(os.path.join(folder, git.inside(known.root) or ""))
        return staged._replace(root=known.root)


def changed_slugs(known: Published, store: Store) -> set[str] | None:
    """Slugs of changed entries and rows, and paths of catalogs whose rows changed.

    None where every entry counts: nothing is published, or nothing changed since.
    """
    if not known.commit:
        return None
    new = {path for path in store.slugs if path not in known.tracked}
    clean = not known.changed and all("/working/" in path for path in new)
    if clean and baseline.head(known.root) == known.commit:
        return None
    former = {old.path for old in known.changed.values()}
    names = (os.path.basename(path) for path in {*new, *known.changed, *former})
    touched = {name[:-3] for name in names if name.endswith(".md")}
    for path, (old, new_text) in _catalog_texts(known).items():
        drawer = path.split("/")[-2]
        rows = catalog.touched(old, new_text, drawer)
        touched |= rows
        if rows or catalog.frame_changed(old, new_text, drawer):
            touched.add(path)
    return touched


def target_was_published(known: Published, target: str) -> bool:
    """Return true if a row In force leads to a published path.

    target is relative to the INDEX of the row.
    """
    path = os.path.normpath(f"{STORE}/procedural/{target}").replace(os.sep, "/")
    if not known.commit or path.startswith("../"):
        return False
    return bool(git.ask(known.root, "ls-tree", known.commit, "--", path))


def was_retired(root: str, path: str) -> bool:
    """Return true if a version of the episode at path was retired. Raises CannotAsk."""
    return bool(_reused(root, [path], retired.digests(root)))


def check(store: Store, entries: Entries, known: Published) -> Findings:
    """All findings of family H."""
    for path, mode in known.tracked.items():
        if mode == _LINK and path.startswith(f"{STORE}/"):
            yield finding("H06", path)
        elif path.startswith(f"{STORE}/working/") and path in store.slugs:
            yield finding("H05", path)
    if known.fault:
        yield unanswered(known.fault, known.not_judged)
    if not known.commit:
        return
    if ALLOW in known.changed:
        yield finding("H07", ALLOW)
    gone, fresh = [], []
    new = {path: Former("", "") for path in entries if path not in known.tracked}
    for path, old in {**new, **known.changed}.items():
        entry = entries.get(path)
        if entry and entry.page.drawer in DATES:
            yield from revision(store.root, entry, known.before.get(old.path))
        if not _is_episode(path) or path not in store.slugs:
            gone.append(old)
        elif entry and not old.path:
            fresh.append(entry)
    yield from _deleted(known, gone, fresh)
    yield from _retired_again(known, fresh)


def unanswered(fault: CannotAsk, codes: Iterable[str]) -> Finding:
    """The finding with the rules that were not judged, and the reason (H08)."""
    problem = f"{fault.problem} Not judged: {', '.join(codes)}."
    return finding("H08", STORE, 1, "", problem, fault.advice)


def check_new(store: Store, new: Entry) -> Findings:
    """Report changes that an entry to be written must not make."""
    path, drawer, slug, _ = new.page
    root = store.root
    if drawer not in DATES:
        return
    try:
        commit = published_commit(root)
        if not commit:
            return
        before = published(root, commit, path)
        again = drawer == "episodic" and not before and was_retired(root, path)
    except CannotAsk as fault:
        page = store.entries.get(path)
        if page and drawer == "episodic" and fault.problem != git.OFF:
            problem = f"Whether the episode is published is not known. {fault.problem}"
            yield finding("H01", path, 1, slug, problem, fault.advice)
        elif drawer == "semantic":
            yield from revision(root, new, parse(page) if page else None)
        return
    yield from revision(root, new, before)
    if again:
        yield _used_again(new)


def revision(root: str, entry: Entry, before: Entry | None) -> Findings:
    """Report a changed episode, and a fact raised or dated anew without evidence."""
    path, drawer, slug, _ = entry.page
    if drawer == "episodic" and before and not _is_same(before, entry):
        yield finding("H01", path, 1, slug)
    if drawer != "semantic":
        return
    was = before.fields if before else {}
    old, new = ([item for _, item in cited(e)] if e else [] for e in (before, entry))
    known = [item[:4] for item in old]
    kinds = {
        item.kind
        for item in new
        if item[:4] not in known and not (item.kind == "path" and is_memory(item.what))
    }
    source, line = entry.fields.get("source", NONE)
    raised = RANKS.get(source, 0) > RANKS.get(was.get("source", NONE).value, 0)
    if raised and not backed(source, kinds):
        problem = f"A new fact cannot be `{source}` by this evidence."
        if before:
            problem = f"The source became `{source}`, without new evidence for that."
        yield finding("H03", path, line, slug, problem)
    as_of, line = entry.fields.get("as_of", NONE)
    if before and as_of != was.get("as_of", NONE).value and old == new:
        files = CitedFiles(root)
        if not any(files.judge(item).state == FRESH for item in new if item.sha):
            # Confirming renews fingerprints. Words of the user have none.
            confirm = f"{REMEMBER} semantic {slug} --confirm"
            advice = f"Look at it again, and run `{confirm}`."
            if all(item.kind != "path" for item in new):
                advice = "Cite what shows it now, such as new words of the user with "
                advice += "their date; or set `as_of` back."
            yield finding("H04", path, line, slug, "", advice)


def _is_same(before: Entry, after: Entry) -> bool:
    """Return whether an edit leaves an episode what it was."""
    from ecomem.rewording import is_same  # few runs compare any

    return is_same(before, after)


def _index(root: str) -> dict[str, tuple[str, str]]:
    """Mode and blob of the paths of the store, and of some others, in the index."""
    from ecomem.install import BYTECODE, POINTER, PROTOCOL  # not for one new entry

    names = (STORE, retired.RECORD, POINTER, PROTOCOL, *BYTECODE)
    asked = ("ls-files", "-s", "-z", "--", *names)
    rows = (item.partition("\t") for item in git.nul_items(root, *asked))
    index: dict[str, tuple[str, str]] = {}
    for row, _, path in rows:
        mode, blob, _ = row.split(" ")
        index[path] = (mode, blob)
    return index


def _without_intended(
    index: dict[str, tuple[str, str]], changed: dict[str, Former]
) -> dict[str, str]:
    """The index without files that are only intended to be added (`git add -N`)."""
    return {
        path: mode
        for path, (mode, blob) in index.items()
        if blob not in _EMPTY or path in changed
    }


def _changes(root: str, commits: list[str], staged: bool) -> dict[str, Former]:
    """The changes of the store since all of several merge bases."""
    changed: dict[str, Former] = {}
    for at, commit in enumerate(commits):
        asked = [*(["--cached"] if staged else []), commit, "--", STORE, ALLOW]
        found = git.changes(root, "diff", *asked)
        if at:
            changed = {path: old for path, old in changed.items() if path in found}
        else:
            changed = found
    return changed


def _before(root: str, changed: dict[str, Former]) -> dict[str, Entry]:
    """The readable entries of bound drawers that changed, as they were, by path."""
    old: dict[str, str] = {}
    for path, blob in changed.values():
        folder, name = os.path.split(path)
        drawer = folder[len(STORE) + 1 :]
        if drawer in DATES and name[:-3] not in CATALOGS:
            old[path] = blob
    contents = git.blobs(root, old.values())
    entries = {path: _entry(path, contents[blob]) for path, blob in old.items()}
    return {path: entry for path, entry in entries.items() if entry}


def _entry(path: str, data: bytes) -> Entry | None:
    """The entry in the bytes of a file; None where they are no text, or a catalog."""
    folder, file = os.path.split(path)
    if file[-3:] != ".md" or file[:-3] in CATALOGS:
        return None
    try:
        text = decode(data)
    except ValueError:
        return None
    return parse(Page(path, os.path.basename(folder), file[:-3], text))


def _catalog_texts(known: Published) -> dict[str, tuple[str, str]]:
    """The texts of the changed catalogs: as published, and as they are."""
    catalogs = [
        f"{STORE}/{drawer}/{name}.md" for drawer in DRAWERS for name in CATALOGS
    ]
    names = [path for path in catalogs if path in known.changed]
    if not names:
        return {}
    asked = [*(["--cached"] if known.staged else []), known.commit, "--", *names]
    texts: dict[str, tuple[str, str]] = {}
    path, old, new = "", list[str](), list[str]()
    in_hunk = False
    for line in [*git.diff_lines(known.root, _WHOLE_FILES, *asked), "diff --git"]:
        if line.startswith("diff --git"):
            if path:
                texts[path] = ("\n".join(old), "\n".join(new))
            path, old, new, in_hunk = "", [], [], False
        elif in_hunk:
            text = line[1:].rstrip("\r")
            if line[:1] in ("-", " "):
                old.append(text)
            if line[:1] in ("+", " "):
                new.append(text)
        elif line[:6] in ("--- a/", "+++ b/"):
            path = line[6:].rstrip("\t")
        elif line.startswith("@@"):
            in_hunk = True
    return texts


def _deleted(known: Published, gone: list[Former], fresh: list[Entry]) -> Findings:
    """Published episodes that are gone, and not renamed; those retired as notes."""
    digests = _staged_digests(known) if known.staged else retired.digests(known.root)
    for former in gone:
        before = known.before.get(former.path)
        if not before or not _is_episode(former.path):
            continue
        if any(_is_same(before, entry) for entry in fresh):
            continue
        slug = before.page.name
        if retired.digest(former.path, former.blob) in digests:
            problem, advice = "A published episode was retired.", "Do nothing."
            yield finding("H02", former.path, 1, slug, problem, advice, mild=True)
        else:
            restore = f"git checkout {known.commit[:12]} -- {former.path}"
            retire = f"{FORGET} {slug} --reason noise"
            advice = f"Restore it with `{restore}`; or retire it with `{retire}`"
            advice += " (or wrong, or sensitive)."
            yield finding("H02", former.path, 1, slug, "", advice)


def _retired_again(known: Published, fresh: list[Entry]) -> Findings:
    """New episodes under the name of one that was retired."""
    digests = _staged_digests(known) if known.staged else retired.digests(known.root)
    if not fresh or not digests:
        return
    reused = _reused(known.root, [entry.page.path for entry in fresh], digests)
    for entry in fresh:
        if entry.page.path in reused:
            yield _used_again(entry)


def _used_again(entry: Entry) -> Finding:
    problem = "An episode of this name was retired, and a name is not used again."
    path, _, slug, _ = entry.page
    return finding("H01", path, 1, slug, problem, "Choose another slug.")


def _reused(root: str, paths: list[str], digests: set[str]) -> set[str]:
    """Those of the paths that had a version which was retired."""
    if not digests or not git.find(root) or not baseline.head(root):
        return set()
    asked = ("log", "--format=", "--raw", "--no-abbrev", "--no-renames", "-z")
    words = iter(git.nul_items(root, *asked, "--relative", "--", *paths))
    found: set[str] = set()
    for word in words:
        blob, path = word.lstrip("\n:").split(" ")[2], next(words)
        if retired.digest(path, blob) in digests:
            found.add(path)
    return found


def _staged_digests(known: Published) -> set[str]:
    """The digests in the record of retirements, as it is staged."""
    if retired.RECORD not in known.tracked:
        return set()
    text = git.ask(known.root, "cat-file", "blob", f":./{retired.RECORD}")
    return {item.digest for item in retired.parse(text)}


def _is_episode(path: str) -> bool:
    folder, name = os.path.split(path)
    return folder == f"{STORE}/episodic" and name[:-3] not in CATALOGS
