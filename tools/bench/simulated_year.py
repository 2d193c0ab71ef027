"""A year of a store beside a repository that changes underneath it.

The model below decides what changes, so it knows what is true. The installed commands
only report what they see. The two share nothing but the files on disk.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from run_commands import command
from store_project import Project, lay_down

MONTHS = 12
BROKEN = {"R03", "R05"}


class Month(NamedTuple):
    """One month's end: wrong facts in percent, and what was missed or named wrongly."""

    facts: int
    wrong_kept: float
    wrong_reaped: float
    missed: list[str]
    false_alarms: list[str]


@dataclass
class World:
    """A repository of settings files, as the model knows it: file to key to value."""

    rng: random.Random
    files: dict[str, dict[str, int]] = field(default_factory=dict)
    style: dict[str, tuple[str, int]] = field(default_factory=dict)
    made: int = 0

    def add_file(self) -> None:
        """Make a file with a few settings."""
        self.made += 1
        name = f"src/part_{self.made}.py"
        keys = [f"limit_{self.made}_{at}" for at in range(6)]
        self.files[name] = {key: self.rng.randrange(10, 10_000) for key in keys}
        self.style[name] = ("", 1)

    def pick(self, count: int) -> list[str]:
        """Choose some files."""
        return self.rng.sample(sorted(self.files), min(count, len(self.files)))

    def live(self) -> None:
        """Let a month pass: new, changed, reformatted, renamed and deleted files."""
        self.add_file()
        for name in self.pick(2):
            key = self.rng.choice(sorted(self.files[name]))
            self.files[name][key] += self.rng.randrange(1, 9)
        for name in self.pick(3):
            indent, above = self.style[name]
            self.style[name] = ("\t" if indent != "\t" else "    ", above)
        for name in self.pick(2):
            indent, above = self.style[name]
            self.style[name] = (indent, above + self.rng.randrange(1, 4))
        for name in self.pick(1):
            self.made += 1
            new = f"src/moved/part_{self.made}.py"
            self.files[new], self.style[new] = (
                self.files.pop(name),
                self.style.pop(name),
            )
        if self.rng.random() < 0.5:
            for name in self.pick(1):
                del self.files[name], self.style[name]

    def lines(self, name: str) -> list[str]:
        """Return a file's text, line by line."""
        indent, above = self.style[name]
        head = [f"# {name.rpartition('_')[2]}, note {at}" for at in range(above)]
        return head + [f"{indent}{key} = {v}" for key, v in self.files[name].items()]

    def write(self, project: Project) -> None:
        """Put the files on disk, and commit."""
        for path in project.root.glob("src/**/*.py"):
            if str(path.relative_to(project.root)) not in self.files:
                path.unlink()
        for name in self.files:
            project.write(name, "\n".join(self.lines(name)) + "\n")
        project.commit("a month of work")

    def find(self, key: str) -> tuple[str, int, int] | None:
        """Return the place of a setting: file, line, value."""
        for name, settings in self.files.items():
            if key in settings:
                at = self.style[name][1] + list(settings).index(key) + 1
                return name, at, settings[key]
        return None


def remember(project: Project, world: World, key: str) -> int | None:
    """Store what is true of a setting; return its value, None where it is gone."""
    place = world.find(key)
    if not place:
        slug = key.replace("_", "-")
        done = command(project, "forget", slug, "--discard")
        assert done.code == 0, done.err
        return None
    name, line, value = place
    text = (
        f"# The value of {key}\n\n- cue: when a change touches the setting {key}\n"
        f"- source: verified\n- scope: src\n- expires: never\n"
        f"- evidence: `{name}#L{line}`\n\nIt is {value}; tell operations first.\n"
    )
    slug = key.replace("_", "-")
    done = command(project, "remember", "semantic", slug, given=text)
    assert done.code == 0, done.out
    return value


def simulate(folder: Path, seed: int) -> list[Month]:
    """Live a year; return what each month's end looked like."""
    world = World(random.Random(seed))
    project = lay_down(folder)
    for _ in range(6):
        world.add_file()
    world.write(project)
    kept: dict[str, int] = {}
    reaped: dict[str, int] = {}
    places: dict[str, tuple[str, int] | None] = {}
    months = []
    for _ in range(MONTHS):
        known = sorted(set(reaped) | set(kept))
        fresh = [k for name in sorted(world.files) for k in world.files[name]]
        for key in [key for key in fresh if key not in known][:3]:
            value = remember(project, world, key)
            assert value is not None
            kept[key] = reaped[key] = value
        project.commit("memory")
        places = {key: (world.find(key) or ("", 0, 0))[:2] for key in reaped}
        world.live()
        world.write(project)
        due = {item.path: item.code for item in command(project, "forget").told}
        named = {
            path.rpartition("/")[2][:-3].replace("-", "_"): code
            for path, code in due.items()
        }
        wrong = {key for key, value in reaped.items() if truth(world, key) != value}
        broken = {key for key, code in named.items() if code in BROKEN}
        still = {
            key
            for key in reaped
            if key not in wrong and (world.find(key) or ("", 0, 0))[:2] == places[key]
        }
        missed = sorted(wrong - broken)
        alarms = sorted((broken - wrong) | (still & set(named)))
        for key in sorted(named):
            value = remember(project, world, key)
            if value is None:
                del reaped[key]
            else:
                reaped[key] = value
        project.commit("reaped")
        months.append(
            Month(
                len(kept),
                share(world, kept),
                share(world, reaped),
                missed,
                alarms,
            )
        )
    return months


def truth(world: World, key: str) -> int | None:
    """Return the value of a setting now, None where there is none."""
    place = world.find(key)
    return place[2] if place else None


def share(world: World, facts: dict[str, int]) -> float:
    """Return the wrong facts in percent."""
    wrong = [key for key, value in facts.items() if truth(world, key) != value]
    return 100 * len(wrong) / max(1, len(facts))


def table(months: list[Month]) -> str:
    """Return the year as a table."""
    rows = ["month  facts  wrong, never reaped  wrong, reaped monthly"]
    for number, month in enumerate(months, 1):
        rows.append(
            f"{number:>5}  {month.facts:>5}  {month.wrong_kept:>18.0f}%"
            f"  {month.wrong_reaped:>20.0f}%"
        )
    return "\n".join(rows)
