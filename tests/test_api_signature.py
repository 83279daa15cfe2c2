"""vectorize with a signature: core dimensions, checked as np.vectorize checks them."""

import numpy as np
import pytest

import autovec
from autovec import vectorize


def quiet(f, signature, **options):
    return vectorize(f, signature=signature, fallback="silent", **options)


CASES = [
    (lambda a: a - a.mean(), "(n)->(n)", ([[1, 3], [2, 4]],)),
    (np.outer, "(a),(b)->(a,b)", ([[[1, 2]]], [1, 2, 3])),
    (lambda x: x[:-1], "(n)->(m)", ([[1, 2, 3], [2, 3, 4]],)),
    (np.convolve, "(n),(m)->(k)", (np.eye(4), [1, 2, 1])),
    (lambda m, v: m @ v, "(m,n),(n)->(m)", (np.ones((2, 1, 2, 3)), np.arange(12.0).reshape(4, 3))),
    (lambda x, k: x * k, "(n),()->(n)", ([[1.0, 2], [3, 4]], [10, 100])),
    (lambda x, k: x * k, "(n),()->(n)", ([[1.0, 2], [3, 4]], 10)),
    (lambda k, x: (x.sum() * k, x), "(),(n)->(),(n)", (2, [[1.0, 2], [3, 4]])),
    (lambda x: x * np.ones(2), "()->(n)", (3.0,)),
]


@pytest.mark.parametrize(("f", "signature", "args"), CASES)
def test_agrees_with_numpy(f, signature, args):
    want = np.vectorize(f, signature=signature)(*args)
    got = quiet(f, signature)(*args)
    for g, w in zip(
        got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,)
    ):
        assert (g.dtype, g.shape) == (w.dtype, w.shape)
        np.testing.assert_array_equal(g, w)


def test_scalar_signatures_are_not_looped():
    f = vectorize(lambda x, y: (x + y, x > y), signature="(),()->(),()", fallback="error")
    total, larger = f(np.arange(3), 1)
    assert total.tolist() == [1, 2, 3] and larger.tolist() == [False, False, True]


def test_the_loop_is_announced():
    f = vectorize(lambda x: x.sum(), signature="(n)->()", fallback="error")
    assert f(np.ones((2, 3))).tolist() == [3, 3] and "x.sum(axis=-1)" in f.source
    with pytest.raises(autovec.FallbackError, match="no arrays of the signature"):
        vectorize(lambda x: [x, x], signature="()->(n)", fallback="error")(np.ones(2))


def test_stores_reach_the_argument_unless_it_is_repeated():
    def f(x, k):
        x[0] = k
        return x

    m = np.zeros((2, 3))
    quiet(f, "(n),()->(n)")(m, [1.0, 2.0])
    assert m[:, 0].tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        quiet(f, "(n),()->(n)")(m[0], [1.0, 2.0])


def test_excluded_and_otypes():
    f = quiet(lambda a, b=1: a + b, "()->()", excluded={"b"}, otypes=["f4"])
    out = f([1, 2, 3], b=0)
    assert out.dtype == np.float32 and out.tolist() == [1, 2, 3]
    assert quiet(lambda x: x, "(n)->(n)", otypes=["float64"])([1, 2, 3]).dtype == float


@pytest.mark.parametrize(
    ("signature", "shapes", "error", "words"),
    [
        ("(n),(n)->(n)", [(2,), (3,)], ValueError, "inconsistent size for core dimension 'n'"),
        ("(n)->()", [()], ValueError, "does not have enough dimensions"),
        ("(n)->()", [(3,), (3,)], TypeError, "expected 1, got 2"),
        ("(),()->()", [(3,)], TypeError, "expected 2, got 1"),
        ("()->(),()", [(1,)], ValueError, "expected 2, got 1"),
        ("(n)->(),()", [(1, 2)], ValueError, "expected 2, got 1"),
        ("(n)->(n)", [(1, 2)], ValueError, "0-dimensional"),
        ("(n),(m)->(n)", [(4, 2), (3, 2)], ValueError, "could not be broadcast"),
    ],
)
def test_refusals(signature, shapes, error, words):
    with pytest.raises(error, match=words):
        quiet(lambda *v: 1, signature)(*(np.zeros(shape) for shape in shapes))


def test_results_must_keep_to_the_core_dimensions():
    with pytest.raises(ValueError, match="inconsistent size for core dimension 'n': 2 vs 3"):
        quiet(lambda x: x[:-1], "(n)->(n)")(np.ones((2, 3)))


def test_empty():
    out = quiet(lambda x: x, "(n)->(n)", otypes="i")(np.zeros((0, 3)))
    assert out.shape == (0, 3) and out.dtype == np.intc
    assert quiet(lambda x: x, "(n)->(n)")(np.zeros((5, 0), int)).dtype == int
    with pytest.raises(ValueError, match="new output dimensions"):
        quiet(lambda x: [x], "()->(n)", otypes="i")(np.zeros((0, 5)))
