"""The guard before a shell command: judged by what it plainly does in the store."""

from __future__ import annotations

import json
from pathlib import Path

import hook
import pytest
import store_project
from ecomem.guard import shell
from ecomem.guard.places import Place
from guard_hosts import Host
from hypothesis import given
from hypothesis import strategies as st

S = f"{store_project.MEMORY}/semantic"
E = f"{store_project.MEMORY}/episodic"
W = f"{store_project.MEMORY}/working"
SCRIPTS = f"{store_project.SKILL}/scripts"
HEREDOC = "<<'EOF'\n# It's a fact\n\n- cue: x > y\nEOF\n"
SWEEP, WRITE, DELETE = "This reads m", "A shell comm", "An entry goe"
UNCLEAR = "What this co"


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Host:
    """A host with a shell, in a project with three facts; not to change."""
    project = store_project.well_kept(tmp_path_factory.mktemp("shell") / "project")
    project.entry("semantic", "one")
    project.entry("semantic", "two")
    return Host("codex", project)


def said(bash: Host, command: str, folder: str = "") -> str:
    """The reason why a command is refused, in its first words; empty if it passes."""
    event = bash._replace(session=str(abs(hash(command)))).shell(command)
    event["cwd"] = str(bash.project.root / folder)
    return bash.answer(event).err.partition(": ")[2].partition(": ")[2][:12]


