"""The guard: a host's hooks run it before a tool, and at the start and end of a turn.
The event is on standard input. A refusal is exit code 2 and a reason on standard error,
all else is 0; a fault of its own is one line there, and the host's call goes on."""

from __future__ import annotations

import sys

# What an event that matters holds: starting up is what costs, so the bytes tell it.
CONCERNS = b""".agents \\u00 settings.json hooks.json eco-mem.js sessionstart "source"
 compact stop" stopreason afteragent""".split()
READERS = (b"read", b"read_file", b"view")
SHELLS = (b"bash", b"run_shell_command", b"execute")


def concerns(raw: bytes) -> bool:
    """Whether an event needs a closer look; one that plainly reads maps does not."""
    raw = raw.lower()
    if not any(word in raw for word in CONCERNS):
        return False
    for drawer in (b"working", b"semantic", b"episodic", b"procedural"):
        raw = raw.replace(b".agents/memory/" + drawer + b"/index.md", b"/MAP")
    raw = raw.replace(b'"toolname":', b'"tool_name":')
    rest = raw.partition(b'"tool_name":"')[2]
    tool, _, rest = rest.partition(b'"')
    if b".agents" in raw or b"\\u00" in raw or b'"tool_name":' in rest:
        return True
    words = rest.partition(b'"command":"')[2].partition(b'"')[0].split()
    plain = (
        word.strip(b"'0123456789,np;-&") in (b"", b"cat", b"head", b"sed")
        or (word.translate(None, b"/._-").isalnum() and word.endswith(b"/MAP"))
        for word in words
    )
    return not (tool in READERS or (tool in SHELLS and words and all(plain)))


def main() -> int:
    """Judge the event on standard input. Returns the exit code."""
    raw = sys.stdin.buffer.read()
    if not concerns(raw):
        return 0
    import gc
    import os

    gc.disable()  # a run is short, and collecting takes a tenth of it
    import hook_rules

    os.environ["PATH"] = os.devnull  # nothing is ever started: the rules find no git
    return hook_rules.answer(os.path.realpath(f"{__file__}/../../../../.."), raw)


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except Exception as fault:  # noqa: BLE001 - a fault of ours never stops the host
        code, what = 0, type(fault).__name__
        print(f"eco-mem: not checked, for the guard failed ({what})", file=sys.stderr)
    sys.exit(code)
