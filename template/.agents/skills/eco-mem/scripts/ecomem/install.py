"""Rules about the files around the store: pointer, copies, settings (family I)."""

from __future__ import annotations

import os

from ecomem import cache, git
from ecomem.cheap_imports import (
    TYPE_CHECKING,
    Iterable,
    NamedTuple,
    parse_json,
    suppress,
)
from ecomem.evidence import kept_from_view
from ecomem.findings import Finding, Findings, finding
from ecomem.store import (
    DRAWERS,
    DURABLE,
    STORE,
    decode,
    read_bytes,
    write_atomically,
)

if TYPE_CHECKING:
    from typing import Any

SKILL = ".agents/skills/eco-mem"
PROTOCOL = f"{SKILL}/SKILL.md"
CHOICES = f"{SKILL}/eco-mem.json"
SCRIPTS = f"{SKILL}/scripts"
BYTECODE = tuple(
    f"{SCRIPTS}/{folder}__pycache__"
    for folder in ("", "ecomem/", "ecomem/gate/", "ecomem/guard/")
)
POINTER = "AGENTS.md"
MAX_FILE = 1024 * 1024
MAX_FOLDERS = 400
CODEX_READS = 32 * 1024  # bytes of AGENTS.md and its like

# Files that a host reads in place of AGENTS.md where they exist.
OVERRIDES = {"codex": "AGENTS.override.md", "junie": ".junie/AGENTS.md"}

_IGNORE = f"{STORE}/working/.gitignore"
_DESK = f"{STORE}/working/a-desk.md"
_PASSED = ("node_modules", "vendor", "target", "dist", "build", "venv")


class Ignored(NamedTuple):
    """The ignore rule that hides a path."""

    source: str  # its file and line, as `.gitignore:3`
    pattern: str


def check(root: str, tracked: Iterable[str] = ()) -> Findings:
    """All findings of family I for the project at root, without what git tracks.

    tracked are paths in the index, of which bytecode of the scripts is an error. Raises
    CannotAsk at the end, where git does not say what it ignores.
    """
    choices = _choices(root)
    wanted = _wanted(root, choices)
    missing = [path for path in (*wanted, _IGNORE) if _is_missing(root, path)]
    ignored: dict[str, Ignored] = {}
    unseen: dict[str, str] = {}
    fault = None
    if git.find(root):
        try:
            ignored = _ignored(root, wanted)
            unseen = kept_from_view(root, missing)
        except git.CannotAsk as error:
            fault = error
    for path, reason in unseen.items():
        problem = f"The file could not be looked at here. {reason}"
        yield finding("R13", path, 1, "", problem)
    for item in _laid_down(root, choices, ignored):
        if item.path not in unseen:
            yield item
    yield from _pointer(root, choices, ignored, unseen)
    yield from _conflicts(root, choices)
    for path in sorted(tracked):
        if path.startswith(BYTECODE):
            yield finding("I11", path)
            break
    yield from _second_stores(root)
    if fault:
        raise fault
    if git.find(root):
        for item in _hidden(root, ignored, {*tracked}):
            if item.path not in unseen:
                yield item


def fix_copies(root: str) -> int:
    """Write the protocol over copies of it that differ. Returns how many did.

    A protocol with conflicts is copied nowhere, and nothing is written behind a link.
    """
    choices = _choices(root)
    try:
        data = read_bytes(os.path.join(root, PROTOCOL), MAX_FILE)
    except OSError:
        return 0
    if not data.strip() or _conflict_line(data):
        return 0
    written = 0
    for copy in choices.get("copies", []):
        path = os.path.normpath(copy).replace(os.sep, "/")
        place = os.path.join(root, path)
        if (
            not path.endswith("/skills/eco-mem/SKILL.md")
            or _unlinked(root, copy) != path
        ):
            continue
        if os.path.islink(place) or not os.path.isdir(os.path.join(root, STORE)):
            continue
        if os.path.isfile(place) and _text(root, copy) == _text(root, PROTOCOL):
            continue
        if os.path.lexists(place) and not os.path.isfile(place):
            continue
        os.makedirs(os.path.dirname(place), exist_ok=True)
        write_atomically(root, path, data)
        written += 1
    return written


def _wanted(root: str, choices: dict[str, Any]) -> list[str]:
    """The files that this family looks at, each once."""
    paths = [PROTOCOL, CHOICES, POINTER, *choices.get("copies", [])]
    paths += choices.get("expects", {})
    return [*dict.fromkeys(paths)]


def _is_missing(root: str, path: str) -> bool:
    return not os.path.lexists(os.path.join(root, path))


def _ignored(root: str, paths: list[str]) -> dict[str, Ignored]:
    """The ignore rules that hide these paths, the places of entries or a desk."""
    entries = [f"{STORE}/{drawer}/an-entry.md" for drawer in DURABLE]
    indexes = [f"{STORE}/{drawer}/INDEX.md" for drawer in DRAWERS]
    places: dict[str, str] = {}
    for path in [*paths, *indexes, *entries, _DESK]:
        place = _unlinked(root, path)
        if place:
            places[path] = place
    rules = git.ignore_rules(root, places.values())
    found: dict[str, Ignored] = {}
    for path, place in places.items():
        if place in rules:
            found[path] = Ignored(*rules[place])
    return found


