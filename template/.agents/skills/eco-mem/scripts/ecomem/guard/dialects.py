"""Hosts: how each sends its events, and how each wants to be answered.

The table HOSTS is the only place where the guard knows one host from another. The facts
were recorded from the programs; those of Cursor come from its documentation.
"""

from __future__ import annotations

from ecomem.cheap_imports import TYPE_CHECKING, NamedTuple, parse_json

if TYPE_CHECKING:
    from typing import Any


CALL, START, COMPACT, STOP = "call", "start", "compact", "stop"
# The names of events. Those in camel case are keys of events that have no name.
EVENTS = {
    "pretooluse": CALL,
    "beforetool": CALL,
    "beforereadfile": CALL,
    "beforeshellexecution": CALL,
    "beforemcpexecution": CALL,
    "toolArgs": CALL,
    "sessionstart": START,
    "source": START,
    "precompact": COMPACT,
    "stop": STOP,
    "agentstop": STOP,
    "afteragent": STOP,
    "stopReason": STOP,
}


class Host(NamedTuple):
    """The form in which a host takes answers.

    start is the key of the text at the start of a session; nested says that it stands
    in `hookSpecificOutput`. stop is the key of the text at the end of a turn. refusal
    is plain for exit code 2 and nothing on standard output, decision for a decision
    there besides, and nested for a decision in `hookSpecificOutput` and exit code 0.
    """

    start: str = "additionalContext"
    nested: bool = True
    stop: str = "reason"
    refusal: str = "plain"


HOSTS = {
    "cursor": Host("additional_context", False, "followup_message"),
    "copilot": Host(nested=False, refusal="decision"),
    # It shows the whole command of the hook before a reason on standard error. Where it
    # is asked through its registration, a nested decision says only the reason.
    "claude": Host(refusal="nested"),
    "other": Host(),
}


class Event(NamedTuple):
    """One event of a host, in the words of the guard."""

    kind: str
    name: str  # as the host spells it
    host: str  # a key of HOSTS
    session: str
    call: str  # the id of a tool call, where the host gives one
    folder: str  # where relative paths begin; empty if the host does not say
    transcript: str
    tool: str  # in lower case
    given: dict[str, Any]  # the parameters of the tool
    again: bool  # the turn goes on already because of an answer of ours


def read(raw: bytes) -> Event | None:
    """Read an event; None for one that is not ours. Raises ValueError for no JSON."""
    event = parse_json(raw)
    if not isinstance(event, dict) or "toolResult" in event:
        return None
    name = text_of(event, "hook_event_name", "hookEventName", "event_type")
    names = {name.lower()} if name else {*event}
    kind = next((EVENTS[known] for known in EVENTS if known in names), "")
    if not kind:
        return None
    given = event.get("tool_input", event.get("toolArgs", event))
    if isinstance(given, str):
        given = parse_json(given)
    folder = text_of(event, "cwd", "working_dir")
    roots = event.get("workspace_roots")
    if not folder and isinstance(roots, list) and roots:
        folder = str(roots[0])
    return Event(
        kind,
        name,
        _host(event, name),
        text_of(event, "conversation_id", "session_id", "sessionId"),
        text_of(event, "tool_use_id"),
        folder,
        text_of(event, "transcript_path", "transcriptPath"),
        text_of(event, "tool_name", "toolName", "tool").lower() or _unnamed(event),
        given if isinstance(given, dict) else {"arguments": given},
        bool(event.get("stop_hook_active") or event.get("loop_count")),
    )


def _unnamed(event: dict[str, Any]) -> str:
    """The tool of an event that names none: Cursor has events for two of them."""
    return "shell" if "command" in event else "read"


def _host(event: dict[str, Any], name: str) -> str:
    """Tell hosts apart by what their events contain."""
    if "cursor_version" in event or "conversation_id" in event:
        return "cursor"
    if not name or ("timestamp" in event and "transcript_path" not in event):
        return "copilot"
    if "prompt_id" in event and not {"timestamp", "turn_id"} & {*event}:
        return "claude"
    return "other"


def text_of(given: dict[str, Any], *keys: str) -> str:
    """The first of these keys that has a text."""
    for key in keys:
        value = given.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def answer(event: Event, text: str, registered: bool) -> tuple[dict[str, Any], int]:
    """Return the output for a text of ours, and the exit code: 2 refuses a call.

    registered says that a registration of ours runs the guard, not a person.
    """
    host = HOSTS[event.host]
    if event.kind == CALL:
        decision = {"permissionDecision": "deny", "permissionDecisionReason": text}
        if host.refusal == "decision":
            return decision, 2
        if host.refusal == "nested" and registered:
            return {"hookSpecificOutput": {"hookEventName": event.name, **decision}}, 0
        return {}, 2
    if event.kind == STOP:
        if host.stop == "reason":
            return {"decision": "block", "reason": text}, 0
        return {host.stop: text}, 0
    if host.nested:
        nested = {"hookEventName": event.name, host.start: text}
        return {"hookSpecificOutput": nested}, 0
    return {host.start: text}, 0
