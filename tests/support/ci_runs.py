"""Runs the steps of a laid-down CI file in real checkouts, with a runner's environment.

A forge is a bare repository. A checkout is what `actions/checkout` or a GitLab runner
makes of it: a fetch of one commit, of some depth, detached.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import yaml
from github_runner import Job, Runner, Step
from store_project import TEMPLATE, Project, environment

GITHUB = ".github/workflows/eco-mem.yml"
GITLAB = ".gitlab/eco-mem.yml"
ZEROS = "0" * 40


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


def clone(
    forge: Path, commit: str, folder: Path, depth: int = 0, branches: str = "*"
) -> Project:
    """Check one commit of a forge out, detached.

    If depth is 0, all tags and branches come along: all that the forge has, or those
    that `branches` names.
    """
    made = Project(folder)
    folder.mkdir(parents=True)
    made.git("init", "-q")
    made.git("remote", "add", "origin", f"file://{forge}")
    limit = (f"--depth={depth}",) if depth else ()
    heads = f"+refs/heads/{branches}:refs/remotes/origin/{branches}"
    refs = () if depth else (heads, "+refs/tags/*:refs/tags/*")
    made.git("fetch", "-q", "--no-tags", *limit, "origin", *refs, commit)
    made.git("checkout", "-q", "--detach", commit)
    return made


def github(
    it: Project,
    event: str,
    before: str = "",
    path: str | None = None,
) -> Job:
    """Run the workflow that is in a checkout on one kind of event.

    before: the commit that the event names as the one before, if it names any.
    """
    workflow = yaml.safe_load(it.path(GITHUB).read_text("utf-8"))
    merge_group = {"base_sha": before} if event == "merge_group" else {}
    pushed = {"before": before} if event == "push" else {}
    told = {
        "event_name": event,
        "base_ref": "main" if event == "pull_request" else "",
        "event": {"merge_group": merge_group, **pushed},
    }
    temp = it.root.with_name(f"{it.root.name}-temp")
    temp.mkdir()
    env = {} if path is None else {"PATH": path}
    # `clone` has made the checkout. Secrets are empty, as they are for a fork.
    actions = {"actions/checkout": lambda _inputs, _workspace: None}
    runner = Runner(it.root, temp, told, {}, actions, env)
    return runner.run(workflow, "verify")


def gitlab(it: Project, path: str | None = None, **variables: str) -> Job:
    """Run the script of the GitLab job that is in a checkout."""
    job = yaml.safe_load(it.path(GITLAB).read_text("utf-8"))["eco-mem"]
    home = it.root.with_name(f"{it.root.name}-home")
    home.mkdir()
    env = {
        "CI": "true",
        "CI_PROJECT_DIR": str(it.root),
        "PYTHONPYCACHEPREFIX": "",  # a runner has none
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        **job["variables"],
        **variables,
    }
    if path is not None:
        env["PATH"] = path
    code, text = shell("\n".join(job["script"]), it.root, env)
    report = it.path("eco-mem.json")
    outcome = "failure" if code else "success"
    steps = [Step("script", True, outcome, code)]
    return Job(code, text, report.read_text() if report.is_file() else "", steps, {})


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
