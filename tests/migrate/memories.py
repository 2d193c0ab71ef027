"""Old memories of each kind, small and of our own making, for the tests of migrate."""

from __future__ import annotations

CLAUDE = {
    "memory/MEMORY.md": (
        "# Memory index\n\n"
        "- [Graphics](graphics.md) \u2014 the renderer needs a warm shader cache\n"
        "- [Deploys](deploys.md): how a release reaches the blue cluster\n"
        "- [Anna](anna.md) - how Anna likes reviews\n"
    ),
    "memory/graphics.md": (
        "---\nname: graphics-cache\n"
        'description: "Shader cache: see #42 for the numbers"\n'
        "metadata:\n  type: reference\n"
        "  originSessionId: 3f2b8c1e-7c1d-4a55-9c0b-2f3f0b7f7a11\n---\n\n"
        "The renderer compiles 120 shaders at first use.\n\n"
        "**Why:** the driver caches by process.\n\n"
        "**How to apply:** run twice, keep the second. See [[deploys]].\n"
    ),
    "memory/deploys.md": (
        "---\nname: deploys\ndescription: releases\ntype: project\n"
        "modified: 2026-03-04\n---\n\n# How deploys go\n\nBlue first, then green.\n\n"
        + "\n\n".join(f"Step {n} is on page {n}." for n in range(1, 31))
        + "\n"
    ),
    "memory/anna.md": "---\nname: anna\ntype: user\n---\n\nAnna reads diffs at noon.\n",
}
SERENA = {
    ".serena/memories/suggested_commands.md": "# Suggested commands\n\n- make test\n",
    ".serena/memories/cache.md": (
        "# How the token cache expires\n\nAfter 15 minutes, see mem:tool/chain.\n"
    ),
    ".serena/memories/tool/chain.md": "# Parts of the tool chain\n\nIt has 3 parts.\n",
}
BANK = {
    "memory-bank/activeContext.md": "# Active\n\n## Focus\n\n- ship it\n",
    "memory-bank/decisionLog.md": "# Log\n\n## D\n\n*\n\n## Use SQL\n\nFor JSON.\n",
    "memory-bank/productContext.md": "# Product\n\nIt sells things.\n",
}
LAYERS = {
    "MEMORY.md": "# Memory\n\nSome prose on the system.\n",
    "memory/facts.yaml": (
        "identity:\n  name: Anna\nservices:\n"
        "  queue: rabbit 3.12  # since May\n  ports:\n    - 8081\n    - 8082\n"
        "todos:\n  first: call\n"
    ),
    "memory/lookup-index.md": (
        "# Lookup\n\n- which queue we run \u2192 facts.yaml#queue\n"
    ),
    "memory/2026-03-01.md": "# Day\n\n## Calls\n\nSome.\n\n## Lessons\n\nBack up.\n",
}
OLD_STORE = {
    ".agents/memory/semantic/INDEX.md": (
        "# Semantic memory\n\n"
        'Duty: facts and concepts detached from a specific episode. Answers "what is '
        'true."\nA line of our own.\n\n## Catalog\n\n'
        "| slug | one-liner | status | as_of | source | file |\n"
        "|------|-----------|--------|-------|--------|------|\n"
        "| port | which port probes use | active | 2026-01-02 | verified | port.md |\n"
        "| gone | what we used before | deprecated | 2025-01-02 | derived | gone.md |\n"
    ),
    ".agents/memory/semantic/port.md": (
        "# The port is 8081\n\n- as_of: 2026-01-02\n- source: verified\n"
        "- scope: deploy\n- expires: never\n\nProbes use  8081.\n"
    ),
    ".agents/memory/semantic/gone.md": (
        "# It was 8080\n\n- as_of: 2025-01-02\n- source: derived\n"
        "- scope: deploy\n- expires: never\n\nProbes used 8080.\n"
    ),
    ".agents/memory/episodic/INDEX.md": (
        "# Episodic memory\n\n## Catalog\n\n| slug | one-liner | when | file |\n"
        "|------|-----------|------|------|\n"
        "| outage | when the queue stops | 2026-02-03 | outage.md |\n"
    ),
    ".agents/memory/episodic/outage.md": (
        "# The queue stopped\n\n- when: 2026-02-03\n- task: ship\n\nContext:\nA.\n"
        "Action:\nB.\nResult:\nC.\nLesson:\nD.\n"
    ),
}
STATEMENTS = (
    '---\napplyTo: "src/**"\n---\n\n# Build memory\n\n'
    "- The build caches by hash\n  and goes on here.\n"
    "- Tests run with one worker\n\nThe linter runs first.\n"
)
PORT = (
    "# The port is 8081\n\n- cue: which port probes use\n- as_of: 2026-03-04\n"
    "- source: derived\n- scope: deploy\n- expires: never\n"
    "- origin: claude-memory:port.md#L8-L8 sha:5f3a11c0\n\nProbes use 8081.\n"
)
