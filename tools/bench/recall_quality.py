"""Measure whether recall finds the entry that answers a question.

The entries are the harmless ones of `tools/training/texts`, by five writers who knew
nothing of recall. The questions were written later by another, from the bodies alone,
without a look at title or cue. Half of them, the set "apart", were never used to choose
a number or a rule of recall. Compared are `grep -ril` for the same words, and BM25 over
the full text.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench_table import Line
from bpe_openai import get_encoding
from ecomem import recall, words
from ecomem.store import STORE, Store, scan

HERE = Path(__file__).parent
TEXTS = HERE.parent / "training" / "texts"
FIRST = 5  # an entry counts as found among so many
INDEXED = 40  # rows of an INDEX; the others are archived
SIZES = (130, 1000, 10_000)


class Known(NamedTuple):
    """An entry of the store: its path, the text of its row, and its whole text."""

    drawer: str
    slug: str
    title: str
    cue: str
    text: str

    @property
    def path(self) -> str:
        """The path of its file, from the project root."""
        return f"{STORE}/{self.drawer}/{self.slug}.md"


class Question(NamedTuple):
    """A question, the title of the entry that answers it, and its set."""

    text: str
    title: str
    kind: str


def written_entries() -> list[Known]:
    """The entries of the training texts that have a cue, one for each title."""
    found: dict[str, Known] = {}
    for path in sorted(TEXTS.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            entry = known(row["text"], len(found))
            wanted = row["expect"] == "clean" and path.name != "sentences.jsonl"
            if wanted and entry and entry.title.lower() not in found:
                found[entry.title.lower()] = entry
    return list(found.values())


def known(text: str, number: int) -> Known | None:
    """Read an entry. None if it has no title or cue, or is too short to ask about."""
    cue = re.search(r"(?m)^- cue: (.+)", text)
    if not text.startswith("# ") or not cue or len(text) < 150:
        return None
    title = text.partition("\n")[0][2:]
    name = re.sub("[^a-z0-9]+", "-", title.lower()) if title.isascii() else "note"
    drawer = "episodic" if "Lesson:" in text else "semantic"
    if "Steps:" in text:
        drawer = "procedural"
    return Known(drawer, f"{name[:40].strip('-')}-{number}", title, cue[1], text)


def filler(count: int) -> Iterator[Known]:
    """Entries about other things, of words that the written entries use too."""
    rng = random.Random(7)
    texts = [entry.text for entry in written_entries()]
    for number in range(count):
        parts = rng.choices(texts, k=3)
        tokens = [re.findall(r"\w+", part) for part in parts]
        body = " ".join(rng.choice(tokens[at % 3]) for at in range(40))
        cue = " ".join(rng.choice(tokens[at % 3]) for at in range(7))
        text = f"# Filler {number}\n\n- cue: {cue}\n\n{body}\n"
        yield Known("semantic", f"filler-{number}", f"Filler {number}", cue, text)


def questions() -> list[Question]:
    """The questions, those tuned on first."""
    lines = (HERE / "recall_questions.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Question(row["question"], row["title"], row["set"]) for row in rows]


def some_entries(count: int) -> list[Known]:
    """A store of count entries: with those that answer questions before others."""
    asked = {question.title for question in questions()}
    entries = written_entries()
    entries.sort(key=lambda entry: entry.title not in asked)
    return [*entries[:count], *filler(count - len(entries))]


def lay_down(root: Path, entries: Sequence[Known]) -> None:
    """Write a store with its catalogs."""
    for drawer, heading in (
        ("semantic", "## Catalog"),
        ("episodic", "## Catalog"),
        ("procedural", "## In force\n\n## Not yet a skill"),
        ("working", ""),
    ):
        folder = root / STORE / drawer
        folder.mkdir(parents=True)
        mine = [entry for entry in entries if entry.drawer == drawer]
        for entry in mine:
            (folder / f"{entry.slug}.md").write_text(entry.text, "utf-8")
        rows = [f"- [{entry.slug}]({entry.slug}.md): {entry.cue}\n" for entry in mine]
        for name, part in (("INDEX", rows[:INDEXED]), ("ARCHIVE", rows[INDEXED:])):
            page = f"# {name}\n\n{heading}\n\n{''.join(part)}"
            (folder / f"{name}.md").write_text(page, "utf-8")


def by_recall(store: Store, question: str) -> tuple[list[str], str]:
    """The paths that recall prints for a question, best first, and all it prints."""
    answer = recall.recall(store, words.query([question]))
    lines = [recall.line_of(match) for match in answer.matches]
    printed = "\n".join([*lines, *recall.count_lines(answer), ""])
    return [match.row.path for match in answer.matches], printed


def by_grep(root: Path, question: str) -> list[str]:
    """The entries that grep names for the words of a question, in its order."""
    found = [word.key for word in words.query([question])]
    patterns = [part for word in found for part in ("-e", word)]
    command = ["grep", "-rilF", "--exclude=INDEX.md", "--exclude=ARCHIVE.md", *patterns]
    done = subprocess.run([*command, STORE], cwd=root, capture_output=True, check=False)
    return done.stdout.decode().splitlines()


def shares_a_word(question: Question, entry: Known) -> bool:
    """Return true if a content word of a question is in title, cue or slug."""
    head = words.without_accents(f"{entry.title}\n{entry.cue}\n{entry.slug}")
    return any(words.has(head, word) for word in words.query([question.text]))


def share(found: Sequence[bool]) -> str:
    """A share in percent."""
    return f"{100 * sum(found) / max(len(found), 1):.1f}%"


def measure(work: Path) -> Iterator[Line]:
    """Yield how often each way finds the entry among its first five, and tokens."""
    for size in SIZES:
        entries = some_entries(size)
        root = work / str(size)
        lay_down(root, entries)
        yield from measure_store(root, entries)


def measure_store(root: Path, entries: Sequence[Known]) -> Iterator[Line]:
    """Yield the lines about one store."""
    from rank_bm25 import BM25Okapi

    encode = get_encoding("cl100k_base").encode
    bm25 = BM25Okapi([re.findall(r"\w+", entry.text.lower()) for entry in entries])
    by_title = {entry.title: at for at, entry in enumerate(entries)}
    asked = [item for item in questions() if item.title in by_title]
    store = scan(str(root))
    hits: dict[str, list[bool]] = {"recall": [], "bm25": [], "grep": []}
    tokens: list[int] = []
    for question in asked:
        at = by_title[question.title]
        paths, printed = by_recall(store, question.text)
        scores = bm25.get_scores(re.findall(r"\w+", question.text.lower()))
        best = sorted(range(len(entries)), key=lambda n: -scores[n])[:FIRST]
        hits["recall"].append(entries[at].path in paths[:FIRST])
        hits["bm25"].append(at in best)
        hits["grep"].append(entries[at].path in by_grep(root, question.text)[:FIRST])
        tokens.append(len(encode(printed)))
    shared = [shares_a_word(item, entries[by_title[item.title]]) for item in asked]
    for kind in ("apart", "later", "tuned"):
        mine = [at for at, item in enumerate(asked) if item.kind == kind]
        some = [at for at in mine if shared[at]]
        name = f"{len(entries):,} entries, {kind}"
        picked = {way: [all_of[at] for at in mine] for way, all_of in hits.items()}
        goal = share(picked["bm25"])
        yield Line(f"{name}: recall, of {len(mine)}", share(picked["recall"]), goal)
        yield Line("  BM25 over full text", goal)
        yield Line("  grep -ril", share(picked["grep"]))
        found = share([hits["recall"][at] for at in some])
        bound = ">=90%" if len(entries) == 1000 else "-"
        yield Line(f"  recall, sharing a word, of {len(some)}", found, bound)
        found = share([hits["bm25"][at] for at in some])
        yield Line(f"  BM25, sharing a word, of {len(some)}", found)
    mean = sum(tokens) / len(tokens)
    yield Line(f"{len(entries):,} entries: tokens an answer", f"{mean:.0f}")
    yield Line("  the longest answer", str(max(tokens)), "<=300")
