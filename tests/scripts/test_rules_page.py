"""The page of rules and the code name the same rules."""

from __future__ import annotations

import re

import pytest
from ecomem import findings
from store_project import SKILL, TEMPLATE, rules_page

SCRIPTS = sorted((TEMPLATE / SKILL / "scripts").rglob("*.py"))


def codes_in_the_scripts() -> set[str]:
    """Every rule code that stands in a script as a string."""
    text = "".join(path.read_text("utf-8") for path in SCRIPTS)
    return set(re.findall(r'"([A-Z]\d\d)"', text))


def test_the_page_lists_every_code_of_the_scripts_and_no_other() -> None:
    assert sorted(rules_page()) == sorted(codes_in_the_scripts())


@pytest.mark.parametrize("code", sorted(codes_in_the_scripts()))
def test_the_page_gives_a_rule_its_level_its_meaning_and_a_step(code: str) -> None:
    level, means, do = rules_page()[code]
    assert level == findings.found("", 1, code).level
    assert means.endswith(".") and do.endswith(".")


def test_the_codes_of_a_family_stand_in_order() -> None:
    listed = list(rules_page())
    for family in {code[0] for code in listed}:
        of_family = [code for code in listed if code[0] == family]
        assert of_family == sorted(of_family)


def test_what_the_page_says_can_be_printed_anywhere() -> None:
    for cells in rules_page().values():
        assert all(cell.isascii() and cell.isprintable() for cell in cells)
