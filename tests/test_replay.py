"""When a batch raises, the caller sees the loop's own exception: lowest lane, the user's line."""

import math
import traceback
import warnings

import numpy as np
import pytest

import autovec
from autovec import vectorize, vmap
from autovec.run.replay import replay


def checked(x, low=0.0):
    if x > 100:
        raise OverflowError(f"too large: {x}")
    if x < low:
        raise ValueError(f"negative: {x}")
    return math.sqrt(x)


def test_the_lowest_lane_over_all_places():
    x = np.array([1.0, 4.0, -2.0, 1000.0, -3.0])
    with pytest.raises(ValueError, match="negative: -2.0"):
        vectorize(checked)(x)
    with pytest.raises(OverflowError, match="too large: 1000.0"):
        vectorize(checked)(x[[0, 3, 2]])


def test_note_names_lane_and_values():
    with pytest.raises(ValueError) as caught:
        vectorize(checked)(np.array([[1.0, 4.0], [9.0, -2.0]]), 0.5)
    assert caught.value.__notes__ == ["in lane 1, 1 of 4: x=-2.0"]
    with pytest.raises(ValueError) as caught:
        vmap(checked)(np.array([1.0, -2.0]), low=np.array([0.0, 0.5]))
    assert caught.value.__notes__ == ["in lane 1 of 2: x=-2.0, low=0.5"]


def test_traceback_ends_at_the_users_line():
    with pytest.raises(ValueError) as caught:
        vectorize(checked)(np.array([1.0, -2.0]))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.line) == (__file__, 'raise ValueError(f"negative: {x}")')
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_causes_are_kept():
    def f(x):
        if x < 0:
            raise ValueError("below") from KeyError("why")
        return x

    with pytest.raises(ValueError) as caught:
        vectorize(f)(np.array([1.0, -1.0]))
    assert isinstance(caught.value.__cause__, KeyError)


def test_one_lane_and_scalars():
    for x in (np.array([-1.0]), -1.0):
        with pytest.raises(ValueError, match=r"negative: -1.0"):
            vectorize(checked)(x)


def test_no_lanes_raise_nothing():
    def f(x):
        assert x == "never", "no lane is fine"
        return x

    out = vectorize(f)(np.zeros((0, 3)))
    assert out.shape == (0, 3)


def test_no_lanes_raise_nothing_though_uniform_code_would():
    def f(x, k):
        return x * (1 // k)

    with pytest.raises(ZeroDivisionError):
        vectorize(f)(np.arange(3), 0)
    out = vectorize(f)(np.zeros(0, int), 0)
    assert out.shape == (0,) and out.dtype == int


def test_no_lanes_of_a_function_that_loops():
    out = vectorize(lambda x: print(x), fallback="silent")(np.zeros((2, 0)))
    assert out.shape == (2, 0)
    pair = vectorize(lambda x: print(x), otypes=["U", "i"], fallback="silent")(np.zeros(0))
    assert [leaf.dtype.kind for leaf in pair] == ["U", "i"]


def test_lookups_and_asserts():
    with pytest.raises(KeyError, match="7"):
        vectorize(lambda k: {1: 2.0}[k], fallback="silent")(np.array([1, 7, 8]))
    with pytest.raises(AssertionError, match="odd"):

        def even(n):
            assert n % 2 == 0, "odd"
            return n

        vectorize(even)(np.array([2, 3]))
    with pytest.raises(ZeroDivisionError):
        vectorize(lambda n: 10 // n)(np.array([5, 0]))


def test_the_short_way_raises_the_same():
    f = vectorize(checked)
    good = np.array([1.0, 4.0])
    f(good), f(good)
    with pytest.raises(ValueError, match="negative: -2.0"):
        f(np.array([1.0, -2.0]))
    np.testing.assert_array_equal(f(good), [1, 2])


def test_the_loop_notes_its_lane_too():
    def f(row):
        return 1 / hash(row["n"])

    with pytest.raises(ZeroDivisionError) as caught:
        vmap(f, fallback="silent")({"n": np.array([1, 0])})
    assert caught.value.__notes__ == ["in lane 1 of 2: row={'n': 0}"]


def test_warnings_as_errors_name_the_lane():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning) as caught:
            vectorize(lambda x: 1 / x)(np.array([1.0, 0.0]))
    assert caught.value.__notes__ == ["in lane 1 of 2: x=0.0"]


def test_keyboard_interrupt_is_not_replayed():
    def f(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        vectorize(f, fallback="silent")(np.array([1.0]))
    assert not hasattr(caught.value, "__notes__")


# ------------------------------------------------------------------ the search itself


class Batched:
    """Stands for emitted text: raises where told, and counts its runs."""

    def __init__(self, bad_lanes=(), bad_sizes=()):
        self.bad_lanes, self.bad_sizes, self.runs = set(bad_lanes), set(bad_sizes), 0

    def __call__(self, args, keywords):
        self.runs += 1
        (x,) = args
        if len(x) in self.bad_sizes:
            raise MemoryError(len(x))
        for lane in x:
            if lane in self.bad_lanes:
                raise ValueError(f"lane {lane}")
        return {"double": x * 2, "none": None}


def call_on(n, shape=None):
    def user(x):
        return x

    x = np.arange(n).reshape(n if shape is None else shape)
    return vectorize(user)._engine.prepare((), (x,), {})


@pytest.mark.parametrize("bad", [[0], [999], [500, 3, 998], list(range(1000))])
def test_the_lowest_lane_is_found_in_few_runs(bad):
    batched = Batched(bad)
    result, error = replay(batched, call_on(1000), ValueError("all"))
    assert result is None and str(error) == f"lane {min(bad)}"
    assert batched.runs <= 2 * math.ceil(math.log2(1000))


def test_where_no_lane_raises_alone_the_results_are_stacked():
    result, error = replay(Batched(bad_sizes=[6, 3, 2]), call_on(6, (2, 3)), MemoryError())
    assert error is None and result["none"] is None
    np.testing.assert_array_equal(result["double"], np.arange(6).reshape(2, 3) * 2)


# ------------------------------------------------------------------ integers that grow


def test_growing_integers_are_redone_exactly():
    f = vectorize(lambda x: x**3)
    with pytest.warns(autovec.FallbackWarning, match="beyond 64 bits"):
        out = f(np.array([2, 2**40]))
    assert out.dtype == object and out.tolist() == [8, 2**120]
    with pytest.raises(autovec.FallbackError, match="beyond 64 bits"):
        vectorize(lambda x: x**3, fallback="error")(np.array([2, 2**40]))
    np.testing.assert_array_equal(f(np.array([2, 3])), [8, 27])


def test_a_uniform_integer_beyond_64_bits_is_exact():
    with pytest.warns(autovec.FallbackWarning, match="beyond 64 bits"):
        out = vectorize(lambda x, k: x * k)(np.array([0, 3]), 2**70)
    assert out.tolist() == [0, 3 * 2**70]
