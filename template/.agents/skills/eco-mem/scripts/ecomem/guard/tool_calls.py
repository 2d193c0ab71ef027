"""What a tool call touches. Hosts differ, so it is told by its parameters; a shell
command by what it plainly says. What cannot be judged passes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from ecomem.cheap_imports import TYPE_CHECKING, NamedTuple
from ecomem.store import CATALOGS, DRAWERS, DURABLE, STORE, is_slug

if TYPE_CHECKING:
    from typing import Any

SCRIPTS = ".agents/skills/eco-mem/scripts/"
SWEPT = {".agents", STORE, *(f"{STORE}/{drawer}" for drawer in DURABLE)}
ENTRY = rf"(?i){STORE}/({'|'.join(DURABLE)})/(?!({'|'.join(CATALOGS)})\.md)[^/]+\.md"

PATHS = "file_path filePath path paths file files include absolute_path target_file"
WHOLE = "content file_text contents text insert_text"
OLD = "old_string old_str oldString oldText old_text oldStr"
NEW = "new_string new_str newString newText new_text newStr"
COMMAND = "command cmd input patch patchText"
WRITING = "write edit create replace insert append save"

READ = "< cat head tail less more bat type get-content gc nl tac cut sort for foreach"
SEARCH = "grep egrep fgrep rg ag sed awk gawk select-string sls findstr"
COPY = "cp copy copy-item rsync install ln truncate"
WRITE = "> tee mv touch mkdir move move-item new-item set-content add-content out-file"
DELETE = "rm rmdir unlink shred del erase rd remove-item"
RUN = "sh bash zsh dash ksh powershell pwsh cmd eval"
CODE = "python python3 py node perl ruby php deno bun"
BEFORE = r"-|\w+=|(sudo|command|env|time|exec|nohup|do|then|else|!|\{|\{\}|git|xargs)$"

# Compiled only where a shell command needs it: starting up is what costs.
HEREDOC = r"(?m)<<-?\s*(['\"]?)(\w+)\1(.*)\n((?:.*\n)*?)\s*\2\s*$"
TOKEN = (
    r"(&?\d*>{1,2}[|&]?|<{1,3}|[|&;\n()`])"
    r"|((?:\"(?:\\.|[^\"\\])*\"|'[^']*'|\\.|[^\s\"'|&;<>()`\\]|[\"'\\])+)"
)
LOOSE = r"\$?\{[^{}]*\}|\$\w+|[*?]+|\[[^]]*\]"
IN_PLACE = r"(sed|perl) (.* )?(-\w*i|--in-place)"
SWEEPING = r"(?i)glob|listdir|walk|iterdir|scandir|readdir|opendir|Dir\["
CHANGING = "write|unlink|remove|rename|rmtree|copy|append|['\"][aw]b?['\"]"


class Touch(NamedTuple):
    """What is done to a path of the project, and what it would hold then, if known."""

    verb: str  # open, sweep, write, delete, shell (a write unseen), ours (by a script)
    path: str
    text: str | None = None


class Place(NamedTuple):
    """The root of the project, and the folder where relative paths begin."""

    root: str
    cwd: str

    def locate(self, word: str) -> str:
        """A path as seen from the root, with /; outside of it, it begins with .."""
        word = os.path.expanduser(word.replace("\\", "/"))
        path = os.path.realpath(os.path.join(self.cwd, word))
        path = os.path.relpath(path, self.root).replace(os.sep, "/")
        head, tail = path[: len(STORE)], path[len(STORE) :]
        return STORE + tail if head.lower() == STORE else path

    def text(self, path: str) -> str | None:
        """The text at a path seen from the root, with LF; None for no such text."""
        try:
            with open(os.path.join(self.root, path), encoding="utf-8-sig") as stream:
                return stream.read()
        except (OSError, ValueError):
            return None

    def of_tool(self, name: str, given: dict[str, Any]) -> Iterator[Touch]:
        """What one tool call touches, by its name, in lower case, and parameters."""
        command, found = first(given, COMMAND), first(given, PATHS)
        words = found if isinstance(found, list) else [found] if found else []
        if isinstance(command, str) and "*** Begin Patch" in command:
            yield from self.of_patch(command)
        elif isinstance(command, str) and not words:
            folder = first(given, "workdir directory dir_path") or ""
            at = self._replace(cwd=os.path.join(self.cwd, folder))
            yield from at.of_shell(command)
        elif "grep" in name or "search" in name:
            yield from self.reading([*words, str(given.get("glob"))])
        elif "delete" in name:
            yield from (Touch("delete", self.locate(word)) for word in words)
        elif command != "view" and words and any(map(name.count, WRITING.split())):
            path = self.locate(words[0])
            yield Touch("write", path, _edited(self.text(path), given))
        else:
            yield from self.reading(words)

    def of_patch(self, patch: str) -> Iterator[Touch]:
        """What a patch as `apply_patch` takes it adds, changes, moves and deletes."""
        patch = patch.partition("*** End Patch")[0]
        for part in re.split(r"(?m)^\*\*\* (?=\w+ File: )", patch)[1:]:
            head, *lines = (line.rstrip() for line in part.split("\n"))
            kind, _, name = head.partition(" File: ")
            path, edits = self.locate(name), []
            text = self.text(path) if kind == "Update" else ""
            text = text and "".join(f"{line.rstrip()}\n" for line in text.splitlines())
            if kind == "Delete" or lines[0].startswith("*** Move to: "):
                yield Touch("delete", path)
                path = self.locate(lines[0][13:])
            body = "\n".join(line for line in lines if line[:3] != "***").strip("\n")
            for hunk in re.split(r"(?m)^@@.*\n", f"{body}\n"):
                old = re.sub(r"(?m)^(\+.*\n|[ -])", "", hunk)
                new = re.sub(r"(?m)^(-.*\n|[ +])", "", hunk)
                edits.append({"old_str": old, "new_str": new})
            if kind != "Delete":
                yield Touch("write", path, _edited(text, {"edits": edits}))

    def reading(self, words: Iterable[str]) -> Iterator[Touch]:
        """What reading some paths touches; patterns and variables fit what is there."""
        for word in dict.fromkeys(words):
            pattern, hits = re.sub(LOOSE, "*", word.replace("\\", "/")), [word]
            fixed = pattern.partition("*")[0].rpartition("/")[0]
            if "*" in pattern and self.locate(fixed).startswith(".agents"):
                from glob import glob

                hits = glob(os.path.join(self.cwd, pattern))
            paths = {self.locate(hit) for hit in hits}
            if paths & SWEPT or len([p for p in paths if re.fullmatch(ENTRY, p)]) > 1:
                yield Touch("sweep", STORE)
            else:
                yield from (Touch("open", path) for path in sorted(paths))

    def of_shell(self, source: str) -> Iterator[Touch]:
        """What a shell command touches."""
        at, listed, each = self, False, False
        for name, words, flags in _commands(source):
            name = "tee" if re.match(IN_PLACE, f"{name} {flags}") else name
            if name in RUN.split():
                for line in (*words, *(m[4] for m in re.finditer(HEREDOC, source))):
                    yield from at.of_shell(line if " " in line else "")
            elif name in ("cd", "pushd", "set-location"):
                at = Place(at.root, os.path.join(at.cwd, *words[:1]))
            elif name in f"{DELETE} {WRITE}".split():
                verb = "delete" if name in DELETE.split() else "shell"
                yield from (Touch(verb, at.locate(word)) for word in words)
            elif name in CODE.split():
                yield from at._of_code(source, words, flags)
            elif name in f"{READ} {SEARCH} {COPY}".split():
                if name in SEARCH.split():
                    words = words[1:]  # the first one is what to look for
                words = words or {"rg": ["."], "get-content": ["$"]}.get(name, [])
                if name in COPY.split():
                    yield from (Touch("shell", at.locate(word)) for word in words[-1:])
                    words = words[:-1]
                each |= any(re.fullmatch(r"\$\{?\w*\}?", word) for word in words)
                yield from at.reading(words)
            elif "INDEX.md" not in words:
                swept = any(touch.verb == "sweep" for touch in at.reading(words))
                changes = {*words} & {*f"{WRITE} {DELETE}".split()}
                if swept and (changes or "-delete" in flags):
                    yield Touch("shell", STORE)
                listed, each = listed or swept, each or "-exec" in flags
        if listed and each:
            yield Touch("sweep", STORE)

    def _of_code(self, source: str, words: list[str], flags: str) -> Iterator[Touch]:
        if not words or re.search(r"(^| )(-\w*[ce]|--eval)\b", flags):
            verb = "shell" if re.search(CHANGING, source) else "open"
            verb = "sweep" if re.search(SWEEPING, source) else verb
            named = re.findall(r"[\w./~-]*\.agents[\\/][\w.\\/-]+", source)
            yield from (Touch(verb, self.locate(word)) for word in named)
        elif self.locate(words[0]).startswith(SCRIPTS):
            drawers = {*words} & {*DRAWERS}
            slugs = {word for word in words[1:] if is_slug(word)} - drawers
            paths = (f"{STORE}/{d}/{s}.md" for d in drawers or DRAWERS for s in slugs)
            for path in (path for path in paths if drawers or self.text(path)):
                yield Touch("ours", path, source)


def first(given: dict[str, Any], keys: str) -> Any:
    """The value of the first of these keys that has one."""
    return next((given[k] for k in keys.split() if given.get(k) is not None), None)


def _edited(text: str | None, given: dict[str, Any]) -> str | None:
    for edit in given.get("edits") or [given]:
        old, new = first(edit, OLD), first(edit, f"{WHOLE} {NEW}")
        count = -1 if first(edit, "replace_all replaceAll") else 1
        if old is None and "insert_line" not in edit:
            text = new
        elif not old:
            text = f"{text or ''}{new or ''}"
        else:
            text = text.replace(old, new or "", count) if text and old in text else None
    return text


def _commands(source: str) -> Iterator[tuple[str, list[str], str]]:
    words, aim, fed = list[str](), "", False
    line = re.sub(HEREDOC, r"\3", source).replace("\\\n", " ")
    for key, value in re.findall(r"\b(\w+)=(\S*\.agents[^\s;]*)", line):
        line = line.replace(f"${key}", value).replace(f"${{{key}}}", value)
    for op, word in re.findall(TOKEN, line + "\n"):
        for inner in re.findall(r"\$\(([^()]*)\)|`([^`]*)`", word):
            yield from _commands("".join(inner))
        plain = word.replace('"', "").replace("'", "")
        if word and aim:
            yield aim, [] if plain.isdigit() else [plain], ""  # as in 2>&1
            aim = ""
        elif word and (words or not re.match(BEFORE, plain)):
            words.append(plain)
        elif word:
            fed = fed or plain == "xargs"
        elif "<" in op or ">" in op:
            aim = ">" if ">" in op else op
        elif words:
            name = re.split(r"[\\/]", words[0].lower())[-1].replace(".exe", "")
            rest = [word for word in words[1:] if word[:1] != "-"]
            rest += ["$"] if fed or op == "`" else []
            yield name, rest, " ".join(word for word in words if word[:1] == "-")
            words, fed = [], False
