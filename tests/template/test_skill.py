"""The texts every task loads: within the limits of the Agent Skills specification
and of our own budgets, and complete."""

from __future__ import annotations

import re
from pathlib import Path

import frontmatter
import pytest
from bpe_openai import get_encoding
from store_project import MEMORY, SKILL, TEMPLATE

PAGE = TEMPLATE / SKILL / "SKILL.md"
PROTOCOL = PAGE.read_text("utf-8")
HEADER = frontmatter.loads(PROTOCOL).metadata
MAPS = sorted((TEMPLATE / MEMORY).glob("*/INDEX.md"))
BLOCK = (TEMPLATE.parent / "extensions/agents_block.md").read_text("utf-8")

# From the specification of Agent Skills, agentskills.io/specification.
MAX_NAME, MAX_DESCRIPTION = 64, 1024
KEYS = {
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
}
REFERENCES = sorted(set(re.findall(r"`(references/\S+)`", PROTOCOL)))
# Words with which users ask for a memory.
TRIGGERS = ("start of a task", "remember", "forget", "recall", "last time", "handover")


def tokens(text: str) -> int:
    """Return how many tokens a text has."""
    return len(get_encoding("cl100k_base").encode(text))


def test_its_name_is_its_folder_and_a_legal_name() -> None:
    name = str(HEADER["name"])
    assert name == PAGE.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= MAX_NAME


def test_its_description_is_short_enough_and_says_when_to_use_it() -> None:
    description = str(HEADER["description"])
    assert 1 <= len(description) <= MAX_DESCRIPTION
    assert "Use it" in description
    assert [word for word in TRIGGERS if word not in description] == []


def test_its_description_is_quoted_because_some_hosts_refuse_a_bare_colon() -> None:
    line = re.search(r"^description: (.*)$", PROTOCOL, re.MULTILINE)
    assert line and line[1].startswith('"') and line[1].endswith('"')


def test_it_has_no_key_that_the_specification_does_not_know() -> None:
    assert set(HEADER) <= KEYS


def test_the_protocol_keeps_its_budget() -> None:
    assert len(PROTOCOL.splitlines()) <= 200
    assert tokens(PROTOCOL) <= 2500


def test_the_protocol_is_at_most_80_columns_wide() -> None:
    lines = PROTOCOL.splitlines()
    wide = [line for line in lines if len(line) > 80]
    assert [line for line in wide if not line.startswith("description: ")] == []


def test_four_fresh_maps_keep_their_budget() -> None:
    assert len(MAPS) == 4
    assert sum(tokens(page.read_text("utf-8")) for page in MAPS) <= 900


@pytest.mark.parametrize("page", MAPS, ids=lambda page: str(page.parent.name))
def test_a_map_is_at_most_80_columns_wide(page: Path) -> None:
    assert max(map(len, page.read_text("utf-8").splitlines())) <= 80


@pytest.mark.parametrize("command", ["remember", "recall", "forget", "verify"])
def test_the_protocol_spells_out_how_to_run_each_command(command: str) -> None:
    assert f"python3 {SKILL}/scripts/{command}.py" in PROTOCOL


@pytest.mark.parametrize(
    "page", sorted(set(re.findall(r"`(references/\S+)`", PROTOCOL)))
)
def test_each_page_that_the_protocol_opens_is_there(page: str) -> None:
    assert (PAGE.parent / page).is_file()


@pytest.mark.parametrize("drawer", ["semantic", "episodic", "procedural"])
def test_a_durable_map_says_how_to_reach_the_archived_rows(drawer: str) -> None:
    contract = (TEMPLATE / MEMORY / drawer / "INDEX.md").read_text("utf-8")
    assert "ARCHIVE.md" in contract
    assert "recall.py WORD" in contract
    assert "grep -i WORD" in contract


def test_the_block_sends_rules_to_agents_md_and_facts_to_the_memory() -> None:
    block = " ".join(BLOCK.split())
    assert "Rules for everyone belong in `AGENTS.md`." in block
    assert "Facts, events and procedures belong in the memory" in block


@pytest.mark.parametrize("page", MAPS, ids=lambda page: str(page.parent.name))
def test_our_own_memory_has_the_contract_that_we_lay_down(page: Path) -> None:
    ours = (TEMPLATE.parent / MEMORY / page.parent.name / "INDEX.md").read_text("utf-8")
    end = "<!-- eco-mem:contract:end -->"
    assert ours.partition(end)[0] == page.read_text("utf-8").partition(end)[0]
