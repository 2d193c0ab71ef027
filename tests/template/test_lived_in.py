"""Copying into repositories that people have lived in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import blocks
import copier_project
import json_edit
import pytest

MARKDOWN = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
BOM = b"\xef\xbb\xbf"
SETTINGS = ".claude/settings.json"
CONFIG = ".codex/config.toml"
SHARED = (*MARKDOWN, SETTINGS, CONFIG)
PLAIN = {
    **{name: f"# House\n\nMind {name}.\n" for name in MARKDOWN},
    SETTINGS: '{\n    "model": "x",\n    "permissions": {"allow": ["Bash(ls)"]}\n}\n',
    CONFIG: 'model = "x"\n\n[tools]\nweb = true\n',
}
ORPHAN = {
    **{name: PLAIN[name] + "\n<!-- eco-mem:begin -->\n" for name in MARKDOWN},
    SETTINGS: '{"permissions": {"allow": "everything"}}\n',
    CONFIG: "# eco-mem:end\n" + PLAIN[CONFIG],
}
UNREADABLE: dict[str, str | bytes] = {
    **{name: PLAIN[name].encode("utf-16") for name in MARKDOWN},
    SETTINGS: '// mine\n{"model": "x",}\n',
    CONFIG: "model = \n",
}


def as_bytes(files: dict[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}


STATES: dict[str, dict[str, bytes]] = {
    "plain": as_bytes(PLAIN),
    "crlf": as_bytes({n: t.replace("\n", "\r\n") for n, t in PLAIN.items()}),
    "bom": {name: BOM + t.encode() for name, t in PLAIN.items()},
    "no final newline": as_bytes({n: t.rstrip("\n") for n, t in PLAIN.items()}),
    "malformed": as_bytes(ORPHAN),
    "unreadable": {
        n: t if isinstance(t, bytes) else t.encode() for n, t in UNREADABLE.items()
    },
}
BLOCK = copier_project.text(copier_project.SOURCE / "extensions/agents_block.md")
WOVEN = f"# Mine\n\n{blocks.block(blocks.MARKDOWN, BLOCK)}\n\nMore of mine.\n"
STATES["woven"] = {**STATES["plain"], **as_bytes(dict.fromkeys(MARKDOWN, WOVEN))}
READABLE = ("plain", "crlf", "bom", "no final newline")


class House(NamedTuple):
    """A repository before and after, and what Copier said."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    said: str
    root: Path


Move = Callable[[str], House]


