"""Fixtures: templates made from the working tree, in a world of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import copier_project
import pytest
import store_project
from ecomem import baseline
from guard_hosts import NAMES, Host
from hypothesis import HealthCheck, settings

# Machines are slow at times.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", patient, max_examples=25)
settings.register_profile("thorough", patient, max_examples=500)
settings.load_profile("quick")  # `nox -s thorough` takes the other


@pytest.fixture(scope="session", autouse=True)
def _isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the settings of this machine out of every test."""
    before = dict(os.environ)
    for name in ("CI", *baseline.TARGETS):
        os.environ.pop(name, None)
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in before else base
    copier_project.isolate(
        tmp_path_factory.mktemp("machine") / "home", shared / "bytecode"
    )
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template as it is in the working tree, with few of the scripts."""
    root = tmp_path_factory.mktemp("template") / "eco-mem"
    copier_project.light_source_to(root)
    copier_project.commit(root, tag=copier_project.NOW)
    return root


@pytest.fixture(scope="session")
def whole_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template as it is in the working tree, uncommitted changes too."""
    root = tmp_path_factory.mktemp("whole-template") / "eco-mem"
    copier_project.source_to(root)
    copier_project.commit(root, tag=copier_project.NOW)
    return root


@pytest.fixture(scope="session")
def two_versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An older release of the template, followed by the working tree; few scripts."""
    root = tmp_path_factory.mktemp("releases") / "eco-mem"
    return copier_project.make_releases(root, copier_project.light_source_to)


@pytest.fixture(scope="session")
def two_whole_versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An older release of the template, followed by the working tree."""
    root = tmp_path_factory.mktemp("whole-releases") / "eco-mem"
    return copier_project.make_releases(root, copier_project.source_to)


@pytest.fixture(scope="session")
def first(two_versions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that the older release was copied into; for reading only."""
    root = tmp_path_factory.mktemp("first") / "project"
    copier_project.fine(
        copier_project.copy(two_versions, root, "--vcs-ref", copier_project.OLD)
    )
    copier_project.commit(root)
    assert copier_project.OLDER in copier_project.text(root / "AGENTS.md")
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
def host(request: pytest.FixtureRequest, project: store_project.Project) -> Host:
    """Each host in turn, in the project of a test of the guard."""
    return Host(str(request.param), project)


@pytest.fixture
def claude(project: store_project.Project) -> Host:
    """One host, where all are alike."""
    return Host("claude", project)
