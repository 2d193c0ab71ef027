"""The receipt of migrations: what became of which lines, without any of their text.

`.agents/eco-mem-import.tsv` is committed with the store. It makes a second run a no-op
and keeps what was forgotten after the import forgotten, in a fresh clone too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from migrate.model import Block

PATH = ".agents/eco-mem-import.tsv"
HEAD = "# label\tlines\tsha\tdecision\ttarget\treason"
WITHOUT_HASH = (
    "refused",
    "person",
)  # a hash of a secret or of a person helps to guess it


class Row(NamedTuple):
    """One settled block."""

    label: str
    lines: str
    sha: str
    decision: str
    target: str
    reason: str


class Receipt(NamedTuple):
    """The rows of all migrations so far."""

    rows: tuple[Row, ...]

    def find(self, block: Block) -> Row | None:
        """Return the row of a block, by its fingerprint or else by its lines."""
        for row in self.rows:
            known = (
                row.sha == block.fingerprint
                if row.sha
                else row.lines == lines_of(block)
            )
            if row.label == block.label and known:
                return row
        return None

    def target_of(self, label: str) -> str:
        """Return the entry that was imported from a file, or "" for none or several."""
        targets = {
            row.target
            for row in self.rows
            if row.label == label and row.target and row.sha
        }
        return targets.pop() if len(targets) == 1 else ""


def read(project: Path) -> Receipt:
    """Return the receipt of a project; an empty one if there is none."""
    try:
        text = (project / PATH).read_text("utf-8")
    except FileNotFoundError:
        return Receipt(())
    cells = (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
    return Receipt(tuple(Row(*row) for row in cells if len(row) == len(Row._fields)))


def lines_of(block: Block) -> str:
    """Return the ranges of a block as the plan and the receipt write them."""
    return " ".join(
        f"L{first}-L{last}" if first != last else f"L{first}"
        for first, last in block.ranges
    )


def add(project: Path, blocks: Iterable[Block]) -> int:
    """Add settled blocks to the receipt, as a whole. Returns how many rows are new."""
    before = read(project)
    rows = {*before.rows}
    for each in blocks:
        if each.decision in ("there", "gone", "decide") or before.find(each):
            continue
        sha = "" if each.decision in WITHOUT_HASH else each.fingerprint
        reason = each.reason.replace("\t", " ")
        rows.add(
            Row(each.label, lines_of(each), sha, each.decision, each.target, reason)
        )
    new = len(rows) - len(before.rows)
    if new:
        text = "\n".join([HEAD, *("\t".join(row) for row in sorted(rows))]) + "\n"
        path = project / PATH
        temporary = path.with_name(f".{path.name}-{os.getpid()}")
        temporary.write_text(text, "utf-8", newline="\n")
        os.replace(temporary, path)
    return new
