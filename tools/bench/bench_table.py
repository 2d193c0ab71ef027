"""The table that each part of the bench prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Line(NamedTuple):
    """One row of the table: what, its measure, and the bound."""

    what: str
    value: str
    bound: str = "-"


def print_table(lines: Iterable[Line]) -> None:
    """Print rows as a table."""
    for line in (Line("what", "measured", "bound"), *lines):
        print(f"{line.what:<44} {line.value:>9} {line.bound:>6}")
