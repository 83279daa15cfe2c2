"""Programs of array samples that the fuzzer found to differ (letters: see arrays.py)."""

from __future__ import annotations

import numpy as np

from tests.programs.grid import program


@program("vs")
def an_index_of_arrays_on_some_lanes(x, a):
    if a > 0:
        return x
    return x[[0, 0, 1]]


@program("v")
def a_hidden_row_number_is_kept_in_an_inner_loop(x):
    b = np.zeros((3, 3))
    for j, e in enumerate(x):
        for _ in range(3):
            b[2 > np.zeros((3, 4, 3))[:, j]] = 1.0
            if e >= 0.5:
                break
    return b


@program("vs")
def a_store_that_nobody_reads(x, a):
    p = np.zeros((3, 3)) + x > 0
    c = 0
    while p.mean() > 0.5 and c < 3:
        c += 1
    b = np.ones((3, 3))
    b[p & (p >= x)] = a - 0.5
    if a < 2.0:
        b[-3, c % 2] -= np.ones((4, 4)).mean()
    return c


@program("Vs")
def what_varying_masks_keep_of_a_shared_array(u, a):
    some = u[u <= u.max() - abs(a)]
    return u[u <= a].sum(), u[u > a].prod(), len(some)


@program("Vs")
def what_a_shared_mask_keeps(u, a):
    return u[u > 0].sum() + a, u[u > -9.0].max(), a


@program("m")
def medians_of_whole_matrices(m):
    return np.median(m), np.median(m, axis=0), np.median(m, keepdims=True), m.argmax(keepdims=True)
