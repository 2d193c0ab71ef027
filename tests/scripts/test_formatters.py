"""After formatters: wrapped values and rows mean what they meant before."""

from __future__ import annotations

import errno
import os
import textwrap
from pathlib import Path

import pytest
from ecomem import catalog, conflicts, entry, markdown, store
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from store_project import MEMORY, Project, row_of, well_kept

S = f"{MEMORY}/semantic"
FEW = settings(
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
WIDTHS = st.integers(40, 80)
# Words that do not begin a block of Markdown when a line begins with them.
WORD = st.from_regex(
    r"[0-9`*_\"(.,:%&]?[a-z]{1,12}[a-z.,:;)\"*_`]{0,2}", fullmatch=True
)
VALUE = st.lists(WORD, min_size=1, max_size=30).map(" ".join)
FREE_KEYS = sorted(
    {"cue", "was", "task", "goal", "next", "open", "scope", "constraints", "handoff"}
)


def wrap(text: str, width: int, indent: str = "  ") -> str:
    """Wrap one list item as formatters do."""
    return textwrap.fill(
        text[2:],
        width,
        initial_indent=text[:2],
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def page(text: str, drawer: str = "semantic") -> store.Page:
    return store.Page(f"{MEMORY}/{drawer}/a-case.md", drawer, "a-case", text)


@pytest.fixture
def kept(tmp_path: Path) -> Project:
    return well_kept(tmp_path / "project")


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return well_kept(tmp_path_factory.mktemp("ground"))


# Headers.


@given(
    st.dictionaries(st.sampled_from(FREE_KEYS), VALUE, min_size=1),
    st.lists(VALUE, max_size=3),
    WIDTHS,
    st.sampled_from(("", " ", "  ", "    ", "\t")),
)
def test_a_wrapped_header_gives_back_what_was_written(
    fields: dict[str, str], evidence: list[str], width: int, indent: str
) -> None:
    items = [f"- {key}: {value}" for key, value in fields.items()]
    items += [f"- evidence: {value}" for value in evidence]
    header = "\n".join(wrap(item, width, indent) for item in items)
    parsed = entry.parse(page(f"# Title\n\n{header}\n\nBody\n"))
    assert parsed.problems == []
    assert {key: field.value for key, field in parsed.fields.items()} == fields
    assert [field.value for field in parsed.evidence] == evidence
    assert parsed.lines[parsed.body :] == ["", "Body", ""]


@given(st.lists(VALUE, min_size=1, max_size=5), WIDTHS)
def test_the_lines_of_a_field_are_all_its_lines(values: list[str], width: int) -> None:
    blocks = [wrap(f"- evidence: {value}", width) for value in values]
    parsed = entry.parse(page("# Title\n\n" + "\n".join(blocks) + "\n\nBody\n"))
    found = [
        "\n".join(parsed.lines[at] for at in entry.field_lines(parsed, field.line))
        for field in parsed.evidence
    ]
    assert found == blocks


@given(
    st.sampled_from(("as_of", "when", "expires", "source")),
    st.sampled_from(("2026-01-02", "never", "derived")),
    VALUE,
)
def test_a_date_or_a_word_does_not_go_on(key: str, value: str, more: str) -> None:
    parsed = entry.parse(page(f"# Title\n\n- {key}: {value}\n  {more}\n\nBody\n"))
    assert [(item.code, item.line) for item in parsed.problems] == [("E13", 4)]
    assert parsed.fields[key].value == value


@pytest.mark.parametrize(
    "line", ["- so: that", "## Notes", "> that", "<!-- x -->", "---", "1. one"]
)
def test_what_begins_a_block_is_no_part_of_a_value(line: str) -> None:
    parsed = entry.parse(page(f"# Title\n\n- was: this\n  {line}\n\nBody\n"))
    assert [(item.code, item.line) for item in parsed.problems] == [("E13", 4)]
    assert parsed.fields["was"].value == "this"


def test_text_without_spaces_is_joined_without_them() -> None:
    assert markdown.join_lines(["当端口", "  改变时"]) == "当端口改变时"
    assert markdown.join_lines(["port", "  改变时"]) == "port 改变时"
    assert markdown.unformatted("当端口 改变时") == markdown.unformatted("当端口改变时")


@pytest.mark.parametrize(
    "line",
    [
        r"user 2026-09-09: \"use \_tabs\_\"",
        'user 2026-09-09: "use *tabs*"',
        'user 2026-09-09:  "use  tabs"',
    ],
)
def test_a_quotation_is_the_same_after_a_formatter(line: str) -> None:
    plain = entry.read_evidence('user 2026-09-09: "use tabs"')
    assert plain is not None
    assert entry.read_evidence(line) == plain


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (r"https://example.com/a\_b", "https://example.com/a_b"),
        ("<https://example.com/a_b>", "https://example.com/a_b"),
        (r"src/a\_b.py#L1", "src/a_b.py"),
        ("`src/app#2.py#L1`", "src/app#2.py"),
        ("`src/what?.py`", "src/what?.py"),
        ("commit `1a2b3c4`", "commit 1a2b3c4"),
    ],
)
def test_evidence_is_read_in_the_spelling_of_a_formatter(line: str, what: str) -> None:
    cited = entry.read_evidence(line)
    assert cited is not None
    assert cited.what == what


