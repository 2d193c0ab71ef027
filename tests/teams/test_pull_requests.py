"""A pull request is judged by what it cannot change: the scripts of its base."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import ci_runs
import pytest
from ci_runs import Job
from store_project import SKILL, Project, well_kept

TOKEN = "ghp_" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"
LEAK = f"Point the checks at the second port with {TOKEN}.\n"
ALLOW = ".agents/eco-mem.allow"
SCANNER = f"{SKILL}/scripts/ecomem/gate/scanner.py"
EPISODE = ".agents/memory/episodic/locked-table.md"

# By default a few of each; `nox -s ci` runs all of them.
ALL = "ECO_MEM_ALL_OF_CI"
slow = pytest.mark.skipif(ALL not in os.environ, reason="`nox -s ci` runs it")


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A forge with a project that has a memory and CI; for reading only."""
    folder = tmp_path_factory.mktemp("forge")
    made = ci_runs.with_checks(well_kept(folder / "author"))
    made.write("app.py", "print('hello')\n")
    made.commit("the project")
    made.write("app.py", "print('hello again')\n")
    made.commit("more code")
    return folder / "author"


@pytest.fixture
def author(published: Path, tmp_path: Path) -> Project:
    """A clone in which a pull request is prepared, on the branch `topic`."""
    shutil.copytree(published, tmp_path / "author", symlinks=True)
    made = Project(tmp_path / "author")
    made.script()
    made.git("config", "receive.denyCurrentBranch", "ignore")
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    made.git("switch", "-qc", "topic")
    return made


def empty_the_gate(it: Project) -> None:
    """Let the gate of the change find nothing."""
    text = it.path(SCANNER).read_text("utf-8")
    it.write(SCANNER, f"{text}\n\ndef scan(*_args, **_options):\n    return []\n")


def honest(it: Project) -> None:
    it.entry("semantic", "log-port")


def gate_emptied(it: Project) -> None:
    it.entry("semantic", "log-port", body=LEAK)
    empty_the_gate(it)


def allow_line_added(it: Project) -> None:
    it.entry("semantic", "log-port", body=LEAK)
    found = it.verify("--format", "json").told
    assert "G01" in {item.code for item in found}
    from ecomem.gate import pages

    path = ".agents/memory/semantic/log-port.md"
    line = next(x for x in it.path(path).read_text().splitlines() if TOKEN in x)
    it.write(ALLOW, f"{pages.allow_mark(path, 'G01', line)}  it is harmless\n")


def episode_rewritten(it: Project) -> None:
    text = it.path(EPISODE).read_text("utf-8")
    it.write(EPISODE, text.replace("waited", "cheered"))


def workflow_replaced(it: Project) -> None:
    it.entry("semantic", "log-port", body=LEAK)
    it.write(
        ci_runs.GITHUB,
        "jobs: {verify: {steps: [{id: base, run: echo looks good}]}}\n",
    )


def tool_alone(it: Project) -> None:
    text = it.path(SCANNER).read_text("utf-8")
    it.write(SCANNER, f"{text}\n# a comment\n")


def code_alone(it: Project) -> None:
    it.write("app.py", "print('goodbye')\n")


Change = Callable[[Project], None]
CHANGES: dict[str, tuple[Change, int, str]] = {
    "honest": (honest, 0, ""),
    "gate emptied": (gate_emptied, 1, "G01"),
    "allow line added": (allow_line_added, 1, "G01"),
    "episode rewritten": (episode_rewritten, 1, "H01"),
    # The one that no file in the repository can stop: CODEOWNERS does.
    "workflow replaced": (workflow_replaced, 0, "looks good"),
    "tool alone": (tool_alone, 0, ""),
    "code alone": (code_alone, 0, ""),
}
HOSTILE = "* export-ignore -diff -text ident eol=crlf\n.agents/** export-ignore -diff\n"


