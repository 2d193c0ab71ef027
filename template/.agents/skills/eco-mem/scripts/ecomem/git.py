"""Ask git, so that neither the user's settings nor the network change the answer.

Each question is answered or raises CannotAsk. An empty answer is never a failure.
Programs start by posix_spawn where there is one: subprocess takes long to import.
"""

from __future__ import annotations

import os

from ecomem.cheap_imports import Iterable, NamedTuple

# Variables of git that a question keeps: settings given for one command (they may name
# a safe folder), where git is installed, and switches for tests of git. All others
# belong to an outer repository, an editor or a trace, and are dropped.
_KEPT = ("GIT_CONFIG", "GIT_EXEC_PATH", "GIT_TEST_")
_SET = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,  # grafts and replaced objects are of one clone
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "",
    "LC_ALL": "C",
}
_SETTINGS = (
    "color.ui=false",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.quotePath=false",
    "log.showSignature=false",
)
_OPTIONS = (
    "--no-pager",
    "--no-optional-locks",
    *(word for setting in _SETTINGS for word in ("-c", setting)),
)
# check-ignore is the one command we use that refuses this option.
_PLAIN_PATHS = ("--literal-pathspecs",)
# Ignore rules of a person, for all of their repositories, are left out.
_SHARED_RULES = ("-c", f"core.excludesFile={os.devnull}")
_DIFF = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--relative",
    f"-O{os.devnull}",
    "--ignore-submodules=dirty",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
_RENAMES = ("-M", "-l2000", "--raw", "--no-abbrev", "-z")
MAX_INPUT = 32_000  # bytes; what every pipe takes in before anybody reads from it
MAX_BLOBS = 400  # asked for at once

OFF = "Git was not asked."
MISSING = "Git is not installed."
OWNER = "Git refuses this repository, because its files belong to another user."
PARTIAL = "This clone lacks objects that git would have to fetch."
BROKEN = "Git could not read this repository."


