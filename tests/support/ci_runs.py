"""Runs the steps of a laid-down CI file in real checkouts, with a runner's environment.

A forge is a bare repository. A checkout is what `actions/checkout` or a GitLab runner
makes of it: a fetch of one commit, of some depth, detached.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml
from store_project import TEMPLATE, Project, environment

GITHUB = ".github/workflows/eco-mem.yml"
GITLAB = ".gitlab/eco-mem.yml"
ZEROS = "0" * 40


class Job(NamedTuple):
    """A finished job: its exit code, 0 if all steps passed, and all it printed."""

    code: int
    text: str
    summary: str
    codes: list[int]  # of each step that ran


def shell(script: str, cwd: Path, env: Mapping[str, str]) -> tuple[int, str]:
    """Run a script as a runner does; return its exit code and what it printed."""
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=cwd,
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def clone(forge: Path, commit: str, folder: Path, depth: int = 0) -> Project:
    """Check one commit of a forge out, detached, with all branches if depth is 0."""
    made = Project(folder)
    folder.mkdir(parents=True)
    made.git("init", "-q")
    made.git("remote", "add", "origin", f"file://{forge}")
    limit = (f"--depth={depth}",) if depth else ()
    branches = () if depth else ("+refs/heads/*:refs/remotes/origin/*",)
    made.git("fetch", "-q", "--no-tags", *limit, "origin", *branches, commit)
    made.git("checkout", "-q", "--detach", commit)
    return made


def github(it: Project, event: str, before: str = "", path: str | None = None) -> Job:
    """Run the steps of the workflow that is in a checkout, as GitHub does."""
    workflow = yaml.safe_load(it.path(GITHUB).read_text("utf-8"))
    temp = it.root.with_name(f"{it.root.name}-temp")
    temp.mkdir()
    env = {
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": event,
        "GITHUB_BASE_REF": "main" if event == "pull_request" else "",
        "RUNNER_TEMP": str(temp),
        "GITHUB_ENV": str(temp / "env"),
        "GITHUB_STEP_SUMMARY": str(temp / "summary"),
        "BEFORE": before,
    }
    if path is not None:
        env["PATH"] = path
    for name in ("env", "summary"):
        (temp / name).write_text("")
    codes: list[int] = []
    printed: list[str] = []
    failed = False
    for step in workflow["jobs"]["verify"]["steps"]:
        condition = step.get("if", "")
        if "run" not in step or (failed and not condition):
            continue
        if "steps.base.outcome" in condition and codes[0]:
            continue
        if "== 'push'" in condition and event != "push":
            continue
        code, text = shell(step["run"], it.root, env)
        printed.append(text)
        codes.append(code)
        failed |= bool(code) and not step.get("continue-on-error")
        for line in (temp / "env").read_text().splitlines():
            name, _, value = line.partition("=")
            env[name] = value
    code = next((one for one in codes if one), 0) if failed else 0
    return Job(code, "".join(printed), (temp / "summary").read_text(), codes)


def gitlab(it: Project, path: str | None = None, **variables: str) -> Job:
    """Run the script of the GitLab job that is in a checkout."""
    job = yaml.safe_load(it.path(GITLAB).read_text("utf-8"))["eco-mem"]
    home = it.root.with_name(f"{it.root.name}-home")
    home.mkdir()
    env = {
        "CI": "true",
        "CI_PROJECT_DIR": str(it.root),
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        **job["variables"],
        **variables,
    }
    if path is not None:
        env["PATH"] = path
    code, text = shell("\n".join(job["script"]), it.root, env)
    report = it.path("eco-mem.json")
    return Job(code, text, report.read_text() if report.exists() else "", [code])


def without(program: str, folder: Path) -> str:
    """Return a PATH on which a program is missing."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for one in Path(place).glob("*") if Path(place).is_dir() else []:
            link = folder / one.name
            if one.name != program and not link.exists():
                link.symlink_to(one)
    return str(folder)


def with_checks(it: Project) -> Project:
    """Give a project the CI files of the template."""
    for path in (GITHUB, GITLAB):
        it.write(path, (TEMPLATE / path).read_bytes())
    return it
