"""Another store of eco-mem, of today's shape: taken in only when a person names it.

Its evidence was looked at in another repository, so it proves nothing here: sources
arrive as `derived`, with the old word under `claimed` and the evidence under `cited`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ecomem.entry import parse
from ecomem.store import DRAWERS, DURABLE, Page, is_slug

from migrate.folders import is_file, readable
from migrate.model import Note, Range, Source, SourceFile

KIND = "eco-mem"
OWN_FIELDS = (
    "cue",
    "as_of",
    "when",
    "source",
    "scope",
    "expires",
    "evidence",
    "origin",
    "claimed",
    "cited",
)


def find(project: Path) -> list[Path]:
    """Return nothing: the store of the project itself is where entries go."""
    return []


def fits(path: Path) -> bool:
    """Return true for a folder with the four drawers."""
    return all((path / drawer / "INDEX.md").is_file() for drawer in DRAWERS)


def files(root: Path) -> list[Path]:
    """Return the catalogs and entries; desks are of now and stay where they are."""
    return [
        path
        for drawer in DURABLE
        for path in sorted((root / drawer).glob("*.md"))
        if is_file(path)
    ]


def read(source: Source) -> Iterator[Note]:
    """Yield each entry as a note."""
    for file in readable(source):
        yield note_of(file)


def note_of(file: SourceFile) -> Note:
    """Return one file of a drawer as a note; a catalog is dropped."""
    drawer, _, name = file.name.partition("/")
    slug = name.removesuffix(".md")
    if slug in ("INDEX", "ARCHIVE"):
        return Note(file, (1, len(file.lines)), decision="drop", reason="catalog")
    return entry_note(file, drawer, slug)


def entry_note(file: SourceFile, drawer: str, slug: str) -> Note:
    """Return one entry as a note."""
    page = Page(file.label, drawer, slug, "\n".join(file.lines))
    entry = parse(page)
    body: Range = (entry.body + 1, len(file.lines))
    text = any(map(str.strip, file.lines[entry.body :]))
    if drawer not in DURABLE or not is_slug(slug) or not text:
        return Note(
            file, (1, len(file.lines)), decision="decide", reason="it is no entry"
        )
    values = {key: field.value for key, field in entry.fields.items()}
    carried = [(key, value) for key, value in values.items() if key not in OWN_FIELDS]
    claimed = values.get("source", "derived")
    if claimed == "derived":
        claimed = values.get("claimed", "")
    if claimed:
        carried.append(("claimed", claimed))
    if entry.evidence:
        carried.append(("cited", "; ".join(field.value for field in entry.evidence)))
    return Note(
        file,
        body,
        title=entry.title,
        cue=values.get("cue", ""),
        drawer=drawer,
        name=slug,
        fields=tuple(carried),
        header=((1, entry.body),),
        day=values.get("as_of", values.get("when", "")),
        scope=values.get("scope", ""),
        expires=values.get("expires", ""),
    )