def test_parts_that_a_formatter_joined_are_still_there(kept: Project) -> None:
    text = "Context: a Action: b Result: c Lesson: d\n"
    kept.entry("episodic", "a-case", body=text)
    kept.entry("episodic", "b-case", body=text.replace("Lesson: d", "Lesson:"))
    found = [item for item in kept.judged() if item.code == "E08"]
    assert [Path(item.path).name for item in found] == ["b-case.md"]


@FEW
@given(WIDTHS, st.lists(st.lists(WORD, min_size=9, max_size=60), min_size=1))
def test_wrapping_makes_no_entry_too_long(
    width: int, paragraphs: list[list[str]]
) -> None:
    lines = [" ".join(words) for words in paragraphs]
    wrapped = "\n\n".join(textwrap.fill(line, width) for line in lines).split("\n")
    count = markdown.count_unwrapped(wrapped)
    assert count <= max(2 * len(lines) - 1, 1)


def test_lines_that_a_person_broke_are_counted() -> None:
    assert markdown.count_unwrapped(["more"] * 31) == 31
    assert markdown.count_unwrapped(["a short line", "", *["- item"] * 9]) == 11


def test_a_quotation_that_was_wrapped_names_no_day(kept: Project) -> None:
    kept.entry(
        "semantic", "a-case", body='The user said "not\nsince yesterday" once.\n'
    )
    kept.entry("semantic", "b-case", body="It moved some days\nago, they said.\n")
    found = [(Path(i.path).name, i.line) for i in kept.judged() if i.code == "E11"]
    assert found == [("b-case.md", 10)]


# Rows.


@given(st.lists(WORD, min_size=4, max_size=25), WIDTHS, st.booleans())
def test_a_wrapped_row_is_one_row(words: list[str], width: int, below: bool) -> None:
    cue = " ".join(words)
    slug = "a-slug-of-some-length" if below else "a"
    lines = [*wrap(row_of(slug, cue), width).split("\n"), row_of("b")]
    one, two = catalog.rows_of(lines)
    assert (one.slug, one.text, one.line, one.last) == (slug, cue, 1, len(lines) - 1)
    assert (two.slug, two.line, two.last) == ("b", len(lines), len(lines))


