"""A migration holds one file of its source at a time, however many there are."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from migrate import planning, receipt
from migrate.folders import read_source, readable
from migrate.model import Note, Source

EMPTY = planning.Store(frozenset(), frozenset(), frozenset())
LINES = 3_000


def read(source: Source) -> Iterator[Note]:
    """Yield each file whole, as left in the source."""
    for file in readable(source):
        yield Note(file, (1, len(file.lines)), decision="left", reason="log")


def peak_of_plan(folder: Path, files: int) -> int:
    """Plan some files of many blank lines; return the most bytes that it took."""
    folder.mkdir()
    paths = [folder / f"{number}.md" for number in range(files)]
    for path in paths:
        path.write_text("\n" * LINES + "Text.\n", "utf-8")
    source = read_source("notes", folder, paths)
    tracemalloc.start()
    allocated = planning.allocate(source, read, EMPTY)
    nothing = receipt.receipt_of(())
    for _ in planning.plan(source, read, allocated, EMPTY, nothing):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_a_plan_of_many_files_takes_as_much_memory_as_one_of_few(
    tmp_path: Path,
) -> None:
    peak_of_plan(tmp_path / "first", 1)  # loads the tables of the gate
    few = peak_of_plan(tmp_path / "few", 2)
    many = peak_of_plan(tmp_path / "many", 8)
    assert many < 1.5 * few
