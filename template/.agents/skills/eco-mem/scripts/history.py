"""What may not change once published, judged against the base (family H)."""

from __future__ import annotations

from collections.abc import Iterator

from entry import NONE, Entry, read_evidence
from evidence import FRESH, Project
from findings import Finding, found
from published import ALLOW, Published
from store import STORE, Store

MAX_WORDS, MAX_DISTANCE = 2, 2

_EPISODIC = f"{STORE}/episodic/"
_SEMANTIC = f"{STORE}/semantic/"
_NEGATIONS = (
    "not no never none nor cannot without nicht kein keine nie ne pas sans jamais nunca"
    " sin sem не нет никогда"
)
_NEGATIONS_CJK = "不没沒未無无莫勿"


def check(
    store: Store, entries: dict[str, Entry], published: Published
) -> Iterator[Finding]:
    """All findings of family H."""
    for path, mode in published.tracked.items():
        if mode == "120000":
            yield found(path, 1, "H06")
        elif path in store.slugs and path.startswith(f"{STORE}/working/"):
            yield found(path, 1, "H05")
    if published.shallow:
        yield found(STORE, 1, "H08")
    if not published.commit:
        return
    if ALLOW in published.changed or ALLOW in published.deleted:
        yield found(ALLOW, 1, "H07")
    moved = dict(published.changed)
    moved.update((path, "") for path in entries if path not in published.tracked)
    yield from _episodes(entries, published, moved)
    for path, old in moved.items():
        if path.startswith(_SEMANTIC) and path in entries:
            before = published.before(old) if old else None
            yield from claims(store.root, entries[path], before)


def _episodes(
    entries: dict[str, Entry], published: Published, moved: dict[str, str]
) -> Iterator[Finding]:
    gone = list(published.deleted)
    for path, old in moved.items():
        if not _is_episode(path):
            gone.append(old)
        elif old and path in entries:
            before = published.before(old)
            if before and not typo(before, entries[path]):
                yield found(path, 1, "H01", entries[path].page.name)
    new = [path for path, old in moved.items() if not old and path in entries]
    fresh = [entries[path] for path in filter(_is_episode, new)]
    for path in filter(_is_episode, gone):
        before = published.before(path)
        if before and not any(typo(before, entry) for entry in fresh):
            yield found(path, 1, "H02", before.page.name)


def _is_episode(path: str) -> bool:
    name = path[len(_EPISODIC) : -3]
    return path.startswith(_EPISODIC) and name not in ("INDEX", "ARCHIVE")


def claims(root: str, entry: Entry, before: Entry | None) -> Iterator[Finding]:
    """A source above what it was needs new evidence; a moved as_of needs fresh one."""
    path, slug = entry.page.path, entry.page.name
    known = [field.value for field in before.evidence] if before else []
    old = [read_evidence(value) for value in known]
    new = [read_evidence(field.value) for field in entry.evidence]
    bare = [item and item._replace(sha="") for item in old]
    kinds = {item.kind for item in new if item and item._replace(sha="") not in bare}
    source, line = entry.fields.get("source", NONE)
    enough = kinds if source == "verified" else kinds & {"user", "review"}
    was = before.fields.get("source", NONE).value if before else ""
    if _rank(source) > _rank(was) and not enough:
        yield found(path, line, "H03", slug)
    as_of, line = entry.fields.get("as_of", NONE)
    if before and as_of != before.fields.get("as_of", NONE).value:
        project = Project(root, {}, {})
        marked = [item for item in new if item and item.sha]
        fresh = [item for item in marked if project.judge(item)[0] == FRESH]
        if old == new and not fresh:
            yield found(path, line, "H04", slug)


def _rank(source: str) -> int:
    return {"user-confirmed": 2, "verified": 1}.get(source, 0)


def typo(before: Entry, after: Entry) -> bool:
    """Whether an edit only mends spelling: same header, same words but for two."""
    headers = [
        {key: field.value for key, field in entry.fields.items()}
        for entry in (before, after)
    ]
    old, new = before.page.text.split(), after.page.text.split()
    pairs = [(one, two) for one, two in zip(old, new) if one != two]
    if headers[0] != headers[1] or len(old) != len(new) or len(pairs) > MAX_WORDS:
        return False
    return all(
        _weighty(one) == _weighty(two) and _distance(one, two) <= MAX_DISTANCE
        for one, two in pairs
    )


def _weighty(word: str) -> list[str]:
    """What of a word a typo never changes: digits and negation."""
    plain = word.lower().strip(".,;:!?()\"'`*_")
    negation = plain in _NEGATIONS.split() or plain.endswith(("n't", "n\u2019t"))
    marks = [c for c in word if c.isdigit() or c in _NEGATIONS_CJK]
    return [*marks, "not"] if negation else marks


def _distance(one: str, two: str) -> int:
    """The edit distance between two words."""
    row = list(range(len(two) + 1))
    for at, left in enumerate(one, 1):
        last, row = row, [at]
        for to, right in enumerate(two, 1):
            row.append(min(last[to] + 1, row[-1] + 1, last[to - 1] + (left != right)))
    return row[-1]
