"""What makes the store known and usable in this project (family I)."""

from __future__ import annotations

import os
from contextlib import suppress

from ecomem.cheap_imports import TYPE_CHECKING
from ecomem.findings import Findings, found
from ecomem.git import git, inside
from ecomem.store import DRAWERS, DURABLE, STORE, decode, read_bytes

if TYPE_CHECKING:
    from typing import Any

PROTOCOL = ".agents/skills/eco-mem/SKILL.md"
CHOICES = ".agents/skills/eco-mem/eco-mem.json"
MAX_FILE = 1024 * 1024
MAX_FOLDERS = 400

_SHOWN = [PROTOCOL, *(f"{STORE}/{drawer}/INDEX.md" for drawer in DRAWERS)]
_SHOWN += [f"{STORE}/{drawer}/an-entry.md" for drawer in DURABLE]
_DESK = f"{STORE}/working/a-desk.md"
_PASSED = ("node_modules", "vendor", "target", "dist", "build", "venv")


def check(root: str) -> Findings:
    """All findings of family I for the project at root."""
    protocol, choices = _text(root, PROTOCOL), _choices(root)
    if not protocol:
        yield found(PROTOCOL, 1, "I01")
    if not choices:
        yield found(CHOICES, 1, "I06")
    if PROTOCOL not in _text(root, "AGENTS.md"):
        yield found("AGENTS.md", 1, "I03")
    top = os.path.realpath(root)
    copies = [  # git refuses to look behind links
        copy
        for copy in choices.get("copies", [])
        if os.path.realpath(f"{top}/{copy}") == os.path.normpath(f"{top}/{copy}")
    ]
    asked = ("check-ignore", "--no-index", "--", *_SHOWN, _DESK, *copies)
    ignored = git(root, *asked).splitlines()
    yield from (found(path, 1, "I04") for path in _SHOWN if path in ignored)
    if _DESK not in ignored and git(root, "rev-parse", "--git-dir"):
        yield found(f"{STORE}/working/.gitignore", 1, "I05")
    for copy in copies:
        if copy in ignored:
            yield found(copy, 1, "I09")
        elif protocol and _text(root, copy) != protocol:
            yield found(copy, 1, "I02")
    for path, words in choices.get("expects", {}).items():
        text = _text(root, path)
        if any(text.count(word) < words.count(word) for word in words):
            yield found(path, 1, "I07")
    for path in choices.get("bridges", []):
        leads = any(name in _text(root, path) for name in ("AGENTS.md", PROTOCOL))
        if not leads and os.path.exists(os.path.join(root, path)):
            yield found(path, 1, "I07")
    yield from _second_stores(root)


def _text(root: str, path: str) -> str:
    """The text of a file others write, maybe through a link; empty for none."""
    try:
        return decode(read_bytes(os.path.realpath(os.path.join(root, path)), MAX_FILE))
    except (OSError, ValueError):
        return ""


def _choices(root: str) -> dict[str, Any]:
    """What was chosen at the prompt, as the template wrote it."""
    import json

    try:
        choices = json.loads(_text(root, CHOICES))
        expects = choices.get("expects", {}).values()
        lists = [choices.get("copies", []), choices.get("bridges", []), *expects]
        fine = "\0" not in "".join(map("".join, lists))
        return choices if fine else {}
    except (ValueError, RecursionError, TypeError, AttributeError):
        return {}


def _second_stores(root: str) -> Findings:
    """Stores above, up to the git root, and below, in the first few hundred folders."""
    folders = ["../" * up for up in range((inside(root) or "").count("/"), 0, -1)]
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
            yield found(folder + STORE, 1, "I08")
