"""Our hook in a .pre-commit-config.yaml: put in and taken out as text.

A program that reads and writes YAML would change lines of the user. So the parser only
says where the items are, and a result is accepted if it reads as it must.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from edits import Target, UserChanged
from files import Refused

HOOK: dict[str, Any] = {
    "id": "eco-mem",
    "name": "eco-mem",
    "entry": "python3 .agents/skills/eco-mem/scripts/verify.py --staged",
    "language": "system",
    "pass_filenames": False,
    # A commit that only deletes an entry has no file to pass, and is judged too.
    "always_run": True,
}
ITEM: dict[str, Any] = {"repo": "local", "hooks": [HOOK]}


class Indents(NamedTuple):
    """Columns of a list of repositories and of the hooks in it."""

    dash: int  # before the dash of an item
    gap: int  # between the dash and the key after it
    inner: int  # from that key to the dash of a hook
    inner_gap: int


USUAL = Indents(2, 1, 2, 1)


def item_text(indents: Indents = USUAL) -> str:
    """Return our item as lines of YAML."""
    key = " " * (indents.dash + 1 + indents.gap)
    hook = key + " " * indents.inner
    lines = [
        f"{' ' * indents.dash}-{' ' * indents.gap}repo: local",
        f"{key}hooks:",
    ]
    for at, (name, value) in enumerate(HOOK.items()):
        lead = (
            f"-{' ' * indents.inner_gap}" if at == 0 else " " * (indents.inner_gap + 1)
        )
        text = str(value).lower() if isinstance(value, bool) else value
        lines.append(f"{hook}{lead}{name}: {text}")
    return "\n".join(lines)


def in_pre_commit(old: str | None, target: Target) -> str | None:
    """Put our item after the last one of `repos`, or take it out again.

    Every other byte stays as it is. Raises Refused where that cannot be promised.
    """
    if old is None:
        if target.wanted:
            raise Refused("there is no such file")
        return None
    if not target.wanted and HOOK["id"] not in old:
        return old
    values = _values(old)
    repos = values.get("repos") if isinstance(values, dict) else None
    if not isinstance(repos, list):
        raise Refused("it has no list of `repos`")
    ours = [at for at, item in enumerate(repos) if _has_our_hook(item)]
    if target.wanted:
        if ours:
            return old
        if target.before is not None:
            raise UserChanged("our hook is gone, and an update does not put it back")
        return _accepted(_insert(old), {**values, "repos": [*repos, ITEM]})
    if not ours:
        return old
    if len(ours) > 1 or repos[ours[0]] != ITEM:
        raise UserChanged("our hook was edited by hand")
    rest = [item for at, item in enumerate(repos) if at != ours[0]]
    return _accepted(_cut(old, ours[0]), {**values, "repos": rest or None})


def _has_our_hook(item: Any) -> bool:
    hooks = item.get("hooks") if isinstance(item, dict) else None
    if not isinstance(hooks, list):
        return False
    return any(isinstance(one, dict) and one.get("id") == HOOK["id"] for one in hooks)


def _values(text: str) -> Any:
    """Return what a text of YAML says. Raises Refused."""
    try:
        import yaml
    except ImportError as error:
        raise Refused("PyYAML, which reads it, is not installed") from error
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Refused("it is not plain YAML") from error


def _accepted(new: str, values: Any) -> str:
    """Return a new text if it says what it must. Raises Refused."""
    if _values(new) != values:
        raise Refused("our hook cannot be put into it, or out of it, as text")
    return new


def _repos(text: str) -> Any:
    """Return the node of the list `repos`. Raises Refused unless it is a block."""
    import yaml

    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    for key, node in root.value:
        if key.value == "repos" and not node.flow_style and node.value:
            return node
    raise Refused("its list of `repos` is empty, or written in brackets")


def _insert(text: str) -> str:
    repos = _repos(text)
    last = repos.value[-1]
    lines = text.splitlines(keepends=True)
    end = _last_line(text, last, lines) + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    ours = item_text(_indents(repos, last)).replace("\n", newline)
    before, after = "".join(lines[:end]), "".join(lines[end:])
    if not before.endswith("\n"):
        return f"{before}{newline}{ours}"
    return f"{before}{ours}{newline}{after}"


def _cut(text: str, at: int) -> str:
    item = _repos(text).value[at]
    lines = text.splitlines(keepends=True)
    start, end = item.start_mark.line, _last_line(text, item, lines) + 1
    before, after = "".join(lines[:start]), "".join(lines[end:])
    if not after and not lines[end - 1].endswith("\n"):
        return before.removesuffix("\n").removesuffix("\r")  # as it was before ours
    return before + after


def _indents(repos: Any, item: Any) -> Indents:
    """Return the columns that a list of repositories uses."""
    dash = repos.start_mark.column
    gap = item.start_mark.column - dash - 1
    inner, inner_gap = USUAL.inner, USUAL.inner_gap
    for key, hooks in item.value if isinstance(item.value, list) else []:
        if (
            getattr(key, "value", "") == "hooks"
            and not hooks.flow_style
            and hooks.value
        ):
            inner = hooks.start_mark.column - item.start_mark.column
            inner_gap = hooks.value[0].start_mark.column - hooks.start_mark.column - 1
    return Indents(dash, gap, inner, inner_gap)


def _last_line(text: str, node: Any, lines: list[str]) -> int:
    """Return the number of the last line of a node, from 0.

    The mark at the end of a block lies before the next token, after any comments, so
    the last token that has any text tells.
    """
    import yaml

    line: int = node.start_mark.line
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        start, end = token.start_mark, token.end_mark
        within = node.start_mark.index <= start.index < node.end_mark.index
        if within and end.index > start.index:
            line = end.line - 1 if end.column == 0 else end.line
    while line > node.start_mark.line and not lines[line].strip():
        line -= 1
    return line