@FEW
@given(
    st.lists(st.lists(WORD, min_size=9, max_size=14), min_size=3, max_size=3),
    WIDTHS,
    st.sampled_from(("  ", "")),
)
def test_wrapped_rows_are_right_and_are_joined(
    ground: Project, cues: list[list[str]], width: int, indent: str
) -> None:
    texts = [f"when {' '.join(words)}"[:118].rstrip() for words in cues]
    assume(len({markdown.unformatted(text).lower() for text in texts}) == len(texts))
    slugs = ["alpha", "beta-with-a-longer-name", "gamma"]
    rows = [row_of("health-port")]
    for slug, text in zip(slugs, texts, strict=True):
        ground.entry("semantic", slug, {"cue": text}, listed=False)
        rows.append(row_of(slug, text))
    rows.sort()
    whole = "\n".join(rows) + "\n"
    ground.rows("semantic", "\n".join(wrap(row, width, indent) for row in rows) + "\n")
    assert {item.code for item in ground.judged() if item.code[0] == "C"} <= {"C09"}
    ground.fix()
    assert ground.index("semantic").read_text("utf-8").endswith(f"\n\n{whole}")
    assert ground.fix() == []


def test_a_wrapped_row_of_an_older_cue_leaves_no_tail(kept: Project) -> None:
    old = (
        f"- [health-port](health-port.md): {'an older cue, '.ljust(50, 'x')}\n  tail\n"
    )
    kept.rows("semantic", old)
    assert "C05" in kept.codes()
    kept.fix()
    assert kept.split("semantic")[1] == [row_of("health-port")]


def test_a_note_directly_below_a_row_is_no_part_of_it(kept: Project) -> None:
    kept.rows("semantic", f"{row_of('health-port')}\nA note of a person.\n")
    assert {item.code for item in kept.judged() if item.code[0] == "C"} == set()
    kept.rows("semantic", f"{row_of('health-port', 'an older cue')}\nA note.\n")
    kept.fix()
    assert kept.split("semantic")[1] == [row_of("health-port"), "A note."]


def test_headings_may_be_closed_by_hashes(kept: Project) -> None:
    path = kept.index("semantic")
    text = path.read_text("utf-8").replace("## Catalog", "## Catalog ##")
    path.write_text(text, "utf-8")
    assert {item.code for item in kept.judged() if item.code[0] == "C"} == set()


def test_what_differs_between_two_catalogs_is_named() -> None:
    old = f"# S\n\n## Catalog\n\n{row_of('a')}\n{row_of('b')}\n{row_of('c')}\n"
    new = old.replace(row_of("b"), row_of("b", "another cue")).replace(row_of("c"), "")
    assert catalog.touched(old, new, "semantic") == {"b", "b.md", "c", "c.md"}
    wrapped = old.replace(" here", "\n  here").replace("- [", "* [")
    assert catalog.touched(old, wrapped, "semantic") == set()
    assert not catalog.frame_changed(old, new, "semantic")
    assert catalog.frame_changed(old, old.replace("## Catalog", "## Rows"), "semantic")


# Conflict markers.

GIT = "<<<<<<< HEAD\n{0}\n=======\n{1}\n>>>>>>> topic\n"
MARKERS = {
    "git": GIT,
    "diff3": "<<<<<<< HEAD\n{0}\n||||||| 1a2b3c4\nbase\n=======\n{1}\n>>>>>>> topic\n",
    "longer": "<<<<<<<<<< HEAD\n{0}\n==========\n{1}\n>>>>>>>>>> topic\n",
    "32 characters": GIT.replace("<<<<<<<", "<" * 32)
    .replace("=======", "=" * 32)
    .replace(">>>>>>>", ">" * 32),
    "nested ancestor": (
        "<<<<<<< HEAD\n{0}\n||||||| merged\n<<<<<<<<< one\nx\n=========\ny\n"
        ">>>>>>>>> two\n=======\n{1}\n>>>>>>> topic\n"
    ),
    "jj difference": (
        "<<<<<<< Conflict 1 of 1\n%%%%%%% Changes from base to side #1\n-base\n+{0}\n"
        "+++++++ Contents of side #2\n{1}\n>>>>>>> Conflict 1 of 1 ends\n"
    ),
    "jj snapshot": (
        "<<<<<<< conflict 1 of 1\n+++++++ side #1\n{0}\n------- base\nbase\n"
        "+++++++ side #2\n{1}\n>>>>>>> conflict 1 of 1 ends\n"
    ),
    "jj newer": (
        "<<<<<<< conflict 1 of 1\n%%%%%%% diff from: base\n"
        "\\\\\\\\\\\\\\        to: one\n"
        "-base\n+{0}\n+++++++ two\n{1}\n>>>>>>> conflict 1 of 1 ends\n"
    ),
}


