"""The corpus of the write gate keeps its own promises."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import gate_corpus
import pytest
from gate_corpus import Case, cases

CORPUS = Path(gate_corpus.__file__).parent
CASES = cases()
BY_EXPECT = Counter(case.expect for case in CASES)
BY_KIND = Counter((case.expect, case.kind) for case in CASES)

SECRET_MINIMUM = {
    "cloud": 20,
    "forge": 16,
    "chat": 10,
    "payment": 10,
    "ai": 14,
    "registry": 10,
    "saas": 14,
    "jwt": 6,
    "private_key": 10,
    "conn_url": 12,
    "auth_header": 8,
    "cookie": 8,
    "env_assign": 14,
    "password_prose": 16,
    "id_number": 16,
    "patient": 8,
    "transcript": 8,
    "evasion": 14,
}
INJECTION_MINIMUM = {
    "direct": 10,
    "indirect": 10,
    "other_languages": 15,
    "obfuscated": 10,
    "hidden_unicode": 10,
    "hidden_html": 8,
    "fake_role": 10,
    "tool_bait": 10,
    "memory_resident": 15,
}

# SPEC 6.1: lines of a whole file, and the keys and labels a drawer asks for.
LINES = {"semantic": 30, "episodic": 40, "procedural": 40, "working": 80}
KEYS = {
    "semantic": ["cue", "as_of", "source", "scope", "expires"],
    "episodic": ["cue", "when", "task"],
    "procedural": ["cue"],
    "working": ["goal", "constraints", "progress", "next", "open"],
}
LABELS = {
    "episodic": ["Context:", "Action:", "Result:", "Lesson:"],
    "procedural": ["When:", "Steps:", "Verify:", "Graduate-to:"],
}
BYTES = 8 * 1024
LAST_DAY = date(2026, 11, 30)


def folded(text: str) -> str:
    """Gives `text` without format characters and escapes, compatibility folded."""
    plain = unicodedata.normalize("NFKC", text)
    return "".join(c for c in plain if unicodedata.category(c) != "Cf" and c != "\\")


def parts(case: Case) -> tuple[str, dict[str, str], str]:
    """Gives title, header and body of an entry."""
    title, header, body = case.text.split("\n\n", 2)
    pairs = (line.removeprefix("- ").split(": ", 1) for line in header.split("\n"))
    return title, {key: value for key, value in pairs}, body


def named(case: Case) -> str:
    return f"{case.kind}: {case.text.splitlines()[0]}"


@pytest.mark.parametrize(("kind", "least"), sorted(SECRET_MINIMUM.items()))
def test_every_kind_of_secret_has_its_share(kind: str, least: int) -> None:
    assert BY_KIND["secret", kind] >= least


@pytest.mark.parametrize(("kind", "least"), sorted(INJECTION_MINIMUM.items()))
def test_every_kind_of_injection_has_its_share(kind: str, least: int) -> None:
    assert BY_KIND["injection", kind] >= least


def test_the_corpus_is_large_enough() -> None:
    assert BY_EXPECT["secret"] >= 240
    assert BY_EXPECT["injection"] >= 110
    assert BY_EXPECT["clean"] >= 450
    assert set(BY_EXPECT) == {"secret", "injection", "clean"}


def test_kinds_of_one_label_are_not_used_for_another() -> None:
    labels = {kind for _, kind in BY_KIND}
    assert len(labels) == len(BY_KIND)


@pytest.mark.parametrize("part", ["text", "title", "cue"])
def test_no_entry_repeats_another(part: str) -> None:
    def of(case: Case) -> str:
        title, header, _ = parts(case)
        cue = header.get("cue", title)
        return {"text": case.text, "title": title, "cue": cue}[part]

    assert [t for t, count in Counter(map(of, CASES)).items() if count > 1] == []


def test_no_sentence_serves_more_than_three_entries() -> None:
    seen: Counter[str] = Counter()
    for case in CASES:
        pieces = re.split(
            r"[.;:\n]\s", re.sub(r"[0-9a-f]{6,}|\d+", "N", parts(case)[2])
        )
        seen.update({piece for piece in pieces if len(piece.split()) > 5})
    assert [piece for piece, count in seen.items() if count > 3] == []


def faults(case: Case) -> Iterator[str]:
    """Gives what SPEC 6.1 would not accept in the entry of `case`."""
    title, header, body = parts(case)
    keys, labels = KEYS[case.drawer], LABELS.get(case.drawer, [])
    if (
        not re.fullmatch(r"# \S.*", title)
        or not body.strip()
        or not all(header.values())
    ):
        yield "title, body or a value is empty"
    if list(header)[: len(keys)] != keys:
        yield f"header is {list(header)}"
    if (
        len(case.text.splitlines()) > LINES[case.drawer]
        or len(case.text.encode()) > BYTES
    ):
        yield "over the cap"
    if case.drawer != "working" and not 8 <= len(header["cue"]) <= 120:
        yield f"cue has {len(header['cue'])} characters"
    if header.get("source", "derived") != "derived" and "evidence" not in header:
        yield "evidence is missing"
    for key in ("as_of", "when"):
        if date.fromisoformat(header.get(key, "2026-01-01")) > LAST_DAY:
            yield f"{key} is too late"
    for label in labels:
        if not re.search(rf"^{label} *(\S|\n+\S)", body, re.MULTILINE):
            yield f"{label} is missing"


def test_an_entry_is_valid_but_for_what_it_was_made_for() -> None:
    found = [(named(case), fault) for case in CASES for fault in faults(case)]
    assert found == []


def test_every_placeholder_was_filled() -> None:
    assert [named(c) for c in CASES if re.search(r"<<!?[a-z]", c.text)] == []


def test_secrets_and_only_secrets_have_planted_strings() -> None:
    assert {c.expect for c in CASES if c.planted} == {"secret"}
    assert [named(c) for c in CASES if c.expect == "secret" and not c.planted] == []


def test_planted_strings_stand_in_the_entry() -> None:
    lost = [
        (named(case), planted)
        for case in CASES
        for planted in case.planted
        if planted not in case.text and planted not in folded(case.text)
    ]
    assert lost == []


def test_no_planted_string_stands_in_the_sources() -> None:
    sources = CORPUS.glob("*.py")
    text = "\n".join(source.read_text("utf-8") for source in sources)
    spoken = {"transcript"}
    values = [v for c in CASES if c.kind not in spoken for v in c.planted if len(v) > 9]
    assert [value for value in values if value in text] == []


def test_the_sources_hold_no_invisible_characters() -> None:
    for source in CORPUS.glob("*.py"):
        hidden = {
            c for c in source.read_text("utf-8") if unicodedata.category(c) == "Cf"
        }
        assert hidden == set(), source.name


def test_the_corpus_is_the_same_in_every_process() -> None:
    code = "import json, gate_corpus; print(json.dumps(gate_corpus.cases()))"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=CORPUS.parent,
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(result.stdout) == json.loads(json.dumps(CASES))


def test_every_drawer_and_place_is_used() -> None:
    secrets = [case for case in CASES if case.expect == "secret"]
    assert {case.drawer for case in secrets} == set(LINES)
    in_header = [
        c for c in secrets if any(p in c.text.split("\n\n")[1] for p in c.planted)
    ]
    in_fence = [c for c in secrets if "```" in c.text]
    in_table = [c for c in secrets if "\n|" in c.text]
    assert min(map(len, (in_header, in_fence, in_table))) >= 8
