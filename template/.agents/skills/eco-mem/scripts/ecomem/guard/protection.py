"""Files that an agent must not change: the gate, its allow file, the registrations.

A registration may be edited, as long as each entry of ours stays with its event and its
tools, and nothing is added that turns hooks off.
"""

from __future__ import annotations

import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING, parse_json
from ecomem.guard.places import (
    REGISTRATIONS,
    SCRIPTS,
    Touch,
    is_copy,
    kind_of,
    read_text,
)

if TYPE_CHECKING:
    from typing import Any


MARK = f"{SCRIPTS}/hook.py"
OWNED = (".github/hooks/eco-mem.json", ".opencode/plugin/eco-mem.js")
CHANGES = ("write", "delete", "shell", "unclear", "ours")
# Keys that turn all hooks of a host off, with the values that do.
SWITCHES = {
    ("disableAllHooks",): (True,),
    ("hooksConfig", "enabled"): (False,),
    ("hooks", "enabled"): (False,),
    ("tools", "enableHooks"): (False,),
    ("enableHooks",): (False,),
    ("features", "hooks"): (False,),
}
TOML_OFF = re.compile(r"(?m)^\s*(?:features\.)?(?:codex_)?hooks\s*=\s*false\b")


def protects(touch: Touch) -> bool:
    """Return whether a touch changes something that only a person changes."""
    if touch.verb not in CHANGES:
        return False
    kind, path = kind_of(touch.path), touch.path
    if kind == "gate":
        return True
    if kind == "above":
        return touch.verb != "write" and path != ".agents/memory"
    if kind == "hosts":
        return touch.verb == "delete" and _registered_below(touch.root, path)
    if kind != "host":
        return False
    old = read_text(os.path.join(touch.root, path)) or ""
    if is_copy(path):
        return os.path.exists(os.path.join(touch.root, path))
    low = path.lower()
    if low in OWNED:
        return MARK in old and touch.text != old
    if low.endswith((".local.json", "config.toml")) and MARK not in old:
        return _turns_off(touch, old)
    if MARK not in old:
        return False
    if touch.verb != "write" or touch.text is None:
        return True
    return _loses(old, touch.text)


def _registered_below(root: str, folder: str) -> bool:
    """Return whether a folder has a registration of ours, or a copy of the skill."""
    for path in (*REGISTRATIONS, f"{folder.split('/')[0]}/skills/eco-mem/SKILL.md"):
        if path.startswith(f"{folder}/"):
            text = read_text(os.path.join(root, path))
            if text and (MARK in text or path.endswith("SKILL.md")):
                return True
    return False


def _turns_off(touch: Touch, old: str) -> bool:
    """Return whether a file with only settings may turn a registration off."""
    folder = touch.path.split("/")[0]
    if touch.verb == "delete" or not _registered_below(touch.root, folder):
        return False
    if touch.verb != "write" or touch.text is None:
        return True
    if touch.path.endswith(".toml"):
        return bool(TOML_OFF.search(touch.text)) and not TOML_OFF.search(old)
    return bool(_off(_parsed(touch.text)) - _off(_parsed(old)))


def _loses(old: str, new: str) -> bool:
    """Return whether new settings lack an entry of ours, or turn hooks off."""
    before, after = _parsed(old), _parsed(new)
    if before is None:  # with comments, say: compare lines
        ours = [line.strip(" ,\t") for line in old.split("\n") if MARK in line]
        return any(new.count(line) < old.count(line) for line in ours)
    if after is None or _off(after) - _off(before):
        return True
    kept = _entries(after)
    return any(entry not in kept for entry in _entries(before))


def _parsed(text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        return None


def _off(data: Any) -> set[tuple[str, ...]]:
    """The switches in settings that turn hooks off."""
    found: set[tuple[str, ...]] = set()
    for keys, values in SWITCHES.items():
        value = data
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if value in values and value is not None:
            found.add(keys)
    disabled = data.get("hooks") if isinstance(data, dict) else None
    if isinstance(disabled, dict) and disabled.get("disabled"):
        found.add(("hooks", "disabled"))
    return found


def _entries(data: Any) -> list[str]:
    """Our entries in hook settings: event, tools and handler."""
    import json

    found: list[str] = []
    if not isinstance(data, dict):
        return found
    hooks = data.get("hooks")
    events = hooks if isinstance(hooks, dict) else data
    for event, groups in events.items():
        for group in groups if isinstance(groups, list) else ():
            if not isinstance(group, dict):
                continue
            handlers = group.get("hooks")
            for handler in handlers if isinstance(handlers, list) else [group]:
                if MARK in json.dumps(handler):
                    entry = [event, group.get("matcher"), handler]
                    found.append(json.dumps(entry, sort_keys=True))
    return found
