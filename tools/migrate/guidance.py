"""The steps for a person after a migration, with their entries and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate import plan_file, receipt
from migrate.model import Block

QUOTATION = re.compile(r"\d{4}-\d\d-\d\d[^\n]{0,80}[\"\u201c\u201e\u00ab\u300c]")
MOST = 20  # names in one list
RETIRE = {
    "claude-memory": (
        "In the repository, `git rm` the folder. In your home, set "
        "`autoMemoryEnabled: false` for Claude Code and move the folder away."
    ),
    "serena": "Remove `.serena/memories`, or turn off the memory tools of Serena.",
    "letta": "Detach the blocks from the agent.",
    "rules": "Nothing: their hosts still read them.",
}
USUAL = "`git rm` it, or two memories answer."


def next_steps(blocks: list[Block], drafts: dict[str, str]) -> Iterator[str]:
    """Yield one line for each thing to do, most urgent first."""
    yield "Next:"
    refused = [each for each in blocks if each.decision == "refused"]
    if refused:
        yield "- The gate refused these. Rotate each secret that was real:"
        yield from places(refused)
    secrets = [
        f"{each.label}: line {line}: {code}"
        for each in blocks
        if each.decision != "refused"
        for line, code in each.secrets
    ]
    if secrets:
        yield "- The gate finds secrets or personal data in these, which stay there:"
        yield from named(secrets)
    yield f"- Commit .agents/memory and {receipt.PATH} alone."
    claims = [target for target, text in drafts.items() if "\n- claimed: " in text]
    if claims:
        yield "- To confirm: the old memory claims more than `derived` for these:"
        yield from named(claims)
    quoted = [f"{target}:{line}" for target, line in quotations(drafts)]
    if quoted:
        yield "- To confirm: these lines quote somebody, with a date. Ask the user."
        yield from named(quoted)
    rules = [each for each in blocks if each.decision == "rule"]
    if rules:
        yield "- These look like rules. What always holds belongs into AGENTS.md:"
        yield from places(rules)
    feedback = [each for each in blocks if each.reason.endswith("rule or person?")]
    if feedback:
        yield "- Feedback: a fact, a rule for AGENTS.md, or about the person?"
        yield from places(feedback)
    people = [each for each in blocks if each.decision == "person"]
    if people:
        yield "- These are about a person. Their place is the host's own memory:"
        yield from places(people)
    open_blocks = [each for each in blocks if each.decision == "decide"]
    if open_blocks:
        where = f"{plan_file.FOLDER}/{plan_file.PLAN}"
        yield f"- {len(open_blocks)} decisions are open in {where}."
    kinds = {re.split("[~:]", each.label)[0] for each in blocks}
    for kind in sorted(kinds):
        yield f"- Then retire {kind}: {RETIRE.get(kind, USUAL)}"


def quotations(drafts: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the entries and lines that have a date and an opening quotation mark."""
    for target, text in sorted(drafts.items()):
        for number, line in enumerate(text.split("\n"), 1):
            if QUOTATION.search(line):
                yield target, number


def places(blocks: list[Block]) -> Iterator[str]:
    """Yield the file and lines of some blocks, never their text."""
    return named([f"{each.label} {receipt.lines_of(each)}" for each in blocks])


def named(names: list[str]) -> Iterator[str]:
    """Yield names, one a line, and how many more there are."""
    yield from (f"    {name}" for name in names[:MOST])
    if len(names) > MOST:
        yield f"    and {len(names) - MOST} more"
