"""What copier.yml and the templates ask about hosts, and when they must not go on.

Copier loads the old and the new version of this file in one process during an
update, so it imports nothing of ours: a helper found through `sys.path` would stay
the old one, silently. Facts about hosts come from hosts.toml beside it.
"""

from __future__ import annotations

import contextvars
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from jinja2 import Environment
from jinja2.exceptions import UndefinedError
from jinja2.ext import Extension

HERE = Path(__file__).parent
SKILL = ".agents/skills/eco-mem"
SIGNATURE = "# eco-mem"  # how the answers file of this template begins
HOOK = f"{SKILL}/scripts/hook.py"
USUAL_ANSWERS = ".copier-answers.yml"
OWN_ANSWERS = ".copier-answers.eco-mem.yml"
WIDTH = 80  # prettier's default

Hosts = Mapping[str, Mapping[str, Any]]
Conf = Mapping[str, Any]


class EcoMem(Extension):
    """Gives templates the name `eco_mem`."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        hosts = tomllib.loads((HERE / "hosts.toml").read_text("utf-8"))
        environment.globals["eco_mem"] = Facts(hosts)


class Facts(NamedTuple):
    """Answers for copier.yml. `conf` is `_copier_conf`, `answers` `_copier_answers`."""

    hosts: Hosts

    def choices(self) -> str:
        """Return the choices of the question, as JSON: label to id."""
        return json.dumps({host["name"]: key for key, host in self.hosts.items()})

    def found(self, conf: Conf) -> str:
        """Return the ids of hosts with a trace in the destination, else the default."""
        root = Path(conf["dst_path"])
        traced = [
            key
            for key, host in self.hosts.items()
            if any(os.path.lexists(root / trace) for trace in host["traces"])
        ]
        usual = [key for key, host in self.hosts.items() if host.get("default")]
        return json.dumps(traced or usual)

    def admit(self, conf: Conf, answers: Mapping[str, Any]) -> bool:
        """Return True, or refuse a destination that is not ours to write.

        Scratch renders of an update have nothing in their destination and pass.
        """
        self._check_data(conf)
        run = Run(conf, answers)
        if run.owner == "other":
            run.refuse(
                f"{run.answers_file} belongs to another template",
                "Give eco-mem one of its own, with the same -a in every later update",
                "-a",
                OWN_ANSWERS,
            )
        for path in laid_down():
            run.check_way_to(path)
        if run.owner == "nobody" and not conf["overwrite"]:
            run.check_free(laid_down())
        return True

    def copies(
        self, conf: Conf, answers: Mapping[str, Any], hosts: Sequence[str], guard: bool
    ) -> str:
        """Return the folders that need a copy of the skill, as JSON, or refuse one.

        One that holds a file already is refused, unless we laid it down before or the
        user said `--overwrite`, which an update always has in `conf`. So is a hook
        file of ours.
        """
        run = Run(conf, answers)
        folders = skill_folders(self.hosts, hosts)
        skill = HERE.parent / "template" / SKILL / "SKILL.md"
        files = {f"{folder}/SKILL.md": skill for folder in folders}
        files |= owned_hooks(self.hosts, hosts if guard else [])
        for path in files:
            run.check_way_to(path)
        if updating() or not conf["overwrite"]:
            foreign = {path: files[path] for path in files if not run.wrote(path)}
            run.check_free(foreign, hosts)
        return json.dumps(folders)

    def chosen(self, hosts: Sequence[str], guard: bool = False) -> str:
        """Return eco-mem.json: what the scripts must know about the chosen hosts.

        `expects` lists files that must hold given strings, `bridges` files that, if
        they exist, must mention AGENTS.md.
        """
        picked = [host for key, host in self.hosts.items() if key in hosts]
        expects: dict[str, list[str]] = {}
        bridges: list[str] = []
        for host in picked:
            if settings := host.get("settings"):
                expects[settings["file"]] = [*settings["entries"]]
            if guard and (hooks := host.get("hooks")):
                entries = [hook_command()] * len(hooks["events"]) or [HOOK]
                expects.setdefault(hooks["file"], []).extend(entries)
            if "not_beside" in host:
                bridges.append(host["instructions"])
            elif "import" in host:
                expects[host["instructions"]] = ["AGENTS.md"]
        copies = [f"{folder}/SKILL.md" for folder in skill_folders(self.hosts, hosts)]
        record = {
            "hosts": list(hosts),
            "copies": copies,
            "expects": expects,
            "bridges": bridges,
        }
        return as_prettier(record)

    def _check_data(self, conf: Conf) -> None:
        """Refuse a `--data hosts=...` that Copier would answer with a traceback."""
        given = conf["data"].get("hosts")
        if isinstance(given, str):
            listed = re.fullmatch(r"\s*\[(.*)\]\s*", given, re.DOTALL)
            given = re.findall(r"[^\s,'\"]+", listed[1]) if listed else []
        if given is not None and (not given or {*map(str, given)} - {*self.hosts}):
            raise UndefinedError(
                f"hosts is a list in brackets, of at least one of: "
                f"{', '.join(self.hosts)}. Nothing was written. For example:\n"
                f'  --data "hosts=[claude, codex]"'
            )


class Run(NamedTuple):
    """One run of Copier against one destination."""

    conf: Conf
    answers: Mapping[str, Any]

    @property
    def root(self) -> Path:
        """The destination, relative to the current directory if so given."""
        return Path(self.conf["dst_path"])

    @property
    def answers_file(self) -> str:
        """The answers file, relative to the destination."""
        return str(self.conf["answers_file"])

    @property
    def owner(self) -> str:
        """Whose answers file is there: `nobody`, `ours` or `other`."""
        path = self.root / self.answers_file
        if not os.path.lexists(path):
            return "nobody"
        try:
            text = path.read_text("utf-8", errors="replace").removeprefix("\ufeff")
        except OSError:
            return "other"
        source = re.search(r"^_src_path: *(['\"]?)(.*?)\1 *$", text, re.MULTILINE)
        same = source is not None and source[2] == self.answers.get("_src_path")
        return "ours" if text.startswith(SIGNATURE) or same else "other"

    def wrote(self, copy: str) -> bool:
        """Return whether an earlier run laid down this copy, or this hook file."""
        try:
            record = json.loads((self.root / SKILL / "eco-mem.json").read_bytes())
            return copy in record["copies"] or copy in record["expects"]
        except (OSError, ValueError, KeyError, TypeError):
            # If only the record is gone, every copy there is taken for ours.
            return self.owner == "ours"

    def check_way_to(self, path: str) -> None:
        """Refuse a path that does not lie in plain folders of the destination."""
        root = self.root.resolve()
        for parent in reversed(Path(path).parents[:-1]):
            place = self.root / parent
            if not os.path.lexists(place):
                return
            if not (place.is_dir() and place.resolve().is_relative_to(root)):
                raise UndefinedError(
                    f"{parent.as_posix()} is not a folder inside the project, so "
                    f"{path} cannot be laid down. Nothing was written. Make it a plain "
                    f"folder, or leave out the host that needs it, and run this again."
                )

    def check_free(self, paths: Mapping[str, Path], hosts: Sequence[str] = ()) -> None:
        """Refuse if a path is there and is not what we put there; say how to go on."""
        taken = [
            path
            for path, source in paths.items()
            if os.path.lexists(self.root / path)
            and not is_same(self.root / path, source)
        ]
        if taken:
            more = f" (and {len(taken) - 1} more)" if len(taken) > 1 else ""
            self.refuse(
                f"{taken[0]}{more} is already there, and is not from this template",
                "Keep what you need of it, then replace it; INDEX files and entries "
                "stay as they are",
                "--overwrite",
                *(["--data", f"hosts=[{', '.join(hosts)}]"] if hosts else []),
            )

    def refuse(self, why: str, then: str, *options: str) -> NoReturn:
        """Stop Copier with one message and the command that goes on."""
        command = " ".join(quoted(word) for word in self._command(*options))
        # Copier prints this kind of error as it is, also with --quiet, and exits 1.
        raise UndefinedError(f"{why}. Nothing was written. {then}:\n  {command}")

    def _command(self, *options: str) -> Iterator[str]:
        """Yield the words of the command that this run was, with `options` added."""
        yield from ("copier", "copy", "--trust", *options)
        if self.answers_file != USUAL_ANSWERS and "-a" not in options:
            yield from ("-a", self.answers_file)
        if self.conf["defaults"]:
            yield "--defaults"
        if self.conf["vcs_ref"]:
            yield from ("--vcs-ref", str(self.conf["vcs_ref"]))
        if "--data" not in options:
            for name, value in self.conf["data"].items():
                yield from ("--data", f"{name}={value}")
        yield str(self.answers.get("_src_path", ""))
        yield str(self.root)


def updating() -> bool:
    """Return whether Copier is running an update.

    Copier names the operation to tasks and excludes only, but keeps it in a context
    variable all along. Were that renamed, a host added over somebody's file would no
    longer be refused, but end in a conflict that git shows.
    """
    known = contextvars.copy_context().items()
    return any(v.name == "_operation" and value == "update" for v, value in known)


def laid_down() -> dict[str, Path]:
    """Return the paths that every project gets and that we own, with their source."""
    template = HERE.parent / "template"
    sources = sorted(path for path in template.rglob("*") if path.is_file())
    paths = {path.relative_to(template).as_posix(): path for path in sources}
    return {
        name.removesuffix(".jinja"): path
        for name, path in paths.items()
        if "{" not in name and path.name != "INDEX.md"
    }


def is_same(path: Path, source: Path) -> bool:
    """Return whether a file is one of ours byte for byte."""
    try:
        return not path.is_symlink() and path.read_bytes() == source.read_bytes()
    except OSError:
        return False


def skill_folders(hosts: Hosts, chosen: Sequence[str]) -> list[str]:
    """Return where chosen hosts that do not read .agents/skills look for the skill."""
    return [
        f"{host['skills']}/{Path(SKILL).name}"
        for key, host in hosts.items()
        if key in chosen and "skills" in host
    ]


def owned_hooks(hosts: Hosts, chosen: Sequence[str]) -> dict[str, Path]:
    """Return the hook files of chosen hosts that only we write, with their source."""
    picked = [host.get("hooks", {}) for key, host in hosts.items() if key in chosen]
    files = [hooks["file"] for hooks in picked if hooks.get("form") == "owned"]
    return {file: source_of(file) for file in files}


def source_of(file: str) -> Path:
    """Return where the template has a hook file that only some projects get."""
    top, _, rest = file.partition("/")
    return next((HERE.parent / "template").glob(f"{{%*%}}{top}{{%*%}}/{rest}"))


def hook_command() -> str:
    """Return the command of every registration of the guard."""
    hooks = json.loads(source_of(".github/hooks/eco-mem.json").read_text("utf-8"))
    return str(hooks["hooks"]["preToolUse"][0]["bash"])


def quoted(word: str) -> str:
    """Return `word` as shells on every system take it for one word."""
    return word if re.fullmatch(r"[\w@%+=:,./~-]+", word) else f'"{word}"'


def as_prettier(value: Any, indent: str = "", used: int = 0) -> str:
    """Return `value` as JSON the way prettier leaves it.

    That is: objects over several lines, arrays on one if it fits. `used` counts the
    columns that are taken on the line where the value begins and ends.
    """
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        last = len(value) - 1
        lines = []
        for at, (name, inner) in enumerate(value.items()):
            key = f"{deeper}{json.dumps(name)}: "
            comma = "," if at < last else ""
            text = as_prettier(inner, deeper, len(key) + len(comma))
            lines.append(f"{key}{text}{comma}\n")
        return "{\n" + "".join(lines) + indent + "}"
    if isinstance(value, list):
        flat = json.dumps(value)
        if used + len(flat) > WIDTH:
            items = ",\n".join(deeper + json.dumps(item) for item in value)
            return f"[\n{items}\n{indent}]"
        return flat
    return json.dumps(value)
