"""The proof of a migration: what became of every non-blank line of the old memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from migrate.folders import load
from migrate.model import Block, SourceFile, by_label, covered, written_lines
from migrate.text import fold

ARRIVED = ("import", "lead", "there", "doc")
MARKS = re.compile(r"\d[\d.,:]*\d|\d|`[^`]+`|\b[A-Z][A-Za-z]*[A-Z0-9]\w*\b")


class Reworded(NamedTuple):
    """A line whose entry has other words, and what of it the entry has lost."""

    label: str
    line: int
    target: str
    lost: int  # numbers, code spans and names that the entry does not have


class Proof(NamedTuple):
    """The counts of lines by where they went, and those reworded with a loss."""

    counts: Counter[str]
    total: int
    losses: tuple[Reworded, ...]


def prove(
    files: Iterable[SourceFile],
    blocks: Iterable[Block],
    entries: dict[str, str],
    documents: dict[str, str],
) -> Proof:
    """Count the lines of files by what became of them.

    entries maps drawer/slug to the text of an entry as the store has it, documents the
    paths of `doc` to their texts. A line of two blocks (a note that was split) counts
    once, as the first block that has it verbatim.
    """
    counts: Counter[str] = Counter()
    losses: list[Reworded] = []
    total = 0
    mine = by_label(blocks)
    for file in map(load, files):
        its = blocks_by_line(mine.get(file.label, []))
        texts = {
            each.target: bare(text_of(each, entries, documents))
            for each in mine.get(file.label, [])
            if each.decision in ARRIVED
        }
        for line in sorted(written_lines(file)):
            total += 1
            word, loss = fate(file, line, its.get(line, []), texts, entries)
            counts[word] += 1
            if loss:
                losses.append(loss)
    return Proof(counts, total, tuple(losses))


def blocks_by_line(blocks: list[Block]) -> dict[int, list[Block]]:
    """Return the blocks that each line of one file is in."""
    found: dict[int, list[Block]] = {}
    for each in blocks:
        for line in covered(each.ranges):
            found.setdefault(line, []).append(each)
    return found


def text_of(block: Block, entries: dict[str, str], documents: dict[str, str]) -> str:
    """Return the text that a block went into; "" if it is not there."""
    texts = documents if block.decision == "doc" else entries
    return texts.get(block.target, "")


def fate(
    file: SourceFile,
    line: int,
    blocks: list[Block],
    texts: dict[str, str],
    entries: dict[str, str],
) -> tuple[str, Reworded | None]:
    """Return what became of one line, and what its rewording lost."""
    arrived = [each for each in blocks if each.decision in ARRIVED]
    if not arrived:
        return (blocks[0].decision if blocks else "unaccounted"), None
    text = bare(file.lines[line - 1])
    for each in arrived:
        if text in texts[each.target]:
            return ("doc" if each.decision == "doc" else "verbatim"), None
    target = arrived[0].target
    if target not in entries:
        return "not written", None
    marks = MARKS.findall(file.lines[line - 1])
    lost = sum(mark not in entries[target] for mark in marks)
    return "reworded", Reworded(file.label, line, target, lost) if lost else None


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
