"""Registering the guard with hosts: what is woven, what stays, and what it runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import copier_project
import eco_mem
import edits
import json_edit
import pytest
import store_project
from edits import Target
from guard_hosts import Host
from hypothesis import given
from hypothesis import strategies as st

HOSTS = tomllib.loads(
    copier_project.text(copier_project.SOURCE / "extensions/hosts.toml")
)
HOOKED = {name: host["hooks"] for name, host in HOSTS.items() if "hooks" in host}
WOVEN = [name for name, hooks in HOOKED.items() if hooks["form"] != "owned"]
OWNED = [name for name, hooks in HOOKED.items() if hooks["form"] == "owned"]
GUARD = ("--data", "guard=true")
COMMAND = eco_mem.load_facts().hook_command["bash"]
MARK = eco_mem.HOOK
OTHER = """{
    "theme": "dark",
    "hooks": {
        "Stop": [ { "hooks": [ { "type": "command", "command": "echo mine" } ] } ]
    }
}
"""


def file_of(host: str) -> str:
    return str(HOOKED[host]["file"])


def commands(value: Any) -> Iterator[str]:
    """Yield every command of ours in a JSON value."""
    if isinstance(value, dict):
        yield from (text for inner in value.values() for text in commands(inner))
    elif isinstance(value, list):
        yield from (text for inner in value for text in commands(inner))
    elif isinstance(value, str) and MARK in value and "Test-Path" not in value:
        yield value


def guards(project: Path) -> set[str]:
    """Return what a project has of the guard itself."""
    names = {
        name.removeprefix(f"{copier_project.SKILL}/")
        for name in copier_project.tree(project)
    }
    return {
        name
        for name in names
        if name.startswith(("scripts/hook", "scripts/ecomem/guard", "references/g"))
        and "__pycache__" not in name
    }


@pytest.fixture(scope="module")
def guarded(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with every host and the guard; for reading only."""
    root = tmp_path_factory.mktemp("guarded") / "project"
    copier_project.fine(
        copier_project.copy(
            template, root, *GUARD, hosts=", ".join(copier_project.ALL_HOSTS)
        )
    )
    copier_project.commit(root)
    return root


# What lands.


@pytest.mark.parametrize("host", HOOKED)
def test_every_event_of_a_host_runs_the_one_command(guarded: Path, host: str) -> None:
    text = copier_project.text(guarded / file_of(host))
    if host == "opencode":
        assert MARK in text
        return
    hooks = json.loads(text)["hooks"]
    assert {*hooks} == {*HOOKED[host]["events"]}
    for event, tools in HOOKED[host]["events"].items():
        (entry,) = hooks[event]
        assert list(commands(entry)) == [COMMAND]
        assert entry.get("matcher", "") == tools


def test_a_project_with_the_guard_is_clean(guarded: Path) -> None:
    project = store_project.Project(guarded)
    assert [item for item in project.judged() if item.code[0] == "I"] == []


def test_nothing_is_registered_unless_it_is_asked_for(
    template: Path, project: Path
) -> None:
    copier_project.fine(
        copier_project.copy(
            template, project, hosts=", ".join(copier_project.ALL_HOSTS)
        )
    )
    for host in HOOKED:
        path = project / file_of(host)
        assert not path.exists() or MARK not in copier_project.text(path)
    assert guards(project) == set()
    assert [
        one for one in store_project.Project(project).judged() if one.code[0] == "I"
    ] == []


def own(guarded: Path, project: Path) -> Path:
    """Make the project a copy of the guarded one, to be changed; return it."""
    return Path(shutil.copytree(guarded, project, symlinks=True))


class Edited(NamedTuple):
    """An edit of all hook files, the codes that verify gives them, and an update."""

    edited: dict[str, str]
    told: dict[str, list[str]]
    updated: dict[str, str]


