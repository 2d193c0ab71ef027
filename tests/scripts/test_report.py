"""The report: what changed, who says so, what is due; nothing that a page obeys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ecomem.report import MAX_BYTES, MAX_ROWS, code, estimate_tokens
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from run_commands import command
from store_project import MEMORY, Project, Run, in_days, lay_down

HOSTILE = (
    "<script>alert(1)</script> | ![x](http://127.0.0.1:1/p.png) @everyone `a` www.x.org"
)
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
GFM = MarkdownIt("gfm-like")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A published store with two facts."""
    made = lay_down(tmp_path / "project")
    made.entry("semantic", "port")
    made.entry("semantic", "queue", {"source": "derived"})
    assert made.verify("--fix").code == 0
    made.commit()
    return made


def report(project: Project, *options: str) -> Run:
    return command(project, "report", "--base", "HEAD", *options)


def markdown(project: Project) -> str:
    done = report(project, "--format", "markdown")
    assert done.code == 0, done.err
    return done.out


def active(text: str) -> list[str]:
    """Return the effects of a text in a renderer, less display and our own folds."""
    found = []
    for token in GFM.parse(text):
        for each in [token, *(token.children or [])]:
            if each.type in ("link_open", "image", "html_inline"):
                found.append(each.content or str(each.attrs))
            if each.type == "html_block":
                rest = re.sub(r"</?(details|summary)>", "", each.content)
                found += re.findall(r"<[^>]*>|@\w+", rest)
            if each.type == "text":
                found += re.findall(r"@\w+|https?://\S+", each.content)
    return found


def test_each_kind_of_change_is_named(project: Project) -> None:
    project.entry("semantic", "fresh")
    evidence = 'user 2026-11-30: "it is rabbit, yes"'
    raised = {"source": "user-confirmed"}
    project.entry("semantic", "queue", raised, evidence=[evidence])
    project.path(f"{MEMORY}/semantic/port.md").unlink()
    project.verify("--fix")
    text = report(project).out
    assert re.search(r"\+ added +semantic/fresh", text)
    assert re.search(r"\^ raised +semantic/queue", text)
    assert re.search(r"- retired +semantic/port", text)
    assert f"says who: {evidence}" in text
    assert "source: derived -> user-confirmed" in text


def test_a_claim_that_falls_is_lowered_and_a_new_date_is_revised(
    project: Project,
) -> None:
    project.entry("semantic", "port", {"source": "derived"}, evidence=[])
    later = {"source": "derived", "expires": "2027-01-02"}
    project.entry("semantic", "queue", later)
    text = report(project).out
    assert re.search(r"v lowered +semantic/port", text)
    assert re.search(r"~ revised +semantic/queue", text)
    assert "expires: never -> 2027-01-02" in text


def test_a_new_name_is_a_rename(project: Project) -> None:
    project.git("mv", f"{MEMORY}/semantic/port.md", f"{MEMORY}/semantic/probe-port.md")
    assert re.search(r"> renamed +semantic/probe-port", report(project).out)


def test_who_and_when_come_from_git(project: Project) -> None:
    base = project.git("rev-parse", "HEAD").strip()
    project.entry("semantic", "fresh")
    project.git("add", "--all")
    project.git("commit", "-qm", "memory", "--author=Ada Moss <ada@example.org>")
    text = command(project, "report", "--base", base).out
    assert re.search(r"added +semantic/fresh +Ada Moss 20\d\d-\d\d-\d\d", text)


def test_what_is_due_among_the_changes_comes_before_the_rest(project: Project) -> None:
    project.entry("semantic", "old", {"expires": in_days(-3)})
    text = report(project).out
    assert "Due among these:" in text
    assert "old.md" in text.partition("Due among these:")[2]


def test_no_word_of_an_entry_acts_in_markdown(project: Project) -> None:
    hostile = {"cue": f"when {HOSTILE[:60]} comes", "scope": '"><b>'}
    project.entry("semantic", "evil", hostile, title=HOSTILE)
    project.write(
        f"{MEMORY}/semantic/fence.md",
        project.path(f"{MEMORY}/semantic/evil.md")
        .read_text("utf-8")
        .replace("when", "if")
        + "\n````\n```diff\n</details><img src=x onerror=alert(1)>\n````\n",
    )
    text = markdown(project)
    assert "semantic/evil" in text and "semantic/fence" in text
    assert active(text) == []


def test_what_the_gate_refuses_is_withheld_also_where_it_was_removed(
    project: Project,
) -> None:
    project.entry("semantic", "leak", body=f"The token is {TOKEN}.\n")
    project.commit()
    project.path(f"{MEMORY}/semantic/leak.md").unlink()
    project.entry("semantic", "other", body=f"Use {TOKEN} too.\n")
    for form in ("text", "markdown"):
        done = report(project, "--format", form)
        assert "leak" in done.out and "G01" in done.out
        assert TOKEN not in done.out + done.err


def test_markdown_stays_under_its_limit_and_says_when_it_is_cut(
    project: Project,
) -> None:
    for number in range(MAX_ROWS + 30):
        project.entry(
            "semantic", f"fact-{number}", body="A long sentence of text. " * 60 + "\n"
        )
    text = markdown(project)
    assert len(text.encode()) <= MAX_BYTES
    assert f"The table shows {MAX_ROWS} of {MAX_ROWS + 30} changes." in text
    assert "not shown in full" in text


def test_a_base_that_is_not_there_and_extra_words_are_clear_errors(
    project: Project,
) -> None:
    done = command(project, "report", "--base", "nowhere")
    assert done.code == 2 and "nowhere" in done.err and "Traceback" not in done.err
    assert command(project, "report", "words").code == 2


def test_without_git_or_a_commit_it_says_that_nothing_is_compared(
    tmp_path: Path,
) -> None:
    made = lay_down(tmp_path / "plain")
    made.entry("semantic", "port")
    for form in ("text", "markdown"):
        done = command(made, "report", "--format", form)
        assert done.code == 0
        assert "Nothing is compared" in done.out


def test_an_empty_store_costs_its_maps(tmp_path: Path) -> None:
    made = lay_down(tmp_path / "empty")
    made.commit()
    text = command(made, "report").out
    assert "0 entries, 0 due, 0 errors" in text
    assert re.search(r"semantic +0 rows: map \d+, all its entries 0", text)


@given(st.text(max_size=60))
def test_a_code_span_contains_any_text_whole(text: str) -> None:
    tokens_ = GFM.parseInline(f"a {code(text)} b")[0].children or []
    assert [each.type for each in tokens_] == ["text", "code_inline", "text"]


def test_tokens_of_other_scripts_count_more() -> None:
    assert estimate_tokens("abcd" * 10) == 10
    assert estimate_tokens("\u8a18\u61b6") == 2
