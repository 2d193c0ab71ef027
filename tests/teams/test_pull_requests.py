"""A pull request is judged by what it cannot change: the scripts of its base."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import ci_runs
import pytest
from github_runner import Job
from pull_requests import (
    ALLOW,
    EPISODE,
    LEAK,
    SCANNER,
    TOKEN,
    Change,
    copy_of,
    empty_the_gate,
    judge,
    merge_request,
    merged,
    slow,
)
from store_project import SKILL, Project


def honest(it: Project) -> None:
    it.entry("semantic", "log-port")


def gate_emptied(it: Project) -> None:
    it.entry("semantic", "log-port", body=LEAK)
    empty_the_gate(it)


def allow_line_added(it: Project) -> None:
    it.entry("semantic", "log-port", body=LEAK)
    found = it.verify("--format", "json").told
    assert "G01" in {item.code for item in found}
    from ecomem.gate import allow_file

    path = ".agents/memory/semantic/log-port.md"
    line = next(x for x in it.path(path).read_text().splitlines() if TOKEN in x)
    it.write(ALLOW, f"{allow_file.allow_mark(path, 'G01', line)}  it is harmless\n")


def episode_rewritten(it: Project) -> None:
    text = it.path(EPISODE).read_text("utf-8")
    it.write(EPISODE, text.replace("waited", "cheered"))


def workflow_replaced(it: Project) -> None:
    it.entry("semantic", "log-port", body=LEAK)
    it.write(
        ci_runs.GITHUB,
        """\
on: [pull_request, merge_group, push]
defaults: {run: {shell: bash, working-directory: .}}
jobs: {verify: {timeout-minutes: 1, steps: [{run: echo looks good}]}}
""",
    )


def tool_alone(it: Project) -> None:
    text = it.path(SCANNER).read_text("utf-8")
    it.write(SCANNER, f"{text}\n# a comment\n")


def code_alone(it: Project) -> None:
    it.write("app.py", "print('goodbye')\n")


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


class Merged(NamedTuple):
    """A forge that has merged one change, and the commits before and after."""

    forge: Path
    base: str
    merge: str


@pytest.fixture(scope="session")
def merged_change(
    published: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Merged]:
    """Make the forge of a change when it is first asked for; for reading only."""
    made: dict[str, Merged] = {}

    def of(name: str) -> Merged:
        if name not in made:
            author = copy_of(published, tmp_path_factory.mktemp("merged"))
            made[name] = Merged(author.root, *merged(author, CHANGES[name][0]))
        return made[name]

    return of


def expect(job: Job, name: str) -> None:
    """Compare a job with what its change must get."""
    _, code, word = CHANGES[name]
    assert job.code == code, job.text
    assert word in job.text
    assert TOKEN not in job.text + job.summary


BY_DEFAULT = ("honest", "gate emptied")
EVERY = pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in BY_DEFAULT else slow) for n in CHANGES],
)


@EVERY
def test_a_pull_request_gets_what_it_deserves(
    merged_change: Callable[[str], Merged], tmp_path: Path, name: str
) -> None:
    forge, _, merge = merged_change(name)
    checkout = ci_runs.clone(forge, merge, tmp_path / "run")
    expect(ci_runs.github(checkout, "pull_request"), name)


@slow
@pytest.mark.parametrize("name", CHANGES)
def test_so_does_one_from_a_fork(
    merged_change: Callable[[str], Merged], tmp_path: Path, name: str
) -> None:
    forge, _, merge = merged_change(name)
    # The branch of the change is in another repository.
    checkout = ci_runs.clone(forge, merge, tmp_path / "run", branches="main")
    assert not checkout.git("for-each-ref", "refs/remotes/origin/topic")
    expect(ci_runs.github(checkout, "pull_request"), name)


@slow
@pytest.mark.parametrize("event", ["merge_group", "push"])
@pytest.mark.parametrize("name", CHANGES)
def test_so_do_a_merge_group_and_a_push(
    merged_change: Callable[[str], Merged], tmp_path: Path, name: str, event: str
) -> None:
    forge, base, merge = merged_change(name)
    checkout = ci_runs.clone(forge, merge, tmp_path / "run")
    expect(ci_runs.github(checkout, event, base), name)


@slow
@pytest.mark.parametrize("event", ["pull_request", "merge_group", "push"])
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("name", [*CHANGES])
def test_a_shallow_clone_is_judged_or_stops_and_is_never_green_by_mistake(
    merged_change: Callable[[str], Merged],
    tmp_path: Path,
    name: str,
    event: str,
    depth: int,
) -> None:
    forge, base, merge = merged_change(name)
    checkout = ci_runs.clone(forge, merge, tmp_path / "run", depth)
    job = ci_runs.github(checkout, event, "" if event == "pull_request" else base)
    if name == "workflow replaced":
        assert job.code == 0
    elif depth == 1:
        assert job.codes == [2], job.text
        assert "::error title=eco-mem::" in job.text
    else:
        assert job.code in (CHANGES[name][1], 2), job.text
    assert TOKEN not in job.text + job.summary


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
    job = merge_request(author, head, base)
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
