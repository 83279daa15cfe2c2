"""An expression of Python's own that runs a lane at a time: its parts, and the type of each.

What NumPy can compute for all lanes at once is an operand of the expression, everything else stays
as the user wrote it.  The type of the whole has to be known, for it decides the result's dtype:

    f"{name}: {price * 1.2:.2f}"    str, of the operands name and price * 1.2
    sum(int(c) for c in str(n))     int, of the operand n
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from autovec.ops import result_types
from autovec.ops.result_types import NUMBERS, REALS, Type, head, item_type
from autovec.program.build import Builder
from autovec.program.missing import with_missing
from autovec.program.python_types import PLAIN, type_of, type_of_object
from autovec.program.things import Known, Maybe, Thing
from autovec.program.values import Const, Value
from autovec.syntax import quote
from autovec.syntax.names import HIDDEN
from autovec.syntax.visit import free_names
from autovec.syntax.walking import updated

Bound = Mapping[str, Type]
Part = tuple[gast.expr, Type]
PARTS: dict[type, Callable[[Any, Any, Bound], Part]] = {}


class NotTyped(Exception):
    """The type of an expression is not known."""


def part(*kinds: type) -> Callable[[Any], Any]:
    """Register what a kind of node gives."""

    def register(rule: Any) -> Any:
        PARTS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


class Parts:
    """Takes an expression apart; ``operands`` are the values it reads, by name."""

    def __init__(self, b: Builder, whole: gast.expr) -> None:
        self.b = b
        self.whole = whole
        self.operands: dict[str, Value] = {}
        self.taken = {n.id for n in gast.walk(whole) if isinstance(n, gast.Name)}

    def of(self, node: gast.expr, bound: Bound) -> Part:
        """The expression that stands for a node, and its type."""
        reads = free_names(node)
        if node is not self.whole and not reads & set(bound):
            made = self.operand(node)
            if made is not None:
                return made
        rule = PARTS.get(type(node))
        if rule is None:
            raise NotTyped
        return rule(self, node, bound)

    def operand(self, node: gast.expr) -> Part | None:
        """A node as an operand, or as an object of the user's; None where it is neither."""
        thing = self.b.attempt(node)
        if isinstance(thing, Maybe) and type_of(thing.value.fact) in PLAIN:
            thing = with_missing(self.b, thing)
        if isinstance(thing, Value):
            kind = type_of(thing.fact)
            if kind is None:
                raise NotTyped
            if isinstance(thing.op, Const):
                return quote.const(thing.op.value), kind
            return self.named(node, thing), kind
        if isinstance(thing, Known) and thing.expr is not None:
            found = type_of_object(thing.obj)
            if found is not None:
                self.b.capture(thing.expr, thing.obj, values=True)
                return thing.expr, found
        return None

    def named(self, node: gast.expr, value: Value) -> gast.expr:
        """The name of an operand: the user's, or one like it."""
        for name, other in self.operands.items():
            if other is value:
                return quote.name(name)
        if isinstance(node, gast.Name) and not node.id.startswith(HIDDEN):
            name = node.id
        else:
            origin = value.origin if value.origin and value.origin.isidentifier() else "v"
            name, k = origin, 1
            while name in self.taken:
                k += 1
                name = f"{origin}{k}"
        self.taken.add(name)
        self.operands[name] = value
        return quote.name(name)

    def each(self, nodes: list[gast.expr], bound: Bound) -> tuple[list[gast.expr], list[Type]]:
        """Several expressions."""
        made = [self.of(n, bound) for n in nodes]
        return [e for e, _ in made], [t for _, t in made]

    def known(self, node: gast.expr, bound: Bound) -> Any:
        """The object that a name or path stands for; None where it is none."""
        if free_names(node) & set(bound):
            return None
        thing: Thing | None = self.b.attempt(node)
        return thing.obj if isinstance(thing, Known) else None


@part(gast.Constant)
def constant(p: Parts, node: gast.Constant, bound: Bound) -> Part:
    """A literal."""
    kind = type_of_object(node.value)
    if kind is None:
        raise NotTyped
    return node, kind