SWEEPS = (
    f"cat {S}/*.md",
    f"cat {store_project.MEMORY}/*/*.md",
    f"cat {S}/*",
    f"head -n 40 {S}/*.md | less",
    f"sed -n '1,80p' {S}/*.md",
    f"tail -n +1 '{S}'/*.md",
    f"grep -rn port {store_project.MEMORY}",
    "grep -rn port .agents/",
    f"grep port {S}/*",
    f"rg port {store_project.MEMORY}",
    f"rg -n 'a|b' {S}",
    f"git grep port {store_project.MEMORY}",
    f"find {S} -name '*.md' -exec cat {{}} +",
    f"find {store_project.MEMORY} -type f | xargs cat",
    f"find {store_project.MEMORY} -type f -print0 | xargs -0 -n1 head",
    f"ls {S}/*.md | xargs cat",
    f"cat $(ls {S}/*.md)",
    f"cat `find {S} -name '*.md'`",
    f'for f in {S}/*.md; do cat "$f"; done',
    f'find {S} -name "*.md" | while read f; do cat "$f"; done',
    f"for s in health-port one two; do cat {S}/$s.md; done",
    f"cat {S}/{{one,two}}.md",
    f"cd {S} && cat *.md",
    f"cd {S}; for f in *; do cat $f; done",
    f"D={S}; cat $D/*",
    f'bash -lc "cat {S}/*.md"',
    f"sh -c 'cd {S} && cat *'",
    f"bash <<EOF\ncat {S}/*.md\nEOF",
    f'echo "$(cat {S}/*.md)"',
    f"awk 1 {S}/*.md",
    f"LC_ALL=C cat {S}/*.md",
    f"A=1 B=2 sudo -n cat {S}/*.md 2>&1",
    f"sort < /dev/null {S}/*.md",
    f"cp -r {store_project.MEMORY} /tmp/copy",
    f"Get-Content {S.replace('/', chr(92))}\\*.md",
    f"Get-ChildItem -Recurse {store_project.MEMORY} | Get-Content",
    "type .agents\\memory\\semantic\\*.md",
    f"python3 -c \"import glob; [print(open(f).read()) for f in glob.glob('{S}/*')]\"",
    f"python3 - <<'EOF'\nimport os\nfor f in os.listdir('{S}'):\n    open(f)\nEOF",
    f"node -e \"fs.readdirSync('{S}').forEach(show)\"",
)
WRITES = (
    f"cat > {S}/new.md {HEREDOC}",
    f"cat {HEREDOC.splitlines()[0]} > {S}/new.md\n# x\nEOF\n",
    f"cat <<EOF | tee {S}/new.md\nx\nEOF",
    f"echo x >> {S}/one.md",
    f"echo x >| {S}/one.md",
    f"printf '%s' x>{S}/one.md",
    f"echo x 2>/dev/null > '{S}/one.md'",
    f"sed -i 's/a/b/' {S}/one.md",
    f"sed -n -i.bak 's/a/b/' {S}/one.md",
    f"perl -pi -e 's/a/b/' {S}/one.md",
    f"cp /tmp/x.md {S}/new.md",
    f"mv {S}/one.md {E}/one.md",
    f"mv {W}/move-sessions.md {S}/move-sessions.md",
    f"touch {S}/new.md",
    f"mkdir -p {store_project.MEMORY}/people",
    f"cd {S} && echo x > new.md",
    f"truncate -s 0 {S}/one.md",
    f"ln -s /etc/passwd {S}/new.md",
    f"find {S} -name '*.md' -exec rm {{}} +",
    f"find {S} -name '*.md' -delete",
    f"python3 -c \"open('{S}/new.md', 'w').write('x')\"",
    f"python3 - <<'EOF'\nimport pathlib as p\np.Path('{S}/x.md').write_text('')\nEOF",
    f"node -e \"fs.appendFileSync('{S}/one.md', 'x')\"",
    f"Set-Content -Path {S}/new.md -Value x",
    f"'x' | Out-File {S}/new.md",
    f"bash -c 'echo x > {S}/new.md'",
    f"git mv {S}/one.md {E}/one.md",
)
DELETIONS = (
    f"rm {S}/one.md",
    f"rm -rf {S}/",
    f"git rm -q {S}/one.md",
    f"cd {S} && rm -f one.md two.md",
    f"rm {S}/INDEX.md",
    f"Remove-Item {S}/one.md",
)
PASSES = (
    "ls",
    "cat README.md",
    "grep -rn port .",
    f"grep -rn '{store_project.MEMORY}' README.md docs",
    "grep -rn -e .agents/memory src",
    f"ls {store_project.MEMORY} {S}",
    f"ls -la {S} | head",
    f"wc -l {S}/*.md",
    f"find {store_project.MEMORY} -name '*.md'",
    f"find {store_project.MEMORY} -name INDEX.md -exec cat {{}} +",
    f"find {store_project.MEMORY} -name INDEX.md | xargs cat",
    f"cat {S}/INDEX.md",
    f"cat {store_project.MEMORY}/*/INDEX.md",
    f"cat {store_project.MEMORY}/{{semantic,episodic}}/INDEX.md",
    f"for d in semantic episodic; do cat {store_project.MEMORY}/$d/INDEX.md; done",
    f"for f in {store_project.MEMORY}/*/INDEX.md; do echo $f; cat $f; done",
    f"sed -n '1,60p' {S}/INDEX.md && sed -n '1,60p' {E}/INDEX.md",
    f"cat {W}/*.md",
    f"rm {W}/move-sessions.md",
    f"rm -f {W}/*.md",
    f"git add {store_project.MEMORY} && git commit -m 'memory: add a fact'",
    f"git add {S}/*.md",
    f"git status --short {store_project.MEMORY}",
    f"git diff {store_project.MEMORY}",
    f"git log -p -- {S}/one.md",
    f"python3 {SCRIPTS}/verify.py",
    f"python3 {SCRIPTS}/verify.py --fix > /tmp/out 2>&1",
    f"python3 {SCRIPTS}/verify.py one",
    f"python3 {SCRIPTS}/forget.py one --archive",
    f"python3 {SCRIPTS}/remember.py semantic new {HEREDOC}",
    f"cat <<'EOF' | python3 {SCRIPTS}/remember.py semantic new\n# x\nEOF\n",
    "cd .agents/skills/eco-mem/scripts && python3 remember.py semantic new /tmp/x.md",
    f"diff {S}/one.md {S}/two.md",
    "echo '.agents/memory > notes.txt'",
    "echo 'a quote that is never closed",
    f"cat {SCRIPTS}/verify.py {store_project.SKILL}/SKILL.md",
    f"cp {store_project.SKILL}/SKILL.md /tmp/",
)


