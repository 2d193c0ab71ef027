"""Reformatting, as a formatter does it that wraps prose."""

from __future__ import annotations

import re
import textwrap


def wrap(text: str) -> str:
    """Return Markdown as a formatter leaves it that wraps prose at 80 columns."""
    if "\r\n" in text:
        return text
    out: list[str] = []
    fenced = text.startswith("---\n")
    for paragraph in re.split(r"(\n{2,})", text):
        fenced ^= paragraph.count("```") % 2 == 1
        plain = re.match(r"\w", paragraph) and not re.search(
            r"(?m)^[-#|<@ ]", paragraph
        )
        if plain and not fenced:
            paragraph = textwrap.fill(
                " ".join(paragraph.split()),
                60,
                break_long_words=False,
                break_on_hyphens=False,
            )
        elif not fenced and re.match(r"- \w", paragraph) and "](" not in paragraph:
            paragraph = re.sub(r"(?m)^- ", "* ", paragraph)
        out.append(paragraph)
        if paragraph.endswith("\n---"):
            fenced = False
    ended = "\n" if text.endswith("\n") else ""
    return "".join(out).rstrip("\n") + ended
