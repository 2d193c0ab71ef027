"""Measure what eco-mem costs, and print it as a table: `nox -s bench -- PART...`.

Speed is a ratio to an empty interpreter, or to plain reading, in one run. The numbers
of docs/measurements.md are from here.
"""

import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bench_table import Line, print_table
from bpe_openai import get_encoding
from gate_corpus import Case, cases, held_out
from sample_project import (
    PYTHON,
    SCRIPTS,
    STORE,
    TEMPLATE,
    calls,
    entry,
    forget,
    project,
)

READ_AND_SPLIT = """
import os
for drawer in ("semantic", "episodic", "procedural"):
    folder = ".agents/memory/" + drawer
    for name in os.listdir(folder):
        open(os.path.join(folder, name), encoding="utf-8").read().split("\\n")
"""


def best(command: list[str], folder: Path, times: int, told: bytes = b"") -> float:
    """Return the fewest CPU seconds of a command with some input, its children too."""
    taken = []
    for _ in range(times):
        start = cpu_of_children()
        subprocess.run(
            command, cwd=folder, input=told, capture_output=True, check=False
        )
        taken.append(cpu_of_children() - start)
    return min(taken)


def cpu_of_children() -> float:
    """Return the CPU seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def over_empty(
    command: list[str], folder: Path, told: bytes = b"", anew: bool = False
) -> str:
    """Return the time of a command as a multiple of an empty interpreter's.

    They take turns, so that what else the machine does is the same for both.
    """
    best(command, folder, 2, told)
    empty = [*PYTHON, "-c", "pass"]
    taken, nothing = [], []
    for _ in range(25):
        if anew:
            forget(folder)
        taken.append(best(command, folder, 1, told))
        nothing.append(best(empty, folder, 1))
    return f"{min(taken) / min(nothing):.1f}"


def families(folder: Path, unit: float) -> Iterator[Line]:
    """Yield what each family of rules takes of a run of verify, in units of seconds."""
    script = str(Path(__file__).parent / "rule_times.py")
    place = {**os.environ, "PYTHONPATH": str(folder / SCRIPTS)}
    least: dict[str, float] = {}
    for _ in range(5):
        printed = subprocess.check_output(
            [sys.executable, "-S", script], cwd=folder, env=place
        )
        for line in printed.decode().splitlines():
            family, seconds = line.split("\t")
            least[family] = min(float(seconds), least.get(family, 60))
    for family, least_time in least.items():
        yield Line(f"  of it {family}", f"{least_time / unit:.1f}", "-")


def speed(work: Path) -> Iterator[Line]:
    """Yield the ratios of start-up and of checking a store."""
    small, large = project(work / "130", 130), project(work / "10000", 10_000)
    verify = [*PYTHON, f"{SCRIPTS}/verify.py"]
    what = "verify, 130 entries / empty interpreter"
    yield Line(what, over_empty(verify, small), "7")
    yield Line("  every page judged anew", over_empty(verify, small, anew=True), "-")
    yield from families(small, best([*PYTHON, "-c", "pass"], work, 20))
    reading = best([*PYTHON, "-c", READ_AND_SPLIT], large, 4)
    best(verify, large, 1)
    ratio = best(verify, large, 4) / reading
    yield Line("verify, 10,000 entries / reading them", f"{ratio:.1f}", "5")
    forget(large)
    ratio = best(verify, large, 1) / reading
    yield Line("  every page judged anew", f"{ratio:.1f}", "-")
    yield from families(large, reading)
    ask = [*PYTHON, f"{SCRIPTS}/recall.py", "queue", "worker", "17"]
    best(verify, small, 1)  # which caches what the gate says of the rows
    yield Line("recall, 130 entries / empty interpreter", over_empty(ask, small), "3")
    best(verify, large, 1)
    ratio = best(ask, large, 4) / reading
    yield Line("recall, 10,000 entries / reading them", f"{ratio:.1f}", "2")
    remember = [*PYTHON, f"{SCRIPTS}/remember.py", "episodic", "new", "--dry-run"]
    text = entry("episodic", 1, random.Random(7), "when a shard is rebuilt by hand")
    what = "remember --dry-run / empty interpreter"
    yield Line(what, over_empty(remember, small, text.encode()), "5")
    os.environ["XDG_STATE_HOME"] = str(work / "state")  # where the guard makes notes
    hook = [*PYTHON, f"{SCRIPTS}/hook.py"]
    for about, told in calls(small).items():
        bound = "5" if about == "a write" else "2.5"
        what = f"hook, {about} / empty interpreter"
        yield Line(what, over_empty(hook, small, told), bound)
    copier = [sys.executable, "-m", "copier"]
    start = best([*copier, "--version"], work, 3)
    source = str(TEMPLATE.parent)
    copy = [*copier, "copy", "--trust", "--defaults", "-qr", "HEAD", source]
    laid = [best([*copy, str(work / f"copy-{at}")], work, 1) for at in range(2)]
    yield Line("copier copy / copier --version", f"{min(laid) / start:.1f}", "-")


def tokens(_: Path) -> Iterator[Line]:
    """Yield the tokens of what agents load, by a public tokenizer (cl100k_base)."""
    encode = get_encoding("cl100k_base").encode
    fresh = [path.read_text() for path in (TEMPLATE / STORE).glob("*/INDEX.md")]
    row = "- [queue-of-{0}](queue-of-{0}.md): when the queue of a worker grows"
    row += " though its consumers idle\n"
    rows = "".join(row.format(at) for at in range(40))
    full = [text + rows if "## " in text else text for text in fresh]
    skill = (TEMPLATE / ".agents/skills/eco-mem/SKILL.md").read_text()
    block = (TEMPLATE.parent / "extensions/agents_block.md").read_text()
    for what, texts, bound in (
        ("tokens, four fresh INDEX.md", fresh, "900"),
        ("tokens, four full INDEX.md (40 rows)", full, "4,500"),
        ("tokens, SKILL.md", [skill], "2,500"),
        ("tokens, AGENTS.md block", [block], "-"),
    ):
        yield Line(what, f"{sum(len(encode(text)) for text in texts):,}", bound)


def size(_: Path) -> Iterator[Line]:
    """Yield how much lands in a project: files, lines and kilobytes, by part."""
    scripts = TEMPLATE / SCRIPTS
    landed = [path for path in (TEMPLATE / ".agents").rglob("*") if path.is_file()]
    landed = [path for path in landed if "__pycache__" not in path.parts]
    guard = [
        path
        for path in landed
        if path.name in ("hook.py", "guard.md") or "guard" in path.parts
    ]
    gate = [path for path in landed if path.is_relative_to(scripts / "ecomem/gate")]
    base = [path for path in landed if path not in guard]
    for what, paths in (
        ("what lands", base),
        ("  of it the gate and its tables", gate),
        ("the guard, if chosen, adds", guard),
    ):
        contents = [path.read_bytes() for path in paths]
        lines = sum(content.count(b"\n") for content in contents)
        yield Line(f"{what}: files", f"{len(contents):,}", "-")
        yield Line(f"{what}: lines", f"{lines:,}", "-")
        yield Line(f"{what}: kB", f"{sum(map(len, contents)) / 1000:.0f}", "-")


def scanners() -> dict[str, list[str]]:
    """Return the command of each scanner: it is given a folder, and names its files."""
    scripts = Path(sys.executable).parent
    trufflehog3 = ["--no-history", "--format", "JSON", "."]
    return {
        "the gate": [sys.executable, str(Path(__file__).parent / "gate_refuses.py")],
        "detect-secrets": [str(scripts / "detect-secrets"), "scan", "--all-files"],
        "credsweeper": [str(scripts / "credsweeper"), "--path", "."],
        "trufflehog3": [str(scripts / "trufflehog3"), *trufflehog3],
    }


def gate(work: Path) -> Iterator[Line]:
    """Yield recall, false alarms and time of the gate and of other scanners."""
    corpus = cases()
    for number, case in enumerate(corpus):
        (work / f"case{number:04}.md").write_text(case.text)
    orders = [text for expect, text in held_out() if expect == "injection"]
    for number, text in enumerate(orders):
        (work / f"held{number:04}.md").write_text(text)
    bounds = {"secret": ">90%", "injection": ">75%", "clean": "<1%"}
    for name, command in scanners().items():
        start = time.perf_counter()
        place = {**os.environ, "PYTHONPATH": str(TEMPLATE / SCRIPTS)}
        run = subprocess.run(command, cwd=work, capture_output=True, env=place)
        taken = time.perf_counter() - start
        refused = set(re.findall(r"case(\d{4})\.md", run.stdout.decode()))
        for expected, bound in bounds.items():
            each = [f"{at:04}" for at, x in enumerate(corpus) if x.expect == expected]
            share = f"{100 * len(refused & {*each}) / len(each):.1f}%"
            yield Line(f"{name}: {expected} refused, of {len(each)}", share, bound)
        yield Line(f"{name}: seconds", f"{taken:.1f}", "-")
        if name == "the gate":
            yield from floors(corpus, refused)
            share = f"{100 * run.stdout.count(b'held') / len(orders):.1f}%"
            yield Line(f"  injections of another writer, of {len(orders)}", share, "-")


def floors(corpus: list[Case], refused: set[str]) -> Iterator[Line]:
    """Yield the recall of the kinds that have a bound of their own."""
    for what, kinds, bound in (
        (
            "token formats",
            "cloud forge payment ai registry jwt private_key conn_url",
            95,
        ),
        ("identity numbers", "id_number", 90),
        ("shapes", "password_prose env_assign auth_header cookie", 85),
        ("patients and transcripts", "patient transcript", 75),
        ("hidden characters", "hidden_unicode", 100),
    ):
        each = [f"{at:04}" for at, x in enumerate(corpus) if x.kind in kinds.split()]
        share = 100 * len(refused & {*each}) / len(each)
        limit = f">{bound}%" if bound < 100 else f"{bound}%"
        yield Line(f"  {what}, of {len(each)}", f"{share:.1f}%", limit)


def recall(work: Path) -> Iterable[Line]:
    """Yield how often recall, grep and BM25 find the entry that answers a question."""
    import recall_quality  # which needs a library that the other parts do without

    return recall_quality.measure(work)


def instructions(work: Path) -> Iterable[Line]:
    """Yield the instructions of the commands, as multiples of an empty interpreter."""
    import instruction_counts

    return instruction_counts.measure(work)


def migrate(work: Path) -> Iterable[Line]:
    """Yield what a migration costs."""
    import migrate_times

    return migrate_times.measure(work)


def fleet(work: Path) -> Iterable[Line]:
    """Yield what looking at many repositories costs, and updating one."""
    import fleet_times

    return fleet_times.measure(work)


def year(work: Path) -> Iterable[Line]:
    """Print a simulated year, which has a table of its own."""
    import simulated_year

    print(simulated_year.table(simulated_year.simulate(work, seed=20)))
    return ()


def package_releases(_: Path) -> Iterable[Line]:
    """Print what real releases of packages do to a memory, in a table of its own."""
    import releases

    releases.main()
    return ()


PARTS: dict[str, Callable[[Path], Iterable[Line]]] = {
    "speed": speed,
    "tokens": tokens,
    "size": size,
    "instructions": instructions,
    "gate": gate,
    "recall": recall,
    "migrate": migrate,
    "fleet": fleet,
    "year": year,
    "releases": package_releases,
}


def main(parts: list[str]) -> None:
    """Print the parts asked for; by default speed, tokens and size."""
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        sys.exit(f"bench: no part is called {unknown[0]}; there are {', '.join(PARTS)}")
    for part in parts or ["speed", "tokens", "size"]:
        with tempfile.TemporaryDirectory() as folder:
            lines = [*PARTS[part](Path(folder).resolve())]
            if lines:
                print_table(lines)


if __name__ == "__main__":
    main(sys.argv[1:])