def edit(project: Path, texts: dict[str, str]) -> Edited:
    """Write the hook file of each host, verify the project, and update it."""
    copier_project.write(project, {file_of(host): texts[host] for host in texts})
    copier_project.commit(project)
    found = store_project.Project(project).judged()
    told = {
        host: [item.code for item in found if item.path == file_of(host)]
        for host in texts
    }
    copier_project.fine(copier_project.update(project))
    return Edited(texts, told, hook_files(project))


def hook_files(project: Path) -> dict[str, str]:
    """Return the text of the file that each host shares with us."""
    return {host: copier_project.text(project / file_of(host)) for host in WOVEN}


def test_copying_again_changes_nothing(
    template: Path, guarded: Path, project: Path
) -> None:
    own(guarded, project)
    hosts = ", ".join(copier_project.ALL_HOSTS)
    copier_project.fine(
        copier_project.copy(template, project, *GUARD, "--overwrite", hosts=hosts)
    )
    assert copier_project.git(project, "status", "--porcelain") == ""


def test_hooks_of_others_keep_every_byte(template: Path, project: Path) -> None:
    names = {file_of(host) for host in WOVEN}
    copier_project.write(project, dict.fromkeys(names, OTHER))
    hosts = ", ".join(WOVEN)
    copier_project.fine(copier_project.copy(template, project, *GUARD, hosts=hosts))
    for name in names:
        text = copier_project.text(project / name)
        assert MARK in text
        assert (
            '[ { "hooks": [ { "type": "command", "command": "echo mine" } ] }' in text
        )
    copier_project.commit(project)
    copier_project.fine(
        copier_project.update(project, "--data", "guard=false", hosts="agents")
    )
    assert {
        name: copier_project.text(project / name) for name in names
    } == dict.fromkeys(names, OTHER)


@pytest.mark.parametrize("host", OWNED)
def test_a_hook_file_of_ours_replaces_nobodys(
    template: Path, project: Path, host: str
) -> None:
    copier_project.write(project, {file_of(host): "mine\n"})
    refused = copier_project.copy(template, project, *GUARD, hosts=host)
    assert refused.rc == 1
    assert file_of(host) in refused.text
    assert copier_project.text(project / file_of(host)) == "mine\n"
    copier_project.fine(copier_project.copy(template, project, hosts=host))
    assert copier_project.text(project / file_of(host)) == "mine\n"


MARKS = ("enforced", "advised", "not possible")


def test_the_page_marks_every_promise_for_every_host_with_hooks() -> None:
    page = copier_project.text(copier_project.SOURCE / "docs/guard.md")
    table = page.partition("<!-- guard:begin -->")[2].partition("<!-- guard:end")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")][2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [row[0] for row in rows] == [
        *(host["name"] for host in HOSTS.values() if "hooks" in host),
        "others",
    ]
    for _, *cells, shown_by in rows:
        assert all(cell.startswith(MARKS) for cell in cells)
        assert shown_by in ("e2e", "payloads", "docs", "no hooks")


# What an update does.


@pytest.mark.oldest
def test_an_update_turns_the_guard_on_and_off(template: Path, project: Path) -> None:
    hosts = ", ".join(copier_project.ALL_HOSTS)
    copier_project.fine(copier_project.copy(template, project, hosts=hosts))
    copier_project.commit(project)
    before = copier_project.tree(project)
    copier_project.fine(copier_project.update(project, *GUARD))
    for host in HOOKED:
        assert MARK in copier_project.text(project / file_of(host))
    assert guards(project) == guards(template / "template")
    copier_project.commit(project)
    copier_project.fine(copier_project.update(project, "--data", "guard=false"))
    assert copier_project.scars(project) == []
    now = copier_project.tree(project)
    answers = ".copier-answers.yml"
    assert {**now, answers: b""} == {**before, answers: b""}


