"""First use in each host: what its model is shown, and that it can keep memory."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import copier_project
import pytest

from e2e.clients import CLIENTS, Run
from e2e.conftest import Lay, MakeAgent
from e2e.sample import ENTRY, INDEX, NEW, OLD, PATH, ROW, VERIFY

BLOCK = copier_project.text(copier_project.SOURCE / "extensions/agents_block.md")
SKILL = copier_project.text(
    copier_project.SOURCE / "template" / copier_project.SKILL / "SKILL.md"
)
DESCRIPTION = re.findall(r'^description: "(.+)"$', SKILL, re.MULTILINE)[0]
ONCE = {"skill": 1, "block": 1}

OWN = "# House rules\n\nBe kind.\n"
# A host, the file it loads in place of AGENTS.md, and what that file held before.
BRIDGES = {
    "claude-absent": ("claude", "CLAUDE.md", None),
    "claude-own-text": ("claude", "CLAUDE.md", OWN),
    "claude-pointer": ("claude", "CLAUDE.md", "@AGENTS.md\n"),
    "gemini-absent": ("gemini", "GEMINI.md", None),
    "gemini-own-text": ("gemini", "GEMINI.md", OWN),
}


class Use(NamedTuple):
    """A project that a model has written an entry in, and the run in which it did."""

    project: Path
    run: Run


def shown(run: Run) -> dict[str, int]:
    """Return how often the first request has what a model must know of eco-mem."""
    text = _plain(run.requests[0].text)
    wanted = {"skill": DESCRIPTION, "block": BLOCK}
    return {name: text.count(_plain(one)) for name, one in wanted.items()}


def _plain(text: str) -> str:
    """Return a text as if no client had wrapped, indented or escaped it."""
    return " ".join(html.unescape(text).split())


@pytest.fixture(scope="module", params=CLIENTS)
def use(
    request: pytest.FixtureRequest,
    agent: MakeAgent,
    for_all: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Use:
    """The calls that a model made with the tools of its host, and nothing else."""
    root = tmp_path_factory.mktemp("use") / "project"
    shutil.copytree(for_all, root)
    client = agent(request.param, root)
    hands = client.hands
    run = client.run(
        hands.read(INDEX),
        hands.write(PATH, ENTRY),
        hands.edit(PATH, OLD, NEW),
        hands.shell(f"{VERIFY} --fix"),
    )
    return Use(root, run)


@pytest.fixture(scope="module")
def linked(lay: Lay) -> Path:
    """A repository for every client in which CLAUDE.md was a link to AGENTS.md."""
    return lay(", ".join(CLIENTS), {"AGENTS.md": OWN, "CLAUDE.md": "-> AGENTS.md"})


def test_the_model_is_shown_the_skill_and_the_block_once(use: Use) -> None:
    assert shown(use.run) == ONCE


def test_the_model_reads_a_map(use: Use) -> None:
    assert "# Semantic" in use.run.results[0]


def test_the_model_writes_an_entry(use: Use) -> None:
    assert copier_project.text(use.project / PATH) == ENTRY.replace(OLD, NEW)


def test_the_model_has_verify_put_the_entry_on_the_map(use: Use) -> None:
    assert ROW in copier_project.text(use.project / INDEX)
    checked = copier_project.run(*VERIFY.split(), "--strict", cwd=use.project)
    assert checked.rc == 0, checked.text


@pytest.mark.parametrize("name", CLIENTS)
def test_both_are_shown_once_where_claude_md_is_a_link_to_agents_md(
    name: str, agent: MakeAgent, linked: Path, tmp_path: Path
) -> None:
    project = shutil.copytree(linked, tmp_path / "project", symlinks=True)
    assert (project / "CLAUDE.md").is_symlink()
    assert shown(agent(name, project).run()) == ONCE


@pytest.mark.parametrize("name, instructions, before", BRIDGES.values(), ids=BRIDGES)
def test_both_are_shown_once_by_way_of_an_instruction_file_of_the_host(
    name: str, instructions: str, before: str | None, agent: MakeAgent, lay: Lay
) -> None:
    project = lay(name, {} if before is None else {instructions: before})
    assert (project / instructions).is_file()
    assert shown(agent(name, project).run()) == ONCE
