"""Ways to hide text from a reader or from a pattern: filters and makers."""

from __future__ import annotations

import base64
import codecs
from random import Random

from .model import Filter, Maker

ZERO_WIDTH = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")
LEET = str.maketrans("aeiost", "431057")
CYRILLIC = str.maketrans("aceiopxy", "асеіорху")
GREEK = str.maketrans("aoivu", "αοινυ")


def full_width(text: str) -> str:
    """Gives the full-width form of ASCII, which NFKC folds back."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def mathematical(text: str) -> str:
    """Gives letters and digits in mathematical bold, which NFKC folds back."""
    shown = []
    for char in text:
        for first, base in (("a", 0x1D41A), ("A", 0x1D400), ("0", 0x1D7CE)):
            last = "9" if first == "0" else chr(ord(first) + 25)
            if first <= char <= last:
                char = chr(base + ord(char) - ord(first))
        shown.append(char)
    return "".join(shown)


def every(text: str, mark: str, step: int) -> str:
    """Puts `mark` between pieces of `step` characters."""
    return mark.join(text[at : at + step] for at in range(0, len(text), step))


def tags(text: str) -> str:
    """Gives `text` in tag characters, which no font shows."""
    return "".join(chr(0xE0000 + ord(char)) for char in text)


def selectors(text: str) -> str:
    """Gives the bytes of `text` as variation selectors behind one visible letter."""
    shown = "A"
    for octet in text.encode():
        shown += chr(0xFE00 + octet) if octet < 16 else chr(0xE0100 + octet - 16)
    return shown


def zero_width_bits(text: str) -> str:
    """Gives the bits of `text` as zero-width characters."""
    bits = "".join(f"{octet:08b}" for octet in text.encode())
    return bits.replace("0", "\u200b").replace("1", "\u200c")


def spread(text: str) -> str:
    """Puts a blank between letters and three between words."""
    return "   ".join(" ".join(word) for word in text.split(" "))


def b64(text: str) -> str:
    """Gives standard base64 of `text`."""
    return base64.b64encode(text.encode()).decode()


def upside_down(text: str) -> str:
    """Gives `text` right to left, turned back on screen by an override character."""
    return f"\u202e{text[::-1]}\u202c"


def entities(text: str) -> str:
    """Gives `text` as numeric character references."""
    return "".join(f"&#{ord(char)};" for char in text)


def percent(text: str) -> str:
    """Gives every byte of `text` percent-encoded."""
    return "".join(f"%{octet:02X}" for octet in text.encode())


def small_capitals(text: str) -> str:
    """Gives letters in the small capitals of the phonetic alphabet."""
    table = str.maketrans("abcdegijklmnoprtuvwyz", "ᴀʙᴄᴅᴇɢɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ")
    return text.translate(table)


FILTERS: dict[str, Filter] = {
    "fullwidth": full_width,
    "mathematical": mathematical,
    "zerowidth": lambda text: every(text, "\u200b", 5),
    "joiner": lambda text: every(text, "\u2060", 7),
    "soft": lambda text: every(text, "\u00ad", 9),
    "nonjoiner": lambda text: every(text, "\u200c", 4),
    "base64": b64,
    "escaped": lambda text: text.replace("_", "\\_"),
    "hex": lambda text: text.encode().hex(),
    "once": lambda text: text[:4] + "\u200d" + text[4:],
    "upper": str.upper,
}
OPAQUE = frozenset({"base64", "hex"})

MAKERS: dict[str, Maker] = {
    "said": lambda _, text: text,
    "leet": lambda _, text: text.translate(LEET),
    "cyrillic": lambda _, text: text.translate(CYRILLIC),
    "greek": lambda _, text: text.translate(GREEK),
    "fullwidth": lambda _, text: full_width(text),
    "mathematical": lambda _, text: mathematical(text),
    "spread": lambda _, text: spread(text),
    "dotted": lambda _, text: ".".join(text),
    "dashed": lambda _, text: "-".join(text),
    "tags": lambda _, text: tags(text),
    "selectors": lambda _, text: selectors(text),
    "bits": lambda _, text: zero_width_bits(text),
    "zerowidth": lambda _, text: every(text, "\u200b", 3),
    "soft": lambda _, text: every(text, "\u00ad", 2),
    "joined": lambda _, text: every(text, "\u2060", 4),
    "filler": lambda _, text: every(text, "\u3164", 6),
    "base64": lambda _, text: b64(text),
    "hexed": lambda _, text: text.encode().hex(),
    "rot13": lambda _, text: codecs.encode(text, "rot13"),
    "backwards": lambda _, text: text[::-1],
    "override": lambda _, text: upside_down(text),
    "isolate": lambda _, text: f"\u2067{text}\u2069",
    "embed": lambda _, text: f"\u202b{text}\u202c",
    "entities": lambda _, text: entities(text),
    "percent": lambda _, text: percent(text),
    "smallcaps": lambda _, text: small_capitals(text),
    "strong_words": lambda _, text: " ".join(f"**{w}**" for w in text.split()),
    "one_per_line": lambda _, text: "\n".join(text.split()),
    "underscored": lambda _, text: text.replace(" ", "_"),
    "circled": lambda _, text: "".join(
        chr(0x24D0 + ord(c) - ord("a")) if "a" <= c <= "z" else c for c in text
    ),
    "accented": lambda _, text: "".join(
        c + "\u0301" if c in "aeiou" else c for c in text
    ),
    # single characters that a source file should not hold
    "zwj": lambda _, __: "\u200d",
    "zwnj": lambda _, __: "\u200c",
    "zwsp": lambda _, __: "\u200b",
    "vs16": lambda _, __: "\ufe0f",
    "bom": lambda _, __: "\ufeff",
    "rlo": lambda _, __: "\u202e",
    "nbsp": lambda _, __: "\u00a0",
    "tab": lambda _, __: "\t",
    "esc": lambda _, __: "\x1b",
    "backspace": lambda _, __: "\x08",
}


def england(_: Random, __: str) -> str:
    """Gives the flag of England, the one honest use of tag characters."""
    return "\U0001f3f4" + tags("gbeng") + "\U000e007f"


def scotland(_: Random, __: str) -> str:
    """Gives the flag of Scotland."""
    return "\U0001f3f4" + tags("gbsct") + "\U000e007f"


MAKERS |= {"england": england, "scotland": scotland}
