"""Run verify in this folder and say how long each family of its rules took.

Prints a family and its seconds, a line each; what is left over reads and parses (L E).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from types import ModuleType

start = time.perf_counter()

from ecomem import (  # noqa: E402
    capacity,
    catalog,
    history,
    install,
    staleness,
    verify,
)
from ecomem.gate import pages  # noqa: E402

FAMILIES: tuple[tuple[str, ModuleType, tuple[str, ...]], ...] = (
    ("C", catalog, ("check",)),
    ("C", capacity, ("check",)),
    ("G J", pages, ("check",)),
    ("H", history, ("read", "check")),
    ("R", staleness, ("check",)),
    ("I", install, ("check",)),
)
taken = {family: 0.0 for family, *_ in FAMILIES}


def timed(family: str, rule: Callable[..., object]) -> Callable[..., object]:
    """Return the rule as it is, but with a clock for what it does and yields."""

    def judge(*arguments: object) -> object:
        begun = time.perf_counter()
        found = rule(*arguments)
        found = list(found) if isinstance(found, Iterator) else found
        taken[family] += time.perf_counter() - begun
        return found

    return judge


def main() -> None:
    """Clock every family, run verify once, and print the table."""
    for family, module, names in FAMILIES:
        for name in names:
            setattr(module, name, timed(family, getattr(module, name)))
    with redirect_stdout(StringIO()):
        verify.main(["--root", "."])
    whole = time.perf_counter() - start
    rest: Iterable[tuple[str, float]] = [("L E", whole - sum(taken.values()))]
    for family, seconds in (*rest, *taken.items()):
        sys.stdout.write(f"{family}\t{seconds}\n")


main()
