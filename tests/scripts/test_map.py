"""The map in ecomem/__init__.py names each module of the library, and no other."""

from __future__ import annotations

import re

from store_project import SKILL, TEMPLATE

LIBRARY = TEMPLATE / SKILL / "scripts/ecomem"
MAP = (LIBRARY / "__init__.py").read_text("utf-8")
GUARD = (LIBRARY / "guard/__init__.py").read_text("utf-8")


def test_the_map_names_each_module_of_the_library_and_no_other() -> None:
    map_of_the_library = MAP.partition("# Who calls whom")[0]
    listed = re.findall(
        r"^#   ([a-z_/]+\.py)  ", map_of_the_library + GUARD, re.MULTILINE
    )
    modules = {path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.py")}
    there = {name for name in modules if not name.endswith("__init__.py")}
    assert there - {*listed} == set(), "add these to the map in ecomem/__init__.py"
    assert {*listed} - there == set(), "take these out of the map"


def test_the_map_fits_on_one_screen() -> None:
    assert len(MAP.splitlines()) <= 60
    assert len(GUARD.splitlines()) <= 60
