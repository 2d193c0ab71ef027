"""Every path that the template ships is of one kind, and fits on every system."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path, PurePosixPath

import copier_project
import pytest
import yaml

TEMPLATE = copier_project.SOURCE / "template"
REGISTRY = tomllib.loads(
    copier_project.text(copier_project.SOURCE / "extensions/hosts.toml")
)
SHARED = {
    "AGENTS.md",
    *(host["instructions"] for host in REGISTRY.values()),
    *(host["settings"]["file"] for host in REGISTRY.values() if "settings" in host),
}
OWNED = re.compile(
    r"\.agents/skills/eco-mem/.+"
    r"|\.agents/memory/\.gitattributes"
    r"|\.agents/memory/working/\.gitignore"
    r"|\.github/hooks/eco-mem\.json"
    r"|\.opencode/plugin/eco-mem\.js"
    r"|\.github/workflows/eco-mem(-update)?\.yml"
    r"|\.gitlab/eco-mem\.yml"
    r"|\{\{ _copier_conf\.answers_file \}\}"
)
SEEDED = re.compile(r"\.agents/memory/(working|semantic|episodic|procedural)/INDEX\.md")
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def shipped() -> list[str]:
    """Return the paths under template/, as they are there."""
    names = copier_project.tree(TEMPLATE)
    return sorted(name for name in names if not re.search(r"cache(__)?/", name))


@pytest.mark.parametrize("path", shipped())
def test_a_shipped_path_is_either_owned_or_seeded(path: str) -> None:
    name = path.removesuffix(".jinja")
    assert bool(OWNED.fullmatch(name)) != bool(SEEDED.fullmatch(name))


def test_no_shared_path_is_ever_rendered() -> None:
    assert not SHARED & {path.removesuffix(".jinja") for path in shipped()}


def test_no_memory_entry_is_ever_rendered() -> None:
    in_store = [
        path for path in shipped() if path.startswith(f"{copier_project.STORE}/")
    ]
    plain = {".gitattributes", ".gitignore.jinja", "INDEX.md"}
    assert {PurePosixPath(path).name for path in in_store} == plain


def test_what_copier_keeps_if_it_exists_is_what_is_seeded() -> None:
    config = yaml.safe_load(copier_project.text(copier_project.SOURCE / "copier.yml"))
    assert config["_skip_if_exists"] == [".agents/memory/*/INDEX.md"]


def test_no_name_is_a_condition() -> None:
    assert not [path for path in shipped() if "{%" in path]


@pytest.mark.parametrize("path", shipped())
def test_windows_can_check_a_path_out(path: str) -> None:
    for part in path.split("/"):
        assert not re.search(r'[<>:"|?*\\\x00-\x1f]|[. ]$', part)
        assert not DEVICES.fullmatch(part)
    assert len(path) < 120


def test_no_two_paths_differ_only_in_case() -> None:
    assert len({path.lower() for path in shipped()}) == len(shipped())


def test_nothing_is_shipped_that_git_would_leave_out(tmp_path: Path) -> None:
    shutil.copytree(TEMPLATE, tmp_path / "template", ignore=copier_project.CACHES)
    if (copier_project.SOURCE / ".gitignore").exists():
        shutil.copy(copier_project.SOURCE / ".gitignore", tmp_path)
    copier_project.commit(tmp_path)
    tracked = copier_project.git(
        tmp_path, "-c", "core.quotePath=false", "ls-files", "template"
    )
    assert sorted(tracked.splitlines()) == [f"template/{path}" for path in shipped()]


def test_no_link_is_shipped() -> None:
    assert not [path for path in TEMPLATE.rglob("*") if path.is_symlink()]


def test_every_question_has_a_default_and_says_what_it_is_for() -> None:
    config = yaml.safe_load(copier_project.text(copier_project.SOURCE / "copier.yml"))
    questions = {name: q for name, q in config.items() if not name.startswith("_")}
    assert all("default" in question for question in questions.values())
    asked = [q for q in questions.values() if q.get("when") is not False]
    assert all(question.get("help") for question in asked)
