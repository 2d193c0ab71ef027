"""A text as the gate reads it, its tables, and characters that hide in it (J01)."""

from __future__ import annotations

import os
from bisect import bisect_left

from ecomem import cheap_re as re
from ecomem.cheap_imports import Iterable, Iterator, cache
from ecomem.gate import LONGEST

# Letters stay, figures become 0, all else a space: words and shapes at one glance.
SHAPES = bytes(
    48 if 47 < i < 58 else i if 96 < i < 123 else 32 if i != 10 else 10
    for i in range(256)
)
QUOTED = r"(?ms)^[ \t]*(`{3,9}|~{3,9})[^`\n]*$.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)"
QUOTED += r"|^[ \t]*(?:[-*+] {1,4})?>[^\n]*"
SPANS = r"|(?<!`)(`{1,3})(?!`)[^\n]{1,400}?(?<!`)\2(?!`)"
QUOTES = '"[^"\n]{4,400}"|“[^”\n]{4,400}”|「[^」\n]{4,400}」|«[^»\n]{4,400}»'
QUOTES += r"|(?<!\w)'(?=\w)[^'\n]{4,400}'(?!\w)"


@cache
def _read(name: str) -> tuple[dict[str, str], list[list[str]]]:
    """The sections of a data file beside this script, and the parts that they call."""
    path = os.path.join(os.path.dirname(__file__), f"{name}.txt")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    pieces = re.split(r"\n\[([a-z_]+)\]\n", text)
    parts = [line.split(" := ") for line in text.split("\n") if " := " in line]
    return dict(zip(pieces[1::2], pieces[2::2])), parts[::-1]


@cache
def table(name: str, section: str) -> list[str]:
    """The items of a section of <name>.txt, one a line; # starts a comment."""
    sections, parts = _read(name)
    text = sections[section]
    for part, meaning in parts:
        text = text.replace(f"{{{part}}}", meaning)
    lines = text.split("\n")
    return [line for line in lines if line and line[0] != "#" and " := " not in line]


@cache
def pattern(name: str, section: str) -> re.Pattern[str]:
    """The items of a section as alternatives of one pattern, compiled when called."""
    return re.compile("|".join(table(name, section)))


@cache
def rx(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern at its first use."""
    return re.compile(pattern, flags)


def hidden(raw: str) -> Iterator[tuple[int, str]]:
    """Invisible characters that no script needs where they are (J01): line and code."""
    unseen = pattern("secrets", "unseen")
    if not unseen.search(raw):
        return
    soft = pattern("secrets", "accented").search(raw)
    for rightful in ("rightful", "soft") if soft else ("rightful",):
        raw = pattern("secrets", rightful).sub("", raw)
    for at, line in enumerate(raw.split("\n"), 1):
        if unseen.search(line):
            yield at, "J01"


def fold(text: str) -> str:
    """Compatibility forms made plain and invisible characters dropped."""
    import unicodedata

    text = unicodedata.normalize("NFKC", text).replace("\u0130", "I")
    return pattern("secrets", "unseen").sub("", text)


class Reading:
    """One folded text in the forms that the rules share; all keep the line breaks."""

    def __init__(self, text: str) -> None:
        self.full = text
        long = [word for word in text.split() if len(word) > 15]
        self.long = " ".join([word for word in long if _opaque(word)])
        if len(text) > LONGEST:
            lines = text.split("\n")
            text = "\n".join(["" if len(x) > LONGEST else x for x in lines])
        if "ENC[" in text:  # a value that sops encrypted
            text = bare(text, r"ENC\[AES256_GCM(?:,\w{1,4}:[\w+/=]*){1,5}\]")
        if "encryptedData" in text:  # values of a sealed secret
            text = bare(text, r"(?<=: )Ag[\w+/=]{60,}")
        self.text = text
        self.low = text.lower()
        shape = self.low.encode("ascii", "replace").translate(SHAPES)
        self.shape = shape.decode()
        self.words = set(self.shape.split())
        self.breaks: list[int] = []

    def row(self, at: int) -> int:
        """The number of the line of an offset, from 1."""
        if not self.breaks:
            breaks = rx(r"\x0a").finditer(self.text)
            self.breaks = [-1, *(match.start() for match in breaks)]
        return bisect_left(self.breaks, at)

    def line(self, at: int) -> slice:
        """The slice of the line around an offset."""
        end = self.low.find("\n", at)
        return slice(self.low.rfind("\n", 0, at) + 1, end if end >= 0 else None)


def _opaque(word: str) -> bool:
    """True for a long word that may contain a token and is no mere chain of names."""
    plain = word.islower() and not rx(r"\d").search(word)
    return not plain and bool(rx(r"[\w~]{11}|A3-|/catch/").search(word))


def spots(low: str, stems: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Start and end of each occurrence of the stems, stem by stem."""
    for stem in [stem for stem in stems if stem in low]:
        at = low.find(stem)
        while at >= 0:
            yield at, at + len(stem)
            at = low.find(stem, at + len(stem))


def bare(text: str, pattern: str = QUOTED + SPANS) -> str:
    """The text with fences, block quotes and code spans blanked, offsets kept."""
    return rx(pattern).sub(lambda m: rx(r"[^\x0a]").sub(" ", m[0]), text)


def unpack(text: str) -> Iterator[tuple[str, str]]:
    """Runs of base64 or hex that decode to plain text, each with that text."""
    from binascii import a2b_base64, unhexlify

    for run in rx(r"[\w+/-]{16,}={0,2}", re.ASCII).findall(text):
        hexed = rx("[0-9A-Fa-f]+").fullmatch(run)
        plain = run.translate({45: "+", 95: "/", 61: None}) + "==="
        try:
            inner = (unhexlify(run) if hexed else a2b_base64(plain)).decode("ascii")
        except ValueError:
            continue
        if "".join(inner.split()).isprintable():
            yield run, inner


def unescaped(text: str) -> str:
    """The text with escapes decoded, and words without tags in them."""
    if not any(sign in text for sign in ("%", "&#", "<", "\\", '" ', "' ")):
        return text
    return pattern("secrets", "coded").sub(_decode, text)


def _decode(match: re.Match[str]) -> str:
    """The letter of an escape; an empty text for what only splits a word."""
    sign = next((group for group in match.groups() if group), "")
    code = int(sign, 10 if match.lastindex == 3 else 16) if sign else 0
    return chr(code) if 47 < code < 127 else match[0] if sign else ""
