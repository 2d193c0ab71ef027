"""Synthetic releases of the template, each with what a release may change.

v1.0.0 is the working tree. Each later version changes the kinds of things that a
release changes: the protocol, contracts, the block, the registry, files that come, go
and are renamed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from copier_project import (
    DRAWERS,
    SKILL,
    STORE,
    change,
    commit,
    git,
    source_to,
    write,
)

VERSIONS = ("v1.0.0", "v1.1.0", "v1.2.0", "v1.3.0")
PERMISSION = '"Bash(python3 .agents/skills/eco-mem/scripts/forget.py:*)",'


def make_releases(root: Path) -> Path:
    """Make a repository with one tag for each version in a new folder; return it."""
    source_to(root)
    _thin_out(root)
    commit(root, VERSIONS[0])
    for version, edit in zip(VERSIONS[1:], (_protocol, _registry, _texts), strict=True):
        edit(root)
        commit(root, version)
    # Copier clones it up to five times in an update, and each loose object costs.
    git(root, "repack", "-a", "-d", "-q")
    return root


def _thin_out(root: Path) -> None:
    """Leave out most of the library: the time of Copier goes with the number of files.

    What happens to one file of ours in an update happens to all.
    """
    library = root / "template" / SKILL / "scripts/ecomem"
    for path in sorted(library.rglob("*")):
        if path.is_file() and path.name != "__init__.py":
            path.unlink()
    skill = root / "template" / SKILL
    kept = ("formats.md", "rules.md", "guard.md")
    for path in (skill / "references").iterdir():
        if path.name not in kept:
            path.unlink()
    for name in ("recall.py", "report.py"):
        (skill / "scripts" / name).unlink()


def _protocol(root: Path) -> None:
    """Change SKILL.md, one contract and the block, and bring a script."""
    skill = root / "template" / SKILL
    change(skill / "SKILL.md", lambda text: text + "\n## 12. New in 1.1\n\nMind it.\n")
    _change_contract(root, "semantic", "- New in 1.1: one more line.")
    change(root / "extensions/agents_block.md", lambda text: f"{text}Since 1.1.\n")
    write(skill, {"scripts/extra.py": '"""Come in 1.1, gone in 1.2."""\n'})


def _registry(root: Path) -> None:
    """Respell a permission, bring one, change hooks, and drop and rename files."""
    skill = root / "template" / SKILL
    (skill / "scripts/extra.py").unlink()
    shutil.move(skill / "references/rules.md", skill / "references/all-rules.md")
    change(
        root / "extensions/hosts.toml",
        lambda text: text.replace(
            PERMISSION, PERMISSION.replace(":*", " *") + '\n  "Read(.agents/**)",'
        ).replace('Stop = ""', 'Stop = ""\nSessionEnd = ""', 1),
    )


def _texts(root: Path) -> None:
    """Rewrite every contract and the block, and change the hook command."""
    for drawer in DRAWERS:
        _change_contract(root, drawer, "Rewritten in 1.3, in words of its own.")
    block = root / "extensions/agents_block.md"
    block.write_text(
        "## Memory\n\nAnother text in 1.3: `.agents/skills/eco-mem/SKILL.md`, and\n"
        "AGENTS.md names the store `.agents/memory/`.\n"
    )
    change(
        root / "extensions/hook_command.toml",
        lambda text: text.replace("python3 -ES", "python3 -E -S"),
    )
    change(
        root / "template" / STORE / "working/.gitignore.jinja",
        lambda text: text + "# Since 1.3.\n",
    )


def _change_contract(root: Path, drawer: str, line: str) -> None:
    end = "\n<!-- eco-mem:contract:end -->"
    change(
        root / "template" / STORE / drawer / "INDEX.md",
        lambda text: text.replace(end, f"\n{line}\n{end}"),
    )
