"""Name the files of this folder that the gate refuses, as a scanner would."""

from __future__ import annotations

from pathlib import Path

from ecomem.gate.scanner import scan


def main() -> None:
    """Print a name a line."""
    for path in sorted(Path().glob("*.md")):
        if any(hit.level == "error" for hit in scan(path.read_text())):
            print(path.name)


if __name__ == "__main__":
    main()
