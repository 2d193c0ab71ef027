"""Events as real hosts send them to a hook, for the tests of the guard.

The shapes were recorded from the programs, with other paths and ids, except those of
Cursor, which come from its documentation: it could not be run.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import hook
import store_project
from ecomem.guard import session

Event = dict[str, Any]
HOOK = f"{store_project.SKILL}/scripts/hook.py"
NAMES = (
    "claude",
    "codex",
    "cursor",
    "gemini",
    "copilot",
    "copilot-claude",
    "opencode",
    "qwen",
    "factory",
)


class Answer(NamedTuple):
    """The answer of a hook: exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def denied(self) -> bool:
        """True if the call was refused."""
        return self.code == 2

    @property
    def data(self) -> dict[str, Any]:
        """The JSON on standard output."""
        value: dict[str, Any] = json.loads(self.out)
        return value


class Host(NamedTuple):
    """One host at work in a project; `session` and `transcript` go into its events."""

    name: str
    project: store_project.Project
    session: str = "11111111-2222-3333-4444-555555555555"
    transcript: str = ""

    def answer(self, event: Event) -> Answer:
        """Return the answer of the hook to an event, in this process."""
        raw = told(event)
        if not hook.concerns(raw):
            return Answer(0, "", "")
        out, err = io.StringIO(), io.StringIO()
        os.environ["XDG_STATE_HOME"] = state(self.project)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = session.answer(os.path.realpath(self.project.root), raw)
        return Answer(code, out.getvalue(), err.getvalue())

    def run(self, event: Event, **env: str) -> Answer:
        """Return the answer of the laid-down program to an event."""
        return run(self.project, told(event), **env)

    def path(self, name: str) -> str:
        """A path of the project as this host writes it."""
        return name if self.name == "gemini" else str(self.project.path(name))

    def event(self, kind: str, more: Event) -> Event:
        """An event with what this host puts around every one of its kind."""
        root, when = str(self.project.root), "2026-11-30T01:05:48.597Z"
        told = NAMED.get(self.name, USUAL)[kind]
        base: Event = {"session_id": self.session, "cwd": root, "hook_event_name": told}
        if self.name == "copilot":
            base = {"sessionId": self.session, "timestamp": 1796000501, "cwd": root}
        elif self.name == "cursor":
            base = {
                "conversation_id": self.session,
                "generation_id": "g1",
                "model": "m",
                "hook_event_name": told,
                "cursor_version": "3.15.6",
                "workspace_roots": [root],
            }
        if self.name not in ("copilot", "copilot-claude", "cursor", "opencode"):
            base["transcript_path"] = self.transcript
        if self.name in ("gemini", "qwen", "copilot-claude"):
            base["timestamp"] = when
        if self.name in ("claude", "qwen"):
            base["prompt_id"] = "p1"
        if self.name == "codex" and kind != "start":
            base["turn_id"] = "t1"
        return {**base, **more}

    def start(self, source: str = "startup") -> Event:
        """The start of a session."""
        fresh = "new" if self.name.startswith("copilot") else "startup"
        source = fresh if source == "startup" else source
        return self.event("start", {"source": source})

    def stop(self, again: bool = False) -> Event:
        """The end of a turn."""
        more: Event = {"stop_hook_active": again}
        if self.name == "copilot":
            more |= {"transcriptPath": "", "stopReason": "end_turn"}
        elif self.name == "copilot-claude":
            more |= {"transcript_path": "", "stop_reason": "end_turn"}
        elif self.name == "cursor":
            more = {"status": "completed", "loop_count": int(again)}
        return self.event("stop", more)

    def tool(self, what: str, given: Event, call: str = "") -> Event:
        """A call of a tool, before it runs; call is its id, where the host has one."""
        name = TOOLS[self.name].get(what, what)
        if self.name == "copilot":
            return self.event("call", {"toolName": name, "toolArgs": given})
        more: Event = {"tool_name": name, "tool_input": given}
        if self.name in ("claude", "codex", "qwen", "opencode", "cursor"):
            more["tool_use_id"] = call or os.urandom(6).hex()
        return self.event("call", more)

    def read(self, name: str, call: str = "") -> Event:
        """Reading one file."""
        if self.name == "codex":
            return self.shell(f"cat {name}", call)
        if self.name == "cursor":
            given = {"file_path": self.path(name), "content": "...", "attachments": []}
            return self.event("read", given)
        return self.tool("read", {KEYS[self.name][0]: self.path(name)}, call)

    def write(self, name: str, text: str) -> Event:
        """Writing a whole file."""
        if self.name == "codex":
            kind = "Add"
            if self.project.path(name).exists():
                return self.tool("patch", {"command": replacing(self, name, text)})
            lines = "".join(f"+{line}\n" for line in text.splitlines())
            patch = f"*** Begin Patch\n*** {kind} File: {name}\n{lines}*** End Patch"
            return self.tool("patch", {"command": patch})
        path, content = KEYS[self.name][:2]
        return self.tool("write", {path: self.path(name), content: text})

    def edit(self, name: str, old: str, new: str) -> Event:
        """Replacing some text in a file."""
        if self.name == "codex":
            gone = "".join(f"-{line}\n" for line in old.splitlines())
            come = "".join(f"+{line}\n" for line in new.splitlines())
            patch = f"*** Update File: {name}\n@@\n{gone}{come}"
            patch = f"*** Begin Patch\n{patch}*** End Patch"
            return self.tool("patch", {"command": patch})
        path, _, before, after = KEYS[self.name]
        return self.tool("edit", {path: self.path(name), before: old, after: new})

    def shell(self, command: str, call: str = "") -> Event:
        """Running a shell command."""
        if self.name == "cursor":
            return self.event("shell", {"command": command, "cwd": ""})
        return self.tool("shell", {"command": command, "description": "x"}, call)


