"""Facts about hosts for copier.yml, and the refusals of a destination.

Copier loads the old and the new version of this file in one process during an update,
so it imports nothing of ours: a helper found through `sys.path` would silently stay the
old one. The facts come from the TOML files beside it. The weave imports this file too,
on a Python that need not have jinja2.
"""

from __future__ import annotations

import contextvars
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10, which load_facts refuses
    tomllib = None  # type: ignore[assignment]

try:
    from jinja2 import Environment, StrictUndefined
    from jinja2.exceptions import UndefinedError
    from jinja2.ext import Extension
except ImportError:  # the weave, on a Python of its own
    Environment = StrictUndefined = UndefinedError = object  # type: ignore
    Extension = object  # type: ignore

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE.parent / "template"
SKILL = ".agents/skills/eco-mem"
PROTOCOL = f"{SKILL}/SKILL.md"
RECORD = f"{SKILL}/eco-mem.json"
STORE = ".agents/memory"
STORE_NAMES = {
    "working",
    "semantic",
    "episodic",
    "procedural",
    ".gitattributes",
    ".DS_Store",
}
# An update may find these two in a store that a `--remove` left behind.
STORE_DOT_FILES = (f"{STORE}/.gitattributes", f"{STORE}/working/.gitignore")
HOOK = f"{SKILL}/scripts/hook.py"  # what every registration of the guard runs
GUARD = (HOOK, f"{SKILL}/scripts/ecomem/guard", f"{SKILL}/references/guard.md")
SIGNATURE = "# eco-mem"  # the first comment of an answers file of this template
USUAL_ANSWERS = ".copier-answers.yml"
OWN_ANSWERS = ".copier-answers.eco-mem.yml"
ANY_HOST = "agents"  # the id of the record for hosts without one of their own
WIDTH = 80  # prettier's default
NEEDS = "needs Python 3.11 or newer"
PYTHON = ".".join(map(str, sys.version_info[:2]))

HAS_TOML = tomllib is not None

Hosts = Mapping[str, Mapping[str, Any]]
Checks = Mapping[str, Mapping[str, str]]
Conf = Mapping[str, Any]