class CannotAsk(Exception):
    """The error that git gave no answer: the reason and the next step, as sentences."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(problem)
        self.problem, self.advice = problem, advice


class Place(NamedTuple):
    """The repository around a folder."""

    top: str  # absolute path of the work tree
    prefix: str  # the folder below it, as `sub/`; empty at the top
    git_dir: str  # absolute; of the linked work tree, where it is one
    common_dir: str  # absolute; shared by all work trees


class Former(NamedTuple):
    """A file as it was before a change; empty where there was none."""

    path: str
    blob: str  # the name that git gives to its content


class _State:
    """The permission to ask git in this process."""

    asks = True


def disable() -> None:
    """Make every later question of this process raise CannotAsk."""
    _State.asks = False


def inside(folder: str) -> str | None:
    """Path of folder below the top of its work tree, as `sub/`; None outside git."""
    place = find(folder)
    return place.prefix if place else None


def find(folder: str) -> Place | None:
    """The repository whose work tree contains folder, or None outside git."""
    here, prefix = os.path.realpath(folder), ""
    while not os.path.lexists(os.path.join(here, ".git")):
        here, name = os.path.split(here)
        if not name:
            return None
        prefix = f"{name}/{prefix}"
    git_dir = os.path.join(here, ".git")
    link = _first_line(git_dir)
    if link.startswith("gitdir: "):
        git_dir = os.path.normpath(os.path.join(here, link[len("gitdir: ") :]))
    common = os.path.join(git_dir, _first_line(os.path.join(git_dir, "commondir")))
    return Place(here, prefix, os.path.realpath(git_dir), os.path.realpath(common))


def is_shallow(root: str) -> bool:
    """Return true if older commits of the repository are missing here."""
    place = find(root)
    if not place:
        return False
    return os.path.exists(os.path.join(place.common_dir, "shallow"))


def merging(root: str) -> list[str]:
    """The commits that a merge in progress brings in; none outside of a merge."""
    place = find(root)
    try:
        path = os.path.join(place.git_dir, "MERGE_HEAD") if place else ""
        with open(path, encoding="ascii", errors="replace") as stream:
            return stream.read().split()
    except OSError:
        return []


def ask(root: str, *args: str, given: str = "", nothing: tuple[int, ...] = ()) -> str:
    """The output of git run in root, with given as its input.

    Exit codes in nothing mean an empty answer, as `check-ignore` gives 1 for no match.
    Every other failure raises CannotAsk.
    """
    place = _place(root)
    options = () if "check-ignore" in args else _PLAIN_PATHS
    command = ["git", *_OPTIONS, *options, "-C", f"{place.top}/{place.prefix}", *args]
    try:
        code, out, _ = _run(command, _environment(place), os.fsencode(given), False)
        if code == 0:
            return os.fsdecode(out)
        if code in nothing:
            return ""
        *_, errors = _run(command, _environment(place), os.fsencode(given), True)
    except FileNotFoundError:
        raise CannotAsk(MISSING, "Install git, and run this again.") from None
    except (OSError, ValueError):
        errors = b""
    raise _refusal(place, errors)


def _place(root: str) -> Place:
    """The repository around root. Raises CannotAsk where it must not be asked."""
    place = find(root)
    if not _State.asks or not place:
        raise CannotAsk(OFF, "Run verify.py in a git repository.")
    return place


def nul_items(root: str, *args: str) -> list[str]:
    """The NUL-separated items that git prints when run in root."""
    return ask(root, *args).split("\0")[:-1]


def changes(root: str, verb: str, *args: str) -> dict[str, Former]:
    """Changed paths below root, each with the file that it was before.

    verb is `diff` or `log`. Files that are intended to be added count as new.
    """
    words = iter(nul_items(root, verb, *_DIFF, *_RENAMES, *args))
    changed: dict[str, Former] = {}
    for word in words:
        _, _, blob, _, status = word.lstrip("\n:").split(" ")
        old = next(words)
        path = next(words) if status[0] in "RC" else old
        changed[path] = Former("", "") if status[0] in "AC" else Former(old, blob)
    return changed


def blobs(root: str, names: Iterable[str]) -> dict[str, bytes]:
    """The contents of blobs, by their full names. Raises CannotAsk where one lacks."""
    wanted = [*dict.fromkeys(names)]
    contents: dict[str, bytes] = {}
    for start in range(0, len(wanted), MAX_BLOBS):
        part = wanted[start : start + MAX_BLOBS]
        given = "".join(f"{name}\n" for name in part)
        rest = os.fsencode(ask(root, "cat-file", "--batch", given=given))
        for name in part:
            head, _, rest = rest.partition(b"\n")
            words = head.split()
            if len(words) != 3:
                raise _refusal(_place(root), b"")
            size = int(words[2])
            contents[name], rest = rest[:size], rest[size + 1 :]
    return contents


def diff_lines(root: str, *args: str) -> list[str]:
    """The lines of a diff without context, also of files that an attribute hides."""
    return ask(root, "diff", *_DIFF, "--text", "--no-renames", "-U0", *args).split("\n")


def ignore_rules(
    root: str, paths: Iterable[str], personal: bool = False
) -> dict[str, tuple[str, str]]:
    """The ignore rule that hides a path, for each of paths that has one.

    A rule is its file and line, as `.gitignore:3`, and its pattern. Those that a person
    has for all repositories count only with personal. The index is not looked at. Paths
    are relative to root and must not lead through a link.
    """
    asked = {f"./{path}": path for path in paths}
    if not asked:
        return {}
    shared = () if personal else _SHARED_RULES
    command = (*shared, "check-ignore", "--no-index", "--verbose", "--", *asked)
    found: dict[str, tuple[str, str]] = {}
    for line in ask(root, *command, nothing=(1,)).splitlines():
        rule, _, path = line.rpartition("\t")
        match = rule.split(":", 2)
        if path in asked and len(match) == 3 and match[2][:1] != "!":
            found[asked[path]] = (f"{match[0]}:{match[1]}", match[2])
    return found


def _environment(place: Place) -> dict[str, str]:
    """The variables for git: those of the user, without what belongs elsewhere."""
    env = {
        key: value
        for key, value in os.environ.items()
        if key[:4] != "GIT_" or key.startswith(_KEPT)
    }
    env.update(_SET)
    env["GIT_CEILING_DIRECTORIES"] = os.path.dirname(place.top)
    # A hook of `git commit -- PATH` gets an index of its own, inside the git folder.
    index = os.environ.get("GIT_INDEX_FILE", "")
    index = os.path.join(place.top, index) if index else ""
    if index and os.path.realpath(os.path.dirname(index)) == place.git_dir:
        env["GIT_INDEX_FILE"] = index
    return env


def _run(
    command: list[str], env: dict[str, str], given: bytes, keep_errors: bool
) -> tuple[int, bytes, bytes]:
    """Run a program. Returns its exit code, and its output or its error output."""
    if not hasattr(os, "posix_spawnp"):
        import subprocess

        done = subprocess.run(
            command, check=False, env=env, input=given, capture_output=True
        )
        return done.returncode, done.stdout, done.stderr
    if len(given) > MAX_INPUT:
        raise ValueError("too much input for one question")
    source, feeding = os.pipe()
    reading, writing = os.pipe()
    wanted, other = (2, 1) if keep_errors else (1, 2)
    streams = [
        (os.POSIX_SPAWN_DUP2, source, 0),
        (os.POSIX_SPAWN_DUP2, writing, wanted),
        (os.POSIX_SPAWN_OPEN, other, os.devnull, os.O_WRONLY, 0),
    ]
    with open(reading, "rb") as stream:
        with open(writing, "wb"), open(source, "rb"), open(feeding, "wb") as sink:
            child = os.posix_spawnp("git", command, env, file_actions=streams)
            sink.write(given)
        out = stream.read()
    status = os.waitpid(child, 0)[1]
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1
    return code, b"" if keep_errors else out, out if keep_errors else b""


def _refusal(place: Place, errors: bytes) -> CannotAsk:
    """The reason why git failed, by the words that it printed."""
    if b"dubious ownership" in errors or b"is owned by" in errors:
        plain = place.top.replace("/", "").replace("-", "").replace("_", "")
        top = place.top if plain.isalnum() and plain.isascii() else "FOLDER"
        allow = f"git config --global --add safe.directory {top}"
        return CannotAsk(OWNER, f"Run `{allow}`, if you trust its contents.")
    try:
        with open(os.path.join(place.common_dir, "config"), "rb") as stream:
            settings = stream.read(1 << 20).lower()
    except OSError:
        settings = b""
    if b"promisor" in settings or b"partialclone" in settings:
        return CannotAsk(PARTIAL, "Make a full clone, without `--filter`.")
    return CannotAsk(BROKEN, "Run `git fsck`, and repair what it names.")


def _first_line(path: str) -> str:
    """The first line of a small file; empty where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            return stream.readline(4096).rstrip("\r\n")
    except OSError:
        return ""
