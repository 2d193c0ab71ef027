"""The steps that a history is made of: runs of the template, and the work of people."""

from __future__ import annotations

import json
import random
import re
import sys
import textwrap
from collections.abc import Callable

import copier_project
import eco_mem
from copier_project import DRAWERS, SKILL, STORE, git, tree

from torture.releases import VERSIONS
from torture.world import BLOCK, MARKDOWN, SEEDED, TOML, Broken, Setting, World

DURABLE = DRAWERS[1:]
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
ENTRY = (
    "# {slug}\n\n- cue: when {slug} matters\n- source: derived\n\nText {number}.  \n"
)


def setting(rng: random.Random) -> Setting:
    """Return how a history begins."""
    return Setting(
        version=rng.choice(VERSIONS[:2]),
        hosts=rng.choice(HOST_SETS),
        guard=rng.random() < 0.4,
        folder=rng.choice(("", "", "packages/one")),
        answers=rng.choice((eco_mem.USUAL_ANSWERS,) * 3 + (eco_mem.OWN_ANSWERS,)),
        ignored=rng.choice(IGNORED),
        files=rng.choice(FILES),
    )


# Runs of the template.


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


def update_again(world: World, _: random.Random) -> None:
    """Update twice to one version: the second one has nothing to change."""
    world.run("update")
    before = tree(world.root)
    world.run("update")
    after = tree(world.root)
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
    entries = _entries(world)
    script = world.template / "tasks/weave.py"
    words = (sys.executable, script, "--remove", world.root)
    world.say("weave.py --remove")
    copier_project.fine(copier_project.run(*words, cwd=world.root))
    left = [path for path in tree(world.root) if path.startswith(f"{SKILL}/")]
    if left:
        raise Broken(f"a removal left {left}")
    if _entries(world) != entries:
        raise Broken("a removal changed entries")
    world.commit()
    later = VERSIONS[VERSIONS.index(world.version) :]
    world.version = rng.choice(later)
    world.touched |= {*MARKDOWN, TOML}  # an edited block stays when we go
    world.touched |= {path for path in tree(world.root) if path.endswith(".json")}
    world.run("copy")


def _entries(world: World) -> dict[str, bytes]:
    """Return the entries and desks of a project."""
    return {
        path: content
        for path, content in tree(world.root).items()
        if path.startswith(f"{STORE}/") and path.endswith(".md") and path not in SEEDED
    }


# The work of people and agents.


def write_entry(world: World, rng: random.Random) -> None:
    """Write an entry and its row by hand, in line endings of any kind."""
    world.serial += 1
    drawer, slug = rng.choice(DURABLE), f"fact-{world.serial}"
    text = ENTRY.format(slug=slug, number=rng.randrange(10**6))
    text = rng.choice((text, text.replace("\n", "\r\n"), text.rstrip("\n")))
    world.say("write", drawer, slug)
    copier_project.write(world.root, {f"{STORE}/{drawer}/{slug}.md": text})
    index = world.root / STORE / drawer / "INDEX.md"
    if index.exists():
        row = f"- [{slug}]({slug}.md): when {slug} matters\n"
        index.write_bytes(index.read_bytes().rstrip(b"\r\n") + b"\n" + row.encode())
    world.commit()


def write_desk(world: World, rng: random.Random) -> None:
    """Write a desk, which git ignores."""
    world.say("write a desk")
    desk = f"{STORE}/working/task-{rng.randrange(3)}.md"
    copier_project.write(world.root, {desk: f"# Task\n\nHalf {rng.random()}.\n"})


def edit_index(world: World, rng: random.Random) -> None:
    """Edit an INDEX: above, inside and below the contract, or delete it."""
    path = rng.choice(SEEDED)
    place = world.root / path
    if not place.exists():
        return
    text = copier_project.text(place)
    end = "<!-- eco-mem:contract:end -->"
    number = rng.randrange(99)
    edits: dict[str, Callable[[str], str]] = {
        "note below": lambda t: f"{t}\nA note of mine {number}.\n",
        "title": lambda t: t.replace("# ", "# Mine ", 1),
        "row inside": lambda t: t.replace(end, f"- [x](x.md): of mine {number}\n{end}"),
        "moved end": lambda t: (
            t.replace(f"{end}\n", "") + f"\nMoved, of mine\n\n{end}\n"
        ),
        "formatted": lambda t: wrap(t),
        "markers": lambda t: re.sub(
            r"<!-- eco-mem:contract:(begin[^\n]*|end -->)", "", t
        ),
        "CRLF": lambda t: t.replace("\r\n", "\n").replace("\n", "\r\n"),
        "deleted": lambda t: "",
    }
    how = rng.choice([*edits])
    world.say("edit", path, how)
    if how == "deleted":
        place.unlink()
    else:
        copier_project.write(world.root, {path: edits[how](text)})
    if how in ("row inside", "moved end", "markers"):
        world.touched.add(path)
    world.commit()


