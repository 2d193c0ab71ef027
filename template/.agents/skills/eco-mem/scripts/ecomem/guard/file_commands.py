"""Programs that list, read, search, copy and change files."""

from __future__ import annotations

import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING, Sequence
from ecomem.guard import programs
from ecomem.guard.fields import (
    MAX_FIELDS,
    filled,
    replaced,
    unmarked,
)
from ecomem.guard.places import (
    ANY,
    Touch,
    guarded,
    is_pattern,
    kind_of,
    read_text,
)
from ecomem.guard.walker import (
    FOLDERS,
    MENTION,
    NOTHING,
    UNKNOWN,
    Flow,
    Walker,
)
from ecomem.store import STORE

if TYPE_CHECKING:
    from ecomem.guard.fields import Group

JQ_SAFE = re.compile(
    r"\s*\.(?!hooks|disableAll|features)[A-Za-z_][\w.\"\[\]-]*\s*(?:\+=|\|=|=)[^|]*"
)


class FileCommands(Walker):
    """Effects of programs for files on guarded paths."""

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
                text = "".join(filled(one, chunk) for chunk in chunks)
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
        tainted = any(self.tainted(flow) for flow in (*flows, stdin))
        if name == "cat" and all(flow.text is not None for flow in flows):
            return Flow("".join(flow.text or "" for flow in flows))
        return Flow(spelled=tainted)

    def filtered(self, flow: Flow) -> Flow:
        """Return the rest of a flow after a filter."""
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
        """Return whether desks move within working, which equals writing them."""
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
        self.touches.extend(tool_calls.patched(unmarked(text), self.place))
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
            command = [replaced(group, "{}", matched) for group in command]
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


def fnmatch(name: str, pattern: str) -> bool:
    """Like `fnmatch.fnmatch`, which is slow to import."""
    from fnmatch import fnmatch as fits

    return fits(name, pattern)


def _included(path: str, patterns: list[str]) -> bool:
    """Return whether a search that is told what to look at looks at a path."""
    name = os.path.basename(path)
    return not patterns or any(
        fnmatch(name, pattern) or fnmatch(path, pattern.lstrip("/"))
        for pattern in patterns
    )


def _excluded(path: str, patterns: list[str]) -> bool:
    """Return whether a search that is told what to leave out leaves out a path."""
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
            value = unmarked(tests[at + 1]) if at + 1 < len(tests) else "*"
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
    """Return whether find may print a path, shown to its tests as find spells it."""
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
    """Return whether one test of find holds for a path."""
    kind, value, negated = test
    if kind == "-type":
        name = os.path.basename(path)
        fits = value != ("f" if "." not in name[1:] else "d")
    elif kind in ("-name", "-iname"):
        fits = fnmatch(os.path.basename(shown), value)
    else:
        fits = fnmatch(shown, value)
    return fits != negated
