"""Weave what eco-mem needs into files that a project shares with others.

    weave.py --hosts=claude,codex [--guard] [--checks=github] [--git-root] [--quiet]
             [PROJECT]
    weave.py --hosts=claude,codex --update-from=VERSION [--answers=FILE] [PROJECT]
    weave.py --before-update-from=VERSION [PROJECT]
    weave.py --remove PROJECT

Copier runs the first form from the template's checkout, as a task on copy, and the next
two around an update. It exits 0 whatever it finds in those files: a failing task would
leave an update half-done. The last form is for people: it takes out everything of ours
and leaves the drawers.
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
# PYTHONSAFEPATH would leave the first one out.
sys.path[:0] = [str(HERE), str(HERE.parent / "extensions")]

import eco_mem  # noqa: E402

if not eco_mem.HAS_TOML:
    sys.exit(f"eco-mem: this {eco_mem.NEEDS}, and you run it on {eco_mem.PYTHON}")

import blocks  # noqa: E402
import edits  # noqa: E402
import files  # noqa: E402
import json_edit  # noqa: E402
import yaml_edit  # noqa: E402
from eco_mem import GUARD, HOOK, PROTOCOL, RECORD, SKILL, STORE, TEMPLATE  # noqa: E402
from edits import Target, UserChanged  # noqa: E402

REFUSALS = (files.Refused, blocks.BadMarkers, json_edit.BadJson)
CONFLICT = re.compile(r"^(<{7,}|>{7,})( |$)", re.MULTILINE)
VERIFY = f"python3 {SKILL}/scripts/verify.py"

# Outcomes that need a look, so that --quiet prints them too.
NOT_QUIET = ("kept", "refused", "warning", "not laid down")

Managed = dict[str, list[str]]  # file to our entries in it, if it is a settings file


class Checks(NamedTuple):
    """The chosen checks of a project, and where it lies in its repository."""

    chosen: Sequence[str]
    git_root: bool  # CI and pre-commit read only what is at the top

    @property
    def laid(self) -> Sequence[str]:
        """The checks that are in place, and not only printed."""
        return self.chosen if self.git_root else []


class Before(NamedTuple):
    """The part of a project that an earlier version managed."""

    hosts: list[str]
    files: Managed
    copies: list[str]


NOTHING = Before([], {}, [])


class Part(NamedTuple):
    """Our part of one file: how its text gets it, and what to paste if it cannot."""

    path: str
    target: Target
    paste: str
    change: Callable[[str | None, Target], str | None]


class Outcome(NamedTuple):
    """The result for one file."""

    verb: str  # woven, removed, taken out of, unchanged, kept, refused or warning
    path: str
    why: str = ""
    paste: str = ""

    def __str__(self) -> str:
        why = f": {self.why}" if self.why else ""
        paste = f". Paste this into it:\n\n{self.paste}\n" if self.paste else ""
        return f"eco-mem: {self.verb} {self.path}{why}{paste}"


# Our part of every shared file.


def shared(
    root: Path, chosen: Sequence[str], before: Before, guarded: bool = False
) -> Iterator[Part]:
    """Yield our part of every shared file, also of those whose host is not chosen."""
    text = block_text()
    target = Target(bool(chosen), before.files.get("AGENTS.md"))
    change = partial(edits.in_markdown, inner=text, title="AGENTS.md")
    yield Part("AGENTS.md", target, blocks.block(blocks.MARKDOWN, text), change)
    for name, host in eco_mem.load_facts().hosts.items():
        if "import" in host:
            yield from bridges(root, name, host, chosen, before)
        if "settings" in host:
            known = before.files.get(host["settings"]["file"])
            yield settings(Target(name in chosen, known), **host["settings"])
        if "hooks" in host and host["hooks"]["form"] != "owned":
            file = host["hooks"]["file"]
            registered = [one for one in before.files.get(file, []) if HOOK in one]
            wanted = guarded and name in chosen
            yield hooks(Target(wanted, registered or None), **host["hooks"])


def block_text() -> str:
    """Return the text of the block in AGENTS.md."""
    source = TEMPLATE.parent / "extensions/agents_block.md"
    return source.read_text("utf-8").strip("\n")


def bridges(
    root: Path,
    name: str,
    host: Mapping[str, Any],
    chosen: Sequence[str],
    before: Before,
) -> Iterator[Part]:
    """Yield our part of the files that a host loads in place of AGENTS.md."""
    path, text = host["instructions"], block_text()
    elsewhere = [one for one in host.get("elsewhere", []) if (root / one).exists()]
    settings: str | None = host.get("names_files")
    reads_agents = settings is not None and "AGENTS.md" in text_of(root, settings)
    beside = {*host.get("not_beside", [])} & {*chosen}
    create = not beside and not elsewhere
    known = before.files.get(path)
    if known is not None and not is_there(root, path):
        neighbours = {*host.get("not_beside", [])} & {*before.hosts}
        if neighbours or name not in before.hosts:
            known = None  # it was not created then, so nobody took it out
    parts = [(path, known, name in chosen, host["import"], create)]
    for one in host.get("elsewhere", []):
        line = "@" + "../" * one.count("/") + host["import"].removeprefix("@")
        wanted = name in chosen and not has_own_text(root, path)
        # Beside a file of ours, that one was never managed.
        managed = None if is_there(root, path) else before.files.get(one)
        parts.append((one, managed, wanted, line, False))
    for one, managed, wanted, line, makes in parts:
        bridge = edits.Bridge(line, makes, not reads_agents)
        change = partial(
            edits.in_bridge, inner=text, title=Path(one).name, bridge=bridge
        )
        paste = blocks.block(blocks.MARKDOWN, text)
        yield Part(one, Target(wanted, managed), paste, change)


def has_own_text(root: Path, path: str) -> bool:
    """Return whether a Markdown file has text beside our block."""
    text = text_of(root, path)
    try:
        region = blocks.find(text, blocks.MARKDOWN, "")
    except blocks.BadMarkers:
        return True
    rest = blocks.remove(text, region) if region else text
    return not edits.is_bare(rest, Path(path).name)


def text_of(root: Path, path: str) -> str:
    """Return the text of a file of the project; "" if there is none to read."""
    try:
        return files.load(root, path).text or ""
    except files.Refused:
        return ""


def is_there(root: Path, path: str) -> bool:
    """Return whether a path of the project exists, if only as a link."""
    return os.path.lexists(root / path)


def settings(target: Target, file: str, key: list[str], entries: list[str]) -> Part:
    """Return our part of a settings file: `entries` in the list at `key`."""
    if file.endswith(".toml"):
        line = f"{'.'.join(key)} = {json.dumps(entries)}"
        toml = partial(edits.in_toml, key=key, entries=entries, line=line)
        return Part(file, target, line, toml)
    paste = json_edit.add("{}", key, entries)
    return Part(file, target, paste, partial(edits.in_json, key=key, entries=entries))


def hooks(
    target: Target,
    file: str,
    form: str,
    timeout: int,
    events: Mapping[str, str],
    windows: str = "",
) -> Part:
    """Return our part of a hook file: one entry for each of `events`."""
    command = eco_mem.load_facts().hook_command
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
    return Part(file, target, json.dumps({**bare, "hooks": lists}, indent=2), change)


def commit_check(wanted: bool, before: bool) -> Part:
    """Return our part of the settings of pre-commit."""
    path = eco_mem.load_facts().checks["pre-commit"]["file"]
    target = Target(wanted, [] if before else None)
    paste = f"repos:\n{yaml_edit.item_text()}"
    return Part(path, target, paste, yaml_edit.in_pre_commit)


# Our part of every INDEX.


def contracts(again: bool = False) -> Iterator[Part]:
    """Yield the part of every INDEX that the template writes.

    With `again`, an INDEX that is gone comes back: on an update Copier does that only
    for a project at the root of its repository.
    """
    for path in eco_mem.index_files():
        source = TEMPLATE / path
        text = source.read_text("utf-8")
        inner = contract_of(text)
        change: Callable[[str | None, Target], str | None] = partial(
            edits.in_contract, inner=inner, released=partial(released_contracts, source)
        )
        if again:
            change = partial(edits.seeded, text=text, change=change)
        paste = blocks.block(blocks.CONTRACT, inner)
        yield Part(path, Target(True, None), paste, change)


def contract_of(text: str) -> str:
    """Return the contract in the text of an INDEX; "" if there is not just one."""
    try:
        region = blocks.find(text, blocks.CONTRACT, "")
    except blocks.BadMarkers:
        return ""
    return region.inner.strip("\n") if region else ""


def released_contracts(source: Path) -> Iterator[str]:
    """Yield the contract of an INDEX in every version of the template.

    The marker of a contract carries the hash of what was written, so this is asked only
    where that hash is gone, or a merge has mixed two contracts.
    """
    for text in eco_mem.versions_of(source):
        yield contract_of(text)


# Files that only we write.


def copies(root: Path, chosen: Sequence[str], before: Before) -> Iterator[Part]:
    """Yield the copies of the skill: the project's own, never one with a conflict."""
    text = text_of(root, PROTOCOL)
    hosts = eco_mem.load_facts().hosts
    wanted = [f"{one}/SKILL.md" for one in eco_mem.skill_folders(hosts, chosen)]
    change = partial(edits.derived, text=text)
    for path in dict.fromkeys([*wanted, *before.copies]):
        managed: list[str] | None = [] if path in before.copies else None
        if path not in wanted:
            yield Part(path, Target(False, managed), "", change)
        elif CONFLICT.search(text):
            yield Part(path, Target(True, managed), "", keep_in_conflict)
        elif text:
            yield Part(path, Target(True, managed), "", change)


def keep_in_conflict(_old: str | None, _: Target) -> str | None:
    """Leave a copy of the skill as it is; raise UserChanged."""
    raise UserChanged(
        f"{PROTOCOL} has a conflict. Settle it, then run `{VERIFY} --fix`"
    )


def restore_ignored(
    root: Path, chosen: Sequence[str], guarded: bool, checks: Checks
) -> Iterator[Part]:
    """Yield the files that an update deleted because git ignores them.

    Copier, up to 9.19 at least, takes a file that git does not have for one that the
    user deleted, unless the new version changed it.
    """
    facts = eco_mem.load_facts()
    sources = eco_mem.laid_down()
    if guarded:
        sources |= eco_mem.owned_hooks(facts.hosts, chosen)
    else:
        sources = {k: v for k, v in sources.items() if not k.startswith(GUARD)}
    sources |= eco_mem.check_files(facts.checks, checks.laid)
    for name in missing_ignored(root, [*sources]):
        text = facts.render(sources[name], chosen, guarded)
        yield Part(name, Target(True, None), "", partial(edits.as_it_is, text=text))


def left_in_store(root: Path) -> Iterator[Part]:
    """Yield the files in the store that are as an older version laid them down."""
    for path in eco_mem.STORE_DOT_FILES:
        if eco_mem.left_by_removal(root, path):
            text = eco_mem.shipped()[path].read_text("utf-8")
            yield Part(path, Target(True, None), "", partial(edits.as_it_is, text=text))


def missing_ignored(root: Path, names: Sequence[str]) -> list[str]:
    """Return those of `names` that are not there and that git would ignore."""
    gone = [name for name in names if not is_there(root, name)]
    return [*ignoring_rules(root, gone)]


def ignoring_rules(root: Path, names: Sequence[str]) -> dict[str, str]:
    """Return the rule by which git ignores a path, for those of `names` it ignores."""
    real_root = root.resolve()
    real = {}
    for name in names:
        place = files.locate(root, name)
        if place.is_relative_to(real_root):
            real[place.relative_to(real_root).as_posix()] = name
    ask = ["git", "check-ignore", "-v", "-z", "--stdin"]
    asked = "\0".join(real).encode()
    try:
        done = subprocess.run(
            ask, cwd=root, input=asked, capture_output=True, check=False
        )
    except OSError:
        return {}
    fields = done.stdout.decode("utf-8", "replace").split("\0")
    rules = {}
    for at in range(0, len(fields) - 3, 4):
        source, line, pattern, path = fields[at : at + 4]
        if not pattern.startswith("!"):
            rules[real[path]] = f"`{pattern}` in {source}, line {line}"
    return rules


# What an earlier version managed.


def managed_by(record: Mapping[str, Any]) -> Before:
    """Return what the version that wrote this eco-mem.json managed."""
    bridges: Managed = {path: [] for path in record.get("bridges", [])}
    found: Managed = {"AGENTS.md": [], **bridges, **record.get("expects", {})}
    hosts = [*map(str, record.get("hosts", []))]
    return Before(
        hosts, found, [one for one in record.get("copies", []) if is_copy(one)]
    )


def is_copy(path: str) -> bool:
    """Return whether a path is one where a copy of the skill may lie."""
    inside = not path.startswith("/") and ".." not in path.split("/")
    return inside and path.endswith(f"/skills/{Path(SKILL).name}/SKILL.md")


def managed_before(root: Path, version: str, answers: str) -> Before:
    """Return what an update from `version` finds managed, or taken out by the user.

    A file that git ignores may be missing only because this is a fresh clone.
    """
    before = managed_at_head(root, version, answers)
    for path in missing_ignored(root, [*before.files]):
        del before.files[path]
    return before


def managed_at_head(root: Path, version: str, answers: str) -> Before:
    """Return what was managed before this update: the last commit has the record.

    If git ignores the record, the answers and the registry of the old version give it.
    Without those, everything that the registry knew at `version` counts as managed:
    better to miss a part, which verify reports, than to bring back what was taken out.
    """
    before = committed(root)
    if before.files:
        return before
    facts = eco_mem.load_facts()
    hosts = older_registry(version) or {
        name: host
        for name, host in facts.hosts.items()
        if release(host["since"]) <= release(version)
    }
    known = eco_mem.read_answers(at_head(root, answers)) if answers else {}
    chosen, guarded = known.get("hosts"), bool(known.get("guard"))
    if isinstance(chosen, list):
        record = facts._replace(hosts=hosts).record_json([*map(str, chosen)], guarded)
        return managed_by(json.loads(record))
    needs = [host["settings"] for host in hosts.values() if "settings" in host]
    every: Managed = {
        "AGENTS.md": [],
        **{host["instructions"]: [] for host in hosts.values()},
        **{need["file"]: need["entries"] for need in needs},
    }
    # As if no host had kept a file of another from being created.
    beside = {one for host in hosts.values() for one in host.get("not_beside", [])}
    return Before([name for name in hosts if name not in beside], every, [])


def older_registry(version: str) -> dict[str, Any]:
    """Return the hosts that a version of the template knew; {} if git has it not."""
    import tomllib

    text = eco_mem.ask_git("show", f"{version}:extensions/hosts.toml")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def at_head(root: Path, path: str) -> str:
    """Return the text of a file in the last commit of the project; "" if none."""
    show = ["git", "show", f"HEAD:./{path}"]
    try:
        shown = subprocess.run(show, cwd=root, capture_output=True, check=False)
    except OSError:
        return ""
    return shown.stdout.decode("utf-8", "replace")


def release(version: str) -> Any:
    """Return the numbers of a version, such as v1.10.0-3-gabc, to be compared."""
    from packaging.version import Version

    numbers = re.match(r"v?\d+(\.\d+)*", version)
    return Version(numbers[0] if numbers else "0")


def committed(root: Path) -> Before:
    """Return what is managed according to the last commit of a project, if any."""
    try:
        return managed_by(json.loads(at_head(root, RECORD)))
    except (ValueError, TypeError, AttributeError):
        return NOTHING


def recorded(root: Path) -> Before:
    """Return what is managed in a project, if it has a record."""
    try:
        return managed_by(json.loads((root / RECORD).read_bytes()))
    except (OSError, ValueError, TypeError, AttributeError):
        return NOTHING


# Changing files.


def weave(root: Path, part: Part) -> Outcome | None:
    """Give one file its part; None if it has nothing to do with us."""
    path, target = part.path, part.target
    try:
        file = files.load(root, path)
        new = part.change(file.text, target)
        if new == file.text:
            return Outcome("unchanged", path) if target.wanted and new else None
        files.store(root, file, new)
        if new is None:
            return Outcome("removed", path)
        return Outcome("woven" if target.wanted else "taken out of", path)
    except UserChanged as why:
        return Outcome("kept", path, str(why))
    except REFUSALS as why:
        if target.wanted:
            return Outcome("refused", path, str(why), part.paste)
        if target.before is None:
            return None
        return Outcome("refused", path, f"{why}. Take our part out by hand")


def weave_all(root: Path, todo: Sequence[Part]) -> Iterator[Outcome]:
    """Give every file its part, once: one path may be a link to another."""
    done: dict[Path, str] = {}
    for part in sorted(todo, key=lambda part: not part.target.wanted):
        target = files.locate(root, part.path)
        if done.get(target, part.path) != part.path:
            if part.target.wanted:
                yield Outcome("unchanged", part.path, f"it is {done[target]}")
            continue
        if part.target.wanted:
            done[target] = part.path
        outcome = weave(root, part)
        if outcome:
            yield outcome


def copy(
    root: Path, chosen: Sequence[str], guarded: bool, checks: Checks
) -> Iterator[Outcome]:
    """Weave our parts into a project that the template was just copied into."""
    parts = [
        *shared(root, chosen, NOTHING, guarded),
        commit_check("pre-commit" in checks.laid, False),
        *contracts(),
        *copies(root, chosen, committed(root)),
        *left_in_store(root),
    ]
    yield from weave_all(root, parts)
    yield from by_hand(root, checks, [], "")
    yield from warnings(root, chosen, checks)


def update(
    root: Path,
    chosen: Sequence[str],
    guarded: bool,
    checks: Checks,
    version: str,
    answers: str,
) -> Iterator[Outcome]:
    """Bring our parts up to date in a project that Copier has just updated."""
    forget_undone_formatting(root)
    # First what git ignores: the copies come from one of these files.
    yield from weave_all(root, [*restore_ignored(root, chosen, guarded, checks)])
    before = managed_before(root, version, answers)
    known = eco_mem.read_answers(at_head(root, answers)).get("checks")
    former = [*map(str, known)] if isinstance(known, list) else []
    parts = [
        *shared(root, chosen, before, guarded),
        commit_check("pre-commit" in checks.laid, "pre-commit" in former),
        *contracts(again=is_there(root, PROTOCOL)),
        *copies(root, chosen, before),
    ]
    yield from weave_all(root, parts)
    yield from by_hand(root, checks, former, version)


# Checks that a person has to wire up.


def by_hand(
    root: Path, checks: Checks, former: Sequence[str], version: str
) -> Iterator[Outcome]:
    """Yield what to put where, for checks that could not be laid down as they are.

    On an update from `version`, only of what is new since then.
    """
    facts = eco_mem.load_facts()
    for key, check in facts.checks.items():
        if key not in checks.chosen or checks.git_root:
            continue
        paste = outside(root, check)
        if key in former and paste == outside(root, check, version):
            continue
        why = (
            "it is read only at the top of a git repository, and this project is in a "
            "folder of one, so it was not laid down. Put it there yourself"
        )
        yield Outcome("not laid down", check["file"], why, paste)
    file = facts.checks["gitlab"]["file"]
    if "gitlab" in checks.laid and file not in text_of(root, ".gitlab-ci.yml"):
        why = "GitLab does not run it until .gitlab-ci.yml includes it"
        yield Outcome("warning", file, why, f"include:\n  - local: {file}")


def outside(root: Path, check: Mapping[str, str], version: str = "") -> str:
    """Return what a check needs at the top of a repository that has this project."""
    top = eco_mem.top_of_repository(root) or root
    folder = root.relative_to(top).as_posix()
    if check["form"] == "woven":
        hook = yaml_edit.item_text()
        command = f"{SKILL}/scripts/verify.py"
        return "repos:\n" + hook.replace(command, f"{folder}/{command}")
    source = TEMPLATE / check["file"]
    if version:
        text = eco_mem.ask_git("show", f"{version}:template/{check['file']}")
    else:
        text = source.read_text("utf-8")
    setting, _, here = check["folder"].partition(" ")
    plain = re.fullmatch(r"[\w./-]+", folder)
    there = folder if plain else json.dumps(folder)
    return text.replace(f"{setting} {here}\n", f"{setting} {there}\n")


# Formatters.


def undo_formatting(root: Path, version: str) -> None:
    """Give our Markdown its old text where only its formatting was changed.

    Copier merges the changes of the user, and would find a conflict in every paragraph
    that a formatter has wrapped. It takes those changes from the index.
    """
    folder = f"template/{SKILL}/"
    listed = eco_mem.ask_git("ls-tree", "-r", "-z", "--name-only", version, folder)
    for name in listed.split("\0"):
        path = name.removeprefix("template/")
        place = root / path
        if not name.endswith(".md") or place.is_symlink() or not place.is_file():
            continue
        old, text = eco_mem.ask_git("show", f"{version}:{name}"), text_of(root, path)
        if old and text != old and blocks.words(text) == blocks.words(old):
            files.store(root, files.load(root, path), old)
            add = ["git", "add", "--", path]
            subprocess.run(add, cwd=root, capture_output=True, check=False)


def forget_undone_formatting(root: Path) -> None:
    """Take the old texts out of the index again, so that `git diff` shows the update.

    An update begins with a clean tree, so nothing else is staged there.
    """
    ask = ["git", "diff", "--cached", "--diff-filter=M", "--relative", "--name-only"]
    try:
        staged = subprocess.run(
            [*ask, "-z", "--", SKILL], cwd=root, capture_output=True, check=False
        )
        for path in filter(None, staged.stdout.decode().split("\0")):
            reset = ["git", "reset", "-q", "HEAD", "--", path]
            subprocess.run(reset, cwd=root, capture_output=True, check=False)
    except OSError:
        return


# What will not work as it is.


def warnings(root: Path, chosen: Sequence[str], checks: Checks) -> Iterator[Outcome]:
    """Yield what makes a fresh copy useless to others, or unseen by a host."""
    yield from ignored_files(root, checks)
    for name, host in eco_mem.load_facts().hosts.items():
        for path, program in host.get("hidden_by", {}).items():
            if name in chosen and is_there(root, path):
                yield Outcome(
                    "warning",
                    path,
                    f"{program} reads it instead of AGENTS.md, so it does not see our "
                    "block. Copy the block into that file, or remove the file",
                )
    if not edits.is_read(text_of(root, "AGENTS.md")):
        yield Outcome(
            "warning",
            "AGENTS.md",
            f"our block ends after the first {edits.MAX_READ // 1024} KiB, where Codex "
            "stops reading. Move the block up",
        )


def ignored_files(root: Path, checks: Checks) -> Iterator[Outcome]:
    """Yield a warning for each rule by which git ignores what was laid down."""
    record = recorded(root)
    laid = [*eco_mem.laid_down(), *eco_mem.index_files(), *record.copies, *record.files]
    laid += eco_mem.check_files(eco_mem.load_facts().checks, checks.laid)
    here = [path for path in dict.fromkeys(laid) if (root / path).is_file()]
    here += [f"{STORE}/{drawer}/an-entry.md" for drawer in ("semantic", "episodic")]
    by_rule: dict[str, list[str]] = {}
    for path, rule in ignoring_rules(root, here).items():
        by_rule[rule] = [*by_rule.get(rule, []), path]
    for rule, paths in by_rule.items():
        paths = [path.replace("/an-entry.md", "/*.md (entries)") for path in paths]
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        verb = "them" if more else "it"
        yield Outcome(
            "warning",
            f"{paths[0]}{more}",
            f"git ignores {verb} ({rule}), so no clone will have {verb}. "
            "Narrow that rule before you commit",
        )


# Taking it all out.


def remove_all(root: Path) -> Iterator[Outcome]:
    """Take everything of ours out of a project, except the drawers."""
    before = recorded(root)
    guarded = any(HOOK in one for entries in before.files.values() for one in entries)
    parts = [*shared(root, [], before), commit_check(False, True)]
    yield from weave_all(root, parts)
    for cache in (root / SKILL).rglob("__pycache__"):
        shutil.rmtree(cache, ignore_errors=True)
    hosts = eco_mem.load_facts().hosts
    names = {*eco_mem.laid_down(), *laid_down_ever(), *before.copies}
    if guarded:
        names |= {*eco_mem.owned_hooks(hosts, before.hosts)}
    names |= {path.name for path in root.glob(".copier-answers*") if is_ours(path)}
    facts = eco_mem.load_facts()
    checks = eco_mem.check_files(facts.checks, [*facts.checks])
    names |= {name for name in checks if is_ours(root / name)}
    for name in sorted(names):
        path = root / name
        inside = path.is_file() and path.resolve().is_relative_to(root)
        if inside and not name.startswith(f"{STORE}/"):
            files.delete(root, path)
            yield Outcome("removed", name)
    for path in sorted((root / SKILL).rglob("*")):
        if path.is_file():
            name = path.relative_to(root).as_posix()
            yield Outcome("kept", name, "it is not from this template")
    yield Outcome("kept", STORE, "it is yours")


def laid_down_ever() -> set[str]:
    """Return the paths below our skill that any version of the template laid down."""
    log = ("log", "--all", "--format=", "--name-only", "--no-renames", "-z")
    names = eco_mem.ask_git(*log, "--", f"template/{SKILL}").split("\0")
    paths = {name.strip().removeprefix("template/") for name in names}
    return {path.removesuffix(".jinja") for path in paths if path.startswith(SKILL)}


def is_ours(path: Path) -> bool:
    """Return whether this template wrote an answers file, or a CI file."""
    signature = eco_mem.SIGNATURE.encode()
    return path.is_file() and path.read_bytes().startswith(signature)


# The command line.


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("project", nargs="?", default=".", type=Path)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--hosts", metavar="IDS", help="chosen hosts, with commas")
    mode.add_argument("--before-update-from", metavar="VERSION", help="undo formatting")
    mode.add_argument("--remove", action="store_true", help="take our parts out")
    parser.add_argument("--guard", action="store_true", help="register the hooks too")
    parser.add_argument("--update-from", metavar="VERSION", help="this is an update")
    parser.add_argument("--answers", metavar="FILE", default="", help="answers file")
    parser.add_argument("--checks", metavar="IDS", default="", help="chosen checks")
    parser.add_argument(
        "--git-root", action="store_true", help="the project is the top of a repository"
    )
    parser.add_argument("--quiet", action="store_true", help="only what needs a look")
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
    if args.before_update_from:
        undo_formatting(root, args.before_update_from)
        return
    checks = Checks([*filter(None, args.checks.split(","))], args.git_root)
    if args.remove:
        outcomes = remove_all(root)
    elif args.update_from is None:
        outcomes = copy(root, args.hosts.split(","), args.guard, checks)
    else:
        chosen = args.hosts.split(",")
        outcomes = update(
            root, chosen, args.guard, checks, args.update_from, args.answers
        )
    for outcome in dict.fromkeys(outcomes):
        if not args.quiet or outcome.verb in NOT_QUIET:
            print(outcome)


if __name__ == "__main__":
    main(sys.argv[1:])
