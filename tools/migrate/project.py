"""The project that memories are taken into: its store, its judge, its writer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

SCRIPTS = ".agents/skills/eco-mem/scripts"
JUDGE = Path(__file__).with_name("judge_drafts.py")


class Draft(NamedTuple):
    """An entry that is to be written."""

    drawer: str
    slug: str
    text: str

    @property
    def target(self) -> str:
        """The draft as the plan names it."""
        return f"{self.drawer}/{self.slug}"


class Refused(Exception):
    """The refusal of a project that cannot take entries, with reason and next step."""


def check(project: Path) -> None:
    """Refuse a project without eco-mem, or with one that this tool cannot use."""
    if not (project / SCRIPTS / "remember.py").is_file():
        raise Refused("eco-mem is not in this project; run `copier copy --trust` first")
    if not (project / SCRIPTS / "ecomem/new_entry.py").is_file():
        raise Refused(
            "the eco-mem of this project is older; run `copier update --trust` first"
        )


def changes(project: Path) -> list[str]:
    """Return what git sees as changed below .agents; nothing outside of git."""
    command = [
        "git",
        "-C",
        str(project),
        "status",
        "--porcelain",
        "--untracked-files=all",
        "--",
        ".agents",
    ]
    done = subprocess.run(
        command, capture_output=True, check=False, text=True, errors="replace"
    )
    return [line[3:] for line in done.stdout.splitlines()]


def judge(project: Path, drafts: Iterable[Draft], in_place: bool = False) -> list[str]:
    """Return what the project's own rules refuse in some drafts, one line each.

    One process judges all of them, each as if those before it were written. in_place:
    the drafts are new contents of entries that are there.
    """
    given = json.dumps([tuple(draft) for draft in drafts])
    command = [sys.executable, str(JUDGE), str(project / SCRIPTS), str(project)]
    command += ["in-place"] if in_place else []
    done = subprocess.run(
        command, input=given, capture_output=True, check=False, text=True
    )
    if done.returncode:
        raise Refused(f"the drafts could not be judged: {last_line(done.stderr)}")
    return [str(line) for line in json.loads(done.stdout)]


def remember(project: Path, draft: Draft, archive: bool) -> str:
    """Write one entry through the project's remember.py. Returns why not, else ""."""
    command = [
        sys.executable,
        str(project / SCRIPTS / "remember.py"),
        draft.drawer,
        draft.slug,
        "-",
    ]
    if archive:
        command.append("--archive")
    done = subprocess.run(
        command,
        input=draft.text.encode(),
        capture_output=True,
        check=False,
        cwd=project,
    )
    if done.returncode:
        return last_line((done.stdout + done.stderr).decode("utf-8", "replace"))
    return ""


def last_line(text: str) -> str:
    """Return the last line of some output that is not blank."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no reason was printed"


def run_script(project: Path, name: str, *words: str) -> None:
    """Run one of the project's own scripts; its errors are those of this command."""
    command = [sys.executable, str(project / SCRIPTS / name), *words]
    done = subprocess.run(
        command, capture_output=True, check=False, text=True, cwd=project
    )
    if done.returncode == 2:
        raise Refused(f"{name} could not run: {last_line(done.stdout + done.stderr)}")
