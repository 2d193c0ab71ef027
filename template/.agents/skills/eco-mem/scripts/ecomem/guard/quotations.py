"""Quotations of the user in an entry, and what the user said in the session.

The grammar of a quotation is that of the gate: `ecomem.entry` reads the entry.
"""

from __future__ import annotations

import os

from ecomem import cheap_re as re
from ecomem.cheap_imports import TYPE_CHECKING, Iterator, NamedTuple, parse_json

if TYPE_CHECKING:
    from typing import Any


MIN_WORDS = 3
MIN_SIGNS = 6  # of a script that does not part its words
MAX_RECORD = 1 << 25  # bytes of one record that is still read
MAX_READ = 1 << 27  # bytes of all records that are read
UNPARTED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
                      "\u3400-\u9fff\uac00-\ud7af]")  # fmt: skip
CURLY = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
# Marks around text that a host or a hook added to what the user typed.
ADDED = re.compile(r"(?s)<([\w:-]+)(?:\s[^>]*)?>.*?</\1>")
ARGUMENTS = re.compile(r"(?s)<command-args>(.*?)</command-args>")
REJECTED = "The user doesn't want to proceed with this tool use"
WITH_WORDS = "the user said:"


class Heard(NamedTuple):
    """The messages of the user that matter, and whether they could be read."""

    known: bool
    messages: list[str]


def quoted(text: str) -> list[str]:
    """The words that the evidence of an entry quotes from the user."""
    from ecomem import entry
    from ecomem.store import Page

    parsed = entry.parse(Page("", "semantic", "quotation", text))
    found: list[str] = []
    for value, _ in parsed.evidence:
        item = entry.read_evidence(value)
        if item and item.kind == "user":
            found.append(_inner(value))
    return found


def _inner(value: str) -> str:
    """Return the text between the outer quotation marks of an evidence line."""
    match = re.search(r"(?s)[\"“„«「](.*)[\"”“»」]", value)
    return match[1] if match else value


def unspoken(quotes: list[str], transcript: str) -> bool:
    """Return whether the user never said a quotation; False if not known."""
    if not quotes or not transcript or not os.path.isfile(transcript):
        return False
    heard = hear(transcript, quotes)
    if not heard.known:
        return False
    messages = [plain(message) for message in heard.messages]
    return not all(_is_said(plain(quote), messages) for quote in quotes)


def _is_said(quote: str, messages: list[str]) -> bool:
    """Return whether a quotation is a whole message, or enough whole words of one."""
    bare = quote.strip(" .,;:!?'\"")
    if any(bare == message.strip(" .,;:!?'\"") for message in messages):
        return True
    words = [word for word in quote.split() if any(map(str.isalnum, word))]
    if len(words) < MIN_WORDS and len(UNPARTED.findall(quote)) < MIN_SIGNS:
        return False
    return any(_contains(message, bare) for message in messages)


def _contains(message: str, words: str) -> bool:
    """Return whether a message contains words that begin and end where words do."""
    at = message.find(words)
    while at >= 0:
        before, after = message[at - 1 : at], message[at + len(words) :][:1]
        left = not (before.isalnum() and words[:1].isalnum())
        right = not (after.isalnum() and words[-1:].isalnum())
        if UNPARTED.search(words[:1] + words[-1:]) or (left and right):
            return True
        at = message.find(words, at + 1)
    return False


def plain(text: str) -> str:
    """A text without what formatters and keyboards change: quotes, marks, case."""
    from ecomem.markdown import unformatted

    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFC", text)
    return unformatted(text.translate(CURLY)).casefold()


def hear(path: str, quotes: list[str]) -> Heard:
    """Read the messages of the user that may contain one of the quotations."""
    if path.endswith(".json"):
        if os.path.getsize(path) > MAX_RECORD:
            return Heard(False, [])
        with open(path, "rb") as stream:
            messages = [*spoken(_json(stream.read()))]
        return Heard(bool(messages), messages)
    keys = [_key(quote) for quote in quotes]
    messages, known, read = list[str](), False, 0
    with open(path, "rb") as stream:
        for line in stream:
            if b"user" not in line and b"User" not in line and b"queue" not in line:
                continue
            if len(line) > MAX_RECORD or (known and not _may_contain(line, keys)):
                continue
            read += len(line)
            if read > MAX_READ:
                break
            said = [*spoken(_json(line))]
            known = known or bool(said)
            messages.extend(said)
    return Heard(known, messages)


