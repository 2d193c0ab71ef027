"""The parsers of headers and catalogs: any text at all, and back again."""

from __future__ import annotations

from datetime import date

import blocks
from ecomem import catalog, entry, markdown, store
from hypothesis import example, given
from hypothesis import strategies as st
from store_project import DRAWERS, DURABLE, cue_of, row_of

MARKDOWN = st.text("#- *+_`~<>[]()!|=:\\\"'&/.ab1\n\r\t\u00a0\u2028記\0")
ANY_TEXT = st.one_of(st.text(), MARKDOWN)
LINE = st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]))
SLUG = st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}", fullmatch=True).filter(
    store.is_slug
)
KEY = st.from_regex(r"[a-z_-]{1,12}", fullmatch=True).filter(
    lambda key: key not in ("evidence",)
)
VALUE = LINE.map(str.strip).filter(bool)


def page(text: str, drawer: str = "semantic") -> store.Page:
    """A page of the store with this text, as the store hands it on."""
    decoded = store.decode(text.encode("utf-8", "replace").replace(b"\0", b""))
    return store.Page(f".agents/memory/{drawer}/a-case.md", drawer, "a-case", decoded)


# Headers.


@given(ANY_TEXT, st.sampled_from(DRAWERS))
def test_any_text_may_be_an_entry(text: str, drawer: str) -> None:
    parsed = entry.parse(page(text, drawer))
    told = list(entry.check(parsed, "2026-01-01"))
    entry.links(parsed)
    assert all(1 <= item.line <= len(parsed.lines) + 1 for item in told)


@given(st.dictionaries(KEY, VALUE, min_size=1), st.sampled_from(("- ", "* ", "+ ")))
def test_a_header_gives_back_what_was_written(
    fields: dict[str, str], mark: str
) -> None:
    lines = [f"{mark}{key}: {value}" for key, value in fields.items()]
    parsed = entry.parse(page("# Title\n\n" + "\n".join(lines) + "\n\nBody\n"))
    assert {key: field.value for key, field in parsed.fields.items()} == fields
    assert [field.line for field in parsed.fields.values()] == [
        at + 3 for at in range(len(fields))
    ]
    assert parsed.lines[parsed.body :] == ["", "Body", ""]


@given(st.dictionaries(KEY, VALUE, min_size=1), st.lists(VALUE, max_size=4))
def test_evidence_is_kept_line_by_line(
    fields: dict[str, str], evidence: list[str]
) -> None:
    lines = [f"- {key}: {value}" for key, value in fields.items()]
    lines[1:1] = [f"- evidence: {value}" for value in evidence]
    parsed = entry.parse(page("# Title\n\n" + "\n".join(lines) + "\n"))
    assert [field.value for field in parsed.evidence] == evidence
    assert "evidence" not in parsed.fields


@given(ANY_TEXT)
def test_line_ends_and_a_bom_parse_alike(text: str) -> None:
    plain = page(text)
    unix = plain.text.encode()
    dressed = b"\xef\xbb\xbf" + unix.replace(b"\n", b"\r\n")
    again = plain._replace(text=store.decode(dressed))
    if not plain.text.startswith("\ufeff"):
        assert entry.parse(again) == entry.parse(plain)


@given(LINE)
@example('user 2026-09-09: "tabs"')
@example("`a b.md#L1-L2` sha:1a2b3c4d")
def test_any_line_may_be_evidence(line: str) -> None:
    cited = entry.read_evidence(line)
    assert cited is None or cited.kind in ("commit", "user", "review", "url", "path")


@given(
    st.from_regex(r"[a-z][a-z0-9_]{0,8}(/[a-z][a-z0-9_.]{0,8}){0,3}", fullmatch=True),
    st.integers(1, 999),
    st.integers(0, 99),
)
def test_a_cited_path_gives_back_its_lines(path: str, first: int, more: int) -> None:
    cited = entry.read_evidence(f"`{path}#L{first}-L{first + more}` sha:0123abcd")
    assert cited is not None
    assert (cited.kind, cited.first, cited.last) == ("path", first, first + more)
    assert cited.sha == "0123abcd"


@given(st.dates())
def test_every_date_is_a_date(day: date) -> None:
    assert entry.is_date(day.isoformat())