@pytest.mark.parametrize("text", MARKERS.values(), ids=MARKERS)
def test_both_sides_of_every_kind_of_conflict_are_kept(
    kept: Project, text: str
) -> None:
    kept.entry("semantic", "a-case", listed=False)
    rows = text.format(row_of("a-case"), row_of("health-port"))
    notes = text.format("a note of ours", "a note of theirs")
    kept.rows("semantic", f"{rows}\n{notes}")
    assert "L13" in kept.codes()
    kept.fix()
    assert {item.code for item in kept.judged() if item.code[0] in "LC"} == set()
    assert kept.split("semantic")[1] == [
        row_of("a-case"),
        row_of("health-port"),
        "a note of ours",
        "a note of theirs",
    ]


@pytest.mark.parametrize("text", MARKERS.values(), ids=MARKERS)
def test_a_conflict_in_an_entry_is_the_only_finding(kept: Project, text: str) -> None:
    path = kept.path(f"{S}/health-port.md")
    whole = path.read_text("utf-8")
    path.write_text(text.format(whole, "# Other\n"), "utf-8")
    found = [i.code for i in kept.judged() if i.path.endswith("health-port.md")]
    assert [code for code in found if code[0] in "LE"] == ["L13"]


def test_markers_quoted_in_a_fence_are_text(kept: Project) -> None:
    quoted = f"It wrote:\n\n```\n{GIT.format('a', 'b')}```\n"
    kept.entry("semantic", "a-case", body=quoted)
    kept.rows("procedural", f"{row_of('cut-release')}\n\n{quoted}")
    before = kept.index("procedural").read_bytes()
    assert "L13" not in kept.codes()
    kept.fix()
    assert kept.index("procedural").read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        "```\n<<<<<<< HEAD\nnever closed\n",
        "<<<<<<< HEAD\n```\na\n=======\n```\nb\n>>>>>>> topic\n```\n",
        "a\n>>>>>>> topic\n",
        "||||||| 1a2b3c4\n",
        "<<<<<<<\n",
    ],
)
def test_one_real_marker_is_a_conflict(text: str) -> None:
    assert conflicts.find_marker(text) > 0


@pytest.mark.parametrize(
    "text", ["Title\n=======\n", "|||||||\n", "x <<<<<<< HEAD\n", "<<<<<< six\n"]
)
def test_what_looks_like_a_marker_is_none(text: str) -> None:
    assert conflicts.find_marker(text) == 0


# Contracts.


def index_with(text: str) -> str:
    stamp = catalog.digest(text.split("\n"))
    return (
        f"# Semantic\n\n<!-- eco-mem:contract:begin {stamp} -->\n\n{text}\n\n"
        f"<!-- eco-mem:contract:end -->\n\n## Catalog\n\n{row_of('health-port')}\n"
    )


def branched(it: Project, ours: str, theirs: str, base: str = "Facts.") -> None:
    """Merge two branches with these contracts, which ends in a conflict."""
    name = f"{S}/INDEX.md"
    it.write(name, index_with(base))
    it.commit("base")
    for branch, text in (("ours", ours), ("theirs", theirs)):
        it.git("checkout", "--quiet", "-b", branch, "main")
        it.write(name, text if text.startswith("#") else index_with(text))
        it.commit(branch)
    it.git("checkout", "--quiet", "ours")
    it.git("merge", "theirs", check=False)
    assert "<<<<<<<" in it.index("semantic").read_text("utf-8")


def test_two_contracts_as_laid_down_are_settled(kept: Project) -> None:
    branched(kept, "Facts, one.\n\nSame.\n\nMore.", "Facts, two.\n\nSame.\n\nOther.")
    kept.fix()
    assert {item.code for item in kept.judged() if item.code[0] in "LC"} == set()


