# /// script
# requires-python = ">=3.11"
# dependencies = ["jinja2"]
# ///
"""Make one HTML page of what a memory contains, and print it.

    page.py PROJECT [--base REF] > memory.html

The page is one file and loads nothing else: its content security policy allows only
its own style and script. Text of entries is escaped; what the gate refuses is not
shown. Keep the page as private as the repository. Exit codes: 0 printed, 2 could not
run.
"""

from __future__ import annotations

import argparse
import base64
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
SCRIPTS = TOOLS.parent / "template/.agents/skills/eco-mem/scripts"
HERE = TOOLS / "page"
# The folder of this file would hide the package `page` behind this module.
sys.path[:] = [
    str(TOOLS),
    str(SCRIPTS),
    *(path for path in sys.path if path != str(HERE)),
]

import jinja2  # noqa: E402
from ecomem import changes  # noqa: E402
from ecomem.baseline import UnknownBase  # noqa: E402
from ecomem.store import STORE  # noqa: E402

from page import charts, model  # noqa: E402


def main(words: Sequence[str]) -> int:
    """Run the command line. Returns the exit code."""
    options = arguments(words)
    if not (options.project / STORE).is_dir():
        print(f"page: {options.project} has no {STORE}", file=sys.stderr)
        return 2
    try:
        page = model.collect(options.project, options.base)
    except UnknownBase:
        print(
            f"page: {options.base} is no commit here; fetch it first", file=sys.stderr
        )
        return 2
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(render(page))
    return 0


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("project", type=Path, help="a project that has a memory")
    parser.add_argument("--base", default="", metavar="REF", help="compare with REF")
    return parser.parse_args(words)


def render(page: model.Page) -> str:
    """Return the page as HTML."""
    style = (HERE / "page.css").read_text("utf-8")
    script = (HERE / "page.js").read_text("utf-8")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown
    environment.filters["header_changes"] = changes.header_changes
    environment.filters["new_evidence"] = changes.new_evidence
    environment.filters["facts_of"] = model.facts_of
    template = environment.get_template("page.html.jinja")
    return template.render(
        page=page,
        style=style,
        script=script,
        policy=policy(style, script),
        bars=charts.bars(page),
        timeline=charts.timeline(page),
        states=model.STATES,
        most=model.MAX_SAME,
        shown_changes=model.MAX_CHANGES,
        quiet=model.QUIET,
    )


def policy(style: str, script: str) -> str:
    """Return a content security policy that allows this style and this script alone."""
    return (
        f"default-src 'none'; style-src '{hash_of(style)}'; "
        f"script-src '{hash_of(script)}'; base-uri 'none'; form-action 'none'"
    )


def hash_of(text: str) -> str:
    """Return the hash of an inline text as a policy spells it."""
    digest = sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def shown(text: str) -> str:
    """Return text with a visible escape for each sign that shows nothing."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else ascii(char)[1:-1]
        for char in text
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
