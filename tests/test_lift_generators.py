"""max and min over generators."""

import numpy as np
import pytest

from tests.lifting import FLOATS, INTS, SINGLE, SMALL, agrees, loops


def farthest(x, c):
    return max(abs(v - c) for v in x)


def nearest(x, c):
    low = min(abs(v - c) for v in x)
    return low * 2


def by_index(x, c):
    return max(x[i] * x[i] - c for i in range(len(x)))


def steps(x, c):
    return min(x[i + 1] - x[i] for i in range(len(x) - 1)) + c


def pairs(x, c):
    return max(a * b for a, b in zip(x, x[::-1], strict=True))


def both(x, c):
    y = x * 2
    return max(a + b for a, b in zip(x, y, strict=False)) - min(k * v for k, v in enumerate(x))


def some(x, c):
    return max(v for v in x if v > c)


def constant(x, c):
    return max(c for v in x)


@pytest.mark.parametrize("f", [farthest, nearest, by_index, steps, pairs, both, some, constant])
@pytest.mark.parametrize("x", [*FLOATS, *INTS, *SMALL, *SINGLE], ids=repr)
def test_values(f, x):
    for c in (0.5, 2):
        agrees(f, x, c, rtol=1e-5 if x.dtype == np.float32 else 1e-9)
        agrees(f, x.tolist(), c)


@pytest.mark.parametrize("f", [farthest, nearest, by_index])
def test_they_are_lifted(f):
    lifted = agrees(f, np.arange(5.0), 0.5)
    assert loops(lifted) == 0
    assert " for " not in lifted.source
