"""Retirement: a published episode goes, and the record keeps verify green."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from ecomem import retired
from run_commands import command
from store_project import MEMORY, Project, in_days, lay_down

EPISODE = f"{MEMORY}/episodic/locked-table.md"
TEXT = "Context: c.\n\nAction: a.\n\nResult: r.\n\nLesson: another one.\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A branch of a repository whose main has an episode and a fact."""
    made = lay_down(tmp_path)
    made.entry("episodic", "locked-table")
    made.entry("semantic", "health-port")
    made.commit("published")
    made.git("checkout", "--quiet", "-b", "topic")
    return made


def lines(project: Project) -> list[str]:
    """The lines of the record."""
    return project.path(retired.RECORD).read_text().splitlines()


def line_for(project: Project, commit: str, reason: str) -> str:
    """The line that retires the episode as it is in a commit."""
    blob = project.git("rev-parse", f"{commit}:{EPISODE}").strip()
    name = hashlib.sha256(f"{EPISODE}\n{blob}".encode()).hexdigest()
    return f"{name} {in_days(0)} {reason}"


def test_retiring_a_published_episode_is_recorded_without_its_name(
    project: Project,
) -> None:
    run = command(project, "forget", "locked-table", "--reason", "sensitive")
    assert run.code == 0, run.err
    assert lines(project) == [line_for(project, "HEAD", "sensitive")]
    assert "locked" not in project.path(retired.RECORD).read_text()
    assert f"{retired.RECORD}: commit it" in run.out


def test_each_published_version_is_recorded(project: Project) -> None:
    path = project.path(EPISODE)
    path.write_text(path.read_text().replace("writers waited", "writers waitd"))
    project.commit("a typo")
    command(project, "forget", "locked-table", "--reason", "wrong")
    both = [line_for(project, name, "wrong") for name in ("main", "topic")]
    assert lines(project) == sorted(both)


def test_an_episode_deleted_by_hand_can_still_be_retired(project: Project) -> None:
    """Whoever ran rm, or git rm, must not have to restore it first."""
    project.git("rm", "--quiet", EPISODE)
    project.verify("--fix")
    project.commit("deleted by hand")
    run = command(project, "forget", "locked-table", "--reason", "noise")
    assert (run.code, "recorded as retired" in run.out) == (0, True), run.err
    assert lines(project) == [line_for(project, "main", "noise")]


def test_a_fact_and_an_unpublished_episode_leave_no_record(project: Project) -> None:
    project.entry("episodic", "never-shared")
    words = ("never-shared", "--reason", "noise", "--discard")
    assert command(project, "forget", *words).code == 0
    assert command(project, "forget", "health-port").code == 0
    assert not project.path(retired.RECORD).exists()


def test_a_dry_run_records_nothing(project: Project) -> None:
    words = ("locked-table", "--reason", "noise", "--dry-run")
    assert command(project, "forget", *words).code == 0
    assert not project.path(retired.RECORD).exists()


def test_a_record_that_cannot_be_read_is_left_alone_and_nothing_goes(
    project: Project,
) -> None:
    project.write(retired.RECORD, b"\xff\xfe")
    run = command(project, "forget", "locked-table", "--reason", "noise")
    assert (run.code, run.out) == (2, "")
    assert project.path(retired.RECORD).read_bytes() == b"\xff\xfe"
    assert project.path(EPISODE).exists()


def test_a_link_in_place_of_the_record_is_not_followed(project: Project) -> None:
    outside = project.write("notes.txt", "mine\n")
    project.path(retired.RECORD).symlink_to(outside)
    run = command(project, "forget", "locked-table", "--reason", "noise")
    assert run.code == 2
    assert outside.read_text() == "mine\n"
    assert project.path(EPISODE).exists()


A, B, C = (f"{sign * 64} 2026-01-01 wrong" for sign in "abc")


@pytest.mark.parametrize(
    "text",
    [
        f"<<<<<<< ours\n{A}\n=======\n{B}\n>>>>>>> theirs\n{C}\n",
        f"<<<<<<< ours\n{A}\n||||||| base\n=======\n{B}\n>>>>>>> theirs\n{C}\n",
        f"<<<<<<<<<< ours\n{B}\n==========\n{A}\n>>>>>>>>>> theirs\n{C}\n",
    ],
)
def test_a_conflict_in_the_record_is_an_error_that_fix_settles(
    project: Project, text: str
) -> None:
    project.write(retired.RECORD, text)
    assert project.verify().level("L13", retired.RECORD) == "error"
    assert retired.digests(str(project.root)) == {"a" * 64, "b" * 64, "c" * 64}
    assert project.verify("--fix").code == 0
    assert lines(project) == [A, B, C]


def test_lines_of_others_stay_and_a_version_is_listed_once() -> None:
    text = f"# who may retire: the owners\n{B}\n{A}\n{A[:-5]}noise\n"
    new = [retired.Retirement("c" * 64, "2026-01-01", "wrong")]
    wanted = f"# who may retire: the owners\n{A[:-5]}noise\n{B}\n{C}\n"
    assert retired.merged(text, new) == wanted


@pytest.mark.parametrize(
    "line",
    [
        f"{'a' * 63} 2026-01-01 wrong",
        f"{'g' * 64} 2026-01-01 wrong",
        f"{'a' * 64} 2026-02-30 wrong",
        f"{'a' * 64} 2026-01-01 because",
        f"{'a' * 64} 2026-01-01",
        f"{'a' * 64} 2026-01-01 wrong indeed",
    ],
)
def test_a_line_of_another_form_retires_nothing(line: str) -> None:
    assert retired.parse(line) == []


def test_what_is_retired_is_a_note_in_the_same_change(project: Project) -> None:
    command(project, "forget", "locked-table", "--reason", "sensitive")
    for step in ("before the commit", "after it"):
        run = project.verify()
        assert (run.code, run.level("H02")) == (0, "info"), step
        project.commit("retired")


def test_what_is_deleted_without_a_record_stays_an_error(project: Project) -> None:
    project.git("rm", "--quiet", EPISODE)
    project.verify("--fix")
    assert project.verify().level("H02") == "error"
    command(project, "forget", "locked-table", "--reason", "noise")
    assert project.verify().level("H02") == "info"
    project.path(retired.RECORD).unlink()
    assert project.verify().level("H02") == "error"


def test_the_name_of_a_retired_episode_is_not_used_again(project: Project) -> None:
    command(project, "forget", "locked-table", "--reason", "wrong")
    project.commit("retired")
    before = project.snapshot()
    text = f"# Another\n\n- cue: when another one comes up\n- task: it\n\n{TEXT}"
    run = command(project, "remember", "episodic", "locked-table", given=text)
    assert (run.code, "H01" in {item.code for item in run.told}) == (1, True)
    assert project.snapshot() == before
    run = command(project, "remember", "episodic", "locked-again", given=text)
    assert run.code == 0, run.out + run.err
