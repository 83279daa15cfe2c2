"""A few random nests over matrices; faults of the lifting that such nests show.

``python -m tests.lift_fuzz_nests`` makes others.
"""

import numpy as np
import pytest

from tests.lift_fuzz import failure
from tests.lift_fuzz_nests import Maker
from tests.lift_nest_faults import FAULTS
from tests.lifting import agrees

MATRIX = np.arange(16.0).reshape(4, 4) ** 2


@pytest.mark.parametrize("seed", [*range(8), 38, 80, 158, 197, 1124, 3046])
def test_a_random_nest_means_the_same(seed):
    assert failure(seed, Maker) is None


def symmetric(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = (a[i, j] + a[j, i]) / 2


def below(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            s += a[i, j]
    return s


def shifted(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += a[i - 1, j]
    return s


SHOWN_BY = dict(zip(FAULTS, [symmetric, below, shifted], strict=True))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault):
    agrees(SHOWN_BY[fault], MATRIX)
    with FAULTS[fault](), pytest.raises(AssertionError):
        agrees(SHOWN_BY[fault], MATRIX)
