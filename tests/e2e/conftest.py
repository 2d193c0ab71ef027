"""Fixtures: installed clients, and projects that the real Copier made."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import copier_project
import pytest

from e2e import clients
from e2e.clients import ALL, CLIENTS, Run, Step
from e2e.hands import Hands


class Agent:
    """A client in a project, driven by whatever script a test has for it."""

    def __init__(self, name: str, project: Path, scratch: Path) -> None:
        self.hands = Hands(name, project)
        self._scratch = scratch

    def run(
        self,
        *script: Step,
        rights: Sequence[str] | None = None,
        trusted: bool = True,
        prompt: str = clients.PROMPT,
    ) -> Run:
        """Run the script to its end; see `clients.run`."""
        where = (*self.hands, self._scratch)
        done = clients.run(*where, script, rights, trusted, prompt)
        assert done.code == 0, done.stdout + done.stderr
        return done


MakeAgent = Callable[[str, Path], Agent]
GUARD = ("--data", "guard=true")


class Lay(Protocol):
    """Copies the template for some hosts into a new repository.

    It is given the files that the repository has before; `-> TARGET` is a link.
    """

    def __call__(self, hosts: str, before: Mapping[str, str], *options: str) -> Path:
        """Return the root of the repository."""
        ...


@pytest.fixture(scope="session")
def missing() -> Mapping[str, str]:
    """The reason why each client cannot be run here, empty for those that can."""
    why = clients.why_not_offline()
    return dict.fromkeys(ALL, why) if why else clients.install([*ALL])


@pytest.fixture(scope="session")
def agent(
    missing: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory
) -> MakeAgent:
    """A function that returns a client, with a home of its own, or skips the test."""

    def make(name: str, project: Path) -> Agent:
        if missing[name]:
            pytest.skip(f"{name}: {missing[name]}")
        return Agent(name, project, tmp_path_factory.mktemp(name))

    return make


@pytest.fixture(scope="session")
def lay(whole_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Lay:
    """A function that copies the template for some hosts into a new repository."""

    def laid(hosts: str, before: Mapping[str, str], *options: str) -> Path:
        root = tmp_path_factory.mktemp("laid") / "project"
        root.mkdir()
        for name, content in before.items():
            if content.startswith("-> "):
                (root / name).symlink_to(content.removeprefix("-> "))
            else:
                copier_project.write(root, {name: content})
        copier_project.commit(root)
        done = copier_project.copy(whole_template, root, *options, hosts=hosts)
        copier_project.fine(done)
        copier_project.commit(root)
        return root

    return laid


@pytest.fixture(scope="session")
def for_all(lay: Lay) -> Path:
    """A repository that eco-mem was copied into for every client; for reading only."""
    return lay(", ".join(CLIENTS), {})


@pytest.fixture(scope="session")
def guarded(lay: Lay) -> Path:
    """The same with the guard; for reading only."""
    hosts = dict.fromkeys(name.partition("-")[0] for name in ALL)
    return lay(", ".join(hosts), {}, *GUARD)


@pytest.fixture
def project(for_all: Path, tmp_path: Path) -> Path:
    """Such a repository, of the test's own."""
    return shutil.copytree(for_all, tmp_path / "project", symlinks=True)
