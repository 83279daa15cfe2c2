"""pandas' engine protocol: what df.apply and Series.map give with autovec, as pandas' own loop."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import autovec
from tests.programs import rows
from tests.test_rows import table, tame

pd = pytest.importorskip("pandas", minversion="3.0")

FRAME = pd.DataFrame(tame(table()), index=[f"r{k}" for k in range(len(tame(table())["price"]))])
FRAME["small"] = FRAME["small"].astype(float)  # pandas infers float64 from float32 scalars


def same(rule, frame=FRAME, *, dtypes=True, **how):
    """The engine's result is pandas' own."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", autovec.FallbackWarning)
        got = frame.apply(rule, axis=1, engine=autovec.vectorize, **how)
    with np.errstate(all="ignore"):
        want = frame.apply(rule, axis=1, **how)
    assert type(got) is type(want)
    compare = pd.testing.assert_series_equal
    if isinstance(want, pd.DataFrame):
        compare = pd.testing.assert_frame_equal
    compare(got, want, check_dtype=dtypes)
    return got


@pytest.mark.parametrize(
    "rule",
    [rows.branches, rows.floor_division, rows.in_a_loop, rows.text_results, rows.membership,
     rows.none_on_some, rows.helpers, rows.reads_nothing, rows.by_label, rows.sub_row,
     rows.attributes, rows.get],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_scalars(rule):
    frame = FRAME.reset_index(drop=True) if rule is rows.by_label else FRAME
    same(rule, frame)


def test_structures_are_objects():
    made = same(rows.a_dict)
    assert type(made.iloc[0]) is dict
    assert type(same(rows.a_tuple).iloc[0]) is tuple
    assert type(same(lambda row: [row.price, row.zone]).iloc[0]) is list
    made = FRAME.apply(rows.a_namedtuple, axis=1, engine=autovec.vectorize)
    assert type(made.iloc[0]) is rows.Price and made.iloc[0].net == FRAME["price"].iloc[0]
    made = FRAME.apply(rows.a_dataclass, axis=1, engine=autovec.vectorize)
    assert type(made.iloc[0]) is rows.Quote


def test_a_row_is_a_frame():
    made = same(rows.returned)
    assert list(made) == [*FRAME, "total"] and made["count"].dtype == np.int64


def test_none():
    assert same(lambda row: None).isna().all()


def test_arguments():
    same(rows.uniform_arguments, args=(0.5,))
    same(rows.uniform_arguments, args=(0.5, 20.0))
    same(rows.uniform_arguments, args=(0.5,), cap=10.0)
    same(rows.uniform_arguments, rate=2.0)

    def share(row, weights, names=("price", "weight")):
        return sum(row[name] * w for name, w in zip(names, weights, strict=True))

    same(share, args=((0.25, 0.5),))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'rate'"):
        FRAME.apply(rows.uniform_arguments, axis=1, engine=autovec.vectorize)


def test_an_array_as_an_argument_is_the_same_for_every_row():
    weights = np.array([0.5, 2.0])

    def weighted(row, w):
        return row["price"] * w[0] + row["weight"] * w[1]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        got = FRAME.apply(weighted, axis=1, engine=autovec.vectorize, args=(weights,))
    pd.testing.assert_series_equal(got, FRAME.apply(weighted, axis=1, args=(weights,)))


def test_exceptions():
    bad = pd.DataFrame(table())
    with pytest.raises(ValueError, match="five of") as caught:
        bad[bad["count"] != 0].apply(rows.raises, axis=1, engine=autovec.vectorize)
    assert "in lane" in caught.value.__notes__[0]
    with pytest.raises(KeyError, match="nowhere"):
        FRAME.apply(lambda row: row["nowhere"], axis=1, engine=autovec.vectorize(fallback="silent"))


def test_options():
    def odd(row):
        return hash(row["zone"]) % 2

    with pytest.raises(autovec.FallbackError):
        FRAME.apply(odd, axis=1, engine=autovec.vectorize(fallback="error"))
    with pytest.raises(autovec.FallbackError):
        FRAME.apply(odd, axis=1, engine=autovec.vmap(fallback="error"))
    with pytest.warns(autovec.FallbackWarning) as seen:
        made = FRAME.apply(odd, axis=1, engine=autovec.vectorize)
    assert seen[0].filename == __file__
    pd.testing.assert_series_equal(made, FRAME.apply(odd, axis=1))
    ready = autovec.vectorize(rows.branches)
    pd.testing.assert_series_equal(
        FRAME.apply(ready, axis=1, engine=autovec.vectorize), FRAME.apply(rows.branches, axis=1)
    )


def test_columns_and_raw():
    numbers = FRAME[["price", "weight"]]
    loud = autovec.vectorize(fallback="silent")
    for axis in (0, 1):
        for f in (np.sum, lambda v: v * 2, lambda v: v[0] - v[1]):
            got = numbers.apply(f, axis=axis, raw=True, engine=loud)
            want = numbers.apply(f, axis=axis, raw=True)
            assert type(got) is type(want) and np.allclose(got, want, equal_nan=True)
    got = numbers.apply(lambda column: column.max(), engine=loud)
    pd.testing.assert_series_equal(got, numbers.max())


def test_empty():
    made = FRAME[:0].apply(rows.branches, axis=1, engine=autovec.vectorize)
    assert len(made) == 0


def test_series_map():
    prices = FRAME["price"]

    def band(x, limit=1.0):
        return "high" if x > limit else "low"

    for options in ({}, {"limit": 40.0}, {"na_action": "ignore"}):
        got = prices.map(band, engine=autovec.vectorize, **options)
        pd.testing.assert_series_equal(got, prices.map(band, **options))

    def whole(x):
        return int(x) // 2

    gaps = pd.Series([4.0, np.nan, 7.5], index=[3, 3, 1], name="n")
    got = gaps.map(whole, engine=autovec.vectorize, na_action="ignore")
    pd.testing.assert_series_equal(got, gaps.map(whole, na_action="ignore"))
    flags = gaps.map(lambda x: x > 5, engine=autovec.vectorize, na_action="ignore")
    pd.testing.assert_series_equal(flags, gaps.map(lambda x: x > 5, na_action="ignore"))
    with pytest.raises(ValueError, match="cannot convert float NaN"):
        gaps.map(whole, engine=autovec.vectorize)


def test_it_is_an_engine():
    from pandas.api.executors import BaseExecutionEngine

    FRAME.apply(rows.branches, axis=1, engine=autovec.vectorize)
    assert isinstance(autovec.vectorize.__pandas_udf__, BaseExecutionEngine)


def test_the_text_is_loaded_once_for_a_function():
    FRAME.apply(rows.branches, axis=1, engine=autovec.vectorize)
    import linecache

    before = len(linecache.cache)
    FRAME.apply(rows.branches, axis=1, engine=autovec.vectorize)
    assert len(linecache.cache) <= before  # others may be collected meanwhile


def test_the_protocol_needs_no_pandas():
    code = "import autovec, sys; autovec.vectorize.__pandas_udf__; print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
