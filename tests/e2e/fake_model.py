"""A model that answers from a script, and the client that talks to it.

    python -m e2e.fake_model FOLDER COMMAND...

It is made to be the first process of a network namespace of its own: it brings up the
loopback interface, serves at `URL`, runs COMMAND and exits with its code. Whatever the
client leaves running ends with the namespace.

FOLDER holds `script.json`, a list of turns; a turn is a text, which ends the work of
the client, or a list of `[tool, arguments]` to call. Once the script is spent, the
answer is `SPENT`. Every request is added to `requests.jsonl` there, as an object with
`path` and `body`.

Four interfaces are spoken, each as far as clients need it, and always as a stream,
which is how all of them ask: Anthropic Messages, OpenAI Responses, OpenAI Chat
Completions and Gemini. They are told apart by how the path ends.
"""

from __future__ import annotations

import fcntl
import json
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

PORT = 8080  # always free: the namespace is new
URL = f"http://127.0.0.1:{PORT}"
SPENT = "DONE"
ASIDE = "OK"
TOKENS = 10  # what everything costs

Event = dict[str, Any]


class Call(NamedTuple):
    """One tool call: its arguments, or the text of a tool that takes free text."""

    tool: str
    args: dict[str, Any] | str


Turn = str | Sequence[Call]


class Script:
    """The turns of the model, handed out one by one."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self._next = 0
        self._asked = b""
        self._lock = threading.Lock()

    def answer(self, request: bytes) -> Turn:
        """Return the next turn; the same one again if the same request comes again."""
        with self._lock:
            if request != self._asked:
                self._asked = request
                self._next += 1
            return (
                self._turns[self._next - 1] if self._next <= len(self._turns) else SPENT
            )


def load(path: Path) -> list[Turn]:
    """Return the turns of a script file."""
    turns = json.loads(path.read_text("utf-8"))
    return [t if isinstance(t, str) else [Call(*call) for call in t] for t in turns]


# What a request says.


def offered(body: Any) -> list[str]:
    """Return the names of the tools that a request offers to the model."""
    names = []
    for tool in body.get("tools") or []:
        for one in tool.get("functionDeclarations") or [tool.get("function", tool)]:
            names.append(str(one.get("name") or one.get("type")))
    items = body.get("input")
    for item in items if isinstance(items, list) else []:
        if item.get("type") == "additional_tools":  # what Codex's newer models get
            names += [str(tool.get("name")) for tool in item.get("tools") or []]
    return names


def results(body: Any) -> list[str]:
    """Return what the calls of earlier turns gave, in their order."""
    found: list[Any] = []
    for message in body.get("messages") or []:
        if message.get("role") == "tool":
            found.append(message["content"])
        elif isinstance(message.get("content"), list):
            blocks = message["content"]
            found += [b.get("content") for b in blocks if b["type"] == "tool_result"]
    for item in body.get("input") or []:
        if str(item.get("type")).endswith("_output"):
            found.append(item["output"])
    for content in body.get("contents") or []:
        parts = [part.get("functionResponse") for part in content["parts"]]
        found += [part["response"] for part in parts if part]
    return ["\n".join(strings(one)) for one in found]


def strings(value: Any) -> Iterator[str]:
    """Yield every string of a JSON value but the keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


# What an answer looks like, for each interface. `n` makes its ids unique.


def messages(turn: Turn, n: int) -> Iterator[Event]:
    """Yield the events of an answer for Anthropic Messages."""
    calls = () if isinstance(turn, str) else turn
    usage = {"input_tokens": TOKENS, "output_tokens": TOKENS}
    head = {"id": f"msg_{n}", "type": "message", "role": "assistant", "content": []}
    yield {"type": "message_start", "message": {**head, "model": "x", "usage": usage}}
    blocks: list[tuple[Event, Event]] = []
    for i, call in enumerate(calls):
        block = {"type": "tool_use", "id": f"toolu_{n}_{i}", "name": call.tool}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.args)}
        blocks.append(({**block, "input": {}}, delta))
    if isinstance(turn, str):
        blocks = [({"type": "text", "text": ""}, {"type": "text_delta", "text": turn})]
    for i, (block, delta) in enumerate(blocks):
        yield {"type": "content_block_start", "index": i, "content_block": block}
        yield {"type": "content_block_delta", "index": i, "delta": delta}
        yield {"type": "content_block_stop", "index": i}
    stop = {"stop_reason": "tool_use" if calls else "end_turn"}
    yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": TOKENS}}
    yield {"type": "message_stop"}


