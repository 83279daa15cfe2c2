"""Dtypes as text."""

from __future__ import annotations

from typing import Any

import numpy as np

_OWN_NAMES = {"float64": "float", "int64": "int", "bool": "bool", "complex128": "complex"}


def dtype_text(dtype: np.dtype[Any]) -> str:
    """A dtype of numbers as one writes it.

    >>> dtype_text(np.dtype(float)), dtype_text(np.dtype("i1"))
    ('float', 'np.int8')
    """
    return _OWN_NAMES.get(dtype.name, f"np.{dtype.name}")
