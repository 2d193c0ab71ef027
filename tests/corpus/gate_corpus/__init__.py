"""A labelled corpus for the write gate, built by code from seeded random sources.

The entries were written without sight of the gate's rules, so that they test the
promise and not the pattern. Values are generated; no secret and no person is real.
"""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

from . import (
    clean_operations,
    clean_scripts,
    clean_security,
    clean_values,
    clean_words,
    disguise,
    injections,
    keys,
    numbers_of_people,
    planted_access,
    planted_evasion,
    planted_people,
    planted_vendor,
    shapes,
)
from .model import Case, Vocabulary, parse

__all__ = ["Case", "cases", "held_out"]

HELD_OUT = Path(__file__).parents[3] / "tools/training/texts/held-out.jsonl"

SOURCES = (
    ("secret", planted_vendor.BLOCKS),
    ("secret", planted_access.BLOCKS),
    ("secret", planted_people.BLOCKS),
    ("secret", planted_evasion.BLOCKS),
    ("injection", injections.BLOCKS),
    ("clean", clean_operations.BLOCKS),
    ("clean", clean_security.BLOCKS),
    ("clean", clean_values.BLOCKS),
    ("clean", clean_words.BLOCKS),
    ("clean", clean_scripts.BLOCKS),
)


def vocabulary() -> Vocabulary:
    """Gives every maker and filter that the blocks may name."""
    makers = (
        shapes.MAKERS
        | keys.MAKERS
        | numbers_of_people.MAKERS
        | planted_people.MAKERS
        | clean_security.MAKERS
        | disguise.MAKERS
    )
    return Vocabulary(makers, disguise.FILTERS, disguise.OPAQUE)


def cases() -> list[Case]:
    """Gives all cases, the same ones in the same order each time."""
    words = vocabulary()
    return list(
        chain.from_iterable(parse(text, expect, words) for expect, text in SOURCES)
    )


def held_out() -> list[tuple[str, str]]:
    """Gives what is expected of each entry of another writer, and its text."""
    rows = map(json.loads, HELD_OUT.read_text("utf-8").splitlines())
    return [(row["expect"], row["text"]) for row in rows]
