"""Learn how much each signal of an order weighs, and write weights.txt.

Run it with `nox -s learn -- FOLDER...`; the folders hold documentation in Markdown or
reST, the more the better, which stands for what is no order. What is one, and what
only looks so, stands in tools/training/texts; held-out.jsonl is never learned from.

A text is as much of an order as its most telling sentence, and which that is, is
learned along: first all sentences of a poisoned entry count, then the one that the
last round found most telling. Weights too small to matter are dropped, the others
learned again without them.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ecomem.gate import weights
from scipy.sparse import csr_matrix, vstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

TRAINING = Path(__file__).parent / "texts"
TARGET = Path(weights.__file__).with_name("weights.txt")
HEADING = """\
# What speaks for an order to the reader, where no recipe has it (J05).
#
# Learned, not written: `nox -s learn` of the template makes this file anew.
#
# [weights]   WEIGHT signal... A signal is the first seven letters of a word, a meaning
#             of phrases.txt, or two of these, one soon after the other (A>B). The
#             weights of a sentence are added up, and ^, which every sentence has; above
#             nothing, the sentence is an order.

[weights]
"""
# Kinds that other rules are for: what hides, and who seems to speak.
OTHERS = {"hidden_unicode", "obfuscated", "fake_role", "hidden_html"}
# Words of the corpus' own making: the domains it must use.
OURS = {"example", "invalid", "com", "org", "net"}
SECTION = 40  # lines of documentation, about as long as an entry
SECTIONS = 12000
RARE = 6  # texts that a signal must occur in
COMMON = 30  # sections of documentation that a word must occur in, to be no name
SLIGHT = 0.25  # the least weight that is kept
SHARE = 0.0015  # of the sections may be refused by the signals alone
ROUNDS = 4


class Text(NamedTuple):
    """A text for learning: whether it holds an order, and its sentences' signals."""

    poisoned: bool
    sentences: list[set[str]]


def read(text: str, poisoned: bool = False) -> Text:
    """Return a text as its sentences' signals."""
    found = [weights.signals(said) for _, said in weights.prose(text.lower())]
    return Text(poisoned, found or [set()])


def entries(paths: Iterable[Path]) -> Iterator[Text]:
    """Yield the labelled texts of JSON lines, but for kinds of other rules."""
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            if case["kind"] not in OTHERS:
                yield read(case["text"], case["expect"] == "injection")


def documentation(folders: Iterable[Path]) -> list[Text]:
    """Return sections of the documentation in folders, drawn at random."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".md", ".rst", ".txt") and path.is_file():
                lines = path.read_text("utf-8", "replace").split("\n")
                starts = range(0, len(lines), SECTION)
                found += ["\n".join(lines[at : at + SECTION]) for at in starts]
    random.Random(1).shuffle(found)
    return [read(text) for text in found[:SECTIONS]]


def learn(
    texts: list[Text], nothing: list[Text], known: set[str], strength: float
) -> dict[str, float]:
    """Return the weights of known signals."""
    columns = DictVectorizer()
    columns.fit([dict.fromkeys(sorted(known), 1)])

    def matrix(text: Text) -> csr_matrix:
        rows = [dict.fromkeys(found & known, 1) for found in text.sentences]
        return columns.transform(rows)

    plain = vstack([matrix(text) for text in nothing])
    read = [(text.poisoned, matrix(text)) for text in texts]
    model = None
    for _ in range(ROUNDS):
        parts, labels, shares = [plain], [0] * plain.shape[0], [0.5] * plain.shape[0]
        for poisoned, rows in read:
            count = rows.shape[0]
            if poisoned and model:
                rows, count = rows[int(model.decision_function(rows).argmax())], 1
            parts.append(rows)
            labels += [int(poisoned)] * count
            shares += [1 / count if poisoned else 1.0] * count
        model = LogisticRegression(C=strength, max_iter=300, solver="liblinear")
        model.fit(vstack(parts), labels, sample_weight=shares)
    assert model
    names = columns.feature_names_
    return dict(zip(names, model.coef_[0], strict=True))


def weigh(text: Text, weights: dict[str, float]) -> float:
    """Return the weight of the most telling sentence of a text."""
    return max(sum(weights.get(x, 0) for x in found) for found in text.sentences)


def main(folders: list[str]) -> None:
    """Learn from the training corpus and documentation, write the table, and report."""
    paths = sorted(TRAINING.glob("*.jsonl"))
    texts = list(entries(path for path in paths if path.stem != "held-out"))
    sections = documentation(map(Path, folders))
    checks, nothing = sections[:2000], sections[2000:]
    seen = Counter(x for text in texts for x in set().union(*text.sentences))
    common = Counter(x for text in nothing for x in set().union(*text.sentences))
    known = {
        signal
        for signal, count in seen.items()
        if count >= RARE and (signal[0].isupper() or common[signal] >= COMMON)
    } - OURS
    first = learn(texts, nothing, known, 0.3)
    known = {signal for signal, weight in first.items() if abs(weight) >= SLIGHT}
    weights = learn(texts, nothing, known, 1)
    weights = {signal: round(weight, 1) for signal, weight in weights.items()}
    scores = sorted(weigh(text, weights) for text in checks)
    bar = scores[int(len(scores) * (1 - SHARE))]
    lines: dict[float, list[str]] = {round(-bar, 1): ["^"]}
    for signal in sorted(weights):
        lines.setdefault(weights[signal], []).append(signal)
    lines.pop(0.0, None)
    rows = [f"{weight:+} {' '.join(lines[weight])}" for weight in sorted(lines)]
    TARGET.write_text(HEADING + "\n".join(rows) + "\n", "utf-8")
    held = list(entries([TRAINING / "held-out.jsonl"]))
    for poisoned in (True, False):
        over = [weigh(x, weights) > bar for x in held if x.poisoned == poisoned]
        print(f"held out, poisoned {poisoned}: {sum(over)} of {len(over)}")
    print(f"{len(weights)} weights, from {len(texts)} texts, {len(nothing)} sections")


if __name__ == "__main__":
    main(sys.argv[1:])
