"""autovec/run/stack.py: element i is the result of lane i, the dtype the union over all lanes."""

import collections
import dataclasses
import datetime
import enum
import fractions

import numpy as np
import pytest

from autovec.run.stack import stack, stack_objects

nan = float("nan")
f4, i1, u8 = np.float32, np.int8, np.uint64

LEAVES = [
    # lanes, dtype, values (None: as given)
    ([1, 2], "int64", None),
    ([True, False], "bool", None),
    ([1.5, -0.0], "float64", None),
    (["a", "bcd"], "<U3", None),
    ([b"a", b"bcd"], "|S3", None),
    ([1j, 2j], "complex128", None),
    # unions of Python's numbers
    ([True, 2], "int64", [1, 2]),
    ([True, 2.5], "float64", [1.0, 2.5]),
    ([1, 2.5], "float64", None),
    ([1, 2j], "complex128", None),
    # Python's numbers are weak beside NumPy's
    ([f4(1), 2.0], "float32", None),
    ([f4(1), 2], "float32", None),
    ([f4(1), True], "float32", [1, 1]),
    ([f4(1), np.float64(2)], "float64", None),
    ([f4(1), 1j], "complex64", None),
    ([i1(1), 2], "int8", None),
    ([i1(1), 2.5], "float64", None),
    ([np.bool_(True), 3], "int64", [1, 3]),
    ([u8(1), 5], "uint64", None),
    # integers stay exact
    ([2**63, 1], "uint64", None),
    ([2**63, -1], "object", None),
    ([2**70, 1], "object", None),
    ([i1(1), 300], "int64", None),
    ([u8(7), np.int64(-1)], "int64", None),
    ([u8(2**63), np.int64(1)], "uint64", None),
    ([u8(2**63), -1], "object", None),
    ([1.0, 10**400], "object", None),
    # None
    ([None, 1], "float64", [nan, 1]),
    ([None, True], "float64", [nan, 1]),
    ([None, f4(1)], "float32", [nan, 1]),
    ([None, 1j], "complex128", [nan, 1j]),
    ([None, "a"], "object", None),
    ([None, np.datetime64("2020-01-01")], "<M8[D]", [np.datetime64("NaT", "D"), "2020-01-01"]),
    # other objects, and what is of no one kind
    (["a", 1], "object", None),
    ([1.5, "a"], "object", None),
    (["a", b"a"], "object", None),
    (["a\0", "b"], "object", None),
    ([fractions.Fraction(1, 2), 1], "object", None),
    ([datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)], "object", None),
    ([np.datetime64("2020-01-01"), np.datetime64("2020-01-01T12")], "<M8[h]", None),
    ([np.timedelta64(1, "s"), np.timedelta64(1, "ms")], "<m8[ms]", None),
]


@pytest.mark.parametrize(("lanes", "dtype", "values"), LEAVES, ids=repr)
def test_leaf(lanes, dtype, values):
    out = stack(lanes)
    assert out.dtype == np.dtype(dtype)
    assert out.shape == (len(lanes),)
    for got, want in zip(out.tolist(), lanes if values is None else values):
        if isinstance(want, (np.datetime64, np.timedelta64, str)) and dtype[1] in "Mm":
            want = np.array(want, dtype).item()
        assert got == want or (got != got and want != want)


@pytest.mark.parametrize("lanes", [[2**62 + 1, True], [u8(2**63 + 1), 0]])
def test_large_integers_do_not_pass_through_floats(lanes):
    assert [int(v) for v in stack(lanes)] == [int(v) for v in lanes]


def test_all_none_is_none_and_no_lanes_are_empty():
    assert stack([None, None]) is None
    empty = stack([])
    assert empty.shape == (0,) and empty.dtype == float


Pair = collections.namedtuple("Pair", "low high")


@dataclasses.dataclass
class State:
    pos: object
    tags: dict


def test_structure_is_kept_leaf_by_leaf():
    out = stack(
        [Pair(1, [True, State(1.5, {"a": "x"})]), Pair(2.5, [False, State(2, {"a": "yz"})])]
    )
    assert type(out) is Pair and type(out.high) is list and type(out.high[1]) is State
    np.testing.assert_array_equal(out.low, [1, 2.5])
    assert out.high[0].dtype == bool
    np.testing.assert_array_equal(out.high[1].pos, [1.5, 2.0])
    np.testing.assert_array_equal(out.high[1].tags["a"], ["x", "yz"])


def test_dicts_meet_by_key_and_keep_the_first_order():
    out = stack([{"b": 1, "a": 2}, {"a": 3, "b": 4}])
    assert list(out) == ["b", "a"]
    np.testing.assert_array_equal(out["b"], [1, 4])


def test_none_beside_a_structure_fills_every_leaf():
    out = stack([None, (1, "a"), None])
    np.testing.assert_array_equal(out[0], [nan, 1, nan])
    assert out[1].tolist() == [None, "a", None]


def test_empty_containers():
    assert stack([(1, ()), (2, ())])[1] == ()


def test_arrays():
    out = stack([np.arange(2), np.arange(2) + 0.5])
    assert out.shape == (2, 2) and out.dtype == float
    assert stack([np.array(1.5), 2]).tolist() == [1.5, 2.0]  # a 0-d array is a scalar
    np.testing.assert_array_equal(stack([np.arange(2), None]), [[0, 1], [nan, nan]])


def test_stacking_copies():
    row = np.arange(3.0)
    out = stack([row, row])
    out[0] = 7
    assert row.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("lanes", "words"),
    [
        ([1, (1,)], "an int for lane 0 and a tuple of 1 for lane 1"),
        ([(1,), 1], "a tuple of 1 for lane 0 and an int for lane 1"),
        ([(1, 2), (1,)], "a tuple of 2 for lane 0 and a tuple of 1 for lane 1"),
        ([{"a": 1}, {"b": 1}], r"keys \['a'\] for lane 0 and .* keys \['b'\] for lane 1"),
        ([np.arange(2), np.arange(3)], r"shape \(2,\) for lane 0 and .* shape \(3,\) for lane 1"),
        ([1.0, np.arange(3)], r"a float for lane 0 and an array of shape \(3,\) for lane 1"),
        ([None, (1,), 2], "a tuple of 1 for lane 1 and an int for lane 2"),
    ],
)
def test_different_structures_are_refused(lanes, words):
    with pytest.raises(ValueError, match=words):
        stack(lanes)


class Colour(enum.Enum):
    RED = 1


def test_objects_stay_themselves():
    value = object()
    assert stack([value, Colour.RED])[0] is value
    kept = stack_objects([[1, 2], (3, 4)])
    assert kept.dtype == object and kept[0] == [1, 2] and kept[1] == (3, 4)
