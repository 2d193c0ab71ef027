"""Paths that a tool call touches: file tools, patches, and commands in them.

Hosts and servers name tools and parameters as they like. Each path among the parameters
is judged with each text; a command is judged as a command whatever else is there.
"""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING, Iterator, NamedTuple
from ecomem.guard.places import Place, Touch, kind_of

if TYPE_CHECKING:
    from typing import Any


COMMANDS = (
    "command",
    "cmd",
    "script",
    "commands",
    "input",
    "patch",
    "patchText",
    "code",
)
TEXTS = (
    "content",
    "file_text",
    "contents",
    "text",
    "insert_text",
    "new_content",
    "data",
)
OLD = ("old_string", "old_str", "oldString", "oldText", "old_text", "oldStr")
NEW = ("new_string", "new_str", "newString", "newText", "new_text", "newStr")
FOLDERS = ("workdir", "directory", "dir_path", "cwd", "working_directory")
EDITS = ("edits", "changes", "replacements", "operations")
# Parameters that are prose or a pattern of text, and never a path.
PROSE = [
    "description",
    "prompt",
    "query",
    "pattern",
    "regex",
    "explanation",
    "reason",
    "title",
    "message",
    "search",
    "instructions",
    "summary",
    "task",
    "objective",
    "url",
    "status",
]
GLOBS = (
    "glob",
    "glob_pattern",
    "include",
    "include_pattern",
    "file_pattern",
    "includes",
)
READ = ("read", "view", "open", "show", "get", "fetch")
MANY = ("many", "multiple")
NAMES = ("glob", "list", "tree", "stat", "info", "exists", "directory")
SEARCH = ("grep", "search", "ripgrep", "find", "codebase")
WRITE = (
    "write",
    "edit",
    "create",
    "replace",
    "insert",
    "append",
    "save",
    "update",
    "put",
)
DELETE = ("delete", "remove", "trash", "unlink")
MOVE = ("move", "rename", "copy", "mv", "cp", "link")
EDITORS = ("str_replace", "editor", "text_edit")
BEGIN, END = "*** Begin Patch", "*** End Patch"


def touches(
    name: str, given: dict[str, Any], place: Place, also: tuple[str, ...] = ()
) -> Iterator[Touch]:
    """Return what one call touches, by the lower-case name of its tool and parameters.

    also: absolute folders that a command must not change besides.
    """
    yield from _commands(name, given, place, also)
    paths = [*dict.fromkeys(_paths(given, ""))]
    guarded = [(r, p, w) for w in paths for r, p in place.expand(w) if _matters(p)]
    action = _action(name, given)
    if action == "search" or (guarded and action == "names"):
        yield from _searched(given, paths, place, action)
        return
    for root, path, word in guarded:
        yield from _one(action, root, path, word, given, place)


def _matters(path: str) -> bool:
    return kind_of(path) != ""


def _commands(
    name: str, given: dict[str, Any], place: Place, also: tuple[str, ...]
) -> Iterator[Touch]:
    """The commands among the parameters, each from every folder that is given."""
    folders = [given[key] for key in FOLDERS if isinstance(given.get(key), str)]
    places = [place, *(place.at(folder) for folder in folders)]
    for key in COMMANDS:
        value = given.get(key)
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = _joined(value)
        if not isinstance(value, str):
            continue
        if "patch" in name or key in ("patch", "patchText"):
            yield from patched(value, place)
        else:
            from ecomem.guard import shell

            for at in dict.fromkeys(places):
                yield from shell.touches(value, at, also)


def _joined(parts: list[str]) -> str:
    """The parts of a command that a host hands over one by one."""
    from shlex import quote

    return " ".join(map(quote, parts))


def _paths(value: Any, key: str) -> Iterator[str]:
    """All texts among the parameters that may be paths."""
    if isinstance(value, dict):
        for inner, item in value.items():
            if inner not in (*TEXTS, *OLD, *NEW, *COMMANDS, *PROSE) or inner in EDITS:
                yield from _paths(item, str(inner))
    elif isinstance(value, list):
        for item in value[:200]:
            yield from _paths(item, key)
    elif isinstance(value, str) and 0 < len(value) < 4096 and "\n" not in value:
        word = value[7:] if value.startswith("file://") else value
        yield word if key not in GLOBS else _as_pattern(word)


def _as_pattern(word: str) -> str:
    from ecomem.guard.places import ANY, ONE, STAR

    return word.replace("**", ANY).replace("*", STAR).replace("?", ONE)


