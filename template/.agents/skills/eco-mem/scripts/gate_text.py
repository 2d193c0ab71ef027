"""A text as the gate reads it, and what hides in it (J01, J06)."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache

LONGEST = 4000  # characters of a line that a rule reads; the size cap is elsewhere
# Shorthand of the patterns: a line break only folds them; then a letter or figure, that
# or - and _, a hex digit, a stretch of one clause, people, and what guards an act.
SHORT = {
    ord("\n"): None,
    ord("¤"): "[A-Za-z0-9]",
    ord("§"): r"[\w-]",
    ord("¶"): "[0-9a-f]",
    ord("…"): r"[^.;\n]{0,40}?",
    ord("†"): r"\b(?:user|human|reviewer|owner|operator|maintainer|admin\w{0,10})s?\b",
    ord(
        "‡"
    ): r"\b(?:approvals?|confirm\w{0,6}|permission|consent|go-ahead|sign-?off|review"
    r"s?|verif\w{0,7}|gate|prompts|prompting|asking)\b",
}
# Letters stay, figures become 0, all else a space: words and shapes at one glance.
SHAPES = {i: " " for i in range(128)}
SHAPES.update({i: "0" if i < 58 else chr(i) for i in (*range(48, 58), *range(97, 123))})
QUOTED = r"""(?ms)^[ \t]*(`{3,9}|~{3,9})[^`\n]*$.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|^[ \t]*(?:[-*+
] {1,4})?>[^\n]*"""
SPANS = r"|(?<!`)(`{1,3})(?!`)[^\n]{1,400}?(?<!`)\2(?!`)"
# What shows nothing; most of it has a rightful place in some script.
UNSEEN = """[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-
\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0
-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"""
EMOJI = "\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
JOINED = """\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufefc
\U00010a00-\U00011fff\U0001e900-\U0001e95f"""
SPACED = (
    "\u0e00-\u109f\u1780-\u17ff\u1980-\u1aaf\u1b00-\u1b7f\ua980-\ua9df\uaa60-\uaa7f"
)
VARIANT = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# In turn: byte order mark, emoji and script joiners, unspaced scripts, flags, variants
# of ideographs, emoji and others, Mongolian, single direction marks.
RIGHTFUL = f"""\\A\ufeff|(?<=[{EMOJI}\ufe0f])\u200d(?=[{EMOJI}])|(?<=[{JOINED}])[\u200c\u200d]
{{1,2}}|(?<![A-Za-z])[\u200c\u200d](?=[{JOINED}])|(?<=[{SPACED}])\u200b|(?<![A-Za-z])\u200b(?=[
{SPACED}])|\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{{3,6}}\U000e007f|(?<=[\u3400-
\u9fff\uf900-\ufaff\U00020000-\U000323af])[{VARIANT}](?![{VARIANT}])|(?<![{VARIANT}A-Za-z])[\ufe0e
\ufe0f](?![{VARIANT}])|(?<=[^\0-\x7f{VARIANT}])[\ufe00-\ufe0d](?![{VARIANT}])|(?<=[\u1800-\u18af])[
\u180b-\u180f]|(?<![\u061c\u200e\u200f])[\u061c\u200e\u200f](?![\u061c\u200e\u200f]{{2}})"""
SOFT = r"|(?<=[^\W\d_]{4})\xad(?=[^\W\d_]{4})"  # at home in languages of long words
# A word of Latin letters and of Cyrillic ones that are drawn alike.
ALIKE = """\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u0410\u0412\u0415\u041a
\u041c\u041d\u041e\u0420\u0421\u0422\u0425"""
MIXED = rf"""(?<!\w)(?=\w{{0,40}}[A-Za-z])(?=\w{{0,40}}[{ALIKE}])[A-Za-z{ALIKE}]{{3,40}}(?!\w)"""

# Letters and figures that are written as escapes, or split by tags of no width.
CODED = r"""%([3-7][\da-fA-F])|&#x([3-7][\da-fA-F]);|&#(\d{2,3});|\\x([3-7][\da-fA-F])|\\u00([3-7][
\da-fA-F])|(?<=[A-Za-z])</?(?:b|i|em|strong|u|s|sub|sup|span|wbr|font)>|(?<=[A-Za-z])<!--[^<>\n]
{0,40}-->(?=[a-z])"""


@cache
def rx(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern written in the shorthand, at its first use."""
    return re.compile(pattern.translate(SHORT), flags)


