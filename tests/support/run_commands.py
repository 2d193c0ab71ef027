"""Running the laid-down commands other than verify, as a person or agent would."""

import subprocess
import sys

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
sys.path.insert(0, os.path.dirname({script!r}))
left = {call}
def stop(real):
    def at_last(*a, **k):
        global left
        left -= 1
        if not left:
            os._exit(9)
        return real(*a, **k)
    return at_last
for name in ("open", "replace", "unlink"):
    setattr(os, name, stop(getattr(os, name)))
import {name}
sys.exit({name}.main({words!r}))
"""


def killed(
    project: Project, name: str, words: list[str], call: int, given: str = ""
) -> None:
    """Run a command, and let it die as it opens or changes a file, at that call."""
    script = project.script(f"{name}.py")
    program = KILLED.format(script=script, call=call, name=name, words=words)
    subprocess.run(
        [sys.executable, "-c", program],
        input=given.encode(),
        env=environment(),
        capture_output=True,
        check=False,
    )
