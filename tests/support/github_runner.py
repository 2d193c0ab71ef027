"""Runs a job of a GitHub workflow as the runner of GitHub does, without GitHub.

It stops at whatever it does not know: an action, a function or a context in an
expression, a shell. So a job that passes here was read as GitHub reads it. It does not
stand for the forge itself: events, permissions, rulesets and images are not tried.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from store_project import environment

Context = dict[str, Any]  # what expressions can name
Action = Callable[[Mapping[str, str], Path], None]  # its inputs, and the workspace

TOKENS = re.compile(r"\s*(?:(&&|\|\||==|!=|!|[().,])|'((?:[^']|'')*)'|([\w-]+))")
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
STATUS = re.compile(r"\b(success|failure|always|cancelled)\(")
SHELLS = {"bash": ("bash", "--noprofile", "--norc", "-eo", "pipefail")}


class Step(NamedTuple):
    """A step that ran or was skipped."""

    name: str
    is_script: bool  # not an action
    outcome: str  # success, failure or skipped, before continue-on-error
    code: int


class Job(NamedTuple):
    """A finished job."""

    code: int  # of the first step that made it fail; 0 if it passed
    text: str
    summary: str
    steps: list[Step]
    outputs: dict[str, str]

    @property
    def codes(self) -> list[int]:
        """The exit code of each script that ran."""
        return [
            step.code
            for step in self.steps
            if step.is_script and step.outcome != "skipped"
        ]


class Expression:
    """One expression of a workflow, evaluated in a context."""

    def __init__(self, text: str, context: Context, failed: bool) -> None:
        self.tokens = self._split(text)
        self.context = context
        self.functions = {
            "success": not failed,
            "failure": failed,
            "always": True,
            "cancelled": False,
        }

    @staticmethod
    def _split(text: str) -> list[tuple[str, str, str]]:
        tokens, at = [], 0
        text = text.rstrip()
        while at < len(text):
            match = TOKENS.match(text, at)
            if not match:
                raise ValueError(f"unknown expression: {text}")
            sign, quoted, name = match.groups()
            kind = "sign" if sign else "text" if quoted is not None else "name"
            tokens.append((kind, sign or quoted or name or "", text))
            at = match.end()
        return tokens

    def value(self) -> Any:
        """Return the value of the whole expression."""
        value = self._either()
        if self.tokens:
            raise ValueError(f"unknown expression: {self.tokens[0]}")
        return value

    def _next_is(self, *signs: str) -> str:
        if self.tokens and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs:
            return self.tokens.pop(0)[1]
        return ""

    def _either(self) -> Any:
        value = self._both()
        while self._next_is("||"):
            other = self._both()
            value = value or other
        return value

    def _both(self) -> Any:
        value = self._equal()
        while self._next_is("&&"):
            other = self._equal()
            value = value and other
        return value

    def _equal(self) -> Any:
        value = self._one()
        while sign := self._next_is("==", "!="):
            same = str(value).lower() == str(self._one()).lower()
            value = same if sign == "==" else not same
        return value

    def _one(self) -> Any:
        if self._next_is("!"):
            return not self._one()
        if self._next_is("("):
            value = self._either()
            if not self._next_is(")"):
                raise ValueError("a bracket is open")
            return value
        kind, word, text = self.tokens.pop(0)
        if kind == "text":
            return word.replace("''", "'")
        if kind != "name":
            raise ValueError(f"unknown expression: {text}")
        if self._next_is("("):
            if not self._next_is(")"):
                raise ValueError(f"unknown expression: {text}")
            return self.functions[word]
        found: Any = self.context[word]
        while self._next_is("."):
            _, key, _ = self.tokens.pop(0)
            found = found.get(key, "") if isinstance(found, dict) else ""
        return found


def filled(text: str, context: Context, failed: bool = False) -> str:
    """Return a text with its expressions replaced by their values."""
    return EXPRESSION.sub(
        lambda match: str(Expression(match[1], context, failed).value()), text
    )


def is_true(condition: str, context: Context, failed: bool) -> bool:
    """Return whether a step with this condition runs."""
    text = condition.strip()
    if text.startswith("${{"):
        text = text[3:].removesuffix("}}")
    if not text:
        return not failed
    if not STATUS.search(text) and failed:
        return False
    return bool(Expression(text, context, failed).value())


def assignments(text: str) -> dict[str, str]:
    """Return what a step wrote to GITHUB_ENV or GITHUB_OUTPUT."""
    found: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, equals, value = line.partition("=")
        if not equals or "<<" in name:
            raise ValueError(f"not an assignment that we know: {line}")
        found[name] = value
    return found


class Runner(NamedTuple):
    """One machine: its workspace, and what a forge tells it."""

    workspace: Path
    temp: Path  # RUNNER_TEMP
    github: Context
    secrets: Mapping[str, str]
    actions: Mapping[str, Action]  # by name, without the version
    env: Mapping[str, str]

    def run(self, workflow: Mapping[Any, Any], name: str, **needs: Job) -> Job:
        """Run a job, if its condition allows it. needs: the jobs before it, by name."""
        # YAML 1.1 reads the key `on` as true.
        triggers = workflow.get("on", workflow.get(True))
        assert self.github["event_name"] in triggers, "the workflow does not run"
        told = {key: {"outputs": job.outputs} for key, job in needs.items()}
        failed = any(job.code for job in needs.values())
        run = _Run(self, workflow, name, told)
        if not is_true(str(run.job.get("if", "")), run.context, failed):
            return Job(0, "", "", [], {})
        return run.all_steps()


class _Run:
    """The state of a job between its steps."""

    def __init__(
        self, runner: Runner, workflow: Mapping[Any, Any], name: str, needs: Context
    ) -> None:
        self.runner = runner
        self.job = workflow["jobs"][name]
        defaults = {**workflow.get("defaults", {}), **self.job.get("defaults", {})}
        self.defaults: Mapping[str, str] = defaults.get("run", {})
        self.context: Context = {
            "github": {"token": "", **runner.github},
            "secrets": dict(runner.secrets),
            "runner": {"temp": str(runner.temp)},
            "needs": needs,
            "steps": {},
            "env": {},
        }
        self.files = runner.temp / "_runner_file_commands"
        self.files.mkdir(parents=True, exist_ok=True)
        self.env: dict[str, str] = {}
        for part in (workflow, self.job):
            self.env |= {k: self.fill(str(v)) for k, v in part.get("env", {}).items()}
        self.failed = False
        self.printed: list[str] = []
        self.summary: list[str] = []

    def fill(self, text: str) -> str:
        return filled(text, self.context, self.failed)

    def all_steps(self) -> Job:
        steps = [self.step(at, step) for at, step in enumerate(self.job["steps"])]
        codes = [
            step.code
            for step, told in zip(steps, self.job["steps"], strict=True)
            if step.code and not told.get("continue-on-error")
        ]
        outputs = self.job.get("outputs", {})
        return Job(
            codes[0] if self.failed else 0,
            "".join(self.printed),
            "".join(self.summary),
            steps,
            {key: self.fill(value) for key, value in outputs.items()},
        )

    def step(self, at: int, step: Mapping[str, Any]) -> Step:
        key = step.get("id", f"__{at}")
        name = step.get("name", key)
        if not is_true(str(step.get("if", "")), self.context, self.failed):
            self.context["steps"][key] = {"outcome": "skipped", "outputs": {}}
            return Step(name, "run" in step, "skipped", 0)
        code, outputs = self.script(step) if "run" in step else self.action(step)
        outcome = "failure" if code else "success"
        self.context["steps"][key] = {"outcome": outcome, "outputs": outputs}
        self.failed |= bool(code) and not step.get("continue-on-error")
        return Step(name, "run" in step, outcome, code)

    def action(self, step: Mapping[str, Any]) -> tuple[int, dict[str, str]]:
        inputs = {k: self.fill(str(v)) for k, v in step.get("with", {}).items()}
        self.runner.actions[step["uses"].partition("@")[0]](
            inputs, self.runner.workspace
        )
        return 0, {}

    def script(self, step: Mapping[str, Any]) -> tuple[int, dict[str, str]]:
        own = {k: self.fill(str(v)) for k, v in step.get("env", {}).items()}
        paths = {}
        for name in ("ENV", "OUTPUT", "STEP_SUMMARY"):
            paths[name] = self.files / name
            paths[name].write_text("")
        script = self.files / "script.sh"
        script.write_text(self.fill(step["run"]))
        folder = step.get("working-directory", self.defaults["working-directory"])
        github = self.runner.github
        told = {
            **self.runner.env,
            "PYTHONPYCACHEPREFIX": "",  # a runner has none
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": github["event_name"],
            "GITHUB_BASE_REF": github.get("base_ref", ""),
            "GITHUB_WORKSPACE": str(self.runner.workspace),
            "RUNNER_TEMP": str(self.runner.temp),
            **{f"GITHUB_{name}": str(path) for name, path in paths.items()},
        }
        done = subprocess.run(
            [*SHELLS[step.get("shell", self.defaults["shell"])], str(script)],
            cwd=self.runner.workspace / folder,
            env=environment(**{**told, **self.env, **own}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60 * self.job["timeout-minutes"],
            check=False,
        )
        self.printed.append(done.stdout.decode("utf-8", "replace"))
        self.summary.append(paths["STEP_SUMMARY"].read_text("utf-8"))
        self.env |= assignments(paths["ENV"].read_text("utf-8"))
        return done.returncode, assignments(paths["OUTPUT"].read_text("utf-8"))
