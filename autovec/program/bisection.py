"""``bisect`` in a sorted table."""

from __future__ import annotations

import bisect
from typing import Any

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.calls import arguments, special
from autovec.program.facts import INT, Fact
from autovec.program.keys import as_compared, comparable, lanes_of
from autovec.program.searches import items_of, table_of
from autovec.program.things import Thing
from autovec.program.values import Operation, Value


@special(bisect.bisect_left, bisect.bisect_right, least=2, most=4, keywords=None)
def bisected(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``bisect`` in a sorted table is np.searchsorted; where it would not be, NaN included."""
    left = function is bisect.bisect_left
    args, keywords = arguments(b, node)
    x = args[1] if len(args) == 2 and not keywords else None
    if not isinstance(x, Value):
        raise Unsupported(node, "bisect with these arguments", "there is no rule for such a call")
    table = args[0]
    items = items_of(table, node)
    if not items:
        return b.const(0)
    if not comparable(x, items) or items != sorted(items):
        raise Unsupported(node, "bisect in this table", "not sorted, or NumPy compares otherwise")
    narrow = as_compared(x)
    text = f"np.array(table, {narrow})" if narrow else "table"
    if not left:
        written = f"np.searchsorted({text}, x, side='right')"
    elif x.fact.kind in "f?":  # Python looks for the first item that is not below NaN: the first
        written = f"np.searchsorted({text}, np.where(x == x, x, -np.inf))"
    else:
        written = f"np.searchsorted({text}, x)"
    op = Operation("bisect", ("table", "x"), written, f"int({written})", total=True, cost=10)
    value = table_of(b, table, node, values=True)
    return b.apply(op, value, x, node=node, fact=Fact(INT, lanes_of([x]), weak=True))
