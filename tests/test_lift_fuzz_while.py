"""A few random inner loops; ``python -m tests.lift_fuzz_while`` makes others."""

import pytest

from tests.lift_fuzz import failure
from tests.lift_fuzz_while import Maker


@pytest.mark.parametrize("seed", range(2000, 2020))
def test_a_random_inner_loop_means_the_same(seed):
    assert failure(seed, Maker) is None
