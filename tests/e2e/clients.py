"""Real agent programs: which ones, how to install them, how to run one offline.

A client runs without a terminal, against a scripted model, in a network and a process
namespace of its own: it reaches nothing but that model, and leaves no process behind.
Its home is a scratch folder that holds no more than what `Launch` puts there.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from e2e import fake_model
from e2e.fake_model import URL, Call, Turn

MACHINE = dict(os.environ)  # before the tests isolate themselves: npm may need settings
CACHE = Path(MACHINE.get("XDG_CACHE_HOME") or Path.home() / ".cache")
INSTALLED = CACHE / "eco-mem-clients"
INSTALL_SECONDS = 300
RUN_SECONDS = 120
PROMPT = "Do what the script says."
NOTHING: Mapping[str, str] = {}

Step = Turn | Call


class Visit(NamedTuple):
    """The purpose that a client is started for."""

    project: Path
    trusted: bool  # whether the person at the keyboard said so, in their own settings
    prompt: str


class Launch(NamedTuple):
    """The needs of a client: files below its home, its arguments, its environment."""

    files: Mapping[str, str]
    words: Sequence[str]
    env: Mapping[str, str]


class Client(NamedTuple):
    """An agent program of the npm registry.

    `everything` are the arguments with which it does all that the model asks for, and
    runs the hooks of a trusted project without a review. A test that is about rights
    gives others. `plugin` is what it would fetch for a plugin of a project, before it
    asks the model anything: a package of the same version, for a file that imports it.
    """

    package: str
    version: str
    command: str
    everything: Sequence[str]
    launch: Callable[[Visit], Launch]
    plugin: str = ""

    @property
    def packages(self) -> list[str]:
        """The packages that npm installs."""
        names = filter(None, (self.package, self.plugin))
        return [f"{name}@{self.version}" for name in names]

    @property
    def folder(self) -> Path:
        """The folder of this version, outside the repository."""
        name = f"{self.command}-{self.version}"
        return INSTALLED / (f"{name}-plugin" if self.plugin else name)

    @property
    def program(self) -> Path:
        """The file to run."""
        return self.folder / "node_modules/.bin" / self.command


class Request(NamedTuple):
    """The messages that a client sent to the model."""

    path: str
    body: Any

    @property
    def tools(self) -> list[str]:
        """The names of the tools that the model was offered."""
        return fake_model.offered(self.body)

    @property
    def results(self) -> list[str]:
        """The results of the tool calls so far, in their order."""
        return fake_model.results(self.body)

    @property
    def text(self) -> str:
        """All text, a line a string."""
        return "\n".join(fake_model.strings(self.body))


class Run(NamedTuple):
    """A finished run. `requests` are those that offered tools: the turns."""

    code: int
    requests: list[Request]
    stdout: str
    stderr: str

    @property
    def tools(self) -> list[str]:
        """The names of the tools that the model was offered."""
        return self.requests[0].tools

    @property
    def results(self) -> list[str]:
        """The results of the tool calls of the script, in their order."""
        return self.requests[-1].results


def install(names: Sequence[str]) -> dict[str, str]:
    """Install clients side by side; return why each is missing, empty if it is not.

    A second process that wants the same waits for the first.
    """
    INSTALLED.mkdir(parents=True, exist_ok=True)
    with (INSTALLED / "lock").open("w") as lock, ThreadPoolExecutor(len(names)) as pool:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return dict(zip(names, pool.map(_install, names), strict=True))


def _install(name: str) -> str:
    client = ALL[name]
    if client.program.exists():
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return "there is no npm"
    options = ("--no-audit", "--no-fund", "--loglevel=error")
    with tempfile.TemporaryDirectory(dir=INSTALLED) as scratch:
        whole = Path(scratch, "client")  # moved into place once it is complete
        try:
            subprocess.run(
                (npm, "install", *options, "--prefix", whole, *client.packages),
                env=MACHINE,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
                text=True,
                timeout=INSTALL_SECONDS,
            )
        except subprocess.SubprocessError as error:
            said = str(getattr(error, "stderr", "") or error).split()
            return f"npm did not install {client.packages}: {' '.join(said)[:200]}"
        if not client.program.exists():  # as two clients may be one program
            whole.rename(client.folder)
    return ""


def namespace(*command: str | Path) -> list[str]:
    """Return a command that runs `command` cut off from the network.

    Its processes end with it. Who is not root becomes root in a namespace of users.
    """
    user = () if os.geteuid() == 0 else ("--map-root-user",)
    words = ("unshare", *user, "--net", "--pid", "--fork", "--kill-child")
    return [*words, "--mount-proc", *map(str, command)]


def why_not_offline() -> str:
    """Return why a namespace cannot be had here, empty if it can."""
    if shutil.which("unshare") is None:
        return "there is no unshare (util-linux)"
    done = subprocess.run(
        namespace("true"), capture_output=True, check=False, text=True
    )
    return " ".join(done.stderr.split()) if done.returncode else ""


def run(
    name: str,
    project: Path,
    scratch: Path,
    script: Sequence[Step],
    rights: Sequence[str] | None = None,
    trusted: bool = True,
    prompt: str = PROMPT,
    env: Mapping[str, str] = NOTHING,
) -> Run:
    """Run a client once in a project, with a model that does what the script says.

    `scratch` gets the home and the requests; a second run there finds the same home.
    `rights` are arguments about what the model may do, in place of `everything`; `env`
    is added to what the client needs.
    """
    client = ALL[name]
    launch = client.launch(Visit(project, trusted, prompt))
    settle(launch, scratch)
    if client.plugin:
        for folder in (scratch / "home/.config" / name, project / f".{name}"):
            _provide(client, folder)
    rights = client.everything if rights is None else rights
    words = [str(client.program), *launch.words, *rights]
    done = offline(words, project, scratch, script, {**launch.env, **env})
    requests = [one for one in _requests(scratch) if one.tools]
    return Run(done.returncode, requests, _text(done.stdout), _text(done.stderr))


def settle(launch: Launch, scratch: Path) -> None:
    """Make the home of a client."""
    for path, content in launch.files.items():
        file = scratch / "home" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)


def offline(
    words: Sequence[str],
    folder: Path,
    scratch: Path,
    script: Sequence[Step],
    env: Mapping[str, str],
) -> subprocess.CompletedProcess[bytes]:
    """Run a program in a folder, cut off, with a model that follows the script."""
    temporary = scratch / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    turns = [[step] if isinstance(step, Call) else step for step in script]
    (scratch / "script.json").write_text(json.dumps(turns))
    (scratch / "requests.jsonl").write_text("")
    return subprocess.run(
        namespace(sys.executable, fake_model.__file__, scratch, *words),
        cwd=folder,
        env={**_environment(scratch / "home", temporary), **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=RUN_SECONDS,
    )


def _provide(client: Client, folder: Path) -> None:
    """Put what a plugin imports into a folder of settings, as if it had been fetched.

    Without it, and without a network, OpenCode tries again for more than a minute.
    """
    if folder.is_dir() and not (folder / "node_modules").exists():
        for name in ("package.json", "package-lock.json"):
            shutil.copy(client.folder / name, folder)
        (folder / "node_modules").symlink_to(client.folder / "node_modules")


def _environment(home: Path, temporary: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "DO_NOT_TRACK": "1",
    }


def _requests(scratch: Path) -> Iterator[Request]:
    with (scratch / "requests.jsonl").open() as lines:
        yield from (Request(**json.loads(line)) for line in lines)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


# How each is started. Checked on the versions of the table below.


def claude(visit: Visit) -> Launch:
    """Return how to start Claude Code."""
    trust = {str(visit.project): {"hasTrustDialogAccepted": visit.trusted}}
    state = {"hasCompletedOnboarding": True, "autoUpdates": False, "projects": trust}
    return Launch(
        {".claude.json": json.dumps(state)},
        ("-p", visit.prompt, "--model", "claude-sonnet-4-5"),
        {
            "ANTHROPIC_BASE_URL": URL,
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",  # else it refuses bypassPermissions to root
        },
    )


CODEX_CONFIG = f"""\
model = "MODEL"
model_provider = "fake"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.fake]
name = "fake"
base_url = "{URL}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
"""


def codex(visit: Visit) -> Launch:
    """Return how to start Codex."""
    config = CODEX_CONFIG.replace("MODEL", "gpt-5.5")  # its tools are called directly
    trust = f'[projects.{json.dumps(str(visit.project))}]\ntrust_level = "trusted"\n'
    return Launch(
        {".codex/config.toml": config + (trust if visit.trusted else "")},
        ("exec", "--skip-git-repo-check", visit.prompt),
        {"FAKE_KEY": "dummy"},
    )


def codex_js(visit: Visit) -> Launch:
    """Return how to start Codex with a default model, which calls from JavaScript."""
    launch = codex(visit)
    files = {
        name: text.replace("gpt-5.5", "gpt-6.2-sol")
        for name, text in launch.files.items()
    }
    return launch._replace(files=files)


def gemini(visit: Visit) -> Launch:
    """Return how to start Gemini CLI. The model is named, else a router asks first."""
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    trust = {str(visit.project): "TRUST_FOLDER"} if visit.trusted else {}
    return Launch(
        {
            ".gemini/settings.json": json.dumps(settings),
            ".gemini/trustedFolders.json": json.dumps(trust),
        },
        ("-p", visit.prompt, "-m", "gemini-2.5-pro"),
        {
            "GEMINI_API_KEY": "dummy",
            "GOOGLE_GEMINI_BASE_URL": URL,
            "GEMINI_CLI_NO_RELAUNCH": "true",  # it would start itself a second time
        },
    )


def copilot(visit: Visit) -> Launch:
    """Return how to start Copilot CLI."""
    trust = {"trustedFolders": [str(visit.project)] if visit.trusted else []}
    return Launch(
        {".copilot/config.json": json.dumps(trust)},
        ("-p", visit.prompt, "--no-auto-update", "--no-color"),
        {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{URL}/v1",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_API_KEY": "dummy",
            "COPILOT_MODEL": "gpt-4.1",
        },
    )


def opencode(visit: Visit) -> Launch:
    """Return how to start OpenCode. It asks nobody whether a folder is trusted."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "fake",
        "options": {"baseURL": f"{URL}/v1", "apiKey": "dummy"},
        "models": {"fake": {"name": "fake", "tool_call": True}},
    }
    settings = {
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "model": "fake/fake",
        "small_model": "fake/fake",
        "provider": {"fake": provider},
    }
    return Launch(
        {".config/opencode/opencode.json": json.dumps(settings)},
        ("run", visit.prompt),
        {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
        },
    )