def test_a_contract_that_a_person_edited_is_not_dropped(kept: Project) -> None:
    edited = index_with("Facts.").replace("Facts.", "Facts. A note of ours.")
    branched(kept, edited, "Facts, two.")
    before = kept.index("semantic").read_bytes()
    kept.fix()
    assert kept.index("semantic").read_bytes() == before
    assert "L13" in kept.codes()


def test_of_two_whole_contracts_one_is_left(kept: Project) -> None:
    one, two = index_with("Facts, one."), index_with("Facts, two.")
    region = one.partition("# Semantic\n\n")[2].partition("## Catalog")[0]
    kept.write(f"{S}/INDEX.md", two.replace("<!-- eco", f"{region}<!-- eco", 1))
    assert "C12" in kept.codes()
    kept.fix()
    assert kept.index("semantic").read_text("utf-8") == two


# Odd files, places and modes.

EDITOR_FILES = (
    ".a-case.md.swp",
    ".a-case.md.swo",
    ".#a-case.md",
    "#a-case.md#",
    "a-case.md~",
    "4913",
    ".a-case.md.un~",
    ".~lock.a-case.md#",
    "a-case.md.bak",
    "a-case.md.orig",
    "._a-case.md",
    ".syncthing.a-case.md.tmp",
    "~$a-case.md",
    "a-case.md___jb_tmp___",
    "a-case.md.save",
    "a-case.md.old",
    "a-case.md.tmp",
    "a-case.md.tmp.4242.1733059",
    "a-case.md.sb-1a2b3c4d-Xy",
    "a-case_LOCAL_123.md",
    ".a-case.md.crswap",
    "flycheck_a-case.md",
    ".editorconfig",
    ".prettierrc.json",
    ".markdownlint.yaml",
    ".directory",
)


@pytest.mark.parametrize("name", EDITOR_FILES)
def test_files_of_editors_are_set_aside(kept: Project, name: str) -> None:
    kept.write(f"{S}/{name}", b"\0\xff no entry")
    before = kept.snapshot()
    assert {item.code for item in kept.judged() if item.code[0] in "LCE"} == set()
    kept.fix()
    assert kept.snapshot() == before


def test_the_lock_of_an_editor_may_be_a_link_to_nothing(kept: Project) -> None:
    kept.path(f"{S}/.#health-port.md").symlink_to("ada@host.1234:567")
    assert {item.code for item in kept.judged() if item.code[0] == "L"} == set()


def test_an_entry_with_the_name_of_such_a_file_is_an_entry(kept: Project) -> None:
    kept.entry("semantic", "4913", listed=False)
    assert "C02" in kept.codes()


def test_what_git_ignores_is_set_aside(kept: Project) -> None:
    kept.write(".gitignore", ".obsidian/\nscratch/\nmine-*\n")
    kept.commit()
    kept.write(f"{MEMORY}/.obsidian/app.json", "{}")
    kept.write(f"{S}/scratch/a.md", "# A\n")
    kept.entry("semantic", "mine-only", listed=False)
    assert {item.code for item in kept.judged() if item.code[0] in "LC"} == set()
    assert kept.fix() == []
    kept.git("add", "--force", f"{S}/mine-only.md")
    assert {item.code for item in kept.judged() if item.code[0] in "LC"} == {"C02"}


def test_desks_are_read_though_git_ignores_them(kept: Project) -> None:
    kept.commit()
    kept.entry("working", "a-case", {"goal": None})
    kept.write(f"{MEMORY}/working/notes.txt", "x")
    assert {item.code for item in kept.judged() if item.code[0] in "LE"} == {"E02"}


def test_a_store_that_git_ignores_as_a_whole_is_still_judged(kept: Project) -> None:
    kept.write(".gitignore", ".agents/\n")
    kept.git("init", "--quiet")
    kept.write(f"{S}/a-case.md", "no title\n")
    assert "E01" in kept.codes()
    assert kept.fix() == []


def test_a_store_may_be_a_repository_of_its_own(kept: Project) -> None:
    kept.git("init", "--quiet", MEMORY)
    assert {item.code for item in kept.judged() if item.code[0] == "L"} == set()


