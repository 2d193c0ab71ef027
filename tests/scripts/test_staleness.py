"""Rot: what may no longer be true is named, and what is still true is not."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from ecomem.entry import Evidence
from ecomem.evidence import CitedFiles
from hypothesis import given
from hypothesis import strategies as st
from store_project import MEMORY, Project, in_days, lay_down

SOURCE = "import os\n\ndef port():\n    return 8081\n\ndef host():\n    return 'a'\n"


def fingerprint(root: Path, first: int, last: int) -> str:
    """Return the fingerprint of lines of the cited file."""
    return CitedFiles(str(root)).fingerprint("src/app.py", first, last)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A committed project with a fact that cites two lines by fingerprint."""
    made = lay_down(tmp_path)
    made.write("src/app.py", SOURCE)
    sha = fingerprint(tmp_path, 3, 4)
    made.entry("semantic", "port", evidence=[f"`src/app.py#L3-L4` sha:{sha}"])
    made.commit("published")
    return made


def rot(project: Project) -> set[str]:
    """Return the codes of family R that verify prints."""
    told = project.verify("--format", "json").told
    assert {item.level for item in told if item.code[0] == "R"} <= {"warning"}
    return {item.code for item in told if item.code[0] == "R"}


def rewrite(text: str) -> Callable[[Project], object]:
    """Return a step that gives the cited file another text."""
    return lambda project: project.write("src/app.py", text)


def move_file(project: Project) -> None:
    """Rename the cited file, as a commit."""
    project.git("mv", "src/app.py", "src/main.py")
    project.commit("renamed")


@pytest.mark.parametrize(
    ("step", "codes"),
    [
        (rewrite(SOURCE), set()),
        (rewrite(SOURCE.replace("    return", "\treturn")), set()),
        (rewrite(SOURCE.replace("8081", "8081   ")), set()),
        (rewrite("# new\n" + SOURCE), {"R04"}),
        (move_file, {"R04"}),
        (rewrite(SOURCE.replace("8081", "9090")), {"R05"}),
        (rewrite("short\n"), {"R05"}),
        (lambda p: p.path("src/app.py").unlink(), {"R03"}),
    ],
    ids=[
        "same",
        "reindented",
        "trailing",
        "moved",
        "renamed",
        "changed",
        "cut",
        "gone",
    ],
)
def test_cited_lines_are_fresh_moved_changed_or_gone(
    project: Project, step: Callable[[Project], object], codes: set[str]
) -> None:
    step(project)
    assert rot(project) == codes


@pytest.fixture
def copied(tmp_path: Path) -> Project:
    """A project whose one commit adds a cited file and a copy of it."""
    made = lay_down(tmp_path)
    for name in ("src/app.py", "src/copy.py"):
        made.write(name, SOURCE)
    sha = fingerprint(tmp_path, 3, 4)
    made.entry("semantic", "port", evidence=[f"`src/app.py#L3-L4` sha:{sha}"])
    made.commit("published")
    return made


@pytest.mark.parametrize("changed", [False, True])
def test_what_came_with_a_file_is_not_where_it_moved_to(
    copied: Project, changed: bool
) -> None:
    if changed:
        copied.write("src/app.py", "# new\n" + SOURCE)
        copied.commit("changed")
    copied.path("src/app.py").unlink()
    assert rot(copied) == {"R03"}


def test_what_was_added_as_a_file_was_deleted_is_where_it_moved_to(
    copied: Project,
) -> None:
    copied.path("src/app.py").unlink()
    copied.write("src/other.py", "# other\n\n\n" + SOURCE * 3)
    copied.commit("moved")
    run = copied.verify("port")
    assert [item.code for item in run.told] == ["R04"]
    assert "src/other.py#L6-L7" in run.out


def test_a_file_that_was_renamed_and_is_gone_since_is_gone(
    copied: Project,
) -> None:
    copied.path("src/app.py").rename(copied.path("src/late.py"))
    copied.commit("renamed")
    assert rot(copied) == {"R04"}
    copied.path("src/late.py").unlink()
    assert rot(copied) == {"R03"}


def test_asked_about_one_entry_verify_says_whether_it_is_fresh(
    project: Project,
) -> None:
    run = project.verify("port")
    assert [item.code for item in run.told] == ["R12"]
    project.write("src/app.py", "# new\n" + SOURCE)
    run = project.verify("port")
    assert [item.code for item in run.told] == ["R04"]
    assert "src/app.py#L4-L5" in run.out