def test_an_update_turns_the_guard_on_and_off_where_git_ignores_what_is_ours(
    template: Path, project: Path
) -> None:
    copier_project.write(project, {".gitignore": ".agents/skills/\n"})
    copier_project.fine(copier_project.copy(template, project, hosts="codex"))
    copier_project.commit(project)
    for answer, there in (("true", guards(template / "template")), ("false", set())):
        copier_project.fine(copier_project.update(project, "--data", f"guard={answer}"))
        assert guards(project) == there
        copier_project.commit(project)


def forget_the_guard(text: str) -> str:
    """Return copier.yml, or a template, as if nobody had thought of the guard."""
    text = re.sub(r"(?m)^(guard|_exclude):\n(?: .*\n)+", "", text)
    return re.sub(r"\bguard\b", "false", text)


def test_a_project_from_before_the_guard_gets_it_by_an_update(
    tmp_path: Path, project: Path
) -> None:
    source = tmp_path / "template"
    copier_project.light_source_to(source)
    for name in ("copier.yml", f"template/{copier_project.SKILL}/eco-mem.json.jinja"):
        copier_project.change(source / name, forget_the_guard)
    for name in guards(source / "template"):
        (source / "template" / copier_project.SKILL / name).unlink()
    copier_project.commit(source, copier_project.OLD)
    copier_project.fine(copier_project.copy(source, project))
    copier_project.commit(project)
    for name in ("extensions", "tasks", "template"):
        shutil.rmtree(source / name)
    copier_project.light_source_to(source)
    copier_project.commit(source, copier_project.NOW)
    copier_project.fine(copier_project.update(project))
    assert guards(project) == set()
    copier_project.commit(project)
    copier_project.fine(copier_project.update(project, *GUARD))
    assert guards(project) == guards(source / "template")
    assert MARK in copier_project.text(project / ".claude/settings.json")


def test_a_host_that_is_left_out_loses_its_hooks_alone(
    guarded: Path, project: Path
) -> None:
    own(guarded, project)
    copier_project.fine(copier_project.update(project, hosts="claude, cursor"))
    left = {host for host in HOOKED if (project / file_of(host)).exists()}
    assert left == {"claude", "cursor"}
    assert MARK in copier_project.text(project / ".claude/settings.json")


def without(text: str, event: str) -> str:
    """A hook file without one event."""
    data = json.loads(text)
    del data["hooks"][event]
    return json.dumps(data, indent=2) + "\n"


@pytest.fixture(scope="module")
def taken_out(
    guarded: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Edited, Edited]:
    """Two edits in turn: one event of ours is taken out, then everything."""
    project = own(guarded, tmp_path_factory.mktemp("taken-out") / "project")
    texts = {
        host: without(text, [*HOOKED[host]["events"]][-1])
        for host, text in hook_files(project).items()
    }
    nothing = dict.fromkeys(WOVEN, '{"mine": true}\n')
    return edit(project, texts), edit(project, nothing)


@pytest.mark.parametrize("host", WOVEN)
def test_hooks_that_a_person_took_out_stay_out_and_are_reported(
    taken_out: tuple[Edited, Edited], host: str
) -> None:
    for one in taken_out:
        assert one.told[host] == ["I07"]
        assert one.updated[host] == one.edited[host]


@pytest.fixture(scope="module")
def altered(guarded: Path, tmp_path_factory: pytest.TempPathFactory) -> Edited:
    """An edit of the first command in each hook file."""
    project = own(guarded, tmp_path_factory.mktemp("altered") / "project")
    ours, theirs = "sh -fc 'IFS=", "sh -fc 'exit 0; IFS="
    files = hook_files(project).items()
    return edit(project, {host: text.replace(ours, theirs, 1) for host, text in files})


@pytest.mark.parametrize("host", WOVEN)
def test_a_command_that_was_altered_is_reported_and_set_right(
    guarded: Path, altered: Edited, host: str
) -> None:
    old = hook_files(guarded)[host]
    assert altered.edited[host] != old
    assert altered.told[host] == ["I07"]
    assert json.loads(altered.updated[host]) == json.loads(old)


