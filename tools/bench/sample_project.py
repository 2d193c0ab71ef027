"""A committed project with a store of any size, and calls of hosts about it."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

TEMPLATE = Path(__file__).parents[2] / "template"
SCRIPTS = ".agents/skills/eco-mem/scripts"
STORE = ".agents/memory"
PYTHON = [sys.executable, "-E", "-S"]
WORDS = (
    "service cache queue deploy config retry timeout schema index shard replica worker"
    " metric alert budget socket parser token bucket region"
).split()


def entry(drawer: str, number: int, rng: random.Random, cue: str) -> str:
    """Return the text of a plausible entry."""
    body = "\n".join(" ".join(rng.choices(WORDS, k=10)) for _ in range(4))
    if drawer == "semantic":
        return (
            f"# Fact {number}\n\n- cue: {cue}\n- as_of: 2026-11-01\n"
            f"- source: verified\n- scope: repo\n- expires: never\n"
            f"- evidence: `src/{number % 200}.py#L{number % 40 + 1}`\n\n"
            f"The {rng.choice(WORDS)} uses {number}.\n{body}\n"
        )
    if drawer == "episodic":
        return (
            f"# Event {number}\n\n- cue: {cue}\n- when: 2026-10-01\n- task: fix it\n\n"
            f"Context: {body}\n\nAction: changed {number}\n\nResult: it worked\n\n"
            f"Lesson: look at the {rng.choice(WORDS)} first\n"
        )
    return (
        f"# How {number}\n\n- cue: {cue}\n\nWhen: {body}\n\nSteps:\n\n1. do {number}\n"
        f"2. check\n\nVerify: run it\n\nGraduate-to: a skill\n"
    )


def project(root: Path, count: int) -> Path:
    """Make a committed project with a store of count entries."""
    rng = random.Random(7)
    ignore = shutil.ignore_patterns("__pycache__", "*.jinja")
    shutil.copytree(TEMPLATE / ".agents", root / ".agents", ignore=ignore)
    choices = '{"hosts": ["codex"], "copies": [], "expects": {}, "bridges": []}\n'
    (root / ".agents/skills/eco-mem/eco-mem.json").write_text(choices)
    (root / "AGENTS.md").write_text("See .agents/skills/eco-mem/SKILL.md\n")
    (root / STORE / "working/.gitignore").write_text("*\n!.gitignore\n!INDEX.md\n")
    (root / "src").mkdir()
    for number in range(200):
        lines = "\n".join(f"line {at} of {number}" for at in range(50))
        (root / f"src/{number}.py").write_text(lines + "\n")
    for at, drawer in enumerate(("semantic", "episodic", "procedural")):
        rows = []
        for number in range(at, count, 3):
            slug = f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{number}"
            cue = f"when the {rng.choice(WORDS)} of {rng.choice(WORDS)} {number} fails"
            text = entry(drawer, number, rng, cue)
            (root / STORE / drawer / f"{slug}.md").write_text(text)
            rows.append((slug, f"- [{slug}]({slug}.md): {cue}\n"))
        index = root / STORE / drawer / "INDEX.md"
        heading = index.read_text().splitlines()[-1]
        by_slug = [row for _, row in sorted(rows)]
        index.write_text(index.read_text() + "\n" + "".join(by_slug[:35]))
        archive = f"# Archive\n\n{heading}\n\n" + "".join(by_slug[35:])
        index.with_name("ARCHIVE.md").write_text(archive)
    for command in (["init", "-qb", "main"], ["add", "-A"], ["commit", "-qm", "all"]):
        identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
        subprocess.run(["git", *identity, *command], cwd=root, check=True)
    return root


def forget(folder: Path) -> None:
    """Remove what verify keeps of the gate's verdicts, so that it judges anew."""
    (folder / SCRIPTS / "ecomem/__pycache__/cached-hits").unlink(missing_ok=True)


def calls(root: Path) -> dict[str, bytes]:
    """Return tool calls as Claude Code sends them to hooks, by their subject."""
    cue = "when the index of a shard is rebuilt by hand"
    text = entry("episodic", 1, random.Random(7), cue)
    drawer = root / STORE / "episodic"
    told = {}
    for what, tool, given in (
        ("elsewhere", "Read", {"file_path": f"{root}/src/1.py"}),
        ("an INDEX", "Read", {"file_path": f"{drawer}/INDEX.md"}),
        ("an INDEX, by shell", "Bash", {"command": f"cat {drawer}/INDEX.md | head -9"}),
        ("a write", "Write", {"file_path": f"{drawer}/new.md", "content": text}),
    ):
        event = {"session_id": "bench", "transcript_path": "", "cwd": str(root)}
        event |= {"prompt_id": "1", "permission_mode": "default"}
        event |= {"hook_event_name": "PreToolUse", "tool_name": tool}
        call = {**event, "tool_input": given, "tool_use_id": f"call {what}"}
        told[what] = json.dumps(call, separators=(",", ":")).encode()
    return told
