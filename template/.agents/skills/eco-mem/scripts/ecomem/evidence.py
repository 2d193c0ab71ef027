"""Cited files, commits and quotations: their state, and the rules E14 and E15."""

from __future__ import annotations

import os

from ecomem import git
from ecomem.cheap_imports import Iterable, Iterator, Mapping, NamedTuple
from ecomem.entry import NONE, Entry, Evidence, read_evidence
from ecomem.findings import Findings, finding
from ecomem.store import read_bytes

# States of a cited file.
FRESH, MOVED, CHANGED, GONE, NOT_HERE = "fresh", "moved", "changed", "gone", "not here"
# States of a cited commit; NOT_HERE is one of them too.
IN_HISTORY, ELSEWHERE, UNKNOWN, AMBIGUOUS = (
    "in history",
    "elsewhere",
    "unknown",
    "ambiguous",
)

MAX_BYTES = 4 * 1024 * 1024  # of a cited file that are read
MAX_COMPARED = 2_000_000  # cited lines times lines of the file, in a search
MAX_RENAMES = 10  # of one file, followed one after the other
MAX_ADDED = 50  # files searched that came in the commit that removed the cited one
MAX_COMMITS = 200  # asked about at once

# Folders and files that hold the notes of agents: a note does not prove itself.
_MEMORIES = (
    ".agents/memory",
    "memory-bank",
    ".serena/memories",
    ".claude/memory",
    ".windsurf/memories",
)
_LFS = "version https://git-lfs.github.com/spec/"
_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


NO_TARGET = "A link leads to nothing."
OUTSIDE = "A link leads out of the project."


class CitedFile(NamedTuple):
    """A cited file as it is here, or the reason why it cannot be looked at."""

    path: str  # as the file system spells it
    lines: list[str]  # stripped
    complete: bool  # all lines were read
    hidden: str  # why the content cannot be looked at, a sentence; empty where it can


class Look(NamedTuple):
    """The state of cited evidence."""

    state: str
    place: str = ""  # where the cited lines are now, as `path#L1-L2`
    reason: str = ""  # why it could not be looked at, a sentence


class Fault(NamedTuple):
    """A reason to refuse evidence."""

    problem: str
    advice: str
    unseen: bool = (
        False  # it could not be looked at, which is no error of a derived fact
    )