def edit_markdown(world: World, rng: random.Random) -> None:
    """Edit a Markdown file that we share, around our block or inside it."""
    there = [path for path in MARKDOWN if (world.root / path).is_file()]
    if not there:
        return
    path = rng.choice(there)
    text = copier_project.text(world.root / path)
    number = rng.randrange(99)
    edits: dict[str, Callable[[str], str]] = {
        "above": lambda t: f"Above {number}.\n\n{t}",
        "below": lambda t: f"{t}\nBelow {number}.\n",
        "no final newline": lambda t: t.rstrip("\r\n"),
        "formatted": wrap,
        "inside": lambda t: t.replace("memory", "MEMORY", 1),
        "block gone": lambda t: BLOCK.sub(b"", t.encode()).decode(),
        "doubled": lambda t: f"{t}\n{_block(t)}\n",
        "deleted": lambda t: "",
    }
    how = rng.choice([*edits])
    world.say("edit", path, how)
    if how == "deleted":
        (world.root / path).unlink()
    else:
        copier_project.write(world.root, {path: edits[how](text)})
    if how not in ("no final newline", "formatted"):
        world.touched.add(path)  # a file with text of its own differs from a fresh one
    world.commit()


def _block(text: str) -> str:
    found = BLOCK.search(text.encode())
    return found[0].decode() if found else ""


def edit_settings(world: World, rng: random.Random) -> None:
    """Edit a JSON file that we share: values of others, or entries of ours."""
    files = [".claude/settings.json", ".cursor/hooks.json", ".gemini/settings.json"]
    there = [path for path in files if (world.root / path).is_file()]
    if not there:
        return
    path = rng.choice(there)
    data = json.loads((world.root / path).read_text("utf-8-sig"))
    how = rng.choice(("foreign", "indent", "ours gone", "deleted"))
    world.say("edit", path, how)
    world.touched.add(path)
    if how == "foreign":
        data[f"mine{rng.randrange(99)}"] = {"a": [1, {"b": None}]}
    elif how == "ours gone":
        data.pop("permissions", None)
        data.pop("hooks", None)
    indent = 4 if how == "indent" else 2
    copier_project.write(world.root, {path: json.dumps(data, indent=indent) + "\n"})
    if how == "deleted":
        (world.root / path).unlink()
    world.commit()


def edit_owned(world: World, rng: random.Random) -> None:
    """Edit, format or delete a file that only we write."""
    files = [f"{SKILL}/SKILL.md", f"{SKILL}/references/formats.md"]
    path = rng.choice(files)
    place = world.root / path
    if not place.is_file():
        return
    how = rng.choice(("append", "format", "format", "insert"))
    text = copier_project.text(place)
    world.say("edit", path, how)
    if how == "format":
        place.write_text(wrap(text), newline="\n")
    else:
        lines = text.split("\n")
        at = len(lines) if how == "append" else rng.randrange(10, len(lines))
        lines.insert(at, f"\nA line of mine {rng.randrange(99)}.\n")
        place.write_text("\n".join(lines), newline="\n")
        world.touched.add(path)
    world.commit()


def write_foreign(world: World, rng: random.Random) -> None:
    """Write files of others, also beside ours."""
    name = rng.choice(("src/app.py", ".claude/skills/mine/SKILL.md", "docs/a.md"))
    world.say("write", name)
    copier_project.write(world.root, {name: f"mine {rng.randrange(99)}\n"})
    world.commit()


def branch_and_merge(world: World, rng: random.Random) -> None:
    """Write entries on two branches and merge them; a conflict keeps both sides."""
    world.say("branch and merge")
    git(world.repository, "checkout", "-q", "-b", f"topic-{world.serial}")
    write_entry(world, rng)
    git(world.repository, "checkout", "-q", "main")
    write_entry(world, rng)
    branch = f"topic-{world.serial - 2}"
    merge = ("git", "merge", "-q", "-m", "merge", branch)
    copier_project.run(*merge, cwd=world.repository)
    for path in git(world.repository, "diff", "--name-only", "--diff-filter=U").split():
        place = world.repository / path
        text = copier_project.text(place)
        place.write_bytes(re.sub(r"(?m)^(<{7}|={7}|>{7}).*\n", "", text).encode())
    world.commit()


def wrap(text: str) -> str:
    """Return Markdown as a formatter leaves it that wraps prose at 80 columns."""
    if "\r\n" in text:
        return text
    out: list[str] = []
    fenced = text.startswith("---\n")
    for paragraph in re.split(r"(\n{2,})", text):
        fenced ^= paragraph.count("```") % 2 == 1
        plain = re.match(r"\w", paragraph) and not re.search(
            r"(?m)^[-#|<@ ]", paragraph
        )
        if plain and not fenced:
            paragraph = textwrap.fill(
                " ".join(paragraph.split()),
                60,
                break_long_words=False,
                break_on_hyphens=False,
            )
        elif not fenced and re.match(r"- \w", paragraph) and "](" not in paragraph:
            paragraph = re.sub(r"(?m)^- ", "* ", paragraph)
        out.append(paragraph)
        if paragraph.endswith("\n---"):
            fenced = False
    ended = "\n" if text.endswith("\n") else ""
    return "".join(out).rstrip("\n") + ended


Step = Callable[[World, random.Random], None]
# Each step with its weight.
STEPS: dict[str, tuple[Step, int]] = {
    "update": (update, 5),
    "update again": (update_again, 1),
    "change answers": (change_answers, 4),
    "recopy": (recopy, 1),
    "remove and copy": (remove_and_copy, 1),
    "write an entry": (write_entry, 4),
    "write a desk": (write_desk, 1),
    "edit an INDEX": (edit_index, 4),
    "edit Markdown": (edit_markdown, 4),
    "edit settings": (edit_settings, 2),
    "edit an owned file": (edit_owned, 2),
    "write a foreign file": (write_foreign, 1),
    "branch and merge": (branch_and_merge, 1),
}
