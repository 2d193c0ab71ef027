"""Projects with a store, for the tests of the laid-down scripts.

A project is made of the files that the template lays down, in a real folder, with a
real git repository where a test asks for one. `ECO_MEM_PYTHON` names the interpreter
that runs the laid-down scripts, in place of the one that runs the tests.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ecomem import catalog, verify

TEMPLATE = Path(__file__).resolve().parents[2] / "template"

MEMORY = ".agents/memory"
SKILL = ".agents/skills/eco-mem"
DURABLE = ("semantic", "episodic", "procedural")
DRAWERS = ("working", *DURABLE)
PYTHON = os.environ.get("ECO_MEM_PYTHON", sys.executable)
TODAY = date.today()

POINTER = "# Project\n\nMemory: `.agents/skills/eco-mem/SKILL.md`.\n"
CHOICES = {
    "hosts": ["claude", "codex"],
    "copies": [".claude/skills/eco-mem/SKILL.md"],
    "expects": {".codex/config.toml": ["../.agents/memory"]},
    "bridges": ["CLAUDE.md"],
}
FIELDS: Mapping[str, Mapping[str, str]] = {
    "working": {
        "goal": "sessions survive a restart",
        "constraints": "no downtime",
        "progress": "the writer is done",
        "next": "run the load test",
        "open": "who owns the old cluster",
    },
    "semantic": {
        "as_of": TODAY.isoformat(),
        "source": "verified",
        "scope": "this repository",
        "expires": "never",
        "evidence": "`AGENTS.md`",
    },
    "episodic": {"when": TODAY.isoformat(), "task": "add an index to a table"},
    "procedural": {},
}
BODIES: Mapping[str, str] = {
    "working": "Notes on the way.\n",
    "semantic": "Point the checks at the second port.\n",
    "episodic": (
        "Context: a large table.\n\n"
        "Action: ran the plain form.\n\n"
        "Result: writers waited.\n\n"
        "Lesson: build it concurrently.\n"
    ),
    "procedural": (
        "When: a release is due.\n\n"
        "Steps: tag, build, upload.\n\n"
        "Verify: the version answers.\n\n"
        "Graduate-to: a release skill.\n"
    ),
}


class Told(NamedTuple):
    """One finding as a program printed it."""

    path: str
    line: int
    code: str
    level: str
    message: str


class Run(NamedTuple):
    """A finished script: exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, object]:
        """The printed JSON."""
        answer = json.loads(self.out)
        assert isinstance(answer, dict)
        return answer

    @property
    def told(self) -> list[Told]:
        """The findings of a run, whether it printed text or JSON."""
        if self.out[:1] == "{":
            rows = self.data["findings"]
            assert isinstance(rows, list)
            return [Told(**row) for row in rows]
        return [told for line in self.out.splitlines() for told in _told(line)]

    def level(self, code: str, path: str = "") -> str:
        """The level of the first finding of a rule, about a path that ends so."""
        levels = [
            item.level
            for item in self.told
            if item.code == code and item.path.endswith(path)
        ]
        return levels[0] if levels else ""


def _told(line: str) -> list[Told]:
    match = re.fullmatch(r"(.*):(\d+): (error|warning|info) ([A-Z]\d\d) (.*)", line)
    if not match:
        return []
    path, number, level, code, message = match.groups()
    return [Told(path, int(number), code, level, message)]


def environment(**extra: str) -> dict[str, str]:
    """The environment for programs: an identity for git and no settings of a person.

    Without a folder of its own for bytecode, Python finds what lies beside the scripts.
    """
    git = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Tester",
        "GIT_AUTHOR_EMAIL": "tester@example.com",
        "GIT_COMMITTER_NAME": "Tester",
        "GIT_COMMITTER_EMAIL": "tester@example.com",
        "PYTHONPYCACHEPREFIX": "",
    }
    return {**os.environ, **git, **extra}


def cue_of(slug: str) -> str:
    """The cue an entry gets unless a test gives another."""
    return f"how to deal with {slug.replace('-', ' ')} here"


def row_of(slug: str, text: str = "") -> str:
    """The catalog row of an entry, in its one right spelling."""
    return f"- [{slug}]({slug}.md): {text or cue_of(slug)}"


