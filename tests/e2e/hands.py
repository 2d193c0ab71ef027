"""The same four verbs in the tools of each client.

The only place that knows what the tools are called and how their arguments are named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from e2e.fake_model import Call

# A tool, and its arguments, or the text that it takes. Placeholders:
# {path} as the model wrote it, {file} the same from the root of the machine, {text},
# {old}, {new}, {command}; {+text}, {-old} and {+new} have that mark before each line.
Shape = tuple[str, Mapping[str, str | bool] | str]

PATCH = "*** Begin Patch\n{}\n*** End Patch"

VERBS: Mapping[str, Mapping[str, Shape]] = {
    "claude": {
        "read": ("Read", {"file_path": "{file}"}),
        "write": ("Write", {"file_path": "{file}", "content": "{text}"}),
        "edit": (
            "Edit",
            {"file_path": "{file}", "old_string": "{old}", "new_string": "{new}"},
        ),
        "shell": ("Bash", {"command": "{command}"}),
    },
    "codex": {
        "read": ("exec_command", {"cmd": "cat '{path}'"}),  # it has no tool for that
        "write": ("apply_patch", PATCH.format("*** Add File: {path}\n{+text}")),
        "edit": (
            "apply_patch",
            PATCH.format("*** Update File: {path}\n@@\n{-old}\n{+new}"),
        ),
        "shell": ("exec_command", {"cmd": "{command}"}),
    },
    "gemini": {
        "read": ("read_file", {"file_path": "{path}"}),
        "write": ("write_file", {"file_path": "{path}", "content": "{text}"}),
        "edit": (
            "replace",
            {
                "file_path": "{path}",
                "instruction": "As the script says.",
                "old_string": "{old}",
                "new_string": "{new}",
            },
        ),
        "shell": ("run_shell_command", {"command": "{command}"}),
    },
    "copilot": {
        "read": ("view", {"path": "{file}"}),
        "write": ("create", {"path": "{file}", "file_text": "{text}"}),
        "edit": ("edit", {"path": "{file}", "old_str": "{old}", "new_str": "{new}"}),
        "shell": ("bash", {"command": "{command}", "description": "A command."}),
    },
    "qwen": {
        "read": ("read_file", {"file_path": "{file}"}),
        "write": ("write_file", {"file_path": "{file}", "content": "{text}"}),
        "edit": (
            "edit",
            {"file_path": "{file}", "old_string": "{old}", "new_string": "{new}"},
        ),
        "shell": (
            "run_shell_command",
            {"command": "{command}", "is_background": False},
        ),
    },
    "factory": {
        "read": ("Read", {"file_path": "{file}"}),
        "write": ("Create", {"file_path": "{file}", "content": "{text}"}),
        "edit": (
            "Edit",
            {"file_path": "{file}", "old_str": "{old}", "new_str": "{new}"},
        ),
        "shell": ("Execute", {"command": "{command}", "riskLevel": "low"}),
    },
    "opencode": {
        "read": ("read", {"filePath": "{file}"}),
        "write": ("write", {"filePath": "{file}", "content": "{text}"}),
        "edit": (
            "edit",
            {"filePath": "{file}", "oldString": "{old}", "newString": "{new}"},
        ),
        "shell": ("bash", {"command": "{command}", "description": "A command."}),
    },
}


class Hands(NamedTuple):
    """Makes the tool calls of one client in one project; paths are relative to it."""

    client: str
    project: Path

    def read(self, path: str) -> Call:
        """Return a call that reads a file."""
        return self._call("read", path=path)

    def write(self, path: str, text: str) -> Call:
        """Return a call that writes a new file."""
        return self._call("write", path=path, text=text)

    def edit(self, path: str, old: str, new: str) -> Call:
        """Return a call that replaces whole lines, given without their last newline."""
        return self._call("edit", path=path, old=old, new=new)

    def shell(self, command: str) -> Call:
        """Return a call that runs a command."""
        return self._call("shell", command=command)

    def _call(self, verb: str, **given: str) -> Call:
        values = {**given, "file": str(self.project / given.get("path", ""))}
        for mark, name in (("+", "text"), ("-", "old"), ("+", "new")):
            lines = given.get(name, "").splitlines()
            values[mark + name] = "\n".join(mark + line for line in lines)
        client, _, from_script = self.client.partition("-")
        tool, shape = VERBS[client][verb]
        if from_script:  # Codex's current default models call tools from JavaScript
            inner = self._replace(client=client)._call(verb, **given)
            return Call("exec", f"text(await tools.{tool}({json.dumps(inner.args)}))")
        if isinstance(shape, str):
            return Call(tool, shape.format_map(values))
        filled = {
            key: one.format_map(values) if isinstance(one, str) else one
            for key, one in shape.items()
        }
        return Call(tool, filled)
