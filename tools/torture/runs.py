"""Steps of the template: its runs, whole or cut short, on a branch or not."""

from __future__ import annotations

import random
import resource
import sys

import copier_project
import eco_mem
from copier_project import SKILL, git

from torture import gitwork, people
from torture.releases import VERSIONS
from torture.world import MARKDOWN, SEEDED, TOML, YAML, Broken, Setting, World

HOST_SETS = (
    ("claude",),
    ("codex",),
    ("claude", "codex", "cursor"),
    ("claude", "gemini"),
    ("gemini", "copilot"),
    ("claude", "copilot", "opencode"),
    ("kiro", "junie"),
    ("agents",),
    copier_project.ALL_HOSTS,
)
LIVED_IN: dict[str, str] = {
    "AGENTS.md": "# House\n\nRules of mine.\n",
    "CLAUDE.md": "# Claude\n\nMore of mine.\n",
    ".claude/settings.json": '{\n  "permissions": {\n    "deny": ["Read(x)"]\n  }\n}\n',
    ".codex/config.toml": 'model = "x"\n',
    "src/app.py": "print()\n",
}
FILES: tuple[dict[str, str], ...] = (
    {},
    LIVED_IN,
    {name: text.replace("\n", "\r\n") for name, text in LIVED_IN.items()},
    {name: text.rstrip("\n") for name, text in LIVED_IN.items()},
    {"CLAUDE.md": "# Mine\n\n@AGENTS.md\n", "GEMINI.md": "# Mine\n\nText of mine.\n"},
)
IGNORED = ("", "", "", "*.json\n", ".claude/\n", ".agents/skills/\n")
LINKS: tuple[dict[str, str], ...] = (
    {"CLAUDE.md": "AGENTS.md"},
    {"AGENTS.md": "CLAUDE.md"},
    {"GEMINI.md": "AGENTS.md"},
    {".claude/skills": "../.agents/skills"},
)
CHECKS = ((), (), ("github", "pre-commit"), ("github-update", "gitlab"))
HOOKS = "repos:\n  - repo: local\n    hooks:\n      - id: mine\n"


def setting(rng: random.Random) -> Setting:
    """Return how a history begins."""
    links = rng.choice((*LINKS, {}, {}, {}, {}))
    files = {**rng.choice(FILES), ".pre-commit-config.yaml": HOOKS}
    if ".claude/skills" in links:
        files[".agents/skills/mine/SKILL.md"] = "# Mine\n"
    return Setting(
        version=rng.choice(VERSIONS[:2]),
        hosts=rng.choice(HOST_SETS),
        guard=rng.random() < 0.4,
        folder=rng.choice(("", "", "packages/one")),
        answers=rng.choice((eco_mem.USUAL_ANSWERS,) * 3 + (eco_mem.OWN_ANSWERS,)),
        ignored=rng.choice(IGNORED),
        files={path: text for path, text in files.items() if path not in links},
        links=links,
        autocrlf=rng.choice(("", "", "", "true", "input")),
        checks=rng.choice(CHECKS),
    )


def update(world: World, rng: random.Random) -> None:
    """Update to this version or a later one, at times with other answers."""
    later = VERSIONS[VERSIONS.index(world.version) :]
    world.version = rng.choice(later)
    _change_answers(world, rng, 0.3)
    world.run("update")


def change_answers(world: World, rng: random.Random) -> None:
    """Update to the same version with other hosts, or with or without the guard."""
    _change_answers(world, rng, 1)
    world.run("update")


def _change_answers(world: World, rng: random.Random, chance: float) -> None:
    if rng.random() < chance:
        hosts = rng.choice(HOST_SETS)
        world.hosts = tuple(one for one in copier_project.ALL_HOSTS if one in hosts)
    if rng.random() < chance / 2:
        world.guard = not world.guard
    if rng.random() < chance / 3:
        world.checks = rng.choice(CHECKS)


def update_again(world: World, _: random.Random) -> None:
    """Update twice to one version: the second one has nothing to change."""
    world.run("update")
    before = world.tree()
    world.run("update")
    after = world.tree()
    changed = [
        path for path in {*before, *after} if before.get(path) != after.get(path)
    ]
    if changed:
        raise Broken(f"a second update changed {changed}")


def recopy(world: World, _: random.Random) -> None:
    """Copy the present version again, over what is there."""
    world.run("recopy")
    world.touched -= {path for path in world.touched if path.startswith(SKILL)}


def remove_and_copy(world: World, rng: random.Random) -> None:
    """Take everything out, perhaps with a later version, and copy again."""
    world.commit()
    entries = world.memory()
    script = world.template / "tasks/weave.py"
    words = (sys.executable, script, "--remove", world.root)
    world.say("weave.py --remove")
    copier_project.fine(copier_project.run(*words, cwd=world.root))
    left = [path for path in world.tree() if path.startswith(f"{SKILL}/")]
    if left:
        raise Broken(f"a removal left {left}")
    if world.memory() != entries:
        raise Broken("a removal changed entries")
    world.commit()
    later = VERSIONS[VERSIONS.index(world.version) :]
    world.version = rng.choice(later)
    world.touched |= {*MARKDOWN, TOML, YAML}  # an edited block stays when we go
    world.touched |= {path for path in world.tree() if path.endswith(".json")}
    world.run("copy")


def update_on_a_branch(world: World, rng: random.Random) -> None:
    """Update on a branch while memory is written on main, and merge the two."""
    world.commit()
    main, branch = world.answered(), f"update-{world.serial}"
    git(world.repository, "checkout", "-q", "-b", branch)
    update(world, rng)
    updated = world.answered()
    git(world.repository, "checkout", "-q", "main")
    world.answer(main)
    world.serial += 1
    people.write_entry(world, rng)
    world.commit()
    gitwork.merge(world, rng, branch)
    world.answer(updated)
    world.settle_catalogs()


def two_updates(world: World, rng: random.Random) -> None:
    """Update to two versions on two branches, merge them, and update once more."""
    if ".agents" in world.setting.ignored:
        return  # git leaves ignored files where they are when it changes branches
    world.commit()
    main, branch = world.answered(), f"newest-{world.serial}"
    world.serial += 1
    git(world.repository, "checkout", "-q", "-b", branch)
    world.version = VERSIONS[-1]
    world.run("update")
    updated, newest = world.answered(), {*world.tree()}
    git(world.repository, "checkout", "-q", "main")
    world.answer(main)
    update(world, rng)
    gitwork.merge(world, rng, branch)
    world.answer(updated)
    world.settle_catalogs()
    # What one branch changed or took out is as the merge left it, and stays so.
    world.touched |= {*MARKDOWN, *newest, *world.tree()} - {*SEEDED}
    world.run("update")


def update_on_a_full_disk(world: World, rng: random.Random) -> None:
    """Cut an update short, as a full disk does, take it back, and make it anew."""
    world.commit()
    memory, lines = world.memory(), world.lines_of_mine()
    size = rng.choice((200, 1000, 3000, 9000))
    words = ["update", "--trust", "-q", "--defaults", "--vcs-ref", VERSIONS[-1]]
    world.say("no file grows beyond", size, "copier", *words)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, unlimited[1]))
    try:
        copier_project.copier(*words, *world.options(), cwd=world.root)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    world.runs += 1
    world.check_store(memory, lines)
    # The signal of a file that is too large kills git, which leaves its lock.
    for lock in (world.repository / ".git").glob("*.lock"):
        lock.unlink()
    git(world.repository, "reset", "-q", "--hard")
    git(world.repository, "clean", "-fdq")
    world.check_store(memory, lines)
