"""Comparison of two texts of an entry, formatting and small typos aside."""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.entry import FORMATS, NONE, Entry

MAX_WORDS, MAX_DISTANCE = 2, 2
# Header fields that an upgrade of the format may add to an older entry.
ADDED_FIELDS = ("cue", "source", "claimed")

_NEGATIONS = (
    "not no never none nor cannot without nicht kein keine nie ne pas sans jamais nunca"
    " sin sem не нет никогда"
)
_NEGATIONS_CJK = "不没沒未無无莫勿"
_CJK = "\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_WRAPPED_CJK = rf"(?<=[{_CJK}])[ \t]*\n[ \t]*(?=[{_CJK}])"
_BLOCK_MARK = r"(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)(?=\s|$)\s*"
_RULE = r"(?:[-*_=][ \t]*){3,}"
_FENCE = r"(`{3,}|~{3,})[ \t]*(.*)"
_TABLE_RULE = r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?"
_ESCAPE = r"\\([!-/:-@\[-`{-~])"


def is_same(before: Entry, after: Entry) -> bool:
    """Return true if an edit leaves the meaning of an entry as it was.

    It may change formatting, mend two words by two letters each, and add what an
    upgrade of the format asks for. No word of the header, digit or negation may change.
    """
    wanted = (*FORMATS[after.page.drawer].header, *ADDED_FIELDS)
    added = {key for key in wanted if not before.fields.get(key, NONE).value}
    if bare_words(_header(before, added)) != bare_words(_header(after, added)):
        return False
    old, new = _body(before), _without_added_parts(before, after)
    return differ_by_typos(old.split(), new.split()) or differ_by_typos(
        bare_words(old), bare_words(new)
    )


def differ_by_typos(old: list[str], new: list[str]) -> bool:
    """Return true if two lists of words differ by at most two typos."""
    pairs = [(one, two) for one, two in zip(old, new) if one != two]
    if len(old) != len(new) or len(pairs) > MAX_WORDS:
        return False
    return all(
        _weighty(one) == _weighty(two) and _near(one, two, MAX_DISTANCE)
        for one, two in pairs
    )


def bare_words(text: str) -> list[str]:
    """The words of a Markdown text, without the marks that formatters change."""
    lines = [line.strip() for line in text.split("\n")]
    tables = _table_lines(lines)
    plain: list[str] = []
    fence = ""
    for at, line in enumerate(lines):
        mark = re.fullmatch(_FENCE, line)
        if mark and (not fence or line.startswith(fence)):
            fence = "" if fence else mark[1]
            plain.append(f"``` {mark[2]}")
        elif fence:
            plain.append(line)
        else:
            plain.append(_plain_line(line, at in tables))
    return re.sub(_WRAPPED_CJK, "", "\n".join(plain)).split()


def _header(entry: Entry, without: set[str]) -> str:
    """Title and header of an entry, without the fields named."""
    starts = {field.line: key for key, field in entry.fields.items()}
    starts.update((field.line, "evidence") for field in entry.evidence)
    lines, key = [entry.title], ""
    for line in range(2, entry.body + 1):
        key = starts.get(line, key)
        if key not in without:
            lines.append(entry.lines[line - 1])
    return "\n".join(lines)


def _body(entry: Entry) -> str:
    return "\n".join(entry.lines[entry.body :])


def _without_added_parts(before: Entry, after: Entry) -> str:
    """The body of an entry, without parts that the older one did not have."""
    labels = FORMATS[after.page.drawer].parts
    had = {_label(line, labels) for line in before.lines[before.body :]}
    lines: list[str] = []
    part = ""
    for line in after.lines[after.body :]:
        part = _label(line, labels) or part
        if not part or part in had:
            lines.append(line)
    return "\n".join(lines)


def _label(line: str, labels: tuple[str, ...]) -> str:
    """The label of a part of the body that a line begins with, or nothing."""
    name = line.lstrip("-*+#_ \t").partition(":")[0].strip("*_ \t")
    return name if name in labels else ""


def _table_lines(lines: list[str]) -> set[int]:
    """Indexes of the lines that belong to tables."""
    found: set[int] = set()
    for at, line in enumerate(lines):
        if at and "|" in line and "-" in line and re.fullmatch(_TABLE_RULE, line):
            end = at
            while end < len(lines) and "|" in lines[end]:
                end += 1
            found.update(range(at - 1, end))
    return found


def _plain_line(line: str, in_table: bool) -> str:
    """A stripped line without the marks of lists, headings, quotes, rules, tables."""
    if in_table:
        if re.fullmatch(_TABLE_RULE, line):
            return ""
        line = re.sub(r"(?<!\\)\|", " ", line)
    if re.fullmatch(_RULE, line):
        return ""
    mark = re.match(_BLOCK_MARK, line)
    while mark:
        line = line[mark.end() :]
        mark = re.match(_BLOCK_MARK, line)
    return " ".join(filter(None, map(_plain_word, line.split())))


def _plain_word(word: str) -> str:
    """A word without escapes, and without marks of emphasis around it."""
    word = re.sub(_ESCAPE, r"\1", word.rstrip("\\"))
    return word.replace("_", "*").strip("*")


def _near(one: str, two: str, edits: int) -> bool:
    """Return true if two words differ in at most so many letters."""
    if one == two or not edits:
        return one == two
    differ = (at for at, (a, b) in enumerate(zip(one, two)) if a != b)
    at = next(differ, min(len(one), len(two)))
    steps = ((1, 1), (1, 0), (0, 1))  # a letter is another, too many or missing
    return any(_near(one[at + i :], two[at + j :], edits - 1) for i, j in steps)


def _weighty(word: str) -> list[str]:
    """The parts of a word that no typo changes: its digits, and that it negates."""
    plain = word.lower().strip(".,;:!?()\"'`*_")
    negation = plain in _NEGATIONS.split() or plain.endswith(("n't", "n\u2019t"))
    marks = [c for c in word if c.isdigit() or c in _NEGATIONS_CJK]
    return [*marks, "not"] if negation else marks
