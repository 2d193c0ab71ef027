"""Evidence: looked at when it is written, and not here is not gone."""

from __future__ import annotations

import subprocess
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from ecomem import entry, evidence, git
from ecomem.evidence import (
    AMBIGUOUS,
    CHANGED,
    ELSEWHERE,
    FRESH,
    GONE,
    IN_HISTORY,
    MOVED,
    NOT_HERE,
    UNKNOWN,
    CitedFiles,
    Look,
)
from ecomem.store import Page
from hypothesis import given
from hypothesis import strategies as st
from store_project import Project, lay_down

TEXT = "import os\n\ndef port():\n    return 8081\n"
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'1' * 64}\nsize 9\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A committed project with a source file."""
    made = lay_down(tmp_path / "project")
    made.write("src/app.py", TEXT)
    made.git("init", "--quiet", "--initial-branch=main")
    return save(made)


def save(project: Project) -> Project:
    """Commit everything."""
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "work")
    return project


def look(project: Project, cited: str) -> Look:
    """Look at evidence as it is written in an entry."""
    item = entry.read_evidence(cited)
    assert item
    return CitedFiles(str(project.root)).judge(item)


def sign(project: Project, path: str, first: int, last: int = 0) -> str:
    """Cite lines of a file with their fingerprint."""
    files = CitedFiles(str(project.root))
    lines = f"#L{first}-L{last}" if last else f"#L{first}"
    return f"`{path}{lines}` sha:{files.fingerprint(path, first, last or first)}"


def problems(project: Project, cited: str, source: str = "verified") -> list[str]:
    """The findings about a fact with this evidence that is about to be written."""
    fields = {"source": source}
    path = project.entry("semantic", "new", fields, evidence=[cited], listed=False)
    page = Page("semantic/new.md", "semantic", "new", path.read_text("utf-8"))
    path.unlink()
    files = CitedFiles(str(project.root))
    found = evidence.check_new(files, entry.parse(page))
    return [f"{item.code} {item.message}" for item in found]


# What is there.


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("latin.txt", "größe\nport\n".encode("latin-1")),
        ("utf8-mark.txt", b"\xef\xbb\xbfone\nport\n"),
        ("utf16.txt", "one\nport\n".encode("utf-16")),
        ("utf16-big.txt", b"\xfe\xff" + "one\nport\n".encode("utf-16-be")),
        ("utf32.txt", "one\nport\n".encode("utf-32")),
        ("shift-jis.txt", "日本語\nport\n".encode("shift-jis")),
        ("crlf.txt", b"one\r\nport\r\n"),
        ("old-mac.txt", b"one\rport\r"),
    ],
)
def test_a_file_in_any_encoding_is_read(
    project: Project, name: str, data: bytes
) -> None:
    project.write(name, data)
    cited = sign(project, name, 2)
    assert cited.endswith(evidence._fingerprint(["port"], 1, 1))
    assert look(project, cited).state == FRESH
    assert problems(project, cited) == []
    project.write(name, data.replace(b"p", b"q"))
    assert look(project, cited).state == CHANGED


@pytest.mark.parametrize(
    "name",
    [
        "C#/Program.cs",
        "what?/a.md",
        "a[b]/c*.md",
        "src/[slug]/page.tsx",
        "-dash.md",
        "sp ace/a b.md",
        "src/a#L2.md",
        "ünï/çödé.md",
    ],
)
def test_a_path_is_a_path(project: Project, name: str) -> None:
    project.write(name, "one\ntwo\n")
    assert problems(project, f"`{name}#L2`") == []
    assert look(project, sign(project, name, 2)).state == FRESH


@pytest.mark.parametrize(("there", "cited"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_a_name_in_another_unicode_form_is_the_same_file(
    project: Project, there: str, cited: str
) -> None:
    def spell(form: str) -> str:
        return unicodedata.normalize(form, "rés/umé.md")  # type: ignore[arg-type]

    project.write(spell(there), "one\ntwo\n")
    signed = sign(project, spell(cited), 2)
    assert look(project, signed).state == FRESH
    assert problems(project, signed) == []


def test_another_unicode_form_goes_before_another_case(project: Project) -> None:
    for name in ("ré.md", "RÉ.md"):
        project.write(unicodedata.normalize("NFD", name), f"{name}\n")
    signed = sign(project, "ré.md", 1)
    assert look(project, signed).state == FRESH


def test_a_name_in_another_case_is_shown_as_it_is(project: Project) -> None:
    seen = look(project, sign(project, "SRC/App.py", 3))
    assert (seen.state, seen.place) == (MOVED, "src/app.py#L3")
    project.write("src/APP.py", "other\n")
    assert look(project, "`src/App.py`").state == GONE  # two are like it


def test_a_link_inside_the_project_is_followed(project: Project) -> None:
    project.path("link").symlink_to("src")
    assert look(project, sign(project, "link/app.py", 3)).state == FRESH


# What is not here.


def test_a_link_that_leads_elsewhere_is_not_looked_at(project: Project) -> None:
    outside = project.root.parent / "outside"
    outside.write_text("one\n")
    project.path("out").symlink_to(outside)
    project.path("nowhere").symlink_to("nothing")
    assert look(project, "`out#L1`") == Look(NOT_HERE, "", evidence.OUTSIDE)
    assert look(project, "`out`").state == NOT_HERE
    assert look(project, "`nowhere`") == Look(NOT_HERE, "", evidence.NO_TARGET)


@pytest.mark.parametrize(
    "data",
    [b"a\0b\n", "one\ntwo\n".encode("utf-16-le"), LFS.encode()],
    ids=["binary", "UTF-16 without a mark", "LFS"],
)
def test_what_is_no_text_here_is_not_called_changed(
    project: Project, data: bytes
) -> None:
    project.write("file", data)
    assert look(project, "`file#L9` sha:12345678").state == NOT_HERE
    assert look(project, "`file`").state == FRESH


def test_lines_beyond_what_is_read_are_not_called_changed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "MAX_BYTES", 100)
    project.write("long", "line\n" * 100)
    assert look(project, "`long#L3`").state == FRESH
    assert look(project, "`long#L90`").state == NOT_HERE


def sparse(project: Project) -> Project:
    """A clone whose sparse checkout leaves src out."""
    made = Project(project.root.parent / "clone")
    project.git("clone", "--quiet", str(project.root), str(made.root))
    made.git("sparse-checkout", "set", "--cone", ".agents")
    return made


def skipped(project: Project) -> Project:
    """The project with the file left out by hand."""
    project.git("update-index", "--skip-worktree", "src/app.py")
    project.path("src/app.py").unlink()
    return project


def moved_and_sparse(project: Project) -> Project:
    """A sparse clone in which the file was renamed to where it is not."""
    project.git("mv", "src", "lib")
    return sparse(save(project))


def in_submodule(project: Project) -> Project:
    """A clone whose submodule src is not checked out."""
    other = Project(project.root.parent / "other")
    other.write("app.py", TEXT)
    other.git("init", "--quiet")
    save(other)
    project.git("rm", "-r", "--quiet", "src")
    address = other.root.as_uri()
    allow = ("-c", "protocol.file.allow=always")
    project.git(*allow, "submodule", "--quiet", "add", address, "src")
    save(project)
    made = Project(project.root.parent / "clone")
    project.git("clone", "--quiet", str(project.root), str(made.root))
    return made


def gone_submodule(project: Project) -> Project:
    """The same, with not even an empty folder left."""
    made = in_submodule(project)
    made.path("src").rmdir()
    return made


def shallow(project: Project) -> Project:
    """A shallow clone of a project whose file was renamed."""
    project.git("mv", "src/app.py", "src/main.py")
    save(project)
    project.write("more", "x\n")
    save(project)
    made = Project(project.root.parent / "clone")
    address = project.root.as_uri()
    project.git("clone", "--quiet", "--depth=1", address, str(made.root))
    return made


@pytest.mark.parametrize(
    "step",
    [sparse, skipped, moved_and_sparse, in_submodule, gone_submodule, shallow],
    ids=lambda step: str(step.__name__),
)
def test_not_here_is_not_gone(
    project: Project, step: Callable[[Project], Project]
) -> None:
    cited = sign(project, "src/app.py", 3, 4)
    there = step(project)
    assert look(there, cited).state == NOT_HERE
    (told,) = problems(there, cited)
    assert told.startswith("E14 The cited file could not be looked at.")
    assert problems(there, cited, "derived") == []
    there.entry("semantic", "a-fact", evidence=[cited])
    run = there.run("a-fact")
    assert (run.code, {item.code for item in run.told}) == (0, {"R13"})
    there.entry("semantic", "a-fact", body="See `src/app.py`.", listed=False)
    assert "R06" not in {item.code for item in there.run().told} or step is shallow


def test_a_folder_that_is_left_out_is_not_gone(project: Project) -> None:
    assert look(sparse(project), "`src`").state == NOT_HERE


def test_a_deleted_file_is_gone_though_others_are_left_out(project: Project) -> None:
    project.write("docs/a.md", "a\n")
    made = sparse(save(project))
    assert look(made, "`docs/b.md`").state == GONE
    made.path(".agents/gone.md").write_text("x\n")
    save(made)
    made.path(".agents/gone.md").unlink()
    assert look(made, "`.agents/gone.md`").state == GONE


# What moved.


def test_a_chain_of_renames_is_followed_to_its_end(project: Project) -> None:
    cited = sign(project, "src/app.py", 3, 4)
    names = ["src/app.py", *(f"src/name{at}.py" for at in range(1, 12))]
    for at, (old, new) in enumerate(pairwise(names), 1):
        project.git("mv", old, new)
        save(project)
        seen = look(project, cited)
        if at <= 10:
            assert seen == Look(MOVED, f"{new}#L3-L4")
        else:
            assert seen.state == GONE


@pytest.mark.parametrize("committed", [True, False])
def test_a_renamed_folder_is_followed(project: Project, committed: bool) -> None:
    project.write("src/deep/b.py", "b\n" * 9)
    save(project)
    cited = sign(project, "src/deep/b.py", 3)
    project.git("mv", "src", "lib")
    if committed:
        save(project)
    assert look(project, cited) == Look(MOVED, "lib/deep/b.py#L3")
    assert look(project, "`src`") == Look(MOVED, "lib")
    assert look(project, "`src/deep`") == Look(MOVED, "lib/deep")


def test_a_file_that_was_renamed_and_changed_is_gone_and_named(
    project: Project,
) -> None:
    project.write("src/big.py", "".join(f"line {at}\n" for at in range(40)))
    save(project)
    cited = sign(project, "src/big.py", 3)
    project.git("mv", "src/big.py", "src/new.py")
    text = project.path("src/new.py").read_text().replace("line 2\n", "other\n")
    project.write("src/new.py", text)
    save(project)
    assert look(project, cited) == Look(GONE, "src/new.py")


def test_the_search_for_moved_lines_has_a_bound(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    cited = sign(project, "src/app.py", 3, 4)
    project.write("src/app.py", f"# new\n{TEXT}")  # 5 lines, 1 more is cited
    monkeypatch.setattr(evidence, "MAX_COMPARED", 6)
    assert look(project, cited) == Look(MOVED, "src/app.py#L4-L5")
    monkeypatch.setattr(evidence, "MAX_COMPARED", 5)
    assert look(project, cited).state == CHANGED


# Commits.


def test_a_commit_is_in_history_elsewhere_unknown_or_ambiguous(
    project: Project,
) -> None:
    head = project.git("rev-parse", "HEAD").strip()
    blob = project.git("rev-parse", "HEAD:src/app.py").strip()
    project.git("switch", "--quiet", "--create", "side")
    project.write("more", "x\n")
    beside = save(project).git("rev-parse", "HEAD").strip()
    project.git("switch", "--quiet", "main")
    one = twin(project)
    names = [head, head[:7], beside[:9], blob[:9], "0123456789", one[:4], one]
    looks = evidence.commits(str(project.root), names)
    states = [looks[name].state for name in names]
    assert states == [
        IN_HISTORY,
        IN_HISTORY,
        ELSEWHERE,
        UNKNOWN,
        UNKNOWN,
        AMBIGUOUS,
        ELSEWHERE,
    ]


def twin(project: Project) -> str:
    """Make commits until two of them share their first four digits. Returns one."""
    commits = "".join(
        f"commit refs/heads/n{at}\ncommitter T <t@example.org> {at} +0000\ndata 0\n\n"
        for at in range(1500)
    )
    subprocess.run(
        ["git", "-C", str(project.root), "fast-import", "--quiet"],
        input=commits.encode(),
        check=True,
    )
    names = project.git("for-each-ref", "--format=%(objectname)", "refs/heads/n*")
    starts = [name[:4] for name in names.split()]
    return next(name for name in names.split() if starts.count(name[:4]) > 1)


def test_in_a_shallow_clone_an_unknown_commit_is_not_called_so(
    project: Project,
) -> None:
    head = project.git("rev-parse", "HEAD").strip()
    made = shallow(project)
    assert evidence.commits(str(made.root), [head])[head].state == NOT_HERE
    made.entry("semantic", "a-fact", evidence=[f"commit {head}"])
    assert {item.code for item in made.run("a-fact").told} == {"R13"}


# What is refused when it is written.


@pytest.mark.parametrize(
    ("cited", "words"),
    [
        ("`src/nowhere.py`", "is not there"),
        ("`src/nowhere.py#L10`", "is not there"),
        ("`src/app.py#L900`", "has 4 lines"),
        ("`src/app.py#L5`", "has 4 lines"),
        ("`src/app.py#L2-L9`", "has 4 lines"),
        ("`src/app.py#L4-L3`", "ends before it begins"),
        ("`src/app.py#L2`", "are blank"),
        ("`src/app.py#L1` sha:12345678", "do not have this fingerprint"),
        ("`src/app.py` sha:12345678", "no lines are cited"),
        ("`src/app.py:3`", "Write the lines of a file as `#L3`"),
        ("`.`", "the whole project"),
        ("`./`", "the whole project"),
        ("`.git/HEAD`", "git's own"),
        ("commit deadbeef", "no such commit"),
    ],
)
def test_evidence_of_nothing_is_refused(
    project: Project, cited: str, words: str
) -> None:
    for source in ("verified", "derived"):
        (told,) = problems(project, cited, source)
        assert told.startswith("E14 ") and words in told


def test_lines_that_moved_are_refused_with_their_place(project: Project) -> None:
    cited = sign(project, "src/app.py", 3, 4)
    project.write("src/app.py", f"# new\n{TEXT}")
    (told,) = problems(project, cited)
    assert "`src/app.py#L4-L5`" in told


@pytest.mark.parametrize(
    "cited", ["`src/app.py`", "`src`", "`src/app.py#L1-L4`", "https://example.org/x"]
)
def test_evidence_that_is_there_passes(project: Project, cited: str) -> None:
    assert problems(project, cited) == []


@pytest.mark.parametrize("cited", ["`src/app.py#L0`", "`src/app.py#L00-L3`"])
def test_lines_are_counted_from_one(project: Project, cited: str) -> None:
    project.entry("semantic", "a-fact", evidence=[cited])
    messages = [item.message for item in project.judged() if item.code == "E07"]
    assert messages and messages[0].startswith("Lines are counted from 1.")


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("notes.md", ".agents/memory/semantic/a-fact.md"),
        ("docs", ".agents/memory/semantic"),
    ],
)
def test_a_link_to_a_memory_is_no_evidence(
    project: Project, link: str, target: str
) -> None:
    project.entry("semantic", "a-fact")
    project.path(link).symlink_to(target)
    cited = link if link.endswith(".md") else f"{link}/a-fact.md"
    assert [told[:3] for told in problems(project, f"`{cited}`")] == ["E15"]


@pytest.mark.parametrize("line", [1, 2, 3])
def test_the_lines_of_a_pointer_of_git_lfs_are_not_those_of_the_file(
    project: Project, line: int
) -> None:
    project.write("src/big.txt", LFS)
    (told,) = problems(project, f"`src/big.txt#L{line}`")
    assert "Git LFS did not fetch the file" in told


def test_a_path_that_is_not_there_is_not_printed(project: Project) -> None:
    (told,) = problems(project, "`src/hush-hush.py`")
    assert "hush" not in told


def test_the_guard_refuses_what_is_missing_and_asks_git_nothing(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git._State, "asks", False)
    assert "is not there" in problems(project, "`src/nowhere.py`")[0]
    assert problems(project, "commit 0123456789") == []
    assert problems(project, "`src/app.py#L3`") == []


@given(st.binary(max_size=200), st.integers(1, 6), st.integers(0, 3))
def test_no_content_of_a_file_stops_the_look(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, first: int, more: int
) -> None:
    root = tmp_path_factory.mktemp("cited")
    (root / "file").write_bytes(data)
    files = CitedFiles(str(root))
    item = entry.read_evidence(f"`file#L{first}-L{first + more}` sha:12345678")
    assert item
    assert files.judge(item).state in (CHANGED, NOT_HERE)
    sha = files.fingerprint("file", first, first + more)
    if sha:
        assert files.judge(item._replace(sha=sha)).state == FRESH