@given(st.one_of(LINE, st.from_regex(r"\d{4}-\d{2}-\d{2}")))
@example("2026-02-30")
@example("2026\n01-01")
@example("\u0662\u0660\u0662\u0666-01-01")
def test_nothing_but_a_date_is_a_date(text: str) -> None:
    try:
        right = date.fromisoformat(text).isoformat() == text
    except ValueError:
        right = False
    assert entry.is_date(text) == right


@given(st.lists(st.sampled_from(("```", "~~~~", "<!--", "-->", "> ```", "x", ""))))
def test_what_is_hidden_is_told_by_line(lines: list[str]) -> None:
    hidden = markdown.masked(lines)
    assert hidden <= set(range(len(lines)))
    assert markdown.masked(["", *lines, ""]) - {len(lines) + 1} == {
        at + 1 for at in hidden
    }


# Catalogs.


@given(ANY_TEXT, st.sampled_from(DURABLE))
def test_any_text_may_be_a_catalog(text: str, drawer: str) -> None:
    lines = page(text).text.split("\n")
    for place in catalog.sections(lines, drawer):
        for start, stop in place.spans:
            assert 0 <= start < stop <= len(lines)
        for row in place.rows:
            assert any(start < row.line - 1 < stop for start, stop in place.spans)


@given(LINE)
@example("- [a](")
@example("- [](<")
@example("- [a]()")
@example("- [a](%")
def test_any_line_may_be_a_row(line: str) -> None:
    row = catalog.read_row(line, 1)
    assert row is None or row.line == 1


@given(SLUG, VALUE)
def test_a_row_gives_back_what_was_written(slug: str, text: str) -> None:
    row = catalog.read_row(row_of(slug, text), 7)
    assert row is not None
    assert (row.line, row.name, row.slug, row.tidy) == (7, slug, slug, True)
    assert markdown.unformatted(row.text) == markdown.unformatted(text)


@given(
    SLUG,
    st.sampled_from(
        ("./{}.md", "<{}.md>", "<./{}.md>", "{}.md#x", '{}.md "t"', "{}.md?")
    ),
    st.sampled_from(("- ", "* ", "+ ", " - ", "   - ", "-  ", "-    ")),
)
def test_every_spelling_of_a_row_names_the_same_entry(
    slug: str, link: str, mark: str
) -> None:
    row = catalog.read_row(f"{mark}[{slug}]({link.format(slug)}): {cue_of(slug)}", 1)
    assert row is not None
    assert (row.slug, row.text, row.tidy) == (slug, cue_of(slug), False)


@given(SLUG, VALUE, st.booleans())
def test_the_row_made_from_an_entry_is_the_row_it_should_have(
    slug: str, cue: str, derived: bool
) -> None:
    source = "\n- source: derived" if derived else ""
    parsed = entry.parse(page(f"# T\n\n- cue: {cue}{source}\n")._replace(name=slug))
    row = catalog.read_row(row_of(slug, parsed.row), 1)
    assert row is not None
    assert catalog.same_row(row, parsed)


@given(LINE)
def test_a_link_has_one_spelling(link: str) -> None:
    once = catalog.canonical(link)
    assert isinstance(once, str)
    assert not once.startswith("./")


@given(LINE, st.sampled_from("*_`\\"))
def test_formatting_marks_are_not_compared(text: str, mark: str) -> None:
    assert markdown.unformatted(f" {mark}{text}{mark}  ") == markdown.unformatted(text)


@given(st.text("#-+*_`\\ .:ab1\n\t"))
@example("-x\n--- \n+1\n- - a\n* **b**\n")
def test_the_contract_has_the_hash_that_the_template_stamps(text: str) -> None:
    """Both sides must agree, or an untouched contract is told to be edited."""
    assert catalog.digest(text.split("\n")) == blocks.digest(text)


# Names.


@given(SLUG)
def test_a_slug_is_a_slug(slug: str) -> None:
    assert store.is_slug(slug)
    assert not store.is_slug(f"{slug}-")
    assert not store.is_slug(slug.upper()) or slug.upper() == slug


@given(LINE)
def test_whatever_is_a_slug_is_safe_as_a_file_name(name: str) -> None:
    if store.is_slug(name):
        assert name.isascii() and name == name.lower()
        assert not set(name) & set('./\\:*?"<>| \n')


@given(st.binary())
def test_any_bytes_decode_or_are_refused(data: bytes) -> None:
    try:
        text = store.decode(data)
    except ValueError:
        return
    assert "\r" not in text and "\0" not in text
