"""The proof of a migration: what became of every non-blank line of the old memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from migrate.model import Block, SourceFile, covered, written_lines
from migrate.text import fold

MARKS = re.compile(r"\d[\d.,:]*\d|\d|`[^`]+`|\b[A-Z][A-Za-z]*[A-Z0-9]\w*\b")


class Reworded(NamedTuple):
    """A line whose entry has other words, and what of it the entry has lost."""

    label: str
    line: int
    target: str
    lost: int  # numbers, code spans and names that the entry does not have


class Proof(NamedTuple):
    """How many lines went where, and which were reworded with a loss."""

    counts: Counter[str]
    total: int
    losses: tuple[Reworded, ...]


def prove(
    files: Iterable[SourceFile], blocks: Iterable[Block], entries: dict[str, str]
) -> Proof:
    """Count the lines of files by what became of them.

    entries maps drawer/slug to the text of the entry as the store has it. A line of two
    blocks (a note that was split) counts once, as the first block that has it verbatim.
    """
    counts: Counter[str] = Counter()
    losses: list[Reworded] = []
    total = 0
    parts = list(blocks)
    for file in files:
        mine = [each for each in parts if each.label == file.label]
        for line in sorted(written_lines(file)):
            total += 1
            its = [each for each in mine if line in covered(each.ranges)]
            word, loss = fate(file, line, its, entries)
            counts[word] += 1
            if loss:
                losses.append(loss)
    return Proof(counts, total, tuple(losses))


def fate(
    file: SourceFile, line: int, blocks: list[Block], entries: dict[str, str]
) -> tuple[str, Reworded | None]:
    """Return what became of one line, and what its rewording lost."""
    words = [each.decision for each in blocks]
    written = [each for each in blocks if each.decision in ("import", "lead", "there")]
    if not written:
        return (words[0] if words else "unaccounted"), None
    text = bare(file.lines[line - 1])
    for each in written:
        if text in bare(entries.get(each.target, "")):
            return "verbatim", None
    target = written[0].target
    if target not in entries:
        return "not written", None
    entry = entries[target]
    lost = [mark for mark in MARKS.findall(file.lines[line - 1]) if mark not in entry]
    return "reworded", Reworded(file.label, line, target, len(lost)) if lost else None


def bare(text: str) -> str:
    """Return text for comparing: folded, links as words, without a header key."""
    text = re.sub(r"\[\[([^\]|]+)(?:\|[^\]]*)?\]\]", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^[A-Za-z_][\w.-]*:\s+", "", text)
    return fold(text).strip("-\"' ").replace(" - ", " ")


def entries_of(project: Path) -> dict[str, str]:
    """Return the text of every entry of a store, by drawer/slug."""
    store = project / ".agents/memory"
    found: dict[str, str] = {}
    for path in sorted(store.glob("*/*.md")):
        if path.stem not in ("INDEX", "ARCHIVE"):
            found[f"{path.parent.name}/{path.stem}"] = path.read_text(
                "utf-8", errors="replace"
            )
    return found
