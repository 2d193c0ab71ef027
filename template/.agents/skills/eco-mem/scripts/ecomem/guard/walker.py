"""Walking through a script: what is known of its folder, variables, files and pipes.

It follows text and names of paths through pipes, substitutions and files. What single
programs do is known to the classes that are built on it.
"""

from __future__ import annotations

import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING, Iterable, NamedTuple, Sequence
from ecomem.guard import programs
from ecomem.guard.fields import (
    MAX_FIELDS,
    OPEN,
    braces,
    globbed,
    marked,
    shared,
    unmarked,
)
from ecomem.guard.places import (
    ANY,
    HOST_FOLDERS,
    REGISTRATIONS,
    STAR,
    Place,
    Touch,
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
from ecomem.store import STORE

if TYPE_CHECKING:
    from ecomem.guard.fields import Group
    from ecomem.guard.syntax import Command, Script, Word

MAX_SOURCE = (
    1 << 18
)  # characters; longer commands that spell a guarded path are refused
MAX_STEPS = 2_000  # simple commands that are judged
MAX_TEXT = 1 << 16  # characters of a text that passes through pipes
FOLDERS = ("drawer", "store", "above")
SPELLED = re.compile(
    r"(?i)\.agents(?![\w.-])|/eco-mem(?![\w.])|eco-mem\.(?:allow|retired|js\b|json\b)|("
    + "|".join(name.partition("/")[2].replace(".", r"\.") for name in REGISTRATIONS)
    + r")|(?<![\w/-])("
    + "|".join(name.replace(".", r"\.") for name in HOST_FOLDERS)
    + r")(?![\w.-])"
)
MENTION = re.compile(
    r"(?i)\.agents[\\/]+(?:memory|skills[\\/]+eco-mem|eco-mem\.)|\.agents[\\/]*(?=[\s'\"*;)|]|$)|("
    + "|".join(
        name.replace(".", r"\.").replace("/", r"[\\/]+") for name in REGISTRATIONS
    )
    + ")"
)


class Flow(NamedTuple):
    """The content of a pipe or file: text if known, or names of paths.

    spelled says that the text, where it is not known, may name a guarded path or
    contain what an entry says.
    """

    text: str | None = None
    names: tuple[str, ...] = ()
    spelled: bool = False
    jq: str = ""  # the settings file that a harmless jq filter was applied to


NOTHING = Flow("")
UNKNOWN = Flow()


class Walker:
    """Walks through a script and notes what it touches."""

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

    def spells(self, text: str) -> bool:
        """Return whether a text names a guarded path, or a folder above one."""
        return bool(SPELLED.search(text)) or any(path in text for path in self.also)

    def expand(self, word: Word) -> Group:
        """The fields that a word may become, patterns and unknown parts marked."""
        values, split = [""], False
        for part in word:
            pieces = self.pieces(part, not any(values))
            if part.kind in ("variable", "output") and not part.quoted:
                pieces, split = [*map(globbed, pieces)], True
            values = [value + piece for value in values for piece in pieces]
            if len(values) > MAX_FIELDS:
                values = [shared(values) + ANY]
        fields: list[str] = []
        for value in values:
            braced = braces(value) if OPEN in value else [value]
            for one in braced:
                fields.extend(one.split() if split and " " in one.strip() else [one])
        if len(fields) > MAX_FIELDS:
            fields = [shared(fields) + ANY]
        return fields

    def pieces(self, part: Part, first: bool) -> list[str]:
        """The texts that one part of a word may be."""
        if part.kind == "text":
            if part.quoted:
                return [part.text]
            text = part.text
            if first and text[:1] == "~":
                text = os.path.expanduser(text)
            return [marked(text)]
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
        match = re.match(r"(?i)[!#]?(env:)?(\w+|[@*])(\[[^]]*\])?", part.text)
        name = match[2] if match else ""
        rest = part.text[match.end() :] if match else part.text
        name = "@" if name == "*" else name
        self.looked_up.add(name)
        values = self.variables.get(name)
        if part.text[:1] == "#" and len(part.text) > 1:
            return ["1"]
        default = re.match(r"(?s):?[-=+](.*)", rest)
        if values is None:
            return [marked(default[1])] if default and default[1] else [ANY]
        if default or not rest:
            return values
        changed = [
            f"{os.path.dirname(value)}/{ANY}" if "/" in value else ANY
            for value in values
        ]
        return changed

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
        """Return the content of a file, if it can be known without opening an entry."""
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
        """Return whether a path is guarded against changes by commands."""
        if kind_of(path) not in ("", "hosts"):
            return True
        full = os.path.normpath(os.path.join(root, path))
        return any(f"{full}/".startswith(f"{other}/") for other in self.also)

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
        """Return whether a path lies in one of the folders that are guarded besides."""
        full = os.path.normpath(os.path.join(root, path))
        return any(f"{full}/".startswith(f"{other}/") for other in self.also)

    def tainted(self, flow: Flow) -> bool:
        """Return whether what flows names something guarded, or may."""
        known = flow.text or ""
        return flow.spelled or self.spells(known) or any(map(self.spells, flow.names))

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

    def bind(self, arguments: list[Group]) -> None:
        """Set the positional parameters."""
        self.variables["@"] = [field for group in arguments for field in group]
        for at, group in enumerate(arguments[:9], 1):
            self.variables[str(at)] = group

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
        return [unmarked(value) for value in values]

    def any_guarded(self, groups: list[Group]) -> bool:
        """Return whether a word names something that is guarded."""
        hits = (hit for g in groups for field in g for hit in self.place.expand(field))
        inside = kind_of(self.place.locate(".")[1])
        return bool(inside) or any(
            kind_of(path) not in ("", "hosts") for _, path in hits
        )

    def handed(self, stdin: Flow) -> Group:
        """The words that xargs takes from its input."""
        fields = list(stdin.names)
        if stdin.text:
            fields += stdin.text.replace("\0", " ").split()[:MAX_FIELDS]
        if not fields and stdin.spelled:
            fields = [self.anything()]
        return fields

    def words(self, groups: list[Group], stdin: Flow) -> Flow:
        """Judge a command by its words. The class that knows all programs does it."""
        raise NotImplementedError
