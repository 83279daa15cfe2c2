"""Quoting: holes, splices, contexts, constants; what comes out is what the text says."""

import ast
import math

import gast
import pytest

from autovec.syntax.convert import text_of
from autovec.syntax.literals import STORE
from autovec.syntax.quote import (
    CommentText,
    attribute,
    call,
    comment,
    const,
    expr,
    in_context,
    is_comment,
    name,
    path,
    stmt,
    stmts,
    trailing_comment,
)

X, Y = name("x"), name("y")


def test_a_template_without_holes_is_itself():
    assert text_of(expr("np.where(t, a, b) + 1")) == "np.where(t, a, b) + 1"


@pytest.mark.parametrize(
    "template, holes, text",
    [
        ("np.where(t, a, b)", {"t": X, "a": Y, "b": 0}, "np.where(x, y, 0)"),
        ("f(x)", {"f": "np.sin"}, "np.sin(x)"),
        ("f.shape", {"f": expr("a + b")}, "(a + b).shape"),
        ("a.b.c", {"a": "p.q"}, "p.q.b.c"),
        ("a * b", {"a": expr("x + 1"), "b": expr("y - 1")}, "(x + 1) * (y - 1)"),
        ("a ** b", {"a": -1, "b": -2.5}, "(-1) ** (-2.5)"),
        ("f(n)", {"n": None}, "f(None)"),
        ("f(n)", {"n": True}, "f(True)"),
        ("x[k]", {"x": X, "k": Y}, "x[y]"),
        ("x[a:b]", {"a": 1, "b": Y}, "x[1:y]"),
        ("lambda p: p + q", {"p": "z", "q": 2}, "lambda z: z + 2"),
        ("[v for v in s if v]", {"v": "item", "s": X}, "[item for item in x if item]"),
        ("f'{a}'", {"a": X}, "f'{x}'"),
        ("f(x, k=v)", {"v": 1}, "f(x, k=1)"),
    ],
)
def test_holes(template, holes, text):
    assert text_of(expr(template, **holes)) == text


def test_a_keyword_name_and_an_attribute_are_not_holes():
    assert text_of(expr("f(dtype=dtype).dtype", dtype=X)) == "f(dtype=x).dtype"


@pytest.mark.parametrize(
    "template, holes, text",
    [
        ("f(*args)", {"args": [X, Y]}, "f(x, y)"),
        ("f(*args)", {"args": []}, "f()"),
        ("f(a, *args, b)", {"args": (X, 1)}, "f(a, x, 1, b)"),
        ("f(*args)", {"args": X}, "f(*x)"),
        ("(*items,)", {"items": [X]}, "(x,)"),
        ("[*items]", {"items": [X, "y"]}, "[x, y]"),
        ("x[*index]", {"index": [Y]}, "x[y]"),
        ("x[*index]", {"index": [Y, 0]}, "x[y, 0]"),
        ("x[..., *index]", {"index": [Y]}, "x[..., y]"),
        ("f(**kw)", {"kw": [gast.keyword("a", X)]}, "f(a=x)"),
        ("f(**kw)", {"kw": {"a": X, "b": Y}}, "f(a=x, b=y)"),
        ("f(b=1, **kw)", {"kw": {}}, "f(b=1)"),
        ("f(**kw)", {"kw": X}, "f(**x)"),
    ],
)
def test_splices(template, holes, text):
    assert text_of(expr(template, **holes)) == text


def test_a_tuple_index_that_was_not_spliced_stays_one():
    assert text_of(expr("x[k]", k=expr("(a,)"))) == "x[a,]"


@pytest.mark.parametrize(
    "template, holes, text",
    [
        ("k = f(t)\nx = x[k]", {"t": Y}, "k = f(y)\nx = x[k]"),
        ("t = 1", {"t": expr("a[0]")}, "a[0] = 1"),
        ("t += 1", {"t": "a.b"}, "a.b += 1"),
        ("(*ts,) = v", {"ts": [X, expr("a[0]")]}, "x, a[0] = v"),
        ("for t in v:\n    pass", {"t": expr("a, b")}, "for a, b in v:\n    pass"),
        ("del t", {"t": expr("a[0], b")}, "del (a[0], b)"),
        ("with f() as t: pass", {"t": X}, "with f() as x:\n    pass"),
        ("f(t := 1)", {"t": "y"}, "f((y := 1))"),
    ],
)
def test_targets(template, holes, text):
    assert text_of(stmts(template, **holes)) == text


def contexts(tree):
    return {n.id: type(n.ctx).__name__ for n in gast.walk(tree) if isinstance(n, gast.Name)}


def test_the_place_decides_the_context():
    tree = stmt("a = b", a=expr("p, q[r]"), b=in_context(X, STORE))
    assert contexts(tree) == {"p": "Store", "q": "Load", "r": "Load", "x": "Load"}


def test_a_parameter_that_is_read_loses_its_annotation():
    param = gast.parse("def f(x: int): pass").body[0].args.args[0]
    assert expr("x", x=param).annotation is None
    assert param.annotation is not None


def test_a_given_node_is_shared_and_not_changed():
    given = expr("a[0]")
    assert expr("f(x)", x=given).args[0] is given
    stored = stmt("x = 1", x=given).targets[0]
    assert stored is not given and type(given.ctx) is gast.Load
    assert stored.value is given.value


def test_the_template_is_never_handed_out():
    first, second = stmts("if t:\n    x = 1"), stmts("if t:\n    x = 1")
    seen = {id(node) for node in gast.walk(first[0]) if not isinstance(node, gast.expr_context)}
    assert not seen & {id(node) for node in gast.walk(second[0])}
    first[0].body.clear()
    assert text_of(stmts("if t:\n    x = 1")) == "if t:\n    x = 1"


