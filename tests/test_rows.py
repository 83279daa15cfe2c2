"""Rows of tables: dicts of arrays, DataFrames, structured arrays, against the loop over rows."""


import numpy as np
import pytest

from tests.oracle.tables import KINDS, check_rows, looped
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


@pytest.mark.parametrize("rule", rows.RECORD, ids=lambda f: f.__name__)
def test_rules_of_a_record(rule):
    assert not looped(check_rows(rule, table(), kinds=("record",)))