def qwen(visit: Visit) -> Launch:
    """Return how to start Qwen Code. It asks nobody whether a folder is trusted."""
    settings = {
        "security": {"auth": {"selectedType": "openai"}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    return Launch(
        {".qwen/settings.json": json.dumps(settings)},
        (visit.prompt,),
        {
            "OPENAI_API_KEY": "dummy",
            "OPENAI_BASE_URL": f"{URL}/v1",
            "OPENAI_MODEL": "fake",
        },
    )


def factory(visit: Visit) -> Launch:
    """Return how to start Factory Droid. It asks nobody either."""
    model = {
        "model": "fake",
        "id": "custom:fake-0",
        "index": 0,
        "displayName": "fake",
        "baseUrl": f"{URL}/v1",
        "apiKey": "dummy",
        "provider": "generic-chat-completion-api",
        "maxOutputTokens": 1000,
        "noImageSupport": True,
    }
    settings = {"customModels": [model], "enableDroidShield": False}
    return Launch(
        {".factory/settings.json": json.dumps(settings)},
        ("exec", "-m", "custom:fake-0", visit.prompt),
        {
            "FACTORY_API_KEY": "fk-dummy",
            "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false",
        },
    )


CLIENTS = {
    "claude": Client(
        "@anthropic-ai/claude-code",
        "2.1.332",
        "claude",
        ("--permission-mode", "bypassPermissions"),
        claude,
    ),
    "codex": Client(
        "@openai/codex",
        "0.171.0",
        "codex",
        (
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
        ),
        codex,
    ),
    "gemini": Client("@google/gemini-cli", "0.61.0", "gemini", ("--yolo",), gemini),
    "copilot": Client(
        "@github/copilot", "1.0.102", "copilot", ("--allow-all-tools",), copilot
    ),
    "opencode": Client(
        "opencode-ai", "1.18.33", "opencode", (), opencode, "@opencode-ai/plugin"
    ),
}
# The guard is tried in these too; what they discover was looked at once, by hand.
MORE = {
    "qwen": Client("@qwen-code/qwen-code", "0.24.4", "qwen", ("--yolo",), qwen),
    "codex-js": Client(
        "@openai/codex",
        "0.171.0",
        "codex",
        (
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
        ),
        codex_js,
    ),
    "factory": Client(
        "droid", "0.215.0", "droid", ("--skip-permissions-unsafe",), factory
    ),
}
ALL = {**CLIENTS, **MORE}
