"""What the guard says to a call, at the start of a session, at the end of a turn. The
rules are those of remember.py and verify.py, and imported only where they are needed;
here is only what needs the session."""

from __future__ import annotations

import json
import os
import re
import sys
from binascii import crc32
from collections.abc import Iterable, Iterator

from ecomem.cheap_imports import TYPE_CHECKING
from ecomem.findings import ascii_text, found, line_of
from ecomem.guard.tool_calls import ENTRY, Place, first
from ecomem.rules import ERROR
from ecomem.store import (
    CATALOGS,
    DRAWERS,
    MAX_BYTES,
    STORE,
    Page,
    decode,
    is_slug,
    scan,
)

if TYPE_CHECKING:
    from typing import Any

CAP, KEPT, ROOM = 5, 7 * 86400, 2600  # entries, seconds, bytes for the rows of a drawer
OWN = ".agents/skills/eco-mem/"
MARK = f"{OWN}scripts/hook.py"
REGISTERED = ("settings.json", "hooks.json", "eco-mem.json", "eco-mem.js")
EVENTS = {  # those in camel case are keys, in events that Copilot does not name
    "pretooluse beforetool beforereadfile beforeshellexecution toolArgs": "call",
    "sessionstart source": "start",
    "precompact": "compact",
    "stop agentstop afteragent stopReason": "stop",
}
QUOTED = r"(?m)user [\d-]{10}:\s*\\?[\"“„«「](.+?)\\?[\"”“»」]\s*(?:$|\\n|')"
STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
SPEAKERS = {"user", "user_message", "UserMessage"}
UNSEEN = ("L05", "R06", "R10")  # it takes git to tell
NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary")


def answer(root: str, raw: bytes) -> int:
    """Answer one event of a host. Returns the exit code."""
    event = json.loads(raw)
    name = str(first(event, "hook_event_name hookEventName") or "")
    told = {name.lower()} if name else {*event}
    kind = next((EVENTS[names] for names in EVENTS if told & {*names.split()}), "")
    if not kind or "toolResult" in event or not os.path.isdir(f"{root}/{STORE}"):
        return 0
    guard = Guard(root, event, name)
    if kind == "call":
        text = "\n".join(dict.fromkeys(guard.denials()))
    else:
        text = guard.drift() if kind == "stop" else guard.context(kind)
    said = guard.dialect(kind, text)
    if text and said:
        print(json.dumps(said))
    if text and kind == "call":
        print("eco-mem:", "\n".join(map(ascii_text, text.split("\n"))), file=sys.stderr)
    return 2 if text and kind == "call" else 0


def reason(name: str) -> str:
    """What the page about the guard says under a heading."""
    page = Place(os.path.dirname(__file__), "").text("../../../references/guard.md")
    text = f"{page}\n## ".partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    return " ".join(text.split()) or name


def said_by_user(item: Any) -> Iterator[str]:
    """What the user said, in a record of any host, without what hosts put around it."""
    if isinstance(item, list):
        yield from (text for part in item for text in said_by_user(part))
    elif isinstance(item, dict) and not any(map(item.get, NOT_SAID)):
        inner = first(item, "message content parts")
        user = SPEAKERS & {str(item.get(key)) for key in ("type", "role")}
        if isinstance(inner, dict) or not user:
            yield from said_by_user([*item.values()])
        else:
            for part in inner if isinstance(inner, list) else [{"text": inner}]:
                yield re.sub(r"(?s)<([\w:-]+)>.*?</\1>", " ", part.get("text") or "")