def told(event: Event) -> bytes:
    """An event as hosts write it."""
    return json.dumps(event, separators=(",", ":")).encode()


def replacing(host: Host, name: str, text: str) -> str:
    """A patch that puts a whole text in place of a file."""
    old = host.project.path(name).read_text("utf-8")
    gone = "".join(f"-{line}\n" for line in old.splitlines())
    come = "".join(f"+{line}\n" for line in text.splitlines())
    return f"*** Begin Patch\n*** Update File: {name}\n@@\n{gone}{come}*** End Patch"


USUAL = {"start": "SessionStart", "call": "PreToolUse", "stop": "Stop"}
NAMED: Mapping[str, Mapping[str, str]] = {
    "gemini": {"start": "SessionStart", "call": "BeforeTool", "stop": "AfterAgent"},
    "cursor": {
        "start": "sessionStart",
        "call": "preToolUse",
        "stop": "stop",
        "read": "beforeReadFile",
        "shell": "beforeShellExecution",
    },
}
TOOLS: Mapping[str, Mapping[str, str]] = {
    "claude": {"read": "Read", "write": "Write", "edit": "Edit", "shell": "Bash"},
    "codex": {"patch": "apply_patch", "shell": "Bash"},
    "cursor": {"write": "Write", "edit": "Write"},
    "gemini": {
        "read": "read_file",
        "write": "write_file",
        "edit": "replace",
        "shell": "run_shell_command",
    },
    "copilot": {"read": "view", "write": "create", "edit": "edit", "shell": "bash"},
    "copilot-claude": {
        "read": "Read",
        "write": "Write",
        "edit": "Edit",
        "shell": "Bash",
    },
    "opencode": {"read": "read", "write": "write", "edit": "edit", "shell": "bash"},
    "qwen": {
        "read": "read_file",
        "write": "write_file",
        "edit": "edit",
        "shell": "run_shell_command",
    },
    "factory": {"read": "Read", "write": "Create", "edit": "Edit", "shell": "Execute"},
}
STRINGS = ("file_path", "content", "old_string", "new_string")
KEYS: Mapping[str, tuple[str, str, str, str]] = {
    "claude": STRINGS,
    "cursor": STRINGS,
    "gemini": STRINGS,
    "copilot": ("path", "file_text", "old_str", "new_str"),
    "copilot-claude": ("path", "file_text", "old_str", "new_str"),
    "opencode": ("filePath", "content", "oldString", "newString"),
    "qwen": STRINGS,
    "factory": ("file_path", "content", "old_str", "new_str"),
}


def run(project: store_project.Project, data: str | bytes, **env: str) -> Answer:
    """Run the laid-down hook as a program, with its notes inside of the test."""
    done = subprocess.run(
        [store_project.PYTHON, "-E", "-S", project.script("hook.py")],
        input=data.encode() if isinstance(data, str) else data,
        env=store_project.environment(**{"XDG_STATE_HOME": state(project), **env}),
        cwd=project.root,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return Answer(done.returncode, done.stdout.decode("ascii"), done.stderr.decode())


def state(project: store_project.Project) -> str:
    """Return the folder where the hook keeps its notes about sessions."""
    return str(project.root.parent / "state")


def notes(project: store_project.Project) -> list[Path]:
    """The files in which sessions of the project are noted."""
    return sorted(Path(state(project)).glob("eco-mem/*"))
