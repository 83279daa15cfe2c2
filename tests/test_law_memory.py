"""The law: inputs are never written, results share no memory with them or with each other."""

import itertools

import numpy as np
import pytest

import autovec
from tests.harness import check

X = np.array([1.0, -2.0, 3.0])
K = np.array([1, 0, -1])


def run(f, *args, **kw):
    return autovec.vectorize(f, fallback="error")(*args, **kw)


SHARING = [
    lambda x, k: x,
    lambda x, k: (x, x),
    lambda x, k: (x, {"a": x, "b": [k, k]}),
    lambda x, k: +x,
    lambda x, k: x if True else k,
    lambda x, k: float(x),
    lambda x, k: int(k),
    lambda x, k: x.real,
    lambda x, k: (lambda v: v)(x),
    lambda x, k: max(x, x),
    lambda x, k: (x, x + 1),
    lambda x, k: x or x,
    lambda x, k: abs(k),
    lambda x, k: round(k),
    lambda x, k: np.asarray(x),
    lambda x, k: [k, x, k][0],
]


def aliases(x, k):
    y = x
    z = y
    if k > 100:
        z = x
    return x, y, z


def returned_early(x, k):
    if k > 100:
        return x
    return x


def through_a_helper(x, k):
    def same(v):
        return v

    return same(x), same(same(x))


def through_a_loop(x, k):
    y = x
    for _ in range(2):
        y = y
    return y, x


def merged(x, k):
    y = x
    if k > 0:
        y = x / k
    return y, x


@pytest.mark.parametrize(
    "f", [*SHARING, aliases, returned_early, through_a_helper, through_a_loop, merged]
)
@pytest.mark.parametrize("how", ["flat", "outer", "vmap"])
def test_results_are_memory_of_their_own(f, how):
    x, k = X.copy(), K.copy()
    if how == "outer":
        x = x[:, None]
    if how == "vmap":
        got = autovec.vmap(f, fallback="error")(x, k)
    else:
        got = run(f, x, k)
    leaves = []

    def collect(value):
        if isinstance(value, np.ndarray):
            leaves.append(value)
        else:
            for v in value.values() if isinstance(value, dict) else value:
                collect(v)

    collect(got)
    for leaf in leaves:
        assert leaf.flags.writeable
        assert not np.may_share_memory(leaf, x) and not np.may_share_memory(leaf, k)
    for a, b in itertools.combinations(leaves, 2):
        assert not np.may_share_memory(a, b)


def rebinding(x, k):
    x += 1
    k *= 2
    if x > 1:
        x -= k
        k = x
    x /= 2
    return x, k


def test_inputs_are_not_written():
    x, k = X.copy(), K.copy()
    x.flags.writeable = k.flags.writeable = False
    run(rebinding, x, k)
    autovec.vmap(rebinding, fallback="error")(x, k)
    assert x.tolist() == X.tolist() and k.tolist() == K.tolist()
    check(rebinding, X.copy(), K.copy())


def test_inputs_of_every_layout():
    """Views, strides, byte order, Fortran order, subclasses: read as they are."""
    big = np.arange(24.0).reshape(4, 6)
    for view in (big[::2, 1::2], big.T, big[::-1], np.asfortranarray(big), big[:, :1]):
        kept = view.copy()
        got = run(lambda x: x / 2 if x > 3 else x + 1, view)
        want = np.where(kept > 3, kept / 2, kept + 1)
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(view, kept)
    swapped = big.astype(">f8")
    got = run(lambda x: 1 / x if x else 0.0, swapped)
    assert got.dtype == float and got[0, 1] == 1.0
    broadcast = np.broadcast_to(np.array([1.0, -1.0]), (3, 2))
    got = run(lambda x: 1 / x if x > 0 else x, broadcast)
    got[0, 0] = 9.0
    assert got[1, 0] == 1.0


def test_uniform_objects_are_not_written():
    table = [1.0, 2.0]
    settings = {"a": 1.0}

    def f(x):
        total = 0.0
        for r in table:
            total += r * x
        return total + settings["a"]

    run(f, X)
    assert table == [1.0, 2.0] and settings == {"a": 1.0}


def test_local_containers_are_local():
    def f(x):
        items = [1.0, 2.0]
        items[0] = x
        items.append(x)
        d = {"a": 1}
        d["a"] = x
        return sum(items) + d["a"]

    first = run(f, X)
    assert run(f, X).tolist() == first.tolist()
    check(f, X)


def test_default_containers_are_shared_as_in_python():
    def f(x, seen=[]):  # noqa: B006
        return x + len(seen)

    assert run(f, X).tolist() == X.tolist()
    f.__defaults__[0].append(1)
    assert run(f, X).tolist() == (X + 1).tolist()


def test_a_constant_result_is_a_fresh_array():
    g = autovec.vectorize(lambda x: 7.0, fallback="error")
    one, two = g(X), g(X)
    one[0] = 0.0
    assert two.tolist() == [7.0] * 3 and not np.may_share_memory(one, two)


def test_captured_arrays_are_not_results():
    """A 0-d or row array of the user's is never handed out as a result's memory."""
    scale = np.array(2.0)
    got = autovec.vectorize(lambda x: x * scale if x > 0 else scale, fallback="silent")(X)
    got[:] = 0
    assert scale == 2.0


def test_results_of_text_alone():
    from tests.oracle.standalone import load_text

    for f in (aliases, merged, through_a_helper):
        x, k = X.copy(), K.copy()
        alone = load_text(autovec.vectorize(f).emit(x, k), f.__name__)(x, k)
        for a, b in itertools.combinations([*alone, x, k], 2):
            assert not np.may_share_memory(np.asarray(a), np.asarray(b)) or (a is x and b is k)
