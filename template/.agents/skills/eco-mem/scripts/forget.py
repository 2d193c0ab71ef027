"""usage: forget.py [SLUG...] [options]

List the entries that are due for a check, or remove entries by name. It never shows
what they say.

Without slugs it lists what is due, most broken and oldest first, with the reason and
the next step. With slugs it removes the entries and their rows, and names the entries
that still link to them. With the name of a row under In force it removes that row. Git
history keeps what was committed.

options:
  --archive        keep the entry, and move its row from the INDEX to the ARCHIVE
  --restore        move its row from the ARCHIVE back to the INDEX
  --reason WORD    why an episode is removed: noise, wrong or sensitive
  --discard        remove the entry even if it is not committed yet
  --dry-run        say what would happen
  --format FORM    how to print what is due: text or json
  --root DIR       the project to work on
  --bare           DIR has a memory but no skill

exit codes: 0 done, 1 refused and nothing changed, 2 could not run.
"""

from __future__ import annotations

import os

from ecomem import (
    baseline,
    capacity,
    catalog,
    cli,
    entry,
    evidence,
    git,
    reindex,
    retired,
    staleness,
)
from ecomem.cheap_imports import TYPE_CHECKING, NamedTuple
from ecomem.findings import PRINTERS, ascii_text, summary_of
from ecomem.git import CannotAsk
from ecomem.history import published_commit
from ecomem.rules import VERIFY
from ecomem.store import DURABLE, STORE, Store, is_slug, scan, write_catalog

if TYPE_CHECKING:
    from typing import Any

POINTERS = f"{STORE}/procedural/INDEX.md"
OPTIONS = {
    **dict.fromkeys(("archive", "restore", "discard", "dry_run"), False),
    "reason": ("", *retired.REASONS),
    "format": ("text", "json"),
}


class Chosen(NamedTuple):
    """The meanings of the names on the command line."""

    paths: list[str]  # of entries that are in the store
    pointers: list[str]  # names of rows under In force
    deleted: list[str]  # paths of episodes that are published, and deleted already
    unknown: list[str]


def main(arguments: list[str]) -> int:
    """List what is due, or retire entries. Returns the exit code."""
    options = cli.options(__doc__, OPTIONS, arguments)
    root = cli.root(options)
    if not options.words:
        return list_due(root, options)
    with cli.lock(root):
        store = scan(root)
        chosen = choose(store, options.words)
        reason = why_not(store, options, chosen)
        if reason:
            return cli.refuse("forget", reason)
        if options.archive or options.restore:
            move(store, options, chosen.paths)
            return 0
        remove(store, options, chosen)
    report_links(store, chosen.paths)
    if options.reason == "sensitive":
        print("git history keeps it: rotate what it exposed, and say so to the user")
    return 0


def list_due(root: str, options: Any) -> int:
    """Print what is due. Returns the exit code."""
    for name in ("archive", "restore", "discard", "dry_run", "reason"):
        if getattr(options, name):
            cli.fail(f"--{name.replace('_', '-')} needs SLUG; see --help")
    store = scan(root)
    due = staleness.due(store, entry.parse_all(store))
    counts = {"entries": len(store.entries)}
    if not due and options.format == "text":
        print("nothing is due")
    PRINTERS[options.format](due, summary_of(due, counts))
    return 0


def choose(store: Store, words: list[str]) -> Chosen:
    """Find out what each name on the command line means: a slug, a path, a row."""
    paths: list[str] = []
    pointers: list[str] = []
    deleted: list[str] = []
    unknown: list[str] = []
    known = pointer_rows(store)
    for word in dict.fromkeys(words):
        named = [path for path, slug in store.slugs.items() if word in (slug, path)]
        episode = f"{STORE}/episodic/{word}.md"
        if named:
            paths += named
        elif word in known:
            pointers.append(word)
        elif is_slug(word) and was_deleted(store.root, episode):
            deleted.append(episode)
        else:
            unknown.append(word)
    return Chosen(paths, pointers, deleted, unknown)


def was_deleted(root: str, path: str) -> bool:
    """Return true if a published file was deleted, not just left out of a checkout."""
    try:
        hidden = evidence.kept_from_view(root, [path])
        return not hidden and bool(published_blobs(root, [path]))
    except CannotAsk:
        return False


def why_not(store: Store, options: Any, chosen: Chosen) -> str:
    """The reason not to retire or move the names; empty for none."""
    if chosen.unknown:
        return f"nothing in the store is named {', '.join(chosen.unknown)}"
    slugs = [store.slugs[path] for path in chosen.paths]
    twice = sorted({slug for slug in slugs if slugs.count(slug) > 1})
    if twice:
        return f"more than one entry is named {', '.join(twice)}; see verify.py"
    drawers = {path.split("/")[-2] for path in chosen.paths}
    if chosen.pointers:
        drawers.add("procedural")
    broken = reindex.unwritable(store, drawers)
    if broken:
        return broken
    if options.archive or options.restore:
        return why_not_move(store, options, chosen)
    if ("episodic" in drawers or chosen.deleted) and not options.reason:
        return "an episode goes only with --reason noise, wrong or sensitive"
    durable = [path for path in chosen.paths if "/working/" not in path]
    if options.discard:
        return ""
    try:
        known = committed(store.root, durable)
    except CannotAsk as fault:
        return f"git could not say whether it has this. {fault.problem} {fault.advice}"
    if not known:
        if options.reason == "sensitive":
            return "git does not have this yet; do not commit it, but add --discard"
        return "git does not have this yet; add --discard, or commit it to keep a copy"
    return ""


