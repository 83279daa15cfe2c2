"""A sweep over the table of operations: every rule on arrays against the loop over its scalars.

For each rule: its examples, in every dtype, with every choice of varying and uniform parameters (values,
dtype, silence); edge data, on which the predicates of exceptions must hold exactly where Python raises, and
on which a total rule must be silent.
"""

from __future__ import annotations

import builtins
import cmath
import itertools
import math
import operator
import sys
import warnings
from dataclasses import dataclass

import numpy as np
import pytest

from autovec import ops
from autovec.ops import BINARY, OPERATORS, UNARY, Raises, Rule, prelude
from autovec.ops.rule import fails, matches, rule
from autovec.ops.table import rules

RULES = [r for name in ops.names() for r in rules(name)]
RULES += [*BINARY.values(), *UNARY.values()]
RULES += [ops.find(name, n) for name in ("math.hypot", "math.gcd", "math.lcm") for n in (3, 4)]
DTYPES = [np.dtype(d) for d in ("float64", "float32", "int64", "int8", "bool", "complex128")]
SYMBOLS = {OPERATORS[n]: getattr(operator, n.split(".")[1]) for n in reversed(OPERATORS)}
UNARY_SYMBOLS = {"-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_}

#: a Python number of its own: explicitly asked for, or cmath's complex128
WIDENS = ("builtins.float", "builtins.complex", "number.item", "number.tolist", "cmath.")
#: their float32 answers are about float32 numbers, which Python's are not
OF_THE_TYPE = ("math.nextafter", "math.ulp")
#: overflow of these is NumPy's own and silent in the API (departure 3)
ARITHMETIC = {"+", "-", "*", "numpy.add", "numpy.subtract", "numpy.multiply", "numpy.square"}
ARITHMETIC |= {n for n, symbol in OPERATORS.items() if symbol in ("+", "-", "*")}
#: not worth a rule: complex parts of a complex number, NumPy functions that drop an imaginary part;
#: an int's is_integer has its own rule
NARROWER = {"builtins.complex", "numpy.i0", "numpy.interp", "numpy.float64", "numpy.float32",
            "numpy.float16", "float.is_integer"}  # fmt: skip

WORLD = {"np": np, "math": math, "cmath": cmath}
WORLD |= {name: prelude.function(name) for name in prelude.names()}


def name_of(r: Rule) -> str:
    return f"{r.name}-{len(r.params)}"


def scalar_function(r: Rule):
    """What the loop calls: the function, operator or method itself."""
    if r.name in BINARY and len(r.params) == 2:
        return SYMBOLS[r.name]
    if r.name in UNARY and len(r.params) == 1:
        return UNARY_SYMBOLS[r.name]
    owner, _, attribute = r.name.rpartition(".")
    if owner in ("number", "int", "float", "complex", "bool"):
        if r.attribute:
            return lambda x: getattr(x, attribute)
        return lambda x, *rest: getattr(x, attribute)(*rest)
    module = builtins if owner == "builtins" else sys.modules[owner]
    return getattr(module, attribute)


def sample(r: Rule, value):
    """One lane's value as the loop's function sees it: Python's scalar, or NumPy's own."""
    owner, _, name = r.name.partition(".")
    cast = owner == "numpy" and isinstance(getattr(np, name), type)
    numpy_owned = owner in ("numpy", "number", "float", "int") and name != "bit_length"
    if numpy_owned and not cast or value.dtype not in (float, int, bool, complex):
        return value
    return value.item()


@dataclass
class Batch:
    """Operands of one call: columns where varying, a Python value where uniform."""

    rule: Rule
    columns: list
    varying: list[bool]

    @property
    def lanes(self):
        return len(next(c for c, v in zip(self.columns, self.varying, strict=True) if v))

    def operands(self, keep=slice(None)):
        return [c[keep] if v else c for c, v in zip(self.columns, self.varying, strict=True)]

    @property
    def kinds(self):
        return "".join(kind(c) for c in self.columns)

    def loop(self):
        """The scalar function's answers, exceptions and warnings, one a lane."""
        fn, out = scalar_function(self.rule), []
        for k in range(self.lanes):
            args = [
                [e[k] if isinstance(e, np.ndarray) else e for e in c] if v and isinstance(c, list)
                else sample(self.rule, c[k]) if v else c
                for c, v in zip(self.columns, self.varying, strict=True)
            ]  # fmt: skip
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                try:
                    value = fn(*args)
                except (TypeError, AttributeError, ValueError, ArithmeticError) as error:
                    value = error
            seen = [w for w in seen if not issubclass(w.category, DeprecationWarning)]
            out.append((value, bool(seen)))
        return out

    def run(self, text=..., keep=slice(None)):
        """The batched text's answer."""
        operands = self.operands(keep)
        dtypes = [c.dtype if isinstance(c, np.ndarray) else None for c in operands]
        uniform = [p for p, v in zip(self.rule.params, self.varying, strict=False) if not v]
        if text is ...:
            text = self.rule.text_for(self.kinds, dtypes, uniform)
        if self.rule.float_args:
            operands = [as_float(c) for c in operands]
        if text is None:
            return scalar_function(self.rule)(*operands)
        world = dict(zip(self.rule.params, operands, strict=False))
        for p, default in self.rule.defaults.items():
            world.setdefault(p, eval(default))
        return eval(text, WORLD, world)


def kind(value):
    if isinstance(value, np.ndarray):
        return value.dtype.kind
    letters = {bool: "b", int: "i", float: "f", complex: "c", np.float64: "f", np.bool_: "b"}
    return letters.get(type(value), "i")


def as_float(column):
    small = isinstance(column, np.ndarray) and column.dtype.kind in "biu" and column.itemsize < 4
    return column.astype(float) if small else column


def cast(values, dtype):
    """A column in this dtype; None where an example does not fit.  Integers stay integers."""
    if all(type(v) is int for v in values) and dtype.kind in "fc":
        dtype = np.dtype(int)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        whole = [int(v.real) for v in values]
        return [v if info.min <= v <= info.max else None for v in whole], dtype
    convert = {"f": lambda v: v.real, "b": bool, "c": complex}[dtype.kind]
    return [convert(v) for v in values], dtype


def batches(r: Rule, dtype, rows=None, every=True):
    """The rule's examples in this dtype, with every choice of varying parameters."""
    rows = list(rows or r.examples)
    width = min(len(row) for row in rows)
    free = [k for k in range(width) if r.params[k] not in r.fixed]
    columns = []
    for k in range(width):
        values = [row[k] for row in rows]
        if k not in free:
            columns.append((values, None))
        elif r.params[k] in r.sequences:
            columns.append((list(zip(*values, strict=True)), None))
        else:
            columns.append(cast(values, dtype))
    if not any(d == dtype for _, d in columns):
        return
    fits = [all(d is None or v[j] is not None for v, d in columns) for j in range(len(rows))]
    good = [j for j, ok in enumerate(fits) if ok]
    for size in range(len(free), 0, -1) if every else (len(free),):
        for varying in itertools.combinations(free, size):
            if good:
                yield _batch(r, columns, varying, good, rows)


def _batch(r, columns, varying, good, rows):
    out, flags = [], []
    for k, (values, dtype) in enumerate(columns):
        flags.append(k in varying)
        if k in varying and r.params[k] in r.sequences:
            out.append([np.array([v[j] for j in good]) for v in values])
        elif k in varying:
            out.append(np.array([values[j] for j in good], dtype=dtype))
        else:
            out.append(rows[good[0]][k] if dtype is None else values[good[0]])
    return Batch(r, out, flags)


def law_dtype(r: Rule, values, batch):
    """The dtype that the law asks for: float32 stays where Python's own number would be float64."""
    dtype = np.asarray(values[0]).dtype
    operands = [c.dtype for c in batch.columns if isinstance(c, np.ndarray)]
    numbers = operands[:1] if r.name == "math.ldexp" else operands
    stays = np.dtype(np.float32) in numbers and all(d.itemsize <= 4 for d in numbers)
    if stays and type(values[0]) is float and (r.name in ("cmath.phase", "cmath.polar") or not r.name.startswith(WIDENS)):
        return np.dtype(np.float32)
    return dtype


def agree(r, got, want, dtype, where):
    """Floats within 4 ulp (complex: 8 ulp of the modulus), everything else exactly."""
    assert got.dtype == dtype, f"{where}: {got.dtype}, wanted {dtype}"
    with np.errstate(over="ignore"):
        want = np.array(want).astype(dtype)
    assert got.shape == want.shape, where
    if dtype.kind not in "fc":
        assert (got == want).all(), f"{where}: {got}, wanted {want}"
        return
    nan = np.isnan(want)
    assert (np.isnan(got) == nan).all(), f"{where}: {got}, wanted {want}"
    got, want = got[~nan], want[~nan]
    ulps = 4 if dtype.kind == "f" else 8
    with np.errstate(all="ignore"):
        near = np.abs(got - want) <= ulps * np.finfo(dtype).eps * np.abs(want)
    assert (near | (got == want)).all(), f"{where}: {got}, wanted {want}"


def parts(value, outputs):
    return value if outputs > 1 else (value,)


# ---------------------------------------------------------------- the table itself
def test_every_rule_has_examples():
    for r in RULES:
        assert r.examples, f"{r.name} has no example"
        for example in r.examples:
            assert r.required <= len(example) <= len(r.params), r.name


@pytest.mark.parametrize("r", RULES, ids=name_of)
def test_texts_are_expressions_over_the_parameters(r):
    texts = [r.text, *r.by_kind.values(), *r.by_uniform.values(), *r.exact.values()]
    after = [x.when for x in r.raises if x.after]
    before = [x.when for x in r.raises if not x.after]
    for text, extra in [*((t, ()) for t in [*texts, *before] if t), *((t, ("result",)) for t in after)]:
        free = set(compile(text, r.name, "eval").co_names)
        known = {*r.params, *extra, *WORLD, "int", "float", "complex", "bool"}
        assert all(n in known or hasattr(np, n) or hasattr(np.ndarray, n) or hasattr(math, n) for n in free), text


# ---------------------------------------------------------------- examples
@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("r", RULES, ids=name_of)
def test_examples(r, dtype, unknown):
    for batch in batches(r, dtype):
        if unknown and (dtype in (bool, np.int8) or not r.supports("?")):
            continue
        where = f"{r.name}{batch.columns}"
        outcomes = batch.loop()
        if any(isinstance(v, TypeError | AttributeError) for v, _ in outcomes):
            continue
        assert r.supports(batch.kinds) or r.name in NARROWER, f"{where}: the loop accepts it"
        if not r.supports(batch.kinds):
            continue
        good = [k for k, (v, noisy) in enumerate(outcomes) if not isinstance(v, Exception) and not noisy]
        good = [k for k in good if not leaves_int64(outcomes[k][0])]
        if not good:
            continue
        kept = Batch(r, keep_lanes(batch, good), batch.varying)
        text = r.text_for("?" * len(kept.kinds)) if unknown else ...
        if unknown and (any(not v for v in batch.varying) or r.name in WIDENS):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DeprecationWarning)
            got = kept.run(text)
        values = [outcomes[k][0] for k in good]
        wanted = list(zip(*values, strict=True)) if r.outputs > 1 else [values]
        for one, want in zip(parts(got, r.outputs), wanted, strict=True):
            assert isinstance(one, np.ndarray), where
            if dtype == np.float32 and r.name in OF_THE_TYPE:
                assert one.dtype == np.float32
                continue
            agree(r, one, list(want), law_dtype(r, want, batch), where)
        if r.fresh and not unknown and r.is_fresh(r.text_for(kept.kinds)):
            arrays = [c for c in kept.columns if isinstance(c, np.ndarray)]
            shared = any(np.shares_memory(p, c) for p in parts(got, r.outputs) for c in arrays)
            assert not shared or r.text_for(kept.kinds, [arrays[0].dtype]) in r.params, where


