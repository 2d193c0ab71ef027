"""The guard: what hook.py answers to the hooks of a host.

dialects      events in, answers out, by host
session       the answers: before a call, at the start, at the end of a turn
notes         what is remembered of a session
tool_calls    what a tool call touches: file tools and patches
shell         what a command touches; shell_syntax reads it, shell_tables knows
              programs, code reads what is handed to an interpreter
places        paths, and how each is guarded
protection    the gate and the registrations, which an agent must not change
quotations    what an entry quotes from the user, and what the user said
"""