def why_not_move(store: Store, options: Any, chosen: Chosen) -> str:
    """The reason not to move rows between INDEX and ARCHIVE; empty for none."""
    if options.archive and options.restore:
        return "--archive and --restore are opposites"
    if options.reason or options.discard:
        return "--reason and --discard are for entries that are removed"
    if chosen.pointers or chosen.deleted:
        return "only an entry has a place in the archive"
    for path in chosen.paths:
        drawer, slug = path.split("/")[-2], store.slugs[path]
        if drawer not in DURABLE:
            return f"{slug} is a desk, and desks have no archive"
        archived = catalog.listed(store, f"{STORE}/{drawer}/ARCHIVE.md")
        if options.restore and path not in archived:
            return f"{slug} is not in the archive"
        if options.archive and path in archived:
            return f"{slug} is in the archive already"
    return why_full(store, chosen.paths) if options.restore else ""


def why_full(store: Store, paths: list[str]) -> str:
    """The reason why an INDEX has no room for restored rows; empty where it has."""
    entries = entry.parse_all(store)
    for drawer in DURABLE:
        count = sum(f"/{drawer}/" in path for path in paths)
        if count:
            for item in capacity.check(store, entries, drawer, count):
                return item.message
    return ""


def move(store: Store, options: Any, paths: list[str]) -> None:
    """Move rows to the archive, or back, and print what was done."""
    done = "archived" if options.archive else "restored"
    if not options.dry_run:
        reindex.fix(store, paths, "ARCHIVE" if options.archive else "INDEX")
    for path in paths:
        print_done(path, done, options.dry_run)


def remove(store: Store, options: Any, chosen: Chosen) -> None:
    """Record the episodes, remove the entries and rows, and print what was done."""
    root = store.root
    episodes = [path for path in chosen.paths if "/episodic/" in path] + chosen.deleted
    recorded = False
    if episodes and not options.dry_run:
        recorded = record(root, episodes, options.reason)
    removed = 0
    try:
        for path in chosen.paths:
            if not options.dry_run:
                os.unlink(os.path.join(root, path))
            removed += 1
            print_done(path, "removed", options.dry_run)
    finally:  # where one cannot be removed, the rows of those before it still go
        if removed and not options.dry_run:
            drop_rows(root, chosen.paths)
    for name in chosen.pointers:
        if not options.dry_run:
            remove_pointer(scan(root), name)
        print_done(f"{POINTERS}: {name}", "removed", options.dry_run)
    for path in chosen.deleted:
        print_done(path, "recorded as retired", options.dry_run)
    if recorded:
        print(f"{retired.RECORD}: commit it with the deletion")


def print_done(path: str, done: str, dry_run: bool) -> None:
    """Print what was done to a path, or what would be."""
    print(f"{ascii_text(path)}: {'would be ' if dry_run else ''}{done}")


def drop_rows(root: str, paths: list[str]) -> None:
    """Remove the rows of entries that are removed."""
    try:
        reindex.fix(scan(root), paths)
    except OSError as error:
        cli.fail(
            f"the rows of what was removed are still there ({error.strerror}); "
            f"run `{VERIFY} --fix`"
        )


def record(root: str, episodes: list[str], reason: str) -> bool:
    """Record the published versions of episodes. Returns whether the record changed."""
    day = entry.local_day()
    lines = [
        retired.Retirement(retired.digest(path, blob), day, reason)
        for path, blob in published_blobs(root, episodes)
    ]
    return bool(lines) and retired.add(root, lines)


def report_links(store: Store, removed: list[str]) -> None:
    """Name the entries that link to what was removed."""
    slugs = {store.slugs[path] for path in removed}
    for path, page in store.entries.items():
        linked = {slug for _, slug in entry.links(entry.parse(page))}
        if path not in removed and linked & slugs:
            print(f"{ascii_text(path)}: still links to it")


def pointer_rows(store: Store) -> dict[str, catalog.Row]:
    """The rows under In force, by name."""
    page = store.catalogs.get(POINTERS)
    if not page:
        return {}
    rows = catalog.sections(page.text.split("\n"), "procedural")[0].rows
    return {row.name: row for row in rows if not row.slug}


def remove_pointer(store: Store, name: str) -> None:
    """Remove a row under In force."""
    page, row = store.catalogs[POINTERS], pointer_rows(store)[name]
    lines = page.text.split("\n")
    del lines[row.line - 1 : row.last]
    write_catalog(store, page, "\n".join(lines))


def published_blobs(root: str, paths: list[str]) -> list[tuple[str, str]]:
    """Each path with the ids of its content in the last commit and at the base.

    Raises CannotAsk.
    """
    if not paths or not git.find(root):
        return []
    head, base = baseline.head(root), published_commit(root)
    found: dict[tuple[str, str], None] = {}
    for commit in dict.fromkeys(filter(None, (head, base))):
        for row in git.nul_items(root, "ls-tree", "-z", commit, "--", *paths):
            *_, blob, path = row.split(None, 3)
            found[path, blob] = None
    return list(found)


def committed(root: str, paths: list[str]) -> bool:
    """Return true if git has each of these files with its present content."""
    known = published_blobs(root, paths)
    if not known:
        return not paths
    now = git.ask(root, "hash-object", "--", *paths).split()
    return all(pair in known for pair in zip(paths, now))


if __name__ == "__main__":
    cli.run(main)
