"""Results of every structure, in every layout of arguments."""

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import results
from tests.programs.grid import array, calls, vectorised

NAN = np.nan


@calls(results)
def test_results(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def test_types_of_structures():
    x, k = np.array([1.0, -1.0]), np.array([1, -1])
    made = autovec.vectorize(results.as_namedtuple, fallback="error")(x, k)
    assert type(made) is results.Point and made.x.tolist() == [1.0, -1.0]
    made = autovec.vectorize(results.as_dataclass, fallback="error")(x, k)
    assert type(made) is results.Body and made.speed.tolist() == [1.0, 2.0]
    assert made.name.tolist() == ["b", "b"] and made.mass.shape == (2,)
    made = autovec.vectorize(results.dataclass_in_dataclass, fallback="error")(x, k)
    assert type(made.at) is results.Point and made.at.y.dtype == bool
    made = autovec.vectorize(results.as_dict, fallback="error")(x, k)
    assert list(made) == ["sum", "both", 3]
    assert type(autovec.vectorize(results.as_list, fallback="error")(x, k)) is list


def test_structures_hold_arrays_of_the_whole_batch():
    """Also where a leaf does not depend on every argument, or on none."""
    x, y = np.ones((3, 1)), np.ones(4)
    made = autovec.vectorize(results.not_of_every_argument, fallback="error")(x, y)
    assert [leaf.shape for leaf in made] == [(3, 4)] * 3
    for leaf in made:
        leaf += 1  # each is memory of its own


def test_none_everywhere_is_none():
    assert autovec.vectorize(results.nothing)(np.ones(3)) is None
    assert autovec.vectorize(results.explicit_none)(np.ones(0)) is None
    assert autovec.vectorize(results.none_in_a_tuple)(np.ones(2), 1)[0] is None


def test_none_on_some_lanes_is_nan():
    got = autovec.vectorize(results.none_beside_ints, fallback="error")(np.array([3, -1]))
    np.testing.assert_array_equal(got, [3.0, NAN])
    got = autovec.vectorize(results.none_beside_ints, fallback="error")(np.array([3, 1]))
    assert got.dtype == float
    assert autovec.vectorize(results.none_beside_ints)(np.zeros(0, int)).dtype == float


@pytest.mark.parametrize("kind", ["g", "h", "j", "b"])
def test_none_beside_other_dtypes(kind):
    vectorised(results.none_on_some, array(kind, 0))


def test_structures_that_differ_between_lanes_are_refused_or_looped():
    """There is no batch of a tuple here and a number there: never silently something else."""

    def f(x):
        if x > 0:
            return x, x
        return x

    with pytest.raises((TypeError, ValueError)):
        autovec.vectorize(f, fallback="silent")(np.array([1.0, -1.0]))
    check(f, np.array([1.0, 2.0]), deep=False)


def test_strings_are_wide_enough():
    def f(k, s):
        if k > 0:
            return s
        elif k < -5:
            return "a rather long literal"
        return s + "!"

    vectorised(f, np.array([1, -9, 0, 2]), np.array(["wide enough", "x", "yyy", ""]))
    vectorised(f, np.array([1, -9, 0, 2]), "uniform text")
    vectorised(f, 0, np.array(["wide enough", "x"]))


def test_dict_in_the_order_of_insertion():
    def f(x, k):
        d = {}
        d["z"] = x
        d["a"] = k
        d["z"] = k
        return d

    check(f, array("f", 0), array("i", 1))


def test_results_of_a_helper():
    def f(x, k):
        if k > 2:
            return results.as_dataclass(x, k)
        return results.as_dataclass(k, 1)

    vectorised(f, array("f", 0), array("i", 1))

    def g(x, k):
        p = results.as_namedtuple(x, k)
        return p.x + p.y, results.tuple_on_paths(k, k)[0]

    vectorised(g, array("f", 0), array("i", 1))


def test_deep_structures():
    def f(x):
        return [[[{"a": ((x,),)}]]]

    vectorised(f, array("f", 0))


def test_lists_and_tuples_do_not_mix():
    def f(x):
        return [x] if x > 0 else [1.0]

    assert type(autovec.vectorize(f, fallback="error")(np.ones(2))) is list
    vectorised(f, array("f", 0))


def test_constant_results():
    for f in (
        lambda x: 3,
        lambda x: 2.5,
        lambda x: True,
        lambda x: "word",
        lambda x: 2j,
        lambda x: (1, "a"),
    ):
        vectorised(f, np.ones((2, 3)))
        vectorised(f, np.ones(0))
        vectorised(f, np.ones(2), in_axes=0)
