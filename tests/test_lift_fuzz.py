"""A few random loop nests, each time the same; ``python -m tests.lift_fuzz`` makes others."""

import pytest

from tests.lift_fuzz import failure


@pytest.mark.parametrize("seed", range(1000, 1040))
def test_a_random_loop_means_the_same(seed):
    assert failure(seed) is None
