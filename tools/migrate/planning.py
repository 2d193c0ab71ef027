"""From what the readers found to the blocks of a plan: one decision for every line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

from ecomem.entry import FORMATS
from ecomem.markdown import unformatted
from ecomem.store import MAX_BYTES

from migrate.folders import load, mark
from migrate.front_matter import is_past
from migrate.model import (
    WRITES,
    Block,
    Note,
    Range,
    Source,
    SourceFile,
    as_ranges,
    block,
    covered,
    fingerprint,
    unaccounted,
    written_lines,
)
from migrate.project import Refused
from migrate.receipt import Receipt
from migrate.text import (
    as_slug,
    has_home_path,
    is_clean,
    only_headings,
    paragraphs,
    refusal,
    refusals,
)

SLUG_TAKEN = "slug? another entry has it: merge the two, or rename this one"
STATUS_DAYS = 30  # how long a note about the state of some work is taken for true
LEADS = re.compile(r"^\s*\**(?:why|how to apply)\b", re.IGNORECASE)
LINK = re.compile(
    r"\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]|\[([^\]]*)\]\(([^()\s]+\.md)(?:#[^)]*)?\)|\bmem:([\w/-]+)"
)


class Store(NamedTuple):
    """The present contents of the project's memory."""

    slugs: frozenset[str]
    cues: frozenset[str]  # folded
    targets: frozenset[str]  # drawer/slug of every entry


class Known(NamedTuple):
    """All that the blocks of one file are judged by."""

    names: dict[str, str]  # what links may call each note, with its slug
    store: Store
    before: Receipt
    hits: dict[int, str]  # what the gate refuses of the file: code by line


class Place(NamedTuple):
    """The slug that a note gets, or the reason why it gets none by itself."""

    slug: str
    problem: str


class Allocated(NamedTuple):
    """The results of the first reading of a source, for the second one."""

    places: dict[str, list[Place]]  # one for each note of a file, by the file's label
    names: dict[str, str]  # what links may call each note, in small letters: its slug
    slugs: frozenset[str]  # of the source and of all that was known before
    cues: frozenset[str]


class Draft(NamedTuple):
    """A note with its place."""

    note: Note
    slug: str
    problem: str


class FilePlan(NamedTuple):
    """A file of a source, with its lines, and its blocks in their order."""

    file: SourceFile
    blocks: list[Block]


Read = Callable[[Source], Iterator[Note]]
NO_PLACE = Place("", "")
NO_GROUP: tuple[str, Iterator[Note]] = ("", iter(()))


def plan(
    source: Source, read: Read, allocated: Allocated, store: Store, before: Receipt
) -> Iterator[FilePlan]:
    """Yield the plan of each file; every line that is not blank is in one block.

    One file at a time is in memory. Raises Refused for one that changed meanwhile.
    """
    groups = groupby(read(source), key=lambda note: note.file.label)
    label, notes = next(groups, NO_GROUP)
    for unread in source.files:
        mine: list[Note] = []
        if label == unread.label:
            mine = list(notes)
            label, notes = next(groups, NO_GROUP)
        file = mine[0].file if mine else load(unread)
        places = allocated.places.get(unread.label, [])
        if len(places) != len(mine):
            raise Refused(f"{unread.label} changed while it was read; run this again")
        drafts = [Draft(note, *place) for note, place in zip(mine, places, strict=True)]
        known = Known(allocated.names, store, before, refused_lines(file))
        blocks = plan_file(file, drafts, known)
        yield FilePlan(file, sorted(blocks, key=lambda each: each.ranges))


def plan_file(file: SourceFile, drafts: list[Draft], known: Known) -> list[Block]:
    """Return the blocks of one file."""
    if file.problem:
        lines = written_lines(file) or {1}
        unread = block(file, as_ranges(file, lines), "decide", reason=file.problem)
        return [as_before(unread, known) or unread]
    blocks: list[Block] = []
    for draft in drafts:
        blocks.extend(settle(draft, known))
    missing, twice = unaccounted(file, blocks)
    if twice:
        raise AssertionError(f"{file.label}: two blocks have line {min(twice)}")
    if missing:
        ranges = as_ranges(file, missing)
        rest = block(file, ranges, "decide", reason="no reader knows these lines")
        blocks.append(check(file, rest, known))
    return blocks


