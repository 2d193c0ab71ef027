"""What must not change a verdict of the gate, and what must not cost it time."""

from __future__ import annotations

import time

import pytest
from ecomem.gate.scanner import Hit, scan
from gate_corpus import Case, cases
from hypothesis import given, settings
from hypothesis import strategies as st

TOKENS = ("cloud", "forge", "chat", "ai", "registry", "saas", "jwt", "conn_url")


def errors(text: str) -> list[Hit]:
    """Return what the gate refuses a text for."""
    return [hit for hit in scan(text) if hit.level == "error"]


def known() -> list[tuple[Case, str]]:
    """Return the refused entries that hold one token of a service, with the token."""
    return [
        (case, case.planted[0])
        for case in cases()
        if case.kind in TOKENS and len(case.planted) == 1 and errors(case.text)
        if case.planted[0] in case.text and "\n" not in case.planted[0]
    ]


KNOWN = known()
ONE = st.sampled_from(KNOWN)
WRAPPERS = (
    "**{}**",
    "_{}_",
    "({})",
    '"{}"',
    "<{}>",
    "{}.",
    "{},",
    "- {}",
    "> {}",
    "`{}`",
)


@given(ONE, st.sampled_from("\u200b\u200c\u2060\ufeff\u00ad"), st.floats(0.2, 0.8))
def test_splitting_a_token_by_what_cannot_be_seen_hides_nothing(
    one: tuple[Case, str], mark: str, where: float
) -> None:
    case, token = one
    at = int(len(token) * where)
    split = case.text.replace(token, token[:at] + mark + token[at:])
    assert any(hit.code[0] == "G" for hit in errors(split))


@given(ONE, st.sampled_from(WRAPPERS))
def test_punctuation_and_emphasis_around_a_token_hide_nothing(
    one: tuple[Case, str], wrapper: str
) -> None:
    _, token = one
    plain = errors(f"# Title\n\nIt is {token} for now.\n")
    wrapped = errors(f"# Title\n\n{wrapper.format(token)}\n")
    assert bool(wrapped) >= bool(plain)


@given(ONE)
def test_line_ends_change_nothing(one: tuple[Case, str]) -> None:
    case, _ = one
    assert scan(case.text.replace("\n", "\r\n")) == scan(case.text)


@settings(deadline=None)
@given(st.text(max_size=2000))
def test_any_text_is_judged(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(1 <= hit.line <= lines for hit in scan(text))


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "`",
        "(",
        "token=",
        " ",
        "a",
        "password is ",
        "<!--",
        "ignore all ",
        "\u200b",
    ],
)
def test_the_work_grows_with_the_text_and_not_faster(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        scan(text)
        start = time.perf_counter()
        scan(text)
        return time.perf_counter() - start

    assert seconds(32_000) <= 40 * max(seconds(4_000), 0.0005)
