"""What a shell command does to guarded paths.

A command that spells a path of the store, of the gate or of a registration passes only
if each simple command in it is known to be harmless there. Everything is judged as what
it runs: wrappers, `xargs`, `find -exec`, text handed to a shell or an interpreter. What
cannot be told is a touch with the verb "unclear".
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch

from ecomem.cheap_imports import TYPE_CHECKING, NamedTuple
from ecomem.guard import programs
from ecomem.guard.places import (
    ANY,
    HOST_FOLDERS,
    ONE,
    REGISTRATIONS,
    SCRIPTS,
    STAR,
    Place,
    Touch,
    guarded,
    is_pattern,
    kind_of,
    read_text,
)
from ecomem.guard.syntax import (
    Compound,
    Part,
    Redirection,
    Simple,
    Unreadable,
    parse,
)
from ecomem.store import DRAWERS, STORE, is_slug

if TYPE_CHECKING:
    from ecomem.guard.syntax import Command, Script, Word

MAX_SOURCE = (
    1 << 18
)  # characters; longer commands that spell a guarded path are refused
MAX_STEPS = 2_000  # simple commands that are judged
MAX_FIELDS = 64  # values of one word; more are read as one pattern
MAX_TEXT = 1 << 16  # characters of a text that passes through pipes
FOLDERS = ("drawer", "store", "above")
OPEN, COMMA, CLOSE = "\ue010", "\ue011", "\ue012"  # an unquoted brace, and its commas
SPELLED = re.compile(
    r"(?i)\.agents(?![\w.-])|/eco-mem(?![\w.])|eco-mem\.(?:allow|retired|js\b|json\b)|("
    + "|".join(re.escape(name.partition("/")[2]) for name in REGISTRATIONS)
    + r")|(?<![\w/-])("
    + "|".join(re.escape(name) for name in HOST_FOLDERS)
    + r")(?![\w.-])"
)
MENTION = re.compile(
    r"(?i)\.agents[\\/]+(?:memory|skills[\\/]+eco-mem|eco-mem\.)|\.agents[\\/]*(?=[\s'\"*;)|]|$)|("
    + "|".join(re.escape(name).replace("/", r"[\\/]+") for name in REGISTRATIONS)
    + ")"
)
WRITE_CHECKING = ("entry", "map", "desk", "odd", "gate", "host")
OPTION = re.compile(r"--?[A-Za-z][\w-]*|/[A-Za-z]{1,2}$")
JQ_SAFE = re.compile(
    r"\s*\.(?!hooks|disableAll|features)[A-Za-z_][\w.\"\[\]-]*\s*(?:\+=|\|=|=)[^|]*"
)


class Flow(NamedTuple):
    """What goes through a pipe or into a file: text if known, or names of paths.

    spelled says that the text, where it is not known, may name a guarded path or
    contain what an entry says.
    """

    text: str | None = None
    names: tuple[str, ...] = ()
    spelled: bool = False
    jq: str = ""  # the settings file that a harmless jq filter was applied to


NOTHING = Flow("")
UNKNOWN = Flow()
Group = list[str]  # the fields that one word of a command gives


def touches(source: str, place: Place, also: Iterable[str] = ()) -> list[Touch]:
    """What a command does to guarded paths. also: absolute folders guarded besides."""
    inside = kind_of(place.locate(".")[1])
    low = source.lower()
    others = [path for path in also if path and path.lower() in low]
    if len(source) > MAX_SOURCE:
        spelled = inside or others or ".agents" in low or "eco-mem" in low
        return [_unclear(place)] if spelled else []
    if not (inside or SPELLED.search(source) or others):
        return []
    if re.search(r"(?i)\.agents\\\w", source):
        source = source.replace("\\", "/")  # a path as Windows writes it
    judge = _Judge(place, tuple(also))
    try:
        judge.run_text(source, NOTHING)
        judge.finish()
    except (Unreadable, RecursionError):
        judge.touches.append(_unclear(place))
    return list(dict.fromkeys(judge.touches))


def _unclear(place: Place, path: str = STORE) -> Touch:
    return Touch("unclear", place.root, path)


class _Judge:
    """Walks through a script with what is known of its folder, variables and files."""

    def __init__(self, place: Place, also: tuple[str, ...]) -> None:
        self.place, self.also = place, also
        self.touches: list[Touch] = []
        self.variables: dict[str, list[str]] = {
            "PWD": [place.cwd],
            "HOME": [os.path.expanduser("~")],
        }
        for name in ("TMPDIR", "XDG_STATE_HOME"):
            if os.environ.get(name):
                self.variables[name] = [os.environ[name]]
        self.functions: dict[str, Script] = {}
        self.files: dict[str, Flow] = {}
        self.documents: list[Word] = []
        self.steps = self.depth = 0
        self.exported: set[str] = set()
        self.looked_up: set[str] = set()
        self.moved = False  # the last simple command changed the folder

    # The tree.

    def run_text(self, text: str, stdin: Flow) -> Flow:
        """Judge a text as a script. Raises Unreadable."""
        if len(text) > MAX_SOURCE:
            raise Unreadable("too long")
        documents, (script, self.documents) = self.documents, parse(text)
        flow = self.run(script, stdin)
        self.documents = documents
        return flow

    def try_text(self, text: str, stdin: Flow = UNKNOWN) -> Flow:
        """Judge a text as a script; one that cannot be read is unclear if it spells."""
        try:
            return self.run_text(text, stdin)
        except Unreadable:
            if self.spells(text):
                self.unclear()
            return Flow(spelled=self.spells(text))

    def run(self, script: Script, stdin: Flow) -> Flow:
        """Judge pipelines one after the other. Returns what they print."""
        self.depth += 1
        if self.depth > 60:
            raise Unreadable("too deep")
        texts, names, spelled = list[str](), list[str](), False
        known = True
        for pipeline in script:
            flow = stdin
            saved = (self.place, dict(self.variables)) if len(pipeline) > 1 else None
            for command in pipeline:
                flow = self.command(command, flow)
            if saved:
                self.place = saved[0]
                for name in ("PWD", "OLDPWD"):
                    if name in saved[1]:
                        self.variables[name] = saved[1][name]
            known = known and flow.text is not None
            texts.append(flow.text or "")
            names.extend(flow.names)
            spelled = spelled or flow.spelled
        self.depth -= 1
        text = "".join(texts)[:MAX_TEXT] if known else None
        only = flow.jq if len(script) == 1 else ""
        return Flow(text, tuple(names[:MAX_FIELDS]), spelled, only)

    def command(self, command: Command, stdin: Flow) -> Flow:
        """Judge one command. Returns what it prints."""
        if isinstance(command, Simple):
            return self.simple(command, stdin)
        stdin, outputs = self.redirect(command.redirections, stdin)
        flow = self.compound(command, stdin)
        return self.store(flow, outputs)

    def compound(self, command: Compound, stdin: Flow) -> Flow:
        """Judge a group, condition, loop or function definition."""
        if command.kind == "function":
            self.functions[command.name] = command.bodies[0]
            return NOTHING
        if command.kind == "subshell":
            place, variables = self.place, dict(self.variables)
            flow = self.run(command.bodies[0], stdin)
            self.place, self.variables, self.moved = place, variables, False
            return flow
        if command.kind == "for" and command.name:
            fields = [f for group in map(self.expand, command.words) for f in group]
            self.variables[command.name] = fields or [ANY]
        flows = [self.run(body, stdin) for body in command.bodies]
        if len(flows) == 1 and command.kind == "group":
            return flows[0]
        names = tuple(name for flow in flows for name in flow.names)
        spelled = any(f.spelled or self.spells(f.text or "") for f in flows)
        return Flow(None, names, spelled)

    # Words.

    def spells(self, text: str) -> bool:
        """Whether a text names something that is guarded, or any folder above it."""
        return bool(SPELLED.search(text)) or any(path in text for path in self.also)

    def expand(self, word: Word) -> Group:
        """The fields that a word may become, patterns and unknown parts marked."""
        values, split = [""], False
        for part in word:
            pieces = self.pieces(part, not any(values))
            if part.kind in ("variable", "output") and not part.quoted:
                pieces, split = [*map(_globbed, pieces)], True
            values = [value + piece for value in values for piece in pieces]
            if len(values) > MAX_FIELDS:
                values = [_shared(values) + ANY]
        fields: list[str] = []
        for value in values:
            braced = _braces(value) if OPEN in value else [value]
            for one in braced:
                fields.extend(one.split() if split and " " in one.strip() else [one])
        if len(fields) > MAX_FIELDS:
            fields = [_shared(fields) + ANY]
        return fields

    def pieces(self, part: Part, first: bool) -> list[str]:
        """The texts that one part of a word may be."""
        if part.kind == "text":
            if part.quoted:
                return [part.text]
            text = part.text
            if first and text[:1] == "~":
                text = os.path.expanduser(text)
            return [_marked(text)]
        if part.kind == "variable":
            return self.variable(part)
        if part.kind == "output":
            return self.output(self.run_apart(part.script, NOTHING), part.quoted)
        if part.kind == "input":
            flow = self.run_apart(part.script, NOTHING)
            return [self.keep(flow)]
        if part.kind == "sink":
            self.run_apart(part.script, UNKNOWN)
            return ["/dev/null"]
        if part.kind == "document":
            words = self.documents[int(part.text)]
            return ["".join(self.expand(words)[:1])]
        return [ANY]

    def run_apart(self, script: Script, stdin: Flow) -> Flow:
        """Judge a script that changes neither folder nor variables of this one."""
        place, variables, moved = self.place, dict(self.variables), self.moved
        flow = self.run(script, stdin)
        self.place, self.variables, self.moved = place, variables, moved
        return flow

    def keep(self, flow: Flow) -> str:
        """A file that stands for what a process substitution prints."""
        name = f"/dev/fd/{100 + len(self.files)}"
        self.files[name] = flow
        return name

    def output(self, flow: Flow, quoted: bool) -> list[str]:
        """The fields of a command substitution."""
        if flow.names:
            return list(flow.names)
        if flow.text is not None:
            text = flow.text.strip("\n")
            return [text] if quoted else text.split() or [""]
        return [self.anything()] if flow.spelled else [ANY]

    def anything(self) -> str:
        """A pattern for any path of the store."""
        return f"{self.place.root}/{STORE}/{ANY}"

    def variable(self, part: Part) -> list[str]:
        """The values of a variable; unknown ones, and changed ones, are patterns."""
        for pipeline in part.script:
            self.run_apart((pipeline,), NOTHING)
        match = re.match(r"[!#]?(env:)?(\w+|[@*])(\[[^]]*\])?", part.text, re.I)
        name = match[2] if match else ""
        rest = part.text[match.end() :] if match else part.text
        name = "@" if name == "*" else name
        self.looked_up.add(name)
        values = self.variables.get(name)
        if part.text[:1] == "#" and len(part.text) > 1:
            return ["1"]
        default = re.match(r":?[-=+](.*)", rest, re.S)
        if values is None:
            return [_marked(default[1])] if default and default[1] else [ANY]
        if default or not rest:
            return values
        changed = [
            f"{os.path.dirname(value)}/{ANY}" if "/" in value else ANY
            for value in values
        ]
        return changed

    # Redirections and files.

    def redirect(
        self, redirections: Sequence[Redirection], stdin: Flow
    ) -> tuple[Flow, list[str]]:
        """Judge redirections. Returns standard input, and the files written."""
        outputs: list[str] = []
        for operator, target in redirections:
            fields = self.expand(target)
            if operator == "<<":
                text = fields[0] if fields else ""
                stdin = Flow(None if is_pattern(text) else text, (), self.spells(text))
            elif operator == "<<<":
                text = " ".join(fields)
                known = not is_pattern(text)
                stdin = Flow(f"{text}\n" if known else None, (), self.spells(text))
            elif operator in ("<", "<>"):
                stdin = self.content(fields)
                self.read([fields])
                if operator == "<>":
                    outputs.extend(fields)
            elif operator == "<&" or (
                operator == ">&" and fields[0].strip("-").isdigit()
            ):
                continue
            elif fields and fields[0] != "-":
                outputs.extend(fields)
        return stdin, outputs

    def content(self, fields: Group) -> Flow:
        """What a file contains, if it can be known without opening an entry."""
        if len(fields) != 1 or is_pattern(fields[0]):
            return UNKNOWN
        path = os.path.join(self.place.cwd, os.path.expanduser(fields[0]))
        if path in self.files or os.path.normpath(path) in self.files:
            return self.files.get(path) or self.files[os.path.normpath(path)]
        _, relative = self.place.locate(fields[0])
        if kind_of(relative) in ("entry", "map", "desk"):
            return Flow(None, (), True)
        if not os.path.isfile(path) or os.path.getsize(path) > MAX_TEXT:
            return UNKNOWN
        text = read_text(path)
        return Flow(text, (), self.spells(text or ""))

    def store(self, flow: Flow, outputs: Iterable[str]) -> Flow:
        """Judge the files that an output goes into. Returns what is left of it."""
        written = False
        for field in outputs:
            written = True
            self.write_to(field, flow)
        return NOTHING if written else flow

    def write_to(self, field: str, flow: Flow) -> None:
        """Judge a file that is written with an output."""
        hits = self.place.expand(field)
        for root, path in hits:
            if not self.guards(root, path):
                self.files[os.path.normpath(os.path.join(root, path))] = flow
            elif kind_of(path) == "host" and (flow.text is not None or flow.jq):
                text = flow.text
                if flow.jq == path and text is None:
                    continue  # a jq filter that leaves the hooks alone
                self.touches.append(Touch("write", root, path, text))
            else:
                self.touches.append(Touch("shell", root, path))

    def guards(self, root: str, path: str) -> bool:
        """Whether a path is guarded against changes by commands."""
        if kind_of(path) not in ("", "hosts"):
            return True
        full = os.path.normpath(os.path.join(root, path))
        return any(f"{full}/".startswith(f"{other}/") for other in self.also)

    # What commands do to their operands.

    def unclear(self, path: str = STORE, root: str = "") -> None:
        """Note that it cannot be told what happens."""
        self.touches.append(Touch("unclear", root or self.place.root, path))

    def read(self, groups: Iterable[Group], recursive: bool = False) -> None:
        """Judge operands that are read: one entry is opened, several are a sweep."""
        for group in groups:
            entries: dict[tuple[str, str], None] = {}
            for field in group:
                for root, path in self.place.expand(field):
                    kind = kind_of(path)
                    if kind == "entry" and is_pattern(path):
                        self.touches.append(Touch("sweep", root, STORE))
                    elif kind == "entry":
                        entries[root, path] = None
                    elif kind in FOLDERS and (recursive or kind != "above"):
                        if kind == "drawer" and path.endswith("/working"):
                            continue
                        if path != ".agents/skills":
                            self.touches.append(Touch("sweep", root, STORE))
            if len(entries) > 1:
                self.touches.append(Touch("sweep", self.place.root, STORE))
            else:
                self.touches.extend(Touch("open", r, p) for r, p in entries)

    def change(self, groups: Iterable[Group], verb: str) -> None:
        """Judge operands that are changed; verb is shell or delete."""
        for group in groups:
            for field in group:
                for root, path in self.place.expand(field):
                    kind = kind_of(path)
                    if is_pattern(field) and path == f"{STORE}/working/INDEX.md":
                        continue  # desks are meant
                    folder = kind == "hosts" and verb == "delete"
                    if folder or self.guards(root, path):
                        self.touches.append(Touch(verb, root, path))

    def unknown(self, groups: Iterable[Group], stdin: Flow) -> Flow:
        """Judge a program that nobody knows: it gets nothing that is guarded."""
        for group in groups:
            for field in group:
                value = field.partition("=")[2]
                hits = [*self.place.expand(field)]
                hits += self.place.expand(value) if value else []
                for root, path in hits:
                    if kind_of(path) not in ("", "hosts") or self.also_guards(
                        root, path
                    ):
                        self.unclear(path, root)
                if MENTION.search(field.replace(STAR, "*")):
                    self.unclear()
        if self.tainted(stdin):
            self.unclear()
        return Flow(spelled=self.tainted(stdin))

    def also_guards(self, root: str, path: str) -> bool:
        """Whether a path lies in one of the folders that are guarded besides."""
        full = os.path.normpath(os.path.join(root, path))
        return any(f"{full}/".startswith(f"{other}/") for other in self.also)

    def tainted(self, flow: Flow) -> bool:
        """Whether what flows names something guarded, or may."""
        known = flow.text or ""
        return flow.spelled or self.spells(known) or any(map(self.spells, flow.names))

    # Simple commands.

    def simple(self, command: Simple, stdin: Flow) -> Flow:
        """Judge one simple command. Returns what it prints."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Unreadable("too many commands")
        for assignment in command.assignments:
            groups = [self.expand(word) for word in assignment.words]
            fields = [field for group in groups for field in group]
            self.variables[assignment.name] = fields or [""]
        stdin, outputs = self.redirect(command.redirections, stdin)
        groups = [self.expand(word) for word in command.words]
        if groups and outputs and not command.words:
            return NOTHING
        self.moved = False
        if not groups:
            flow = stdin if command.redirections and not outputs else NOTHING
            return self.store(flow, outputs)
        return self.store(self.words(groups, stdin), outputs)

    def words(self, groups: list[Group], stdin: Flow) -> Flow:
        """Judge a command by its words."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Unreadable("too many commands")
        if not groups:
            return NOTHING
        spelled_name = groups[0][0] if groups[0] else ""
        groups = [groups[0][:1], groups[0][1:], *groups[1:]]
        groups = [group for group in groups if group]
        name = re.split(r"[\\/]", spelled_name.lower())[-1]
        name = re.sub(r"\.(exe|cmd|bat)$", "", name)
        if spelled_name in self.functions:
            return self.call(spelled_name, groups[1:], stdin)
        if name.startswith(("python", "pypy")) and re.fullmatch(
            r"[a-z]+[\d.]*t?", name
        ):
            name = "python"
        if re.fullmatch(r"(perl|ruby|php|node|lua)[\d.]+", name):
            name = re.match(r"[a-z]+", name)[0]  # type: ignore[index]
        rest = groups[1:]
        handlers = {
            "git": self.git,
            "find": self.find,
            "fd": self.fd,
            "fdfind": self.fd,
            "xargs": self.xargs,
            "parallel": self.parallel,
            "eval": self.evaluate,
            "alias": self.evaluate,
            "trap": self.evaluate,
            "source": self.source,
            ".": self.source,
            "read": self.read_line,
            "mapfile": self.read_line,
            "readarray": self.read_line,
            "set": self.positional,
            "curl": self.download,
            "wget": self.download,
            "tar": self.tar,
            "bsdtar": self.tar,
            "zip": self.pack,
            "7z": self.pack,
            "dd": self.dd,
            "mkdir": self.mkdir,
            "md": self.mkdir,
            "script": self.script_command,
            "flock": self.flock,
            "sed": self.sed,
            "gsed": self.sed,
            "awk": self.awk,
            "gawk": self.awk,
            "mawk": self.awk,
            "nawk": self.awk,
            "apply_patch": self.apply_patch,
            "applypatch": self.apply_patch,
            "foreach-object": self.each_object,
            "%": self.each_object,
        }
        if name in handlers:
            return handlers[name](rest, stdin)
        if name in programs.CHANGE_FOLDER:
            return self.change_folder(rest)
        if name in programs.DECLARE:
            return self.declare(name, rest)
        if name in programs.SHELLS:
            return self.shell(name, rest, stdin)
        if name in programs.CODE:
            return self.interpreter(name, rest, stdin)
        if name in programs.RUNNERS or name in programs.WRAPPERS:
            return self.wrapper(name, rest, stdin)
        if name in programs.TEXT:
            return self.text(name, rest)
        if name in programs.SEARCHERS:
            return self.search(name, rest, stdin)
        if name in programs.READERS:
            return self.reader(name, rest, stdin)
        if name in programs.NAMES:
            return self.listing(name, rest)
        if name in programs.DELETERS or name in programs.WRITERS:
            verb = "delete" if name in programs.DELETERS else "shell"
            if name not in ("tee", "sponge") and self.tainted(stdin):
                self.unclear()  # a patch, say, or what an editor is told
            self.change(self.operands(name, rest), verb)
            return stdin if name in ("tee", "sponge") else NOTHING
        if name in programs.COPIERS:
            return self.copier(name, rest)
        if name in programs.CHECKERS:
            return Flow(spelled=False)
        if is_pattern(spelled_name) or kind_of(self.place.locate(spelled_name)[1]):
            script = self.own_script(spelled_name)
            if script:
                return self.ours(script, rest, stdin)
            self.read([[spelled_name]])
        if os.path.normpath(os.path.join(self.place.cwd, spelled_name)) in self.files:
            return self.script_file([spelled_name], stdin)
        return self.unknown(self.without_exclusions(name, rest), stdin)

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

    def bind(self, arguments: list[Group]) -> None:
        """Set the positional parameters."""
        self.variables["@"] = [field for group in arguments for field in group]
        for at, group in enumerate(arguments[:9], 1):
            self.variables[str(at)] = group

    # Words of a command: options and operands.

    def without_exclusions(self, name: str, groups: list[Group]) -> list[Group]:
        """The words without those that say what is left out."""
        left: list[Group] = []
        skip = False
        short = programs.EXCLUDING_SHORT.get(name, ())
        for group in groups:
            word = group[0] if group else ""
            if skip:
                skip = False
            elif word in short:
                skip = True
            elif word[:1] == "-" and any(x in word.lower() for x in programs.EXCLUDING):
                skip = "=" not in word
            elif word.startswith(("!", ":!", ":^", ":(exclude)")):
                continue
            else:
                left.append(group)
        return left

    def operands(self, name: str, groups: list[Group], valued: str = "") -> list[Group]:
        """The words that are no options, and the values after `=` of those that are."""
        left: list[Group] = []
        skip, literal = False, False
        for group in self.without_exclusions(name, groups):
            word = group[0] if group else ""
            if skip:
                skip = False
            elif not literal and word == "--":
                literal = True
            elif not literal and word[:1] == "-" and len(word) > 1:
                skip = word in valued.split()
                value = word.partition("=")[2]
                if value:
                    left.append([value])
            else:
                left.append(group)
        return left

    def outputs(self, groups: list[Group], options: Sequence[str]) -> None:
        """Judge the files that options say the output goes to."""
        words = [group[0] for group in groups if group]
        for at, word in enumerate(words):
            for option in options:
                value = ""
                if word == option and at + 1 < len(words):
                    value = words[at + 1]
                elif option[:2] == "--" and word.startswith(f"{option}="):
                    value = word[len(option) + 1 :]
                elif option[:2] != "--" and word.startswith(option):
                    value = word[len(option) :]
                if value:
                    self.write_to(value, Flow(spelled=True))

    # Handlers, each for one kind of program.

    def change_folder(self, groups: list[Group]) -> Flow:
        """cd and its like."""
        operands = self.operands("cd", groups)
        target = operands[0][0] if operands and operands[0] else "~"
        if len((operands and operands[0]) or ()) > 1 or is_pattern(target):
            hits = self.place.expand(target) if is_pattern(target) else []
            known = [path for _, path in hits if kind_of(path)]
            target = known[0] if known else ANY
        if target == "-":
            target = self.variables.get("OLDPWD", [ANY])[0]
        if target == ANY:
            return NOTHING
        self.variables["OLDPWD"] = [self.place.cwd]
        self.place = self.place.at(target)
        self.variables["PWD"] = [self.place.cwd]
        self.moved = True
        return NOTHING

    def finish(self) -> None:
        """Judge what a command leaves behind for the next: a folder, a variable."""
        kind = kind_of(self.place.locate(".")[1])
        if self.moved and kind in FOLDERS:
            self.touches.append(Touch("enter", self.place.root, STORE))
        for name in self.exported - self.looked_up:
            for value in self.variables.get(name, ()):
                if any(kind_of(path) for _, path in self.place.expand(value)):
                    self.unclear()

    def declare(self, name: str, groups: list[Group]) -> Flow:
        """export and its like."""
        for group in groups:
            for field in group:
                key, given, value = field.partition("=")
                if given and key.isidentifier():
                    self.variables[key] = [value]
                    if name == "export":
                        self.exported.add(key)
        return NOTHING

    def positional(self, groups: list[Group], stdin: Flow) -> Flow:
        """set -- WORDS."""
        self.bind(groups[1:] if groups and groups[0][:1] == ["--"] else groups)
        return NOTHING

    def read_line(self, groups: list[Group], stdin: Flow) -> Flow:
        """read: its variables get what flows in."""
        values = list(stdin.names)
        if stdin.text:
            values += stdin.text.split()[:MAX_FIELDS]
        if stdin.spelled and not values:
            values = [self.anything()]
        for group in self.operands("read", groups, "-d -n -N -p -u -i -O -s"):
            self.variables[group[0]] = values or [ANY]
        return NOTHING

    def text(self, name: str, groups: list[Group]) -> Flow:
        """echo, printf and programs that take a text."""
        if name in ("gh", "glab", "hub"):
            self.read([g for g in groups if g and " " not in g[0]], True)
            return UNKNOWN
        words = [field for group in groups for field in group]
        if name == "printf" and words:
            form = words[0].replace("\\n", "\n").replace("\\t", "\t")
            rest = words[1:]
            if "%" in form and rest:
                one = re.sub(r"%[-\d.]*[sbqd]", "\ue020", form)
                count = max(one.count("\ue020"), 1)
                chunks = [rest[at : at + count] for at in range(0, len(rest), count)]
                text = "".join(_filled(one, chunk) for chunk in chunks)
            else:
                text = form
        else:
            while words and re.fullmatch(r"-[neE]+", words[0]):
                words = words[1:]
            text = " ".join(words) + "\n"
            if "\\n" in text:
                text = text.replace("\\n", "\n")
        names = tuple(field for field in words if is_pattern(field))
        known = not is_pattern(text)
        return Flow(text if known else None, names, self.spells(text) and not known)

    def listing(self, name: str, groups: list[Group]) -> Flow:
        """ls and programs that print names and numbers."""
        if name in ("[", "test", "[[", "pwd", "date"):
            return UNKNOWN
        self.outputs(groups, ("--output",))
        if name not in (
            "ls",
            "dir",
            "get-childitem",
            "gci",
            "exa",
            "eza",
            "lsd",
            "tree",
        ):
            return UNKNOWN
        names: list[str] = []
        for group in self.operands(name, groups, "-I -w -L -P") or [["."]]:
            for field in group:
                for root, path in self.place.expand(field):
                    kind = kind_of(path)
                    full = os.path.join(root, path)
                    if kind in FOLDERS and name in ("get-childitem", "gci"):
                        names.append(f"{full}/{ANY}")
                    elif kind in FOLDERS:
                        names.append(ANY)  # names without their folder
                    elif kind:
                        names.append(full)
        return Flow(None, tuple(names))

    def reader(self, name: str, groups: list[Group], stdin: Flow) -> Flow:
        """cat and other programs that print what files contain."""
        words = [group[0] for group in groups if group]
        if name == "head" and any(re.fullmatch(r"-q?(n?1|c\d+)", w) for w in words):
            return UNKNOWN  # titles only
        if (
            name == "head"
            and "-n" in words[:-1]
            and words[words.index("-n") + 1] == "1"
        ):
            return UNKNOWN
        if name == "type" and len(groups) == 1 and "." not in words[0]:
            return UNKNOWN
        if name == "yq" and {"-i", "--in-place", "--inplace"} & {*words}:
            self.change(self.operands(name, groups), "shell")
        options = ("-o", "--output", "--output-file")
        if name in ("sort", "shuf", "pandoc", "iconv", "jq", "xmllint", "pygmentize"):
            self.outputs(groups, options)
        recursive = name in ("diff", "cmp", "colordiff", "icdiff")
        if name in ("jq", "gojq", "yq"):
            return self.query(self.operands(name, _without_arguments(groups)), stdin)
        operands = self.operands(name, groups)
        if name in ("xxd", "uniq") and len(operands) > 1:
            self.change(operands[1:], "shell")
        self.read(operands, recursive)
        if name in ("gc", "get-content") and stdin.names:
            self.read([list(stdin.names)])
        if not operands or operands == [["-"]]:
            return stdin._replace(jq="") if name == "cat" else self.filtered(stdin)
        if name == "cat" and len(operands) == 1:
            return self.content(operands[0])
        flows = [self.content(group) for group in operands]
        tainted = any(self.tainted(flow) for flow in flows)
        if name == "cat" and all(flow.text is not None for flow in flows):
            return Flow("".join(flow.text or "" for flow in flows))
        return Flow(spelled=tainted)

    def filtered(self, flow: Flow) -> Flow:
        """What is left of a flow after a filter."""
        if flow.names:
            return flow
        return Flow(None, (), self.tainted(flow))

    def query(self, operands: list[Group], stdin: Flow) -> Flow:
        """jq: a filter, then files."""
        if not operands:
            return self.filtered(stdin)
        self.read(operands[1:])
        if len(operands) == 2:
            _, path = self.place.locate(operands[1][0])
            if kind_of(path) == "host" and JQ_SAFE.fullmatch(operands[0][0]):
                return Flow(jq=path)
        return self.filtered(stdin)

    def search(self, name: str, groups: list[Group], stdin: Flow) -> Flow:
        """grep and its like: a pattern, then files."""
        words = [group[0] for group in groups if group]
        long = {word.partition("=")[0] for word in words if word[:2] == "--"}
        short = "".join(
            re.match(r"-([A-Za-z]*)", word)[1]  # type: ignore[index]
            for word in words
            if re.match(r"-[A-Za-z]", word)
        )
        names_only = bool(
            set(short) & set("lLcq")
            or long
            & {
                "--files-with-matches",
                "--files-without-match",
                "--count",
                "--quiet",
                "--files",
                "--count-matches",
                "--silent",
                "--list",
            }
        )
        if "--pre" in long or "--pager" in long:
            return self.unknown(groups, stdin)
        valued = (
            "-e -f -m -A -B -C -g -t -T --glob --iglob --type --include --regexp --file"
            " --max-count --context --after-context --before-context --type-not -d -D"
            " --color --path-separator -Path -Pattern -r_"
        )
        if name in ("rg", "ripgrep"):
            valued += " -r --replace"
        patterns = any(
            re.match(r"-[A-Za-z]*[ef]$|--regexp|--file|-[A-Za-z]*e.", word)
            for word in words
        )
        if not patterns and "--files" not in long:
            groups = self.without_pattern(name, groups, valued)
        includes = self.option_values(words, ("--include", "-g", "--glob", "--iglob"))
        excludes = self.option_values(words, ("--exclude", "--exclude-dir", "--ignore"))
        excludes += [value[1:] for value in includes if value[:1] == "!"]
        includes = [value for value in includes if value[:1] != "!"]
        types = self.option_values(words, ("-t", "--type"))
        if types and not {*types} & {"md", "markdown", "all"}:
            includes.append("*.no-markdown")
        recursive = (
            name in programs.RECURSIVE_SEARCHERS
            or bool(set(short) & set("rR"))
            or bool(long & {"--recursive", "--dereference-recursive"})
        )
        skipping = [*self.operands(name, groups, valued)]
        if "=" in "".join(words):
            given = {w.partition("=")[2] for w in words if w[:1] == "-" and "=" in w}
            skipping = [group for group in skipping if group[0] not in given]
        if not skipping and recursive and not stdin.text and not stdin.names:
            skipping = [["."]]
        if names_only:
            return self.found_names(skipping, includes)
        for group in skipping:
            self.search_in(group, recursive, includes, excludes)
        if stdin.names and not skipping:
            return stdin
        return Flow(spelled=self.tainted(stdin) and not skipping)

    def without_pattern(
        self, name: str, groups: list[Group], valued: str
    ) -> list[Group]:
        """The words of a search without the first operand, which is what is sought."""
        skip = False
        for at, group in enumerate(groups):
            word = group[0] if group else ""
            if skip:
                skip = False
            elif word == "--":
                return [*groups[:at], *groups[at + 2 :]]
            elif word[:1] == "-" and len(word) > 1:
                skip = word in valued.split() or any(
                    x in word.lower() for x in programs.EXCLUDING if "=" not in word
                )
            else:
                return [*groups[:at], *groups[at + 1 :]]
        return groups

    def option_values(self, words: list[str], options: Sequence[str]) -> list[str]:
        """The values of some options."""
        values: list[str] = []
        for at, word in enumerate(words):
            key, given, value = word.partition("=")
            if key in options:
                if given:
                    values.append(value)
                elif at + 1 < len(words):
                    values.append(words[at + 1])
        return [_unmarked(value) for value in values]

    def found_names(self, groups: list[Group], includes: list[str]) -> Flow:
        """The names that a search prints."""
        names: list[str] = []
        if includes and not any(fnmatch("x.md", pattern) for pattern in includes):
            return UNKNOWN
        for group in groups:
            for field in group:
                for root, path in self.place.expand(field):
                    kind = kind_of(path)
                    if kind in FOLDERS:
                        names.append(f"{os.path.join(root, path)}/{ANY}")
                    elif kind == "entry":
                        names.append(os.path.join(root, path))
        return Flow(None, tuple(names))

    def search_in(
        self, group: Group, recursive: bool, includes: list[str], excludes: list[str]
    ) -> None:
        """Judge one operand of a search."""
        for field in group:
            for root, path in self.place.expand(field):
                kind = kind_of(path)
                if kind not in FOLDERS:
                    continue
                if not (recursive or kind == "drawer"):
                    continue
                below = [
                    item
                    for item in guarded(root)
                    if kind_of(item) == "entry" and item.startswith(f"{path}/")
                ]
                left = [
                    item
                    for item in below
                    if _included(item, includes) and not _excluded(item, excludes)
                ]
                if left:
                    self.touches.append(Touch("sweep", root, STORE))
        entries = [f for f in group if f]
        hits = {hit for field in entries for hit in self.place.expand(field)}
        self.read_hits({hit for hit in hits if kind_of(hit[1]) == "entry"})

    def read_hits(self, hits: set[tuple[str, str]]) -> None:
        """Judge the entries that one word names."""
        if len(hits) > 1:
            self.touches.append(Touch("sweep", self.place.root, STORE))
        else:
            self.touches.extend(Touch("open", root, path) for root, path in hits)

    def sed(self, groups: list[Group], stdin: Flow) -> Flow:
        """sed: a script, then files; -i writes them."""
        words = [group[0] for group in groups if group]
        given = [w for w in words if re.match(r"-[A-Za-z]*e|--expression", w)]
        scripts = self.option_values(words, ("-e", "--expression"))
        operands = self.operands("sed", groups, "-e -f -l --expression --file")
        if given:
            scripts += [w for w in given if len(w) > 2]
            operands = [g for g in operands if g[0] not in scripts]
        elif operands and not any(word in ("-f", "--file") for word in words):
            scripts.append(operands[0][0])
            operands = operands[1:]
        script = "\n".join(scripts)
        acts = re.search(r"(?:^|[;{}\n\d/$!\s])[eWwrR](?:\s|$)", script)
        if acts and (MENTION.search(script) or self.any_guarded(operands)):
            return self.unknown([*operands, [script]], stdin)
        in_place = any(
            word.startswith("--in-place") or re.match(r"-[nrEsuz]*i", word)
            for word in words
        )
        if in_place:
            self.change(operands, "shell")
            return NOTHING
        self.read(operands)
        return self.filtered(stdin) if not operands else self.copied(operands)

    def copied(self, operands: list[Group]) -> Flow:
        """The output of a filter over files."""
        return Flow(spelled=any(self.tainted(self.content(g)) for g in operands))

    def any_guarded(self, groups: list[Group]) -> bool:
        """Whether a word names something that is guarded."""
        hits = (hit for g in groups for field in g for hit in self.place.expand(field))
        inside = kind_of(self.place.locate(".")[1])
        return bool(inside) or any(
            kind_of(path) not in ("", "hosts") for _, path in hits
        )

    def awk(self, groups: list[Group], stdin: Flow) -> Flow:
        """awk: a program, then files."""
        words = [group[0] for group in groups if group]
        operands = self.operands("awk", groups, "-v -F -f -i --assign --file")
        program = ""
        if not any(word in ("-f", "--file") for word in words) and operands:
            program, operands = operands[0][0], operands[1:]
        acts = re.search(r"getline|system\s*\(|\||inplace|>", program)
        if "inplace" in " ".join(words):
            self.change(operands, "shell")
            return NOTHING
        compares = re.fullmatch(r"[^|>]*[\w)\]]\s*>=?\s*[\d$\w][^|>\"]*", program)
        guarded_words = MENTION.search(program) or self.any_guarded(operands)
        if acts and guarded_words and not compares:
            self.unclear()
        self.read(operands)
        return self.filtered(stdin) if not operands else self.copied(operands)

    def copier(self, name: str, groups: list[Group]) -> Flow:
        """cp, mv, ln, install, rsync: sources, then a target."""
        words = [group[0] for group in groups if group]
        targets = self.option_values(
            words, ("-t", "--target-directory", "-Destination")
        )
        valued = "-t -m -o -g -S -e --target-directory --mode --owner --group --suffix"
        operands = self.operands(name, groups, valued + " -Destination -Path")
        operands = [g for g in operands if g[0] not in targets]
        if "-Path" in words:
            operands = [
                [value] for value in self.option_values(words, ("-Path",))
            ] + operands
        folder = bool(targets)
        if not targets and len(operands) > 1:
            targets = operands[-1]
            operands = operands[:-1]
        if name in programs.MOVERS:
            if self.moved_desk(operands, targets):
                return NOTHING
            self.change(operands, "delete")
        elif name in ("ln", "link"):
            self.linked(operands)
        else:
            self.read(operands, True)
        for target in targets:
            self.copy_to(name, operands, target, folder)
        return NOTHING

    def linked(self, operands: list[Group]) -> None:
        """Judge what a link points at: by it the guarded path is no longer spelled."""
        for group in operands:
            for field in group:
                for root, path in self.place.expand(field):
                    if kind_of(path) or path == "." or path.startswith(".."):
                        inside = f"{self.place.root}/".startswith(
                            os.path.normpath(os.path.join(root, path)) + "/"
                        )
                        if kind_of(path) or inside:
                            self.unclear(path if kind_of(path) else STORE, root)

    def moved_desk(self, operands: list[Group], targets: Sequence[str]) -> bool:
        """Whether desks move within working, which is as good as writing them."""
        sources = [hit for g in operands for f in g for hit in self.place.expand(f)]
        aims = [hit for target in targets for hit in self.place.expand(target)]
        if len(sources) != 1 or len(aims) != 1:
            return False
        (root, source), (_, aim) = sources[0], aims[0]
        if kind_of(source) != "desk" or kind_of(aim) != "desk":
            return False
        text = read_text(os.path.join(root, source))
        self.touches.append(Touch("delete", root, source))
        self.touches.append(Touch("write", root, aim, text))
        return True

    def copy_to(
        self, name: str, operands: list[Group], target: str, folder: bool
    ) -> None:
        """Judge the target of a copy, a folder as what would lie in it."""
        for root, path in self.place.expand(target):
            full = os.path.join(root, path)
            into = folder or target.endswith("/") or os.path.isdir(full)
            for group in operands:
                for source in group:
                    self.copy_one(source, root, path, into)
            if not operands and kind_of(path):
                self.touches.append(Touch("shell", root, path))
            if not into and kind_of(path) in FOLDERS:
                self.touches.append(Touch("shell", root, path))

    def copy_one(self, source: str, root: str, path: str, into: bool) -> None:
        """Judge one file or folder that is copied to a path."""
        base = os.path.basename(source.rstrip("/"))
        aim = os.path.join(path, base) if into and base not in ("", ".") else path
        aim = os.path.normpath(aim)
        whole = os.path.normpath(os.path.join(self.place.cwd, source))
        if kind_of(aim) == "host" and (whole in self.files or os.path.isfile(whole)):
            self.write_to(os.path.join(root, aim), self.content([source]))
        elif kind_of(aim) not in ("", "hosts", "above"):
            self.touches.append(Touch("shell", root, aim))
        elif is_pattern(aim) and kind_of(path) in ("drawer", "store"):
            self.touches.append(Touch("shell", root, path))
        elif os.path.isdir(whole):
            for item in guarded(root):
                below = os.path.relpath(item, aim)
                if below.startswith("..") or kind_of(item) in ("hosts", "above"):
                    continue
                if os.path.isfile(os.path.join(whole, below)):
                    self.touches.append(Touch("shell", root, item))

    def mkdir(self, groups: list[Group], stdin: Flow) -> Flow:
        """mkdir: no folder of the store is new."""
        for group in self.operands("mkdir", groups, "-m"):
            for field in group:
                for root, path in self.place.expand(field):
                    if kind_of(path) == "odd" or self.also_guards(root, path):
                        self.touches.append(Touch("shell", root, path))
        return NOTHING

    def apply_patch(self, groups: list[Group], stdin: Flow) -> Flow:
        """apply_patch of Codex: a patch as a word or on standard input."""
        from ecomem.guard import tool_calls

        text = groups[0][0] if groups and groups[0] else stdin.text
        if text is None:
            if self.tainted(stdin):
                self.unclear()
            return UNKNOWN
        self.touches.extend(tool_calls.patched(_unmarked(text), self.place))
        return UNKNOWN

    def dd(self, groups: list[Group], stdin: Flow) -> Flow:
        """dd if=FILE of=FILE."""
        for group in groups:
            for field in group:
                key, _, value = field.partition("=")
                if key == "if":
                    self.read([[value]])
                elif key == "of":
                    self.write_to(value, UNKNOWN)
        return UNKNOWN

    def download(self, groups: list[Group], stdin: Flow) -> Flow:
        """curl and wget: targets are written; files that are sent are read."""
        self.outputs(groups, ("-o", "-O", "--output", "--output-document", "-P", "-a"))
        self.outputs(groups, ("--output-dir", "--directory-prefix", "-D", "-c", "-K"))
        if kind_of(self.place.locate(".")[1]):
            self.unclear()
        for group in groups:
            for field in group:
                sent = re.match(r"(?:[\w.-]+=)?@(.+)|file://(.+)", field)
                if sent:
                    self.read([[sent[1] or sent[2]]])
        words = [group[0] for group in groups if group]
        sent_files = self.option_values(words, ("-T", "--upload-file", "--post-file"))
        self.read([[value] for value in sent_files])
        return UNKNOWN

    def tar(self, groups: list[Group], stdin: Flow) -> Flow:
        """tar: creating reads, extracting writes."""
        words = [group[0] for group in groups if group]
        mode = (words[0] if words and words[0][:2] != "--" else "").lstrip("-")
        extracts = "x" in mode or {"--extract", "--get", "-x"} & {*words}
        lists = "t" in mode or {"--list", "-t"} & {*words}
        folders = self.option_values(words, ("-C", "--directory"))
        if words and words[0][:1] != "-":
            groups = groups[1:]
        operands = self.operands("tar", groups, "-C --directory -T -X")
        if extracts:
            where = folders or ["."]
            self.change([[folder] for folder in where], "shell")
            for folder in where:
                kind = kind_of(self.place.locate(folder)[1])
                if kind in ("above", "hosts"):
                    self.unclear()
            if any(
                kind_of(p) for g in operands for f in g for _, p in self.place.expand(f)
            ):
                self.unclear()
        elif not lists:
            archives = self.option_values(words, ("-f", "--file"))
            for archive in archives:
                self.write_to(archive, UNKNOWN)
            place = self.place
            for folder in folders:
                self.place = self.place.at(folder)
            self.read(operands, True)
            self.place = place
        return Flow(spelled=self.any_guarded(operands))

    def pack(self, groups: list[Group], stdin: Flow) -> Flow:
        """zip: an archive, then what goes into it."""
        operands = self.operands("zip", groups)
        self.change(operands[:1], "shell")
        self.read(operands[1:], True)
        return NOTHING

    # Programs that run others.

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
                text = word.partition("=")[2] or " ".join(_flat(groups[at + 1 :]))
                return self.try_text(text, stdin)
            if key in programs.SCRIPT_OPTIONS and name not in (
                "time",
                "taskset",
                "ionice",
            ):
                text = word.partition("=")[2] or " ".join(
                    _flat(groups[at + 1 : at + 2])
                )
                return self.try_text(text, stdin)
            if name == "command" and word in ("-v", "-V"):
                return UNKNOWN
            if name == "env" and key in ("-C", "--chdir"):
                folder = word.partition("=")[2] or _flat(groups[at + 1 : at + 2])[0]
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
            return self.try_text(" ".join(_flat(rest)), stdin)
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
            text = " ".join(_flat(groups[words.index("-c") + 1 :][:1]))
            return self.try_text(text, stdin)
        at = 0
        while at < len(words) and words[at][:1] == "-":
            at += 2 if words[at] in ("-w", "-E", "--timeout") else 1
        return self.words(groups[at + 1 :], stdin)

    def evaluate(self, groups: list[Group], stdin: Flow) -> Flow:
        """eval, trap and alias: their words are a script."""
        text = " ".join(_unmarked(word) for word in _flat(groups))
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
                    return self.try_text(" ".join(_flat(rest)), stdin)
                if not rest:
                    return UNKNOWN
                self.bind(rest[2:])
                self.variables["0"] = rest[1] if rest[1:] else ["sh"]
                for text in rest[0]:
                    flow = self.try_text(text, stdin)
                return flow
            if word.lower() in ("/c", "/k", "--command"):
                return self.try_text(" ".join(_flat(groups[at + 1 :])), stdin)
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
        replaced = ""
        at = 0
        while at < len(groups):
            word = groups[at][0] if groups[at] else ""
            if word in ("-I", "--replace"):
                replaced = (
                    _flat(groups[at + 1 : at + 2])[0] if at + 1 < len(groups) else ""
                )
            elif word.startswith("-I"):
                replaced = word[2:]
            if word in ("-a", "--arg-file") and at + 1 < len(groups):
                stdin = self.content(groups[at + 1])
            if word[:1] != "-":
                break
            at += 2 if word in valued.split() else 1
        command = groups[at:] or [["echo"]]
        given = self.handed(stdin)
        if replaced:
            command = [_replaced(group, replaced, given) for group in command]
        elif given:
            command = [*command, given]
        return self.words(command, NOTHING)

    def handed(self, stdin: Flow) -> Group:
        """The words that xargs takes from its input."""
        fields = list(stdin.names)
        if stdin.text:
            fields += stdin.text.replace("\0", " ").split()[:MAX_FIELDS]
        if not fields and stdin.spelled:
            fields = [self.anything()]
        return fields

    def parallel(self, groups: list[Group], stdin: Flow) -> Flow:
        """parallel COMMAND ::: WORDS."""
        words = [group[0] if group else "" for group in groups]
        given = self.handed(stdin)
        for mark in (":::", "::::"):
            if mark in words:
                at = words.index(mark)
                given = _flat(groups[at + 1 :])
                groups = groups[:at]
        while groups and groups[0] and groups[0][0][:1] == "-":
            groups = groups[2:] if groups[0][0] in ("-j", "-P", "-n") else groups[1:]
        if len(groups) == 1 and groups[0] and " " in groups[0][0]:
            text = groups[0][0].replace("{}", " ".join(given))
            return self.try_text(text if "{}" in groups[0][0] else f"{text} {given}")
        if any("{}" in field for group in groups for field in group):
            command = [_replaced(group, "{}", given) for group in groups]
        else:
            command = [*groups, given] if given else groups
        return self.words(command, NOTHING)

    def each_object(self, groups: list[Group], stdin: Flow) -> Flow:
        """ForEach-Object { ... } of PowerShell."""
        self.variables["_"] = list(stdin.names) or [ANY]
        text = " ".join(_flat(groups)).replace("{", " ").replace("}", " ")
        if stdin.names and re.search(r"(?i)\b(gc|get-content|cat|type|\[io)\b", text):
            self.read([list(stdin.names)])
        elif stdin.names and re.search(r"(?i)\b(remove|set|move|del|rm|out)\b", text):
            self.change([list(stdin.names)], "shell")
        return self.try_text(text, NOTHING)

    def find(self, groups: list[Group], stdin: Flow) -> Flow:
        """find: folders, tests, and what is done with what they match."""
        words = [group[0] if group else "" for group in groups]
        start = next(
            (at for at, w in enumerate(words) if w[:1] in "-!(" and w), len(words)
        )
        folders = groups[:start] or [["."]]
        tests = words[start:]
        matched = self.matched(folders, tests)
        at, acted = 0, False
        while at < len(tests):
            word = tests[at]
            if word in ("-exec", "-execdir", "-ok", "-okdir"):
                acted = True
                end = at + 1
                while end < len(tests) and tests[end] not in (";", "+"):
                    end += 1
                command = groups[start + at + 1 : start + end]
                self.execute(command, matched)
                at = end
            elif word == "-delete":
                acted = True
                self.change([matched], "delete")
            elif word in ("-fprint", "-fprintf", "-fls", "-fprint0"):
                self.write_to("".join(tests[at + 1 : at + 2]), UNKNOWN)
            at += 1
        return NOTHING if acted else Flow(None, tuple(matched))

    def execute(self, command: list[Group], matched: Group) -> None:
        """Judge the command of find -exec with what was matched."""
        if any("{}" in field for group in command for field in group):
            command = [_replaced(group, "{}", matched) for group in command]
        self.words(command, NOTHING)

    def matched(self, folders: list[Group], tests: list[str]) -> Group:
        """The guarded paths that find may match, absolute."""
        found: dict[str, None] = {}
        branches = _branches(tests)
        skipped = [test for pruned, branch in branches if pruned for test in branch]
        for group in folders:
            for field in group:
                for root, path in self.place.expand(field):
                    spelled = field.rstrip("/") or "/"
                    for item in guarded(root):
                        if path not in (item, ".") and not item.startswith(f"{path}/"):
                            continue
                        if kind_of(item) in ("", "hosts", "host"):
                            continue
                        below = os.path.relpath(item, path)
                        shown = spelled if below == "." else f"{spelled}/{below}"
                        if _passes(item, shown, branches, skipped):
                            found[os.path.join(root, item)] = None
        names = list(found)
        return names if len(names) <= MAX_FIELDS else [*names[:MAX_FIELDS]]

    def fd(self, groups: list[Group], stdin: Flow) -> Flow:
        """fd: names, or a command for each."""
        words = [group[0] if group else "" for group in groups]
        at = next((n for n, w in enumerate(words) if w in ("-x", "-X", "--exec")), -1)
        before = groups[:at] if at >= 0 else groups
        operands = self.operands("fd", before, "-e -t -d -E --extension --type")
        folders = operands[1:] or [["."]]
        matched = self.matched(folders, [])
        if len(operands) < 2 and not kind_of(self.place.locate(".")[1]):
            matched = []  # it leaves hidden folders out
        if at >= 0:
            command = groups[at + 1 :]
            if not any("{}" in field for group in command for field in group):
                command = [*command, ["{}"]]
            self.execute(command, matched)
            return NOTHING
        return Flow(None, tuple(matched))

    # git.

    def git(self, groups: list[Group], stdin: Flow) -> Flow:
        """git: by its command, its revisions and its paths."""
        place, at = self.place, 0
        while at < len(groups):
            word = groups[at][0] if groups[at] else ""
            if word == "-C" and at + 1 < len(groups):
                self.place = self.place.at(_flat(groups[at + 1 : at + 2])[0])
                at += 2
            elif word == "-c" and at + 1 < len(groups):
                if self.spells(_flat(groups[at + 1 : at + 2])[0]):
                    self.unclear()
                at += 2
            elif word in ("--git-dir", "--work-tree", "--namespace"):
                at += 2
            elif word[:1] == "-":
                at += 1
            else:
                break
        verb = groups[at][0] if at < len(groups) and groups[at] else ""
        flow = self.git_verb(verb, groups[at + 1 :], stdin)
        self.place = place
        return flow

    def git_verb(self, verb: str, groups: list[Group], stdin: Flow) -> Flow:
        """Judge one command of git."""
        words = [group[0] for group in groups if group]
        if verb == "grep":
            if "HEAD" in words:
                groups = [g for g in groups if g != ["HEAD"]]
            default = kind_of(self.place.locate(".")[1])
            named = [g for g in groups if g and self.any_paths(g)]
            if default and not named:
                groups = [*groups, ["."]]
            return self.search("rgrep", groups if named or default else [["-q"]], stdin)
        if verb in programs.GIT_HARMLESS:
            if verb in ("rm",) or ("-f" in words and verb == "worktree"):
                pass
            return UNKNOWN
        paths = self.git_paths(groups)
        if verb in ("reset", "restore") and (
            verb == "reset" or ("--staged" in words and "--worktree" not in words)
        ):
            return UNKNOWN
        if verb in programs.GIT_DELETERS:
            self.change(paths or [["."]], "delete")
            return NOTHING
        if verb in ("checkout", "restore", "stash", "checkout-index"):
            self.change(paths, "shell")
            if verb != "stash" and not paths and kind_of(self.place.locate(".")[1]):
                self.unclear()
            return NOTHING
        if verb in programs.GIT_READERS:
            return self.git_reader(verb, words, paths, stdin)
        return self.unknown(groups, stdin)

    def any_paths(self, group: Group) -> bool:
        """Whether a word names something of the store or above it."""
        hits = (hit for field in group for hit in self.place.expand(field))
        return any(kind_of(path) for _, path in hits)

    def git_paths(self, groups: list[Group]) -> list[Group]:
        """The words that may be paths, also after a revision and a colon."""
        paths: list[Group] = []
        for group in self.operands("git", groups, "-m -F --message --source -s -n"):
            fields = [re.sub(r"^[^/:]*:(?:\./|/)?(?=.)", "", f) for f in group]
            fields = [field for field in fields if " " not in field]
            if fields and not group[0].startswith((":!", ":^", ":(exclude")):
                paths.append(fields)
        return paths

    def git_reader(
        self, verb: str, words: list[str], paths: list[Group], stdin: Flow
    ) -> Flow:
        """git show, log, diff and their like: what they show of the store."""
        quiet = {"--stat", "--name-only", "--name-status", "--shortstat", "--numstat"}
        quiet |= {"--summary", "--dirstat", "--oneline", "--quiet", "-q", "--check"}
        patch = {"-p", "-u", "--patch", "-U", "--cc", "-c", "-L", "-S", "-G"}
        if verb == "cat-file":
            if self.tainted(stdin):
                self.unclear()
            if not {"-t", "-s", "-e"} & {*words}:
                self.read(paths)
            return UNKNOWN
        if verb in ("blame", "annotate"):
            self.read(paths)
            return UNKNOWN
        if verb == "show" and any(":" in word for word in words):
            entries = [g for g in paths if not self.folders(g)]
            self.read(entries)
            return UNKNOWN
        if {*words} & quiet and not {*words} & patch:
            return UNKNOWN
        if verb == "log" and not (
            {*words} & patch or any(w[:2] == "-L" for w in words)
        ):
            return UNKNOWN
        revisions = [w for w in words if w[:1] != "-" and not self.any_paths([w])]
        pending = not revisions or revisions == ["HEAD"]  # what is not committed yet
        if verb != "diff" or not pending or "--no-index" in words:
            self.read(paths, True)
        return UNKNOWN

    def folders(self, group: Group) -> bool:
        """Whether a word names a folder of the store: git lists it."""
        hits = (hit for field in group for hit in self.place.expand(field))
        return any(kind_of(path) in FOLDERS for _, path in hits)

    # Interpreters, and our own scripts.

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
                joined = re.fullmatch(r"-[bBdEiIOqsSuvx]*c(.+)", word, re.S)
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
            return self.code(name, " ".join(_flat(rest[1:2])), rest[2:])
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
        for field in _flat(arguments):
            if MENTION.search(field) or any(
                kind_of(path) not in ("", "hosts")
                for _, path in self.place.expand(field)
            ):
                self.unclear()
        inside = kind_of(self.place.locate(".")[1])
        if not (inside or self.spells(_unmarked(text))):
            return UNKNOWN
        from ecomem.guard import code

        for use, path in code.uses(_unmarked(text), name, self.spells):
            if use == "unclear":
                self.unclear()
            elif use == "read":
                self.read([[_marked(path)]])
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


# Small helpers.


def _shared(fields: Sequence[str]) -> str:
    """What all fields begin with."""
    first, last = min(fields), max(fields)
    same = (at for at, (a, b) in enumerate(zip(first, last)) if a != b)
    return first[: next(same, min(len(first), len(last)))]


def _flat(groups: Iterable[Group]) -> list[str]:
    return [field for group in groups for field in group] or [""]


def _globbed(text: str) -> str:
    """A text with its pattern signs marked, as in the value of an unquoted variable."""
    if "*" in text:
        text = re.sub(r"\*+", STAR, text)
    text = text.replace("?", ONE)
    if "[" in text:
        text = re.sub(r"\[[^]\s/]+\]", ONE, text)
    return text


def _marked(text: str) -> str:
    """An unquoted text with its pattern signs and its braces marked."""
    text = _globbed(text)
    if "{" in text or "}" in text or "," in text:
        text = text.replace("{", OPEN).replace(",", COMMA).replace("}", CLOSE)
    return text


def _unmarked(text: str) -> str:
    """The text as it was written, as far as that is known."""
    for mark, sign in (
        (STAR, "*"),
        (ONE, "?"),
        (OPEN, "{"),
        (COMMA, ","),
        (CLOSE, "}"),
    ):
        text = text.replace(mark, sign)
    return text


def _braces(text: str) -> list[str]:
    """The words that braces stand for."""
    done: list[str] = []
    todo = [text]
    while todo:
        one = todo.pop(0)
        match = re.search(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}", one)
        if not match or len(done) + len(todo) > MAX_FIELDS:
            done.append(_plain_braces(one))
            continue
        inner = match[1]
        span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)(?:\.\.\d+)?", inner)
        if span and abs(int(span[2]) - int(span[1])) <= MAX_FIELDS:
            low, high = sorted((int(span[1]), int(span[2])))
            choices = [str(number) for number in range(low, high + 1)]
        elif span or re.fullmatch(r"\w\.\.\w", inner):
            choices = [ANY]
        elif COMMA in inner:
            choices = inner.split(COMMA)
        else:
            todo.insert(0, one.replace(match[0], "{" + inner + "}", 1))
            continue
        todo[:0] = [one[: match.start()] + c + one[match.end() :] for c in choices]
    return done


def _without_arguments(groups: list[Group]) -> list[Group]:
    """The words of jq without its named arguments, which take two words each."""
    left: list[Group] = []
    skip = 0
    for group in groups:
        if skip:
            skip -= 1
        elif group and group[0] in ("--arg", "--argjson", "--slurpfile", "--rawfile"):
            skip = 2
        elif group and group[0] == "--indent":
            skip = 1
        else:
            left.append(group)
    return left


def _plain_braces(text: str) -> str:
    return text.replace(OPEN, "{").replace(COMMA, ",").replace(CLOSE, "}")


def _filled(form: str, values: Sequence[str]) -> str:
    """A format with its places filled."""
    for value in values:
        form = form.replace("\ue020", value, 1)
    return form.replace("\ue020", "")


def _replaced(group: Group, mark: str, values: Group) -> Group:
    """The fields of a word with a mark replaced by each value."""
    if not any(mark in field for field in group):
        return group
    fields = [field.replace(mark, value) for field in group for value in values]
    return fields or [field.replace(mark, ANY) for field in group]


def _included(path: str, patterns: list[str]) -> bool:
    """Whether a search that is told what to look at looks at a path."""
    name = os.path.basename(path)
    return not patterns or any(
        fnmatch(name, pattern) or fnmatch(path, pattern.lstrip("/"))
        for pattern in patterns
    )


def _excluded(path: str, patterns: list[str]) -> bool:
    """Whether a search that is told what to leave out leaves out a path."""
    parts = path.split("/")
    for pattern in patterns:
        bare = pattern.strip("/").removesuffix("/**").removesuffix("/*")
        if any(fnmatch(part, bare) for part in parts) or path.startswith(f"{bare}/"):
            return True
    return False


def _branches(tests: list[str]) -> list[tuple[bool, list[tuple[str, str, bool]]]]:
    """The alternatives of find's tests: whether it prunes, and its tests of names."""
    branches: list[tuple[bool, list[tuple[str, str, bool]]]] = []
    branch: list[tuple[str, str, bool]] = []
    pruned = negated = False
    at = 0
    while at < len(tests):
        word = tests[at]
        if word in ("-o", "-or", ","):
            branches.append((pruned, branch))
            branch, pruned, negated = [], False, False
        elif word in ("!", "-not"):
            negated = True
        elif word == "-prune":
            pruned = True
        elif word in ("-name", "-iname", "-path", "-ipath", "-wholename", "-type"):
            value = _unmarked(tests[at + 1]) if at + 1 < len(tests) else "*"
            branch.append((word, value, negated))
            negated = False
            at += 1
        elif word in ("-exec", "-execdir", "-ok", "-okdir"):
            while at < len(tests) and tests[at] not in (";", "+"):
                at += 1
        elif word[:1] == "-":
            negated = False
        at += 1
    branches.append((pruned, branch))
    return branches


def _passes(
    path: str,
    shown: str,
    branches: list[tuple[bool, list[tuple[str, str, bool]]]],
    skipped: list[tuple[str, str, bool]],
) -> bool:
    """Whether find may print a path, shown to its tests as find spells it."""
    for test in skipped:
        if test[0] == "-type":
            continue
        heads = shown.split("/")
        above = ["/".join(heads[: n + 1]) for n in range(len(heads))]
        if any(_test(part, part, test) for part in above):
            return False
    return any(
        all(_test(path, shown, test) for test in branch)
        for pruned, branch in branches
        if not pruned
    )


def _test(path: str, shown: str, test: tuple[str, str, bool]) -> bool:
    """Whether one test of find holds for a path."""
    kind, value, negated = test
    if kind == "-type":
        name = os.path.basename(path)
        fits = value != ("f" if "." not in name[1:] else "d")
    elif kind in ("-name", "-iname"):
        fits = fnmatch(os.path.basename(shown), value)
    else:
        fits = fnmatch(shown, value)
    return fits != negated
