"""Text that may not change once published: before and after, in real repositories."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from store_project import MEMORY, PYTHON, Project, environment, in_days, lay_down

EPISODE = "episodic/locked-table.md"
FACT = "semantic/health-port.md"
WORDS = 'user 2026-01-02: "health checks go to 8081"'


def change(name: str, old: str, new: str) -> Callable[[Project], None]:
    """Return a step that replaces text in a file of the store."""

    def step(project: Project) -> None:
        path = project.path(f"{MEMORY}/{name}")
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    return step


def rename(old: str, new: str) -> Callable[[Project], None]:
    """Return a step that renames an entry and sets its row right."""

    def step(project: Project) -> None:
        path = project.path(f"{MEMORY}/{old}")
        path.rename(project.path(f"{MEMORY}/{new}"))
        project.verify("--fix")

    return step


def both(*steps: Callable[[Project], None]) -> Callable[[Project], None]:
    """Return a step that takes several."""

    def step(project: Project) -> None:
        for one in steps:
            one(project)

    return step


def remove(project: Project) -> None:
    """Delete the episode."""
    project.path(f"{MEMORY}/{EPISODE}").unlink()
    project.verify("--fix")


def write_again(project: Project) -> None:
    """Delete the episode, and write another one under its name."""
    remove(project)
    project.entry("episodic", "locked-table", body=BODY.replace("waited", "flew"))


def new_claim(project: Project) -> None:
    """Write a fact that claims more than it shows."""
    project.entry("semantic", "tabs", {"source": "user-confirmed"}, evidence=["`a.py`"])


def add_episode(project: Project) -> None:
    """Write another episode."""
    project.entry("episodic", "second-lock")


def stage(project: Project) -> None:
    """Put everything in the index."""
    project.git("add", "--all")


def empty_catalog(project: Project) -> None:
    """Drop the rows of the episodes."""
    project.rows("episodic", "\n")


BODY = """\
Context: the table has 90 million rows and is not small.

Action: ran the migration with a plain statement.

Result: writes waited for eleven minutes, never less.

Lesson: build such an index concurrently, in a migration of its own.
"""


class Pair(NamedTuple):
    """A change after publication, and the codes of family H it is to be told."""

    name: str
    step: Callable[[Project], None]
    codes: set[str]


PAIRS = (
    Pair("nothing", lambda _: None, set()),
    Pair("an episode is added", add_episode, set()),
    Pair("two typos", change(EPISODE, "migration with", "migratoin wiht"), set()),
    Pair("white space", change(EPISODE, "\n\nAction", "\nAction"), set()),
    Pair("a word is added", change(EPISODE, "waited", "really waited"), {"H01"}),
    Pair("a word is removed", change(EPISODE, "plain ", ""), {"H01"}),
    Pair("another word", change(EPISODE, "waited", "passed"), {"H01"}),
    Pair("many typos", change(EPISODE, "i", "y"), {"H01"}),
    Pair("a digit", change(EPISODE, "90", "80"), {"H01"}),
    Pair("not becomes now", change(EPISODE, "is not small", "is now small"), {"H01"}),
    Pair("never becomes ever", change(EPISODE, "never", "ever"), {"H01"}),
    Pair("a header field", change(EPISODE, "task: add", "task: and"), {"H01"}),
    Pair("the date", change(EPISODE, "when: 2026", "when: 2025"), {"H01"}),
    Pair("deleted", remove, {"H02"}),
    Pair("deleted and re-added", write_again, {"H01"}),
    Pair("renamed", rename(EPISODE, "episodic/table-locked.md"), set()),
    Pair(
        "renamed with a typo",
        both(
            change(EPISODE, "minutes", "minuets"),
            rename(EPISODE, "episodic/table-locked.md"),
        ),
        set(),
    ),
    Pair(
        "renamed and rewritten",
        both(
            change(EPISODE, "eleven", "one or two"),
            rename(EPISODE, "episodic/table-locked.md"),
            stage,
        ),
        {"H01"},
    ),
    Pair("another drawer", rename(EPISODE, "semantic/locked-table.md"), {"H02"}),
    Pair("the catalog is rebuilt", empty_catalog, set()),
    Pair("a raised source", change(FACT, "derived", "verified"), {"H03"}),
    Pair(
        "a raised source with new evidence",
        change(FACT, "source: derived", "source: verified\n- evidence: `CLAUDE.md`"),
        set(),
    ),
    Pair(
        "confirmed without words",
        change(FACT, "derived", "user-confirmed"),
        {"H03"},
    ),
    Pair(
        "confirmed by a file",
        change(FACT, "source: derived", "source: user-confirmed\n- evidence: `a.py`"),
        {"H03"},
    ),
    Pair(
        "confirmed by words",
        change(FACT, "source: derived", f"source: user-confirmed\n- evidence: {WORDS}"),
        set(),
    ),
    Pair("born high", new_claim, {"H03"}),
    Pair("the date alone", change(FACT, "2026-01-01", in_days(0)), {"H04"}),
    Pair(
        "the date and the evidence",
        both(
            change(FACT, "2026-01-01", in_days(0)),
            change(FACT, "`AGENTS.md`", "`AGENTS.md#L1`"),
        ),
        set(),
    ),
    Pair("a fact is removed", lambda p: p.path(f"{MEMORY}/{FACT}").unlink(), set()),
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A repository on main that has published an episode and a fact."""
    made = lay_down(tmp_path)
    made.entry("episodic", "locked-table", {"when": "2026-01-01"}, body=BODY)
    fields = {"as_of": "2026-01-01", "source": "derived"}
    made.entry("semantic", "health-port", fields)
    made.write("CLAUDE.md", "@AGENTS.md\n")
    made.commit("published")
    return made


