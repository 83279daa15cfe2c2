"""The law: a scalar sample is the Python scalar of its own type; its dtype is NumPy's."""

import math

import numpy as np
import pytest

import autovec
from tests.programs.grid import vectorised

NAN, INF = np.nan, np.inf


def run(f, *args):
    return autovec.vectorize(f, fallback="error")(*args)


P = np.array([True, False])
K = np.array([7, -7, 0])
X = np.array([1.5, -2.0, NAN])
G = X.astype("f4")


def test_bools_are_pythons_under_operators():
    assert run(lambda p: p + p, P).tolist() == [2, 0]
    assert run(lambda p: -p, P).tolist() == [-1, 0]
    assert run(lambda p: p * 2.5, P).tolist() == [2.5, 0.0]
    assert run(lambda p: p / 2, P).tolist() == [0.5, 0.0]
    assert run(lambda p: p - 1, P).tolist() == [0, -1]
    assert run(lambda p: p & True, P).dtype == bool
    assert run(lambda p: p & 1, P).dtype == np.int64
    assert run(lambda p: abs(p), P).tolist() == [1, 0]
    assert run(lambda p: +p, P).dtype.kind == "i"


def test_integers_are_pythons_under_operators():
    assert run(lambda k: k / 2, K).tolist() == [3.5, -3.5, 0.0]
    assert run(lambda k: k // 2, K).tolist() == [3, -4, 0]
    assert run(lambda k: k % 3, K).tolist() == [1, 2, 0]
    assert run(lambda k: divmod(k, -2), K)[0].tolist() == [-4, 3, 0]
    assert run(lambda k: 2**k if k >= 0 else 0, K).tolist() == [128, 0, 1]
    assert run(lambda k: k**0.5 if k >= 0 else 0.0, K).dtype == float


def test_strings_are_pythons():
    s = np.array(["a", "bb", ""])
    assert run(lambda s: s + "!", s).tolist() == ["a!", "bb!", "!"]
    assert run(lambda s: len(s), s).tolist() == [1, 2, 0]
    assert run(lambda s: s < "b", s).tolist() == [True, False, True]
    assert run(lambda s: s if s else "none", s).tolist() == ["a", "bb", "none"]


def test_float32_stays_float32():
    """Literals are weak, samples strong."""
    for f in (
        lambda x: x * 2.5,
        lambda x: x + 1,
        lambda x: 2 - x,
        lambda x: x / 3,
        lambda x: x**2,
        lambda x: -abs(x),
        lambda x: 0.0 if x > 0 else x,
        lambda x: 1 if x > 0 else x,
        lambda x: max(x, 0.5),
        lambda x: x or 1.0,
        lambda x: math.sin(x),
        lambda x: math.sqrt(abs(x)) * 2.0,
        lambda x: sum([x, 1, 2.5]),
        lambda x: round(x, 1),
    ):
        assert run(f, G[:2]).dtype == np.float32, f.__code__.co_firstlineno
        vectorised(f, G[:2])


def test_strong_samples_promote():
    assert run(lambda x, k: x + k, G, K).dtype == np.float64  # float32 and int64
    assert run(lambda x, k: x + k, G, K.astype("i1")).dtype == np.float32
    assert run(lambda x, y: x * y, G, X).dtype == np.float64
    assert run(lambda a, b: a + b, K.astype("i1"), K.astype("i4")).dtype == np.int32
    assert run(lambda x: x * np.float64(2), G).dtype == np.float64
    assert run(lambda k: k + 1, K.astype("i1")).dtype == np.int8
    assert run(lambda k: k + 1.5, K.astype("i1")).dtype == np.float64
    assert run(lambda k: k / 2, K.astype("i1")).dtype == np.float64


def test_uniform_arguments_are_weak_when_they_are_python_numbers():
    assert run(lambda x, c: x * c, G, 2.5).dtype == np.float32
    assert run(lambda x, c: x * c, G, np.float64(2.5)).dtype == np.float64
    assert run(lambda x, c: c if x > 0 else x, G, 2.5).dtype == np.float32
    assert run(lambda x, c: x + c, G, np.array([2.5])).dtype == np.float64  # an array varies


def test_constants_of_the_module_are_weak():
    rate = 2.5
    assert run(lambda x: x * rate, G).dtype == np.float32
    rate = np.float64(2.5)
    assert run(lambda x: x * rate, G).dtype == np.float64


def test_attributes_and_methods_are_numpys():
    vectorised(lambda x: (x.real, x.imag, x.conjugate()), X)
    vectorised(lambda x: x.is_integer(), np.array([1.0, 1.5]))
    assert run(lambda x: x.real + 1, G).dtype == np.float32


@pytest.mark.parametrize("dtype", ["f4", "i1", "i4", "u1"])
def test_comparisons_do_not_depend_on_the_dtype(dtype):
    x = np.array([0, 1, 100], dtype)
    assert run(lambda x: x > 0.5, x).tolist() == [False, True, True]
    assert run(lambda x: x == 100, x).tolist() == [False, False, True]
    assert run(lambda x: 0 < x < 1000, x).tolist() == [False, True, True]


def test_float32_against_a_literal_is_compared_as_numpy_does():
    x = np.array([0.1], "f4")
    assert run(lambda x: x == 0.1, x).tolist() == [bool(x[0] == 0.1)]
    vectorised(lambda x: (x < 0.1, x <= 0.1, x in (0.1, 2)), x)


def test_a_zero_dimensional_array_is_a_sample():
    got = run(lambda x, k: x + k if x > k else k, np.array(3.0), np.array(2))
    assert got.shape == () and got == 5.0
    assert run(lambda x: x + x, np.array(True)) == 2