def _unlinked(root: str, path: str) -> str:
    """The path below root that a path leads to through links; empty outside of it."""
    top = os.path.realpath(root)
    folder, name = os.path.split(os.path.join(top, path))
    place = os.path.relpath(os.path.join(os.path.realpath(folder), name), top)
    place = place.replace(os.sep, "/")
    return "" if place == ".." or place.startswith("../") else place


def _laid_down(
    root: str, choices: dict[str, Any], ignored: dict[str, Ignored]
) -> Findings:
    """Findings about the protocol, its copies and what the hosts need."""
    protocol = _text(root, PROTOCOL)
    if not protocol:
        yield finding("I01", PROTOCOL)
    if not choices:
        yield finding("I06", CHOICES)
    for copy in choices.get("copies", []):
        if _unlinked(root, copy) != os.path.normpath(copy).replace(os.sep, "/"):
            continue  # it is the protocol itself, by way of a link
        if copy in ignored:
            yield finding("I09", copy)
        elif protocol and _text(root, copy) != protocol:
            yield finding("I02", copy)
    instead = choices.get("instead", {})
    for path, words in choices.get("expects", {}).items():
        if POINTER in _text(root, instead.get(path, "")):
            continue  # its own settings name AGENTS.md
        text = _text(root, path)
        lacking = [word for word in words if text.count(word) < words.count(word)]
        if lacking:
            problem = f"A chosen host needs `{lacking[0]}` in this file."
            yield finding("I07", path, 1, "", problem)
    for path in choices.get("bridges", []):
        leads = any(name in _text(root, path) for name in (POINTER, PROTOCOL))
        if not leads and os.path.exists(os.path.join(root, path)):
            problem = f"The file names neither {POINTER} nor `{PROTOCOL}`."
            yield finding("I07", path, 1, "", problem)


def _pointer(
    root: str,
    choices: dict[str, Any],
    ignored: dict[str, Ignored],
    unseen: dict[str, str],
) -> Findings:
    """Findings about AGENTS.md, and about files that hosts read in its place."""
    text = _text(root, POINTER)
    other = _other_case(root, POINTER)
    hosts = choices.get("hosts", [])
    if other:
        text = _text(root, other)
        problem = f"The file is called `{other}`, and most hosts read `{POINTER}` only."
        advice = f"Rename it: `git mv {other} {POINTER}`."
        yield finding("I07", other, 1, "", problem, advice)
    if POINTER in unseen:
        return
    if PROTOCOL not in text and POINTER in ignored:
        rule = ignored[POINTER]
        problem = f"{_sentence(POINTER, rule)} It does not name `{PROTOCOL}`."
        advice = "Name it in the source that the file is made from."
        yield finding("I03", POINTER, 1, "", problem, advice, mild=True)
    elif PROTOCOL not in text:
        yield finding("I03", other or POINTER)
    elif "codex" in hosts and len(text.partition(PROTOCOL)[0].encode()) > CODEX_READS:
        problem = "Codex reads the first 32 KiB, and the protocol is named after them."
        advice = "Move the block of eco-mem up."
        yield finding("I07", other or POINTER, 1, "", problem, advice)
    for host, path in OVERRIDES.items():
        there = host in hosts and os.path.exists(os.path.join(root, path))
        if there and PROTOCOL not in _text(root, path):
            problem = f"{host} reads this file in place of {POINTER}."
            advice = f"Name `{PROTOCOL}` in it."
            yield finding("I07", path, 1, "", problem, advice)


def _other_case(root: str, name: str) -> str:
    """The name of a file that differs from name in case only, and is there alone."""
    with suppress(OSError):
        names = os.listdir(root)
        same = [other for other in names if other.lower() == name.lower()]
        if name not in same and len(same) == 1:
            return same[0]
    return ""


def _conflicts(root: str, choices: dict[str, Any]) -> Findings:
    """Report files that were laid down and contain merge conflicts.

    A file that had none is read again only when its size or time changes.
    """
    before: dict[str, tuple[int, int]] = cache.load("no-conflicts", dict) or {}
    after: dict[str, tuple[int, int]] = {}
    for path, mark in _marks(root, choices):
        full = os.path.join(root, path)
        line = 0
        if before.get(full) != mark:
            with suppress(OSError, ValueError):
                data = read_bytes(os.path.realpath(full), MAX_FILE)
                line = _conflict_line(data)
        if line:
            yield finding("I10", path, line)
        else:
            after[full] = mark
    if after != before:
        cache.save("no-conflicts", after)


