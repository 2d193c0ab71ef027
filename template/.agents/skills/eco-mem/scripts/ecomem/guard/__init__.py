"""The guard: what hook.py answers to hooks of a host. The map is in the comments."""

# A module imports only modules below it in this list.
#
#   guard/session.py      the answers: before a call, at the start, at the end of a turn
#   guard/protection.py   the gate and the registrations, which stay as they are
#   guard/quotations.py   what an entry quotes from the user, and what the user said
#   guard/tool_calls.py   what a tool call touches: file tools and patches
#   guard/shell.py        what a command touches: which method judges which program
#   guard/runners.py      programs that run others: wrappers, shells, interpreters
#   guard/git_commands.py  git, by its command, its revisions and its paths
#   guard/file_commands.py  programs that list, read, search, copy and change files
#   guard/walker.py       walking through a script: folder, variables, pipes, files
#   guard/fields.py       words of a command as text, patterns marked
#   guard/code.py         what code touches that is handed to an interpreter
#   guard/programs.py     what is known about programs
#   guard/syntax.py       reading a command: words, pipes, heredocs, loops
#   guard/notes.py        what is remembered of a session: open entries, writes
#   guard/places.py       paths, and how each is guarded
#   guard/dialects.py     events in, answers out; the hosts in one table
