"""Words as recall compares them: case, accents, hyphens and plain plurals aside.

Nothing here is learned and nothing measures likeness: two words are the same or not.
"""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import NamedTuple, cache

# Scripts that do not part their words by spaces: Thai, Lao, Burmese, Khmer, kana, Han;
# and Hangul, whose words carry their particles.
UNPARTED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
# Accents of Latin, Greek, Cyrillic, Hebrew and Arabic letters, and characters that show
# nothing. Marks of other scripts make another letter, so they stay.
IGNORED = (
    "\u00ad\u0300-\u036f\u034f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u061c\u0640"
    "\u064b-\u065f\u0670\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u3164\ufe00-\ufe0f"
    "\ufe20-\ufe2f\ufeff\uffa0\U000e0000-\U000e0fff"
)
# An ending, what takes its place, and how long a word with that ending must be. The
# first that fits is used; then the same for the second table.
PLURALS = (
    ("ies", "y", 5),  # queries
    ("eaux", "eau", 6),  # réseaux
    ("ss", "ss", 0),
    ("us", "us", 0),  # status is no plural
    ("is", "is", 0),  # analysis
    ("s", "", 4),
    ("ern", "er", 6),  # auf Servern
    ("eln", "el", 6),  # Regeln
    ("en", "", 7),  # Datenbanken
    ("\u044b", "", 5),  # серверы
)
# What a plural in -es or -i leaves behind, and what its singular has there.
VOWELS = (
    ("ie", "y", 5),  # cookie
    ("ale", "ale", 0),  # locale is not local
    ("che", "ch", 4),  # caches, batches
    ("she", "sh", 4),
    ("sse", "ss", 4),
    ("xe", "x", 3),
    ("ze", "z", 4),
    ("e", "", 6),  # servidores, Berichte
    ("i", "", 6),  # errori
)


def word_set(*lines: str) -> frozenset[str]:
    """The words of some lines."""
    return frozenset(" ".join(lines).split())


# Words that say nothing about a matter: English, German, French, Spanish, Portuguese,
# Italian; folded. They are left out of a query that has other words.
STOP_WORDS = word_set(
    "a about after again all also am an and any are as at be because been before",
    "being but by can could did do does doing done for from get gets got had has have",
    "how i if in into is it its just let may me must my need no not of off on only or",
    "our out over shall should so some such than that the their them then there these",
    "they this those to too up us use used using very was we were what when where",
    "which while who whom whose why will with would you your",
    "aber als am an auf aus bei bin bis das dass dem den der des die durch ein eine",
    "einem einen einer es fur hat ich im in ist kann man mit nach nicht ob oder sich",
    "sie sind so uber um und uns unser von vor war warum was welche welcher wenn wer",
    "wie wir wird wo zu zum zur",
    "au aux avec ce ces comment dans de des du elle en est et il la le les leur mais",
    "ne nous ou par pas pour pourquoi qu quand que quel quelle qui quoi sa se ses son",
    "sont sur un une",
    "al como con cual cuando de del donde el en es esta la las lo los mas no o para",
    "pero por porque que quien se si sin son su sus un una y",
    "com da das do dos e em na nas nos onde os ou qual quando quem sao seu sua um uma",
    "che chi con da dei del della di e gli i il la le lo nel non per perche quale",
    "quando un una",
)
_LETTER = "(?:[^\\W_]|[\u0900-\u0dff])"  # Indian vowel signs are no letters to `re`
_PLAIN = {
    **{ord(sign): "-" for sign in "\u2010\u2011\u2012\u2013\u2212"},
    **str.maketrans(
        {"đ": "d", "ø": "o", "ł": "l", "\u0131": "i", "æ": "ae", "œ": "oe"}
    ),
}


class Word(NamedTuple):
    """A word to look for. `stem` is in every text that has the word in some form."""

    key: str
    stem: str
    is_part: bool  # two characters of a script that does not part words


def without_accents(text: str) -> str:
    """Text in lower case, without accents and invisible characters.

    Runs of a script that does not part words get spaces around them.
    """
    if text.isascii():
        return text.lower()
    from unicodedata import normalize

    text = normalize("NFKD", text.casefold()).translate(_PLAIN)
    text = normalize("NFC", _ignored().sub("", text).casefold())
    return _unparted().sub(r" \g<0> ", text)


@cache
def _ignored() -> re.Pattern[str]:
    return re.compile(f"[{IGNORED}]+")


@cache
def _unparted() -> re.Pattern[str]:
    return re.compile(f"[{UNPARTED}]+")


@cache
def _compound() -> re.Pattern[str]:
    return re.compile(f"{_LETTER}+(?:-{_LETTER}+)+")


def runs(folded: str) -> list[str]:
    """The runs of letters and digits of a folded text, in order."""
    if folded.isascii():
        return re.findall("[a-z0-9]+", folded)
    return re.findall(f"[{UNPARTED}]+|{_LETTER}+", folded)


@cache
def key(word: str) -> str:
    """A folded word without its plural ending: equal keys are the same word."""
    for table in (PLURALS, VOWELS):
        for ending, instead, least in table:
            if word.endswith(ending) and len(word) >= least:
                word = word[: len(word) - len(ending)] + instead
                break
    return word


def query(texts: list[str]) -> list[Word]:
    """The words to look for, in order, each once.

    Stop words are left out if there are others. Empty where no text has a letter or a
    digit.
    """
    folded = without_accents("\n".join(texts))
    found = [*runs(folded), *_joined(folded)]
    content = [run for run in found if not _is_stop_word(run)]
    words = [word for run in content or found for word in _words(run)]
    return list({word.key: word for word in words}.values())


def _is_stop_word(run: str) -> bool:
    return run in STOP_WORDS or (len(run) == 1 and run.isascii() and run.isalpha())


def _words(run: str) -> list[Word]:
    """A folded run of letters and digits as one word, or as its pairs of characters."""
    if not run.isascii() and _unparted().match(run):
        pairs = [run[at : at + 2] for at in range(max(len(run) - 1, 1))]
        return [Word(pair, pair, True) for pair in pairs]
    name = key(run)
    return [Word(name, name[:-1] if name[2:] and name[-1] == "y" else name, False)]


def _joined(folded: str) -> list[str]:
    """Neighbours in words with hyphens as one word: e-mail as email."""
    if "-" not in folded:
        return []
    found = []
    for compound in _compound().findall(folded):
        parts = compound.split("-")
        found += [first + second for first, second in zip(parts, parts[1:])]
    return found


def has(folded: str, word: Word) -> bool:
    """Return true if a folded text has a word."""
    if word.is_part or word.stem not in folded.replace("-", ""):
        return word.stem in folded
    if not word.key.isascii():
        return any(key(run) == word.key for run in [*runs(folded), *_joined(folded)])
    at = folded.find(word.stem)
    while at >= 0:
        if not (at and folded[at - 1].isalnum()):
            end = at + len(word.stem)
            while end < len(folded) and folded[end].isalnum():
                end += 1
            if key(folded[at:end]) == word.key:
                return True
        at = folded.find(word.stem, at + 1)
    if "-" in folded and _spans_hyphen(folded, word.stem):
        return any(key(joined) == word.key for joined in _joined(folded))
    return False


def _spans_hyphen(folded: str, stem: str) -> bool:
    """Return true if a stem occurs somewhere only without a hyphen inside."""
    return folded.replace("-", "").count(stem) > folded.count(stem)