class EcoMem(Extension):
    """Gives templates the name `eco_mem`."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.globals["eco_mem"] = load_facts()


def load_facts() -> Facts:
    """Return what the TOML files say; stop Copier on a Python that cannot read them."""
    if not HAS_TOML:
        from copier.errors import UserMessageError

        raise UserMessageError(
            f"eco-mem {NEEDS}, and Copier runs on {PYTHON}. Nothing was written. "
            "With uv, say which Python:\n"
            "  uvx --python 3.11 --with copier-template-extensions copier ..."
        )
    tables = ("hosts.toml", "hook_command.toml", "checks.toml")
    return Facts(*(read_toml(name) for name in tables))


def read_toml(name: str) -> dict[str, Any]:
    """Return the values of a TOML file beside this one."""
    return tomllib.loads((HERE / name).read_text("utf-8"))


class Facts(NamedTuple):
    """Answers for copier.yml. `conf` is `_copier_conf`, `answers` `_copier_answers`."""

    hosts: Hosts
    hook_command: Mapping[str, str]  # by shell: bash, powershell
    checks: Checks

    def choices(self) -> str:
        """Return the choices of the question, as JSON: label to id."""
        return json.dumps({host["name"]: key for key, host in self.hosts.items()})

    def check_choices(self) -> str:
        """Return the choices of the question `checks`, as JSON: label to id."""
        return json.dumps({check["name"]: key for key, check in self.checks.items()})

    def is_git_root(self, conf: Conf) -> bool:
        """Return whether the project is the top of its git repository, or will be.

        An update renders into scratch folders outside of git; there, the project lies
        as deep as it does in its repository.
        """
        root = Path(conf["dst_path"]).resolve()
        if updating() and root.parent == Path(tempfile.gettempdir()).resolve():
            return True
        top = top_of_repository(root)
        return root == top if top else not updating()

    def detected_hosts(self, conf: Conf) -> str:
        """Return the ids of hosts with a trace in the destination, as JSON.

        Without any trace: the usual hosts in an empty repository, and nothing that
        nobody asked for in one that has files of its own.
        """
        root = Path(conf["dst_path"])
        traced = [key for key, host in self.hosts.items() if has_trace(root, host)]
        if not traced and is_lived_in(root):
            traced = [ANY_HOST]
        usual = [key for key, host in self.hosts.items() if host.get("default")]
        return json.dumps(traced or usual)

    def check_destination(self, conf: Conf, answers: Mapping[str, Any]) -> bool:
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
        run.check_way_to([*laid_down(), *index_files()])
        if run.owner == "nobody":
            run.check_links([*laid_down(), *index_files()])
            run.check_case("AGENTS.md")
            if not conf["overwrite"]:
                run.check_store()
                run.check_free(laid_down())
        return True

    def check_answers(
        self,
        conf: Conf,
        answers: Mapping[str, Any],
        hosts: Sequence[str],
        guard: bool,
        checks: Sequence[str] = (),
    ) -> bool:
        """Return True, or refuse files in the way of what the answers ask for.

        These are copies of the skill, hook files and CI files of ours. A file that we
        laid down before passes, and on a copy any file does with `--overwrite`, which
        an update always has in `conf`.
        """
        run = Run(conf, answers)
        folders = skill_folders(self.hosts, hosts)
        files = {f"{folder}/SKILL.md": TEMPLATE / PROTOCOL for folder in folders}
        files |= owned_hooks(self.hosts, hosts if guard else [])
        files |= check_files(self.checks, checks)
        run.check_way_to(files)
        if run.owner == "nobody":
            for key in hosts:
                run.check_case(self.hosts[key]["instructions"])
        if updating() or not conf["overwrite"]:
            foreign = {
                path: files[path] for path in files if not run.laid_down_before(path)
            }
            run.check_free(foreign, hosts, checks)
        return True

    def left_behind(self, conf: Conf, answers: Mapping[str, Any], path: str) -> str:
        """Return `path` if a `--remove` left an older version of it, else ""."""
        run = Run(conf, answers)
        left = run.owner == "nobody" and left_by_removal(run.root, path)
        return path if left else ""

    def is_pristine(self, path: Path, source: Path, root: Path) -> bool:
        """Return whether a file is what a source of the template gives, byte for byte.

        A copy of the skill may also be a copy of the one in the project at `root`.
        """
        if path.is_symlink():
            return False
        same = [source.read_bytes()]
        if source.suffix == ".jinja":
            same.append(self.render(source, [], False).encode())
        skill = root / PROTOCOL
        if source.name == "SKILL.md" and path != skill and skill.is_file():
            same.append(skill.read_bytes())
        try:
            return path.read_bytes() in same
        except OSError:
            return False

    def render(self, source: Path, hosts: Sequence[str], guard: bool) -> str:
        """Return what Copier makes of a file of the template, given the answers."""
        text = source.read_text("utf-8")
        if source.suffix != ".jinja":
            return text
        environment = Environment(keep_trailing_newline=True, undefined=StrictUndefined)
        template = environment.from_string(text)
        return template.render(eco_mem=self, hosts=hosts, guard=guard)

    def record_json(self, hosts: Sequence[str], guard: bool = False) -> str:
        """Return eco-mem.json: what the scripts must know about the chosen hosts.

        `copies` lists the copies of the skill; `expects` files that must contain given
        strings; `bridges` files that, if they exist, must mention AGENTS.md; `instead`
        settings files that mention AGENTS.md where the file before need not.
        """
        expects: dict[str, list[str]] = {}
        bridges: list[str] = []
        instead: dict[str, str] = {}
        for host in (host for key, host in self.hosts.items() if key in hosts):
            if settings := host.get("settings"):
                expects[settings["file"]] = [*settings["entries"]]
            if guard and (hooks := host.get("hooks")):
                entries = [self.hook_command["bash"]] * len(hooks["events"]) or [HOOK]
                expects.setdefault(hooks["file"], []).extend(entries)
            if "not_beside" in host:
                bridges += [host["instructions"], *host.get("elsewhere", [])]
            elif "import" in host:
                expects[host["instructions"]] = ["AGENTS.md"]
            if "names_files" in host:
                instead[host["instructions"]] = host["names_files"]
        copies = [f"{folder}/SKILL.md" for folder in skill_folders(self.hosts, hosts)]
        record: dict[str, Any] = {
            "hosts": list(hosts),
            "copies": copies,
            "expects": expects,
            "bridges": bridges,
        }
        if instead:
            record["instead"] = instead
        return as_prettier(record)

    def _check_data(self, conf: Conf) -> None:
        """Refuse `--data` with a list that Copier would answer with a traceback."""
        known = {"hosts": [*self.hosts], "checks": [*self.checks]}
        for name, ids in known.items():
            given = given_list(conf["data"].get(name))
            if given is None:
                continue
            too_few = name == "hosts" and given == []
            if too_few or {*map(str, given)} - {*ids}:
                example = ", ".join(ids[:2])
                least = "of at least one of" if name == "hosts" else "of any of"
                raise UndefinedError(
                    f"{name} is a list in brackets, {least}: {', '.join(ids)}. Nothing "
                    f'was written. For example:\n  --data "{name}=[{example}]"'
                )


WRONG: list[Any] = [None]  # in place of what is no list: it has no known id


def given_list(value: Any) -> list[Any] | None:
    """Return an answer of `--data` that must be a list; None if there is none."""
    import yaml

    if isinstance(value, str):
        try:
            value = yaml.safe_load(value)
        except yaml.YAMLError:
            return WRONG
    if value is None or isinstance(value, list):
        return value
    return WRONG


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
        return Path(self.conf["answers_file"]).as_posix()

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
        if text.startswith(SIGNATURE):
            return "ours"
        source = read_answers(text).get("_src_path")
        same = source is not None and source == self.answers.get("_src_path")
        return "ours" if same else "other"

    def laid_down_before(self, path: str) -> bool:
        """Return whether an earlier run laid down this copy, hook file or CI file."""
        if path in check_files(load_facts().checks, self.checks_before()):
            return True
        try:
            record = json.loads((self.root / RECORD).read_bytes())
            return path in record["copies"] or path in record["expects"]
        except (OSError, ValueError, KeyError, TypeError):
            # If only the record is gone, every copy there is taken for ours.
            return self.owner == "ours"

    def checks_before(self) -> list[str]:
        """Return the checks whose files an earlier run laid down."""
        if self.owner != "ours":
            return []
        path = self.root / self.answers_file
        known = read_answers(path.read_text("utf-8", errors="replace"))
        checks = known.get("checks")
        laid = isinstance(checks, list) and known.get("git_root", True)
        return [*map(str, checks or [])] if laid else []

    def check_way_to(self, paths: Sequence[str] | Mapping[str, Any]) -> None:
        """Refuse paths that do not lie in plain folders of the destination."""
        root = self.root.resolve()
        for path in paths:
            for parent in parents(path):
                place = self.root / parent
                if not os.path.lexists(place):
                    break
                if not (place.is_dir() and place.resolve().is_relative_to(root)):
                    raise UndefinedError(
                        f"{parent} is not a folder inside the project, so {path} "
                        "cannot be written. Nothing was written. Make it a plain "
                        "folder, or leave out the host that needs it, and run this "
                        "again."
                    )

    def check_links(self, paths: Sequence[str]) -> None:
        """Refuse a link on the way to what is ours, even one inside the project."""
        for path in paths:
            for place in [*parents(path), path]:
                if (self.root / place).is_symlink():
                    target = os.readlink(self.root / place)
                    self.refuse(
                        f"{place} is a link to {target}, and neither git nor eco-mem "
                        "follows a link",
                        f"Make {place} the real one; if you need both, make {target} "
                        "a link to it. Then run this again",
                    )

    def check_case(self, path: str) -> None:
        """Refuse a file whose name differs from that of ours only in case."""
        folder, name = (self.root / path).parent, Path(path).name
        try:
            names = os.listdir(folder)
        except OSError:
            return
        alike = [one for one in names if one.lower() == name.lower()]
        if alike and name not in alike:
            there = Path(path).with_name(alike[0]).as_posix()
            self.refuse(
                f"{there} is there, and agents load {path}: the two would be one file "
                "on macOS and Windows",
                "Rename it, then run this again",
                before=shlex.join(self._move(there, path)),
            )

    def _move(self, old: str, new: str) -> list[str]:
        """Return the command that renames a file of the destination."""
        root = str(self.root)
        listed = ["git", "-C", root, "ls-files", "--error-unmatch", "--", old]
        try:
            done = subprocess.run(listed, capture_output=True, check=False)
            if done.returncode == 0:
                return ["git", "-C", root, "mv", "-f", old, new]
        except OSError:
            pass
        return ["mv", (self.root / old).as_posix(), (self.root / new).as_posix()]

    def check_store(self) -> None:
        """Refuse a .agents/memory that is of another kind than ours."""
        place = self.root / STORE
        if not place.is_dir() or os.path.lexists(self.root / PROTOCOL):
            return
        foreign = sorted({*os.listdir(place)} - STORE_NAMES)
        if foreign:
            store = (self.root / STORE).as_posix()
            self.refuse(
                f"{STORE} is already there and is another kind of memory: "
                f"{foreign[0]} in it is neither a drawer nor of this template",
                "Move it out of the way, then run this again",
                before=shlex.join(["mv", store, f"{store}-before"]),
            )

    def check_free(
        self,
        paths: Mapping[str, Path],
        hosts: Sequence[str] = (),
        checks: Sequence[str] = (),
    ) -> None:
        """Refuse if a path is there and is not what we put there; say how to go on."""
        facts = load_facts()
        taken = [
            path
            for path, source in paths.items()
            if os.path.lexists(self.root / path)
            and not facts.is_pristine(self.root / path, source, self.root)
            and not (path in STORE_DOT_FILES and left_by_removal(self.root, path))
        ]
        if taken:
            more = f" (and {len(taken) - 1} more)" if len(taken) > 1 else ""
            verb = "are" if more else "is"
            self.refuse(
                f"{taken[0]}{more} {verb} already there, and not from this template",
                "Save what you need of it elsewhere, then run this, which replaces it "
                "but not INDEX files and entries",
                "--overwrite",
                *(["--data", f"hosts=[{', '.join(hosts)}]"] if hosts else []),
                *(["--data", f"checks=[{', '.join(checks)}]"] if checks else []),
            )

    def refuse(self, why: str, then: str, *options: str, before: str = "") -> NoReturn:
        """Stop Copier with one message and the commands that go on."""
        again = " ".join(quoted(word) for word in self._command(*options))
        commands = [before, again] if before else [again]
        # Copier prints this kind of error as it is, also with --quiet, and exits 1.
        raise UndefinedError(
            "\n  ".join([f"{why}. Nothing was written. {then}:", *commands])
        )

    def _command(self, *options: str) -> Iterator[str]:
        """Yield the words of the command that this run was, with `options` added."""
        yield from ("copier", "copy", "--trust", *options)
        if self.answers_file != USUAL_ANSWERS and "-a" not in options:
            yield from ("-a", self.answers_file)
        if self.conf["defaults"]:
            yield "--defaults"
        if self.conf["overwrite"] and not updating() and "--overwrite" not in options:
            yield "--overwrite"
        if self.conf["vcs_ref"]:
            yield from ("--vcs-ref", str(self.conf["vcs_ref"]))
        lists = [one.partition("=")[0] for one in options if "=[" in one]
        for name, value in self.conf["data"].items():
            if name not in lists:
                yield from ("--data", f"{name}={as_data(value)}")
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


def has_trace(root: Path, host: Mapping[str, Any]) -> bool:
    """Return whether a repository has a trace of a host.

    A folder is none if it holds only files that a hosted app reads.
    """
    for trace in host["traces"]:
        path = root / trace
        if not os.path.lexists(path):
            continue
        hosted = [
            one.removeprefix(f"{trace}/")
            for one in host.get("hosted", [])
            if one.startswith(f"{trace}/")
        ]
        if not (hosted and path.is_dir() and {*os.listdir(path)} <= {*hosted}):
            return True
        if not os.listdir(path):
            return True
    return False


def left_by_removal(root: Path, path: str) -> bool:
    """Return whether a file in the store is from a version that was removed since.

    A checkout with `core.autocrlf` has the file of this version in other bytes.
    """
    source = shipped()[path]
    place = root / path
    if not place.is_file() or place.is_symlink():
        return False
    return place.read_bytes() != source.read_bytes() and was_released(place, source)


def is_lived_in(root: Path) -> bool:
    """Return whether a folder has anything in it but what git keeps."""
    return root.is_dir() and any(name != ".git" for name in os.listdir(root))


def laid_down() -> dict[str, Path]:
    """Return the paths that every project gets and that we own, with their source."""
    paths = shipped()
    ours = (f"{SKILL}/", f"{STORE}/")
    return {name: path for name, path in paths.items() if name.startswith(ours)}


def shipped() -> dict[str, Path]:
    """Return the paths of the template that are not seeded, with their source."""
    sources = sorted(path for path in TEMPLATE.rglob("*") if path.is_file())
    paths = {path.relative_to(TEMPLATE).as_posix(): path for path in sources}
    return {
        name.removesuffix(".jinja"): path
        for name, path in paths.items()
        if "{" not in name and path.name != "INDEX.md" and "__pycache__" not in name
    }


def index_files() -> list[str]:
    """Return the paths of the seeded files."""
    found = sorted((TEMPLATE / STORE).glob("*/INDEX.md"))
    return [path.relative_to(TEMPLATE).as_posix() for path in found]


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
    return {file: shipped()[file] for file in files}


def check_files(checks: Checks, chosen: Sequence[str]) -> dict[str, Path]:
    """Return the files of chosen checks that only we write, with their source."""
    owned = [
        check["file"]
        for key, check in checks.items()
        if key in chosen and check["form"] == "owned"
    ]
    return {file: TEMPLATE / file for file in owned}


def top_of_repository(folder: Path) -> Path | None:
    """Return the top of the git repository around a folder, which need not exist."""
    for place in (folder, *folder.parents):
        if os.path.lexists(place / ".git"):
            return place
    return None


def was_released(path: Path, source: Path) -> bool:
    """Return whether a file is what some version of the template had as `source`."""
    text = unix_text(path)
    return text == unix_text(source) or any(
        text == version for version in versions_of(source)
    )


def unix_text(path: Path) -> str:
    """Return the text of a file, its lines ended as git keeps them."""
    return path.read_bytes().replace(b"\r\n", b"\n").decode("utf-8", "replace")


def versions_of(source: Path) -> Iterator[str]:
    """Yield the text of a file in every version of the template, the newest first.

    Of a checkout without history, that is no text.
    """
    name = source.relative_to(HERE.parent).as_posix()
    for commit in ask_git("log", "--all", "--format=%H", "--", name).split():
        yield ask_git("show", f"{commit}:{name}")


def ask_git(*words: str) -> str:
    """Return what git answers in the checkout of the template; "" if it cannot."""
    try:
        done = subprocess.run(
            ["git", *words], cwd=HERE.parent, capture_output=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def read_answers(text: str) -> dict[str, Any]:
    """Return the answers in the text of an answers file; {} if it is not YAML."""
    import yaml

    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
    return values if isinstance(values, dict) else {}


def parents(path: str) -> list[str]:
    """Return the folders on the way to a path, from the outermost."""
    parts = path.split("/")
    return ["/".join(parts[:at]) for at in range(1, len(parts))]


def quoted(word: str) -> str:
    """Return `word` as shells on every system take it for one word."""
    plain = re.fullmatch(r"[\w@%+=:,./~\\-]+", word)
    if os.name == "nt":
        return word if plain else f'"{word}"'
    return shlex.quote(word)


def as_data(value: Any) -> str:
    """Return an answer as `--data` takes it."""
    return value if isinstance(value, str) else json.dumps(value)


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
