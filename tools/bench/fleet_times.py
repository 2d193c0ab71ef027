"""Measure the fleet tool: forty clones in mixed states, looked at and updated.

    nox -s bench -- fleet

Seconds are those of the processor, of this process and of all that it started.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import resource
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import copier_project as lab
from bench_table import Line
from fleet import fleet
from store_project import Project

ENTRIES = 12
ANSWERS = ".copier-answers.yml"
HOSTS = ("claude", "codex, gemini", "copilot, cursor, opencode", "agents")
SKILL = f"{lab.SKILL}/SKILL.md"
Change = Callable[[Path], None]


def nothing(_: Path) -> None:
    """Leave a clone as it is: behind by one version."""


def current(root: Path) -> None:
    """Bring a clone up to date by hand."""
    lab.fine(lab.update(root))
    lab.commit(root)


def edited(root: Path) -> None:
    """Edit what the next version changes too."""
    lab.change(root / SKILL, lambda text: text.replace(lab.OLDER, "Our own words."))
    lab.commit(root)


def dirty(root: Path) -> None:
    """Leave changes that are not committed, in files of eco-mem too."""
    lab.write(root, {"draft.txt": "not yet\n", SKILL: "half an edit\n"})


def on_a_topic(root: Path) -> None:
    """Work on a branch."""
    lab.git(root, "switch", "-qc", "topic")
    lab.write(root, {"topic.txt": "new\n"})
    lab.commit(root)


def detached(root: Path) -> None:
    """Check a commit out, not a branch."""
    lab.git(root, "checkout", "-q", "--detach")


def with_a_worktree(root: Path) -> None:
    """Have the main branch in a worktree beside the clone."""
    lab.git(root, "switch", "-qc", "elsewhere")
    lab.git(root, "worktree", "add", "-q", f"{root}-tree/main", "main")


def without_memory(root: Path) -> None:
    """Remove the store."""
    lab.git(root, "rm", "-rqf", lab.STORE)
    lab.commit(root)


def without_scripts(root: Path) -> None:
    """Remove the scripts."""
    lab.git(root, "rm", "-rqf", f"{lab.SKILL}/scripts")
    lab.commit(root)


def broken_entry(root: Path) -> None:
    """Break an entry."""
    lab.write(root, {f"{lab.STORE}/semantic/fact-1.md": "no entry\n"})
    lab.commit(root)


def broken_answers(root: Path) -> None:
    """Break the answers file."""
    lab.write(root, {ANSWERS: "# eco-mem\n_commit: [\n"})
    lab.commit(root)


def source_that_is_gone(root: Path) -> None:
    """Name a template that is not there."""
    text = lab.text(root / ANSWERS)
    path = "_src_path: https://127.0.0.1:9/gone.git\n"
    lines = [path if "_src_path" in line else line for line in text.splitlines(True)]
    lab.write(root, {ANSWERS: "".join(lines)})
    lab.commit(root)


def of_another_template(root: Path) -> None:
    """Have answers of another template only."""
    lab.git(root, "rm", "-rqf", ".agents")
    lab.write(root, {ANSWERS: "# another\n_commit: v1.0.0\n"})
    lab.commit(root)


STATES: list[tuple[int, Change]] = [
    (21, nothing),
    (3, current),
    (3, edited),
    (2, dirty),
    (2, on_a_topic),
    (1, detached),
    (1, with_a_worktree),
    (1, without_memory),
    (1, without_scripts),
    (1, broken_entry),
    (1, broken_answers),
    (1, source_that_is_gone),
    (1, of_another_template),
    (1, nothing),  # a shallow clone, see below
]


def origins(work: Path) -> list[Path]:
    """Make projects of an older version, with several hosts, with and without guard."""
    template = work / "template"
    lab.source_to(template)
    lab.make_older(template)
    lab.commit(template, tag=lab.OLD)
    lab.git(template, "rm", "-rqf", ".")
    lab.source_to(template)
    lab.commit(template, tag=lab.NOW)
    made = []
    for at, hosts in enumerate(HOSTS):
        root = work / "origins" / f"origin-{at}"
        guard = ("--data", f"guard={'yes' if at % 2 else 'no'}")
        options = ("--vcs-ref", lab.OLD, *guard)
        lab.fine(lab.copy(template, root, *options, hosts=hosts))
        for number in range(ENTRIES):
            drawer = ("semantic", "episodic", "procedural")[number % 3]
            Project(root).entry(drawer, f"fact-{number}")
        lab.commit(root)
        made.append(root)
    return made


def fleet_of_forty(work: Path) -> Path:
    """Make the clones."""
    folder = work / "fleet"
    folder.mkdir()
    sources = itertools.cycle(origins(work))
    changes = [change for count, change in STATES for _ in range(count)]
    for at, change in enumerate(changes):
        name = f"{at:02}-{change.__name__.replace('_', '-')}"
        shallow = ("--depth=1",) if at == len(changes) - 1 else ()
        address = f"file://{next(sources)}"
        lab.git(folder, "clone", "-q", *shallow, address, name)
        change(folder / name)
    return folder


def checkouts(folder: Path) -> dict[str, tuple[dict[str, bytes], str]]:
    """Return every file of every clone, and where its HEAD is."""
    return {
        root.name: (lab.tree(root), lab.git(root, "rev-parse", "HEAD"))
        for root in sorted(folder.iterdir())
        if (root / ".git").exists()
    }


def stores_changed(folder: Path) -> int:
    """Return how many bytes of entries, on update branches, are not as they were."""
    changed = 0
    for root in sorted(folder.iterdir()):
        branch = f"eco-mem-{lab.NOW}"
        if not (root / ".git").exists() or branch not in lab.git(root, "branch"):
            continue
        names = ("diff", "--name-only", "origin/HEAD", branch, "--", lab.STORE)
        for name in lab.git(root, *names).splitlines():
            if not name.endswith("INDEX.md"):  # its contract is the template's
                changed += len(lab.git(root, "diff", "origin/HEAD", branch, "--", name))
    return changed


def cpu_seconds() -> float:
    """Return what this process and its children used so far."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(work: Path) -> Iterator[Line]:
    """Yield the rows of the table."""
    kept = dict(os.environ)
    lab.isolate(work / "home", work / "bytecode")
    folder = fleet_of_forty(work)
    clones = checkouts(folder)
    yield Line("repositories", str(len(clones)), "40")
    before = cpu_seconds()
    with contextlib.redirect_stdout(io.StringIO()) as table:
        fleet.main([str(folder)])
    taken = cpu_seconds() - before
    rows = len(table.getvalue().splitlines()) - 1
    yield Line("rows in the table", str(rows))
    yield Line("CPU seconds to look, a row", f"{taken / rows:.2f}")
    before = cpu_seconds()
    with contextlib.redirect_stdout(io.StringIO()) as told:
        fleet.main(["--update", str(folder)])
    taken = cpu_seconds() - before
    outcomes = Counter(
        line.split(": ")[1] for line in told.getvalue().splitlines() if ": " in line
    )
    print(table.getvalue(), told.getvalue(), sep="\n", file=sys.stderr)
    for word in ("updated", "current", "conflict", "failed"):
        yield Line(f"  {word}", str(outcomes[word]))
    tried = outcomes["updated"] + outcomes["conflict"]
    yield Line("CPU seconds to update, one that is behind", f"{taken / tried:.2f}")
    after = checkouts(folder)
    touched = sum(clones[name] != after[name] for name in clones)
    yield Line("checkouts touched", str(touched), "0")
    yield Line("bytes of entries changed", str(stores_changed(folder)), "0")
    os.environ.clear()
    os.environ.update(kept)
    shutil.rmtree(folder)