class CitedFiles:
    """The files that entries cite. Each is read once, and its lines are cached."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._top = os.path.realpath(root)
        self._folders: dict[str, str] = {}
        self._files: dict[str, CitedFile | None] = {}

    def read(self, path: str) -> CitedFile | None:
        """The file at a path below root, in any Unicode form; None where there is none.

        Raises nothing: a file that cannot be read has a reason in `hidden`.
        """
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: str) -> CitedFile | None:
        """Read a file; through links too, as long as these stay inside root."""
        found = _spelling(self.root, path)
        if found is None:
            return None
        full = self._resolve(found)
        if full != self._top and not full.startswith(os.path.join(self._top, "")):
            return CitedFile(found, [], False, OUTSIDE)
        return _read(full, found)

    def _resolve(self, path: str) -> str:
        """The real path of a path below root. Each folder is looked at once."""
        folder, name = os.path.split(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(os.path.join(self._top, folder))
        full = os.path.join(self._folders[folder], name)
        is_plain = name not in ("", ".", "..") and not os.path.islink(full)
        return full if is_plain else os.path.realpath(full)

    def is_memory(self, path: str) -> bool:
        """Return true if a cited path is a note of an agent, or a link to one."""
        if is_memory(path):
            return True
        real = self._resolve(path)
        inside = real.startswith(os.path.join(self._top, ""))
        return inside and is_memory(os.path.relpath(real, self._top))

    def lines(self, path: str) -> list[str] | None:
        """The stripped lines of a file; none where unreadable, None for no file."""
        file = self.read(path)
        return file.lines if file else None

    def fingerprint(self, path: str, first: int, last: int) -> str:
        """Eight hex digits of SHA-256 over cited lines, joined by LF.

        Empty where there are no such lines, or they are blank.
        """
        return _fingerprint(self.lines(path) or [], first, last)

    def judge(self, item: Evidence) -> Look:
        """Find out if a cited file is fresh, moved, changed, gone or not here."""
        file = self.read(item.what)
        if file:
            look = _compare(file, item)
            spelt = file.path == item.what or _same_form(file.path, item.what)
            if look.state == FRESH and not spelt:
                return look._replace(state=MOVED)
            return look
        try:
            hidden = kept_from_view(self.root, [item.what])
            heirs, added = ([], []) if hidden else _heirs(self.root, item.what)
            missing = [path for path in heirs if self.read(path) is None]
            hidden = hidden or kept_from_view(self.root, missing)
        except git.CannotAsk as fault:
            return self._without_git(fault)
        if hidden:
            return Look(NOT_HERE, "", next(iter(hidden.values())))
        for place in [*heirs, *added] if item.sha else heirs:
            heir = self.read(place)
            look = _compare(heir, item) if heir else Look(GONE)
            if look.state in (FRESH, MOVED):
                return Look(MOVED, look.place)
        if not heirs and git.is_shallow(self.root):
            return Look(NOT_HERE, "", "The history is too short to tell where it went.")
        return Look(GONE, "".join(path for path in heirs if path not in missing))

    def _without_git(self, fault: git.CannotAsk) -> Look:
        """The state of a missing file where git does not answer."""
        place = git.find(self.root)
        if not place:
            return Look(GONE)
        hints = (
            os.path.join(place.git_dir, "info", "sparse-checkout"),
            os.path.join(place.top, ".gitmodules"),
        )
        if fault.problem == git.OFF and not any(map(os.path.exists, hints)):
            return Look(GONE)
        return Look(NOT_HERE, "", fault.problem)


def cited(entry: Entry) -> list[tuple[int, Evidence]]:
    """The evidence of an entry that has a known form, with its lines."""
    read = ((line, read_evidence(value)) for value, line in entry.evidence)
    return [(line, item) for line, item in read if item]


def is_memory(path: str) -> bool:
    """Return true if a cited path is a note of an agent, in any tool's memory."""
    plain = os.path.normpath(path).replace(os.sep, "/").casefold()
    name = plain.rpartition("/")[2]
    inside = (f"/{plain}/".find(f"/{folder}/") >= 0 for folder in _MEMORIES)
    return name == "memory.md" or any(inside)


def commit_name(item: Evidence) -> str:
    """The hash, maybe a short one, in an evidence line of the kind commit."""
    return item.what.split()[1].strip("`").lower()


def commits(root: str, names: Iterable[str]) -> dict[str, Look]:
    """The state of each named commit: in the history of HEAD, elsewhere, unknown.

    Outside git, and where git does not answer, it is NOT_HERE with a reason.
    """
    wanted = [*dict.fromkeys(names)]
    looks: dict[str, Look] = {}
    for start in range(0, len(wanted), MAX_COMMITS):
        part = wanted[start : start + MAX_COMMITS]
        try:
            looks.update(_commits(root, part))
        except git.CannotAsk as fault:
            looks.update(dict.fromkeys(part, Look(NOT_HERE, "", fault.problem)))
    return looks


def check_new(files: CitedFiles, entry: Entry) -> Findings:
    """Errors about the evidence of an entry that is about to be written (E14, E15).

    An entry that is `derived` may cite what cannot be looked at here.
    """
    path, drawer, slug, _ = entry.page
    if drawer != "semantic":
        return
    derived = entry.fields.get("source", NONE).value == "derived"
    for line, item in cited(entry):
        if item.kind == "path" and files.is_memory(item.what):
            yield finding("E15", path, line, slug)
            continue
        fault = _fault(files, item)
        if fault and not (fault.unseen and derived):
            yield finding("E14", path, line, slug, fault.problem, fault.advice)


def check_memories(entry: Entry) -> Findings:
    """Errors about evidence that is a file of a memory (E15)."""
    for line, item in cited(entry):
        if item.kind == "path" and is_memory(item.what):
            yield finding("E15", entry.page.path, line, entry.page.name)


