"""Helper functions that emitted text carries: plain NumPy source, one documented def each.

A helper keeps a rule of Python that no NumPy function keeps.  The source lives in
``prelude_text`` as ordinary modules, so it is tested like any other code; the text of a def is
cut out of its file.

    >>> print(text("int_gcd").splitlines()[0])
    def int_gcd(x, y):
    >>> int(function("to_int")(-2.75)), used_in("to_int(np.floor(x)) + 1"), needs("round_number")
    (-2, ('to_int',), ('round_half_even', 'round_int'))
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
from collections.abc import Callable, Iterable
from importlib import resources
from typing import Any

#: what a helper says where Python's int would outgrow int64 (no exception of Python's own)
OVERFLOW = "result too large for int64"
#: what the text says of an int to a uniform negative int power, which is a float in Python
NEGATIVE_POWER = "an int to a negative power is no int"
#: what an OverflowError says where NumPy cannot hold what Python's own operation gives
BEYOND = frozenset(
    [
        OVERFLOW,
        NEGATIVE_POWER,
        "Python int too large to convert to C long",
        "a null character at the end of NumPy's text",
    ]
)

_MODULES = (
    *("casts", "leaves", "floats", "integers", "division"),
    *("texts", "stacking", "tables"),
)
_IMPORTABLE = ("math", "cmath")


@functools.cache
def _sources() -> dict[str, tuple[str, str]]:
    """name -> (module, text of the def), in the order of the files."""
    found: dict[str, tuple[str, str]] = {}
    for module in _MODULES:
        file = resources.files(f"{__package__}.prelude_text").joinpath(f"{module}.py")
        lines = file.read_text(encoding="utf-8").splitlines()
        for node in ast.parse("\n".join(lines)).body:
            if isinstance(node, ast.FunctionDef):
                source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                found[node.name] = (module, source + "\n")
    return found


def names(module: str | None = None) -> tuple[str, ...]:
    """The names of all helpers, or of those in one module."""
    return tuple(name for name, (home, _) in _sources().items() if module in (None, home))


def text(name: str) -> str:
    """The source of one helper's def; it may call the helpers of :func:`needs`."""
    return _sources()[name][1]


@functools.cache
def function(name: str) -> Callable[..., Any]:
    """The helper itself."""
    module = importlib.import_module(f"{__package__}.prelude_text.{_sources()[name][0]}")
    helper: Callable[..., Any] = getattr(module, name)
    return helper


@functools.cache
def needs(name: str) -> tuple[str, ...]:
    """The other helpers that a helper calls."""
    return tuple(other for other in used_in(text(name)) if other != name)


@functools.cache
def imports(name: str) -> tuple[str, ...]:
    """The standard modules that a helper's text uses besides NumPy.

    >>> imports("erf"), imports("to_int")
    (('math',), ())
    """
    code = {n.id for n in ast.walk(ast.parse(text(name))) if isinstance(n, ast.Name)}
    return tuple(module for module in _IMPORTABLE if module in code)


def used_in(source: str) -> tuple[str, ...]:
    """The helpers that a piece of text calls, in the order of :func:`names`."""
    called = set(re.findall(r"(?<![\w.])(\w+)\(", source))
    return tuple(name for name in _sources() if name in called)


def closure(wanted: Iterable[str]) -> tuple[str, ...]:
    """The helpers with all that they need, in the order in which text should define them.

    >>> closure(["round_number"])
    ('round_half_even', 'round_int', 'round_number')
    """
    found: set[str] = set()
    open_names = list(wanted)
    while open_names:
        name = open_names.pop()
        if name not in found:
            found.add(name)
            open_names += needs(name)
    return tuple(name for name in _sources() if name in found)
