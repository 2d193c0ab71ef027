"""An older eco-mem is changed in place, after a real copy of the template over it."""

from __future__ import annotations

from pathlib import Path

import copier_project
import memories
from old_memory import empty_store, killed, run
from store_project import MEMORY, Project


def test_a_copy_over_an_older_store_migrates_and_is_green_on_a_branch(
    whole_template: Path, tmp_path: Path
) -> None:
    project = Project(tmp_path / "project")
    for name, text in memories.OLD_STORE.items():
        project.write(name, text + ("\n2 entries.\n" if "INDEX" in name else ""))
    project.git("init", "--quiet", "--initial-branch=main")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "older store")
    copier_project.fine(
        copier_project.copy(whole_template, project.root, "--overwrite", hosts="claude")
    )
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "eco-mem")
    before = project.snapshot()
    shown = run(project, "--plan")
    assert "3 entries gain a cue" in shown.out
    assert project.snapshot() == before
    project.git("checkout", "--quiet", "-b", "migrated")
    assert run(project, "--apply").code == 0
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "migrated")
    assert project.verify("--base", "main").code == 0
    for name, text in memories.OLD_STORE.items():
        if "INDEX" not in name:
            body = text.partition("\n\n- ")[2].partition("\n\n")[2]
            assert project.path(name).read_text("utf-8").endswith("\n\n" + body)
    index = project.path(f"{MEMORY}/semantic/INDEX.md").read_text("utf-8")
    assert "A line of our own." in index
    assert "2 entries." not in index
    assert "| slug |" not in index


def test_a_run_in_place_that_is_killed_anywhere_goes_on_when_it_is_run_again(
    tmp_path: Path,
) -> None:
    whole = older_store(tmp_path / "whole")
    assert run(whole, "--apply").code == 0
    assert "gone.md" in whole.path(f"{MEMORY}/semantic/ARCHIVE.md").read_text("utf-8")
    codes: list[int] = []
    for call in range(2, 30, 3):  # not each, as a run takes a second
        project = older_store(tmp_path / str(call))
        codes.append(killed(project, call, "--apply"))
        if codes[-1] == 9:
            assert run(project, "--apply").code == 0
        assert project.snapshot() == whole.snapshot()
        if codes[-1] != 9:
            break
    assert codes[-1] == 0
    assert len(codes) > 3


def older_store(folder: Path) -> Project:
    """An older store with today's scripts laid over it, committed."""
    project = empty_store(folder)
    for name, text in memories.OLD_STORE.items():
        project.write(name, text)
    project.commit("older store")
    return project