def test_quoted_nodes_have_no_location():
    assert not hasattr(expr("x + 1"), "lineno")


@pytest.mark.parametrize(
    "body, text",
    [
        (stmts("x = 1\ny = 2"), "x = 1\n    y = 2"),
        (stmt("x = 1"), "x = 1"),
        (expr("f(x)"), "f(x)"),
        ("x.y", "x.y"),
        ([], "pass"),
    ],
)
def test_statements_are_spliced(body, text):
    assert text_of(stmts("if t:\n    body", body=body)) == f"if t:\n    {text}"


def test_a_body_of_comments_only_can_be_printed():
    [node] = stmts("for i in x:\n    body", body=[comment("nothing to do")])
    assert is_comment(node.body[0]) and isinstance(node.body[1], gast.Pass)


def test_an_empty_else_is_none():
    assert text_of(stmts("if t:\n    a = 1\nelse:\n    other", other=[])) == "if t:\n    a = 1"


@pytest.mark.parametrize(
    "template, params, text",
    [
        ("def f(params):\n    body", [X, Y], "def g(x, y):\n    pass"),
        ("def f(params):\n    body", [], "def g():\n    pass"),
        ("def f(params):\n    body", "z", "def g(z):\n    pass"),
        (
            "def f(params):\n    body",
            gast.parse("lambda a, *b, c=1: 0").body[0].value.args,
            "def g(a, *b, c=1):\n    pass",
        ),
        ("def f(p, /, params, *, k=1):\n    body", [X], "def g(p, /, x, *, k=1):\n    pass"),
    ],
)
def test_definitions(template, params, text):
    assert text_of(stmts(template, f="g", params=params, body=[])) == text


def test_names_may_differ_between_calls_of_one_template():
    assert text_of(expr("f(x)", x=1)) == "f(1)"
    assert text_of(expr("f(x)", f="g")) == "g(x)"
    assert text_of(expr("f(x)", x=2, f="g")) == "g(2)"


@pytest.mark.parametrize(
    "work, error",
    [
        (lambda: expr("x + y", z=1), "no hole for"),
        (lambda: stmts("t = 1", t=expr("a + b")), "cannot be assigned to"),
        (lambda: expr("x", x="a + b"), "is not a name"),
        (lambda: expr("x", x="a."), "not a path of names"),
        (lambda: expr("x", x=stmt("pass")), "an expression belongs here"),
        (lambda: expr("x = 1"), "not an expression"),
        (lambda: expr("x", x=object()), "cannot be written as a constant"),
        (lambda: stmts("def f(): pass", f=expr("a.b")), "a function's name belongs here"),
        (lambda: stmts("def f(p): pass", p=[expr("a.b")]), "cannot be a parameter"),
        (lambda: name("1x"), "is not a name"),
        (lambda: attribute(X, "a.b"), "not an attribute's name"),
    ],
)
def test_mistakes_are_told(work, error):
    with pytest.raises((TypeError, ValueError), match=error):
        work()


CONSTANTS = [
    *(0, 7, -7, True, False, None, ..., "a'b", b"x", 10**30, -(10**30)),
    *(0.0, -0.0, 1.5, -1.5, 1e300, 5e-324),
    *(1j, -1j, 1 + 2j, complex(0.0, -0.0), complex(-0.0, 1.0), complex(-0.0, -0.0)),
    *((), (1,), (1, -2.0, ("a", None))),
]


@pytest.mark.parametrize("value", CONSTANTS, ids=repr)
def test_constants_evaluate_to_themselves(value):
    again = eval(text_of(const(value)))
    assert type(again) is type(value) and repr(again) == repr(value)


@pytest.mark.parametrize("value", CONSTANTS, ids=repr)
def test_constants_print_as_what_is_parsed_again(value):
    node = gast.gast_to_ast(const(value))
    assert ast.dump(ast.parse(text_of(const(value)), mode="eval").body) == ast.dump(node)


def test_numbers_without_a_literal():
    np = pytest.importorskip("numpy")
    assert math.isnan(eval(text_of(const(math.nan)), {"np": np}))
    assert eval(text_of(const(-math.inf)), {"np": np}) == -math.inf
    value = eval(text_of(const(complex(math.inf, -1))), {"np": np})
    assert (value.real, value.imag) == (math.inf, -1.0)


@pytest.mark.parametrize("value", [3, 2.5, 1j, "s"])
def test_subclasses_of_numbers_are_refused(value):
    kind = type("Special", (type(value),), {})
    with pytest.raises(TypeError, match="Special"):
        const(kind(value))


def test_calls_and_paths():
    assert text_of(call("np.full", [X, const(1)], {"dtype": path("np.int64")})) == (
        "np.full(x, 1, dtype=np.int64)"
    )
    assert text_of(call(attribute(X, "sum"))) == "x.sum()"


def test_comments_are_statements_that_hold_their_text():
    own, behind = comment("as written"), trailing_comment("a note")
    assert is_comment(own) and is_comment(behind) and not is_comment(stmt("'text'"))
    assert (own.value.value, own.value.value.trailing) == ("as written", False)
    assert (behind.value.value, behind.value.value.trailing) == ("a note", True)
    assert isinstance(own.value.value, CommentText)


def test_a_template_is_parsed_once(monkeypatch):
    expr("once + only")
    monkeypatch.setattr(gast, "parse", None)
    assert text_of(expr("once + only")) == "once + only"
