"""Print the lines of the changelog about one version: release_notes.py vX.Y.Z.

The version must be the newest heading of CHANGELOG.md, and have a date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parents[1] / "CHANGELOG.md"
HEADING = re.compile(r"^## (\S+) - (\S+)$", re.MULTILINE)


class NoRelease(Exception):
    """A tag that the changelog does not describe; says why."""


def notes_of(tag: str, changelog: str) -> str:
    """Return the notes of the release `tag`, from the text of a changelog."""
    newest, *older = HEADING.finditer(changelog)
    version, day = newest.groups()
    if tag != f"v{version}":
        raise NoRelease(f"The tag is {tag}, and the changelog begins with {version}.")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
        raise NoRelease(f"The changelog has no date for {version}.")
    end = older[0].start() if older else len(changelog)
    return changelog[newest.end() : end].strip("\n") + "\n"


if __name__ == "__main__":
    try:
        print(notes_of(sys.argv[1], CHANGELOG.read_text("utf-8")), end="")
    except NoRelease as why:
        sys.exit(str(why))