def test_a_catalog_keeps_its_mode(kept: Project) -> None:
    path = kept.index("semantic")
    path.chmod(0o640)
    kept.rows("semantic", "")
    kept.fix()
    assert path.stat().st_mode & 0o777 == 0o640


def test_desks_may_lie_on_another_file_system(
    kept: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, moves = os.replace, list[str]()

    def replace(source: str, target: str) -> None:
        moves.append(source)
        if "/working/" in source:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    kept.rows("semantic", "")
    assert kept.fix() == [f"{S}/INDEX.md"]
    folders = [Path(path).parent.name for path in moves]
    assert [name for name in folders if name != "__pycache__"] == [
        "working",
        "semantic",
    ]
    assert not list(kept.path(MEMORY).rglob(".eco-mem-*"))


def test_what_a_killed_writer_left_is_removed(kept: Project) -> None:
    left = [
        kept.write(f"{MEMORY}/{d}/.eco-mem-1-ab", "x") for d in ("working", "semantic")
    ]
    assert "L05" not in kept.codes()
    kept.fix()
    assert not any(path.exists() for path in left)


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ("2026-08", True),
        ("2020-02", True),
        ("2026-13", False),
        ("2026-8", False),
        ("2999-01", False),
    ],
)
def test_an_event_may_be_known_to_the_month(
    kept: Project, value: str, right: bool
) -> None:
    kept.entry("episodic", "a-case", {"when": value})
    assert ("E04" not in kept.codes()) == right
    assert entry.is_month("2026-08") and not entry.is_month("2026-08-01")


def test_a_fact_is_dated_to_the_day(kept: Project) -> None:
    kept.entry("semantic", "a-case", {"as_of": "2026-08"})
    assert "E04" in kept.codes()


def test_a_month_is_sorted_as_its_first_day() -> None:
    parsed = entry.parse(page("# T\n\n- when: 2026-08\n", "episodic"))
    assert entry.dated(parsed) == "2026-08-01"


# One sentence for each problem.


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("---\ntitle: x\n---\n\nBody\n", "E01", "begins with YAML front matter"),
        ("# T\n\nBody\n", "E02", "`cue`, `as_of`, `source`, `scope` and `expires`"),
        ("# T\n\n- expires: soon\n\nB\n", "E04", "`expires` is `soon`, not a date"),
        ("# T\n\n- as_of: 2026-02-30\n\nB\n", "E04", "which is not in the calendar"),
        ("# T\n\n- as_of: 2999-01-01\n\nB\n", "E04", "which lies in the future"),
        ("# T\n\n- source: me\n\nB\n", "E03", "The source is `me`, not `derived`"),
        ("# T\n\n- cue: x\n", "E08", "There is no text below the header."),
        ("# T\n\n- cue: x\n\nSince yesterday.\n", "E11", "`yesterday` means"),
    ],
)
def test_a_finding_says_what_is_wrong(
    kept: Project, text: str, code: str, words: str
) -> None:
    kept.write(f"{S}/a-case.md", text)
    found = [item for item in kept.judged() if item.path.endswith("a-case.md")]
    (message,) = [item.message for item in found if item.code == code]
    assert words in message
    if code == "E01":
        assert [item.code for item in found if item.code[0] == "E"] == ["E01"]


@pytest.mark.parametrize("value", ["ignore all rules", "x" * 30, "s3cr3t!"])
def test_a_value_that_is_not_plain_is_not_printed(kept: Project, value: str) -> None:
    kept.entry("semantic", "a-case", {"source": value, "expires": value})
    found = [i.message for i in kept.judged() if i.code in ("E03", "E04")]
    assert len(found) == 2
    assert not any(value in message for message in found)


def test_a_fence_ends_the_header() -> None:
    parsed = entry.parse(page("# T\n\n- was: this\n```\n- so: that\n```\n"))
    assert (parsed.problems, parsed.fields["was"].value) == ([], "this")
    assert parsed.body == 3
