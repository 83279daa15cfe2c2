"""Counters that start again, values that are held, and fills from the place before."""

import numpy as np
import pytest

from tests.lifting import FLOATS, INTS, SINGLE, SMALL, agrees, loops


def longest_run(x, t):
    best = 0
    run = 0
    for v in x:
        if v > t:
            run += 1
            if run > best:
                best = run
        else:
            run = 0
    return best


def streaks(x, t):
    out = np.zeros(len(x), dtype=int)
    run = 0
    for i in range(len(x)):
        if x[i] > t:
            run += 1
        else:
            run = 0
        out[i] = run
    return out, run


def equal_run(x, t):
    best = 1
    run = 1
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            run += 1
        else:
            run = 1
        if run > best:
            best = run
    return best


def longest_with_max(x, t):
    best = 0
    run = 0
    for v in x:
        run = run + 1 if v > t else 0
        best = max(best, run)
    return best, run


def from_three(x, t):
    out = []
    run = 3
    for v in x:
        if v > t:
            run = 1
        else:
            run += 1
        out.append(run)
    return out


def held(x, t):
    out = np.zeros(len(x))
    last = 0.0
    for i in range(len(x)):
        if not x[i] > t:
            last = x[i] * 2
        out[i] = last
    return out


def since(x, t):
    out = []
    last = -1
    for i, v in enumerate(x):
        if v > t:
            last = i
        out.append(i - last)
    return out


def added_then_reset(x, t):
    out = np.zeros(len(x))
    n = 0
    for i in range(len(x)):
        n += 1
        if x[i] > t:
            n = 0
        out[i] = n
    return out


def reset_then_added(x, t):
    out = np.zeros(len(x))
    n = 0
    for i in range(len(x)):
        if x[i] > t:
            n = 0
        n += 1
        out[i] = n
    return out


def longest_with_end(x, t):
    best = 0
    end = -1
    run = 0
    for i in range(len(x)):
        if x[i] > t:
            run += 1
        else:
            run = 0
        if run > best:
            best = run
            end = i
    return best, end


def increasing(x, t):
    best = 1
    run = 1
    for i in range(1, len(x)):
        if x[i] > x[i - 1]:
            run += 1
            best = max(best, run)
        else:
            run = 1
    return best


def last_hit(x, t):
    last = -1
    value = 0.5
    for i in range(1, len(x)):
        if x[i] > t:
            last = i
            value = 7.5
    return last, value


def filled(x, t):
    out = x.copy()
    for i in range(1, len(out)):
        if np.isnan(out[i]):
            out[i] = out[i - 1]
    return out


def filled_in_place(x, t):
    for i in range(2, len(x)):
        if x[i] > t:
            x[i] = x[i - 1]


def sample_and_hold(x, t):
    out = np.zeros_like(x)
    for i in range(1, len(x)):
        if x[i] > t:
            out[i] = x[i]
        else:
            out[i] = out[i - 1]
    return out


ALL = [
    longest_run, streaks, equal_run, longest_with_max, from_three, held, since, added_then_reset,
    reset_then_added, longest_with_end, increasing, last_hit, filled, filled_in_place,
    sample_and_hold,
]  # fmt: skip


@pytest.mark.parametrize("f", ALL)
@pytest.mark.parametrize("x", [*FLOATS, *INTS, *SMALL, *SINGLE], ids=repr)
def test_values(f, x):
    for t in (0.5, -3.0, 1e9, 2):
        agrees(f, x, t, rtol=1e-5 if x.dtype == np.float32 else 1e-9)


@pytest.mark.parametrize("f", ALL)
def test_they_are_lifted(f):
    x = np.array([1.0, 2.0, 2.0, -1.0, 3.0, np.nan, 4.0, 5.0, -2.0])
    assert loops(agrees(f, x, 0.5)) == 0


def test_flags_of_many_kinds():
    def runs(flags):
        run = best = 0
        for f in flags:
            if f:
                run += 1
                if run > best:
                    best = run
            else:
                run = 0
        return best

    rng = np.random.default_rng(1)
    for dtype in (bool, int, float, np.int8, np.float32):
        agrees(runs, (rng.random(30) < 0.7).astype(dtype))
        agrees(runs, (rng.random(30) < 0.7).astype(dtype).tolist())


def test_what_is_no_reset_of_this_kind():
    def read_before(x):
        out = np.zeros(len(x))
        run = 0
        for i in range(len(x)):
            out[i] = run
            if x[i] > 0:
                run += 1
            else:
                run = 0
        return out

    def test_of_its_own(x):
        out = np.zeros(len(x))
        run = 0
        for i in range(len(x)):
            if run < 2:
                run += 1
            else:
                run = 0
            out[i] = run + x[i]
        return out

    def before_branch(x):
        out = []
        run = 0
        for v in x:
            if v > 0:
                run += 1
            else:
                out.append(run)
                run = 0
        return out, run

    for f in (read_before, test_of_its_own, before_branch):
        for x in FLOATS:
            agrees(f, x)
