"""The law's departures from Python: division and math errors, int64, where."""

import math
import warnings

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.oracle.standalone import load_text
from tests.programs.grid import vectorised

NAN, INF = np.nan, np.inf
X = np.array([1.0, 0.0, -1.0])
K = np.array([1, 0, -1])


def run(f, *args, quiet=True):
    with np.errstate(all="ignore" if quiet else "warn"):
        return autovec.vectorize(f, fallback="error")(*args)


# ---------------------------------------------------------------- 1: division, **, math
def test_division_by_zero_is_inf_or_nan():
    np.testing.assert_array_equal(run(lambda x: x / 0, X), [INF, NAN, -INF])
    np.testing.assert_array_equal(run(lambda k: 1 / k, K), [1.0, INF, -1.0])
    np.testing.assert_array_equal(run(lambda k, m: k / m, K, np.zeros(3, int)), [INF, NAN, -INF])
    np.testing.assert_array_equal(run(lambda x: 1 // x, X), [1.0, INF, -1.0])
    np.testing.assert_array_equal(run(lambda x: 1 % x, X), [0.0, NAN, 0.0])
    np.testing.assert_array_equal(run(lambda x: x**-1, X), [1.0, INF, -1.0])


def test_whole_division_by_zero_raises_on_live_lanes():
    for f in (lambda k: 1 // k, lambda k: 1 % k, lambda k: divmod(1, k)):
        with pytest.raises(ZeroDivisionError):
            run(f, K)
        assert check(f, K).raised == "ZeroDivisionError"
    assert run(lambda k: 1 // k if k else 0, K).tolist() == [1, 0, -1]


def test_math_errors_are_inf_or_nan():
    np.testing.assert_array_equal(run(lambda x: math.log(x), X), [0.0, -INF, NAN])
    np.testing.assert_array_equal(run(lambda x: math.sqrt(x), X), [1.0, 0.0, NAN])
    np.testing.assert_array_equal(run(lambda x: math.exp(x * 1e4), X), [INF, 1.0, 0.0])
    np.testing.assert_array_equal(run(lambda x: math.acos(x * 2), X), [NAN, math.pi / 2, NAN])
    np.testing.assert_array_equal(run(lambda x: math.fmod(1.0, x), X), [0.0, NAN, 0.0])
    np.testing.assert_array_equal(run(lambda k: math.log(k), K), [0.0, -INF, NAN])
    np.testing.assert_array_equal(run(lambda x: math.pow(x, -1), X), [1.0, INF, -1.0])


def test_powers():
    np.testing.assert_array_equal(run(lambda x: x**0.5, -X), [NAN, 0.0, 1.0])
    np.testing.assert_array_equal(run(lambda x: 10.0 ** (x * 400), X), [INF, 1.0, 0.0])
    np.testing.assert_array_equal(
        run(lambda x: x**0.5, np.array([-INF, -0.0, INF])), [INF, 0.0, INF]
    )
    assert not np.signbit(run(lambda x: x**0.5, np.array([-0.0])))[0]


def test_an_int_to_a_negative_varying_int_is_a_located_error():
    def f(k, m):
        return k**m

    with pytest.raises(ValueError, match="negative") as caught:
        run(f, np.array([2, 3]), np.array([1, -1]))
    assert "lane 1" in "".join(caught.value.__notes__)
    assert run(f, np.array([2, 3]), np.array([3, 2])).tolist() == [8, 9]
    vectorised(lambda k: k**-1 if k else 0.0, K)  # a literal exponent is Python's float
    vectorised(lambda x, m: x**m, np.array([2.0, 4.0]), np.array([-1, -2]))


def test_a_try_that_names_the_exception_gets_it():
    def f(x):
        try:
            return 1 / x
        except ZeroDivisionError:
            return -7.0

    assert run(f, X).tolist() == [1.0, -7.0, -1.0]

    def g(x):
        try:
            return math.log(x)
        except ValueError:
            return 5.0

    assert run(g, X).tolist() == [0.0, 5.0, 5.0]


def test_math_functions_with_whole_results_do_raise():
    for f, x, error in (
        (lambda x: math.floor(x), np.array([1.0, NAN]), ValueError),
        (lambda x: math.ceil(x), np.array([1.0, INF]), OverflowError),
        (lambda k: math.factorial(k), np.array([3, -1]), ValueError),
        (lambda k: math.isqrt(k), np.array([9, -1]), ValueError),
        (lambda x: int(x), np.array([1.0, NAN]), ValueError),
        (lambda x: int(x), np.array([1.0, -INF]), OverflowError),
        (lambda x: round(x), np.array([1.5, NAN]), ValueError),
    ):
        assert check(f, x).raised == error.__name__


def test_live_lanes_warn_as_numpy_does():
    for f, text in (
        (lambda x: 1 / x, "divide by zero"),
        (lambda x: math.log(x), "divide by zero"),
        (lambda x: x * 1e308 * 1e10, "overflow"),
        (lambda x: math.sqrt(x - 1), "invalid"),
        (lambda x: 0.0 if x > 0 else math.log(x), "divide by zero"),
    ):
        with pytest.warns(RuntimeWarning, match=text) as seen:
            autovec.vectorize(f, fallback="error")(np.array([1.0, 0.0]))
        assert len(seen) == 1


def test_the_callers_errstate_is_asked():
    g = autovec.vectorize(lambda x: 1 / x, fallback="error")
    with np.errstate(divide="ignore"):
        g(X)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        g(X)


# ---------------------------------------------------------------- 2: int64
def test_straight_line_integers_wrap():
    big = np.array([2**63 - 1, -(2**63)])
    assert run(lambda k: k + 1, big).tolist() == [-(2**63), -(2**63) + 1]
    assert run(lambda k: k * 3 - k, big).tolist() == [-2, 0]


def product(k):
    r = 1
    for _ in range(30):
        r *= k
    return r


def total(k):
    s = 0
    for _ in range(5):
        s += k * 2**60
    return s


def product_of_samples(k):
    return math.prod([k, k, k, k])


GROWING = [
    (lambda k: k**40, [3, 10, 2]),
    (lambda k: k**40 if k > 2 else 0, [3, 10, 2]),
    (lambda k: 2**k, [3, 70]),
    (lambda k: 1 << k, [3, 70]),
    (product, [3, 10, -2]),
    (total, [1, 5]),
    (product_of_samples, [2**20, 3]),
    (lambda k: sum(k * c for c in (1, 2, 3)), [2**61, 1]),
    (lambda k: pow(k, 30), [3, 10]),
    (lambda k: math.factorial(k), [3, 25]),
    (lambda k: math.comb(k, 40), [50, 100]),
    (lambda x: int(x), [1e30, 2.0]),
    (lambda x: math.floor(x * 1e30), [1.0, 2.0]),
    (lambda x: round(x * 1e30), [1.0, 2.0]),
]


@pytest.mark.parametrize(("f", "x"), GROWING)
def test_growing_integers_are_redone_exactly(f, x):
    """In a visible loop, announced; the results are Python's integers."""
    with pytest.warns(autovec.FallbackWarning, match="64 bits"):
        got = autovec.vectorize(f)(np.array(x))
    assert got.tolist() == [f(v) for v in x]
    assert got.dtype in (object, np.uint64), "int64 has no room for them"


def test_growing_integers_that_fit_are_int64():
    assert run(lambda k: k**3, np.array([3, -2])).tolist() == [27, -8]
    assert run(lambda k: 1 << k, np.array([3, 62])).dtype == np.int64
    assert run(lambda k: k**3, np.array([3, 2**20])).tolist() == [27, 2**60]
    assert run(lambda k: k**2, np.array([-(2**31)])).tolist() == [2**62]


def test_lanes_not_taken_do_not_count_as_overflow():
    assert run(lambda k: k**40 if k < 3 else 0, np.array([1, 10])).tolist() == [1, 0]
    assert run(lambda k: 1 << k if 0 <= k < 60 else -1, np.array([3, 100, -5])).tolist() == [
        8,
        -1,
        -1,
    ]


def test_text_alone_raises_for_what_grows():
    text = autovec.vectorize(lambda k: k**40, name="power").emit(np.array([2]))
    power = load_text(text, "power")
    assert power(np.array([2])).tolist() == [2**40]
    with pytest.raises(OverflowError):
        power(np.array([2, 10]))


def test_shifts():
    assert check(lambda k: 1 << k, np.array([3, -1]), deep=False).raised == "ValueError"
    assert run(lambda k: -5 >> k, np.array([1, 70])).tolist() == [-3, -1]
    assert run(lambda k: k >> 70, np.array([5, -5])).tolist() == [0, -1]
    assert run(lambda k: k << 3, np.array([5, -5])).tolist() == [40, -40]


# ---------------------------------------------------------------- 3: overflow in where
def test_where_does_not_warn_for_lanes_not_taken():
    def f(x):
        if x < 1e200:
            return x * x - x
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = autovec.vectorize(f, fallback="error")(np.array([2.0, 1e300]))
    assert got.tolist() == [2.0, 1e300]

    def g(x):
        y = x
        if x < 1e308:
            y = x + x
        return y - 1

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        autovec.vectorize(g, fallback="error")(np.array([2.0, 1.5e308]))
        autovec.vectorize(g, fallback="error")(np.array([INF, -INF]))


def test_text_alone_is_clean_but_for_overflow():
    """Its where sides hold nothing but + - *: no division, no log, no power."""

    def f(x):
        return x * x if x < 1 else x + 1

    text = autovec.vectorize(f).emit(X)
    alone = load_text(text, "f")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert alone(X).tolist() == [2.0, 0.0, 1.0]
    assert "errstate" not in text
