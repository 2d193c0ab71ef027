"""A reader of POSIX and Bash commands: text in, a tree of commands out.

It reads quotes, escapes, heredocs, here-strings, substitutions, pipes, lists,
subshells, groups, loops, conditions, functions, assignments and redirections. It runs
nothing and expands nothing. Text that it cannot read raises `Unreadable`.
"""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING, NamedTuple, Sequence

if TYPE_CHECKING:
    from typing import Union


MAX_DEPTH = 40  # substitutions and compound commands inside one another
OPENING = ("if", "while", "until", "for", "case", "select", "function", "{", "[[")
CLOSING = ("then", "else", "elif", "fi", "do", "done", "esac", "}")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "e": "\x1b", "0": "\0"}


class Unreadable(ValueError):
    """The text is no shell command that this reader knows."""


class Part(NamedTuple):
    """A piece of a word.

    kind is "text"; "variable", then text is its name and the rest of `${...}`;
    "output", a command substitution; "input" or "sink", the process substitutions
    `<()` and `>()`; "document", then text is the number of a heredoc; or "unknown",
    such as arithmetic.
    """

    kind: str
    text: str
    quoted: bool = False
    script: Script = ()


Word = tuple[Part, ...]


class Assignment(NamedTuple):
    """`NAME=value`; several words are an array."""

    name: str
    words: tuple[Word, ...]


class Redirection(NamedTuple):
    """An operator without its number, and its target or, for `<<`, the text."""

    operator: str
    target: Word


