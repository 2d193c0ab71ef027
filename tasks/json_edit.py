"""Entries of one list inside a JSON text, changed without touching any other byte."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple


class Node(NamedTuple):
    """An object, a list or a plain value, and its place in the text."""

    start: int
    end: int
    value: Any  # decoded, for a plain value
    members: tuple[Member, ...]


class Member(NamedTuple):
    """One member of an object, or of a list: then without a key."""

    start: int
    key: str
    node: Node


class BadJson(ValueError):
    """The text is not JSON, or holds something else where the list belongs."""


def entries(text: str, key: Sequence[str]) -> list[Any]:
    """Return the plain values in the list at `key`; empty if there is no list."""
    way = _way(text, key)
    if len(way) <= len(key):
        return []
    return [m.node.value for m in way[-1].members if not m.node.members]


def add(text: str, key: Sequence[str], new: Sequence[Any]) -> str:
    """Return `text` with `new` at the end of the list at `key`, made where missing."""
    for at, entry in enumerate(new):
        way = _way(text, key)
        missing = key[len(way) - 1 :]
        if missing:
            value: Any = list(new[at:])
            for name in reversed(missing[1:]):
                value = {name: value}
            return _insert(text, way[-1], f"{json.dumps(missing[0])}: ", value)
        text = _insert(text, way[-1], "", entry)
    return text


def drop(text: str, key: Sequence[str], old: Sequence[str]) -> str:
    """Return `text` without `old` in the list at `key`, nor what that leaves empty."""
    for entry in old:
        while entry in entries(text, key):
            way = _way(text, key)
            values = [member.node.value for member in way[-1].members]
            text = _cut(text, way[-1], values.index(entry))
            for depth in range(len(key), 0, -1):
                way = _way(text, key)
                if len(way) > depth and not way[depth].members:
                    outer = way[depth - 1]
                    nodes = [member.node for member in outer.members]
                    text = _cut(text, outer, nodes.index(way[depth]))
    return text


def drop_marked(text: str, mark: str) -> str:
    """Return `text` without the objects that hold `mark`, nor what that leaves empty.

    An object is one that has a string with the mark among its own values. An object in
    a list goes when a list of its own goes, whatever else it holds.
    """
    while way := _marked(_read(text), mark):
        depth = len(way) - 1
        while depth > 1:
            outer, held = way[depth - 1], way[depth - 2]
            grouped = text[outer.start] == "{" and text[held.start] == "["
            if len(outer.members) > 1 and not (
                grouped and text[way[depth].start] == "["
            ):
                break
            depth -= 1
        inner = [member.node for member in way[depth - 1].members]
        text = _cut(text, way[depth - 1], inner.index(way[depth]))
    return text


def _marked(node: Node, mark: str) -> list[Node]:
    """Return the nodes from `node` to the first object that holds `mark`, if any."""
    values = [member.node.value for member in node.members if member.key]
    if any(isinstance(value, str) and mark in value for value in values):
        return [node]
    found = (_marked(member.node, mark) for member in node.members)
    return next(([node, *way] for way in found if way), [])


def is_void(text: str) -> bool:
    """Return whether the text holds no value at all."""
    return not text.strip() or not _read(text).members


def _way(text: str, key: Sequence[str]) -> list[Node]:
    """Return the nodes from the root towards the list at `key`, as far as they go."""
    way = [_read(text)]
    for depth, name in enumerate(key):
        if text[way[-1].start] != "{":
            raise BadJson(f"{'.'.join(key[:depth]) or 'the whole'} is not an object")
        inner = [member.node for member in way[-1].members if member.key == name]
        if not inner:
            return way
        way.append(inner[-1])  # of a key that comes twice, programs take the last
    if text[way[-1].start] != "[":
        raise BadJson(f"{'.'.join(key)} is not a list")
    return way


def _read(text: str) -> Node:
    try:
        json.loads(text)
        return _node(text, _skip(text, 0))
    except (ValueError, RecursionError) as error:
        raise BadJson("it is not plain JSON (comments, perhaps)") from error


def _node(text: str, at: int) -> Node:
    """Return the node that begins at `at` in a text that is known to be JSON."""
    start = at
    if text[at] not in "{[":
        value, end = json.JSONDecoder().raw_decode(text, at)
        return Node(start, end, value, ())
    close = "}" if text[at] == "{" else "]"
    members = []
    at = _skip(text, at + 1)
    while text[at] != close:
        first, key = at, ""
        if close == "}":
            key, at = json.JSONDecoder().raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        node = _node(text, at)
        members.append(Member(first, key, node))
        at = _skip(text, node.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Node(start, at + 1, None, tuple(members))


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _insert(text: str, into: Node, key: str, value: Any) -> str:
    """Return `text` with a last member in `into`, laid out like the ones before it."""
    nl = "\r\n" if "\r\n" in text else "\n"
    if into.members:
        gap = text[into.start + 1 : into.members[0].start]
        indent = gap.rpartition("\n")[2] if "\n" in gap else None
        item = key + _dump(value, indent, _unit(text), nl)
        comma = "," + (gap if "\n" in gap else " ")
        end = into.members[-1].node.end
        return text[:end] + comma + item + text[end:]
    line = text[: into.start].rpartition("\n")[2]
    outer = line[: len(line) - len(line.lstrip())]
    inner = outer + _unit(text)
    item = inner + key + _dump(value, inner, _unit(text), nl)
    opening, closing = text[into.start], text[into.end - 1]
    fresh = f"{opening}{nl}{item}{nl}{outer}{closing}"
    return text[: into.start] + fresh + text[into.end :]


def _unit(text: str) -> str:
    """Return the indentation of the first member in the text."""
    members = _read(text).members
    gap = text[: members[0].start].rpartition("\n")[2] if members else ""
    return gap if gap and not gap.strip() else "  "


def _dump(value: Any, indent: str | None, unit: str, nl: str) -> str:
    if indent is None:
        return json.dumps(value)
    text = json.dumps(value, indent=unit)
    return text.replace("\n", nl + indent)


def _cut(text: str, outer: Node, index: int) -> str:
    """Return `text` without one member and the comma that parted it from others."""
    members = outer.members
    if len(members) == 1:
        start, end = outer.start + 1, outer.end - 1
    elif index:
        start, end = members[index - 1].node.end, members[index].node.end
    else:
        start, end = members[0].start, members[1].start
    return text[:start] + text[end:]