@dataclass(frozen=True)
class Project:
    """A folder with a store. Paths given to the methods are relative to it."""

    root: Path

    def path(self, name: str) -> Path:
        """The absolute path of a file of the project."""
        return self.root / name

    def drawer(self, name: str) -> Path:
        """The folder of a drawer."""
        return self.root / MEMORY / name

    def index(self, drawer: str, name: str = "INDEX.md") -> Path:
        """The catalog of a drawer."""
        return self.drawer(drawer) / name

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the project as given, with its folders."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(data)
        return path

    def entry(
        self,
        drawer: str,
        slug: str,
        fields: Mapping[str, str | None] | None = None,
        *,
        title: str = "",
        body: str | None = None,
        evidence: Sequence[str] | None = None,
        listed: bool = True,
    ) -> Path:
        """Write an entry and its row. A field that is None is left out."""
        merged: dict[str, str | None] = {"cue": cue_of(slug), **FIELDS[drawer]}
        if drawer == "working":
            del merged["cue"]
        merged.update(fields or {})
        if evidence is not None:
            merged.pop("evidence", None)
        lines = [f"- {key}: {value}" for key, value in merged.items() if value]
        lines += [f"- {key}:" for key, value in merged.items() if value == ""]
        lines += [f"- evidence: {value}" for value in evidence or ()]
        heading = title or f"About {slug.replace('-', ' ')}"
        text = f"# {heading}\n\n" + "\n".join(lines)
        text += f"\n\n{BODIES[drawer] if body is None else body}"
        path = self.write(f"{MEMORY}/{drawer}/{slug}.md", text.rstrip("\n") + "\n")
        if listed and drawer in DURABLE and merged["cue"]:
            derived = " (derived)" if merged.get("source") == "derived" else ""
            self.list_row(drawer, row_of(slug, merged["cue"] + derived))
        return path

    def list_row(self, drawer: str, row: str, name: str = "INDEX.md") -> None:
        """Put a row where it belongs by its slug."""
        path = self.index(drawer, name)
        head, rows = self.split(drawer, name)
        rows = sorted([*rows, row], key=lambda text: text[3:].partition("]")[0])
        path.write_text(f"{head}\n\n" + "\n".join(rows) + "\n", "utf-8")

    def split(self, drawer: str, name: str = "INDEX.md") -> tuple[str, list[str]]:
        """A catalog up to its last heading, and the lines with text after it."""
        text = self.index(drawer, name).read_text("utf-8")
        heading = catalog.headings(drawer)[-1]
        head, found, tail = text.partition(heading)
        assert found
        return head + heading, [line for line in tail.splitlines() if line.strip()]

    def rows(self, drawer: str, text: str, name: str = "INDEX.md") -> Path:
        """Replace all that stands under the last heading of a catalog."""
        head, _ = self.split(drawer, name)
        return self.write(f"{MEMORY}/{drawer}/{name}", f"{head}\n\n{text}")

    def archive(self, drawer: str, text: str) -> Path:
        """Write an ARCHIVE.md with these rows."""
        heading = catalog.headings(drawer)[-1]
        return self.write(
            f"{MEMORY}/{drawer}/ARCHIVE.md", f"# Old\n\n{heading}\n\n{text}"
        )

    def force(self, text: str) -> Path:
        """Write the rows In force of the procedural drawer."""
        path = self.index("procedural")
        head, found, tail = path.read_text("utf-8").partition("## Not yet a skill")
        head = head.partition("## In force")[0]
        return self.write(
            f"{MEMORY}/procedural/INDEX.md",
            f"{head}## In force\n\n{text}\n{found}{tail}",
        )

    def choices(self, **changed: object) -> Path:
        """Write eco-mem.json, with some of its keys changed."""
        return self.write(
            f"{SKILL}/eco-mem.json", json.dumps({**CHOICES, **changed}, indent=2) + "\n"
        )

    def judged(self) -> list[Told]:
        """Return the findings of verify, in this process."""
        return self._main()

    def codes(self) -> set[str]:
        """The codes of all findings, in this process."""
        return {item.code for item in self.judged()}

    def fix(self) -> list[str]:
        """Repair the catalogs, in this process. Returns the paths that changed."""
        before = self.snapshot()
        self._main("--fix")
        after = self.snapshot()
        paths = sorted({*before, *after})
        return [path for path in paths if before.get(path) != after.get(path)]

    def run(self, *arguments: str) -> Run:
        """Run verify in this process, with text as its output."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = verify.main([*arguments, "--root", str(self.root)])
            except SystemExit as stop:
                code = int(stop.code or 0)
        return Run(code, out.getvalue(), err.getvalue())

    def _main(self, *arguments: str) -> list[Told]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            verify.main([*arguments, "--root", str(self.root), "--format", "json"])
        return Run(0, out.getvalue(), "").told

    def script(self, name: str = "verify.py") -> str:
        """The path of a laid-down script.

        Scripts are laid down when first asked for, with their bytecode, so that they
        run at once: most tests do without.
        """
        scripts = self.path(f"{SKILL}/scripts")
        if not scripts.exists():
            shutil.copytree(compiled_scripts(), scripts)
        return str(scripts / name)

    def verify(
        self,
        *arguments: str,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Run:
        """Run the laid-down verify.py as a program."""
        done = subprocess.run(
            [PYTHON, self.script(), *arguments],
            cwd=cwd or self.root,
            env=environment(**(env or {})),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Run(done.returncode, done.stdout.decode("ascii"), done.stderr.decode())

    def git(self, *arguments: str, check: bool = True) -> str:
        """Run git in the project. Returns what it printed."""
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            env=environment(),
            capture_output=True,
            check=False,
        )
        assert not check or done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def commit(self, message: str = "work") -> str:
        """Commit everything but the scripts, in a new repository if need be.

        Returns the hash.
        """
        self.script()
        if not self.path(".git").exists():
            self.git("init", "--quiet", "--initial-branch=main")
            self.write(".git/info/exclude", f"/{SKILL}/scripts/\n")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD").strip()

    def snapshot(self) -> dict[str, bytes]:
        """Every regular file of the store by path, with its content."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.path(MEMORY).rglob("*"))
            if path.is_file() and not path.is_symlink()
        }


