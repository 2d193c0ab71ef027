"""The update workflow: the job that writes never runs the template."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from pathlib import Path

import ci_runs
import pytest
import yaml
from copier_project import SOURCE
from github_runner import Job, Step
from store_project import TEMPLATE, Project, well_kept

WORKFLOW = yaml.safe_load(
    (TEMPLATE / ".github/workflows/eco-mem-update.yml").read_text("utf-8")
)
COMMIT, PROPOSE = (
    step["run"] for step in WORKFLOW["jobs"]["propose"]["steps"] if "run" in step
)
HOSTS = tomllib.loads((SOURCE / "extensions/hosts.toml").read_text("utf-8"))
CHECKS = tomllib.loads((SOURCE / "extensions/checks.toml").read_text("utf-8"))


def ours() -> list[str]:
    """Return paths that the template may write, one of each kind."""
    paths = [".copier-answers.yml", ".copier-answers.eco-mem.yml"]
    paths += [check["file"] for check in CHECKS.values()]
    for host in HOSTS.values():
        paths += [host["instructions"], *host.get("elsewhere", [])]
        paths += [host[key]["file"] for key in ("settings", "hooks") if key in host]
        if "skills" in host:
            paths.append(f"{host['skills']}/eco-mem/SKILL.md")
    for path in TEMPLATE.rglob("*"):
        name = path.relative_to(TEMPLATE).as_posix().removesuffix(".jinja")
        if path.is_file() and "{" not in name and "__pycache__" not in name:
            paths.append(name)
    return sorted({*paths})


def pattern() -> re.Pattern[str]:
    """Return the pattern of the paths that the second job lets pass."""
    return re.compile("".join(re.findall(r"files\+?='(.*)'", COMMIT)))


@pytest.mark.parametrize("path", ours())
def test_what_the_template_writes_passes(path: str) -> None:
    assert pattern().fullmatch(path)


@pytest.mark.parametrize(
    "path",
    [
        "app.py",
        ".agents/memory/semantic/health-port.md",
        ".agents/memory/semantic/ARCHIVE.md",
        ".agents/eco-mem.allow",
        ".agents/eco-mem.retired",
        ".agents/skills/another/SKILL.md",
        ".github/workflows/ci.yml",
        ".github/workflows/eco-mem.yml.sh",
        ".gitlab-ci.yml",
        "src/AGENTS.md",
        '".agents/skills/eco-mem/a\\nb"',
    ],
)
def test_what_it_does_not_write_is_refused(path: str) -> None:
    assert not pattern().fullmatch(path)


def test_the_job_that_runs_the_template_can_write_nothing() -> None:
    merge, propose = WORKFLOW["jobs"]["merge"], WORKFLOW["jobs"]["propose"]
    assert WORKFLOW["permissions"] == {}
    assert merge["permissions"] == {"contents": "read"}
    assert "secrets." not in str(merge)
    assert not re.search(r"^ *(copier|uv|pipx) ", COMMIT + PROPOSE, re.MULTILINE)
    assert propose["needs"] == "merge"


@pytest.fixture(scope="module")
def forge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a memory, for reading only."""
    made = well_kept(tmp_path_factory.mktemp("forge") / "author")
    made.write("app.py", "print('hello')\n")
    made.commit("the project")
    return made.root


def run(it: Project, script: str, **env: str) -> Job:
    """Run a step of the second job in a checkout, with a `gh` that does nothing."""
    temp = it.root.with_name("temp")
    (temp / "bin").mkdir(parents=True, exist_ok=True)
    program = temp / "bin/gh"
    program.write_text('#!/bin/sh\necho "gh $*"\n[ "$2" != view ]\n')
    program.chmod(0o755)

    all_of = {
        "RUNNER_TEMP": str(temp),
        "VERSION": "v1.1.0",
        "GH_TOKEN": "",
        "GIT_AUTHOR_EMAIL": "eco-mem@users.noreply.github.com",
        "HOME": str(temp),
        "GIT_CONFIG_GLOBAL": str(temp / "gitconfig"),
        "PATH": f"{temp / 'bin'}{os.pathsep}{os.environ['PATH']}",
        **env,
    }
    code, text = ci_runs.shell(script, it.root, all_of)
    return Job(code, text, "", [Step("", True, "", code)], {})


def patched(forge: Path, tmp_path: Path, **files: str) -> Project:
    """Return a checkout beside which lies a patch that writes some files."""
    shutil.copytree(forge, tmp_path / "author", symlinks=True)
    author = Project(tmp_path / "author")
    author.script()
    author.git("config", "uploadpack.allowAnySHA1InWant", "true")
    head = author.git("rev-parse", "HEAD").strip()
    made = ci_runs.clone(author.root, head, tmp_path / "run")
    (tmp_path / "temp").mkdir()
    for name, text in files.items():
        if text.startswith("-> "):
            made.path(name).unlink(missing_ok=True)
            made.path(name).symlink_to(text[3:])
        else:
            made.write(name, text)
    made.git("add", "--all", *files)
    patch = made.git("diff", "--cached", "--binary", "--full-index")
    (tmp_path / "temp/eco-mem.patch").write_text(patch)
    made.git("reset", "-q", "--hard")
    return made


AGENTS = {"AGENTS.md": "# Mine\n"}


def test_an_update_of_our_files_is_pushed_and_proposed(
    forge: Path, tmp_path: Path
) -> None:
    made = patched(forge, tmp_path, **AGENTS)
    assert run(made, COMMIT).code == 0
    job = run(made, PROPOSE)
    assert job.code == 0, job.text
    assert "gh pr create --draft --head eco-mem-v1.1.0" in job.text
    author = Project(tmp_path / "author")
    assert author.git("show", "eco-mem-v1.1.0:AGENTS.md") == AGENTS["AGENTS.md"]
    # Again, with a branch of ours in the way: it is brought up to date.
    assert run(made, PROPOSE).code == 0


@pytest.mark.parametrize(
    "files",
    [
        {"app.py": "evil\n"},
        {".agents/memory/semantic/health-port.md": "# Changed\n"},
        {"AGENTS.md": "-> /etc/passwd"},
        {".agents/skills/eco-mem/references/more.md": "-> ../../../../app.py"},
    ],
    ids=["code", "an entry", "a link", "a new link"],
)
def test_a_patch_of_other_files_or_links_is_refused(
    forge: Path, tmp_path: Path, files: dict[str, str]
) -> None:
    made = patched(forge, tmp_path, **files)
    job = run(made, COMMIT)
    assert job.code == 1
    assert "not of eco-mem, so nothing was proposed" in job.text


@pytest.mark.parametrize("version", ["", "v1 x", "--help", "$(id)", "v1\nx", "../v1"])
def test_what_is_no_version_is_refused(
    forge: Path, tmp_path: Path, version: str
) -> None:
    made = patched(forge, tmp_path, **AGENTS)
    job = run(made, COMMIT, VERSION=version)
    assert (job.code, "is no version" in job.text) == (1, True)


def test_a_branch_with_commits_of_others_is_left_alone(
    forge: Path, tmp_path: Path
) -> None:
    made = patched(forge, tmp_path, **AGENTS)
    author = Project(tmp_path / "author")
    author.git("switch", "-qc", "eco-mem-v1.1.0")
    author.git("commit", "-q", "--allow-empty", "-m", "by a person")
    theirs = author.git("rev-parse", "HEAD")
    author.git("switch", "-q", "main")
    assert run(made, COMMIT).code == 0
    job = run(made, PROPOSE)
    assert job.code == 1
    assert "has commits of others" in job.text
    assert author.git("rev-parse", "eco-mem-v1.1.0") == theirs
