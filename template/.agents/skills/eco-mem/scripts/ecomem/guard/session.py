"""The answers of the guard: before a call, at the start of a session, at its end.

The rules for entries are those of remember.py and verify.py; what needs the session is
here. Modules are imported where they are needed: starting up is what costs.
"""

from __future__ import annotations

import os
import sys

from ecomem.cheap_imports import TYPE_CHECKING, Iterator, NamedTuple
from ecomem.guard import dialects, notes
from ecomem.guard.dialects import Event
from ecomem.guard.notes import Notes
from ecomem.guard.places import (
    SKILL,
    Place,
    Touch,
    kind_of,
    read_text,
)
from ecomem.rules import ERROR, RULES
from ecomem.store import (
    CATALOGS,
    DRAWERS,
    DURABLE,
    MAX_BYTES,
    STORE,
    Page,
    Store,
    decode,
    is_slug,
    scan,
)

if TYPE_CHECKING:
    from ecomem.entry import Entries
    from ecomem.findings import Finding

MAX_CONTEXT_BYTES = 2600  # for the rows of one drawer
MAX_REASONS = 8
ALLOWED_FILES = (".gitkeep", ".gitignore")  # in a drawer, besides entries


class Refusal(NamedTuple):
    """A reason why a path must not be touched in this way."""

    path: str
    reason: str  # a heading of references/guard.md, or a finding


def answer(root: str, raw: bytes, registered: bool = False) -> int:
    """Answer one event of a host. Returns the exit code: 2 refuses a call.

    registered says that a registration of ours runs the guard, not a person.
    """
    event = dialects.read(raw)
    if not event or not os.path.isdir(os.path.join(root, STORE)):
        return 0
    guard = Guard(root, event)
    if event.kind == dialects.CALL:
        text = guard.refusal()
    elif event.kind == dialects.STOP:
        text = guard.end_report()
    else:
        text = guard.start_context()
    if not text:
        return 0
    output, code = dialects.answer(event, text, registered)
    if output:
        import json

        print(json.dumps(output))
    if event.kind == dialects.CALL and code:
        print("eco-mem:", printable(text), file=sys.stderr)
    return code


