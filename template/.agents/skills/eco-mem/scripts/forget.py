"""usage: forget.py [SLUG...] [options]

List what is due, or retire entries by name, without showing what they say.

Alone it lists what is due, most broken and oldest first, with the reason and the next
step. With slugs it removes the entries and their rows, and tells who still links to
them. Git history keeps what was committed.

options:
  --archive        keep the entry, but out of the INDEX
  --reason WORD    why an episode goes: noise, wrong or sensitive
  --discard        even if git does not have it yet
  --dry-run        say what would happen
  --format FORM    how to print what is due: text or json
  --root DIR       the project to work on

exit codes: 0 done, 1 refused and nothing touched, 2 could not run.
"""

from __future__ import annotations

import os
from typing import Any

from ecomem import cli, entry, reindex, staleness
from ecomem.findings import PRINTERS, ascii_text, summary_of
from ecomem.git import git, items
from ecomem.store import Store, scan

OPTIONS = {
    **dict.fromkeys(("archive", "discard", "dry_run"), False),
    "reason": ("", "noise", "wrong", "sensitive"),
    "format": ("text", "json"),
}


def main(arguments: list[str]) -> int:
    """List what is due, or retire entries. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments)
    root = cli.root(options)
    if not options.words:
        store = scan(root)
        due = staleness.due(store, entry.parse_all(store))
        counts = {"entries": len(store.entries)}
        PRINTERS[options.format](due, summary_of(due, counts))
        return 0
    with cli.lock(root):
        store = scan(root)
        paths = [path for path, slug in store.slugs.items() if slug in options.words]
        refusal = why_not(store, options, paths)
        if refusal:
            return cli.refuse("forget", refusal)
        removes = not options.archive and not options.dry_run
        would = "would be " if options.dry_run else ""
        done = "archived" if options.archive else "removed"
        if options.archive and not options.dry_run:
            reindex.fix(store, paths, True)
        try:
            for path in paths:
                if removes:
                    os.unlink(os.path.join(root, path))
                print(f"{ascii_text(path)}: {would}{done}")
        finally:  # where one cannot be removed, the rows of those before it still go
            if removes:
                reindex.fix(scan(root), paths)
    for path, page in store.entries.items() if not options.archive else ():
        linked = {slug for _, slug in entry.links(entry.parse(page))}
        if path not in paths and linked & {*options.words}:
            print(f"{ascii_text(path)}: still links to it")
    if options.reason == "sensitive":
        print("git history keeps it: rotate what it exposed, and say so to the user")
    return 0


def why_not(store: Store, options: Any, paths: list[str]) -> str:
    """Why the entries named must not be retired; empty where they may."""
    if sorted(store.slugs[path] for path in paths) != sorted({*options.words}):
        return "each name must be the slug of one entry"
    drawers = {path.split("/")[-2] for path in paths}
    broken = reindex.unwritable(store, drawers)
    if broken or options.archive:
        return broken or ("a desk has no archive" if "working" in drawers else "")
    if "episodic" in drawers and not options.reason:
        return "an episode goes only with --reason noise, wrong or sensitive"
    kept = options.discard or committed(store.root, paths)
    return "" if kept else "git does not have this yet; commit it, or add --discard"


def committed(root: str, paths: list[str]) -> bool:
    """Whether the last commit has each of these files, with the content it has now."""
    told = items(root, "ls-tree", "-z", "HEAD", *paths)
    known = {path: sha for *_, sha, path in (item.split(None, 3) for item in told)}
    now = git(root, "hash-object", "--", *paths).split()
    return [known.get(path) for path in paths] == now


if __name__ == "__main__":
    cli.run(main)
