"""Random draws in loops: the array has the numbers that the turns would have drawn."""

import math

import numpy as np
import pytest

from tests.lifting import agrees, loops


def monte_carlo(seed, n):
    rng = np.random.default_rng(seed)
    inside = 0
    for _ in range(n):
        x = rng.random()
        y = rng.random()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / n, rng.random()


def walk_ends(seed, n):
    rng = np.random.default_rng(seed)
    out = np.zeros(n)
    for i in range(n):
        s = 100.0
        for _ in range(4):
            s *= math.exp(0.01 + 0.2 * math.sqrt(0.25) * rng.standard_normal())
        out[i] = s
    return out, rng.standard_normal()


def normals(seed, n):
    rng = np.random.default_rng(seed)
    total = 0.0
    for _ in range(n):
        total += rng.normal(1.0, 2.0) * rng.normal(1.0, 2.0)
    return total, rng.random()


def uniforms(seed, n):
    rng = np.random.default_rng(seed)
    out = []
    for i in range(n):
        out.append(rng.uniform(-1.0, 1.0) + i)
    return np.array(out), rng.random()


def exponentials(seed, n):
    rng = np.random.default_rng(seed)
    out = np.zeros(n)
    for i in range(n - 1, -1, -1):
        out[i] = rng.standard_exponential()
    return out, rng.random()


def under_a_condition(seed, n):
    rng = np.random.default_rng(seed)
    total = 0.0
    for i in range(n):
        if i % 3 == 0:
            total += rng.random()
    return total, rng.random()


def of_two_kinds(seed, n):
    rng = np.random.default_rng(seed)
    total = 0.0
    for _ in range(n):
        total += rng.random() * rng.standard_normal()
    return total, rng.random()


def of_two_loops(seed, n):
    rng = np.random.default_rng(seed)
    out = np.zeros(n)
    for i in range(n):
        out[i] = rng.random()
        for _ in range(3):
            out[i] += rng.random()
    return out, rng.random()


def until(seed, n):
    rng = np.random.default_rng(seed)
    k = 0
    for k in range(n):
        if rng.random() > 0.9:
            break
    return k, rng.random()


def chosen(seed, n):
    rng = np.random.default_rng(seed)
    out = np.zeros(n)
    for i in range(n):
        out[i] = rng.random() if i % 2 == 0 else 0.5
    return out, rng.random()


def under_two_names(seed, n):
    rng = np.random.default_rng(seed)
    other = rng
    out = np.zeros(n)
    for i in range(n):
        out[i] = rng.random() - other.random()
    return out, rng.random()


def integers(seed, n):
    rng = np.random.default_rng(seed)
    out = np.zeros(n, dtype=int)
    for i in range(n):
        out[i] = rng.integers(0, 10)
    return out, rng.random()


def generator(seed, n):
    rng = np.random.default_rng(seed)
    return sum(rng.random() for _ in range(n)), rng.random()


LIFTED = [monte_carlo, walk_ends, normals, uniforms, exponentials]
LEFT = [
    under_a_condition, of_two_kinds, of_two_loops, until, chosen, under_two_names, integers,
    generator,
]  # fmt: skip


@pytest.mark.parametrize("f", [*LIFTED, *LEFT])
@pytest.mark.parametrize("n", [0, 1, 2, 57, -1])
def test_the_stream_is_the_same(f, n):
    lifted = agrees(f, 5, n)
    if f in LIFTED:
        assert loops(lifted) == 0


@pytest.mark.parametrize("method", ["random", "standard_normal", "standard_exponential"])
def test_numpy_draws_arrays_as_single_numbers(method):
    one, many = np.random.default_rng(3), np.random.default_rng(3)
    single = [getattr(one, method)() for _ in range(1000)]
    assert getattr(many, method)((500, 2)).ravel().tolist() == single
    assert one.random() == many.random()


@pytest.mark.parametrize("method", ["normal", "uniform"])
def test_numpy_draws_arrays_as_single_numbers_between_ends(method):
    one, many = np.random.default_rng(3), np.random.default_rng(3)
    single = [getattr(one, method)(-0.3, 2.7) for _ in range(1000)]
    assert getattr(many, method)(-0.3, 2.7, size=(250, 4)).ravel().tolist() == single
    assert one.random() == many.random()
