"""Stand-ins for two parts of the standard library that are slow to import.

`typing` takes 0.6 times, and `hashlib` 0.4 times, what an empty interpreter takes to
start: more than reading a store of 130 entries. Type checkers see the real ones.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False  # type checkers take a variable of this name for True
if TYPE_CHECKING:
    from hashlib import sha256 as sha256
    from typing import NamedTuple as NamedTuple
else:
    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:  # an interpreter without its own code for it
            from hashlib import sha256  # noqa: F401

    class _Maker(type):
        """Make a named tuple of a class body with annotated fields."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = list(body["__annotations__"])
            values = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=values, module=body["__module__"])
            for key, value in body.items():
                if key not in fields and key not in ("__annotations__", "__qualname__"):
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """Base of classes whose annotated fields become those of a tuple."""
