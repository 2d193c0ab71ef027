"""Write one memory: this only starts ecomem/remember.py.

Python compiles a script that it starts each time, and a module only once.
"""

from __future__ import annotations

from ecomem import cli, remember

if __name__ == "__main__":
    cli.run(remember.main)
