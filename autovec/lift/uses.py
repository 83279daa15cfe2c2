"""What parameters are, from their uses alone: ranks from subscripts, kinds from places.

>>> from autovec.syntax.quote import stmt
>>> tree = stmt('''
... def f(x, ip, n, t):
...     for i in range(n):
...         x[i] = x[ip[i]] * t
... ''')
>>> kinds_from_use(tree)
{'x': (dtype('float64'), 1), 'ip': (dtype('int64'), 1), 'n': <class 'int'>, 't': <class 'float'>}
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autovec.syntax.scope import parameter_names
from autovec.syntax.walking import children, walk

_FLOAT, _INT = np.dtype(float), np.dtype(np.int64)
_ITERATORS = {"enumerate", "zip", "reversed", "len", "max", "min", "sum", "sorted"}


def kinds_from_use(tree: Any) -> dict[str, Any]:
    """For each parameter the dtype and rank of an array, or the type of a number."""
    ranks: dict[str, int] = {}
    integers: set[str] = set()
    names = parameter_names(tree.args)
    items: dict[str, str] = {}
    for node in walk(tree.body):
        if isinstance(node, gast.Subscript):
            base, count = node, 0
            whole: Any = node
            while isinstance(whole, gast.Subscript):
                parts = whole.slice.elts if isinstance(whole.slice, gast.Tuple) else [whole.slice]
                count += sum(not isinstance(p, gast.Slice) for p in parts)
                for part in parts:
                    integers |= _names_in_index(part)
                if any(isinstance(p, gast.Slice) for p in parts):
                    count += sum(isinstance(p, gast.Slice) for p in parts)
                whole = whole.value
            if isinstance(whole, gast.Name):
                ranks[whole.id] = max(ranks.get(whole.id, 0), count)
            elif (
                isinstance(whole, gast.Attribute) and whole.attr == "shape"
                and isinstance(whole.value, gast.Name) and isinstance(base.slice, gast.Constant)
            ):  # fmt: skip
                least = int(base.slice.value) + 1
                ranks[whole.value.id] = max(ranks.get(whole.value.id, 0), least)
        elif isinstance(node, gast.Assign) and isinstance(node.value, gast.Attribute):
            held = node.value
            if held.attr == "shape" and isinstance(held.value, gast.Name):
                target = node.targets[0]
                count = len(target.elts) if isinstance(target, gast.Tuple) else 1
                ranks[held.value.id] = max(ranks.get(held.value.id, 0), count)
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            if node.func.id in _ITERATORS:
                for arg in node.args:
                    if (
                        isinstance(arg, gast.Name) and len(node.args) == 1
                    ) or node.func.id == "zip":
                        ranks.setdefault(getattr(arg, "id", ""), 1)
            if node.func.id == "range":
                for arg in node.args:
                    integers |= _names_in_index(arg)
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            if node.func.attr in ("zeros", "ones", "empty", "full") and node.args:
                integers |= _names_in_index(node.args[0])
            if node.func.attr == "copy" and isinstance(node.func.value, gast.Name):
                ranks.setdefault(node.func.value.id, 1)
        iterated(node, ranks, items)
    unclear = {
        items[node.target.id]
        for node in walk(tree.body)
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)
        and node.target.id in items
    }  # fmt: skip
    integers |= {items[name] for name in integers if name in items}
    kinds: dict[str, Any] = {}
    for name in names:
        if name in unclear:  # a number is bound anew, a row is changed
            kinds[name] = None
        elif name in ranks:
            kinds[name] = (_INT if name in integers else _FLOAT, ranks[name])
        else:
            kinds[name] = int if name in integers else float
    return kinds


def iterated(node: Any, ranks: dict[str, int], items: dict[str, str]) -> None:
    """Arrays that a loop goes through, and which names hold their items."""
    if not isinstance(node, (gast.For, gast.comprehension)):
        return
    pairs = [(node.target, node.iter)]
    while pairs:
        target, source = pairs.pop()
        if isinstance(source, gast.Call) and isinstance(source.func, gast.Name):
            parts = target.elts if isinstance(target, gast.Tuple) else []
            if source.func.id == "enumerate" and len(parts) == 2 and source.args:
                pairs.append((parts[1], source.args[0]))
            elif source.func.id == "zip" and len(parts) == len(source.args):
                pairs += list(zip(parts, source.args, strict=True))
            elif source.func.id == "reversed" and source.args:
                pairs.append((target, source.args[0]))
        else:
            while isinstance(source, gast.Subscript):
                source = source.value
            if isinstance(source, gast.Name):
                rank = 2 if isinstance(target, gast.Tuple) else 1
                ranks[source.id] = max(ranks.get(source.id, 0), rank)
                for part in target.elts if isinstance(target, gast.Tuple) else [target]:
                    if isinstance(part, gast.Name):
                        items[part.id] = source.id


def _names_in_index(node: Any) -> set[str]:
    """Names whose values are integers because they stand in a subscript or a range."""
    if isinstance(node, gast.Name):
        return {node.id}
    if isinstance(node, gast.Subscript):
        base = node.value
        while isinstance(base, gast.Subscript):
            base = base.value
        return {base.id} if isinstance(base, gast.Name) else set()
    if isinstance(node, gast.Call):
        return set()
    found: set[str] = set()
    for child in children(node):
        found |= _names_in_index(child)
    return found


def augmented_names(body: list[Any]) -> frozenset[str]:
    """Names that an update may change in place: ``x += 1`` of an array."""
    found = {
        n.target.id
        for n in walk(body)
        if isinstance(n, gast.AugAssign) and isinstance(n.target, gast.Name)
    }
    return frozenset(found)


def used_as_list(walker: Any) -> frozenset[str]:
    """The names that later statements use as more than ``np.array(name)`` or ``len(name)``."""
    fine: set[int] = set()
    whole = [*walker.made.tree.body, *walker.extra]
    for node in walk(whole):
        if isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords:
            obj = walker.scope.find(node.func)
            if obj is np.array or obj is len:
                fine.add(id(node.args[0]))
            if isinstance(node.func, gast.Attribute) and node.func.attr == "append":
                fine.add(id(node.func.value))
    return frozenset(
        node.id
        for node in walk(whole)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and id(node) not in fine
    )