def _action(name: str, given: dict[str, Any]) -> str:
    """Return the kind of a tool, by its name; an editor has a verb that decides."""
    has_text = any(key in given for key in (*TEXTS, *NEW, *EDITS))
    parts = set(re.split(r"[^a-z]+", name))
    if any(mark in name for mark in EDITORS):
        return "read" if given.get("command") == "view" and not has_text else "write"
    if parts & {*DELETE} or any(mark in name for mark in DELETE):
        return "delete"
    if any(name.endswith(mark) or mark in parts for mark in MOVE):
        return "move"
    if any(mark in name for mark in WRITE):
        return "write"
    if "ls" in parts or any(part.startswith(NAMES) for part in parts):
        return "names"
    if any(mark in name for mark in SEARCH):
        return "search"
    if "cat" in parts or any(part.startswith(READ) for part in parts):
        return "many" if any(mark in name for mark in MANY) else "read"
    return "write" if has_text else "unknown"


def _searched(
    given: dict[str, Any], paths: list[str], place: Place, action: str
) -> Iterator[Touch]:
    """A search of the host: names are harmless, a folder of the store is a sweep."""
    modes = {str(given.get(key)) for key in ("output_mode", "outputMode", "mode")}
    if action == "names" or modes & {"files_with_matches", "count", "file_paths"}:
        return
    globs = [given[key] for key in GLOBS if isinstance(given.get(key), str)]
    for glob in globs:
        if "INDEX.md" in glob:
            return
    bases = [word for word in paths if _as_pattern(word) not in map(_as_pattern, globs)]
    for word in paths:
        hits = {*place.expand(word)}
        for base in bases:
            hits |= {*place.at(base).expand(word)}
        entries = [hit for hit in hits if kind_of(hit[1]) == "entry"]
        folders = [
            hit for hit in hits if kind_of(hit[1]) in ("drawer", "store", "above")
        ]
        folders = [hit for hit in folders if hit[1] != ".agents/skills"]
        wild = _as_pattern(word) != word or any(g.strip("/") == word for g in globs)
        if folders or len(entries) > 1:
            named = any(hit[1].endswith("/working") for hit in folders)
            if not (named and len(folders) == 1) and not (wild and not entries):
                yield Touch("sweep", place.root, ".agents/memory")
        else:
            yield from (Touch("open", root, path) for root, path in entries)


def _one(
    action: str, root: str, path: str, word: str, given: dict[str, Any], place: Place
) -> Iterator[Touch]:
    """Return the effect of a call on one guarded path."""
    kind = kind_of(path)
    folder = kind in ("drawer", "store", "above")
    if action == "many" and folder:
        yield Touch("sweep", root, path)
    elif action in ("read", "many"):
        if not folder:
            yield Touch("open", root, path)
    elif action == "names":
        return
    elif action == "delete":
        yield Touch("delete", root, path)
    elif action == "move":
        yield Touch("delete" if "copy" not in word else "open", root, path)
        if kind in ("entry", "map", "odd"):
            yield Touch("shell", root, path)
    elif action == "write":
        for text, origin in results(place._replace(root=root).text(path), given):
            yield Touch("write", root, path, text, origin)
    elif kind in ("entry", "desk", "map"):
        yield Touch("open", root, path)
    elif kind not in ("hosts", "drawer", "store", "above"):
        yield Touch("unclear", root, path)


class Edit(NamedTuple):
    """One replacement."""

    old: str
    new: str
    everywhere: bool


def results(old: str | None, given: dict[str, Any]) -> Iterator[tuple[str | None, str]]:
    """Each text that a file may have after a call, and why one is not known.

    More than one, where parameters contradict each other: hosts differ in which counts.
    """
    wholes = [given[key] for key in TEXTS if isinstance(given.get(key), str)]
    yield from ((text, "") for text in dict.fromkeys(wholes) if not _inserts(given))
    top = [*_edits([given])]
    listed = [
        edit
        for key in EDITS
        if isinstance(given.get(key), list)
        for edit in _edits(given[key])
    ]
    for edits in filter(None, (top, listed)):
        text = old
        for edit in edits:
            text = _applied(text, edit)
            if text is None:
                break
        yield text, "" if text is not None else "inexact"
    inserted = [given[key] for key in (*TEXTS, *NEW) if isinstance(given.get(key), str)]
    if _inserts(given):
        yield from ((f"{old or ''}\n{text}", "") for text in inserted)
    elif not (wholes or top or listed) and not _empty_edits(given):
        yield None, "unseen"


def _empty_edits(given: dict[str, Any]) -> bool:
    """Return whether a call has an empty list of edits, so that it changes nothing."""
    lists = [given[key] for key in EDITS if isinstance(given.get(key), list)]
    items = [item for items in lists for item in items]
    return bool(lists) and not any(isinstance(item, (dict, str)) for item in items)


def _inserts(given: dict[str, Any]) -> bool:
    return "insert_line" in given or "insert_text" in given