def test_a_cited_commit_must_be_in_the_history_of_the_branch(project: Project) -> None:
    head = project.git("rev-parse", "HEAD").strip()
    project.entry("semantic", "kept", evidence=[f"commit {head[:9]}"])
    assert rot(project) == set()
    project.git("switch", "-q", "-c", "side")
    beside = project.commit("beside")
    project.git("switch", "-q", "main")
    project.entry("semantic", "beside", evidence=[f"commit {beside}"])
    assert rot(project) == {"R10"}


def test_before_the_first_commit_no_commit_is_in_the_history(tmp_path: Path) -> None:
    made = lay_down(tmp_path)
    made.git("init", "--quiet")
    made.entry("semantic", "early", evidence=["commit 0123456789"])
    assert rot(made) == {"R10"}


def test_a_commit_that_git_cannot_follow_hides_no_other(project: Project) -> None:
    project.git("switch", "-q", "-c", "side")
    beside = project.commit("beside")
    project.git("switch", "-q", "main")
    head = project.git("cat-file", "commit", "HEAD")
    text = head.replace("\nauthor", f"\nparent {'12' * 20}\nauthor", 1)
    path = project.write(".git/cut-off", text)
    cut_off = project.git("hash-object", "-t", "commit", "-w", str(path)).strip()
    for slug, name in (("beside", beside), ("cut-off", cut_off)):
        project.entry("semantic", slug, evidence=[f"commit {name}"])
    told = project.verify().told
    assert len([item for item in told if item.code == "R10"]) == 2


def test_an_unknown_commit_is_told(project: Project) -> None:
    project.entry("semantic", "unknown", evidence=["commit 0123456789"])
    assert rot(project) == {"R10"}


@pytest.mark.parametrize(
    "evidence", ["https://example.org/x", 'user 2026-01-02: "words"', "`docs/`"]
)
def test_what_cannot_be_checked_offline_is_left_alone(
    project: Project, evidence: str
) -> None:
    project.write("docs/a.md", "a\n")
    project.entry("semantic", "other", evidence=[evidence])
    assert rot(project) == set()


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"expires": in_days(-1)}, {"R01"}),
        ({"expires": in_days(0)}, {"R02"}),
        ({"expires": in_days(14)}, {"R02"}),
        ({"expires": in_days(15)}, set()),
        ({"as_of": in_days(-180)}, set()),
        ({"as_of": in_days(-181)}, {"R09"}),
        ({"superseded-by": "port"}, {"R11"}),
    ],
)
def test_dates_make_a_fact_due(
    project: Project, fields: dict[str, str], codes: set[str]
) -> None:
    project.entry("semantic", "dated", fields)
    assert rot(project) == codes


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Pacific/Kiritimati", "Asia/Tokyo"])
def test_a_fact_of_today_is_of_today_in_every_time_zone(
    project: Project, zone: str
) -> None:
    env = {"TZ": zone}
    os.environ["TZ"], old = zone, os.environ.get("TZ", "")
    time.tzset()
    here = time.strftime("%Y-%m-%d")
    os.environ["TZ"] = old
    time.tzset()
    project.entry("semantic", "dated", {"as_of": here, "expires": here})
    told = project.verify("--format", "json", env=env).told
    assert {item.code for item in told} == {"R02"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Look at `src/app.py` first.", set()),
        ("Look at `src/gone.py` first.", {"R06"}),
        ("Run `python src/gone.py --all` first.", {"R06"}),
        ("Run `python src/app.py --all` first.", set()),
        ("See `docs/guide.md#port`.", set()),
        ("See `docs/guide.md#host`.", {"R06"}),
        ("See `src/app.py#L99`.", {"R06"}),
        (
            "The package `lodash/fp` and `and/or` and `application/json` are no paths.",
            set(),
        ),
        ("The host `example.org/a.html` is elsewhere.", set()),
        ("Globs such as `src/*.py` and `src/{a,b}.py` and `src/<name>.py`.", set()),
        ("Built into `src/build.log`, which git ignores.", set()),
        ("Not in code: src/gone.py.", set()),
    ],
)
def test_paths_in_code_spans_are_checked_where_it_can_be_told(
    project: Project, text: str, codes: set[str]
) -> None:
    project.write("docs/guide.md", "# Guide\n\n## Port\n")
    project.write(".gitignore", "*.log\n")
    project.entry("semantic", "named", body=text)
    assert rot(project) == codes


