"""An update ends where a fresh copy would, whatever was there before it."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import blocks
import copier_project
import pytest
from torture.formatting import wrap

FLAT = "36203c5"  # the last commit whose scripts lay in one flat folder
PROTOCOL = f"{copier_project.SKILL}/SKILL.md"
ROW = "- [port-8081](port-8081.md): which port health checks must use\n"
ENTRY = "# Port\n\n- cue: which port health checks must use\n\nIt is 8081.  \n"
END = "<!-- eco-mem:contract:end -->"
ANSWERS = ".copier-answers.yml"


def commit_and_update(root: Path, *options: str, hosts: str | None = None) -> str:
    """Update a project, with a commit before and after, and no conflict."""
    copier_project.commit(root)
    said = copier_project.fine(copier_project.update(root, "-q", *options, hosts=hosts))
    assert copier_project.scars(root) == []
    copier_project.commit(root)
    return said


def index(drawer: str) -> str:
    """Return the path of an INDEX."""
    return f"{copier_project.STORE}/{drawer}/INDEX.md"


# From the flat scripts.


@pytest.fixture(scope="session")
def since_flat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template as it was with flat scripts, followed by the working tree."""
    archive = subprocess.run(
        ["git", "archive", FLAT, *copier_project.SHIPPED[:2], "template"],
        cwd=copier_project.SOURCE,
        capture_output=True,
        check=False,
    )
    if archive.returncode != 0:
        pytest.skip(f"needs commit {FLAT}, which this clone does not have (shallow?)")
    root = tmp_path_factory.mktemp("flat") / "eco-mem"
    root.mkdir()
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(root, filter="data")
    copier_project.commit(root, tag="v0.9.0")
    copier_project.git(root, "rm", "-rqf", ".")
    copier_project.light_source_to(root)
    copier_project.commit(root, tag=copier_project.NOW)
    return root


def test_a_project_with_flat_scripts_becomes_a_fresh_copy_with_its_memory(
    since_flat: Path, project: Path, tmp_path: Path
) -> None:
    hosts = "claude, gemini, copilot, opencode"
    guard = ("--data", "guard=true")
    old = ("--vcs-ref", "v0.9.0")
    copier_project.fine(
        copier_project.copy(since_flat, project, *old, *guard, hosts=hosts)
    )
    flat = copier_project.tree(project).keys()
    assert f"{copier_project.SKILL}/scripts/gitcli.py" in flat
    entry = f"{copier_project.STORE}/semantic/port-8081.md"
    copier_project.write(project, {entry: ENTRY})
    note = "\nA note of mine.\n"
    for drawer in copier_project.DRAWERS:
        copier_project.change(project / index(drawer), lambda text: text + ROW + note)
    commit_and_update(project)
    after = copier_project.tree(project)
    fresh = tmp_path / "fresh"
    copier_project.fine(copier_project.copy(since_flat, fresh, *guard, hosts=hosts))
    expected = copier_project.tree(fresh)
    for drawer in copier_project.DRAWERS:
        expected[index(drawer)] += (ROW + note).encode()
    assert after.pop(entry) == ENTRY.encode()
    assert after == expected


# Hosts and the guard, in and out.


Answer = tuple[str, str]  # hosts and guard
ALONE: Answer = ("claude", "false")  # which has a CLAUDE.md
BESIDE: Answer = ("claude, copilot", "false")  # which has none
GUARDED: Answer = ("claude, gemini, copilot, opencode", "true")
OTHERS: Answer = ("kiro, codex", "true")
Fresh = Callable[[Answer], dict[str, bytes]]