def _edits(items: list[Any]) -> Iterator[Edit]:
    """The replacements in a list of parameters."""
    for item in items:
        if not isinstance(item, dict):
            continue
        olds = [item[key] for key in OLD if isinstance(item.get(key), str)]
        news = [item[key] for key in NEW if isinstance(item.get(key), str)]
        everywhere = bool(item.get("replace_all") or item.get("replaceAll"))
        for old in olds:
            for new in news or [""]:
                yield Edit(old, new, everywhere)


def _applied(text: str | None, edit: Edit) -> str | None:
    """A text after a replacement; None where the old text does not occur exactly."""
    if not edit.old:
        return f"{text or ''}{edit.new}"
    if not text or edit.old not in text:
        return None
    return text.replace(edit.old, edit.new, -1 if edit.everywhere else 1)


# Patches, as Codex reads them.


def patched(patch: str, place: Place) -> Iterator[Touch]:
    """Return what a patch adds, changes, moves and deletes."""
    lines = patch.strip().split("\n")
    while lines and lines[-1].strip() in ("", "EOF", "'"):
        lines.pop()
    start = next((at for at, line in enumerate(lines) if BEGIN in line), -1)
    lines = lines[start + 1 :]
    if lines and lines[-1].strip() == END:
        lines.pop()
    at = 0
    while at < len(lines):
        head = lines[at].strip()
        verb, found, name = head.partition(" File: ")
        at += 1
        if not found or verb not in ("*** Add", "*** Update", "*** Delete"):
            if head and (".agents" in head.lower() or head.startswith("***")):
                yield Touch("unclear", place.root, ".agents/memory")
            continue
        root, path = place.locate(name.strip())
        if verb == "*** Delete":
            yield Touch("delete", root, path)
        elif verb == "*** Add":
            added: list[str] = []
            while at < len(lines) and lines[at][:1] == "+":
                added.append(lines[at][1:])
                at += 1
            yield Touch("write", root, path, "".join(f"{line}\n" for line in added))
        else:
            body: list[str] = []
            while at < len(lines) and not _is_header(lines[at]):
                body.append(lines[at])
                at += 1
            yield from _updated(root, path, body, place)


def _is_header(line: str) -> bool:
    head = line.strip()
    return head.startswith("*** ") and " File: " in head and line[:1] not in "+-"


def _updated(root: str, path: str, body: list[str], place: Place) -> Iterator[Touch]:
    """Return the effect of an update in a patch."""
    move = body[0].strip() if body else ""
    text = place._replace(root=root).text(path) if kind_of(path) else None
    if move.startswith("*** Move to:"):
        yield Touch("delete", root, path)
        root, path = place.locate(move[len("*** Move to:") :].strip())
        body = body[1:]
        if kind_of(path) and text is None:
            yield Touch("write", root, path, None, "unseen")
            return
    if not kind_of(path):
        return
    new = _hunks((text or "").split("\n"), body)
    yield Touch("write", root, path, new, "" if new is not None else "inexact")


def _hunks(lines: list[str], body: list[str]) -> str | None:
    """The text after the hunks of an update; None where one does not fit exactly."""
    if lines and not lines[-1]:
        lines = lines[:-1]
    cursor, hunk = 0, list[str]()
    for line in [*body, "@@"]:
        if line.strip() == "*** End of File":
            continue
        if not line.startswith("@@"):
            hunk.append(line)
            continue
        if hunk:
            done = _hunk(lines, hunk, cursor)
            if done is None:
                return None
            lines, cursor = done
        hunk = []
        found = _find(lines, [line[2:]], cursor, str.strip) if line[2:].strip() else -1
        cursor = found + 1 if found >= 0 else cursor
    return "\n".join([*lines, ""])


def _hunk(
    lines: list[str], hunk: list[str], cursor: int
) -> tuple[list[str], int] | None:
    """The lines after one hunk, and where it ended; None where it does not fit."""
    old = [line[1:] for line in hunk if line[:1] != "+"]
    new = [line[1:] for line in hunk if line[:1] != "-"]
    if not any(map(str.strip, old)) and len(new) > len(old):
        return [*lines, *new], len(lines) + len(new)
    at = _find(lines, old, cursor, str.rstrip)
    while at < 0 and old and not old[-1].strip():  # an empty line after the hunk
        old, new = old[:-1], new[:-1] if not new[-1:] or not new[-1].strip() else new
        at = _find(lines, old, cursor, str.rstrip)
    if at < 0 or not old:
        return None
    return [*lines[:at], *new, *lines[at + len(old) :]], at + len(new)


def _find(lines: list[str], wanted: list[str], start: int, plain: Any) -> int:
    """Return where lines occur, compared by plain; -1 for nowhere."""
    aim = [*map(plain, wanted)]
    for at in range(start, len(lines) - len(aim) + 1):
        if [*map(plain, lines[at : at + len(aim)])] == aim:
            return at
    return -1
