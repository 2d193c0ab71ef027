"""Findings: their advice can be run as it is printed, and is safe to run."""

from __future__ import annotations

import pytest
from ecomem.findings import finding, summary_line

PATH = ".agents/memory/semantic/health-port.md"


def test_the_advice_names_path_and_slug_of_the_finding() -> None:
    tracked = finding("H05", ".agents/memory/working/a-desk.md", 1, "a-desk")
    assert "`git rm --cached .agents/memory/working/a-desk.md`" in tracked.message
    stale = finding("R09", PATH, 3, "health-port")
    assert "remember.py semantic health-port --confirm`" in stale.message


@pytest.mark.parametrize(
    "name", ["a b", "$(touch x)", "`id`", "a;b", "-rf", "caf\u00e9", "a\nb", "", "../*"]
)
def test_a_name_that_is_no_plain_word_is_not_put_into_a_command(name: str) -> None:
    assert "`git rm --cached PATH`" in finding("H05", name).message
    assert "semantic SLUG --confirm" in finding("R09", PATH, 1, name).message


def test_a_sentence_of_the_finding_itself_is_left_as_it_is() -> None:
    own = finding("R09", PATH, 1, "health-port", "It is old.", "Ask about SLUG.")
    assert own.message == "It is old. Ask about SLUG."


def test_a_summary_says_what_there_is() -> None:
    assert summary_line({}) == "eco-mem: an empty store"
    assert summary_line({"entries": 1, "infos": 1}) == "eco-mem: 1 entry, 1 note"
    counts = {"entries": 2, "errors": 1, "warnings": 3, "rebuilt": 2}
    assert summary_line(counts) == (
        "eco-mem: 2 entries, 2 catalogs rebuilt, 1 error, 3 warnings"
    )
