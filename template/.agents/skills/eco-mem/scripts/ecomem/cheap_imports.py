"""Stand-ins for two parts of the standard library that are slow to import.

`typing` takes 0.6 times, and `hashlib` 0.4 times, what an empty interpreter takes to
start: more than reading a store of 130 entries. `functools` and `collections.abc` take
0.5 times, for what their C modules have too. `collections.namedtuple` compiles code for
each class, another 0.3 times for ours. Type checkers see the real ones.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # type checkers take a variable of this name for True
if TYPE_CHECKING:
    from collections import defaultdict as defaultdict
    from collections.abc import Callable as Callable
    from collections.abc import Container as Container
    from collections.abc import Iterable as Iterable
    from collections.abc import Iterator as Iterator
    from collections.abc import Mapping as Mapping
    from collections.abc import Sequence as Sequence
    from contextlib import nullcontext as nullcontext
    from contextlib import suppress as suppress
    from functools import cache as cache
    from functools import lru_cache as lru_cache
    from functools import partial as partial
    from hashlib import sha256 as sha256
    from json import loads
    from json.encoder import encode_basestring_ascii
    from typing import NamedTuple as NamedTuple

    parse_json, json_string = loads, encode_basestring_ascii
else:
    from _collections import defaultdict  # noqa: F401
    from _collections_abc import (  # noqa: F401
        Callable,
        Container,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    _JSON_SPACE = " \t\n\r"
    try:
        from _functools import _lru_cache_wrapper, partial

        def lru_cache(size):
            """Cache the results of a function for its last arguments."""
            return lambda function: _lru_cache_wrapper(function, size, False, tuple)

        cache = lru_cache(None)
    except ImportError:
        from functools import cache, lru_cache, partial  # noqa: F401

    def sha256(data):
        """Like `hashlib.sha256`."""
        try:
            if sys.version_info >= (3, 12):
                from _sha2 import sha256 as start
            else:
                from _sha256 import sha256 as start
        except ImportError:  # an interpreter without its own code for it
            from hashlib import sha256 as start
        return start(data)

    try:
        from _collections import _tuplegetter as getter
    except ImportError:

        def getter(at, text):
            """Make an attribute that reads one item of a tuple."""
            from operator import itemgetter

            return property(itemgetter(at), doc=text)

    class suppress:
        """Let exceptions of these kinds end a block, and go on after it."""

        def __init__(self, *kinds):
            self.kinds = kinds

        def __enter__(self):
            """Begin the block."""

        def __exit__(self, kind, *rest):
            """End the block. Returns whether its exception is suppressed."""
            return kind is not None and issubclass(kind, self.kinds)

    nullcontext = suppress  # where no kind is named

    try:
        from _json import encode_basestring_ascii as json_string
    except ImportError:
        from json.encoder import encode_basestring_ascii as json_string  # noqa: F401

    class _JSON:
        """The settings that the JSON reader in C takes: those of `json.loads`."""

        strict, memo = True, {}
        object_hook = object_pairs_hook = None
        parse_float, parse_int = float, int
        parse_constant = float

    def parse_json(text):
        """Like `json.loads`, for text, and for bytes in UTF-8. Raises ValueError."""
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig", "surrogatepass")
        start = text.lstrip(_JSON_SPACE)
        try:
            from _json import make_scanner

            value, end = make_scanner(_JSON)(start, 0)
            if not start[end:].strip(_JSON_SPACE):
                return value
        except (ImportError, StopIteration, SystemError):
            pass  # SystemError: it says what is wrong only where json was imported
        from json import loads

        return loads(text)  # which says what is wrong

    class _Maker(type):
        """Make a tuple class: its annotated fields become attributes."""

        def __new__(mcs, name, bases, body):
            fields = tuple(body.get("__annotations__", ()))
            body["_fields"] = fields
            body["_defaults"] = {key: body.pop(key) for key in fields if key in body}
            for at, key in enumerate(fields):
                body[key] = getter(at, f"Field {at}")
            missing = [key for key in fields if key not in body["_defaults"]]
            body["_required"], body["_field_set"] = len(missing), {*fields}
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
            if not named and cls._required <= len(values) < len(cls._fields):
                rest = cls._fields[len(values) :]
                return (*values, *[cls._defaults[field] for field in rest])
            first = cls._fields[: len(values)]
            filled = {**cls._defaults, **dict(zip(first, values)), **named}
            twice = len(first) < len(values) or not named.keys().isdisjoint(first)
            if twice or filled.keys() != cls._field_set:
                raise TypeError(f"{cls.__name__} has the fields {cls._fields}")
            return [filled[field] for field in cls._fields]

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
