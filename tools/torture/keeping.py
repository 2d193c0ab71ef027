"""Steps of agents: remember, revise, forget, archive, repair; whole and cut short."""

from __future__ import annotations

import random

from copier_project import STORE

from torture.commands import DEAD, Cut
from torture.world import CATALOGS, Broken, World

DURABLE = ("semantic", "episodic", "procedural")
THINGS = "ports queues caches tables exports builds sessions reports logs feeds".split()
REASONS = ("noise", "wrong")
BODIES = {
    "semantic": "- source: derived\n- scope: this repository\n- expires: never\n\n"
    "Mind the {thing} of number {number}.\n",
    "episodic": "- task: repair {thing}\n\nContext: the {thing} of {number} stood.\n\n"
    "Action: somebody looked.\n\nResult: they ran again.\n\n"
    "Lesson: look at {thing} first.\n",
    "procedural": "\nWhen: {thing} {number} are due.\n\nSteps: look, count, write.\n\n"
    "Verify: the count is right.\n\nGraduate-to: a skill.\n",
    "working": "- goal: {thing} {number} run\n- constraints: none\n- progress: half\n"
    "- next: count\n- open: nothing\n\nNotes.\n",
}


def text_of(drawer: str, slug: str, rng: random.Random) -> str:
    """Return a new text for an entry, good in the eyes of every rule."""
    thing, number = rng.choice(THINGS), rng.randrange(10**6)
    cue = f"- cue: how {slug} deals with {thing} {number}\n"
    body = BODIES[drawer].format(thing=thing, number=number)
    return f"# About {slug}\n\n{'' if drawer == 'working' else cue}{body}"


def remember_new(world: World, rng: random.Random) -> None:
    """Remember something new."""
    world.serial += 1
    drawer = rng.choice((*DURABLE, *DURABLE, "working"))
    slug = f"{rng.choice(THINGS)}-{world.serial}"
    _remember(world, drawer, slug, text_of(drawer, slug, rng))


def remember_again(world: World, rng: random.Random) -> None:
    """Revise an entry."""
    found = _choose(world, rng)
    if found:
        drawer, slug = found
        _remember(world, drawer, slug, text_of(drawer, slug, rng))


def _remember(world: World, drawer: str, slug: str, text: str) -> None:
    path = f"{STORE}/{drawer}/{slug}.md"
    before = world.tree()
    done = world.command("remember", drawer, slug, given=text)
    after = world.tree()
    changed = {p for p in {*before, *after} if before.get(p) != after.get(p)}
    world.tell(done.text)
    if done.code:
        if changed - _locks(changed):
            raise Broken(f"remember wrote {changed}, and said: {done.text}")
        return
    world.written.add(path)
    if changed - {path, f"{STORE}/{drawer}/INDEX.md", *_archives()} - _locks(changed):
        raise Broken(f"remember wrote {changed}")
    lines = after[path].decode().splitlines()
    missing = [line for line in text.splitlines() if line not in lines]
    if missing:
        raise Broken(f"remember lost {missing}")


def forget(world: World, rng: random.Random) -> None:
    """Remove an entry, or move its row to the archive and back."""
    found = _choose(world, rng)
    if not found:
        return
    drawer, slug = found
    how = rng.choice((["--discard"], [], ["--archive"], ["--restore"]))
    if drawer == "episodic" and how in ([], ["--discard"]):
        how = [*how, "--reason", rng.choice(REASONS)]
    path = f"{STORE}/{drawer}/{slug}.md"
    before = world.memory()
    done = world.command("forget", slug, *how)
    world.tell(done.text)
    removed = done.code == 0 and how[:1] not in (["--archive"], ["--restore"])
    if removed:
        world.written.add(path)
    if (path not in world.memory()) != removed and path in before:
        raise Broken(f"forget ended with {done.code}: {done.text}")


def repair(world: World, _: random.Random) -> None:
    """Let `verify --fix` repair the catalogs."""
    world.settle_catalogs()


def die(world: World, rng: random.Random) -> None:
    """Let a command die in the middle, and repair what it left."""
    _cut_short(world, rng, Cut(call=rng.randint(1, 40)))


def fill_the_disk(world: World, rng: random.Random) -> None:
    """Let a command find that it can write no more, and go on afterwards."""
    _cut_short(world, rng, Cut(size=rng.choice((1, 50, 200, 400, 900))))


def _cut_short(world: World, rng: random.Random, cut: Cut) -> None:
    """Run a command that is cut short. The entry is as before, or as it should be."""
    found = _choose(world, rng)
    if not found:
        return
    drawer, slug = found
    path = f"{STORE}/{drawer}/{slug}.md"
    reason = ("--reason", "noise") if drawer == "episodic" else ()
    before = world.memory()[path]
    verb = rng.choice(("remember", "forget", "archive", "verify"))
    text = text_of(drawer, slug, rng)
    if verb == "remember":
        done = world.command("remember", drawer, slug, given=text, cut=cut)
    elif verb == "forget":
        done = world.command("forget", slug, "--discard", *reason, cut=cut)
    elif verb == "archive":
        done = world.command("forget", slug, "--archive", cut=cut)
    else:
        done = world.command("verify", "--fix", cut=cut)
    if cut.call and done.code not in (0, 1, 2, DEAD):
        raise Broken(f"{verb} ended with {done.code}: {done.text}")
    after = world.memory().get(path)
    if after is None and verb != "forget":
        raise Broken(f"{path}: the entry is lost")
    whole = after is None or text.splitlines()[-1] in after.decode().splitlines()
    if after != before and not whole:
        raise Broken(f"{path}: the entry is written in part")
    world.written.add(path)
    world.settle_catalogs()
    left = [p for p in world.tree() if "/.eco-mem-" in p and not p.endswith("-lock")]
    if left and done.code != DEAD:
        raise Broken(f"{verb} left {left}")


def _choose(world: World, rng: random.Random) -> tuple[str, str] | None:
    """Choose an entry; return its drawer and its slug."""
    there = sorted(world.memory())
    if not there:
        return None
    drawer, name = rng.choice(there).split("/")[-2:]
    return drawer, name.removesuffix(".md")


def _archives() -> set[str]:
    return {f"{STORE}/{drawer}/{name}" for drawer in DURABLE for name in CATALOGS}


def _locks(paths: set[str]) -> set[str]:
    return {path for path in paths if "/.eco-mem-" in path}
