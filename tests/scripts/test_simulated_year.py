"""A year with the reaper: what the repository refutes is named in the same month."""

from pathlib import Path

import pytest
from simulated_year import Month, simulate, table


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> list[Month]:
    """One simulated year."""
    lived = simulate(Path(tmp_path_factory.mktemp("year")), seed=20)
    print(table(lived))
    return lived


def test_every_fact_the_repository_refutes_is_named_within_the_month(
    months: list[Month],
) -> None:
    assert [month.missed for month in months] == [[] for _ in months]


def test_no_fact_that_still_holds_where_it_did_is_named(months: list[Month]) -> None:
    assert [month.false_alarms for month in months] == [[] for _ in months]


def test_a_reaped_store_stays_true_and_an_attic_does_not(months: list[Month]) -> None:
    assert months[-1].wrong_reaped == 0
    assert months[-1].wrong_kept > 20
