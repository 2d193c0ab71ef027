"""verify --fix: what it repairs, what it keeps, and what it never touches."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_project import (
    DURABLE,
    MEMORY,
    PYTHON,
    Project,
    cue_of,
    environment,
    row_of,
    well_kept,
)

S = f"{MEMORY}/semantic"
P = f"{MEMORY}/procedural"
ROW = row_of("health-port")
CLAIMED = {"C01", "C02", "C03", "C04", "C05", "C06", "C16"}
POINTER = "- [skills](../../skills): when looking for skills"
HEADINGS = ("## Catalog", "## In force", "## Not yet a skill")

SLUGS = ("a", "a-b", "a-b-c", "ab", "health-port", "port-2", "port")
GONE = ("gone", "a-bc")
ANY = settings(
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def kept(tmp_path: Path) -> Project:
    return well_kept(tmp_path / "project")


def catalog_findings(it: Project) -> list[tuple[str, str]]:
    """Return the findings that --fix claims to repair."""
    return sorted({(i.code, i.path) for i in it.judged() if i.code in CLAIMED})


def entries(it: Project) -> dict[str, bytes]:
    """The bytes of all files of the store but the catalogs."""
    return {
        path: data
        for path, data in it.snapshot().items()
        if Path(path).name not in ("INDEX.md", "ARCHIVE.md")
    }


# Random stores: each line of a catalog is one of these.

slugs = st.sampled_from(SLUGS + GONE)
good_rows = slugs.map(row_of)
odd_rows = st.tuples(
    st.sampled_from(("- ", "* ", "+ ", "   - ", "-   ")),
    slugs,
    st.sampled_from(("{}.md", "./{}.md", "<{}.md>", "{}.md#x", '{}.md "t"', "{}%2Emd")),
    st.sampled_from(("", ": old words", ": how to do it (derived)", " - dash")),
).map(lambda it: f"{it[0]}[{it[1]}]({it[2].format(it[1])}){it[3]}")
words = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12
).map(lambda text: f"keep {text}")
notes = st.one_of(
    words,
    st.sampled_from(
        (
            "keep [a](a.md) in prose",
            "> keep - [a](a.md): quoted",
            "    keep - [a](a.md): code",
            "- keep, a plain item",
            "keep <b>&amp;</b> \\* `x`  ",
            "| keep | a table |",
            "keep\ta tab",
        )
    ),
)
blocks = st.sampled_from(
    (
        "```\nkeep - [a](a.md): fenced\n\n\nkeep after two blanks\n```",
        "~~~ text\n- [gone](gone.md): keep\n```\nkeep\n~~~",
        "<!-- keep\n- [a](a.md): hidden\nkeep -->",
    )
)
CONFLICTS = (
    "<<<<<<< HEAD\n{0}\n=======\n{1}\n>>>>>>> topic",
    "<<<<<<< HEAD\n{0}\n||||||| 1a2b3c4\n{1}\n=======\n{1}\n>>>>>>> topic",
)
rows = st.one_of(good_rows, odd_rows)
conflicts = st.tuples(st.sampled_from(CONFLICTS), rows, rows).map(
    lambda it: it[0].format(it[1], it[2])
)
lines = st.one_of(rows, rows, rows, notes, blocks, st.just(""), conflicts)
texts = st.lists(lines, max_size=9).map("\n".join)
ends = st.sampled_from(("\n", "\r\n"))
marks = st.sampled_from((b"", b"\xef\xbb\xbf"))


@st.composite
def catalogs(draw: st.DrawFn, drawer: str) -> bytes:
    """The bytes of a catalog that went through a lot."""
    heads = HEADINGS[1:] if drawer == "procedural" else HEADINGS[:1]
    parts = ["# Title\n\nkeep the top\n"]
    for heading in heads:
        for _ in range(draw(st.sampled_from((1, 1, 1, 0, 2)))):
            parts += [heading, draw(texts)]
            if draw(st.booleans()):
                parts += ["### Keep", draw(texts)]
    if draw(st.booleans()):
        parts += ["## Keep, another heading", draw(notes)]
    text = "\n".join(parts) + draw(st.sampled_from(("", "\n", "\n\n\n")))
    return draw(marks) + text.replace("\n", draw(ends)).encode()


@st.composite
def contents(draw: st.DrawFn, slug: str) -> bytes:
    """The bytes of an entry, not always a good one, with a cue in each case."""
    derived = draw(st.booleans())
    cue = draw(st.sampled_from((cue_of(slug), "use *all* of `x_y`", "[x](y.md) \\| z")))
    text = f"# Title\n\n- cue: {cue}\n"
    text += "- source: derived\n" if derived else ""
    text += draw(st.sampled_from(("", "\nBody\n", "\n- cue: no header\n")))
    return draw(marks) + text.replace("\n", draw(ends)).encode()


@st.composite
def stores(draw: st.DrawFn) -> dict[str, bytes]:
    """The files of a random store."""
    files: dict[str, bytes] = {}
    for drawer in ("semantic", "procedural"):
        for slug in draw(st.sets(st.sampled_from(SLUGS))):
            name = slug if drawer == "semantic" else f"p-{slug}"
            files[f"{MEMORY}/{drawer}/{name}.md"] = draw(contents(name))
        files[f"{MEMORY}/{drawer}/INDEX.md"] = draw(catalogs(drawer))
        if draw(st.booleans()):
            files[f"{MEMORY}/{drawer}/ARCHIVE.md"] = draw(catalogs(drawer))
    return files


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return well_kept(tmp_path_factory.mktemp("ground"))


def become(it: Project, files: dict[str, bytes]) -> None:
    """Make the store hold these files."""
    for drawer in DURABLE:
        for path in it.drawer(drawer).glob("*.md"):
            path.unlink()
        it.write(f"{MEMORY}/{drawer}/INDEX.md", "# Title\n\n## Catalog\n")
    it.write(f"{P}/INDEX.md", "# Title\n\n## In force\n\n## Not yet a skill\n")
    for name, data in files.items():
        it.write(name, data)


@ANY
@given(stores())
def test_no_entry_is_ever_touched(ground: Project, files: dict[str, bytes]) -> None:
    become(ground, files)
    before = entries(ground)
    ground.fix()
    assert entries(ground) == before


@ANY
@given(stores())
def test_a_second_run_changes_nothing(ground: Project, files: dict[str, bytes]) -> None:
    become(ground, files)
    ground.fix()
    once = ground.snapshot()
    assert ground.fix() == []
    assert ground.snapshot() == once


@ANY
@given(stores())
def test_nothing_is_told_afterwards_that_it_claims_to_repair(
    ground: Project, files: dict[str, bytes]
) -> None:
    become(ground, files)
    ground.fix()
    assert catalog_findings(ground) == []


@ANY
@given(stores())
def test_no_conflict_among_rows_is_left(
    ground: Project, files: dict[str, bytes]
) -> None:
    become(ground, files)
    ground.fix()
    assert "L13" not in ground.codes()


def kept_lines(data: bytes) -> list[bytes]:
    """The lines that are no rows, in order, with their ends but for the last."""
    found = [line for line in data.split(b"\n") if b"keep" in line.lower()]
    return [line.rstrip(b"\r") for line in found]


@ANY
@given(stores())
def test_no_line_is_lost_that_is_not_a_row(
    ground: Project, files: dict[str, bytes]
) -> None:
    become(ground, files)
    ground.fix()
    for name, data in files.items():
        after = ground.path(name).read_bytes()
        assert sorted(set(kept_lines(after))) == sorted(set(kept_lines(data)))


@ANY
@given(catalogs("semantic"), ends)
def test_the_line_ends_and_the_bom_stay_as_they_were(
    ground: Project, data: bytes, end: str
) -> None:
    become(ground, {f"{S}/INDEX.md": data.replace(b"\r", b"")})
    path = ground.index("semantic")
    path.write_bytes(path.read_bytes().replace(b"\n", end.encode()))
    ground.fix()
    after = path.read_bytes()
    assert after[:3] == data[:3]
    assert after.count(b"\n") == (after.count(b"\r\n") if end == "\r\n" else 0) or (
        end == "\n" and b"\r" not in after
    )


@ANY
@given(st.lists(st.one_of(rows, notes, blocks, st.just("")), max_size=12), ends)
def test_kept_lines_stay_in_order_byte_for_byte(
    ground: Project, body: list[str], end: str
) -> None:
    text = "# Title\n\nkeep this\n\n## Catalog\n\n" + "\n".join(body) + "\n"
    data = text.replace("\n", end).encode()
    become(
        ground, {f"{S}/INDEX.md": data, f"{S}/a.md": b"# T\n\n- cue: about a case\n"}
    )
    ground.fix()
    after = ground.index("semantic").read_bytes()
    assert kept_lines(after) == kept_lines(data)


@ANY
@given(catalogs("semantic"))
def test_what_stands_above_the_catalog_is_not_touched(
    ground: Project, data: bytes
) -> None:
    become(
        ground, {f"{S}/INDEX.md": data, f"{S}/a.md": b"# T\n\n- cue: about a case\n"}
    )
    ground.fix()
    head = data.partition(b"## ")[0].rstrip()
    assert ground.index("semantic").read_bytes().startswith(head)


@settings(ANY, max_examples=60)
@given(st.binary(max_size=300) | st.text("#- []().md\n`~<>!|=:a\r ").map(str.encode))
def test_any_bytes_may_be_an_index(ground: Project, data: bytes) -> None:
    become(
        ground, {f"{S}/INDEX.md": data, f"{S}/a.md": b"# T\n\n- cue: about a case\n"}
    )
    ground.fix()
    once = ground.snapshot()
    ground.fix()
    ground.judged()
    assert ground.snapshot() == once


# One promise each, by example.


def test_a_clean_store_is_not_rewritten(kept: Project) -> None:
    before = {path: path.stat() for path in kept.path(MEMORY).rglob("*.*")}
    assert kept.fix() == []
    after = {path: path.stat() for path in kept.path(MEMORY).rglob("*.*")}
    assert {p: (s.st_ino, s.st_mtime_ns) for p, s in before.items()} == {
        p: (s.st_ino, s.st_mtime_ns) for p, s in after.items()
    }


def test_rows_come_out_sorted_by_slug(kept: Project) -> None:
    for slug in ("port", "port-two", "porta", "port-2"):
        kept.entry("semantic", slug, listed=False)
    kept.fix()
    text = kept.index("semantic").read_text("utf-8")
    listed = [line[3:].split("]")[0] for line in text.splitlines() if line[:3] == "- ["]
    assert listed == ["health-port", "port", "port-2", "port-two", "porta"]


def test_the_first_row_of_a_fresh_index_is_exact(kept: Project) -> None:
    kept.rows("semantic", "")
    head, _ = kept.split("semantic")
    kept.index("semantic").write_text(head + "\n", "utf-8")
    kept.fix()
    assert kept.index("semantic").read_text("utf-8") == f"{head}\n\n{ROW}\n"


def test_an_empty_procedural_index_gets_its_row_under_the_last_heading(
    kept: Project,
) -> None:
    text = kept.index("procedural").read_text("utf-8")
    kept.rows("procedural", "")
    kept.fix()
    assert kept.index("procedural").read_text("utf-8") == text


def test_a_heading_is_added_without_piling_up_blank_lines(kept: Project) -> None:
    path = kept.index("semantic")
    path.write_text("# Semantic\n\nText.\n", "utf-8")
    kept.fix()
    assert path.read_text("utf-8") == f"# Semantic\n\nText.\n\n## Catalog\n\n{ROW}\n"


def test_a_missing_heading_of_an_archive_is_added(kept: Project) -> None:
    kept.write(f"{S}/ARCHIVE.md", "# Old\n")
    kept.fix()
    assert catalog_findings(kept) == []


@pytest.mark.parametrize("opening", ["```", "<!-- a comment"])
def test_what_is_never_closed_hides_no_heading_for_ever(
    kept: Project, opening: str
) -> None:
    kept.write(f"{S}/INDEX.md", f"# Semantic\n\n{opening}\nkeep\n")
    kept.fix()
    once = kept.index("semantic").read_bytes()
    kept.fix()
    assert kept.index("semantic").read_bytes() == once
    assert catalog_findings(kept) == []


def test_in_force_rows_are_kept_as_written(kept: Project) -> None:
    text = f"* [z](<../../skills>)  : zz\n{POINTER}\nkeep\n- [gone](../gone): g\n"
    kept.force(text)
    kept.rows("procedural", "")
    kept.fix()
    assert text in kept.index("procedural").read_text("utf-8")


def test_mixed_line_ends_of_kept_lines_stay(kept: Project) -> None:
    path = kept.index("semantic")
    head, _ = kept.split("semantic")
    path.write_bytes(head.encode() + b"\n\nkeep 1\r\nkeep 2\nkeep 3\r\n")
    kept.fix()
    after = path.read_bytes()
    assert b"keep 1\r\nkeep 2\nkeep 3\r\n" in after


def test_lone_carriage_returns_are_line_ends_here_too(kept: Project) -> None:
    path = kept.index("semantic")
    text = path.read_text("utf-8").replace(ROW, row_of("gone"))
    path.write_bytes(text.replace("\n", "\r").encode())
    kept.fix()
    assert catalog_findings(kept) == []


def test_a_bom_before_the_heading_hides_nothing(kept: Project) -> None:
    kept.write(f"{S}/INDEX.md", f"\ufeff## Catalog\n\n{row_of('gone')}\n")
    kept.fix()
    assert kept.index("semantic").read_text("utf-8") == f"\ufeff## Catalog\n\n{ROW}\n"


def test_a_note_in_a_fence_keeps_its_blank_lines(kept: Project) -> None:
    note = "```\none\n\n\ntwo\n```\n"
    kept.rows("semantic", note)
    kept.fix()
    assert note in kept.index("semantic").read_text("utf-8")


def test_a_fence_beside_a_conflict_keeps_both_its_marks(kept: Project) -> None:
    note = "```\nkeep\n```\n"
    kept.rows("semantic", f"<<<<<<< HEAD\n{ROW}\n=======\n>>>>>>> x\n\n{note}")
    kept.fix()
    assert note in kept.index("semantic").read_text("utf-8")


def test_equal_lines_outside_a_conflict_are_all_kept(kept: Project) -> None:
    notes = "keep\n\nother\n\nkeep\n"
    kept.rows("semantic", f"<<<<<<< HEAD\n{ROW}\n=======\n>>>>>>> x\n\n{notes}")
    kept.fix()
    assert notes in kept.index("semantic").read_text("utf-8")


def test_the_common_ancestor_in_a_conflict_comes_not_back(kept: Project) -> None:
    kept.force(
        f"<<<<<<< HEAD\n{POINTER} now\n||||||| 1a2b\n{POINTER} once\n=======\n"
        f"{POINTER} later\n>>>>>>> x\n"
    )
    kept.fix()
    text = kept.index("procedural").read_text("utf-8")
    assert (" now\n" in text, " once\n" in text, " later\n" in text) == (
        True,
        False,
        True,
    )


def test_an_archived_entry_leaves_the_index(kept: Project) -> None:
    kept.archive("semantic", f"{ROW}\n")
    assert kept.fix() == [f"{S}/INDEX.md"]
    assert ROW not in kept.index("semantic").read_text("utf-8")


def test_an_archived_entry_that_is_gone_leaves_the_archive(kept: Project) -> None:
    kept.archive("semantic", f"{row_of('gone')}\n")
    assert kept.fix() == [f"{S}/ARCHIVE.md"]


def test_an_archive_that_cannot_be_read_brings_no_row_back(kept: Project) -> None:
    kept.rows("semantic", "")
    kept.write(
        f"{S}/ARCHIVE.md", f"# Caf\xe9\n\n## Catalog\n\n{ROW}\n".encode("cp1252")
    )
    assert kept.fix() == []


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"# No cue\n", b"x" * 9000],
    ids=["empty", "undecodable", "no cue", "oversized"],
)
def test_a_row_stays_while_its_entry_cannot_be_read(
    kept: Project, content: bytes
) -> None:
    kept.write(f"{S}/health-port.md", content)
    assert kept.fix() == []


def test_a_row_stays_while_its_entry_is_a_link(kept: Project) -> None:
    path = kept.path(f"{S}/health-port.md")
    path.rename(kept.path("elsewhere.md"))
    path.symlink_to("../../../elsewhere.md")
    assert kept.fix() == []


def test_a_row_with_an_entry_of_a_bad_name_is_not_told_to_be_repaired(
    kept: Project,
) -> None:
    text = kept.path(f"{S}/health-port.md").read_text("utf-8")
    kept.write(f"{S}/Bad_Name.md", text.replace("health", "wealth"))
    kept.rows("semantic", f"- [Bad_Name](Bad_Name.md): other words\n{ROW}\n")
    kept.fix()
    assert catalog_findings(kept) == []


def test_an_entry_without_a_cue_is_not_told_to_be_listed(kept: Project) -> None:
    kept.write(f"{S}/a-case.md", "# A case\n")
    kept.fix()
    assert catalog_findings(kept) == []


def test_text_after_a_hash_is_no_heading(kept: Project) -> None:
    kept.rows("semantic", f"#42 keep\n\n{ROW}\n{row_of('gone')}\n")
    kept.fix()
    assert kept.split("semantic")[1] == [ROW, "#42 keep"]


def test_a_store_of_the_older_shape_gets_its_rows(kept: Project) -> None:
    table = "| slug | cue |\n| --- | --- |\n| [health-port](health-port.md) | old |\n"
    kept.write(f"{S}/INDEX.md", f"# Semantic\n\n{table}")
    kept.fix()
    text = kept.index("semantic").read_text("utf-8")
    assert table in text
    assert ROW in text


# Through git: two branches, one store.


def branch(it: Project, name: str) -> None:
    it.git("checkout", "--quiet", "-b", name, "main")


def merged(it: Project, style: str = "merge") -> None:
    """Merge two branches that touched the same rows, and repair."""
    it.commit("right")
    it.git("checkout", "--quiet", "left")
    it.git("-c", f"merge.conflictStyle={style}", "merge", "right", check=False)


@pytest.fixture
def forked(kept: Project) -> Project:
    kept.entry("semantic", "a-case")
    kept.force(f"{POINTER}\n")
    kept.commit("base")
    branch(kept, "left")
    return kept


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_branches_that_add_change_and_forget_merge_clean(
    forked: Project, style: str
) -> None:
    forked.entry("semantic", "b-left")
    forked.entry("semantic", "a-case", {"cue": "what the left says"}, listed=False)
    forked.fix()
    forked.commit("left")
    branch(forked, "right")
    forked.entry("semantic", "b-right")
    forked.entry("semantic", "health-port", {"cue": "what is new here"}, listed=False)
    forked.fix()
    merged(forked, style)
    forked.fix()
    assert {item.code for item in forked.judged() if item.code[0] in "LC"} == set()
    assert len(forked.split("semantic")[1]) == 4


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_pointers_of_both_branches_stay_in_force(forked: Project, style: str) -> None:
    left, right = "- [l](../../skills/eco-mem): left", "- [r](../../memory): right"
    forked.force(f"{POINTER}\n{left}\n")
    forked.entry("procedural", "a-left")
    forked.commit("left")
    branch(forked, "right")
    forked.force(f"{POINTER}\n{right}\n")
    forked.entry("procedural", "a-right")
    merged(forked, style)
    forked.fix()
    text = forked.index("procedural").read_text("utf-8")
    force = text.partition("## In force")[2].partition("## Not yet")[0]
    assert {left, right, POINTER} <= set(force.splitlines())
    assert {item.code for item in forked.judged() if item.code[0] in "LC"} == set()


# Interrupted.


@pytest.fixture
def broken(tmp_path: Path) -> Project:
    """A store in which three catalogs lack all rows."""
    it = well_kept(tmp_path / "project")
    for drawer in DURABLE:
        for number in range(30):
            it.entry(drawer, f"{drawer}-{number}", listed=False)
        it.rows(drawer, "keep\n")
    it.commit()
    return it


def test_killed_in_between_it_loses_nothing(broken: Project, tmp_path: Path) -> None:
    old = broken.snapshot()
    whole = Project(tmp_path / "whole")
    shutil.copytree(broken.root, whole.root)
    start = time.monotonic()
    assert whole.verify("--fix").code in (0, 1)
    length = time.monotonic() - start
    new = whole.snapshot()
    script = broken.script()
    for tenths in range(3, 11):
        running = subprocess.Popen(
            [PYTHON, script, "--fix"], env=environment(), stdout=subprocess.DEVNULL
        )
        time.sleep(length * tenths / 10)
        running.send_signal(signal.SIGKILL)
        running.wait()
        for path, data in broken.snapshot().items():
            assert data in (old.get(path), new.get(path)) or ".eco-mem-" in path
        changed = broken.git("status", "--porcelain", "--untracked-files=all")
        assert all(line.endswith("INDEX.md") for line in changed.splitlines())
        broken.git("checkout", "--quiet", ".")
    broken.verify("--fix")
    assert catalog_findings(broken) == []


@pytest.mark.skipif(os.name != "posix", reason="ulimit is a thing of POSIX shells")
def test_a_disk_that_is_full_changes_nothing_and_is_said_plainly(
    broken: Project,
) -> None:
    before = broken.snapshot()
    limit = ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh"]
    script = broken.script()
    done = subprocess.run(
        [*limit, PYTHON, "-B", script, "--fix"],
        env=environment(),
        capture_output=True,
        check=False,
    )
    assert broken.snapshot() == before
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_two_runs_at_once_agree(broken: Project) -> None:
    command = [PYTHON, broken.script(), "--fix"]
    both = [
        subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    assert {running.wait() for running in both} <= {0, 1}
    assert catalog_findings(broken) == []


def test_a_wrong_word_on_the_command_line_repairs_nothing(broken: Project) -> None:
    before = broken.snapshot()
    assert broken.verify("--fix", "no-such-entry").code == 2
    assert broken.verify("--fix", "--base", "no-such-ref").code == 2
    assert broken.snapshot() == before
