"""Faults that a short check misses: the classic holes, and the nastiest inputs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from store_project import (
    MEMORY,
    SKILL,
    Project,
    cue_of,
    in_days,
    row_of,
    well_kept,
)

S = f"{MEMORY}/semantic"
ROW = row_of("health-port")
NOISE = ("<<<<<<< HEAD\n", "=======\n", ">>>>>>> topic\n")


@pytest.fixture
def kept(tmp_path: Path) -> Project:
    return well_kept(tmp_path / "project")


def about(it: Project, *families: str) -> list[str]:
    """The codes of these families that a store gets, sorted."""
    return sorted(item.code for item in it.judged() if item.code[0] in families)


def odd_entry(it: Project, name: str, target: str) -> None:
    """Give the store an entry whose name is no slug, and a row that links it so."""
    text = it.path(f"{S}/health-port.md").read_text("utf-8")
    cue = "what an odd name does"
    it.write(f"{S}/{name}.md", text.replace(cue_of("health-port"), cue))
    it.rows("semantic", "\n".join(sorted([ROW, f"- [{name}]({target}): {cue}"])))


def test_v1_a_clone_without_the_desks_is_clean(kept: Project, tmp_path: Path) -> None:
    kept.commit()
    kept.git("clone", "--quiet", ".", str(tmp_path / "clone"))
    clone = Project(tmp_path / "clone")
    assert not clone.drawer("working").joinpath("move-sessions.md").exists()
    assert about(clone, "L", "C", "E", "I") == []


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("two words", "<two words.md>"),
        ("two words", "two%20words.md"),
        ("a-(1)", "a-(1).md"),
        ("a-(1)", "<a-(1).md>"),
        ("a-(1)", "a-%281%29.md"),
    ],
    ids=["v2 angles", "v3 percent", "parentheses", "in angles", "escaped"],
)
def test_v2_v3_a_link_is_read_in_any_spelling(
    kept: Project, name: str, target: str
) -> None:
    odd_entry(kept, name, target)
    assert about(kept, "L", "C") == ["L11"]


def test_v4_a_link_may_begin_with_dot_slash(kept: Project) -> None:
    kept.rows("semantic", ROW.replace("(", "(./") + "\n")
    assert about(kept, "L", "C") == []


def test_v5_an_orphan_in_a_subfolder_is_found(kept: Project) -> None:
    kept.write(f"{S}/ports/orphan.md", "# Orphan\n")
    assert about(kept, "L", "C") == ["L04"]


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{ROW}\n```\n",
        f"<!--\n{ROW}\n-->\n",
        f"~~~\n```\n{ROW}\n~~~\n",
        f"> {ROW}\n",
        f"<details>\n<!-- {ROW}\n{ROW} -->\n</details>\n",
    ],
    ids=["v6 fence", "v7 comment", "nested fence", "quote", "comment in details"],
)
def test_v6_v7_what_only_looks_like_a_row_is_none(kept: Project, text: str) -> None:
    kept.rows("semantic", text)
    assert about(kept, "C") == ["C02"]


def test_v8_prose_is_no_row(kept: Project) -> None:
    path = kept.index("semantic")
    text = path.read_text("utf-8").replace(
        "## Catalog", "The old rule was in gone.md before [it](gone.md).\n\n## Catalog"
    )
    path.write_text(text + "\nAnd in gone.md, see [[gone]].\n", "utf-8")
    assert about(kept, "C") == []


def test_v9_a_file_listed_twice_is_found(kept: Project) -> None:
    kept.rows("semantic", f"{ROW}\n- [the port](health-port.md): other words\n")
    assert "C03" in about(kept, "C")


@pytest.mark.parametrize("mark", [NOISE[0], NOISE[2]])
def test_v10_one_conflict_marker_is_enough(kept: Project, mark: str) -> None:
    kept.rows("semantic", f"{mark}{ROW}\n")
    assert about(kept, "L") == ["L13"]


def test_v11_an_entry_that_is_a_link_is_found_and_not_followed(
    kept: Project, tmp_path: Path
) -> None:
    (tmp_path / "outside.md").write_bytes(b"\xff no entry")
    kept.path(f"{S}/a-case.md").symlink_to(tmp_path / "outside.md")
    assert about(kept, "L", "E") == ["L10"]


def test_v12_an_empty_entry_is_found(kept: Project) -> None:
    kept.write(f"{S}/health-port.md", "")
    assert about(kept, "L", "C", "E") == ["L06"]


def test_v13_an_orphan_with_another_ending_is_found(kept: Project) -> None:
    kept.write(f"{S}/a.MD", "# A\n")
    assert about(kept, "L") == ["L05"]


def test_v14_a_cue_may_name_the_index(kept: Project) -> None:
    kept.entry("semantic", "a-case", {"cue": "when INDEX.md and a.md are read"})
    assert about(kept, "L", "C") == []


def test_v15_a_byte_that_is_no_text_is_a_finding(kept: Project) -> None:
    data = kept.index("semantic").read_bytes()
    kept.index("semantic").write_bytes(data + b"caf\xe9\n")
    (told,) = [item for item in kept.judged() if item.code == "L09"]
    assert told.path == f"{S}/INDEX.md"
    assert told.line == data.count(b"\n") + 1


def test_v16_the_locale_does_not_matter(kept: Project) -> None:
    kept.entry("semantic", "a-case", {"cue": "当端口改变时要检查什么事情"})
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = kept.verify(env=plain)
    assert (run.code, run.told, run.err) == (0, [], "")


def test_v17_a_row_may_spell_a_name_in_its_other_unicode_form(kept: Project) -> None:
    odd_entry(kept, "cafe\u0301", "caf\u00e9.md")
    assert about(kept, "L", "C") == ["L11"]


def test_v18_the_contract_is_no_finding_and_the_exit_code_counts(
    kept: Project,
) -> None:
    assert kept.verify().code == 0
    kept.write(f"{S}/orphan.md", "# Orphan\n")
    assert kept.verify().code == 1


# The nastiest inputs, by their usual number.


@pytest.mark.parametrize(
    "value",
    ["a: b: c", "fixes #12", "\u201ccurly\u201d", "a\tb", "null", "no", "2026-01-02"],
)
def test_n5_a_value_is_plain_text_to_the_end_of_its_line(
    kept: Project, value: str
) -> None:
    cue = f"when it says {value}"
    kept.entry("semantic", "a-case", {"cue": cue, "scope": value})
    assert about(kept, "L", "C", "E") == []


def test_n5_rules_and_headings_in_a_body_are_body(kept: Project) -> None:
    text = "Text\n----\n\n---\n\n- source: nonsense\n\n```\n- source: nonsense\n```\n"
    kept.entry("semantic", "a-case", body=text)
    assert about(kept, "L", "C", "E") == []


def test_n3_a_catalog_after_a_union_merge_is_told_and_repaired(kept: Project) -> None:
    kept.rows(
        "semantic", f"{ROW}\n{row_of('health-port', 'old')}\n\n## Catalog\n{ROW}\n"
    )
    assert {"C03", "C06"} <= set(about(kept, "C"))
    kept.fix()
    assert about(kept, "L", "C") == []


def test_n3_conflict_markers_in_a_header_are_told(kept: Project) -> None:
    path = kept.entry("semantic", "a-case")
    text = path.read_text("utf-8")
    cue = f"- cue: {cue_of('a-case')}\n"
    both = f"{NOISE[0]}{cue}{NOISE[1]}- cue: another cue of it\n{NOISE[2]}"
    path.write_text(text.replace(cue, both), "utf-8")
    assert "L13" in about(kept, "L")


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "BOM"])
def test_n4_line_ends_and_a_bom_change_nothing(
    kept: Project, end: str, mark: bytes
) -> None:
    for path in kept.path(MEMORY).rglob("*.md"):
        path.write_bytes(mark + path.read_bytes().replace(b"\n", end.encode()))
    assert about(kept, "L", "C", "E") == []


def test_n4_mixed_line_ends_change_nothing(kept: Project) -> None:
    for path in kept.path(MEMORY).rglob("*.md"):
        lines = path.read_bytes().split(b"\n")
        ends = (b"\n", b"\r\n")
        data = b"".join(line + ends[at % 2] for at, line in enumerate(lines[:-1]))
        path.write_bytes(data)
    assert about(kept, "L", "C", "E") == []


def test_n4_a_fence_may_close_at_the_end_of_the_file(kept: Project) -> None:
    kept.rows("semantic", f"{ROW}\n\n```\n- [x](x.md): no row\n```")
    assert about(kept, "L", "C") == []


@pytest.mark.parametrize(
    "text",
    [
        "- [a](a.md) [b](b.md): two\n",
        "- [a][b]\n",
        "- [[a]]\n",
        "- a.md\n",
        "- [ ] [a](a.md)\n",
        "- [a](a.md\n",
        "- [a]\n",
        "- [](): nothing\n",
        "- [a](<a.md): open\n",
        '- [a](a.md "t)\n',
        "- [a](%zz%): escape\n",
    ],
)
def test_n6_broken_links_break_nothing(kept: Project, text: str) -> None:
    kept.rows("semantic", text + ROW + "\n")
    assert set(about(kept, "C")) <= {"C01", "C18"}


@pytest.mark.parametrize(
    "slug", ["../x", "/etc/x", "%2e%2e%2f", "..\\x", ".", "semantic/.", "x" * 5000]
)
def test_n10_what_is_no_slug_cannot_be_asked_for(kept: Project, slug: str) -> None:
    run = kept.verify(slug)
    assert (run.code, run.out) == (2, "")
    assert "Traceback" not in run.err


@pytest.mark.parametrize("zone", ["UTC+8", "UTC-13", "UTC"])
def test_n12_a_date_of_a_zone_ahead_is_accepted(kept: Project, zone: str) -> None:
    """`UTC+8` is eight hours behind, by the rules of POSIX."""
    ahead = time.gmtime(time.time() + 13 * 3600)
    kept.entry("semantic", "a-case", {"as_of": time.strftime("%Y-%m-%d", ahead)})
    assert "E04" not in [item.code for item in kept.verify(env={"TZ": zone}).told]


def test_n13_copies_of_a_synchroniser_are_told_and_not_listed(kept: Project) -> None:
    text = kept.path(f"{S}/health-port.md").read_text("utf-8")
    kept.write(f"{S}/health-port (conflicted copy).md", text)
    kept.write(f"{S}/health-port.sync-conflict-20260101.md", text)
    assert about(kept, "L") == ["L14", "L14"]
    kept.fix()
    assert kept.index("semantic").read_text("utf-8").count("](") == 1


def test_n13_a_cut_off_entry_is_told(kept: Project) -> None:
    data = kept.path(f"{S}/health-port.md").read_bytes()
    kept.write(f"{S}/health-port.md", data[:60])
    assert "E02" in about(kept, "E")


def test_n14_two_hundred_folders_deep_are_one_finding(kept: Project) -> None:
    kept.path(f"{S}/{'/'.join('d' * 200)}").mkdir(parents=True)
    assert about(kept, "L") == ["L04"]


def spent(work: Callable[[], object], tries: int = 1) -> float:
    """The least time of so many tries, in seconds of this process."""
    times = []
    for _ in range(tries):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


SHAPES: dict[str, Callable[[int], str]] = {
    "brackets": lambda size: "[" * size,
    "closed brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "backticks": lambda size: "`" * size,
    "parentheses": lambda size: "- [a](" + "(" * size,
    "dots": lambda size: "." * size + " x",
    "stars": lambda size: "*a" * (size // 2),
    "quotes": lambda size: '"' * size,
    "open quotation": lambda size: 'user 2026-09-09: "' + "a" * size,
    "colons": lambda size: ":" * size,
    "links": lambda size: "[[a" * (size // 3),
    "today": lambda size: "today" * (size // 5),
    "review": lambda size: "review https://" + "a " * (size // 2),
    "spaces": lambda size: "x" + " " * size + "x",
    "digits": lambda size: "`a#L" + "1" * size,
    "dots and a span": lambda size: "." * size + " `x `",
    "quotations": lambda size: "user 2026-09-09: " + '"a' * (size // 2) + "x",
    "open marks": lambda size: "user 2026-09-09: " + '"' * size + "x",
    "fences": lambda size: "```\n" * (size // 400),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_n14_a_long_line_costs_no_more_than_its_length(
    kept: Project, shape: str
) -> None:
    def judge(size: int) -> float:
        text = SHAPES[shape](size)
        kept.entry("semantic", "a-case", {"scope": text, "evidence": text}, body=text)
        return spent(kept.judged, tries=3)

    # A square would cost a hundred times more for ten times the length.
    assert judge(3600) < 20 * judge(360)


@pytest.mark.parametrize("shape", SHAPES)
def test_n14_a_long_line_in_a_catalog_costs_no_more_than_its_length(
    kept: Project, shape: str
) -> None:
    def work(size: int) -> float:
        text = SHAPES[shape](size)
        kept.rows("semantic", f"{ROW}\n- [b]({text}\n- {text}): x\n{text}\n")

        def judge_and_repair() -> None:
            kept.judged()
            kept.fix()

        return spent(judge_and_repair)

    # A square would cost a hundred times more for ten times the length.
    assert work(50_000) < 20 * work(5_000)


@pytest.mark.parametrize(
    "line",
    [
        "<!-- eco-mem:contract:begin",
        "<!-- eco-mem:contract:end",
        "- [a](a.md): c",
        "```",
        "<!--",
        "## Catalog",
        "<<<<<<< ours",
    ],
)
@pytest.mark.parametrize("drawer", ["working", "semantic"])
def test_n14_thousands_of_lines_of_a_kind_cost_no_square(
    kept: Project, drawer: str, line: str
) -> None:
    index = kept.index(drawer)
    text = index.read_text("utf-8")

    def work(count: int) -> float:
        def judge_and_repair() -> None:
            kept.judged()
            kept.fix()

        index.write_text(text + f"{line}\n" * count, "utf-8")
        return spent(judge_and_repair)

    work(10)  # what is read and compiled once
    # A square would cost sixteen times more for four times the lines.
    assert work(2_000) < 8 * work(500)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A store whose catalogs name two thousand files that are not there."""
    it = well_kept(tmp_path_factory.mktemp("crowd"))
    rows = "".join(f"{row_of(f'gone-{number:05}')}\n" for number in range(2_000))
    it.rows("semantic", rows)
    it.archive("episodic", rows)
    yield it