@pytest.mark.parametrize("command", SWEEPS)
def test_a_sweep_is_refused(bash: Host, command: str) -> None:
    assert said(bash, command) in (SWEEP, UNCLEAR)


@pytest.mark.parametrize("command", SWEEPS)
def test_a_sweep_is_refused_however_often_it_is_asked_for(
    bash: Host, command: str
) -> None:
    assert {said(bash, command) for _ in range(2)} <= {SWEEP, UNCLEAR}


@pytest.mark.parametrize("command", WRITES)
def test_a_write_by_the_shell_is_refused(bash: Host, command: str) -> None:
    assert said(bash, command) in (WRITE, DELETE, UNCLEAR)


@pytest.mark.parametrize("command", DELETIONS)
def test_a_deletion_is_refused_with_the_way_to_go(bash: Host, command: str) -> None:
    assert said(bash, command) == DELETE


@pytest.mark.parametrize("command", PASSES)
def test_everything_else_passes(bash: Host, command: str) -> None:
    assert said(bash, command) == ""


def test_a_command_is_judged_from_where_it_runs(bash: Host) -> None:
    assert said(bash, "cat *.md", S) == SWEEP
    assert said(bash, "echo x > new.md", S) == WRITE
    assert said(bash, "cat INDEX.md", S) == ""
    assert said(bash, "ls 2>&1 >&2 | head", S) == ""
    assert said(bash, "rg port", S) == SWEEP
    event = bash.tool("shell", {"command": "cat *.md", "workdir": S})
    assert bash.answer(event).denied


OPENS = (
    "cat {}",
    "sed -n '1,40p' {}",
    "head -20 {}",
    "less {}",
    "bat --plain {}",
    "grep -n port {}",
    "nl -ba {} | sed -n '1,5p'",
    "cat < {}",
    'cat "{}"',
    "bash -lc 'cat {}'",
    "cd .agents && cat ../{}",
    "Get-Content {}",
    "python3 -c \"print(open('{}').read())\"",
    f"cat {S}/INDEX.md && cat {{}}",
    "echo; cat {} || true",
)


@pytest.mark.parametrize("form", OPENS)
def test_reading_one_entry_counts_as_opening_it(tmp_path: Path, form: str) -> None:
    project = store_project.lay_down(tmp_path / "project")
    slugs = [f"fact-{number}" for number in range(6)]
    for slug in slugs:
        project.entry("semantic", slug)
    host = Host("codex", project)
    answers = [host.answer(host.shell(form.format(f"{S}/{slug}.md"))) for slug in slugs]
    assert [answer.code for answer in answers] == [0] * 5 + [2]
    assert "ask for it again" in answers[-1].err


def test_one_command_with_six_entries_is_six_openings(tmp_path: Path) -> None:
    project = store_project.lay_down(tmp_path / "project")
    paths = [str(project.entry("semantic", f"fact-{at}")) for at in range(6)]
    host = Host("codex", project)
    command = host.shell(f"cat {' '.join(paths)}")
    assert [host.answer(command | {"tool_use_id": x}).code for x in "ab"] == [2, 0]


@pytest.mark.parametrize(
    "script", ["verify.py {} --base main", "remember.py semantic {} x.md"]
)
def test_our_own_scripts_count_the_entry_they_touch_and_no_other(
    tmp_path: Path, script: str
) -> None:
    project = store_project.lay_down(tmp_path / "project")
    slugs = [f"fact-{number}" for number in range(6)]
    for slug in slugs:
        project.entry("semantic", slug)
    host = Host("codex", project)
    for slug in slugs[:4]:
        command = f"python3 {SCRIPTS}/{script.format(slug)}"
        assert host.answer(host.shell(command)) == (0, "", "")
    for slug, denied in zip(slugs, [False] * 5 + [True], strict=True):
        assert host.answer(host.read(f"{S}/{slug}.md")).denied is denied