def refused_lines(file: SourceFile) -> dict[int, str]:
    """Return the lines of a file that the gate refuses, with the code of each."""
    return {} if file.problem else refusals("\n".join(file.lines))


def with_secrets(each: Block, hits: dict[int, str]) -> Block:
    """Return a block with the secrets that stay in its lines of the source."""
    lines = sorted(covered(each.ranges) & hits.keys())
    found = ((line, hits[line]) for line in lines if hits[line].startswith("G"))
    return each._replace(secrets=tuple(found))


def allocate(source: Source, read: Read, store: Store) -> Allocated:
    """Give each note that may be imported a slug, and name what is in the way."""
    taken = set(store.slugs)
    cues = set(store.cues)
    places: dict[str, list[Place]] = defaultdict(list)
    names: dict[str, str] = {}
    for note in read(source):
        place = NO_PLACE if note.decision else place_of(note, taken, cues)
        places[note.file.label].append(place)
        if place.slug:
            taken.add(place.slug)
            cues.add(unformatted(note.cue))
            for name in link_names(note):
                names[name] = names.get(name, place.slug)
    return Allocated(dict(places), names, frozenset(taken), frozenset(cues))


def place_of(note: Note, taken: set[str], cues: set[str]) -> Place:
    """Return the slug of one note, and what is in its way."""
    slug = as_slug(note.name) if is_clean(note.name) else ""
    problem = ""
    if not slug:
        digits = sha256(note.name.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        slug, problem = f"note-{digits}", "slug? the name gives none"
    if not note.cue:
        problem = "cue? the source has none"
    elif unformatted(note.cue) in cues:
        problem = "cue? another entry has the same"
    elif slug in taken:
        problem = SLUG_TAKEN
    elif not problem and not is_past(note.day or note.file.day):
        problem = "date? the one of the file lies in the future"
    elif not problem and dated_today(note):
        problem = "date? the file was changed today, maybe by a copy"
    return Place(slug, problem)


def dated_today(note: Note) -> bool:
    """Return true if only the time of the file dates a note, and that is today."""
    by_file = not note.day and note.file.day_from == "file"
    return by_file and note.file.day == date.today().isoformat()


def link_names(note: Note) -> set[str]:
    """Return what links may call a note, in small letters."""
    path = note.file.label.partition(":")[2]
    stem = path.rpartition("/")[2].rpartition(".")[0]
    names = (note.name, note.title, stem, path, path.rpartition(".")[0])
    return {name.lower() for name in names}


def settle(draft: Draft, known: Known) -> list[Block]:
    """Return the blocks of one note: the whole of it, or its lead and its rest."""
    note, slug, problem = draft
    file = note.file
    whole = (*note.header, note.body)
    if note.decision:
        kept = block(file, whole, note.decision, reason=note.reason)
        return [check(file, kept, known)]
    target = f"{note.drawer}/{slug}"
    parts: tuple[Range, ...] = (note.body,)
    text = compose(note, slug, parts, known.names)
    word = "import"
    if not fits(text, note.drawer):
        parts = lead(note)
        text = compose(note, slug, parts, known.names)
        word = "lead"
    blocks: list[Block] = []
    used = covered((*note.header, *parts))
    rest = {line for line in written_lines(file) & covered(whole) if line not in used}
    day = note.day or file.day
    if not fits(text, note.drawer):
        word, text, problem = (
            "decide",
            "",
            "the first paragraph alone is too long for an entry",
        )
    elif problem:
        word = "decide"
    if problem == SLUG_TAKEN and target not in known.store.targets:
        text = ""  # the other note of this plan has the draft of that name
    reason = problem or note.reason
    main = block(file, (*note.header, *parts), word, target, reason, text, day)
    blocks.append(check(file, main, known))
    if rest:
        reason = "long-note" if word != "decide" else "the rest of the note above"
        left = block(file, as_ranges(file, rest), "left", reason=reason)
        blocks.append(check(file, left, known))
    return blocks


def check(file: SourceFile, each: Block, known: Known) -> Block:
    """Return a block as it is; or as settled before, refused, or open for a person."""
    each = with_secrets(each, known.hits)
    settled = as_before(each, known)
    if settled:
        return settled
    if each.decision not in (*WRITES, "decide"):
        return each
    line, code = first_refusal(each, known.hits)
    if code:
        return each._replace(
            decision="refused", target=code, reason=f"line {line}", draft=""
        )
    homes = first_home(file, each)
    if homes:
        reason = f"line {homes} names a home folder: leave that out"
        return each._replace(decision="decide", reason=reason, draft="")
    if each.decision in WRITES and known.before.has(each.label, each.target):
        reason = f"changed since it was imported as {each.target}"
        return each._replace(decision="decide", reason=reason)
    return each


def as_before(each: Block, known: Known) -> Block | None:
    """Return a block as an earlier migration settled it; None if none has.

    What was refused has no hash in the receipt, and is judged again.
    """
    row = known.before.find(each)
    if row is None or row.decision == "refused":
        return None
    word = row.decision
    if word in WRITES:
        word = "there" if row.target in known.store.targets else "gone"
    return each._replace(decision=word, target=row.target, reason=row.reason, draft="")


def first_refusal(each: Block, hits: dict[int, str]) -> tuple[int, str]:
    """Return line and code of the first thing the gate refuses in block or draft."""
    lines = covered(each.ranges)
    for line in sorted(lines & hits.keys()):
        return line, hits[line]
    rows = each.draft.split("\n")
    cue = next((at for at, row in enumerate(rows, 1) if row.startswith("- cue:")), 1)
    return min(lines), refusal(each.draft, frozenset({1, cue}))[1]


def first_home(file: SourceFile, each: Block) -> int:
    """Return the first line that names a home folder, in the block or its draft."""
    lines = sorted(covered(each.ranges))
    for at in lines:
        if has_home_path(file.lines[at - 1]):
            return at
    return lines[0] if has_home_path(each.draft) else 0


def lead(note: Note) -> tuple[Range, ...]:
    """Return the first paragraph of a note, and those on why and how to apply it.

    Headings alone are no paragraph: they come with the one below them.
    """
    lines = note.file.lines
    parts = paragraphs(lines, *note.body)
    texts = (at for at, part in enumerate(parts) if not only_headings(lines, part))
    first = next(texts, 0)
    return tuple(
        part
        for at, part in enumerate(parts)
        if at <= first or LEADS.match(lines[part[0] - 1])
    )


def fits(text: str, drawer: str) -> bool:
    """Return true if an entry is within the caps of its drawer."""
    return (
        text.count("\n") <= FORMATS[drawer].max_lines
        and len(text.encode()) <= MAX_BYTES
    )


def compose(
    note: Note, slug: str, parts: tuple[Range, ...], names: dict[str, str]
) -> str:
    """Return the entry of a note: header, then some of its lines, links rewritten."""
    file = note.file
    day = note.day or file.day
    body = "\n\n".join(file.text(*part).strip("\n") for part in parts)
    dated = "when" if note.drawer == "episodic" else "as_of"
    fields = [("cue", note.cue), (dated, day), ("source", "derived")]
    if note.drawer == "semantic":
        fields += [
            ("scope", note.scope or "this repository"),
            ("expires", expiry(note)),
        ]
    fields += [("origin", origin(file, parts)), *note.fields]
    header = "\n".join(f"- {key}: {value}" for key, value in fields)
    title = note.title or slug.replace("-", " ").capitalize()
    return f"# {title}\n\n{header}\n\n{relink(body, names)}\n"


def origin(file: SourceFile, parts: tuple[Range, ...]) -> str:
    """Return where an entry comes from: file, lines and a hash of them.

    Beside a hash, the gate takes some file names for a password or a session; such a
    file is called by a hash here.
    """
    ranges = "#".join(f"L{first}-L{last}" for first, last in parts)
    lines = f"#{ranges} sha:{fingerprint(file, parts)}"
    if not refusal(f"- origin: {file.label}{lines}")[1]:
        return file.label + lines
    return f"{file.label.partition(':')[0]}:{mark(file.name)}{lines}"


def expiry(note: Note) -> str:
    """Return the day on which a note expires: soon if it is about work in progress."""
    if note.expires or not note.status:
        return note.expires or "never"
    return (date.today() + timedelta(days=STATUS_DAYS)).isoformat()


def relink(text: str, names: dict[str, str]) -> str:
    """Return text whose links to notes of the same source lead to their entries."""

    def link(match: re.Match[str]) -> str:
        name = match[1] or match[3] or match[4]
        slug = names.get(name.strip().lower()) or names.get(
            name.rpartition("/")[2].lower()
        )
        return f"[[{slug}]]" if slug else match[0]

    return LINK.sub(link, text)
