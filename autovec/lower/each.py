"""An expression of Python's own, a lane at a time: one comprehension over the live lanes."""

from __future__ import annotations

import gast
import numpy as np

from autovec.lower.expressions import names_in
from autovec.lower.writer import Writer
from autovec.ops.result_types import head
from autovec.program.facts import PYTHON_DTYPES
from autovec.program.values import Each, Value
from autovec.syntax import quote
from autovec.syntax.names import RESERVED
from autovec.syntax.visit import replace_names

#: what NumPy would take for rows of an array
_NESTED = ("list", "tuple", "set", "dict", "str")


def each(w: Writer, value: Value, op: Each) -> gast.expr:
    """The array of the expression's results for the lanes of the current frame."""
    pairs = list(zip(op.params, value.args, strict=True))
    uniform = {p: w.read(a) for p, a in pairs if not a.varying}
    varying = [(p, a) for p, a in pairs if a.varying]
    if not varying:
        written: gast.expr = replace_names(op.expr, uniform)
        if value.fact.kind in "Mm":
            function = "np.datetime64" if value.fact.kind == "M" else "np.timedelta64"
            return quote.expr(f"{function}(x)", x=written)
        return written
    w.need_flat()
    w.partial = True  # it goes along one axis
    read = {name for expr in uniform.values() for name in names_in(expr)}
    names = {p: _apart(_singular(p) if a.fact.kind == "O" else p, read) for p, a in varying}
    expr = replace_names(op.expr, {**uniform, **names})
    samples = [samples_of(w, a) for _, a in varying]
    targets = [quote.name(names[p]) for p, _ in varying]
    target: gast.expr = targets[0]
    over = samples[0]
    if len(targets) > 1:
        target = quote.expr("(*targets,)", targets=targets)
        over = quote.expr("zip(*samples)", samples=samples)
    made = quote.expr("[e for t in over]", e=expr, t=target, over=over)
    if value.fact.kind in "Mm":
        unit = quote.const(np.dtype(value.fact.dtype).str.lstrip("<>"))  # type: ignore[arg-type]
        return quote.expr("np.array(made, dtype=unit)", made=made, unit=unit)
    if value.fact.kind != "O":
        kind = {"U": "str", "i": "int", "f": "float", "b": "bool", "c": "complex"}[value.fact.kind]
        return quote.expr("np.array(made, dtype=kind)", made=made, kind=kind)
    if head(value.fact.holds) in _NESTED:
        made = quote.expr("(e for t in over)", e=expr, t=target, over=over)
        return quote.expr("np.fromiter(made, object)", made=made)
    return quote.expr("np.array(made, dtype=object)", made=made)


def _singular(name: str) -> str:
    """One of several: ``part`` of ``parts``."""
    return name[:-1] if len(name) > 2 and name.endswith("s") and name[:-1].isidentifier() else name


def _apart(name: str, others: set[str]) -> str:
    while name in others or name in RESERVED:
        name += "_"
    return name


def samples_of(w: Writer, value: Value) -> gast.expr:
    """The samples of a value: Python's scalars where the loop has these."""
    fact = w.resolve(value).fact
    expr = w.read(value)
    if fact.holds == "Timestamp":  # whose text is that of a datetime
        return quote.expr('x.astype("M8[us]").tolist()', x=expr)
    own = fact.dtype in PYTHON_DTYPES or fact.weak or fact.kind in "UMm"
    return quote.expr("x.tolist()", x=expr) if own and fact.python else expr
