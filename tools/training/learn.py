"""Learn the weights of the gate's signals (weights.txt), or measure them on strangers.

    nox -s learn -- CLEAN... [--attacks FILE] [--leave-out]

CLEAN are folders of documentation in Markdown or reST, or JSON lines with a "text" (and
a "repo", by which they are divided): what is no order. FILE has JSON lines with "text",
"attack" and "set": orders by other writers. tools/training/texts has our own: entries,
and templates of orders and of notes; held-out.jsonl and the last fifth of the clean
repositories are never learned from, the threshold is set on the latter.

With --leave-out nothing is written: for each set of FILE the weights are learned from
the others, and from none of the texts that nearly repeat one of the set, and what share
of the set they find is printed.

The score of a text is that of its window of two sentences that is most like an order.
In the first round, all windows of an attack count. In each later round, only the window
counts that had the highest score in the round before. Of clean texts, the program draws
some windows, and adds those that the last round took for an order. Clean texts of
others are read as entries, with a title and a cue: entries are what the gate reads.
"""

from __future__ import annotations

import json
import random
import sys
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import meanings as readable
import numpy as np
from ecomem.gate import weights
from ecomem.gate.injection import untold
from ecomem.gate.phrases import plain
from ecomem.gate.scanner import scan
from ecomem.gate.text import bare
from scipy.sparse import csr_matrix, vstack
from sets import texts
from sklearn.linear_model import LogisticRegression

OURS = [*(f"entries-{number}" for number in range(1, 6)), "sentences", "sentences-2"]
TRAINING = Path(__file__).parent / "texts"
TARGET = Path(weights.__file__).with_name("weights.txt")
HEADING = """\
# What signals of an order to the reader weigh (J05). Learned, not written:
# `nox -s learn` of the template makes this file anew. weights.py says how it is packed.
#
# [weights]   signals, and the weight of each, 128 more than it is.
# [meanings]  signals, and the number of their meaning; pairs of these are signals too.
# [least]     the sum above which two neighbouring sentences are an order.

[weights]
"""
# Kinds of our own texts that other rules are for: what hides, and who seems to speak.
OTHERS = {"hidden_unicode", "obfuscated", "hidden_html"}
SILENT = {"END", "BANG"}  # meanings of what every sentence has
SECTION = 30  # lines of documentation, about as long as an entry
DRAWN = 15  # texts of each template
OWN, OTHER, TEMPLATE = 4.0, 2.0, 1.0  # how much an attack counts, by where it is from
SHARE = 0.003  # of the clean texts may be refused by the weights alone
KEPT = 5000  # signals in the table
RARE = 3  # attacks a signal must occur in, or
COMMON = 25  # clean texts
STRENGTH = 0.1
ROUNDS = 3
SCALE = 15  # a weight in the table for 1 that is learned
ALIKE = 0.6  # share of the word triples of the shorter of two near-duplicates

Bag = list[Any]  # a text: the numbers of the signals of each of its windows


class Texts(NamedTuple):
    """Texts to learn from, each with how much it counts, or to check with."""

    orders: list[tuple[float, Bag]]
    clean: list[Bag]
    check: list[Bag]


class Windows:
    """The windows of many texts, one below the other, as a matrix of their signals."""

    def __init__(self, bags: list[Bag]) -> None:
        sizes = [len(row) for each in bags for row in each]
        counts = np.maximum(sizes, weights.FEWEST)
        values = np.repeat((weights.USUAL / counts) ** 0.25, sizes)
        columns = np.concatenate([row for each in bags for row in each])
        shape = (len(sizes), weights.SPACE)
        self.rows = csr_matrix((values, columns, np.cumsum([0, *sizes])), shape)
        self.ends = np.cumsum([0, *map(len, bags)])

    def scores(self, coefficients: Any) -> Any:
        """The score of each text, that of its best window."""
        return np.maximum.reduceat(self.rows @ coefficients, self.ends[:-1])

    def best(self, coefficients: Any) -> Any:
        """The number of the best window of each text."""
        scores = self.rows @ coefficients
        bounds = zip(self.ends[:-1], self.ends[1:], strict=True)
        return np.array([a + int(np.argmax(scores[a:b])) for a, b in bounds])


def bag(text: str) -> Bag:
    """The windows of a text: of each two neighbouring sentences, the signals."""
    low = untold(weights.unreported(bare(text.lower())))
    found = [
        {signal for signal, *_ in weights.signals(said)}
        for _, said in weights.prose(low)
    ]
    pairs = [a | b for a, b in zip([set(), *found], found, strict=False)] or [set()]
    return [
        np.fromiter(sorted(pair), dtype=np.int32, count=len(pair)) for pair in pairs
    ]


