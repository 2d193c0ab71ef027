"""The gate on real documentation: the long descriptions of the packages installed here,
which nobody wrote with a gate in mind."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import distributions

from ecomem.gate.scanner import scan

SECTION = 38  # lines; an entry is about as long
SHARE = 0.005  # of the sections may be refused


def sections() -> Iterator[str]:
    """Cut descriptions at their headings and where one grows long, not in a fence."""
    for each in distributions():
        _, _, description = (each.read_text("METADATA") or "").partition("\n\n")
        kept: list[str] = []
        fenced = False
        for line in description.split("\n"):
            heading = line.startswith("#") and len(kept) > 7
            if not fenced and (heading or len(kept) >= SECTION):
                yield "\n".join(kept)
                kept = []
            kept.append(line)
            fenced ^= line.lstrip().startswith("```")
        yield "\n".join(kept)


def test_of_real_documentation_at_most_one_section_in_two_hundred_is_refused() -> None:
    texts = list(sections())
    refused = [
        text for text in texts if any(hit.level == "error" for hit in scan(text))
    ]
    assert len(texts) > 200
    assert len(refused) <= SHARE * len(texts), [text[:200] for text in refused]
