"""Draw training texts from the templates beside this file.

A template is a line of words in which (a|b|c) stands for one of its alternatives,
nested as one likes. A ? after a group or a letter leaves it out, or not; a backslash
takes its meaning from a sign, and \\d is any digit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

TEXTS = Path(__file__).parent / "texts"
GROUP = re.compile(r"\(([^()]*)\)(\??)")
LETTER = re.compile(r"([\w, -])\?")


def draw(template: str, dice: random.Random) -> str:
    """Return one text of a template."""

    def choose(match: re.Match[str]) -> str:
        if match[2] and dice.random() < 0.5:
            return ""
        return str(dice.choice(match[1].split("|")))

    text = template.replace("\\(", "\1").replace("\\)", "\2").replace("\\?", "\3")
    while GROUP.search(text):
        text = GROUP.sub(choose, text)
    text = LETTER.sub(lambda match: dice.choice((match[1], "")), text)
    text = re.sub(r"\\d", lambda _: str(dice.randrange(10)), text)
    text = text.translate({1: "(", 2: ")", 3: "?", 92: None})
    return re.sub(r"  +", " ", text).strip()


def templates(name: str) -> Iterator[tuple[str, str]]:
    """Yield section and line of a file of templates."""
    section = ""
    for line in (TEXTS / name).read_text("utf-8").splitlines():
        if line.startswith("[") and line.endswith("]") and " " not in line:
            section = line[1:-1]
        elif line and not line.startswith("# "):
            yield section, line


def texts(name: str, count: int) -> Iterator[tuple[str, str]]:
    """Yield section and text: up to count different ones of each template."""
    for section, template in templates(name):
        dice = random.Random(template)
        drawn = {draw(template, dice) for _ in range(count)}
        for text in sorted(drawn):
            yield section, text
