"""Operators on operands whose dtype is known only when the text runs."""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs

import numpy as np

from autovec.ops.prelude_text.integers import int_power


def floor_div(x, y):
    """x // y: integers raise for a zero divisor, floats give inf or nan."""
    dtype = np.result_type(x, y)
    if dtype.kind in "biu" and np.equal(y, 0).any():
        raise ZeroDivisionError("integer division or modulo by zero")
    return np.floor_divide(x, y, dtype=int if dtype.kind == "b" else None)


def modulo(x, y):
    """x % y: integers raise for a zero divisor, floats give nan."""
    dtype = np.result_type(x, y)
    if dtype.kind in "biu" and np.equal(y, 0).any():
        raise ZeroDivisionError("integer modulo by zero")
    return np.remainder(x, y, dtype=int if dtype.kind == "b" else None)


def power(x, y):
    """x ** y: Python's integers stay exact or raise, the rest is NumPy's."""
    if np.result_type(x, y) in (bool, int):
        return int_power(x, y)
    return x ** y if np.ndim(x) else np.power(x, y)
