"""The message before people trust the template, or if they lack its loader."""

from __future__ import annotations

import shutil
import site
import sys
from pathlib import Path

import copier_project
import eco_mem
import pytest

pytestmark = pytest.mark.oldest


def test_without_trust_copier_names_what_it_would_run_and_exits_4(
    template: Path, project: Path
) -> None:
    done = copier_project.copier(
        "copy", "--defaults", template, project, cwd=project.parent
    )
    assert done.rc == 4
    assert "jinja_extensions, tasks" in done.text
    assert "--trust" in done.text
    assert not project.exists()


def test_an_update_without_trust_exits_4_and_changes_nothing(
    first: Path,
) -> None:
    done = copier_project.copier("update", "--defaults", cwd=first)
    assert done.rc == 4
    assert "migrations" in done.text
    assert not copier_project.git(first, "status", "--short")


def test_without_the_loader_copier_says_what_to_install_and_exits_1(
    template: Path, project: Path, tmp_path: Path
) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    for installed in map(Path, site.getsitepackages()):
        for package in installed.iterdir():
            if not package.name.startswith("copier_template_extensions"):
                (packages / package.name).symlink_to(package)
    words = ("-S", "-m", "copier", "copy", "--trust", "--defaults", template, project)
    bare = {"PYTHONPATH": str(packages)}
    done = copier_project.run(sys.executable, *words, cwd=tmp_path, env=bare)
    assert done.rc == 1
    assert "No module named 'copier_template_extensions'" in done.text
    assert not project.exists()


def test_a_line_in_the_settings_trusts_it_once_for_all(
    template: Path, project: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.yml"
    settings.write_text(f"trust:\n  - {template}\n")
    trusted = {"COPIER_SETTINGS_PATH": str(settings)}
    words = ("copy", "--defaults", template, project)
    copier_project.fine(copier_project.copier(*words, cwd=tmp_path, env=trusted))
    assert (project / "AGENTS.md").is_file()


def test_on_a_python_that_is_too_old_copier_says_which_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from copier.errors import UserMessageError

    monkeypatch.setattr(eco_mem, "HAS_TOML", False)
    with pytest.raises(UserMessageError, match=r"needs Python 3\.11 or newer"):
        eco_mem.load_facts()


@pytest.mark.parametrize("python", ["python3.9", "python3.10"])
def test_on_a_python_that_is_too_old_the_weave_says_which_is_needed(
    python: str, tmp_path: Path
) -> None:
    if not shutil.which(python):
        pytest.skip(f"needs {python}")
    if copier_project.run(python, "-V", cwd=tmp_path).rc != 0:
        pytest.skip(f"{python} does not start here")
    script = copier_project.SOURCE / "tasks/weave.py"
    done = copier_project.run(python, script, "--remove", tmp_path, cwd=tmp_path)
    assert done.rc == 1
    assert done.text.startswith("eco-mem: this needs Python 3.11 or newer")
