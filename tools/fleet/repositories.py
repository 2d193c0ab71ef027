"""One repository of a fleet: which eco-mem it has, and how its memory is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from packaging.version import InvalidVersion, Version

SIGNATURE = "^# eco-mem"  # how the answers file of this template begins
SCRIPTS = ".agents/skills/eco-mem/scripts"


class Project(NamedTuple):
    """A folder that eco-mem was copied into; mostly the root of a repository."""

    repository: Path
    folder: str  # below the repository, "" for its root
    answers_file: str  # below the folder
    answers: Mapping[str, Any]

    @property
    def root(self) -> Path:
        """The folder in the file system."""
        return self.repository / self.folder

    @property
    def version(self) -> str:
        """The version that was copied or updated to last."""
        return str(self.answers.get("_commit", ""))

    @property
    def source(self) -> str:
        """The address of the template."""
        return str(self.answers.get("_src_path", ""))


class Health(NamedTuple):
    """The state of one memory, as its own verify.py sees it."""

    entries: str
    errors: str
    due: str
    problem: str


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command without a terminal and return what it printed."""
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "NO_COLOR": "1"},
    )


def git(cwd: Path, *words: str) -> str:
    """Return what git prints, without its last line end; "" where it fails."""
    return run("git", *words, cwd=cwd).stdout.rstrip("\n")


def repositories(folders: list[Path]) -> list[Path]:
    """Return the git repositories among some folders and directly below them."""
    found: list[Path] = []
    for folder in folders:
        inner = sorted(path for path in folder.iterdir() if path.is_dir())
        for path in (folder, *inner):
            if (path / ".git").exists() and path.resolve() not in found:
                found.append(path.resolve())
    return found


def projects(repository: Path) -> list[Project]:
    """Return the folders of a repository that this template was copied into."""
    pathspecs = (":(glob).copier-answers*.yml", ":(glob)**/.copier-answers*.yml")
    listed = git(repository, "grep", "-l", "-z", SIGNATURE, "--", *pathspecs)
    found: list[Project] = []
    for name in sorted(name for name in listed.split("\0") if name):
        folder, _, file = name.rpartition("/")
        try:
            answers = yaml.safe_load((repository / name).read_text("utf-8"))
        except (OSError, ValueError, yaml.YAMLError):
            answers = None
        mine = answers if isinstance(answers, dict) else {}
        found.append(Project(repository, folder, file, mine))
    return found


def newest(source: str, known: dict[str, str]) -> str:
    """Return the newest version tag of a template; each address is asked once."""
    if source not in known:
        listed = run("git", "ls-remote", "--tags", "--refs", source, cwd=Path.cwd())
        names = [line.rpartition("/")[2] for line in listed.stdout.splitlines()]
        versions = [name for name in names if as_version(name) is not None]
        known[source] = max(
            versions, key=lambda name: as_version(name) or Version("0"), default=""
        )
    return known[source]


def as_version(name: str) -> Version | None:
    """Return a tag as a version that is no pre-release, else None."""
    try:
        version = Version(name)
    except InvalidVersion:
        return None
    return None if version.is_prerelease else version


def is_behind(project: Project, latest: str) -> bool:
    """Return true if a project has an older version than the newest."""
    mine, theirs = as_version(project.version.partition("-")[0]), as_version(latest)
    return theirs is not None and (mine is None or mine < theirs)


def health(project: Project) -> Health:
    """Run the project's own verify.py and count its findings."""
    script = project.root / SCRIPTS / "verify.py"
    if not script.is_file():
        return Health("", "", "", "no scripts")
    done = run(sys.executable, script, "--format", "json", cwd=project.root)
    try:
        report = json.loads(done.stdout)
        summary, findings = report["summary"], report["findings"]
    except (ValueError, KeyError, TypeError):
        return Health("", "", "", "verify could not run")
    due = {
        each["path"]
        for each in findings
        if each["code"][0] == "R" and each["level"] == "warning"
    }
    return Health(str(summary["entries"]), str(summary["errors"]), str(len(due)), "")