def _fault(files: CitedFiles, item: Evidence) -> Fault | None:
    """The fault of one item of evidence, if it has one."""
    if item.kind == "commit":
        return _commit_fault(files.root, item)
    if item.kind == "path":
        return _file_fault(files, item)
    return None


def _commit_fault(root: str, item: Evidence) -> Fault | None:
    """The fault of a cited commit, if it has one."""
    look = commits(root, [commit_name(item)])[commit_name(item)]
    if look.state == UNKNOWN:
        advice = "Cite a commit that `git log` shows."
        return Fault("This repository has no such commit.", advice)
    if look.state == AMBIGUOUS:
        advice = "Write more of its hash."
        return Fault("The short hash fits more than one commit.", advice)
    if look.state == NOT_HERE and look.reason != git.OFF:
        return _unseen("commit", look.reason)
    if look.state == NOT_HERE and not git.find(root):
        return _unseen("commit", "There is no git repository here.")
    return None


def _file_fault(files: CitedFiles, item: Evidence) -> Fault | None:
    """The fault of a cited file, if it has one."""
    if item.last < item.first:
        return Fault("The range of lines ends before it begins.", "Turn it round.")
    if item.sha and not item.first:
        advice = "Cite the lines too, as `#L3-L5`, or leave `sha:` and the rest out."
        return Fault("A fingerprint is one of lines, and no lines are cited.", advice)
    if os.path.normpath(item.what).split(os.sep)[0] in (".", ".git"):
        advice = "Cite a file or a folder that a clone has."
        return Fault("The cited path is the whole project, or git's own.", advice)
    look = files.judge(item)
    if look.state == NOT_HERE:
        return _unseen("file", look.reason)
    if look.state == MOVED:
        advice = f"Cite `{look.place}`, after looking at it."
        return Fault("What is cited is at another place.", advice)
    file = files.read(item.what)
    if not file:
        advice = "Cite a file of this project by its path from the root."
        if item.what.rpartition(":")[2].isdigit():
            advice = "Write the lines of a file as `#L3` or `#L3-L5`."
        return Fault("The cited file is not there.", advice)
    if item.last > len(file.lines):
        count = len(file.lines)
        problem = f"The cited file has {count} line{'' if count == 1 else 's'}."
        return Fault(problem, "Cite lines that are in it.")
    if look.state == CHANGED:
        advice = (
            "Look at them; then leave `sha:` and what follows out, and it is added."
        )
        return Fault("The cited lines do not have this fingerprint.", advice)
    if item.first and not any(file.lines[item.first - 1 : item.last]):
        return Fault("The cited lines are blank.", "Cite the lines that show it.")
    return None


def _unseen(what: str, reason: str) -> Fault:
    """The fault of evidence that could not be looked at."""
    problem = f"The cited {what} could not be looked at. {reason}"
    advice = "Look where it can be seen, or write the source `derived`."
    return Fault(problem, advice, unseen=True)


