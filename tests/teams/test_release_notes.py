"""A release has the lines of the changelog, if the tag is its newest heading."""

from __future__ import annotations

import pytest
from release_notes import NoRelease, notes_of

CHANGELOG = """\
# Changelog

## 1.1.0 - 2027-01-05

- One line.

## 1.0.0 - 2026-12-01

- Older.
"""


def test_notes_are_the_lines_of_the_version() -> None:
    assert notes_of("v1.1.0", CHANGELOG) == "- One line.\n"


@pytest.mark.parametrize("tag", ["v1.0.0", "1.1.0", "v1.1.0-rc1", ""])
def test_another_tag_is_no_release(tag: str) -> None:
    with pytest.raises(NoRelease, match="the changelog begins with"):
        notes_of(tag, CHANGELOG)


def test_a_version_without_a_date_is_no_release() -> None:
    with pytest.raises(NoRelease, match="no date"):
        notes_of("v1.1.0", CHANGELOG.replace("2027-01-05", "unreleased"))
