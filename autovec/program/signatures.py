"""How many arguments the builtins take that are built specially: others are Python's TypeError."""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported

#: by identity: the function, the least and most positional arguments, the keywords (None: any)
_LIMITS: dict[int, tuple[Any, int, int | None, frozenset[str | None] | None]] = {}


def limit(function: Any, least: int, most: int | None, keywords: str | None) -> None:
    """Say what a function takes; ``most`` or ``keywords`` None: any."""
    known: frozenset[str | None] | None = None
    if keywords is not None:
        known = frozenset(keywords.split())
    _LIMITS[id(function)] = (function, least, most, known)


def fitting(function: Any, node: gast.Call) -> None:
    """Refuse a call that Python refuses for its number of arguments or its keywords."""
    _, least, most, known = _LIMITS[id(function)]
    count = len(node.args)
    stars = any(isinstance(a, gast.Starred) for a in node.args)
    wrong = (most is not None and count > most) or (count < least and not stars)
    names = {k.arg for k in node.keywords}
    if wrong or (known is not None and not names <= known):
        what = f"{function.__name__} with these arguments"
        raise Unsupported(node, what, "Python raises TypeError")
