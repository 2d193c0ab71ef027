"""The files around the store: ignored, hidden, linked, in conflict, and mended."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from ecomem import install
from store_project import POINTER, SKILL, Project, lay_down

COPY = ".claude/skills/eco-mem/SKILL.md"
CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A repository with an empty store."""
    made = lay_down(tmp_path / "project")
    made.git("init", "--quiet", "--initial-branch=main")
    return made


def told(project: Project) -> list[tuple[str, str, str]]:
    """Path, level and code of all findings of family I."""
    return [
        (item.path, item.level, item.code)
        for item in project.run().told
        if item.code[0] == "I"
    ]


def test_a_fresh_project_is_clean(project: Project) -> None:
    assert told(project) == []


def test_the_rule_that_hides_the_memory_is_named_once(project: Project) -> None:
    project.write(".gitignore", "*.log\n.agents/\n")
    out = project.run().out
    assert told(project) == [(f"{SKILL}/SKILL.md", "error", "I04")]
    assert "the rule `.agents/` in `.gitignore:2`" in out
    assert f"`git check-ignore -v {SKILL}/SKILL.md`" in out


def test_a_drawer_that_is_hidden_is_named_by_a_path_that_exists(
    project: Project,
) -> None:
    project.write(".gitignore", "an-entry.md\n")
    paths = [path for path, _, code in told(project) if code == "I04"]
    assert paths and all(project.path(path).exists() for path in paths)


def test_a_rule_that_a_person_has_for_all_repositories_is_a_warning(
    project: Project,
) -> None:
    project.write("../ignore", ".agents/\n")
    project.git("config", "core.excludesFile", str(project.path("../ignore")))
    assert told(project) == [(f"{SKILL}/SKILL.md", "warning", "I04")]
    project.git("add", "--all", "--force")
    assert told(project) == []


def test_agents_md_that_git_ignores_is_the_same_here_and_in_a_clone(
    project: Project,
) -> None:
    project.write(".gitignore", "AGENTS.md\n")
    assert told(project) == [("AGENTS.md", "warning", "I03")]
    project.path("AGENTS.md").unlink()
    assert told(project) == [("AGENTS.md", "warning", "I03")]
    project.write("AGENTS.md", POINTER)
    project.git("add", "--force", "AGENTS.md")
    assert told(project) == []


@pytest.mark.parametrize("name", ["agents.md", "Agents.md"])
def test_agents_md_in_another_case_is_named(project: Project, name: str) -> None:
    project.path("AGENTS.md").rename(project.path(name))
    assert told(project) == [(name, "warning", "I07")]
    assert f"`git mv {name} AGENTS.md`" in project.run().out
    project.write(name, "# Ours\n")
    assert told(project) == [(name, "error", "I03"), (name, "warning", "I07")]


@pytest.mark.parametrize(
    ("host", "name"),
    [("codex", "AGENTS.override.md"), ("junie", ".junie/AGENTS.md")],
)
def test_a_file_that_a_host_reads_in_place_of_agents_md_is_named(
    project: Project, host: str, name: str
) -> None:
    project.write(name, "# Mine\n")
    project.choices(hosts=["claude"])
    assert told(project) == []
    project.choices(hosts=[host])
    assert told(project) == [(name, "warning", "I07")]
    project.write(name, POINTER)
    assert told(project) == []


def test_a_pointer_that_codex_does_not_read_is_named(project: Project) -> None:
    project.write("AGENTS.md", "x" * (install.CODEX_READS - 200) + POINTER)
    assert told(project) == []
    project.write("AGENTS.md", "x" * install.CODEX_READS + POINTER)
    assert told(project) == [("AGENTS.md", "warning", "I07")]
    project.choices(hosts=["claude"])
    assert told(project) == []


def test_a_skill_folder_behind_a_link_is_the_same_skill(project: Project) -> None:
    project.path(".claude/skills/eco-mem/SKILL.md").unlink()
    project.path(".claude/skills/eco-mem").rmdir()
    project.path(".claude/skills").rmdir()
    os.rename(project.path(".agents/skills"), project.path(".claude/skills"))
    project.path(".agents/skills").symlink_to("../.claude/skills")
    assert told(project) == []
    project.write(".gitignore", ".claude/skills/\n")
    assert ("I04", "error") in [(code, level) for _, level, code in told(project)]


def test_a_file_that_a_sparse_checkout_leaves_out_is_not_missing(
    project: Project, tmp_path: Path
) -> None:
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "all")
    made = Project(tmp_path / "clone")
    project.git("clone", "--quiet", str(project.root), str(made.root))
    made.git("sparse-checkout", "set", "--cone", ".agents")
    run = made.run()
    assert (run.code, told(made)) == (0, [])
    paths = {item.path for item in run.told if item.code == "R13"}
    assert paths == {COPY, ".codex/config.toml"}


@pytest.mark.parametrize("copy", ["edited\n", CONFLICT, None])
def test_fix_writes_the_copies_from_the_protocol(
    project: Project, copy: str | None
) -> None:
    if copy is None:
        project.path(COPY).unlink()
    else:
        project.write(COPY, copy)
    assert ("error", "I02") in [item[1:] for item in told(project)]
    assert project.run("--fix").code == 0
    assert (
        project.path(COPY).read_bytes()
        == project.path(f"{SKILL}/SKILL.md").read_bytes()
    )


def test_fix_spreads_no_conflict_and_writes_no_other_file(
    project: Project, tmp_path: Path
) -> None:
    copy = project.path(COPY).read_bytes()
    project.write(f"{SKILL}/SKILL.md", CONFLICT)
    project.run("--fix")
    assert project.path(COPY).read_bytes() == copy
    project.write(f"{SKILL}/SKILL.md", "# Another\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    project.path("linked").symlink_to(outside)
    bad = ["linked/skills/eco-mem/SKILL.md", "README.md", "../skills/eco-mem/SKILL.md"]
    project.choices(copies=bad)
    project.run("--fix")
    assert not any(outside.iterdir())
    assert not project.path("README.md").exists()
    assert not project.path("../skills").exists()


def test_a_bare_store_is_not_judged_by_its_surroundings(project: Project) -> None:
    project.write("AGENTS.md", "# Ours\n")
    project.write(COPY, "edited\n")
    assert project.run("--bare").code == 0
    project.run("--bare", "--fix")
    assert project.path(COPY).read_text() == "edited\n"


def test_a_host_that_reads_agents_md_by_a_setting_needs_no_file_of_its_own(
    project: Project,
) -> None:
    wants = {"GEMINI.md": ["AGENTS.md"]}
    project.choices(expects=wants, instead={"GEMINI.md": ".gemini/settings.json"})
    assert told(project) == [("GEMINI.md", "warning", "I07")]
    project.write(".gemini/settings.json", '{"context": {"fileName": "AGENTS.md"}}')
    assert told(project) == []
