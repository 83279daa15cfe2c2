"""NumPy's functions and methods on array samples: each agrees with the loop over the samples."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import autovec
from autovec.run.stack import stack

RNG = np.random.default_rng(11)
N = 5
V = RNG.normal(size=(N, 3))
M = RNG.normal(size=(N, 3, 3)) + 3 * np.eye(3)
S = RNG.normal(size=N)
K = np.array([0, 1, 2, -1, -3])
C = RNG.normal(size=(N, 3)) + 1j * RNG.normal(size=(N, 3))
T = RNG.normal(size=(2, 3, 3))
U = RNG.normal(size=3)
W = RNG.normal(size=(3, 3))
TABLE = [1.0, 2.0, 4.0]

MADE = {
    "zeros": lambda v, m, s, k: np.zeros(3) + s,
    "zeros_of_a_shape": lambda v, m, s, k: np.zeros((2, 3), dtype=int) + v,
    "ones": lambda v, m, s, k: np.ones(3, float) * s,
    "full": lambda v, m, s, k: np.full((2, 2), 0.5) * s,
    "full_varying": lambda v, m, s, k: np.full(3, s) + v,
    "full_matrix_varying": lambda v, m, s, k: np.full((2, 3), s),
    "arange": lambda v, m, s, k: np.arange(1, 4) * v + np.arange(3, dtype=float),
    "linspace": lambda v, m, s, k: np.linspace(0.0, 1.0, 3) * v,
    "eye": lambda v, m, s, k: np.eye(3) @ v + np.identity(3)[0],
    "like": lambda v, m, s, k: (np.zeros_like(v), np.ones_like(m), np.full_like(v, 2.0)),
    "like_varying": lambda v, m, s, k: np.full_like(v, s),
    "like_dtype": lambda v, m, s, k: np.zeros_like(v, dtype=int),
    "array": lambda v, m, s, k: np.array([s, 1.0, k]),
    "array_of_arrays": lambda v, m, s, k: np.array([v, v * 2, m[0]]),
    "array_dtype": lambda v, m, s, k: np.array([s, 2.0], dtype=complex),
    "array_nested": lambda v, m, s, k: np.array([[s, 0.0], [1.0, s]]) @ np.array([1.0, s]),
    "array_of_a_table": lambda v, m, s, k: np.array(TABLE) * v,
    "asarray": lambda v, m, s, k: np.asarray(v) + np.asarray(TABLE),
    "asarray_dtype": lambda v, m, s, k: np.asarray(v, dtype=complex),
    "copies": lambda v, m, s, k: (v.copy(), np.copy(m), np.array(v)),
    "astype": lambda v, m, s, k: (v.astype(np.float32), v.astype(complex), (v > 0).astype(int)),
}
SHAPED = {
    "reshape": lambda v, m, s, k: (m.reshape(9), np.reshape(m, (1, 9)), m.reshape((3, -1))),
    "ravel": lambda v, m, s, k: (m.ravel(), np.ravel(m), m.flatten(), v.ravel(), v.flatten()),
    "transpose": lambda v, m, s, k: (m.T, np.transpose(m), m.transpose(1, 0), v.T, m.mT),
    "transpose_axes": lambda v, m, s, k: np.transpose(m[None] * T, (2, 0, 1)),
    "swapaxes": lambda v, m, s, k: (np.swapaxes(m, 0, 1), m.swapaxes(-1, 0)),
    "axes": lambda v, m, s, k: (np.expand_dims(v, 0), np.squeeze(m[:1]), m[None].squeeze(0)),
    "squeezed_nothing": lambda v, m, s, k: np.squeeze(m),
    "flip": lambda v, m, s, k: (np.flip(v), np.flip(m, 0), np.flip(m)),
    "roll": lambda v, m, s, k: (np.roll(v, 1), np.roll(m, 1, axis=0), np.diff(v), np.diff(m, 1, 0)),
    "triangles": lambda v, m, s, k: (np.tril(m), np.triu(m, 1)),
    "joined": lambda v, m, s, k: (
        np.concatenate([m, m[:1]]), np.concatenate([m, m], axis=1), np.stack([v, v], axis=-1),
        np.hstack([m, m]), np.vstack([v, U]), np.column_stack([v, U]), np.vstack([m, m]),
        np.column_stack([m, m]), np.concatenate([v, U]),
    ),
    "attributes": lambda v, m, s, k: (
        m.shape[0] + s, m.size * s, m.ndim * s, v.size + s, len(m) * s,
    ),
    "diagonals": lambda v, m, s, k: (np.diag(m), np.diag(m, 1), np.diag(v), np.trace(m), m.trace()),
}  # fmt: skip
MULTIPLIED = {
    "vectors": lambda v, m, s, k: (
        v @ v, v @ U, U @ v, np.dot(v, U), np.inner(v, v), np.vdot(v, U),
    ),
    "matrices": lambda v, m, s, k: (m @ v, m @ U, W @ v, v @ m, v @ W, U @ m, m @ m, W @ m, m @ W),
    "stacks": lambda v, m, s, k: ((T * s) @ m, (T * s) @ U, (T * s) @ v, v @ (T * s), T @ m),
    "methods": lambda v, m, s, k: (m.dot(v), np.matmul(m, m), np.vecdot(v, v)),
    "outer": lambda v, m, s, k: (np.outer(v, v), np.outer(v, U), np.outer(U, v)),
    "cross": lambda v, m, s, k: (np.cross(v, U), np.cross(v, v + 1)),
    "einsum": lambda v, m, s, k: (np.einsum("ij,j->i", m, v), np.einsum("i,i", v, U)),
    "linalg": lambda v, m, s, k: (
        np.linalg.inv(m), np.linalg.det(m), np.linalg.solve(m, v), np.linalg.solve(m, m),
        np.linalg.norm(v), np.linalg.norm(m), np.linalg.norm(m, axis=1), np.linalg.norm(v, 1),
        np.linalg.norm(v, 3), np.linalg.norm(m, axis=0, keepdims=True),
    ),
    "pairs": lambda v, m, s, k: np.linalg.slogdet(m)[1] + np.linalg.eigvalsh(m + m.T)[0],
    "interp": lambda v, m, s, k: np.interp(v, [0.0, 1.0, 2.0], TABLE),
}  # fmt: skip
REDUCED = {
    "sums": lambda v, m, s, k: (m.sum(), m.sum(0), m.sum(axis=(0, 1)), np.sum(m, 1, keepdims=True)),
    "spreads": lambda v, m, s, k: (m.std(), m.var(ddof=1), np.std(m, axis=0), np.mean(m, axis=-1)),
    "extremes": lambda v, m, s, k: (
        m.max(), m.min(0), np.ptp(v), np.argmax(m), np.argmin(m, axis=0),
    ),
    "nans": lambda v, m, s, k: (np.nansum(v), np.nanmax(m, axis=0), np.nanmean(v), np.nanargmin(v)),
    "orders": lambda v, m, s, k: (np.sort(m), np.argsort(v), np.median(m), np.median(m, axis=0)),
    "scans": lambda v, m, s, k: (np.cumsum(m), np.cumprod(m, axis=0), v.cumsum()),
    "tests": lambda v, m, s, k: ((m > 0).any(), (m > 0).all(axis=0), np.count_nonzero(m > 0)),
    "dtypes": lambda v, m, s, k: (m.sum(dtype=np.float32), (v > 0).sum(), np.prod(v)),
    "methods": lambda v, m, s, k: (v.clip(-1, 1), v.round(1), v.conj(), np.where(v > 0, v, s)),
    "builtins": lambda v, m, s, k: (sum(v), max(v), min(v), any(v > 0), all(v > 0), sum(m), abs(v)),
    "integers": lambda v, m, s, k: (max((v * 3).astype(int)), min((v * 3).astype(int))),
}  # fmt: skip
PICKED = {
    "items": lambda v, m, s, k: (v[0], v[-1], v[k], m[k], m[0, 1], m[k, 1], m[1][2], m[k][0]),
    "slices": lambda v, m, s, k: (v[1:], v[::-1], m[1:, :2], m[:, 0], m[..., 1], v[None], m[:, k]),
    "lists": lambda v, m, s, k: (v[[0, 2]], m[[0, 1]], m[:, [0, 2]], U[[1, 2]] * s),
    "tables": lambda v, m, s, k: (W[k], W[k, 0], W[:, k], W[0, k], T[0, :, k], T[:, k]),
}
LARGER = {
    "tile": lambda v, m, s, k: (
        np.tile(v, 2), np.tile(v, (2, 1)), np.tile(m, (2, 1, 2)), np.tile(m, 2),
        np.tile(v, (2, 2, 2)),
    ),
    "pad": lambda v, m, s, k: (
        np.pad(v, 1), np.pad(v, (1, 2)), np.pad(m, ((1, 0), (0, 2)), constant_values=5),
        np.pad(m, 1, "edge"), np.pad(v, 2, mode="reflect"), np.pad(v, (0, 2), "symmetric"),
        np.pad(m, ((0, 0), (2, 1)), "wrap"), np.pad(v > 0, 1),
    ),
    "broadcast_to": lambda v, m, s, k: (
        np.broadcast_to(v, (2, 3)), np.broadcast_to(s, 3), np.broadcast_to(k, (2, 2)),
        np.broadcast_to(U, (2, 3)) * s, np.broadcast_to(m, (2, 3, 3)),
    ),
    "repeat": lambda v, m, s, k: (
        np.repeat(v, 2), np.repeat(m, 2), np.repeat(m, 2, axis=0), np.repeat(m, 3, axis=-1),
    ),
}  # fmt: skip
LISTED = {
    "reduced": lambda v, m, s, k: (
        np.sum([s, k]), np.prod([s, k, 2.0]), np.mean((s, k, 1)), np.std([s, k]), np.max([k, 1]),
        np.min([s, k]), np.any([s > 0, k > 0]), np.ptp([s, k]), np.argmax([s, k, 0.5]),
        np.median([s, k, 1.0]), np.sum([k, True]), np.sum([[s, k], [k, s]], axis=0),
    ),
    "ordered": lambda v, m, s, k: (
        np.cumsum([s, k]), np.sort([s, k, 0.0]), np.argsort([s, k]), np.diff([s, k, 1]),
        np.stack([s, k]), np.hstack([s, k]), np.tile([s, k], 2), np.flip([s, k]),
    ),
    "multiplied": lambda v, m, s, k: (
        np.linalg.norm([s, k]), np.dot([s, k], [k, 1.0]), np.outer([s, k], v),
        np.cross([s, k, 1.0], v),
    ),
}  # fmt: skip
GROUPS = {"larger": LARGER, "listed": LISTED,
          "made": MADE, "shaped": SHAPED, "multiplied": MULTIPLIED, "reduced": REDUCED,
          "picked": PICKED}  # fmt: skip
CASES = [
    pytest.param(f, id=f"{group}-{name}") for group, fs in GROUPS.items() for name, f in fs.items()
]


def same(got, want):
    if isinstance(want, tuple):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            same(g, w)
        return
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got, want, rtol=1e-6 if got.dtype == np.float32 else 1e-9)


def loop(f, n):
    return stack([f(V[i], M[i], float(S[i]), int(K[i])) for i in range(n)])


@pytest.mark.parametrize("n", [N, 1])
@pytest.mark.parametrize("f", CASES)
def test_agrees_with_the_loop(f, n):
    got = autovec.vmap(f, fallback="error")(V[:n], M[:n], S[:n], K[:n])
    same(got, loop(f, n))


def test_complex_products():
    f = autovec.vmap(lambda c: (c @ c, c.real + c.imag, np.conj(c), abs(c)), fallback="error")
    same(f(C), stack([(c @ c, c.real + c.imag, np.conj(c), abs(c)) for c in C]))


LOOPED = {
    "tuple_axis_of_argmax": lambda v, m, s, k: m[0].argmax(keepdims=True).sum(),
    "tolist": lambda v, m, s, k: sum(v.tolist()),
    "unknown_size": lambda v, m, s, k: np.zeros(abs(k) + 1).sum(),
    "unknown_slice": lambda v, m, s, k: v[: abs(k)].sum(),
    "fft": lambda v, m, s, k: np.fft.fft(v),
    "padded_by_a_function_of_the_samples": lambda v, m, s, k: np.pad(v, 1, "mean"),
    "where_there_are_some": lambda v, m, s, k: np.nonzero(v > 0)[0].sum(),
    "roll_of_all": lambda v, m, s, k: np.roll(m, 1),
    "fancy_store": lambda v, m, s, k: stored(v, [0, 0], s),
    "store_of_another_dtype": lambda v, m, s, k: stored(np.zeros(3, int), 0, s),
    "store_behind_a_slice": lambda v, m, s, k: stored(m, (slice(0, 2), k), s),
    "larger_update": lambda v, m, s, k: (v * 1.0 + m).sum(),
    "dot_of_stacks": lambda v, m, s, k: np.dot(T * s, m),
    "kept_sorted": lambda v, m, s, k: np.sort(v[v > -9]),
    "arrays_in_two_axes": lambda v, m, s, k: m[[0, 1], [1, 2]],
    "full_with_a_dtype": lambda v, m, s, k: np.full(3, s, dtype=np.float32),
    "full_of_a_vector": lambda v, m, s, k: np.full((2, 3), v),
    "array_without_axes": lambda v, m, s, k: np.array(s) + v,
    "array_with_order": lambda v, m, s, k: np.array(v, order="C"),
    "like_a_number": lambda v, m, s, k: np.zeros_like(s) + v,
    "sum_where": lambda v, m, s, k: v.sum(where=v > 0),
    "sum_from": lambda v, m, s, k: np.sum(v, initial=2.0),
    "mask_of_another_shape": lambda v, m, s, k: m[v > -9].sum(),
    "new_axis_at_a_position": lambda v, m, s, k: W[None, k],
    "positions_over_ellipsis": lambda v, m, s, k: W[..., k],
    "outer_of_matrices": lambda v, m, s, k: np.outer(m, v),
    "vector_and_stack": lambda v, m, s, k: v @ T,
    "stack_and_vector": lambda v, m, s, k: T @ v,
    "ellipsis_in_einsum": lambda v, m, s, k: np.einsum("...i,i", m, v),
    "norm_by_name": lambda v, m, s, k: np.linalg.norm(m, "fro"),
    "norm_of_infinity": lambda v, m, s, k: np.linalg.norm(v, np.inf),
    "trace_offset": lambda v, m, s, k: np.trace(m, 1),
    "diagonal_matrix_offset": lambda v, m, s, k: np.diag(v, 1),
    "triangle_of_a_vector": lambda v, m, s, k: np.tril(v),
    "joined_axis_none": lambda v, m, s, k: np.concatenate([m, m], axis=None),
    "transpose_by_position": lambda v, m, s, k: m.transpose((1, 0)),
    "interp_over_a_sample": lambda v, m, s, k: np.interp(s, [0.0, 1.0, 2.0], v),
    "exotic_attribute": lambda v, m, s, k: v * v.itemsize,
    "ordinary_functions": lambda v, m, s, k: sorted(v)[0],
    "fancy_update": lambda v, m, s, k: updated(v, [0, 1], s),
    "masked_store_of_a_vector": lambda v, m, s, k: stored(v, v > 0, v[v > 0]),
    "masked_store_of_rows": lambda v, m, s, k: stored(m, v > 0, s),
    "store_of_a_vector": lambda v, m, s, k: stored(m, 1, v),
    "store_of_a_slice": lambda v, m, s, k: stored(m, (slice(None), 1), v),
    "narrow_store": lambda v, m, s, k: stored(v.astype(np.float32), 0, s),
    "larger_in_place": lambda v, m, s, k: in_place(m.copy(), v),
    "narrow_in_place": lambda v, m, s, k: in_place(v.astype(np.float32), s),
    "sizes_of_samples": lambda v, m, s, k: (np.zeros(len(v)), np.zeros(v.shape), np.arange(len(v))),
    "table_as_integers": lambda v, m, s, k: np.array(TABLE, dtype=int) * k,
    "positions_behind_a_slice": lambda v, m, s, k: m[:, [k, 0]],
}


def stored(array, index, value):
    out = array.copy()
    out[index] = value
    return out


def updated(array, index, value):
    out = array.copy()
    out[index] += value
    return out


def in_place(array, value):
    array += value
    return array


@pytest.mark.parametrize("f", LOOPED.values(), ids=list(LOOPED))
def test_the_rest_agrees_too(f):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        same(autovec.vmap(f)(V, M, S, K), loop(f, N))


@pytest.mark.parametrize(
    "f",
    [
        lambda v, m, s, k: v + np.ones(4),
        lambda v, m, s, k: v @ np.ones(4),
        lambda v, m, s, k: v.reshape(2, 2),
        lambda v, m, s, k: np.concatenate([v, m]),
        lambda v, m, s, k: v[7],
        lambda v, m, s, k: v.sum(axis=3),
        lambda v, m, s, k: 1.0 if v else 0.0,
        lambda v, m, s, k: v.nothing(),
        lambda v, m, s, k: v.argmax(axis=(0, 1)),
        lambda v, m, s, k: np.sum(v, 0, float, None, False, 0.0, True, 1),
        lambda v, m, s, k: v.sum(axis=0.5),
        lambda v, m, s, k: v.astype("nothing"),
        lambda v, m, s, k: np.zeros(-1),
        lambda v, m, s, k: v[0.5],
        lambda v, m, s, k: 2.0 @ v,
        lambda v, m, s, k: np.stack([v, m]),
        lambda v, m, s, k: stored(v, 0, v),
        lambda v, m, s, k: stored(v, slice(0, 2), v),
        lambda v, m, s, k: in_place(v.copy(), m),
        lambda v, m, s, k: max(m),
        lambda v, m, s, k: np.linalg.inv(v),
        lambda v, m, s, k: np.einsum("ij", v),
    ],
)
def test_errors_are_the_samples_own(f):
    with pytest.raises(Exception) as want:
        f(V[0], M[0], float(S[0]), int(K[0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        with pytest.raises(type(want.value)) as got:
            autovec.vmap(f)(V, M, S, K)
    assert str(got.value) == str(want.value)


LISTS = {
    "sum": lambda a, b: np.sum([a, b, 1]),
    "largest_of_one": lambda a, b: np.max([b, 2.0]),
    "vector": lambda a, b: np.sort([a, b]),
    "stack": lambda a, b: np.stack([a, b * 2]),
    "filled": lambda a, b: np.full(2, a),
    "through_a_helper": lambda a, b: larger(a, b),
}


def larger(a, b):
    return np.max([b, 2.0])


@pytest.mark.parametrize("f", LISTS.values(), ids=LISTS)
def test_lists_of_scalars_that_broadcast(f):
    a, b = RNG.normal(size=(4, 1)), RNG.normal(size=3)
    batched = autovec.vectorize(f, fallback="error")
    want = np.array([[f(x, y) for y in b.tolist()] for x in a.ravel().tolist()])
    np.testing.assert_allclose(batched(a, b), want)
    world = {}
    exec(batched.emit(a, b), world)
    (text,) = [v for k, v in world.items() if k in ("batched", f.__name__)]
    np.testing.assert_allclose(text(a, b), want)


def test_a_broadcast_view_is_not_stored_into():
    def f(x):
        y = np.broadcast_to(x, (2, 3))
        y[0, 0] = 1.0
        return y

    with warnings.catch_warnings(), pytest.raises(ValueError, match="read-only"):
        warnings.simplefilter("ignore", autovec.FallbackWarning)
        autovec.vmap(f)(V)


@pytest.mark.parametrize("name", ["nonzero", "argwhere", "flatnonzero", "unique"])
def test_what_depends_on_the_data_for_its_length_says_so(name):
    function = getattr(np, name)
    with pytest.raises(autovec.FallbackError, match="how many elements it gives depends"):
        autovec.vmap(lambda x: function(x), fallback="error")(V)


SHARED_INTS = {
    "ends": lambda x, n: (x[:n], x[n:], x[-n:].sum()),
    "computed": lambda x, n: x[n - 1 : 2 * n - 1],
    "steps": lambda x, n: x[::n],
    "rows": lambda x, n: np.outer(x, x)[:n, n:],
    "sizes": lambda x, n: (np.zeros(n), np.full((n, 2), x[0]), np.arange(n + 1) * x[1]),
}


def of_size(x, n):
    out = np.zeros(n + 1)
    out[1:] = x[:n]
    return out


SHARED_INTS["buffer"] = of_size


@pytest.mark.parametrize("f", SHARED_INTS.values(), ids=SHARED_INTS)
def test_a_shared_int_may_say_how_long_a_sample_is(f):
    batched = autovec.vmap(f, (0, None), fallback="error")
    x = RNG.normal(size=(4, 5))
    for n in (2, 3, np.int64(1), 2):
        same(batched(x, n), stack([f(row, n) for row in x]))
    assert batched.cache_info().hits >= 1


def test_an_int_of_the_module_may_say_how_long_a_sample_is(monkeypatch):
    batched = autovec.vmap(lambda x: x[:COUNT], fallback="error")
    x = RNG.normal(size=(4, 5))
    assert batched(x).shape == (4, 2)
    monkeypatch.setitem(globals(), "COUNT", 3)
    assert batched(x).shape == (4, 3)


COUNT = 2


def test_an_int_that_a_loop_changes_has_no_one_value():
    def f(x, n):
        total = 0.0
        for i in range(n):
            total += x[i:].sum()
        return total

    with pytest.raises(autovec.FallbackError, match="bounds that are not known"):
        autovec.vmap(f, (0, None), fallback="error")(V, 2)
