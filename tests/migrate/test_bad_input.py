"""Bad input gets a clear line and loses nothing."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from migrate import plan_file
from old_memory import OLD, decide_all, empty_store, plan_of, put, run, words_of
from store_project import MEMORY, Project

NOTE = (
    "---\nname: {0}\ndescription: when {0} matters\ntype: reference\n---\n\nFact {0}.\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty, committed store with its scripts."""
    return empty_store(tmp_path / "project")


def plan(project: Project, files: dict[str, str | bytes]) -> str:
    """Put notes beside a good one, and return the plan."""
    good: dict[str, str | bytes] = {"memory/good.md": NOTE.format("good")}
    put(project, {**good, **files})
    done = run(project, "--plan")
    assert done.code == 0, done.err
    return plan_of(project).read_text("utf-8")


def account(project: Project) -> dict[str, set[int]]:
    """The lines of each label that the plan has."""
    found: dict[str, set[int]] = {}
    for each in plan_file.read(project.root):
        for first, last in plan_file.parse_ranges(each.ranges):
            found.setdefault(each.label, set()).update(range(first, last + 1))
    return found


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"# Caf\xe9\n\nText.\n", "Line 1 is not UTF-8"),
        (b"# A\n\nText \x00 more.\n", "NUL byte"),
        (b"\xff\xfe#\x00 \x00A\x00\n\x00", "NUL byte"),
        (b"# A\n" + b"line of text\n" * 90_000, "larger than 1024 KiB"),
    ],
)
def test_a_file_that_is_no_note_is_one_open_decision_on_all_its_lines(
    project: Project, data: bytes, problem: str
) -> None:
    text = plan(project, {"memory/bad.md": data})
    rows = text.partition("## claude-memory:bad.md")[2].split("\n## ")[0]
    assert problem in rows
    assert rows.count("- decide ") == 1
    lines = account(project)["claude-memory:bad.md"]
    wanted = {at for at, row in enumerate(data.split(b"\n"), 1) if row.strip(b" \r\n")}
    assert wanted <= lines
    decide_all(project)
    assert run(project, "--apply").code == 0
    assert project.path("memory/bad.md").read_bytes() == data


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ("name: a\nextra: b: c: d\n", "- extra: b: c: d\n"),
        ("name: a\nextra: see #tag here\n", "- extra: see #tag here\n"),
        ('name: a\nextra: "quoted" # and more\n', '- extra: "quoted" # and more\n'),
        ("name: a\nextra: [1, 2\n", "- extra: [1, 2\n"),
        (f"name: a\nextra: {'[' * 3000}\n", f"- extra: {'[' * 3000}\n"),
    ],
)
def test_no_word_of_a_header_is_lost(project: Project, header: str, kept: str) -> None:
    note = f"---\n{header}description: when a matters\ntype: reference\n---\n\nFact.\n"
    plan(project, {"memory/a.md": note})
    assert kept in project.path(".eco-mem-import/drafts/semantic/a.md").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(
    "header",
    [
        "name: a\nname: b\n",  # twice
        "no key at all\nname: a\n",
        "name: a\ntype: reference\nno end\n\n\n",
        "name: a\nextra:\n  inner: one\n    goes on\n",
        "name: a\nextra:\n  # a comment\n  inner: one\n",
        "name: a\nключ: x\n",
    ],
)
def test_a_header_that_is_not_understood_is_open(project: Project, header: str) -> None:
    end = "" if "no end" in header else "description: when a matters\n---\n"
    note = f"---\n{header}{end}\nFact.\n"
    plan(project, {"memory/a.md": note})
    mine = [word for label, word, _ in words_of(project) if label.endswith(":a.md")]
    assert "decide" in mine
    every = {at for at, row in enumerate(note.split("\n"), 1) if row.strip()}
    assert every <= account(project)["claude-memory:a.md"]


