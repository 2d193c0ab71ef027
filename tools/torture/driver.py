"""Torture: random histories of a project, with a check of every promise on the way.

    driver.py [STEPS] [SEED]     make about STEPS steps, from a seed that is printed
    driver.py --history SEED     one history, every step printed

The seed decides the whole history: how the project begins, then each step. If a history
breaks a promise, the driver removes the steps that do not matter, and prints the others
with all commands that it ran.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
for folder in ("tests/support", "extensions", "tasks", "tools"):
    sys.path.insert(0, str(HERE.parent.parent / folder))

import copier_project  # noqa: E402

from torture import keeping, runs, steps  # noqa: E402
from torture.commands import warm_up  # noqa: E402
from torture.releases import make_releases  # noqa: E402
from torture.world import Broken, World  # noqa: E402

STEPS_IN_A_HISTORY = 40


class Plan(NamedTuple):
    """The plan of a history: its seed, and its steps, each with a seed of its own."""

    seed: int
    steps: tuple[tuple[str, int], ...]


class Result(NamedTuple):
    """The result of a history."""

    steps: int
    runs: int  # of Copier
    failure: str  # "" if every promise was kept
    log: tuple[str, ...]


def plan(seed: int, length: int = STEPS_IN_A_HISTORY) -> Plan:
    """Return the plan of a history."""
    rng = random.Random(seed)
    names = [*steps.STEPS]
    weights = [weight for _, weight in steps.STEPS.values()]
    chosen = rng.choices(names, weights, k=length)
    return Plan(seed, tuple((name, rng.randrange(10**9)) for name in chosen))


def play(plan: Plan, template: Path, verbose: bool = False) -> Result:
    """Make a history in a temporary folder."""
    home = Path(tempfile.mkdtemp(prefix="torture-"))
    done = 0
    try:
        world = World(template, home, runs.setting(random.Random(plan.seed + 1)))
        world.say("begin with", world.setting)
        try:
            world.run("copy")
            for name, seed in plan.steps:
                world.say(f"# {name}")
                memory, lines = world.memory(), world.lines_of_mine()
                steps.STEPS[name][0](world, random.Random(seed))
                world.check_store(memory, lines)
                done += 1
            failure = ""
        except (Broken, AssertionError) as broken:
            failure = str(broken) or repr(broken)
        if verbose:
            print("\n".join(world.log))
        return Result(done, world.runs, failure, tuple(world.log))
    finally:
        shutil.rmtree(home, ignore_errors=True)


def shrink(plan: Plan, failure: str, template: Path, tries: int = 15) -> Plan:
    """Return a plan with fewer steps that fails in the same way.

    Half of the steps are left out first, then a quarter, and so on to single ones.
    """
    kind = failure.split("\n")[0]
    size = len(plan.steps) // 2
    while size and tries:
        at = 0
        while at < len(plan.steps) and tries:
            tries -= 1
            fewer = plan._replace(steps=plan.steps[:at] + plan.steps[at + size :])
            if play(fewer, template).failure.split("\n")[0] == kind:
                plan = fewer
            else:
                at += size
        size //= 2
    return plan


def torture(count: int, seed: int, template: Path) -> list[str]:
    """Make histories until there are `count` steps; return a report of each failure."""
    made = runs = histories = 0
    failures = []
    began = time.monotonic()
    while made < count:
        one = plan(seed + histories, min(STEPS_IN_A_HISTORY, count - made))
        result = play(one, template)
        histories += 1
        made += max(result.steps, 1)
        runs += result.runs
        if result.failure:
            least = shrink(one, result.failure, template)
            again = play(least, template)
            log = "\n  ".join(again.log or result.log)
            failures.append(f"seed {one.seed}: {result.failure}\n  {log}")
            print(failures[-1], flush=True)
        if histories % 2 == 0:
            print(_count(histories, made, runs, failures, began), flush=True)
    print(_count(histories, made, runs, failures, began), flush=True)
    return failures


def _count(
    histories: int, made: int, runs: int, failures: list[str], began: float
) -> str:
    """Return the counts of a run so far, as a sentence."""
    return (
        f"{histories} histories, {made} steps, {runs} runs of Copier, "
        f"{len(failures)} failures, {time.monotonic() - began:.0f} s"
    )


def main(words: Sequence[str]) -> int:
    """Run the command line; return 1 if a promise was broken."""
    with tempfile.TemporaryDirectory(prefix="torture-") as base:
        copier_project.isolate(Path(base) / "home", Path(base) / "bytecode")
        template = make_releases(Path(base) / "template")
        warm_up(
            template / "template", keeping.text_of("semantic", "warm", random.Random(0))
        )
        if words[:1] == ["--history"]:
            result = play(plan(int(words[1])), template, verbose=True)
            print(result.failure or "every promise was kept")
            return 1 if result.failure else 0
        count = int(words[0]) if words else 200
        seed = int(words[1]) if len(words) > 1 else random.randrange(10**6)
        print(f"{count} steps from seed {seed}", flush=True)
        return 1 if torture(count, seed, template) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
