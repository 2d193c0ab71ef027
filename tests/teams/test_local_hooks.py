"""The check that a local hook runs judges the commit that is about to be made."""

from __future__ import annotations

from pathlib import Path

import yaml
import yaml_edit
from copier_project import SOURCE
from store_project import Project, well_kept


def hooked(tmp_path: Path) -> Project:
    """A project whose memory is committed."""
    made = well_kept(tmp_path / "project")
    made.commit("the memory")
    return made


def test_a_commit_that_only_deletes_an_entry_is_judged(tmp_path: Path) -> None:
    made = hooked(tmp_path)
    assert made.verify("--staged").code == 0
    made.git("rm", "-q", ".agents/memory/semantic/health-port.md")
    done = made.verify("--staged")
    assert done.code == 1
    assert "C01" in {item.code for item in done.told}


def test_a_bad_file_that_is_not_staged_does_not_stop_a_commit(tmp_path: Path) -> None:
    made = hooked(tmp_path)
    made.write(".agents/memory/semantic/bad.md", "no entry\n")
    assert made.verify("--staged").code == 0
    made.git("add", "-A")
    assert made.verify("--staged").code == 1


def test_the_hook_with_a_rev_is_the_local_one() -> None:
    (hook,) = yaml.safe_load((SOURCE / ".pre-commit-hooks.yaml").read_text("utf-8"))
    del hook["description"]
    assert hook == yaml_edit.HOOK
