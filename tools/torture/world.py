"""One project with its history, and the promises that each run of Copier keeps."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import blocks
import copier_project
import eco_mem
from copier_project import DRAWERS, SKILL, STORE, commit, git

from torture.commands import Cut, Ended, command, repaired

SEEDED = tuple(f"{STORE}/{drawer}/INDEX.md" for drawer in DRAWERS)
MARKDOWN = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".claude/CLAUDE.md")
YAML = ".pre-commit-config.yaml"
WHOLE = (  # files outside of the skill that only we write
    ".github/hooks/eco-mem.json",
    ".github/workflows/eco-mem.yml",
    ".github/workflows/eco-mem-update.yml",
    ".gitlab/eco-mem.yml",
    ".opencode/plugin/eco-mem.js",
)
TOML = ".codex/config.toml"
ENTRY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.md")
CATALOGS = ("INDEX.md", "ARCHIVE.md")
# No drawer, no INDEX, an empty one, too many rows, a cue like the slug, too many desks.
BEYOND_FIX = ("L01", "L02", "L06", "C07", "C09", "E10")
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
    links: dict[str, str]  # links that are there before, with their targets
    autocrlf: str  # the setting of git, "" for none
    checks: tuple[str, ...]


class Answered(NamedTuple):
    """The version and the answers of a project."""

    version: str
    hosts: tuple[str, ...]
    guard: bool
    checks: tuple[str, ...]


class Broken(Exception):
    """The failure of a promise: which one, and how it broke."""


class World:
    """A project, the version and the answers it has, and what people have touched."""

    def __init__(self, template: Path, home: Path, setting: Setting) -> None:
        self.template, self.home, self.setting = template, home, setting
        self.repository = home / "repository"
        self.root = self.repository / setting.folder
        self.version, self.hosts = setting.version, setting.hosts
        self.guard, self.checks = setting.guard, setting.checks
        # Paths that a person has changed; links and what they lead to are theirs too.
        self.touched = {*setting.links, *setting.links.values()}
        self.written: set[str] = set()  # paths in the store that this step may change
        self.serial = 0
        self.log: list[str] = []
        self.runs = 0
        self.root.mkdir(parents=True)
        copier_project.write(self.root, dict(setting.files))
        for path, target in setting.links.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).symlink_to(target)
        if setting.ignored:
            copier_project.write(self.repository, {".gitignore": setting.ignored})
        commit(self.repository)
        if setting.autocrlf:
            git(self.repository, "config", "core.autocrlf", setting.autocrlf)

    def tree(self) -> dict[str, bytes]:
        """Return every file of the project."""
        return tree(self.root)

    def memory(self) -> dict[str, bytes]:
        """Return the entries and desks of the project."""
        return {
            path: content
            for path, content in tree(self.root / STORE, f"{STORE}/").items()
            if ENTRY.fullmatch(Path(path).name)
        }

    def lines_of_mine(self) -> list[tuple[str, bytes]]:
        """Return the lines in catalogs that a person wrote, each with its path."""
        return [
            (path, line.strip())
            for path, content in tree(self.root / STORE, f"{STORE}/").items()
            if Path(path).name in CATALOGS
            for line in content.split(b"\n")
            if b"of mine" in line
        ]

    def check_store(
        self, before: dict[str, bytes], lines: list[tuple[str, bytes]]
    ) -> None:
        """Raise Broken if a step changed memory that it had no business with."""
        after = self.memory()
        for path in {*before, *after} - self.written:
            if before.get(path) != after.get(path):
                raise Broken(f"{path}: an entry was changed that nobody wrote")
        kept = self.lines_of_mine()
        for path, line in lines:
            if (path, line) not in kept and path not in self.written:
                raise Broken(f"{path}: a line that a person wrote is lost")
        self.written = set()

    def settle_catalogs(self) -> None:
        """Raise Broken if `verify --fix` leaves a fault that it should have mended."""
        self.say("verify.py --fix")
        before = self.memory()
        done = repaired(self.root)
        if self.memory() != before:
            raise Broken("verify --fix changed an entry")
        left = [
            line
            for line in done.text.splitlines()
            if done.code == 2 or not self._is_excused(line)
        ]
        if left:
            raise Broken("verify --fix left a fault\n" + "\n".join(left))

    def _is_excused(self, error: str) -> bool:
        """Return true if a person edited this catalog, or `--fix` cannot mend it."""
        edited = any(path in error for path in self.touched)
        return edited or error.startswith(BEYOND_FIX)

    def command(
        self, name: str, *words: str, given: str = "", cut: Cut | None = None
    ) -> Ended:
        """Run a command of the library. Raises Broken where it shows a traceback."""
        self.say(f"{name}.py", *words, cut or "")
        done = command(self.root, name, *words, given=given, cut=cut)
        if "Traceback" in done.text:
            raise Broken(f"{name} failed: {done.text}")
        return done

    def say(self, *words: object) -> None:
        """Note what a step does, for the script of a failure."""
        self.log.append(" ".join(map(str, words)))

    def commit(self) -> None:
        """Commit everything in the repository."""
        commit(self.repository)

    def fresh(self) -> dict[str, bytes]:
        """Return a fresh copy for the present version and answers."""
        hosts = ",".join(self.hosts)
        checks = ",".join(self.checks)
        place = f"{self.version} {hosts} {self.guard} {checks} {self.setting.answers}"
        top = self.template.parent / "fresh" / f"{place} {self.setting.folder != ''}"
        root = top / self.setting.folder
        if not top.exists():
            top.mkdir(parents=True)
            git(top, "init", "-q")
            options = (*self._answers(), *self._data(), "--vcs-ref", self.version)
            copier_project.fine(
                copier_project.copy(self.template, root, "-q", *options)
            )
        return tree(root)

    def options(self) -> tuple[str, ...]:
        """Return the options of Copier for the present answers."""
        return (*self._answers(), *self._data())

    def answered(self) -> Answered:
        """Return the present version and answers."""
        return Answered(self.version, self.hosts, self.guard, self.checks)

    def answer(self, answered: Answered) -> None:
        """Set the version and the answers that the project has now."""
        self.version, self.hosts, self.guard, self.checks = answered

    def tell(self, text: str) -> None:
        """Note the first line of what a command printed."""
        self.log.append(f"  {text.strip().splitlines()[0] if text.strip() else ''}")

    @property
    def prefix(self) -> str:
        """The path of the project in its repository, with a slash if there is one."""
        return f"{self.setting.folder}/" if self.setting.folder else ""

    def _answers(self) -> tuple[str, ...]:
        usual = self.setting.answers == eco_mem.USUAL_ANSWERS
        return () if usual else ("-a", self.setting.answers)

    def _data(self) -> tuple[str, ...]:
        hosts, checks = ", ".join(self.hosts), ", ".join(self.checks)
        data = (f"hosts=[{hosts}]", f"guard={self.guard}", f"checks=[{checks}]".lower())
        return tuple(word for one in data for word in ("--data", one))

    def run(self, verb: str, options: tuple[str, ...] = ()) -> None:
        """Run `copy`, `update` or `recopy` for the present answers and judge it.

        Raises Broken.
        """
        self.commit()
        before = self.tree()
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
        after = self.tree()
        Judgement(self, before, after, done.text).check()
        self.commit()

    def settle(self) -> None:
        """Settle conflicts as a person would who takes the new version."""
        fresh = self.fresh()
        for path, content in self.tree().items():
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
            elif path == YAML:
                self._check_yaml(path, old, new)
            elif self._lies_behind_a_link(path):
                continue
            elif path in fresh or self._is_owned(path):
                self._check_owned(path, new, fresh)
            elif old != new:
                self._fail(path, "a file of theirs was changed")

    def _fail(self, path: str, why: str) -> None:
        raise Broken(f"{path}: {why}\n{self.printed}")

    def _is_owned(self, path: str) -> bool:
        copies = path.endswith("/skills/eco-mem/SKILL.md")
        cached = "__pycache__" in path
        return (path.startswith(f"{SKILL}/") or copies or path in WHOLE) and not cached

    def _check_owned(
        self, path: str, new: bytes | None, fresh: dict[str, bytes]
    ) -> None:
        if path == self.world.setting.answers or path in self.world.touched:
            return
        if path.endswith("/skills/eco-mem/SKILL.md") and path in fresh:
            if _lf(new) != _lf(self.after.get(eco_mem.PROTOCOL)):
                self._fail(path, "a copy of the skill differs from the skill")
        elif _lf(new) != _lf(fresh.get(path)):
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

    def _check_yaml(self, path: str, old: bytes | None, new: bytes | None) -> None:
        lost = [line for line in _lines(old) if b"mine" in line]
        if lost != [line for line in _lines(new) if b"mine" in line]:
            self._fail(path, "hooks of others were changed")
        asked = "pre-commit" in self.world.checks and not self.world.setting.folder
        there = b"eco-mem" in (new or b"")
        if there != asked and path not in self.world.touched:
            self._fail(path, "our hook is there, or not, unlike the answers")

    def _lies_behind_a_link(self, path: str) -> bool:
        links = self.world.setting.links
        return any(path.startswith(f"{link}/") for link in links)


def tree(root: Path, prefix: str = "") -> dict[str, bytes]:
    """Return every file below a folder but those of git, links as their target."""
    found: dict[str, bytes] = {}
    if not root.is_dir():
        return found
    with os.scandir(root) as items:
        for item in items:
            path = prefix + item.name
            if item.is_symlink():
                found[path] = b"-> " + os.fsencode(os.readlink(item.path))
            elif item.is_dir():
                if item.name not in (".git", "__pycache__"):
                    found |= tree(Path(item.path), f"{path}/")
            else:
                found[path] = Path(item.path).read_bytes()
    return found


def _lf(content: bytes | None) -> bytes | None:
    return content and content.replace(b"\r\n", b"\n")


def _lines(content: bytes | None) -> list[bytes]:
    return (content or b"").splitlines()


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
