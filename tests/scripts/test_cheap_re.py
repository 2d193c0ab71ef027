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
from ecomem.cheap_imports import json_string, parse_json
from ecomem.entry import _EVIDENCE
from hypothesis import given
from hypothesis import strategies as st
from store_project import (
    BODIES,
    MEMORY,
    PYTHON,
    SKILL,
    TEMPLATE,
    Project,
    environment,
    well_kept,
)

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


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_text_is_written_as_the_json_module_writes_it(text: str) -> None:
    assert json_string(text) == json.dumps(text)


@pytest.mark.parametrize(
    "text", ["{broken", '["open', "[1 2]", "", b"\xff", b"\xef\xbb\xbf[1", "[1] 2"]
)
def test_broken_json_is_a_value_error_where_nothing_imported_the_json_module(
    text: str | bytes,
) -> None:
    """Pytest imports json, so that a process without it is needed."""
    code = f"""
import sys
sys.path.insert(0, {str(TEMPLATE / SKILL / "scripts")!r})
from ecomem.cheap_imports import json_string, parse_json
assert "json" not in sys.modules
try:
    parse_json({text!r})
except ValueError:
    print("a value error")
"""
    run = subprocess.run(
        [PYTHON, "-E", "-S", "-B", "-c", code], capture_output=True, text=True
    )
    assert run.stdout == "a value error\n", run.stderr


@pytest.mark.parametrize(
    "data", [b'{"a": 1}', b"\xef\xbb\xbf [1]\n", b'"\xed\xa0\x80"']
)
def test_bytes_are_read_as_the_json_module_reads_them(data: bytes) -> None:
    assert parse_json(data) == json.loads(data)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project without cached files."""
    made = well_kept(tmp_path / "project")
    made.script()
    shutil.rmtree(made.path(f"{SKILL}/scripts/ecomem/__pycache__"), ignore_errors=True)
    return made


@pytest.mark.parametrize("command", ["verify.py", "recall.py queue", "hook.py"])
def test_the_second_run_imports_none_of_the_slow_modules(
    project: Project, command: str
) -> None:
    """Each takes as long as reading the store, or longer."""
    script, *words = command.split()
    path = str(project.path(f"{SKILL}/scripts/{script}"))
    for _ in range(2):
        run = subprocess.run(
            [PYTHON, "-E", "-S", "-X", "importtime", path, *words],
            input=write_call(project) if script == "hook.py" else "",
            cwd=project.root,
            env=environment(**WRITES, XDG_STATE_HOME=str(project.root.parent)),
            capture_output=True,
            text=True,
        )
    imported = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}
    assert "ecomem.store" in imported
    slow = {"re", "typing", "functools", "collections", "contextlib", "json", "hashlib"}
    assert not slow & imported


def write_call(project: Project) -> str:
    """Return the event of a host before it writes an entry that passes."""
    path = str(project.path(f"{MEMORY}/episodic/new-thing.md"))
    header = "- cue: when a new thing came\n- when: 2026-10-01\n- task: to try it"
    text = f"# A new thing\n\n{header}\n\n{BODIES['episodic']}\n"
    given = {"file_path": path, "content": text}
    event = {"session_id": "1", "cwd": str(project.root), "tool_name": "Write"}
    return json.dumps({**event, "hook_event_name": "PreToolUse", "tool_input": given})


def test_our_scripts_take_the_stand_in() -> None:
    """A module that imports `re` itself costs every command a start of Python."""
    library = TEMPLATE / SKILL / "scripts/ecomem"
    exempt = {library / "cheap_re.py", library / "cheap_imports.py"}
    for path in {*library.glob("*.py"), *library.glob("*/*.py")} - exempt:
        imports = re.findall(r"(?m)^(?:import|from) (\w+)", path.read_text("utf-8"))
        slow = {"re", "functools", "collections", "contextlib", "json", "fnmatch"}
        assert not slow & {*imports}, path