def keep_lanes(batch, good):
    return [
        [e[good] for e in c] if v and isinstance(c, list) else c[good] if v else c
        for c, v in zip(batch.columns, batch.varying, strict=True)
    ]


def leaves_int64(value):
    return type(value) is int and not -(2**63) <= value < 2**63


# ---------------------------------------------------------------- edges
REAL_EDGES = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, -3.0, 710.0,
              171.7, 1e308, -1e308, 5e-324, 2.0**53, 1e-320]  # fmt: skip
WHOLE_EDGES = [0, 1, -1, 2, -2, 3, 5, 20, -7, 64]
WIDE_EDGES = [*WHOLE_EDGES, 2**31, 2**53 + 1, 2**62, 2**63 - 1, -(2**63)]
PARTS = [0.0, -0.0, 1.0, -1.0, 2.5, 800.0, -800.0, math.inf, -math.inf, math.nan]
COMPLEX_EDGES = [complex(a, b) for a in PARTS for b in PARTS]
EDGES = {"f": REAL_EDGES, "i": WHOLE_EDGES, "b": [False, True], "c": COMPLEX_EDGES}
EDGE_TYPES = {"f": float, "i": np.int64, "b": bool, "c": complex, "u": np.uint64}


def edge_batch(r: Rule, kinds: str, edges=EDGES):
    """All combinations of edge values for the free parameters."""
    width = len(r.examples[0])
    free = [k for k in range(width) if r.params[k] not in r.fixed + r.sequences]
    if len(free) < width and r.sequences:
        return None
    grid = np.meshgrid(*[np.array(edges[k], EDGE_TYPES[k]) for k in kinds[: len(free)]])
    columns, flags = list(r.examples[0]), [False] * width
    for k, column in zip(free, grid, strict=True):
        columns[k], flags[k] = column.ravel(), True
    return Batch(r, columns, flags)


