"""``explain`` says of each loop how it runs, and why."""

import re

import numpy as np

import autovec

X, N = np.array([1.0, 2.0]), np.array([2, 3])


def told(f, *args):
    text = autovec.vectorize(f, fallback="silent").explain(*args)
    lines = [line.strip() for line in text.splitlines()]
    kept = [b for a, b in zip(lines, lines[1:], strict=False) if re.search(r"\b(for|while)\b", a)]
    whole = [line for line in lines if "loop over samples" in line or "loops over samples" in line]
    return [line for line in kept if "->" in line] + whole


def test_uniform_and_retiring():
    def f(x, n):
        s = 0.0
        for _ in range(3):
            s += x
        for j in range(n):
            if s > 10:
                return j
            s += 1
        while s < 100:
            if s > 50:
                break
            s = s * 2 + 1
        return s

    assert told(f, X, N) == [
        "-> a loop over whole arrays (all lanes make the same trips)",
        "-> lanes leave the loop one by one"
        " (the number of trips differs between lanes, some lanes return)",
        "-> lanes leave the loop one by one (the test differs between lanes, some lanes break)",
        "nothing runs as a loop over samples",
    ]


def test_written_out_and_once_though_built_in_rounds():
    def f(x, n):
        s = 0
        for v in (x, n, 2.0):
            for k in range(2):
                s = s + v * k
        return s

    lines = told(f, X, N)
    assert lines[0] == "-> written out, 3 times (its items are handled one by one)"

    def g(x):
        s = 0
        for k in range(4):
            for _ in range(2):
                s = s + x * k
        return s

    assert len([line for line in told(g, X) if "->" in line]) == 2


def test_a_function_that_loops():
    def f(x):
        for _ in range(2):
            print(x)
        return x

    assert "the whole function loops over samples" in told(f, X)[0]
