"""The notes of a session: a file outside the repository that only grows.

It contains names of entries and never their text. Without a place for it the guard
judges each call as if it were the first of the session.
"""

from __future__ import annotations

import os
from binascii import crc32

from ecomem.cheap_imports import Iterable, NamedTuple, json_string, parse_json
from ecomem.guard.dialects import COMPACT, START, Event

MAX_AGE = 7 * 86400  # seconds after which the notes of other sessions are removed
MAX_READ = 1 << 23  # bytes of notes that are read
OPEN, WROTE, MADE, RETIRED, OFFERED = "open", "wrote", "made", "retired", "offered"


class Note(NamedTuple):
    """One line: what was done, by which event and call, to which path."""

    kind: str
    event: str
    call: str
    path: str
    mark: str  # tells this line from another that says the same


class Opened(NamedTuple):
    """The entries that are open, and how many may be."""

    paths: set[str]
    limit: int


class Notes:
    """The notes of the session of one event."""

    FIRST_LIMIT, LAST_LIMIT = 5, 15  # open entries; after asking again for one more

    def __init__(self, root: str, event: Event) -> None:
        self.event = event
        key = "".join(c for c in event.session if c.isalnum() or c == "-")[-64:]
        name = f"{crc32(root.encode('utf-8', 'replace')):08x}-{key}"
        inside = f"{root}{os.sep}"
        bases = [base for base in folders() if not f"{base}{os.sep}".startswith(inside)]
        self.files = [os.path.join(base, name) for base in bases]
        self.file = ""  # the one that could be opened

    def add(self, kind: str, paths: Iterable[str]) -> list[Note]:
        """Add a line for each path. Returns all lines up to the last one added."""
        new = [
            Note(kind, self.event.name, self.event.call, path, os.urandom(8).hex())
            for path in paths
        ]
        data = "".join(
            f"[{', '.join(map(json_string, note))}]\n" for note in new
        ).encode()
        for file in [self.file] if self.file else self.files:
            try:
                os.makedirs(os.path.dirname(file), 0o700, exist_ok=True)
                with open(file, "a+b", 0) as stream:  # one write keeps lines whole
                    if data:
                        stream.write(data)
                    stream.seek(max(0, stream.tell() - MAX_READ))
                    notes = [*_read(stream.read())]
            except OSError:
                continue  # no place for notes; the next may be one
            self.file = file
            return notes[: notes.index(new[-1]) + 1] if new else notes
        return new

    def all(self) -> list[Note]:
        """Return all lines."""
        return self.add("", ())

    def paths(self, *kinds: str) -> set[str]:
        """Return the paths of the lines of some kinds."""
        return {note.path for note in self.all() if note.kind in kinds}

    def open(self, paths: Iterable[str] = ()) -> Opened:
        """Ask to open entries. Returns what is open then, these if they may be.

        Five may be open; then asking again, in another call, for one that was refused
        opens the limit to fifteen; beyond that, each must be asked for twice. A host
        may run two registrations for one event, which ask with the same words.
        """
        opened, refused = set[str](), dict[str, str]()
        limit, asked = self.FIRST_LIMIT, dict[tuple[str, str], int]()
        for note in self.add(OPEN, paths):
            times = asked.get((note.event, note.path), 0) + 1
            asked[note.event, note.path] = times
            turn = note.call or str(times)
            if note.kind in (START, COMPACT):
                opened, refused, limit = set(), {}, self.FIRST_LIMIT
            elif note.kind != OPEN or note.path in opened:
                opened.update([note.path] if note.kind in (WROTE, MADE) else [])
            elif len(opened) < limit:
                opened.add(note.path)
            elif note.path not in refused:
                refused[note.path] = turn
            elif refused[note.path] != turn:
                opened.add(note.path)
                limit = self.LAST_LIMIT
        return Opened(opened, limit)

    def clean(self) -> None:
        """Remove the notes of sessions that ended long ago."""
        try:
            oldest = os.stat(self.file).st_mtime - MAX_AGE
            for file in os.scandir(os.path.dirname(self.file)):
                if file.stat().st_mtime < oldest:
                    os.unlink(file.path)
        except OSError:
            pass  # there are no notes, or another session removes them now


def _read(data: bytes) -> Iterable[Note]:
    """The lines of notes that can be read; others are skipped."""
    for line in data.splitlines():
        try:
            values = parse_json(line)
        except ValueError:
            continue
        texts = isinstance(values, list) and all(isinstance(v, str) for v in values)
        if texts and len(values) == len(Note._fields):
            yield Note(*values)


def folders() -> list[str]:
    """The folders that notes may be in, best first; all of them are guarded."""
    bases = [
        os.environ.get(key) for key in ("XDG_STATE_HOME", "LOCALAPPDATA", "TMPDIR")
    ]
    home = os.path.expanduser("~")
    bases.append(os.path.join(home, ".local", "state"))
    found = [
        os.path.join(base, "eco-mem") for base in bases if base and os.path.isabs(base)
    ]
    if hasattr(os, "getuid") and os.path.isdir("/tmp"):
        shared = f"/tmp/eco-mem-{os.getuid()}"
        if not os.path.exists(shared) or os.stat(shared).st_uid == os.getuid():
            found.append(shared)
    return found
