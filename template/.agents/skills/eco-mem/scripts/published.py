"""What is published already, and what this change touches since then."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from catalog import read_row
from entry import Entry, parse
from gitcli import git, work_tree
from store import STORE, Page, Store, decode

ALLOW = ".agents/eco-mem.allow"


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
        """The entry that stood at path when it was published."""
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
def snapshot(published: Published) -> Iterator[str]:
    """The project root to read: the real one, or a copy of what is staged."""
    if not published.staged:
        yield published.root
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        root, prefix = published.root, f"--prefix={folder}/"
        git(root, "checkout-index", prefix, "--", *published.tracked)
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


def touched(published: Published, store: Store) -> set[str] | None:
    """Slugs of the entries and rows that differ from the base; None: judge them all."""
    if not published.commit:
        return None
    paths = {path for path in store.slugs if path not in published.tracked}
    new = [path for path in paths if not path.startswith(f"{STORE}/working/")]
    paths.update(published.changed, published.changed.values(), published.deleted)
    head = _commit(published.root, "HEAD")[0]
    if head == published.commit and not (new or published.changed or published.deleted):
        return None
    diff = ["diff", "--relative", "--no-ext-diff", "-U0"]
    diff += ["--cached"] if published.staged else []
    rows = git(published.root, *diff, published.commit, "--", f"{STORE}/*/[IA]*.md").out
    slugs = {os.path.basename(path)[:-3] for path in paths}
    for line in rows.decode("utf-8", "replace").split("\n"):
        row = read_row(line[1:], 0) if line[:1] in ("+", "-") else None
        if row:
            slugs.add(row.slug)
    return slugs
