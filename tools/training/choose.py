"""Choose recipes of the gate (J05) by what they find in the training texts.

    python tools/training/choose.py [COUNT]

The candidates are the recipes in phrases.txt. Printed are at most COUNT of them: each
time the one that finds most orders which neither the phrases nor a recipe before it
finds; an order that the weights miss counts twice. A recipe that finds something in a
clean text is left out. Neither held-out.jsonl nor tests/corpus is read.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

from ecomem.gate.phrases import phrased
from ecomem.gate.recipes import combined
from ecomem.gate.text import QUOTED, bare, table
from ecomem.gate.weights import unreported, weighed
from sets import texts

TEXTS = Path(__file__).parent / "texts"
OURS = [*(f"entries-{number}" for number in range(1, 6)), "sentences"]
LEAST = 3  # what a recipe finds, at the least, for its bytes


class Found(NamedTuple):
    """One text: an order or not, what finding it is worth, and the recipes that do."""

    is_order: bool
    worth: int
    by: frozenset[int]


def read(text: str, is_order: bool) -> Found:
    """Judge one text as if it were not quoted."""
    low = unreported(bare(bare(text.lower(), QUOTED)))
    worth = 0
    if is_order and not any(True for _ in phrased(low, False)):
        worth = 1 if any(True for _ in weighed(low)) else 2
    return Found(is_order, worth, frozenset(n for _, n, _ in combined(low, False)))


def training_texts() -> list[Found]:
    """All training texts: entries, sentences, and notes drawn from templates."""
    found = []
    for name in OURS:
        for line in (TEXTS / f"{name}.jsonl").read_text("utf-8").splitlines():
            case = json.loads(line)
            if case["expect"] in ("injection", "clean"):
                found.append(read(case["text"], case["expect"] == "injection"))
    return found + [read(text, False) for _, text in texts("notes.txt", 12)]


def choose(found: list[Found], count: int) -> list[int]:
    """The numbers of the recipes that are worth most together, best first."""
    unclean = {number for each in found if not each.is_order for number in each.by}
    left = [each for each in found if each.worth]
    chosen: list[int] = []
    while len(chosen) < count:
        gains: dict[int, int] = {}
        for each in left:
            for number in each.by - unclean:
                gains[number] = gains.get(number, 0) + each.worth
        if not gains or max(gains.values()) < LEAST:
            break
        best = max(gains, key=lambda number: (gains[number], -number))
        chosen.append(best)
        left = [each for each in left if best not in each.by]
    return chosen


def main(arguments: list[str]) -> None:
    """Print the recipes that are chosen."""
    count = int(arguments[0]) if arguments else 30
    rows = table("phrases", "recipes")
    for number in choose(training_texts(), count):
        print(rows[number])


if __name__ == "__main__":
    main(sys.argv[1:])