def _read(full: str, found: str) -> CitedFile:
    """Read a cited file. full is its real path, found its path below root."""
    try:
        data = read_bytes(full, MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return CitedFile(found, [], False, NO_TARGET)
    except (OSError, ValueError):
        if os.path.isdir(full):
            return CitedFile(found, [], True, "It is a folder.")
        return CitedFile(found, [], False, "The file cannot be read.")
    text = _decode(data)
    if text is None:
        return CitedFile(found, [], False, "The file is not text.")
    lines = [line.strip() for line in text.split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    complete = len(data) <= MAX_BYTES
    if not complete:
        lines = lines[:-1]
        return CitedFile(found, lines, False, "The file is larger than 4 MiB.")
    if text.startswith(_LFS):  # its lines are a pointer, not what the file says
        return CitedFile(found, [], False, "Git LFS did not fetch the file.")
    return CitedFile(found, lines, True, "")


def _decode(data: bytes) -> str | None:
    """The text of a file with LF line ends, or None where it is binary.

    Bytes that are not UTF-8 become lone surrogates, so that the fingerprint of a
    file in a single-byte encoding is the same wherever it is computed.
    """
    encoding = "utf-8"
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], name
            break
    if encoding == "utf-8":
        if b"\0" in data:
            return None
        text = data.decode("utf-8", "surrogateescape")
    else:
        text = data.decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _spelling(root: str, path: str) -> str | None:
    """The path as the file system spells it, or None where there is no such file.

    Another Unicode form of a name, or another case, finds the file if just one has it.
    """
    if os.path.lexists(os.path.join(root, path)):
        return path
    if path.isascii() and path == path.casefold() == path.upper():
        return None
    here = ""
    for name in filter(None, path.split("/")):
        step = f"{here}/{name}" if here else name
        if not os.path.lexists(os.path.join(root, step)):
            other = _other_spelling(os.path.join(root, here), name)
            if not other:
                return None
            step = f"{here}/{other}" if here else other
        here = step
    return here


def _other_spelling(folder: str, name: str) -> str:
    """The one name in a folder that differs in Unicode form, or else in case, only."""
    from unicodedata import normalize

    try:
        names = os.listdir(folder)
    except OSError:
        return ""
    plain = normalize("NFC", name)
    same = [other for other in names if normalize("NFC", other) == plain]
    if not same:
        folded = plain.casefold()
        same = [n for n in names if normalize("NFC", n).casefold() == folded]
    return same[0] if len(same) == 1 else ""


def _same_form(one: str, two: str) -> bool:
    """Return true if two paths differ in their Unicode form at most."""
    from unicodedata import normalize

    return normalize("NFC", one) == normalize("NFC", two)


def _fingerprint(lines: list[str], first: int, last: int) -> str:
    from ecomem.cheap_imports import sha256

    cited = lines[max(first - 1, 0) : last]
    if not first or not any(cited):
        return ""
    text = "\n".join(cited).encode("utf-8", "surrogateescape")
    return sha256(text).hexdigest()[:8]


def _compare(file: CitedFile, item: Evidence) -> Look:
    """Find the cited lines in a file that is here."""
    if file.hidden in (NO_TARGET, OUTSIDE):
        return Look(NOT_HERE, "", file.hidden)
    if not item.first:
        return Look(FRESH, file.path)
    more = item.last - item.first
    for at in _starts(file, item):
        if not item.sha or _fingerprint(file.lines, at, at + more) == item.sha:
            place = f"{file.path}#L{at}" + (f"-L{at + more}" if more else "")
            return Look(FRESH if at == item.first else MOVED, place)
    if file.hidden:
        return Look(NOT_HERE, "", file.hidden)
    return Look(CHANGED, file.path)


def _starts(file: CitedFile, item: Evidence) -> Iterator[int]:
    """The lines at which the cited ones may begin now, the likeliest first."""
    more, size = item.last - item.first, len(file.lines)
    if item.sha or item.last <= size:
        yield item.first
    if item.sha and more >= 0 and more * size < MAX_COMPARED:
        yield from range(1, size - more + 1)


def kept_from_view(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Paths that git has and this checkout leaves out, each with a sentence why."""
    above = {path: _empty_folders(root, path) for path in paths}
    if not above:
        return {}
    asked = {*above, *(folder for folders in above.values() for folder in folders)}
    sparse, modules = set(), set()
    for row in git.nul_items(root, "ls-files", "-t", "-s", "-z", "--", *asked):
        status, _, name = row.partition("\t")
        tag, mode, *_ = status.split(" ")
        if mode == "160000":
            modules.add(name)
        elif tag == "S":
            sparse.add(name)
    reasons: dict[str, str] = {}
    for path, folders in above.items():
        if modules.intersection(folders):
            reasons[path] = "It is in a submodule that is not checked out."
        elif path in sparse or any(name.startswith(f"{path}/") for name in sparse):
            reasons[path] = "The sparse checkout leaves it out."
    return reasons


def _empty_folders(root: str, path: str) -> list[str]:
    """The folders above a missing path that have no files here, or are missing too."""
    parts = path.split("/")
    folders = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return [name for name in folders if not _has_files(os.path.join(root, name))]


def leads_through_link(files: CitedFiles, path: str) -> bool:
    """Return true if a folder on the way to a path is a symbolic link."""
    parts = path.split("/")
    folders = ("/".join(parts[:count]) for count in range(1, len(parts)))
    return any(os.path.islink(os.path.join(files.root, name)) for name in folders)


def _has_files(folder: str) -> bool:
    try:
        with os.scandir(folder) as listing:
            return any(True for _ in listing)
    except OSError:
        return False


def _heirs(root: str, path: str) -> tuple[list[str], list[str]]:
    """The file that a missing one was renamed to, and files added in its place.

    Renames are those that git finds, in the commits and in what is not committed yet.
    """
    last = ("log", "-1", "--format=", "--full-diff", "--no-follow", "--diff-filter=ADR")
    heirs: list[str] = []
    added: list[str] = []
    for _ in range(MAX_RENAMES):
        changed = git.changes(root, *last, "--", path)
        if not any(_is_at(old.path, path) for old in changed.values()):
            changed = git.changes(root, "diff", "HEAD")
        if any(_is_at(old.path, path) for old in changed.values()):  # in that commit
            added += [new for new, old in changed.items() if not old.path][:MAX_ADDED]
        renamed = _new_name(path, changed)
        if not renamed:
            break
        heirs = [renamed]
        if os.path.lexists(os.path.join(root, heirs[0])):
            break
        path = heirs[0]
    return heirs, added


def _is_at(old: str, path: str) -> bool:
    """Return true if a former path is the cited one, or a file of the cited folder."""
    return old == path or old.startswith(f"{path}/")


def _new_name(path: str, changed: Mapping[str, git.Former]) -> str:
    """The name that a file, or most files of a folder, were given by changes."""
    folders: list[str] = []
    for new, old in changed.items():
        if old.path == path != new:
            return new
        rest = old.path[len(path) :]
        if _is_at(old.path, path) and new.endswith(rest) and new != old.path:
            folders.append(new[: len(new) - len(rest)])
    return max(folders, key=folders.count, default="")


def _commits(root: str, names: list[str]) -> dict[str, Look]:
    """The states of a limited number of commits."""
    # Git reports an ambiguous short hash only if the type is left out.
    given = "".join(f"{name}^{{commit}}\n{name}\n" for name in names)
    answers = iter(git.ask(root, "cat-file", "--batch-check", given=given).splitlines())
    full: dict[str, str] = {}
    looks: dict[str, Look] = {}
    shallow = git.is_shallow(root)
    for name, answer, plain in zip(names, answers, answers):
        sha, _, kind = answer.partition(" ")
        if kind.startswith("commit "):
            full[name] = sha
        elif plain.endswith(" ambiguous"):
            looks[name] = Look(AMBIGUOUS)
        elif shallow:
            looks[name] = Look(NOT_HERE, "", "The history is too short to tell.")
        else:
            looks[name] = Look(UNKNOWN)
    beside = _not_in_history(root, [*full.values()])
    for name, sha in full.items():
        state = ELSEWHERE if sha in beside else IN_HISTORY
        looks[name] = Look(state)
        if shallow and state == ELSEWHERE:
            looks[name] = Look(NOT_HERE, "", "The history is too short to tell.")
    return looks


def _not_in_history(root: str, commits: list[str]) -> set[str]:
    """Those of the commits that HEAD does not contain."""
    if not commits:
        return set()
    try:
        return {*git.ask(root, "rev-list", *commits, "--not", "HEAD", "--").split()}
    except git.CannotAsk:
        pass
    outside = set()  # one of them cannot be followed, or there is no commit yet
    for commit in commits:
        try:
            asked = ("merge-base", commit, "HEAD")
            if git.ask(root, *asked, nothing=(1,)).strip() != commit:
                outside.add(commit)
        except git.CannotAsk:
            outside.add(commit)
    return outside