def _key(quote: str) -> bytes:
    """The longest plain word of a quotation: a record with it contains its bytes."""
    words = re.findall(r"[a-z0-9]+", quote.lower())
    return max(words, key=len, default="").encode()


def _may_contain(line: bytes, keys: list[bytes]) -> bool:
    """Return whether a record may contain one of the quotations."""
    low = line.lower()
    return any(key in low for key in keys)


def _json(data: bytes) -> Any:
    try:
        return parse_json(data)
    except (ValueError, RecursionError):
        return None


def spoken(record: Any) -> Iterator[str]:
    """Yield the words of the user in one record of a transcript of a known host.

    Only the shapes that hosts write at the top of a record count: the arguments and the
    results of tools may contain anything.
    """
    if not isinstance(record, dict):
        return
    if any(map(record.get, ("isMeta", "isSidechain", "isCompactSummary"))):
        return
    kind, message = record.get("type"), record.get("message")
    payload, attachment = record.get("payload"), record.get("attachment")
    listed = record.get("messages")
    changed = record.get("$set")
    if isinstance(changed, dict):
        listed = changed.get("messages")
    if isinstance(listed, list):
        for item in listed:
            if isinstance(item, dict) and "messages" not in item:
                yield from spoken(item)
    elif kind in ("user", "message"):
        inner = message if isinstance(message, dict) else record
        if isinstance(inner, dict) and inner.get("role", kind) == "user":
            yield from _texts(inner.get("content", inner.get("parts")))
            yield from _replies(record, inner.get("content"))
        elif kind == "user" and isinstance(message, dict):
            yield from _texts(message.get("content"))
    elif kind == "attachment" and isinstance(attachment, dict):
        if attachment.get("type") == "queued_command":
            yield from _texts(attachment.get("prompt"))
    elif kind == "queue-operation" and record.get("operation") == "enqueue":
        yield from _texts(record.get("content"))
    elif kind in ("event_msg", "response_item") and isinstance(payload, dict):
        yield from _codex(payload)


def _codex(payload: dict[str, Any]) -> Iterator[str]:
    """Yield the words of the user in a record of Codex."""
    kind, item = payload.get("type"), payload.get("item")
    if kind == "user_message":
        yield from _texts(payload.get("message"))
    elif kind == "message" and payload.get("role") == "user":
        yield from _texts(payload.get("content"))
    elif isinstance(item, dict) and item.get("type") in ("UserMessage", "user_message"):
        yield from _texts(item.get("content"))


def _texts(content: Any) -> Iterator[str]:
    """The texts of a message, without what hosts put around them."""
    parts = content if isinstance(content, list) else [content]
    for part in parts:
        text = part.get("text") if isinstance(part, dict) else part
        kind = part.get("type", "text") if isinstance(part, dict) else "text"
        if isinstance(text, str) and kind in ("text", "input_text"):
            yield from ARGUMENTS.findall(text)
            yield ADDED.sub(" ", text)


def _replies(record: dict[str, Any], content: Any) -> Iterator[str]:
    """Yield the answers of the user to a question, or words of a rejection."""
    result = record.get("toolUseResult")
    if isinstance(result, dict) and "questions" in result:
        answers = result.get("answers")
        if isinstance(answers, dict):
            for value in answers.values():
                yield from _texts(value)
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, dict) or part.get("type") != "tool_result":
            continue
        text = part.get("content")
        if isinstance(text, list) and text and isinstance(text[0], dict):
            text = text[0].get("text")
        if part.get("is_error") and isinstance(text, str) and text.startswith(REJECTED):
            yield text.partition(WITH_WORDS)[2]