def printable(text: str) -> str:
    """A text for a terminal: letters of any script as they are, other signs escaped."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    shown = (
        c if c == "\n" or " " <= c <= "~" or c.isalpha() else ascii(c)[1:-1]
        for c in text
    )
    return "".join(shown).encode("utf-8", "replace").decode()


def advice(name: str) -> str:
    """The text under a heading of the page about the guard."""
    path = os.path.join(os.path.dirname(__file__), "../../../references/guard.md")
    page = read_text(os.path.normpath(path)) or ""
    text = f"{page}\n## ".partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    return " ".join(text.split()) or name


class Guard:
    """One event in one project."""

    def __init__(self, root: str, event: Event) -> None:
        self.root, self.event = root, event
        self.place = Place(root, os.path.join(root, event.folder) or root)
        self.notes = Notes(root, event)

    # Before a call.

    def refusal(self) -> str:
        """Return why a call must not go on; empty where it may."""
        from ecomem.guard import tool_calls

        refusals: list[Refusal] = []
        touches: list[Touch] = []
        also = tuple({*notes.folders(), *filter(None, [self.event.transcript])})
        calls = tool_calls.touches(self.event.tool, self.event.given, self.place, also)
        try:
            touches.extend(calls)
        except Exception as fault:  # noqa: BLE001 - what was found so far still counts
            report_fault(fault)
        for touch in dict.fromkeys(touches):
            try:
                refusals.extend(self.judge(touch))
            except Exception as fault:  # noqa: BLE001 - the other touches still count
                report_fault(fault)
        try:
            refusals.extend(self.count(touches, bool(refusals)))
        except Exception as fault:  # noqa: BLE001
            report_fault(fault)
        lines = (f"{item.path}: {item.reason}" for item in refusals)
        return "\n".join(dict.fromkeys(lines))

    def count(self, touches: list[Touch], refused: bool) -> Iterator[Refusal]:
        """Count the entries that a call opens, and note what it writes."""
        opens: dict[str, None] = {}
        for touch in touches:
            full = os.path.join(touch.root, touch.path)
            entry = touch.verb == "open" and kind_of(touch.path) == "entry"
            if entry and os.path.isfile(full):
                opens[self.noted(touch)] = None
        if opens and not refused:
            state = self.notes.open(opens)
            name = "full" if state.limit == Notes.FIRST_LIMIT else "fuller"
            for path in opens:
                if path not in state.paths:
                    refused = True
                    yield Refusal(path, advice(name))
        if refused:
            return
        for touch in touches:
            if not touch.path.startswith(f"{STORE}/"):
                continue
            there = os.path.exists(os.path.join(touch.root, touch.path))
            if touch.verb in ("write", "ours"):
                self.notes.add(
                    notes.WROTE if there else notes.MADE, [self.noted(touch)]
                )
            elif touch.verb == "retire" and there:
                self.notes.add(notes.RETIRED, [self.noted(touch)])

    def noted(self, touch: Touch) -> str:
        """A path as the notes have it: absolute in another project."""
        if touch.root == self.root:
            return touch.path
        return os.path.join(touch.root, touch.path)

    def judge(self, touch: Touch) -> Iterator[Refusal]:
        """Return why a path must not be touched, the number of entries aside."""
        from ecomem.guard import protection

        path, verb = touch.path, touch.verb
        kind = kind_of(path)
        names: list[str] = []
        if protection.protects(touch):
            names = ["kept"]
        elif verb in ("sweep", "enter"):
            names = [verb]
        elif path.startswith("..") or kind in ("gate", "host", "hosts", ""):
            names = ["notes"] if path.startswith("..") and verb != "open" else []
            if not path.startswith("..") and verb == "unclear" and kind == "":
                names = ["unclear"]
        elif verb in ("shell", "unclear"):
            names = [verb]
        elif verb == "delete":
            names = self.deletion(path, kind)
        elif verb == "open":
            names = self.opening(touch, kind)
        elif verb in ("write", "ours", "retire"):
            yield from self.writing(touch, kind)
        yield from (Refusal(path, advice(name)) for name in names)

    def deletion(self, path: str, kind: str) -> list[str]:
        """Judge a deletion: a desk and a stray file may go."""
        if kind in ("desk", "odd"):
            return []
        return ["delete"]

    def opening(self, touch: Touch, kind: str) -> list[str]:
        """Judge an entry that is opened: it has a row, or was written just now."""
        there = os.path.isfile(os.path.join(touch.root, touch.path))
        if kind != "entry" or not there or self.listed(touch):
            return []
        known = self.notes.paths(notes.OPEN, notes.WROTE, notes.MADE)
        return [] if self.noted(touch) in known else ["unlisted"]

    def listed(self, touch: Touch) -> bool:
        """Return whether an entry has a row in a catalog of its drawer."""
        from ecomem import catalog

        folder, _, name = touch.path.rpartition("/")
        for file in CATALOGS:
            text = read_text(os.path.join(touch.root, folder, f"{file}.md"))
            if not text or name[:-3] not in text:
                continue
            if any(row.target == name for row in catalog.rows_of(text.split("\n"))):
                return True
        return False

    def writing(self, touch: Touch, kind: str) -> Iterator[Refusal]:
        """Judge what a file of the store would contain."""
        path, text = touch.path, touch.text
        names: list[str] = []
        there = os.path.exists(os.path.join(touch.root, path))
        if touch.verb == "write":
            if text is None:
                names.append(touch.origin or "unseen")
            yield from self.findings(touch, kind)
        retired = self.noted(touch) in self.notes.paths(notes.RETIRED)
        if retired and not there and touch.verb != "retire":
            names.append("retired")
        if touch.origin == "hidden" and self.event.transcript:
            names.append("hidden")
        if text and "user" in text and self.unspoken(touch, text):
            names.append("quote")
        yield from (Refusal(path, advice(name)) for name in names)

    def unspoken(self, touch: Touch, text: str) -> bool:
        """Return whether a text newly quotes words that the user did not say."""
        from ecomem.guard import quotations

        old = read_text(os.path.join(touch.root, touch.path)) or ""
        before = quotations.quoted(old) if "user" in old else []
        new = [quote for quote in quotations.quoted(text) if quote not in before]
        return quotations.unspoken(new, self.event.transcript)

    def findings(self, touch: Touch, kind: str) -> Iterator[Refusal]:
        """Judge a file of the store by the rules of remember.py."""
        from ecomem import entry, history, new_entry
        from ecomem.findings import finding, line_of
        from ecomem.gate import pages

        path, text = touch.path, touch.text
        folder, _, name = path.rpartition("/")
        drawer, slug = folder[len(STORE) + 1 :], name[:-3]
        if kind not in ("entry", "map", "desk") and name not in ALLOWED_FILES:
            yield Refusal(path, advice("place"))
            return
        if drawer not in DRAWERS:
            yield Refusal(path, advice("place"))
            return
        if text is None:
            return
        data = text.encode("utf-8", "replace").replace(b"\0", b"\\0")
        page, store = Page(path, drawer, slug, decode(data)), scan(touch.root)
        new, old = entry.parse(page), store.entries.get(path)
        before = entry.parse(old) if old else None
        if len(data) > MAX_BYTES and kind != "map":
            found = [finding("L07", path)]
        elif kind == "map" or name in ALLOWED_FILES:
            found = [*pages.judge(touch.root, page, None).findings]
        elif not is_slug(slug):
            found = [finding("L11", path)]
        else:
            found = [*new_entry.judge(store, new).findings]
        if before and drawer == "semantic":
            found += history.revision(touch.root, new, before)
        errors = [item for item in sorted({*found}) if item.level == ERROR]
        for item in errors[:MAX_REASONS]:
            yield Refusal(path, line_of(item).partition(": ")[2])
        if drawer != "episodic" or kind != "entry" or path not in store.slugs:
            return
        from ecomem.rewording import is_same  # few calls write such a file

        spelling = before and is_same(before, new)
        if not spelling and self.noted(touch) not in self.notes.paths(notes.MADE):
            yield Refusal(path, advice("episode"))

    # The start of a session, and the end of a turn.

    def start_context(self) -> str:
        """Return the start context: the maps, the desks, and how much is due."""
        if not self.is_first():
            return ""
        self.notes.clean()
        from ecomem import entry

        store = scan(self.root)
        entries = entry.parse_all(store)
        lines = [advice("start")]
        for path in sorted(store.catalogs):
            if path.endswith("/INDEX.md"):
                lines += [f"\n{path}", *self.rows(store.catalogs[path])]
        lines += self.desks(entries)
        lines += ["", *self.counts(store, entries)]
        return "\n".join(lines)

    def is_first(self) -> bool:
        """Return whether no other registration has answered this start already."""
        if self.event.kind == dialects.COMPACT:
            self.notes.add(dialects.COMPACT, [""])
            return False
        starts = [
            note.event
            for note in self.notes.add(dialects.START, [""])
            if note.kind == dialects.START
        ]
        name = self.event.name
        others = [starts.count(other) for other in starts if other != name]
        return starts.count(name) > max(others, default=0)

    def rows(self, page: Page) -> list[str]:
        """The rows of a map that the gate lets pass, within the budget of a drawer."""
        from ecomem import catalog
        from ecomem.gate import pages

        bad = {item.line for item in pages.judge(self.root, page, None).findings}
        lines = page.text.split("\n")
        rows = [
            " ".join(map(str.strip, lines[row.line - 1 : row.last]))
            for row in catalog.rows_of(lines)
            if not bad & {*range(row.line, row.last + 1)}
        ]
        total = len(rows)
        while rows and len("\n".join(rows).encode()) > MAX_CONTEXT_BYTES:
            rows.pop()
        if len(rows) < total:
            rows.append(f"- and {total - len(rows)} more, in {page.path}")
        return rows

    def desks(self, entries: Entries) -> Iterator[str]:
        """The desks with their goal and their next step."""
        from ecomem import entry
        from ecomem.gate import pages

        for path, item in entries.items():
            if item.page.drawer != "working":
                continue
            goal = item.fields.get("goal", entry.NONE).value
            after = item.fields.get("next", entry.NONE).value
            if goal and not pages.judge(self.root, item.page, item).findings:
                yield f"- {path}: {goal[:200]}; next: {after[:200]}"

    def counts(self, store: Store, entries: Entries) -> Iterator[str]:
        """Return the lines about archived rows and due entries."""
        from ecomem import catalog, staleness

        archived = 0
        for drawer in DURABLE:
            archived += len(catalog.listed(store, f"{STORE}/{drawer}/ARCHIVE.md"))
        if archived:
            rows = "1 more row is" if archived == 1 else f"{archived} more rows are"
            yield (
                f"{rows} archived: search with"
                f" `python3 {SKILL}/scripts/recall.py WORD...`"
            )
        due = {item.path for item in staleness.due(store, entries) if is_sure(item)}
        some = "1 entry is" if len(due) == 1 else f"{len(due)} entries are"
        yield f"{some} due: `python3 {SKILL}/scripts/forget.py` lists them"

    def end_report(self) -> str:
        """Return the errors in what this session wrote, once."""
        if self.event.again:
            return ""
        known = self.notes.all()
        written = {n.path for n in known if n.kind in (notes.MADE, notes.WROTE)}
        written |= {n.path for n in known if n.kind == notes.RETIRED}
        if not written:
            return ""
        lines = self.errors(written)
        if not lines:
            return ""
        from binascii import crc32

        key = f"{crc32(str(lines).encode()):08x}"
        offered = [note.path for note in self.notes.add(notes.OFFERED, [key])]
        if offered.count(key) > 1:
            return ""
        return "\n".join([advice("end"), *lines])

    def errors(self, written: set[str]) -> list[str]:
        """The errors about some entries and their rows, as lines of text."""
        from ecomem import catalog, entry
        from ecomem.findings import line_of
        from ecomem.gate import pages

        store = scan(self.root)
        entries = entry.parse_all(store)
        found = {*store.findings, *catalog.check(store, entries)}
        for path in written & entries.keys():
            item = entries[path]
            found.update(pages.judge(self.root, item.page, item).findings)
            found.update(entry.check(item, entry.local_day(1)))
        slugs = {os.path.basename(path)[:-3] for path in written}
        errors = [
            item
            for item in sorted(found)
            if item.level == ERROR
            and is_sure(item)
            and (item.path in written or item.subject in slugs)
        ]
        return [line_of(item) for item in errors[:MAX_REASONS]]


def is_sure(item: Finding) -> bool:
    """Return true if a finding is right without git, which the guard never asks."""
    rule = RULES[item.code]
    return not (rule.needs_git or rule.unsure_without_git)


def report_fault(fault: Exception) -> None:
    """Say on standard error that a part of a call was not judged."""
    print(
        f"eco-mem: not checked, for the guard failed ({type(fault).__name__})",
        file=sys.stderr,
    )
