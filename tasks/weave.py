"""Weave what eco-mem needs into files that a project shares with others.

    weave.py --hosts=claude,codex [--guard] [--update-from=VERSION] [--quiet] [PROJECT]
    weave.py --remove PROJECT

Copier runs the first form from the template's checkout, as a task on copy and as a
migration on update. It exits 0 whatever it finds in those files: a failing task would
leave an update half-done. The second form is for people: it takes out everything of
ours and leaves the drawers.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
# PYTHONSAFEPATH would leave the first one out.
sys.path[:0] = [str(HERE), str(HERE.parent / "extensions")]

import blocks  # noqa: E402
import edits  # noqa: E402
import files  # noqa: E402
import json_edit  # noqa: E402
from edits import Kept, Wish  # noqa: E402

TEMPLATE = HERE.parent / "template"
SKILL = ".agents/skills/eco-mem"
RECORD = f"{SKILL}/eco-mem.json"
STORE = ".agents/memory"
SIGNATURE = b"# eco-mem"  # how the answers file of this template begins
HOOK = f"{SKILL}/scripts/hook.py"  # what every registration of ours runs
GUARD = (
    f"{SKILL}/scripts/hook.py",
    f"{SKILL}/scripts/ecomem/guard/",
    f"{SKILL}/references/guard.md",
)  # see copier.yml

REFUSALS = (files.Refused, blocks.BadMarkers, json_edit.BadJson)

Woven = dict[str, list[str]]  # file to the entries in it, if it is a settings file


class Part(NamedTuple):
    """Our part of one file: how its text gets it, and what to paste if it cannot."""

    path: str
    wish: Wish
    paste: str
    change: Callable[[str | None, Wish], str | None]


class Outcome(NamedTuple):
    """What was done to one file."""

    verb: str  # woven, removed, unchanged, kept or refused
    path: str
    why: str = ""
    paste: str = ""

    def __str__(self) -> str:
        why = f": {self.why}" if self.why else ""
        paste = f". Paste this into it:\n\n{self.paste}\n" if self.paste else ""
        return f"eco-mem: {self.verb} {self.path}{why}{paste}"


def registry() -> dict[str, dict[str, Any]]:
    """Return the tables of hosts.toml."""
    return tomllib.loads((TEMPLATE.parent / "extensions/hosts.toml").read_text("utf-8"))


# What is to be woven where.


def shared(
    chosen: Sequence[str], before: Woven, guarded: bool = False
) -> Iterator[Part]:
    """Yield our part of every shared file, also of those whose host is not chosen.

    `before` is what an earlier version wove.
    """
    text = (
        (TEMPLATE.parent / "extensions/agents_block.md").read_text("utf-8").strip("\n")
    )
    paste = blocks.block(blocks.MARKDOWN, text)
    wish = Wish(bool(chosen), before.get("AGENTS.md"))
    change = partial(edits.in_markdown, inner=text, title="AGENTS.md")
    yield Part("AGENTS.md", wish, paste, change)
    for name, host in registry().items():
        path = host["instructions"]
        if path != "AGENTS.md":
            wish = Wish(name in chosen, before.get(path))
            create = not {*host.get("not_beside", [])} & {*chosen}
            yield Part(
                path,
                wish,
                paste,
                partial(
                    edits.in_bridge,
                    inner=text,
                    title=path,
                    imports=host["import"],
                    create=create,
                ),
            )
        if "settings" in host:
            wish = Wish(name in chosen, before.get(host["settings"]["file"]))
            yield settings(wish, **host["settings"])
        if "hooks" in host and host["hooks"]["form"] != "owned":
            file = host["hooks"]["file"]
            known = [entry for entry in before.get(file, []) if HOOK in entry]
            wanted = guarded and name in chosen
            yield hooks(Wish(wanted, known or None), **host["hooks"])


def settings(wish: Wish, file: str, key: list[str], entries: list[str]) -> Part:
    """Return our part of a settings file: `entries` in the list at `key`."""
    if file.endswith(".toml"):
        line = f"{'.'.join(key)} = {json.dumps(entries)}"
        toml = partial(edits.in_toml, key=key, entries=entries, line=line)
        return Part(file, wish, line, toml)
    paste = json_edit.add("{}", key, entries)
    return Part(file, wish, paste, partial(edits.in_json, key=key, entries=entries))


def hooks(
    wish: Wish,
    file: str,
    form: str,
    timeout: int,
    events: Mapping[str, str],
    windows: str = "",
) -> Part:
    """Return our part of a hook file: one entry for each of `events`."""
    command = commands()
    handler = {"command": command["bash"], "timeout": timeout}
    if windows:
        handler[windows] = f'powershell -NoProfile -Command "{command["powershell"]}"'
    entries: dict[str, Any] = {}
    for event, tools in events.items():
        matcher = {"matcher": tools} if tools else {}
        group = {"hooks": [{"type": "command", **handler}]}
        entries[event] = {**matcher, **(handler if form == "flat" else group)}
    bare = {"version": 1} if form == "flat" else {}
    lists = {event: [entry] for event, entry in entries.items()}
    change = partial(edits.in_hooks, entries=entries, bare=bare, mark=HOOK)
    return Part(file, wish, json.dumps({**bare, "hooks": lists}, indent=2), change)


def commands() -> dict[str, str]:
    """Return the command of a registration, by shell, as Copilot's hook file has it."""
    text = source_of(".github/hooks/eco-mem.json").read_text("utf-8")
    handler = json.loads(text)["hooks"]["preToolUse"][0]
    return {shell: handler[shell] for shell in ("bash", "powershell")}


