"""A user's function with its operators, tests and calls spelled as calls of the law.

    if x > 0:                    if _law_.test(_law_.compare("Gt", x, 0)):
        z = math.log(x) / y  ->      z = _law_.div(_law_.call(math.log)(x), y)

The rewritten function keeps the original's globals, defaults and closure cells; `_law_` reaches it
through one cell more, so that nothing is written into the user's module.
"""

from __future__ import annotations

import ast
import functools
import linecache
import types
import weakref
from typing import Any

from tests.oracle import law as law_module

NAME = "_law_"
_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "power", ast.BitAnd: "bitand", ast.BitOr: "bitor",
    ast.BitXor: "bitxor", ast.LShift: "lshift", ast.RShift: "rshift", ast.MatMult: "matmul",
}  # fmt: skip
_UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}


def _method(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(NAME, ast.Load()), name, ast.Load()), list(args), [])


class Rewrite(ast.NodeTransformer):
    """Every operator, test and call of one function (see the module's example)."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self) -> str:
        self.count += 1
        return f"_t{self.count}_"

    def test(self, node: ast.expr) -> ast.expr:
        return _method("test", node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _method(_BINARY[type(node.op)], node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        read, target = self.twice(node.target)
        name = ast.Constant(_BINARY[type(node.op)])
        value = _method("augmented", name, read, node.value)
        return ast.Assign([target], value, lineno=node.lineno)

    def twice(self, node: Any) -> tuple[Any, Any]:
        """What is read and then stored into; its parts are computed when it is read."""
        if isinstance(node, ast.Attribute):
            read, kept = self.twice(node.value)
            made = ast.Attribute(kept, node.attr, node.ctx)
            return ast.Attribute(read, node.attr, ast.Load()), made
        if isinstance(node, ast.Subscript):
            bases, indices = self.twice(node.value), self.twice(node.slice)
            read, kept = zip(bases, indices, strict=True)
            return ast.Subscript(*read, ast.Load()), ast.Subscript(*kept, node.ctx)
        if isinstance(node, ast.Slice):
            bounds = [self.twice(e) for e in (node.lower, node.upper, node.step)]
            return ast.Slice(*(r for r, _ in bounds)), ast.Slice(*(k for _, k in bounds))
        if isinstance(node, ast.Name):
            return ast.Name(node.id, ast.Load()), node
        if node is None or isinstance(node, ast.Constant):
            return node, node
        name = self.fresh()
        return ast.NamedExpr(ast.Name(name, ast.Store()), node), ast.Name(name, ast.Load())

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self.test(node.operand))
        if isinstance(node.operand, ast.Constant):
            return node
        return _method(_UNARY[type(node.op)], node.operand)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        result = node.values[-1]
        for value in reversed(node.values[:-1]):
            t = self.fresh()
            test = self.test(ast.NamedExpr(ast.Name(t, ast.Store()), value))
            kept: ast.expr = ast.Name(t, ast.Load())
            both = (result, kept) if isinstance(node.op, ast.And) else (kept, result)
            result = ast.IfExp(test, *both)
        return result

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        left, parts = node.left, []
        for k, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            following = right
            if k + 1 < len(node.ops):
                t = self.fresh()
                right, following = (
                    ast.NamedExpr(ast.Name(t, ast.Store()), right),
                    ast.Name(t, ast.Load()),
                )
            parts.append(_method("compare", ast.Constant(type(op).__name__), left, right))
            left = following
        return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), list(parts))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != "super":
            node.func = _method("call", node.func)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        node.test = self.test(node.test)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        """While exploring, paths that raise are seldom taken: they return nothing."""
        raises = isinstance(node.body[-1], ast.Raise)
        self.generic_visit(node)
        node.test = _method("test", node.test, ast.Constant(0.1 if raises else 0.5))
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        self.generic_visit(node)
        node.test = self.test(node.test)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        self.generic_visit(node)
        node.test = _method("test", node.test, ast.Constant(0.9))
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.ifs = [self.test(t) for t in node.ifs]
        return node

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        """The subject may be anything that a case asks for while paths are explored."""
        wanted = [e for case in node.cases if (e := _exemplar(case.pattern)) is not None]
        thunk = ast.Lambda(_no_arguments(), ast.List([_copy(e) for e in wanted], ast.Load()))
        node.subject = _method("subject", self.visit(node.subject), thunk)
        node.cases = [self.visit(case) for case in node.cases]
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        node.body = [self.visit(s) for s in node.body]
        if node.guard is not None:
            node.guard = self.test(self.visit(node.guard))
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        self.generic_visit(node)
        node.value = _method("plain", node.value)
        return node

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        types_ = [h.type or ast.Name("BaseException", ast.Load()) for h in node.handlers]
        self.generic_visit(node)
        enter = ast.withitem(_method("enclosing", *types_))
        if node.handlers:
            node.body = [ast.With([enter], node.body, lineno=node.lineno)]
        return node


@functools.lru_cache(maxsize=64)
def _definitions(text: str) -> dict[int, list[ast.FunctionDef | ast.Lambda]]:
    """The functions of a file by the line their code object starts on."""
    found: dict[int, list[ast.FunctionDef | ast.Lambda]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            line = min([node.lineno] + [d.lineno for d in node.decorator_list])
        elif isinstance(node, ast.Lambda):
            line = node.lineno
        else:
            continue
        found.setdefault(line, []).append(node)
    return found


def _definition(fn: types.FunctionType) -> ast.FunctionDef | ast.Lambda | None:
    text = "".join(linecache.getlines(fn.__code__.co_filename, fn.__globals__))
    if not text:
        return None
    name = fn.__name__
    nodes = [
        n
        for n in _definitions(text).get(fn.__code__.co_firstlineno, [])
        if getattr(n, "name", "<lambda>") == name
    ]
    if len(nodes) > 1:  # several lambdas on one line: the one whose body holds the code's columns
        columns = {p[2] for p in fn.__code__.co_positions() if p[2]}
        nodes = [n for n in nodes if isinstance(n, ast.Lambda) and n.body.col_offset in columns]
    return nodes[0] if nodes else None


_lawful: weakref.WeakKeyDictionary[types.FunctionType, types.FunctionType] = (
    weakref.WeakKeyDictionary()
)


def lawful(fn: types.FunctionType) -> types.FunctionType:
    """The function under the law; the function itself where it has no source."""
    known = _lawful.get(fn)
    if known is not None:
        return known
    node = _definition(fn)
    result = fn if node is None else _rebuild(fn, node)
    _lawful[fn] = result
    return result


def _rebuild(fn: types.FunctionType, node: ast.FunctionDef | ast.Lambda) -> types.FunctionType:
    tree = _copy(node)
    if isinstance(tree, ast.FunctionDef):
        tree.decorator_list = []
        tree.args.defaults = [ast.Constant(None) for _ in tree.args.defaults]
        tree.args.kw_defaults = [d and ast.Constant(None) for d in tree.args.kw_defaults]
        rewrite = Rewrite()
        tree.body = [rewrite.visit(s) for s in tree.body]
        tree.name = "_def_"  # its own name is the user's, a global or a cell
        body: list[ast.stmt] = [tree]
    else:
        tree.args.defaults = [ast.Constant(None) for _ in tree.args.defaults]
        tree.args.kw_defaults = [d and ast.Constant(None) for d in tree.args.kw_defaults]
        tree.body = Rewrite().visit(tree.body)
        body = [ast.Return(tree)]
    free = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    free[NAME] = types.CellType(law_module.LAW)
    arguments = _no_arguments()
    arguments.args = [ast.arg(n) for n in free]
    outer = ast.FunctionDef("_outer_", arguments, body, [], lineno=node.lineno)
    tree = ast.Module([outer], [])
    _locate(tree, node.lineno)
    module = compile(tree, fn.__code__.co_filename, "exec")
    code = next(
        c
        for c in _codes(_codes(module.co_consts)[0].co_consts)
        if c.co_name in ("_def_", "<lambda>")
    ).replace(co_name=fn.__name__, co_qualname=fn.__qualname__)
    cells = tuple(free[n] for n in code.co_freevars)
    result = types.FunctionType(code, fn.__globals__, fn.__name__, fn.__defaults__, cells)
    result.__kwdefaults__ = fn.__kwdefaults__
    _lawful[result] = result
    return result


def _no_arguments() -> ast.arguments:
    return ast.arguments([], [], None, [], [], None, [])


def _exemplar(pattern: ast.pattern) -> ast.expr | None:
    """A value that the pattern matches; None where anything does, or no constant says what."""
    if isinstance(pattern, ast.MatchValue):
        return pattern.value
    if isinstance(pattern, ast.MatchSingleton):
        return ast.Constant(pattern.value)
    if isinstance(pattern, ast.MatchOr):
        return _exemplar(pattern.patterns[0])
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        return _exemplar(pattern.pattern)
    if isinstance(pattern, ast.MatchSequence):
        parts = [_exemplar(p) or ast.Constant(0) for p in pattern.patterns]
        return ast.Tuple(parts, ast.Load())
    return None


def _codes(constants: tuple[Any, ...]) -> list[types.CodeType]:
    return [c for c in constants if isinstance(c, types.CodeType)]


def _locate(node: ast.AST, line: int) -> None:
    """Every node on its own line or its parent's (columns do not matter here)."""
    line = getattr(node, "lineno", line)
    if "lineno" in node._attributes:
        node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
        node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    for child in ast.iter_child_nodes(node):
        _locate(child, line)


def _copy(node: Any) -> Any:
    """A copy of a tree (copy.deepcopy takes five times as long)."""
    if isinstance(node, list):
        return [_copy(n) for n in node]
    if not isinstance(node, ast.AST):
        return node
    new = type(node)(**{f: _copy(v) for f, v in ast.iter_fields(node)})
    return ast.copy_location(new, node)
