"""Print what each part of the gate's half on orders costs in bytes and finds.

    python tools/bench/gate_parts.py [--attacks FILE] [--clean FILE]

Each part is switched off in turn. Printed is what the gate then refuses (J01-J07) of
our two corpora, of FILE with attacks by other writers ("text", "attack", "set"), and of
FILE with clean texts ("text"): both JSON lines. PYTHONPATH is what nox sets for learn.
"""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from ecomem.gate import injection
from ecomem.gate.scanner import scan
from ecomem.gate.text import table
from gate_corpus import cases, held_out

# Functions of injection.py that are switched off, and sections of phrases.txt.
PARTS = {
    "nothing": ((), ()),
    "weights": (("weighed",), ()),
    "phrases": (("phrased",), ("overrides", "orders")),
    "marks of speakers": (("marks",), ("tags", "turns", "speakers")),
    "hidden places": (("unshown",), ("unshown", "hail")),
    "disguises": (("readings", "squashed"), ("core", "squashed")),
    "commands that fetch": (("fetched",), ("fetch",)),
}
Texts = list[tuple[bool, str]]


def ours() -> dict[str, Texts]:
    """Our corpora without secrets: whether each text is an order, and the text."""
    corpus = [
        (case.expect == "injection", case.text)
        for case in cases()
        if case.expect != "secret"
    ]
    held = [
        (expect == "injection", text)
        for expect, text in held_out()
        if expect != "secret"
    ]
    return {"corpus": corpus, "held-out": held}


def read(path: str) -> Texts:
    """The texts of a file with JSON lines, as entries."""
    rows = map(json.loads, Path(path).read_text("utf-8").splitlines())
    return [(row.get("attack", False), f"# Note\n\n{row['text']}\n") for row in rows]


def is_refused(text: str) -> bool:
    """Return true if the gate finds an order; title and cue are read strictly."""
    lines = enumerate(text.split("\n"), 1)
    strict = {1, *(at for at, line in lines if line.startswith("- cue:"))}
    hits = scan(text, frozenset(strict))
    return any(hit.level == "error" and hit.code[0] == "J" for hit in hits)


def size(functions: tuple[str, ...], sections: tuple[str, ...]) -> int:
    """The bytes of the tables of a part; for the weights, with their code."""
    rows = [row for section in sections for row in table("phrases", section)]
    found = sum(len(row.encode()) + 1 for row in rows)
    if "weighed" in functions:
        folder = Path(injection.__file__).parent
        for name in ("weights.txt", "weights.py"):
            found += (folder / name).stat().st_size
    return found


def nothing(*_: object) -> tuple[()]:
    """Find nothing, in place of the function of a part."""
    return ()


def main(arguments: list[str]) -> None:
    """Print a row for each part."""
    sets = ours()
    for option, path in zip(arguments[::2], arguments[1::2], strict=True):
        sets[option.lstrip("-")] = read(path)
    columns = [
        (name, order, [text for kind, text in texts if kind == order])
        for name, texts in sets.items()
        for order in (True, False)
    ]
    columns = [column for column in columns if column[2]]
    names = [f"{name} {'orders' if order else 'clean'}" for name, order, _ in columns]
    print("without".ljust(22), "bytes".rjust(7), *(name.rjust(17) for name in names))
    for part, (functions, sections) in PARTS.items():
        with ExitStack() as switched:
            for name in functions:
                switched.enter_context(patch.object(injection, name, nothing))
            counts = [sum(map(is_refused, texts)) for _, _, texts in columns]
        cells = [
            f"{count} of {len(texts)}".rjust(17)
            for count, (_, _, texts) in zip(counts, columns, strict=True)
        ]
        print(part.ljust(22), f"{size(functions, sections):7,}", *cells, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
