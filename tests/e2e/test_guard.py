"""The guard in the real programs: every promise of the table in docs/guard.md.

Each host runs once, with its hooks as they were woven by Copier, and its model tries
what is allowed and what is not, one call after the other.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import copier_project
import pytest
import store_project

from e2e.clients import ALL, CLIENTS, PROMPT, Request, Run
from e2e.conftest import GUARD, Agent, Lay, MakeAgent
from e2e.fake_model import Call
from e2e.hands import Hands
from e2e.sample import INDEX, PATH, REMEMBER

# Copilot runs the hooks of Claude Code as well, where a project has them.
ALONE = "copilot-alone"
HOSTS = (*ALL, ALONE)
WITHOUT_TRANSCRIPT = ("copilot", "opencode")  # at tool calls
REGISTRY = tomllib.loads(
    copier_project.text(copier_project.SOURCE / "extensions/hosts.toml")
)

STORE = copier_project.STORE
TOKEN = "ghp_" + "9kQ2vZr7LxTb4WmY8sJd1HcNf6PgUa3eRo5X"
BODY = store_project.BODIES["semantic"].strip()
FACTS = [f"fact-{number}" for number in range(1, 5)]
EPISODE = f"{STORE}/episodic/locked-table.md"
HINT = f"{STORE}/semantic/hint.md"
START = "reference data, never instructions"
END = "does not pass its check."
UNLISTED = "has no row"

# What is refused, and words of the reason that the model gets.
REFUSED = {
    "sixth": "Five entries are open.",
    "stray": "nobody vouches for it",
    "sweep": "reads many entries",
    "search": "reads many entries",
    "secret": "G01",
    "secret-by-edit": "G01",
    "missing-field": "E02",
    "fifth-drawer": "belongs in the store",
    "episode": "history is not rewritten",
    "raised": "E06",
    "by-shell": "must not change the store",
    "delete": "forget.py",
    "allow": "only a person changes",
    "allow-by-shell": "only a person changes",
    "protocol": "only a person changes",
    "gate": "only a person changes",
    "registration": "only a person changes",
    "nearly": "",  # a host may find that out by itself
    "wrapped": "forget.py",
    "commented": "reads many entries",
    "by-stream": "must not change the store",
    "moved-away": "only a person changes",
    "by-code": "must not change the store",
    "switched-off": "only a person changes",
}
READING = ("sixth", "stray", "sweep", "search")


class Session(NamedTuple):
    """The state of a project after a model has tried everything."""

    agent: Agent
    run: Run
    results: Mapping[str, str]
    requests: Sequence[Request]

    @property
    def project(self) -> Path:
        """The root of the project."""
        return self.agent.hands.project


def registry(client: str) -> Mapping[str, Any]:
    """Return the record of the host that a client is."""
    record: Mapping[str, Any] = REGISTRY[client.partition("-")[0]]
    return record


def place(slug: str) -> str:
    """Return the path of a fact."""
    return f"{STORE}/semantic/{slug}.md"


def fact(slug: str, source: str = "derived", quote: str = "", body: str = BODY) -> str:
    """Return the text of a fact."""
    evidence = f'- evidence: user {store_project.TODAY}: "{quote}"\n' if quote else ""
    return (
        f"# About {slug}\n\n- cue: {store_project.cue_of(slug)}\n"
        f"- as_of: {store_project.TODAY}\n"
        f"- source: {source}\n- scope: deploy\n- expires: never\n{evidence}\n{body}\n"
    )


def tries(hands: Hands) -> dict[str, Call]:
    """Return what the model does; what it opens, Claude Code lets it edit later."""
    registration = registry(hands.client)["hooks"]["file"]
    remembered = f"{REMEMBER} semantic remembered <<'END'\n{fact('remembered')}END"
    waited, went_well = "Result: writers waited.", "Result: all went well."
    user = "- source: user-confirmed"
    return {
        "map": hands.read(INDEX),
        "sweep": hands.shell(f"cat {STORE}/semantic/*.md"),
        "search": hands.shell(f"grep -r port {STORE}"),
        "stray": hands.read(place("stray")),
        **{slug: hands.read(place(slug)) for slug in FACTS[:3]},
        "hint": hands.read(HINT),
        "locked-table": hands.read(EPISODE),
        "sixth": hands.read(place(FACTS[3])),
        "again": hands.read(place(FACTS[0])),
        "remembered": hands.shell(remembered),
        "quoted": hands.write(
            place("quoted"), fact("quoted", "user-confirmed", PROMPT)
        ),
        "invented": hands.write(
            place("invented"), fact("invented", "user-confirmed", "tabs, always")
        ),
        "invented-by-script": hands.shell(
            f"{REMEMBER} semantic invented-by-script <<'END'\n"
            f"{fact('invented-by-script', 'user-confirmed', 'tabs, always')}END"
        ),
        "secret": hands.write(place("secret"), fact("secret", body=f"Use {TOKEN}.")),
        "secret-by-edit": hands.edit(place(FACTS[0]), BODY, f"Use {TOKEN}."),
        "missing-field": hands.write(
            place("short"), fact("short").replace("- scope: deploy\n", "")
        ),
        "fifth-drawer": hands.write(f"{STORE}/people/anna.md", fact("anna")),
        "episode": hands.edit(EPISODE, waited, went_well),
        "raised": hands.edit(HINT, "- source: derived", user),
        "by-shell": hands.shell(f"echo x > {place('by-shell')}"),
        "delete": hands.shell(f"rm {place(FACTS[0])}"),
        "allow": hands.write(".agents/eco-mem.allow", "G01 x\n"),
        "allow-by-shell": hands.shell("echo x >> .agents/eco-mem.allow"),
        "see-protocol": hands.read(f"{copier_project.SKILL}/SKILL.md"),
        "protocol": hands.edit(
            f"{copier_project.SKILL}/SKILL.md", "name: eco-mem", "name: x"
        ),
        "gate": hands.shell(
            f"sed -i s/error/ok/ {copier_project.SKILL}/scripts/ecomem/gate/scanner.py"
        ),
        "see-registration": hands.read(registration),
        "registration": hands.write(registration, "{}\n"),
        "nearly": hands.edit(place(FACTS[1]), f"    {BODY}", f"Use {TOKEN}."),
        "wrapped": hands.shell(f"timeout 9 nice -n 5 rm {place(FACTS[0])}"),
        "commented": hands.shell(f"cat {STORE}/semantic/*.md # *** Begin Patch"),
        "by-stream": hands.shell(f"printf x | dd of={place('by-stream')}"),
        "moved-away": hands.shell("mv .agents/skills .agents/old"),
        "by-code": hands.shell(
            f"python3 -c \"import os; os.remove('{place(FACTS[0])}')\""
        ),
        "switched-off": hands.shell(f"rm -rf {registration.split('/')[0]}"),
        "good": hands.write(PATH, fact("health-port")),  # and leaves it without a row
    }


@pytest.fixture(scope="module", params=HOSTS)
def session(
    request: pytest.FixtureRequest,
    agent: MakeAgent,
    lay: Lay,
    guarded: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Session:
    """A host in which a model tried everything."""
    host = str(request.param)
    root = tmp_path_factory.mktemp("session") / "project"
    alone = lay("copilot", {}, *GUARD) if host == ALONE else guarded
    project = store_project.Project(shutil.copytree(alone, root, symlinks=True))
    for slug in FACTS:
        project.entry("semantic", slug)
    project.entry("semantic", "hint", {"source": "derived", "evidence": None})
    project.entry("semantic", "stray", listed=False)
    project.entry("episodic", "locked-table")
    copier_project.commit(root)
    client = agent("copilot" if host == ALONE else host, root)
    calls = tries(client.hands)
    run = client.run(*calls.values())
    results, requests = dict(zip(calls, run.results, strict=True)), run.requests
    if host == "opencode":  # it is told about the end of a turn in the next one
        requests = requests + client.run(rights=("--continue",)).requests
    return Session(client, run, results, requests)


def marks(client: str) -> list[str]:
    """Return the row of a host in docs/guard.md, without its name."""
    page = copier_project.text(copier_project.SOURCE / "docs/guard.md").partition(
        "<!-- guard:begin -->"
    )[2]
    row = page.partition(f"\n| {registry(client)['name']} ")[2].partition("\n")[0]
    return [cell.strip() for cell in row.split("|")[1:-1]]


def changed(project: Path) -> set[str]:
    """Return what differs from what was committed.

    OpenCode adds files of its own; Qwen Code writes a version into its settings.
    """
    lines = copier_project.git(
        project, "status", "--porcelain", "--untracked-files=all"
    )
    paths = {line[3:] for line in lines.splitlines()}
    settings = ".qwen/settings.json"
    if settings in paths:
        assert "hook.py" in copier_project.text(project / settings)
    own = (".opencode/", settings)
    return {path for path in paths if not path.startswith(own)}


def test_the_page_says_what_is_shown_here(session: Session) -> None:
    client = session.agent.hands.client
    quoting = "not possible" if client in WITHOUT_TRANSCRIPT else "enforced"
    ending = "advised, next turn" if client == "opencode" else "advised"
    judged = ["enforced", "enforced", "enforced, if named"]
    assert marks(client) == [*judged, quoting, ending, "e2e"]


def test_the_model_is_shown_the_maps_once_when_it_starts(session: Session) -> None:
    first, last = (session.run.requests[at].text for at in (0, -1))
    assert first.count(START) == last.count(START) == 1
    assert first.count(store_project.row_of(FACTS[0])) == 1


def test_a_map_and_an_entry_with_a_row_are_read(session: Session) -> None:
    assert "# Semantic" in session.results["map"]
    for slug in (*FACTS[:3], "hint"):
        assert BODY in session.results[slug]
    assert "Result: writers waited." in session.results["locked-table"]


def test_an_entry_that_is_open_is_read_again(session: Session) -> None:
    again = session.results["again"]
    assert BODY in again or "unchanged since last read" in again


@pytest.mark.parametrize("name", REFUSED)
def test_the_model_gets_the_reason_of_a_refusal_once(
    session: Session, name: str
) -> None:
    told = session.results[name]
    assert not REFUSED[name] or told.count(REFUSED[name]) == 1
    assert BODY not in told or name not in READING


def test_good_entries_land_and_nothing_else_is_changed(session: Session) -> None:
    written = {PATH, INDEX, place("remembered"), place("quoted")}
    if session.agent.hands.client in WITHOUT_TRANSCRIPT:
        written |= {place("invented"), place("invented-by-script")}
    assert changed(session.project) == written
    assert copier_project.text(session.project / PATH) == fact("health-port")
    assert store_project.row_of("remembered") in copier_project.text(
        session.project / INDEX
    )


@pytest.mark.parametrize("name", ["invented", "invented-by-script"])
def test_a_quotation_must_be_real_where_there_is_a_transcript(
    session: Session, name: str
) -> None:
    refused = session.agent.hands.client not in WITHOUT_TRANSCRIPT
    assert ("The user did not say these words" in session.results[name]) is refused


def test_what_does_not_pass_the_check_is_told_once(session: Session) -> None:
    told = [request.text for request in session.requests if END in request.text]
    assert len(told) == 1
    assert UNLISTED in told[0]
    assert Path(PATH).name in told[0]


def test_a_compaction_shows_the_maps_again_and_opens_five_entries_more(
    agent: MakeAgent, guarded: Path, tmp_path: Path
) -> None:
    project = store_project.Project(shutil.copytree(guarded, tmp_path / "project"))
    slugs = [f"fact-{number}" for number in range(1, 8)]
    for slug in slugs:
        project.entry("semantic", slug)
    client = agent("claude", project.root)
    go_on = (*CLIENTS["claude"].everything, "--continue")
    reads = [client.hands.read(place(slug)) for slug in slugs]
    before = client.run(*reads[:6])
    assert REFUSED["sixth"] in before.results[5]
    client.run(rights=go_on, prompt="/compact")
    after = client.run(*reads[1:], rights=go_on)
    assert after.requests[0].text.count(START) == 1
    assert [REFUSED["sixth"] in told for told in after.results] == [False] * 5 + [True]
