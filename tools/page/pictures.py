"""Make the pictures of the docs anew: a walk in a terminal, and the page.

    pictures.py         both; the page needs Chromium and playwright

The walk runs the real commands in a project that is laid down for it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
ROOT = TOOLS.parent
TARGET = ROOT / "docs/pictures"
SCRIPTS = ".agents/skills/eco-mem/scripts"
WIDTH = 92
FACT = """\
# Health checks use port 8081

- cue: which port health checks must use
- source: {source}
- scope: deploy
- expires: never
{evidence}
Point health checks at 8081; 8080 answers before the service is ready.
"""
QUOTED = '- evidence: user 2026-11-30: "health checks go to 8081, always"\n'
STEPS = (
    ("a claim without evidence is refused", "remember.py semantic port port-1.md"),
    ("with the user's words it is written", "remember.py semantic port port-2.md"),
    ("the row is found by its words", "recall.py health check port"),
    ("everything is checked", "verify.py"),
    ("and forgotten by name", "forget.py port --discard"),
)


def main() -> int:
    """Make the pictures. Returns the exit code."""
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        walk(Path(folder))
    return page()


def walk(folder: Path) -> None:
    """Run the steps in a project, and draw what a terminal shows."""
    from rich.console import Console
    from rich.text import Text

    shutil.copytree(ROOT / "template/.agents", folder / ".agents")
    for path in (folder / ".agents").rglob("*.jinja"):
        path.rename(path.with_suffix(""))
    (folder / "port-1.md").write_text(
        FACT.format(source="user-confirmed", evidence=""), "utf-8"
    )
    (folder / "port-2.md").write_text(
        FACT.format(source="user-confirmed", evidence=QUOTED), "utf-8"
    )
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        console = Console(record=True, width=WIDTH, file=nothing)
        for comment, command in STEPS:
            console.print(Text(f"# {comment}", style="dim"))
            console.print(Text(f"$ python3 {SCRIPTS}/{command}", style="bold"))
            console.print(Text(printed(folder, command)))
        svg = console.export_svg(title="eco-mem")
    # The drawing must load nothing: it uses the reader's own fixed-width font.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!-- Generated .*?-->\s*", "", svg)
    (TARGET / "walk.svg").write_text(svg, "utf-8")


def printed(folder: Path, command: str) -> str:
    """Return what a command prints, refusals last as on a terminal."""
    name, *words = command.split()
    bare = [] if name.startswith("forget") else ["--bare"]
    done = subprocess.run(
        [sys.executable, str(folder / SCRIPTS / name), *words, *bare],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{done.stdout}{done.stderr}"


def page() -> int:
    """Take a screenshot of the page of this repository's own memory."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if not chromium:
        print("pictures: no Chromium here, so page.png stays as it is", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        project = Path(folder, "eco-mem")
        subprocess.run(["git", "clone", "-q", str(ROOT), str(project)], check=True)
        made = subprocess.run(
            [sys.executable, str(TOOLS / "page/page.py"), str(project)],
            capture_output=True,
            check=True,
        )
        html = Path(folder, "page.html")
        html.write_bytes(made.stdout)
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        opened = browser.new_page(viewport={"width": 820, "height": 900})
        opened.goto(html.as_uri())
        opened.screenshot(path=str(TARGET / "page.png"))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