@part(gast.Name)
def name(p: Parts, node: gast.Name, bound: Bound) -> Part:
    """A variable of a comprehension; other names are operands."""
    if node.id not in bound:
        raise NotTyped
    return node, bound[node.id]


@part(gast.JoinedStr)
def f_string(p: Parts, node: gast.JoinedStr, bound: Bound) -> Part:
    """An f-string, whatever it shows."""
    values = [
        updated(
            v,
            value=p.of(v.value, bound)[0],
            format_spec=None if v.format_spec is None else f_string(p, v.format_spec, bound)[0],
        )
        if isinstance(v, gast.FormattedValue)
        else v
        for v in node.values
    ]
    return updated(node, values=values), "str"


@part(gast.Tuple, gast.List, gast.Set)
def display(p: Parts, node: Any, bound: Bound) -> Part:
    """A tuple, list or set."""
    items, kinds = p.each(node.elts, bound)
    made = updated(node, elts=items)
    if isinstance(node, gast.Tuple):
        return made, ("tuple", *kinds)
    if len(set(kinds)) != 1:
        raise NotTyped
    return made, ("list" if isinstance(node, gast.List) else "set", kinds[0])


@part(gast.BinOp)
def bin_op(p: Parts, node: gast.BinOp, bound: Bound) -> Part:
    """Arithmetic that Python and NumPy agree on; strings and lists joined and repeated."""
    left, a = p.of(node.left, bound)
    right, b = p.of(node.right, bound)
    made = updated(node, left=left, right=right)
    op = type(node.op)
    if op is gast.Mod and a == "str":
        return made, "str"
    if op is gast.Add and a == b and head(a) in ("str", "list", "timedelta"):
        return made, a
    if op is gast.Mult and {a, b} == {"str", "int"}:
        return made, "str"
    if op is gast.Mult and head(a) == "list" and b == "int":
        return made, a
    if a in REALS and b in REALS and op in (gast.Add, gast.Sub, gast.Mult):
        return made, "float" if "float" in (a, b) else "int"
    nonzero = isinstance(node.right, gast.Constant) and node.right.value != 0
    if a in REALS and b in REALS and op in (gast.FloorDiv, gast.Mod):
        whole = "float" not in (a, b)
        if whole or nonzero:  # of floats by zero, NumPy's answer is the law
            return made, "int" if whole else "float"
    if a in REALS and b in REALS and op is gast.Div and nonzero:
        return made, "float"
    raise NotTyped


@part(gast.UnaryOp)
def unary(p: Parts, node: gast.UnaryOp, bound: Bound) -> Part:
    """``not``, and signs of numbers."""
    operand, kind = p.of(node.operand, bound)
    made = updated(node, operand=operand)
    if isinstance(node.op, gast.Not):
        return made, "bool"
    if kind not in ("int", "float"):
        raise NotTyped
    return made, kind


@part(gast.Compare)
def compare(p: Parts, node: gast.Compare, bound: Bound) -> Part:
    """A comparison of values of one type, or a membership test."""
    if any(isinstance(c, gast.Constant) and c.value is None for c in node.comparators):
        left, kind = p.of(node.left, bound)
        if head(kind) == "match?" and len(node.ops) == 1:
            return updated(node, left=left), "bool"
        raise NotTyped
    parts, kinds = p.each([node.left, *node.comparators], bound)
    for op, a, b in zip(node.ops, kinds, kinds[1:], strict=False):
        alike = a == b or (a in REALS and b in REALS)
        inside = isinstance(op, (gast.In, gast.NotIn)) and (a == b == "str" or _holds(b, a))
        equal = isinstance(op, (gast.Eq, gast.NotEq)) and a in NUMBERS and b in NUMBERS
        ordered = not isinstance(op, (gast.In, gast.NotIn, gast.Is, gast.IsNot)) and alike
        if not (inside or equal or ordered):
            raise NotTyped
    return updated(node, left=parts[0], comparators=parts[1:]), "bool"