def source_of(file: str) -> Path:
    """Return where the template has a hook file that only some projects get."""
    top, _, rest = file.partition("/")
    return next(TEMPLATE.glob(f"{{%*%}}{top}{{%*%}}/{rest}"))


def contracts() -> Iterator[Part]:
    """Yield the part of every INDEX that the template writes."""
    for source in sorted((TEMPLATE / STORE).glob("*/INDEX.md")):
        text = source.read_text("utf-8")
        region = blocks.find(text, blocks.CONTRACT, "")
        inner = region.inner.strip("\n") if region else ""
        yield Part(
            source.relative_to(TEMPLATE).as_posix(),
            Wish(True, None),
            blocks.block(blocks.CONTRACT, inner),
            partial(edits.in_contract, inner=inner),
        )


# What only we write.


def owned(chosen: Sequence[str], guarded: bool) -> dict[str, Path]:
    """Return the files of a project that are copies of a source, with that source."""
    sources = {path.relative_to(TEMPLATE): path for path in TEMPLATE.rglob("*")}
    found = {
        name.as_posix().removesuffix(".jinja"): source
        for name, source in sorted(sources.items())
        if source.is_file() and "{" not in name.as_posix() and name.name != "INDEX.md"
    }
    del found[RECORD]  # the only one that is really rendered
    for name, host in registry().items():
        if "skills" in host and name in chosen:
            found[f"{host['skills']}/eco-mem/SKILL.md"] = found[f"{SKILL}/SKILL.md"]
        form, file = (host.get("hooks", {}).get(key) for key in ("form", "file"))
        if form == "owned" and name in chosen and guarded:
            found[file] = source_of(file)
    return found


def hidden(root: Path, chosen: Sequence[str], guarded: bool) -> Iterator[Part]:
    """Yield the files that an update deleted because git ignores them.

    Copier, up to 9.19 at least, takes a file that git does not have for one that the
    user deleted, unless the new version changed it.
    """
    from eco_mem import Facts  # needs jinja2, which is there when Copier is

    sources = owned(chosen, guarded)
    if not guarded:
        sources = {k: v for k, v in sources.items() if not k.startswith(GUARD)}
    for name in ignored(root, [*sources, RECORD]):
        if name == RECORD:
            text = Facts(registry()).chosen(chosen, guarded) + "\n"
        else:
            text = sources[name].read_text("utf-8")
        yield Part(name, Wish(True, None), "", partial(edits.as_it_is, text=text))


def ignored(root: Path, names: Sequence[str]) -> list[str]:
    """Return those of `names` that are not there and that git would ignore."""
    gone = "\n".join(name for name in names if not os.path.lexists(root / name))
    ask = ["git", "check-ignore", "--stdin"]
    told = subprocess.run(
        ask, cwd=root, input=gone.encode(), capture_output=True, check=False
    )
    return told.stdout.decode().splitlines()


# What an earlier version wove.


def woven(record: Mapping[str, Any]) -> Woven:
    """Return what the version that wrote this eco-mem.json wove."""
    bridges: Woven = {path: [] for path in record.get("bridges", [])}
    return {"AGENTS.md": [], **bridges, **record.get("expects", {})}


def woven_before(root: Path, version: str) -> Woven:
    """Return what an update from `version` finds woven, or taken out by the user.

    A file that git ignores may be missing only because this is a fresh clone.
    """
    before = woven_at_head(root, version)
    for path in ignored(root, list(before)):
        del before[path]
    return before


def woven_at_head(root: Path, version: str) -> Woven:
    """Return what was woven before this update: the last commit has the record.

    Without a record, everything that the registry knew at `version` counts as woven:
    better to miss a part, which verify reports, than to bring back what was taken out.
    """
    show = ["git", "show", f"HEAD:./{RECORD}"]
    shown = subprocess.run(show, cwd=root, capture_output=True, check=False)
    try:
        return woven(json.loads(shown.stdout))
    except (ValueError, AttributeError, TypeError):
        pass
    hosts = registry().values()
    known = [host for host in hosts if release(host["since"]) <= release(version)]
    needs = [host["settings"] for host in known if "settings" in host]
    return {
        "AGENTS.md": [],
        **{host["instructions"]: [] for host in known},
        **{need["file"]: need["entries"] for need in needs},
    }


def release(version: str) -> list[int]:
    """Return the numbers that a version begins with, in a form that compares."""
    numbers = re.match(r"v?[\d.]*", version)
    return [int(n) for n in re.findall(r"\d+", numbers[0])] if numbers else []


def recorded(root: Path) -> tuple[list[str], Woven]:
    """Return the hosts of a project and what was woven for them, if it has a record."""
    try:
        record = json.loads((root / RECORD).read_bytes())
        return [*map(str, record["hosts"])], woven(record)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return [], {}


# Doing it.


def weave(root: Path, part: Part) -> Outcome | None:
    """Give one file its part; None if it has nothing to do with us."""
    path, wish = part.path, part.wish
    try:
        file = files.load(root, path)
        new = part.change(file.text, wish)
        if new == file.text:
            return Outcome("unchanged", path) if wish.wanted and new else None
        files.store(root, file, new)
        return Outcome("woven" if wish.wanted and new else "removed", path)
    except Kept as why:
        return Outcome("kept", path, str(why))
    except REFUSALS as why:
        if wish.wanted:
            return Outcome("refused", path, str(why), part.paste)
        if wish.before is None:
            return None
        return Outcome("refused", path, f"{why}. Take our part out by hand")


def weave_all(root: Path, todo: Sequence[Part]) -> Iterator[Outcome]:
    """Give every file its part, once: one path may be a link to another."""
    done: dict[Path, str] = {}
    for part in sorted(todo, key=lambda part: not part.wish.wanted):
        target = files.locate(root, part.path)
        if done.get(target, part.path) != part.path:
            if part.wish.wanted:
                yield Outcome("unchanged", part.path, f"it is {done[target]}")
            continue
        if part.wish.wanted:
            done[target] = part.path
        outcome = weave(root, part)
        if outcome:
            yield outcome


def remove_all(root: Path) -> Iterator[Outcome]:
    """Take everything of ours out of a project, except the drawers."""
    chosen, before = recorded(root)
    guarded = any(HOOK in entry for entries in before.values() for entry in entries)
    yield from weave_all(root, list(shared([], before)))
    shutil.rmtree(root / SKILL / "scripts" / "__pycache__", ignore_errors=True)
    names = [*owned(chosen, guarded), RECORD]
    names += [path.name for path in root.glob(".copier-answers*") if is_ours(path)]
    for name in names:
        path = root / name
        inside = path.is_file() and path.resolve().is_relative_to(root)
        if inside and not name.startswith(f"{STORE}/"):
            files.delete(root, path)
            yield Outcome("removed", name)
    yield Outcome("kept", STORE, "it is yours")


def is_ours(answers: Path) -> bool:
    """Return whether this template wrote an answers file."""
    return answers.is_file() and answers.read_bytes().startswith(SIGNATURE)


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("project", nargs="?", default=".", type=Path)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--hosts", metavar="IDS", help="chosen hosts, with commas")
    mode.add_argument("--remove", action="store_true", help="take our parts out")
    parser.add_argument("--guard", action="store_true", help="register the hooks too")
    parser.add_argument("--update-from", metavar="VERSION", help="this is an update")
    parser.add_argument("--quiet", action="store_true", help="only kept and refused")
    # Copier cannot leave an argument out, but can make it empty.
    args = parser.parse_args([word for word in words if word])
    if not args.project.is_dir():
        parser.error(f"{args.project} is not a folder")
    return args


def main(words: Sequence[str]) -> None:
    """Run the command line and print one line per file."""
    args = arguments(words)
    root = args.project.resolve()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if args.remove:
        outcomes = remove_all(root)
    else:
        chosen, version = args.hosts.split(","), args.update_from
        updating = version is not None
        before = woven_before(root, version) if updating else {}
        again = hidden(root, chosen, args.guard) if updating else ()
        woven = shared(chosen, before, args.guard)
        outcomes = weave_all(root, [*woven, *contracts(), *again])
    for outcome in dict.fromkeys(outcomes):
        if not args.quiet or outcome.verb in ("kept", "refused"):
            print(outcome)


if __name__ == "__main__":
    main(sys.argv[1:])