def test_n14_thousands_of_wrong_rows_are_printed_in_bounds(crowd: Project) -> None:
    run = crowd.verify()
    assert run.code == 1
    assert len(run.out.splitlines()) < 60


def test_n14_many_wrong_rows_cost_no_square(crowd: Project, kept: Project) -> None:
    rows = [f"{row_of(f'gone-{number:05}')}\n" for number in range(500)]
    kept.rows("semantic", "".join(rows))
    kept.archive("episodic", "".join(rows))
    few = spent(kept.judged), spent(kept.fix)
    many = spent(crowd.judged), spent(crowd.fix)
    # A square would cost sixteen times more for four times the rows.
    assert many[0] < 7 * few[0]
    assert many[1] < 7 * few[1]
    assert "C01" not in crowd.codes()


def test_n15_a_project_path_may_hold_spaces_and_cjk(tmp_path: Path) -> None:
    it = well_kept(tmp_path / "my 项目 [x] *")
    it.commit()
    it.entry("semantic", "orphan", listed=False)
    run = it.verify()
    assert run.level("C02") == "error"
    assert it.verify("--fix").level("C02") == ""


def test_n15_a_reject_file_of_an_update_is_told(kept: Project) -> None:
    kept.write(f"{S}/INDEX.md.rej", "@@ -1 +1 @@\n")
    assert about(kept, "L") == ["L05"]


def test_n9_nothing_is_read_or_written_behind_a_link(
    kept: Project, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    kept.drawer("semantic").rename(outside)
    kept.drawer("semantic").symlink_to(outside)
    (outside / "INDEX.md").write_text("# X\n\n## Catalog\n", "utf-8")
    before = (outside / "INDEX.md").read_bytes()
    kept.fix()
    assert (outside / "INDEX.md").read_bytes() == before


def test_n9_a_project_may_be_reached_through_a_link(
    kept: Project, tmp_path: Path
) -> None:
    kept.commit()
    kept.entry("semantic", "a-case", {"as_of": in_days(30)})
    (tmp_path / "link").symlink_to(kept.root)
    run = Project(tmp_path / "link").verify()
    assert run.level("E04") == "error"


def test_n9_a_scripts_folder_behind_a_link_is_its_own_project(
    kept: Project, tmp_path: Path
) -> None:
    (tmp_path / "other" / ".agents").mkdir(parents=True)
    os.symlink(kept.path(SKILL), tmp_path / "other" / ".agents" / "skill")
    run = kept.verify("--root", str(tmp_path / "other"))
    assert run.code == 2
