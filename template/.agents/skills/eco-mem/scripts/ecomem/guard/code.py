"""Code handed to an interpreter: which guarded paths it reads or writes.

Python is read as a tree. Of other languages only calls with a plain string are known.
Code whose calls are not all known is unclear.
"""

from __future__ import annotations

from ecomem import cheap_re as re
from ecomem.cheap_imports import Callable, Iterator
from ecomem.guard import programs
from ecomem.guard.places import ANY

Use = tuple[str, str]  # read, list, write or unclear; and a path or pattern

_CALL = re.compile(r"([A-Za-z_][\w?!]*)\s*\(")
_HANDED = re.compile(r"\.(?:forEach|map|filter|some|every|each)\(\s*&?:?([\w.]+)\s*\)")
_STRING = r"""\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')\s*"""
_READ = re.compile(
    rf"(?i)\b(?:readFileSync|readFile|open|File\.read)\s*\({_STRING}[),]"
)


def uses(code: str, language: str, spells: Callable[[str], bool]) -> Iterator[Use]:
    """Return what code does with paths for which spells is true."""
    if language.startswith(("py", "pypy")):
        yield from _python(code, spells)
    else:
        yield from _other(code)


def _python(code: str, spells: Callable[[str], bool]) -> Iterator[Use]:
    import ast
    import textwrap

    try:
        tree = ast.parse(textwrap.dedent(code).strip("\n"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield "unclear", ""
        return
    known = _constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.alias) and node.asname in programs.HARMLESS_CALLS:
            yield "unclear", ""  # another function under a harmless name
        if isinstance(node, ast.Assign) and isinstance(
            node.value, (ast.Name, ast.Attribute)
        ):
            names = {getattr(target, "id", "") for target in node.targets}
            if names & programs.HARMLESS_CALLS:
                yield "unclear", ""
        if not isinstance(node, ast.Call):
            continue
        if any(map(_hands_over, node.args)):
            yield "unclear", ""
        name, owner = _name_of(node.func)
        first = _constant(node.args[0], known) if node.args else None
        mode = [_constant(value, known) for value in node.args[1:2]]
        mode += [_constant(k.value, known) for k in node.keywords if k.arg == "mode"]
        if name in programs.HARMLESS_CALLS:
            continue
        if name == "replace" and owner != "os" and len(node.args) > 1:
            continue
        if name == "load" and owner in ("json", "tomllib", "yaml", "csv"):
            continue
        if name in ("reader", "DictReader", "safe_load") and owner in ("csv", "yaml"):
            continue
        if name in programs.DUMPING_CALLS:
            continue
        if name == "open" and isinstance(node.func, ast.Name):
            writes = any(m is None or set(m) & set("wax+") for m in mode)
            if first is None:
                yield "unclear", ""
            else:
                yield ("write" if writes else "read"), first
        elif name in ("open", *programs.READING_CALLS, *programs.WRITING_CALLS):
            path = _path_of(node, known)
            writes = name in programs.WRITING_CALLS
            if path is None:
                yield "unclear", ""
            else:
                yield ("write" if writes or name == "open" else "read"), path
        elif name in programs.COPYING_CALLS and len(node.args) == 2:
            values = [_constant(value, known) for value in node.args]
            for use, value in zip(("read", "write"), values):
                yield (use, value) if value is not None else ("unclear", "")
        else:
            yield "unclear", ""


def _name_of(func: object) -> tuple[str, str]:
    """The last name of what is called, and the name before it."""
    import ast

    if isinstance(func, ast.Name):
        return _lower(func.id), ""
    if isinstance(func, ast.Attribute):
        owner = func.value.id if isinstance(func.value, ast.Name) else ""
        return _lower(func.attr), owner
    return "", ""


def _hands_over(node: object) -> bool:
    """Return whether a parameter is a function that may do anything with a path."""
    import ast

    if isinstance(node, ast.Name):
        return node.id in ("open", "exec", "eval")
    owner = node.value if isinstance(node, ast.Attribute) else None
    modules = ("os", "shutil", "subprocess", "pathlib", "Path")
    return isinstance(owner, ast.Name) and owner.id in modules


def _lower(name: str) -> str:
    """The name of a class as the tables have it."""
    return name.lower() if name in ("Path", "PurePath", "Counter") else name


def _constant(node: object, known: dict[str, str]) -> str | None:
    """A string that is written out, also through Path() or a name for one."""
    import ast

    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        value = node.value
        return value if isinstance(value, str) else value.decode("utf-8", "replace")
    if isinstance(node, ast.Call) and node.args and _name_of(node.func)[0] == "path":
        return _constant(node.args[0], known)
    if isinstance(node, ast.Name):
        return known.get(node.id)
    return None


def _constants(tree: object) -> dict[str, str]:
    """The names that are given a value once, and that is a string written out."""
    import ast

    given: dict[str, int] = {}
    known: dict[str, str] = {}
    assert isinstance(tree, ast.AST)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            given[node.id] = given.get(node.id, 0) + 1
        if isinstance(node, ast.arg):
            given[node.arg] = 2
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], _constant(node.value, {})
            if isinstance(target, ast.Name) and value is not None:
                known[target.id] = value
    return {name: value for name, value in known.items() if given[name] == 1}


def _path_of(node: object, known: dict[str, str]) -> str | None:
    """The path of `Path("...").read_text()` or of `os.remove("...")`."""
    import ast

    assert isinstance(node, ast.Call)
    if isinstance(node.func, ast.Attribute):
        path = _constant(node.func.value, known)
        if path is not None:
            return path
    return _constant(node.args[0], known) if node.args else None


def _other(code: str) -> Iterator[Use]:
    """Return what code of another language does, as far as its calls are known."""
    rest = code
    for match in _READ.finditer(code):
        path = match[1] if match[1] is not None else match[2]
        tail = code[match.end() - 1 : match.end() + 40]
        mode = re.match(r",\s*[\"'][^\"']*[wa+>][^\"']*[\"']", tail)
        yield ("write" if mode else "read"), path
        rest = rest.replace(match[0], "known" + match[0][-1:], 1)
    calls = {name.lower() for name in _CALL.findall(rest)}
    calls -= {"if", "for", "while", "function", "switch", "catch", "known", "and", "or"}
    words = re.search(
        r"`|%x|\b(system|exec|spawn|popen|unlink|open|rename|delete|write|Deno|Bun"
        r"|IO|File|foreach|read|slurp|import|sub|qx|eval|shell_exec)\b|<\$?\w*>",
        re.sub(r"File\.(exist\?|size|basename)", "", rest),
    )
    handed = _HANDED.findall(rest)
    if set(handed) - {"console.log", "Boolean", "String"}:
        yield "unclear", ANY
    if words or not calls <= programs.HARMLESS_CALLS:
        yield "unclear", ANY
