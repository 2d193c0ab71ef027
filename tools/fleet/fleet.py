# /// script
# requires-python = ">=3.11"
# dependencies = ["copier", "copier-template-extensions", "packaging", "pyyaml"]
# ///
"""Look at every repository in some folders that has eco-mem, or update them all.

    fleet.py FOLDER...            print version, hosts, findings and what is due
    fleet.py --update FOLDER...   update each on a branch of its own

FOLDER is a repository or a folder of repositories. An update happens in a worktree, on
the branch eco-mem-VERSION; no checkout is touched, and nothing is pushed. Exit codes: 0
done; 1 at least one repository needs a person; 2 the command could not run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
# The folder of this file would hide the package `fleet` behind this module.
sys.path[:] = [str(TOOLS), *(path for path in sys.path if path != str(TOOLS / "fleet"))]

from fleet import repositories, updating  # noqa: E402
from fleet.repositories import Project, git  # noqa: E402

HEAD = (
    "repository",
    "version",
    "newest",
    "branch",
    "changes",
    "hosts",
    "guard",
    "entries",
    "errors",
    "due",
)


def main(words: Sequence[str]) -> int:
    """Run the command line. Returns the exit code."""
    options = arguments(words)
    missing = [folder for folder in options.folders if not folder.is_dir()]
    if missing:
        print(f"fleet: {missing[0]} is no folder", file=sys.stderr)
        return 2
    known: dict[str, str] = {}
    found = [
        project
        for repository in repositories.repositories(options.folders)
        for project in repositories.projects(repository)
    ]
    if not found:
        print("fleet: no repository in these folders has eco-mem", file=sys.stderr)
        return 2
    if options.update:
        return update_all(found, known)
    rows = [HEAD, *(row(project, known) for project in found)]
    print("\n".join(table(rows)))
    return 0


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--update", action="store_true", help="update each repository")
    return parser.parse_args(words)


def name_of(project: Project) -> str:
    """Return the name of a project in the table."""
    name = project.repository.name
    return f"{name}/{project.folder}" if project.folder else name


def row(project: Project, known: dict[str, str]) -> tuple[str, ...]:
    """Return one row of the table."""
    state = repositories.health(project)
    changed = git(project.repository, "status", "--porcelain").splitlines()
    return (
        name_of(project),
        project.version or "?",
        repositories.newest(project.source, known) or "?",
        git(project.repository, "symbolic-ref", "--short", "-q", "HEAD") or "detached",
        str(len(changed)),
        " ".join(map(str, project.answers.get("hosts", ()))),
        "yes" if project.answers.get("guard") else "no",
        *(
            (state.problem, "", "")
            if state.problem
            else (state.entries, state.errors, state.due)
        ),
    )


def table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return rows as lines with aligned columns."""
    cells = [
        [cell if cell.isprintable() else ascii(cell) for cell in each] for each in rows
    ]
    widths = [max(len(each[at]) for each in cells) for at in range(len(HEAD))]
    return [
        "  ".join(c.ljust(w) for c, w in zip(each, widths, strict=True)).rstrip()
        for each in cells
    ]


def update_all(found: list[Project], known: dict[str, str]) -> int:
    """Update every project that is behind; print one line for each."""
    waiting = False
    for project in found:
        latest = repositories.newest(project.source, known)
        if not project.source:
            outcome = updating.Outcome(
                "failed", f"{project.answers_file} is no YAML that names a template"
            )
        elif not latest:
            outcome = updating.Outcome(
                "failed", "its template has no version tags, or is out of reach"
            )
        elif not repositories.is_behind(project, latest):
            outcome = updating.Outcome("current", project.version)
        else:
            outcome = updating.update(project, latest)
        waiting = waiting or outcome.word in ("conflict", "failed")
        print(f"{name_of(project)}: {outcome.word}: {outcome.detail}", flush=True)
    return int(waiting)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
