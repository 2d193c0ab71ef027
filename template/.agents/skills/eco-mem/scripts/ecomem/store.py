"""The store on disk: where it is, what lies in it, and what must not (family L)."""

from __future__ import annotations

import os
import re
from functools import cache

from ecomem.cheap_imports import NamedTuple
from ecomem.findings import Finding, Findings, found
from ecomem.git import items

STORE = ".agents/memory"
DURABLE = ("semantic", "episodic", "procedural")
DRAWERS = ("working", *DURABLE)
CATALOGS = ("INDEX", "ARCHIVE")
MAX_BYTES, MAX_CATALOG_BYTES = 8 * 1024, 8 * 1024 * 1024
MAX_SLUG, MAX_DESKS = 48, 3
TEMPORARY = ".eco-mem-"

_ASIDE = ".gitignore .gitattributes .gitkeep .DS_Store Thumbs.db desktop.ini"
_PORTS = [f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)]
_RESERVED = {"con", "prn", "aux", "nul", "index", "archive", *_PORTS}
_SYNC = r"(?i)conflicted copy|\.sync-conflict-|case conflict"
_READING = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
_FLAGS = sum(getattr(os, flag, 0) for flag in _READING)


class Page(NamedTuple):
    """One Markdown file of the store, decoded: no BOM, LF line ends."""

    path: str
    drawer: str
    name: str
    text: str


class Store(NamedTuple):
    """Everything in the store, by path. slugs also names the unreadable entries."""

    root: str
    entries: dict[str, Page]
    catalogs: dict[str, Page]
    slugs: dict[str, str]
    findings: list[Finding]


@cache
def is_slug(name: str) -> bool:
    """Whether name may name an entry: short kebab-case ASCII, safe on every system."""
    plain = name.isascii() and name == name.lower() and len(name) <= MAX_SLUG
    return plain and all(map(str.isalnum, name.split("-"))) and name not in _RESERVED


def read_bytes(path: str, limit: int) -> bytes:
    """At most limit + 1 bytes of a file, never through a link, never waiting."""
    handle = os.open(path, _FLAGS)
    try:
        data = b""
        while more := os.read(handle, limit + 1 - len(data)):
            data += more
        return data
    finally:
        os.close(handle)


def decode(data: bytes) -> str:
    """UTF-8 text without BOM, with LF line ends; anything else is a ValueError."""
    if b"\0" in data:
        raise UnicodeDecodeError("utf-8", data, data.index(0), len(data), "NUL")
    text = data.decode("utf-8").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def scan(root: str) -> Store:
    """Read the whole store under root and judge its layout."""
    store = Store(root, {}, {}, {}, [])
    for path in (".agents", STORE):
        if os.path.islink(os.path.join(root, path)):
            store.findings.append(found(path, 1, "L10"))
            return store
    for drawer in ("", *DRAWERS):
        store.findings.extend(_scan_folder(store, drawer))
    strange = [item for item in store.findings if item.code in ("L05", "L11", "L14")]
    ask = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", STORE)
    ignored = items(root, *ask) if strange else []
    for item in [item for item in strange if item.path in ignored]:
        if item.code == "L05" or "/working/" not in item.path:  # where all is ignored
            store.findings.remove(item)
            store.slugs.pop(item.path, "")
    seen = {"index", "archive"}
    for path, name in store.slugs.items():
        folded = name
        if not is_slug(name):  # a name that some file systems take for another
            from unicodedata import normalize

            folded = normalize("NFC", name).casefold()
        if folded in seen:
            store.findings.append(found(path, 1, "L12", name))
        seen.add(folded)
    return store


def _scan_folder(store: Store, drawer: str) -> Findings:
    """Read one drawer, or the store's top for no drawer."""
    folder = f"{STORE}/{drawer}" if drawer else STORE
    if os.path.islink(os.path.join(store.root, folder)):
        return
    try:
        listing = {i.name: i for i in os.scandir(os.path.join(store.root, folder))}
    except OSError as error:
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
        yield found(folder, 1, "L01" if missing else "L08")
        return
    for name, item in sorted(listing.items()):
        path = f"{folder}/{name}"
        page = bool(drawer) and name.endswith(".md")
        if item.is_symlink():
            yield found(path, 1, "L10")
            if page:
                store.slugs[path] = name[:-3]
        elif item.is_dir(follow_symlinks=False):
            if drawer or name not in DRAWERS:
                yield found(path, 1, "L04" if drawer else "L03")
        elif page:
            yield from _load(store, path, drawer, item)
        elif name not in _ASIDE.split() and not name.startswith(TEMPORARY):
            yield found(path, 1, "L05")
    if drawer and "INDEX.md" not in listing:
        yield found(f"{folder}/INDEX.md", 1, "L02")
    if drawer == "working":
        desks = [path for path in store.slugs if path.startswith(folder)]
        yield from (found(path, 1, "E10") for path in desks[MAX_DESKS:])


def _load(store: Store, path: str, drawer: str, item: os.DirEntry[str]) -> Findings:
    """Read one Markdown file into the store."""
    name = item.name[:-3]
    catalog = name in CATALOGS[: 1 if drawer == "working" else 2]
    subject, limit = ("", MAX_CATALOG_BYTES) if catalog else (name, MAX_BYTES)
    if not catalog:
        store.slugs[path] = name
        if not is_slug(name):
            yield found(path, 1, "L14" if re.search(_SYNC, name) else "L11", name)
    try:
        if not item.is_file(follow_symlinks=False):
            raise OSError("not a regular file")
        data = read_bytes(item.path, limit)
        text = decode(data) if len(data) <= limit else ""
    except OSError:
        yield found(path, 1, "L08", subject)
    except UnicodeDecodeError as error:
        yield found(path, data.count(b"\n", 0, error.start) + 1, "L09", subject)
    else:
        some = "<<<<<<< " in text or ">>>>>>> " in text
        marker = re.search(r"(?m)^(<{7}|>{7}) ", text) if some else None
        if marker:
            yield found(path, text.count("\n", 0, marker.start()) + 1, "L13", subject)
        if not text or text.isspace():
            yield found(path, 1, "L07" if len(data) > limit else "L06", subject)
        else:
            pages = store.catalogs if catalog else store.entries
            pages[path] = Page(path, drawer, name, text)


def write_atomically(root: str, path: str, data: bytes) -> None:
    """Replace a file as a whole, by way of working/, where git ignores what is new."""
    name = f"{TEMPORARY}{os.getpid()}-{os.urandom(4).hex()}"
    temporary = os.path.join(root, STORE, "working", name)
    try:
        with open(temporary, "xb") as stream:
            stream.write(data)
        os.replace(temporary, os.path.join(root, path))
    finally:
        if os.path.exists(temporary):  # the disk is full, say
            os.unlink(temporary)


def write_catalog(store: Store, page: Page, text: str) -> bool:
    """Write a catalog with the byte order mark and line ends it had, if it changed."""
    if text == page.text:
        return False
    path = os.path.join(store.root, page.path)
    old = read_bytes(path, MAX_CATALOG_BYTES) if os.path.exists(path) else b""
    bom = b"\xef\xbb\xbf" if old[:3] == b"\xef\xbb\xbf" else b""
    end = b"\r" if old.count(b"\r\n") * 2 > old.count(b"\n") else b""
    ends = {line.rstrip(b"\r"): line for line in old.split(b"\n")[:-1]}
    *lines, last = text.encode().split(b"\n")
    data = b"\n".join([*(ends.get(line, line + end) for line in lines), last])
    write_atomically(store.root, page.path, bom + data)
    store.catalogs[page.path] = page._replace(text=text)
    return True