def _marks(root: str, choices: dict[str, Any]) -> list[tuple[str, tuple[int, int]]]:
    """The files that were laid down, each with its size and time."""
    marks = _marks_below(root, SKILL)
    for path in choices.get("copies", []):
        with suppress(OSError, ValueError):
            info = os.stat(os.path.join(root, path))
            marks.append((path, (info.st_size, info.st_mtime_ns)))
    return marks


def _marks_below(root: str, folder: str) -> list[tuple[str, tuple[int, int]]]:
    """The files of a folder with size and time, without what Python caches."""
    marks: list[tuple[str, tuple[int, int]]] = []
    with suppress(OSError), os.scandir(os.path.join(root, folder)) as listing:
        for item in listing:
            path = f"{folder}/{item.name}"
            if item.is_dir(follow_symlinks=False):
                if item.name != "__pycache__":
                    marks += _marks_below(root, path)
            else:
                info = item.stat()
                marks.append((path, (info.st_size, info.st_mtime_ns)))
    return marks


def _conflict_line(data: bytes) -> int:
    """The line at which a merge conflict begins, or 0. Markers may be longer than 7."""
    data = b"\n" + data
    start = data.find(b"\n<<<<<<<")
    if start < 0 or data.find(b"\n>>>>>>>", start) < 0:
        return 0
    return data.count(b"\n", 0, start) + 1


def _hidden(root: str, ignored: dict[str, Ignored], tracked: set[str]) -> Findings:
    """Report files that git should not ignore, and desks that it should."""
    ours = [
        path
        for path in ignored
        if path in (PROTOCOL, CHOICES) or path.startswith(f"{STORE}/")
    ]
    for rule in dict.fromkeys(ignored[path] for path in ours if path != _DESK):
        paths = [path for path in ours if ignored[path] == rule and path != _DESK]
        yield _hiding(root, rule, paths)
    hides = ignored.get(POINTER)
    if hides and POINTER not in tracked and PROTOCOL in _text(root, POINTER):
        problem = f"{_sentence(POINTER, hides)} No clone has it."
        advice = "Commit it, or let what makes it name the protocol in each clone."
        yield finding("I03", POINTER, 1, "", problem, advice, mild=True)
    if _DESK not in ignored:
        yield finding("I05", _IGNORE)
    if PROTOCOL not in tracked and PROTOCOL not in ignored:
        yield from _hidden_by_person(root)


def _hidden_by_person(root: str) -> Findings:
    """Report a personal rule, for all repositories, that hides the protocol."""
    place = _unlinked(root, PROTOCOL)
    if place:
        rules = git.ignore_rules(root, [place], personal=True)
        for rule in rules.values():
            yield _hiding(root, Ignored(*rule), [PROTOCOL], personal=True)


def _hiding(
    root: str, rule: Ignored, paths: list[str], personal: bool = False
) -> Finding:
    """The finding about a rule that hides parts of the memory.

    personal: the rule is not in the repository, so other people see these parts.
    """
    first = paths[0]
    if _is_missing(root, first):
        first = os.path.dirname(first)
    more = len(paths) - 1
    others = f" and {more} more" if more else ""
    problem = f"{_sentence(f'this path{others}', rule)} No clone has what it hides."
    advice = f"Change that rule, until `git check-ignore -v {paths[0]}` prints nothing."
    return finding("I04", first, 1, "", problem, advice, mild=personal)


def _sentence(what: str, rule: Ignored) -> str:
    return f"Git ignores {what}, by the rule `{rule.pattern}` in `{rule.source}`."


def _text(root: str, path: str) -> str:
    """The text of a file others write, maybe through a link; empty for none."""
    try:
        return decode(read_bytes(os.path.realpath(os.path.join(root, path)), MAX_FILE))
    except (OSError, ValueError):
        return ""


def _choices(root: str) -> dict[str, Any]:
    """The answers given at the prompt, as the template wrote them."""
    try:
        choices = parse_json(_text(root, CHOICES))
        expects = choices.get("expects", {}).values()
        names = [choices.get(key, []) for key in ("copies", "bridges", "hosts")]
        names.append([*choices.get("instead", {}).values()])
        fine = "\0" not in "".join(map("".join, [*names, *expects]))
        return choices if fine else {}
    except (ValueError, RecursionError, TypeError, AttributeError):
        return {}


def _second_stores(root: str) -> Findings:
    """Report stores above, up to the git root, and in the first folders below."""
    above = (git.inside(root) or "").count("/")
    folders = ["../" * up for up in range(above, 0, -1)]
    below = [""]
    for folder in below:
        with suppress(OSError), os.scandir(os.path.join(root, folder)) as listing:
            items = {item.name: item for item in listing}
            if folder and ".git" in items:
                continue
            folders.append(folder)
            for name, item in items.items():
                passed = name[0] == "." or name in _PASSED or len(below) >= MAX_FOLDERS
                if not passed and item.is_dir(follow_symlinks=False):
                    below.append(f"{folder}{name}/")
    for folder in folders:
        if folder and os.path.isdir(os.path.join(root, folder, STORE)):
            yield finding("I08", folder + STORE)
