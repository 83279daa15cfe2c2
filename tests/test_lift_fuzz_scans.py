"""A few random state machines and searches; ``python -m tests.lift_fuzz_scans`` makes others."""

import pytest

from tests.lift_fuzz import failure
from tests.lift_fuzz_scans import Maker


@pytest.mark.parametrize("seed", range(3000, 3020))
def test_a_random_scan_means_the_same(seed):
    assert failure(seed, Maker) is None
