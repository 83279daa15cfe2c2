"""Loops over small dtypes: integers that clip, stores that narrow or raise, sums of one type."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lift_fuzz import failure
from tests.lift_fuzz_dtypes import Maker
from tests.lifting import agrees, loops

BYTES = np.array([0, 1, 7, 200, 254, 255], np.uint8)


def brighter(img, k):
    out = np.zeros_like(img)
    for i in range(len(img)):
        v = int(img[i]) + k
        if v > 255:
            v = 255
        out[i] = v
    return out


def stretched(img, k):
    for i in range(len(img)):
        img[i] = min(max(3 * int(img[i]) - k, 0), 255)


def quantised(x):
    out = np.zeros(len(x), dtype=np.int32)
    for i in range(len(x)):
        out[i] = x[i] * 10
    return out


def wrapped(x):
    out = np.zeros(len(x), dtype=np.uint8)
    for i in range(len(x)):
        out[i] = x[i]
    return out


def bins(x, low, width):
    counts = np.zeros(8, dtype=int)
    for v in x:
        if v >= low and v < low + 8 * width:
            counts[int((v - low) / width)] += 1
    return counts


def single(x):
    s = np.float32(0)
    for v in x:
        s += v
    return s


def double(x):
    s = np.float64(0)
    for v in x:
        s += v
    return s


def brightness(img):
    total = 0
    for v in img:
        total += int(v)
    return total


def two_sums(x):
    s = 0
    for v in x:
        if v > 100:
            s += v * 2
            s += v
    return s


@pytest.mark.parametrize("k", [0, 5, 300, -1, -300])
@pytest.mark.parametrize("f", [brighter, stretched])
def test_bytes_that_clip(f, k):
    agrees(f, BYTES, k)


def test_clipped_text():
    lifted = agrees(brighter, BYTES, 60)
    assert "np.minimum(v, 255)" in lifted.source
    assert "if 0 <= k:" in lifted.source


@pytest.mark.parametrize(
    "x",
    [[0.25, 9.99, -7.0], [1.0, np.nan, 2.0], [np.inf], [3e9, 1.0], [1e300], [-0.0, 255.5, 256.0]],
)
@pytest.mark.parametrize("f", [quantised, wrapped])
def test_floats_stored_into_integers(f, x):
    agrees(f, np.array(x))
    with np.errstate(over="ignore"):
        agrees(f, np.array(x, np.float32))


@pytest.mark.parametrize("dtype", ["int16", "uint16", "int32", "int64", "uint8", "int8"])
def test_integers_stored_into_bytes(dtype):
    agrees(wrapped, np.array([0, 100, 127]).astype(dtype))
    agrees(wrapped, np.array([-1, 300, 70000]).astype(dtype))


@pytest.mark.parametrize("x", [[0.0, 0.5, 3.9], [np.nan, 1.0], [-1.0, 8.0, 7.99], [np.inf, 2.0]])
def test_bins(x):
    agrees(bins, np.array(x), 0.0, 1.0)


@pytest.mark.parametrize("f", [single, double])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_type_of_an_accumulator(f, dtype):
    agrees(f, np.linspace(0, 1, 1000).astype(dtype), rtol=1e-5)


def test_a_wide_accumulator_adds_in_its_own_type():
    x = np.full(100_000, 0.1, np.float32)
    agrees(double, x, rtol=1e-9)


@pytest.mark.parametrize("f", [brightness, two_sums])
def test_sums_of_integers(f):
    agrees(f, BYTES)
    agrees(f, np.array([1, 2, 3]))
    agrees(f, np.array([1.5, 200.5]))


def test_no_loop_is_left():
    for f, args in [
        (brighter, (BYTES, 3)), (stretched, (BYTES.copy(), 3)), (bins, (np.arange(8.0), 0.0, 1.0)),
        (quantised, (np.arange(3.0),)), (single, (np.ones(3, np.float32),)), (brightness, (BYTES,)),
    ]:  # fmt: skip
        lifted = agrees(f, *args)
        assert loops(lifted) == 0, lifted.explain()


@pytest.mark.parametrize("seed", range(3000, 3040))
def test_a_random_loop_means_the_same(seed):
    assert failure(seed, Maker) is None
