"""Fixtures: a forge with a project, and a clone in which a change is prepared."""

from __future__ import annotations

from pathlib import Path

import ci_runs
import pull_requests
import pytest
from store_project import SKILL, Project, well_kept


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A forge with a project that has a memory and CI; for reading only."""
    folder = tmp_path_factory.mktemp("forge")
    made = ci_runs.with_checks(well_kept(folder / "author"))
    made.write("app.py", "print('hello')\n")
    made.git("init", "-q", "--initial-branch=main")  # here, so that git has the scripts
    made.commit("the project")
    assert made.git("ls-files", f"{SKILL}/scripts/verify.py")
    made.write("app.py", "print('hello again')\n")
    made.commit("more code")
    return folder / "author"


@pytest.fixture
def author(published: Path, tmp_path: Path) -> Project:
    """A clone in which a pull request is prepared, on the branch `topic`."""
    return pull_requests.copy_of(published, tmp_path)
