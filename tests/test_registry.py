"""The registry: names of live objects, other names, methods, the user's own rules."""

from __future__ import annotations

import cmath
import math

import numpy as np

from autovec import ops
from autovec.ops import BINARY
from autovec.ops.rule import fails, matches, rule
from autovec.ops.table import rules
from tests.rule_sweep import SYMBOLS, WORLD, name_of, scalar_function


def test_names_of_live_objects():
    for name in ops.names():
        owner = name.partition(".")[0]
        if owner in ("number", "float", "int", "str"):
            continue
        target = scalar_function(rules(name)[0])
        found = ops.qualified_name(target)
        assert found is not None and scalar_function(rules(found)[0]) is target, name
    assert ops.qualified_name(np.abs) == "numpy.absolute"
    assert ops.qualified_name(lambda x: x) is None
    assert ops.qualified_name([]) is None
    assert ops.qualified_name(np.linalg.norm) is None


def test_other_names_of_the_same_function():
    for name, canonical in (("numpy.abs", "numpy.absolute"), ("numpy.mod", "numpy.remainder"),
                            ("numpy.acos", "numpy.arccos"), ("numpy.pow", "numpy.power"),
                            ("abs", "builtins.abs")):  # fmt: skip
        assert ops.find(name, 2 if name in ("numpy.mod", "numpy.pow") else 1).name == canonical
    assert ops.find("numpy.no_such_name", 1) is None
    assert ops.find("my.module.function", 1) is None
    assert ops.find("numpy.sin", 2) is None
    assert ops.find("math.log", 2).params == ("x", "base")


def test_all_of_math_cmath_and_the_ufuncs_is_here():
    sequences = {"dist", "fsum", "prod", "sumprod"}  # the builder's own
    for module in (math, cmath):
        public = {n for n in dir(module) if callable(getattr(module, n)) and not n.startswith("_")}
        missing = {n for n in public - sequences if not rules(f"{module.__name__}.{n}")}
        assert not missing
    arrays = {"isnat"}  # datetimes; the ufuncs with a signature are for arrays
    for name in dir(np):
        u = getattr(np, name)
        if isinstance(u, np.ufunc) and not u.signature and name not in arrays:
            assert ops.find(f"numpy.{name}", u.nin), name


def test_methods_by_kind():
    assert ops.method("i", "is_integer").name == "int.is_integer"
    assert ops.method("?", "real").name == "number.real"
    assert ops.method("f", "bit_length") is None
    assert ops.method("b", "mean").text_for("b") == "x.astype(float)"
    assert ops.method("f", "round", 2).params == ("x", "decimals")


def test_fold_repeats_the_operation():
    three = ops.find("math.hypot", 3)
    assert three.params == ("x1", "x2", "x3")
    assert three.text == "np.hypot(np.hypot(x1, x2), x3)"
    assert ops.find("math.hypot", 3) is three


def test_a_cast_that_changes_nothing_is_left_out():
    cast_rule = ops.find("builtins.int", 1)
    assert cast_rule.text_for("i", [np.dtype(np.int64)]) == "x"
    assert cast_rule.text_for("i", [np.dtype(np.int8)]) == "x.astype(int)"
    assert cast_rule.text_for("i", [None]) == "x.astype(int)"
    assert not cast_rule.is_fresh("x")


def test_exact_comparisons():
    for symbol in ("<", "<=", ">", ">=", "==", "!="):
        for kinds in ("if", "fi"):
            x, y = np.array([2**53 + 1, 5]), np.array([2.0**53, 5.5])
            x, y = (x, y) if kinds == "if" else (y, x)
            got = eval(BINARY[symbol].text_for(kinds, exact=True), WORLD, {"x": x, "y": y})
            assert got.tolist() == list(map(SYMBOLS[symbol], x.tolist(), y.tolist()))
        assert BINARY[symbol].text_for("ff", exact=True) == f"x {symbol} y"


def test_register_by_object_and_by_name():
    def half(x):
        return x / 2

    by_object = ops.register(half, "x", "x / 2", total=True, cost=1, examples=[(1.0,)])
    assert ops.find(ops.qualified_name(half), 1) is by_object
    again = ops.register(half, "x", "x * 0.5")
    assert ops.find(ops.qualified_name(half), 1) is again

    def half2(x):  # another function is not that one
        return x

    assert ops.qualified_name(half2) is None
    named = ops.register("tests.rule_sweep.name_of", "r, scale=1")
    assert ops.qualified_name(name_of) == "tests.rule_sweep.name_of"
    assert ops.find("tests.rule_sweep.name_of", 2) is named


def test_messages_name_the_lane():
    def picky(x, y):
        raise ValueError(f"expected a nonnegative input, got {x!r} (not -1.55)")

    known = fails("x < 0", picky, -1.5, 2)
    r = rule("picky", "value, other", "value", raises=[known])
    assert r.raises[0].message == "expected a nonnegative input, got {value} (not -1.55)"
    assert fails("x < 0", abs, -1.5) is None


def test_patterns_of_kinds():
    assert matches("*", "f") and matches("f", "fi") and not matches("ff", "fi")
    assert matches("N", "b") and not matches("N", "c")
    assert matches("?", "?") and not matches("I", "?")
