"""What makes the store known and usable in this project (family I)."""

from __future__ import annotations

import os
from typing import Any

from findings import Findings, found
from gitcli import git, work_tree
from store import DRAWERS, DURABLE, STORE, decode, read_bytes

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
    copies = [
        copy
        for copy in choices.get("copies", [])
        if os.path.realpath(os.path.join(root, copy))
        == os.path.join(top, *copy.split("/"))
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
        text = _text(root, path)
        leads = "AGENTS.md" in text or PROTOCOL in text
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
        fine = all("\0" not in str.strip(item) for items in lists for item in items)
        return choices if fine else {}
    except (ValueError, RecursionError, TypeError, AttributeError):
        return {}


def _second_stores(root: str) -> Findings:
    """Stores above, up to the git root, and below, in the first few hundred folders."""
    top, above = work_tree(root), os.path.dirname(root)
    while top and above.startswith(top) and above != os.path.dirname(above):
        if os.path.isdir(os.path.join(above, STORE)):
            path = os.path.join(os.path.relpath(above, root), STORE)
            yield found(path.replace(os.sep, "/"), 1, "I08")
        above = os.path.dirname(above)
    folders = [""]
    for folder in folders:
        try:
            items = list(os.scandir(os.path.join(root, folder)))
        except OSError:
            continue
        if folder and any(item.name == ".git" for item in items):
            continue
        if folder and os.path.isdir(os.path.join(root, folder, STORE)):
            yield found(folder + STORE, 1, "I08")
        for item in items:
            passed = item.name[0] == "." or item.name in _PASSED
            full = len(folders) >= MAX_FOLDERS
            if not (passed or full) and item.is_dir(follow_symlinks=False):
                folders.append(f"{folder}{item.name}/")