def test_removing_takes_the_hooks_out(template: Path, project: Path) -> None:
    before = {name: OTHER for name in (".claude/settings.json", ".cursor/hooks.json")}
    copier_project.write(project, dict(before))
    hosts = ", ".join(copier_project.ALL_HOSTS)
    copier_project.fine(copier_project.copy(template, project, *GUARD, hosts=hosts))
    script = copier_project.SOURCE / "tasks/weave.py"
    copier_project.fine(
        copier_project.run(sys.executable, script, "--remove", project, cwd=project)
    )
    left = {
        name
        for name in copier_project.tree(project)
        if not name.startswith(copier_project.STORE)
    }
    assert left == {*before}
    assert {name: copier_project.text(project / name) for name in before} == before


# The texts.

ENTRIES = {
    "Stop": {"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]},
    "PreToolUse": {"matcher": "Read", "hooks": [{"command": COMMAND}]},
}
NEW, SEEN, GONE = (
    Target(True, None),
    Target(True, [COMMAND] * 2),
    Target(False, [COMMAND]),
)


def hooked(old: str | None, wish: Target = NEW) -> str | None:
    return edits.in_hooks(old, wish, ENTRIES, {}, MARK)


def test_a_handler_that_somebody_put_beside_ours_stays() -> None:
    mixed = json.loads(hooked(None) or "")
    mixed["hooks"]["Stop"][0]["hooks"].append({"command": "echo mine"})
    new = json.loads(hooked(json.dumps(mixed), GONE) or "")
    assert new == {"hooks": {"Stop": [{"hooks": [{"command": "echo mine"}]}]}}


def test_hooks_that_a_merge_doubled_are_made_one() -> None:
    data = json.loads(hooked(None) or "")
    data["hooks"]["Stop"] *= 2
    assert json.loads(hooked(json.dumps(data)) or "") == json.loads(hooked(None) or "")


def test_a_file_with_comments_is_refused_and_shown_what_to_paste(
    tmp_path: Path,
) -> None:
    copier_project.write(tmp_path, {".gemini/settings.json": "// mine\n{}\n"})
    script = copier_project.SOURCE / "tasks/weave.py"
    words = (sys.executable, script, "--hosts=gemini", "--guard", tmp_path)
    done = copier_project.run(*words, cwd=tmp_path)
    assert done.rc == 0
    assert "refused .gemini/settings.json" in done.text
    assert "BeforeTool" in done.text
    assert copier_project.text(tmp_path / ".gemini/settings.json") == "// mine\n{}\n"


@pytest.mark.parametrize("text", ['{"hooks": 1}', '{"hooks": {"Stop": 1}}', "[]", "{"])
def test_a_file_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(json_edit.BadJson):
        hooked(text)
    assert hooked(text, GONE) == text


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner)
    ),
    max_leaves=8,
)
GROUPS = st.lists(st.dictionaries(st.text(max_size=4), VALUES, max_size=2), max_size=2)
FILES = st.fixed_dictionaries(
    {}, optional={"x": VALUES, "hooks": st.dictionaries(st.text(max_size=4), GROUPS)}
)


@given(FILES.filter(bool), st.sampled_from([None, 1, 2, "\t"]))
def test_weaving_hooks_and_taking_them_out_gives_the_text_back(
    data: dict[str, Any], indent: int | str | None
) -> None:
    text = json.dumps(data, indent=indent)
    woven = hooked(text)
    assert woven is not None
    assert hooked(woven) == woven
    back = hooked(woven, GONE)
    assert (
        back is None
        or json.loads(back)
        == {key: value for key, value in data.items() if key != "hooks" or value}
        or json.loads(back) == data
    )


# The command.