def documentation(sources: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield repository and text of what is no order."""
    for source in map(Path, sources):
        if source.suffix == ".jsonl":
            for line in source.read_text("utf-8").splitlines():
                case = json.loads(line)
                yield case["repo"], as_entry(case["text"])
        for path in sorted(source.rglob("*")) if source.is_dir() else ():
            if path.suffix in (".md", ".rst", ".txt") and path.is_file():
                lines = path.read_text("utf-8", "replace").split("\n")
                for at in range(0, len(lines), SECTION):
                    yield source.name, as_entry("\n".join(lines[at : at + SECTION]))


def as_entry(text: str) -> str:
    """A piece of documentation as an entry with its heading for title and cue."""
    if not text.startswith("#"):
        text = f"# Note\n{text}"
    heading, _, body = text.partition("\n")
    title = heading.lstrip("# ")
    return f"# {title}\n\n- cue: {title}\n- as_of: 2026-01-01\n\n{body}\n"


def own(name: str) -> Iterator[tuple[bool, str]]:
    """Yield the entries of a file of ours: whether it holds an order, and the text."""
    for line in (TRAINING / f"{name}.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["kind"] not in OTHERS and case["expect"] in ("injection", "clean"):
            yield case["expect"] == "injection", case["text"]


def fit(texts: Texts, known: Any, rounds: int, first: Any = None) -> Any:
    """Learn the coefficients of known signals (an array of 0 and 1)."""
    dice = random.Random(1)
    orders = Windows([each for _, each in texts.orders])
    clean = Windows(texts.clean)
    shares = np.array([share for share, _ in texts.orders])
    sizes = np.diff(orders.ends)
    bounds = zip(clean.ends[:-1], clean.ends[1:], strict=True)
    easy = np.array([dice.randrange(a, b) for a, b in bounds for _ in range(2)])
    columns = np.nonzero(known)[0]
    coefficients = first
    negative = easy
    for _ in range(rounds):
        if coefficients is None:
            positive, counts = np.arange(len(sizes.repeat(sizes))), shares / sizes
            counts = counts.repeat(sizes)
        else:
            positive, counts = orders.best(coefficients), shares
            worst = np.argsort(-clean.scores(coefficients))[: len(texts.clean) // 2]
            negative = np.r_[easy, clean.best(coefficients)[worst]]
        rows = vstack([orders.rows[positive], clean.rows[negative]]).tocsr()[:, columns]
        labels = np.r_[np.ones(len(positive)), np.zeros(len(negative))]
        model = LogisticRegression(
            C=STRENGTH, solver="liblinear", max_iter=60, tol=1e-3
        )
        model.fit(rows, labels, sample_weight=np.r_[counts, np.ones(len(negative))])
        coefficients = np.zeros(weights.SPACE)
        coefficients[columns] = model.coef_[0]
    return coefficients


def learn(texts: Texts) -> tuple[Any, int]:
    """Learn weights in whole numbers, at most KEPT, and the least score of an order."""
    seen = texts_with([each for _, each in texts.orders])
    common = texts_with(texts.clean)
    known = (seen >= RARE) | (common >= COMMON)
    coefficients = fit(texts, known, ROUNDS)
    worth = np.abs(coefficients) * np.sqrt(np.minimum(seen + common, 50))
    kept = np.zeros(weights.SPACE)
    kept[np.argsort(-worth)[:KEPT]] = 1
    coefficients = fit(texts, kept, 1, coefficients * kept)
    table = np.clip(np.round(coefficients * SCALE), -128, 127)
    scores = np.sort(Windows(texts.check).scores(table))
    return table, int(np.ceil(scores[int(len(scores) * (1 - SHARE))]))


def texts_with(bags: list[Bag]) -> Any:
    """In how many of some texts each signal occurs."""
    every = np.concatenate([np.unique(np.concatenate(each)) for each in bags])
    return np.bincount(every, minlength=weights.SPACE)


def packed(pairs: Iterable[tuple[int, int]]) -> str:
    """Pairs of signal and value, as weights.unpacked() reads them."""
    rows = sorted(pairs)
    data = bytearray(len(rows).to_bytes(4, "big"))
    data += bytes(value for _, value in rows)
    last = 0
    for signal, _ in rows:
        more, last = signal - last, signal
        while more > 127:
            data.append(more & 127 | 128)
            more >>= 7
        data.append(more)
    text = b64encode(zlib.compress(bytes(data), 9)).decode()
    return "\n".join(text[at : at + 88] for at in range(0, len(text), 88))


def meanings() -> Iterator[tuple[int, int]]:
    """Yield signal and number of the meanings of texts/meanings.txt."""
    for number, (name, items) in enumerate(readable.meanings().items()):
        for item in () if name in SILENT else items:
            row = weights.words(plain(item.rstrip("*").replace("_", " ")))
            first = weights.hashed(row[0]) if row else 0
            if len(row) == 1:
                yield first % weights.SPACE, number
            elif row:
                yield (first * 5 ^ weights.hashed(row[1])) % weights.SPACE, number


def write(learned: Any, least: int) -> None:
    """Write the table."""
    found = [(int(at), int(learned[at]) + 128) for at in np.nonzero(learned)[0]]
    parts = [
        packed(found),
        "\n[meanings]",
        packed(set(meanings())),
        "\n[least]",
        str(least),
    ]
    TARGET.write_text(HEADING + "\n".join(parts) + "\n", "utf-8")


def triples(text: str) -> set[str]:
    """The runs of three words of a text, by which near-duplicates are found."""
    row = [*weights.words(text.lower())]
    return {" ".join(row[at : at + 3]) for at in range(max(len(row) - 2, 1))}


def repeats(one: set[str], other: set[str]) -> bool:
    """True for the triples of two texts that are nearly the same."""
    return len(one & other) > ALIKE * min(len(one), len(other))


def gather(sources: list[str]) -> Texts:
    """Read our own texts and the clean ones; every fifth repository is for checking."""
    orders: list[tuple[float, Bag]] = []
    clean: list[Bag] = []
    check: list[Bag] = []
    for name in OURS:
        for order, text in own(name):
            if order:
                orders.append((OWN, bag(text)))
            else:
                clean.append(bag(text))
    orders += [(TEMPLATE, bag(text)) for _, text in texts("orders.txt", DRAWN)]
    clean += [bag(text) for _, text in texts("notes.txt", DRAWN)]
    for path in sorted((TRAINING.parents[2] / "template").rglob("*.md")):
        clean.append(bag(path.read_text("utf-8")))  # what we lay down must pass
    for repository, text in documentation(sources):
        checks = zlib.crc32(repository.encode()) % 5 == 0
        (check if checks else clean).append(bag(text))
    return Texts(orders, clean, check)


def found_by_rules(text: str) -> bool:
    """True for a text that the gate refuses for an order without the weights."""
    table = weights.learned()
    weights.learned = lambda: table._replace(least=1 << 30)  # type: ignore[assignment]
    try:
        hits = scan(f"# Note\n\n{text}\n")
    finally:
        weights.learned = lambda: table  # type: ignore[assignment]
    return any(hit.level == "error" and hit.code[0] == "J" for hit in hits)


def leave_out(found: Texts, attacks: list[dict[str, Any]]) -> None:
    """Print what share of each set of attacks is found, learned from the others."""
    attacks = [case for case in attacks if case["attack"]]
    marks = [triples(case["text"]) for case in attacks]
    bags = [bag(case["text"]) for case in attacks]
    rules = [found_by_rules(case["text"]) for case in attacks]
    shares = []
    for name in sorted({case["set"] for case in attacks}):
        inside = [at for at, case in enumerate(attacks) if case["set"] == name]
        others = [
            (OTHER, bags[at])
            for at, case in enumerate(attacks)
            if case["set"] != name
            and not any(repeats(marks[at], marks[each]) for each in inside)
        ]
        learned, least = learn(found._replace(orders=found.orders + others))
        by_weights = Windows([bags[at] for at in inside]).scores(learned) > least
        either = by_weights | np.array([rules[at] for at in inside])
        shares.append(either.mean())
        numbers = f"{by_weights.sum():4} by weights, {either.sum():4} in all"
        print(f"{name:34}{numbers} of {len(inside)}", flush=True)
    print(f"mean of {len(shares)} sets: {np.mean(shares):.1%}")


def main(arguments: list[str]) -> None:
    """Learn and write the table, or measure by leaving sets out."""
    attacks = []
    if "--attacks" in arguments:
        at = arguments.index("--attacks")
        lines = Path(arguments[at + 1]).read_text("utf-8").splitlines()
        attacks = [json.loads(line) for line in lines]
        del arguments[at : at + 2]
    only = "--leave-out" in arguments
    found = gather([word for word in arguments if word != "--leave-out"])
    if only:  # a third is enough to compare, and takes a third of the time
        found = found._replace(clean=found.clean[::3])
    clean = [bag(case["text"]) for case in attacks if not case["attack"]]
    found = found._replace(clean=found.clean + clean)
    print(f"{len(found.orders)} {len(found.clean)} {len(found.check)}", flush=True)
    if only:
        leave_out(found, attacks)
        return
    more = [(OTHER, bag(case["text"])) for case in attacks if case["attack"]]
    learned, least = learn(found._replace(orders=found.orders + more))
    write(learned, least)
    print(f"{np.count_nonzero(learned)} weights, least {least}")


if __name__ == "__main__":
    main(sys.argv[1:])
