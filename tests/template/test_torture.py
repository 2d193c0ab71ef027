"""Forty steps of random histories; `nox -s torture -- STEPS [SEED]` makes more."""

from __future__ import annotations

import random
from pathlib import Path

import copier_project
import pytest
from torture import driver
from torture.releases import make_releases

STEPS = 8  # in each of five parts, which run side by side
PARTS = (pytest.param(1, marks=pytest.mark.oldest), 2, 3, 4, 5)


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The synthetic releases."""
    return make_releases(tmp_path_factory.mktemp("torture") / "template")


@pytest.mark.parametrize("part", PARTS)
def test_every_promise_is_kept_in_random_histories(
    releases: Path, capsys: pytest.CaptureFixture[str], part: int
) -> None:
    seed = random.SystemRandom().randrange(10**6)
    with capsys.disabled():
        print(f"\n{STEPS} steps of torture from seed {seed}, part {part}")
    failures = driver.torture(STEPS, seed, releases)
    assert failures == [], f"nox -s torture -- {STEPS} {seed}"


def test_a_broken_promise_is_found_and_shrunk_to_the_steps_that_break_it(
    releases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from torture import steps
    from torture.world import World

    def lose_an_entry(world: World, _: random.Random) -> None:
        copier_project.write(world.root, {"src/app.py": "<<<<<<< before updating\n"})
        world.commit()
        world.run("update")

    monkeypatch.setitem(steps.STEPS, "lose an entry", (lose_an_entry, 0))
    made = (("write a desk", 1), ("lose an entry", 2), ("write a desk", 3))
    plan = driver.Plan(7, made)
    failure = driver.play(plan, releases).failure
    assert failure.startswith("src/app.py")
    assert driver.shrink(plan, failure, releases).steps == (("lose an entry", 2),)
