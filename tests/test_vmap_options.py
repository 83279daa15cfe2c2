"""Chunks, randomness, keyword axes, tf.vectorized_map, trees of arrays."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import autovec

X = np.random.default_rng(0).normal(size=(7, 3))
RNG = np.random.default_rng(5)


def both(x):
    return (x - x.mean(), x.sum()) if x[0] > 0 else (x * 2, 1.0)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_chunks_give_the_same(size):
    want = autovec.vmap(both)(X)
    got = autovec.vmap(both, chunk_size=size, fallback="error")(X)
    for g, w in zip(got, want, strict=True):
        assert g.dtype == w.dtype
        np.testing.assert_array_equal(g, w)


def test_chunks_run_in_slices():
    sizes = []

    def f(x):
        return x + 1.0

    g = autovec.vmap(f, chunk_size=3)
    g(X)
    text = next(iter(g._engine._ready.values()))[0]
    original = text.text
    object.__setattr__(text, "text", lambda x: (sizes.append(len(x)), original(x))[1])
    g(X)
    assert sizes == [3, 3, 1]


def test_chunks_of_no_lanes_and_the_lowest_error():
    assert autovec.vmap(lambda x: x.sum(), chunk_size=2)(X[:0]).shape == (0,)

    def positive(x):
        if x < 0:
            raise ValueError(f"{x}")
        return x

    with pytest.raises(ValueError, match=r"-2\.0") as error:
        autovec.vmap(positive, chunk_size=2)(np.array([1.0, 1.0, 1.0, -2.0, -3.0]))
    assert "lane 3 of 5" in error.value.__notes__[0]


@pytest.mark.parametrize("size", [0, -1, 2.5, "3"])
def test_chunk_sizes_that_are_none(size):
    with pytest.raises(ValueError, match="chunk_size"):
        autovec.vmap(both, chunk_size=size)


def draws(x):
    return x + np.random.rand(3)


def draws_of_a_generator(x):
    return x + RNG.random()


def quiet(f, **options):
    return autovec.vmap(f, fallback="silent", **options)


@pytest.mark.parametrize("f", [draws, draws_of_a_generator])
def test_the_same_draws_for_all(f):
    zeros = np.zeros((4, 3))
    got = quiet(f, randomness="same")(zeros)
    assert (got == got[0]).all() and (got > 0).all()
    assert not (quiet(f)(zeros) == got).all()


def test_different_draws_are_the_loops_own():
    np.random.seed(7)
    got = quiet(draws)(np.zeros((4, 3)))
    np.random.seed(7)
    want = np.array([draws(np.zeros(3)) for _ in range(4)])
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("f", [draws, draws_of_a_generator])
def test_draws_may_be_forbidden(f):
    with pytest.raises(RuntimeError, match="random"):
        quiet(f, randomness="error")(X)
    np.testing.assert_array_equal(autovec.vmap(both, randomness="error")(X)[1].shape, (7,))


def test_a_bad_way_of_drawing():
    with pytest.raises(ValueError, match="different, same, error"):
        autovec.vmap(draws, randomness="bogus")


def scaled(x, *, by, plus=0.0):
    return x * by + plus


def test_axes_of_keywords():
    by = np.array([1.0, 2.0, 3.0])
    f = autovec.vmap(scaled, kw_axes={"by": None, "plus": None}, fallback="error")
    np.testing.assert_array_equal(f(X, by=by, plus=1.0), X * by + 1.0)
    whole = autovec.vmap(scaled, kw_axes=None)(X, by=X)
    np.testing.assert_array_equal(whole, X * X)
    across = autovec.vmap(scaled, kw_axes={"by": 1})(X, by=X.T)
    np.testing.assert_array_equal(across, X * X)
    none = autovec.vmap(scaled, kw_axes={"by": None})(X, by=by)
    np.testing.assert_array_equal(none, X * by)


def test_vectorized_map():
    t = (X, np.ones((1, 3)))
    np.testing.assert_array_equal(autovec.vectorized_map(lambda t: t[0] * t[1], t), X)
    with pytest.raises(ValueError, match="at least one array"):
        autovec.vectorized_map(lambda t: 1.0, ())
    with pytest.raises(autovec.FallbackError):
        autovec.vectorized_map(draws, X, fallback_to_while_loop=False)
    autovec.vectorized_map(draws, X, warn=False)


Pair = collections.namedtuple("Pair", "pos vel")


def test_trees_of_arrays_have_a_text():
    def step(s, dt):
        return Pair(s.pos + dt * s.vel, s.vel * 0.9)

    made = autovec.vmap(step, (0, None), fallback="error")(Pair(X, X * 2), 0.5)
    assert type(made) is Pair
    np.testing.assert_array_equal(made.pos, X + 0.5 * (X * 2))

    def nested(t):
        a, (b, c) = t
        return {"dot": a @ b + c["k"], "both": [a, b]}

    tree = (X, (X + 1, {"k": np.arange(7.0)}))
    got = autovec.vmap(nested, fallback="error")(tree)
    want = [nested((X[i], (X[i] + 1, {"k": float(i)}))) for i in range(7)]
    np.testing.assert_allclose(got["dot"], [w["dot"] for w in want])
    np.testing.assert_array_equal(got["both"][1], X + 1)


def test_layers_of_shared_parameters():
    rng = np.random.default_rng(1)
    params = [(rng.normal(size=(3, 4)), rng.normal(size=4)), (rng.normal(size=(4, 2)), np.ones(2))]

    def mlp(params, x):
        for w, b in params[:-1]:
            x = np.tanh(x @ w + b)
        w, b = params[-1]
        return x @ w + b

    got = autovec.vmap(mlp, (None, 0), fallback="error")(params, X)
    np.testing.assert_allclose(got, [mlp(params, x) for x in X])


def kernel(x, y, w):
    d = x - y
    if w > 0:
        return np.exp(-0.5 * (d @ d)) * w
    return 0.0


A = np.random.default_rng(2).normal(size=(4, 3))
B = np.random.default_rng(3).normal(size=(5, 3))
W = np.array([1.0, -1.0, 2.0, 0.5, 0.0])


def pairs(f):
    return np.array([[f(a, b, float(w)) for b, w in zip(B, W, strict=True)] for a in A])


@pytest.mark.parametrize("out", [0, 1, -1])
def test_nested_levels_have_axes_of_their_own(out):
    inner = autovec.vmap(kernel, (None, 0, 0), fallback="error")
    outer = autovec.vmap(inner, (0, None, None), out_axes=out, fallback="error")
    want = pairs(kernel) if out == 0 else pairs(kernel).T
    np.testing.assert_allclose(outer(A, B, W), want)
    across = autovec.vmap(inner, (1, None, None), fallback="error")
    np.testing.assert_allclose(across(A.T, B, W), pairs(kernel))
    assert "np.vecdot" in outer.source


def test_three_levels_and_out_axes():
    x = np.random.default_rng(4).normal(size=(2, 3, 4, 5))

    def f(v):
        return v * 2, v.sum()

    inner = autovec.vmap(f, out_axes=-1)
    three = autovec.vmap(autovec.vmap(inner, in_axes=1), out_axes=-1, fallback="error")
    doubled, total = three(x)
    lanes = np.moveaxis(x, 2, 1)  # outer, middle, inner, v
    np.testing.assert_array_equal(doubled, np.moveaxis(np.moveaxis(lanes * 2, 2, 3), 0, -1))
    np.testing.assert_allclose(total, np.moveaxis(lanes.sum(-1), 0, -1))


def test_nested_errors_name_the_lane_of_each_level():
    def positive(x, y):
        if x + y > 4:
            raise ValueError(f"{x + y}")
        return x + y

    f = autovec.vmap(autovec.vmap(positive, (None, 0)), (0, None))
    with pytest.raises(ValueError, match=r"5\.0") as error:
        f(np.arange(3.0), np.arange(4.0))
    assert "lane 2, 3" in error.value.__notes__[0]
    with pytest.raises(ValueError, match="inconsistent sizes"):
        autovec.vmap(autovec.vmap(positive))(np.ones((2, 3)), np.ones((2, 4)))


def test_signatures_compile():
    f = autovec.vectorize(lambda m, v: m @ v, signature="(m,n),(n)->(m)", fallback="error")
    m = np.random.default_rng(5).normal(size=(2, 3, 4, 5))
    v = np.random.default_rng(6).normal(size=(3, 5))
    np.testing.assert_allclose(f(m, v), np.einsum("abij,bj->abi", m, v))
    with pytest.raises(ValueError, match="inconsistent size for core dimension"):
        autovec.vectorize(lambda v: v[1:], signature="(n)->(n)")(v)


def rowsum(r):
    return r.sum()


by_row = autovec.vmap(rowsum)
by_column = autovec.vmap(rowsum, in_axes=1)
positive = autovec.vectorize(lambda v: max(v, 0.0))


@pytest.mark.parametrize(
    "f",
    [lambda m: by_row(m), lambda m: by_column(m), lambda m: positive(m[0]).sum(),
     lambda m: autovec.vmap(rowsum)(m), lambda m: positive(m[0, 0]) + 1],
)  # fmt: skip
def test_batched_functions_inside_of_others(f):
    m = np.arange(24.0).reshape(2, 3, 4) - 10
    got = quiet(f)(m)
    np.testing.assert_array_equal(got, np.stack([f(x) for x in m]))


def energy(x):
    total = 0.0
    for v in x:
        total += v * v
    return total


def test_jit_composes_in_any_order():
    want = (X * X).sum(1)
    for f in (autovec.vmap(autovec.jit(energy)), autovec.jit(autovec.vmap(energy))):
        np.testing.assert_allclose(f(X), want)
    np.testing.assert_allclose(autovec.jit(energy)(X[0]), want[0])
    assert autovec.jit(autovec.jit(energy)) is not None


def levels(f, **options):
    return autovec.vmap(autovec.vmap(f, (None, 0), **options), (0, None), **options)


def softened(x, y):
    e = np.exp(x - y.max())
    return e / e.sum(), x[0] * y, x, y.sum(), y[1:].T @ y[1:]


@pytest.mark.parametrize("chunk", [None, 1, 5])
@pytest.mark.parametrize("n", [3, 1, 0])
def test_levels_that_only_broadcast_repeat_nothing(n, chunk):
    batched = levels(softened, fallback="error", chunk_size=chunk)
    x, y = A[:n], B
    assert "the first 2 axes, which broadcast" in batched.emit(x, y)
    got = batched(x, y)
    shapes = [(n, len(B), *np.shape(part)) for part in softened(A[0], B[0])]
    assert [part.shape for part in got] == shapes and all(part.flags.writeable for part in got)
    for i, j in np.ndindex(n, len(B)):
        for part, want in zip(got, softened(x[i], y[j]), strict=True):
            np.testing.assert_allclose(part[i, j], want)


def test_levels_keep_one_product_of_a_shared_matrix():
    w = np.random.default_rng(5).normal(size=(A.shape[1], 2))
    batched = levels(lambda x, y: (x * y) @ w)
    assert "axis 0" in batched.emit(A, B)
    np.testing.assert_allclose(batched(A, B), np.array([[(a * b) @ w for b in B] for a in A]))


def test_an_error_in_levels_that_broadcast_names_the_lane():
    m = np.stack([np.eye(2), np.zeros((2, 2)), np.eye(2)])
    batched = levels(lambda x, m: np.linalg.inv(m)[0] * x)
    with pytest.raises(np.linalg.LinAlgError, match="Singular") as error:
        batched(np.ones((2, 2)), m)
    assert "lane 0, 1" in error.value.__notes__[0]
