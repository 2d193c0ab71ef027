"""Fixtures: templates made from the working tree, in a world of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import lab
import pytest
import stores
from hook_hosts import NAMES, Host
from hypothesis import settings

settings.register_profile("lab", deadline=None)  # machines are slow at times
settings.load_profile("lab")


@pytest.fixture(scope="session", autouse=True)
def _isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the settings of this machine out of every test."""
    before = dict(os.environ)
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in before else base
    lab.isolate(tmp_path_factory.mktemp("machine") / "home", shared / "bytecode")
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template as it is in the working tree, uncommitted changes too."""
    root = tmp_path_factory.mktemp("template") / "eco-mem"
    lab.source_to(root)
    lab.commit(root, tag=lab.NOW)
    return root


@pytest.fixture(scope="session")
def two_versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An older release of the template, followed by the working tree."""
    root = tmp_path_factory.mktemp("releases") / "eco-mem"
    lab.source_to(root)
    lab.make_older(root)
    lab.commit(root, tag=lab.OLD)
    lab.git(root, "rm", "-rqf", ".")
    lab.source_to(root)
    lab.commit(root, tag=lab.NOW)
    return root


@pytest.fixture(scope="session")
def first(two_versions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that the older release was copied into; for reading only."""
    root = tmp_path_factory.mktemp("first") / "project"
    lab.fine(lab.copy(two_versions, root, "--vcs-ref", lab.OLD))
    lab.commit(root)
    assert lab.OLDER in lab.text(root / "AGENTS.md")
    return root


@pytest.fixture
def old(first: Path, project: Path) -> Path:
    """A project of its own, as the older release laid it down."""
    shutil.copytree(first, project, symlinks=True)
    return project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder that does not exist yet."""
    return tmp_path / "project"


@pytest.fixture(params=NAMES)
def host(request: pytest.FixtureRequest, project: stores.Project) -> Host:
    """Each host in turn, in the project of a test of the guard."""
    return Host(str(request.param), project)


@pytest.fixture
def claude(project: stores.Project) -> Host:
    """One host, where all are alike."""
    return Host("claude", project)
