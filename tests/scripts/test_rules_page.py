"""The page of rules and the code name the same rules."""

from __future__ import annotations

import re

import pytest
from ecomem.rules import RULES
from store_project import SKILL, TEMPLATE, rules_page

SCRIPTS = sorted((TEMPLATE / SKILL / "scripts").rglob("*.py"))


def codes_in_the_scripts() -> set[str]:
    """Every rule code that a script other than the table of rules contains."""
    paths = (path for path in SCRIPTS if path.name != "rules.py")
    text = "".join(path.read_text("utf-8") for path in paths)
    return set(re.findall(r'"([A-Z]\d\d)"', text))


def test_the_page_lists_every_code_of_the_scripts_and_no_other() -> None:
    assert sorted(rules_page()) == sorted(codes_in_the_scripts()) == sorted(RULES)


@pytest.mark.parametrize("code", sorted(codes_in_the_scripts()))
def test_the_page_gives_a_rule_its_level_its_meaning_and_a_step(code: str) -> None:
    rule = RULES[code]
    levels = f"{rule.level}/{rule.mild}" if rule.mild else rule.level
    assert rules_page()[code] == [levels, rule.problem, rule.advice]
    assert rule.problem.endswith(".") and rule.advice.endswith(".")


def test_the_codes_of_a_family_stand_in_order() -> None:
    listed = list(rules_page())
    for family in {code[0] for code in listed}:
        of_family = [code for code in listed if code[0] == family]
        assert of_family == sorted(of_family)


def test_what_the_page_says_can_be_printed_anywhere() -> None:
    for cells in rules_page().values():
        assert all(cell.isascii() and cell.isprintable() for cell in cells)
