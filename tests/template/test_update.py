"""The effects of `copier update` on repositories that people work in."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import copier_project
import pytest
import yaml

pytestmark = pytest.mark.oldest
ROW = "- [port-8081](port-8081.md): which port health checks must use\n"
ENTRY = "# Port\n\n- cue: which port health checks must use\n\nIt is 8081.  \n"
DELETED = f"{copier_project.SKILL}/references/rules.md"
SETTINGS = ".claude/settings.json"


class Change(NamedTuple):
    """A project before and after an update, and what Copier said."""

    root: Path
    before: dict[str, bytes]
    after: dict[str, bytes]
    said: str

    def new(self, path: str) -> str:
        return self.after[path].decode()


def updated(root: Path, *options: str, hosts: str | None = None) -> Change:
    """Commit a project, update it and commit that, with nothing left to repair."""
    copier_project.commit(root)
    before = copier_project.tree(root)
    said = copier_project.fine(copier_project.update(root, "-q", *options, hosts=hosts))
    assert copier_project.scars(root) == []
    after = copier_project.tree(root)
    copier_project.commit(root)
    return Change(root, before, after, said)


@pytest.fixture(scope="session")
def busy(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Change:
    """An update of a project in which people and agents have done things."""
    root = tmp_path_factory.mktemp("busy") / "project"
    shutil.copytree(first, root)
    for drawer in copier_project.DRAWERS:
        copier_project.change(
            root / copier_project.STORE / drawer / "INDEX.md", lambda text: text + ROW
        )
    copier_project.write(root, {f"{copier_project.STORE}/semantic/port-8081.md": ENTRY})
    copier_project.change(
        root / "AGENTS.md", lambda text: f"Before.\n\n{text}\nAfter.\n"
    )
    copier_project.change(
        root / "CLAUDE.md", lambda text: text.replace("@AG", "@house.md\n@AG")
    )
    copier_project.change(
        root / SETTINGS, lambda text: text.replace("[", '["Bash(ls)",', 1)
    )
    (root / ".codex/config.toml").unlink()
    (root / DELETED).unlink()
    copier_project.commit(root)
    copier_project.write(
        root, {f"{copier_project.STORE}/working/task.md": "# Task\n\n- goal: mine\n"}
    )
    verify = copier_project.SOURCE / "template" / copier_project.SKILL
    verify /= "scripts/verify.py"
    copier_project.run(sys.executable, verify, "--root", root, cwd=root)
    compiling = (sys.executable, "-m", "compileall", "-q", copier_project.SKILL)
    copier_project.run(*compiling, cwd=root, env={"PYTHONPYCACHEPREFIX": ""})
    assert (root / copier_project.SKILL / "scripts/ecomem/__pycache__").is_dir()
    return updated(root)


def test_an_update_really_happens(busy: Change) -> None:
    assert f"{copier_project.SKILL}/{copier_project.SENTINEL}" in busy.before
    assert f"{copier_project.SKILL}/{copier_project.SENTINEL}" not in busy.after


def test_entries_and_desks_stay_byte_for_byte(busy: Change) -> None:
    for path in ("semantic/port-8081.md", "working/task.md"):
        assert (
            busy.after[f"{copier_project.STORE}/{path}"]
            == busy.before[f"{copier_project.STORE}/{path}"]
        )


@pytest.mark.parametrize("drawer", copier_project.DRAWERS)
def test_a_catalog_stays_byte_for_byte_below_its_new_contract(
    busy: Change, drawer: str
) -> None:
    path = f"{copier_project.STORE}/{drawer}/INDEX.md"
    end = b"<!-- eco-mem:contract:end -->"
    assert busy.after[path].split(end)[1] == busy.before[path].split(end)[1]
    assert copier_project.OLDER.encode() in busy.before[path]
    assert copier_project.OLDER.encode() not in busy.after[path]


def test_the_protocol_and_its_copy_are_the_new_ones(
    busy: Change, two_versions: Path
) -> None:
    new = (two_versions / "template" / copier_project.SKILL / "SKILL.md").read_bytes()
    assert busy.after[f"{copier_project.SKILL}/SKILL.md"] == new
    assert busy.after[".claude/skills/eco-mem/SKILL.md"] == new


def test_text_around_our_block_stays(busy: Change) -> None:
    text = busy.new("AGENTS.md")
    assert text.startswith("Before.\n\n# AGENTS.md\n\n<!-- eco-mem:begin ")
    assert text.endswith("<!-- eco-mem:end -->\n\nAfter.\n")
    assert copier_project.OLDER not in text


def test_an_edit_inside_our_block_stays_and_is_reported(busy: Change) -> None:
    assert busy.after["CLAUDE.md"] == busy.before["CLAUDE.md"]
    assert "kept CLAUDE.md: our block was edited by hand" in busy.said


def test_a_setting_that_was_taken_out_is_not_put_back(busy: Change) -> None:
    assert ".codex/config.toml" not in busy.after
    assert "kept .codex/config.toml: our line is gone" in busy.said


def test_permissions_of_ours_are_replaced_and_others_stay(busy: Change) -> None:
    assert json.loads(busy.new(SETTINGS))["permissions"]["allow"] == [
        "Bash(ls)",
        "Edit(.agents/memory/**)",
        "Bash(python3 .agents/skills/eco-mem/scripts/verify.py:*)",
        "Bash(python3 .agents/skills/eco-mem/scripts/remember.py:*)",
        "Bash(python3 .agents/skills/eco-mem/scripts/recall.py:*)",
        "Bash(python3 .agents/skills/eco-mem/scripts/forget.py:*)",
    ]


def test_a_file_of_ours_that_was_deleted_stays_deleted(busy: Change) -> None:
    assert DELETED not in busy.after


def test_running_our_scripts_leaves_nothing_that_stops_an_update(
    busy: Change,
) -> None:
    assert any("__pycache__" in path for path in busy.before)


def test_the_next_update_changes_nothing(busy: Change) -> None:
    copier_project.fine(copier_project.update(busy.root))
    assert copier_project.tree(busy.root) == busy.after


@pytest.fixture(scope="session")
def untouched(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Change:
    """An update of a project that nobody has touched."""
    root = tmp_path_factory.mktemp("untouched") / "project"
    shutil.copytree(first, root)
    return updated(root)


def test_an_untouched_project_becomes_what_a_fresh_copy_is(
    untouched: Change, two_versions: Path, project: Path
) -> None:
    copier_project.fine(copier_project.copy(two_versions, project))
    assert untouched.after == copier_project.tree(project)
    assert untouched.said == ""


@pytest.mark.parametrize(
    "again",
    [
        ("update", "--defaults"),
        ("recopy", "--force"),
        ("copy", "--defaults"),
        ("copy", "--force"),
    ],
    ids=" ".join,
)
def test_doing_it_again_changes_nothing(
    untouched: Change, two_versions: Path, again: tuple[str, str]
) -> None:
    words = (again[0], "--trust", again[1], "-q")
    places = (two_versions, ".") if again[0] == "copy" else ()
    said = copier_project.fine(
        copier_project.copier(*words, *places, cwd=untouched.root)
    )
    assert copier_project.tree(untouched.root) == untouched.after
    assert said == ""


@pytest.fixture(scope="session")
def odd(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Change:
    """An update of a project in which somebody has taken liberties."""
    root = tmp_path_factory.mktemp("odd") / "project"
    shutil.copytree(first, root)
    (root / copier_project.SKILL / "eco-mem.json").unlink()
    (root / "CLAUDE.md").unlink()
    (root / copier_project.STORE / "episodic/INDEX.md").unlink()
    index = root / copier_project.STORE / "semantic/INDEX.md"
    copier_project.change(
        index, lambda text: text.replace(copier_project.OLDER, "Anything goes.")
    )
    answers = root / ".copier-answers.yml"
    answers.write_text(yaml.safe_dump(yaml.safe_load(answers.read_text())))
    return updated(root)


def test_an_answers_file_that_lost_its_comment_is_still_known_as_ours(
    odd: Change,
) -> None:
    assert not odd.before[".copier-answers.yml"].startswith(b"#")
    assert f"{copier_project.SKILL}/{copier_project.SENTINEL}" not in odd.after


def test_without_a_record_nothing_comes_back_that_was_taken_out(odd: Change) -> None:
    assert f"{copier_project.SKILL}/eco-mem.json" not in odd.before
    assert "CLAUDE.md" not in odd.after


def test_a_deleted_index_comes_back_with_its_contract(odd: Change) -> None:
    assert "contract:begin " in odd.new(f"{copier_project.STORE}/episodic/INDEX.md")


def test_a_contract_that_a_person_edited_stays_and_is_named(odd: Change) -> None:
    path = f"{copier_project.STORE}/semantic/INDEX.md"
    assert odd.after[path] == odd.before[path]
    assert f"kept {path}: " in odd.said


def test_a_host_can_be_added(old: Path) -> None:
    # Junie is new in this version, Gemini was there before; the block is not theirs.
    (old / "AGENTS.md").write_text("# Mine\n")
    change = updated(old, hosts="claude, gemini, junie")
    assert "@./AGENTS.md" in change.new("GEMINI.md")
    assert ".junie/skills/eco-mem/SKILL.md" in change.after
    assert change.new("AGENTS.md") == "# Mine\n"
    assert "kept AGENTS.md: our block is gone" in change.said


@pytest.fixture(scope="session")
def swapped(
    first: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Change, Change]:
    """Two updates: one that removes hosts, one that brings them back."""
    root = tmp_path_factory.mktemp("swapped") / "project"
    shutil.copytree(first, root)
    return updated(root, hosts="cursor"), updated(root, hosts="claude, codex, cursor")


def test_a_host_that_is_removed_leaves_no_empty_file_or_folder(
    swapped: tuple[Change, Change],
) -> None:
    gone = swapped[0].before.keys() - swapped[0].after.keys()
    assert gone == {
        "CLAUDE.md",
        SETTINGS,
        ".claude/skills/eco-mem/SKILL.md",
        ".codex/config.toml",
        f"{copier_project.SKILL}/{copier_project.SENTINEL}",
    }


def test_a_host_that_is_added_gets_what_a_fresh_copy_gives_it(
    swapped: tuple[Change, Change], untouched: Change
) -> None:
    assert swapped[1].after == untouched.after


def test_a_host_that_is_removed_takes_only_our_part_with_it(old: Path) -> None:
    mine = '{\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n'
    theirs = json.dumps(
        json.loads(copier_project.text(old / SETTINGS))["permissions"]["allow"]
    )
    copier_project.write(old, {SETTINGS: mine.replace('"]', f'", {theirs[1:]}')})
    copier_project.write(old, {".claude/skills/mine/SKILL.md": "# Mine\n"})
    copier_project.change(old / "CLAUDE.md", lambda text: text + "\nMind the gap.\n")
    change = updated(old, hosts="codex")
    assert change.new(SETTINGS) == mine
    assert change.new("CLAUDE.md") == "# CLAUDE.md\n\nMind the gap.\n"
    assert ".claude/skills/mine/SKILL.md" in change.after
    assert ".claude/skills/eco-mem/SKILL.md" not in change.after


def test_no_claude_md_stands_beside_copilot(old: Path) -> None:
    assert "CLAUDE.md" in copier_project.tree(old)
    change = updated(old, hosts="claude, copilot")
    assert "CLAUDE.md" not in change.after


def test_a_host_cannot_be_added_over_somebody_elses_file(old: Path) -> None:
    copier_project.write(old, {".kiro/skills/eco-mem/SKILL.md": "# Mine\n"})
    copier_project.commit(old)
    before = copier_project.tree(old)
    refused = copier_project.update(old, "-q", hosts="claude, kiro")
    assert (refused.rc, copier_project.tree(old)) == (1, before)
    assert refused.text.startswith(".kiro/skills/eco-mem/SKILL.md is already there")
    assert "Traceback" not in refused.text
    copier_project.fine(copier_project.go_on(refused, old))
    assert copier_project.record(old)["hosts"] == ["claude", "kiro"]
    assert "Mine" not in copier_project.text(old / ".kiro/skills/eco-mem/SKILL.md")


def test_a_host_can_be_added_over_what_it_would_get_anyway(
    old: Path, two_versions: Path
) -> None:
    skill = two_versions / "template" / copier_project.SKILL / "SKILL.md"
    copier_project.write(old, {".kiro/skills/eco-mem/SKILL.md": skill.read_bytes()})
    change = updated(old, hosts="claude, kiro")
    assert change.after[".kiro/skills/eco-mem/SKILL.md"] == skill.read_bytes()


def test_a_project_inside_a_repository_updates_on_its_own(
    two_versions: Path, tmp_path: Path
) -> None:
    project = tmp_path / "repository/packages/one"
    copier_project.write(tmp_path / "repository", {"AGENTS.md": "# The whole\n"})
    copier_project.commit(tmp_path / "repository")
    copier_project.fine(
        copier_project.copy(two_versions, project, "--vcs-ref", copier_project.OLD)
    )
    copier_project.change(
        project / copier_project.STORE / "semantic/INDEX.md", lambda text: text + ROW
    )
    (project / "CLAUDE.md").unlink()
    copier_project.commit(tmp_path / "repository")
    copier_project.write(tmp_path / "repository", {"elsewhere.txt": "uncommitted\n"})
    copier_project.fine(copier_project.update(project))
    assert copier_project.scars(tmp_path / "repository") == []
    assert not (project / copier_project.SKILL / copier_project.SENTINEL).exists()
    assert copier_project.text(
        project / copier_project.STORE / "semantic/INDEX.md"
    ).endswith(ROW)
    assert not (project / "CLAUDE.md").exists()
    assert copier_project.text(tmp_path / "repository/AGENTS.md") == "# The whole\n"


def test_a_file_that_a_formatter_went_over_is_not_rewritten(
    untouched: Change, project: Path
) -> None:
    shutil.copytree(untouched.root, project)
    text = untouched.new("AGENTS.md")
    loose = text.replace("`", "*").replace("\n\n", "\n\n\n").replace(". ", ".  ")
    (project / "AGENTS.md").write_text(loose)
    change = updated(project)
    assert change.new("AGENTS.md") == loose
    assert change.said == ""
