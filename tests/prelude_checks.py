"""What the tests of the prelude share: edge data, Python's answers, how to compare with them."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from autovec.ops import prelude

INT64 = range(-(2**63), 2**63)
INTS = [0, 1, -1, 2, -2, 3, 7, 10, 25, 35, -25, 62, 63, 64, 2**31, 2**32 + 1, 2**53, 2**53 + 1,
        3037000499, 3037000500, 2**62, -(2**62), 2**63 - 1, -(2**63), -(2**63) + 1]  # fmt: skip
FLOATS = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 2.675, 1.005, 1e-5, 5e-324, 1e22,
          1e300, -1e300, 2.0**52 + 0.5, 2.0**53, 2.0**63, -(2.0**63), 9.2e18,
          1.7976931348623157e308, math.inf, -math.inf, math.nan]  # fmt: skip

helper = prelude.function


def each(fn, *columns):
    """Python's answers, one a lane; an exception stands for itself."""
    out = []
    for args in zip(*[np.asarray(c).tolist() for c in columns], strict=True):
        try:
            out.append(fn(*args))
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            out.append(error)
    return out


def same(got, want):
    """Bit for bit, nan like nan, the sign of zero included."""
    got = np.asarray(got)
    want = np.asarray(want, dtype=got.dtype)
    assert got.shape == want.shape
    np.testing.assert_array_equal(got, want)
    if got.dtype.kind == "f":
        number = ~np.isnan(want)
        np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(want[number]))


def integer_helper(name, fn, *columns):
    """Good lanes together; every bad lane alone raises, as Python does or because int64 ends."""
    columns = [np.asarray(c) for c in columns]
    want = each(fn, *columns)
    good = [k for k, w in enumerate(want) if not isinstance(w, Exception) and w in INT64]
    assert good
    got = helper(name)(*[c[good] for c in columns])
    assert got.dtype == np.int64
    same(got, [want[k] for k in good])
    for k in sorted(set(range(len(want))) - set(good)):
        args = [c[k : k + 1] for c in columns]
        if isinstance(want[k], Exception):
            with pytest.raises(type(want[k]), match=re.escape(str(want[k]))):
                helper(name)(*args)
        else:
            with pytest.raises(OverflowError, match="result too large for int64"):
                helper(name)(*args)


def pairs(values, others=None):
    """All pairs of two lists, as two columns."""
    a, b = np.meshgrid(np.array(values), np.array(others or values))
    return a.ravel(), b.ravel()
