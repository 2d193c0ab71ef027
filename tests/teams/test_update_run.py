"""The update workflow, run as a whole: a real Copier, a real forge, both jobs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import ci_runs
import copier_project as lab
import pytest
import yaml
from github_runner import Job, Runner
from pull_requests import slow
from store_project import TEMPLATE

PATH = ".github/workflows/eco-mem-update.yml"
WORKFLOW = yaml.safe_load((TEMPLATE / PATH).read_text("utf-8"))
BRANCH = f"eco-mem-{lab.NOW}"
TOKEN = "a-token-that-may-write"
# What the machine of a forge has. `copier` is the real one, and notes that it ran.
NOTE = 'echo ran >> "$RUNNER_TEMP/copier-ran"'
PROGRAMS = {
    "pipx": "exit 0",
    "uv": "exit 0",
    "gh": 'echo "gh $*"; [ "$2" != view ]',
    "copier": f'{NOTE}; exec "{sys.executable}" -m copier "$@"',
}

pytestmark = slow


class Machines(NamedTuple):
    """A bare repository, and a new machine for each job."""

    forge: Path
    folder: Path
    programs: Path
    artifacts: Path

    def run(self, name: str, **needs: Job) -> Job:
        """Run one job of the workflow on a machine of its own."""
        temp = self.folder / f"{name}-temp"
        temp.mkdir()
        runner = Runner(
            self.folder / name,
            temp,
            {"event_name": "schedule", "event": {}, "token": "read-only"},
            {"ECO_MEM_TOKEN": TOKEN},
            {
                "actions/checkout": self.checkout,
                "actions/upload-artifact": self.upload,
                "actions/download-artifact": self.download,
            },
            {
                "HOME": str(temp),
                "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
                "GIT_CONFIG_GLOBAL": str(temp / "gitconfig"),
            },
        )
        return runner.run(WORKFLOW, name, **needs)

    def checkout(self, inputs: Mapping[str, str], workspace: Path) -> None:
        """Clone the default branch, as `actions/checkout` does on a schedule."""
        assert inputs == {"fetch-depth": "0", "persist-credentials": "False"}
        head = lab.git(self.forge, "rev-parse", "main").strip()
        ci_runs.clone(self.forge, head, workspace)

    def upload(self, inputs: Mapping[str, str], _workspace: Path) -> None:
        """Keep a file of one job for the other."""
        (self.artifacts / inputs["name"]).mkdir(parents=True)
        shutil.copy(inputs["path"], self.artifacts / inputs["name"])

    def download(self, inputs: Mapping[str, str], _workspace: Path) -> None:
        """Put the files of an artifact into a folder."""
        shutil.copytree(
            self.artifacts / inputs["name"], inputs["path"], dirs_exist_ok=True
        )

    def both(self) -> tuple[Job, Job]:
        """Run the job that merges, then the one that proposes."""
        merge = self.run("merge")
        return merge, self.run("propose", merge=merge)

    def branches(self) -> list[str]:
        """The branches of the forge."""
        form = "--format=%(refname:short)"
        return lab.git(self.forge, "for-each-ref", form, "refs/heads").split()


def machines(project: Path, folder: Path) -> Machines:
    """Publish a project on a bare repository."""
    lab.git(folder, "clone", "-q", "--bare", str(project), "forge.git")
    lab.git(folder / "forge.git", "config", "uploadpack.allowAnySHA1InWant", "true")
    programs = folder / "programs"
    programs.mkdir()
    for name, script in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    return Machines(folder / "forge.git", folder, programs, folder / "artifacts")


def test_an_update_is_merged_by_one_job_and_proposed_by_the_other(
    old: Path, tmp_path: Path
) -> None:
    lab.write(old, {f"{lab.STORE}/semantic/port.md": "# As it was\n", "app.py": "1\n"})
    lab.commit(old)
    made = machines(old, tmp_path)
    main = lab.git(made.forge, "rev-parse", "main")
    merge, propose = made.both()
    assert (merge.code, propose.code) == (0, 0), merge.text + propose.text
    assert merge.outputs == {"version": lab.NOW}
    assert made.branches() == [BRANCH, "main"]
    assert lab.git(made.forge, "rev-parse", "main") == main
    assert f"gh pr create --draft --head {BRANCH}" in propose.text
    # Only the first machine ran Copier; only the second one was given the token.
    assert (tmp_path / "merge-temp/copier-ran").exists()
    assert not (tmp_path / "propose-temp/copier-ran").exists()
    assert TOKEN not in merge.text + propose.text

    # The branch is what `copier update` makes of the project, and no memory changed.
    lab.fine(lab.update(old, "--skip-answered"))
    lab.git(old, "add", "-A")
    tree = lab.git(old, "write-tree")
    assert lab.git(made.forge, "rev-parse", f"{BRANCH}^{{tree}}") == tree
    changed = lab.git(made.forge, "diff", "--name-only", "main", BRANCH).splitlines()
    assert f"{lab.SKILL}/SKILL.md" in changed
    assert not {f"{lab.STORE}/semantic/port.md", "app.py"} & {*changed}


def test_a_project_that_is_up_to_date_ends_quietly(old: Path, tmp_path: Path) -> None:
    lab.fine(lab.update(old))
    lab.commit(old)
    made = machines(old, tmp_path)
    merge, propose = made.both()
    assert (merge.code, merge.outputs) == (0, {"version": ""}), merge.text
    assert "Up to date." in merge.text
    assert propose.steps == []
    assert made.branches() == ["main"]


def test_a_conflict_names_its_files_and_proposes_nothing(
    old: Path, tmp_path: Path
) -> None:
    skill = f"{lab.SKILL}/SKILL.md"
    lab.change(old / skill, lambda text: text.replace(lab.OLDER, "Ours."))
    lab.commit(old)
    made = machines(old, tmp_path)
    merge, propose = made.both()
    assert merge.code == 1
    assert f"- `{skill}`" in merge.summary
    assert "::error title=eco-mem::The update conflicts" in merge.text
    assert propose.steps == []
    assert made.branches() == ["main"]
    assert not made.artifacts.exists()


@pytest.mark.parametrize(
    "path", ["app.py", f"{lab.STORE}/semantic/port.md"], ids=["code", "an entry"]
)
def test_a_template_that_writes_elsewhere_gets_nothing_proposed(
    old: Path, two_versions: Path, tmp_path: Path, path: str
) -> None:
    evil = tmp_path / "evil"
    shutil.copytree(two_versions, evil, symlinks=True)
    migration = f"\n_migrations:\n  - echo evil >> {path}\n"
    lab.change(
        evil / "copier.yml", lambda text: text.replace("\n_migrations:\n", migration)
    )
    lab.commit(evil)
    lab.git(evil, "tag", "-f", lab.NOW)
    lab.change(
        old / ".copier-answers.yml",
        lambda text: text.replace(str(two_versions), str(evil)),
    )
    lab.write(old, {path: "As it was.\n"})
    lab.commit(old)
    made = machines(old, tmp_path)
    merge, propose = made.both()
    assert merge.code == 0, merge.text
    assert propose.code == 1, propose.text
    assert f"not of eco-mem, so nothing was proposed: {path}" in propose.text
    assert made.branches() == ["main"]
