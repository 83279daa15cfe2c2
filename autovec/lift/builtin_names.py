"""Python's own functions that a lifted text calls: in the function they have to be Python's own."""

from __future__ import annotations

import builtins
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.syntax import quote
from autovec.syntax.walking import walk


def check_builtins(scope: Any, node: Any, made: list[Any]) -> None:
    """Refuses a text that calls ``min`` where the function has another thing of that name."""
    for name in sorted(called(made) - called([node])):
        own = getattr(builtins, name, None)
        if own is not None and scope.find(quote.name(name)) is not own:
            raise Unsupported(node, f"{name} is not Python's own here", "the text would call it")


def called(body: list[Any]) -> set[str]:
    """The names that are called."""
    calls = [n.func for n in walk(body) if isinstance(n, gast.Call)]
    return {f.id for f in calls if isinstance(f, gast.Name)}
