"""Copying into repositories where what is laid down would not work as it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import copier_project
import eco_mem
import edits
import pytest
import weave

FOREIGN = f"{copier_project.STORE}/INDEX.md"
PROTOCOL = f"{copier_project.SKILL}/SKILL.md"


def refused(
    template: Path,
    project: Path,
    files: Mapping[str, str],
    links: Mapping[str, str] | None = None,
    hosts: str = "claude",
) -> str:
    """Return why a copy is refused, which must happen before anything is written."""
    copier_project.write(project, dict(files))
    for link, target in (links or {}).items():
        (project / link).parent.mkdir(parents=True, exist_ok=True)
        (project / link).symlink_to(target)
    copier_project.commit(project)
    before = copier_project.tree(project)
    done = copier_project.copy(template, project, "-q", hosts=hosts)
    assert (done.rc, copier_project.tree(project)) == (1, before), done.text
    assert "Traceback" not in done.text
    assert "Nothing was written" in done.text
    return done.text


def follow(refusal: str, cwd: Path) -> None:
    """Run the commands of a refusal, one after another."""
    for line in refusal.splitlines():
        if line.startswith("  mv ") or line.startswith("  git "):
            copier_project.fine(copier_project.run(*line.split(), cwd=cwd))
    copier_project.fine(copier_project.go_on(copier_project.Done(1, refusal), cwd))


@pytest.mark.parametrize("name", ["INDEX.md", "notes/a.md", "semantic.md"])
def test_a_memory_of_another_kind_is_refused_with_the_commands_that_go_on(
    template: Path, project: Path, name: str
) -> None:
    theirs = f"{copier_project.STORE}/{name}"
    said = refused(template, project, {theirs: "# Mine\n"})
    assert "another kind of memory" in said
    follow(said, project.parent)
    moved = project / f"{copier_project.STORE}-before" / name
    assert copier_project.text(moved) == "# Mine\n"
    assert (project / PROTOCOL).is_file()


@pytest.mark.parametrize(
    ("link", "target"),
    [
        (".agents", ".claude"),
        (".agents/skills", "../.claude/skills"),
        (".agents/memory", "../notes"),
        (".agents/memory/semantic", "../../notes"),
        (f"{copier_project.STORE}/semantic/INDEX.md", "../../../notes/x.md"),
    ],
)
def test_a_link_in_place_of_what_is_ours_is_refused(
    template: Path, project: Path, link: str, target: str
) -> None:
    files = {".claude/skills/mine/SKILL.md": "# Mine\n", "notes/x.md": "# Mine\n"}
    said = refused(template, project, files, {link: target})
    assert f"{link} is a link to {target}" in said


def test_a_skill_folder_of_a_host_may_be_a_link_to_ours(
    template: Path, project: Path
) -> None:
    copier_project.write(project, {".agents/skills/mine/SKILL.md": "# Mine\n"})
    (project / ".claude").mkdir()
    (project / ".claude/skills").symlink_to("../.agents/skills")
    copier_project.fine(copier_project.copy(template, project))
    assert (project / ".claude/skills").is_symlink()
    assert (project / PROTOCOL).is_file()


@pytest.mark.parametrize(
    ("there", "ours"),
    [
        ("agents.md", "AGENTS.md"),
        ("Claude.md", "CLAUDE.md"),
        ("gemini.MD", "GEMINI.md"),
    ],
)
def test_a_name_that_differs_in_case_alone_is_refused_with_its_renaming(
    template: Path, project: Path, there: str, ours: str
) -> None:
    said = refused(template, project, {there: "# Mine\n"}, hosts="claude, gemini")
    assert f"{there} is there, and agents load {ours}" in said
    follow(said, project.parent)
    names = [name for name in os.listdir(project) if name.lower() == ours.lower()]
    assert names == [ours]
    assert copier_project.text(project / ours).startswith("# Mine\n")


# What is said after it was laid down.


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        (".agents/\n", PROTOCOL),
        ("*\n!.gitignore\n", "AGENTS.md"),
        ("AGENTS.md\n", "AGENTS.md"),
        (".claude/*\n", ".claude/skills/eco-mem/SKILL.md"),
        ("*.json\n", f"{copier_project.SKILL}/eco-mem.json"),
        (".agents/memory/*/*.md\n!INDEX.md\n", "an-entry.md"),
    ],
)
def test_a_copy_says_what_git_ignores_of_it_and_by_which_rule(
    template: Path, project: Path, rules: str, named: str
) -> None:
    copier_project.write(project, {".gitignore": rules})
    copier_project.commit(project)
    said = copier_project.fine(
        copier_project.copy(template, project, "-q", hosts="claude")
    )
    assert "eco-mem: warning " in said
    assert f"(`{rules.splitlines()[0]}` in .gitignore, line 1)" in said
    record = weave.ignoring_rules(
        project, [named, f"{copier_project.STORE}/semantic/{named}"]
    )
    assert record


def test_a_rule_in_the_settings_of_a_person_counts_too(
    template: Path, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "excludes").write_text(".agents/\n")
    project.mkdir()
    copier_project.commit(project)
    copier_project.git(
        project, "config", "core.excludesFile", str(tmp_path / "excludes")
    )
    said = copier_project.fine(copier_project.copy(template, project, "-q"))
    assert f"`.agents/` in {tmp_path}/excludes, line 1" in said


def test_nothing_is_said_of_a_desk_or_of_what_git_has(
    template: Path, project: Path
) -> None:
    copier_project.write(project, {".gitignore": "CLAUDE.md\n", "CLAUDE.md": "# A\n"})
    copier_project.git(project.parent, "init", "-q", str(project))
    copier_project.git(project, "add", "-f", "CLAUDE.md", ".gitignore")
    assert copier_project.copy(template, project, "-q", hosts="claude").text == ""


@pytest.mark.parametrize(
    ("host", "file"), [("codex", "AGENTS.override.md"), ("junie", ".junie/AGENTS.md")]
)
def test_a_file_that_hides_agents_md_is_named(
    template: Path, project: Path, host: str, file: str
) -> None:
    copier_project.write(project, {file: "# Mine\n"})
    said = copier_project.fine(copier_project.copy(template, project, "-q", hosts=host))
    assert f"warning {file}: " in said
    assert "instead of AGENTS.md" in said
    assert copier_project.text(project / file) == "# Mine\n"


LONG = "# House\n\n" + "A line of the house.\n" * 2000


@pytest.mark.parametrize(
    ("text", "above"),
    [
        (LONG, "# House\n"),
        (f"---\nx: 1\n---\n\n{LONG}", "---\nx: 1\n---\n\n# House\n"),
        (LONG.removeprefix("# House\n\n"), ""),
        (LONG.replace("\n", "\r\n"), "# House\r\n"),
    ],
    ids=["title", "front matter", "no title", "CRLF"],
)
def test_in_a_long_agents_md_the_block_is_near_the_top(text: str, above: str) -> None:
    woven = edits.in_markdown(text, edits.Target(True, None), "Ours.", "AGENTS.md")
    assert woven is not None
    assert woven.startswith(above)
    assert edits.is_read(woven)
    assert woven.index("eco-mem:begin") - len(above) < 10
    assert edits.in_markdown(woven, edits.Target(False, []), "Ours.", "x") == text


def test_a_block_that_a_host_does_not_read_any_more_is_named(
    template: Path, project: Path
) -> None:
    copier_project.fine(copier_project.copy(template, project, hosts="agents"))
    copier_project.change(project / "AGENTS.md", lambda text: LONG + text)
    said = copier_project.copy(template, project, "-q", "--overwrite", hosts="agents")
    assert "warning AGENTS.md: our block ends after the first 32 KiB" in said.text


# Instruction files in other places.


@pytest.mark.parametrize(
    "text", ["# Mine\n\n@../AGENTS.md\n", "# Mine\n"], ids=["imports", "does not"]
)
def test_a_claude_md_in_the_folder_of_its_host_gets_no_twin(
    template: Path, project: Path, text: str
) -> None:
    copier_project.write(project, {".claude/CLAUDE.md": text})
    copier_project.fine(copier_project.copy(template, project))
    assert not (project / "CLAUDE.md").exists()
    woven = copier_project.text(project / ".claude/CLAUDE.md")
    assert woven.startswith(text)
    assert ("eco-mem:begin" in woven) == ("@" not in text)


def test_a_claude_md_that_is_a_link_to_agents_md_gets_no_twin(
    template: Path, project: Path
) -> None:
    copier_project.write(project, {"AGENTS.md": "# Mine\n", ".claude/x": "x\n"})
    (project / ".claude/CLAUDE.md").symlink_to("../AGENTS.md")
    copier_project.fine(copier_project.copy(template, project))
    assert not (project / "CLAUDE.md").exists()
    assert copier_project.text(project / "AGENTS.md").count("eco-mem:begin") == 1


@pytest.mark.parametrize("names", ['"AGENTS.md"', '["AGENTS.md", "GEMINI.md"]'])
def test_gemini_needs_no_file_where_its_settings_name_agents_md(
    template: Path, project: Path, names: str
) -> None:
    settings = f'{{"context": {{"fileName": {names}}}}}\n'
    copier_project.write(project, {".gemini/settings.json": settings})
    copier_project.fine(copier_project.copy(template, project))
    assert copier_project.record(project)["hosts"] == ["gemini"]
    assert not (project / "GEMINI.md").exists()


# The command that a refusal prints.


@pytest.mark.parametrize("word", ["a b", "it's", "$HOME", "a;b", "päth"])
def test_a_word_of_a_command_is_quoted_for_the_shell(word: str) -> None:
    assert copier_project.run(
        "sh", "-c", f"printf %s {eco_mem.quoted(word)}", cwd=Path("/")
    ) == (
        0,
        word,
    )
