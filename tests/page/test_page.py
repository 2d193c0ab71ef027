"""The page: one file that shows what entries say and obeys none of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from page import page
from store_project import MEMORY, Project, in_days, lay_down

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)> ![x](http://127.0.0.1:1/p)"
)
Render = Callable[..., str]
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


class Tags(HTMLParser):
    """Collect the tags of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A published store with an entry in each durable drawer."""
    made = lay_down(tmp_path / "project")
    made.entry("semantic", "port")
    made.entry("episodic", "outage")
    made.entry("procedural", "release")
    made.commit()
    return made


@pytest.fixture
def html(capsys: pytest.CaptureFixture[str]) -> Render:
    """A function that returns the page of a project."""

    def render(project: Project, *words: str) -> str:
        capsys.readouterr()
        assert page.main([str(project.root), *words]) == 0
        return capsys.readouterr().out

    return render


def test_text_of_entries_makes_no_tag(project: Project, html: Render) -> None:
    before = {tag for tag, _ in Tags(html(project)).tags}
    hostile = {"cue": f"when {HOSTILE}", "scope": '"><b onclick=alert(1)>'}
    project.entry("semantic", "evil", hostile, title=HOSTILE, body=f"</pre>{HOSTILE}\n")
    text = html(project, "--base", "HEAD")
    tags = Tags(text).tags
    assert {tag for tag, _ in tags} <= before | {"li", "ul", "del", "ins", "q"}
    assert [tag for tag, _ in tags].count("script") == 1
    assert not [name for _, attrs in tags for name in attrs if name.startswith("on")]
    assert "&lt;script&gt;alert(1)" in text


def test_the_page_asks_for_nothing(project: Project, html: Render) -> None:
    project.entry("semantic", "evil", title=HOSTILE)
    for tag, attrs in Tags(html(project)).tags:
        assert "src" not in attrs and "style" not in attrs, tag
        assert (attrs.get("href") or "#").startswith("#")
        assert tag not in ("link", "iframe", "object", "form", "base")


def test_its_policy_allows_its_own_style_and_script_alone(
    project: Project, html: Render
) -> None:
    text = html(project)
    policy = next(a["content"] for t, a in Tags(text).tags if "http-equiv" in a)
    assert policy and policy.startswith("default-src 'none'")
    for tag in ("style", "script"):
        inner = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert inner and f"{tag}-src '{page.hash_of(inner[1])}'" in policy
    assert "unsafe" not in policy


def test_what_the_gate_refuses_is_withheld(project: Project, html: Render) -> None:
    project.entry("semantic", "leak", title=f"Token {TOKEN}", body=f"It is {TOKEN}.\n")
    text = html(project, "--base", "HEAD")
    assert TOKEN not in text
    assert "G01" in text and "leak" in text


def test_each_section_is_there_in_the_order_of_a_persons_questions(
    project: Project, html: Render
) -> None:
    text = html(project)
    ids = re.findall(r'<section id="(\w+)"', text)
    assert ids == ["changed", "due", "sure", "expires", "believed", "alike", "cost"]


def test_due_entries_are_those_of_forget(project: Project, html: Render) -> None:
    old = {"expires": in_days(-3), "cue": "whether the tariff is still valid"}
    project.entry("semantic", "old", old, title="The winter tariff")
    due = html(project).partition('id="due"')[2].partition("</section>")[0]
    assert "#e-old" in due and "#e-port" not in due


def test_archived_entries_have_a_title_and_no_text(
    project: Project, html: Render
) -> None:
    project.entry("semantic", "rare", body="A rarely needed sentence.\n")
    project.path(f"{MEMORY}/semantic/ARCHIVE.md").write_text(
        "# Archive\n\n## Catalog\n\n- [rare](rare.md): when rare is needed\n"
    )
    project.verify("--fix")
    text = html(project)
    assert "e-rare" in text and "A rarely needed sentence" not in text


def test_an_empty_store_and_one_with_errors_make_a_page(
    tmp_path: Path, html: Render
) -> None:
    made = lay_down(tmp_path / "empty")
    assert "The memory is empty." in html(made)
    made.write(f"{MEMORY}/semantic/broken.md", b"\xff\xfe\n".decode("latin-1"))
    made.write(f"{MEMORY}/semantic/no-header.md", "No title\n")
    assert "no-header" in html(made)


def test_a_missing_store_or_base_is_one_clear_line(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert page.main([str(tmp_path)]) == 2
    assert page.main([str(project.root), "--base", "nowhere"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and "nowhere" in said[1]


def test_headings_and_controls_have_names(project: Project, html: Render) -> None:
    tags = Tags(html(project)).tags
    labels = {attrs.get("for") for tag, attrs in tags if tag == "label"}
    for tag, attrs in tags:
        if tag == "input":
            assert attrs["id"] in labels
        if tag == "svg":
            assert attrs["role"] == "img" and attrs["aria-label"]
        if tag == "section":
            assert attrs["aria-labelledby"]
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1 and all(b - a <= 1 for a, b in pairwise(levels))
