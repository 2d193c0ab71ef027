"""The questions, asked and answered in a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import copier_project
import pytest

pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
DOWN = "\x1b[B"


@pytest.mark.oldest
def test_hosts_can_be_chosen_by_hand(template: Path, project: Path) -> None:
    copier_project.write(project, {"CLAUDE.md": "# Mine\n"})
    words = ["-m", "copier", "copy", "--trust", str(template), str(project)]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=60)
    child.expect("Which agent programs work in this")
    child.expect("Claude Code")
    child.expect("Any other host")
    child.send(" ")  # claude was found, and is taken back
    child.send(DOWN + " ")  # codex
    child.send(DOWN * 2 + " ")  # gemini
    child.send("\r")
    child.expect("Install the guard")
    child.send("\r")
    child.expect("pre-commit or prek")
    child.send("\r")  # no checks
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0, child.before
    assert copier_project.record(project)["hosts"] == ["codex", "gemini"]
    assert copier_project.text(project / "CLAUDE.md") == "# Mine\n"
    assert "@./AGENTS.md" in copier_project.text(project / "GEMINI.md")
