"""Reading the files of a source: read-only, links left aside, each dated once."""

from __future__ import annotations

import os
import stat
import subprocess
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from migrate.model import Source, SourceFile
from migrate.text import is_clean

LARGE = 1024 * 1024  # bytes; a larger file is no note
MOST = 64 * LARGE  # bytes; a larger file is not even read
TEXT_FILES = (".md", ".mdc", ".markdown", ".yaml", ".yml", ".txt")
HEAD = 4000  # bytes that are enough to see the front matter of a note
# What would read as something else in a plan, a receipt or the origin of an entry.
NOT_IN_LABELS = frozenset("#\\`|<>[]")


def read_source(kind: str, root: Path, paths: list[Path]) -> Source:
    """Return some files below root (or root itself, if it is a file), not yet read."""
    base = root if root.is_dir() else root.parent
    days = git_days(base)
    names = [path.relative_to(base).as_posix() for path in sorted(paths)]
    files = [
        dated(SourceFile(f"{kind}:{label}", name, base / name, (), "", "", ""), days)
        for name, label in zip(names, labels(names), strict=True)
    ]
    return Source(kind, root, tuple(files))


def labels(names: list[str]) -> list[str]:
    """Return what plan, receipt and terminal call each of some paths.

    It is the path itself, composed (NFC). A path that the gate refuses, that cannot be
    printed, or that has another spelling beside it is called by a hash.
    """
    composed = [unicodedata.normalize("NFC", name) for name in names]
    spellings = Counter(composed)
    return [
        label
        if is_label(label) and (spellings[label] == 1 or label == name)
        else mark(name)
        for name, label in zip(names, composed, strict=True)
    ]


def is_label(name: str) -> bool:
    """Return true for a path that may be printed as it is."""
    plain = name.isprintable() and name == name.strip()
    return plain and not NOT_IN_LABELS & {*name} and is_clean(name)


def printable(name: str) -> str:
    """Return a file name as it is, or called by a hash if it may not be printed."""
    return name if is_label(name) else mark(name)


def mark(name: str) -> str:
    """Return a name made from the hash of a path, with the end of a known kind."""
    digits = sha256(os.fsencode(name)).hexdigest()[:8]
    end = Path(name).suffix.lower()
    return f"file-{digits}{end if end in TEXT_FILES else ''}"


def text_files(root: Path) -> list[Path]:
    """Return the text files below a folder; links and hidden folders are left aside."""
    found: list[Path] = []
    for folder, names, files in os.walk(root, followlinks=False):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            path = Path(folder, name)
            if path.suffix.lower() in TEXT_FILES and is_file(path):
                found.append(path)
    return found


def is_file(path: Path) -> bool:
    """Return true for a file itself: no link, no folder, no pipe."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def read_head(path: Path) -> list[str]:
    """Return the first lines of a file, enough to recognise its kind; else none."""
    if not is_file(path):
        return []
    try:
        with path.open("rb") as stream:
            return decode(stream.read(HEAD))[0].split("\n")
    except OSError:
        return []


def links(root: Path) -> list[Path]:
    """Return the symbolic links below a folder, which are never followed."""
    found: list[Path] = []
    for folder, names, files in os.walk(root, followlinks=False):
        found += [
            Path(folder, name)
            for name in (*names, *files)
            if Path(folder, name).is_symlink()
        ]
    return sorted(found)


def dated(file: SourceFile, days: dict[str, str]) -> SourceFile:
    """Return a file with the day of its last change, as git knows it, or its time."""
    day = days.get(file.name, "")
    if day:
        return file._replace(day=day, day_from="git")
    try:
        changed = file.path.stat(follow_symlinks=False).st_mtime
    except OSError:
        return file
    day = time.strftime("%Y-%m-%d", time.localtime(changed))
    return file._replace(day=day, day_from="file")


def load(file: SourceFile) -> SourceFile:
    """Return a file with its lines as UTF-8 text, or with its problem.

    A file that cannot be read has one blank line, which needs a decision.
    """
    if file.lines:
        return file
    try:
        handle = os.open(file.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as stream:
            is_huge = os.fstat(handle).st_size > MOST
            data = b"" if is_huge else stream.read()
    except OSError as error:
        problem = f"It cannot be read: {error.strerror}."
        return file._replace(lines=("",), problem=problem)
    text, problem = decode(data)
    if is_huge:
        problem = f"It is larger than {MOST // LARGE} MiB and was not read."
    return file._replace(lines=tuple(text.split("\n")), problem=problem)


def readable(source: Source) -> Iterator[SourceFile]:
    """Yield each file of a source that is text, with its lines."""
    for file in map(load, source.files):
        if not file.problem:
            yield file


def decode(data: bytes) -> tuple[str, str]:
    """Return bytes as text with LF line ends, and what is wrong with them, if anything.

    Bytes that are no UTF-8 still become lines, so that each of them is accounted for.
    """
    problem = ""
    if len(data) > LARGE:
        problem = f"It is larger than {LARGE // 1024} KiB; split it first."
    elif b"\0" in data:
        problem = "It has a NUL byte, so it is no text."
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        problem = problem or f"Line {row} is not UTF-8; save the file as UTF-8 first."
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n"), problem


def git_days(folder: Path) -> dict[str, str]:
    """Return the day of the last commit of each file below a folder, by its path.

    One call of git serves all files; outside of a repository nothing is returned.
    """
    command = ["git", "-c", "core.quotePath=false", "-c", "log.showSignature=false"]
    command += ["-C", str(folder), "log", "--format=%x01%cs", "--name-only", "-z"]
    command += ["--relative", "--no-renames", "--", "."]
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, env=environment
        )
    except OSError:
        return {}
    days: dict[str, str] = {}
    day = ""
    for part in os.fsdecode(done.stdout).split("\0"):
        name = part.strip("\n")
        if name.startswith("\x01"):
            day, _, name = name[1:].partition("\n")
            name = name.strip("\n")
        if name and name not in days:
            days[name] = day
    return days
