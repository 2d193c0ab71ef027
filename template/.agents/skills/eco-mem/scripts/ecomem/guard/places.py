"""Paths as the guard sees them: which store one lies in, and what may be done there."""

from __future__ import annotations

import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterator, NamedTuple
from ecomem.store import CATALOGS, DRAWERS, DURABLE, STORE

SKILL = ".agents/skills/eco-mem"
SCRIPTS = f"{SKILL}/scripts"
ALLOW, RETIRED = ".agents/eco-mem.allow", ".agents/eco-mem.retired"
# The files of hosts that register hooks, or that can turn them off.
REGISTRATIONS = (
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".cursor/hooks.json",
    ".gemini/settings.json",
    ".qwen/settings.json",
    ".factory/settings.json",
    ".factory/settings.local.json",
    ".factory/hooks.json",
    ".github/hooks/eco-mem.json",
    ".opencode/plugin/eco-mem.js",
)
HOST_FOLDERS = (
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".qwen",
    ".factory",
    ".github",
    ".github/hooks",
    ".opencode",
    ".opencode/plugin",
    ".kiro",
    ".junie",
)
MAX_LISTED = 30_000  # paths of a store that a pattern is compared with
# Signs of a pattern: any text, any text of one name, one sign. No path has them.
ANY, STAR, ONE = "\ue000", "\ue001", "\ue002"
MAX_WILD = 8  # more signs than that in one pattern are read as any text


def is_pattern(text: str) -> bool:
    """Return whether a text has a sign of a pattern."""
    return not text.isascii() and (ANY in text or STAR in text or ONE in text)


def first_sign(text: str) -> int:
    """Return the place of the first sign of a pattern, or the length of the text."""
    places = [text.find(sign) for sign in (ANY, STAR, ONE) if sign in text]
    return min(places, default=len(text))


def is_copy(path: str) -> bool:
    """Return whether a path belongs to a copy of the skill that a host reads."""
    parts = path.lower().split("/")
    return parts[0][:1] == "." and parts[1:3] == ["skills", "eco-mem"]


class Touch(NamedTuple):
    """One effect of a call on one path of a project.

    verb is open, sweep (reading many), write, delete, shell (a write that cannot be
    seen), ours (one of our scripts does it), retire, recalled or unclear. text is what
    the file would contain, None where that is not known.
    """

    verb: str
    root: str
    path: str
    text: str | None = None
    origin: str = ""  # of a text that is not known: why


class Place(NamedTuple):
    """The root of the project that the guard belongs to, and the current folder."""

    root: str
    cwd: str

    def at(self, folder: str) -> Place:
        """The same project, seen from another folder."""
        return self._replace(cwd=os.path.join(self.cwd, os.path.expanduser(folder)))

    def locate(self, word: str) -> tuple[str, str]:
        """The project root of a path, and the path from there, with `/`.

        A path belongs to the nearest folder above it that has a store, so that other
        work trees count too. A path outside of every project begins with `..`.
        """
        word = os.path.expanduser(word.replace("\\", "/").replace("\0", ""))
        own = re.match(r"/proc/(?:self|thread-self|\d+)/cwd(?:/+|$)", word)
        if own:  # the current folder of the program that will run, not of this one
            word = word[own.end() :] or "."
        joined = os.path.join(self.cwd, word)
        if is_pattern(joined):
            start = first_sign(joined)
            head, slash, tail = joined[:start].rpartition("/")
            rest = os.path.normpath(tail + joined[start:])
            path = os.path.join(os.path.realpath(head or slash or "."), rest)
            path = os.path.normpath(path)
        else:
            path = os.path.realpath(joined)
        return self.split(path.replace(os.sep, "/"))

    def split(self, path: str) -> tuple[str, str]:
        """The root and the relative path of an absolute one, links resolved."""
        low = f"{path}/".lower()
        at = low.find("/.agents/")
        if at >= 0:
            root, rest = path[:at] or "/", path[at + 1 :]
            if is_pattern(root):
                root = self.root
            own = root == self.root or os.path.isdir(os.path.join(root, STORE))
            if own or low[at:].startswith((f"/{STORE}/", f"/{SKILL}/")):
                return root, _canonical(rest)
        base = f"{self.root}/".replace("//", "/")
        if f"{path}/".startswith(base):
            return self.root, path[len(base) :] or "."
        head = path
        while head not in ("/", "") and os.path.dirname(head) != head:
            head = os.path.dirname(head)
            if os.path.isdir(os.path.join(head, STORE)):
                return head, path[len(head) :].lstrip("/") or "."
        return self.root, os.path.relpath(path, self.root).replace(os.sep, "/")

    def expand(self, pattern: str) -> list[tuple[str, str]]:
        """The guarded paths that a pattern may mean; one path for none."""
        root, path = self.locate(pattern)
        if not is_pattern(path):
            return [(root, path)]
        low = pattern.lower()
        at = low.find(".agents")
        if path.startswith(ANY) and at < 0:
            return []  # nothing is known of it
        if at >= 0 and ".agents" not in path:
            root, path = self.root, pattern[at:]
        known = [(root, item) for item in guarded(root) if matches(path, item)]
        if known or not path.startswith((STORE, SKILL)):
            return known
        return [(root, path)]

    def text(self, path: str) -> str | None:
        """The text of the file at a path seen from the root, with LF; None for none."""
        return read_text(os.path.join(self.root, path))


