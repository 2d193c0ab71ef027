"""Reading and writing the files of a project, through links, in one step."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple


class Refused(Exception):
    """The refusal to change a file, with the reason why our part does not fit."""


class File(NamedTuple):
    """A file: where it really is and what it holds, None if it is not there."""

    target: Path
    bom: str
    text: str | None


def locate(root: Path, path: str) -> Path:
    """Return where a path of the project leads, through links."""
    place = Path(os.path.realpath(root / path))
    try:
        # A system without links gets a file with the name that the link leads to.
        named = place.read_bytes() if place.stat().st_size < 256 else b""
        beside = place.parent / named.decode("utf-8")
        return Path(os.path.realpath(beside)) if beside.is_file() else place
    except (OSError, ValueError):
        return place


def load(root: Path, path: str) -> File:
    """Return a file of the project at `root`, through links that stay inside it."""
    target = locate(root, path)
    if not target.is_relative_to(root):
        raise Refused("it is a link that leads outside the project")
    try:
        text = target.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return File(target, "", None)
    except UnicodeDecodeError as error:
        raise Refused("it is not UTF-8") from error
    except OSError as error:
        raise Refused(f"it cannot be read ({error.strerror})") from error
    body = text.removeprefix("\ufeff")
    return File(target, text[: len(text) - len(body)], body)


def store(root: Path, file: File, text: str | None) -> None:
    """Write a file in one step, or delete it with the folders that leaves empty."""
    try:
        if text is None:
            delete(root, file.target)
        else:
            _write(file, text)
    except OSError as error:
        raise Refused(f"it cannot be written ({error.strerror})") from error


def _write(file: File, text: str) -> None:
    file.target.parent.mkdir(parents=True, exist_ok=True)
    beside = file.target.with_name(f"{file.target.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes((file.bom + text).encode("utf-8"))
        if file.text is not None:
            shutil.copymode(file.target, beside)
        beside.replace(file.target)
    finally:
        beside.unlink(missing_ok=True)


def delete(root: Path, path: Path) -> None:
    """Delete a file and the folders around it, up to `root`, that this leaves empty."""
    path.unlink()
    for folder in path.parents:
        if folder == root or folder.is_symlink() or any(folder.iterdir()):
            return
        folder.rmdir()
