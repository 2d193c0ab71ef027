"""Real Copier, real git, temporary directories: what the tests are made of."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

SOURCE = Path(__file__).resolve().parents[2]
SHIPPED = ("copier.yml", "extensions", "tasks", "template")
CACHES = shutil.ignore_patterns("__pycache__", ".*_cache")
NOW = "v999.0.0"
OLD = "v1.0.0"
OLDER = "This is how it was in an older version."
SENTINEL = "references/sentinel.md"
SKILL = ".agents/skills/eco-mem"
STORE = ".agents/memory"
DRAWERS = ("working", "semantic", "episodic", "procedural")
ALL_HOSTS = (
    "claude",
    "codex",
    "cursor",
    "gemini",
    "copilot",
    "opencode",
    "kiro",
    "junie",
    "factory",
    "qwen",
    "agents",
)
GIT_CONFIG = """\
[user]
name = Lab
email = lab@example.org
[init]
defaultBranch = main
[core]
autocrlf = false
[maintenance]
auto = false
[gc]
auto = 0
"""


class Done(NamedTuple):
    """A finished command: its exit code and everything it printed."""

    rc: int
    text: str


def isolate(home: Path, bytecode: Path) -> None:
    """Cut this process, and so its children, off from the settings of this machine.

    What Python compiles goes to `bytecode`, so that Copier starts fast.
    """
    home.mkdir(parents=True)
    (home / "gitconfig").write_text(GIT_CONFIG)
    for name in [*os.environ]:
        if name.startswith(("GIT_", "COPIER_", "PYTHON")):
            del os.environ[name]
    os.environ.update(
        HOME=str(home),
        XDG_CONFIG_HOME=str(home / "config"),
        XDG_CACHE_HOME=str(home / "cache"),
        COPIER_CACHE_DIR=str(home / "copier"),
        GIT_CONFIG_GLOBAL=str(home / "gitconfig"),
        GIT_CONFIG_NOSYSTEM="1",
        NO_COLOR="1",
        PYTHONPYCACHEPREFIX=str(bytecode),
    )


def run(*words: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run a command that has no terminal."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode("utf-8", "replace"))


def copier(*words: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run the command line of the Copier that this Python has.

    A fork of this process has it imported already, which saves most of the time.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return run(sys.executable, "-m", "copier", *words, cwd=cwd, env=env)
    import copier._cli  # noqa: F401  (before the fork)

    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if child == 0:
            _be_copier([str(word) for word in words], cwd, env or {}, printed.fileno())
        _, status = os.waitpid(child, 0)
        printed.seek(0)
        text = printed.read().decode("utf-8", "replace")
    return Done(os.waitstatus_to_exitcode(status), text)


def _be_copier(
    words: list[str], cwd: Path, env: Mapping[str, str], output: int
) -> NoReturn:
    """Run Copier in this process, a fork, and leave it with Copier's exit code."""
    from copier._cli import CopierApp
    from plumbum import local

    compile_once()
    code: object = 1
    try:
        take_streams(os.open(os.devnull, os.O_RDONLY), output)
        os.chdir(cwd)
        os.environ.update(env)
        # What Copier runs gets its environment from here.
        local.cwd.chdir(cwd)
        local.env.update(os.environ)
        code = CopierApp.run(["copier", *words], exit=False)[1]
    except SystemExit as stop:
        code = stop.code
    except BaseException:
        traceback.print_exc()
    finally:
        leave_fork(code)


def take_streams(read: int, printed: int) -> None:
    """Make two open files the standard streams of this process, a fork."""
    os.dup2(read, 0)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False, encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", closefd=False, encoding="utf-8")


def leave_fork(code: object) -> NoReturn:
    """End this process, a fork, with an exit code; 1 if it is no number."""
    try:  # on a full disk this fails, and this fork must end all the same
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code if isinstance(code, int) else 1)


def compile_once() -> None:
    """Let Jinja compile each text once in this process.

    Copier compiles each part of each path anew, which is a third of the time it takes.
    """
    from jinja2 import Environment

    compiled: dict[tuple[object, ...], Any] = {}
    compile_anew = Environment.compile

    def compile_cached(self: Environment, source: Any, *args: Any, **more: Any) -> Any:
        key = (source, args, tuple(sorted(more.items())))
        if not isinstance(source, str):
            return compile_anew(self, source, *args, **more)
        if key in compiled and "{%" not in source:
            self.preprocess(source)  # in which extensions of Copier begin anew
            return compiled[key]
        compiled[key] = compile_anew(self, source, *args, **more)
        return compiled[key]

    setattr(Environment, "compile", compile_cached)  # noqa: B010


def git(cwd: Path, *words: str) -> str:
    """Run a git command that must work and return what it printed."""
    done = run("git", *words, cwd=cwd)
    assert done.rc == 0, done.text
    return done.text


