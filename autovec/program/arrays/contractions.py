"""Products of array samples: ``@``, dot, outer, einsum, and linear algebra.

>>> product_text(1, 2, True, False), product_text(2, 1, False, True), product_text(1, 1, True, True)
('a0 @ a1', 'a1 @ a0.T', 'np.vecdot(a0, a1)')
>>> batched_subscripts("ij,j->i", (True, False))
'zij,j->zi'
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.program.arrays.elementwise import aligned
from autovec.program.arrays.operands import apply_array, operand
from autovec.program.arrays.standins import static, static_int
from autovec.program.build import Builder
from autovec.program.things import Seq, Thing
from autovec.program.values import Value


def matmul(b: Builder, x: Value, y: Value, node: gast.AST, written: str = "a0 @ a1") -> Value:
    """``x @ y`` of two arrays, vectors or matrices in each sample."""
    p, q = x.fact.rank, y.fact.rank
    if not p or not q:
        raise Unsupported(node, "@ of a number", "NumPy raises ValueError")
    both = x.varying and y.varying
    if p >= 2 and q >= 2:
        x, y = aligned(b, x, max(p, q)), aligned(b, y, max(p, q))
    elif both and p > 2 and q == 1:
        y = aligned(b, y, p - 1)
    elif both and q > 2 and p == 1:
        x = aligned(b, x, q - 1)
    elif (p > 2 and q == 1 and y.varying) or (p == 1 and q > 2 and x.varying):
        raise Unsupported(node, "@ of a vector and a uniform stack", "it has no array form")
    text = product_text(p, q, x.varying, y.varying, "c" in x.fact.kind + y.fact.kind)
    sizes = [s for s in x.fact.shape if s > 1]
    cost = 0.5 * max(sizes, default=1)
    first, second = x.fact.shape[-p:], y.fact.shape[-q:]

    def product(a: Any, c: Any) -> Any:
        return np.matmul(a.reshape(first), c.reshape(second))

    return apply_array(b, "@", product, (x, y), text, written, node, cost=cost)


def product_text(p: int, q: int, x: bool, y: bool, complex_: bool = False) -> str:
    """The batched text of a product of samples of ranks p and q; ``x``, ``y``: who varies."""
    if (p, q) == (1, 1):
        if x and y:
            return "(a0 * a1).sum(axis=-1)" if complex_ else "np.vecdot(a0, a1)"
        return "a0 @ a1" if x else "a1 @ a0"
    if q == 1 and y:
        return "np.matvec(a0, a1)" if x else "a1 @ a0.T"
    if p == 1 and x and y:
        return "(a0[:, None, :] @ a1)[:, 0]" if complex_ else "np.vecmat(a0, a1)"
    return "a0 @ a1"


def dot(b: Builder, args: list[Thing], node: gast.AST, written: str) -> Value:
    """``np.dot`` and ``np.inner`` of vectors and matrices."""
    x, y = (operand(b, a, node) for a in args)
    if x.fact.rank > 2 or y.fact.rank > 2:
        raise Unsupported(node, "dot of stacks of matrices", "use @, which has one meaning")
    return matmul(b, x, y, node, written)


def outer(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """``np.outer`` of two vectors."""
    x, y = (operand(b, a, node) for a in args)
    if (x.fact.rank, y.fact.rank) != (1, 1):
        raise Unsupported(node, "outer of these arrays", "only vectors have this form")
    left = "a0[:, :, None]" if x.varying else "a0[:, None]"
    right = "a1[:, None, :]" if y.varying else "a1"
    return apply_array(b, "outer", np.outer, (x, y), f"{left} * {right}", "np.outer(a0, a1)", node,
                       cost=max(y.fact.shape))  # fmt: skip


def einsum(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """``np.einsum``: the batch is one more subscript."""
    subscripts = static(args[0]) if args else None
    if not isinstance(subscripts, str) or "." in subscripts:
        raise Unsupported(node, "einsum with these subscripts", "they have to be a literal")
    values = tuple(operand(b, a, node) for a in args[1:])
    text = batched_subscripts(subscripts, tuple(v.varying for v in values))
    names = ", ".join(f"a{k}" for k in range(len(values)))
    return apply_array(
        b, "einsum", lambda *a: np.einsum(subscripts, *a), values,
        f"np.einsum({text!r}, {names})", f"np.einsum({subscripts!r}, {names})", node, cost=2,
    )  # fmt: skip


def batched_subscripts(subscripts: str, varying: tuple[bool, ...]) -> str:
    """Subscripts with one more letter, in front, for the lanes."""
    subscripts = subscripts.replace(" ", "")
    inputs, arrow, output = subscripts.partition("->")
    if not arrow:
        counts = Counter(inputs.replace(",", ""))
        output = "".join(sorted(letter for letter, n in counts.items() if n == 1))
    lane = next(c for c in "zyxwvutsrqponmlkjihgfedcbaZ" if c not in subscripts)
    parts = inputs.split(",")
    marked = [lane + p if v else p for p, v in zip(parts, varying, strict=False)]
    return f"{','.join(marked)}->{lane if any(varying) else ''}{output}"


#: linear algebra that NumPy does for stacks of matrices, by name: how many parts it gives
MATRICES = {
    "inv": 1, "pinv": 1, "det": 1, "cholesky": 1, "eigvals": 1, "eigvalsh": 1, "matrix_rank": 1,
    "eig": 2, "eigh": 2, "qr": 2, "slogdet": 2, "svdvals": 1,
}  # fmt: skip


def matrices(b: Builder, name: str, args: list[Thing], node: gast.AST) -> Thing:
    """A function of square or other matrices."""
    if len(args) != 1:
        raise Unsupported(
            node, f"np.linalg.{name} with these arguments", "only the matrix is known"
        )
    x = operand(b, args[0], node)
    function = getattr(np.linalg, name)
    text = f"np.linalg.{name}(a0)"
    if MATRICES[name] == 1:
        return apply_array(b, name, function, (x,), text, text, node, cost=20, total=False)
    parts = []
    for k in range(MATRICES[name]):
        part = f"{text}[{k}]"
        parts.append(
            apply_array(b, name, lambda m, k=k: function(m)[k], (x,), part, part, node,
                        cost=20, total=False)
        )  # fmt: skip
    return Seq(tuple(parts))


def solve(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """``np.linalg.solve``: a right side that is a vector becomes a matrix of one column."""
    x, y = (operand(b, a, node) for a in args)
    text = "np.linalg.solve(a0, a1)"
    if y.fact.rank == 1 and (x.varying or y.varying):
        text = "np.linalg.solve(a0, a1[..., None])[..., 0]"
    return apply_array(b, "solve", np.linalg.solve, (x, y), text, "np.linalg.solve(a0, a1)", node,
                       cost=50, total=False)  # fmt: skip


def norm(b: Builder, args: list[Thing], keywords: dict[str, Thing], node: gast.AST) -> Value:
    """``np.linalg.norm`` of a vector or matrix."""
    x = operand(b, args[0], node)
    given: dict[str, Any] = dict(zip(("ord", "axis", "keepdims"), args[1:], strict=False))
    plain = {k: static(v) for k, v in {**given, **keywords}.items()}
    if not all(v is None or isinstance(v, (int, float, str, tuple)) for v in plain.values()):
        raise Unsupported(node, "norm with these arguments", "they are not known while compiling")
    rank = x.fact.rank
    axis = plain.get("axis")
    over: Any = tuple(range(-rank, 0)) if axis is None else axis
    over = tuple(a if a < 0 else a - rank for a in (over if isinstance(over, tuple) else (over,)))
    if len(over) > 2:
        raise Unsupported(node, "the norm of a stack of matrices", "give it an axis")
    order = "" if plain.get("ord") is None else f", {plain['ord']!r}"
    if order in (", inf", ", -inf"):
        order = order.replace("inf", "np.inf")
    keep = ", keepdims=True" if plain.get("keepdims") else ""
    axes = repr(over if len(over) > 1 else over[0])
    written = f", axis={axis!r}" if axis is not None else ""
    return apply_array(
        b, "norm", lambda m: np.linalg.norm(m, **plain), (x,),
        f"np.linalg.norm(a0{order}, axis={axes}{keep})",
        f"np.linalg.norm(a0{order}{written}{keep})", node, cost=2,
    )  # fmt: skip


def trace(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """The sum of a matrix's diagonal."""
    x = operand(b, args[0], node)
    if x.fact.rank != 2 or len(args) > 1:
        raise Unsupported(node, "trace of this array", "only of a matrix")
    return apply_array(b, "trace", np.trace, (x,), "np.trace(a0, axis1=-2, axis2=-1)",
                       "np.trace(a0)", node)  # fmt: skip


