"""Functions of array samples whose emitted text is kept and reviewed."""

from __future__ import annotations

import numpy as np


def softmax(x):
    """A reduction beside its own operand."""
    e = np.exp(x - x.max())
    return e / e.sum()


def perceptron(x, hidden, bias, out):
    """Products with shared matrices."""
    h = np.maximum(hidden @ x + bias, 0.0)
    return out @ h


def standardised(x):
    """A branch on a reduction, packed."""
    spread = x.std()
    if spread == 0:
        return x * 0
    return (x - x.mean()) / spread


def one_hot(k, weight):
    """A store at an index that differs between samples, and one under a condition."""
    out = np.zeros(4)
    out[k] = weight
    if weight > 1:
        out[0] += 1.0
    return out


def smoothed(x, rounds):
    """A loop over elements, stores into an array of its own."""
    y = np.abs(x)
    for _ in range(rounds):
        for i in range(1, len(x) - 1):
            y[i] = (y[i - 1] + 2 * y[i] + y[i + 1]) / 4
    return y


def power_step(m, v):
    """Lanes that retire with the arrays they carry."""
    steps = 0
    while steps < 50:
        w = m @ v
        w = w / np.sqrt(w @ w)
        steps += 1
        if np.abs(w - v).max() < 1e-6:
            break
        v = w
    return v, steps


def signed_area(points):
    """A loop over the rows of a matrix."""
    total = 0.0
    previous = points[-1]
    for p in points:
        total += previous[0] * p[1] - p[0] * previous[1]
        previous = p
    return total / 2