def kinds_of(r: Rule, letters):
    free = [p for p in r.params[: len(r.examples[0])] if p not in r.fixed + r.sequences]
    for kinds in itertools.product(letters, repeat=len(free)):
        mixed = "u" in kinds and set(kinds) != {"u"}
        if r.supports("".join(kinds)) and len(free) <= 3 and not mixed:
            yield "".join(kinds)


@pytest.mark.parametrize("r", [r for r in RULES if r.raises], ids=name_of)
def test_exceptions_are_predicted_exactly(r):
    seen = set()
    for kinds in kinds_of(r, "fibc" if not r.name.startswith("numpy.") else "ib"):
        if "c" in kinds and any("**" in (name, OPERATORS.get(name)) for name in (r.name, r.name.replace("builtins", "operator"))):
            continue  # CPython multiplies small whole powers out: other limits
        wide = r.name.startswith("numpy.")
        batch = edge_batch(r, kinds, EDGES | {"i": WIDE_EDGES} if wide else EDGES)
        outcomes = batch.loop()
        if any(isinstance(v, TypeError) for v, _ in outcomes):
            continue
        predicted = predict(r, batch)
        for k, (value, _) in enumerate(outcomes):
            raised = value if isinstance(value, Exception) else None
            if str(raised) == "complex exponentiation":  # of a negative number: nan under the law
                continue
            found = predicted[k]
            where = f"{r.name} {kinds} {batch.operands(slice(k, k + 1))}"
            assert type(raised).__name__ == (found.error if found else "NoneType"), f"{where}: {raised!r}"
            if found:
                seen.add(found)
                shown = {p: c[k].item() if v else c for p, c, v in zip(r.params, batch.columns, batch.varying, strict=False)}
                assert str(raised) == found.message.format(**shown), where
                if found.in_text:
                    with pytest.raises(type(raised)) as info:
                        batch.run(keep=slice(k, k + 1))
                    assert str(info.value) == str(raised), where
    reachable = [x for x in r.raises if not any("?" in p or "c" in p for p in x.kinds)]
    if not r.name.startswith("cmath"):
        assert {x.message for x in reachable} <= {x.message for x in seen} or "tol" in str(r.params)


