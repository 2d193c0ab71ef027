"""One project with its history, and the promises that each run of Copier keeps."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import blocks
import copier_project
import eco_mem
from copier_project import DRAWERS, SKILL, STORE, commit, git, tree

SEEDED = tuple(f"{STORE}/{drawer}/INDEX.md" for drawer in DRAWERS)
MARKDOWN = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".claude/CLAUDE.md")
TOML = ".codex/config.toml"
OURS = re.compile(r"\.agents/(memory|skills/eco-mem)|^AGENTS\.md$|Read\(\.agents")


class Setting(NamedTuple):
    """The beginning of a project."""

    version: str
    hosts: tuple[str, ...]
    guard: bool
    folder: str  # of the project in its repository, "" for the root
    answers: str
    ignored: str  # the text of .gitignore
    files: dict[str, str]  # that are there before


class Broken(Exception):
    """The failure of a promise: which one, and how it broke."""


class World:
    """A project, the version and the answers it has, and what people have touched."""

    def __init__(self, template: Path, home: Path, setting: Setting) -> None:
        self.template, self.home, self.setting = template, home, setting
        self.repository = home / "repository"
        self.root = self.repository / setting.folder
        self.version, self.hosts = setting.version, setting.hosts
        self.guard = setting.guard
        self.touched: set[str] = set()  # paths that a person has changed
        self.serial = 0
        self.log: list[str] = []
        self.runs = 0
        self.root.mkdir(parents=True)
        copier_project.write(self.root, dict(setting.files))
        if setting.ignored:
            copier_project.write(self.repository, {".gitignore": setting.ignored})
        commit(self.repository)

    def say(self, *words: object) -> None:
        """Note what a step does, for the script of a failure."""
        self.log.append(" ".join(map(str, words)))

    def commit(self) -> None:
        """Commit everything in the repository."""
        commit(self.repository)

    def fresh(self) -> dict[str, bytes]:
        """Return a fresh copy for the present version and answers."""
        hosts = ",".join(self.hosts)
        place = f"{self.version} {hosts} {self.guard} {self.setting.answers}"
        root = self.template.parent / "fresh" / place
        if not root.exists():
            options = (*self._answers(), *self._data(), "--vcs-ref", self.version)
            copier_project.fine(
                copier_project.copy(self.template, root, "-q", *options)
            )
        return tree(root)

    def _answers(self) -> tuple[str, ...]:
        usual = self.setting.answers == eco_mem.USUAL_ANSWERS
        return () if usual else ("-a", self.setting.answers)

    def _data(self) -> tuple[str, ...]:
        hosts, guard = ", ".join(self.hosts), str(self.guard).lower()
        return ("--data", f"hosts=[{hosts}]", "--data", f"guard={guard}")

    def run(self, verb: str, options: tuple[str, ...] = ()) -> None:
        """Run `copy`, `update` or `recopy` for the present answers and judge it.

        Raises Broken.
        """
        before = tree(self.root)
        words = [verb, "--trust", "-q", "--vcs-ref", self.version, *self._answers()]
        words += ["--force"] if verb == "recopy" else ["--defaults"]
        words += [*self._data(), *options]
        if verb == "copy":
            words += [str(self.template), "."]
        self.say("copier", *words)
        done = copier_project.copier(*words, cwd=self.root)
        self.runs += 1
        if done.rc != 0 or "Traceback" in done.text:
            raise Broken(f"{verb} failed with {done.rc}: {done.text[-2000:]}")
        self.settle()
        after = tree(self.root)
        Judgement(self, before, after, done.text).check()
        self.commit()

    def settle(self) -> None:
        """Settle conflicts as a person would who takes the new version."""
        fresh = self.fresh()
        for path, content in tree(self.root).items():
            if b"<<<<<<< before updating" in content:
                if path not in self.touched or not path.startswith(SKILL):
                    raise Broken(f"{path} has a conflict")
                (self.root / path).write_bytes(fresh[path])
                self.touched.discard(path)
                self._take_copies(path)
        git(self.repository, "add", "-A")

    def _take_copies(self, path: str) -> None:
        """Copy the skill to the hosts, as `verify --fix` does."""
        if path != eco_mem.PROTOCOL:
            return
        for copy in copier_project.record(self.root)["copies"]:
            if "<<<<" in copier_project.text(self.root / copy):
                raise Broken(f"{copy} was written with a conflict")
            shutil.copyfile(self.root / path, self.root / copy)


class Judgement(NamedTuple):
    """The project before and after one run of the template."""

    world: World
    before: dict[str, bytes]
    after: dict[str, bytes]
    printed: str

    def check(self) -> None:
        """Raise Broken if the run broke a promise of section 2.1."""
        fresh = self.world.fresh()
        for path in {*self.before, *self.after, *fresh}:
            old, new = self.before.get(path), self.after.get(path)
            if path.endswith(".rej") or (new and b"<<<<<<< before updating" in new):
                self._fail(path, "an unfinished merge")
            if path in SEEDED:
                self._check_index(path, old, new, fresh)
            elif path in MARKDOWN:
                self._check_markdown(path, old, new, fresh)
            elif path.endswith(".json") and not path.startswith(SKILL):
                self._check_json(path, old, new, fresh)
            elif path == TOML:
                self._check_toml(path, old, new, fresh)
            elif path in fresh or self._is_owned(path):
                self._check_owned(path, new, fresh)
            elif old != new:
                self._fail(path, "a file of theirs was changed")

    def _fail(self, path: str, why: str) -> None:
        raise Broken(f"{path}: {why}\n{self.printed}")

    def _is_owned(self, path: str) -> bool:
        copies = path.endswith("/skills/eco-mem/SKILL.md")
        hooks = path in (".github/hooks/eco-mem.json", ".opencode/plugin/eco-mem.js")
        cached = "__pycache__" in path
        return (path.startswith(f"{SKILL}/") or copies or hooks) and not cached

    def _check_owned(
        self, path: str, new: bytes | None, fresh: dict[str, bytes]
    ) -> None:
        if path == self.world.setting.answers or path in self.world.touched:
            return
        if path.endswith("/skills/eco-mem/SKILL.md") and path in fresh:
            if new != self.after.get(eco_mem.PROTOCOL):
                self._fail(path, "a copy of the skill differs from the skill")
        elif new != fresh.get(path):
            self._fail(path, "an untouched file of ours is not as in a fresh copy")

    def _check_index(
        self, path: str, old: bytes | None, new: bytes | None, fresh: dict[str, bytes]
    ) -> None:
        if old is None or new is None:
            if new is None:
                self._fail(path, "there is no INDEX")
            return
        if path in self.world.touched:
            if old != new and _outside(old) != _outside(new):
                self._fail(path, "text outside of the contract was changed")
            lost = [line for line in old.split(b"\n") if b"of mine" in line]
            if [line for line in new.split(b"\n") if b"of mine" in line] != lost:
                self._fail(path, "lines of a person between the markers are lost")
            return
        if _outside(old) != _outside(new):
            self._fail(path, "text outside of the contract was changed")
        if _words(new) != _words(fresh[path]):
            self._fail(path, "the contract is not the one of a fresh copy")

    def _check_markdown(
        self, path: str, old: bytes | None, new: bytes | None, fresh: dict[str, bytes]
    ) -> None:
        mine, left = _outside(old or b""), _outside(new or b"")
        title = f"# {Path(path).name}".encode()
        if mine not in ([], [title]) and mine != left:
            self._fail(path, "text outside of our block was changed")
        if path in self.world.touched or path in self.world.setting.files:
            return
        if new is None or path not in fresh:
            if (new is None) != (path not in fresh):
                self._fail(path, "is there, or not, unlike in a fresh copy")
        elif _words(new) != _words(fresh[path]):
            self._fail(path, "our block is not the one of a fresh copy")

    def _check_json(
        self, path: str, old: bytes | None, new: bytes | None, fresh: dict[str, bytes]
    ) -> None:
        if _foreign(old) != _foreign(new):
            self._fail(path, "entries of others were changed")
        if path not in self.world.touched and _ours(new) != _ours(fresh.get(path)):
            self._fail(path, "our entries are not those of a fresh copy")

    def _check_toml(
        self, path: str, old: bytes | None, new: bytes | None, fresh: dict[str, bytes]
    ) -> None:
        if _outside(old or b"") != _outside(new or b""):
            self._fail(path, "text outside of our line was changed")
        if path not in self.world.touched and path in fresh and new is None:
            self._fail(path, "is gone")


BLOCK = re.compile(
    rb"(?ms)^(?:<!-- |# )eco-mem(?::contract)?:begin.*^(?:<!-- |# )eco-mem"
    rb"(?::contract)?:end(?: -->)?[ \t]*\r?$"
)


def _outside(content: bytes) -> list[bytes]:
    """Return the lines of a text without our block and without blank lines."""
    text = BLOCK.sub(b"", content.removeprefix(b"\xef\xbb\xbf"))
    return [line.rstrip(b"\r") for line in text.split(b"\n") if line.strip()]


def _words(content: bytes) -> list[str]:
    """Return the words of our block in a text."""
    found = BLOCK.search(content)
    inner = found[0].decode("utf-8", "replace") if found else ""
    return blocks.words(re.sub(r"begin [0-9a-f]{8}", "begin", inner))


def _foreign(content: bytes | None) -> str:
    """Return the values in a settings file that are not ours, without empty rests."""

    def strip(value: Any) -> Any:
        if isinstance(value, list):
            kept = [strip(one) for one in value if not OURS.search(json.dumps(one))]
            return [one for one in kept if one not in ({}, [])]
        if isinstance(value, dict):
            inner = {
                name: strip(one) for name, one in value.items() if name != "version"
            }
            return {name: one for name, one in inner.items() if one not in ({}, [])}
        return value

    return json.dumps(strip(_load(content)))


def _ours(content: bytes | None) -> list[str]:
    """Return our entries in a settings file: permissions, and hooks by their event."""
    data = _load(content)
    allow = data.get("permissions", {}).get("allow", [])
    found = [one for one in allow if OURS.search(str(one))]
    for event, entries in data.get("hooks", {}).items():
        found += [event for one in entries if OURS.search(json.dumps(one))]
    return sorted(found)


def _load(content: bytes | None) -> Any:
    return json.loads((content or b"{}").decode("utf-8-sig"))
