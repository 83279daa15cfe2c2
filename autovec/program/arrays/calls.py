"""Calls of NumPy's functions and methods on arrays: which of them have a form for lanes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.rule import Rule
from autovec.program.arrays import contractions, creation, masked, repeats, shapes
from autovec.program.arrays.elementwise import elementwise
from autovec.program.arrays.operands import apply_array, holds_array, operand
from autovec.program.arrays.reductions import REDUCTIONS, reduce
from autovec.program.arrays.standins import static
from autovec.program.build import Builder
from autovec.program.things import NOT_LITERAL, Seq, Thing, describe
from autovec.program.values import Operation, Value

Things = list[Thing]
Handler = Callable[[Builder, Things, dict[str, Thing], gast.AST], Thing | None]


def _plain(function: Callable[[Builder, Things, gast.AST], Thing], most: int) -> Handler:
    """A handler of positional arguments only; ``axis`` may be named."""

    def handler(b: Builder, args: Things, keywords: dict[str, Thing], node: gast.AST) -> Thing:
        extra = [keywords[k] for k in ("axis", "axes", "shape", "newshape", "k") if k in keywords]
        if len(extra) < len(keywords) or len(args) + len(extra) > most:
            raise Unsupported(node, "a call with these arguments", "there is no rule for it")
        return function(b, [*args, *extra], node)

    return handler


def _reduction(name: str, method: bool) -> Handler:
    def handler(b: Builder, args: Things, keywords: dict[str, Thing], node: gast.AST) -> Thing:
        return reduce(b, REDUCTIONS[name], args, keywords, node, method)

    return handler


def _inner(b: Builder, args: Things, node: gast.AST) -> Value:
    """``np.inner`` and ``np.vdot`` of two real vectors."""
    x, y = (operand(b, a, node) for a in args)
    if (x.fact.rank, y.fact.rank) != (1, 1) or "c" in x.fact.kind + y.fact.kind:
        raise Unsupported(node, "the inner product of these arrays", "only of two real vectors")
    return contractions.matmul(b, x, y, node, "np.inner(a0, a1)")


def _cross(b: Builder, args: Things, node: gast.AST) -> Value:
    """``np.cross`` of two vectors of three."""
    x, y = (operand(b, a, node) for a in args)
    if x.fact.shape != (3,) or y.fact.shape != (3,):
        raise Unsupported(node, "the cross product of these arrays", "only of vectors of three")
    text = "np.cross(a0, a1)"
    return apply_array(b, "cross", np.cross, (x, y), text, text, node, cost=4)


def _cast(b: Builder, args: Things, node: gast.AST) -> Value:
    """``x.astype(dtype)``."""
    found = static(args[1])
    if found is NOT_LITERAL:
        raise Unsupported(node, "a dtype that is not known while compiling", "it decides the array")
    return creation.astype(b, operand(b, args[0], node), found, node)


def _uneven(name: str) -> Handler:
    return lambda b, args, keywords, node: repeats.uneven(b, name, args, node)


def _matrices(name: str) -> Callable[[Builder, Things, gast.AST], Thing]:
    return lambda b, args, node: contractions.matrices(b, name, args, node)


def _named(function: Callable[..., Thing | None], name: str) -> Handler:
    return lambda b, args, keywords, node: function(b, name, args, keywords, node)


def _shifted(name: str) -> Handler:
    return lambda b, args, keywords, node: shapes.along_axis(b, name, 1, args, keywords, node)


FUNCTIONS: dict[str, Handler] = {
    **{name: _reduction(name, False) for name in REDUCTIONS},
    "dot": _plain(lambda b, a, n: contractions.dot(b, a, n, "np.dot(a0, a1)"), 2),
    "inner": _plain(_inner, 2),
    "matmul": _plain(lambda b, a, n: contractions.matmul_operator(b, a[0], a[1], n), 2),
    "vecdot": _plain(lambda b, a, n: contractions.dot(b, a, n, "np.vecdot(a0, a1)"), 2),
    "vdot": _plain(_inner, 2),
    "outer": _plain(contractions.outer, 2),
    "einsum": _plain(contractions.einsum, 9),
    "trace": _plain(contractions.trace, 1),
    "diag": _plain(contractions.diagonal, 2),
    "cross": _plain(_cross, 2),
    "linalg.norm": contractions.norm,
    "linalg.solve": _plain(contractions.solve, 2),
    **{f"linalg.{name}": _plain(_matrices(name), 1) for name in contractions.MATRICES},
    "reshape": _plain(shapes.reshape, 2),
    "ravel": _plain(lambda b, a, n: shapes.flat(b, a, n, copy=False), 1),
    "transpose": _plain(shapes.transpose, 2),
    "swapaxes": _plain(shapes.swapaxes, 3),
    "expand_dims": _plain(shapes.expand_dims, 2),
    "squeeze": _plain(shapes.squeeze, 2),
    "flip": _plain(shapes.flip, 2),
    "roll": _shifted("roll"),
    "diff": _shifted("diff"),
    "tril": _plain(lambda b, a, n: shapes.triangle(b, "tril", a, n), 2),
    "triu": _plain(lambda b, a, n: shapes.triangle(b, "triu", a, n), 2),
    "copy": _plain(lambda b, a, n: creation.copied(b, operand(b, a[0], n), n), 1),
    "tile": _plain(repeats.tile, 2),
    "pad": repeats.pad,
    "repeat": repeats.repeat,
    **{name: _uneven(name) for name in ("nonzero", "flatnonzero", "argwhere", "unique",
                                        "compress", "extract", "trim_zeros")},
}
#: functions whose arguments need not hold an array
MAKERS: dict[str, Handler] = {
    **{name: _named(creation.make, name) for name in creation.MAKERS},
    **{name: _named(creation.array_of, name) for name in ("array", "asarray")},
    "broadcast_to": _plain(repeats.broadcast_to, 2),
}
LIKE: dict[str, Handler] = {name: _named(creation.like, name) for name in creation.LIKE}
JOINS: dict[str, Handler] = {
    name: _named(shapes.joined, name)
    for name in ("concatenate", "stack", "hstack", "vstack", "column_stack")
}
METHODS: dict[str, Handler] = {
    **{name: _reduction(name, True) for name, r in REDUCTIONS.items() if r.method},
    "dot": _plain(lambda b, a, n: contractions.dot(b, a, n, "a0.dot(a1)"), 2),
    "reshape": _plain(shapes.reshape, 9),
    "ravel": _plain(lambda b, a, n: shapes.flat(b, a, n, copy=False), 1),
    "flatten": _plain(lambda b, a, n: shapes.flat(b, a, n, copy=True), 1),
    "transpose": _plain(shapes.transpose, 9),
    "swapaxes": _plain(shapes.swapaxes, 3),
    "squeeze": _plain(shapes.squeeze, 2),
    "trace": _plain(contractions.trace, 1),
    "copy": _plain(lambda b, a, n: creation.copied(b, operand(b, a[0], n), n), 1),
    "astype": _plain(_cast, 2),
}
#: methods that are functions of NumPy's, element by element
_AS_FUNCTIONS = {
    "clip": np.clip, "round": np.round, "conj": np.conj, "conjugate": np.conjugate,
}  # fmt: skip


def _by_identity(tables: list[dict[str, Handler]]) -> dict[int, tuple[Any, Handler]]:
    found = {}
    for table in tables:
        for name, handler in table.items():
            function: Any = np
            for part in name.split("."):
                function = getattr(function, part, None)
            if function is not None:
                found[id(function)] = (function, handler)
    return found


_OF_ARRAYS = _by_identity([FUNCTIONS, JOINS, LIKE])
_MAKERS = _by_identity([MAKERS])


def array_call(
    b: Builder, obj: Any, args: Things, keywords: dict[str, Thing], node: gast.AST
) -> Thing | None:
    """A call of a function of NumPy's on arrays; None where it is none."""
    if len(args) == 1 and not keywords and masked.is_kept(args[0]):
        return masked.reduced(b, getattr(obj, "__name__", ""), args[0], node)
    found = _MAKERS.get(id(obj))
    given = [*args, *keywords.values()]
    if found is None and (any(map(holds_array, given)) or _holds_row(args)):
        found = _OF_ARRAYS.get(id(obj))
    if found is None or found[0] is not obj:
        return None
    return found[1](b, args, keywords, node)


