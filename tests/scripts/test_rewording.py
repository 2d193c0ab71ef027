"""The same text of an episode: formatting and typos are no rewriting, words are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from ecomem.entry import Entry, parse
from ecomem.rewording import bare_words, is_same
from ecomem.store import Page
from hypothesis import given
from hypothesis import strategies as st

TEXT = """\
# The build broke

- cue: when the build of `app` breaks at night
- when: 2026-01-02
- task: ship release 12

Context: there was a _nasty_ thing, with __bold__ words and snake_case and 3\\*4.

Action: did it.

* one thing
* another thing
    + a nested thing

1. first step
2. second step

| name | value |
|---|:-:|
| one | 17 |

***

> quoted by somebody

~~~py
x = "a_b"
~~~

Result: it did not fail in 3 of 5 runs, and nobody could tell for long why it was so.

Lesson: check first.
"""


def entry(text: str) -> Entry:
    """Parse an episode."""
    return parse(Page("episodic/broke.md", "episodic", "broke", text))


def same(text: str, before: str = TEXT) -> bool:
    """Return True if a text is the same episode."""
    return is_same(entry(before), entry(text))


def replaced(old: str, new: str) -> str:
    """The episode with other words."""
    assert old in TEXT
    return TEXT.replace(old, new)


def wrap(text: str) -> str:
    """The text with its prose wrapped at forty columns."""
    import textwrap

    return "\n".join(
        textwrap.fill(line, 40, break_long_words=False, break_on_hyphens=False)
        if line.startswith(("Context", "Result"))
        else line
        for line in text.split("\n")
    )


@pytest.mark.parametrize(
    "text",
    [
        replaced("* one thing\n* another", "- one thing\n- another"),
        replaced("    + a nested", "  - a nested"),
        replaced("- cue:", "* cue:").replace("- when:", "* when:"),
        replaced("2. second", "1. second"),
        replaced("2. second", "2) second"),
        replaced("_nasty_", "*nasty*"),
        replaced("__bold__", "**bold**"),
        replaced("|---|:-:|", "| ---- | :---: |").replace("| one | 17 |", "|one|17|"),
        replaced("***\n", "---\n"),
        replaced("***\n", "* * *\n"),
        replaced("~~~", "```"),
        replaced("3\\*4", "3*4"),
        replaced("snake_case", "snake\\_case"),
        replaced("> quoted by somebody", "> quoted by\n> somebody"),
        replaced("\n\nAction", "\nAction"),
        replaced("Context:", "**Context:**").replace("Lesson:", "_Lesson:_"),
        TEXT.replace("\n\n", "\n\n\n"),
        wrap(TEXT),
        wrap(TEXT).replace("3 of", "3\nof"),
        TEXT.rstrip("\n"),
    ],
)
def test_formatting_is_no_rewriting(text: str) -> None:
    assert text != TEXT
    assert same(text)
    assert is_same(entry(text), entry(TEXT))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("构建在夜里坏了，没有人知道原因。", "构建在夜里坏了，\n没有人知道原因。"),
        ("ビルドが夜に壊れた。", "ビルドが\n  夜に壊れた。"),
        ("one two\n===\n\nthree", "# one two\n\nthree"),
        ("a | b\n--|--\nc | d", "| a | b |\n| - | - |\n| c | d |"),
    ],
)
def test_other_languages_and_marks_are_formatted_too(before: str, after: str) -> None:
    assert bare_words(before) == bare_words(after)


@pytest.mark.parametrize(
    "text",
    [
        replaced("did it", "did all of it"),
        replaced("nasty", "nice"),
        replaced("did not fail", "did fail"),
        replaced("did not fail", "did now fail"),
        replaced("nobody", "somebody"),
        replaced("| one | 17 |", "| one | 18 |"),
        replaced("3 of 5", "4 of 5"),
        replaced("release 12", "release 13"),
        replaced("2026-01-02", "2026-01-03"),
        replaced("- task: ship release 12\n", ""),
        replaced("- task:", "- note: more\n- task:"),
        replaced("* another thing\n", ""),
        replaced('x = "a_b"', 'x = "a_b"  # more'),
        replaced("\n\nLesson", "\n\nAnd more.\n\nLesson"),
        replaced("The build broke", "The build held"),
        replaced("quoted by somebody", "said by everybody"),
        replaced("a `b", "a `b") if "a `b" in TEXT else replaced("`app`", "`api-v2`"),
    ],
)
def test_other_words_are_a_rewriting(text: str) -> None:
    assert not same(text)


OLDER = "\n".join(
    line for line in TEXT.split("\n") if not line.startswith(("- cue:", "Lesson:"))
)


@pytest.mark.parametrize(
    "added",
    [
        lambda text: text.replace("- when:", "- cue: when it breaks\n- when:"),
        lambda text: text.replace("- when:", "- source: derived\n- when:"),
        lambda text: text.replace("- when:", "- claimed: verified\n- when:"),
        lambda text: text + "\nLesson: look first.\n",
        lambda text: text.replace("Action:", "Lesson: look first.\n\nAction:"),
        lambda text: text.replace(
            "- when:", "- cue: when a long\n  cue goes on\n- when:"
        ),
    ],
)
def test_an_older_entry_may_gain_what_the_format_asks_for(
    added: Callable[[str], str],
) -> None:
    text = added(OLDER)
    assert text != OLDER
    assert same(text, OLDER)
    assert not same(OLDER, text)  # and it may lose nothing
    assert not same(text.replace("did it.", "did it all."), OLDER)
    assert not same(added(OLDER).replace("- task:", "- other: x\n- task:"), OLDER)


def test_two_typos_pass_and_three_do_not() -> None:
    typos = replaced("nasty", "nsaty").replace("another", "anohter")
    assert same(typos)
    assert not same(typos.replace("quoted", "quotde"))
    assert not same(replaced("another", "athoner"))


marks = st.sampled_from(["*", "_", "-", "+", "|", ">", "#", "`", "\\", "1.", "\n", " "])
texts = st.lists(st.one_of(marks, st.text("abcé不0 ", max_size=4)), max_size=30)


@given(parts=texts, more=texts)
def test_no_text_stops_the_comparison_and_each_is_itself(
    parts: list[str], more: list[str]
) -> None:
    one, two = "".join(parts), "".join(more)
    assert bare_words(one) == bare_words(one + "\n") == bare_words(f"\n{one}")
    body = f"# T\n\n- when: 2026-01-02\n\n{one}\n"
    assert same(body, body)
    assert isinstance(same(body + two, body), bool)
