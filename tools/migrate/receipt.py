"""The receipt of migrations: what became of which lines, without any of their text.

`.agents/eco-mem-import.tsv` is committed with the store. It makes a second run a no-op
and keeps what was forgotten after the import forgotten, in a fresh clone too.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ecomem.store import write_atomically

from migrate.model import WRITES, Block

PATH = ".agents/eco-mem-import.tsv"
HEAD = "# label\tlines\tsha\tdecision\ttarget\treason"
# The hash of a secret, or of words about a person, would help to guess them.
WITHOUT_HASH = ("refused", "person")


class Row(NamedTuple):
    """One settled block."""

    label: str
    lines: str
    sha: str
    decision: str
    target: str
    reason: str


class Receipt(NamedTuple):
    """The rows of all migrations so far, in the order of the file."""

    rows: tuple[Row, ...]
    by_text: dict[tuple[str, str], list[Row]]  # label and hash, or label and lines
    imported: frozenset[tuple[str, str]]  # label and target

    def find(self, block: Block) -> Row | None:
        """Return the row of a block: by its fingerprint, else by its lines alone.

        Of equal texts in one file, the one on the same lines is found first.
        """
        lines = lines_of(block)
        rows = self.by_text.get((block.label, block.fingerprint), [])
        rows = rows or self.by_text.get((block.label, lines), [])
        return next(
            (row for row in rows if row.lines == lines), rows[0] if rows else None
        )

    def has(self, label: str, target: str) -> bool:
        """Return true if an entry was imported from a file, from whatever lines."""
        return (label, target) in self.imported


def receipt_of(rows: Iterable[Row]) -> Receipt:
    """Return rows as a receipt."""
    known = tuple(rows)
    by_text: dict[tuple[str, str], list[Row]] = {}
    for row in known:
        by_text.setdefault((row.label, row.sha or row.lines), []).append(row)
    imported = {(row.label, row.target) for row in known if row.decision in WRITES}
    return Receipt(known, by_text, frozenset(imported))


class BadReceipt(ValueError):
    """The receipt cannot be read; the message names the line."""


def read(project: Path) -> Receipt:
    """Return the receipt of a project; an empty one if there is none."""
    try:
        text = (project / PATH).read_text("utf-8")
    except FileNotFoundError:
        return receipt_of(())
    except UnicodeDecodeError:
        raise BadReceipt(f"{PATH} is not UTF-8; restore it from git") from None
    rows: list[Row] = []
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.split("\t")
        if len(cells) == len(Row._fields) and line[0] != "#":
            rows.append(Row(*cells))
        elif line.strip() and line[0] != "#":
            raise BadReceipt(
                f"{PATH}:{number}: this is no row of six cells; a conflict of git? "
                "Keep the rows of both sides, or restore the file from git"
            )
    return receipt_of(rows)


def lines_of(block: Block) -> str:
    """Return the ranges of a block as the plan and the receipt write them."""
    return " ".join(
        f"L{first}-L{last}" if first != last else f"L{first}"
        for first, last in block.ranges
    )


def add(project: Path, blocks: Iterable[Block]) -> None:
    """Add settled blocks to the receipt, which is replaced as a whole.

    A new decision on lines that were not imported replaces the old one.
    """
    before = read(project)
    rows = {*before.rows}
    new = {
        row_of(each)
        for each in blocks
        if each.decision not in ("there", "gone", "decide")
    }
    places = {(row.label, row.lines, row.sha) for row in new}
    for old in before.rows:
        again = (old.label, old.lines, old.sha) in places
        if again and old.decision not in WRITES:
            rows.discard(old)
    rows |= new
    if rows != {*before.rows}:
        text = "\n".join([HEAD, *("\t".join(row) for row in sorted(rows))]) + "\n"
        write_atomically(str(project), PATH, text.encode())


def row_of(block: Block) -> Row:
    """Return the row of a settled block."""
    unsafe = block.decision in WITHOUT_HASH or block.secrets
    sha = "" if unsafe else block.fingerprint
    reason = " ".join(block.reason.split())
    lines = lines_of(block)
    return Row(block.label, lines, sha, block.decision, block.target, reason)