def _holds_row(args: Things) -> bool:
    """Is there a list of numbers, which NumPy makes an array of?"""
    return any(isinstance(thing, Seq) and _is_row(thing) for thing in args)


def _is_row(thing: Thing) -> bool:
    if isinstance(thing, Seq):
        return any(map(_is_row, thing.items))
    return isinstance(thing, Value) and thing.varying and thing.fact.kind in "biufc"


def array_method(
    b: Builder, base: Value, attr: str, args: Things, keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A method of an array."""
    handler = METHODS.get(attr)
    made = None if handler is None else handler(b, [base, *args], keywords, node)
    if made is not None:
        return made
    function = _AS_FUNCTIONS.get(attr)
    if function is not None and not keywords:
        values = tuple(operand(b, a, node) for a in (base, *args))
        names = tuple(f"a{k}" for k in range(len(values)))
        text = f"a0.{attr}({', '.join(names[1:])})"
        return elementwise(b, Operation(attr, names, text, text, total=True), values, node)
    raise Unsupported(node, f".{attr}() of {describe(base)}", "it has no form for array samples")


def array_rule(
    b: Builder, rule: Rule, values: dict[str, Value], written: str, node: gast.AST
) -> Value:
    """A rule's function of arrays, element by element where NumPy's is."""
    module, _, name = rule.name.rpartition(".")
    args = tuple(values.values())
    if rule.name == "builtins.abs":
        written = "abs(x)"
    elif rule.name == "numpy.interp":
        return interpolated(b, values, written, node)
    elif module != "numpy" or not (isinstance(getattr(np, name, None), np.ufunc) or name in _EACH):
        raise Unsupported(node, f"{rule.name} of an array", "it has no form for array samples")
    total = rule.total
    fresh = name not in ("real", "imag")
    op = Operation(
        rule.name, tuple(values), written, written, total=total, cost=rule.cost, fresh=fresh
    )
    return elementwise(b, op, args, node)


#: NumPy's functions that are no ufuncs and work element by element
_EACH = frozenset(
    ["where", "clip", "nan_to_num", "round", "around", "real", "imag", "angle", "isreal",
     "iscomplex", "isneginf", "isposinf", "isclose", "sinc", "i0", "heaviside"]
)  # fmt: skip


def interpolated(b: Builder, values: dict[str, Value], written: str, node: gast.AST) -> Value:
    """``np.interp`` of an array over a uniform table."""
    x, *tables = values.values()
    if any(t.varying for t in tables):
        raise Unsupported(node, "np.interp over a varying table", "there is no rule for it")
    op = Operation("numpy.interp", tuple(values), written, written, total=True, cost=20,
                   arrays=True)  # fmt: skip
    fact = replace(x.fact, dtype=np.dtype(float), weak=False, python=False)
    return b.apply(op, *values.values(), node=node, fact=fact)
