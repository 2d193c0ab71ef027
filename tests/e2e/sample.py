"""One entry for a model to write, and where everything about it lies."""

from datetime import date

import copier_project

VERIFY = f"python3 {copier_project.SKILL}/scripts/verify.py"
REMEMBER = f"python3 {copier_project.SKILL}/scripts/remember.py"
INDEX = f"{copier_project.STORE}/semantic/INDEX.md"
PATH = f"{copier_project.STORE}/semantic/health-port.md"
ROW = "- [health-port](health-port.md): which port health checks must use"
OLD = "Use the first port."
NEW = "Use the second port."
ENTRY = f"""\
# Health checks have a port of their own

- cue: which port health checks must use
- as_of: {date.today()}
- source: derived
- scope: deploy
- expires: never

{OLD}
"""
