"""Random well-formed expressions and statements, as the parser would have them."""

from __future__ import annotations

import ast
import random

NAMES = ["x", "y", "k", "income", "a_rather_long_name_for_a_value", "out"]
BINARY = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult,
          ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift]  # fmt: skip
COMPARE = [ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
           ast.Is, ast.IsNot, ast.In, ast.NotIn]  # fmt: skip
CONSTANTS = [0, 1, 12000, 0.1, 1e-12, 2.5e300, 3j, True, None, ..., "text", 'say "so"', "it's",
             "a\nb\\", "{x}", b"\x00ab", "long words in a long string " * 6, 10**30]  # fmt: skip
LOAD, STORE = ast.Load(), ast.Store()


class Trees:
    """A seeded source of trees; `depth` bounds how deep they are."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def name(self, ctx: ast.expr_context = LOAD) -> ast.Name:
        return ast.Name(self.rng.choice(NAMES), ctx)

    def some(self, depth: int, low: int = 1, high: int = 4) -> list[ast.expr]:
        return [self.expr(depth) for _ in range(self.rng.randint(low, high))]

    def expr(self, depth: int) -> ast.expr:
        if depth <= 0 or self.rng.random() < 0.1:
            constant = ast.Constant(self.rng.choice(CONSTANTS))
            return self.rng.choice([self.name(), self.name(), constant])
        return getattr(self, self.rng.choice(EXPRESSIONS))(depth - 1)

    def binary(self, depth):
        return ast.BinOp(self.expr(depth), self.rng.choice(BINARY)(), self.expr(depth))

    def unary(self, depth):
        op = self.rng.choice([ast.USub, ast.UAdd, ast.Invert, ast.Not])
        return ast.UnaryOp(op(), self.expr(depth))

    def boolean(self, depth):
        return ast.BoolOp(self.rng.choice([ast.And, ast.Or])(), self.some(depth, 2))

    def compare(self, depth):
        right = self.some(depth, 1, 2)
        return ast.Compare(self.expr(depth), [self.rng.choice(COMPARE)() for _ in right], right)

    def call(self, depth):
        args = [ast.Starred(a, LOAD) if self.rng.random() < 0.1 else a for a in self.some(depth, 0)]
        keywords = [ast.keyword(self.rng.choice([*NAMES, None]), v) for v in self.some(depth, 0, 2)]
        named = [k.arg for k in keywords if k.arg]
        keywords = keywords if len(set(named)) == len(named) else []
        return ast.Call(self.expr(depth), args, keywords)

    def where(self, depth):
        func = ast.Attribute(ast.Name("np", LOAD), "where", LOAD)
        last = self.where(depth) if self.rng.random() < 0.5 else self.expr(depth)
        return ast.Call(func, [self.expr(depth), self.expr(depth), last], [])

    def attribute(self, depth):
        return ast.Attribute(self.expr(depth), self.rng.choice(NAMES), LOAD)

    def subscript(self, depth):
        def one():
            if self.rng.random() < 0.4:
                return ast.Slice(*(self.rng.choice([None, self.expr(depth)]) for _ in range(3)))
            return self.expr(depth)

        index = one() if self.rng.random() < 0.6 else ast.Tuple([one(), one()], LOAD)
        return ast.Subscript(self.expr(depth), index, LOAD)

    def display(self, depth):
        kind = self.rng.choice([ast.Tuple, ast.List, ast.Set])
        return ast.Set(self.some(depth)) if kind is ast.Set else kind(self.some(depth, 0), LOAD)

    def dictionary(self, depth):
        values = self.some(depth, 0)
        keys = [None if self.rng.random() < 0.1 else self.expr(depth) for _ in values]
        return ast.Dict(keys, values)

    def ternary(self, depth):
        return ast.IfExp(self.expr(depth), self.expr(depth), self.expr(depth))

    def function(self, depth):
        args = [ast.arg(name) for name in self.rng.sample(NAMES, self.rng.randint(0, 3))]
        defaults = self.some(depth, 0, 1) if args else []
        return ast.Lambda(ast.arguments([], args, None, [], [], None, defaults), self.expr(depth))

    def comprehension(self, depth):
        generators = [
            ast.comprehension(self.name(STORE), self.expr(depth), self.some(depth, 0, 1), 0)
            for _ in range(self.rng.randint(1, 2))
        ]
        kind = self.rng.choice([ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp])
        if kind is ast.DictComp:
            return ast.DictComp(self.expr(depth), self.expr(depth), generators)
        return kind(self.expr(depth), generators)

    def walrus(self, depth):
        return ast.NamedExpr(self.name(STORE), self.expr(depth))

    def f_string(self, depth):
        words = ["lane ", 'say "so" ', "it's {} ", "a\n", "many words " * 9]
        text = ast.Constant(self.rng.choice(words))
        # Before Python 3.12 no quote and no backslash may stand in a hole twice.
        hole = ast.FormattedValue(self.name(), self.rng.choice([-1, 114]), None)
        spec = ast.JoinedStr([ast.Constant(">"), ast.FormattedValue(self.name(), -1, None)])
        padded = ast.FormattedValue(self.name(), -1, spec)
        return ast.JoinedStr([text, hole, ast.Constant(" and "), padded])

    def statement(self, depth: int) -> ast.stmt:
        value, target = self.expr(depth), self.name(STORE)
        index = ast.Subscript(self.expr(depth - 1), self.expr(depth - 1), STORE)
        body: list[ast.stmt] = [ast.Assign([target], value)]
        return self.rng.choice([
            ast.Assign([target], value),
            ast.Assign([index, target], value),
            ast.Assign([ast.Tuple([target, index], STORE)], value),
            ast.AugAssign(target, self.rng.choice(BINARY)(), value),
            ast.AnnAssign(target, self.name(), value, 1),
            ast.Return(value),
            ast.Raise(value, self.expr(depth - 1)),
            ast.Assert(value, self.expr(depth - 1)),
            ast.If(value, body, [ast.If(self.expr(depth - 1), body, body)]),
            ast.While(value, body, body),
            ast.For(ast.Tuple([target, target], STORE), value, body, []),
            ast.With([ast.withitem(value, target), ast.withitem(self.name(), None)], body),
        ])  # fmt: skip


EXPRESSIONS = [
    "binary", "binary", "unary", "boolean", "compare", "call", "where", "attribute", "subscript",
    "display", "dictionary", "ternary", "function", "comprehension", "walrus", "f_string",
]  # fmt: skip
