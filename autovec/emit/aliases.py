"""The user's own objects that the text would take for something else."""

from __future__ import annotations

import sys

import numpy as np

from autovec.emit.world import MODULES
from autovec.errors import Unsupported
from autovec.program.functions import Unit
from autovec.program.scope import signature


def refuse_aliases(unit: Unit) -> None:
    """The text says ``np`` and ``math``: the user's own objects of these names would be hidden."""
    for alias, module in MODULES.items():
        own = any(alias in p.things for p in unit.programs.values())
        for capture in unit.captures.found.values():
            if capture.root == alias and not capture.steps:
                own |= capture.signature != signature(sys.modules.get(module))
        if own:
            raise Unsupported(
                None, f"something of yours is called {alias}", f"the text calls {module} so"
            )


def refuse_arrays_of_the_world(unit: Unit, params: set[str]) -> None:
    """Which of them may be the very argument that is stored into, nobody knows."""
    for capture in unit.captures.found.values():
        whole = capture.root in params and not capture.steps
        kind = capture.signature[0] if isinstance(capture.signature, tuple) else None
        if kind is np.ndarray and not whole:
            what = f"a store into an argument beside the array {capture.root}"
            raise Unsupported(None, what, "it may be the argument itself")
