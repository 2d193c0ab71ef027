"""The page in a real browser: nothing runs, nothing loads, everybody can read it.

Needs Chromium; `CHROMIUM` names it, else it is looked for on the PATH.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from page import model, page
from playwright.sync_api import Browser, Dialog, Page, sync_playwright
from store_project import Project, in_days, lay_down

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)> ![x](http://127.0.0.1:1/p)"
)
LONG = "Donaudampfschifffahrtsgesellschaft" * 6
SCRIPTS = {
    "chinese": "\u8a18\u61b6\u9ad4\u7684\u6771\u897f" * 12,
    "arabic": "\u0630\u0627\u0643\u0631\u0629 " * 14,
}

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here")


class Visit(NamedTuple):
    """An open page, with what it asked for and what it printed."""

    page: Page
    requests: list[str]
    printed: list[str]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield made
        made.close()


def fill(project: Project, count: int) -> None:
    """Write some entries, the first ones hostile, long or in other scripts."""
    texts = [HOSTILE, LONG, *SCRIPTS.values()]
    for number in range(count):
        text = texts[number] if number < len(texts) else f"Fact {number}"
        fields = {
            "cue": f"when {number} matters, {text}"[:120],
            "source": ("verified", "derived")[number % 2],
            "expires": in_days(number * 7 - 40),
            "scope": text[:40],
        }
        body = f"{text}\n\nSee [[fact-{number - 1}]].\n"
        project.entry("semantic", f"fact-{number}", fields, title=text, body=body)


@pytest.fixture(scope="module", params=[0, 1, 130])
def html(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The page of a store with so many entries, all of them new."""
    project = lay_down(tmp_path_factory.mktemp("store") / "project")
    project.commit()
    fill(project, request.param)
    target = project.root.parent / "page.html"
    target.write_text(page.render(model.collect(project.root, "HEAD")), "utf-8")
    return target


def visit(
    browser: Browser, html: Path, scheme: str = "light", width: int = 1000
) -> Visit:
    opened = browser.new_page(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 800},
    )
    requests: list[str] = []
    printed: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        printed.append("dialog")
        dialog.dismiss()

    opened.on("request", lambda request: requests.append(request.url))
    opened.on("console", lambda message: printed.append(message.text))
    opened.on("pageerror", lambda error: printed.append(str(error)))
    opened.on("dialog", dismiss)
    opened.goto(html.as_uri())
    return Visit(opened, requests, printed)


def test_nothing_runs_and_nothing_is_asked_for(browser: Browser, html: Path) -> None:
    seen = visit(browser, html)
    seen.page.evaluate(
        "document.querySelectorAll('details').forEach(d => d.open = true)"
    )
    seen.page.wait_for_timeout(200)
    assert seen.requests == [html.as_uri()]
    assert seen.printed == []


def test_the_policy_refuses_what_would_get_in(browser: Browser, html: Path) -> None:
    seen = visit(browser, html)
    seen.page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.append(script);
          const image = document.createElement("img");
          image.src = "http://127.0.0.1:9/x.png";
          document.body.append(image);
          const box = document.createElement("div");
          box.innerHTML = "<img src=x onerror='window.ran = true'>";
          document.body.append(box);
        }"""
    )
    seen.page.wait_for_timeout(300)
    assert seen.page.evaluate("window.ran") is None
    assert any("Content Security Policy" in line for line in seen.printed)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, html: Path, scheme: str) -> None:
    seen = visit(browser, html, scheme)
    result = Axe().run(seen.page)
    assert result.violations_count == 0, result.generate_report()


def test_a_narrow_page_does_not_scroll_sideways(browser: Browser, html: Path) -> None:
    seen = visit(browser, html, width=400)
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not seen.page.evaluate(wide)


def test_the_filter_shows_only_what_fits(browser: Browser, html: Path) -> None:
    seen = visit(browser, html)
    total = seen.page.locator(".card").count()
    seen.page.get_by_label("Filter by words").fill("fact-0")
    shown = seen.page.locator(".card:visible").count()
    assert shown == min(total, 2) or total <= 1  # itself, and the one that links to it
    seen.page.get_by_label("Filter by words").fill("no such words")
    assert seen.page.locator(".card:visible").count() == 0
    assert seen.page.locator("#count").inner_text() == "0 entries"
