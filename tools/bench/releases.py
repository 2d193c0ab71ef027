"""Measure how verify finds stale entries: facts about one release of a package,
judged at the next release.

    nox -s bench -- releases

Only the text of the two releases decides what is true: a cited line holds if the next
release still has it in that file; a named path holds if it has that file.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from run_commands import command
from store_project import Project, lay_down

RELEASES = (
    ("requests", "2.28.2", "2.31.0"),
    ("click", "8.1.8", "8.2.1"),
    ("werkzeug", "2.3.8", "3.0.6"),
    ("jinja2", "3.0.3", "3.1.4"),
)
CITED, NAMED = 150, 60


def release(name: str, version: str, folder: Path) -> dict[str, str]:
    """Fetch a release from the package registry; return its modules by path."""
    fetch = ["pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    words = [sys.executable, "-m", *fetch, "-d", str(folder), f"{name}=={version}"]
    subprocess.run(words, check=True)
    wheel = next(folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        names = [path for path in archive.namelist() if path.endswith(".py")]
        return {f"src/{path}": archive.read(path).decode("utf-8") for path in names}


def replace(project: Project, files: dict[str, str]) -> None:
    """Make the project's sources those of a release, and commit."""
    for path in project.root.glob("src/**/*.py"):
        path.unlink()
    for name, text in files.items():
        project.write(name, text)
    project.commit("a release")


def entry(slug: str, evidence: str, body: str) -> str:
    """Return the text of a fact."""
    return (
        f"# Fact {slug}\n\n- cue: when somebody asks about {slug}\n- source: verified\n"
        f"- scope: src\n- expires: never\n- evidence: {evidence}\n\n{body}\n"
    )


def measure(name: str, old: dict[str, str], new: dict[str, str], folder: Path) -> str:
    """Judge facts about the old release at the new one; return a line of a table."""
    rng = random.Random(name)
    project = lay_down(folder)
    replace(project, old)
    lines = [
        (path, at, line.strip())
        for path, text in sorted(old.items())
        for at, line in enumerate(text.split("\n"), 1)
        if len(line.strip()) > 20
    ]
    still: dict[str, bool] = {}
    drawer = project.drawer("semantic")
    for number, (path, at, line) in enumerate(rng.sample(lines, CITED)):
        slug = f"cited-{number}"
        text = entry(slug, f"`{path}#L{at}`", "It is so.")
        (drawer / f"{slug}.md").write_text(text)
        still[slug] = line in {each.strip() for each in new.get(path, "").split("\n")}
    for number in range(NAMED):
        path = rng.choice(sorted(old))
        slug = f"named-{number}"
        text = entry(slug, "https://example.org/", f"Look at `{path}` first.")
        (drawer / f"{slug}.md").write_text(text)
        still[slug] = path in new
    for slug in still:
        if slug.startswith("cited"):
            command(project, "remember", "semantic", slug, "--confirm")
    project.commit("facts")
    replace(project, new)
    told = project.verify("--format", "json").told
    named = {
        item.path.rpartition("/")[2][:-3]
        for item in told
        if item.code in ("R03", "R05", "R06")
    }
    gone = [slug for slug, holds in still.items() if not holds]
    kept = [slug for slug, holds in still.items() if holds]
    hits = sum(slug in named for slug in gone)
    alarms = sum(slug in named for slug in kept)
    return (
        f"{name:<12} {len(gone):>6} {hits:>6} {len(kept):>6} {alarms:>6}"
        f" {100 * alarms / len(kept):>9.1f}%"
    )


def main() -> None:
    """Print the table."""
    print("package        gone  named  holds  named  false alarms")
    for name, before, after in RELEASES:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            (place / "a").mkdir()
            (place / "b").mkdir()
            old = release(name, before, place / "a")
            new = release(name, after, place / "b")
            print(measure(name, old, new, place / "project"))


if __name__ == "__main__":
    main()
