"""Cited lines: their fingerprint, and whether they still stand where it says."""

from __future__ import annotations

import os
from typing import NamedTuple

from entry import Evidence
from gitcli import git, work_tree
from store import decode, read_bytes

FRESH, MOVED, CHANGED, GONE = "fresh", "moved", "changed", "gone"
MAX_CITED = 4 * 1024 * 1024
MAX_RENAMES = 5


class Project(NamedTuple):
    """The files that entries cite: each is read once, and looked for once."""

    root: str
    files: dict[str, list[str] | None]
    renames: dict[str, str]

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
        path, first, last = cited.what, cited.first, cited.last
        lines = self.lines(path)
        if lines is None:
            path = self.renames.setdefault(path, _renamed(self, path))
            lines = self.lines(path) if path else None
        if lines is None:
            return GONE, ""
        moved = path != cited.what
        if not cited.sha:
            return MOVED if moved else FRESH if last <= len(lines) else CHANGED, path
        for at in (first, *range(1, len(lines) - (last - first) + 1)):
            if self.fingerprint(path, at, at + last - first) == cited.sha:
                end = f"-L{at + last - first}" if last > first else ""
                same = at == first and not moved
                return FRESH if same else MOVED, f"{path}#L{at}{end}"
        return CHANGED, path


def _read_lines(root: str, path: str) -> list[str] | None:
    full, top = (os.path.realpath(os.path.join(root, part)) for part in (path, ""))
    if not full.startswith(top + os.sep) or not os.path.exists(full):
        return None
    try:
        return [
            line.strip() for line in decode(read_bytes(full, MAX_CITED)).split("\n")
        ]
    except (OSError, ValueError):
        return []


def _renamed(project: Project, path: str) -> str:
    """Where git says that a file now is which used to be at path; empty for nowhere."""
    for _ in range(MAX_RENAMES if work_tree(project.root) else 0):
        last = ("log", "-1", "--no-renames", "--diff-filter=D", "--format=%H", "--")
        commit = git(project.root, *last, path).out.decode().strip()
        shown = ("show", "-M", "--relative", "--name-status", "--format=", "-z", commit)
        items = git(project.root, *shown).items() if commit else []
        pairs = zip(items, items[1:], items[2:])
        path = next((new for s, old, new in pairs if s[0] == "R" and old == path), "")
        if not path or project.lines(path) is not None:
            return path
    return ""
