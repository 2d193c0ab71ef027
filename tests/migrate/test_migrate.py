"""Old memories come in: every line accounted for, nothing laundered, nothing twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import memories
import pytest
from migrate import plan_file, receipt
from old_memory import decide_all, empty_store, plan_of, put, run
from store_project import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty, committed store with its scripts."""
    return empty_store(tmp_path / "project")


KINDS = {
    "claude-memory": memories.CLAUDE,
    "serena": memories.SERENA,
    "memory-bank": memories.BANK,
    "three-layer": memories.LAYERS,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_bare_call_writes_nothing(project: Project, kind: str) -> None:
    put(project, KINDS[kind])
    before = project.git("status", "--porcelain", "--ignored")
    done = run(project)
    assert done.code == 0
    assert kind in done.out
    assert project.git("status", "--porcelain", "--ignored") == before


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_that_is_not_blank_is_in_one_line_of_the_plan(
    project: Project,
    kind: str,
) -> None:
    put(project, KINDS[kind])
    assert run(project, "--plan").code == 0
    seen: dict[str, list[int]] = {}
    for line in plan_file.read(project.root):
        for first, last in plan_file.parse_ranges(line.ranges):
            seen.setdefault(line.label, []).extend(range(first, last + 1))
    for numbers in seen.values():
        assert len(numbers) == len({*numbers})
    total = sum(
        bool(t.strip()) for text in KINDS[kind].values() for t in text.split("\n")
    )
    texts = {
        name.removeprefix(prefix_of(kind)): text for name, text in KINDS[kind].items()
    }
    counted = 0
    for label, numbers in seen.items():
        lines = texts[label.partition(":")[2]].split("\n")
        counted += sum(bool(lines[at - 1].strip()) for at in numbers)
    assert counted == total


def prefix_of(kind: str) -> str:
    """Return the folder of a kind in a project, which its labels leave out."""
    return {
        "claude-memory": "memory/",
        "serena": ".serena/memories/",
        "memory-bank": "memory-bank/",
        "three-layer": "",
    }[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_a_source_is_never_changed(project: Project, kind: str) -> None:
    put(project, KINDS[kind])
    before = {name: project.path(name).stat() for name in KINDS[kind]}
    run(project, "--plan")
    decide_all(project)
    assert run(project, "--apply").code == 0
    for name, text in KINDS[kind].items():
        assert project.path(name).read_text("utf-8") == text
        now = project.path(name).stat()
        assert (now.st_mode, now.st_mtime_ns) == (
            before[name].st_mode,
            before[name].st_mtime_ns,
        )


def test_apply_waits_while_a_decision_is_open(project: Project) -> None:
    put(project, memories.BANK)
    run(project, "--plan")
    before = project.snapshot()
    done = run(project, "--apply")
    assert done.code == 1
    assert "decisions are open" in done.err
    assert project.snapshot() == before
    assert run(project, "--apply", "--partial").code == 0


def test_everything_arrives_as_derived_with_its_origin_and_its_own_date(
    project: Project,
) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    assert run(project, "--apply").code == 0
    text = project.path(".agents/memory/semantic/deploys.md").read_text("utf-8")
    assert "- source: derived\n" in text
    assert "- origin: claude-memory:deploys.md#" in text
    assert "- as_of: 2026-03-04\n" in text
    assert "evidence" not in text


def test_a_long_note_becomes_a_lead_and_an_account_of_its_rest(
    project: Project,
) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    assert run(project, "--apply").code == 0
    text = project.path(".agents/memory/semantic/deploys.md").read_text("utf-8")
    assert text.endswith("\n\nBlue first, then green.\n")
    assert " long-note" in plan_of(project).read_text("utf-8")


def test_links_lead_to_the_entries_that_the_notes_became(
    project: Project,
) -> None:
    put(project, {**memories.CLAUDE, **memories.SERENA})
    run(project, "--plan")
    decide_all(project)
    assert run(project, "--apply").code == 0
    store = project.path(".agents/memory/semantic")
    assert "[[deploys]]" in (store / "graphics-cache.md").read_text("utf-8")
    assert "[[tool-chain]]" in (store / "cache.md").read_text("utf-8")


def test_a_raised_draft_is_refused_and_nothing_is_written(
    project: Project,
) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    draft = project.path(f"{plan_file.FOLDER}/drafts/semantic/graphics-cache.md")
    raised = draft.read_text("utf-8").replace("source: derived", "source: verified")
    draft.write_text(raised, "utf-8")
    before = project.snapshot()
    done = run(project, "--apply")
    assert done.code == 1
    assert "graphics-cache" in done.out
    assert project.snapshot() == before


def test_a_second_run_is_byte_identical(project: Project) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    run(project, "--apply")
    project.commit("memory")
    before = project.snapshot()
    rows = project.path(receipt.PATH).read_bytes()
    assert run(project, "--plan").code == 0
    assert run(project, "--apply").code == 0
    assert project.snapshot() == before
    assert project.path(receipt.PATH).read_bytes() == rows
    assert "import" not in [line.word for line in plan_file.read(project.root)]


def test_what_was_forgotten_after_the_import_stays_gone_in_a_fresh_clone(
    project: Project,
    tmp_path: Path,
) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    run(project, "--apply")
    project.path(".agents/memory/semantic/graphics-cache.md").unlink()
    assert project.verify("--fix").code == 0
    project.commit("memory")
    shutil.copytree(
        project.root,
        tmp_path / "clone",
        ignore=shutil.ignore_patterns(plan_file.FOLDER),
    )
    clone = Project(tmp_path / "clone")
    run(clone, "--plan")
    words = {line.target: line.word for line in plan_file.read(clone.root)}
    assert words["semantic/graphics-cache"] == "gone"
    run(clone, "--apply")
    assert not clone.path(".agents/memory/semantic/graphics-cache.md").exists()


def test_a_changed_line_of_a_source_is_a_new_decision(
    project: Project,
) -> None:
    put(project, memories.CLAUDE)
    run(project, "--plan")
    run(project, "--apply")
    entry = project.path(".agents/memory/semantic/graphics-cache.md").read_bytes()
    text = memories.CLAUDE["memory/graphics.md"].replace("120", "150")
    put(project, {"memory/graphics.md": text})
    run(project, "--plan")
    words = [(line.word, line.target) for line in plan_file.read(project.root)]
    assert ("decide", "semantic/graphics-cache") in words
    assert run(project, "--apply").code == 1
    assert (
        project.path(".agents/memory/semantic/graphics-cache.md").read_bytes() == entry
    )


def test_an_older_store_is_changed_in_place_and_verifies(
    project: Project,
) -> None:
    contracts = {
        name: project.path(name).read_text("utf-8").partition("## Catalog")[0]
        for name in memories.OLD_STORE
        if name.endswith("INDEX.md")
    }
    for name, text in memories.OLD_STORE.items():
        head, found, tail = text.partition("\n")
        woven = contracts.get(name, "").partition("\n")[2]
        project.write(name, head + found + woven + tail)
    project.commit("older store")
    bodies = {
        name: text.partition("\n\n- ")[2].partition("\n\n")[2]
        for name, text in memories.OLD_STORE.items()
        if not name.endswith("INDEX.md")
    }
    assert "2 entries" in run(project).out or "3 entries" in run(project).out
    assert run(project, "--apply").code == 0
    for name, body in bodies.items():
        assert project.path(name).read_text("utf-8").endswith("\n\n" + body)
    index = project.path(".agents/memory/semantic/INDEX.md").read_text("utf-8")
    assert "A line of our own." in index
    assert "Duty:" not in index and "|" not in index.partition("## Catalog")[2]
    assert "- [port](port.md): which port probes use" in index
    archive = project.path(".agents/memory/semantic/ARCHIVE.md").read_text("utf-8")
    assert "[gone](gone.md)" in archive
    project.commit("migrated")
    assert not project.verify("--base", "HEAD~1").level("H01")
    assert [item for item in project.verify().told if item.level == "error"] == []
