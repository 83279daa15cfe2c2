"""Visitors, transformers, scopes, renaming, fresh names, conversion."""

import ast
import glob
import keyword
import os
import symtable
import sys

import gast
import pytest

from autovec.syntax.convert import text_of, to_gast
from autovec.syntax.names import Namer
from autovec.syntax.quote import const, expr, name, stmt, stmts
from autovec.syntax.scope import bindings
from autovec.syntax.visit import (
    Transformer,
    Visitor,
    assigned_names,
    free_names,
    local_names,
    located,
    parameters,
    replace_names,
    updated,
    walk,
)

# walking and visiting


def names_in(nodes):
    return [node.id for node in nodes if isinstance(node, gast.Name)]


def test_walk_goes_in_the_order_of_the_text():
    assert names_in(walk(stmts("f(a, b=c)\nd = [e, g]"))) == ["f", "a", "c", "d", "e", "g"]


def test_walk_is_not_recursive():
    node = name("x")
    for _ in range(5000):
        node = gast.UnaryOp(gast.Not(), node)
    assert sum(1 for _ in walk(node)) == 10001  # the operators are nodes too


def test_a_visitor_calls_the_method_of_the_class_and_goes_on_elsewhere():
    class Calls(Visitor):
        def __init__(self):
            self.found = []

        def visit_Call(self, node):
            self.found.append(node.func.id)
            self.visit_all(node.args)

    calls = Calls()
    calls.visit(expr("f(g(x)) + h(k=i(y))"))
    assert calls.found == ["f", "g", "h"]


def test_a_subclass_of_a_visitor_has_its_own_methods():
    class Base(Visitor):
        def visit_Name(self, node):
            return "base"

    class Sub(Base):
        def visit_Name(self, node):
            return "sub"

    assert Base().visit(name("x")) == "base"
    assert Sub().visit(name("x")) == "sub"
    assert Base().visit(name("x")) == "base"


class Drop(Transformer):
    """Removes `pass`, doubles `x = ...`, and turns 1 into 2."""

    def visit_Pass(self, node):
        return None

    def visit_Assign(self, node):
        node = self.generic_visit(node)
        return [node, node] if node.targets[0].id == "x" else node

    def visit_Constant(self, node):
        return const(2) if node.value == 1 else node


def test_a_transformer_removes_and_splices():
    tree = stmt("if t:\n    pass\n    x = 1\n    y = 3")
    assert text_of(Drop().visit(tree)) == "if t:\n    x = 2\n    x = 2\n    y = 3"


def test_a_transformer_mutates_nothing():
    tree = stmt("if t:\n    pass\n    x = 1\n    y = 3")
    before = gast.dump(tree)
    new = Drop().visit(tree)
    assert gast.dump(tree) == before
    assert new.test is tree.test
    assert new.body[2] is tree.body[2]


def test_nothing_changed_is_the_same_tree():
    tree = stmts("y = f(3)\nz = {**a, 'b': 4}\n")
    assert Drop().visit_list(tree) is tree


def test_a_transformer_keeps_the_empty_places_of_lists():
    tree = expr("{**a, 1: 1}")
    assert text_of(Drop().visit(tree)) == "{**a, 2: 2}"


def test_a_changed_node_keeps_its_location():
    tree = gast.parse("\n\nx + 1").body[0].value
    new = Drop().visit(tree)
    assert new is not tree and (new.lineno, new.col_offset) == (3, 0)


def test_updated_copies_one_node():
    tree = stmt("return x")
    new = updated(tree, value=name("y"))
    assert (text_of(new), text_of(tree)) == ("return y", "return x")


def test_located_fills_what_has_no_place():
    user = gast.parse("\n  \nf(a)").body[0].value
    other = gast.parse("b").body[0].value
    new = located(expr("g(x + y)", x=other), user)
    assert (new.lineno, new.col_offset, new.end_col_offset) == (3, 0, 4)
    assert new.args[0].lineno == 3 and new.args[0].right.lineno == 3
    assert other.lineno == 1
    assert located(expr("x"), expr("y")).__dict__.get("lineno") is None


# scopes


@pytest.mark.parametrize(
    "text, names",
    [
        ("x = y = 1", "x y"),
        ("x.a = z[i] = 1", ""),
        ("a, (b, *c) = v", "a b c"),
        ("x += 1", "x"),
        ("x: int = 1", "x"),
        ("for i, j in v:\n    k = 1\nelse:\n    m = 1", "i j k m"),
        ("with f() as (a, b): pass", "a b"),
        ("import a.b, c.d as e\nfrom f import g, h as i", "a e g i"),
        ("try:\n    x = 1\nexcept E as e:\n    y = 1\nfinally:\n    z = 1", "e x y z"),
        ("def f(a, b=(c := 1)):\n    d = 1", "c f"),
        ("@(dec := g)\nclass C(B := 1):\n    x = 1", "B C dec"),
        ("f = lambda a, b=(c := 1): (d := 2)", "c f"),
        ("[i for i in (j for j in v) if (k := i)]", "k"),
        ("del x, y[0]", "x"),
        ("match v:\n    case [a, *b] | {'k': a, **b}: pass\n    case P(c) as d: pass", "a b c d"),
        ("while (n := f()): pass", "n"),
        ("print(x)", ""),
    ],
)
def test_assigned_names(text, names):
    assert assigned_names(stmts(text)) == set(names.split())


