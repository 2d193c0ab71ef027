"""Apply a plan: judge every draft, write entries and receipt, print the proof."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from ecomem.store import STORE

from migrate import documents, plan_file, proof, receipt
from migrate.folders import load
from migrate.guidance import next_steps
from migrate.model import (
    WRITES,
    Block,
    Source,
    SourceFile,
    by_label,
    covered,
    fingerprint,
    written_lines,
)
from migrate.plan_file import BadPlan, Line
from migrate.planning import refused_lines, with_secrets
from migrate.project import Draft, Refused, changes, judge, remember
from migrate.text import has_home_path, is_clean

MAX_INDEX_ROWS = 30  # of 40: ten stay free for what is written next


def apply(
    project: Path, sources: Sequence[Source], partial: bool, dry_run: bool
) -> int:
    """Write what the plan decides. Returns the exit code; see migrate.py."""
    lines = plan_file.read(project)
    files = by_name(sources)
    blocks = checked(files, read_blocks(files, lines))
    open_lines = [line for line in lines if line.word == "decide"]
    if open_lines and not partial:
        number = len(open_lines)
        count = "1 decision is open" if number == 1 else f"{number} decisions are open"
        raise BadPlan(
            f"{plan_file.FOLDER}/{plan_file.PLAN}:{open_lines[0].number}: "
            f"{count}, here first; decide, or add --partial"
        )
    drafts = read_drafts(project, blocks)
    papers = documents.compose(files, blocks)
    wrong = [
        *unclean_words(lines),
        *problems(project, drafts),
        *documents.problems(project, papers, blocks, drafts),
    ]
    if wrong:
        print("\n".join(wrong))
        counted = "1 problem" if len(wrong) == 1 else f"{len(wrong)} problems"
        print(f"migrate: {counted} in the plan; nothing was written", file=sys.stderr)
        return 1
    if dry_run:
        passes = "1 draft passes" if len(drafts) == 1 else f"{len(drafts)} drafts pass"
        print(f"{passes}; nothing was written")
        return 0
    if drafts and foreign_changes(project, drafts):
        raise Refused(
            "git has changes below .agents; commit them first, so that you can go back"
        )
    documents.write(project, papers)
    return write_all(project, files, blocks, drafts)


def unclean_words(lines: list[Line]) -> list[str]:
    """Return which lines of the plan have words that no receipt may have."""
    return [
        f"{plan_file.FOLDER}/{plan_file.PLAN}:{line.number}: "
        "the gate refuses the words of this line"
        for line in lines
        if not is_clean(f"{line.target} {line.reason}")
    ]


def foreign_changes(project: Path, drafts: dict[str, str]) -> bool:
    """Return true if git has changes in the store that no interrupted run made."""
    ours = {receipt.PATH}
    for target, text in drafts.items():
        if is_written(project, as_draft(target, text)):
            folder = f"{STORE}/{target.partition('/')[0]}"
            ours |= {f"{folder}/INDEX.md", f"{folder}/ARCHIVE.md"}
            ours.add(f"{STORE}/{target}.md")
    return bool({*changes(project)} - ours)


def by_name(sources: Sequence[Source]) -> dict[str, SourceFile]:
    """Return the files of all sources by their labels; none has been read yet."""
    return {file.label: file for source in sources for file in source.files}


def read_blocks(files: dict[str, SourceFile], lines: list[Line]) -> list[Block]:
    """Return the lines of a plan as blocks of the source as it is now."""
    planned: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if line.label not in files:
            raise BadPlan(
                f"{where(line)}: this source is not here; give the same --from as for "
                "--plan"
            )
        planned[line.label].append(line)
    blocks: list[Block] = []
    for label, mine in planned.items():
        file = load(files[label])
        blocks += [as_block(line, file) for line in mine]
    return blocks


def checked(files: dict[str, SourceFile], blocks: list[Block]) -> list[Block]:
    """Return blocks with the secrets that stay in their lines of the source.

    Refuses a plan that leaves out a line of its files.
    """
    planned = by_label(blocks)
    found: list[Block] = []
    for label, unread in files.items():
        file = load(unread)
        mine = planned.get(label, [])
        missing = written_lines(file) - covered_by(mine)
        if missing:
            raise BadPlan(f"{label}: line {min(missing)} is in no line of the plan")
        hits = refused_lines(file)
        found += [with_secrets(each, hits) for each in mine]
    return found


def where(line: Line) -> str:
    """Return the place of a line in the plan."""
    return f"{plan_file.FOLDER}/{plan_file.PLAN}:{line.number}"


def as_block(line: Line, file: SourceFile) -> Block:
    """Return a line of the plan as a block of its file."""
    ranges = plan_file.parse_ranges(line.ranges)
    if any(not 0 < first <= last <= len(file.lines) for first, last in ranges):
        raise BadPlan(f"{where(line)}: the file has no such lines")
    if fingerprint(file, ranges) != line.sha:
        raise BadPlan(
            f"{where(line)}: these lines changed since the plan was written; run "
            "--plan again"
        )
    return Block(line.label, ranges, line.sha, line.word, line.target, line.reason)


def covered_by(blocks: list[Block]) -> set[int]:
    """Return the numbers of all lines that some blocks have."""
    return {at for each in blocks for at in covered(each.ranges)}


def read_drafts(project: Path, blocks: list[Block]) -> dict[str, str]:
    """Return the drafts that the plan writes, by drawer/slug."""
    drafts: dict[str, str] = {}
    for each in blocks:
        if each.decision in WRITES:
            text = plan_file.draft(project, each.target)
            if text is None:
                raise BadPlan(f"{plan_file.FOLDER}/drafts/{each.target}.md is missing")
            drafts[each.target] = text
    return drafts


def problems(project: Path, drafts: dict[str, str]) -> list[str]:
    """Return what is wrong with the drafts, one line each, without their text."""
    found = [
        f"{target}: it names a home folder"
        for target, text in drafts.items()
        if has_home_path(text)
    ]
    found += [
        f"{target}: it has no line `- origin: ...`; see the head of the plan"
        for target, text in drafts.items()
        if not origin_of(text)
    ]
    given = [as_draft(target, text) for target, text in drafts.items()]
    # What an interrupted run wrote already is not judged, and not written again.
    return found + judge(
        project, [draft for draft in given if not is_written(project, draft)]
    )


def as_draft(target: str, text: str) -> Draft:
    """Return a draft by its place in the store."""
    drawer, _, slug = target.partition("/")
    return Draft(drawer, slug, text)


def is_written(project: Path, draft: Draft) -> bool:
    """Return true if the store has this draft: the same origin under the same name."""
    path = project / STORE / f"{draft.target}.md"
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError):
        return False
    return origin_of(text) == origin_of(draft.text) != ""


def origin_of(text: str) -> str:
    """Return the origin that an entry names, else ""."""
    return next(
        (line for line in text.splitlines() if line.startswith("- origin:")), ""
    )


def write_all(
    project: Path,
    files: dict[str, SourceFile],
    blocks: list[Block],
    drafts: dict[str, str],
) -> int:
    """Write the entries, oldest first, then the receipt; print the proof."""
    ordered = sorted(drafts, key=lambda target: (day_of(drafts[target]), target))
    archived = beyond_index(project, ordered)
    for target in ordered:
        draft = as_draft(target, drafts[target])
        if is_written(project, draft):
            continue
        why = remember(project, draft, target in archived)
        if why:
            raise Refused(
                f"{target} was not written: {why}; run --apply again to go on"
            )
    settled = [each for each in blocks if each.decision != "decide"]
    receipt.add(project, settled)
    plan_file.settle(project)
    print_counts(project, files, blocks)
    entries = "1 entry is" if len(ordered) == 1 else f"{len(ordered)} entries are"
    print(f"{entries} in the store, {len(archived)} in ARCHIVE.")
    print("\n".join(next_steps(blocks, drafts)))
    return 0


def day_of(text: str) -> str:
    """Return the date that an entry carries."""
    for line in text.splitlines():
        key, _, value = line.removeprefix("- ").partition(": ")
        if key in ("as_of", "when"):
            return value.strip()
    return ""


def beyond_index(project: Path, ordered: list[str]) -> set[str]:
    """Return which entries go to ARCHIVE: the oldest that no INDEX has room for."""
    archived: set[str] = set()
    for drawer in {target.partition("/")[0] for target in ordered}:
        mine = [target for target in ordered if target.startswith(f"{drawer}/")]
        index = project / ".agents/memory" / drawer / "INDEX.md"
        rows = index.read_text("utf-8").count("\n- [") - in_contract(index)
        room = max(MAX_INDEX_ROWS - rows, 0)
        archived |= {*mine[: max(len(mine) - room, 0)]}
    return archived


def in_contract(index: Path) -> int:
    """Return how many list items with a link the contract of an INDEX has."""
    text = index.read_text("utf-8")
    return text.partition("<!-- eco-mem:contract:end -->")[0].count("\n- [")


def print_proof(project: Path, sources: Sequence[Source]) -> int:
    """Print where every line went, from the plan and the store as they are."""
    files = by_name(sources)
    blocks = read_blocks(files, plan_file.read(project))
    print_counts(project, files, blocks)
    return 0


def print_counts(
    project: Path, files: dict[str, SourceFile], blocks: list[Block]
) -> None:
    """Print the counts of a proof, then the lines that were reworded with a loss."""
    entries = proof.entries_of(project)
    texts = documents.read(project, blocks)
    result = proof.prove(files.values(), blocks, entries, texts)
    for word, count in sorted(result.counts.items()):
        print(f"{count:6} {word}")
    print(f"{result.total:6} lines that are not blank, in {len(files)} files")
    for loss in result.losses:
        print(
            f"{loss.label}:{loss.line}: reworded in {loss.target}, "
            f"without {loss.lost} of its numbers and names"
        )
