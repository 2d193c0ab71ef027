"""Many repositories: a table of their state, and updates that touch no checkout."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import copier_project as lab
import pytest
from fleet import fleet

BRANCH = f"eco-mem-{lab.NOW}"
SKILL = f"{lab.SKILL}/SKILL.md"


@pytest.fixture(scope="module")
def folder(two_whole_versions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of repositories: behind, edited, dirty, and one without eco-mem."""
    root = tmp_path_factory.mktemp("fleet")
    older = ("--vcs-ref", lab.OLD)
    lab.fine(lab.copy(two_whole_versions, root / "behind", *older))
    lab.commit(root / "behind")
    for name in ("edited", "dirty"):
        shutil.copytree(root / "behind", root / name, symlinks=True)
    lab.change(root / "edited" / SKILL, lambda text: text.replace(lab.OLDER, "Ours."))
    lab.commit(root / "edited")
    lab.write(root / "dirty", {"draft.txt": "not yet\n"})
    lab.write(root / "other", {"README.md": "# Other\n"})
    lab.commit(root / "other")
    return root


class Update(NamedTuple):
    """One update of the whole folder: what was there before, and what was printed."""

    before: dict[str, dict[str, bytes]]
    heads: dict[str, str]
    code: int
    printed: str


@pytest.fixture(scope="module")
def updated(folder: Path) -> Update:
    """The folder, updated once."""
    names = ("behind", "edited", "dirty")
    before = {name: lab.tree(folder / name) for name in names}
    heads = {name: lab.git(folder / name, "rev-parse", "HEAD") for name in names}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = fleet.main(["--update", str(folder)])
    return Update(before, heads, code, out.getvalue())


def rows(text: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split() for line in text.splitlines()}


def test_the_table_has_a_row_for_each_repository_with_eco_mem(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fleet.main([str(folder)]) == 0
    table = rows(capsys.readouterr().out)
    assert table.keys() == {"repository", "behind", "dirty", "edited"}
    assert table["behind"][1:5] == [lab.OLD, lab.NOW, "main", "0"]
    assert table["dirty"][4] == "1"


def test_an_update_touches_no_checkout(folder: Path, updated: Update) -> None:
    for name, tree in updated.before.items():
        assert lab.tree(folder / name) == tree
        assert lab.git(folder / name, "rev-parse", "HEAD") == updated.heads[name]
        assert lab.git(folder / name, "worktree", "list").count("\n") == 1


def test_an_update_goes_to_a_branch_and_leaves_the_memory(
    folder: Path, updated: Update
) -> None:
    assert f"behind: updated: on {BRANCH}; verify:" in updated.printed
    changed = lab.git(folder / "behind", "diff", "--name-only", "main", BRANCH)
    assert SKILL in changed.splitlines()
    memory = [name for name in changed.splitlines() if name.startswith(lab.STORE)]
    assert all(name.endswith("INDEX.md") for name in memory)


def test_a_conflict_is_named_and_leaves_no_branch(
    folder: Path, updated: Update
) -> None:
    assert updated.code == 1
    assert f"edited: conflict: {SKILL}" in updated.printed
    assert BRANCH not in lab.git(folder / "edited", "branch")


def test_a_second_run_updates_nothing_again(
    folder: Path, updated: Update, capsys: pytest.CaptureFixture[str]
) -> None:
    head = lab.git(folder / "behind", "rev-parse", BRANCH)
    assert fleet.main(["--update", str(folder / "behind")]) == 0
    assert "current" in capsys.readouterr().out
    assert lab.git(folder / "behind", "rev-parse", BRANCH) == head


def test_an_update_that_was_stopped_is_not_taken_for_done(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(folder / "edited", tmp_path / "stopped", symlinks=True)
    lab.git(tmp_path / "stopped", "branch", BRANCH)
    assert fleet.main(["--update", str(tmp_path / "stopped")]) == 1
    assert f"the branch {BRANCH} has no update" in capsys.readouterr().out


def test_answers_that_cannot_be_read_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.write(tmp_path / "broken", {".copier-answers.yml": "# eco-mem\n_commit: [\n"})
    lab.commit(tmp_path / "broken")
    assert fleet.main(["--update", str(tmp_path / "broken")]) == 1
    assert ".copier-answers.yml is no YAML that names" in capsys.readouterr().out


def test_folders_without_eco_mem_are_a_clear_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fleet.main([str(folder / "other")]) == 2
    assert fleet.main([str(folder / "nowhere")]) == 2
    said = capsys.readouterr().err
    assert "has eco-mem" in said and "is no folder" in said


def test_the_script_for_other_drivers_updates_or_names_the_conflict(
    folder: Path, updated: Update, tmp_path: Path
) -> None:
    script = str(lab.SOURCE / "tools/fleet/update.sh")
    copier = tmp_path / "bin/copier"
    lab.write(
        tmp_path,
        {"bin/copier": f'#!/bin/sh\nexec "{sys.executable}" -m copier "$@"\n'},
    )
    copier.chmod(0o755)
    path = f"{copier.parent}{os.pathsep}{os.environ['PATH']}"
    codes = {}
    for name in ("behind", "edited", "other"):
        done = subprocess.run(
            ["sh", script],
            cwd=folder / name,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        codes[name] = done.returncode
        assert ("needs a person" in done.stderr) == (name == "edited"), done.stderr
    assert codes == {"behind": 0, "edited": 1, "other": 0}
    assert lab.OLDER not in lab.text(folder / "behind" / SKILL)
