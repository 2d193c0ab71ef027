"""One entry for a model to write, and where everything about it lies."""

from datetime import date

import lab

VERIFY = f"python3 {lab.SKILL}/scripts/verify.py"
REMEMBER = f"python3 {lab.SKILL}/scripts/remember.py"
INDEX = f"{lab.STORE}/semantic/INDEX.md"
PATH = f"{lab.STORE}/semantic/health-port.md"
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
