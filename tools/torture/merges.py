"""Measure how often parallel branches conflict in an INDEX, and one command settles it.

Each round lays a store, starts branches that add, revise or forget entries by the
library itself, and merges them one after the other with real git, as a forge would. A
conflict is settled by `verify.py --fix` alone. Printed for each layout: the share of
merges with a conflict in an INDEX, what a merge without a conflict left wrong in the
catalogs, and what was left of either after `--fix`, which should be nothing.

    python tools/torture/merges.py [ROUNDS] [SEED]

The layouts are `plain`, as the template lays it, and `union`, with the attribute
`merge=union`, which git and GitLab follow and GitHub does not.
"""

from __future__ import annotations

import contextlib
import io
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [
    str(TOP / "template/.agents/skills/eco-mem/scripts"),
    str(TOP / "tests/support"),
]

from ecomem import catalog, entry, reindex, store  # noqa: E402
from store_project import MEMORY, Project, lay_down  # noqa: E402

TOPICS = "auth build cache deploy export feeds gate health index jobs keys logs".split()
WORDS = "port limit order owner retry size step time token user window zone".split()
STYLES = ("merge", "diff3", "zdiff3")
BRANCHES = (2, 3, 4, 8)
LAYOUTS = ("plain", "union")


@dataclass
class Count:
    """The counts from the merges of one layout."""

    merges: int = 0
    conflicts: int = 0
    wrong: int = 0  # merged without a conflict, and the catalog has errors
    unsettled: int = 0  # errors in a catalog after --fix
    lost: int = 0  # entries without their row after --fix
    entries: int = 0  # conflicts in entries, which a person decides
    by_branches: dict[int, list[int]] = field(default_factory=dict)


def main(arguments: list[str]) -> int:
    """Run the rounds and print a table. Returns 1 where something was not settled."""
    rounds = int(arguments[0]) if arguments else 10
    seed = int(arguments[1]) if len(arguments) > 1 else random.randrange(1 << 30)
    print(f"seed {seed}")
    bad = 0
    for layout in LAYOUTS:
        count, rng = Count(), random.Random(seed)
        for _ in range(rounds):
            play(rng, layout, count)
        bad += count.unsettled + count.lost
        print_count(layout, count)
    return int(bad > 0)


def print_count(layout: str, count: Count) -> None:
    """Print one line for a layout, and one for each number of branches."""
    share = 100 * count.conflicts / max(count.merges, 1)
    print(
        f"{layout}: {count.merges} merges, {share:.0f} % with a conflict in an INDEX; "
        f"{count.wrong} merged and wrong; after --fix {count.unsettled} unsettled, "
        f"{count.lost} entries without a row; {count.entries} conflicts in entries"
    )
    for branches, hits in sorted(count.by_branches.items()):
        print(f"  {branches} branches: {100 * sum(hits) / len(hits):.0f} %")


def play(rng: random.Random, layout: str, count: Count) -> None:
    """Make a repository with some branches, and merge them one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        it = lay_down(Path(folder) / "project")
        if layout == "union":
            it.write(f"{MEMORY}/.gitattributes", "INDEX.md merge=union\n")
        for _ in range(rng.choice((0, 5, 15, 30))):
            add(rng, it)
        fix(it)
        it.git("init", "--quiet", "--initial-branch=main")
        commit(it)
        branches = rng.choice(BRANCHES)
        for number in range(branches):
            it.git("checkout", "--quiet", "-b", f"topic-{number}", "main")
            for _ in range(rng.randint(1, 3)):
                change(rng, it)
            fix(it)
            commit(it)
        it.git("checkout", "--quiet", "main")
        hits = count.by_branches.setdefault(branches, [])
        for number in range(branches):
            hit = merge(rng, it, f"topic-{number}", count)
            if number:  # the first merge is a fast-forward
                hits.append(hit)
                count.merges += 1
                count.conflicts += hit


def merge(rng: random.Random, it: Project, branch: str, count: Count) -> bool:
    """Merge a branch and settle it. Returns whether an INDEX was in conflict."""
    style = f"merge.conflictStyle={rng.choice(STYLES)}"
    it.git("-c", style, "merge", "--quiet", "--no-edit", branch, check=False)
    unmerged = it.git("diff", "--name-only", "--diff-filter=U").splitlines()
    in_index = any(path.endswith("INDEX.md") for path in unmerged)
    if not in_index and errors(it):
        count.wrong += 1
    for path in unmerged:
        if not path.endswith("INDEX.md"):  # a person would decide: the branch wins
            count.entries += 1
            it.git("checkout", "--theirs", "--", path, check=False)
    fix(it)
    count.unsettled += len(errors(it))
    count.lost += len(without_row(it))
    commit(it)
    return in_index


def add(rng: random.Random, it: Project) -> None:
    """Write a new entry, its name beginning with one of few topics."""
    slug = f"{rng.choice(TOPICS)}-{rng.choice(WORDS)}-{rng.randrange(10_000)}"
    it.entry("semantic", slug, listed=False)


def change(rng: random.Random, it: Project) -> None:
    """Add an entry; or now and then revise or forget one."""
    slugs = sorted(path.stem for path in it.drawer("semantic").glob("[a-z]*.md"))
    kind = rng.choice(("add", "add", "add", "revise", "forget"))
    if kind == "add" or not slugs:
        add(rng, it)
    elif kind == "revise":
        cue = f"when {rng.choice(WORDS)} {rng.randrange(10_000)} is asked for"
        it.entry("semantic", rng.choice(slugs), {"cue": cue}, listed=False)
    else:
        (it.drawer("semantic") / f"{rng.choice(slugs)}.md").unlink()


def fix(it: Project) -> None:
    """Do what `verify.py --fix` does to the catalogs."""
    with contextlib.redirect_stdout(io.StringIO()):
        reindex.fix(store.scan(str(it.root)))


def errors(it: Project) -> list[str]:
    """The codes of what is wrong in the catalogs, disorder aside."""
    scanned = store.scan(str(it.root))
    found = catalog.check(scanned, entry.parse_all(scanned))
    codes = [item.code for item in found if item.level == "error"]
    return codes + [item.code for item in scanned.findings if item.code == "L13"]


def without_row(it: Project) -> set[str]:
    """The entries that the INDEX does not list."""
    scanned = store.scan(str(it.root))
    return {*scanned.entries} - catalog.listed(scanned, f"{MEMORY}/semantic/INDEX.md")


def commit(it: Project) -> None:
    """Commit everything as it is."""
    it.git("add", "--all")
    it.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", "work")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, subprocess.CalledProcessError):
        sys.exit(main(sys.argv[1:]))
