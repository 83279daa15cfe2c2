"""Reading emitted text: what must hold of every text, as functions that return what offends."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import autovec
from tests.programs.grid import _KINDS, layouts

#: NumPy functions that are undefined or noisy for some arguments
PARTIAL = frozenset(
    """log log2 log10 log1p sqrt arccos arcsin arccosh arctanh divide true_divide floor_divide
    remainder mod fmod power float_power reciprocal divmod""".split()
)
BUFFERS = frozenset("empty zeros ones full copy flatnonzero nonzero arange".split())


def emitted(f: Callable[..., Any], *args: Any, in_axes: Any = None) -> ast.FunctionDef:
    """The batched function's own def, as a tree, without its header docstring."""
    made = (
        autovec.vectorize(f, fallback="error")
        if in_axes is None
        else autovec.vmap(f, in_axes, fallback="error")
    )
    tree = [n for n in ast.parse(made.emit(*args)).body if isinstance(n, ast.FunctionDef)][-1]
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    return tree


@functools.lru_cache(maxsize=None)
def texts(module: ModuleType) -> list[tuple[str, Callable[..., Any], ast.FunctionDef]]:
    """Name, function and emitted def of every program of a module that compiles, in each layout."""
    found = []
    for f, kinds in _KINDS.items():
        if inspect.getmodule(f) is not module:
            continue
        for layout, args, in_axes in layouts(kinds):
            if layout not in ("flat", "vmap", "uniform0"):
                continue  # the others' texts differ in dtypes only
            try:
                found.append((f"{f.__name__}-{layout}", f, emitted(f, *args, in_axes=in_axes)))
            except autovec.AutovecError:
                continue  # the language tests say so
    return found


def source(f: Callable[..., Any]) -> ast.FunctionDef:
    """The user's def."""
    return ast.parse(textwrap.dedent(inspect.getsource(f))).body[0]  # type: ignore[return-value]


def line(node: ast.AST) -> str:
    return ast.unparse(node)


