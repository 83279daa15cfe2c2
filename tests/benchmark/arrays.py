"""Functions of array samples against batched NumPy by hand.

    python -m tests.benchmark.arrays
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

import autovec
from tests.benchmark.clock import in_turns, keep_memory, ratio

ROUNDS = 21


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def softmax_by_hand(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def forward(w1, b1, w2, b2, x):
    return w2 @ np.tanh(w1 @ x + b1) + b2


def forward_by_hand(w1, b1, w2, b2, x):
    return np.tanh(x @ w1.T + b1) @ w2.T + b2


def kernel(x, y):
    d = x - y
    return np.exp(-0.5 * (d @ d))


def kernel_by_hand(x, y):
    d = x[:, None] - y
    return np.exp(-0.5 * np.vecdot(d, d))


def normalise(x):
    return (x - x.mean()) / x.std()


def normalise_by_hand(x):
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)


def cases() -> dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]]:
    """Each function vmapped, by hand, and its arguments."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(20_000, 64))
    layers = rng.normal(size=(64, 64)), np.zeros(64), rng.normal(size=(10, 64)), np.ones(10)
    few, many = rng.normal(size=(300, 16)), rng.normal(size=(400, 16))
    pairs = autovec.vmap(autovec.vmap(kernel, in_axes=(None, 0)), in_axes=(0, None))
    shared = autovec.vmap(forward, in_axes=(None, None, None, None, 0))
    return {
        "softmax": (autovec.vmap(softmax), softmax_by_hand, (rows,)),
        "MLP forward": (shared, forward_by_hand, (*layers, rows)),
        "pairwise kernel": (pairs, kernel_by_hand, (few, many)),
        "normalise": (autovec.vmap(normalise), normalise_by_hand, (rows,)),
    }


def main() -> None:
    """A line for each: milliseconds by hand, then how many times as long."""
    keep_memory()
    print(f"{'':17}{'hand':>12}{'vmap':>9}   (target 1.05x)")
    for name, (batched, by_hand, arguments) in cases().items():
        np.testing.assert_allclose(batched(*arguments), by_hand(*arguments), rtol=1e-9)
        calls = {
            "hand": functools.partial(by_hand, *arguments),
            "vmap": functools.partial(batched, *arguments),
        }
        taken = in_turns(calls, ROUNDS)
        usual = median(taken["hand"]) * 1e3
        print(f"{name:17}{usual:9.2f} ms{ratio(taken['vmap'], taken['hand']):8.2f}x", flush=True)


if __name__ == "__main__":
    main()
