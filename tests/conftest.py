"""Shared by all tests: warnings from a test's own loop are its business, seeds are fixed."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    """Seeded: a failure is the same everywhere."""
    return np.random.default_rng(0)
