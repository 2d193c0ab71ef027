"""The weave, piece by piece: what it may change in a text, and what never."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import blocks
import copier_project
import edits
import files
import json_edit
import pytest
import weave
from ecomem import catalog
from edits import Target
from hypothesis import given
from hypothesis import strategies as st

NEW = Target(True, None)
GONE = Target(False, [])
SEEN = Target(True, [])
INNER = "## Memory\n\nLook in `.agents/memory/`.\n- first\n- second"
KEY = ["permissions", "allow"]
ENTRIES = ["Edit(x)", "Bash(y:*)"]
LINE = 'sandbox_workspace_write.writable_roots = ["../.agents/memory"]'

# Texts of any kind, but without a marker of ours.
ends = st.sampled_from(["\n", "\r\n"])
lines = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=8)
texts = st.lists(st.tuples(lines, ends), max_size=6).map(
    lambda pairs: "".join(line + end for line, end in pairs)
)
ragged = st.tuples(texts, lines).map("".join)
layouts = st.sampled_from([None, 1, 2, 4, "\t"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner)
    ),
    max_leaves=8,
)


def into(text: str | None, target: Target = NEW, inner: str = INNER) -> str | None:
    return edits.in_markdown(text, target, inner, "AGENTS.md")


# Markdown.


@given(ragged.filter(bool))
def test_a_block_goes_after_the_text_and_touches_none_of_it(text: str) -> None:
    woven = into(text)
    assert woven is not None
    assert woven.startswith(text)
    assert woven.endswith("\n") == text.endswith("\n")
    assert woven[len(text) :].strip().startswith("<!-- eco-mem:begin ")


@given(ragged)
def test_weaving_twice_is_weaving_once(text: str) -> None:
    woven = into(text)
    assert into(woven) == woven


@given(ragged.filter(lambda text: text.strip() not in ("", "# AGENTS.md")))
def test_taking_a_block_out_gives_the_text_back(text: str) -> None:
    assert into(into(text), GONE) == text


@given(ragged, ragged)
def test_a_block_between_texts_is_replaced_and_they_are_not(
    before: str, after: str
) -> None:
    old = blocks.block(blocks.MARKDOWN, "An older text.")
    woven = into(f"{before}\n{old}\n{after}")
    assert woven is not None
    assert woven.startswith(f"{before}\n<!-- eco-mem:begin ")
    assert woven.endswith(f"<!-- eco-mem:end -->\n{after}")
    assert "An older text." not in woven


def test_a_new_block_has_the_line_endings_of_its_file() -> None:
    old = blocks.block(blocks.MARKDOWN, "An older text.").replace("\n", "\r\n")
    for text in ("Mine.\r\n", f"Mine.\r\n{old}\r\nMore.\r\n"):
        woven = into(text)
        assert woven is not None
        assert woven.count("\n") == woven.count("\r\n") > 10


def test_a_new_file_has_one_title_and_goes_with_the_block() -> None:
    woven = into(None)
    assert woven is not None
    assert woven.startswith("# AGENTS.md\n\n<!-- eco-mem:begin ")
    assert woven.endswith("\n\n<!-- eco-mem:end -->\n")
    assert into(woven, GONE) is None


def test_an_edited_block_stays_whether_it_is_wanted_or_not() -> None:
    woven = into("# Mine\n")
    assert woven is not None
    edited = woven.replace("first", "worst")
    for target in (NEW, GONE):
        with pytest.raises(edits.UserChanged, match="edited"):
            into(edited, target)


def test_a_block_that_was_taken_out_stays_out_on_update_only() -> None:
    with pytest.raises(edits.UserChanged, match="put"):
        into("# Mine\n", SEEN)
    assert into("# Mine\n", NEW) != "# Mine\n"


BLOCK = blocks.block(blocks.MARKDOWN, INNER)
BEGIN, END = BLOCK.splitlines()[0], BLOCK.splitlines()[-1]


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n\ntext\n",
        f"text\n{END}\n",
        f"{END}\n\ntext\n\n{BEGIN}\n",
        f"{BLOCK}\n\nMine.\n\n{BLOCK}\n",
        f"{BEGIN}\n\nMine.\n\n{BLOCK}\n",
        f"{BLOCK}\n{END}\nMine.\n{END}\n",
    ],
    ids=["no end", "no begin", "reversed", "twice", "two begins", "two ends"],
)
def test_markers_that_do_not_pair_up_are_refused(text: str) -> None:
    with pytest.raises(blocks.BadMarkers):
        into(text)


OLDER = blocks.block(blocks.MARKDOWN, "## Memory\n\nAs it was.")


@pytest.mark.parametrize(
    "doubled",
    [
        f"{BLOCK}\n\n{BLOCK}",
        f"{BLOCK}\n{OLDER}",
        f"{BEGIN}\n{BLOCK}",
        f"{BEGIN}\n{BEGIN}\n\n{INNER}\n\n{END}\n{END}",
    ],
)
def test_a_block_that_a_merge_doubled_is_healed(doubled: str) -> None:
    assert into(f"Mine.\n\n{doubled}\n\nMine too.\n") == (
        f"Mine.\n\n{BLOCK}\n\nMine too.\n"
    )


@pytest.mark.parametrize(
    ("written", "formatted"),
    [
        ("- one\n- two", "* one\n\n* two"),
        ("see `a_b`  c", "see `a_b` c"),
        ("_so_ it is", "*so* it is"),
        ("one\n\n\ntwo", "one\n\ntwo"),
        ("a\\_b", "a_b"),
        ("one two\nthree", "one\ntwo three"),
        ("- one two", "- one\n  two"),
        ("1. one\n2. two", "1. one\n1. two"),
        ("| a | b |\n|---|---|", "| a   | b   |\n| --- | --- |"),
    ],
)
def test_a_formatter_does_not_make_a_block_look_edited(
    written: str, formatted: str
) -> None:
    woven = into("# Mine\n", NEW, written)
    assert woven is not None
    reflowed = woven.replace(written, formatted)
    assert into(reflowed, NEW, written) == reflowed


def test_the_hash_is_taken_as_the_verifier_takes_it() -> None:
    assert blocks.digest("") == "00000000"
    assert blocks.digest("* **a** `b`\r\n\r\n\tc\\_d ") == blocks.digest("a b\ncd")
    for text in ("1. a\n2) b", "a - b\n| - | :-: |\n\n+ c", INNER):
        assert catalog.digest(text.split("\n")) == blocks.digest(text)


# Files that stand in for AGENTS.md.


def bridge(text: str | None, create: bool = True, target: Target = NEW) -> str | None:
    how = edits.Bridge("@AGENTS.md", create, needed=True)
    return edits.in_bridge(text, target, INNER, "CLAUDE.md", how)


def test_a_file_that_is_only_ours_imports_and_one_of_theirs_gets_the_block() -> None:
    mine, theirs = bridge(None), bridge("# Mine\n")
    assert mine is not None
    assert theirs is not None
    assert "\n\n@AGENTS.md\n\n" in mine
    assert INNER not in mine
    assert INNER in theirs


def test_an_import_of_ours_survives_what_is_added_around_it() -> None:
    mine = bridge(None)
    assert mine is not None
    assert bridge(f"{mine}\nMore.\n") == f"{mine}\nMore.\n"


def test_no_file_is_created_where_a_neighbour_would_load_it_too() -> None:
    assert bridge(None, create=False) is None
    assert bridge(bridge(None), create=False) is None
    assert INNER in (bridge("# Mine\n", create=False) or "")


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ("@AGENTS.md\n", True),
        ("Read @./AGENTS.md first.\n", True),
        ("Read `@AGENTS.md` first.\n", False),
        ("```\n@AGENTS.md\n```\n", False),
        ("~~~~\n@AGENTS.md\n~~~\n", False),
        ("<!-- @AGENTS.md -->\n", False),
        ("mail@AGENTS.md\n", False),
        ("@docs/AGENTS.md\n", False),
    ],
)
def test_only_a_real_import_counts_as_one(text: str, imports: bool) -> None:
    assert edits.takes_in_agents(text) is imports


# Contracts.


def contracted(
    text: str | None, inner: str = "New.", released: Sequence[str] = ()
) -> str | None:
    """Return the text of an INDEX with a contract; `released` are older ones."""
    return edits.in_contract(text, NEW, inner, lambda: released)


def test_a_contract_that_carries_its_hash_is_replaced() -> None:
    old = blocks.block(blocks.CONTRACT, "- Old one,\n- in two lines.")
    new = blocks.block(blocks.CONTRACT, "New.")
    for text in (old, old.replace("\n- ", "\n* ").replace(" in two", "\n  in two")):
        woven = contracted(f"# A\n\n{text}\n\n## Catalog\n")
        assert woven == f"# A\n\n{new}\n\n## Catalog\n"


def test_a_contract_without_its_hash_is_replaced_if_it_was_released() -> None:
    old = (
        "# A\n\n<!-- eco-mem:contract:begin -->\nOld.\n<!-- eco-mem:contract:end -->\n"
    )
    with pytest.raises(edits.UserChanged):
        contracted(old)
    assert "New." in (contracted(old, released=["*Old.*"]) or "")


@pytest.mark.parametrize(
    "mine",
    [
        "- [a](a.md): when it matters",
        "A note of mine.",
        "## In force\n\n- [b](b.md): b",
        "Old, but edited.",
    ],
)
def test_what_a_person_wrote_between_the_markers_stays(mine: str) -> None:
    old = blocks.block(blocks.CONTRACT, "Old.")
    end = blocks.CONTRACT.line("end")
    with pytest.raises(edits.UserChanged, match="Move your rows and notes"):
        contracted(f"# A\n\n{old.replace(end, f'{mine}{chr(10)}{end}')}\n")


def test_two_contracts_that_a_merge_mixed_become_one_again() -> None:
    one, two = (blocks.block(blocks.CONTRACT, text) for text in ("One.", "Two."))
    (begin, *_), (other, *_) = one.splitlines(), two.splitlines()
    end = blocks.CONTRACT.line("end")
    mixed = f"# A\n\n{begin}\n{other}\n\nOne.\nTwo.\n\n{end}\n\n## Catalog\n"
    woven = contracted(mixed, released=["One.", "Two."])
    new = blocks.block(blocks.CONTRACT, "New.")
    assert woven == f"# A\n\n{new}\n\n## Catalog\n"
    with pytest.raises(blocks.BadMarkers):
        contracted(mixed.replace("Two.", "A note."), released=["One.", "Two."])


@given(st.sampled_from(["", "# Title", "# Title\n"]), ragged)
def test_an_index_without_a_contract_gets_it_under_its_title(
    title: str, rest: str
) -> None:
    index = f"{title}\n{rest}" if title == "# Title\n" else title
    woven = contracted(index)
    assert woven is not None
    assert woven.startswith(title)
    assert woven.endswith(rest if title == "# Title\n" else "")
    assert contracted(woven) == woven


# JSON.


def permitted(text: str | None, target: Target = NEW) -> str | None:
    return edits.in_json(text, target, KEY, ENTRIES)


@given(st.dictionaries(st.text(max_size=4), values), layouts, st.booleans(), ends)
def test_json_is_extended_and_restored_byte_for_byte(
    data: dict[str, Any], layout: Any, final: bool, end: str
) -> None:
    text = json.dumps(data, indent=layout).replace("\n", end) + end * final
    woven = permitted(text)
    assert woven is not None
    assert json.loads(woven) == {**data, "permissions": {"allow": ENTRIES}}
    assert permitted(woven) == woven
    assert permitted(woven, GONE) == (text if data else None)


@given(st.lists(st.text(max_size=4), min_size=1), values, layouts)
def test_entries_of_others_keep_their_bytes(
    allow: list[str], value: Any, layout: Any
) -> None:
    data = {"a": value, "permissions": {"deny": [], "allow": allow, "x": value}}
    text = json.dumps(data, indent=layout)
    woven = permitted(text)
    assert woven is not None
    assert json.loads(woven)["permissions"]["allow"] == [*allow, *ENTRIES]
    assert permitted(woven, GONE) == text


@pytest.mark.parametrize(
    "text",
    [
        '{"permissions": {"allow": []}, "b": 1}',
        '{\n  "permissions": {}\n}\n',
        '{ "a" : 1.0 , "permissions":{"allow":[ "x" ,"y"]}, "é": "\\u00e9" }',
    ],
)
def test_odd_layouts_stay_as_they_are_around_our_entries(text: str) -> None:
    woven = permitted(text)
    assert woven is not None
    bare = re.sub(r'\s|,?"(Edit\(x\)|Bash\(y:\*\))"', "", woven)
    for token in re.findall(r'"[^"]*"|\d[.\d]*', text):
        assert re.sub(r"\s", "", token) in bare
    assert permitted(woven) == woven


def test_a_new_settings_file_is_laid_out_as_prettier_would() -> None:
    settings = tomllib.loads(
        copier_project.text(copier_project.SOURCE / "extensions/hosts.toml")
    )["claude"]
    entries = settings["settings"]["entries"]
    woven = edits.in_json(None, NEW, KEY, entries)
    assert woven == (
        '{\n  "permissions": {\n    "allow": [\n'
        + ",\n".join(f'      "{entry}"' for entry in entries)
        + "\n    ]\n  }\n}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        '// mine\n{"a": 1}',
        '{"a": 1,}',
        "[]",
        '"text"',
        '{"permissions": []}',
        '{"permissions": {"allow": {}}}',
        "[" * 100_000,
    ],
)
def test_what_is_not_json_of_the_right_shape_is_refused(text: str) -> None:
    with pytest.raises(json_edit.BadJson):
        permitted(text)


def test_entries_that_were_pasted_among_comments_are_seen() -> None:
    pasted = '{"permissions": {"allow": ["Edit(x)", "Bash(y:*)"]}} // mine'
    assert permitted(pasted) == pasted


def test_a_file_without_our_entries_is_not_even_read_when_they_are_unwanted() -> None:
    assert permitted("// mine\n", GONE) == "// mine\n"


def test_an_entry_that_was_taken_out_stays_out_while_a_newer_one_comes() -> None:
    before = Target(True, ["Edit(x)", "Bash(older)"])
    woven = permitted('{"permissions": {"allow": ["Bash(older)", "mine"]}}', before)
    assert woven == '{"permissions": {"allow": ["mine", "Bash(y:*)"]}}'
    with pytest.raises(edits.UserChanged, match="put"):
        permitted("{}", Target(True, ENTRIES))


# TOML.


def rooted(text: str | None, target: Target = NEW) -> str | None:
    key = ["sandbox_workspace_write", "writable_roots"]
    return edits.in_toml(text, target, key, ["../.agents/memory"], LINE)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text", ["", "\n", "# mine\n", 'model = "x"', "[a]\nb = 1\n", "\n\n[[a]]\n"]
)
def test_a_toml_file_is_extended_and_restored_byte_for_byte(
    text: str, end: str
) -> None:
    text = text.replace("\n", end)
    woven = rooted(text)
    assert woven is not None
    assert woven.endswith(text)
    roots = tomllib.loads(woven)["sandbox_workspace_write"]["writable_roots"]
    assert roots == ["../.agents/memory"]
    assert rooted(woven) == woven
    assert rooted(woven, GONE) == (text if text.strip() else None)


@pytest.mark.parametrize(
    "mine",
    [
        "[sandbox_workspace_write]\nnetwork_access = true\n",
        "sandbox_workspace_write.network_access = true\n",
        'sandbox_workspace_write = { writable_roots = ["/tmp/x"] }\n',
        "model = \n",
    ],
    ids=["table", "dotted key", "inline table", "not TOML"],
)
def test_a_file_that_would_break_is_refused(mine: str) -> None:
    with pytest.raises(files.Refused):
        rooted(mine)


def test_what_codex_is_told_elsewhere_is_not_told_again() -> None:
    mine = '[sandbox_workspace_write]\nwritable_roots = ["../.agents/memory", "/x"]\n'
    assert rooted(mine) == mine


def test_a_line_of_ours_that_breaks_a_file_is_reported() -> None:
    woven = rooted("")
    assert woven is not None
    with pytest.raises(files.Refused, match="TOML"):
        rooted(woven + "\n[sandbox_workspace_write]\nnetwork_access = true\n")


def test_an_edited_line_stays() -> None:
    woven = rooted("")
    assert woven is not None
    with pytest.raises(edits.UserChanged, match="edited"):
        rooted(woven.replace('"]', '", "/tmp/x"]'))


# Files.


def test_a_file_is_replaced_in_one_step_and_nothing_is_left_beside_it(
    tmp_path: Path,
) -> None:
    copier_project.write(tmp_path, {"a/b.md": b"\xef\xbb\xbfold\r\n"})
    file = files.load(tmp_path, "a/b.md")
    assert file.text == "old\r\n"
    files.store(tmp_path, file, "new\r\n")
    assert copier_project.tree(tmp_path) == {"a/b.md": b"\xef\xbb\xbfnew\r\n"}
    files.store(tmp_path, file, None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_the_mode_of_a_file_stays(tmp_path: Path) -> None:
    copier_project.write(tmp_path, {"a.md": "old\n"})
    (tmp_path / "a.md").chmod(0o640)
    files.store(tmp_path, files.load(tmp_path, "a.md"), "new\n")
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed_even_where_the_system_has_none(tmp_path: Path) -> None:
    # What git checks out for a link on Windows: a file that holds its target.
    copier_project.write(tmp_path, {"AGENTS.md": "# Mine\n", "CLAUDE.md": "AGENTS.md"})
    assert files.load(tmp_path, "CLAUDE.md").text == "# Mine\n"
    copier_project.fine(run("--hosts=claude", tmp_path))
    assert copier_project.text(tmp_path / "CLAUDE.md") == "AGENTS.md"
    assert copier_project.text(tmp_path / "AGENTS.md").count("eco-mem:begin") == 1


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "out.md").symlink_to(tmp_path.parent / "out.md")
    copier_project.write(tmp_path, {"utf16.md": "x".encode("utf-16")})
    for name in ("folder.md", "loop.md", "out.md", "utf16.md"):
        with pytest.raises(files.Refused):
            files.load(tmp_path, name)


# The script.


def run(*words: str | Path) -> copier_project.Done:
    script = copier_project.SOURCE / "tasks/weave.py"
    return copier_project.run(sys.executable, script, *words, cwd=copier_project.SOURCE)


@pytest.mark.parametrize("hosts", ["claude,codex,gemini", "claude,copilot"])
def test_removing_leaves_the_drawers_and_what_was_there_before(
    template: Path, project: Path, hosts: str
) -> None:
    before = {
        "AGENTS.md": b"# Mine\r\n",
        "GEMINI.md": b"# Mine",
        ".claude/settings.json": b'{"permissions": {"deny": ["Bash(rm:*)"]}}',
        ".claude/skills/mine/SKILL.md": b"# Mine\n",
        ".agents/skills/mine/SKILL.md": b"# Mine\n",
        ".agents/skills/eco-mem/notes.txt": b"mine\n",
    }
    copier_project.write(project, dict(before))
    copier_project.fine(copier_project.copy(template, project, hosts=hosts))
    copier_project.write(
        project, {f"{copier_project.SKILL}/scripts/__pycache__/verify.pyc": b""}
    )
    drawers = {
        k: v
        for k, v in copier_project.tree(project).items()
        if k.startswith(copier_project.STORE)
    }
    copier_project.fine(run("--remove", project))
    assert copier_project.tree(project) == {**before, **drawers}
    assert copier_project.fine(run("--remove", project)).splitlines() == [
        "eco-mem: kept .agents/skills/eco-mem/notes.txt: it is not from this template",
        "eco-mem: kept .agents/memory: it is yours",
    ]


@pytest.mark.parametrize("record", ["", "[]", '{"hosts": 1}', '{"hosts": ["claude"]}'])
def test_removing_works_whatever_became_of_the_record(
    tmp_path: Path, record: str
) -> None:
    copier_project.fine(run("--hosts=claude,codex", tmp_path))
    copier_project.write(tmp_path, {f"{copier_project.SKILL}/eco-mem.json": record})
    copier_project.fine(run("--remove", tmp_path))
    assert copier_project.tree(tmp_path) == {}


def test_it_exits_0_and_prints_ascii_whatever_it_finds(tmp_path: Path) -> None:
    copier_project.write(
        tmp_path,
        {
            "AGENTS.md": b"\xff\xfe",
            "CLAUDE.md/file": "",
            "GEMINI.md": "<!-- eco-mem:end -->\n",
            ".claude": "a file\n",
            ".codex/config.toml": "語 = \n",
        },
    )
    done = run("--hosts=claude,codex,gemini", "--quiet", "", tmp_path)
    assert done.rc == 0
    assert done.text.isascii()
    assert done.text.count("eco-mem: refused ") == 6


def test_without_a_record_in_git_nothing_that_was_known_comes_back(
    tmp_path: Path,
) -> None:
    copier_project.commit(tmp_path)
    hosts = "--hosts=claude,codex,cursor,gemini"
    copier_project.fine(run(hosts, "--update-from=v1.0.0", tmp_path))
    assert copier_project.tree(tmp_path) == {}
    copier_project.fine(run(hosts, "--update-from=v0.9.0", tmp_path))
    assert copier_project.tree(tmp_path).keys() >= {"CLAUDE.md", ".codex/config.toml"}


def test_a_fresh_clone_gets_what_git_ignores(tmp_path: Path) -> None:
    record = {
        "hosts": ["claude"],
        "bridges": ["CLAUDE.md"],
        "expects": {".claude/settings.json": ["x"]},
    }
    files = {
        f"{copier_project.SKILL}/eco-mem.json": json.dumps(record),
        ".gitignore": ".claude\n",
        f"{copier_project.SKILL}/SKILL.md": "# The skill\n",
    }
    copier_project.write(tmp_path, dict(files))
    copier_project.commit(tmp_path)
    copier_project.fine(run("--hosts=claude", "--update-from=v1.0.0", tmp_path))
    added = copier_project.tree(tmp_path).keys() - files.keys()
    added = {path for path in added if not path.endswith("INDEX.md")}
    assert added == {".claude/settings.json", ".claude/skills/eco-mem/SKILL.md"}


@pytest.mark.parametrize(
    ("older", "newer"),
    [("v1.9.0", "v1.10.0"), ("1.9", "v1.10.0-3-g0a1b2c3"), ("", "0.1"), ("v2", "v10")],
)
def test_versions_are_compared_as_numbers(older: str, newer: str) -> None:
    assert weave.release(older) < weave.release(newer)


def test_a_record_cannot_name_a_file_of_others_as_a_copy() -> None:
    names = ["README.md", "../x/skills/eco-mem/SKILL.md", "/skills/eco-mem/SKILL.md"]
    record = {"copies": [*names, ".x/skills/eco-mem/SKILL.md"]}
    assert weave.managed_by(record).copies == [".x/skills/eco-mem/SKILL.md"]


def test_a_wrong_command_line_is_explained() -> None:
    assert run("--remove", "nowhere").rc == 2
    assert run().rc == 2
    assert "--remove PROJECT" in copier_project.fine(run("--help"))


def test_contracts_come_from_the_template_alone() -> None:
    paths = {part.path for part in weave.contracts()}
    assert paths == {
        f"{copier_project.STORE}/{drawer}/INDEX.md" for drawer in copier_project.DRAWERS
    }
    source = "".join(
        copier_project.text(p)
        for p in (copier_project.SOURCE / "extensions").glob("*.py")
    )
    for part in weave.contracts():
        longest = max(part.paste.splitlines(), key=len)
        assert longest not in source


def test_the_scripts_of_the_weave_need_nothing_but_python(tmp_path: Path) -> None:
    script = copier_project.SOURCE / "tasks/weave.py"
    words = (sys.executable, "-I", "-S", script, "--hosts=agents", tmp_path)
    copier_project.fine(copier_project.run(*words, cwd=tmp_path))
    assert (tmp_path / "AGENTS.md").is_file()
