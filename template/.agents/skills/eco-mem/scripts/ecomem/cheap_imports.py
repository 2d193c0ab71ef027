"""Stand-ins for two parts of the standard library that are slow to import.

`typing` takes 0.6 times, and `hashlib` 0.4 times, what an empty interpreter takes to
start: more than reading a store of 130 entries. `collections.namedtuple` compiles code
for each class, another 0.3 times for ours. Type checkers see the real ones.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take a variable of this name for True
if TYPE_CHECKING:
    from hashlib import sha256 as sha256
    from typing import NamedTuple as NamedTuple
else:
    from operator import itemgetter

    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:  # an interpreter without its own code for it
            from hashlib import sha256  # noqa: F401
    try:
        from _collections import _tuplegetter as getter
    except ImportError:

        def getter(at, text):
            """Make an attribute that reads one item of a tuple."""
            return property(itemgetter(at), doc=text)

    class _Maker(type):
        """Make a tuple class: its annotated fields become attributes."""

        def __new__(mcs, name, bases, body):
            fields = tuple(body.get("__annotations__", ()))
            body["_fields"] = fields
            body["_defaults"] = {key: body.pop(key) for key in fields if key in body}
            for at, key in enumerate(fields):
                body[key] = getter(at, f"Field {at}")
            body["__slots__"] = ()
            return super().__new__(mcs, name, bases, body)

    class NamedTuple(tuple, metaclass=_Maker):
        """Base of classes whose annotated fields become those of a tuple."""

        def __new__(cls, *values, **named):
            """Make a tuple of its fields, by position or by name."""
            if named or len(values) != len(cls._fields):
                values = cls._all_values(values, named)
            return tuple.__new__(cls, values)

        @classmethod
        def _all_values(cls, values, named):
            """The values of all fields. Raises TypeError for one too few or many."""
            given = dict(zip(cls._fields, values))
            filled = {**cls._defaults, **given, **named}
            strange = len(values) > len(cls._fields) or given.keys() & named.keys()
            if strange or filled.keys() != {*cls._fields}:
                raise TypeError(f"{cls.__name__} has the fields {cls._fields}")
            return tuple(filled[field] for field in cls._fields)

        def _replace(self, **changes):
            """A copy with other values in some fields."""
            return type(self)(**{**self._asdict(), **changes})

        def _asdict(self):
            """The fields as a dictionary."""
            return dict(zip(self._fields, self))

        def __repr__(self):
            """The class and its fields."""
            fields = (f"{key}={value!r}" for key, value in self._asdict().items())
            return f"{type(self).__name__}({', '.join(fields)})"

        def __getnewargs__(self):
            """The arguments with which copying and pickling make it anew."""
            return tuple(self)
