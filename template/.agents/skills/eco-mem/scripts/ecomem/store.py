"""The store on disk: reading, writing, and the rules of its layout (family L)."""

from __future__ import annotations

import errno
import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import Container, Iterable, NamedTuple, cache
from ecomem.conflicts import find_marker
from ecomem.files import read_bytes as read_bytes
from ecomem.findings import Finding, Findings, finding
from ecomem.git import CannotAsk, nul_items
from ecomem.rules import VERIFY

STORE = ".agents/memory"
DURABLE = ("semantic", "episodic", "procedural")
DRAWERS = ("working", *DURABLE)
CATALOGS = ("INDEX", "ARCHIVE")
MAX_BYTES, MAX_CATALOG_BYTES = 8 * 1024, 8 * 1024 * 1024
MAX_SLUG, MAX_DESKS = 48, 3
TEMPORARY = ".eco-mem-"

_BOM = b"\xef\xbb\xbf"
_SYSTEM_FILES = (
    ".gitignore",
    ".gitattributes",
    ".gitkeep",
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    "ehthumbs.db",
    ".directory",
    ".localized",
)
# Settings of formatters and editors; the nearest file counts for most of them.
_SETTING_FILES = (
    r"\.(?:editorconfig|markdownlint.*|mdformat\.toml|prettier.*|remarkrc.*|vale\.ini)",
)
# Locks, swap files, backups and temporary files of editors and synchronisers.
_EDITOR_FILES = (
    r"\.#.*",  # Emacs: lock
    r"#.*#",  # Emacs: automatic save
    r".*~",  # many: backup; Vim: .x.un~
    r".*\.sw[a-px]",  # Vim, nano: swap
    r"4913",  # Vim: tries whether it may write
    r"\.~lock\..*#",  # LibreOffice: lock
    r"~\$.*",  # Word: lock
    r"\..*\.kate-swp",
    r".*___jb_(?:tmp|old)___",  # JetBrains: safe write
    r"\.goutputstream-.*",  # GNOME
    r"\.(?:fuse_hidden|nfs)[0-9a-f]+",  # deleted while open
    r"[.~](?:syncthing[.~]|.*\.tmp$).*",
    r"\._.*",  # macOS: AppleDouble
    r".*\.(?:bak|BAK|orig|backup|old|save)",  # merge tools and others: backup
    r".*_(?:BACKUP|BASE|LOCAL|REMOTE)_[0-9]+\.md",  # git mergetool
    r".*\.tmp(?:[.-][0-9].*)?",  # agents and others: safe write
    r".*\.sb-[0-9a-f]{8}-.*",  # macOS: safe write
    r"flycheck_.*",  # Emacs: a copy for a checker
    r"\..*\.crswap",  # Chromium: safe write
)
_DEVICES = ("con", "prn", "aux", "nul")
_PORTS = tuple(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))
_RESERVED = frozenset((*_DEVICES, *_PORTS, "index", "archive"))
_SYNC = r"(?i)conflicted copy|\.sync-conflict-|case conflict"


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


class Listing(NamedTuple):
    """The files of a folder of the store, by name, and what is wrong with it."""

    items: dict[str, os.DirEntry[str]]
    findings: list[Finding]


class Read(NamedTuple):
    """One file or folder of the store: its page, and its name if it is an entry's."""

    findings: list[Finding]
    slug: str
    page: Page | None


@cache
def is_slug(name: str) -> bool:
    """Return true for the name of an entry: short kebab-case ASCII, safe everywhere."""
    plain = name.isascii() and name == name.lower() and len(name) <= MAX_SLUG
    return plain and all(map(str.isalnum, name.split("-"))) and name not in _RESERVED


