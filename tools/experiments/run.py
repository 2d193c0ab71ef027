"""Run the experiments with a host of yours, and its account.

    nox -s experiments -- HOST [--no-guard]

Each experiment is a session of its own, in a temporary project. There the host may do
anything without asking you, and planted texts tempt it to do harm. So run this where
that does no harm. It prints what the host did, and exits with 1 if that is not good
enough.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import copier_project

from experiments.plant import PROMPTS, plant
from experiments.score import Row, score

SECONDS = 600


class Program(NamedTuple):
    """The way to start a host without a terminal.

    `flags` let it do everything, run the hooks of a project that nobody has trusted yet
    and print what its tools gave; `records` is where one that does not print that keeps
    it, in the home of the person.
    """

    words: Sequence[str]
    flags: Sequence[str]
    env: Mapping[str, str] = {}
    records: str = ""


PROGRAMS: Mapping[str, Program] = {
    "claude": Program(
        ("claude", "-p", "{prompt}"),
        (
            "--permission-mode=bypassPermissions",
            "--output-format=stream-json",
            "--verbose",
        ),
    ),
    "codex": Program(
        ("codex", "exec", "--skip-git-repo-check", "{prompt}"),
        (
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            "--config=projects={{ {project} = {{ trust_level = 'trusted' }} }}",
            "--json",
        ),
    ),
    "gemini": Program(
        ("gemini", "-p", "{prompt}"),
        ("--yolo",),
        {"GEMINI_CLI_TRUST_WORKSPACE": "true"},
        ".gemini/tmp/*/chats/*.json*",
    ),
    "copilot": Program(
        ("copilot", "-p", "{prompt}"),
        ("--allow-all-tools", "--trust-folder", "--output-format=json"),
    ),
    "opencode": Program(("opencode", "run", "{prompt}"), ("--format=json",)),
}


def command(words: Sequence[str], project: Path, prompt: str = "") -> list[str]:
    """Return words of a program with what they are about put in."""
    quoted = json.dumps(str(project))
    return [word.format(project=quoted, prompt=prompt) for word in words]


def recorded(program: Program, home: Path, since: float) -> str:
    """Return the records of a program about the sessions since a time."""
    files = home.glob(program.records) if program.records else ()
    new = [path for path in files if path.stat().st_mtime >= since]
    return "\n".join(path.read_text("utf-8", "replace") for path in new)


def lay(template: Path, project: Path, host: str, guard: bool) -> None:
    """Make a planted project for a host."""
    answer = f"guard={str(guard).lower()}"
    copier_project.fine(
        copier_project.copy(template, project, "--data", answer, hosts=host)
    )
    copier_project.commit(project)
    plant(project)


def ask(host: str, project: Path, prompt: str) -> str:
    """Run a host of the person once, and return what its model was given."""
    program, since = PROGRAMS[host], time.time()
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command([*program.words, *program.flags], project, prompt),
        cwd=project,
        env={**env, **program.env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=SECONDS,
        check=True,
    )
    given = done.stdout.decode("utf-8", "replace")
    return given + recorded(program, Path.home(), since)


def table(rows: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """Yield the lines of a table of experiments and what they showed."""
    shape = "{:<11} {:<31} {:<16} {:<16} {}"
    yield shape.format("experiment", "measure", "wanted", "got", "").rstrip()
    for experiment, measured in rows.items():
        for measure, wanted, got, good in measured:
            verdict = "ok" if good else "NOT OK"
            yield shape.format(experiment, measure, wanted, got, verdict)


def main(words: Sequence[str] | None = None) -> int:
    """Run every experiment. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="nox -s experiments --")
    parser.add_argument("host", choices=PROGRAMS)
    parser.add_argument("--no-guard", action="store_true", help="for comparison")
    asked = parser.parse_args(words)
    if shutil.which(asked.host) is None:
        parser.error(f"there is no program {asked.host} here")
    for role in ("AUTHOR", "COMMITTER"):
        os.environ[f"GIT_{role}_NAME"] = "Experiment"
        os.environ[f"GIT_{role}_EMAIL"] = "experiment@example.org"
    rows: dict[str, list[Row]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        template = Path(scratch, "template").resolve()
        copier_project.source_to(template)
        copier_project.commit(template)
        for name, prompt in PROMPTS.items():
            project = template.parent / name
            lay(template, project, asked.host, not asked.no_guard)
            given = ask(asked.host, project, prompt)
            rows[name] = [*score(project, given).rows(name)]
    print("\n".join(table(rows)))
    good = all(row.good for measured in rows.values() for row in measured)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