def commit(root: Path, tag: str = "") -> None:
    """Commit everything that is there, in a new repository if need be."""
    if not (root / ".git").exists():
        git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "state", "--allow-empty")
    if tag:
        git(root, "tag", tag)


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below `root`, byte for byte."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def tree(root: Path) -> dict[str, bytes]:
    """Return every file below `root` but those of git, links as their target."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.split("/")[0] == ".git" or "/.git/" in name:
            continue
        if path.is_symlink():
            found[name] = b"-> " + os.fsencode(os.readlink(path))
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def source_to(target: Path) -> None:
    """Copy what makes up the template from the working tree, without caches."""
    target.mkdir(parents=True, exist_ok=True)
    for name in SHIPPED:
        if (SOURCE / name).is_dir():
            shutil.copytree(SOURCE / name, target / name, ignore=CACHES)
        else:
            shutil.copy2(SOURCE / name, target / name)


def light_source_to(target: Path) -> None:
    """Copy what makes up the template, but of each package of scripts only two files.

    The time that Copier takes grows with the number of files, and what happens to one
    file of ours in a copy or an update happens to all. These scripts do not run.
    """
    source_to(target)
    library = target / "template" / SKILL / "scripts/ecomem"
    for package in (library, *(path for path in library.iterdir() if path.is_dir())):
        modules = sorted(path for path in package.iterdir() if path.is_file())
        for module in [path for path in modules if path.name != "__init__.py"][1:]:
            module.unlink()


def change(path: Path, edit: Callable[[str], str]) -> None:
    """Edit a text file, and see to it that the edit changes something."""
    old = path.read_text("utf-8")
    new = edit(old)
    assert new != old, f"the edit of {path.name} found nothing to change"
    path.write_text(new, "utf-8", newline="\n")


def make_older(root: Path) -> None:
    """Turn a copy of the template into what an earlier release may have been.

    An older protocol, block and contracts, one host fewer, a permission that is spelt
    otherwise now, and a file that is gone now.
    """
    skill = root / "template" / SKILL
    change(skill / "SKILL.md", lambda text: f"{text}\n{OLDER}\n")
    change(root / "extensions/agents_block.md", lambda text: f"{text}{OLDER}\n")
    for drawer in DRAWERS:
        change(
            root / "template" / STORE / drawer / "INDEX.md",
            lambda text: text.replace(
                "\n<!-- eco-mem:contract:end -->",
                f"\n{OLDER}\n\n<!-- eco-mem:contract:end -->",
            ),
        )
    change(
        root / "extensions/hosts.toml",
        lambda text: without_table(text, "junie").replace(
            "scripts/verify.py:*)", "scripts/older.py:*)"
        ),
    )
    write(skill, {SENTINEL: "# Gone in the next version\n"})


def make_releases(root: Path, source_to: Callable[[Path], None]) -> Path:
    """Make a template with an older release and the working tree; return its root."""
    source_to(root)
    make_older(root)
    commit(root, tag=OLD)
    git(root, "rm", "-rqf", ".")
    source_to(root)
    commit(root, tag=NOW)
    return root


def without_table(toml: str, name: str) -> str:
    """Return a TOML text without one of its tables."""
    start = toml.index(f"[{name}]\n")
    end = toml.find("\n[", start)
    return toml[:start] + (toml[end + 1 :] if end >= 0 else "")


def copy(
    template: Path, project: Path, *options: str, hosts: str | None = None
) -> Done:
    """Copy the template into `project` without a question and return what was said."""
    chosen = () if hosts is None else ("--data", f"hosts=[{hosts}]")
    words = ("copy", "--trust", "--defaults", *chosen, *options)
    project.parent.mkdir(parents=True, exist_ok=True)
    return copier(*words, template, project, cwd=project.parent)


def update(project: Path, *options: str, hosts: str | None = None) -> Done:
    """Update `project` without a question and return what was said."""
    chosen = () if hosts is None else ("--data", f"hosts=[{hosts}]")
    return copier("update", "--trust", "--defaults", *chosen, *options, cwd=project)


def go_on(refused: Done, cwd: Path) -> Done:
    """Run the command that a refusal printed last."""
    words = shlex.split(refused.text.strip().splitlines()[-1])
    assert words[0] == "copier"
    return copier(*words[1:], cwd=cwd)


def fine(done: Done) -> str:
    """Assert that a command worked and return what it printed."""
    assert done.rc == 0, done.text
    return done.text


def scars(root: Path) -> list[str]:
    """Return the traces that an update that did not merge leaves behind."""
    found = [f"unmerged {line}" for line in git(root, "ls-files", "-u").splitlines()]
    for name, content in tree(root).items():
        if name.endswith(".rej"):
            found.append(f"rejected {name}")
        if b"<<<<<<< before updating" in content:
            found.append(f"conflict in {name}")
    return found


def text(path: Path) -> str:
    """Return the text of a file with its line endings as they are."""
    return path.read_bytes().decode("utf-8")


def record(project: Path) -> dict[str, Any]:
    """Return what eco-mem.json says."""
    value: dict[str, Any] = json.loads((project / SKILL / "eco-mem.json").read_text())
    return value
