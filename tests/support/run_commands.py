"""Running the laid-down commands other than verify, as a person or agent would."""

import os
import subprocess
import sys
from collections.abc import Sequence

from store_project import PYTHON, Project, Run, environment


def command(project: Project, name: str, *arguments: str, given: str = "") -> Run:
    """Run remember.py or forget.py in a project, with text on its standard input."""
    done = subprocess.run(
        [PYTHON, project.script(f"{name}.py"), *arguments],
        cwd=project.root,
        env=environment(),
        input=given.encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    return Run(done.returncode, done.stdout.decode("ascii"), done.stderr.decode())


KILLED = """
import os, sys
from importlib import import_module
sys.path.insert(0, {folder!r})
left = {call}
def stop(real):
    def at_last(*a, **k):
        global left
        left -= 1
        if not left:
            os._exit(9)
        return real(*a, **k)
    return at_last
for owner, name in {stops!r}:
    home = import_module(owner)
    setattr(home, name, stop(getattr(home, name)))
sys.exit(import_module({module!r}).main({words!r}))
"""
CHANGES = (("os", "open"), ("os", "replace"), ("os", "unlink"))


def run_killed(
    folder: str,
    module: str,
    words: Sequence[str],
    call: int,
    stops: Sequence[tuple[str, str]],
    given: str = "",
) -> int:
    """Run main of a module, and let it die at that call of one of some functions."""
    program = KILLED.format(
        folder=folder, module=module, words=[*words], call=call, stops=[*stops]
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=given.encode(),
        env=environment(),
        capture_output=True,
        check=False,
    )
    return done.returncode


def killed(
    project: Project, name: str, words: list[str], call: int, given: str = ""
) -> None:
    """Run a command, and let it die as it opens or changes a file, at that call."""
    scripts = os.path.dirname(project.script(f"{name}.py"))
    run_killed(scripts, name, words, call, CHANGES, given)
