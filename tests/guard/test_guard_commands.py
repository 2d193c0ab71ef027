"""Commands that must pass the guard, and commands that must not, by the hundred.

`commands/pass.txt` and `commands/refuse.txt` hold them, parted by lines of `%%`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import store_project
from guard_hosts import HOOK, Host

LISTS = Path(__file__).parent / "commands"
REGISTRATION = json.dumps(
    {"hooks": {"PreToolUse": [{"hooks": [{"command": f"python3 {HOOK}"}]}]}}
)
REGISTERED = (
    ".claude/settings.json",
    ".codex/hooks.json",
    ".github/hooks/eco-mem.json",
    ".opencode/plugin/eco-mem.js",
)


def commands(name: str) -> list[str]:
    """The commands of a list."""
    return (LISTS / name).read_text("utf-8").rstrip("\n").split("\n%%\n")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    """A host in a project with twelve facts, and one more without a row."""
    project = store_project.well_kept(tmp_path_factory.mktemp("commands") / "project")
    project.script()
    for number in range(1, 13):
        project.entry("semantic", f"fact-{number}")
    project.entry("semantic", "stray", listed=False)
    for name in REGISTERED:
        project.write(name, REGISTRATION)
    project.write("README.md", "# x\n")
    project.write("x/settings.json", "{}\n")
    project.write(".agents/skills/other/SKILL.md", "x\n")
    project.write(".agents/skills/other/tool.py", "import argparse\n")
    return Host("claude", project)


def refused(host: Host, at: int, command: str) -> bool:
    """Return True if a command, the first of its session, is refused; a fault fails."""
    event = host._replace(session=f"s{at}").shell(command)
    answer = host.answer(event)
    assert "guard failed" not in answer.err, command
    return answer.denied


def test_commands_that_harm_nothing_pass(host: Host) -> None:
    listed = commands("pass.txt")
    wrong = [c for at, c in enumerate(listed) if refused(host, at, c)]
    assert len(listed) > 150
    assert wrong == []


def test_commands_that_read_or_change_too_much_are_refused(host: Host) -> None:
    listed = commands("refuse.txt")
    wrong = [c for at, c in enumerate(listed) if not refused(host, at, c)]
    assert len(listed) > 200
    assert wrong == []