class Simple(NamedTuple):
    """One simple command."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...]


class Compound(NamedTuple):
    """A group, subshell, condition, loop or function.

    kind is one of group, subshell, if, while, for, case and function. name is the
    variable of a loop, or the name of a function.
    """

    kind: str
    name: str
    words: tuple[Word, ...]
    bodies: tuple[Script, ...]
    redirections: tuple[Redirection, ...]


if TYPE_CHECKING:
    Command = Union[Simple, Compound]
    Pipeline = tuple[Command, ...]
    Script = tuple[Pipeline, ...]


class Parsed(NamedTuple):
    """A script, and the texts of its heredocs by number."""

    script: Script
    documents: list[Word]


class Heredoc(NamedTuple):
    """A heredoc that was announced and whose text is still to come."""

    end: str
    quoted: bool
    tabs: bool
    number: int


def parse(text: str) -> Parsed:
    """Read a whole script. Raises Unreadable where it is none."""
    reader = _Reader(text.replace("\\\r\n", "").replace("\r\n", "\n"), [])
    try:
        script = reader.script(())
    except RecursionError:
        raise Unreadable("too deep") from None
    if reader.at < len(reader.text):
        raise Unreadable(f"unexpected {reader.text[reader.at]!r}")
    return Parsed(script, reader.documents)


def plain(word: Word) -> str:
    """The text of a word without its quotes; other parts are left out."""
    return "".join(part.text for part in word if part.kind == "text")


class _Reader:
    """The state of reading: the text, a position in it, and heredocs still to come."""

    PLAIN = re.compile(r"[^\s\\'\"$`|&;<>()#{}]+|[#{}]")
    QUOTED = re.compile(r"[^\\\"$`]+")
    BLANK = re.compile(r"(?:[ \t]|\\\n)+")
    NAME = re.compile(r"[A-Za-z_]\w*")
    ASSIGNED = re.compile(r"([A-Za-z_]\w*)(?:\[[^]\s]*\])?\+?=")
    REDIRECTED = re.compile(
        r"(?:\d+|\{\w+\})?(<<<|<<-|<<|<>|<&|<(?!\()|>>|>\||>&|>(?!\()|&>>|&>)"
    )
    FUNCTION = re.compile(r"[ \t]*\([ \t]*\)")

    def __init__(self, text: str, documents: list[Word], depth: int = 0) -> None:
        self.text, self.at, self.depth = text, 0, depth
        self.documents = documents
        self.heredocs: list[Heredoc] = []

    # Lists, pipelines, commands.

    def script(self, ends: Sequence[str]) -> Script:
        """Read pipelines up to the end, a `)`, a `;;` or one of the words in ends."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable("too deep")
        pipelines: list[Pipeline] = []
        while True:
            self.separators()
            here = self.text[self.at : self.at + 2]
            if not here or here[0] == ")" or here == ";;" or self.keyword() in ends:
                break
            before = self.at
            pipelines.append(self.pipeline())
            if self.at == before:
                raise Unreadable(f"unexpected {here[0]!r}")
        self.depth -= 1
        return tuple(pipelines)

    def separators(self) -> None:
        """Skip blanks, comments, and what parts one pipeline from the next."""
        while True:
            self.blanks()
            here = self.text[self.at : self.at + 1]
            if here == "\n":
                self.at += 1
                self.read_heredocs()
            elif self.text[self.at : self.at + 2] == ";;":
                return
            elif here in (";", "&", "|") and here:
                self.at += 1
            else:
                return

    def blanks(self) -> None:
        """Skip blanks, joined lines and a comment."""
        blank = self.BLANK.match(self.text, self.at)
        if blank:
            self.at = blank.end()
        before = self.text[self.at - 1 : self.at]
        starts = not before or before in " \t\n;&|()"
        if starts and self.text[self.at : self.at + 1] == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def keyword(self) -> str:
        """The reserved word at this place, or nothing."""
        match = re.compile(r"\[\[(?=\s)|[a-z]+|[{}!]").match(self.text, self.at)
        word = match[0] if match else ""
        after = self.text[self.at + len(word) : self.at + len(word) + 1]
        if word not in (*OPENING, *CLOSING, "!", "time"):
            return ""
        ends = not after or after in " \t\n;&|()<>\r" or (word == "}" and after != "=")
        return word if ends else ""

    def pipeline(self) -> Pipeline:
        """Read commands joined by pipes."""
        commands: list[Command] = []
        while True:
            while self.keyword() == "!":
                self.at += 1
                self.blanks()
            commands.append(self.command())
            self.blanks()
            here = self.text[self.at : self.at + 2]
            if here[:1] != "|" or here == "||":
                return tuple(commands)
            self.at += 2 if here == "|&" else 1
            self.blanks()
            while self.text[self.at : self.at + 1] == "\n":
                self.at += 1
                self.read_heredocs()
                self.blanks()

    def command(self) -> Command:
        """Read one command, with the redirections after a compound one."""
        if self.text.startswith("((", self.at):
            end = self.text.find("))", self.at)
            if end < 0:
                raise Unreadable("an arithmetic that does not end")
            self.at = end + 2
            return Compound("group", "", (), (), self.redirections())
        if self.text.startswith("(", self.at):
            self.at += 1
            body = self.script(())
            self.expect(")")
            return Compound("subshell", "", (), (body,), self.redirections())
        word = self.keyword()
        if word == "{":
            self.at += 1
            body = self.script(("}",))
            self.expect("}")
            return Compound("group", "", (), (body,), self.redirections())
        readers = {
            "if": self.condition,
            "while": self.loop,
            "until": self.loop,
            "for": self.for_loop,
            "select": self.for_loop,
            "case": self.case,
            "function": self.function,
        }
        if word in readers:
            self.at += len(word)
            return readers[word]()
        if word in CLOSING:
            raise Unreadable(f"unexpected {word}")
        return self.simple()

    def expect(self, text: str) -> None:
        """Skip blanks and a text that must stand here."""
        self.separators()
        if not self.text.startswith(text, self.at):
            raise Unreadable(f"no {text}")
        self.at += len(text)

    def condition(self) -> Command:
        """Read `if` up to `fi`."""
        bodies = [self.script(("then",))]
        self.expect("then")
        while True:
            bodies.append(self.script(("elif", "else", "fi")))
            word = self.keyword()
            self.expect(word or "fi")
            if word == "fi":
                return Compound("if", "", (), tuple(bodies), self.redirections())
            if word == "elif":
                bodies.append(self.script(("then",)))
                self.expect("then")

    def loop(self) -> Command:
        """Read `while` or `until` up to `done`."""
        condition = self.script(("do",))
        self.expect("do")
        body = self.script(("done",))
        self.expect("done")
        return Compound("while", "", (), (condition, body), self.redirections())

    def for_loop(self) -> Command:
        """Read `for NAME in WORDS` up to `done`."""
        self.blanks()
        words: list[Word] = []
        name = self.NAME.match(self.text, self.at)
        if self.text.startswith("((", self.at):
            end = self.text.find("))", self.at)
            if end < 0:
                raise Unreadable("an arithmetic that does not end")
            self.at = end + 2
        elif name:
            self.at = name.end()
            self.separators()
            if re.compile(r"in[\s;]").match(self.text, self.at):
                self.at += 2
                while True:
                    self.blanks()
                    word = self.word()
                    if not word:
                        break
                    words.append(word)
            else:
                words.append((Part("variable", "@", True),))
        else:
            raise Unreadable("a loop without a name")
        self.separators()
        end_word = "}" if self.keyword() == "{" else "done"
        self.expect("{" if end_word == "}" else "do")
        body = self.script((end_word,))
        self.expect(end_word)
        spelled = name[0] if name else ""
        return Compound("for", spelled, tuple(words), (body,), self.redirections())

    def case(self) -> Command:
        """Read `case WORD in` up to `esac`."""
        self.blanks()
        subject = self.word()
        bodies: list[Script] = []
        self.separators()
        self.expect("in")
        while True:
            self.separators()
            if self.text.startswith(";;", self.at):
                self.at += 2
                self.at += self.text[self.at : self.at + 1] == "&"
                continue
            if self.keyword() == "esac":
                self.at += 4
                break
            if self.text.startswith("(", self.at):
                self.at += 1
            while True:
                self.blanks()
                if not self.word():
                    raise Unreadable("a case without a pattern")
                self.blanks()
                if not self.text.startswith("|", self.at):
                    break
                self.at += 1
            self.expect(")")
            bodies.append(self.script(("esac",)))
        return Compound("case", "", (subject,), tuple(bodies), self.redirections())

    def function(self) -> Command:
        """Read `function NAME { ... }`."""
        self.blanks()
        name = plain(self.word())
        match = self.FUNCTION.match(self.text, self.at)
        if match:
            self.at = match.end()
        return self.function_body(name)

    def function_body(self, name: str) -> Command:
        """Read the body of a function."""
        self.separators()
        body = ((self.command(),),)
        return Compound("function", name, (), (body,), ())

    def simple(self) -> Command:
        """Read assignments, words and redirections up to an operator."""
        assignments, words, aims = (
            list[Assignment](),
            list[Word](),
            list[Redirection](),
        )
        tested = self.keyword() == "[["
        while True:
            self.blanks()
            aim = None if tested else self.redirection()
            assigned = None if words else self.ASSIGNED.match(self.text, self.at)
            if aim:
                aims.append(aim)
            elif assigned:
                self.at = assigned.end()
                assignments.append(Assignment(assigned[1], self.assigned()))
            else:
                word = self.word()
                if not word and tested and self.text[self.at : self.at + 1]:
                    self.at += 1  # an operator inside of [[ ]]
                    continue
                if not word:
                    break
                words.append(word)
                if tested and plain(word) == "]]":
                    break
                match = self.FUNCTION.match(self.text, self.at)
                if match and len(words) == 1 and not assignments:
                    self.at = match.end()
                    return self.function_body(plain(word))
        if not (assignments or words or aims):
            raise Unreadable("no command")
        return Simple(tuple(assignments), tuple(words), tuple(aims))

    def assigned(self) -> tuple[Word, ...]:
        """Read the value after `NAME=`, an array too."""
        if not self.text.startswith("(", self.at):
            return (self.word(),)
        self.at += 1
        words: list[Word] = []
        while True:
            self.blanks()
            if self.text[self.at : self.at + 1] == "\n":
                self.at += 1
            elif self.text[self.at : self.at + 1] == ")":
                self.at += 1
                return tuple(words)
            else:
                word = self.word()
                if not word:
                    raise Unreadable("an array that does not end")
                words.append(word)

    # Redirections and heredocs.

    def redirections(self) -> tuple[Redirection, ...]:
        """Read the redirections after a compound command."""
        aims: list[Redirection] = []
        while True:
            self.blanks()
            aim = self.redirection()
            if not aim:
                return tuple(aims)
            aims.append(aim)

    def redirection(self) -> Redirection | None:
        """Read one redirection, if one stands here."""
        match = self.REDIRECTED.match(self.text, self.at)
        if not match:
            return None
        self.at = match.end()
        self.blanks()
        target = self.word()
        if not target:
            raise Unreadable("a redirection without a target")
        if match[1] not in ("<<", "<<-"):
            return Redirection(match[1], target)
        quoted = any(part.quoted for part in target)
        number = len(self.documents)
        self.documents.append(())
        heredoc = Heredoc(plain(target), quoted, match[1] == "<<-", number)
        self.heredocs.append(heredoc)
        return Redirection("<<", (Part("document", str(number), True),))

    def read_heredocs(self) -> None:
        """Read the texts of the heredocs that the line before announced."""
        for end, quoted, tabs, number in self.heredocs:
            start, stop = self.at, -1
            while stop < 0 and self.at < len(self.text):
                after = self.text.find("\n", self.at)
                after = len(self.text) if after < 0 else after
                line = self.text[self.at : after]
                if (line.lstrip("\t") if tabs else line) == end:
                    stop = self.at
                self.at = min(after + 1, len(self.text))
            text = self.text[start : stop if stop >= 0 else len(self.text)]
            if tabs:
                text = re.sub(r"(?m)^\t+", "", text)
            if quoted or not re.search(r"[$`\\]", text):
                self.documents[number] = (Part("text", text, True),)
            else:
                inner = _Reader(text, self.documents, self.depth)
                self.documents[number] = tuple(inner.inside("", True))
        self.heredocs.clear()

    # Words.

    def word(self) -> Word:
        """Read one word; nothing where an operator or the end stands here."""
        parts: list[Part] = []
        text = self.text
        while self.at < len(text):
            here = text[self.at]
            if here == "\\":
                if text[self.at + 1 : self.at + 2] != "\n":
                    parts.append(Part("text", text[self.at + 1 : self.at + 2], True))
                self.at += 2
            elif here == "'":
                end = text.find("'", self.at + 1)
                if end < 0:
                    raise Unreadable("a quote that does not end")
                parts.append(Part("text", text[self.at + 1 : end], True))
                self.at = end + 1
            elif here == '"':
                self.at += 1
                parts.extend(self.inside('"', True) or [Part("text", "", True)])
            elif here == "$" or here == "`":
                parts.append(self.dollar(False))
            elif text.startswith(("<(", ">("), self.at):
                self.at += 2
                script = self.script(())
                self.expect(")")
                kind = "input" if here == "<" else "sink"
                parts.append(Part(kind, "", False, script))
            elif (
                here == "("
                and parts
                and parts[-1].text[-1:] in ("?", "*", "+", "@", "!")
            ):
                depth = 0  # an extended glob
                while self.at < len(text):
                    depth += (text[self.at] == "(") - (text[self.at] == ")")
                    self.at += 1
                    if not depth:
                        break
                parts.append(Part("unknown", ""))
            else:
                match = self.PLAIN.match(text, self.at)
                if not match:
                    break
                parts.append(Part("text", match[0]))
                self.at = match.end()
        return tuple(parts)

    def inside(self, end: str, quoted: bool) -> list[Part]:
        """Read a double-quoted text up to its end, or a heredoc for no end."""
        parts: list[Part] = []
        text = self.text
        while self.at < len(text):
            here = text[self.at]
            if here == end:
                self.at += 1
                return parts
            match = self.QUOTED.match(text, self.at)
            if here == "\\":
                after = text[self.at + 1 : self.at + 2]
                known = after and after in '$`"\\\n'
                if after != "\n":
                    parts.append(Part("text", after if known else here + after, quoted))
                self.at += 2
            elif here in "$`":
                parts.append(self.dollar(quoted))
            elif match:
                parts.append(Part("text", match[0], quoted))
                self.at = match.end()
            else:
                parts.append(Part("text", here, quoted))
                self.at += 1
        if end:
            raise Unreadable("a quote that does not end")
        return parts

    def dollar(self, quoted: bool) -> Part:
        """Read what begins with a dollar sign or a back tick."""
        text, start = self.text, self.at
        after = text[start + 1 : start + 2]
        if text[start] == "`":
            end = re.compile(r"(?s)(?:[^`\\]|\\.)*").match(text, start + 1)
            if not end or text[end.end() : end.end() + 1] != "`":
                raise Unreadable("a back tick without its end")
            self.at = end.end() + 1
            inner = re.sub(r"\\([`$\\])", r"\1", end[0])
            return Part("output", "", quoted, self.nested(inner))
        if after == "(":
            if text.startswith("$((", start):
                end_at = text.find("))", start)
                if end_at >= 0:
                    self.at = end_at + 2
                    return Part("unknown", "", quoted)
            self.at = start + 2
            script = self.script(())
            self.expect(")")
            return Part("output", "", quoted, script)
        if after == "{":
            return self.braced(quoted)
        if after in ("'", '"') and not quoted:
            if after == '"':
                self.at = start + 2
                parts = self.inside('"', True)
                joined = "".join(p.text for p in parts if p.kind == "text")
                known = all(part.kind == "text" for part in parts)
                return Part("text" if known else "unknown", joined, True)
            match = re.compile(r"(?s)((?:[^'\\]|\\.)*)'").match(text, start + 2)
            if not match:
                raise Unreadable("a quote that does not end")
            self.at = match.end()
            return Part("text", _unescaped(match[1]), True)
        name = re.compile(r"[A-Za-z_]\w*(?:[:.]\w+)?|[0-9@*#?$!_-]").match(
            text, start + 1
        )
        if not name:
            self.at = start + 1
            return Part("text", "$", quoted)
        spelled = name[0]
        if ":" in spelled and not spelled.lower().startswith("env:"):
            spelled = spelled.partition(":")[0]
        spelled = spelled.partition(".")[0]
        self.at = start + 1 + len(spelled)
        return Part("variable", spelled, quoted)

    def braced(self, quoted: bool) -> Part:
        """Read `${...}`."""
        start, depth = self.at + 2, 1
        self.at = start
        while self.at < len(self.text):
            here = self.text[self.at]
            if here == "\\":
                self.at += 1
            elif here == "'" and not quoted:
                end = self.text.find("'", self.at + 1)
                self.at = end if end > 0 else self.at
            elif here == "$" and self.text.startswith("${", self.at):
                depth += 1
                self.at += 1
            elif here == "}":
                depth -= 1
            self.at += 1
            if not depth:
                inner = self.text[start : self.at - 1]
                scripts: Script = ()
                if "$(" in inner or "`" in inner:
                    nested = _Reader(inner, self.documents, self.depth)
                    for part in nested.inside("", True):
                        scripts += part.script
                return Part("variable", inner, quoted, scripts)
        raise Unreadable("a brace that does not end")

    def nested(self, text: str) -> Script:
        """Read a script that stands inside of this one as a text of its own."""
        reader = _Reader(text, self.documents, self.depth)
        script = reader.script(())
        if reader.at < len(text):
            raise Unreadable("a substitution that does not end")
        return script


def _unescaped(text: str) -> str:
    """The text of `$'...'`."""

    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "xuU" and len(code) > 1:
            return chr(min(int(code[1:], 16), 0x10FFFF))
        if code[0] in "01234567":
            return chr(int(code, 8) & 255)
        return ESCAPES.get(code, code)

    escape = (
        r"(?s)\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|.)"
    )
    return re.sub(escape, one, text)