def calls_of(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and ast.unparse(n.func) == f"np.{name}":
            yield n


def is_partial(node: ast.AST) -> bool:
    """An operation that some lanes may not survive, or survive silently."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
        right = node.right
        return not (isinstance(right, ast.Constant) and right.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return not (isinstance(node.right, ast.Constant) and isinstance(node.right.value, int))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return ast.unparse(node.func.value) == "np" and node.func.attr in PARTIAL
    return False


def partial_inside_where(f: Any, tree: ast.FunctionDef) -> list[str]:
    """np.where computes both sides for every lane: neither may be partial."""
    return [
        line(inner)
        for where in calls_of(tree, "where")
        for side in where.args[1:]
        for inner in ast.walk(side)
        if is_partial(inner)
    ]


def relative_indexes(f: Any, tree: ast.FunctionDef) -> list[str]:
    """One live index a region, absolute: never an index of an index of an index."""

    def depth(node: ast.AST) -> int:
        inner = [depth(c) for c in ast.iter_child_nodes(node)] or [0]
        return max(inner) + isinstance(node, ast.Subscript)

    return [line(n) for n in ast.walk(tree) if isinstance(n, ast.Subscript) and depth(n.slice) > 1]


def bindings(tree: ast.FunctionDef) -> tuple[Counter[str], Counter[str]]:
    """How often each name is assigned, and read."""
    stored: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for n in ast.walk(tree):
        if isinstance(n, ast.Name):
            (stored if isinstance(n.ctx, ast.Store) else read)[n.id] += 1
    return stored, read


def unread_names(f: Any, tree: ast.FunctionDef) -> list[str]:
    """Nothing is computed that nobody reads (but the parameters, flattened together)."""
    stored, read = bindings(tree)
    own = {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)}
    return sorted(set(stored) - set(read) - own - {"_"})


def single_use_temporaries(f: Any, tree: ast.FunctionDef) -> list[str]:
    """A name that the user did not write stands for something read twice, a buffer, an index.

    What stands before a loop that reads it is computed once for all trips.
    """
    stored, read = bindings(tree)
    inside = {
        n.id
        for loop in ast.walk(tree)
        if isinstance(loop, (ast.For, ast.While))
        for s in loop.body
        for n in ast.walk(s)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    }
    users = {n.id for n in ast.walk(source(f)) if isinstance(n, ast.Name)}
    users |= {a.arg for a in ast.walk(source(f)) if isinstance(a, ast.arg)}
    found = []
    for n in ast.walk(tree):
        if not (isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)):
            continue
        name = n.targets[0].id
        head = n.value.func if isinstance(n.value, ast.Call) else None
        buffer = isinstance(head, ast.Attribute) and head.attr in BUFFERS
        index = re.fullmatch(r"[jk]\d*", name) and isinstance(n.value, ast.Subscript)
        size = isinstance(head, ast.Name) and head.id == "len"
        buffer = buffer or bool(index) or size
        if name.rstrip("0123456789") in users or name.endswith("_k") or buffer or name == "lane":
            continue
        if stored[name] == 1 and read[name] == 1 and name not in inside:
            found.append(line(n))
    return found


def copies_of_fresh_arrays(f: Any, tree: ast.FunctionDef) -> list[str]:
    """No copy of what an operation has just made."""
    found = []
    for block in ast.walk(tree):
        for body in (getattr(block, "body", None), getattr(block, "orelse", None)):
            if not isinstance(body, list):
                continue
            for a, b in zip(body, body[1:], strict=False):
                if isinstance(a, ast.Assign) and isinstance(a.value, ast.BinOp):
                    if line(b) == f"{line(a.targets[0])} = {line(a.targets[0])}.copy()":
                        found.append(line(b))
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "copy":
            made = n.func.value
            own = isinstance(made, ast.Call) and isinstance(
                made.func, ast.Name
            )  # a helper's result
            views = isinstance(made, ast.Call) and re.search(
                r"broadcast_to|real|imag|ravel", line(made)
            )
            if isinstance(made, ast.BinOp | ast.Call | ast.Compare) and not views and not own:
                found.append(line(n))
    return found


def no_operations(f: Any, tree: ast.FunctionDef) -> list[str]:
    """np.where(t, True, False), np.where(t, a, a), ~~t, x == True, x = x, a test asked twice."""
    found = []
    for where in calls_of(tree, "where"):
        values = [a.value for a in where.args[1:] if isinstance(a, ast.Constant)]
        if len(values) == 2 and set(map(repr, values)) <= {"True", "False"}:
            found.append(line(where))
        elif line(where.args[1]) == line(where.args[2]):
            found.append(line(where))
    for n in ast.walk(tree):
        if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Invert):
            if isinstance(n.operand, ast.UnaryOp) and isinstance(n.operand.op, ast.Invert):
                found.append(line(n))
        if isinstance(n, ast.Compare) and any(
            isinstance(c, ast.Constant) and isinstance(c.value, bool) for c in n.comparators
        ):
            found.append(line(n))
        if isinstance(n, ast.If) and len(n.body) == 1 and isinstance(n.body[0], ast.If):
            if line(n.test) == line(n.body[0].test):
                found.append(f"if {line(n.test)}: if {line(n.test)}")
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Name):
            if any(isinstance(t, ast.Name) and t.id == n.value.id for t in n.targets):
                found.append(line(n))
    return found


def conversions(f: Any, tree: ast.FunctionDef) -> list[str]:
    """No np.asarray of what is an array."""
    return [line(n) for n in calls_of(tree, "asarray")]


def names(f: Any, tree: ast.FunctionDef) -> list[str]:
    """Readable names: no tmp_17, no leading underscores, no builtin that the text itself needs."""
    stored, read = bindings(tree)
    called = {
        n.func.id
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    bad = []
    for name in stored:
        if name != "_" and (name.startswith("_") or not name.isascii()):
            bad.append(name)
        if name.rstrip("0123456789") != name and len(name) - len(name.rstrip("0123456789")) > 2:
            bad.append(name)
        if name in called and hasattr(builtins, name):
            bad.append(name)
        if name in ("np", "math", "tmp", "temp"):
            bad.append(name)
    return bad


def ordering_signs(tree: ast.AST) -> set[str]:
    signs = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
    return {signs[type(op)] for n in ast.walk(tree) if isinstance(n, ast.Compare)
            for op in n.ops if type(op) in signs}  # fmt: skip


RULES = [
    partial_inside_where,
    relative_indexes,
    unread_names,
    single_use_temporaries,
    copies_of_fresh_arrays,
    no_operations,
    conversions,
    names,
]
