"""Rules and instructions of hosts: read only when named, and then as a list to decide.

They stay where their hosts read them. What eco-mem wove into them is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from migrate.folders import readable, text_files
from migrate.front_matter import read_header
from migrate.model import Note, Range, Source, SourceFile
from migrate.text import sections

KIND = "rules"
FOLDERS = (
    ".cursor/rules",
    ".clinerules",
    ".windsurf/rules",
    ".github/instructions",
    ".roo/rules",
    ".kilocode/rules",
)
FILES = (
    "claude.md",
    "agents.md",
    "gemini.md",
    "qwen.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    "copilot-instructions.md",
)
ORDER = re.compile(
    r"(?im)^\s*(?:[-*+]|\d+[.)])?\s*\**(?:always|never|do not|don't|must|use|prefer|"
    r"avoid|keep|run|write|make|ensure|no)\b"
)
BEGIN, END = "<!-- eco-mem:begin", "<!-- eco-mem:end"
MEMORIES = re.compile(r"(?i)memories")


def find(project: Path) -> list[Path]:
    """Return nothing: rules are read only when a person names them."""
    return []


def fits(path: Path) -> bool:
    """Return true for an instruction file, a rules file or a folder of them."""
    name = path.name.lower()
    if path.is_dir():
        return path.as_posix().endswith(FOLDERS)
    return name in FILES or name.endswith(
        (".mdc", ".instructions.md", ".instruction.md")
    )


def files(root: Path) -> list[Path]:
    """Return the file itself, or those of the folder."""
    return text_files(root) if root.is_dir() else [root]


def read(source: Source) -> Iterator[Note]:
    """Yield each section: a rule where it gives orders, else open."""
    for file in readable(source):
        yield from read_rules(file)


def read_rules(file: SourceFile) -> list[Note]:
    """Return the parts of one file of rules."""
    notes: list[Note] = []
    header = read_header(file.lines)
    start = header.end + 1
    if header.end:
        notes.append(Note(file, (1, header.end), decision="drop", reason="bookkeeping"))
    ours = woven(file)
    memory = "memory" in file.name.lower()
    if ours:
        notes.append(Note(file, ours, decision="drop", reason="the block of eco-mem"))
    for each in sections(file.lines, start):
        for first, last in without(each.lines, ours):
            text = file.text(first, last)
            if not text.strip():
                continue
            decision = (
                "decide"
                if memory or MEMORIES.search(each.title) or not ORDER.search(text)
                else "rule"
            )
            reason = (
                "cue? prose has none" if decision == "decide" else "it gives orders"
            )
            notes.append(
                Note(
                    file,
                    (first, last),
                    title=each.title,
                    decision=decision,
                    reason=reason,
                )
            )
    return notes


def woven(file: SourceFile) -> Range | None:
    """Return the lines of our own block, if there is one."""
    begin = next(
        (at for at, line in enumerate(file.lines, 1) if line.strip().startswith(BEGIN)),
        0,
    )
    end = next(
        (at for at, line in enumerate(file.lines, 1) if line.strip().startswith(END)), 0
    )
    return (begin, end) if 0 < begin < end else None


def without(lines: Range, hole: Range | None) -> list[Range]:
    """Return a range of lines without those of another."""
    first, last = lines
    if not hole or hole[1] < first or hole[0] > last:
        return [lines]
    parts = [(first, hole[0] - 1), (hole[1] + 1, last)]
    return [part for part in parts if part[0] <= part[1]]
