"""A stand-in for `re` that takes compiled patterns from the cache in `__pycache__`.

Importing `re` takes as long as starting Python, and compiling the patterns of the gate
half as long again. A compiled pattern is a list of numbers; it depends on the pattern,
its flags and the Python version, and on nothing else. `_sre`, the engine under `re`,
makes a pattern object of the list, and refuses one that is not valid. Where there is no
such list, or no such engine, `re` is used. Patterns are constants of ours: they never
come from an entry.
"""

from __future__ import annotations

from ecomem import cache as disk_cache
from ecomem.cheap_imports import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import ASCII as ASCII
    from re import Match as Match
    from re import Pattern as Pattern
    from re import compile as compile
    from re import escape as escape
    from re import findall as findall
    from re import finditer as finditer
    from re import fullmatch as fullmatch
    from re import match as match
    from re import search as search
    from re import split as split
    from re import sub as sub
else:
    try:
        from _sre import compile as assemble
    except ImportError:
        assemble = None

    ASCII = 256
    _made = {}  # the parts of the patterns that this process compiled

    @cache
    def compile(pattern, flags=0):
        """The pattern object of a pattern: from the cache, or else compiled."""
        try:
            parts = _saved().get((pattern, flags)) or _parts(pattern, flags)
            all_flags, code, *rest = parts
            return assemble(
                pattern, all_flags, memoryview(code).cast("I").tolist(), *rest
            )
        except (ImportError, AttributeError, TypeError, ValueError, RuntimeError):
            import re

            return re.compile(pattern, flags)

    @cache
    def _saved():
        """The parts of the patterns that were compiled before, by pattern and flags."""
        return disk_cache.load("patterns", dict) or {}

    def _parts(pattern, flags):
        """Return what the engine takes after a pattern, as `re.compile` makes it."""
        try:
            from re import _compiler as compiler
            from re import _parser as parser
        except ImportError:  # before Python 3.11
            import sre_compile as compiler
            import sre_parse as parser

        tree = parser.parse(pattern, flags)
        names = dict(tree.state.groupdict)
        by_number = {number: name for name, number in names.items()}
        count = tree.state.groups
        parts = (
            flags | tree.state.flags,
            _packed(compiler._code(tree, flags)),
            count - 1,
            names,
            tuple(by_number.get(number) for number in range(count)),
        )
        _made[pattern, flags] = parts
        return parts

    def _packed(numbers):
        """The numbers as bytes, 32 bits each, which load faster than a list."""
        from array import array

        return array("I", map(int, numbers)).tobytes()

    def match(pattern, text):
        """Like `re.match`."""
        return compile(pattern).match(text)

    def fullmatch(pattern, text):
        """Like `re.fullmatch`."""
        return compile(pattern).fullmatch(text)

    def search(pattern, text):
        """Like `re.search`."""
        return compile(pattern).search(text)

    def findall(pattern, text):
        """Like `re.findall`."""
        return compile(pattern).findall(text)

    def finditer(pattern, text):
        """Like `re.finditer`."""
        return compile(pattern).finditer(text)

    def split(pattern, text):
        """Like `re.split`."""
        return compile(pattern).split(text)

    def sub(pattern, instead, text):
        """Like `re.sub`. A backslash in instead makes the engine import `re`."""
        return compile(pattern).sub(instead, text)

    def escape(text):
        """Like `re.escape`."""
        import re

        return re.escape(text)


def save() -> None:
    """Cache the patterns that were compiled in this run, for the next one."""
    if not TYPE_CHECKING and _made:
        disk_cache.save("patterns", {**_saved(), **_made})
