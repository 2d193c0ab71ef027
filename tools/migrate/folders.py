"""Reading the files of a source: read-only, links left aside, each dated once."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from migrate.model import Source, SourceFile

MAX_BYTES = 1024 * 1024
TEXT_FILES = (".md", ".mdc", ".markdown", ".yaml", ".yml", ".txt")


def read_source(kind: str, root: Path, paths: list[Path]) -> Source:
    """Read some files below root (or root itself, if it is a file)."""
    base = root if root.is_dir() else root.parent
    days = git_days(base)
    files = [read_file(kind, base, path, days) for path in sorted(paths)]
    return Source(kind, root, tuple(files))


def text_files(root: Path) -> list[Path]:
    """Return the text files below a folder; links and hidden folders are left aside."""
    found: list[Path] = []
    for folder, names, files in os.walk(root, followlinks=False):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            path = Path(folder, name)
            if path.suffix.lower() in TEXT_FILES and not path.is_symlink():
                found.append(path)
    return found


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


def read_file(kind: str, base: Path, path: Path, days: dict[str, str]) -> SourceFile:
    """Read one file as UTF-8 text, or say in one sentence why that cannot be done."""
    name = path.relative_to(base).as_posix()
    label = f"{kind}:{name}"
    day, day_from = days.get(name, ""), "git"
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
            changed = os.fstat(stream.fileno()).st_mtime
    except OSError as error:
        return SourceFile(
            label, path, (), f"It cannot be read: {error.strerror}.", day, day_from
        )
    if not day:
        day, day_from = time.strftime("%Y-%m-%d", time.localtime(changed)), "file"
    text, problem = decode(data)
    return SourceFile(label, path, tuple(text.split("\n")), problem, day, day_from)


def decode(data: bytes) -> tuple[str, str]:
    """Return bytes as text with LF line ends, and what is wrong with them, if anything.

    Bytes that are no UTF-8 still become lines, so that each of them is accounted for.
    """
    problem = ""
    if len(data) > MAX_BYTES:
        problem = f"It is larger than {MAX_BYTES // 1024} KiB."
    elif b"\0" in data:
        problem = "It holds a NUL byte, so it is no text."
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        problem = problem or f"It is not UTF-8: line {row} has another encoding."
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n"), problem


def git_days(folder: Path) -> dict[str, str]:
    """Return the day of the last commit of each file below a folder, by its path.

    One call of git serves all files; outside of a repository nothing is returned.
    """
    command = [
        "git",
        "-c",
        "core.quotePath=false",
        "-c",
        "log.showSignature=false",
        "-C",
        str(folder),
    ]
    command += [
        "log",
        "--format=%x01%cs",
        "--name-only",
        "-z",
        "--relative",
        "--no-renames",
        "--",
        ".",
    ]
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