def _canonical(path: str) -> str:
    """A path below `.agents` with the spelling of the folders that matter to us."""
    for known in (f"{STORE}/", STORE, SKILL, ".agents"):
        if path[: len(known)].lower() == known:
            return known + path[len(known) :]
    return path


def read_text(path: str) -> str | None:
    """The text of a file, with LF; None where there is no such text."""
    try:
        with open(path, encoding="utf-8-sig") as stream:
            return stream.read(1 << 24)
    except (OSError, ValueError):
        return None


def matches(pattern: str, path: str) -> bool:
    """Return whether a pattern may mean a path."""
    from re import escape, fullmatch  # what a command spells is not to be cached

    signs = {ANY: ".*", STAR: "[^/]*", ONE: "[^/]"}
    if sum(map(pattern.count, signs)) > MAX_WILD:
        return path.startswith(pattern[: first_sign(pattern)])
    expression = "".join(signs.get(sign, escape(sign)) for sign in pattern)
    return bool(fullmatch(f"(?is){expression}", path))


def guarded(root: str) -> Iterator[str]:
    """The paths of a project that the guard looks after."""
    yield from (".agents", STORE, ALLOW, RETIRED, ".agents/skills", SKILL)
    yield from (*HOST_FOLDERS, *REGISTRATIONS)
    count = 0
    for drawer in DRAWERS:
        folder = f"{STORE}/{drawer}"
        yield folder
        try:
            names = os.listdir(os.path.join(root, folder))
        except OSError:
            continue
        for name in names:
            count += 1
            if count > MAX_LISTED:
                return
            yield f"{folder}/{name}"
    for folder, _, files in os.walk(os.path.join(root, SKILL)):
        here = os.path.relpath(folder, root).replace(os.sep, "/")
        yield here
        yield from (f"{here}/{name}" for name in files)


def kind_of(path: str) -> str:
    """Return the kind of guard that a path of a project has.

    entry, map or desk for a file of the store; odd for another file there; drawer,
    store and above for folders with entries; gate for the skill and the files of the
    gate; host for a registration or a copy of the skill; hosts for a folder of a host;
    nothing for the rest.
    """
    if path.startswith(".agents"):
        if path == STORE:
            return "store"
        if path.startswith(f"{STORE}/"):
            drawer, _, name = path[len(STORE) + 1 :].partition("/")
            if not name:
                return "drawer" if drawer in DRAWERS else "odd"
            if not name.lower().endswith(".md") or "/" in name:
                return "odd"
            if name[:-3].upper() in CATALOGS:
                return "map"
            if drawer == "working":
                return "desk"
            return "entry" if drawer in DURABLE else "odd"
        if path in (".agents", ".agents/skills"):
            return "above"
        if path in (ALLOW, RETIRED) or f"{path}/".startswith(f"{SKILL}/"):
            return "gate"
        return ""
    if path.lower() in REGISTRATIONS or is_copy(path):
        return "host"
    if path.lower() in HOST_FOLDERS or re.fullmatch(r"\.[a-z]+/skills", path):
        return "hosts"
    return "gate" if path.endswith(f"{SCRIPTS}/hook.py") else ""