def test_bindings_come_in_the_order_of_the_text():
    text = "b = 1\nfor a in v:\n    c = 1\nb = 2\ntry: pass\nexcept E as e: d = 1"
    found = list(bindings(stmts(text)))
    assert [bound for bound, _ in found] == ["b", "a", "c", "b", "e", "d"]
    assert isinstance(found[4][1], gast.ExceptHandler)


@pytest.mark.parametrize(
    "text, names",
    [
        ("x = y", "y"),
        ("x += y", "x y"),
        ("x[i] += 1", "i x"),
        ("del x", "x"),
        ("def f(a: t, *b: u): pass", "t u"),
        ("def f(a, b=c, *d, e=g, **h) -> i:\n    return a + b + d + e + h + j", "c g i j"),
        ("def f():\n    return f()", "f"),
        ("def f():\n    x = y\n    def g():\n        return x + y + z\n    return g", "y z"),
        ("def f(x):\n    def g():\n        global x\n        return x\n    return g", "x"),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    g()", ""),
        ("def f():\n    global x\n    x = 1", ""),
        ("f = lambda a, b=c: a + b + d", "c d"),
        ("[i + j for i in v if i > k for j in i]", "k v"),
        ("[i for i in i]", "i"),
        ("{a: b for a, b in c}", "c"),
        ("(x for y in z)", "x z"),
        ("[(y := f(x)) for x in v]", "f v"),
        ("def f():\n    return [(y := x) for x in v], y", "v"),
        ("@d\nclass C(B, metaclass=M):\n    pass", "B M d"),
        ("match v:\n    case P.q: pass\n    case C(x): y = x", "C P v x"),
        ("x: T = 1", "T"),
        ("f'{a!r:{b}}'", "a b"),
    ],
)
def test_free_names(text, names):
    assert free_names(stmts(text)) == set(names.split())


SCOPED = '''
def f(a, /, b, *c, d=1, **e):
    """doc"""
    import os.path, sys as s
    for i, (j, k) in a:
        if (w := i):
            x: int = 1
        y += b
    try:
        z = [q for q in c if (t := q)]
    except E as err:
        del gone
    with m() as n:
        global g, h
        g = 1
    def inner(u):
        nonlocal z
        z = u + v + a
        return lambda r: r + j
    match a:
        case {"k": p, **rest} | [p, *rest]:
            pass
    return h
'''


def test_scopes_agree_with_python():
    table = symtable.symtable(SCOPED, "f.py", "exec").get_children()[0]
    # Python 3.12 counts the variables of comprehensions in.
    wanted = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_local()} - {"q"}
    free = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
    function = gast.parse(SCOPED).body[0]
    assert local_names(function) == wanted
    # The globals of inner functions are in tables of their own, and g is only assigned.
    assert free_names(function) == (free | {"v"}) - {"g"}
    assert [p.id for p in parameters(function.args)] == ["a", "b", "c", "d", "e"]


# renaming


@pytest.mark.parametrize(
    "text, names, new",
    [
        ("y = x + x.x", {"x": "z"}, "y = z + z.x"),
        ("x = x + 1", {"x": "z"}, "z = z + 1"),
        ("y = x + 1", {"x": expr("a + b")}, "y = a + b + 1"),
        ("y = x * 2", {"x": expr("a + b")}, "y = (a + b) * 2"),
        ("x[0] = 1", {"x": expr("a.b")}, "a.b[0] = 1"),
        ("x = 1", {"x": expr("a[0]")}, "a[0] = 1"),
        ("x, y = y, x", {"x": "y", "y": "x"}, "(y, x) = (x, y)"),
        ("f(lambda x: x + y)", {"x": "z", "y": "w"}, "f(lambda x: x + w)"),
        ("f(lambda a=x: a)", {"x": "z"}, "f(lambda a=z: a)"),
        ("[x for x in x]", {"x": "z"}, "[x for x in z]"),
        ("[y for a in b if x for c in x]", {"x": "z"}, "[y for a in b if z for c in z]"),
        ("{x: y for y in x}", {"x": "z", "y": "w"}, "{z: y for y in z}"),
        (
            "def x(a: x, b=x) -> x:\n    return x",
            {"x": "z"},
            "def z(a: z, b=z) -> z:\n    return z",
        ),
        ("def f(x):\n    return x + y", {"x": "z", "y": "w"}, "def f(x):\n    return x + w"),
        ("def f():\n    x = 1\n    return x", {"x": "z"}, "def f():\n    x = 1\n    return x"),
        ("def f():\n    global x\n    x = 1", {"x": "z"}, "def f():\n    global x\n    x = 1"),
        ("def f():\n    nonlocal x\n    x = 1", {"x": "z"}, "def f():\n    nonlocal z\n    z = 1"),
        ("import x", {"x": "z"}, "import x as z"),
        ("import x.y as x", {"x": "z"}, "import x.y as z"),
        ("from a import x", {"x": "z"}, "from a import x as z"),
        (
            "match v:\n    case [x, *y]:\n        x",
            {"x": "a", "y": "b"},
            "match v:\n    case [a, *b]:\n        a",
        ),
        ("[(x := i) for i in v]", {"x": "z"}, "[(z := i) for i in v]"),
        ("try: pass\nexcept E as x: x", {"x": "z"}, "try:\n    pass\nexcept E as z:\n    z"),
    ],
)
def test_replace_names(text, names, new):
    tree = stmts(text)
    before = [gast.dump(node) for node in tree]
    assert ast.dump(ast.parse(text_of(replace_names(tree, names)))) == ast.dump(ast.parse(new))
    assert [gast.dump(node) for node in tree] == before


