import numpy as np


def power_step(m, v):
    """Lanes that retire with the arrays they carry.

    Batched: m (axis 0).
    Shared: v.
    """
    n = len(m)
    steps_out = np.empty(n, int)
    v_out = np.empty((n, 3))
    steps = 0
    v2 = np.full((n, 3), v, float)
    k = np.arange(n)  # the lanes still running
    while k.size:
        if not steps < 50:
            break
        w = np.matvec(m[k], v2)
        w = w / np.sqrt(np.vecdot(w, w))[:, None]
        steps = steps + 1
        done = np.absolute(w - v2).max(axis=-1) < 1e-6
        if done.any():
            j = np.flatnonzero(done)
            k2 = k[j]
            steps_out[k2] = steps
            v_out[k2] = v2[j]
            keep = np.flatnonzero(~done)
            k, w = k[keep], w[keep]
        v2 = w
    steps_out[k] = steps
    v_out[k] = v2
    return v_out, steps_out
