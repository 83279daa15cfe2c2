"""The region program: values with facts, built from the user's tree by abstract interpretation.

Importing the package registers the builder of every statement, expression and builtin.
"""

from autovec.program import (
    accumulations,
    atoms,
    attempts,
    attributes,
    binding,
    bisection,
    builtin_calls,
    calls,
    chains,
    comprehensions,
    iterators,
    leaves,
    local_functions,
    loops,
    operators,
    ordering,
    raising,
    reflection,
    statements,
    subscripts,
    truth,
)

__all__ = [
    "accumulations",
    "atoms",
    "attempts",
    "attributes",
    "binding",
    "bisection",
    "builtin_calls",
    "calls",
    "chains",
    "comprehensions",
    "iterators",
    "leaves",
    "local_functions",
    "loops",
    "operators",
    "ordering",
    "raising",
    "reflection",
    "statements",
    "subscripts",
    "truth",
]
