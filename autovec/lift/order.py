"""What a text may be: no name that means another thing, no sum in another order where asked.

NumPy adds floats pairwise, and its products of matrices in an order of their own.  With
``exact=True`` a loop that would become such an operation stays as it is written; running sums
(``np.cumsum``), counts, extremes and ``np.add.at`` give what the loop gives, to the last bit.
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.lift.builtin_names import check_builtins
from autovec.syntax.walking import walk

_OTHER_ORDER = {
    *("sum", "nansum", "mean", "nanmean", "average", "var", "std", "prod", "nanprod", "trapezoid"),
    *("dot", "vdot", "inner", "einsum", "matmul", "matvec", "vecmat", "vecdot", "tensordot"),
    *("norm", "reduce", "reduceat", "cov", "corrcoef", "convolve", "correlate"),
}


def check_text(walker: Any, node: Any, made: list[Any]) -> None:
    """Refuses statements in place of a loop that would not mean the same."""
    check_builtins(walker.scope, node, made)
    if not walker.exact:
        return
    known = {gast.dump(n) for n in walk([node])}
    for part in walk(made):
        name = _adds(part)
        if name and gast.dump(part) not in known:
            what = f"{name} may add in another order"
            raise Unsupported(node, what, "exact=True keeps the loop's order")


def _adds(node: Any) -> str:
    """The name of an operation that adds or multiplies many numbers in an order of its own."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult):
        return "@"
    if not isinstance(node, gast.Call):
        return ""
    name = getattr(node.func, "attr", "")
    if name == "bincount":
        return name if len(node.args) > 1 or node.keywords else ""
    return name if name in _OTHER_ORDER else ""
