"""Files: other axes, batches of batches, partials, rows, private names, any number of arguments."""

import numpy as np
import pytest

from tests.cli_tools import load, refused, same, written

KERNEL = """
from functools import partial
from autovec import vmap, vectorize

def kernel(x, y, scale=1.0):
    d = x - y
    if abs(d) > 1:
        return 0.0
    return scale * (1 - d * d)

"""


def batched(line, name="g", **options):
    module = load(written(KERNEL + line, **options))
    return getattr(module, name), module.kernel


X, Y = np.linspace(-1, 2, 4), np.linspace(0, 1, 5)


@pytest.mark.parametrize(
    ("line", "shapes"),
    [
        ("g = vmap(vmap(kernel, (None, 0)), (0, None))", ((4,), (5,))),
        ("g = vmap(vmap(kernel, (0, None)), (None, 0))", ((5,), (4,))),
        ("h = vmap(kernel, (None, 0))\ng = vmap(h, (0, None))", ((4,), (5,))),
        ("g = vmap(vmap(kernel))", ((4, 5), (4, 5))),
        ("g = vmap(vmap(kernel, (0, None)))", ((4, 5), (4,))),
        ("g = vmap(vmap(kernel, (0, None)), in_axes=(1, None))", ((5, 4), ())),
    ],
)
def test_batches_of_batches(line, shapes):
    g, sample = batched(line)
    rng = np.random.default_rng(0)
    x, y = (rng.normal(size=s) for s in shapes)
    got = g(x, y)
    if "1, None" in line:
        want = [[sample(v, y) for v in column] for column in x.T]
    elif "h =" in line or "(None, 0)), (0" in line:
        want = [[sample(a, b) for b in y] for a in x]
    elif "(0, None)), (None" in line:
        want = [[sample(a, b) for a in x] for b in y]
    elif shapes[1] == (4,):
        want = [[sample(v, b) for v in row] for row, b in zip(x, y, strict=True)]
    else:
        want = [[sample(a, b) for a, b in zip(*r, strict=True)] for r in zip(x, y, strict=True)]
    np.testing.assert_allclose(got, want)


def test_a_decorator_upon_a_decorator():
    above = "@vmap(in_axes=(0, None))\n@vmap(in_axes=(None, 0))\n"
    module = load(written(KERNEL + above + "def g(x, y):\n    return x * y\n"))
    np.testing.assert_allclose(module.g(X, Y), np.outer(X, Y))


def test_only_vmap_is_nested():
    assert "only vmap is nested" in refused(KERNEL + "g = vectorize(vmap(kernel))")


@pytest.mark.parametrize("axis", [0, -1])
def test_the_one_axis_of_scalars(axis):
    g, sample = batched(f"g = vmap(kernel, in_axes={axis}, out_axes={axis})")
    same(g, sample, X, X[::-1])


@pytest.mark.parametrize("line", ["in_axes=1", "in_axes=(0, 2)", "in_axes=-2"])
def test_an_axis_that_scalars_do_not_have(line):
    assert "which has one axis there" in refused(KERNEL + f"g = vmap(kernel, {line})")


def test_axes_of_arrays():
    text = """
        import numpy as np
        from typing import Annotated
        from autovec import vmap

        def outer(v: Annotated[np.ndarray, "n"], w):
            return np.add.outer(v, v)[0] * w

        g = vmap(outer, in_axes=(1, 0), out_axes=1)
        """
    module = load(written(text))
    v, w = np.arange(6.0).reshape(3, 2), np.array([1.0, 10.0])
    want = np.stack([module.outer(v[:, k], w[k]) for k in range(2)], axis=1)
    np.testing.assert_allclose(module.g(v, w), want)
    assert "np.moveaxis(v, 1, 0)" in written(text)


@pytest.mark.parametrize(
    ("line", "args", "full"),
    [
        ("g = vmap(partial(kernel, 0.5))", (Y,), lambda f, y: f(0.5, y)),
        ("g = vectorize(partial(kernel, scale=3.0))", (X, X), lambda f, x, y: f(x, y, 3.0)),
        ("g = vmap(partial(partial(kernel, 0.5), scale=2.0))", (Y,), lambda f, y: f(0.5, y, 2.0)),
        ("g = vmap(partial(kernel, y=0.25))", (X,), lambda f, x: f(x, 0.25)),
    ],
)
def test_partials(line, args, full):
    g, sample = batched(line)
    np.testing.assert_allclose(g(*args), [full(sample, *row) for row in zip(*args, strict=True)])


def test_what_a_partial_gives_is_computed_where_it_stands():
    g, sample = batched("K = 2.0\ng = vmap(partial(kernel, scale=K + 1))\nK = None")
    np.testing.assert_allclose(g(X, X), [sample(x, x, 3.0) for x in X])


def test_a_partial_that_does_not_fit():
    assert "is not a function of this file" in refused(KERNEL + "g = vmap(partial(kernel, q=1))")


TOTAL = """
def total(first, *more):
    for m in more:
        first = first + m
    return first
"""


def test_any_number_of_arguments():
    module = load(written(TOTAL, "total", in_axes={"total": (0, 0, 0)}))
    same(module.total_batched, module.total, X, X, X)
    assert '--in-axes "total: (0, 0)"' in refused(TOTAL, "total")


# ------------------------------------------------------------------ rows
ROWS = """
def fee(row):
    kg = row["kg"]
    if row["zone"] == "abroad":
        return 20.0 + kg
    return helper(row) * 0.5

def helper(row):
    return row["kg"] if row["vip"] else row["total"]

def bonus(row):
    if row.dept in ("sales", "field") and row.years > 3:
        return row.pay * 0.1
    return 0.0
"""
TABLE = {
    "kg": np.array([1.0, 2.5, 30.0]),
    "zone": np.array(["abroad", "local", "local"]),
    "vip": np.array([True, False, True]),
    "total": np.array([10, 20, 30]),
}


def test_rows_are_dicts_of_columns():
    module = load(written(ROWS, "fee"))
    rows = [{k: v[i].item() for k, v in TABLE.items()} for i in range(3)]
    np.testing.assert_allclose(module.fee_batched(TABLE), [module.fee(row) for row in rows])
    text = written(ROWS, "fee")
    assert "Rows: row (a DataFrame or dict of arrays with kg, zone, vip, total)." in text
    assert 'zone = np.asarray(row["zone"], dtype=str)' in text


def test_rows_are_of_frames():
    pandas = pytest.importorskip("pandas")
    module = load(written(ROWS, "bonus"))
    frame = pandas.DataFrame({"dept": ["sales", "it"], "years": [5, 9], "pay": [10.0, 20.0]})
    want = [module.bonus(row) for row in frame.itertuples()]
    np.testing.assert_allclose(module.bonus_batched(frame), want)


@pytest.mark.parametrize(
    "expression", ["row['a'] + len(row)", "row['a'] + row[0]", "row['a'] and row.keys()"]
)
def test_what_is_more_than_a_row_is_refused(expression):
    assert "row is used as" in refused(f"def f(row):\n    return {expression}\n", "f")


# ------------------------------------------------------------------ private names
TANK = """
from autovec import vectorize

class Tank:
    __limit = 3.0

    def __init__(self, gain: float):
        self.__gain = gain

    @vectorize
    def level(self, x):
        return self.__gain * x if x > self.__limit else self.__leak(x)

    def __leak(self, x):
        return self.__gain - x
"""


def test_private_names():
    text = written(TANK)
    assert "self.__gain * x" in text
    tank = load(text).Tank(2.0)
    np.testing.assert_allclose(tank.level(np.array([1.0, 5.0])), [1.0, 10.0])
