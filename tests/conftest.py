"""Shared by all tests: warnings from a test's own loop are its business, seeds are fixed."""

from __future__ import annotations

import importlib.util
import textwrap

import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    """Seeded: a failure is the same everywhere."""
    return np.random.default_rng(0)


@pytest.fixture
def load(tmp_path):
    """Writes a module's text to a file and imports it."""

    def load(text, name="module"):
        file = tmp_path / f"{name}.py"
        file.write_text(textwrap.dedent(text), encoding="utf8")
        spec = importlib.util.spec_from_file_location(name, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load
