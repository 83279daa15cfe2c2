"""Files: samples that are arrays of declared shapes, of any length and in batches of any shape."""

import itertools
import types

import numpy as np
import pytest

from tests.cli_tools import done, load, refused, text, written

MODULE = """
import numpy as np
from typing import Annotated
from autovec import vectorize, vmap

@vectorize(signature="(n)->(n)")
def softmax(scores):
    # the largest exponent is 0
    shifted = scores - np.max(scores)
    e = np.exp(shifted)
    return e / e.sum()

@vectorize(signature="(n),(n)->()")
def cosine(a, b):
    return a @ b / np.sqrt((a @ a) * (b @ b))

@vectorize(signature="(m,n),(n)->(m),()")
def affine(a, b):
    y = a @ b
    return y - y.mean(), y.max()

@vectorize
def tone(trace: "Annotated[np.ndarray, 'n']", coeff):
    s = trace * coeff
    return {"sum": s.sum(), "parts": [s, s.max()]}

@vectorize(signature="(n)->()")
def parity(v):
    return sum(1 for x in v if x > 0) % 2

@vectorize(signature="(3),(3)->(3)")
def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                     a[0] * b[1] - a[1] * b[0]])

@vmap
def spread(v: "Annotated[np.ndarray, 'n']"):
    return v - v.mean()
"""


def samples() -> types.ModuleType:
    """The functions as they are written."""
    plain = text(MODULE).replace("from autovec import vectorize, vmap", "")
    kept = [line for line in plain.splitlines() if not line.startswith("@")]
    module = types.ModuleType("samples")
    exec("\n".join(kept), vars(module))
    return module


RESULT = done(MODULE)
BATCHED, SAMPLE = load(RESULT.new.decode()), samples()


def stacked(results, shape):
    first = results[0]
    if isinstance(first, dict):
        return {k: stacked([r[k] for r in results], shape) for k in first}
    if isinstance(first, (tuple, list)):
        return type(first)(stacked(list(column), shape) for column in zip(*results, strict=True))
    made = np.array(results)
    return made.reshape(shape + made.shape[1:])


def alike(got, want):
    if isinstance(want, dict):
        assert list(got) == list(want)
        for k in want:
            alike(got[k], want[k])
    elif isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            alike(g, w)
    else:
        assert got.shape == want.shape and got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-5 if want.dtype == "f4" else 1e-12)


def against_the_loop(name, *args, ranks):
    """In one batch and one sample at a time."""
    loops = [a.shape[: a.ndim - rank] for a, rank in zip(args, ranks, strict=True)]
    shape = np.broadcast_shapes(*loops)
    whole = [
        np.broadcast_to(a, shape + a.shape[a.ndim - rank :])
        for a, rank in zip(args, ranks, strict=True)
    ]
    results = [
        getattr(SAMPLE, name)(*(a[i].copy() if a[i].ndim else a[i].item() for a in whole))
        for i in itertools.product(*map(range, shape))
    ]
    kept = [a.copy() for a in args]
    alike(getattr(BATCHED, name)(*args), stacked(results, shape))
    for a, before in zip(args, kept, strict=True):
        np.testing.assert_array_equal(a, before)


def numbers(*shape, dtype="f8"):
    rng = np.random.default_rng(sum(shape))
    return rng.integers(1, 9, shape).astype(dtype)


def test_what_loops():
    """Nothing does."""
    assert not RESULT.warnings, [str(w) for w in RESULT.warnings]


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4"])
@pytest.mark.parametrize("shape", [(4, 3), (2, 5, 3), (3,), (1, 1), (6, 9)])
def test_batches_of_any_shape(shape, dtype):
    x = numbers(*shape, dtype=dtype)
    against_the_loop("softmax", x, ranks=(1,))
    against_the_loop("parity", x - 4, ranks=(1,))
    against_the_loop("cosine", x, x[..., ::-1] + 1, ranks=(1, 1))
    if dtype == "f8":
        against_the_loop("tone", x, np.asarray(x[..., 0] * 0.5), ranks=(1, 0))


def test_arguments_that_broadcast():
    a, b = numbers(2, 1, 4, 3), numbers(5, 3)
    against_the_loop("affine", a, b, ranks=(2, 1))
    against_the_loop("cosine", a[:, 0], numbers(3), ranks=(1, 1))
    against_the_loop("cross", numbers(4, 1, 3), numbers(2, 3), ranks=(1, 1))


def test_one_axis_in_front():
    x = numbers(5, 4)
    np.testing.assert_allclose(BATCHED.spread(x), [SAMPLE.spread(v) for v in x])


def test_no_samples():
    assert BATCHED.softmax(np.zeros((0, 3))).shape == (0, 3)
    assert BATCHED.parity(np.zeros((2, 0, 3))).shape == (2, 0)
    assert [r.shape for r in BATCHED.affine(np.zeros((0, 4, 3)), np.ones(3))] == [(0, 4), (0,)]


def test_the_text():
    new = RESULT.new.decode()
    assert "for x in" not in new and "# the largest exponent is 0" in new
    start = new.index("def softmax")
    assert new[start : new.index("def cosine")].rstrip() == text(
        '''
        def softmax(scores):
            """softmax, batched: every sample of the arguments at once.

            Batched: scores (arrays that broadcast; axes of one sample behind: scores: 1).
            """
            shape, core = np.shape(scores)[:-1], np.shape(scores)[-1:]
            scores = np.reshape(scores, (np.prod(shape, dtype=int), *core))
            # the largest exponent is 0
            shifted = scores - np.max(scores, axis=-1)[:, None]
            e = np.exp(shifted)
            results = e / e.sum(axis=-1)[:, None]
            return results.reshape(shape + results.shape[1:])
        '''
    ).rstrip()


def test_a_text_that_lengths_decide_is_none():
    """Three axes unpacked is right for three only: the file says so, or the function loops."""
    source = """
        from autovec import vectorize

        @vectorize(signature="(n)->()")
        def first(v):
            a, b, c = v
            return a + b * c

        @vectorize(signature="(3)->()")
        def three(v):
            a, b, c = v
            return a + b * c
        """
    result = done(source)
    assert len(result.warnings) == 1 and "first" in result.new.decode()
    new = load(result.new.decode())
    x = numbers(4, 3)
    for f in (new.first, new.three):
        np.testing.assert_array_equal(f(x), x[:, 0] + x[:, 1] * x[:, 2])
    assert "results = [" not in result.new.decode().partition("def three")[2]


def test_a_text_that_dtypes_decide_is_none():
    source = """
        from autovec import vectorize

        @vectorize(signature="(n)->()")
        def total(v):
            s = 0
            for x in v:
                s += x
            return s
        """
    new = load(written(source))
    for dtype in ("f8", "f4", "i8", "i2"):
        x = numbers(4, 3, dtype=dtype)
        assert new.total(x).dtype == x.dtype


def test_shapes_that_do_not_fit():
    """What the file does not say of two lengths is not assumed."""
    source = """
        from autovec import vectorize

        @vectorize(signature="(n),(m)->(n)")
        def add(a, b):
            return a + b
        """
    new = load(written(source))
    np.testing.assert_array_equal(new.add(np.ones((2, 3)), np.ones((2, 1))), np.full((2, 3), 2.0))
    assert "norm" in refused("def norm(v):\n    return v[0] + v.sum()\n", "norm")