def decode(data: bytes) -> str:
    """UTF-8 text without BOM, with LF line ends; anything else is a ValueError."""
    if b"\0" in data:
        raise UnicodeDecodeError("utf-8", data, data.index(0), len(data), "NUL")
    text = data.decode("utf-8").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def scan(root: str, tracked: Container[str] | None = None) -> Store:
    """Read the whole store under root and judge its layout.

    tracked are the paths that git tracks, where the caller knows them: then entries
    that git ignores are set aside as well, not only files of other names.
    """
    for path in (".agents", STORE):
        if os.path.islink(os.path.join(root, path)):
            return Store(root, {}, {}, {}, [finding("L10", path)])
    listings = {folder: _list(root, folder) for folder in ("", *DRAWERS)}
    findings = [item for listing in listings.values() for item in listing.findings]
    findings = _left_out(root, findings) if findings else []
    store = Store(root, {}, {}, {}, findings)
    paths = [
        _path(folder, name)
        for folder, listing in listings.items()
        for name, item in listing.items.items()
        if _may_be_ignored(folder, item, tracked)
    ]
    ignored = _ignored(root) if paths else frozenset[str]()
    for folder, listing in listings.items():
        items = listing.items
        if ignored and _path(folder, "INDEX.md") not in ignored:
            items = {
                name: item
                for name, item in items.items()
                if _path(folder, name) not in ignored or _is_desk(item)
            }
        for item in items.values():
            path = _path(folder, item.name)
            read = _read_item(path, folder, item)
            if read.page and read.slug:
                store.entries[path] = read.page  # markers are found where it is judged
            elif read.page:
                store.catalogs[path] = read.page
            if read.slug:
                store.slugs[path] = read.slug
            findings.extend(read.findings)
    findings.extend(_check_desks(store.slugs))
    findings.extend(_check_names(store.slugs))
    return store


def _left_out(root: str, findings: list[Finding]) -> list[Finding]:
    """Findings on what is missing, with a note for what the checkout leaves out."""
    from ecomem import evidence  # which is not loaded where nothing is missing

    missing = [item.path for item in findings if item.code in ("L01", "L02")]
    try:
        unseen = evidence.kept_from_view(root, missing)
    except CannotAsk:
        return findings
    result = []
    for item in findings:
        if item.path in unseen:
            problem = f"This could not be looked at here. {unseen[item.path]}"
            item = finding("R13", item.path, problem=problem)
        result.append(item)
    return result


def _path(drawer: str, name: str) -> str:
    """The path of a file of a drawer, or of the store's top for no drawer."""
    return f"{STORE}/{drawer}/{name}" if drawer else f"{STORE}/{name}"


def _list(root: str, drawer: str) -> Listing:
    """The files of a drawer, or of the store's top, without those set aside."""
    folder = _path(drawer, "").rstrip("/")
    full = os.path.join(root, folder)
    if os.path.islink(full):
        return Listing({}, [])  # reported where it lies
    try:
        found = sorted(os.scandir(full), key=lambda item: item.name)
    except (FileNotFoundError, NotADirectoryError) as error:
        missing = isinstance(error, FileNotFoundError)
        problem = "is missing" if missing else "is a file, not a folder"
        return Listing({}, [finding("L01", folder, problem=f"The drawer {problem}.")])
    except OSError as error:
        return Listing({}, [_unreadable(folder, "", error)])
    items = {item.name: item for item in found if not _is_set_aside(drawer, item.name)}
    if not drawer or "INDEX.md" in items:
        return Listing(items, [])
    return Listing(items, [finding("L02", f"{folder}/INDEX.md")])


def _is_set_aside(drawer: str, name: str) -> bool:
    """Return true if a file of this name is not ours and harmless in the store."""
    if name[-3:] == ".md" and (name[:-3] in CATALOGS or is_slug(name[:-3])):
        return False
    if not drawer and name in DRAWERS:
        return False
    if name in _SYSTEM_FILES or name.startswith(TEMPORARY):
        return True
    if name == ".git" and not drawer:
        return True  # the store is a submodule, or a repository of its own
    patterns = "|".join((*_EDITOR_FILES, *_SETTING_FILES))
    return re.fullmatch(patterns, name) is not None