@pytest.mark.parametrize(
    "text, names",
    [
        ("f(lambda a: x + a)", {"x": expr("a + 1")}),
        ("[x for a in v]", {"x": "a"}),
        ("def f():\n    a = 1\n    return x", {"x": expr("g(a)")}),
        ("f(lambda a: lambda b: x)", {"x": "a"}),
    ],
)
def test_a_replacement_is_never_captured(text, names):
    with pytest.raises(ValueError, match="bound in between"):
        replace_names(stmts(text), names)


def test_a_capture_that_does_not_happen_is_none():
    assert text_of(replace_names(expr("f(lambda a: a) + x"), {"x": "a"})) == "f(lambda a: a) + a"
    assert text_of(replace_names(expr("lambda a: lambda x: x"), {"x": "a"})) == (
        "lambda a: lambda x: x"
    )


@pytest.mark.parametrize(
    "text, error",
    [
        ("def x(): pass", "no expression can stand"),
        ("import x.y", "cannot bind another name"),
        ("class C:\n    x = 1", "class C"),
    ],
)
def test_what_cannot_be_replaced(text, error):
    with pytest.raises(ValueError, match=error):
        replace_names(stmts(text), {"x": expr("a + b")})


# fresh names


def test_fresh_names_are_never_taken_twice():
    namer = Namer({"k", "k2"})
    assert [namer.fresh("k") for _ in range(3)] == ["k3", "k4", "k5"]
    assert "k4" in namer and "k6" not in namer


def test_names_that_the_text_needs_are_taken():
    namer = Namer()
    for word in [*keyword.kwlist, "np", "math", "len", "range", "ValueError", "max"]:
        assert namer.fresh(word) != word


def test_a_name_that_ends_in_a_digit_is_told_apart():
    namer = Namer({"x1"})
    assert namer.fresh("x1") == "x1_2"
    assert namer.fresh("x") == "x"
    namer.take(["y"])
    assert namer.fresh("y") == "y2"


def test_fresh_wants_a_name():
    with pytest.raises(ValueError, match="not a name"):
        Namer().fresh("a b")


# conversion


def some_library_files():
    folder = os.path.dirname(os.__file__)
    wanted = ["argparse", "ast", "dataclasses", "contextlib", "enum", "fractions", "statistics"]
    files = [f"{folder}/{module}.py" for module in wanted]
    return files + sorted(glob.glob(f"{folder}/asyncio/[l-t]*.py"))


@pytest.mark.parametrize("file", some_library_files(), ids=os.path.basename)
def test_conversion_makes_what_gast_makes(file):
    with open(file, encoding="utf8") as lines:
        tree = ast.parse(lines.read())
    options = {"include_attributes": True, "show_empty": True}
    assert gast.dump(to_gast(tree), **options) == gast.dump(gast.ast_to_gast(tree), **options)


EVERYTHING = """
async def f(a: int, /, b=1, *c: str, d, e=2, **g) -> None:
    async with x as y, z: pass
    async for i in j: await k
    return [i async for i in j]
@d
class C(B, metaclass=M): x: int = 1
try:
    pass
except* E as e:
    raise F from e
match v:
    case {"a": [1, *_], **rest} | C(x, y=None) if t: pass
    case _: pass
global q
lambda *, k=1: (yield)
f'{a!r:>{w}}' + b'x' * 1j
del a[1:2, ...], b.c
assert t, m
"""


def test_conversion_knows_all_syntax():
    text = EVERYTHING
    if sys.version_info >= (3, 12):
        text += "def h[T: int, *Ts, **P](x: T): pass\ntype A[T] = list[T]\n"
    tree = ast.parse(text)
    assert gast.dump(to_gast(tree), show_empty=True) == gast.dump(
        gast.ast_to_gast(tree), show_empty=True
    )
    assert text_of(to_gast(tree)) == ast.unparse(tree)


def test_conversion_is_not_recursive():
    tree = ast.parse("-" * 800 + "x", mode="eval")
    assert sum(isinstance(node, gast.UnaryOp) for node in walk(to_gast(tree))) == 800
