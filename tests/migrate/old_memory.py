"""Putting an old memory into a project, and deciding on its plan as a person does."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Mapping
from pathlib import Path

from migrate import migrate, plan_file
from run_commands import run_killed
from store_project import Project, Run, lay_down

TOOLS = str(Path(migrate.__file__).parents[1])
STOPS = (("os", "replace"), ("os", "unlink"), ("subprocess", "run"))
OLD = 1_700_000_000  # a time of change that is not today


def empty_store(folder: Path) -> Project:
    """An empty, committed store with its scripts."""
    made = lay_down(folder)
    made.commit()
    return made


def run(project: Project, *words: str) -> Run:
    """Run the command line in this process. Returns code and output."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = migrate.main([str(project.root), *words])
    return Run(code, out.getvalue(), err.getvalue())


def killed(project: Project, call: int, *words: str) -> int:
    """Run the command line, and let it die at one of its writes or programs."""
    given = [str(project.root), *words]
    return run_killed(TOOLS, "migrate.migrate", given, call, STOPS)


def put(project: Project, files: Mapping[str, str | bytes]) -> None:
    """Write an old memory into a project, some time ago, and commit it."""
    for name, text in files.items():
        path = project.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        os.utime(path, (OLD, OLD))
    project.commit("old memory")


def plan_of(project: Project) -> Path:
    """The plan of a project."""
    return project.path(f"{plan_file.FOLDER}/{plan_file.PLAN}")


def decide_all(project: Project, word: str = "left status") -> None:
    """Give every open line of the plan one decision, as a person would by hand."""
    lines = plan_of(project).read_text("utf-8").split("\n")
    plan_of(project).write_text(
        "\n".join(decided(line, word) for line in lines), "utf-8"
    )


def decided(line: str, word: str) -> str:
    """A line of the plan, with a decision where it was open."""
    match = plan_file.LINE.match(line)
    if not match or match["word"] != "decide":
        return line
    decision, _, reason = word.partition(" ")
    return f"- {decision}{match['ranges']} sha:{match['sha']} {reason}"


def words_of(project: Project) -> list[tuple[str, str, str]]:
    """Label, decision and target of each line of the plan."""
    return [
        (each.label, each.word, each.target) for each in plan_file.read(project.root)
    ]
