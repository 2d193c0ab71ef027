"""The guard: answers to the hook events of agent hosts."""
