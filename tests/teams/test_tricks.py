"""Tricks by which a change might be judged by itself, or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import ci_runs
import pytest
import yaml
from pull_requests import (
    ALLOW,
    EPISODE,
    LEAK,
    TOKEN,
    Change,
    judge,
    merge_request,
    merged,
    slow,
)
from store_project import MEMORY, SKILL, TEMPLATE, Project

ENTRY = f"{MEMORY}/semantic/log-port.md"
SCRIPTS = f"{SKILL}/scripts"
PASSES = "import os\n\nprint('all is well', flush=True)\nos._exit(0)\n"


def leak(it: Project) -> None:
    """Add an entry with a token to the change."""
    it.entry("semantic", "log-port", body=LEAK)


def link(it: Project, name: str, target: str) -> None:
    """Put a link at a path, in place of what is there."""
    it.git("rm", "-rqf", "--ignore-unmatch", name)
    it.path(name).unlink(missing_ok=True)
    it.path(name).symlink_to(target)


def submodule(it: Project, name: str) -> None:
    """Make a folder a submodule, which no checkout of ours fills."""
    commit = it.git("rev-parse", "main").strip()
    it.git("add", "-A")
    it.git("rm", "-rqf", "--cached", name)
    it.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{name}")
    it.git("commit", "-qm", "a submodule")
    shutil.rmtree(it.path(name))
    it.path(name).mkdir()


# A change whose entry has a token, and something that is to hide it from the judge.


def programs_in_the_tree(it: Project) -> None:
    for name in ("python3", "git", "bash", f"{SCRIPTS}/python3", f"{SCRIPTS}/git"):
        it.write(name, "#!/bin/sh\nexit 0\n").chmod(0o755)


def modules_named_like_those_of_python(it: Project) -> None:
    for name in ("os", "re", "json", "sys", "subprocess", "sitecustomize"):
        for folder in ("", f"{SCRIPTS}/", f"{SCRIPTS}/ecomem/"):
            it.write(f"{folder}{name}.py", PASSES)
    it.write("usercustomize.py", PASSES)
    it.write("evil.pth", "import os; os._exit(0)\n")
    it.write("ecomem/__init__.py", PASSES)
    it.write("pyvenv.cfg", "home = .\n")


def packages_that_hide_modules(it: Project) -> None:
    it.write(
        f"{SCRIPTS}/ecomem/gate/scanner/__init__.py", "def scan(*a, **b): return []\n"
    )


def bytecode_in_the_tree(it: Project) -> None:
    it.write(f"{SCRIPTS}/ecomem/__pycache__/verify.cpython-311.pyc", b"not bytecode")
    it.write(f"{SCRIPTS}/ecomem/gate/__pycache__/cached-hits", b"\x00")


def allow_file_that_is_a_folder(it: Project) -> None:
    it.write(f"{ALLOW}/lines", "all\n")


def allow_file_that_is_a_link(it: Project) -> None:
    it.write("lines.txt", f"{ENTRY}\n")
    link(it, ALLOW, "../lines.txt")


def attributes_with_a_filter(it: Project) -> None:
    it.write(".gitattributes", "* filter=lfs diff=lfs merge=ours -text\n")
    it.write(".lfsconfig", "[lfs]\n\turl = file:///dev/null\n")
    it.write(".gitconfig", '[filter "lfs"]\n\tsmudge = true\n')


def ignored_by_git(it: Project) -> None:
    it.write(".gitignore", ".agents/memory/\n*.md\n")
    it.git("add", "-f", ENTRY)


def submodule_as_skill(it: Project) -> None:
    it.write(".gitmodules", f'[submodule "x"]\n\tpath = {SKILL}\n\turl = ../x\n')
    submodule(it, SKILL)


def skill_that_is_gone(it: Project) -> None:
    it.git("rm", "-rqf", SKILL)


def odd_choices(it: Project) -> None:
    it.write(f"{SKILL}/eco-mem.json", '{"hosts": [], "allow": ["G01"], "bare": true}\n')


def report_that_is_a_link(it: Project) -> None:
    link(it, "eco-mem.json", ENTRY)


HIDDEN: list[Change] = [
    programs_in_the_tree,
    modules_named_like_those_of_python,
    packages_that_hide_modules,
    bytecode_in_the_tree,
    allow_file_that_is_a_folder,
    allow_file_that_is_a_link,
    attributes_with_a_filter,
    ignored_by_git,
    submodule_as_skill,
    skill_that_is_gone,
    odd_choices,
    report_that_is_a_link,
]


def named(change: Change) -> str:
    """The name of a change, for the name of a test."""
    return change.__name__.replace("_", "-")


@pytest.mark.parametrize(
    "hide",
    [
        pytest.param(one, marks=() if one is programs_in_the_tree else slow)
        for one in HIDDEN
    ],
    ids=named,
)
def test_the_token_is_found_all_the_same(author: Project, hide: Change) -> None:
    def change(it: Project) -> None:
        leak(it)
        hide(it)

    job = judge(author, change, "pull_request")
    assert (job.codes[1], "G01" in job.text) == (1, True), job.text
    assert TOKEN not in job.text + job.summary


@slow
@pytest.mark.parametrize("hide", HIDDEN, ids=named)
def test_on_gitlab_too(author: Project, hide: Change) -> None:
    def change(it: Project) -> None:
        leak(it)
        hide(it)

    base, _ = merged(author, change)
    job = merge_request(author, author.git("rev-parse", "topic").strip(), base)
    assert (bool(job.code), "G01" in job.text) == (True, True), job.text
    assert TOKEN not in job.text + job.summary


# A change that puts text where the judge may not look.


def linked_store(it: Project) -> None:
    it.git("mv", MEMORY, "notes")
    link(it, MEMORY, "../notes")


def linked_drawer(it: Project) -> None:
    it.git("mv", f"{MEMORY}/semantic", "facts")
    link(it, f"{MEMORY}/semantic", "../../facts")


def linked_entry(it: Project) -> None:
    it.write("log.md", it.entry("semantic", "log-port", body=LEAK).read_bytes())
    link(it, ENTRY, "../../../log.md")


def linked_agents(it: Project) -> None:
    it.git("mv", ".agents", "hidden")
    link(it, ".agents", "hidden")


def folder_in_a_drawer(it: Project) -> None:
    it.write(f"{MEMORY}/semantic/more/log-port.md", LEAK)


def other_endings(it: Project) -> None:
    it.write(f"{MEMORY}/semantic/log-port.MD", LEAK)


def line_end_in_a_path(it: Project) -> None:
    it.write(f"{MEMORY}/semantic/log\nport.md", LEAK)


def name_that_differs_in_case(it: Project) -> None:
    text = it.path(f"{MEMORY}/semantic/health-port.md").read_text("utf-8")
    it.write(f"{MEMORY}/semantic/Health-port.md", text + LEAK)


def catalog_with_more_text(it: Project) -> None:
    path = it.index("semantic")
    it.write(f"{MEMORY}/semantic/INDEX.md", path.read_text("utf-8") + f"\n{LEAK}")


def huge_entry(it: Project) -> None:
    it.write(ENTRY, "# Log port\n\n" + "All is well here.\n" * 2_000_000 + LEAK)


def other_encoding(it: Project) -> None:
    it.write(ENTRY, f"# Log port\n\n{LEAK}".encode("utf-16"))


def desk_in_git(it: Project) -> None:
    it.write(f"{MEMORY}/working/plan.md", LEAK)
    it.git("add", "-f", f"{MEMORY}/working/plan.md")


def submodule_as_store(it: Project) -> None:
    submodule(it, MEMORY)


def submodule_in_a_drawer(it: Project) -> None:
    commit = it.git("rev-parse", "main").strip()
    path = f"{MEMORY}/semantic/more"
    it.path(path).mkdir()
    it.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")
    it.git("commit", "-qm", "a submodule")


def store_that_is_gone(it: Project) -> None:
    it.git("rm", "-rqf", MEMORY)


def all_that_is_gone(it: Project) -> None:
    it.git("rm", "-rqf", ".agents")


def recoded_on_checkout(it: Project) -> None:
    # What is checked out is another text than what git has.
    it.write(".gitattributes", f"{ENTRY} working-tree-encoding=ISO-2022-JP\n")
    text = it.entry("semantic", "log-port", body="\u547d\u4ee4\n").read_text("utf-8")
    it.write(ENTRY, text.encode("iso2022_jp"))


def retired_without_a_word(it: Project) -> None:
    it.git("rm", "-qf", EPISODE)


ASIDE: list[Change] = [
    linked_store,
    linked_drawer,
    linked_entry,
    linked_agents,
    folder_in_a_drawer,
    other_endings,
    line_end_in_a_path,
    name_that_differs_in_case,
    catalog_with_more_text,
    huge_entry,
    other_encoding,
    desk_in_git,
    submodule_as_store,
    submodule_in_a_drawer,
    store_that_is_gone,
    all_that_is_gone,
    recoded_on_checkout,
    retired_without_a_word,
]


@slow
@pytest.mark.parametrize("change", ASIDE, ids=named)
def test_text_that_lies_aside_is_red(author: Project, change: Change) -> None:
    base, merge = merged(author, change)
    head = author.git("rev-parse", "topic").strip()
    checkout = ci_runs.clone(author.root, merge, author.root.with_name("merge"))
    job = ci_runs.github(checkout, "pull_request")
    # By the base's scripts, or before they ran.
    assert job.codes[0] or job.codes[1], job.text
    assert TOKEN not in job.text + job.summary
    assert not any(line.startswith("port.md") for line in job.text.splitlines())
    job = merge_request(author, head, base)
    assert job.code, job.text
    assert TOKEN not in job.text + job.summary


# The base, and what a person may have merged without a close look.


@slow
@pytest.mark.parametrize(
    "name",
    [
        f"{SCRIPTS}/verify.py ",
        f" {SCRIPTS}/verify.py",
        f"{SCRIPTS}/Verify.py",
        f"{SCRIPTS}/ecomem/__pycache__/verify.cpython-311.pyc",
        f"{SCRIPTS}/ecomem/verify.py\n",
    ],
    ids=["a space after", "a space before", "case", "bytecode", "a line end"],
)
def test_a_file_that_looks_like_a_script_does_not_replace_it(
    author: Project, name: str
) -> None:
    author.git("switch", "-q", "main")
    author.write(name, PASSES)
    author.git("add", "-f", name)
    author.git("commit", "-qm", "harmless")
    author.git("switch", "-qC", "topic")
    job = judge(author, leak, "pull_request")
    assert (job.codes[1], "G01" in job.text) == (1, True), job.text
    head = author.git("rev-parse", "topic").strip()
    job = merge_request(author, head, author.git("rev-parse", "main").strip())
    assert (bool(job.code), "G01" in job.text) == (True, True), job.text


@slow
def test_a_reference_that_replaces_the_base_replaces_no_judge(
    author: Project, tmp_path: Path
) -> None:
    def change(it: Project) -> None:
        leak(it)
        it.write(f"{SCRIPTS}/verify.py", PASSES)

    base, merge = merged(author, change)
    author.git("update-ref", f"refs/replace/{base}", merge)
    author.git("update-ref", "refs/heads/HEAD", merge)
    author.git("tag", "BASE", merge)
    author.git("branch", f"replace/{base}", merge)
    checkout = ci_runs.clone(author.root, merge, tmp_path / "run")
    assert ci_runs.github(checkout, "pull_request").codes[1] == 1


@slow
def test_a_branch_from_before_eco_mem_is_judged_by_its_target(author: Project) -> None:
    """Such a branch brings scripts of its own, and conflicts with none of main."""
    author.git("checkout", "-q", "--orphan", "start", "main")
    author.git("rm", "-rqf", ".agents")
    author.git("commit", "-qm", "long ago")
    start = author.git("rev-parse", "HEAD").strip()
    author.git("checkout", "-q", "main", "--", ".agents")
    leak(author)
    author.write(f"{SCRIPTS}/verify.py", PASSES)
    head = author.commit("the change")
    job = merge_request(author, head, start)
    assert (bool(job.code), "G01" in job.text) == (True, True), job.text


@pytest.mark.parametrize("name", ["gone", "--help", "main branch"])
def test_a_target_that_is_not_in_the_clone_stops(author: Project, name: str) -> None:
    head = author.git("rev-parse", "main").strip()
    checkout = ci_runs.clone(author.root, head, author.root.with_name("run"))
    job = ci_runs.gitlab(
        checkout,
        CI_MERGE_REQUEST_DIFF_BASE_SHA=f"{head}~1",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME=name,
        CI_MERGE_REQUEST_IID="1",
    )
    assert job.code == 2
    assert f"The branch {name} is not in this clone" in job.text


def test_a_pull_request_that_gets_another_base_is_judged_anew() -> None:
    text = (TEMPLATE / ci_runs.GITHUB).read_text("utf-8")
    workflow = yaml.safe_load(text)
    events = workflow[True]["pull_request"]["types"]
    assert {*events} == {"opened", "reopened", "synchronize", "edited"}
    # A job that is skipped counts as passed, and so would hide one that failed.
    assert "if" not in workflow["jobs"]["verify"]


def test_the_judge_needs_no_secret_and_no_token() -> None:
    """So it runs for a pull request from a fork as it does for any other."""
    text = (TEMPLATE / ci_runs.GITHUB).read_text("utf-8")
    assert "secrets." not in text and "github.token" not in text
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    assert workflow["jobs"]["verify"]["permissions"] == {"contents": "read"}
    checkout = workflow["jobs"]["verify"]["steps"][0]["with"]
    assert checkout == {"fetch-depth": 0, "persist-credentials": False}