class Guard:
    """One event of a session, and its notes, outside the repository: a file of lines,
    with paths and never text, that only grows. A host may run two registrations for one
    event, with two names: the first time each asks for an entry is one and the same."""

    def __init__(self, root: str, event: dict[str, Any], name: str) -> None:
        self.root, self.event, self.name = root, event, name
        folders = (event.get("cwd"), *event.get("workspace_roots", ()), root)
        self.place = Place(root, next(filter(None, folders)))
        places = map(os.environ.get, ("XDG_STATE_HOME", "LOCALAPPDATA", "TMPDIR"))
        home = os.path.expanduser("~/.local/state")
        base = next((path for path in places if path and os.path.isabs(path)), home)
        key = str(first(event, "conversation_id session_id sessionId") or "")
        key = "".join(c for c in key if c.isalnum() or c == "-")[-64:]
        self.file = os.path.join(base, "eco-mem", f"{crc32(root.encode()):08x}-{key}")

    def dialect(self, kind: str, text: str) -> dict[str, Any]:
        """What the host reads on standard output: for a refusal, most want nothing."""
        event, name = self.event, self.name
        cursor = "cursor_version" in event or "conversation_id" in event
        bare = "timestamp" in event and "transcript_path" not in event
        copilot = not cursor and (bare or not name)
        if kind == "call":
            denied = {"permissionDecision": "deny", "permissionDecisionReason": text}
            return denied if copilot else {}
        if cursor:
            key = "followup_message" if kind == "stop" else "additional_context"
            return {key: text}
        if kind == "stop":
            return {"decision": "block", "reason": text}
        said = {"hookEventName": name, "additionalContext": text}
        return {"additionalContext": text} if copilot else {"hookSpecificOutput": said}

    def note(self, kind: str = "", paths: Iterable[str] = ()) -> list[list[str]]:
        """Add lines, and return all up to those; or all there are, with none to add."""
        os.makedirs(os.path.dirname(self.file), 0o700, exist_ok=True)
        call, mark = str(self.event.get("tool_use_id") or ""), os.urandom(8).hex()
        new = [[kind, self.name, call, path, mark] for path in paths]
        with open(self.file, "a+b", 0) as stream:  # one write keeps lines whole
            stream.write("".join(json.dumps(line) + "\n" for line in new).encode())
            stream.seek(0)
            lines = [json.loads(line) for line in stream.read().splitlines()]
        return lines[: lines.index(new[-1]) + 1] if new else lines

    def opened(self, paths: Iterable[str] = ()) -> set[str]:
        """What was opened or written since the session began, with these if allowed."""
        opened, denied, asked = set[str](), dict[str, str](), list[tuple[str, str]]()
        for kind, name, call, path, _ in self.note("open", paths):
            asked.append((name, path))
            turn = call or str(asked.count((name, path)))
            full = kind == "open" and path not in opened and len(opened) >= CAP
            if kind in ("start", "compact"):
                opened, denied = set(), {}
            elif not full or denied.setdefault(path, turn) != turn:
                opened.add(path)
        return opened

    def denials(self) -> Iterator[str]:
        """Why a call must not go on; nothing where it may."""
        given = first(self.event, "tool_input toolArgs") or self.event
        given = json.loads(given) if isinstance(given, str) else given
        tool = str(first(self.event, "tool_name toolName") or "read").lower()
        opens, writes, clean = [], [], True
        for verb, path, text in self.place.of_tool(tool, given):
            reasons = [*self.judge(verb, path, text)]
            there = self.place.text(path) is not None
            if verb == "open" and there and re.fullmatch(ENTRY, path):
                opens.append(path)
            elif verb in ("write", "ours") and path.startswith(STORE):
                writes.append(("wrote" if there else "made", path))
            clean = clean and not reasons
            yield from (f"{path}: {reason(name)}" for name in reasons)
        opened = self.opened(opens) if clean and opens else {*opens}
        yield from (f"{path}: {reason('full')}" for path in opens if path not in opened)
        for kind, path in writes if clean else ():
            self.note(kind, [path])

    def judge(self, verb: str, path: str, text: str | None) -> Iterator[str]:
        """Why a path must not be touched so, apart from the number of entries."""
        drawer, _, name = path[len(STORE) + 1 :].partition("/")
        if path != STORE and not path.startswith(f"{STORE}/"):
            changes = verb in ("write", "delete", "shell")
            yield from ["kept"] if changes and self.keeps(verb, path, text) else []
        elif verb in ("sweep", "shell"):
            yield verb
        elif verb == "delete":
            stray = drawer not in ("", *DRAWERS) or (name and name[-3:] != ".md")
            yield from [] if stray or (drawer == "working" and name) else [verb]
        elif verb == "open":
            loose = re.fullmatch(ENTRY, path) and not self.listed(path)
            there = loose and self.place.text(path) is not None
            yield from ["unlisted"] if there and path not in self.opened() else []
        else:
            yield from self.written(path, text) if verb == "write" else ()
            yield from ["quote"] if self.unsaid(path, text or "") else []

    def keeps(self, verb: str, path: str, text: str | None) -> bool:
        """Whether a change is to something of the gate or of the guard."""
        from ecomem.gate.pages import ALLOW

        old, new = self.place.text(path) or "", text or ""
        ours = [line.strip(" ,") for line in old.split("\n") if MARK in line]
        lost = any(new.count(line) < old.count(line) for line in ours)
        lost = lost and path.endswith(REGISTERED) and (verb, text) != ("write", None)
        above = verb == "delete" and OWN.startswith(f"{path}/")
        return lost or above or path == ALLOW or f"{path}/".startswith(OWN)

    def listed(self, path: str) -> bool:
        """Whether an entry has a row in a catalog of its drawer."""
        from ecomem import catalog

        folder, _, name = path.rpartition("/")
        texts = (self.place.text(f"{folder}/{file}.md") for file in CATALOGS)
        lines = "\n".join(filter(None, texts)).split("\n")
        rows = (catalog.read_row(line, 1) for line in lines)
        return any(row.target == name for row in rows if row)

    def written(self, path: str, text: str | None) -> Iterator[str]:
        """Why a file of the store must not get a text, by the rules of remember.py."""
        from ecomem import entry, history, write_rules
        from ecomem.gate import pages

        folder, _, name = path.rpartition("/")
        drawer, slug = folder[len(STORE) + 1 :], name[:-3]
        if drawer not in DRAWERS or not (name[-3:] == ".md" or name[:1] == "."):
            yield "place"
        elif text is not None and path.endswith(".md"):
            data = text.encode("utf-8", "replace").replace(b"\0", b"\\0")
            page, store = Page(path, drawer, slug, decode(data)), scan(self.root)
            new, old = entry.parse(page), store.entries.get(path)
            before = entry.parse(old) if old else None
            if slug in CATALOGS:
                findings = {*pages.judge(self.root, page, None).findings}
            elif len(data) > MAX_BYTES or not is_slug(slug):
                findings = {found(path, 1, "L07" if is_slug(slug) else "L11")}
            else:
                findings = {*write_rules.judge(store, new).findings}
            if before and drawer == "semantic":
                findings.update(history.revision(self.root, new, before))
            for item in [item for item in sorted(findings) if item.level == ERROR][:8]:
                yield line_of(item).partition(": ")[2]
            kept = path not in store.slugs or (before and history.typo(before, new))
            if drawer == "episodic" and not kept:
                made = ["made", path] in [line[::3] for line in self.note()]
                yield from [] if made else ["episode"]

    def unsaid(self, path: str, text: str) -> bool:
        """Whether a text quotes the user anew, with words that the transcript lacks."""
        if "user" not in text:
            return False  # looking closer costs
        from ecomem import catalog

        old = self.place.text(path) or ""
        quotes = {*re.findall(QUOTED, text)} - {*re.findall(QUOTED, old)}
        spoken = str(self.event.get("transcript_path") or "")
        if not quotes:
            return False
        whole = self.place.text(spoken) or ""
        lines = [whole] if spoken.endswith(".json") else whole.split("\n")
        records = (json.loads(line) for line in lines if "user" in line.lower())
        heard = " ".join(text for item in records for text in said_by_user(item))
        plain = catalog.fold("\0".join([*quotes, heard]).translate(STRAIGHT)).lower()
        *words, heard = (part.strip() for part in plain.split("\0", len(quotes)))
        return bool(heard) and not all(word in heard for word in words)

    def context(self, kind: str) -> str:
        """What a session starts with: the maps, the desks, and how much is due."""
        from ecomem import catalog, entry, staleness
        from ecomem.gate import pages

        told = [line[1] for line in self.note(kind, [""]) if line[0] == "start"]
        oldest = os.stat(self.file).st_mtime - KEPT
        for file in os.scandir(os.path.dirname(self.file)):
            if file.stat().st_mtime < oldest:
                os.unlink(file.path)
        others = [told.count(name) for name in told if name != self.name]
        if kind == "compact" or told.count(self.name) <= max(others, default=0):
            return ""
        store, lines = scan(self.root), [reason("start")]
        entries = entry.parse_all(store)
        for path in sorted(path for path in store.catalogs if "INDEX" in path):
            page = store.catalogs[path]
            bad = {item.line for item in pages.judge(self.root, page, None).findings}
            texts = enumerate(page.text.split("\n"), 1)
            rows = [t for at, t in texts if at not in bad and catalog.read_row(t, at)]
            while len("\n".join(rows).encode()) > ROOM:
                rows[-2:] = [f"- and more, in {path}"]
            lines += [f"\n{path}", *rows]
        for path, item in entries.items():
            goal, after = (item.fields.get(k, entry.NONE)[0] for k in ("goal", "next"))
            if goal and not pages.judge(self.root, item.page, item).findings:
                lines.append(f"- {path}: {goal[:200]}; next: {after[:200]}")
        due = {
            item.path
            for item in staleness.due(store, entries)
            if item.code not in UNSEEN
        }
        lines.append(f"\n{len(due)} entries are due: see {OWN}scripts/forget.py")
        return "\n".join(lines)

    def drift(self) -> str:
        """What the store fails at the end of a turn, told once."""
        from ecomem import catalog, entry
        from ecomem.gate import pages

        if first(self.event, "stop_hook_active loop_count"):
            return ""
        store = scan(self.root)
        entries = entry.parse_all(store)
        findings = {*store.findings, *catalog.check(store, entries)}
        notes = [line[3] for line in self.note() if line[0] in ("made", "wrote")]
        for item in (entries[path] for path in notes if path in entries):
            findings.update(pages.judge(self.root, item.page, item).findings)
            findings.update(entry.check(item, entry.local_day(1)))
        bad = [f for f in sorted(findings) if f.level == ERROR and f.code not in UNSEEN]
        lines = [line_of(item) for item in bad[:8]]
        key = f"{crc32(str(lines).encode()):08x}"
        told = [line[3] for line in self.note("drift", [key])] if lines else []
        return "\n".join([reason("end"), *lines]) if told.count(key) == 1 else ""
