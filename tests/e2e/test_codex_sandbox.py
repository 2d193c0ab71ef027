"""The woven setting opens a part of the real sandbox of Codex, and no more."""

from __future__ import annotations

from pathlib import Path

import copier_project
import pytest

from e2e.conftest import Agent, MakeAgent

RIGHTS = ("-s", "workspace-write")
PROJECT = {"new.md"}
STORE = {
    f"{copier_project.STORE}/semantic/new.md",
    f"{copier_project.STORE}/working/new/new.md",
}
SHUT = {
    f"{copier_project.SKILL}/new.md",
    f"{copier_project.SKILL}/scripts/new.py",
    ".agents/new.md",
    ".agents/new/new.md",
    ".codex/new.toml",
}
BY_SHELL = ".by-shell"


@pytest.fixture
def codex(agent: MakeAgent, project: Path) -> Agent:
    """Codex in a project whose woven setting is in place."""
    assert "../.agents/memory" in copier_project.text(project / ".codex/config.toml")
    return agent("codex", project)


def writable(codex: Agent, trusted: bool = True) -> set[str]:
    """Return where the model could write a file, by a patch as well as by the shell."""
    hands = codex.hands
    paths = sorted(PROJECT | STORE | SHUT)
    patches = [hands.write(path, "new\n") for path in paths]
    commands = [
        hands.shell(f"mkdir -p {Path(path).parent}; echo new > {path}{BY_SHELL}")
        for path in paths
    ]
    codex.run(*patches, *commands, rights=RIGHTS, trusted=trusted)
    patched = {path for path in paths if (hands.project / path).exists()}
    shelled = {path for path in paths if (hands.project / (path + BY_SHELL)).exists()}
    assert patched == shelled
    return patched


def test_the_setting_opens_the_store_and_nothing_else_under_agents(
    codex: Agent,
) -> None:
    assert writable(codex) == PROJECT | STORE


def test_without_the_setting_the_store_is_shut(codex: Agent, project: Path) -> None:
    (project / ".codex/config.toml").unlink()
    assert writable(codex) == PROJECT


def test_the_setting_does_not_count_in_a_project_nobody_trusts(codex: Agent) -> None:
    assert writable(codex, trusted=False) == PROJECT
