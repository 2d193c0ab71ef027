"""Effects of a shell command on guarded paths.

A command that spells a path of the store, of the gate or of a registration passes only
if each simple command in it is known to be harmless there. Everything is judged as what
it runs: wrappers, `xargs`, `find -exec`, text handed to a shell or an interpreter. What
cannot be told is a touch with the verb "unclear".
"""

from __future__ import annotations

import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING, Iterable
from ecomem.guard import programs
from ecomem.guard.fields import (
    MAX_FIELDS,
)
from ecomem.guard.places import (
    ANY,
    Place,
    Touch,
    is_pattern,
    kind_of,
)
from ecomem.guard.runners import Runners
from ecomem.guard.syntax import (
    Unreadable,
)
from ecomem.guard.walker import (
    FOLDERS,
    MAX_SOURCE,
    MAX_STEPS,
    NOTHING,
    SPELLED,
    Flow,
)
from ecomem.store import STORE

if TYPE_CHECKING:
    from ecomem.guard.fields import Group


def touches(source: str, place: Place, also: Iterable[str] = ()) -> list[Touch]:
    """Return effects on guarded paths. also: absolute folders guarded besides."""
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


class _Judge(Runners):
    """Knows which method judges which program."""

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
