"""The README and its pages are true: tables and commands come from the sources."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import copier_project
import pytest
import yaml
from store_project import SKILL, TEMPLATE, Project, environment, lay_down

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
HOSTS: dict[str, dict[str, Any]] = tomllib.loads(
    (ROOT / "extensions/hosts.toml").read_text("utf-8")
)


PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "AGENTS.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


def shown_hosts() -> str:
    """Return the host table that docs/hosts.md shows."""
    page = (ROOT / "docs/hosts.md").read_text("utf-8")
    found = re.search(r"<!-- hosts:begin -->\n(.*?)<!-- hosts:end -->", page, re.S)
    assert found
    return found[1].strip()


def host_row(name: str, host: dict[str, Any]) -> list[str]:
    """Return the cells of a host's row."""
    skill = f"copy in `{host['skills']}`" if "skills" in host else "as it is"
    reads = f"`{host['instructions']}`"
    if "import" in host:
        reads += f", which imports `{host['import']}`"
    settings = f"`{host['settings']['file']}`" if "settings" in host else ""
    return [host["name"], f"`{name}`", skill, reads, settings, host["note"]]


def host_table() -> str:
    """Return the host table, aligned as prettier does."""
    head = ["host", "id", "skill", "instructions", "settings", "note"]
    rows = [head, *(host_row(name, host) for name, host in HOSTS.items())]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    lines = [
        "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    lines[1:1] = ["| " + " | ".join("-" * width for width in widths) + " |"]
    return "\n".join(lines)


def test_the_host_table_is_the_registry() -> None:
    assert shown_hosts() == host_table(), host_table()


def test_the_tree_it_shows_is_what_lands(tmp_path: Path) -> None:
    project = lay_down(tmp_path)
    shown = README.partition("## What lands")[2].partition("```text")[2]
    names = re.findall(r"[\w.-]+\.(?:md|json|yml)\b|\.gitignore", shown.split("```")[0])
    there = {path.name for path in project.root.rglob("*")}
    assert set(names) <= there | {".copier-answers.yml"}


def test_the_two_minute_walk_prints_what_it_says(tmp_path: Path) -> None:
    project = lay_down(tmp_path)
    walk = README.partition("## Two minutes")[2].partition("```console\n")[2]
    lines = walk.partition("```")[0].splitlines()
    commands, printed = [], []
    inside = False
    for line in lines:
        if line.startswith("$ "):
            commands.append(line[2:])
            inside = line.endswith("<<'EOF'")
        elif inside:
            commands[-1] += "\n" + line
            inside = line != "EOF"
        else:
            printed.append(line)
    project.script()
    said = "".join(shell(project, command) for command in commands)
    assert said.splitlines() == printed


def shell(project: Project, command: str) -> str:
    """Run a line of the walk; today stands for the day it was written on."""
    done = subprocess.run(
        ["bash", "-c", command.replace("python3", sys.executable)],
        cwd=project.root,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_each_link_to_a_file_leads_to_one(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\((?!https?:)([^)#]+)", prose)
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_session_it_names_is_there(page: Path) -> None:
    sessions = set(re.findall(r"`nox -s (\w+)", page.read_text("utf-8")))
    noxfile = (ROOT / "noxfile.py").read_text("utf-8")
    assert [name for name in sessions if f"def {name}(session" not in noxfile] == []


def test_the_size_it_names_is_right_within_a_fifth() -> None:
    guard = ("hook.py", "guard.md")
    files = [
        path.read_bytes()
        for path in (TEMPLATE / ".agents").rglob("*")
        if path.is_file()
        and path.name not in guard
        and not {"guard", "__pycache__"} & {*path.parts}
    ]
    named = re.search(r"About (\d+) files, ([\d,]+) lines and (\d+) kB", README)
    assert named
    said = [int(number.replace(",", "")) for number in named.groups()]
    there = [
        len(files),
        sum(f.count(b"\n") for f in files),
        sum(map(len, files)) // 1000,
    ]
    for number, real in zip(said, there, strict=True):
        assert abs(number - real) <= real / 5, there


def test_the_review_command_shows_each_file_that_is_not_of_the_release(
    template: Path, project: Path, tmp_path: Path
) -> None:
    copier_project.fine(copier_project.copy(template, project, hosts="claude"))
    review = README.partition("### Review the pull request")[2]
    commands = review.partition("```console\n")[2].partition("```")[0]
    answers = yaml.safe_load((project / ".copier-answers.yml").read_text("utf-8"))
    for shown, used in (
        ('uvx --python ">=3.11" --with copier-template-extensions', "python -m"),
        ("python -m", f"{sys.executable} -m"),
        ("v1.0.0", str(answers["_commit"])),
        ("SOURCE", str(template)),
        ("../eco-mem-check", str(tmp_path / "check")),
    ):
        assert shown in commands
        commands = commands.replace(shown, used)
    copying, comparing = commands.split("\ndiff", 1)
    in_shell(project, copying)
    assert (tmp_path / "check/AGENTS.md").is_file()
    assert in_shell(project, f"diff{comparing}") == ""
    copier_project.write(project, {f"{SKILL}/scripts/json.py": "print(1)\n"})
    assert f"{SKILL}/scripts: json.py" in in_shell(project, f"diff{comparing}")


def in_shell(folder: Path, commands: str) -> str:
    """Run commands and return what they print on standard output."""
    done = subprocess.run(
        ["bash", "-c", commands],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout
