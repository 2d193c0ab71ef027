"""Other tools, with their default settings, over a project that has eco-mem.

Not part of the default tests: the tools come from their registries. Run it with
`nox -s neighbours`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from copier_project import ALL_HOSTS, copy, fine, update
from run_commands import command
from store_project import Project

NPM = ("prettier@3", "@biomejs/biome@2", "markdownlint-cli2")


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs that npm installed."""
    if not shutil.which("npm"):
        pytest.skip("needs npm")
    folder = tmp_path_factory.mktemp("tools")
    install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder)]
    subprocess.run([*install, *NPM], check=True, capture_output=True)
    return folder / "node_modules/.bin"


@pytest.fixture
def laid(whole_template: Path, tmp_path: Path) -> Project:
    """A project with every host, the guard, some entries, and nothing else."""
    made = Project(tmp_path / "project")
    made.root.mkdir()
    made.git("init", "-q", "-b", "main")
    hosts = ", ".join(ALL_HOSTS)
    checks = "checks=[github, github-update, gitlab]"
    options = ("--data", "guard=true", "--data", checks)
    fine(copy(whole_template, made.root, *options, hosts=hosts))
    made.entry("semantic", "health-port")
    made.entry("episodic", "locked-table")
    made.entry("procedural", "cut-release")
    assert made.verify("--fix").code == 0
    made.commit("laid down")
    return made


def run(project: Project, *words: str | Path) -> str:
    """Run a tool in the project; return what it said, with its exit code first."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{done.returncode}\n{done.stdout}{done.stderr}"


def test_prettier_finds_nothing_to_format(laid: Project, tools: Path) -> None:
    said = run(laid, tools / "prettier", "--check", ".")
    assert said.startswith("0\n"), said


def test_markdownlint_finds_nothing_in_ours(laid: Project, tools: Path) -> None:
    files = [".agents/skills/**/*.md", ".agents/memory/*/INDEX.md", "*.md"]
    said = run(laid, tools / "markdownlint-cli2", *files)
    assert said.startswith("0\n"), said


def test_biome_differs_from_prettier_only_where_prettier_is_the_norm(
    laid: Project, tools: Path
) -> None:
    said = run(laid, tools / "biome", "lint", "--diagnostic-level=error", ".")
    assert "lint/" not in said, said


@pytest.mark.parametrize(
    "tool",
    [["ruff", "check"], ["ruff", "format", "--check"], ["black", "--check", "-q"]],
    ids=["ruff check", "ruff format", "black"],
)
def test_python_tools_find_nothing(laid: Project, tool: list[str]) -> None:
    said = run(laid, sys.executable, "-m", *tool, ".")
    assert said.startswith("0\n"), said


STRICTER = {
    ".prettierrc": '{"printWidth": 60, "proseWrap": "always", "useTabs": true}\n',
    ".editorconfig": "root = true\n[*]\nindent_style = tab\nmax_line_length = 60\n",
    ".markdownlint.yaml": "MD013: {line_length: 60}\n",
}


def test_stricter_settings_of_a_project_do_not_reach_the_skill(
    laid: Project, tools: Path
) -> None:
    for name, text in STRICTER.items():
        laid.write(name, text)
    said = run(laid, tools / "prettier", "--check", ".agents/skills")
    assert said.startswith("0\n"), said
    said = run(laid, tools / "markdownlint-cli2", ".agents/skills/**/*.md")
    assert said.startswith("0\n"), said


@pytest.mark.parametrize("program", ["detect-private-key", "check-added-large-files"])
def test_usual_commit_hooks_find_nothing(laid: Project, program: str) -> None:
    files = laid.git("ls-files").split()
    said = run(laid, Path(sys.executable).with_name(program), *files)
    assert said.startswith("0\n"), said


def test_codespell_finds_only_words_of_other_languages(laid: Project) -> None:
    program = Path(sys.executable).with_name("codespell")
    said = run(laid, program, *laid.git("ls-files").split())
    places = {Path(line.partition(":")[0]).name for line in said.splitlines()[1:]}
    tables = {"phrases.txt", "secrets.txt", "words.py", "telling_words.py"}
    assert places <= tables, said


def test_yamllint_finds_nothing(laid: Project) -> None:
    said = run(laid, sys.executable, "-m", "yamllint", "--strict", ".")
    assert said.startswith("0\n"), said


def test_mypy_finds_nothing(laid: Project) -> None:
    laid.write("mine.py", "answer: int = 42\n")
    said = run(laid, sys.executable, "-m", "mypy", ".")
    assert said.startswith("0\n"), said


def test_formatting_a_store_keeps_verify_green_and_the_update_clean(
    two_whole_versions: Path, tools: Path, tmp_path: Path
) -> None:
    made = Project(tmp_path / "project")
    made.root.mkdir()
    made.git("init", "-q", "-b", "main")
    fine(copy(two_whole_versions, made.root, "--vcs-ref", "v1.0.0"))
    text = (
        "# A fact_with marks\n\n* cue: when *stars* and under_scores meet `code`\n"
        "* source: derived\n* scope: repo\n* expires: never\n\nSome __strong__ text.\n"
        "* one\n* two\n"
    )
    assert command(made, "remember", "semantic", "marks", given=text).code == 0
    made.commit("laid down")
    run(made, tools / "prettier", "--write", ".")
    assert made.verify("--strict").code == 0
    made.commit("formatted")
    fine(update(made.root))
    assert made.git("ls-files", "-u") == ""
    assert made.verify().code == 0
