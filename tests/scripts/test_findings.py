"""Findings: their advice can be run as it is printed, and is safe to run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ecomem.findings import Finding, finding, print_github, print_gitlab, summary_line
from ecomem.rules import RULES
from store_project import well_kept

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


def test_the_milder_case_of_a_rule_has_the_level_of_its_row() -> None:
    for code, rule in RULES.items():
        assert finding(code, PATH).level == rule.level
        if rule.mild:
            assert finding(code, PATH, mild=True).level == rule.mild != rule.level


def test_a_summary_says_what_there_is() -> None:
    assert summary_line({}) == "eco-mem: an empty store"
    assert summary_line({"entries": 1, "infos": 1}) == "eco-mem: 1 entry, 1 note"
    counts = {"entries": 2, "errors": 1, "warnings": 3, "rebuilt": 2}
    assert summary_line(counts) == (
        "eco-mem: 2 entries, 2 catalogs rebuilt, 1 error, 3 warnings"
    )


def many(count: int, line: int = 1) -> list[Finding]:
    """Return warnings about as many entries."""
    return [finding("R09", f"{at:03}.md", line, f"entry-{at}") for at in range(count)]


def test_github_gets_ten_annotations_a_level_and_one_count(
    capsys: pytest.CaptureFixture[str],
) -> None:
    errors = [finding("E01", f"{at}.md") for at in range(12)]
    print_github([*many(25), *errors], {"entries": 37})
    lines = capsys.readouterr().out.splitlines()
    levels = [line.split(" ")[0] for line in lines]
    assert levels.count("::warning") == levels.count("::error") == 10
    assert lines[-2].startswith("17 more; ")
    assert len(lines) == 22


def test_github_is_shown_first_what_the_change_touches(tmp_path: Path) -> None:
    kept = well_kept(tmp_path / "project")
    kept.git("init", "-q", "-b", "main")
    for at in range(12):
        kept.entry("semantic", f"a-{at}", evidence=["`gone.py`"])
    kept.verify("--fix")
    kept.commit("the memory")
    kept.git("switch", "-qc", "topic")
    kept.entry("semantic", "z-last", evidence=["`gone.py`"])
    kept.verify("--fix")
    kept.commit("a change")
    run = kept.verify("--base", "main", "--format", "github")
    annotated = [line for line in run.out.splitlines() if line.startswith("::warning")]
    assert "z-last.md" in annotated[0], run.out


def fingerprints(
    findings: list[Finding], capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """Return the fingerprints of a code quality report."""
    print_gitlab(findings, {})
    return [row["fingerprint"] for row in json.loads(capsys.readouterr().out)]


def test_gitlab_fingerprints_differ_and_survive_moved_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    twice = finding("E11", PATH, 4, "health-port", "Line 4 has a moving word.")
    later = finding("E11", PATH, 9, "health-port", "Line 9 has a moving word.")
    old = fingerprints([*many(5), twice, later], capsys)
    moved = [*many(5, 7), twice._replace(line=30), later._replace(line=31)]
    assert len(set(old)) == 7
    assert fingerprints(moved, capsys) == old


def test_gitlab_gets_what_entries_say_as_plain_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wild = finding("E01", "a\x1b\u202e.md", 1, "a", "It has \x1b[31m \u202e here.")
    print_gitlab([wild], {})
    text = capsys.readouterr().out
    assert text.isascii()
    assert "\x1b" not in text
    (row,) = json.loads(text)
    assert row["description"].startswith("It has \\x1b[31m \\u202e here.")
    assert row["severity"] == "major"
    assert row["location"]["lines"] == {"begin": 1}


@pytest.mark.parametrize(
    "text",
    [
        "here.\n::error::of the entry",
        "here.\r\n::stop-commands::x",
        "here.%0A::add-mask::x",
        "::set-output name=x::y",
        "##[error]of the entry",
        "\x1b[31m \u202e \udcff",
        "x" * 100_000,
    ],
)
def test_what_an_entry_says_begins_no_command_of_github(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    print_github([finding("E01", f"{text[:40]},:%.md", 1, text, text)], {})
    annotation, summary = capsys.readouterr().out.splitlines()
    assert annotation.startswith("::error file=")
    properties, _, message = annotation.removeprefix("::error ").partition("::")
    assert len(properties.split(",")) == 3  # file, line and title
    assert annotation.isascii() and annotation.isprintable()
    assert "%0A" not in annotation.replace("%250A", "")
    assert summary == "eco-mem: an empty store"
    assert message
