"""Room in an INDEX, and which entries are best to archive: not what matters soon."""

from __future__ import annotations

from pathlib import Path

import pytest
from ecomem import capacity, entry
from ecomem.store import scan
from store_project import MEMORY, Project, in_days, lay_down


@pytest.fixture
def full(tmp_path: Path) -> Project:
    """A project with 36 facts, the oldest last by name."""
    made = lay_down(tmp_path)
    for number in range(36):
        made.entry("semantic", f"fact-{number:02}", {"as_of": in_days(-60 - number)})
    return made


def proposed(it: Project) -> list[str]:
    """The slugs that are best to archive, in order."""
    store = scan(str(it.root))
    entries = entry.parse_all(store)
    mine = {path: e for path, e in entries.items() if e.page.drawer == "semantic"}
    best = capacity.best_to_archive(store, entries, mine)
    return [text.partition(" ")[0] for text in best]


def test_the_oldest_come_first(full: Project) -> None:
    assert proposed(full) == ["fact-35", "fact-34", "fact-33", "fact-32", "fact-31"]


def test_what_is_broken_comes_before_what_is_old(full: Project) -> None:
    full.entry("semantic", "fact-03", evidence=["`gone.py#L3`"], listed=False)
    full.entry("semantic", "fact-07", {"expires": "2026-01-01"}, listed=False)
    assert proposed(full)[:3] == ["fact-03", "fact-07", "fact-35"]


@pytest.mark.parametrize(
    "changed",
    [
        {"expires": in_days(14)},
        {"expires": in_days(capacity.NEAR_DAYS)},
        {"expires": in_days(0)},
        {"scope": f"from {in_days(14)} on"},
        {"as_of": in_days(-1)},
    ],
)
def test_what_matters_soon_comes_last(full: Project, changed: dict[str, str]) -> None:
    old = {"as_of": in_days(-300), **changed}
    full.entry("semantic", "fact-35", old, listed=False)
    assert "fact-35" not in proposed(full)


def test_a_day_in_the_text_matters_as_one_in_the_header_does(full: Project) -> None:
    body = f"Nothing is deployed from {in_days(14)} to {in_days(20)}.\n"
    old = {"as_of": in_days(-300)}
    full.entry("semantic", "deploy-freeze", old, body=body)
    assert proposed(full)[0] == "fact-35"


@pytest.mark.parametrize("day", [in_days(-1), in_days(capacity.NEAR_DAYS + 1)])
def test_a_day_that_is_over_or_far_away_changes_nothing(
    full: Project, day: str
) -> None:
    body = f"It was, or will be, on {day}.\n"
    full.entry("semantic", "fact-35", {"as_of": in_days(-95)}, body=body, listed=False)
    assert proposed(full)[0] == "fact-35"


def test_what_a_desk_links_to_comes_last(full: Project) -> None:
    full.entry("working", "a-desk", body="See [[fact-35]] and [[fact-33]].\n")
    assert proposed(full)[:2] == ["fact-34", "fact-32"]


def test_where_all_matter_soon_the_oldest_are_proposed(tmp_path: Path) -> None:
    made = lay_down(tmp_path)
    for number in range(6):
        made.entry("semantic", f"fact-{number}", {"as_of": in_days(-number)})
    assert proposed(made) == ["fact-5", "fact-4", "fact-3", "fact-2", "fact-1"]


def test_an_index_is_nearly_full_at_36_rows_and_over_full_at_41(
    tmp_path: Path,
) -> None:
    made = lay_down(tmp_path)
    told = []
    for number in range(41):
        made.entry("procedural", f"step-{number:02}")
        store = scan(str(made.root))
        found = capacity.check(store, entry.parse_all(store), "procedural")
        told.append([item.code for item in found])
    assert told == [[]] * 35 + [["C08"]] * 5 + [["C07"]]


def test_one_more_row_is_refused_from_40_on_only(full: Project) -> None:
    for number in range(36, 41):
        store = scan(str(full.root))
        more = capacity.check(store, entry.parse_all(store), "semantic", 1)
        assert [item.code for item in more] == (["C07"] if number == 40 else [])
        full.entry("semantic", f"fact-{number}")


def test_two_green_changes_that_fill_an_index_redden_no_third_one(
    tmp_path: Path,
) -> None:
    it = lay_down(tmp_path / "project")
    for number in range(39):
        it.entry("semantic", f"fact-{number:02}")
    it.commit()
    for branch in ("one", "two"):
        it.git("checkout", "--quiet", "-b", branch, "main")
        it.entry("semantic", f"fact-by-{branch}")
        it.commit()
        assert (it.run().code, it.run().level("C07")) == (0, "")
    it.git("checkout", "--quiet", "main")
    it.git("merge", "--quiet", "one")
    it.git("merge", "--quiet", "two", check=False)
    it.fix()
    it.commit()
    assert (it.run().code, it.run().level("C07")) == (1, "error")
    it.git("checkout", "--quiet", "-b", "elsewhere")
    it.write("src/app.py", "print()\n")
    it.entry("procedural", "cut-release")
    it.commit()
    assert (it.run().code, it.run().level("C07")) == (0, "warning")
    it.git("checkout", "--quiet", "-b", "one-more", "main")
    it.entry("semantic", "fact-one-more")
    it.commit()
    assert (it.run().code, it.run().level("C07")) == (1, "error")
    it.git("checkout", "--quiet", "-b", "fewer", "main")
    it.path(f"{MEMORY}/semantic/fact-00.md").unlink()
    it.fix()
    it.commit()
    assert (it.run().code, it.run().level("C07")) == (0, "")
