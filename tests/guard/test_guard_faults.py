"""The guard when things go wrong: the host's call goes on, with one line at most."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import store_project
from guard_hosts import NAMES, Answer, Host, run, state
from hypothesis import given
from hypothesis import strategies as st
from test_guard import TOKEN, fact, place


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> store_project.Project:
    """A project with an entry in each drawer."""
    return store_project.well_kept(tmp_path_factory.mktemp("faults") / "project")


def goes_on(answer: Answer) -> None:
    """Assert that a call goes on, with one line of explanation at most."""
    assert answer.code == 0
    assert answer.out == ""
    assert answer.err.count("\n") <= 1
    assert "Traceback" not in answer.err
    assert answer.err == "" or answer.err.startswith("eco-mem: ")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"tool_name":".agents/memory"',
        b"null",
        b"[1, 2, {}]",
        b'"sessionstart"',
        b"\xff\xfe.agents",
        b'{"hook_event_name":".agents/memory"}',
        b'{"hook_event_name":"Notification","x":".agents/memory/semantic/a.md"}',
        b'{"hook_event_name":"PreToolUse","x":".agents"}',
        b'{"hook_event_name":"PreToolUse","tool_name":7,"tool_input":[".agents"]}',
        b'{"hook_event_name":"PreToolUse","tool_name":"Read",'
        b'"tool_input":{"file_path":{".agents":1}}}',
        b'{"hook_event_name":"PreToolUse","tool_name":"MultiEdit",'
        b'"tool_input":{"file_path":".agents/memory/semantic/x.md","edits":[1]}}',
        b'{"hook_event_name":"PreToolUse","cwd":7,"tool_name":"Read",'
        b'"tool_input":{"file_path":".agents/memory/semantic/x.md"}}',
        b'{"toolArgs":".agents{","sessionId":{}}',
        b"[" * 100_000 + b".agents",
    ],
)
def test_a_payload_of_no_known_form_passes(
    project: store_project.Project, data: bytes
) -> None:
    goes_on(run(project, data))


def test_a_call_without_a_store_passes(tmp_path: Path) -> None:
    project = store_project.Project(tmp_path / "project")
    project.script("hook.py")
    host = Host("claude", project)
    for event in (host.start(), host.write(place("x"), "y"), host.stop()):
        goes_on(host.run(event))


NOWHERE = {
    "XDG_STATE_HOME": "/dev/null/x",
    "LOCALAPPDATA": "/dev/null/x",
    "TMPDIR": "/dev/null/x",
    "HOME": "/dev/null/x",
}


@pytest.mark.parametrize("kind", ["read", "write", "stop"])
def test_notes_that_cannot_be_kept_let_the_call_pass(claude: Host, kind: str) -> None:
    event = {
        "read": claude.read(place("health-port")),
        "write": claude.write(place("node-probes"), fact()),
        "stop": claude.stop(),
    }[kind]
    goes_on(claude.run(event, **NOWHERE))


def test_maps_are_shown_and_history_is_safe_without_notes(claude: Host) -> None:
    assert "health-port" in claude.run(claude.start(), **NOWHERE).out
    name = place("locked-table", "episodic")
    edit = claude.edit(name, "Result: writers waited.\n", "Result: all went well.\n")
    assert claude.run(edit, **NOWHERE).denied
    sweep = claude.shell(f"grep -r x {store_project.MEMORY}")
    assert claude.run(sweep, **NOWHERE).denied


def test_one_bad_line_in_the_notes_ends_nothing(claude: Host) -> None:
    for number in range(6):
        claude.project.entry("semantic", f"fact-{number}")
    for number in range(5):
        claude.run(claude.read(place(f"fact-{number}")))
    for file in Path(state(claude.project)).glob("eco-mem/*"):
        file.write_text("{broken\n[1]\n" + file.read_text())
    assert claude.run(claude.read(place("fact-5"))).denied


def test_no_notes_land_in_the_repository(claude: Host) -> None:
    before = sorted(path for path in claude.project.root.rglob("*"))
    claude.run(claude.read(place("health-port")), **{**NOWHERE, "HOME": ""})
    inside = str(claude.project.root / "state")
    claude.run(
        claude.read(place("health-port")), **{**NOWHERE, "XDG_STATE_HOME": inside}
    )
    after = sorted(path for path in claude.project.root.rglob("*"))
    assert [p for p in after if "scripts" not in str(p)] == [
        p for p in before if "scripts" not in str(p)
    ]


def test_a_secret_is_refused_even_then(claude: Host) -> None:
    event = claude.write(place("node-probes"), fact(body=TOKEN))
    assert claude.run(event, XDG_STATE_HOME="/dev/null/x").denied


def test_broken_notes_let_the_call_pass(project: store_project.Project) -> None:
    host = Host("claude", project, session="broken")
    host.run(host.read(place("health-port")))
    for file in Path(state(project)).glob("eco-mem/*broken"):
        file.write_text("{broken\n")
    goes_on(host.run(host.read(place("health-port"))))


def test_a_large_payload_is_judged_in_time(claude: Host) -> None:
    word = "lorem ipsum "
    outside = claude.write("notes.txt", word * 450_000)
    goes_on(claude.run(outside))
    about = claude.write("notes.txt", f"{word * 450_000} .agents/memory")
    goes_on(claude.run(about))
    assert claude.run(claude.write(place("big"), word * 450_000)).denied
    assert claude.run(claude.shell(f"cat {word * 450_000} > {place('big')}")).denied


def test_a_closed_input_lets_the_call_pass(claude: Host) -> None:
    script = claude.project.script("hook.py")
    for closed in ("<&-", "<&- >&-", "</dev/null"):
        done = subprocess.run(
            ["sh", "-c", f'"$0" -E -S "$1" {closed}', store_project.PYTHON, script],
            capture_output=True,
            text=True,
            check=False,
        )
        goes_on(Answer(done.returncode, done.stdout, done.stderr))


def test_a_missing_part_of_the_guard_lets_the_call_pass(tmp_path: Path) -> None:
    project = store_project.well_kept(tmp_path / "project")
    host = Host("claude", project)
    event = host.read(place("health-port"))
    for name in ("guard/tool_calls.py", "gate/scanner.py", "store.py"):
        path = Path(project.script(f"ecomem/{name}"))
        text = path.read_bytes()
        path.unlink()
        goes_on(host.run(host.write(place("node-probes"), fact(body=TOKEN))))
        path.write_bytes(text)
    goes_on(host.run(event))


def test_ten_calls_at_once_are_all_answered(claude: Host) -> None:
    host = claude._replace(session="ten")
    events = [host.write(place(f"new-{number}"), fact()) for number in range(10)]
    with ThreadPoolExecutor(10) as pool:
        for answer in pool.map(host.run, events):
            goes_on(answer)


@pytest.mark.parametrize("name", NAMES)
def test_the_laid_down_program_answers_every_host(tmp_path: Path, name: str) -> None:
    project = store_project.well_kept(tmp_path / "project")
    host = Host(name, project)
    assert "health-port" in host.run(host.start()).out
    assert host.run(host.read(place("health-port"))) == (0, "", "")
    assert host.run(host.write(place("node-probes"), fact(body=TOKEN))).denied
    assert host.run(host.shell(f"grep -r x {store_project.MEMORY}")).denied
    assert host.run(host.stop()) == (0, "", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["path", "command", "edits", "type"]), inner)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["tool_input", "toolArgs", "tool_name", "cwd", "session_id", "source", "timestamp"]
)


@given(st.dictionaries(KEYS, JSON), st.sampled_from(["PreToolUse", "Stop", ""]))
def test_no_event_does_anything_but_answer(
    project: store_project.Project, event: dict[str, object], name: str
) -> None:
    from ecomem.guard import session

    os.environ["XDG_STATE_HOME"] = state(project)
    raw = json.dumps({"hook_event_name": name, **event}).encode()
    # The program turns these into one line.
    with contextlib.suppress(TypeError, AttributeError, ValueError):
        assert session.answer(str(project.root), raw) in (0, 2)