@pytest.fixture(scope="session")
def fresh(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    """A function that returns a fresh copy for an answer; each is made only once."""
    done: dict[Answer, dict[str, bytes]] = {}

    def copy(answer: Answer) -> dict[str, bytes]:
        if answer not in done:
            root = tmp_path_factory.mktemp("fresh") / "project"
            copy_for(template, root, answer)
            done[answer] = copier_project.tree(root)
        return done[answer]

    return copy


def copy_for(template: Path, root: Path, answer: Answer) -> None:
    """Copy the template with an answer."""
    hosts, guard = answer
    guarded = ("--data", f"guard={guard}")
    copier_project.fine(copier_project.copy(template, root, *guarded, hosts=hosts))


@pytest.mark.oldest
@pytest.mark.parametrize(
    ("rules", "steps"),
    [("", (BESIDE, ALONE, GUARDED, OTHERS, BESIDE)), ("*.json\n", (GUARDED, OTHERS))],
    ids=["", "record ignored"],
)
def test_hosts_and_the_guard_come_and_go_as_in_a_fresh_copy(
    template: Path, fresh: Fresh, project: Path, rules: str, steps: tuple[Answer, ...]
) -> None:
    if rules:
        copier_project.write(project, {".gitignore": rules})
        copier_project.commit(project)
    copy_for(template, project, steps[0])
    for hosts, guard in steps[1:]:
        said = commit_and_update(project, "--data", f"guard={guard}", hosts=hosts)
        assert "gone" not in said
        after = copier_project.tree(project)
        after.pop(".gitignore", None)
        assert after == fresh((hosts, guard)), hosts
        assert not [path for path in project.rglob("*") if is_empty(path)]


def is_empty(path: Path) -> bool:
    """Return whether a path is a folder with nothing in it, and not one of git's."""
    return ".git" not in path.parts and path.is_dir() and not any(path.iterdir())


def test_a_claude_md_that_a_person_took_away_stays_away(
    old: Path,
) -> None:
    (old / "CLAUDE.md").unlink()
    assert "kept CLAUDE.md: our block is gone" in commit_and_update(old)
    assert not (old / "CLAUDE.md").exists()


# Copies of the skill.


def test_a_local_edit_of_the_skill_reaches_every_copy(old: Path) -> None:
    mine = "\nA rule of this house.\n"
    copier_project.change(
        old / PROTOCOL, lambda text: text.replace("\n## ", f"{mine}\n## ", 1)
    )
    commit_and_update(old, hosts="claude, kiro")
    skill = copier_project.text(old / PROTOCOL)
    assert mine in skill
    assert copier_project.OLDER not in skill
    for host in ("claude", "kiro"):
        copy = old / f".{host}/skills/eco-mem/SKILL.md"
        assert copier_project.text(copy) == skill


@pytest.mark.oldest
def test_a_skill_with_a_conflict_is_not_copied(old: Path) -> None:
    copy = ".claude/skills/eco-mem/SKILL.md"
    copier_project.change(
        old / PROTOCOL,
        lambda text: text.replace(copier_project.OLDER, "Of this house."),
    )
    copier_project.commit(old)
    before = copier_project.text(old / copy)
    said = copier_project.fine(copier_project.update(old, "-q"))
    assert "<<<<<<< before updating" in copier_project.text(old / PROTOCOL)
    assert copier_project.text(old / copy) == before
    assert f"kept {copy}: {PROTOCOL} has a conflict" in said
    settled = copier_project.text(old / PROTOCOL)
    settled = re.sub(r"(?ms)^<<<<<<< .*?^=======\n(.*?)^>>>>>>> .*?\n", r"\1", settled)
    (old / PROTOCOL).write_text(settled)
    command = said.rpartition("`")[0].rpartition("`")[2].split()
    assert command[1:] == [f"{copier_project.SKILL}/scripts/verify.py", "--fix"]
    # The scripts of this project are too few to run.
    verify = copier_project.SOURCE / "template" / command[1]
    copier_project.run(sys.executable, verify, "--fix", "--root", old, cwd=old)
    assert copier_project.text(old / copy) == settled


# Contracts.


MINE = {
    index("procedural"): ROW,
    index("episodic"): "A note of mine.\n",
    index("semantic"): "## In force\n\n- [x](../../x.md): x\n",
}


def test_what_a_person_wrote_into_a_contract_stays_and_is_named(old: Path) -> None:
    before = {}
    for path, mine in MINE.items():
        text = copier_project.text(old / path)
        before[path] = text.replace(END, f"{mine}\n{END}")
        assert before[path] != text
    copier_project.write(old, dict(before))
    said = commit_and_update(old)
    for path, mine in MINE.items():
        assert copier_project.text(old / path) == before[path]
        assert f"eco-mem: kept {path}: " in said
        # Moved below the marker, as it says.
        moved = before[path].replace(f"{mine}\n{END}", END) + mine
        copier_project.write(old, {path: moved})
    # The next update refreshes the contracts.
    assert commit_and_update(old) == ""
    for path, mine in MINE.items():
        after = copier_project.text(old / path)
        assert after.endswith(mine)
        assert copier_project.OLDER not in after


def test_an_end_marker_that_slipped_below_the_rows_loses_none(old: Path) -> None:
    path = index("semantic")
    copier_project.change(
        old / path, lambda text: text.replace(f"{END}\n", "") + f"{ROW}\n{END}\n"
    )
    before = copier_project.text(old / path)
    assert f"kept {path}" in commit_and_update(old)
    assert copier_project.text(old / path) == before


def test_a_contract_that_lost_its_hash_is_known_from_the_history_of_the_template(
    old: Path,
) -> None:
    path = index("semantic")
    copier_project.change(
        old / path, lambda text: re.sub(r"begin [0-9a-f]{8}", "begin", text)
    )
    assert commit_and_update(old) == ""
    assert copier_project.OLDER not in copier_project.text(old / path)


def test_a_deleted_index_comes_back_in_a_package_too(
    two_versions: Path, tmp_path: Path
) -> None:
    root = tmp_path / "repository/packages/one"
    copier_project.write(tmp_path / "repository", {"README.md": "# Mine\n"})
    old = ("--vcs-ref", copier_project.OLD)
    copier_project.fine(copier_project.copy(two_versions, root, *old))
    (root / index("episodic")).unlink()
    copier_project.commit(tmp_path / "repository")
    copier_project.fine(copier_project.update(root))
    text = copier_project.text(root / index("episodic"))
    region = blocks.find(text, blocks.CONTRACT, "")
    assert region is not None
    assert not region.edited


# Formatters.


@pytest.mark.oldest
def test_files_that_a_formatter_wrapped_are_updated_without_a_conflict(
    two_versions: Path, old: Path, tmp_path: Path
) -> None:
    paths = ["AGENTS.md", PROTOCOL, f"{copier_project.SKILL}/references/formats.md"]
    paths += [index(drawer) for drawer in copier_project.DRAWERS]
    changed = 0
    for path in paths:
        text = copier_project.text(old / path)
        wrapped = wrap(text)
        (old / path).write_text(wrapped, newline="\n")
        changed += wrapped != text
    assert changed >= 6
    assert commit_and_update(old) == ""
    fresh = tmp_path / "fresh"
    copier_project.fine(copier_project.copy(two_versions, fresh))
    for path in paths:
        ours, theirs = (copier_project.text(root / path) for root in (old, fresh))
        assert blocks.words(ours) == blocks.words(theirs)
    assert copier_project.text(old / PROTOCOL) == copier_project.text(fresh / PROTOCOL)


def test_git_shows_an_update_of_a_formatted_file_as_one_change(old: Path) -> None:
    copier_project.change(old / PROTOCOL, wrap)
    copier_project.commit(old)
    copier_project.fine(copier_project.update(old, "-q"))
    assert copier_project.git(old, "diff", "--cached", "--name-only") == ""
    assert f" M {PROTOCOL}" in copier_project.git(old, "status", "--porcelain")


# Removing.


def test_removing_with_a_later_version_leaves_nothing_of_an_older_one(
    two_versions: Path, old: Path
) -> None:
    script = two_versions / "tasks/weave.py"
    said = copier_project.fine(
        copier_project.run(sys.executable, script, "--remove", old, cwd=old)
    )
    left = [
        path
        for path in copier_project.tree(old)
        if not path.startswith(f"{copier_project.STORE}/")
    ]
    assert left == []
    sentinel = f"{copier_project.SKILL}/{copier_project.SENTINEL}"
    assert f"eco-mem: removed {sentinel}\n" in said


def test_a_later_version_can_be_copied_where_an_older_one_was_removed(
    two_versions: Path, tmp_path: Path
) -> None:
    source, project = tmp_path / "eco-mem", tmp_path / "project"
    shutil.copytree(two_versions, source)
    copier_project.fine(copier_project.copy(source, project, hosts="claude"))
    script = source / "tasks/weave.py"
    copier_project.fine(
        copier_project.run(sys.executable, script, "--remove", project, cwd=project)
    )
    dot_files = (".gitattributes", "working/.gitignore")
    store = source / "template" / copier_project.STORE
    for name in (".gitattributes", "working/.gitignore.jinja"):
        copier_project.change(store / name, lambda text: text + "# Newer.\n")
    copier_project.commit(source, tag="v999.1.0")
    copier_project.fine(copier_project.copy(source, project, hosts="claude"))
    for name in dot_files:
        text = copier_project.text(project / copier_project.STORE / name)
        assert text.endswith("# Newer.\n")


def test_what_was_removed_from_a_checkout_in_crlf_can_be_copied_again(
    template: Path, project: Path
) -> None:
    copier_project.fine(copier_project.copy(template, project, hosts="claude"))
    dot_files = (".gitattributes", "working/.gitignore")
    store = project / copier_project.STORE
    for name in dot_files:
        (store / name).write_bytes((store / name).read_bytes().replace(b"\n", b"\r\n"))
    script = template / "tasks/weave.py"
    copier_project.fine(
        copier_project.run(sys.executable, script, "--remove", project, cwd=project)
    )
    copier_project.fine(copier_project.copy(template, project, hosts="claude"))
    assert all(b"\r" not in (store / name).read_bytes() for name in dot_files)


def test_removing_says_removed_of_files_only(template: Path, project: Path) -> None:
    copier_project.write(project, {"AGENTS.md": "# Mine\n"})
    copier_project.fine(copier_project.copy(template, project, hosts="claude"))
    script = template / "tasks/weave.py"
    said = copier_project.fine(
        copier_project.run(sys.executable, script, "--remove", project, cwd=project)
    )
    assert "eco-mem: taken out of AGENTS.md\n" in said
    for line in said.splitlines():
        verb, _, path = line.removeprefix("eco-mem: ").partition(" ")
        assert verb != "removed" or not (project / path).exists()
