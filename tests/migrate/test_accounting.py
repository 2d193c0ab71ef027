"""Every line that is not blank is in exactly one block, whatever the files hold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ecomem.entry import parse
from ecomem.store import Page
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from migrate import plan_file, planning, proof, receipt
from migrate.folders import decode
from migrate.model import Block, Source, SourceFile, covered, written_lines
from migrate.readers import READERS

EMPTY = planning.Store(frozenset(), frozenset(), frozenset())
LINES = st.sampled_from(
    [
        "",
        "  ",
        "---",
        "...",
        "# A heading of some words",
        "## Lessons",
        "name: one",
        "name: two",
        "description: when the queue stops",
        "type: reference",
        "type: user",
        "metadata:",
        "  type: feedback",
        "tags: [a, b]",
        "permalink: x",
        "x: y # z",
        'x: "unclosed',
        "services:",
        "  queue: rabbit",
        "    - 8081",
        "- a point",
        "* another",
        "1. first",
        "- [Title](one.md): a hook for it",
        "| a | b |",
        "|---|---|",
        "```",
        "~~~~",
        "**Why:** it is so",
        "**How to apply:** like that",
        "See [[one]] and mem:two",
        "<!-- eco-mem:begin -->",
        "<!-- eco-mem:end -->",
        "always do this",
        "\ttabbed",
        "\u2028",
        "\x0b",
        "한국어",
    ]
)
NAMES = (
    "MEMORY.md",
    "one.md",
    "memory/facts.yaml",
    "memory/lookup-index.md",
    "memory/2026-01-02.md",
    "memory/x-memory.md",
    "human/two.md",
    "decisionLog.md",
    "progress.md",
    "semantic/a-fact.md",
    "semantic/INDEX.md",
    "style.md",
)
TEXTS = st.lists(st.one_of(LINES, st.text(max_size=30)), max_size=60)


def source_of(kind: str, texts: dict[str, list[str]]) -> Source:
    """A source made of lines, as if read from a folder."""
    files = []
    for name, lines in texts.items():
        text, problem = decode("\n".join(lines).encode("utf-8", "replace"))
        rows = tuple(text.split("\n"))
        label = f"{kind}:{name}"
        files.append(
            SourceFile(label, name, Path(name), rows, problem, "2026-01-02", "git")
        )
    return Source(kind, Path("."), tuple(files))


def blocks_of(source: Source, read: planning.Read) -> list[Block]:
    """The blocks of all files of a source, for an empty store."""
    nothing = receipt.receipt_of(())
    allocated = planning.allocate(source, read, EMPTY)
    plans = planning.plan(source, read, allocated, EMPTY, nothing)
    return [each for _, blocks in plans for each in blocks]


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(READERS),
    st.dictionaries(st.sampled_from(NAMES), TEXTS, min_size=1, max_size=3),
)
def test_each_line_is_in_one_block_and_the_plan_says_so_when_read_again(
    reader: object, texts: dict[str, list[str]]
) -> None:
    kind, read = reader.KIND, reader.read  # type: ignore[attr-defined]
    source = source_of(kind, texts)
    blocks = blocks_of(source, read)
    for file in source.files:
        mine = [each for each in blocks if each.label == file.label]
        counts = Counter(line for each in mine for line in covered(each.ranges))
        wanted = written_lines(file)
        assert wanted <= {*counts}
        assert max((counts[line] for line in wanted), default=1) == 1
    for each in blocks:
        line = plan_file.read_line(1, each.label, plan_file.line_of(each).rstrip())
        assert as_read(line) == as_planned(each)
    total = sum(len(written_lines(file)) for file in source.files)
    settled = [each._replace(decision="left") for each in blocks]
    result = proof.prove(source.files, settled, {}, {})
    assert result.total == total == sum(result.counts.values())


def as_read(line: plan_file.Line) -> tuple[object, ...]:
    """The account of a block in the plan."""
    ranges = plan_file.parse_ranges(line.ranges)
    return line.word, line.target, ranges, line.sha


def as_planned(block: Block) -> tuple[object, ...]:
    """The kind of a block."""
    return block.decision, block.target, block.ranges, block.fingerprint


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(READERS), st.dictionaries(st.sampled_from(NAMES), TEXTS))
def test_a_draft_is_an_entry_that_claims_nothing(
    reader: object, texts: dict[str, list[str]]
) -> None:
    kind, read = reader.KIND, reader.read  # type: ignore[attr-defined]
    source = source_of(kind, texts)
    for each in blocks_of(source, read):
        if each.draft:
            drawer, _, slug = each.target.partition("/")
            entry = parse(Page(each.target, drawer, slug, each.draft))
            assert entry.fields["source"].value == "derived"
            assert entry.fields["origin"].value.startswith(each.label)
            assert not entry.evidence
