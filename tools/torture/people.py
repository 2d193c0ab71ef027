"""Steps of people: edits of every kind of path, by hand."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

import copier_project
from copier_project import SKILL, STORE

from torture.formatting import wrap
from torture.world import BLOCK, MARKDOWN, SEEDED, World

DURABLE = copier_project.DRAWERS[1:]
ENTRY = (
    "# {slug}\n\n- cue: when {slug} matters\n- source: derived\n\nText {number}.  \n"
)


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
    world.written.add(f"{STORE}/{drawer}/{slug}.md")


def write_desk(world: World, rng: random.Random) -> None:
    """Write a desk, which git ignores."""
    world.say("write a desk")
    desk = f"{STORE}/working/task-{rng.randrange(3)}.md"
    world.written.add(desk)
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
    # Below the heading it would be a row without an entry, which a repair removes.
    inside = text.find(end) < text.find("## Catalog")
    row = f"- [x](x.md): of mine {number}" if inside else f"A note of mine {number}."
    edits: dict[str, Callable[[str], str]] = {
        "note below": lambda t: f"{t}\nA note of mine {number}.\n",
        "title": lambda t: t.replace("# ", "# Mine ", 1),
        "row inside": lambda t: t.replace(end, f"{row}\n{end}"),
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
    world.written.add(path)
    if how in ("row inside", "moved end", "markers"):
        world.touched.add(path)


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
        "CRLF": lambda t: t.replace("\r\n", "\n").replace("\n", "\r\n"),
        "BOM": lambda t: "\ufeff" + t.removeprefix("\ufeff"),
        "deleted": lambda t: "",
    }
    how = rng.choice([*edits])
    world.say("edit", path, how)
    if how == "deleted":
        (world.root / path).unlink()
    else:
        copier_project.write(world.root, {path: edits[how](text)})
    if how not in ("no final newline", "formatted", "CRLF", "BOM"):
        # A file with text of its own differs from a fresh one.
        world.touched |= {path, world.setting.links.get(path, path)}


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


def write_foreign(world: World, rng: random.Random) -> None:
    """Write files of others, also beside ours."""
    name = rng.choice(("src/app.py", ".claude/skills/mine/SKILL.md", "docs/a.md"))
    world.say("write", name)
    copier_project.write(world.root, {name: f"mine {rng.randrange(99)}\n"})


def edit_entry(world: World, rng: random.Random) -> None:
    """Edit an entry by hand: text, formatting, line ends, name; or delete it."""
    there = sorted(path for path in world.memory() if "/working/" not in path)
    if not there:
        return
    path = rng.choice(there)
    place = world.root / path
    how = rng.choice(("append", "format", "CRLF", "rename", "delete"))
    world.say("edit", path, how)
    world.written.add(path)
    text = place.read_bytes().decode()
    if how == "append":
        copier_project.write(world.root, {path: f"{text}\nMore {rng.random()}.\n"})
    elif how == "format":
        copier_project.write(world.root, {path: wrap(text)})
    elif how == "CRLF":
        crlf = text.replace("\r\n", "\n").replace("\n", "\r\n")
        copier_project.write(world.root, {path: crlf})
    elif how == "rename":
        world.serial += 1
        new = place.with_name(f"renamed-{world.serial}.md")
        world.written.add(f"{path.rpartition('/')[0]}/{new.name}")
        place.rename(new)
    else:
        place.unlink()


def format_all(world: World, _: random.Random) -> None:
    """Format every Markdown file of the project, as a commit hook may."""
    world.say("format everything")
    for path, content in world.tree().items():
        if path.endswith(".md") and not content.startswith(b"-> "):
            world.written.add(path)
            text = content.decode("utf-8", "replace")
            copier_project.write(world.root, {path: wrap(text)})


def ignore(world: World, rng: random.Random) -> None:
    """Write a line into the ignore file of the project, which hides nothing of ours."""
    place = world.root / ".gitignore"
    line = rng.choice(("*.log", "build/", "*.md.bak", ".idea/"))
    world.say("ignore", line)
    old = place.read_bytes() if place.exists() else b""
    place.write_bytes(old + f"{line}\n".encode())


def leave_editor_files(world: World, rng: random.Random) -> None:
    """Leave a lock, a swap file or a backup in the store, as editors do."""
    name = rng.choice((".#a.md", "#a.md#", "a.md~", ".a.md.swp", "INDEX.md.orig"))
    drawer = rng.choice(DURABLE)
    world.say("leave", drawer, name)
    copier_project.write(world.root, {f"{STORE}/{drawer}/{name}": "of an editor\n"})


def commit(world: World, _: random.Random) -> None:
    """Commit all that was done."""
    world.say("commit")
    world.commit()
