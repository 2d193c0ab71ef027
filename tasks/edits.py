"""Our part of each kind of file: how a text gets it and how it loses it again.

Each function maps the text of a file to its new text; None stands for no file.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import blocks
import json_edit
from files import Refused

ROOM = "eco-mem"  # keeps a list from being empty for a moment
MAX_READ = 32 * 1024  # bytes of AGENTS.md that Codex reads (project_doc_max_bytes)


class Target(NamedTuple):
    """The state that our part of one file is to be in."""

    wanted: bool
    before: list[str] | None  # what an earlier version put there, None for nothing


class UserChanged(Exception):
    """The refusal to change a file whose part of ours the user edited or removed."""


def in_markdown(old: str | None, target: Target, inner: str, title: str) -> str | None:
    """Put a block after the text of a Markdown file; `# title` heads a new file.

    Where a host would not read that far, the block goes near the top.
    """
    text = old or ""
    region = blocks.find(text, blocks.MARKDOWN, inner)
    if region is None:
        if not target.wanted:
            return old
        if target.before is not None:
            raise UserChanged("our block is gone, and an update does not put it back")
        new = blocks.append(text or f"# {title}\n", blocks.MARKDOWN, inner)
        if len(new.encode()) > MAX_READ:
            return blocks.insert_near_top(text, blocks.MARKDOWN, inner)
        return new
    if region.edited:
        raise UserChanged("our block was edited by hand")
    if target.wanted:
        return blocks.replace(text, region, blocks.MARKDOWN, inner)
    rest = blocks.remove(text, region)
    return None if is_bare(rest, title) else rest


class Bridge(NamedTuple):
    """The way in which a host with a file of its own is led to AGENTS.md."""

    line: str  # what takes AGENTS.md in, as this file must write it
    create: bool  # make the file where there is none
    needed: bool  # False if the host reads AGENTS.md anyway


def in_bridge(
    old: str | None, target: Target, inner: str, title: str, bridge: Bridge
) -> str | None:
    """Like in_markdown, for a file that its host loads in place of AGENTS.md.

    A file that holds nothing but our part takes AGENTS.md in with one line. One that
    takes it in by itself needs no part of ours.
    """
    text = old or ""
    region = blocks.find(text, blocks.MARKDOWN, inner)
    rest = blocks.remove(text, region) if region else text
    bare = is_bare(rest, title)
    if bare or (region and bridge.line in region.inner):
        inner = bridge.line
    needed = (
        bridge.needed
        and not takes_in_agents(rest, bridge.line)
        and (bridge.create or not bare)
    )
    target = target._replace(wanted=target.wanted and needed)
    return in_markdown(old, target, inner, title)


def is_read(text: str) -> bool:
    """Return whether the block of a Markdown file lies where every host reads it."""
    end = text.rfind(blocks.MARKDOWN.line("end"))
    return end < 0 or len(text[:end].encode()) <= MAX_READ


def is_bare(text: str, title: str) -> bool:
    """Return whether a Markdown file is as empty as one that we created."""
    return text.strip() in ("", f"# {title}")


def takes_in_agents(text: str, line: str = "@AGENTS.md") -> bool:
    """Return whether Markdown imports AGENTS.md, outside code and comments.

    `line` is the import; a `./` in it makes no difference.
    """
    code = r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)|`[^`\n]*`|<!--.*?-->"
    prose = re.sub(code, "", text, flags=re.MULTILINE | re.DOTALL)
    way = re.escape(line.removeprefix("@").removeprefix("./"))
    return re.search(rf"(?<!\S)@(\./)?{way}\b", prose) is not None


def in_contract(
    old: str | None, _: Target, inner: str, released: Callable[[], Iterable[str]]
) -> str | None:
    """Put the contract of a drawer into its INDEX.

    Only a contract that was ever `released` is replaced, and what a merge made of two
    of them: anything else between the markers is a row, a note or an edit of the user,
    and the whole file stays.
    """
    if old is None:
        return None
    try:
        region = blocks.find(old, blocks.CONTRACT, inner)
    except blocks.BadMarkers:
        region = blocks.find(old, blocks.CONTRACT, inner, released())
    if region is None:
        return blocks.insert_under_title(old, blocks.CONTRACT, inner)
    if region.edited and not _was_released(region.inner, released()):
        raise UserChanged(
            "the text between its contract markers is not a contract of ours alone. "
            "Move your rows and notes below the end marker; the next update then "
            "writes the new contract"
        )
    return blocks.replace(old, region, blocks.CONTRACT, inner)


def _was_released(inner: str, released: Iterable[str]) -> bool:
    """Return whether a contract is empty or, formatting aside, one of `released`."""
    written = blocks.words(inner)
    return not written or any(blocks.words(text) == written for text in released)


def seeded(
    old: str | None,
    target: Target,
    text: str,
    change: Callable[[str | None, Target], str | None],
) -> str | None:
    """Lay down a whole INDEX where there is none, else change only its contract."""
    return change(text if old is None else old, target)


def derived(old: str | None, target: Target, text: str) -> str | None:
    """Make a file a copy of `text`, or no file if it was a copy that we made."""
    if not target.wanted:
        return old if target.before is None else None
    if old is not None and old.replace("\r\n", "\n") == text:
        return old  # as git checked it out on this machine
    return text


def as_it_is(_old: str | None, _: Target, text: str) -> str:
    """Make `text` the whole file."""
    return text


def in_json(
    old: str | None, target: Target, key: Sequence[str], entries: Sequence[str]
) -> str | None:
    """Put entries at the end of a list in a JSON file."""
    try:
        return _in_json(old, target, key, entries)
    except json_edit.BadJson:
        wanted = [entry in (old or "") for entry in entries]
        if all(wanted) if target.wanted else not any(wanted):
            return old  # by hand, it seems
        raise


def _in_json(
    old: str | None, target: Target, key: Sequence[str], entries: Sequence[str]
) -> str | None:
    text = old if old and old.strip() else "{}\n"
    before = target.before or []
    there = json_edit.entries(text, key)
    if not target.wanted:
        new = json_edit.drop(text, key, [*entries, *before])
        return old if new == text else None if json_edit.is_void(new) else new
    new = json_edit.drop(text, key, [e for e in before if e not in entries])
    missing = [entry for entry in entries if entry not in there]
    added = [entry for entry in missing if entry not in before]
    if there and added:  # ours stand together in one order, as in a fresh copy
        ours = [entry for entry in entries if entry in there or entry in added]
        new = json_edit.drop(json_edit.add(new, key, [ROOM]), key, ours)
        new = json_edit.drop(json_edit.add(new, key, ours), key, [ROOM])
    else:
        new = json_edit.add(new, key, added)
    if new == text and missing:
        raise UserChanged("our entries are gone, and an update does not put them back")
    return new if new != text else old


def in_hooks(
    old: str | None,
    target: Target,
    entries: Mapping[str, Any],
    bare: Mapping[str, Any],
    mark: str,
) -> str | None:
    """Put an entry at the end of the list of each event under `hooks` in a JSON file.

    `bare` is what a file that we create holds besides; our entries hold `mark`.
    """
    text = old if old and old.strip() else f"{json.dumps(bare, indent=2)}\n"
    if mark not in text and not target.wanted:
        return old
    there = _marked_hooks(text, mark)
    if target.wanted and target.before and len(there) < len(target.before):
        if not there:
            raise UserChanged(
                "our hooks are gone, and an update does not put them back"
            )
        entries = {event: entries[event] for event in there if event in entries}
    if target.wanted and there == {event: [entry] for event, entry in entries.items()}:
        return old
    new = json_edit.drop_marked(text, mark)
    if not target.wanted:
        return None if json.loads(new) == bare else new
    for event, entry in entries.items():
        new = json_edit.add(new, ["hooks", event], [entry])
    return new


def _marked_hooks(text: str, mark: str) -> dict[str, list[Any]]:
    """Return what a hook file holds of ours, by event."""
    try:
        hooks = json.loads(text).get("hooks", {})
        ours = {
            event: [entry for entry in entries if mark in json.dumps(entry)]
            for event, entries in hooks.items()
        }
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise json_edit.BadJson("its hooks are not plain JSON") from error
    return {event: entries for event, entries in ours.items() if entries}


def in_toml(
    old: str | None,
    target: Target,
    key: Sequence[str],
    entries: Sequence[str],
    line: str,
) -> str | None:
    """Put one line, a dotted key, before everything else in a TOML file."""
    text = old or ""
    region = blocks.find(text, blocks.TOML, line)
    if region and region.edited:
        raise UserChanged("our line was edited by hand")
    if not target.wanted:
        rest = blocks.remove(text, region) if region else text
        return old if not region else rest if rest.strip() else None
    if region:
        new = blocks.replace(text, region, blocks.TOML, line)
    else:
        values = _toml(text)
        if set(entries) <= set(map(str, _list_at(values, key))):
            return old
        if target.before is not None:
            raise UserChanged("our line is gone, and an update does not put it back")
        if key[0] in values:
            raise Refused(f"it configures {key[0]} itself")
        new = blocks.prepend(text, blocks.TOML, line)
    _toml(new)
    return new


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused(f"it is not valid TOML ({error})") from error


def _list_at(values: Mapping[str, Any], key: Sequence[str]) -> list[Any]:
    found: Any = values
    for name in key:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, list) else []
