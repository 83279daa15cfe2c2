"""One operation a statement, for code inside ``try``.

After this pass an operation's operands are names:

>>> from autovec.syntax.quote import stmts
>>> from autovec.syntax.convert import text_of
>>> for s in one_at_a_time(stmts("y = 1 / math.sin(x) + 2"), "part"):
...     print(text_of(s))
part2 = math.sin(x)
part1 = 1 / part2
y = part1 + 2

Operands keep their order of evaluation.  Conditional expressions, ``and`` and ``or`` become ``if``
statements, so that a side is still evaluated only where it is taken.
"""

from __future__ import annotations

from typing import Any

import gast

from autovec.syntax import quote
from autovec.syntax.build import branch
from autovec.syntax.walking import updated


def one_at_a_time(body: list[gast.stmt], prefix: str) -> list[gast.stmt]:
    """The same statements with every operand of an operation a name or a literal.

    The names that this makes begin with a prefix that no name of the user's begins with.
    """
    return _Flattener(prefix).statements(body)


class _Flattener:
    """Statements in order, the operands that were taken out before what reads them."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.count = 0
        self.out: list[gast.stmt] = []

    def fresh(self) -> str:
        self.count += 1
        return f"{self.prefix}{self.count}"

    def statements(self, body: list[gast.stmt]) -> list[gast.stmt]:
        before, self.out = self.out, []
        for node in body:
            self.statement(node)
        made, self.out = self.out, before
        return made

    def statement(self, node: gast.stmt) -> None:
        if isinstance(node, gast.Return) and isinstance(node.value, (gast.BinOp, gast.Call)):
            self.out.append(updated(node, value=self.operand(node.value)))
        elif (
            isinstance(node, (gast.Assign, gast.AnnAssign, gast.Return, gast.Expr))
            and node.value is not None
        ):
            self.out.append(updated(node, value=self.top(node.value)))
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            name, right = node.target.id, self.operand(node.value)
            made = updated(quote.expr("x + y", x=name, y=right), op=node.op)
            self.add(quote.stmt("x = value", x=name, value=made), node)
        elif isinstance(node, gast.If):
            raises = isinstance(node.test, (gast.BinOp, gast.Call))
            test = self.operand(node.test) if raises else self.top(node.test)
            body, orelse = self.statements(node.body), self.statements(node.orelse)
            self.out.append(updated(node, test=test, body=body, orelse=orelse))
        elif isinstance(node, gast.For) and is_range(node.iter):
            items: Any = node.iter
            args = [self.operand(a) for a in items.args]
            self.out.append(updated(node, iter=updated(items, args=args)))
        elif isinstance(node, gast.Assert):
            self.out.append(updated(node, test=self.operand(node.test)))
        elif isinstance(node, gast.Raise) and isinstance(node.exc, gast.IfExp):
            sides = [[updated(node, exc=side)] for side in (node.exc.body, node.exc.orelse)]
            self.statement(gast.copy_location(branch(node.exc.test, *sides), node))
        else:
            self.out.append(node)

    def add(self, made: gast.stmt, like: gast.AST) -> None:
        self.out.append(gast.copy_location(made, like))

    def top(self, node: gast.expr) -> gast.expr:
        """An expression that may itself be one operation on operands."""
        parts = self.parts(node)
        return node if parts is None else parts

    def parts(self, node: gast.expr) -> gast.expr | None:
        if isinstance(node, gast.BinOp):
            left, right = self.operand(node.left), self.operand(node.right)
            return updated(node, left=left, right=right)
        if isinstance(node, gast.UnaryOp):
            return updated(node, operand=self.operand(node.operand))
        if isinstance(node, gast.Call) and not any(isinstance(a, gast.Starred) for a in node.args):
            args = [self.operand(a) for a in node.args]
            keywords = [updated(k, value=self.operand(k.value)) for k in node.keywords]
            return updated(node, args=args, keywords=keywords)
        if isinstance(node, gast.Compare) and len(node.ops) == 1:
            left, right = self.operand(node.left), self.operand(node.comparators[0])
            return updated(node, left=left, comparators=[right])
        if isinstance(node, gast.Subscript) and not isinstance(node.slice, gast.Slice):
            value = node.value
            if isinstance(value, gast.Subscript) and not operates(node.slice):
                inner = self.parts(value) or value
            else:  # the item is looked up before the next index is computed
                inner = self.operand(value)
            return updated(node, value=inner, slice=self.operand(node.slice))
        if isinstance(node, (gast.Tuple, gast.List)):
            return updated(node, elts=[self.operand(e) for e in node.elts])
        if isinstance(node, gast.IfExp):
            return self.branch(node)
        if isinstance(node, gast.BoolOp) and any(map(operates, node.values)):
            return self.lazily(node)
        return None

    def branch(self, node: gast.IfExp) -> gast.expr:
        name = self.fresh()
        sides = []
        test = self.top(node.test)
        for side in (node.body, node.orelse):
            before, self.out = self.out, []
            self.assign(name, side)
            sides.append(self.out)
            self.out = before
        self.add(branch(test, *sides), node)
        return gast.copy_location(quote.name(name), node)

    def lazily(self, node: gast.BoolOp) -> gast.expr:
        """``a and b``: b only where a is true, else a itself."""
        name = self.fresh()
        self.assign(name, node.values[0])
        rest = node.values[1:]
        before, self.out = self.out, []
        self.assign(name, rest[0] if len(rest) == 1 else updated(node, values=rest))
        then, self.out = self.out, before
        sides = (then, []) if isinstance(node.op, gast.And) else ([], then)
        self.add(branch(quote.name(name), *sides), node)
        return gast.copy_location(quote.name(name), node)

    def assign(self, name: str, node: gast.expr) -> None:
        value = self.top(node)
        self.add(quote.stmt("target = value", target=name, value=value), node)

    def operand(self, node: gast.expr) -> gast.expr:
        if isinstance(node, (gast.Name, gast.Constant, gast.Attribute, gast.Lambda, gast.Starred)):
            return node
        if isinstance(node, gast.UnaryOp) and isinstance(node.operand, gast.Constant):
            return node
        if self_contained(node) and not (isinstance(node, gast.BoolOp) and operates(node)):
            return node
        name = self.fresh()
        self.assign(name, node)
        return gast.copy_location(quote.name(name), node)


def is_range(node: gast.expr) -> bool:
    """Is it a call of ``range``, whose arguments are computed before the loop begins?"""
    if not isinstance(node, gast.Call) or node.keywords or not isinstance(node.func, gast.Name):
        return False
    return node.func.id == "range" and not any(isinstance(a, gast.Starred) for a in node.args)


def operates(node: gast.expr) -> bool:
    """Does it contain an operation that may raise?"""
    return any(isinstance(n, (gast.BinOp, gast.Call, gast.Subscript)) for n in gast.walk(node))


def self_contained(node: gast.expr) -> bool:
    """Sequences and comprehensions stay where they are: they are not operations."""
    return isinstance(
        node,
        (
            gast.GeneratorExp,
            gast.ListComp,
            gast.Dict,
            gast.Set,
            gast.JoinedStr,
            gast.BoolOp,
        ),
    )
