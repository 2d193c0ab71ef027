"""The question `checks`: CI files and the hook of pre-commit come and go as asked."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import copier_project
import pytest
import yaml
import yaml_edit
from edits import Target, UserChanged
from files import Refused

TABLE = tomllib.loads(
    copier_project.text(copier_project.SOURCE / "extensions/checks.toml")
)
FILES = {key: check["file"] for key, check in TABLE.items()}
OWNED = [key for key, check in TABLE.items() if check["form"] == "owned"]
HOOKS = ".pre-commit-config.yaml"
CONFIG = """\
# mine
repos:
- repo: https://example.org/hooks   # a comment
  rev: 'v1'
  hooks:
  -   id: tidy
      args: [ --all,   --now ]

# the end
"""


def asked(*checks: str) -> tuple[str, str]:
    """Return the options that ask for checks."""
    return "--data", f"checks=[{', '.join(checks)}]"


def there(project: Path) -> set[str]:
    """Return the checks whose own file a project has."""
    return {key for key in OWNED if (project / FILES[key]).exists()}


def own_repository(project: Path) -> None:
    """Make the project a repository of its own, with a commit."""
    project.mkdir(parents=True)
    copier_project.commit(project)


@pytest.mark.oldest
def test_an_update_adds_and_removes_checks(template: Path, project: Path) -> None:
    own_repository(project)
    copier_project.fine(copier_project.copy(template, project, hosts="agents"))
    assert there(project) == set()
    assert not (project / ".github").exists()
    copier_project.commit(project)
    for checks in ([*OWNED], ["gitlab", "github-update"], ["github"]):
        copier_project.fine(copier_project.update(project, *asked(*checks)))
        assert there(project) == {*checks}
        assert copier_project.scars(project) == []
        copier_project.commit(project)
    assert not (project / ".gitlab").exists()
    copier_project.fine(copier_project.update(project, *asked()))
    assert not (project / ".github").exists()


def test_an_update_without_the_answer_keeps_the_checks(
    two_versions: Path, project: Path
) -> None:
    own_repository(project)
    old = ("--vcs-ref", copier_project.OLD)
    copier_project.fine(
        copier_project.copy(two_versions, project, *old, *asked("github"))
    )
    copier_project.commit(project)
    copier_project.fine(copier_project.update(project))
    assert there(project) == {"github"}


def test_in_a_package_the_file_is_printed_for_its_folder_and_not_laid_down(
    template: Path, tmp_path: Path
) -> None:
    own_repository(tmp_path / "whole")
    package = tmp_path / "whole/packages/one"
    options = asked("github", "pre-commit")
    done = copier_project.copy(template, package, *options, hosts="agents")
    text = copier_project.fine(done)
    assert "not laid down .github/workflows/eco-mem.yml" in text
    assert "working-directory: packages/one\n" in text
    assert "entry: python3 packages/one/.agents/" in text
    copier_project.commit(tmp_path / "whole")
    text = copier_project.fine(copier_project.update(package, *asked("gitlab")))
    assert "ECO_MEM_FOLDER: packages/one\n" in text
    assert there(package) == there(tmp_path / "whole") == set()
    copier_project.commit(tmp_path / "whole")
    assert "not laid down" not in copier_project.fine(copier_project.update(package))


@pytest.mark.parametrize("updating", [False, True], ids=["copy", "update"])
def test_a_foreign_file_in_the_way_of_a_check_is_refused(
    template: Path, project: Path, updating: bool
) -> None:
    own_repository(project)
    copier_project.write(project, {FILES["github"]: "name: mine\n"})
    if updating:
        copier_project.fine(copier_project.copy(template, project, hosts="agents"))
    copier_project.commit(project)
    before = copier_project.tree(project)
    if updating:
        refused = copier_project.update(project, *asked("github"))
    else:
        refused = copier_project.copy(template, project, *asked("github"))
    assert refused.rc == 1
    assert f"{FILES['github']} is already there" in refused.text
    assert copier_project.tree(project) == before
    copier_project.fine(copier_project.go_on(refused, project))
    assert copier_project.text(project / FILES["github"]).startswith("# eco-mem")


@pytest.mark.parametrize("value", ["[elsewhere]", "github", "{a: b}"])
def test_an_unknown_check_is_refused_in_one_line(
    template: Path, project: Path, value: str
) -> None:
    done = copier_project.copy(template, project, "--data", f"checks={value}")
    assert done.rc == 1
    assert "checks is a list in brackets, of any of: github" in done.text
    assert "Traceback" not in done.text
    assert not project.exists()


def test_removal_takes_checks_out_and_leaves_the_hooks_of_others(
    template: Path, project: Path
) -> None:
    own_repository(project)
    other = ".github/workflows/mine.yml"
    copier_project.write(project, {HOOKS: CONFIG, other: "on: push\n"})
    copier_project.fine(
        copier_project.copy(template, project, *asked(*FILES), hosts="agents")
    )
    assert yaml_edit.ITEM in yaml.safe_load((project / HOOKS).read_text())["repos"]
    weave = copier_project.SOURCE / "tasks/weave.py"
    remove = ("python3", weave, "--remove", project)
    copier_project.fine(copier_project.run(*remove, cwd=project))
    assert there(project) == set()
    assert copier_project.text(project / HOOKS) == CONFIG
    assert (project / other).exists()


def test_a_hook_that_a_person_took_out_stays_out(template: Path, project: Path) -> None:
    own_repository(project)
    copier_project.write(project, {HOOKS: CONFIG})
    copier_project.fine(
        copier_project.copy(template, project, *asked("pre-commit"), hosts="agents")
    )
    copier_project.write(project, {HOOKS: CONFIG})
    copier_project.commit(project)
    text = copier_project.fine(copier_project.update(project))
    assert copier_project.text(project / HOOKS) == CONFIG
    assert "our hook is gone" in text


def test_without_settings_of_pre_commit_the_hook_is_printed(
    template: Path, project: Path
) -> None:
    own_repository(project)
    done = copier_project.copy(template, project, *asked("pre-commit"), hosts="agents")
    assert "entry: python3 .agents/" in copier_project.fine(done)
    assert not (project / HOOKS).exists()


# The hook of pre-commit, as text.

STYLES = {
    "indented": re.sub(r"(?m)^(?=[- ])", "  ", CONFIG),
    "flush": CONFIG,
    "no end of line": CONFIG.rstrip("\n").removesuffix("\n# the end"),
    "Windows": CONFIG.replace("\n", "\r\n"),
    "keys after": CONFIG + "ci:\n  skip: [tidy]\n",
    "block text": CONFIG.replace(
        "[ --all,   --now ]", "\n      - |\n        # not a comment\n\n        text\n"
    ),
    "text at the end": "repos:\n- repo: meta\n  hooks:\n  - id: |-\n      x",
    "flow hooks": "repos:\n  - {repo: meta, hooks: [{id: identity}]}\n",
    "an anchor": "x: &x [a]\nrepos:\n  - repo: meta\n    hooks:\n      - id: i\n"
    "        args: *x # why\n",
}


@pytest.mark.parametrize("text", STYLES.values(), ids=[*STYLES])
def test_the_hook_goes_in_and_out_without_another_byte_changed(text: str) -> None:
    old = yaml.safe_load(text)
    new = yaml_edit.in_pre_commit(text, Target(True, None))
    assert new is not None
    assert yaml.safe_load(new) == {**old, "repos": [*old["repos"], yaml_edit.ITEM]}
    start = os.path.commonprefix([text, new])  # noqa: RUF071 (text, not paths)
    assert new.endswith(text[len(start) :])  # so all that was there still is
    assert yaml_edit.in_pre_commit(new, Target(True, [])) == new
    assert yaml_edit.in_pre_commit(new, Target(False, [])) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "repos: []\n",
        "- a\n",
        "repos:\n{% if x %}\n- repo: local\n{% endif %}\n",
        "repos: [{repo: meta, hooks: []}]\n",
        "a: 1\n---\nrepos:\n- repo: meta\n",
        "repos:\n\t- x\n",
    ],
)
def test_settings_that_no_text_can_be_put_into_are_refused(text: str) -> None:
    with pytest.raises(Refused):
        yaml_edit.in_pre_commit(text, Target(True, None))


def test_a_hook_that_was_edited_is_left_to_the_person() -> None:
    new = yaml_edit.in_pre_commit(CONFIG, Target(True, None)) or ""
    edited = new.replace("always_run: true", "always_run: false")
    assert edited != new
    with pytest.raises(UserChanged):
        yaml_edit.in_pre_commit(edited, Target(False, []))