def _may_be_ignored(
    drawer: str, item: os.DirEntry[str], tracked: Container[str] | None
) -> bool:
    """Return true if git may ignore a file or folder of the store, and is asked."""
    name = item.name
    if not drawer:
        return name not in DRAWERS
    if name[-3:] != ".md" or not item.is_file(follow_symlinks=False):
        return True
    if drawer == "working" or name[:-3] in CATALOGS:
        return False
    if not is_slug(name[:-3]):
        return True
    return tracked is not None and _path(drawer, name) not in tracked


def _is_desk(item: os.DirEntry[str]) -> bool:
    """Return true if a file is a desk, which git ignores though it is an entry."""
    folder = os.path.basename(os.path.dirname(item.path))
    return folder == "working" and item.name.endswith(".md")


def _ignored(root: str) -> frozenset[str]:
    """The untracked files and folders in the store that git ignores."""
    ask = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard")
    try:
        found = nul_items(root, *ask, "--directory", "--", STORE)
    except CannotAsk:
        return frozenset()
    return frozenset(path.rstrip("/") for path in found)


def _read_item(path: str, drawer: str, item: os.DirEntry[str]) -> Read:
    """Judge one file or folder of a drawer; read it where it is Markdown."""
    is_page = bool(drawer) and item.name.endswith(".md")
    if item.is_symlink():
        slug = item.name[:-3] if is_page else ""
        return Read([finding("L10", path)], slug, None)
    if item.is_dir(follow_symlinks=False):
        if not drawer and item.name in DRAWERS:
            return Read([], "", None)
        return Read([finding("L04" if drawer else "L03", path)], "", None)
    if is_page:
        return _read_page(path, drawer, item)
    return Read([finding("L05", path)], "", None)


def _read_page(path: str, drawer: str, item: os.DirEntry[str]) -> Read:
    """Read one Markdown file of a drawer."""
    name = item.name[:-3]
    is_catalog = name == "INDEX" or (name == "ARCHIVE" and drawer != "working")
    slug, limit = ("", MAX_CATALOG_BYTES) if is_catalog else (name, MAX_BYTES)
    findings = [_bad_name(path, name)] if slug and not is_slug(slug) else []
    try:
        if not item.is_file(follow_symlinks=False):
            return Read([*findings, _unreadable(path, slug, None)], slug, None)
        data = read_bytes(item.path, limit)
        if len(data) > limit:
            size = item.stat(follow_symlinks=False).st_size
            problem = f"The file has {size:,} bytes; {limit:,} are allowed."
            return Read([*findings, finding("L07", path, 1, slug, problem)], slug, None)
        text = decode(data)
    except OSError as error:
        return Read([*findings, _unreadable(path, slug, error)], slug, None)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Read([*findings, _not_text(path, line, slug, error)], slug, None)
    if not text or text.isspace():
        return Read([*findings, finding("L06", path, 1, slug)], slug, None)
    page = Page(path, drawer, name, text)
    line = find_marker(text) if is_catalog else 0
    if line:
        findings.append(conflict_finding(page, line))
    return Read(findings, slug, page)


def conflict_finding(page: Page, line: int) -> Finding:
    """The finding that a page has a conflict marker on this line."""
    subject = "" if page.name in CATALOGS else page.name
    advice = "Keep what is true of both sides, and remove the markers."
    if not subject and page.drawer != "working":
        advice = (
            f"Run `{VERIFY} --fix`, which merges"
            " rows and contracts; what it leaves, decide by hand."
        )
    return finding("L13", page.path, line, subject, advice=advice)


def _not_text(path: str, line: int, slug: str, error: UnicodeDecodeError) -> Finding:
    """The finding about a byte that is not part of a text."""
    what, advice = "is not UTF-8 text", "Save it as UTF-8."
    if error.reason == "NUL":
        what, advice = "is a NUL byte", "Remove it, or take the file from git again."
    problem = f"Byte {error.start + 1} of the file {what}."
    return finding("L09", path, line, slug, problem, advice)


def _unreadable(path: str, subject: str, error: OSError | None) -> Finding:
    why = "it is not a regular file"
    if error:
        why = error.strerror or type(error).__name__
    return finding("L08", path, 1, subject, f"This cannot be read: {why}.")