@pytest.fixture(scope="module")
def project_with_spaces(
    tmp_path_factory: pytest.TempPathFactory,
) -> store_project.Project:
    """A project whose path is a trial for shells."""
    root = tmp_path_factory.mktemp("registered") / "it's a * [project]"
    project = store_project.well_kept(root)
    project.script()
    (root / "a/b/c").mkdir(parents=True)
    return project


SHELLS = [name for name in ("sh", "dash", "bash", "zsh", "fish") if shutil.which(name)]


def registered(
    project: store_project.Project, shell: str, folder: Path, **env: str
) -> tuple[int, str, str]:
    """Return the answer of the registered command to a sweep, started in a folder."""
    command = (
        f"cat {store_project.MEMORY}/semantic/*.md {store_project.MEMORY}/episodic/*.md"
    )
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": "1",
        "cwd": str(project.root),
        "tool_name": "Bash",
        "tool_input": {"command": f"{command}; grep -r x {store_project.MEMORY}"},
    }
    state = str(project.root.parent / "state")
    done = subprocess.run(
        [str(shutil.which(shell)), "-c", COMMAND],
        input=json.dumps(event),
        cwd=folder,
        env={**os.environ, "XDG_STATE_HOME": state, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("folder", [".", "a", "a/b/c"])
def test_the_command_finds_the_guard_from_a_subfolder(
    project_with_spaces: store_project.Project, shell: str, folder: str
) -> None:
    start = project_with_spaces.root / folder
    code, out, err = registered(project_with_spaces, shell, start)
    assert (code, out) == (2, "")
    assert err.startswith("eco-mem: ")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_finds_the_guard_by_the_variable_of_the_host(
    project_with_spaces: store_project.Project, shell: str, tmp_path: Path
) -> None:
    root = str(project_with_spaces.root)
    answer = registered(project_with_spaces, shell, tmp_path, CLAUDE_PROJECT_DIR=root)
    assert answer[0] == 2
    assert registered(project_with_spaces, shell, tmp_path) == (0, "", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_finds_the_guard_from_deep_in_the_tree(
    project_with_spaces: store_project.Project, shell: str
) -> None:
    deep = project_with_spaces.root / "/".join("abcdefghij")
    deep.mkdir(parents=True, exist_ok=True)
    assert registered(project_with_spaces, shell, deep)[0] == 2


def test_the_command_takes_the_outermost_guard_of_a_repository(tmp_path: Path) -> None:
    project = store_project.well_kept(tmp_path / "project")
    project.script()
    project.write(f"src/{MARK}", "raise SystemExit(0)\n")
    (project.root / ".git").mkdir()
    assert registered(project, "sh", project.root / "src")[0] == 2


def test_the_command_blocks_nothing_where_the_script_cannot_be_read(
    tmp_path: Path,
) -> None:
    project = store_project.well_kept(tmp_path / "project")
    script = Path(project.script("hook.py"))
    script.unlink()
    script.mkdir()  # python3 exits with 2 for it, as for a file without rights
    assert registered(project, "sh", project.root)[0] == 0


STUB = "#!/bin/sh\necho Python was not found >&2\nexit {}\n"


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("code", [1, 2, 9, 49, 127, None])
def test_the_command_blocks_nothing_without_a_python(
    project_with_spaces: store_project.Project,
    shell: str,
    code: int | None,
    tmp_path: Path,
) -> None:
    (tmp_path / "sh").symlink_to(str(shutil.which("sh")))
    if code is not None:
        (tmp_path / "python3").write_text(STUB.format(code))
        (tmp_path / "python3").chmod(0o755)
    root = project_with_spaces.root
    answer = registered(project_with_spaces, shell, root, PATH=str(tmp_path))
    assert answer[:2] == (0, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_blocks_nothing_without_its_script(
    tmp_path: Path, shell: str
) -> None:
    project = store_project.well_kept(tmp_path / "project")
    assert registered(project, shell, project.root) == (0, "", "")
    script = Path(project.script("hook.py"))
    script.unlink()
    assert registered(project, shell, project.root) == (0, "", "")
    script.write_text("a line that is no Python\n")
    assert registered(project, shell, project.root)[:2] == (0, "")


def test_the_command_needs_no_escape_in_json() -> None:
    assert json.dumps(COMMAND) == f'"{COMMAND}"'


# The plugin of OpenCode, in a real JavaScript runtime.

TRIAL = """
import { EcoMem } from "./eco-mem.mjs";
const hooks = await EcoMem({ directory: process.argv[2] });
const call = async (tool, args) => {
  const ids = { tool, sessionID: "s", callID: String(Math.random()) };
  try { await hooks["tool.execute.before"](ids, { args }); return ""; }
  catch (error) { return error.message; }
};
const system = async () => {
  const to = { system: [] };
  await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, to);
  return to.system;
};
const created = { type: "session.created", properties: { info: { id: "s" } } };
const idle = { type: "session.idle", properties: { sessionID: "s" } };
if (process.argv[4]) await hooks.event({ event: created });
const said = { start: await system(), again: await system() };
const store = process.argv[3] + "/.agents/memory";
said.read = await call("read", { filePath: store + "/semantic/health-port.md" });
said.sweep = await call("bash", { command: `grep -r port ${store}` });
await hooks.event({ event: idle });
said.end = await system();
said.after = await system();
console.log(JSON.stringify(said));
"""


def in_opencode(
    tmp_path: Path, project: store_project.Project, folder: Path, *fresh: str
) -> Any:
    """Return the answers of the plugin to a session that reads, sweeps and ends."""
    source = eco_mem.shipped()[".opencode/plugin/eco-mem.js"]
    shutil.copy(source, tmp_path / "eco-mem.mjs")
    (tmp_path / "trial.mjs").write_text(TRIAL)
    done = subprocess.run(
        ["node", tmp_path / "trial.mjs", folder, project.root, *fresh],
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def wrote_a_stray(project: store_project.Project) -> None:
    """Let the session of the trial write an entry that gets no row."""
    project.script()
    path = project.entry("semantic", "stray", listed=False)
    host = Host("opencode", project, session="s")
    name = str(path.relative_to(project.root))
    assert host.run(host.write(name, path.read_text("utf-8"))) == (0, "", "")


@pytest.mark.skipif(not shutil.which("node"), reason="needs a JavaScript runtime")
def test_the_plugin_hands_over_context_refusals_and_drift(tmp_path: Path) -> None:
    project = store_project.well_kept(tmp_path / "project")
    wrote_a_stray(project)
    (project.root / "sub").mkdir()
    said = in_opencode(tmp_path, project, project.root / "sub", "fresh")
    assert len(said["start"]) == 1
    assert store_project.row_of("health-port") in said["start"][0]
    assert said["again"] == said["start"] == said["after"]
    assert said["read"] == ""
    assert "many entries" in said["sweep"]
    assert "C02" in said["end"][1]


@pytest.mark.skipif(not shutil.which("node"), reason="needs a JavaScript runtime")
def test_a_session_that_is_taken_up_again_is_told_about_drift_once(
    tmp_path: Path,
) -> None:
    project = store_project.well_kept(tmp_path / "project")
    wrote_a_stray(project)
    said = in_opencode(tmp_path, project, project.root)
    assert "C02" in said["start"][1]
    assert said["again"] == said["end"] == said["after"] == said["start"][:1]


@pytest.mark.skipif(not shutil.which("node"), reason="needs a JavaScript runtime")
def test_the_plugin_is_silent_without_the_guard(tmp_path: Path) -> None:
    project = store_project.well_kept(tmp_path / "project")
    said = in_opencode(tmp_path, project, project.root)
    assert said["start"] == said["end"] == []
    assert said["read"] == said["sweep"] == ""