def responses(turn: Turn, n: int) -> Iterator[Event]:
    """Yield the events of an answer for OpenAI Responses."""
    items: list[Event] = []
    if isinstance(turn, str):
        text = {"type": "output_text", "text": turn, "annotations": []}
        items.append({"type": "message", "role": "assistant", "content": [text]})
    else:
        items += [_response_call(call, f"call_{n}_{i}") for i, call in enumerate(turn)]
    head: Event = {"id": f"resp_{n}", "object": "response", "output": []}
    yield {"type": "response.created", "response": head}
    for i, item in enumerate(items):
        yield {"type": "response.output_item.done", "output_index": i, "item": item}
    usage = {
        "input_tokens": TOKENS,
        "output_tokens": TOKENS,
        "total_tokens": 2 * TOKENS,
    }
    done = {**head, "status": "completed", "output": items, "usage": usage}
    yield {"type": "response.completed", "response": done}


def _response_call(call: Call, call_id: str) -> Event:
    item: Event = {"name": call.tool, "call_id": call_id}
    if isinstance(call.args, str):
        return {"type": "custom_tool_call", **item, "input": call.args}
    return {"type": "function_call", **item, "arguments": json.dumps(call.args)}


def chat(turn: Turn, n: int) -> Iterator[Event]:
    """Yield the events of an answer for OpenAI Chat Completions."""
    delta: Event = {"role": "assistant", "content": turn}
    if not isinstance(turn, str):
        delta = {"role": "assistant", "content": None, "tool_calls": []}
        for i, call in enumerate(turn):
            function = {"name": call.tool, "arguments": json.dumps(call.args)}
            one = {"index": i, "id": f"call_{n}_{i}", "type": "function"}
            delta["tool_calls"].append({**one, "function": function})
    finish = "stop" if isinstance(turn, str) else "tool_calls"
    usage = dict.fromkeys(("prompt_tokens", "completion_tokens"), TOKENS)
    chunk = {"id": f"chat_{n}", "object": "chat.completion.chunk", "created": 1}
    chunk["model"] = "fake"
    yield {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    end = {"index": 0, "delta": {}, "finish_reason": finish}
    yield {**chunk, "choices": [end], "usage": {**usage, "total_tokens": 2 * TOKENS}}


def gemini(turn: Turn, n: int) -> Iterator[Event]:
    """Yield the one event of an answer for Gemini."""
    parts: list[Event] = [{"text": turn}] if isinstance(turn, str) else []
    for i, call in enumerate(() if isinstance(turn, str) else turn):
        function = {"id": f"call_{n}_{i}", "name": call.tool, "args": call.args}
        parts.append({"functionCall": function})
    content = {"role": "model", "parts": parts}
    usage = dict.fromkeys(("promptTokenCount", "candidatesTokenCount"), TOKENS)
    yield {
        "candidates": [{"index": 0, "finishReason": "STOP", "content": content}],
        "usageMetadata": {**usage, "totalTokenCount": 2 * TOKENS},
    }


INTERFACES: dict[str, Callable[[Turn, int], Iterator[Event]]] = {
    "/messages": messages,
    "/responses": responses,
    "/chat/completions": chat,
    ":streamGenerateContent": gemini,
}


def stream(events: Iterator[Event]) -> bytes:
    """Return events as a server sends them; those that have a type are named by it."""
    sent = []
    for event in events:
        name = f"event: {event['type']}\n" if "type" in event else ""
        sent.append(f"{name}data: {json.dumps(event)}\n\n")
    return "".join(sent).encode()


class Model(ThreadingHTTPServer):
    """The server: answers from `script.json` in `folder`, and writes down requests."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", PORT), Handler)
        self.script = Script(load(folder / "script.json"))
        self._log = folder / "requests.jsonl"
        self._lock = threading.Lock()
        self._count = 0

    def record(self, path: str, body: Any) -> int:
        """Write a request down and return its number."""
        line = json.dumps({"path": path, "body": body}) + "\n"
        with self._lock, self._log.open("a") as log:
            log.write(line)
            self._count += 1
            return self._count


class Handler(BaseHTTPRequestHandler):
    """Answers one request. What is not an interface of a model is not found."""

    protocol_version = "HTTP/1.1"
    server: Model

    def log_message(self, *_: object) -> None:
        """Say nothing: standard error is the client's."""

    def do_POST(self) -> None:
        """Take a turn of the script if tools are offered.

        Those who make titles and the like offer none, and get a word.
        """
        raw = self.rfile.read(int(self.headers["content-length"]))
        path = self.path.partition("?")[0]
        answer = next((f for end, f in INTERFACES.items() if path.endswith(end)), None)
        if answer is None:
            self.send_error(404)
            return
        body = json.loads(raw)
        n = self.server.record(path, body)
        turn = self.server.script.answer(raw) if offered(body) else ASIDE
        payload = stream(answer(turn, n))
        if answer is chat:
            payload += b"data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


def bring_up_loopback() -> None:
    """Start the only interface of a new network namespace; see netdevice(7)."""
    set_flags, up = 0x8914, 0x1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh22x", b"lo", up))


def main(folder: str, *command: str) -> int:
    """Serve a model while a command runs, and return its exit code."""
    bring_up_loopback()
    with Model(Path(folder)) as model:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