def predict(r: Rule, batch: Batch):
    """The first exception whose predicate holds, one a lane."""
    operands = dict(zip(r.params, batch.columns, strict=False))
    for p, default in r.defaults.items():
        operands.setdefault(p, eval(default))
    found: list[Raises | None] = [None] * batch.lanes
    with np.errstate(all="ignore"):
        if any(x.after for x in r.raises_for(batch.kinds)):
            operands["result"] = batch.run()
        for known in reversed(r.raises_for(batch.kinds)):
            hit = np.broadcast_to(eval(known.when, WORLD, operands), batch.lanes)
            assert hit.dtype == bool, known.when
            found = [known if h else f for h, f in zip(hit, found, strict=True)]
    return found


@pytest.mark.parametrize("r", [r for r in RULES if r.total], ids=name_of)
def test_total_means_silent(r):
    ignore = "ignore" if r.name in ARITHMETIC else "raise"
    for kinds in kinds_of(r, "fibu"):
        edges = EDGES | {"i": WIDE_EDGES, "u": [0, 1, 2**63, 2**64 - 1]}
        batch = edge_batch(r, kinds, edges)
        if batch is None:
            continue
        first = Batch(r, batch.operands(slice(1)), batch.varying).loop()[0][0]
        if isinstance(first, TypeError | AttributeError):
            continue
        with warnings.catch_warnings(), np.errstate(divide="raise", over=ignore, invalid=ignore):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DeprecationWarning)
            batch.run()


# ---------------------------------------------------------------- finding rules
def test_names_of_live_objects():
    for name in ops.names():
        owner = name.partition(".")[0]
        if owner in ("number", "float", "int"):
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
            assert got.tolist() == [SYMBOLS[symbol](a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
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
    named = ops.register("tests.test_rules.name_of", "r, scale=1")
    assert ops.qualified_name(name_of) == "tests.test_rules.name_of"
    assert ops.find("tests.test_rules.name_of", 2) is named


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
