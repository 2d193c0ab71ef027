"""The stand-ins for slow parts of the standard library do as the real ones do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from ecomem import cache, cheap_re
from ecomem.cheap_imports import parse_json
from ecomem.entry import _EVIDENCE
from hypothesis import given
from hypothesis import strategies as st
from store_project import PYTHON, SKILL, TEMPLATE, Project, environment, well_kept

PATTERNS = [
    (_EVIDENCE, 0),
    (r"(?P<a>x)|(?P<b>[^\W\d_]{2,4}?)(?!y)", 0),
    (r"(?i)(?<!\w)(grün|mañana)\b", 0),
    (r"[\w+/-]{16,}={0,2}", re.ASCII),
    (r"(?m)^(`{3,}|~~~)(.*)$", 0),
]
TEXT = "see `src/a.py#L3-L9` sha:0123abcd\n```py\nGRÜN xab mañana AAAABBBBCCCCDDDD==\n"
WRITES = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": ""}


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """Return what is cached, by name, in place of the files beside the bytecode."""
    values: dict[str, object] = {}
    monkeypatch.setattr(cache, "save", values.__setitem__)
    monkeypatch.setattr(cache, "load", lambda name, kind: values.get(name))
    start_anew()
    yield values
    start_anew()


def start_anew() -> None:
    """Forget what this process compiled or loaded."""
    for name in ("compile", "_saved"):
        getattr(cheap_re, name).cache_clear()
    vars(cheap_re)["_made"].clear()


def facts(pattern: re.Pattern[str]) -> tuple[object, ...]:
    """Return all that tells one pattern from another, and what it finds."""
    found = [(match.span(), match.groupdict()) for match in pattern.finditer(TEXT)]
    names = dict(pattern.groupindex)
    return pattern.pattern, pattern.flags, pattern.groups, names, found


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
def test_a_pattern_from_the_cache_finds_what_one_of_re_finds(
    saved: dict[str, object], pattern: str, flags: int
) -> None:
    expected = facts(re.compile(pattern, flags))
    assert facts(cheap_re.compile(pattern, flags)) == expected
    cheap_re.save()
    assert saved["patterns"]
    start_anew()
    assert facts(cheap_re.compile(pattern, flags)) == expected
    assert not vars(cheap_re)["_made"]


@pytest.mark.parametrize(
    "damage",
    [(), (0, [1, 2, 99999], 0, {}, (None,)), (0, "text", 0, {}, ()), 7, (1, 2, 3)],
)
def test_a_damaged_pattern_is_compiled_anew(
    saved: dict[str, object], damage: object
) -> None:
    saved["patterns"] = {(r"\d+", 0): damage}
    assert cheap_re.findall(r"\d+", "a1b22") == ["1", "22"]


def test_where_python_has_no_such_engine_re_compiles(
    saved: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cheap_re, "assemble", None, raising=False)
    assert cheap_re.sub(r"(a)b", r"\1", "abab") == "aa"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_json_is_read_as_the_json_module_reads_it(value: object) -> None:
    text = json.dumps({"key": value}, indent=1)
    assert parse_json(f" {text}\n") == json.loads(text)


@given(st.text(alphabet='{}[]":,. \n0e-tru"nul'))
def test_what_is_no_json_is_a_value_error_as_with_the_json_module(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):
            parse_json(text)
    else:
        assert parse_json(text) == expected


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project without cached files."""
    made = well_kept(tmp_path / "project")
    made.script()
    shutil.rmtree(made.path(f"{SKILL}/scripts/ecomem/__pycache__"), ignore_errors=True)
    return made


@pytest.mark.parametrize("command", ["verify.py", "recall.py queue"])
def test_the_second_run_imports_none_of_the_slow_modules(
    project: Project, command: str
) -> None:
    """Each takes as long as reading the store, or longer."""
    script, *words = command.split()
    path = str(project.path(f"{SKILL}/scripts/{script}"))
    for _ in range(2):
        run = subprocess.run(
            [PYTHON, "-E", "-S", "-X", "importtime", path, *words],
            cwd=project.root,
            env=environment(**WRITES),
            capture_output=True,
            text=True,
        )
    imported = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}
    assert "ecomem.store" in imported
    slow = {"re", "typing", "functools", "collections", "contextlib", "json", "hashlib"}
    assert not slow & imported


def test_our_scripts_take_the_stand_in() -> None:
    """A module that imports `re` itself costs every command a start of Python."""
    library = TEMPLATE / SKILL / "scripts/ecomem"
    exempt = {library / "cheap_re.py", library / "cheap_imports.py"}
    for path in {*library.glob("*.py"), *library.glob("gate/*.py")} - exempt:
        imports = re.findall(r"(?m)^(?:import|from) (\w+)", path.read_text("utf-8"))
        assert not {"re", "functools", "collections", "contextlib"} & {*imports}, path