def _bad_name(path: str, name: str) -> Finding:
    """The finding that the name of an entry is no slug, or a copy's."""
    if re.search(_SYNC, name):
        return finding("L14", path, 1, name)
    problem = "The file name has other characters than a-z, 0-9 and single hyphens."
    if name in _RESERVED:
        problem = f"The file name `{name}` is reserved."
    elif len(name) > MAX_SLUG:
        problem = f"The file name has {len(name)} characters; {MAX_SLUG} are allowed."
    return finding("L11", path, 1, name, problem)


def _check_desks(slugs: dict[str, str]) -> Findings:
    """Report each desk beyond those that are allowed."""
    desks = [path for path in slugs if path.startswith(_path("working", ""))]
    problem = f"There are {len(desks)} desks; {MAX_DESKS} are allowed."
    for path in desks[MAX_DESKS:]:
        yield finding("E10", path, problem=problem)


def _check_names(slugs: dict[str, str]) -> Findings:
    """Report names that some file system takes for the same."""
    seen = {name.lower(): f"{name}.md" for name in CATALOGS}
    for path, name in slugs.items():
        folded = name
        if not is_slug(name):
            from unicodedata import normalize

            folded = normalize("NFC", name).casefold()
        if folded in seen:
            problem = f"{seen[folded]} has the same name, case and Unicode form aside."
            yield finding("L12", path, 1, name, problem)
        seen[folded] = path


def write_atomically(root: str, path: str, data: bytes) -> None:
    """Replace a file as a whole, with the mode it had; for a new one the usual mode.

    The temporary file lies in working/, where git ignores it; beside the target where
    working/ is on another file system or not there. Raises OSError, and then nothing
    changed.
    """
    target = os.path.join(root, path)
    name = f"{TEMPORARY}{os.getpid()}-{os.urandom(4).hex()}"
    folders = (os.path.join(root, STORE, "working"), os.path.dirname(target))
    for folder in folders:
        temporary = os.path.join(folder, name)
        try:
            with open(temporary, "xb") as stream:
                stream.write(data)
            _copy_mode(target, temporary)
            os.replace(temporary, target)
            return
        except OSError as error:
            elsewhere = error.errno in (errno.EXDEV, errno.ENOENT)
            if not elsewhere or folder == folders[-1]:
                raise
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)


def _copy_mode(target: str, temporary: str) -> None:
    """Give a new file the mode of the file that it replaces, where there is one."""
    try:
        mode = os.stat(target).st_mode & 0o777
        if mode != os.stat(temporary).st_mode & 0o777:
            os.chmod(temporary, mode)
    except (FileNotFoundError, PermissionError):
        pass  # a new file; or a file system without modes


def write_catalog(store: Store, page: Page, text: str) -> bool:
    """Write a catalog with the byte order mark and line ends it had, if it changed."""
    if text == page.text:
        return False
    path = os.path.join(store.root, page.path)
    old = read_bytes(path, MAX_CATALOG_BYTES) if os.path.exists(path) else b""
    bom = _BOM if old[:3] == _BOM else b""
    end = b"\r" if old.count(b"\r\n") * 2 > old.count(b"\n") else b""
    ends = {line.rstrip(b"\r"): line for line in old.split(b"\n")[:-1]}
    *lines, last = text.encode().split(b"\n")
    data = b"\n".join([*(ends.get(line, line + end) for line in lines), last])
    write_atomically(store.root, page.path, bom + data)
    store.catalogs[page.path] = page._replace(text=text)
    return True


def remove_leftovers(root: str, keep: Iterable[str] = ()) -> None:
    """Remove the temporary files that a killed writer left in the drawers.

    Only the holder of the lock may call this; keep are file names to leave.
    """
    for drawer in DRAWERS:
        folder = os.path.join(root, STORE, drawer)
        if os.path.islink(folder) or not os.path.isdir(folder):
            continue
        for name in os.listdir(folder):
            if name.startswith(TEMPORARY) and name not in keep:
                os.unlink(os.path.join(folder, name))
