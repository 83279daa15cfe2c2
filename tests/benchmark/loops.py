"""Loops that lanes leave one by one, against NumPy by hand that packs the lanes still running.

By hand: the best that a careful person writes, with an index of the lanes that run, arrays that
shrink with it, and results written out when a lane is done.  Where numba or jax is installed, the
same function compiled by it is timed beside.
"""

from __future__ import annotations

import functools
import importlib.util
import math
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

import autovec
from tests.benchmark.clock import in_turns, ratio

Call = Callable[[], object]


# ---------------------------------------------------------------- mandelbrot
def mandelbrot(cr, ci):
    zr = zi = 0.0
    n = 0
    while n < 200 and zr * zr + zi * zi <= 4.0:
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        n += 1
    return n


def mandelbrot_by_hand(cr, ci):
    count = np.empty(len(cr), int)
    k = np.arange(len(cr))
    zr, zi = np.zeros(len(cr)), np.zeros(len(cr))
    for n in range(200):
        inside = zr * zr + zi * zi <= 4.0
        if not inside.all():
            count[k[~inside]] = n
            keep = np.flatnonzero(inside)
            k, zr, zi, cr, ci = k[keep], zr[keep], zi[keep], cr[keep], ci[keep]
            if not k.size:
                break
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
    count[k] = 200
    return count


def mandelbrot_masked(cr, ci):
    """All lanes at every step."""
    zr, zi = np.zeros(len(cr)), np.zeros(len(cr))
    count = np.zeros(len(cr), int)
    live = np.ones(len(cr), bool)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(200):
            live &= zr * zr + zi * zi <= 4.0
            if not live.any():
                break
            new = zr * zr - zi * zi + cr
            zi = np.where(live, 2.0 * zr * zi + ci, zi)
            zr = np.where(live, new, zr)
            count += live
    return count


# ---------------------------------------------------------------- Kepler's equation
def kepler(mean, e):
    x = mean
    for _ in range(50):
        step = (x - e * math.sin(x) - mean) / (1.0 - e * math.cos(x))
        x -= step
        if abs(step) < 1e-12:
            break
    return x


def kepler_by_hand(mean, e):
    out = np.empty(len(mean))
    k, x = np.arange(len(mean)), mean
    for _ in range(50):
        step = (x - e * np.sin(x) - mean) / (1.0 - e * np.cos(x))
        x = x - step
        done = np.abs(step) < 1e-12
        if done.any():
            out[k[done]] = x[done]
            keep = np.flatnonzero(~done)
            k, x, mean, e = k[keep], x[keep], mean[keep], e[keep]
            if not k.size:
                return out
    out[k] = x
    return out


# ---------------------------------------------------------------- implied volatility
def implied_volatility(price, spot, strike, years):
    low, high = 1e-4, 4.0
    for _ in range(60):
        vol = 0.5 * (low + high)
        spread = vol * math.sqrt(years)
        d = math.log(spot / strike) / spread + 0.5 * spread
        value = 0.5 * spot * (1.0 + math.tanh(0.8 * d)) - 0.5 * strike * (
            1.0 + math.tanh(0.8 * (d - spread))
        )
        if abs(value - price) < 1e-8:
            break
        if value > price:
            high = vol
        else:
            low = vol
    return vol


def implied_volatility_by_hand(price, spot, strike, years):
    n = len(price)
    out, k = np.empty(n), np.arange(n)
    low, high = np.full(n, 1e-4), np.full(n, 4.0)
    root, log = np.sqrt(years), np.log(spot / strike)
    for _ in range(60):
        vol = 0.5 * (low + high)
        spread = vol * root
        d = log / spread + 0.5 * spread
        value = 0.5 * spot * (1.0 + np.tanh(0.8 * d)) - 0.5 * strike * (
            1.0 + np.tanh(0.8 * (d - spread))
        )
        done = np.abs(value - price) < 1e-8
        if done.any():
            out[k[done]] = vol[done]
            keep = np.flatnonzero(~done)
            k, low, high, vol, value = k[keep], low[keep], high[keep], vol[keep], value[keep]
            price, spot, strike, root, log = (
                a[keep] for a in (price, spot, strike, root, log)
            )
            if not k.size:
                return out
        above = value > price
        high, low = np.where(above, vol, high), np.where(above, low, vol)
    out[k] = vol
    return out


