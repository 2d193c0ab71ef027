"""git: by its command, its revisions and its paths."""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING
from ecomem.guard import programs
from ecomem.guard.fields import (
    flat,
)
from ecomem.guard.file_commands import FileCommands
from ecomem.guard.places import (
    kind_of,
)
from ecomem.guard.walker import (
    FOLDERS,
    NOTHING,
    UNKNOWN,
    Flow,
)

if TYPE_CHECKING:
    from ecomem.guard.fields import Group


class GitCommands(FileCommands):
    """Effects of git commands on guarded paths."""

    def git(self, groups: list[Group], stdin: Flow) -> Flow:
        """git: by its command, its revisions and its paths."""
        place, at = self.place, 0
        while at < len(groups):
            word = groups[at][0] if groups[at] else ""
            if word == "-C" and at + 1 < len(groups):
                self.place = self.place.at(flat(groups[at + 1 : at + 2])[0])
                at += 2
            elif word == "-c" and at + 1 < len(groups):
                if self.spells(flat(groups[at + 1 : at + 2])[0]):
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
        """Return whether a word names something of the store or above it."""
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
        """Return whether a word names a folder of the store: git lists it."""
        hits = (hit for field in group for hit in self.place.expand(field))
        return any(kind_of(path) in FOLDERS for _, path in hits)
