"""The decision `doc PATH`: a whole note becomes a new file of the documentation."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from migrate.folders import load
from migrate.front_matter import read_header
from migrate.model import Block, SourceFile, by_label, covered
from migrate.text import has_home_path, refusal

CLOSED = (".git", ".agents", ".eco-mem-import")  # folders that no document goes into


def compose(files: dict[str, SourceFile], blocks: list[Block]) -> dict[str, str]:
    """Return the text of each new document, by its path in the project.

    It has the lines of its blocks and of the leads of the same file, in their order,
    without front matter.
    """
    texts: dict[str, str] = {}
    for label, mine in by_label(blocks).items():
        if not any(each.decision == "doc" for each in mine):
            continue
        file = load(files[label])
        end = read_header(file.lines).end
        leads: set[int] = set()
        for each in mine:
            if each.decision == "lead":
                leads |= covered(each.ranges)
        for path in sorted({each.target for each in mine if each.decision == "doc"}):
            lines = {*leads}
            for each in mine:
                if (each.decision, each.target) == ("doc", path):
                    lines |= covered(each.ranges)
            texts[path] = texts.get(path, "") + joined(file, lines, end)
    return texts


def joined(file: SourceFile, lines: set[int], after: int) -> str:
    """Return some lines of a file; a gap between two of them is one blank line."""
    parts: list[str] = []
    before = after
    for line in sorted(at for at in lines if at > after):
        if parts and line != before + 1:
            parts.append("")
        parts.append(file.lines[line - 1])
        before = line
    return "\n".join(parts).strip("\n") + "\n"


def problems(
    project: Path, texts: dict[str, str], blocks: list[Block], drafts: dict[str, str]
) -> list[str]:
    """Return why documents may not be written, one line each, without their text."""
    found = [f"doc {path}: {why}" for path, why in place_problems(project, texts)]
    for path, text in texts.items():
        line, code = refusal(text)
        if code:
            found.append(f"doc {path}: line {line} would be refused by {code}")
        elif has_home_path(text):
            found.append(f"doc {path}: it names a home folder")
    for mine in by_label(blocks).values():
        paths = [each.target for each in mine if each.decision == "doc"]
        leads = [each.target for each in mine if each.decision == "lead"]
        found += [
            f"{lead}: its draft does not name {path}, where the rest of the note is"
            for lead in leads
            for path in paths
            if path not in drafts.get(lead, "")
        ]
    return found


def place_problems(project: Path, texts: dict[str, str]) -> list[tuple[str, str]]:
    """Return the paths that are no place for a new document, and why."""
    found: list[tuple[str, str]] = []
    for path, text in texts.items():
        target = project / path
        parts = PurePosixPath(path).parts
        outside = not target.resolve().is_relative_to(project) or ".." in parts
        if outside or not path.endswith(".md") or parts[0] in CLOSED:
            found.append((path, "name a new .md file of the documentation"))
        elif target.exists() and target.read_bytes() != text.encode():
            found.append((path, "another file is there, which is never overwritten"))
    return found


def write(project: Path, texts: dict[str, str]) -> None:
    """Write the documents that are not there yet."""
    for path, text in texts.items():
        target = project / path
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = target.with_name(f".{target.name}-{os.getpid()}")
            temporary.write_text(text, "utf-8", newline="\n")
            os.replace(temporary, target)


def read(project: Path, blocks: list[Block]) -> dict[str, str]:
    """Return the texts of the documents that a plan names, where they are there."""
    found: dict[str, str] = {}
    for each in blocks:
        if each.decision == "doc" and (project / each.target).is_file():
            found[each.target] = (project / each.target).read_text("utf-8", "replace")
    return found
