"""The meanings of words that the gate learns with, as texts/meanings.txt has them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

PATH = Path(__file__).parent / "texts" / "meanings.txt"


def meanings() -> dict[str, list[str]]:
    """The items of each meaning."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in PATH.read_text("utf-8").splitlines():
        name, colon, items = line.partition(": ")
        if colon and not line.startswith("#"):
            found[name] += items.split()
    return found