# What the bytes alone show.


def test_a_look_at_a_map_needs_no_closer_look() -> None:
    for command in (
        f"cat {S}/INDEX.md",
        f"cat /repo/{S}/INDEX.md",
        f"cat {S}/INDEX.md && cat {E}/INDEX.md",
        f"sed -n '1,200p' {S}/INDEX.md",
        f"cat {S}/INDEX.md 2>/dev/null | head -n 20 | wc -l",
        f"cat .agents/memory/*/INDEX.md; tail -5 {E}/INDEX.md",
        f"grep -n 'health port' {S}/INDEX.md",
        f'grep -in "health port" {S}/INDEX.md',
    ):
        event = {"tool_name": "Bash", "tool_input": {"command": command}}
        raw = json.dumps(event, separators=(",", ":"))
        assert not hook.concerns(raw.encode())
    for name in ("Read", "read_file"):
        raw = f'{{"tool_name":"{name}","tool_input":{{"file_path":"/r/{S}/INDEX.md"}}}}'
        assert not hook.concerns(raw.encode())


@pytest.mark.parametrize(
    "raw",
    [
        '{"tool_name":"Write","tool_input":{"path":"MAP","x":{"tool_name":"Read"}}}',
        '{"tool_input":{"tool_name":"Read","path":"MAP"},"tool_name":"Write"}',
        '{"tool_name":"Bash","tool_input":{"command":"cat MAP;rm MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat x >MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat x > MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat MAP\\nrm MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat $(rm MAP)"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat MAP | tee MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat MAP | xargs rm"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat MAP | sort -o MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat MAP & rm MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"sed -n wMAP MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"grep a MAP; cd .a*; cat x"}}',
        '{"tool_name":"Bash","tool_input":{"command":"echo \\"x\\" > MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat \\\\" > MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"sed -i 1d MAP"}}',
        '{"tool_name":"Bash","tool_input":{"command":"cat MAP .agents/memory/x"}}',
        '{"tool_name":"Bash","tool_input":{"x":{"command":"cat MAP"},'
        '"command":"rm -rf .claude"}}',
        '{"tool_name":"Bash","tool_input":{"command":"rm -rf .claude"}}',
        '{"tool_name":"Bash","tool_input":{"command":"rm -rf ~/.local/state/eco-mem"}}',
        '{"tool_name":"Read","tool_input":{"path":"\\u002eagents/memory/semantic/x"}}',
        '{"tool_name":"Read","tool_input":{"path":".AGENTS/Memory/semantic/x.md"}}',
        '{"tool_name":"Read","tool_input":{"path":".agents\\\\memory\\\\semantic"}}',
        '{"tool_name":"Write","tool_input":{"path":".claude/settings.json"}}',
        '{"hook_event_name":"Stop"}',
        '{"sessionId":"1","source":"new"}',
        '{"sessionId":"1","stopReason":"end_turn"}',
    ],
)
def test_all_that_is_not_plainly_a_map_is_looked_at(raw: str) -> None:
    assert hook.concerns(raw.replace("MAP", f"{S}/INDEX.md").encode())


WORDS = st.lists(
    st.sampled_from([*"&;|<>()`$'\"\\ \n*{}", "cat", "cd", "rm", "EOF", "<<", S, "a"])
)


@given(WORDS.map(" ".join) | WORDS.map("".join))
def test_no_shell_command_breaks_the_guard(line: str) -> None:
    shell.touches(line, Place("/nowhere", "/nowhere/.agents/memory"))
