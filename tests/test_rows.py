"""Rows of tables: dicts of arrays, DataFrames, structured arrays, against the loop over rows."""

import warnings

import numpy as np
import pytest

import autovec
from tests.oracle.standalone import load_text
from tests.oracle.tables import KINDS, check_rows, looped, table_of, unlabelled
from tests.programs import rows

pd = pytest.importorskip("pandas")

ZONES = ("local", "abroad", "national", "")
EDGES = [0.0, -0.0, 1.0, -3.5, 1e-300, 45.25, np.inf, -np.inf, np.nan]


def table(seed=0, n=23):
    r = np.random.default_rng(seed)
    price = r.normal(size=n) * 30
    price[: min(n, 9)] = EDGES[:n]
    return {
        "price": price,
        "weight": r.uniform(-5, 40, n),
        "count": r.integers(-2, 9, n),
        "zone": r.choice(ZONES, n),
        "member": r.random(n) < 0.5,
        "small": r.normal(size=n).astype("f4"),
    }


def tame(columns):
    """The rows that no rule fails for."""
    good = (columns["count"] != 0) & (columns["count"] != 5) & (columns["count"] != 7)
    return {name: column[good] for name, column in columns.items()}


@pytest.mark.parametrize("rule", rows.EVERY, ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_rules(rule, kind):
    if rule is rows.a_namedtuple and kind == "frame":
        pytest.skip("it becomes a DataFrame: see below")
    args = (0.5,) if rule is rows.uniform_arguments else ()
    assert not looped(check_rows(rule, tame(table()), *args, kinds=(kind,)))
    check_rows(rule, table(1), *args, kinds=(kind,))


@pytest.mark.parametrize("rule", rows.NAMED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", ["dict", "frame"])
def test_rules_by_name(rule, kind):
    columns = table()
    if rule is rows.attributes:
        columns["count_"] = columns["count"]
    if rule is rows.raises_by_attribute and kind == "frame":
        pytest.skip("count is a method of a Series")
    assert not looped(check_rows(rule, tame(columns), kinds=(kind,)))
    check_rows(rule, columns, kinds=(kind,))


@pytest.mark.parametrize("rule", rows.SERIES, ids=lambda f: f.__name__)
def test_rules_of_a_series(rule):
    assert not looped(check_rows(rule, table(), kinds=("frame",)))
    if rule is rows.by_label:
        assert not looped(check_rows(rule, table(), kinds=("frame",), index=np.arange(23) * 3))


@pytest.mark.parametrize("rule", rows.LOOPED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_rules_that_loop(rule, kind):
    """The visible loop over rows gives the same, also as a text of its own."""
    columns = tame(table())
    assert looped(check_rows(rule, columns, kinds=(kind,)))
    argument = table_of(columns, kind)
    batched = autovec.vmap(rule, fallback="silent")
    alone = load_text(batched.emit(argument), rule.__name__)
    got, want = alone(argument), unlabelled(batched(argument))
    for name in want if isinstance(want, dict) else [slice(None)]:
        np.testing.assert_array_equal(got[name], want[name])


def test_structures_that_loop():
    x, y = np.arange(3.0), np.array([1, 2, 3])

    def f(p):
        print(end="")
        return p.net + p.gross

    def g(pair):
        print(end="")
        return pair[0] * pair[1]

    def h(row):
        print(end="")
        return row.a["b"] * row.k

    price = rows.Price(x, y)
    for rule, argument, in_axes in (
        (f, price, 0), (g, (x, y), 0), (g, [x, y], 0), (h, {"a": {"b": x}, "k": 2.0},
                                                        ({"a": 0, "k": None},)),
    ):  # fmt: skip
        batched = autovec.vmap(rule, in_axes, fallback="silent")
        alone = load_text(batched.emit(argument), rule.__name__)
        assert alone(argument).tolist() == batched(argument).tolist()


PANDAS = [rows.sums, rows.extremes, rows.missing_columns, rows.a_series, rows.a_series_of_numbers]


@pytest.mark.parametrize("rule", PANDAS, ids=lambda f: f.__name__)
def test_answers_of_a_series(rule):
    """Against pandas itself, each row a Series of objects."""
    frame = pd.DataFrame(table())
    frame.loc[3:5, "weight"] = np.nan
    frame.loc[4, "price"] = np.nan
    got = autovec.vmap(rule, fallback="error")(frame)
    with np.errstate(all="ignore"):
        want = [rule(row) for _, row in frame.astype(object).iterrows()]
    if isinstance(got, pd.DataFrame):
        want = pd.DataFrame(want, index=frame.index).infer_objects()
        pd.testing.assert_frame_equal(got, want)
        return
    for leaf, values in zip(got, zip(*want, strict=True), strict=True):
        np.testing.assert_allclose(leaf.to_numpy(float), np.array(values, float), rtol=1e-12)


@pytest.mark.parametrize("rule", rows.RECORD, ids=lambda f: f.__name__)
def test_rules_of_a_record(rule):
    assert not looped(check_rows(rule, table(), kinds=("record",)))


@pytest.mark.parametrize("maker", [autovec.vectorize, autovec.vmap])
def test_labels(maker):
    """A DataFrame in gives a Series, or a DataFrame where a row gives a dict or a namedtuple."""
    frame = pd.DataFrame(tame(table()))
    frame.index = [f"r{k}" for k in frame.index]
    out = maker(rows.by_key, fallback="error")(frame)
    pd.testing.assert_series_equal(out, frame["price"] * frame["count"], check_names=False)
    out = maker(rows.a_namedtuple, fallback="error")(frame)
    assert list(out) == ["net", "gross"] and out.index.equals(frame.index)
    out = maker(rows.a_dict, fallback="error")(frame)
    assert type(out) is pd.DataFrame and out.index.equals(frame.index)
    assert out.dtypes.tolist() == [float, frame["zone"].dtype, bool]
    out = maker(rows.returned, fallback="error")(frame)
    assert list(out) == [*frame, "total"] and out["small"].dtype == np.float32
    first, second = maker(rows.a_tuple, fallback="error")(frame)
    assert type(first) is type(second) is pd.Series and second.index.equals(frame.index)
    out = maker(rows.a_dataclass, fallback="error")(frame)
    assert type(out) is rows.Quote and type(out.net) is pd.Series
    out = maker(lambda row: {"nested": {"x": row.price}, "y": 1}, fallback="error")(frame)
    assert type(out) is dict and type(out["nested"]["x"]) is pd.Series


def test_a_frame_is_a_table_only_for_a_function_that_reads_fields():
    numbers = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    out = autovec.vectorize(lambda x: x * 2 if x > 1 else 0.0)(numbers)
    assert out.tolist() == [[0.0, 6.0], [4.0, 8.0]]
    for rule in (lambda r: r["a"], lambda r: r.a, lambda r: max(*r), lambda r: [*r][0]):
        assert autovec.vectorize(rule, fallback="silent")(numbers).shape == (2,)

    def unpacks(row):
        a, b = row
        return a - b

    def passes(row):
        r = row
        return unpacks(r)

    assert autovec.vectorize(unpacks)(numbers).tolist() == [-2.0, -2.0]
    assert autovec.vectorize(passes)(numbers).tolist() == [-2.0, -2.0]


def test_a_dict_is_a_table_only_as_the_first_argument():
    columns = {"a": np.array([1.0, 2.0]), "b": np.array([3.0, 4.0])}
    assert autovec.vectorize(lambda row, k: row["a"] * k)(columns, 2).tolist() == [2.0, 4.0]
    rates = {"x": 2.0}
    assert autovec.vectorize(lambda x, t: x * t["x"])(np.arange(3.0), rates).tolist() == [0, 2, 4]
    table = {"values": np.array([10.0, 20.0])}
    made = autovec.vectorize(lambda x, t: x + len(t), fallback="silent")(np.arange(3.0), table)
    assert made.tolist() == [1.0, 2.0, 3.0]


def test_only_columns_that_are_read_count():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", None], "when": pd.to_datetime(["2024"] * 2)})
    f = autovec.vectorize(lambda row: row["a"] * 2, fallback="error")
    assert f(frame).tolist() == [2.0, 4.0]
    frame["b"] = [1, 2]
    f(frame)
    assert f.cache_info().misses == 1


def test_structures_of_arrays():
    x, y = np.arange(3.0), np.array([1, 2, 3])
    assert autovec.vmap(lambda p: p.net + p.gross)(rows.Price(x, y)).tolist() == [1.0, 3.0, 5.0]
    assert autovec.vmap(lambda q: q.net if q.free else 0.0)(rows.Quote(x, y > 1)).tolist() == [
        0.0, 1.0, 2.0,
    ]  # fmt: skip
    assert autovec.vmap(lambda p: p[0] * p[1])((x, y)).tolist() == [0.0, 2.0, 6.0]
    nested = {"at": {"x": x}, "pair": [y, 5.0]}
    f = autovec.vmap(lambda s, k: s["at"]["x"] * s["pair"][0] + s["pair"][1] * k, fallback="error",
                     in_axes=({"at": 0, "pair": [0, None]}, None))  # fmt: skip
    assert f(nested, 2).tolist() == [10.0, 12.0, 16.0]
    with pytest.raises(ValueError, match="size"):
        autovec.vmap(lambda row: row["a"])({"a": x, "b": y[:2]})


def test_rows_that_loop_are_rows():
    """The same access, each value with the type of its column."""
    frame = pd.DataFrame({"n": [1, 2], "x": [0.5, 1.5], "s": ["a", "b"]}, index=["p", "q"])

    def seen(row):
        kinds = type(row["n"]), type(row.x), type(row.get("s")), type(row["n"] / 2)
        part = row[["n", "x"]]
        return repr((kinds, row.name, len(row), "n" in row, list(row), row.to_dict(), part.sum()))

    out = autovec.vmap(seen, fallback="silent")(frame)
    assert out.index.tolist() == ["p", "q"] and "'q', 3, True, [2, 1.5, 'b']" in out["q"]
    assert out["q"].startswith("((<class 'int'>, <class 'float'>, <class 'str'>, <class 'float'>)")
    assert out["q"].endswith("{'n': 2, 'x': 1.5, 's': 'b'}, 3.5)")


@pytest.mark.parametrize("rule", rows.MISSING, ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", ["dict", "frame"])
def test_missing_texts(rule, kind):
    """A column of texts and None; what must not be None raises for the first row where it is."""
    columns = tame(table())
    n = len(columns["zone"])
    columns["note"] = np.array([["a", None, "bc"][k % 3] for k in range(n)], dtype=object)
    assert not looped(check_rows(rule, columns, kinds=(kind,)))


EXTENSIONS = {
    "Int64": [3, 1, 2], "Float64": [0.5, 1.5, 2.0], "boolean": [True, False, True],
    "string": ["a", "b", "a"], "str": ["a", "b", "a"], "category": ["x", "y", "x"],
    "int category": [3, 1, 3], "UInt8": [3, 1, 2], "Int64 with missing": [3, None, 2],
    "boolean with missing": [True, None, False], "category with missing": ["x", None, "y"],
    "datetime": ["2024-01-05", "2024-02-29", "2023-12-31"], "timedelta": ["1D", "2h", "3D"],
    "period": ["2024-01", "2024-02", "2024-03"], "time zone": ["2024-01-05", "2024-07-01", None],
}  # fmt: skip


def extension(name):
    kind, _, rest = name.partition(" ")
    values = EXTENSIONS[name]
    if kind == "datetime":
        return pd.Series(pd.to_datetime(values))
    if kind == "time":
        return pd.Series(pd.to_datetime(values, utc=True))
    if kind == "timedelta":
        return pd.Series(pd.to_timedelta(values))
    if kind == "period":
        return pd.Series(pd.PeriodIndex(values, freq="M"))
    if rest == "category":
        return pd.Series(pd.Categorical(values))
    return pd.Series(values, dtype=kind)


def same_scalar(a, b):
    """The same value, missing ones of whatever kind being one."""
    if pd.isna(a) or pd.isna(b):
        return pd.isna(a) and pd.isna(b)
    return a == b


@pytest.mark.parametrize("name", EXTENSIONS)
def test_columns_of_extension_dtypes(name):
    """Each column in its own dtype, missing values kept: the samples are those of the Series."""
    column = extension(name)
    frame = pd.DataFrame({"x": [1.5, 2.5, 3.5], "e": column, "n": [1, 2, 3]}, index=[4, 5, 6])
    frame["e"] = column.array
    first = column.iloc[0]
    rules = [
        lambda row: row["e"],
        lambda row: row["e"] if row["x"] > 2 else row["e"],
        lambda row: row["n"] if pd.isna(row["e"]) else -1,
        lambda row: type(row["n"]).__name__,
        lambda row: row["e"] == first if not pd.isna(row["e"]) else False,
    ]
    for rule in rules:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", autovec.FallbackWarning)
            got = autovec.vmap(rule)(frame)
        assert got.index.equals(frame.index)
        want = [rule(row) for row in series_rows(frame)]
        for a, b in zip(got, want, strict=True):
            assert same_scalar(a, b), (name, a, b)


def series_rows(frame):
    """The rows as dicts of what each column itself gives."""
    return [dict(zip(frame, values, strict=True)) for values in zip(*map(frame.get, frame))]


def test_series_as_results():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3, 4]}, index=["p", "q"])

    def both(row):
        return pd.Series({"sum": row["a"] + row["b"], "odd": hash(row["b"]) % 2 == 1})

    out = autovec.vmap(both, fallback="silent")(frame)
    pd.testing.assert_frame_equal(out, frame.apply(both, axis=1).infer_objects())


def test_records_that_loop():
    """Python's own scalars; a store goes into the array, as a NumPy record's does."""
    dtype = [("x", float), ("n", int), ("v", float, 2)]
    records = np.array([(0.5, 1, (1.0, 2.0)), (1.5, 2, (3.0, 4.0))], dtype)

    def seen(row):
        part = row[["x", "n"]]
        return repr((type(row["n"]), row[0], len(row), part["n"], row["v"].sum(), row.dtype.names))

    made = autovec.vmap(seen, fallback="silent")(records)
    assert made[1] == "(<class 'int'>, 1.5, 3, 2, np.float64(7.0), ('x', 'n', 'v'))"

    def stores(row):
        row["n"] = 7
        return row["n"]

    copied = records.copy()
    assert autovec.vmap(stores, fallback="silent")(copied).tolist() == [7, 7]
    assert copied["n"].tolist() == [7, 7]


def test_frames_that_have_no_text():
    twice = pd.DataFrame([[1.0, 2.0]], columns=["a", "a"])
    out = autovec.vmap(lambda row: row["a"].sum(), fallback="silent")(twice)
    assert out.tolist() == [3.0]
    levels = pd.DataFrame({("a", "x"): [1.0], ("a", "y"): [2.0]})
    assert autovec.vmap(lambda row: row["a", "x"], fallback="error")(levels).tolist() == [1.0]


def test_a_row_that_a_local_function_does_not_read():
    """Its columns that nobody reads are not passed along."""

    def f(row, x):
        def outer(y):
            def never():
                return row["zone"]

            if y > 2:
                return y * 2.0
            return y + 1.0

        return outer(x) + outer(row["price"])

    assert not looped(check_rows(f, tame(table()), 0.5, kinds=("frame", "dict")))


def test_texts_of_a_structured_array():
    """A field of objects that are all strings is one of texts, as a column of any other table."""

    def f(row):
        return row["zone"] + "!" if row["count"] > 0 else row["zone"]

    array = np.zeros(3, [("count", "i8"), ("zone", "O")])
    array["count"], array["zone"] = [1, 0, 2], ["a", "bc", ""]
    got = autovec.vmap(f, fallback="error")(array)
    assert got.tolist() == ["a!", "bc", "!"]
