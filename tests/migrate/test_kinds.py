"""Notes of each kind are sorted by what real memories of that kind look like."""

from __future__ import annotations

from pathlib import Path

import pytest
from migrate import plan_file
from migrate.text import as_cue
from old_memory import decide_all, empty_store, plan_of, put, run, words_of
from store_project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty, committed store with its scripts."""
    return empty_store(tmp_path / "project")


def decisions(project: Project, *words: str) -> dict[str, list[str]]:
    """Plan, and return the decisions of each label."""
    assert run(project, *words, "--plan").code == 0
    found: dict[str, list[str]] = {}
    for label, word, _ in words_of(project):
        found.setdefault(label, []).append(word)
    return found


def draft(project: Project, slug: str) -> str:
    """The text of a draft of the plan."""
    path = project.path(f"{plan_file.FOLDER}/drafts/semantic/{slug}.md")
    return path.read_text("utf-8")


def test_a_lead_is_more_than_the_first_heading(project: Project) -> None:
    rest = "\n\n".join(f"Step {n} is on page {n}." for n in range(60))
    text = f"# How the crawler pages\n\n## Limits\n\nTen pages a second.\n\n{rest}\n"
    put(project, {".serena/memories/crawler.md": text})
    decisions(project)
    assert draft(project, "crawler").endswith("## Limits\n\nTen pages a second.\n")


def test_the_name_of_a_file_is_no_title(project: Project) -> None:
    index = "- [ability-rules.md](ability-rules.md): how abilities are wired\n"
    note = "---\nname: ability_rules\ntype: project\n---\n\nEach has a node.\n"
    put(project, {"memory/MEMORY.md": index, "memory/ability-rules.md": note})
    decisions(project)
    assert draft(project, "ability-rules").startswith("# Ability rules\n")


def test_a_readme_is_called_by_its_folder(project: Project) -> None:
    text = "---\ndescription: which {0} are checked out\n---\n\nSome {0} text.\n"
    put(
        project,
        {
            ".letta/system/human.md": "Likes tea.\n",
            ".letta/shared/README.md": text.format("repositories"),
            ".letta/inbox/README.md": text.format("letters"),
        },
    )
    decisions(project)
    assert "letters text" in draft(project, "inbox-readme")
    assert "repositories text" in draft(project, "shared-readme")


def test_of_two_notes_of_one_name_the_first_keeps_its_draft(project: Project) -> None:
    text = (
        "---\nname: ports\ndescription: which port {0} uses\ntype: project\n---\n\n"
        "{0}\n"
    )
    put(project, {f"memory/{n}.md": text.format(n) for n in ("alpha", "beta")})
    found = decisions(project)
    assert "decide" in found["claude-memory:beta.md"]
    assert draft(project, "ports").endswith("\nalpha\n")


def test_an_index_of_prose_is_cut_into_its_sections(project: Project) -> None:
    text = "# Memory\n\n## Build\n\nUse two workers.\n\n## Ports\n\nProbes use 8081.\n"
    put(project, {".claude/memory/MEMORY.md": text})
    found = decisions(project)
    assert sorted(found["claude-memory:MEMORY.md"]) == ["decide", "decide", "drop"]


def test_a_daily_log_beside_an_index_is_left(project: Project) -> None:
    log = "# Notes of the session today\n\nCalled the bank.\n"
    put(project, {"memory/MEMORY.md": "Prose.\n", "memory/2026-02-20.md": log})
    assert decisions(project)["claude-memory:2026-02-20.md"] == ["left"]


def test_rules_of_windsurf_are_rules_and_no_notes(project: Project) -> None:
    text = "---\ntrigger: always_on\n---\n\n# Guard rails we keep\n\n- Never push.\n"
    put(project, {".windsurf/rules/guard.md": text})
    found = decisions(project, "--from", str(project.path(".windsurf/rules")))
    assert found == {"rules:guard.md": ["drop", "rule"]}


def test_the_memory_file_of_windsurf_is_found(project: Project) -> None:
    put(project, {".windsurf/memories.md": "# Build\n\n- The cache is by hash\n"})
    assert decisions(project) == {"windsurf:memories.md": ["drop", "decide"]}


def test_steps_and_code_below_a_heading_stay_one_decision(project: Project) -> None:
    text = "# Release\n\n1. Tag it.\n2. Build it:\n\n```\nmake\n```\n\n- Done\n"
    put(project, {".windsurf/memories/release.md": text})
    assert decisions(project) == {"windsurf:release.md": ["drop", "decide"]}


def test_work_that_is_to_be_done_stays_in_a_letta_memory(project: Project) -> None:
    text = "---\ndescription: what is to be done next week\n---\n\n- call\n"
    put(project, {".letta/system/human.md": "Tea.\n", ".letta/system/todos.md": text})
    found = decisions(project)
    assert found["letta:system/todos.md"] == ["left"]
    assert found["letta:system/human.md"] == ["person"]


def test_a_file_that_two_kinds_know_is_read_once(project: Project) -> None:
    note = "---\nname: port\ndescription: which port it is\ntype: project\n---\n\n81.\n"
    put(
        project,
        {
            "MEMORY.md": "# Memory\n\nProse.\n",
            "memory/2026-01-02.md": "# Day\n\nLog.\n",
            "memory/port.md": note,
        },
    )
    kinds = {label.partition(":")[0] for label in decisions(project)}
    assert kinds == {"three-layer"}


def test_a_folder_of_serena_has_one_name_by_either_path(project: Project) -> None:
    text = "# How the cache expires\n\nAfter a day.\n"
    put(project, {"sub/.serena/memories/cache.md": text})
    outer = decisions(project, "--from", str(project.path("sub/.serena")))
    inner = decisions(project, "--from", str(project.path("sub/.serena/memories")))
    assert outer == inner == {"serena:cache.md": ["import"]}


def test_a_note_of_the_type_decision_comes_in_whole(project: Project) -> None:
    text = (
        "---\ntitle: Warn first when parsing\ntype: decision\n"
        "permalink: decisions/warn\n---\n\n"
        "- [decision] The parser warns and goes on.\n- relates_to [[Vault]]\n"
    )
    put(project, {"basic-memory/decisions/warn.md": text})
    assert decisions(project) == {"notes:decisions/warn.md": ["import", "drop"]}
    body = "\n\n- [decision] The parser warns and goes on.\n- relates_to [[Vault]]\n"
    assert draft(project, "warn").endswith(body)


def test_a_secret_that_stays_in_the_source_is_named_by_file_line_and_code(
    project: Project,
) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    bank = {
        "memory-bank/progress.md": f"# Progress\n\nThe token is {token}.\n",
        "memory-bank/brief.md": "# Brief\n\nIt sells.\n",
    }
    put(project, bank)
    shown = run(project).out
    assert "memory-bank:progress.md: line 3: G01 stays in the source" in shown
    run(project, "--plan")
    decide_all(project)
    done = run(project, "--apply")
    assert "memory-bank:progress.md: line 3: G01" in done.out
    rows = project.path(".agents/eco-mem-import.tsv").read_text("utf-8").split("\n")
    row = next(row for row in rows if "progress" in row)
    assert row.split("\t")[2] == ""  # a hash would help to guess it
    run(project, "--plan")
    assert "decide" not in [word for _, word, _ in words_of(project)]
    assert token not in shown + done.out + plan_of(project).read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("**CRITICAL** the queue stops", "CRITICAL the queue stops"),
        (
            "which port probes use (see the file of the cluster, the second table, and "
            "all that was said about it in the review of the spring)",
            "which port probes use",
        ),
    ],
)
def test_a_cue_has_no_marks_and_no_open_bracket(text: str, cue: str) -> None:
    assert as_cue(text) == cue