def history(project: Project, *arguments: str) -> set[str]:
    """Return the codes of family H that verify prints."""
    told = project.verify("--format", "json", *arguments).told
    return {item.code for item in told if item.code[0] == "H"}


@pytest.mark.parametrize(
    ("evidence", "is_file"), [("`AGENTS.md`", True), (WORDS, False)]
)
def test_confirming_is_advised_only_where_it_can_renew_evidence(
    project: Project, evidence: str, is_file: bool
) -> None:
    fields = {"as_of": "2026-01-01", "source": "derived", "evidence": evidence}
    project.entry("semantic", "cited-fact", fields)
    project.commit("another fact")
    change("semantic/cited-fact.md", "2026-01-01", in_days(0))(project)
    told = project.verify("--format", "json").told
    (message,) = [item.message for item in told if item.code == "H04"]
    assert ("--confirm" in message) == is_file
    assert ("new words of the user" in message) != is_file


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_a_change_in_the_work_tree_is_judged_by_what_was_published(
    project: Project, pair: Pair
) -> None:
    pair.step(project)
    assert history(project) == pair.codes


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_a_change_committed_on_a_branch_is_judged_the_same(
    project: Project, pair: Pair
) -> None:
    project.git("switch", "--quiet", "--create", "work")
    pair.step(project)
    project.commit("change")
    assert history(project) == pair.codes


def test_a_reverted_change_leaves_nothing_to_tell(project: Project) -> None:
    project.git("switch", "--quiet", "--create", "work")
    change(EPISODE, "waited", "flew")(project)
    project.commit("wrong")
    project.git("revert", "--no-edit", "HEAD")
    assert history(project) == set()


def test_a_long_lived_branch_answers_for_its_own_changes_only(project: Project) -> None:
    project.git("switch", "--quiet", "--create", "work")
    add_episode(project)
    project.commit("work")
    project.git("switch", "--quiet", "main")
    change(EPISODE, "waited", "flew")(project)
    project.commit("somebody else")
    project.git("switch", "--quiet", "work")
    assert history(project) == set()


def test_an_episode_may_change_until_it_is_published(project: Project) -> None:
    project.git("switch", "--quiet", "--create", "work")
    add_episode(project)
    project.commit("work")
    change("episodic/second-lock.md", "Context:", "Context: later,")(project)
    assert history(project) == set()


def test_a_base_on_the_command_line_says_what_is_published(project: Project) -> None:
    first = project.git("rev-parse", "HEAD").strip()
    change(EPISODE, "waited", "flew")(project)
    project.commit("rewritten on main")
    assert history(project) == set()
    assert history(project, "--base", first) == {"H01"}


def test_before_the_first_commit_nothing_is_published(tmp_path: Path) -> None:
    made = lay_down(tmp_path)
    made.git("init", "--quiet")
    made.entry("episodic", "locked-table")
    assert history(made) == set()


def test_a_desk_in_the_index_is_told(project: Project) -> None:
    project.entry("working", "move-sessions")
    project.git("add", "--force", f"{MEMORY}/working/move-sessions.md")
    assert history(project) == {"H05"}


def test_a_committed_link_is_told_even_where_the_work_tree_has_a_file(
    project: Project,
) -> None:
    blob = project.git("hash-object", "-w", "AGENTS.md").strip()
    path = f"{MEMORY}/semantic/linked.md"
    project.git("update-index", "--add", "--cacheinfo", f"120000,{blob},{path}")
    assert history(project) == {"H06"}


def test_a_changed_allow_file_is_shown_to_the_reviewer(project: Project) -> None:
    project.write(".agents/eco-mem.allow", "# none\n")
    project.git("add", "--all")
    assert history(project) == {"H07"}


def test_a_shallow_clone_says_what_it_cannot_see(
    project: Project, tmp_path: Path
) -> None:
    project.git("switch", "--quiet", "--create", "work")
    for number in range(3):
        project.commit(f"step {number}")
    project.git("switch", "--quiet", "main")
    for number in range(3):
        project.commit(f"main {number}")
    clone = Project(tmp_path / "clone")
    address = project.root.as_uri()
    project.git("clone", "-q", "--depth=1", "-b", "work", address, str(clone.root))
    clone.git("fetch", "-q", "--depth=1", "origin", "main:refs/remotes/origin/main")
    clone.git("remote", "set-head", "origin", "main")
    assert "H08" in history(clone)


