"""Write a function for one sample, in plain Python; get readable NumPy for the whole batch.

>>> import numpy as np
>>> import autovec
>>> @autovec.vectorize
... def tax(income, single):
...     allowance = 12000 if single else 24000
...     return 0.1 * (income - allowance) if income > allowance else 0.0
>>> tax(np.array([10000.0, 30000.0]), np.array([True, False]))
array([  0., 600.])
"""

from typing import TYPE_CHECKING, Any

from autovec import lift as _folder  # noqa: F401  (first, so that `lift` is the function in the end)
from autovec.api import jit, lift, vectorize, vectorized_map, vmap
from autovec.errors import (
    AutovecError,
    DifferentIndexes,
    FallbackError,
    FallbackWarning,
    NotLiftable,
    Place,
    Problem,
    SourceNotFound,
    UnsupportedSyntax,
)
from autovec.tree import register_node

if TYPE_CHECKING:
    from autovec.ops import register

__all__ = [
    "AutovecError",
    "DifferentIndexes",
    "FallbackError",
    "FallbackWarning",
    "NotLiftable",
    "Place",
    "Problem",
    "SourceNotFound",
    "UnsupportedSyntax",
    "jit",
    "lift",
    "register",
    "register_node",
    "vectorize",
    "vectorized_map",
    "vmap",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """The names whose modules are not worth loading before they are asked for."""
    if name == "register":
        from autovec.ops import register

        return register
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