def diagonal(b: Builder, args: list[Thing], node: gast.AST) -> Value:
    """``np.diag``: a matrix's diagonal, or the matrix with a vector on its diagonal."""
    x = operand(b, args[0], node)
    offset = static_int(args[1], "the offset of a diagonal", node) if len(args) > 1 else 0
    shown = f", {offset}" if offset else ""
    if x.fact.rank == 2:
        moved = f", offset={offset}" if offset else ""
        text = f"np.diagonal(a0{moved}, axis1=-2, axis2=-1)"
        return apply_array(b, "diag", lambda m: np.diag(m, offset), (x,), f"{text}.copy()",
                           f"np.diag(a0{shown})", node)  # fmt: skip
    if x.fact.rank != 1 or offset:
        raise Unsupported(node, "diag of this array", "only of a vector or a matrix")
    size = int(x.fact.shape[0])
    text = f"np.where(np.eye({size}, dtype=bool), a0[:, None, :], np.zeros((), a0.dtype))"
    return apply_array(b, "diag", np.diag, (x,), text, "np.diag(a0)", node, cost=2 * size)


def matmul_operator(b: Builder, left: Thing, right: Thing, node: gast.AST) -> Value:
    """``left @ right`` as an operator of the user's."""
    x, y = operand(b, left, node), operand(b, right, node)
    return matmul(b, x, y, node)