def test_links_and_loops_of_links_are_named_and_not_followed(
    project: Project, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(NOTE.format("outside"), "utf-8")
    project.write("memory/good.md", NOTE.format("good"))
    os.symlink("loop-b.md", project.path("memory/loop-a.md"))
    os.symlink("loop-a.md", project.path("memory/loop-b.md"))
    os.symlink("..", project.path("memory/up"))
    os.symlink(outside, project.path("memory/out.md"))
    os.symlink(tmp_path, project.path(".serena"))
    done = run(project)
    assert done.code == 0
    for name in ("loop-a.md", "loop-b.md", "out.md", "up"):
        assert f"  {name}: a link, not followed" in done.out
    assert "outside" not in done.out
    assert "claude-memory: 1 file," in done.out


def test_a_place_that_is_a_link_is_not_read(project: Project, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "a.md").write_text(NOTE.format("a"), "utf-8")
    os.symlink(other, project.path("memory"))
    done = run(project)
    assert "One of the usual places is a link, which is not followed." in done.out
    assert "claude-memory" not in done.out


def test_a_pipe_in_a_memory_is_passed_over(project: Project) -> None:
    project.write("memory/good.md", NOTE.format("good"))
    os.mkfifo(project.path("memory/pipe.md"))
    assert "claude-memory: 1 file," in run(project).out


def test_an_unclosed_fence_hides_no_line(project: Project) -> None:
    body = "First.\n\n```\ncode\n\n" + "more\n\n" * 40
    note = NOTE.format("a").replace("Fact a.\n", body)
    plan(project, {"memory/a.md": note})
    every = {at for at, row in enumerate(note.split("\n"), 1) if row.strip()}
    assert every <= account(project)["claude-memory:a.md"]
    assert ("claude-memory:a.md", "lead", "semantic/a") in words_of(project)


def test_two_spellings_of_one_name_are_two_files(project: Project) -> None:
    one = unicodedata.normalize("NFC", "caf\u00e9")
    two = unicodedata.normalize("NFD", "caf\u00e9")
    texts = {
        f"memory/{one}.md": NOTE.format("one"),
        f"memory/{two}.md": NOTE.format("two"),
    }
    plan(project, {**texts})
    labels = {label for label, _, _ in words_of(project)} - {"claude-memory:good.md"}
    assert f"claude-memory:{one}.md" in labels
    assert len({unicodedata.normalize("NFC", label) for label in labels}) == 2
    assert run(project, "--apply").code == 0
    for name in ("one", "two"):
        assert (
            f"Fact {name}." in project.path(f"{MEMORY}/semantic/{name}.md").read_text()
        )


def test_a_hundred_and_twenty_six_notes_of_one_name_in_two_spellings_collide_openly(
    project: Project,
) -> None:
    texts: dict[str, str | bytes] = {}
    for n in range(63):
        for at, name in enumerate(("Use Port", "use-port")):
            cue = f"description: when case {n} {at} matters"
            note = NOTE.format(name).replace(f"description: when {name} matters", cue)
            texts[f"memory/{n}-{at}.md"] = note
    text = plan(project, texts)
    words = [
        word for _, word, target in words_of(project) if target.endswith("/use-port")
    ]
    assert words.count("import") == 1
    assert words.count("decide") == 125
    assert text.count("slug? another entry has it") == 125


def test_a_korean_file_name_is_kept_in_labels_and_asks_for_a_slug(
    project: Project,
) -> None:
    note = NOTE.format("x").replace("name: x\n", "")
    plan(project, {"memory/한국어.md": note})
    mine = [row for row in words_of(project) if row[0] == "claude-memory:한국어.md"]
    assert [word for _, word, _ in mine if word != "drop"] == ["decide"]
    assert any(target.startswith("semantic/note-") for _, _, target in mine)


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\x1b[31m", "a#L1", "a `b` c", " a"])
def test_a_file_name_that_cannot_be_printed_is_called_by_a_hash(
    project: Project, name: str
) -> None:
    plan(project, {f"memory/{name}.md": NOTE.format("x")})
    labels = {label for label, _, _ in words_of(project)} - {"claude-memory:good.md"}
    assert len(labels) == 1
    assert labels.pop().startswith("claude-memory:file-")
    assert run(project, "--apply").code == 0


def test_a_file_name_that_is_no_utf8_is_called_by_a_hash(project: Project) -> None:
    project.write("memory/good.md", NOTE.format("good"))
    raw = os.fsencode(project.path("memory")) + b"/caf\xe9.md"
    with open(raw, "wb") as stream:
        stream.write(NOTE.format("x").encode())
    os.utime(raw, (OLD, OLD))
    os.utime(project.path("memory/good.md"), (OLD, OLD))
    assert run(project, "--plan").code == 0
    assert any(":file-" in label for label, _, _ in words_of(project))


@pytest.mark.parametrize("day", ["2026-13-45", "2999-01-01", "soon"])
def test_a_date_that_is_not_real_or_not_yet_is_passed_over(
    project: Project, day: str
) -> None:
    note = NOTE.format("a").replace("type:", f"modified: {day}\ntype:")
    plan(project, {"memory/a.md": note})
    assert run(project, "--apply").code == 0
    assert day not in project.path(f"{MEMORY}/semantic/a.md").read_text("utf-8")


def test_a_file_of_today_that_git_does_not_know_asks_for_its_date(
    project: Project,
) -> None:
    project.write(".gitignore", "memory/\n")
    project.write("memory/a.md", NOTE.format("a"))
    run(project, "--plan")
    assert "date? the file was changed today" in plan_of(project).read_text("utf-8")


def test_a_receipt_with_a_conflict_is_refused(project: Project) -> None:
    put(project, {"memory/a.md": NOTE.format("a")})
    project.write(".agents/eco-mem-import.tsv", "<<<<<<< HEAD\n")
    done = run(project, "--plan")
    assert done.code == 2
    assert ".agents/eco-mem-import.tsv:1:" in done.err


def test_two_folders_of_one_kind_have_labels_of_their_own(project: Project) -> None:
    put(
        project,
        {
            ".serena/memories/a.md": "# How the cache works\n\nOne.\n",
            "sub/.serena/memories/a.md": "# How the queue works\n\nTwo.\n",
        },
    )
    assert run(project, "--from", "sub/.serena/memories", "--plan").code == 0
    labels = {label for label, _, _ in words_of(project)}
    assert len(labels) == 2
    assert "serena:a.md" in labels
