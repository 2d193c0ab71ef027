"""The result of `copier copy`, for every answer and in every kind of place."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import copier_project
import eco_mem
import pytest
import yaml

COPIES = {
    "claude": ".claude/skills/eco-mem/SKILL.md",
    "kiro": ".kiro/skills/eco-mem/SKILL.md",
    "junie": ".junie/skills/eco-mem/SKILL.md",
}
WOVEN = {
    "claude": {"CLAUDE.md", ".claude/settings.json"},
    "codex": {".codex/config.toml"},
    "gemini": {"GEMINI.md"},
}
DEFAULT = ("claude", "codex", "cursor")
Lay = Callable[[str | None], Path]


@pytest.fixture(scope="session")
def laid(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Lay:
    """A function that returns a project for an answer; each is copied only once."""
    done: dict[str | None, Path] = {}

    def lay(hosts: str | None) -> Path:
        if hosts not in done:
            done[hosts] = tmp_path_factory.mktemp("laid") / "project"
            copier_project.fine(copier_project.copy(template, done[hosts], hosts=hosts))
        return done[hosts]

    return lay


def expected(template: Path, *hosts: str) -> set[str]:
    """Return the paths that a project for these hosts consists of."""
    skill = copier_project.tree(template / "template" / copier_project.SKILL).keys()
    guard = {
        name
        for name in skill
        if name.startswith(("scripts/hook", "scripts/ecomem/guard", "references/g"))
    }
    paths = {
        "AGENTS.md",
        ".copier-answers.yml",
        f"{copier_project.STORE}/.gitattributes",
        f"{copier_project.STORE}/working/.gitignore",
        *(
            f"{copier_project.STORE}/{drawer}/INDEX.md"
            for drawer in copier_project.DRAWERS
        ),
        *(
            f"{copier_project.SKILL}/{name.removesuffix('.jinja')}"
            for name in skill - guard
        ),
    }
    for host in hosts:
        paths |= WOVEN.get(host, set())
        paths |= {COPIES[host]} if host in COPIES else set()
    return paths


@pytest.mark.parametrize("host", copier_project.ALL_HOSTS)
def test_one_host_gets_exactly_what_it_needs(
    laid: Lay, template: Path, host: str
) -> None:
    assert copier_project.tree(laid(host)).keys() == expected(template, host)


@pytest.mark.oldest
def test_the_default_hosts_get_exactly_what_they_need(
    laid: Lay, template: Path
) -> None:
    assert copier_project.tree(laid(None)).keys() == expected(template, *DEFAULT)


@pytest.mark.oldest
def test_all_hosts_together_get_exactly_what_they_need(
    laid: Lay, template: Path
) -> None:
    paths = copier_project.tree(laid(", ".join(copier_project.ALL_HOSTS))).keys()
    # Copilot would load AGENTS.md twice if there were a CLAUDE.md that imports it.
    assert paths == expected(template, *copier_project.ALL_HOSTS) - {"CLAUDE.md"}


@pytest.mark.parametrize("place", ["packages/one", "päth with 空白"])
def test_the_same_lands_in_every_kind_of_place(
    laid: Lay, template: Path, tmp_path: Path, place: str
) -> None:
    # The one that it is compared with is not in a git repository.
    repository = tmp_path / "repository"
    project = repository / place
    project.mkdir(parents=True)
    copier_project.commit(repository)
    copier_project.fine(copier_project.copy(template, project))
    assert copier_project.tree(project) == copier_project.tree(laid(None))


def test_a_relative_destination_is_the_one_that_is_looked_at(
    template: Path, tmp_path: Path
) -> None:
    copier_project.write(tmp_path, {"project/QWEN.md": "# Mine\n"})
    words = ("copy", "--trust", "--defaults", template, "project")
    copier_project.fine(copier_project.copier(*words, cwd=tmp_path))
    assert copier_project.record(tmp_path / "project")["hosts"] == ["qwen"]


@pytest.mark.parametrize("host", COPIES)
def test_a_copy_of_the_skill_is_the_skill_byte_for_byte(
    laid: Lay, template: Path, host: str
) -> None:
    skill = (template / "template" / copier_project.SKILL / "SKILL.md").read_bytes()
    assert (laid(host) / copier_project.SKILL / "SKILL.md").read_bytes() == skill
    assert (laid(host) / COPIES[host]).read_bytes() == skill


def test_the_scripts_are_told_what_was_chosen(laid: Lay) -> None:
    assert copier_project.record(laid("claude, gemini, codex")) == {
        "hosts": ["claude", "codex", "gemini"],
        "copies": [".claude/skills/eco-mem/SKILL.md"],
        "expects": {
            ".claude/settings.json": [
                "Edit(.agents/memory/**)",
                "Bash(python3 .agents/skills/eco-mem/scripts/verify.py:*)",
                "Bash(python3 .agents/skills/eco-mem/scripts/remember.py:*)",
                "Bash(python3 .agents/skills/eco-mem/scripts/recall.py:*)",
                "Bash(python3 .agents/skills/eco-mem/scripts/forget.py:*)",
            ],
            ".codex/config.toml": ["../.agents/memory"],
            "GEMINI.md": ["AGENTS.md"],
        },
        "bridges": ["CLAUDE.md", ".claude/CLAUDE.md"],
        "instead": {"GEMINI.md": ".gemini/settings.json"},
    }


def test_what_the_scripts_are_told_to_expect_is_there(laid: Lay) -> None:
    project = laid(", ".join(copier_project.ALL_HOSTS))
    record = copier_project.record(project)
    missing = [
        (path, entry)
        for path, entries in record["expects"].items()
        for entry in entries
        if entry not in copier_project.text(project / path)
    ]
    assert not missing
    assert all((project / copy).is_file() for copy in record["copies"])


def test_the_answers_file_says_first_whose_it_is(laid: Lay) -> None:
    text = copier_project.text(laid(None) / ".copier-answers.yml")
    assert text.startswith("# eco-mem")
    assert yaml.safe_load(text)["hosts"] == ["claude", "codex", "cursor"]
    assert yaml.safe_load(text)["_commit"] == copier_project.NOW


def test_a_contract_carries_the_hash_of_its_text(laid: Lay) -> None:
    import blocks

    for drawer in copier_project.DRAWERS:
        index = copier_project.text(
            laid(None) / copier_project.STORE / drawer / "INDEX.md"
        )
        region = blocks.find(index, blocks.CONTRACT, "")
        assert region is not None
        assert not region.edited
        assert f"contract:begin {blocks.digest(region.inner)} -->" in index


def test_codex_may_write_the_store_and_its_file_is_toml(laid: Lay) -> None:
    config = tomllib.loads(copier_project.text(laid("codex") / ".codex/config.toml"))
    assert config == {
        "sandbox_workspace_write": {"writable_roots": ["../.agents/memory"]}
    }


def test_git_sees_all_that_was_laid_down_and_no_desk(
    laid: Lay, template: Path, project: Path
) -> None:
    shutil.copytree(laid(None), project)
    copier_project.git(project, "init", "-q")
    copier_project.write(
        project, {f"{copier_project.STORE}/working/task.md": "# Mine\n"}
    )
    seen = copier_project.git(
        project, "ls-files", "--others", "--exclude-standard"
    ).splitlines()
    assert set(seen) == expected(template, *DEFAULT)


def test_the_message_says_what_is_left_to_do(template: Path, project: Path) -> None:
    said = copier_project.fine(copier_project.copy(template, project))
    assert "git diff" in said
    assert "commit" in said
    assert "trusted" in said
    assert said.rstrip().endswith("python3 .agents/skills/eco-mem/scripts/verify.py")


@pytest.mark.oldest
def test_quiet_means_silent_when_there_is_nothing_to_tell(
    template: Path, project: Path
) -> None:
    assert copier_project.copy(template, project, "--quiet") == copier_project.Done(
        0, ""
    )


@pytest.mark.oldest
def test_pretending_writes_nothing(template: Path, project: Path) -> None:
    copier_project.fine(copier_project.copy(template, project, "--pretend"))
    assert not project.exists() or not copier_project.tree(project)


@pytest.mark.oldest
@pytest.mark.parametrize("answer", ["claude", "[]", "[claude, emacs]"])
def test_a_wrong_answer_is_refused_in_plain_words(
    template: Path, project: Path, answer: str
) -> None:
    words = ("copy", "--trust", "--defaults", "--data", f"hosts={answer}")
    done = copier_project.copier(*words, template, project, cwd=project.parent)
    assert done.rc == 1
    assert "--data" in done.text
    assert "Traceback" not in done.text
    assert not project.exists()


def detected(root: Path) -> list[str]:
    """Return the hosts that are the default for a destination."""
    found: list[str] = json.loads(
        eco_mem.load_facts().detected_hosts({"dst_path": root})
    )
    return found


def test_hosts_are_those_whose_traces_are_found(tmp_path: Path) -> None:
    for host, record in eco_mem.load_facts().hosts.items():
        for trace in record["traces"]:
            root = tmp_path / f"{host} {trace.replace('/', ' ')}"
            (root / trace).mkdir(parents=True)
            assert detected(root) == [host]


def test_a_file_that_a_hosted_app_reads_is_no_trace(tmp_path: Path) -> None:
    for host, record in eco_mem.load_facts().hosts.items():
        for name in record.get("hosted", []):
            root = tmp_path / f"{host} {name.replace('/', ' ')}"
            copier_project.write(root, {name: "x\n"})
            assert detected(root) == ["agents"]
            copier_project.write(root, {f"{name.split('/')[0]}/settings.json": "{}\n"})
            assert detected(root) == [host]


def test_usual_hosts_are_chosen_only_where_there_is_nothing_yet(tmp_path: Path) -> None:
    assert detected(tmp_path / "not there") == [*DEFAULT]
    copier_project.git(tmp_path, "init", "-q")
    assert detected(tmp_path) == [*DEFAULT]
    copier_project.write(tmp_path, {"AGENTS.md": "# Mine\n"})
    assert detected(tmp_path) == ["agents"]


def test_every_host_that_must_be_known_is_known() -> None:
    registry = tomllib.loads(
        copier_project.text(copier_project.SOURCE / "extensions/hosts.toml")
    )
    assert tuple(registry) == copier_project.ALL_HOSTS
    for record in registry.values():
        assert {"name", "since", "traces", "instructions", "note"} <= record.keys()
    files = [
        host["settings"]["file"] for host in registry.values() if "settings" in host
    ]
    assert len(files) == len(set(files))