def test_an_episode_may_name_what_is_gone(project: Project) -> None:
    body = "Context: `src/gone.py`.\n\nAction: a\n\nResult: b\n\nLesson: c\n"
    project.entry("episodic", "past", body=body)
    assert rot(project) == set()


def test_the_same_thing_said_twice_is_told(project: Project) -> None:
    for slug, cue in (
        ("one", "port for health checks"),
        ("two", "port for *health* checks now"),
    ):
        project.entry("semantic", slug, {"cue": cue}, title="Health checks use a port")
    assert rot(project) == {"R07"}


def test_a_desk_untouched_for_a_week_is_told(project: Project) -> None:
    path = project.entry("working", "a-desk")
    assert rot(project) == set()
    old = time.time() - 8 * 86400
    os.utime(path, (old, old))
    assert rot(project) == {"R08"}


def test_rot_never_fails_a_build_even_strictly(project: Project) -> None:
    project.entry("semantic", "dated", {"expires": "2026-01-01"})
    assert project.verify("--strict").code == 0


def test_rot_works_outside_git(tmp_path: Path) -> None:
    made = lay_down(tmp_path)
    made.entry("semantic", "gone", evidence=["`src/gone.py`", "commit 0123456789"])
    assert rot(made) == {"R03"}


def test_a_full_index_names_the_rows_to_archive_and_why(project: Project) -> None:
    for number in range(35):
        fields = {"as_of": in_days(-number)}
        project.entry("semantic", f"fact-{number}", fields, evidence=["`src/app.py`"])
    project.entry("semantic", "expired", {"expires": "2026-01-01"})
    message = next(i.message for i in project.verify().told if i.code == "C08")
    assert f"first: expired (R01), fact-34 ({in_days(-34)})" in message


words = st.text("abcxyz(){}=+ ", min_size=1).filter(str.strip)


@given(lines=st.lists(words, min_size=1, max_size=5), indent=st.text(" \t", max_size=4))
def test_a_fingerprint_ignores_indentation_and_trailing_space(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], indent: str
) -> None:
    root = tmp_path_factory.mktemp("cited")
    made = Project(root)
    made.write("src/app.py", "\n".join(lines))
    plain = fingerprint(root, 1, len(lines))
    made.write("src/app.py", "\r\n".join(f"{indent}{line}  " for line in lines))
    assert fingerprint(root, 1, len(lines)) == plain
    cited = Evidence("path", "src/app.py", 1, len(lines), plain)
    assert CitedFiles(str(root)).judge(cited).state == "fresh"


@given(lines=st.lists(words, min_size=1, max_size=5), data=st.data())
def test_a_fingerprint_notices_a_changed_token(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("cited")
    made = Project(root)
    made.write("src/app.py", "\n".join(lines))
    plain = fingerprint(root, 1, len(lines))
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] += "q"
    made.write("src/app.py", "\n".join(lines))
    assert fingerprint(root, 1, len(lines)) != plain


def test_the_store_is_not_evidence_of_itself_and_nothing_outside_is_read(
    project: Project,
) -> None:
    project.entry("semantic", "outside", evidence=["`../outside.md`"])
    told = project.verify("--format", "json").told
    assert "E07" in {item.code for item in told}
    assert not list(project.path(MEMORY).glob("*/*.tmp"))


@pytest.mark.parametrize("field", ["expires", "as_of"])
def test_what_is_no_date_is_not_printed_as_one(project: Project, field: str) -> None:
    path = project.drawer("semantic") / "port.md"
    lines = path.read_text().split("\n")
    kept = [line for line in lines if not line.startswith(f"- {field}:")]
    path.write_text("\n".join([*kept[:3], f"- {field}: 0 hush-hush", *kept[3:]]))
    assert "hush" not in project.verify().out


@pytest.mark.parametrize("number", ["1" * 5000, "\u00b2", "0"])
def test_no_line_number_stops_the_check(project: Project, number: str) -> None:
    evidence = [f"`src/app.py#L{number}`"]
    project.entry(
        "semantic", "odd", body=f"See `src/app.py#L{number}`.", evidence=evidence
    )
    run = project.verify()
    assert run.code in (0, 1)
    assert "Traceback" not in run.err
