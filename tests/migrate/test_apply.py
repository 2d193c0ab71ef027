"""Applying a plan: documents, room in the INDEX, interruption, what is left to do."""

from __future__ import annotations

import os
import re
from pathlib import Path

import memories
import pytest
from migrate import plan_file, receipt
from old_memory import (
    OLD,
    decide_all,
    empty_store,
    killed,
    plan_of,
    put,
    run,
    words_of,
)
from store_project import MEMORY, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty, committed store with its scripts."""
    return empty_store(tmp_path / "project")


def note(name: str, kind: str = "reference", day: str = "2026-03-04") -> str:
    """A short note of the kind of Claude Code."""
    return (
        f"---\nname: {name}\ndescription: when {name} matters\n"
        f"metadata:\n  type: {kind}\nmodified: {day}\n---\n\nFact {name}.\n"
    )


@pytest.mark.parametrize("encode", ["slashes", "signs"])
def test_the_memory_of_claude_code_is_read_only_when_it_is_named(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encode: str
) -> None:
    root = str(project.root)
    name = root.replace("/", "-") if encode == "slashes" else re.sub(r"\W|_", "-", root)
    folder = tmp_path / "config/projects" / name / "memory"
    folder.mkdir(parents=True)
    (folder / "port.md").write_text(note("port"), "utf-8")
    os.utime(folder / "port.md", (OLD, OLD))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    assert "claude-memory" not in run(project).out
    assert run(project, "--from", "claude", "--plan").code == 0
    assert run(project, "--from", "claude", "--apply").code == 0
    entry = project.path(f"{MEMORY}/semantic/port.md").read_text("utf-8")
    assert "- origin: claude-memory:port.md#" in entry
    assert str(tmp_path) not in entry + project.path(receipt.PATH).read_text("utf-8")


def test_without_a_memory_of_claude_code_nothing_is_guessed(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    done = run(project, "--from", "claude")
    assert done.code == 2
    assert "Claude Code has no memory of this project" in done.err


@pytest.mark.parametrize(
    ("path", "label"),
    [
        (".windsurf/memories/build.md", "windsurf:build.md"),
        (
            ".github/instructions/sql-memory.instructions.md",
            "copilot:sql-memory.instructions.md",
        ),
    ],
)
def test_each_statement_of_windsurf_and_copilot_is_a_decision(
    project: Project, path: str, label: str
) -> None:
    put(project, {path: memories.STATEMENTS})
    assert run(project, "--plan").code == 0
    mine = [(word, target) for name, word, target in words_of(project) if name == label]
    assert [word for word, _ in mine] == ["drop", "drop", "decide", "decide", "decide"]
    first = dict(reversed(mine))["decide"].partition("/")[2]
    draft = project.path(f"{plan_file.FOLDER}/drafts/semantic/{first}.md")
    assert "- scope: src/**\n" in draft.read_text("utf-8")
    assert "  and goes on here.\n" in draft.read_text("utf-8")


def test_feedback_is_listed_as_rule_or_person(project: Project) -> None:
    put(project, {"memory/tabs.md": note("tabs", "feedback")})
    run(project, "--plan")
    done = run(project, "--apply")
    assert "Feedback: a fact, a rule for AGENTS.md, or about the person?" in done.out
    listed = done.out.partition("Feedback:")[2]
    assert listed.splitlines()[1].strip().startswith("claude-memory:tabs.md L")


def test_what_is_left_to_do_names_claims_quotations_and_how_to_retire(
    project: Project,
) -> None:
    text = note("port").replace("modified", "source: verified\nmodified")
    text += '\nOn 2026-02-03 Anna wrote "use 8081".\n'
    put(project, {"memory/port.md": text, **memories.SERENA})
    run(project, "--plan")
    decide_all(project)
    done = run(project, "--apply")
    assert done.code == 0, done.out + done.err
    assert "claims more than `derived`" in done.out
    assert re.search(r"semantic/port:\d+$", done.out, re.MULTILINE)
    assert "retire claude-memory: " in done.out
    assert "retire serena: " in done.out


def long_note(project: Project) -> str:
    """Put a long note, plan it, and return the line of its rest in the plan."""
    put(project, {"memory/deploys.md": memories.CLAUDE["memory/deploys.md"]})
    run(project, "--plan")
    rows = plan_of(project).read_text("utf-8").split("\n")
    return next(row for row in rows if row.endswith(" long-note"))


def decide_doc(project: Project, rest: str, path: str, named: str = "") -> None:
    """Decide that a note goes into a document, which its draft names."""
    text = plan_of(project).read_text("utf-8")
    plan_of(project).write_text(
        text.replace(rest, rest.replace("left", f"doc {path}")), "utf-8"
    )
    draft = project.path(f"{plan_file.FOLDER}/drafts/semantic/deploys.md")
    if named:
        whole = draft.read_text("utf-8") + f"\nAll steps: `{named}`.\n"
        draft.write_text(whole, "utf-8")


def test_a_long_note_can_become_a_document_that_its_lead_names(
    project: Project,
) -> None:
    decide_doc(project, long_note(project), "docs/deploys.md", "docs/deploys.md")
    done = run(project, "--apply")
    assert done.code == 0, done.out + done.err
    text = project.path("docs/deploys.md").read_text("utf-8")
    assert text.startswith("# How deploys go\n\nBlue first, then green.\n\nStep 1 is")
    assert text.endswith("Step 30 is on page 30.\n")
    assert re.search(r"^ +30 doc$", done.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("path", "named", "problem"),
    [
        ("docs/deploys.md", "", "does not name docs/deploys.md"),
        ("README.md", "README.md", "another file is there"),
        ("../outside.md", "../outside.md", "name a new .md file"),
        (".agents/x.md", ".agents/x.md", "name a new .md file"),
        ("docs/x.txt", "docs/x.txt", "name a new .md file"),
    ],
)
def test_a_document_without_a_place_is_refused_and_nothing_is_written(
    project: Project, path: str, named: str, problem: str
) -> None:
    project.write("README.md", "Ours.\n")
    decide_doc(project, long_note(project), path, named)
    before = project.snapshot()
    done = run(project, "--apply")
    assert done.code == 1
    assert problem in done.out
    assert project.snapshot() == before
    assert project.path("README.md").read_text("utf-8") == "Ours.\n"
    assert not project.root.with_name("outside.md").exists()


def test_a_document_with_a_secret_is_refused(project: Project) -> None:
    rest = long_note(project)
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    source = memories.CLAUDE["memory/deploys.md"] + f"\nThe token is {token}.\n"
    plan_of(project).unlink()
    put(project, {"memory/deploys.md": source})
    run(project, "--plan")
    rows = plan_of(project).read_text("utf-8").split("\n")
    rest = next(row for row in rows if row.endswith(" long-note"))
    decide_doc(project, rest, "docs/deploys.md", "docs/deploys.md")
    done = run(project, "--apply")
    assert done.code == 1
    assert re.search(
        r"doc docs/deploys\.md: line \d+ would be refused by G\d\d", done.out
    )
    assert token not in done.out


def test_the_index_keeps_room_and_the_newest_stay_in_it(project: Project) -> None:
    days = {f"n{at:02}": f"2026-01-{at:02}" for at in range(1, 32)}
    days |= {f"o{at:02}": f"2025-11-{at:02}" for at in range(1, 4)}
    put(
        project,
        {f"memory/{name}.md": note(name, day=day) for name, day in days.items()},
    )
    run(project, "--plan")
    done = run(project, "--apply")
    assert done.code == 0, done.out + done.err
    index = project.path(f"{MEMORY}/semantic/INDEX.md").read_text("utf-8")
    archive = project.path(f"{MEMORY}/semantic/ARCHIVE.md").read_text("utf-8")
    listed = set(re.findall(r"^- \[(\w+)\]", index, re.MULTILINE))
    assert listed == set(sorted(days, key=days.__getitem__)[-30:])
    assert len(re.findall(r"^- \[", archive, re.MULTILINE)) == 4
    assert [item for item in project.judged() if item.level == "error"] == []


def test_a_plan_that_is_killed_at_any_write_can_be_written_again(
    project: Project,
) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    whole = plan_of(project).read_bytes()
    codes = []
    for call in range(1, 20):
        codes.append(killed(project, call, "--plan"))
        if codes[-1] != 9:
            break
        run(project, "--apply", "--dry-run")  # must not read half a plan
        assert run(project, "--plan").code == 0
        assert plan_of(project).read_bytes() == whole
    assert codes[-1] == 0
    assert len(codes) > 5


def test_an_apply_that_is_killed_anywhere_goes_on_when_it_is_run_again(
    project: Project, tmp_path: Path
) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    call, code = 1, 9
    while code == 9:
        code = killed(project, call, "--apply")
        call += 1
        errors = [item for item in project.judged() if item.level == "error"]
        assert errors == []
    assert code == 0
    assert call > 4
    assert project.path(receipt.PATH).exists()
    other = empty_store(tmp_path / "other")
    put(other, memories.CLAUDE)
    run(other, "--plan")
    run(other, "--apply")
    drop = f"{MEMORY}/working"
    ours = {name: data for name, data in project.snapshot().items() if drop not in name}
    theirs = {name: data for name, data in other.snapshot().items() if drop not in name}
    assert ours == theirs


def test_a_draft_that_a_person_edited_is_never_replaced(project: Project) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    draft = project.path(f"{plan_file.FOLDER}/drafts/semantic/deploys.md")
    edited = draft.read_text("utf-8").replace("Blue first", "Always blue first")
    draft.write_text(edited, "utf-8")
    done = run(project, "--plan")
    assert done.code == 1
    assert "has changes of yours" in done.err
    assert draft.read_text("utf-8") == edited


def test_a_line_that_became_another_decision_replaces_its_row(project: Project) -> None:
    put(project, {"memory/port.md": note("port")})
    run(project, "--plan")
    text = plan_of(project).read_text("utf-8")
    left = re.sub(r"^- import \S+", "- left later", text, flags=re.MULTILINE)
    line = re.sub(
        r"^- left later (.*sha:\w{8}).*$", r"- left \1 later", left, flags=re.M
    )
    plan_of(project).write_text(line, "utf-8")
    assert run(project, "--apply").code == 0
    run(project, "--plan")
    text = plan_of(project).read_text("utf-8")
    draft = project.path(f"{plan_file.FOLDER}/drafts/semantic/port.md")
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.write_text(memories.PORT, "utf-8")
    plan_of(project).write_text(
        re.sub(r"^- left (.*) later$", r"- import semantic/port \1", text, flags=re.M),
        "utf-8",
    )
    done = run(project, "--apply")
    assert done.code == 0, done.out + done.err
    rows = receipt.read(project.root).rows
    words = [(row.decision, row.target) for row in rows if row.decision != "drop"]
    assert words == [("import", "semantic/port")]


def test_a_draft_without_origin_is_refused(project: Project) -> None:
    put(project, {"memory/port.md": note("port")})
    run(project, "--plan")
    draft = project.path(f"{plan_file.FOLDER}/drafts/semantic/port.md")
    text = re.sub(r"- origin.*\n", "", draft.read_text("utf-8"))
    draft.write_text(text, "utf-8")
    done = run(project, "--apply")
    assert done.code == 1
    assert "semantic/port: it has no line `- origin: ...`" in done.out


def test_changes_of_a_person_in_the_store_stop_an_apply(project: Project) -> None:
    put(project, {"memory/port.md": note("port")})
    run(project, "--plan")
    project.write(f"{MEMORY}/semantic/mine.md", "# Mine\n")
    done = run(project, "--apply")
    assert done.code == 2
    assert "git has changes below .agents" in done.err
