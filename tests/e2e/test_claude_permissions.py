"""The woven permissions: Claude Code does some things without asking, and no others.

It runs in the `default` mode and without a terminal, so whatever it would ask about is
refused.
"""

from __future__ import annotations

import re
from pathlib import Path

import copier_project
import pytest

from e2e.conftest import Agent, MakeAgent
from e2e.sample import ENTRY, INDEX, NEW, OLD, PATH, REMEMBER, ROW, VERIFY

RIGHTS = ("--permission-mode", "default")
SETTINGS = ".claude/settings.json"
PROTOCOL = f"{copier_project.SKILL}/SKILL.md"
MADE = "made.txt"
MAKE = f"open('{MADE}', 'w')\n"
PROGRAM = f"{copier_project.STORE}/semantic/program.py"


@pytest.fixture
def claude(agent: MakeAgent, project: Path) -> Agent:
    """Claude Code in a project with the woven permissions."""
    assert "permissions" in copier_project.text(project / SETTINGS)
    return agent("claude", project)


def state(project: Path) -> str:
    """Return what differs from what was laid down, entries too."""
    return copier_project.git(project, "status", "--porcelain", "--untracked-files=all")


def test_the_store_is_edited_and_verified_without_asking(
    claude: Agent, project: Path
) -> None:
    hands = claude.hands
    claude.run(
        hands.write(PATH, ENTRY),
        hands.edit(PATH, OLD, NEW),
        hands.shell(f"{VERIFY} --fix"),
        rights=RIGHTS,
    )
    assert copier_project.text(project / PATH) == ENTRY.replace(OLD, NEW)
    assert ROW in copier_project.text(project / INDEX)


def test_each_script_that_is_named_runs_without_asking(
    claude: Agent, project: Path
) -> None:
    named = re.findall(r'"Bash\((.+):\*\)"', copier_project.text(project / SETTINGS))
    assert VERIFY in named
    calls = [claude.hands.shell(f"{command} --help") for command in named]
    told = claude.run(*calls, rights=RIGHTS).results
    assert ["usage:" in text for text in told] == [True] * len(named)


def test_an_entry_is_remembered_from_a_quoted_heredoc_without_asking(
    claude: Agent, project: Path
) -> None:
    command = f"{REMEMBER} semantic health-port <<'END'\n{ENTRY}END"
    claude.run(claude.hands.shell(command), rights=RIGHTS)
    assert copier_project.text(project / PATH) == ENTRY
    assert ROW in copier_project.text(project / INDEX)


@pytest.mark.parametrize(
    "path",
    [PROTOCOL, f"{copier_project.STORE}/../skills/eco-mem/SKILL.md"],
    ids=["plain", "dots"],
)
def test_the_protocol_is_not_edited(path: str, claude: Agent, project: Path) -> None:
    hands = claude.hands
    run = claude.run(
        hands.read(path),
        hands.edit(path, "name: eco-mem", "name: mine"),
        hands.write(f"{Path(path).parent}/new.md", "new\n"),
        rights=RIGHTS,
    )
    assert "name: eco-mem" in run.results[0]
    assert "permission" in run.results[1]
    assert state(project) == ""


def test_nothing_else_is_written(claude: Agent, project: Path) -> None:
    paths = (
        "new.md",
        ".agents/new.md",
        ".claude/new.md",
        ".agents/skills/new/SKILL.md",
    )
    calls = [claude.hands.write(path, "new\n") for path in paths]
    assert len(claude.run(*calls, rights=RIGHTS).results) == len(calls)
    assert state(project) == ""


def test_no_other_command_runs(claude: Agent, project: Path) -> None:
    copier_project.write(
        project, {PROGRAM: MAKE, f"{copier_project.SKILL}/scripts/verify.pyx": MAKE}
    )
    commands = (
        f"touch {MADE}",
        f"{VERIFY} && touch {MADE}",
        f"{VERIFY}; touch {MADE}",
        f"{VERIFY}\ntouch {MADE}",
        f"{VERIFY} | tee {MADE}",
        f"{VERIFY} > {MADE}",
        f"{VERIFY} $(touch {MADE})",
        f"{VERIFY}x",
        f"python3 {PROGRAM}",
        f"python3 {copier_project.SKILL}/scripts/../../../memory/semantic/program.py",
    )
    calls = [claude.hands.shell(command) for command in commands]
    assert len(claude.run(*calls, rights=RIGHTS).results) == len(calls)
    assert not (project / MADE).exists()


def test_the_permissions_do_not_count_in_a_folder_nobody_trusts(
    claude: Agent, project: Path
) -> None:
    hands = claude.hands
    calls = (hands.write(PATH, ENTRY), hands.shell(VERIFY))
    run = claude.run(*calls, rights=RIGHTS, trusted=False)
    assert not (project / PATH).exists()
    assert "approval" in run.results[1]
