"""`otypes`: the dtypes that a written function's results are cast to."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autovec.files.returns import map_values
from autovec.lower.expressions import dtype_expr
from autovec.syntax import quote
from autovec.syntax.visit import replace_names


def cast_results(
    body: list[gast.stmt], otypes: tuple[np.dtype[Any], ...] | None, numpy: str
) -> list[gast.stmt]:
    """A function's statements, each result returned as an array of its dtype.

    >>> from autovec.syntax.convert import text_of
    >>> body = quote.stmts("return x, y")
    >>> text_of(cast_results(body, (np.dtype(float), np.dtype("i4")), "np"))
    'return (np.asarray(x, float), np.asarray(y, np.int32))'
    """
    if otypes is None:
        return body
    return map_values(body, lambda value: _cast(value, otypes, numpy))


def _cast(value: gast.expr, otypes: tuple[np.dtype[Any], ...], numpy: str) -> gast.expr:
    if isinstance(value, gast.Tuple) and len(value.elts) == len(otypes):
        items = [_one(v, d, numpy) for v, d in zip(value.elts, otypes, strict=True)]
        return quote.expr("(*items,)", items=items)
    return _one(value, otypes[0], numpy)


def _one(value: gast.expr, dtype: np.dtype[Any], numpy: str) -> gast.expr:
    named = replace_names(dtype_expr(dtype), {"np": numpy})
    return quote.expr("f(x, dtype)", f=f"{numpy}.asarray", x=value, dtype=named)
