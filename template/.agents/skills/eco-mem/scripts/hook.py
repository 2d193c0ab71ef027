"""The guard: a host's hooks run it before a tool, and at the start and end of a turn.

The event is on standard input. A refusal is exit code 2, or the code that is given as
argument, and a reason on standard error; all else is exit code 0. A fault of its own is
one line on standard error, and the host's call goes on.
"""

from __future__ import annotations

import sys

# Substrings of every event that must be judged, in lower case. They are looked for
# before anything is imported, because imports are the cost.
CONCERNS = b""".agents \\u00 eco-mem settings.json settings.local.json hooks.json
 config.toml .claude .codex .gemini .factory .qwen .cursor .github .opencode
 sessionstart "source" compact stop" stopreason afteragent""".split()
READERS = (b"read", b"read_file", b"view")
LINES = b"'0123456789,np-"
LOOKS = (b"cat", b"head", b"tail", b"grep", b"wc", b"nl")
SHELLS = (b"bash", b"run_shell_command", b"execute")


def concerns(raw: bytes) -> bool:
    """Return true if an event must be judged; one that plainly reads maps need not."""
    raw = raw.lower()
    for key in (b'"transcript_path":"', b'"transcriptpath":"'):
        before, found, after = raw.partition(key)
        if found and b"\\" not in after.partition(b'"')[0]:
            raw = before + after.partition(b'"')[2]
    if not any(word in raw for word in CONCERNS):
        return False
    if b"\\\\" not in raw:
        raw = raw.replace(b'\\"', b"'")
    for drawer in (b"working", b"semantic", b"episodic", b"procedural", b"*"):
        raw = raw.replace(b".agents/memory/" + drawer + b"/index.md", b"/MAP")
    raw = raw.replace(b'"toolname":', b'"tool_name":')
    rest = raw.partition(b'"tool_name":"')[2]
    tool, _, rest = rest.partition(b'"')
    if b".agents" in raw or b"\\u00" in raw or b'"tool_name":' in rest:
        return True
    if rest.count(b'"command":') > 1:  # one of them may be a parameter in another
        return True
    command = rest.partition(b'"command":"')[2].partition(b'"')[0]
    return not (tool in READERS or (tool in SHELLS and plain(command)))


def plain(command: bytes) -> bool:
    """Return true if a shell command just reads maps, and the output of its pipes."""
    parts = command.replace(b"&&", b"|").replace(b";", b"|").split(b"|")
    for name, *words in (part.split() or [b""] for part in parts):
        if name == b"sed" and len(words) > 1 and not b"".join(words[:2]).strip(LINES):
            words = words[2:]  # as in sed -n '1,40p'; other scripts may write
        elif name not in LOOKS:
            return False
        for word in words:
            one = word.endswith(b"/MAP") and word.translate(None, b"/._-").isalnum()
            text = word.translate(None, b"',_-").isalnum()
            if not (one or text or word == b"2>/dev/null"):
                return False
    return True


def main(arguments: list[str]) -> int:
    """Judge the event on standard input. Returns the exit code."""
    raw = sys.stdin.buffer.read()
    if not concerns(raw):
        return 0
    import gc
    import os

    gc.disable()  # a run is short, and collecting takes a tenth of it
    from ecomem import cheap_re, git
    from ecomem.guard import session

    git.disable()
    root = os.path.realpath(f"{__file__}/../../../../..")
    code = session.answer(root, raw, registered=bool(arguments))
    cheap_re.save()
    if code and arguments:
        return int(arguments[0])  # one that no Python and no shell exits with by itself
    return code


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except Exception as fault:  # noqa: BLE001 - a fault of ours never stops the host
        code, what = 0, type(fault).__name__
        print(f"eco-mem: not checked, for the guard failed ({what})", file=sys.stderr)
    sys.exit(code)