@pytest.fixture(scope="session")
def house(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Move:
    """A function that copies into a repository in one of the states above."""
    done: dict[str, House] = {}

    def move_in(state: str) -> House:
        if state not in done:
            root = tmp_path_factory.mktemp("lived") / "in"
            files = {
                **STATES[state],
                "src/app.py": b"print()\n",
                ".agents/x.md": b"x\n",
            }
            copier_project.write(root, dict(files))
            copier_project.commit(root)
            said = copier_project.fine(
                copier_project.copy(template, root, "-q", hosts="claude,codex,gemini")
            )
            done[state] = House(files, copier_project.tree(root), said, root)
        return done[state]

    return move_in


@pytest.mark.parametrize("state", STATES)
def test_nothing_that_was_there_is_lost(house: Move, state: str) -> None:
    before, after, _, _ = house(state)
    for name in before.keys() - {SETTINGS}:
        assert before[name].removeprefix(BOM) in after[name]  # all, in one piece


@pytest.mark.parametrize("state", READABLE)
def test_settings_without_our_entries_are_what_they_were(
    house: Move, state: str
) -> None:
    before, after, _, _ = house(state)
    new = after[SETTINGS].decode("utf-8-sig")
    key = ["permissions", "allow"]
    without = json_edit.drop(new, key, json_edit.entries(new, key)[1:])
    assert without == before[SETTINGS].decode("utf-8-sig")


@pytest.mark.parametrize("name", MARKDOWN)
@pytest.mark.parametrize("state", READABLE)
def test_a_markdown_file_gains_one_block_in_its_own_style(
    house: Move, state: str, name: str
) -> None:
    text = house(state).after[name].decode()
    assert text.count("<!-- eco-mem:begin") == text.count("<!-- eco-mem:end") == 1
    lone = text.replace("\r\n", "").count("\n")
    assert lone == (0 if state == "crlf" else text.count("\n"))
    assert text.endswith("\n") == (state != "no final newline")
    assert text.count("\ufeff") == (state == "bom")


@pytest.mark.parametrize("state", READABLE)
def test_settings_keep_their_values_and_gain_ours(house: Move, state: str) -> None:
    settings = json.loads(house(state).after[SETTINGS].decode("utf-8-sig"))
    assert settings["model"] == "x"
    assert settings["permissions"]["allow"][:2] == [
        "Bash(ls)",
        "Edit(.agents/memory/**)",
    ]


@pytest.mark.parametrize("state", READABLE)
def test_the_codex_setting_stands_before_every_table(house: Move, state: str) -> None:
    config = house(state).after[CONFIG].decode("utf-8-sig")
    assert config.startswith("# eco-mem:begin ")
    assert config.index("sandbox_workspace_write.writable_roots") < config.index("[")


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("state", ["malformed", "unreadable"])
def test_a_file_that_cannot_be_woven_is_left_alone_with_advice(
    house: Move, state: str, name: str
) -> None:
    before, after, said, _ = house(state)
    assert after[name] == before[name]
    assert f"eco-mem: refused {name}: " in said
    paste = said.split(f"refused {name}: ")[1].split("eco-mem: refused")[0]
    assert "Paste this into it" in paste
    assert ".agents/memory" in paste


def test_copying_again_changes_nothing(
    house: Move, template: Path, tmp_path: Path
) -> None:
    _, after, _, root = house("no final newline")
    again = ("copy", "--trust", "--defaults", "--overwrite", "-q", template, root)
    assert copier_project.fine(copier_project.copier(*again, cwd=tmp_path)) == ""
    assert copier_project.tree(root) == after


@pytest.mark.parametrize("name", MARKDOWN)
def test_a_block_that_is_there_already_is_not_woven_twice(
    house: Move, name: str
) -> None:
    before, after, _, _ = house("woven")
    assert after[name] == before[name]


def test_a_file_that_imports_agents_md_needs_no_block(
    template: Path, project: Path
) -> None:
    copier_project.write(
        project, {"CLAUDE.md": "# Mine\n\nSee @./AGENTS.md for the rules.\n"}
    )
    before = copier_project.tree(project)
    copier_project.fine(copier_project.copy(template, project))
    assert copier_project.tree(project)["CLAUDE.md"] == before["CLAUDE.md"]


def test_a_link_to_agents_md_is_woven_through_once(
    template: Path, project: Path
) -> None:
    copier_project.write(project, {"AGENTS.md": "# House rules\n"})
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    said = copier_project.fine(copier_project.copy(template, project))
    assert (project / "CLAUDE.md").readlink() == Path("AGENTS.md")
    text = copier_project.text(project / "AGENTS.md")
    assert text.startswith("# House rules\n")
    assert text.count("eco-mem:begin") == 1
    assert "@AGENTS.md" not in text
    assert "unchanged CLAUDE.md: it is AGENTS.md" in said


def test_links_of_every_kind_live_through_a_copy_and_an_update(
    two_versions: Path, project: Path
) -> None:
    copier_project.write(
        project, {"CLAUDE.md": "# House rules\n", ".claude/x.md": "x\n"}
    )
    copier_project.write(project, {".agents/skills/other/SKILL.md": "# Other\n"})
    links = {"AGENTS.md": "CLAUDE.md", ".claude/skills": "../.agents/skills"}
    for link, target in links.items():
        (project / link).symlink_to(target)
    copier_project.fine(
        copier_project.copy(two_versions, project, "--vcs-ref", copier_project.OLD)
    )
    copier_project.commit(project)
    copier_project.fine(copier_project.update(project))
    assert not copier_project.scars(project)
    for link, target in links.items():
        assert (project / link).readlink() == Path(target)
    text = copier_project.text(project / "CLAUDE.md")
    assert text.startswith("# House rules\n")
    assert text.count("eco-mem:begin") == 1
    assert copier_project.OLDER not in text
    assert copier_project.OLDER not in copier_project.text(
        project / ".claude/skills/eco-mem/SKILL.md"
    )


def test_a_link_that_leads_outside_is_refused_and_not_followed(
    template: Path, project: Path
) -> None:
    outside = project.parent / "AGENTS.md"
    outside.write_text("# Everybody's\n")
    project.mkdir()
    (project / "AGENTS.md").symlink_to(outside)
    said = copier_project.fine(copier_project.copy(template, project, "-q"))
    assert "refused AGENTS.md: it is a link that leads outside the project" in said
    assert outside.read_text() == "# Everybody's\n"


@pytest.mark.parametrize("folder", [".agents", ".claude"])
def test_a_folder_that_leads_outside_stops_copier_before_it_writes(
    template: Path, project: Path, folder: str
) -> None:
    outside = project.parent / "dotfiles"
    outside.mkdir()
    copier_project.write(project, {"README.md": "# Mine\n"})
    (project / folder).symlink_to(outside)
    before = copier_project.tree(project)
    done = copier_project.copy(template, project, "-q")
    assert (done.rc, copier_project.tree(project)) == (1, before)
    assert done.text.startswith(f"{folder} is not a folder inside the project")
    assert "Traceback" not in done.text
    assert not list(outside.iterdir())


def test_a_sandbox_that_is_configured_already_is_left_to_its_owner(
    template: Path, project: Path
) -> None:
    mine = "[sandbox_workspace_write]\nnetwork_access = true\n"
    copier_project.write(project, {CONFIG: mine})
    said = copier_project.fine(
        copier_project.copy(template, project, "-q", hosts="codex")
    )
    assert copier_project.text(project / CONFIG) == mine
    assert 'sandbox_workspace_write.writable_roots = ["../.agents/memory"]' in said


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another Copier template, in two versions."""
    root = tmp_path_factory.mktemp("stranger") / "template"
    for version in ("1", "2"):
        answers = "# Changes are overwritten\n{{ _copier_answers | to_nice_yaml }}"
        files: dict[str, str | bytes] = {
            "copier.yml": "_subdirectory: t\nlicense: {type: str, default: MIT}\n",
            "t/{{ _copier_conf.answers_file }}.jinja": answers,
            "t/LICENSE.jinja": "{{ license }} " + version + "\n",
        }
        copier_project.write(root, files)
        copier_project.commit(root, tag=f"v{version}")
    return root


def test_a_repository_of_another_template_is_refused_before_anything_is_written(
    template: Path, stranger: Path, project: Path
) -> None:
    copier_project.fine(
        copier_project.copier(
            "copy", "--defaults", stranger, project, cwd=project.parent
        )
    )
    before = copier_project.tree(project)
    for options in ((), ("--overwrite", "-q")):
        done = copier_project.copy(template, project, *options)
        assert (done.rc, copier_project.tree(project)) == (1, before)
        assert "-a .copier-answers.eco-mem.yml" in done.text
        assert "Traceback" not in done.text


def test_two_templates_in_one_repository_both_keep_updating(
    two_versions: Path, stranger: Path, project: Path
) -> None:
    first = ("copy", "--defaults", "--vcs-ref", "v1", stranger, project)
    copier_project.fine(copier_project.copier(*first, cwd=project.parent))
    refused = copier_project.copy(
        two_versions, project, "-q", "--vcs-ref", copier_project.OLD
    )
    copier_project.fine(copier_project.go_on(refused, project.parent))
    copier_project.commit(project)
    copier_project.fine(copier_project.copier("update", "--defaults", cwd=project))
    assert copier_project.text(project / "LICENSE") == "MIT 2\n"
    assert copier_project.OLDER in copier_project.text(
        project / copier_project.SKILL / "SKILL.md"
    )
    copier_project.commit(project)
    copier_project.fine(
        copier_project.update(project, "-a", ".copier-answers.eco-mem.yml")
    )
    assert copier_project.OLDER not in copier_project.text(
        project / copier_project.SKILL / "SKILL.md"
    )
    assert copier_project.text(project / "LICENSE") == "MIT 2\n"
    assert not copier_project.scars(project)


HAND_MADE = {
    f"{copier_project.SKILL}/SKILL.md": "---\nname: eco-mem\n---\n\n# By hand\n",
    f"{copier_project.STORE}/semantic/INDEX.md": (
        "# 语义\n\n契约。\n\n| 文件 | 摘要 |\n"
    ),
    f"{copier_project.STORE}/semantic/port.md": "# Port\n\n- cue: which port\n",
}


@pytest.fixture(scope="session")
def by_hand(template: Path, tmp_path_factory: pytest.TempPathFactory) -> House:
    """A hand-copied eco-mem, refused, then replaced as the refusal says."""
    root = tmp_path_factory.mktemp("by-hand") / "project"
    copier_project.write(root, dict(HAND_MADE))
    before = copier_project.tree(root)
    refused = copier_project.copy(template, root, "-q")
    assert (refused.rc, copier_project.tree(root)) == (1, before)
    copier_project.fine(copier_project.go_on(refused, root.parent))
    return House(before, copier_project.tree(root), refused.text, root)


def test_what_was_copied_by_hand_is_refused_before_anything_is_written(
    by_hand: House,
) -> None:
    assert by_hand.said.startswith(f"{copier_project.SKILL}/SKILL.md is already there")
    assert "--overwrite" in by_hand.said
    assert "Traceback" not in by_hand.said


def test_the_command_of_that_refusal_keeps_every_row_and_entry(
    by_hand: House,
) -> None:
    port, index = (
        f"{copier_project.STORE}/semantic/port.md",
        f"{copier_project.STORE}/semantic/INDEX.md",
    )
    assert by_hand.after[port] == by_hand.before[port]
    title, rest = HAND_MADE[index].split("\n", 1)
    text = by_hand.after[index].decode()
    assert text.startswith(f"{title}\n\n<!-- eco-mem:contract:begin ")
    assert text.endswith(f"<!-- eco-mem:contract:end -->\n{rest}")
    assert b"By hand" not in by_hand.after[f"{copier_project.SKILL}/SKILL.md"]


def test_somebody_elses_copy_of_the_skill_is_refused_too(
    template: Path, project: Path
) -> None:
    copier_project.write(project, {".claude/skills/eco-mem/SKILL.md": "# Mine\n"})
    before = copier_project.tree(project)
    refused = copier_project.copy(template, project)
    assert (refused.rc, copier_project.tree(project)) == (1, before)
    copier_project.fine(copier_project.go_on(refused, project.parent))
    assert copier_project.record(project)["hosts"] == ["claude"]


def test_a_host_folder_that_git_ignores_keeps_what_it_needs(
    two_versions: Path, project: Path
) -> None:
    copier_project.write(project, {".gitignore": ".claude/\n"})
    copier_project.commit(project)
    copier_project.fine(
        copier_project.copy(
            two_versions, project, "--vcs-ref", copier_project.OLD, hosts="claude"
        )
    )
    copier_project.commit(project)
    for _ in range(2):  # the second one has nothing to change
        copier_project.fine(copier_project.update(project))
        assert not copier_project.scars(project)
        copier_project.commit(project)
        skill = copier_project.text(project / copier_project.SKILL / "SKILL.md")
        assert copier_project.text(project / ".claude/skills/eco-mem/SKILL.md") == skill
        for entry in copier_project.record(project)["expects"][SETTINGS]:
            assert entry in copier_project.text(project / SETTINGS)


def test_a_store_that_git_ignores_lives_through_an_update(
    two_versions: Path, project: Path
) -> None:
    copier_project.write(project, {".gitignore": ".agents/\n"})
    copier_project.commit(project)
    copier_project.fine(
        copier_project.copy(two_versions, project, "--vcs-ref", copier_project.OLD)
    )
    copier_project.write(
        project, {f"{copier_project.STORE}/semantic/port.md": "# Port\n"}
    )
    copier_project.commit(project)
    before = copier_project.tree(project)
    copier_project.fine(copier_project.update(project))
    gone = before.keys() - copier_project.tree(project).keys()
    assert gone == {f"{copier_project.SKILL}/{copier_project.SENTINEL}"}
    assert copier_project.OLDER not in copier_project.text(
        project / copier_project.SKILL / "SKILL.md"
    )
