"""Series in, Series out; indexes are never aligned; pandas is only used where it is passed."""

import subprocess
import sys

import numpy as np
import pytest

import autovec
from autovec import vectorize, vmap

pd = pytest.importorskip("pandas")


def addsub(a, b):
    return a - b if a > b else a + b


def series(values, name=None, index=None):
    return pd.Series(values, name=name, index=index)


def test_index_and_name_are_kept():
    a = series([1.0, 5.0], "a", ["x", "y"])
    out = vectorize(addsub)(a, 2.0)
    pd.testing.assert_series_equal(out, series([3.0, 3.0], "a", ["x", "y"]))
    assert vectorize(addsub)(a, series([2.0, 2.0], "a", ["x", "y"])).name == "a"
    assert vectorize(addsub)(a, series([2.0, 2.0], "b", ["x", "y"])).name is None
    assert vectorize(addsub)(a, np.array([2.0, 2.0])).name == "a"
    assert isinstance(vmap(addsub)(a, np.array([2.0, 2.0])), pd.Series)


def test_every_leaf_is_a_series():
    out = vectorize(lambda x: {"low": x - 1, "pair": (x, x > 1)})(series([1, 2], "n", [7, 8]))
    assert out["low"].index.tolist() == [7, 8] and out["pair"][1].tolist() == [False, True]


@pytest.mark.parametrize("index", [["y", "x"], ["x", "z"], [0, 1]])
def test_different_indexes_are_refused(index):
    a, b = series([1.0, 2.0], index=["x", "y"]), series([1.0, 2.0], index=index)
    for maker in (vectorize, vmap):
        with pytest.raises(autovec.DifferentIndexes, match="argument a and argument b differ"):
            maker(addsub)(a, b)
    with pytest.raises(ValueError):
        vectorize(addsub)(a, b)


def test_other_shapes_give_arrays():
    out = vectorize(addsub)(series([1.0, 2.0]), np.zeros((3, 1)))
    assert type(out) is np.ndarray and out.shape == (3, 2)


def test_empty():
    out = vectorize(addsub)(series([], index=[]).astype(float), 1.0)
    assert isinstance(out, pd.Series) and len(out) == 0 and out.dtype == float


def test_columns_of_other_dtypes():
    assert vectorize(lambda s: s + "!")(series(["a", "bc"])).tolist() == ["a!", "bc!"]
    nullable = series(pd.array([1, 2], dtype="Int64"))
    out = vectorize(lambda x: x + 1)(nullable)
    assert out.tolist() == [2, 3] and out.dtype == np.int64
    missing = series(pd.array([1, None], dtype="Int64"))
    out = vectorize(lambda x: x is pd.NA, fallback="silent")(missing)
    assert out.tolist() == [False, True]


def test_samples_of_dates_are_timestamps():
    days = series(pd.to_datetime(["2024-02-29", "2023-01-02"]), "when")
    out = vectorize(lambda d: d.day_name(), fallback="silent")(days)
    assert out.tolist() == ["Thursday", "Monday"] and out.name == "when"


def test_rows_of_a_frame():
    frame = pd.DataFrame({"price": [1.5, 2.0], "name": ["a", "b"], "n": [3, 4]}, index=[5, 6])

    def total(row):
        return row["price"] * row.n if row.name == 5 else row.get("missing", -1.0)

    out = vmap(total, fallback="error")(frame)
    assert "np.asarray(row.index)" in vmap(total).emit(frame)  # as in df.apply: the row's label
    pd.testing.assert_series_equal(out, series([4.5, -1.0], index=[5, 6]))
    rates = vmap(lambda row, k: row.price * k, in_axes=(0, None), fallback="silent")(frame, 2)
    assert rates.tolist() == [3.0, 4.0]


def test_pandas_is_not_imported():
    code = (
        "import sys, numpy as np, autovec\n"
        "autovec.vectorize(np.sqrt)(np.arange(3.0)); autovec.vmap(np.sqrt)(np.arange(3.0))\n"
        "print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