@cache
def _tables(name: str) -> dict[str, list[str]]:
    """The sections of a data file beside this script."""
    path = os.path.join(os.path.dirname(__file__), f"gate_{name}.txt")
    sections: dict[str, list[str]] = {}
    with open(path, encoding="utf-8") as lines:
        for line in map(str.strip, lines):
            if line[:1] == "[" and line[1:-1].isidentifier() and line[-1] == "]":
                sections[line[1:-1]] = items = []
            elif line and line[0] != "#":
                items.append(line)
    return sections


def table(name: str, section: str) -> list[str]:
    """The items of a section of gate_<name>.txt, one a line; # starts a comment."""
    return _tables(name)[section]


def hidden(raw: str) -> Iterator[tuple[int, str]]:
    """Characters that show nothing and have no right to (J01): line and code."""
    if rx(UNSEEN).search(raw):
        accented = rx("[\xdf-\u024f\u0400-\u04ff]").search(raw)
        raw = rx(RIGHTFUL + (SOFT if accented else "")).sub("", raw)
        for at, line in enumerate(raw.split("\n"), 1):
            if rx(UNSEEN).search(line):
                yield at, "J01"


def fold(text: str) -> str:
    """Compatibility forms made plain and invisible characters dropped."""
    import unicodedata

    text = unicodedata.normalize("NFKC", text).replace("\u0130", "I")
    return rx(UNSEEN).sub("", text)


class Reading:
    """One folded text in the forms that the rules share; all keep the line breaks."""

    def __init__(self, text: str) -> None:
        self.full = text
        self.long = " ".join([w for w in text.split() if len(w) > 15])
        if self.long.islower() and not rx(r"[\w.=+~!$-]{18}").search(self.long):
            self.long = ""  # nothing that could be a token
        if len(text) > LONGEST:
            lines = text.split("\n")
            text = "\n".join(["" if len(x) > LONGEST else x for x in lines])
        self.text = text
        self.low = text.lower()
        self.shape = self.low.encode("ascii", "replace").decode().translate(SHAPES)
        self.words = set(self.shape.split())
        self.breaks: list[int] = []

    def row(self, at: int) -> int:
        """The number of the line that an offset stands on, from 1."""
        if not self.breaks:
            self.breaks = [
                -1,
                *(match.start() for match in rx(r"\x0a").finditer(self.text)),
            ]
        return bisect_left(self.breaks, at)

    def line(self, at: int) -> slice:
        """Where the line around an offset stands."""
        end = self.low.find("\n", at)
        return slice(self.low.rfind("\n", 0, at) + 1, end if end >= 0 else None)


def listed(table: str) -> frozenset[str]:
    """The words of a table; ~ is a space in one."""
    return frozenset(word.replace("~", " ") for word in table.split())


def spots(low: str, stems: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where the stems stand: start and end of each, stem by stem."""
    for stem in stems:
        at = low.find(stem)
        while at >= 0:
            yield at, at + len(stem)
            at = low.find(stem, at + len(stem))


def bare(text: str, pattern: str = QUOTED + SPANS) -> str:
    """The text with fences, block quotes and code spans blanked, offsets kept."""
    return rx(pattern).sub(lambda m: rx(r"[^\x0a]").sub(" ", m[0]), text)


def unpack(text: str) -> Iterator[tuple[str, str]]:
    """Runs of base64 or hex that hold plain text, each with what it holds."""
    from binascii import a2b_base64, unhexlify

    for run in rx(r"[\w+/-]{16,}={0,2}", re.ASCII).findall(text):
        plain = run.translate({45: "+", 95: "/", 61: None})
        try:
            if rx("(?i)¶+").fullmatch(run):
                inner = unhexlify(run).decode("ascii")
            else:
                inner = a2b_base64(plain + "=" * (-len(plain) % 4)).decode("ascii")
        except ValueError:
            continue
        if inner.replace("\n", "").isprintable():
            yield run, inner


def _decode(match: re.Match[str]) -> str:
    """What an escape stands for; a tag stands for nothing."""
    sign = next((group for group in match.groups() if group), "")
    code = int(sign, 10 if match.lastindex == 3 else 16) if sign else 0
    return chr(code) if 47 < code < 127 else "" if match[0][0] == "<" else match[0]


def unescaped(text: str) -> str:
    """The text with letters for their escapes, and words without tags in them."""
    if not any(sign in text for sign in ("%", "&#", "<", "\\")):
        return text
    return rx(CODED).sub(_decode, text)
