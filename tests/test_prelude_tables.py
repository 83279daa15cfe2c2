"""The helpers of look-ups against a dict's and a list's own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autovec.ops import prelude

find_in, key_index = prelude.function("find_in"), prelude.function("key_index")


def places(table, values):
    items = list(table)
    return [items.index(v) if v in items else -1 for v in values]


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ([3, 1, 2, 1], [1, 2, 3, 4, -1]),
        (["b", "", "a"], ["a", "", "c", "bb"]),
        ([0.5, -math.inf, 0.0], [0.0, -0.0, 0.5, -math.inf, math.nan, 7.0]),
        ([True, False], [0, 1, 2]),
        ({7: "a", 1: "b"}, [1.0, 7.0, 0.5]),
        ([1], [1, 0]),
    ],
)
def test_places(table, values):
    found = find_in(table, np.array(values))
    assert found.dtype == int
    assert found.tolist() == places(table, values)
    assert [int(find_in(table, v)) for v in values] == places(table, values)


def test_tuples_part_by_part():
    table = {(1, "a"): 0, (2, "a"): 1, (1, "b"): 2}
    asked = [(1, "a"), (1, "b"), (2, "b"), (3, "a"), (2, "a"), (1, "c")]
    k, s = (np.array(column) for column in zip(*asked, strict=True))
    assert find_in(table, k, s).tolist() == places(table, asked)
    assert find_in(table, k[:, None], s[:2]).shape == (6, 2)


def test_missing_keys():
    assert key_index({"a": 1, "b": 2}, np.array(["b", "a"])).tolist() == [1, 0]
    with pytest.raises(KeyError, match="^'x'$"):
        key_index({"a": 1}, np.array([["a", "x"], ["y", "a"]]))
    with pytest.raises(KeyError, match=r"^\(2, 'a'\)$"):
        key_index({(1, "a"): 1}, np.array([1, 2]), "a")


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3)])
def test_any_shape(shape):
    assert key_index({5: 1, 6: 2}, np.full(shape, 6)).shape == shape
    assert find_in([5, 6], np.full(shape, 7)).shape == shape