@cache
def compiled_scripts() -> Path:
    """The scripts of the template, compiled once for all projects of this process."""
    folder = Path(tempfile.mkdtemp(prefix="eco-mem-scripts-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    scripts = folder / "scripts"
    caches = shutil.ignore_patterns("__pycache__", ".*_cache")
    shutil.copytree(TEMPLATE / SKILL / "scripts", scripts, ignore=caches)
    compiling = [PYTHON, "-m", "compileall", "-q", str(scripts)]
    subprocess.run(compiling, env=environment(), check=True)
    return scripts


def lay_down(folder: Path) -> Project:
    """Lay the template's files down, without Copier: an empty, clean store."""
    made = Project(folder)
    later = shutil.ignore_patterns("scripts")
    shutil.copytree(
        TEMPLATE / ".agents", folder / ".agents", ignore=later, dirs_exist_ok=True
    )
    for path in list((folder / ".agents").rglob("*.jinja")):
        path.rename(path.with_suffix(""))
    made.choices()
    made.write("AGENTS.md", POINTER)
    made.write("CLAUDE.md", "@AGENTS.md\n")
    made.write(".codex/config.toml", 'writable_roots = ["../.agents/memory"]\n')
    protocol = made.path(f"{SKILL}/SKILL.md").read_bytes()
    made.write(".claude/skills/eco-mem/SKILL.md", protocol)
    return made


def well_kept(folder: Path) -> Project:
    """A project whose store holds a good entry in each drawer."""
    made = lay_down(folder)
    made.entry("working", "move-sessions")
    made.entry("semantic", "health-port")
    made.entry("episodic", "locked-table")
    made.entry("procedural", "cut-release")
    return made


def rules_page() -> dict[str, list[str]]:
    """The page of the rules: code to level, what it means, what to do."""
    page = (TEMPLATE / SKILL / "references/rules.md").read_text("utf-8")
    tables = [line for line in page.splitlines() if line.lstrip().startswith("|")]
    cells = [[c.strip() for c in line.strip().strip("|").split("|")] for line in tables]
    rows = [row for row in cells if row[0] != "code" and set(row[0]) - set("-: ")]
    codes = [row[0].strip("`") for row in rows]
    assert len(codes) == len(set(codes)), "a code has two rows"
    return {code: row[1:] for code, row in zip(codes, rows, strict=True)}


def in_days(days: int) -> str:
    """A date, counted from today."""
    return (TODAY + timedelta(days=days)).isoformat()