def _holds(container: Type, item: Type) -> bool:
    found = item_type(container) if isinstance(container, tuple) else None
    return found is not None and (found == item or (found in NUMBERS and item in NUMBERS))


@part(gast.BoolOp)
def bool_op(p: Parts, node: gast.BoolOp, bound: Bound) -> Part:
    """``and`` and ``or`` of values of one type."""
    values, kinds = p.each(node.values, bound)
    if len(set(kinds)) != 1:
        raise NotTyped
    return updated(node, values=values), kinds[0]


@part(gast.IfExp)
def conditional(p: Parts, node: gast.IfExp, bound: Bound) -> Part:
    """One of two values of one type."""
    test, _ = p.of(node.test, bound)
    (body, orelse), kinds = p.each([node.body, node.orelse], bound)
    if kinds[0] != kinds[1]:
        raise NotTyped
    return updated(node, test=test, body=body, orelse=orelse), kinds[0]


@part(gast.Subscript)
def subscript(p: Parts, node: gast.Subscript, bound: Bound) -> Part:
    """An item or a slice of a string or container."""
    base, kind = p.of(node.value, bound)
    index: gast.expr = node.slice
    if isinstance(index, gast.Slice):
        bounds = {
            field: None if e is None else p.of(e, bound)[0]
            for field, e in (("lower", index.lower), ("upper", index.upper), ("step", index.step))
        }
        if head(kind) not in ("str", "list") and kind[0] != "tuple*":
            raise NotTyped
        return updated(node, value=base, slice=updated(index, **bounds)), kind
    where, at = p.of(index, bound)
    made = updated(node, value=base, slice=where)
    if head(kind) == "match?" and isinstance(index, gast.Constant) and index.value in kind[1:]:
        return made, "str"
    if head(kind) == "dict" and at == kind[1]:
        return made, kind[2]
    if at not in ("int", "bool"):
        raise NotTyped
    if isinstance(kind, tuple) and kind[0] == "tuple":
        k = _literal_index(index)
        if k is None or not -len(kind) < k < len(kind) - 1 + (k < 0):
            raise NotTyped
        return made, kind[1:][k]
    if kind == "str":
        return made, "str"
    if head(kind) in ("list", "tuple"):
        return made, kind[1]
    raise NotTyped


def _literal_index(node: gast.expr) -> int | None:
    sign = -1 if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else 1
    inner = node.operand if isinstance(node, gast.UnaryOp) else node
    value = inner.value if isinstance(inner, gast.Constant) else None
    return sign * value if isinstance(value, int) else None


@part(gast.Attribute)
def attribute(p: Parts, node: gast.Attribute, bound: Bound) -> Part:
    """A field of a date."""
    base, kind = p.of(node.value, bound)
    found = result_types.attribute_type(kind, node.attr)
    if found is None:
        raise NotTyped
    return updated(node, value=base), found


@part(gast.ListComp, gast.GeneratorExp, gast.SetComp)
def comprehension(p: Parts, node: Any, bound: Bound) -> Part:
    """A comprehension over what has items of one type."""
    inner = dict(bound)
    generators = []
    for g in node.generators:
        over, kind = p.of(g.iter, inner)
        item = item_type(kind)
        if item is None or g.is_async:
            raise NotTyped
        inner.update(targets(g.target, item))
        tests = [p.of(test, inner)[0] for test in g.ifs]
        generators.append(updated(g, iter=over, ifs=tests))
    elt, kind = p.of(node.elt, inner)
    container = {gast.ListComp: "list", gast.SetComp: "set"}.get(type(node), "iter")
    return updated(node, elt=elt, generators=generators), (container, kind)


def targets(target: gast.expr, kind: Type) -> dict[str, Type]:
    """The variables of a comprehension, with their types."""
    if isinstance(target, gast.Name):
        return {target.id: kind}
    fixed = isinstance(kind, tuple) and kind[0] == "tuple"
    if isinstance(target, gast.Tuple) and fixed and len(target.elts) == len(kind) - 1:
        pairs = zip(target.elts, kind[1:], strict=True)
        return {name: t for e, k in pairs for name, t in targets(e, k).items()}
    raise NotTyped
