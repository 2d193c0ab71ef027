"""Git answers, or verify says which rules it could not judge, and why.

The user's settings and variables change no verdict; the index of a commit in progress
is the one that is judged.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ecomem import baseline, evidence, git, history
from ecomem.rules import RULES
from run_commands import command
from store_project import BODIES, MEMORY, SKILL, Project, lay_down

EPISODE = f"{MEMORY}/episodic/locked-table.md"
COMPARING = [*history.COMPARING]


def rewrite(project: Project) -> None:
    """Rewrite the published episode."""
    path = project.path(EPISODE)
    text = path.read_text("utf-8")
    path.write_text(text.replace("writers waited", "nobody noticed it"), "utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose branch topic rewrites an episode that main has published."""
    folder = tmp_path_factory.mktemp("made") / "project"
    project = lay_down(folder)
    project.entry("episodic", "locked-table")
    project.git("init", "--quiet", "--initial-branch=main")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "published")
    project.git("switch", "--quiet", "--create", "topic")
    rewrite(project)
    project.git("commit", "--quiet", "--all", "--message", "rewritten")
    return folder


@pytest.fixture
def topic(made: Path, tmp_path: Path) -> Project:
    """A copy of that repository, on its branch topic."""
    shutil.copytree(made, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


def codes(project: Project, *arguments: str) -> set[str]:
    """The codes that verify prints."""
    return {item.code for item in project.run(*arguments).told}


def not_judged(project: Project, *arguments: str) -> list[str]:
    """The codes that verify says were not judged, in JSON."""
    answer = json.loads(project.run("--format", "json", *arguments).out)
    found: list[str] = answer["summary"]["not_judged"]
    return found


def test_where_git_answers_nothing_is_left_out(topic: Project) -> None:
    assert topic.run().code == 1
    assert codes(topic) == {"H01"}
    assert not_judged(topic) == []


@pytest.mark.parametrize(
    "setting",
    [
        "log.showSignature=true",
        "log.follow=true",
        "diff.external=/bin/false",
        "diff.noprefix=true",
        "diff.mnemonicPrefix=true",
        "diff.renames=false",
        "diff.renames=copies",
        "diff.renameLimit=1",
        "diff.orderFile=/nonexistent",
        "diff.ignoreSubmodules=all",
        "diff.relative=true",
        "diff.interHunkContext=9",
        "diff.colorMoved=zebra",
        "color.ui=always",
        "color.diff=always",
        "core.quotePath=true",
        "core.fsmonitor=/bin/false",
        "core.hooksPath=/nonexistent",
        "core.abbrev=4",
        "i18n.logOutputEncoding=latin1",
        "format.pretty=oneline",
        "pager.diff=false",
    ],
)
def test_no_setting_of_the_user_changes_the_verdict(
    topic: Project, setting: str
) -> None:
    key, _, value = setting.partition("=")
    topic.git("config", key, value)
    run = topic.run()
    assert (run.code, {item.code for item in run.told}) == (1, {"H01"})


@pytest.mark.parametrize(
    "variable",
    [
        "GIT_LITERAL_PATHSPECS=1",
        "GIT_GLOB_PATHSPECS=1",
        "GIT_NOGLOB_PATHSPECS=1",
        "GIT_ICASE_PATHSPECS=1",
        "GIT_DIR=/nonexistent",
        "GIT_WORK_TREE=/",
        "GIT_INDEX_FILE=/nonexistent/index",
        "GIT_INDEX_FILE=nowhere/index",
        "GIT_OBJECT_DIRECTORY=/nonexistent",
        "GIT_COMMON_DIR=/nonexistent",
        "GIT_NAMESPACE=other",
        "GIT_CEILING_DIRECTORIES=/",
        "GIT_EXTERNAL_DIFF=/bin/false",
        "GIT_DIFF_OPTS=-u9",
        "GIT_CONFIG_PARAMETERS='color.ui=always' 'diff.external=/bin/false'",
        "GIT_TRACE=/dev/stdout",
        "GIT_TRACE=1",
        "LC_ALL=de_DE.UTF-8",
        "LANGUAGE=de",
    ],
)
def test_no_variable_of_another_repository_changes_the_verdict(
    topic: Project, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, value = variable.partition("=")
    monkeypatch.setenv(name, value)
    run = topic.run()
    assert (run.code, {item.code for item in run.told}) == (1, {"H01"})


@pytest.mark.parametrize("attribute", ["diff=up", "-diff", "binary", "diff=missing"])
def test_an_attribute_hides_no_row_that_this_change_brings(
    topic: Project, attribute: str
) -> None:
    topic.git("config", "diff.up.textconv", "sed s/^/X/")
    topic.git("config", "diff.external", "/bin/false")
    topic.write(".gitattributes", f"*.md {attribute}\n")
    path = topic.index("semantic")
    ghost = "\n- [ghost](ghost.md): when a ghost comes up\n"
    path.write_text(path.read_text("utf-8") + ghost, "utf-8")
    assert topic.run().level("C01") == "error"


def no_program(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take git away."""
    monkeypatch.setenv("PATH", "/nonexistent")


def other_owner(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make git refuse the repository, as in a container."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")


def broken(name: str, content: str | None) -> Callable[..., None]:
    """Return a step that breaks a file of the git folder, or removes it."""

    def step(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        path = project.path(f".git/{name}")
        path.unlink()
        if content is not None:
            path.write_text(content)

    return step


ALL = [code for code, rule in RULES.items() if rule.needs_git]
SILENT = {
    "no program": (no_program, ALL),
    "another owner": (other_owner, ALL),
    "a broken index": (broken("index", "garbage"), ALL),
    "a broken HEAD": (broken("HEAD", "garbage\n"), ALL),
    "an empty HEAD": (broken("HEAD", ""), ALL),
    "no HEAD": (broken("HEAD", None), ALL),
    "an empty branch": (broken("refs/heads/topic", ""), COMPARING),
    "a branch of nothing": (broken("refs/heads/topic", f"{'1' * 40}\n"), COMPARING),
}


@pytest.mark.parametrize("name", SILENT)
def test_where_git_does_not_answer_the_rules_are_named(
    topic: Project, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, missing = SILENT[name]
    step(topic, monkeypatch)
    run = topic.run()
    assert (run.code, run.level("H08"), run.level("I05")) == (0, "warning", "")
    assert not_judged(topic) == sorted(missing)
    assert all(code in run.out for code in missing)
    for option in (["--strict"], ["--base", "main"]):
        assert topic.run(*option).code == 2
    monkeypatch.setenv("CI", "true")
    assert topic.run().code == 2
    topic.entry("semantic", "a-case", {"as_of": "2999-01-01"})
    assert topic.run().code == 1


def test_the_owner_is_named_with_the_command_that_helps(
    topic: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_owner(topic, monkeypatch)
    assert "git config --global --add safe.directory" in topic.run().out


def test_an_index_that_is_gone_hides_no_rewriting(topic: Project) -> None:
    topic.path(".git/index").unlink()
    assert "H01" in codes(topic)


def test_outside_git_and_before_the_first_commit_there_is_nothing_to_say(
    tmp_path: Path,
) -> None:
    project = lay_down(tmp_path)
    assert not_judged(project) == []
    project.git("init", "--quiet")
    assert (codes(project), not_judged(project)) == (set(), [])


def test_a_base_that_does_not_exist_is_no_run(topic: Project) -> None:
    assert topic.run("--base", "nowhere").code == 2
    assert topic.run("--base", "topic:AGENTS.md").code == 2


def clone(topic: Project, *options: str, name: str = "clone") -> Project:
    """Clone a repository beside it."""
    made = Project(topic.root.parent / name)
    topic.git("clone", "--quiet", *options, topic.root.as_uri(), str(made.root))
    return made


@pytest.mark.parametrize("default", ["main", "master", "trunk", "develop"])
def test_the_default_branch_of_the_remote_is_the_base(
    topic: Project, default: str
) -> None:
    topic.git("branch", "--move", "main", default)
    other = clone(topic, "--branch", "topic")
    other.git("remote", "set-head", "origin", "--delete")
    assert codes(other) == {"H01"}


def test_a_default_branch_that_was_renamed_is_named(topic: Project) -> None:
    topic.git("switch", "--quiet", "main")
    other = clone(topic)
    other.git("switch", "--quiet", "topic")
    other.git("branch", "--quiet", "-D", "main")
    other.git("update-ref", "refs/remotes/origin/16.0", "origin/main")
    other.git("update-ref", "-d", "refs/remotes/origin/main")
    assert codes(other) == {"H08"}
    assert "git remote set-head" in other.run().out


def test_a_detached_head_without_a_branch_to_compare_with_is_named(
    topic: Project,
) -> None:
    topic.git("switch", "--quiet", "--detach")
    assert codes(topic) == {"H01"}
    topic.git("branch", "--quiet", "-D", "main")
    assert codes(topic) == {"H08"}


@pytest.mark.parametrize("depth", [1, 0])
def test_the_checkout_of_a_pull_request_finds_it_or_says_so(
    topic: Project, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As actions/checkout makes it: detached, without origin/HEAD and local main."""
    topic.git("update-ref", "refs/pull/1/merge", "topic")
    other = Project(topic.root.parent / "ci")
    other.root.mkdir()
    other.git("init", "--quiet")
    other.git("remote", "add", "origin", topic.root.as_uri())
    wanted = ["+refs/pull/1/merge:refs/remotes/pull/1/merge"]
    if depth:
        wanted.insert(0, "--depth=1")
    else:
        wanted.append("+refs/heads/*:refs/remotes/origin/*")
    other.git("fetch", "--quiet", "--no-tags", "origin", *wanted)
    other.git("checkout", "--quiet", "--force", "refs/remotes/pull/1/merge")
    assert codes(other) == ({"H08"} if depth else {"H01"})
    assert ("fetch-depth: 0" in other.run().out) == bool(depth)
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    assert other.run().code == (2 if depth else 1)


@pytest.mark.parametrize("name", baseline.TARGETS)
def test_ci_names_the_branch_to_compare_with(
    topic: Project, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic.git("branch", "release/2", "main")
    topic.git("branch", "--force", "main", "topic")
    commit = topic.git("rev-parse", "release/2").strip()
    given = commit if name.endswith("SHA") else "release/2"
    monkeypatch.setenv(name, given)
    assert codes(topic) == set()  # only where CI is set
    monkeypatch.setenv("CI", "1")
    assert codes(topic) == {"H01"}
    monkeypatch.setenv(name, f"refs/heads/{given}")
    if given != commit:
        assert codes(topic) == {"H01"}
    monkeypatch.setenv(name, "gone")
    assert topic.run().code == 2
    assert codes(topic) == {"H08"}


def test_azure_pipelines_are_ci_by_their_own_variable(
    topic: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/gone")
    assert topic.run().code == 1
    monkeypatch.setenv("TF_BUILD", "True")
    assert topic.run().code == 2


def test_the_first_target_that_is_set_counts_and_not_the_next(
    topic: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("GITHUB_BASE_REF", "gone")
    monkeypatch.setenv("CHANGE_TARGET", "main")
    assert codes(topic) == {"H08"}
    monkeypatch.setenv("GITHUB_BASE_REF", "")
    assert codes(topic) == {"H01"}


@pytest.mark.parametrize(
    "name", ["--output=x", "topic~1", "a*", "x@{1}", "a\nb", "^main"]
)
def test_a_target_that_is_no_branch_name_is_not_given_to_git(
    topic: Project, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("CHANGE_TARGET", name)
    assert codes(topic) == {"H08"}
    assert name not in topic.run().out


@pytest.mark.parametrize("kept", ["blob:none", "tree:0"])
def test_a_partial_clone_without_its_remote_says_what_it_lacks(
    topic: Project, kept: str
) -> None:
    topic.git("config", "uploadpack.allowFilter", "true")
    topic.git("config", "uploadpack.allowAnySHA1InWant", "true")
    topic.git("switch", "--quiet", "main")
    other = clone(topic, f"--filter={kept}", "--no-checkout")
    other.git("checkout", "--quiet", "topic")
    topic.root.rename(topic.root.parent / "away")
    run = other.run()
    assert (run.code, run.level("H08")) == (0, "warning")
    assert "full clone" in run.out


def test_objects_that_lay_elsewhere_and_are_gone_are_missed(topic: Project) -> None:
    other = Project(topic.root.parent / "clone")
    topic.git("clone", "--quiet", "--shared", str(topic.root), str(other.root))
    topic.path(".git/objects").rename(topic.path(".git/away"))
    assert "H08" in codes(other)


def test_a_path_behind_a_link_is_judged(topic: Project) -> None:
    link = topic.root.parent / "link"
    link.symlink_to(topic.root)
    assert codes(Project(link)) == {"H01"}


@pytest.mark.parametrize("name", ["a[b]*?", ":colon", "-dash", "new\nline", "b\udcffd"])
def test_the_name_of_the_folder_is_no_pattern(
    made: Path, tmp_path: Path, name: str
) -> None:
    whole = Project(tmp_path / name)
    shutil.copytree(made, whole.root / "a [x]", ignore=shutil.ignore_patterns(".git"))
    package = Project(whole.root / "a [x]")
    whole.git("init", "--quiet", "--initial-branch=main")
    whole.git("add", "--all")
    whole.git("commit", "--quiet", "--message", "published")
    text = package.path(EPISODE).read_text("utf-8")
    package.path(EPISODE).write_text(text.replace("noticed", "liked"), "utf-8")
    assert codes(package) == {"H01"}


def test_a_repository_with_long_hashes_is_judged(tmp_path: Path) -> None:
    project = lay_down(tmp_path)
    project.entry("episodic", "locked-table")
    project.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "published")
    rewrite(project)
    assert codes(project) == {"H01"}


@pytest.mark.parametrize("relative", [True, False])
def test_the_index_of_a_partial_commit_is_the_one_that_is_judged(
    topic: Project, relative: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic.git("switch", "--quiet", "main")
    index = ".git/next-index-1.lock"
    shutil.copy(topic.path(".git/index"), topic.path(index))
    rewrite(topic)
    topic.git("add", "--all")
    assert codes(topic, "--staged") == {"H01"}
    monkeypatch.setenv("GIT_INDEX_FILE", index if relative else str(topic.path(index)))
    assert codes(topic, "--staged") == set()


def test_the_index_of_an_outer_repository_is_not_ours(
    topic: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer = Project(topic.root.parent)
    outer.git("init", "--quiet")
    outer.git("add", "--intent-to-add", "project/AGENTS.md", check=False)
    monkeypatch.setenv("GIT_INDEX_FILE", str(outer.path(".git/index")))
    monkeypatch.setenv("GIT_DIR", str(outer.path(".git")))
    assert codes(topic) == codes(topic, "--staged") == {"H01"}


def test_what_is_only_intended_to_be_added_is_not_staged(topic: Project) -> None:
    topic.entry("semantic", "later", listed=False)
    topic.git("add", "--intent-to-add", f"{MEMORY}/semantic/later.md")
    assert codes(topic, "--staged") == {"H01"}


def test_a_merge_in_progress_answers_for_neither_side(topic: Project) -> None:
    topic.git("switch", "--quiet", "main")
    topic.git("switch", "--quiet", "--create", "mine")
    topic.write("file", "mine\n")
    topic.git("add", "file")
    topic.git("commit", "--quiet", "--message", "mine")
    topic.git("switch", "--quiet", "main")
    rewrite(topic)
    topic.write("file", "theirs\n")
    topic.git("add", "--all")
    topic.git("commit", "--quiet", "--message", "theirs")
    topic.git("switch", "--quiet", "mine")
    topic.git("merge", "main", check=False)
    assert codes(topic) == set()
    topic.write("file", "both\n")
    topic.git("add", "file")
    assert codes(topic, "--staged") == set()
    topic.git("commit", "--quiet", "--message", "merged")
    assert codes(topic) == set()


def test_what_the_base_gained_since_is_not_called_deleted(topic: Project) -> None:
    topic.git("switch", "--quiet", "main")
    topic.git("switch", "--quiet", "--create", "mine")
    topic.git("switch", "--quiet", "main")
    topic.entry("episodic", "second-lock")
    topic.git("add", "--all")
    topic.git("commit", "--quiet", "--message", "main goes on")
    topic.git("switch", "--quiet", "mine")
    for options in ([], ["--base", "main"], ["--base", "main", "--staged"]):
        assert codes(topic, *options) == set()


def test_an_untracked_episode_is_still_the_published_one(topic: Project) -> None:
    topic.git("rm", "--quiet", "--cached", EPISODE)
    assert "H01" in codes(topic)


def test_once_disabled_git_is_not_asked(
    topic: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git._State, "asks", True)
    assert git.ask(str(topic.root), "rev-parse", "HEAD")
    git.disable()
    with pytest.raises(git.CannotAsk) as caught:
        git.ask(str(topic.root), "rev-parse", "HEAD")
    assert caught.value.problem == git.OFF
    assert evidence.commits(str(topic.root), ["1234567"])["1234567"].reason == git.OFF


def test_git_never_reaches_for_the_network(
    topic: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A protocol helper of the user is not started, whatever their settings allow."""
    helper = topic.write("bin/git-remote-test", "#!/bin/sh\ntouch called\nexit 1\n")
    helper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{helper.parent}{os.pathsep}{os.environ['PATH']}")
    topic.git("config", "protocol.allow", "always")
    with pytest.raises(git.CannotAsk):
        git.ask(str(topic.root), "ls-remote", "test::anywhere")
    assert not topic.path("called").exists()


def test_a_store_that_is_a_submodule_is_not_judged_silently(topic: Project) -> None:
    store = Project(topic.root.parent / "store")
    shutil.copytree(topic.path(MEMORY), store.root)
    store.git("init", "--quiet", "--initial-branch=main")
    store.git("add", "--all")
    store.git("commit", "--quiet", "--message", "store")
    topic.git("rm", "-r", "--quiet", "--force", MEMORY)
    allow = ("-c", "protocol.file.allow=always")
    topic.git(*allow, "submodule", "--quiet", "add", store.root.as_uri(), MEMORY)
    assert "submodule" in topic.run().out
    assert set(COMPARING) <= {*not_judged(topic)}


def test_of_two_merge_bases_neither_side_answers_for_the_other(topic: Project) -> None:
    """Both branches merged an older state of the other: there are two merge bases."""
    topic.git("switch", "--quiet", "--force-create", "mine", "main")
    topic.write("mine", "1\n")
    topic.git("add", "mine")
    topic.git("commit", "--quiet", "--message", "mine")
    topic.git("switch", "--quiet", "main")
    rewrite(topic)
    topic.git("commit", "--quiet", "--all", "--message", "rewritten on main")
    topic.git("tag", "older")
    topic.git("merge", "--quiet", "--message", "merge", "mine")
    topic.git("switch", "--quiet", "mine")
    topic.git("merge", "--quiet", "--message", "merge", "older")
    assert len(topic.git("merge-base", "--all", "main", "mine").split()) == 2
    assert codes(topic) == set()


def test_an_object_that_is_replaced_in_one_clone_hides_no_rewriting(
    topic: Project,
) -> None:
    refs = (f"main:{EPISODE}", f"topic:{EPISODE}")
    blobs = [topic.git("rev-parse", ref).strip() for ref in refs]
    assert len({*blobs}) == 2
    topic.git("replace", *blobs)
    assert codes(topic) == {"H01"}


def test_a_graft_of_one_clone_hides_no_rewriting(topic: Project) -> None:
    topic.write(".git/info/grafts", topic.git("rev-parse", "HEAD"))
    assert codes(topic) == {"H01"}


def test_a_tag_with_the_name_of_the_base_is_not_the_base(topic: Project) -> None:
    topic.git("tag", "main", "topic")
    assert codes(topic, "--base", "main") == {"H01"}
    assert codes(topic, "--base", "refs/tags/main") == set()


def test_a_drawer_that_a_sparse_checkout_leaves_out_is_not_missing(
    topic: Project,
) -> None:
    topic.git("checkout", "--quiet", "main")
    topic.entry("semantic", "health-port", evidence=["`AGENTS.md`"])
    topic.commit()
    topic.git("sparse-checkout", "set", "--cone", ".agents/memory/semantic", SKILL)
    assert not topic.drawer("episodic").exists()
    run = topic.verify()
    assert (run.code, {item.code for item in run.told}) == (0, {"R13"})
    before = topic.git("status", "--porcelain")
    topic.verify("--fix")
    assert topic.git("status", "--porcelain") == before
    text = topic.path(f"{MEMORY}/semantic/health-port.md").read_text()
    done = command(topic, "remember", "semantic", "health-port", given=text)
    assert done.code == 0, done.err
    event = "# An event\n\n- cue: when tables lock again\n- task: index a table\n\n"
    event += BODIES["episodic"]
    done = command(topic, "remember", "episodic", "other-table", given=event)
    assert done.code == 2
    assert "catalog of the drawer is missing" in done.err


def test_a_staged_conflict_is_called_a_conflict(topic: Project) -> None:
    topic.git("checkout", "--quiet", "main")
    topic.entry("semantic", "health-port")
    topic.commit()
    for branch, word in (("one", "first"), ("two", "second")):
        topic.git("checkout", "--quiet", "-b", branch, "main")
        topic.entry("semantic", "health-port", title=f"The {word} port", listed=False)
        topic.commit()
    topic.git("merge", "one", check=False)
    run = topic.verify("--staged")
    assert run.code == 2
    assert "files of the store with conflicts" in run.err