def merged(author: Project, change: Change) -> tuple[str, str]:
    """Commit a change and merge it into main as a forge does: base and merge."""
    change(author)
    author.commit("the change")
    base = author.git("rev-parse", "main").strip()
    author.git("switch", "-q", "--detach", "main")
    author.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
    merge = author.git("rev-parse", "HEAD").strip()
    author.git("update-ref", "refs/pull/1/merge", merge)
    return base, merge


def judge(author: Project, change: Change, event: str, depth: int = 0) -> Job:
    """Run the workflow on a change, as one kind of event."""
    base, merge = merged(author, change)
    checkout = ci_runs.clone(author.root, merge, author.root.with_name("run"), depth)
    return ci_runs.github(checkout, event, "" if event == "pull_request" else base)


def expect(job: Job, name: str) -> None:
    """Compare a job with what its change must get."""
    _, code, word = CHANGES[name]
    assert job.code == code, job.text
    assert word in job.text
    assert TOKEN not in job.text + job.summary


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in ("honest", "gate emptied") else slow)
        for name in CHANGES
    ],
)
def test_a_pull_request_gets_what_it_deserves(author: Project, name: str) -> None:
    expect(judge(author, CHANGES[name][0], "pull_request"), name)


@slow
@pytest.mark.parametrize("event", ["merge_group", "push"])
@pytest.mark.parametrize("name", CHANGES)
def test_so_do_a_merge_group_and_a_push(author: Project, name: str, event: str) -> None:
    expect(judge(author, CHANGES[name][0], event), name)


@slow
@pytest.mark.parametrize("name", ["gate emptied", "allow line added"])
def test_attributes_of_the_change_do_not_empty_the_judge(
    author: Project, name: str
) -> None:
    def change(it: Project) -> None:
        it.write(".gitattributes", HOSTILE)
        CHANGES[name][0](it)

    expect(judge(author, change, "pull_request"), name)


@slow
def test_attributes_of_the_base_do_not_empty_the_judge(author: Project) -> None:
    author.git("switch", "-q", "main")
    author.write(".gitattributes", HOSTILE)
    author.commit("packaging")
    author.git("switch", "-qC", "topic")
    expect(judge(author, gate_emptied, "pull_request"), "gate emptied")


@slow
def test_attributes_do_not_hide_a_rewritten_episode(author: Project) -> None:
    def change(it: Project) -> None:
        it.write(".gitattributes", ".agents/** binary -diff merge=ours\n")
        episode_rewritten(it)

    expect(judge(author, change, "pull_request"), "episode rewritten")


@slow
def test_depth_two_is_judged_or_stops_and_is_never_green_by_mistake(
    author: Project,
) -> None:
    job = judge(author, gate_emptied, "pull_request", depth=2)
    assert job.code == 1, job.text


def test_depth_one_has_no_base_and_stops(author: Project) -> None:
    job = judge(author, honest, "pull_request", depth=1)
    assert job.codes == [2]
    assert "::error title=eco-mem::HEAD is not the merge of a pull request" in job.text


@slow
@pytest.mark.parametrize("before", ["", "1" * 40, "--help"])
def test_a_push_from_a_commit_that_is_not_here_stops(
    author: Project, before: str
) -> None:
    _, merge = merged(author, honest)
    checkout = ci_runs.clone(author.root, merge, author.root.with_name("run"))
    job = ci_runs.github(checkout, "push", before)
    assert job.codes == [2]
    assert "The commit to compare with is not in this clone" in job.text


@slow
@pytest.mark.parametrize(("depth", "code"), [(0, 1), (2, 2)])
def test_a_new_branch_is_compared_with_the_first_commit(
    author: Project, depth: int, code: int
) -> None:
    _, merge = merged(author, episode_rewritten)
    folder = author.root.with_name("run")
    job = ci_runs.github(
        ci_runs.clone(author.root, merge, folder, depth), "push", ci_runs.ZEROS
    )
    assert job.code == code, job.text


