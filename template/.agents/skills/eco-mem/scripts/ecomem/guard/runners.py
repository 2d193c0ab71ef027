"""Programs that run others: wrappers, shells, interpreters, our own scripts."""

from __future__ import annotations

import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING
from ecomem.guard import programs
from ecomem.guard.fields import (
    flat,
    marked,
    replaced,
    unmarked,
)
from ecomem.guard.git_commands import GitCommands
from ecomem.guard.places import (
    ANY,
    SCRIPTS,
    Touch,
    kind_of,
)
from ecomem.guard.walker import (
    MENTION,
    NOTHING,
    UNKNOWN,
    Flow,
)
from ecomem.store import DRAWERS, STORE, is_slug

if TYPE_CHECKING:
    from ecomem.guard.fields import Group


class Runners(GitCommands):
    """Judges programs as what they run."""

    def call(self, name: str, arguments: list[Group], stdin: Flow) -> Flow:
        """Judge the call of a function of this script."""
        saved = {key: self.variables.get(key) for key in "@123456789"}
        self.bind(arguments)
        flow = self.run(self.functions[name], stdin)
        for key, values in saved.items():
            if values is None:
                self.variables.pop(key, None)
            else:
                self.variables[key] = values
        return flow

    def wrapper(self, name: str, groups: list[Group], stdin: Flow) -> Flow:
        """A program whose words are a command: judge that command."""
        options, count = programs.WRAPPERS.get(name, ("", 0))
        valued = options.split()
        at = 0
        if name in programs.RUNNERS:
            words = [group[0] if group else "" for group in groups]
            starts = [words.index(w) for w in programs.RUNNERS[name] if w in words]
            if not starts:
                return self.unknown(self.without_exclusions(name, groups), stdin)
            at = min(starts) + 1
        while at < len(groups):
            word = groups[at][0] if groups[at] else ""
            key = word.partition("=")[0]
            if word in ("-S", "--split-string") or key == "--split-string":
                text = word.partition("=")[2] or " ".join(flat(groups[at + 1 :]))
                return self.try_text(text, stdin)
            if key in programs.SCRIPT_OPTIONS and name not in (
                "time",
                "taskset",
                "ionice",
            ):
                text = word.partition("=")[2] or " ".join(flat(groups[at + 1 : at + 2]))
                return self.try_text(text, stdin)
            if name == "command" and word in ("-v", "-V"):
                return UNKNOWN
            if name == "env" and key in ("-C", "--chdir"):
                folder = word.partition("=")[2] or flat(groups[at + 1 : at + 2])[0]
                self.place = self.place.at(folder)
            if word == "--":
                at += 1
                break
            if word[:1] == "-" and len(word) > 1:
                at += 2 if word in valued else 1
            elif name in ("env", "sudo", "doas") and re.match(r"[A-Za-z_]\w*=", word):
                variable, _, value = word.partition("=")
                self.variables[variable] = [value]
                at += 1
            else:
                break
        at += count
        if name in ("script", "time") and at >= len(groups):
            return NOTHING
        rest = groups[at:]
        if name == "watch" or (len(rest) == 1 and rest[0] and " " in rest[0][0]):
            return self.try_text(" ".join(flat(rest)), stdin)
        if name == "ts":
            return stdin
        if name in ("uvx", "pipx") and rest and rest[0] == ["run"]:
            rest = rest[1:]
        if name == "hyperfine":
            for group in rest:
                self.try_text(" ".join(group), stdin)
            return UNKNOWN
        if name == "entr" and stdin.names:
            rest = [list(stdin.names) if g == ["/_"] else g for g in rest]
        self.outputs(groups[:at], ("-o", "--output"))
        return self.words(rest, stdin)

    def script_command(self, groups: list[Group], stdin: Flow) -> Flow:
        """script -c COMMAND FILE."""
        words = [group[0] for group in groups if group]
        for at, word in enumerate(words[:-1]):
            if re.fullmatch(r"-\w*c|--command", word):
                self.try_text(words[at + 1], stdin)
                words[at + 1] = "-"
        for word in words:
            if word[:1] != "-" and word != "-":
                self.write_to(word, UNKNOWN)
            if word.startswith("--command="):
                self.try_text(word.partition("=")[2], stdin)
        return UNKNOWN

    def flock(self, groups: list[Group], stdin: Flow) -> Flow:
        """flock FILE COMMAND."""
        words = [group[0] if group else "" for group in groups]
        if "-c" in words:
            text = " ".join(flat(groups[words.index("-c") + 1 :][:1]))
            return self.try_text(text, stdin)
        at = 0
        while at < len(words) and words[at][:1] == "-":
            at += 2 if words[at] in ("-w", "-E", "--timeout") else 1
        return self.words(groups[at + 1 :], stdin)

    def evaluate(self, groups: list[Group], stdin: Flow) -> Flow:
        """eval, trap and alias: their words are a script."""
        text = " ".join(unmarked(word) for word in flat(groups))
        text = re.sub(r"^\s*[\w.-]+=", "", text)
        return self.try_text(text, stdin)

    def source(self, groups: list[Group], stdin: Flow) -> Flow:
        """source FILE."""
        return self.script_file(groups[0], stdin) if groups else NOTHING

    def script_file(self, fields: Group, stdin: Flow) -> Flow:
        """Judge a file as a script, where this command wrote it."""
        if fields and fields[0] in ("/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"):
            if stdin.text is not None:
                return self.try_text(stdin.text)
            if self.tainted(stdin):
                self.unclear()
        for field in fields:
            path = os.path.normpath(os.path.join(self.place.cwd, field))
            flow = self.files.get(path)
            if flow and flow.text is not None:
                return self.try_text(flow.text, stdin)
            if flow and self.tainted(flow):
                self.unclear()
            self.read([[field]])
        return UNKNOWN

    def shell(self, name: str, groups: list[Group], stdin: Flow) -> Flow:
        """sh -c TEXT, sh FILE, or a text on standard input."""
        at = 0
        while at < len(groups):
            word = groups[at][0] if groups[at] else ""
            if word[:1] == "-" and re.match(r"-[a-z]*c[a-z]*$|-[Cc]ommand$", word):
                rest = groups[at + 1 :]
                if name in ("powershell", "pwsh", "cmd"):
                    return self.try_text(" ".join(flat(rest)), stdin)
                if not rest:
                    return UNKNOWN
                self.bind(rest[2:])
                self.variables["0"] = rest[1] if rest[1:] else ["sh"]
                for text in rest[0]:
                    flow = self.try_text(text, stdin)
                return flow
            if word.lower() in ("/c", "/k", "--command"):
                return self.try_text(" ".join(flat(groups[at + 1 :])), stdin)
            if word in ("-o", "-O", "+o", "--rcfile", "--init-file"):
                at += 1
            elif word[:1] not in ("-", "+") or word == "-":
                break
            at += 1
        operands = groups[at:]
        if operands and operands[0] not in (["-"], ["/dev/stdin"]):
            script = self.own_script(operands[0][0])
            flow = self.script_file(operands[0], stdin)
            if script:
                self.unclear()
            if operands[1:]:
                self.unknown(operands[1:], NOTHING)
            return flow
        if stdin.text is not None:
            return self.try_text(stdin.text, NOTHING)
        if self.tainted(stdin):
            self.unclear()
        return UNKNOWN

    def xargs(self, groups: list[Group], stdin: Flow) -> Flow:
        """xargs: the command gets what flows in as words."""
        valued = (
            "-n -I -P -L -s -d -a -E -i --max-args --replace --max-procs --delimiter"
        )
        mark = ""
        at = 0
        while at < len(groups):
            word = groups[at][0] if groups[at] else ""
            if word in ("-I", "--replace"):
                mark = flat(groups[at + 1 : at + 2])[0] if at + 1 < len(groups) else ""
            elif word.startswith("-I"):
                mark = word[2:]
            if word in ("-a", "--arg-file") and at + 1 < len(groups):
                stdin = self.content(groups[at + 1])
            if word[:1] != "-":
                break
            at += 2 if word in valued.split() else 1
        command = groups[at:] or [["echo"]]
        given = self.handed(stdin)
        if mark:
            command = [replaced(group, mark, given) for group in command]
        elif given:
            command = [*command, given]
        return self.words(command, NOTHING)

    def parallel(self, groups: list[Group], stdin: Flow) -> Flow:
        """parallel COMMAND ::: WORDS."""
        words = [group[0] if group else "" for group in groups]
        given = self.handed(stdin)
        for mark in (":::", "::::"):
            if mark in words:
                at = words.index(mark)
                given = flat(groups[at + 1 :])
                groups = groups[:at]
        while groups and groups[0] and groups[0][0][:1] == "-":
            groups = groups[2:] if groups[0][0] in ("-j", "-P", "-n") else groups[1:]
        if len(groups) == 1 and groups[0] and " " in groups[0][0]:
            text = groups[0][0].replace("{}", " ".join(given))
            return self.try_text(text if "{}" in groups[0][0] else f"{text} {given}")
        if any("{}" in field for group in groups for field in group):
            command = [replaced(group, "{}", given) for group in groups]
        else:
            command = [*groups, given] if given else groups
        return self.words(command, NOTHING)

    def each_object(self, groups: list[Group], stdin: Flow) -> Flow:
        """ForEach-Object { ... } of PowerShell."""
        self.variables["_"] = list(stdin.names) or [ANY]
        text = " ".join(flat(groups)).replace("{", " ").replace("}", " ")
        if stdin.names and re.search(r"(?i)\b(gc|get-content|cat|type|\[io)\b", text):
            self.read([list(stdin.names)])
        elif stdin.names and re.search(r"(?i)\b(remove|set|move|del|rm|out)\b", text):
            self.change([list(stdin.names)], "shell")
        return self.try_text(text, NOTHING)

    def own_script(self, field: str) -> str:
        """The name of one of our scripts, empty for another file."""
        _, path = self.place.locate(field)
        folder, _, name = path.rpartition("/")
        return name if folder == SCRIPTS and name.endswith(".py") else ""

    def interpreter(self, name: str, groups: list[Group], stdin: Flow) -> Flow:
        """python, node, perl and their like."""
        at = 0
        in_place = reading = False
        while at < len(groups):
            word = groups[at][0] if groups[at] else ""
            if word in ("--", "-") or word[:1] != "-":
                break
            code_here = re.fullmatch(r"-[A-Za-z]*[ceEr]|--eval|--print|-p|-pe", word)
            if name == "perl":
                in_place = in_place or bool(re.match(r"-\w*i", word) and word[1] != "M")
                reading = reading or bool(
                    re.match(r"-\w*[np]", word) and word[1] != "M"
                )
                code_here = (
                    re.fullmatch(r"-[A-Za-z.]*[eE]", word) if word[1] != "M" else None
                )
            if name == "python":
                code_here = re.fullmatch(r"-[A-Za-z]*c", word)
                joined = re.fullmatch(r"(?s)-[bBdEiIOqsSuvx]*c(.+)", word)
                if joined:
                    return self.code(name, joined[1], groups[at + 1 :])
            if name == "python" and re.fullmatch(r"-[A-Za-z]*m", word):
                return self.module(groups[at + 1 :], stdin)
            if code_here:
                rest = groups[at + 1 :]
                text = rest[0][0] if rest and rest[0] else ""
                if (
                    in_place
                    or reading
                    or any(re.match(r"-\w*[np]\w*$", g[0]) for g in rest[1:] if g)
                ):
                    if in_place or any(re.match(r"-\w*i", g[0]) for g in rest[1:] if g):
                        self.change(self.operands(name, rest[1:]), "shell")
                    self.code(name, text, [])
                    self.read(self.operands(name, rest[1:]))
                    return UNKNOWN
                return self.code(name, text, rest[1:])
            at += 2 if word in ("-W", "-X", "-r", "--require", "-I") else 1
        rest = groups[at:]
        if name in ("deno", "bun") and rest and rest[0] == ["eval"]:
            return self.code(name, " ".join(flat(rest[1:2])), rest[2:])
        if not rest or rest[0] in (["-"], ["/dev/stdin"]):
            if stdin.text is not None:
                return self.code(name, stdin.text, rest[1:])
            if self.tainted(stdin):
                self.unclear()
            return self.unknown(rest[1:], NOTHING)
        script = self.own_script(rest[0][0])
        if script:
            return self.ours(script, rest[1:], stdin)
        path = os.path.normpath(os.path.join(self.place.cwd, rest[0][0]))
        if path in self.files:
            flow = self.files[path]
            if flow.text is not None:
                return self.code(name, flow.text, rest[1:])
            if self.tainted(flow):
                self.unclear()
        if not all(
            kind_of(p) in ("", "hosts")
            for f in rest[0]
            for _, p in self.place.expand(f)
        ):
            self.unclear()
        return self.unknown(self.without_exclusions(name, rest[1:]), UNKNOWN)

    def module(self, groups: list[Group], stdin: Flow) -> Flow:
        """python -m MODULE."""
        name = groups[0][0] if groups and groups[0] else ""
        rest = groups[1:]
        if name == "json.tool":
            operands = self.operands(name, rest)
            self.read(operands[:1])
            self.change(operands[1:], "shell")
            return self.filtered(stdin)
        if name in ("fileinput", "tokenize"):
            self.read(self.operands(name, rest))
            return UNKNOWN
        if name in programs.HARMLESS_MODULES:
            return UNKNOWN
        return self.unknown(self.without_exclusions(name, rest), UNKNOWN)

    def code(self, name: str, text: str, arguments: list[Group]) -> Flow:
        """Judge code for an interpreter, and the words handed to it."""
        for field in flat(arguments):
            if MENTION.search(field) or any(
                kind_of(path) not in ("", "hosts")
                for _, path in self.place.expand(field)
            ):
                self.unclear()
        inside = kind_of(self.place.locate(".")[1])
        if not (inside or self.spells(unmarked(text))):
            return UNKNOWN
        from ecomem.guard import code

        for use, path in code.uses(unmarked(text), name, self.spells):
            if use == "unclear":
                self.unclear()
            elif use == "read":
                self.read([[marked(path)]])
            elif use == "write":
                self.write_to(path, UNKNOWN)
        return Flow(spelled=False)

    def ours(self, script: str, groups: list[Group], stdin: Flow) -> Flow:
        """Judge one of our own scripts: what it writes, and the text it is given."""
        words = [field for group in groups for field in group]
        operands = [
            word
            for group in self.operands(
                script, groups, "--reason --path --cue --format --root --base"
            )
            for word in group
        ]
        root = self.place.locate(SCRIPTS)[0]
        roots = self.option_values([g[0] for g in groups if g], ("--root",))
        if roots:
            root = os.path.realpath(os.path.join(self.place.cwd, roots[0]))
        drawers = [word for word in operands[:1] if word in DRAWERS]
        slugs = [word for word in operands if is_slug(word) and word not in drawers]
        if script == "recall.py":
            return UNKNOWN
        if script == "remember.py" and drawers and slugs:
            path = f"{STORE}/{drawers[0]}/{slugs[0]}.md"
            if not {"--confirm", "--path", "--dry-run"} & {
                w.partition("=")[0] for w in words
            }:
                self.remembered(root, path, operands[2:], stdin)
            elif "--dry-run" not in words:
                self.touches.append(Touch("ours", root, path, ""))
            return UNKNOWN
        verb = "ours"
        if script == "forget.py" and not {"--archive", "--dry-run"} & {*words}:
            verb = "retire"
        for slug in slugs:
            for drawer in DRAWERS:
                path = f"{STORE}/{drawer}/{slug}.md"
                if os.path.exists(os.path.join(root, path)):
                    self.touches.append(Touch(verb, root, path, ""))
        return UNKNOWN

    def remembered(
        self, root: str, path: str, operands: list[str], stdin: Flow
    ) -> None:
        """Note the text that remember.py is given, from a file or from its input."""
        flow = stdin
        if operands and operands[0] != "-":
            flow = self.content(operands[:1])
        text = flow.text
        origin = "" if text is not None else "hidden"
        self.touches.append(Touch("ours", root, path, text, origin))
