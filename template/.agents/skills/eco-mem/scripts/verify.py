"""Check the memory of this repository: this only starts ecomem/verify.py.

Python compiles a script that it starts each time, and a module only once.
"""

from __future__ import annotations

from ecomem import cli, verify

if __name__ == "__main__":
    cli.run(verify.main)