# ---------------------------------------------------------------- Collatz
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def collatz_by_hand(n):
    out, k, steps = np.empty(len(n), int), np.arange(len(n)), 0
    while True:
        going = n != 1
        if not going.all():
            out[k[~going]] = steps
            keep = np.flatnonzero(going)
            k, n = k[keep], n[keep]
            if not k.size:
                return out
        n = np.where(n % 2 == 0, n // 2, 3 * n + 1)
        steps += 1


# ---------------------------------------------------------------- bisection
def bisection(a, target):
    low, high = 0.0, a
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        if middle * middle * middle < target:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def bisection_by_hand(a, target):
    out, k = np.empty(len(a)), np.arange(len(a))
    low, high = np.zeros(len(a)), a
    while k.size:
        wide = high - low > 1e-9
        if not wide.all():
            done = np.flatnonzero(~wide)
            out[k[done]] = 0.5 * (low[done] + high[done])
            keep = np.flatnonzero(wide)
            k, low, high, target = k[keep], low[keep], high[keep], target[keep]
        middle = 0.5 * (low + high)
        below = middle * middle * middle < target
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return out


def arguments(name: str, n: int) -> tuple[np.ndarray, ...]:
    """The lanes of a program: some leave early, some late."""
    rng = np.random.default_rng(0)
    if name == "mandelbrot":
        return rng.uniform(-2.0, 0.6, n), rng.uniform(-1.2, 1.2, n)
    if name == "kepler":
        return rng.uniform(0, 2 * np.pi, n), rng.uniform(0, 0.95, n)
    if name == "implied_volatility":
        spot = rng.uniform(80, 120, n)
        return 0.1 * spot, spot, rng.uniform(90, 110, n), rng.uniform(0.1, 2, n)
    if name == "collatz":
        return (rng.integers(1, 10**6, n),)
    high = 10.0 ** rng.uniform(-3, 3, n)
    return high, (rng.uniform(0, 1, n) * high) ** 3


PROGRAMS = (mandelbrot, kepler, implied_volatility, collatz, bisection)


def others(f: Callable[..., Any], args: tuple[np.ndarray, ...]) -> dict[str, Call]:
    """The same function, compiled by what is installed."""
    found: dict[str, Call] = {}
    if importlib.util.find_spec("numba"):
        import numba  # type: ignore[import-not-found]

        compiled = numba.vectorize(f)
        compiled(*args)
        found["numba"] = functools.partial(compiled, *args)
    return found


def compare(n: int, rounds: int) -> None:
    """A line for each program."""
    print(f"\nloops that lanes leave one by one, n = {n}: milliseconds by hand, then ratios\n")
    for f in PROGRAMS:
        args = arguments(f.__name__, n)
        by_hand = globals()[f"{f.__name__}_by_hand"]
        batched = autovec.vectorize(f, fallback="error")
        np.testing.assert_allclose(batched(*args), by_hand(*args), rtol=1e-9)
        calls: dict[str, Call] = {
            "hand": functools.partial(by_hand, *args),
            "call": functools.partial(batched, *args),
            **others(f, args),
        }
        if f is mandelbrot:
            calls["full width"] = functools.partial(mandelbrot_masked, *args)
        taken = in_turns(calls, rounds)
        row = f"{f.__name__:20}{median(taken['hand']) * 1e3:9.1f}"
        for other in [k for k in calls if k != "hand"]:
            row += f"  {other} {ratio(taken[other], taken['hand']):.2f}x"
        print(row, flush=True)
