"""The shape of a case and the notation the corpus is written in.

A block is one entry:

    @@ kind drawer
    Title
    key: value          (header keys; the ones left out are filled in)
    <blank line>
    body

A backslash right behind a word joins the line with the next one.

Inside a block `<<name>>` or `<<name:argument>>` stands for a generated value. A
leading `!` (`<<!name>>`) plants it: the value is a secret and is listed in
`Case.planted`. `<<!name|filter>>` writes a disguised form of the planted value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

Maker = Callable[[Random, str], str]
"""Takes a random source and the argument of the placeholder, gives the value."""

Filter = Callable[[str], str]
"""Takes a planted value, gives the form that is written into the entry."""


class Case(NamedTuple):
    """One labelled entry; `planted` holds the exact secrets inside `text`."""

    kind: str
    expect: str
    drawer: str
    text: str
    planted: tuple[str, ...]


class Vocabulary(NamedTuple):
    """The names that placeholders may use. A filter in `opaque` hides the value for good,
    so its output is what gets planted."""

    makers: Mapping[str, Maker]
    filters: Mapping[str, Filter]
    opaque: frozenset[str]


PLACEHOLDER = re.compile(
    r"<<(?P<planted>!?)(?P<name>[a-z][a-z0-9_]*)"
    r"(?::(?P<argument>[^<>|]*))?(?:\|(?P<filter>[a-z0-9_]+))?>>"
)
JOINED = re.compile(r"(?<=\S)\\\n")
HEADER = re.compile(r"(?P<key>[a-z_-]+): (?P<value>.*)")

SCOPES = ("api", "ci", "deploy", "docs", "billing", "web", "storage", "mobile", "all")
TASKS = (
    "stabilise the nightly build",
    "move the importer to the new queue",
    "shorten the release checklist",
    "clean up the staging environment",
    "investigate a failed deployment",
    "review the login flow",
    "bring the integration tests back",
    "answer a question from support",
)
GOALS = (
    "get the release candidate through staging",
    "finish the move of the upload service",
    "make the nightly job pass again",
    "answer the open review comments",
)
NEXT = (
    "run the suite once more and push",
    "ask for a review",
    "write the changelog line",
    "compare with the staging log",
)
OPEN = (
    "whether the old flag can go",
    "none",
    "who owns the dashboard",
    "is the cache warmed before the switch",
)
FIRST_DAY = date(2026, 1, 5)
DAYS = 310
RUNS = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")


def parse(blocks: str, expect: str, vocabulary: Vocabulary) -> Iterator[Case]:
    """Gives the cases written in `blocks`, each with its own random source."""
    for block in re.split(r"^@@ ", blocks, flags=re.MULTILINE)[1:]:
        heading, title, rest = block.split("\n", 2)
        kind, drawer = heading.split()
        rng = Random(f"{kind}/{title}")
        fields, body = split_header(rest)
        source = render(drawer, title, fields, body.strip("\n"), rng)
        text, planted = fill(JOINED.sub("", source), vocabulary, rng)
        yield Case(kind, expect, drawer, text, planted)


def split_header(rest: str) -> tuple[list[tuple[str, str]], str]:
    """Splits what follows the title into header pairs and the body."""
    head, _, body = rest.partition("\n\n") if rest[0] != "\n" else ("", "", rest)
    fields = []
    for line in head.splitlines():
        match = HEADER.fullmatch(line)
        if match is None:
            raise ValueError(f"not a header line: {line!r}")
        fields.append((match["key"], match["value"]))
    return fields, body


def render(
    drawer: str, title: str, fields: list[tuple[str, str]], body: str, rng: Random
) -> str:
    """Gives the Markdown entry, with the header keys that were left out."""
    given = dict(fields)
    defaults = default_header(drawer, rng)
    merged = [(key, given.pop(key, value)) for key, value in defaults]
    known = {key for key, _ in merged}
    merged += [(key, value) for key, value in fields if key not in known]
    source = dict(merged).get("source")
    if source == "verified" and "evidence" not in dict(fields):
        merged.append(("evidence", f"commit {rng.getrandbits(28):07x}"))
    header = "\n".join(f"- {key}: {value}" for key, value in merged)
    return f"# {title}\n\n{header}\n\n{body}\n"


def default_header(drawer: str, rng: Random) -> list[tuple[str, str]]:
    """Gives the header keys of a drawer in order, with plausible values."""
    day = FIRST_DAY + timedelta(days=rng.randrange(DAYS))
    if drawer == "semantic":
        expiry = rng.choice(("never", (day + timedelta(days=400)).isoformat()))
        return [
            ("cue", ""),
            ("as_of", day.isoformat()),
            ("source", rng.choice(("derived", "derived", "verified"))),
            ("scope", rng.choice(SCOPES)),
            ("expires", expiry),
        ]
    if drawer == "episodic":
        return [("cue", ""), ("when", day.isoformat()), ("task", rng.choice(TASKS))]
    if drawer == "procedural":
        return [("cue", "")]
    return [
        ("goal", rng.choice(GOALS)),
        ("constraints", "no change to the public interface"),
        ("progress", "half of the steps are done"),
        ("next", rng.choice(NEXT)),
        ("open", rng.choice(OPEN)),
    ]


def fill(
    source: str, vocabulary: Vocabulary, rng: Random
) -> tuple[str, tuple[str, ...]]:
    """Replaces the placeholders; gives the text and what was planted."""
    planted: list[str] = []

    def replace(match: re.Match[str]) -> str:
        value = vocabulary.makers[match["name"]](rng, match["argument"] or "")
        shown = value
        if match["filter"]:
            shown = vocabulary.filters[match["filter"]](value)
        if match["planted"]:
            opaque = match["filter"] in vocabulary.opaque
            planted.extend(plants(shown if opaque else value))
        return shown

    return PLACEHOLDER.sub(replace, source), tuple(dict.fromkeys(planted))


def plants(value: str) -> list[str]:
    """Gives the strings that must never be echoed: the value itself, or the long runs
    in a value of several lines."""
    return RUNS.findall(value) if "\n" in value else [value]
