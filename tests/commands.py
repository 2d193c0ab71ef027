"""Running the laid-down commands other than verify, as a person or agent would."""

import subprocess

from stores import PYTHON, SKILL, Project, Run, environment


def command(project: Project, name: str, *arguments: str, given: str = "") -> Run:
    """Run remember.py or forget.py in a project, with text on its standard input."""
    done = subprocess.run(
        [PYTHON, str(project.path(f"{SKILL}/scripts/{name}.py")), *arguments],
        cwd=project.root,
        env=environment(),
        input=given.encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    return Run(done.returncode, done.stdout.decode("ascii"), done.stderr.decode())
