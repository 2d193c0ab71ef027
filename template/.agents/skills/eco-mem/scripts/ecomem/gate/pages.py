"""The gate over the store (families G and J), less what a person let pass."""

from __future__ import annotations

from ecomem.cache import load, save
from ecomem.catalog import rows_of
from ecomem.cheap_imports import cache, sha256
from ecomem.entry import NONE, Entries, Entry, field_lines
from ecomem.findings import Finding, Verdict, finding, with_names
from ecomem.gate import LONGEST
from ecomem.gate.allow_file import is_allowed
from ecomem.rules import ERROR, FORGET, RULES
from ecomem.store import Page, Store

# Line, code, level, and where the words of a J finding stand in the small letters of the
# page. A place tells nothing without the page, so that a cached hit holds no word of it.
Hit = tuple[int, str, str, tuple[tuple[int, int], ...]]

# An entry that must not be reworded has another way out of a J finding.
_EPISODE_ADVICE = (
    f"If the episode is published, run `{FORGET} SLUG --reason sensitive`."
)


def check(store: Store, entries: Entries) -> Verdict:
    """Judge every page of the store by families G and J.

    The gate's answer for a page is cached: an unchanged page is not scanned again.
    """
    seen: dict[bytes, list[Hit]] = load("hits", dict) or {}
    hits: dict[bytes, list[Hit]] = {}
    findings: list[Finding] = []
    allowed = 0
    for page in (*store.entries.values(), *store.catalogs.values()):
        entry = entries.get(page.path)
        key = _hits_key(page, entry is not None)
        hits[key] = seen[key] if key in seen else scan_page(page, entry)
        verdict = _verdict(store.root, page, entry, hits[key])
        findings += verdict.findings
        allowed += verdict.allowed
    if not hits.keys() <= seen.keys():
        save("hits", hits)
    return Verdict(findings, allowed)


def scan(text: str, strict: list[int]) -> list[Hit]:
    """The hits of the gate in a text: line, code, level and places of words of each."""
    from ecomem.gate import scanner

    low = text.lower()
    found: list[Hit] = []
    for hit in scanner.scan(text, frozenset(strict)):
        starts = [(low.find(word), len(word)) for word in hit.words]
        places = tuple([(at, at + size) for at, size in starts if at >= 0])
        found.append((hit.line, hit.code, hit.level, places))
    return found


def scan_page(page: Page, entry: Entry | None) -> list[Hit]:
    """Scan a page by the gate, which reads title, cue and rows strictly.

    Lines after those of the page are the name of an entry, as it is and in words.
    """
    lines = page.text.split("\n")
    if not entry:
        return scan(page.text, row_lines(lines))
    cue = entry.fields.get("cue", NONE).line
    cue_lines = [at + 1 for at in field_lines(entry, cue)] if cue > 1 else []
    strict = [1, *cue_lines, len(lines) + 1, len(lines) + 2]
    # The name is judged along, because a scan of its own has its price.
    words = page.name.replace("-", " ")
    return scan(f"{page.text}\n{page.name}\n{words}", strict)


def judge(root: str, page: Page, entry: Entry | None) -> Verdict:
    """Judge a page by the gate.

    Lines that a person let pass in the allow file are counted, not reported.
    """
    return _verdict(root, page, entry, scan_page(page, entry))


def _verdict(root: str, page: Page, entry: Entry | None, hits: list[Hit]) -> Verdict:
    """The findings that the hits in a page give."""
    if not hits and len(page.text) <= LONGEST:
        return Verdict([], 0)
    findings: list[Finding] = []
    allowed = 0
    lines, subject = page.text.split("\n"), page.name if entry else ""
    low = page.text.lower()
    for at, long in enumerate(lines, 1):
        if len(long) > LONGEST:  # the gate does not read it
            problem = f"The line has {len(long):,} characters; {LONGEST:,} are allowed."
            advice = "Break it into shorter lines."
            findings.append(finding("L07", page.path, at, subject, problem, advice))
    for line, code, level, places in hits:
        at = line if line <= len(lines) else 1
        if is_allowed(root, page.path, code, lines[at - 1]):
            allowed += 1
        else:
            mild = level != RULES[code].level
            advice = ""
            if entry and page.drawer == "episodic" and code[0] == "J":
                way_out = with_names(_EPISODE_ADVICE, subject=subject)
                advice = f"{RULES[code].advice} {way_out}"
            item = finding(code, page.path, at, subject, advice=advice, mild=mild)
            words = tuple([low[start:end] for start, end in places if end <= len(low)])
            findings.append(item._replace(words=words))
    return Verdict(findings, allowed)


def refused_lines(root: str, page: Page, spans: list[range]) -> set[int]:
    """Which lines of some rows of a catalog, or of a desk, the gate refuses.

    A span is the line numbers of one row, from 1; all are read strictly. The answer
    about the whole page is used where it is cached: loading the gate takes longer than
    reading the store.
    """
    lines = page.text.split("\n")
    numbers = [at for span in spans for at in [*span, 0]]  # 0: an empty line after each
    refused = {at for at in numbers if at and len(lines[at - 1]) > LONGEST}
    hits = cached_hits(page)
    if hits is None:
        text = "\n".join(lines[at - 1] if at else "" for at in numbers)
        found = scan(text, [*range(1, len(numbers) + 1)])
        hits = [(numbers[hit[0] - 1], *hit[1:]) for hit in found]
    for line, code, level, _ in hits:
        allowed = is_allowed(root, page.path, code, lines[line - 1])
        if level == ERROR and not allowed:
            refused.add(line)
    return refused & {*numbers}


@cache
def cached_hits(page: Page) -> list[Hit] | None:
    """Return the cached hits of a catalog, if it was judged since it changed."""
    if page.drawer == "working":
        return None
    seen: dict[bytes, list[Hit]] = load("hits", dict) or {}
    return seen.get(_hits_key(page, False))


def _hits_key(page: Page, is_entry: bool) -> bytes:
    """The key under which the hits of a page are cached."""
    read = f"entry {page.name}" if is_entry else "catalog"
    return sha256(f"{read}\n{page.text}".encode("utf-8", "surrogateescape")).digest()


def row_lines(lines: list[str]) -> list[int]:
    """The numbers of the lines that are rows of a catalog."""
    rows = rows_of(lines)
    return [line for row in rows for line in range(row.line, row.last + 1)]