def without_memory(it: Project) -> None:
    """Make main one commit that has no eco-mem, and topic one that adds it."""
    it.git("checkout", "-q", "--orphan", "start")
    it.git("rm", "-rqf", "--cached", ".")
    it.git("add", "app.py")
    it.git("commit", "-qm", "start")
    it.git("branch", "-qf", "main", "start")
    it.git("symbolic-ref", "HEAD", "refs/heads/topic")
    it.git("reset", "-q", "--soft", "start")


@slow
@pytest.mark.parametrize(("body", "code"), [("Plain.\n", 0), (LEAK, 1)])
def test_a_change_that_brings_eco_mem_is_judged_by_its_own_scripts(
    author: Project, body: str, code: int
) -> None:
    without_memory(author)

    def change(it: Project) -> None:
        it.entry("semantic", "log-port", body=body)

    job = judge(author, change, "pull_request")
    assert job.code == code, job.text


@slow
def test_a_change_without_eco_mem_at_all_stops(author: Project) -> None:
    without_memory(author)

    def change(it: Project) -> None:
        it.write(".gitignore", f"{SKILL}\n")
        it.git("rm", "-rqf", "--cached", "--ignore-unmatch", SKILL)

    job = judge(author, change, "pull_request")
    assert job.codes == [2]
    assert "Neither the base nor this change has" in job.text


@slow
@pytest.mark.parametrize("program", ["git", "python3"])
def test_without_a_program_the_check_stops(
    author: Project, tmp_path: Path, program: str
) -> None:
    _, merge = merged(author, honest)
    checkout = ci_runs.clone(author.root, merge, tmp_path / "run")
    path = ci_runs.without(program, tmp_path / "bin")
    for job in (
        ci_runs.github(checkout, "pull_request", path=path),
        ci_runs.gitlab(checkout, path=path),
    ):
        assert job.codes == [2]
        assert f"{program} is not installed here" in job.text


@slow
def test_a_skill_that_fails_by_its_own_scripts_fails(author: Project) -> None:
    def change(it: Project) -> None:
        it.write(f"{SKILL}/scripts/verify.py", "raise SystemExit(1)\n")

    assert judge(author, change, "pull_request").code == 1


@slow
def test_an_allow_line_counts_once_it_is_merged(author: Project) -> None:
    author.git("switch", "-q", "main")
    allow_line_added(author)
    author.git("add", ALLOW)
    author.git("commit", "-qm", "a person let it pass")
    author.git("switch", "-qC", "topic")
    job = judge(author, lambda _: None, "pull_request")
    assert job.code == 0, job.text


@slow
def test_the_summary_shows_the_change_and_no_token(author: Project) -> None:
    job = judge(author, gate_emptied, "pull_request")
    assert "log-port" in job.summary
    assert TOKEN not in job.summary


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "allow line added" else slow)
        for name in CHANGES
        if name != "workflow replaced"
    ],
)
def test_a_merge_request_of_gitlab_gets_the_same(author: Project, name: str) -> None:
    change, code, word = CHANGES[name]
    base, _ = merged(author, change)
    head = author.git("rev-parse", "topic").strip()
    checkout = ci_runs.clone(author.root, head, author.root.with_name("run"))
    job = ci_runs.gitlab(
        checkout, CI_MERGE_REQUEST_DIFF_BASE_SHA=base, CI_MERGE_REQUEST_IID="1"
    )
    assert job.code == code, job.text
    assert word in job.text
    assert TOKEN not in job.text + job.summary
    assert word in job.summary
    assert isinstance(json.loads(job.summary), list)


@slow
def test_a_push_to_gitlab_judges_the_whole_store(author: Project) -> None:
    base, merge = merged(author, gate_emptied)
    checkout = ci_runs.clone(author.root, merge, author.root.with_name("run"))
    assert ci_runs.gitlab(checkout, CI_COMMIT_BEFORE_SHA=base).code == 1
