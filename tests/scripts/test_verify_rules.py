"""Each rule of families L, C, E and I: stores that break it and stores that do not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import blocks
import pytest
from store_project import (
    BODIES,
    DRAWERS,
    DURABLE,
    FIELDS,
    MEMORY,
    POINTER,
    SKILL,
    Project,
    cue_of,
    in_days,
    row_of,
    rules_page,
    well_kept,
)

Change = Callable[[Project], object]
FAMILIES = "LCEI"
# Judged where an entry is written: see test_evidence and test_recall.
WHEN_WRITTEN = {"C20", "E14"}
S, E, P = f"{MEMORY}/semantic", f"{MEMORY}/episodic", f"{MEMORY}/procedural"
W = f"{MEMORY}/working"
CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n"
CONTRACT = "Facts here.\n\n- In: one *fact* a file.\n- Out: guesses.\n"
GOOD = "# Good\n\n- cue: when a good entry is needed\n"


class Rule(NamedTuple):
    """A change that must make a rule speak, and one that must leave it silent."""

    breaks: dict[str, Change]
    keeps: dict[str, Change]


def put(name: str, content: str | bytes = GOOD) -> Change:
    """Write a file."""
    return lambda it: it.write(name, content)


def drop(name: str) -> Change:
    """Remove a file or a folder."""

    def change(it: Project) -> None:
        path = it.path(name)
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return change


def both(*changes: Change) -> Change:
    """Several changes, one after the other."""
    return lambda it: [change(it) for change in changes]


def folder(name: str) -> Change:
    """Make a folder."""

    def change(it: Project) -> None:
        it.path(name).mkdir(parents=True)

    return change


def pipe(name: str) -> Change:
    """Make a named pipe."""

    def change(it: Project) -> None:
        os.mkfifo(it.path(name))

    return change


def link(name: str, target: str) -> Change:
    """Put a symbolic link in the place of whatever is there."""

    def change(it: Project) -> None:
        path = it.path(name)
        if path.is_dir():
            path.rename(path.with_name("moved"))
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    return change


def add(drawer: str, slug: str, **fields: str | None) -> Change:
    """Write an entry and its row, with some of its fields changed."""
    return lambda it: it.entry(drawer, slug, fields)


def body(drawer: str, text: str) -> Change:
    """Write an entry with this body."""
    return lambda it: it.entry(drawer, "a-case", body=text)


def header(drawer: str, text: str) -> Change:
    """Write an entry with this header, lines as given."""
    page = f"# A case\n\n{text}\n\n{BODIES[drawer]}"
    return put(f"{MEMORY}/{drawer}/a-case.md", page)


def fact(text: str) -> Change:
    """Write a fact with this whole line as its last header line."""
    return lambda it: it.entry("semantic", "a-case", listed=False).write_text(
        f"# A case\n\n- cue: when the case comes up\n- as_of: {in_days(0)}\n"
        "- source: derived\n- scope: here\n- expires: never\n"
        f"{text}\n\n{BODIES['semantic']}",
        "utf-8",
    )


def cited(*evidence: str, source: str = "derived") -> Change:
    """Write a fact of this source with these evidence lines."""
    return lambda it: it.entry(
        "semantic", "a-case", {"source": source}, evidence=evidence
    )


def catalog(text: str, drawer: str = "semantic") -> Change:
    """Replace the rows of a catalog."""
    return lambda it: it.rows(drawer, text)


def index(old: str, new: str, drawer: str = "semantic") -> Change:
    """Replace a piece of an INDEX."""

    def change(it: Project) -> None:
        path = it.index(drawer)
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    return change


def many(count: int, name: str = "INDEX.md") -> Change:
    """Make a catalog have so many rows, each with its entry."""

    def change(it: Project) -> None:
        slugs = [f"fact-{number:03}" for number in range(count)]
        for slug in slugs:
            it.entry("semantic", slug, listed=False)
        (it.drawer("semantic") / "health-port.md").unlink()
        text = "".join(f"{row_of(slug)}\n" for slug in slugs)
        it.rows("semantic", text if name == "INDEX.md" else "")
        if name != "INDEX.md":
            it.archive("semantic", text)

    return change


def force(text: str) -> Change:
    """Write rows under In force; some things to point at are there."""
    return both(
        put(".agents/skills/release/SKILL.md"),
        put("docs/two words.md"),
        lambda it: it.force(text),
    )


def cite(evidence: str) -> Change:
    """Write a fact with this evidence."""
    return lambda it: it.entry("semantic", "a-case", evidence=[evidence])


def bytecode(folder: str) -> Change:
    """Put bytecode of a folder of the skill into the index."""
    name = f"{SKILL}/{folder}/__pycache__/x.pyc"
    return both(
        lambda it: it.git("init", "--quiet"),
        put(name, b"x"),
        lambda it: it.git("add", "--force", name),
    )


def ignored(rule: str, name: str = ".gitignore") -> Change:
    """Make the project a repository with this ignore rule."""

    def change(it: Project) -> None:
        it.git("init", "--quiet")
        it.write(name, rule)

    return change


def lines(drawer: str, count: int) -> Change:
    """Write an entry of so many lines."""

    def change(it: Project) -> None:
        path = it.entry(drawer, "a-case")
        text = path.read_text("utf-8")
        path.write_text(text + "more\n" * (count - text.count("\n")), "utf-8")

    return change


def without(drawer: str, key: str) -> Change:
    """Write an entry without one of its fields."""
    return add(drawer, "a-case", **{key: None})


def stamped(stamp: str, text: str = "") -> Change:
    """Give the semantic INDEX this contract, with this stamp in the marker."""

    def change(it: Project) -> None:
        inner = text or CONTRACT
        it.write(
            f"{S}/INDEX.md",
            f"# Semantic\n\n<!-- eco-mem:contract:begin{stamp} -->\n\n{inner}\n"
            f"<!-- eco-mem:contract:end -->\n\n## Catalog\n\n{row_of('health-port')}\n",
        )

    return change


HEALTH = row_of("health-port")
HIDDEN = {
    "fence": f"```\n{HEALTH}\n```\n",
    "tilde fence": f"~~~text\n{HEALTH}\n~~~\n",
    "longer fence": f"````\n```\n{HEALTH}\n```\n````\n",
    "comment": f"<!--\n{HEALTH}\n-->\n",
    "block quote": f"> {HEALTH}\n",
    "indented code": f"    {HEALTH}\n",
    "prose": "Once health-port.md stood here, [so](health-port.md) it was said.\n",
}
SPELLINGS = {
    "dot slash": "./health-port.md",
    "angle brackets": "<health-port.md>",
    "percent": "health%2Dport.md",
    "anchor": "health-port.md#why",
    "title": 'health-port.md "the port"',
}
BAD_NAMES = {
    "capital": "Foo",
    "underscore": "a_b",
    "double dash": "a--b",
    "leading dash": "-a",
    "trailing dash": "a-",
    "device": "con",
    "numbered device": "lpt9",
    "reserved": "archive",
    "49 characters": "a" * 49,
    "accent": "café",
    "space": "two words",
    "newline": "two\nlines",
    "trailing dot": "a.",
    "255 bytes": "記" * 84,
}
FORMS = {
    "path": "`src/app.py`",
    "lines": "`src/app.py#L10-L20`",
    "fingerprint": "`src/app.py#L10-L20` sha:1a2b3c4d",
    "bare path": "src/app.py#L3",
    "file without dot": "`Makefile`",
    "spaces": "`docs/two words.md#L1`",
    "commit": "commit 1a2b3c4",
    "url": "https://example.com/a?b=c#d",
    "autolink": "<https://example.com/a>",
    "user": 'user 2026-09-09: "tabs, always"',
    "curly quotes": "user 2026-09-09: \u201ctabs, always\u201d",
    "review": "review https://example.com/pull/7 ada",
}
NO_FORMS = {
    "prose": "trust me on this",
    "impossible day": 'user 2026-02-30: "tabs"',
    "no words": 'user 2026-09-09: ""',
    "absolute path": "`/etc/passwd`",
    "path out of the project": "`../other/file.py`",
    "home": "`~/notes.md`",
    "short commit": "commit 1a2b",
}

RULES = {
    "L01": Rule(
        {
            "removed": drop(E),
            "a file in its place": both(drop(E), put(E, "x")),
        },
        {"only its entries removed": drop(f"{E}/locked-table.md")},
    ),
    "L02": Rule(
        {drawer: drop(f"{MEMORY}/{drawer}/INDEX.md") for drawer in DRAWERS},
        {"there, with an ARCHIVE beside it": lambda it: it.archive("semantic", "")},
    ),
    "L03": Rule(
        {
            "fifth drawer": put(f"{MEMORY}/personas/INDEX.md"),
            "empty folder": folder(f"{MEMORY}/notes"),
        },
        {"ignore file at the top": put(f"{MEMORY}/.gitkeep", "")},
    ),
    "L04": Rule(
        {
            "nested": put(f"{S}/ports/orphan.md"),
            "named like an entry": folder(f"{S}/a-case.md"),
            "deep": folder(f"{S}/" + "/".join("d" * 100)),
            "on the desk": folder(f"{W}/scratch"),
        },
        {"an entry of a like name": add("semantic", "ports")},
    ),
    "L05": Rule(
        {
            "text file": put(f"{S}/notes.txt"),
            "upper-case ending": put(f"{S}/a-case.MD"),
            "beside the drawers": put(f"{MEMORY}/README.md"),
            "tracked though ignored elsewhere": both(
                ignored("*.log\n"), put(f"{S}/notes.txt")
            ),
        },
        {
            "set aside": both(
                *(
                    put(f"{S}/{name}", "x")
                    for name in (".gitkeep", ".DS_Store", "Thumbs.db", "desktop.ini")
                )
            ),
            "ignored by git": both(ignored("*.log\n"), put(f"{S}/a.log", "x")),
            "odd name ignored by git": both(
                ignored("*.log\n"), put(f"{S}/ä \n'.log", "x")
            ),
            "2000 files ignored by git": both(
                ignored("*.log\n"),
                *(put(f"{S}/{number}.log", "") for number in range(2000)),
            ),
            "left by a killed write": put(f"{W}/.eco-mem-1-abcd", "x"),
        },
    ),
    "L06": Rule(
        {
            "zero bytes": put(f"{S}/a-case.md", ""),
            "blank": put(f"{S}/a-case.md", " \n\n\t\n"),
            "BOM alone": put(f"{S}/a-case.md", "\ufeff"),
            "INDEX": put(f"{S}/INDEX.md", ""),
        },
        {"one letter": put(f"{S}/a-case.md", "x")},
    ),
    "L07": Rule(
        {
            "8193 bytes": put(f"{S}/a-case.md", "x" * 8193),
            "5 MB in a line": put(f"{S}/a-case.md", "x" * 5_000_000),
            "many bytes, few characters": put(f"{S}/a-case.md", "記" * 2731),
            "a line that the gate does not read": put(f"{S}/a-case.md", "x " * 2001),
        },
        {
            "8192 bytes": put(f"{S}/a-case.md", ("x" * 1023 + "\n") * 8),
            "a line of 4000 characters": put(f"{S}/a-case.md", "x " * 2000),
        },
    ),
    "L08": Rule(
        {
            "pipe": pipe(f"{S}/a-case.md"),
            "INDEX a pipe": both(drop(f"{S}/INDEX.md"), pipe(f"{S}/INDEX.md")),
        },
        {"read-only": lambda it: it.path(f"{S}/health-port.md").chmod(0o444)},
    ),
    "L09": Rule(
        {
            "one byte of cp1252": put(f"{S}/a-case.md", b"# Caf\xe9\n"),
            "in the INDEX": put(f"{S}/INDEX.md", b"# Caf\xe9\n"),
            "NUL": put(f"{S}/a-case.md", "# A\0b\n"),
            "UTF-16": put(f"{S}/a-case.md", "# Title\n".encode("utf-16")),
            "surrogate": put(f"{S}/a-case.md", b"# \xed\xa0\x80\n"),
        },
        {"UTF-8 with BOM": put(f"{S}/a-case.md", "\ufeff# 記憶 \U0001f600\r\n")},
    ),
    "L10": Rule(
        {
            "entry": both(
                put("secret.md"), link(f"{S}/a-case.md", "../../../secret.md")
            ),
            "dangling": link(f"{S}/a-case.md", "nowhere"),
            "loop": link(f"{S}/a-case.md", "a-case.md"),
            "INDEX": link(f"{S}/INDEX.md", "../episodic/INDEX.md"),
            "drawer": link(E, "semantic"),
            "store": link(MEMORY, "moved"),
            "stray": link(f"{MEMORY}/more", "/tmp"),
        },
        {"hard link": lambda it: os.link(it.path("AGENTS.md"), it.path(f"{S}/a.md"))},
    ),
    "L11": Rule(
        {how: put(f"{S}/{name}.md") for how, name in BAD_NAMES.items()},
        {
            "48 characters": put(f"{S}/{'a' * 48}.md"),
            "digits": put(f"{S}/8081-is-the-port.md"),
            "almost a device": put(f"{S}/con-1.md"),
            "looks like a secret": put(f"{S}/reclaimed-mid-task-while-active.md"),
            "bad, but ignored by git": both(
                ignored("*.local.md\n"), put(f"{S}/notes.local.md")
            ),
        },
    ),
    "L12": Rule(
        {
            "two drawers": add("episodic", "health-port"),
            "a desk": add("working", "health-port"),
            "case": put(f"{S}/Health-port.md"),
            "Unicode form": both(put(f"{S}/caf\u00e9.md"), put(f"{S}/cafe\u0301.md")),
            "index beside INDEX": put(f"{S}/index.md"),
        },
        {"one more letter": add("semantic", "health-ports")},
    ),
    "L13": Rule(
        {
            "entry": lambda it: it.entry("semantic", "a-case", body=CONFLICT),
            "rows": catalog(CONFLICT),
            "contract": index("# Semantic", CONFLICT + "# Semantic"),
            "CRLF": put(f"{S}/a-case.md", CONFLICT.replace("\n", "\r\n")),
            "the desk's INDEX": index("# Working", CONFLICT + "# Working", "working"),
        },
        {
            "heading underlined": body("semantic", "Text\n=======\n\nmore\n"),
            "marks in a sentence": body("semantic", "git writes `<<<<<<< HEAD`\n"),
        },
    ),
    "L14": Rule(
        {
            "conflicted copy": put(f"{S}/a (Ada's conflicted copy 2026-01-02).md"),
            "sync-conflict": put(f"{S}/a.sync-conflict-20260102-101010-AAAAAAA.md"),
            "case conflict": put(f"{S}/a (Case Conflict).md"),
            "of the INDEX": put(f"{S}/INDEX (conflicted copy).md"),
        },
        {
            "a slug about it": add("semantic", "sync-conflict-notes"),
            "ignored by git": both(
                ignored("*.sync-conflict-*\n"), put(f"{S}/a.sync-conflict-2026.md")
            ),
        },
    ),
    "C01": Rule(
        {
            "file gone": drop(f"{S}/health-port.md"),
            "never there": catalog(f"{HEALTH}\n{row_of('no-such')}\n"),
            "names the INDEX": catalog(f"{HEALTH}\n- [INDEX](INDEX.md): this\n"),
            "in the ARCHIVE": lambda it: it.archive("semantic", row_of("no-such")),
        },
        {
            **{
                f"no row, in a {how}": catalog(
                    f"{HEALTH}\n\n{text.replace('health-port', 'no-such')}"
                )
                for how, text in HIDDEN.items()
            },
            "the entry cannot be read": put(f"{S}/health-port.md", b"\xff"),
            "the entry is a link": link(f"{S}/health-port.md", "nowhere"),
        },
    ),
    "C02": Rule(
        {
            "no row": catalog(""),
            **{f"row in {how}": catalog(text) for how, text in HIDDEN.items()},
            "row above the heading": both(
                catalog(""), index("# Semantic", f"{HEALTH}\n\n# Semantic")
            ),
            "row under another heading": catalog(f"## Old\n\n{HEALTH}\n"),
        },
        {
            **{
                f"link spelled with {how}": catalog(
                    f"- [health-port]({target}): {cue_of('health-port')}\n"
                )
                for how, target in SPELLINGS.items()
            },
            "asterisk": catalog(HEALTH.replace("- ", "* ", 1)),
            "plus": catalog(HEALTH.replace("- ", "+ ", 1)),
            "wide list mark": catalog(HEALTH.replace("- ", "-   ", 1)),
            "indented by three": catalog(f"   {HEALTH}"),
            "in details after a blank line": catalog(
                f"<details>\n\n{HEALTH}\n\n</details>\n"
            ),
            "in the ARCHIVE": both(
                catalog(""), lambda it: it.archive("semantic", HEALTH)
            ),
            "CRLF": catalog(f"{HEALTH}\r\n"),
            "lone CR": catalog(f"Text\r{HEALTH}\r"),
            "no newline at the end": catalog(HEALTH),
            "in the ARCHIVE, which cannot be read": both(
                catalog(""), put(f"{S}/ARCHIVE.md", b"## Catalog\n\n\xff\n")
            ),
            "no cue to make it from": put(f"{S}/a-case.md", "# A case\n"),
        },
    ),
    "C03": Rule(
        {
            "twice": catalog(f"{HEALTH}\n{HEALTH}\n"),
            "with another text": catalog(f"{HEALTH}\n{row_of('health-port', 'old')}\n"),
            "in another spelling": catalog(f"{HEALTH}\n{HEALTH.replace('(', '(./')}\n"),
            "under a second heading": catalog(f"{HEALTH}\n\n## Catalog\n\n{HEALTH}\n"),
        },
        {"once, and once in a fence": catalog(f"{HEALTH}\n\n```\n{HEALTH}\n```\n")},
    ),
    "C04": Rule(
        {"in both": lambda it: it.archive("semantic", HEALTH)},
        {
            "ARCHIVE of another drawer": lambda it: it.archive("episodic", HEALTH),
            "in a fence of the ARCHIVE": lambda it: it.archive(
                "semantic", f"```\n{HEALTH}\n```\n"
            ),
        },
    ),
    "C05": Rule(
        {
            "other text": catalog(row_of("health-port", "which port to use")),
            "derived not said": both(
                add("semantic", "a-case", source="derived"),
                catalog(f"{row_of('a-case')}\n{HEALTH}\n"),
            ),
            "derived said of a verified one": catalog(f"{HEALTH} (derived)\n"),
            "other name": catalog(HEALTH.replace("[health-port]", "[the port]")),
            "in the ARCHIVE": both(
                catalog(""),
                lambda it: it.archive("semantic", row_of("health-port", "old cue")),
            ),
        },
        {
            "formatted apart": both(
                add("semantic", "a-case", cue="when *all* `a_b` fail  in _one_ run"),
                catalog(
                    f"{row_of('a-case', 'when _all_ `a_b` fail in *one* run')}\n"
                    f"{HEALTH}\n"
                ),
            ),
            "escaped": both(
                add("semantic", "a-case", cue="when a_b or c*d is read"),
                catalog(
                    row_of("a-case", r"when a_b or c\*d is read") + f"\n{HEALTH}\n"
                ),
            ),
            "a colon and a link in the cue": add(
                "semantic", "a-case", cue=": see [b](b.md): a (b) \\| c"
            ),
        },
    ),
    "C06": Rule(
        {
            "missing": index("## Catalog", "Catalog"),
            "in a fence": index("## Catalog", "```\n## Catalog\n```"),
            "twice": catalog(f"{HEALTH}\n\n## Catalog\n"),
            "no In force": index("## In force", "", "procedural"),
            "no Not yet a skill": index("## Not yet a skill", "", "procedural"),
            "ARCHIVE": put(f"{S}/ARCHIVE.md", "# Old\n"),
        },
        {
            "spaces after it": index("## Catalog", "## Catalog  "),
            "ARCHIVE of procedures": lambda it: it.archive("procedural", ""),
        },
    ),
    "C07": Rule(
        {"41 rows": many(41)},
        {"40 rows": many(40), "41 rows in the ARCHIVE": many(41, "ARCHIVE.md")},
    ),
    "C08": Rule({"36 rows": many(36), "40 rows": many(40)}, {"35 rows": many(35)}),
    "C09": Rule(
        {
            "slug": add("semantic", "some-long-case", cue="some-long-case"),
            "words of the slug": add(
                "semantic", "some-long-case", cue="Some Long case"
            ),
            "title": lambda it: it.entry(
                "semantic",
                "a-case",
                {"cue": "The *port* is 8081"},
                title="The port is 8081",
            ),
        },
        {"more than the title": add("semantic", "a-case", cue="about a case of ports")},
    ),
    "C10": Rule(
        {
            "7 characters": add("semantic", "a-case", cue="1234567"),
            "121 characters": add("semantic", "a-case", cue="x" * 121),
        },
        {
            "8 characters": add("semantic", "a-case", cue="12345678"),
            "120 wide characters": add("semantic", "a-case", cue="記" * 120),
            "a desk with such a field": add("working", "a-case", cue="1234567"),
        },
    ),
    "C11": Rule(
        {
            "same": add("semantic", "a-case", cue=cue_of("health-port")),
            "other drawer": add("episodic", "a-case", cue=cue_of("health-port")),
            "other form": add(
                "semantic", "a-case", cue="How to  deal with *health* port here"
            ),
        },
        {"other word": add("semantic", "a-case", cue=cue_of("health-ports"))},
    ),
    "C12": Rule(
        {
            "begin removed": index("<!-- eco-mem:contract:begin", "<!-- begin"),
            "end removed": index("<!-- eco-mem:contract:end", "<!-- end"),
            "reversed": put(
                f"{S}/INDEX.md",
                "# S\n\n<!-- eco-mem:contract:end -->\n\nText.\n\n"
                "<!-- eco-mem:contract:begin -->\n\n## Catalog\n",
            ),
        },
        {"with a stamp": stamped(" 00000000")},
    ),
    "C13": Rule(
        {"other stamp": stamped(" 00000000")},
        {
            "no stamp": stamped(""),
            "as laid down": stamped(f" {blocks.digest(CONTRACT)}"),
            "formatted": stamped(
                f" {blocks.digest(CONTRACT)}",
                "Facts  here.\n\n\n* In: one _fact_ a file.\n* Out: guesses.\n",
            ),
        },
    ),
    "C14": Rule(
        {
            "gone": force("- [r](../../skills/gone/SKILL.md): when releasing\n"),
            "outside": force("- [r](../../../../): when releasing\n"),
            "absolute": force("- [r](/etc/hosts): when releasing\n"),
            "address": force("- [r](https://example.com/x): when releasing\n"),
            "hidden NUL": force("- [r](../../%00): when releasing\n"),
            "escaped way out": force("- [r](%2e%2e/../../../..): when releasing\n"),
        },
        {
            "file": force("- [r](../../skills/release/SKILL.md): when releasing\n"),
            "folder": force("- [r](../../skills/release): when releasing\n"),
            "anchor": force("- [r](../../skills/release/SKILL.md#a): releasing\n"),
            "percent": force("- [r](../../../docs/two%20words.md): releasing\n"),
            "angle": force("- [r](<../../../docs/two words.md>): releasing\n"),
            "in a comment": force("<!--\n- [r](../../gone): releasing\n-->\n"),
        },
    ),
    "C15": Rule(
        {
            "older table": catalog(
                f"{HEALTH}\n\n| slug | file | cue |\n| --- | --- | --- |\n"
                "| health-port | [x](health-port.md) | the port |\n"
            )
        },
        {
            "in a fence": catalog(f"{HEALTH}\n\n```\n| slug | file |\n```\n"),
            "a person's own table": index(
                "# Semantic", "# Semantic\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n#"
            ),
        },
    ),
    "C16": Rule(
        {
            "not sorted": both(
                add("semantic", "a-case"),
                catalog(f"{HEALTH}\n{row_of('a-case')}\n"),
            ),
            "by file name": both(
                add("semantic", "port"),
                add("semantic", "port-two"),
                catalog(f"{HEALTH}\n{row_of('port-two')}\n{row_of('port')}\n"),
            ),
        },
        {
            "by slug": both(
                add("semantic", "port"),
                add("semantic", "port-two"),
                catalog(f"{HEALTH}\n{row_of('port')}\n{row_of('port-two')}\n"),
            ),
            "pointers": force("- [z](../../skills): zz\n- [a](../../memory): aa\n"),
        },
    ),
    "C17": Rule(
        {
            "a row": lambda it: it.index("working").write_text(
                it.index("working").read_text("utf-8") + row_of("move-sessions")
            )
        },
        {
            f"no row, in {how}": index(
                "# Working",
                f"{text.replace('health-port', 'move-sessions')}\n# Working",
                "working",
            )
            for how, text in HIDDEN.items()
        },
    ),
    "C18": Rule(
        {
            "pointer among entries": catalog(
                f"{row_of('cut-release')}\n- [r](../../skills): releasing\n",
                "procedural",
            ),
            "entry in force": force(f"{row_of('cut-release')}\n"),
            "address among facts": catalog(f"{HEALTH}\n- [x](https://x.org/y): why\n"),
            "entry of another drawer": catalog(
                f"{HEALTH}\n- [l](../episodic/locked-table.md): locks\n"
            ),
        },
        {"a link in prose": catalog(f"{HEALTH}\n\nSee [that](../../skills).\n")},
    ),
    "C19": Rule(
        {
            "same row": force("- [r](../../skills/release/SKILL.md): releasing\n" * 2),
        },
        {"two names": force("- [r](../../skills): a\n- [s](../../skills): b\n")},
    ),
    "E01": Rule(
        {
            "no title": put(f"{S}/a-case.md", "- cue: when it is needed\n"),
            "empty title": put(f"{S}/a-case.md", "# \n"),
            "second level": put(f"{S}/a-case.md", "## A case\n"),
            "front matter": put(f"{S}/a-case.md", "---\nname: x\n---\n\n# A case\n"),
            "blank first line": put(f"{S}/a-case.md", "\n# A case\n"),
        },
        {"after a BOM": put(f"{S}/a-case.md", "\ufeff# A case\r\n")},
    ),
    "E02": Rule(
        {
            **{
                f"{drawer} {key}": without(drawer, key)
                for drawer in DRAWERS
                for key in (*FIELDS[drawer], "cue")
                if (drawer, key) != ("working", "cue") and key != "evidence"
            },
            "empty": add("semantic", "a-case", scope=""),
            "another case": header("procedural", "- Cue: when releasing by hand"),
            "in a fence": header("procedural", "```\n- cue: when releasing\n```"),
            "after the body began": header(
                "procedural", "Text.\n\n- cue: when releasing by hand"
            ),
            "second list": header("procedural", "- x: y\n\n- cue: when releasing"),
            "fence in the header": header(
                "procedural", "- x: y\n```\n- cue: when releasing by hand\n```"
            ),
        },
        {
            **{drawer: add(drawer, "a-case") for drawer in DRAWERS},
            "asterisks": header("procedural", "* cue: when releasing by hand"),
            "escaped": fact("- was\\_it: so"),
            "right under the title": put(
                f"{P}/a-case.md",
                f"# A case\n- cue: when releasing by hand\n\n{BODIES['procedural']}",
            ),
            "CRLF": put(f"{P}/a-case.md", "# A\r\n\r\n- cue: when releasing\r\n"),
            "lone CR": put(f"{P}/a-case.md", "# A\r\r- cue: when releasing\r"),
        },
    ),
    "E03": Rule(
        {
            value: add("semantic", "a-case", source=value)
            for value in ("null", "Verified", "user", "verified # sure", "'verified'")
        },
        {
            **{
                value: add("semantic", "a-case", source=value)
                for value in ("user-confirmed", "verified", "derived")
            },
            "of an episode": add("episodic", "a-case", source="hearsay"),
        },
    ),
    "E04": Rule(
        {
            **{
                f"as_of {value}": add("semantic", "a-case", as_of=value)
                for value in ("2026-02-30", "2025-02-29", "1900-02-29", "2026-13-01")
            },
            **{
                f"when {value}": add("episodic", "a-case", when=value)
                for value in ("2026-00-10", "2026-1-1", "01/02/2026", "yesterday")
            },
            **{
                f"expires {value}": add("semantic", "a-case", expires=value)
                for value in ("no", "Never", "null", "2026-06-31", "２０２６-01-01")
            },
            "the day after tomorrow": add("semantic", "a-case", as_of=in_days(2)),
            "a year off": add("episodic", "a-case", when=in_days(365)),
            "year zero": add("episodic", "a-case", when="0000-01-01"),
            "with a time": add("episodic", "a-case", when="2026-01-01T10:00"),
        },
        {
            "tomorrow": add("semantic", "a-case", as_of=in_days(1)),
            "leap day": add("episodic", "a-case", when="2024-02-29"),
            "leap century": add("episodic", "a-case", when="2000-02-29"),
            "expires later": add("semantic", "a-case", expires=in_days(4000)),
            "never": add("semantic", "a-case", expires="never"),
            "a field unknown in this drawer": both(
                add("procedural", "a-case", when="cutting a release"),
                add("working", "b-case", when="after lunch", expires="soon"),
            ),
        },
    ),
    "E05": Rule(
        {
            "cue": fact("- cue: when it comes up again"),
            "unknown": fact("- x: one\n- x: two"),
            "escaped": fact("- as\\_of: 2026-01-01"),
        },
        {
            "evidence": cited("`AGENTS.md`", "commit 1a2b3c4"),
            "in the body": body("semantic", "- scope: here\n- scope: there\n"),
        },
    ),
    "E06": Rule(
        {
            "verified by nothing": cited(source="verified"),
            "verified by what has no form": cited("trust me", source="verified"),
            "the user, by nothing": cited(source="user-confirmed"),
            "the user, by an address": cited(FORMS["url"], source="user-confirmed"),
            "the user, by a path": cited(FORMS["path"], source="user-confirmed"),
            "the user, by an impossible day": cited(
                NO_FORMS["impossible day"], source="user-confirmed"
            ),
        },
        {
            **{
                f"verified by {how}": cited(form, source="verified")
                for how, form in FORMS.items()
            },
            "the user's words": cited(FORMS["user"], source="user-confirmed"),
            "a review": cited(FORMS["review"], source="user-confirmed"),
            "a review, linked": cited(
                "review <https://example.com/pull/7> ada", source="user-confirmed"
            ),
            "derived": cited(),
        },
    ),
    "E07": Rule(
        {how: cited(form) for how, form in NO_FORMS.items()},
        {how: cited(form) for how, form in FORMS.items()},
    ),
    "E08": Rule(
        {
            "a fact without body": body("semantic", ""),
            **{
                f"{label} {how}": body(
                    drawer, BODIES[drawer].replace(f"{label}:", instead)
                )
                for drawer in ("episodic", "procedural")
                for label in [
                    line.partition(":")[0]
                    for line in BODIES[drawer].splitlines()
                    if line
                ]
                for how, instead in (("missing", ""), ("in lower case", "what:"))
            },
            "empty lesson": body(
                "episodic", "Context: a\n\nAction: b\n\nResult: c\n\nLesson:\n"
            ),
            "lesson of emphasis marks": body(
                "episodic", "Context: a\n\nAction: b\n\nResult: c\n\n**Lesson:** __\n"
            ),
            "lesson followed by another part": body(
                "episodic", "Context: a\n\nLesson:\n\nAction: b\n\nResult: c\n"
            ),
            "lesson in a fence": body(
                "episodic",
                "Context: a\n\nAction: b\n\nResult: c\n\n```\nLesson: d\n```\n",
            ),
        },
        {
            "all": add("episodic", "a-case"),
            "bold": body(
                "episodic",
                "**Context:** a\n**Action**: b\n__Result:__ c\n*Lesson:* d\n",
            ),
            "list": body(
                "episodic", "- Context: a\n- Action: b\n- Result: c\n- Lesson: d\n"
            ),
            "headings": body(
                "episodic",
                "## Context:\n\na\n\n## Action:\n\nb\n\n## Result:\n\nc\n\n"
                "## Lesson:\n\nd\n",
            ),
            "steps in a list": body(
                "procedural",
                "When: now\n\nSteps:\n\n1. tag\n2. build\n\nVerify: ok\n\n"
                "Graduate-to: a skill\n",
            ),
        },
    ),
    "E09": Rule(
        {
            "81 lines of a desk": lines("working", 81),
            "31 lines of a fact": lines("semantic", 31),
            "41 lines of an episode": lines("episodic", 41),
            "41 lines of a procedure": lines("procedural", 41),
        },
        {
            "80 lines of a desk": lines("working", 80),
            "30 lines of a fact": lines("semantic", 30),
            "40 lines of an episode": lines("episodic", 40),
            "40 lines of a procedure": lines("procedural", 40),
        },
    ),
    "E10": Rule(
        {"four desks": both(*(add("working", f"desk-{n}") for n in "123"))},
        {"three desks": both(*(add("working", f"desk-{n}") for n in "12"))},
    ),
    "E11": Rule(
        {
            word: body("semantic", f"The port moved {word}.\n")
            for word in ("yesterday", "3 days ago", "last week", "昨天", "gestern")
        }
        | {"in the cue": add("semantic", "a-case", cue="what was decided yesterday")},
        {
            "in code": body("semantic", "Run `date --date yesterday` first.\n"),
            "in a fence": body("semantic", "```\nyesterday\n```\n"),
            "quoted": body("semantic", 'The button says "today".\n'),
            "in a longer word": body("semantic", "The todaybar; mayesterdays.\n"),
            "the user's words": cited('user 2026-09-09: "since yesterday"'),
            "on the desk": body("working", "Started yesterday.\n"),
        },
    ),
    "E12": Rule(
        {
            "nobody wrote it": body("semantic", "See [[no-such]].\n"),
            "in the header": add("semantic", "a-case", **{"superseded-by": "[[gone]]"}),
            "after one backtick": body("semantic", "The ` key, see [[no-such]].\n"),
        },
        {
            "there": body("semantic", "See [[health-port]] and [[a-case|this]].\n"),
            "in code": body("semantic", "Write `[[no-such]]`.\n"),
            "in a fence": body("semantic", "```\n[[no-such]]\n```\n"),
            "no slug": body("semantic", "if [[ -f x ]]; then\n"),
        },
    ),
    "E13": Rule(
        {
            "no colon": fact("- only words"),
            "key not ASCII": fact("- größe: 3"),
            "spaces in the key": fact("- the scope: here"),
            "no key": fact("- : here"),
            "a date goes on": fact("- when: 2026-01-01\n  or so"),
            "a date below its key": fact("- when:\n  2026-01-01"),
            "a word goes on at the margin": fact("- superseded-by: a\nb"),
            "a heading below a value": fact("- was: this\n## Notes"),
            "a quote below a value": fact("- was: this\n> that"),
            "no list mark": fact("xxwas: this"),
            "tab before the mark": fact("\t- was: this"),
            "nested": fact("- was: this\n  - so: that"),
        },
        {
            "value goes on": fact("- was: this\n  and that"),
            "value goes on at the margin": fact("- was: this\nand: that"),
            "value below its key": fact("- was:\n  this and that"),
            "long slug below its key": fact("- superseded-by:\n  health-port"),
        }
        | {
            value: fact(f"- was: {value}")
            for value in (
                "a: b: c",
                "fixes #12",
                "\u201ccurly\u201d",
                "tab\there",
                "{x: [y",
                "*bold* `code`",
                "- dash",
                "| pipe",
            )
        },
    ),
    "E15": Rule(
        {
            "an entry": cite("`.agents/memory/semantic/health-port.md`"),
            "an entry with lines": cite("`.agents/memory/episodic/a.md#L3`"),
            "a bank": cite("`memory-bank/activeContext.md`"),
            "Serena": cite("`.serena/memories/style.md`"),
            "Claude Code": cite("`.claude/memory/port.md`"),
            "Windsurf": cite("`.windsurf/memories/port.md`"),
            "MEMORY.md": cite("`docs/MEMORY.md`"),
            "another case": cite("`docs/Memory.md`"),
            "a way around": cite("`./.agents//memory/semantic/health-port.md`"),
        },
        {
            "AGENTS.md": cite("`AGENTS.md`"),
            "a file about memory": cite("`docs/memory-bank.md`"),
            "the protocol": cite("`.agents/skills/eco-mem/SKILL.md`"),
        },
    ),
    "I01": Rule(
        {
            "removed": drop(f"{SKILL}/SKILL.md"),
            "empty": put(f"{SKILL}/SKILL.md", ""),
        },
        {"edited": put(f"{SKILL}/SKILL.md", "# Ours\n")},
    ),
    "I02": Rule(
        {
            "edited": put(".claude/skills/eco-mem/SKILL.md", "# Ours\n"),
            "removed": drop(".claude/skills/eco-mem/SKILL.md"),
        },
        {
            "CRLF": lambda it: it.write(
                ".claude/skills/eco-mem/SKILL.md",
                it.path(f"{SKILL}/SKILL.md").read_bytes().replace(b"\n", b"\r\n"),
            ),
            "BOM": lambda it: it.write(
                ".claude/skills/eco-mem/SKILL.md",
                b"\xef\xbb\xbf" + it.path(f"{SKILL}/SKILL.md").read_bytes(),
            ),
        },
    ),
    "I03": Rule(
        {
            "removed": drop("AGENTS.md"),
            "no pointer": put("AGENTS.md", "# Project\n"),
            "a pipe": both(drop("AGENTS.md"), pipe("AGENTS.md")),
        },
        {
            "a link": both(put("NOTES.md", POINTER), link("AGENTS.md", "NOTES.md")),
            "CRLF and BOM": put("AGENTS.md", "\ufeff" + POINTER.replace("\n", "\r\n")),
        },
    ),
    "I04": Rule(
        {
            "all of .agents": ignored(".agents/\n"),
            "Markdown": ignored("*.md\n"),
            "a drawer": ignored("semantic\n"),
            "the protocol": ignored("SKILL.md\n"),
            "by the exclude file": ignored(".agents\n", ".git/info/exclude"),
            "by the package": ignored("*\n", f"{MEMORY}/.gitignore"),
            "with a copy behind a link": both(
                ignored(".agents/\n"),
                drop(".claude/skills"),
                link(".claude/skills", "../.agents/skills"),
            ),
        },
        {
            "desks": ignored(f"{W}/*\n!{W}/INDEX.md\n"),
            "other things": ignored("*.log\nbuild/\n"),
            "no repository": lambda it: it.write(".gitignore", ".agents/\n"),
        },
    ),
    "I05": Rule(
        {
            "removed": both(drop(f"{W}/.gitignore"), ignored("*.log\n")),
            "removed, nothing else ignored": both(
                drop(f"{W}/.gitignore"), lambda it: it.git("init", "--quiet")
            ),
            "emptied": both(put(f"{W}/.gitignore", ""), ignored("*.log\n")),
        },
        {
            "as laid down": ignored("*.log\n"),
            "by another rule": both(
                drop(f"{W}/.gitignore"), ignored(f"{W}/*\n!{W}/INDEX.md\n")
            ),
            "no repository": drop(f"{W}/.gitignore"),
        },
    ),
    "I06": Rule(
        {
            "removed": drop(f"{SKILL}/eco-mem.json"),
            "no JSON": put(f"{SKILL}/eco-mem.json", '{"hosts": [}'),
            "a list": put(f"{SKILL}/eco-mem.json", "[]"),
            "deep": put(f"{SKILL}/eco-mem.json", "[" * 100_000),
            "copies no list": lambda it: it.choices(copies=None),
            "a copy no path": lambda it: it.choices(copies=[1]),
            "expects a list": lambda it: it.choices(expects=["x"]),
            "expects no strings": lambda it: it.choices(expects={"AGENTS.md": [1]}),
            "bridges a number": lambda it: it.choices(bridges=3),
        },
        {"fewer keys": put(f"{SKILL}/eco-mem.json", '{"hosts": ["codex"]}')},
    ),
    "I07": Rule(
        {
            "setting missing": put(".codex/config.toml", "x = 1\n"),
            "file missing": drop(".codex/config.toml"),
            "bridge without pointer": put("CLAUDE.md", "# Mine\n"),
            "bridge empty": put("CLAUDE.md", ""),
        },
        {
            "no bridge": drop("CLAUDE.md"),
            "bridge is a link": link("CLAUDE.md", "AGENTS.md"),
        },
    ),
    "I08": Rule(
        {
            "below": folder(f"packages/web/{MEMORY}"),
            "above": both(
                lambda it: it.git("init", "--quiet", ".."), folder(f"../{MEMORY}")
            ),
        },
        {
            "in installed packages": folder(f"node_modules/x/{MEMORY}"),
            "above the repository": both(
                lambda it: it.git("init", "--quiet"), folder(f"../{MEMORY}")
            ),
            "in a worktree below": lambda it: [
                it.commit(),
                it.git("worktree", "add", "--quiet", "trees/topic"),
            ],
        },
    ),
    "I09": Rule(
        {"ignored copy": ignored(".claude/\n")},
        {"copy in git": ignored("*.log\n")},
    ),
    "I10": Rule(
        {
            "the protocol": put(f"{SKILL}/SKILL.md", CONFLICT),
            "a copy": put(".claude/skills/eco-mem/SKILL.md", CONFLICT),
            "a reference": put(f"{SKILL}/references/gate.md", CONFLICT),
            "a script": put(f"{SKILL}/scripts/ecomem/extra.py", CONFLICT),
            "a table": put(f"{SKILL}/scripts/ecomem/gate/extra.txt", CONFLICT),
            "the record": put(f"{SKILL}/eco-mem.json", CONFLICT),
            "longer markers": put(
                f"{SKILL}/SKILL.md", CONFLICT.replace("<" * 7, "<" * 20)
            ),
        },
        {
            "inside a line": put(f"{SKILL}/extra.md", "a <<<<<<< b\nc >>>>>>> d\n"),
            "one side": put(f"{SKILL}/extra.md", "<<<<<<< HEAD\n"),
        },
    ),
    "I11": Rule(
        {
            "of the commands": bytecode("scripts"),
            "of the library": bytecode("scripts/ecomem"),
            "of the gate": bytecode("scripts/ecomem/gate"),
        },
        {
            "untracked": both(
                lambda it: it.git("init", "--quiet"),
                put(f"{SKILL}/scripts/__pycache__/verify.pyc", b"x"),
            ),
            "of the project": both(
                lambda it: it.git("init", "--quiet"),
                put("src/__pycache__/a.pyc", b"x"),
                lambda it: it.git("add", "--force", "src"),
            ),
        },
    ),
}


def cases(kind: str) -> list[object]:
    """The examples of one kind as parameters, with readable names."""
    return [
        pytest.param(code, change, id=f"{code}: {how}")
        for code, rule in RULES.items()
        for how, change in getattr(rule, kind).items()
    ]


def ours() -> set[str]:
    """The codes of the families tested here."""
    return {code for code in rules_page() if code[0] in FAMILIES} - WHEN_WRITTEN


def test_every_rule_has_a_failing_and_a_passing_example() -> None:
    assert {
        code for code, rule in RULES.items() if rule.breaks and rule.keeps
    } == ours()


@pytest.fixture
def kept(tmp_path: Path) -> Project:
    return well_kept(tmp_path / "outer" / "project")


@pytest.mark.parametrize(("code", "change"), cases("breaks"))
def test_a_store_that_breaks_a_rule_is_told(
    kept: Project, code: str, change: Change
) -> None:
    change(kept)
    levels = {item.level for item in kept.judged() if item.code == code}
    assert levels == {rules_page()[code][0].partition("/")[0]}


@pytest.mark.parametrize(("code", "change"), cases("keeps"))
def test_a_store_that_keeps_a_rule_is_not_told(
    kept: Project, code: str, change: Change
) -> None:
    change(kept)
    assert [item for item in kept.judged() if item.code == code] == []


@pytest.mark.parametrize("drawer", DURABLE)
def test_an_empty_drawer_is_no_fault(tmp_path: Path, drawer: str) -> None:
    it = well_kept(tmp_path)
    for path in it.drawer(drawer).glob("[a-z]*.md"):
        path.unlink()
    it.rows(drawer, "")
    assert not {code for code in it.codes() if code[0] in "LC"}


def test_a_finding_points_at_the_line(kept: Project) -> None:
    path = kept.entry("semantic", "a-case", {"scope": ""})
    path.write_text(path.read_text("utf-8") + "\nIt moved yesterday.\n", "utf-8")
    lines = path.read_text("utf-8").splitlines()
    (told,) = [item for item in kept.judged() if item.code == "E11"]
    assert "yesterday" in lines[told.line - 1]


def test_the_place_of_an_undecodable_byte_is_told(kept: Project) -> None:
    kept.write(f"{S}/a-case.md", b"# A\n\n- cue: caf\xe9\n")
    assert [(i.path, i.line) for i in kept.judged() if i.code == "L09"] == [
        (f"{S}/a-case.md", 3)
    ]


def test_the_same_cue_is_told_of_both_entries(kept: Project) -> None:
    kept.entry("semantic", "a-case", {"cue": cue_of("health-port")})
    paths = {item.path for item in kept.judged() if item.code == "C11"}
    assert paths == {f"{S}/a-case.md", f"{S}/health-port.md"}


def test_drawers_behind_a_link_are_not_read(kept: Project, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    kept.drawer("semantic").rename(outside)
    kept.drawer("semantic").symlink_to(outside)
    (outside / "a-case.md").write_text("no title", "utf-8")
    assert [item.code for item in kept.judged() if f"{S}/" in item.path] == []