def test_a_package_of_a_monorepo_is_judged_within_its_folder(tmp_path: Path) -> None:
    whole = Project(tmp_path)
    whole.write("README.md", "whole\n")
    package = lay_down(tmp_path / "packages" / "one")
    package.entry("episodic", "locked-table", body=BODY)
    whole.commit("published")
    change(EPISODE, "waited", "flew")(package)
    assert history(package) == {"H01"}


def test_a_worktree_is_judged_like_the_clone(project: Project, tmp_path: Path) -> None:
    other = Project(tmp_path / "worktree")
    project.git("worktree", "add", "-q", "-b", "work", str(other.root))
    change(EPISODE, "waited", "flew")(other)
    assert history(other) == {"H01"}


def test_staged_judges_the_index_and_not_the_work_tree(project: Project) -> None:
    change(EPISODE, "waited", "flew")(project)
    assert history(project, "--staged") == set()
    project.git("add", "--all")
    change(EPISODE, "flew", "waited")(project)
    assert history(project, "--staged") == {"H01"}
    assert history(project) == set()


def test_staged_sees_entries_only_the_index_has(project: Project) -> None:
    path = project.entry("semantic", "half-done", {"scope": None})
    project.git("add", "--all")
    path.unlink()
    run = project.verify("--staged", "--format", "json")
    assert run.level("E02", "half-done.md") == "error"


def test_a_pull_request_does_not_answer_for_what_it_did_not_touch(
    project: Project,
) -> None:
    project.entry("semantic", "broken", {"scope": None})
    project.commit("broken on main")
    project.git("switch", "--quiet", "--create", "work")
    add_episode(project)
    project.commit("work")
    run = project.verify("--format", "json")
    assert (run.code, run.level("E02")) == (0, "warning")


def retire(project: Project) -> None:
    """Retire the episode, as H02 says."""
    done = subprocess.run(
        [PYTHON, project.script("forget.py"), "locked-table", "--reason", "wrong"],
        cwd=project.root,
        env=environment(),
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr


def levels(project: Project, *arguments: str) -> set[tuple[str, str]]:
    """Code and level of the findings of family H."""
    told = project.verify("--format", "json", *arguments).told
    return {(item.code, item.level) for item in told if item.code[0] == "H"}


def test_a_retired_episode_is_a_note_and_the_check_is_green(project: Project) -> None:
    project.git("switch", "--quiet", "--create", "work")
    retire(project)
    assert levels(project) == {("H02", "info")}
    project.git("add", "--all")
    assert levels(project, "--staged") == {("H02", "info")}
    project.commit("retired")
    assert levels(project, "--base", "main") == {("H02", "info")}
    assert project.verify("--strict").code == 0


def test_a_retirement_that_is_not_staged_does_not_count(project: Project) -> None:
    retire(project)
    project.git("add", MEMORY)
    assert levels(project, "--staged") == {("H02", "error")}


def test_a_retirement_is_of_one_version_only(project: Project) -> None:
    retire(project)
    record = project.path(".agents/eco-mem.retired").read_text()
    project.git("checkout", "--quiet", "--", MEMORY)
    change(EPISODE, "waited", "flew")(project)
    project.commit("rewritten, and published so")
    project.write(".agents/eco-mem.retired", record)
    remove(project)
    assert levels(project) == {("H02", "error")}


@pytest.mark.parametrize("how", ["squash", "rebase"])
def test_a_retirement_survives_a_squash_and_a_rebase(
    project: Project, how: str
) -> None:
    project.git("switch", "--quiet", "--create", "work")
    retire(project)
    project.commit("retired")
    project.git("switch", "--quiet", "main")
    project.entry("semantic", "another-fact")
    project.commit("main goes on")
    if how == "squash":
        project.git("merge", "--quiet", "--squash", "work")
        assert levels(project) == {("H02", "info")}
        project.commit("squashed")
        assert levels(project) == set()
    else:
        project.git("switch", "--quiet", "work")
        project.git("rebase", "--quiet", "main")
        assert levels(project) == {("H02", "info")}


def test_the_name_of_a_retired_episode_is_not_used_again(project: Project) -> None:
    retire(project)
    project.commit("retired, and published so")
    assert levels(project) == set()
    project.entry("episodic", "second-lock", {"when": "2026-01-02"})
    project.entry("episodic", "locked-table", {"when": "2026-01-02"})
    told = [item for item in project.verify().told if item.code[0] == "H"]
    assert [(item.code, item.level) for item in told] == [("H01", "error")]
    assert "locked-table" in told[0].path


def test_what_h02_advises_works_as_it_is_written(project: Project) -> None:
    remove(project)
    told = next(item for item in project.verify().told if item.code == "H02")
    restore, retiring = told.message.split("`")[1::2][:2]
    subprocess.run(restore.split(), cwd=project.root, env=environment(), check=True)
    assert "H02" not in history(project)
    remove(project)
    subprocess.run(retiring.split(), cwd=project.root, env=environment(), check=True)
    assert levels(project) == {("H02", "info")}
