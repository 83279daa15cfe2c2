"""Programs whose samples are arrays.

A letter a parameter: v a vector of 3 floats, w the same in float32, k 4 ints, b 3 bools, m a
matrix, s a float, i an index; capitals are uniform.
"""

from __future__ import annotations

import numpy as np

from tests.programs.grid import program


@program("s")
def st_else(a):
    out = np.ones(3)
    if a > 0:
        out[0] = a
    else:
        out[1] = -a
        out[2] += a
    return out


@program("vi")
def st_var(x, i):
    y = x.copy()
    y[i] = 9.0
    y[i] += 1
    return y


@program("v")
def masked(x):
    y = x.copy()
    y[y < 0] = 0.0
    return y, y.sum()


@program("v")
def maskvar(x):
    y = x.copy()
    y[x < 0] = x.max()
    return y


@program("s")
def alias(a):
    p = np.zeros(2)
    q = p
    p[0] = a
    return p + q


@program("s")
def two(a):
    p = np.zeros(2)
    q = np.zeros(2)
    p[0] = a
    q[1] = a * 2
    return p, q, p @ q


@program("v")
def oldread(x):
    y = x * 2
    a = y[0]
    y[0] = 5.0
    return a + y[0] + y[1]


@program("v")
def inloop(x):
    y = x * 1.0
    for i in range(3):
        a = y[0]
        y[0] = y[i] * 2
        y[i] = a
    return y


@program("v")
def loopbranch(x):
    y = np.zeros(3)
    for i in range(3):
        if x[i] > 0:
            y[i] = x[i]
        else:
            y[0] += 1
    return y


@program("v")
def retire(x):
    y = x * 1.0
    c = 0
    while y.max() > 0.1:
        y[np.argmax(y)] /= 2
        c += 1
    return y, c


@program("v")
def whilebreak(x):
    y = np.abs(x)
    for t in range(20):
        y = y * 0.7
        if y.sum() < 0.5:
            break
    return y


@program("v")
def mixed_ret(x):
    if x[0] > 0.5:
        return x
    if x[1] > 0:
        return np.zeros(3)
    return x / x.sum()


@program("vV")
def uni(x, t):
    return (t @ x).max()


@program("w")
def f32(x):
    return x * 2 + 1.5, x.sum(), x.mean(), x.astype(float).sum(), np.array([x[0], 1.0])


@program("k")
def ints(k):
    return (
        k // 2,
        k % 3,
        k.sum(),
        k / 2,
        k.mean(),
        (k > 0).sum(),
        k.max(),
        np.argmin(k),
        k.prod(),
        k**2,
        -k,
        abs(k),
    )


@program("b")
def bools(b):
    return b.sum(), b.any(), b.all(), ~b, b & (b.sum() > 1), b.mean()


@program("m")
def mats(m):
    return (
        m.T,
        m @ m,
        m.sum(),
        m.sum(axis=0),
        m.sum(axis=1, keepdims=True),
        m[1],
        m[:, 1],
        m[0, 1:],
        np.trace(m),
        np.linalg.det(m),
        m.reshape(9),
        m.ravel()[2],
        np.linalg.inv(m)[0, 0],
        m.max(axis=(0, 1)),
    )


@program("mv")
def solve(m, x):
    return (
        np.linalg.solve(m, x),
        np.linalg.norm(x),
        np.outer(x, x),
        np.dot(m, x),
        np.einsum("ij,j->i", m, x),
        np.cross(x, m[0]),
    )


@program("v")
def lens(x):
    return len(x), x.shape[0] * 1.5, x.size, x.ndim


@program("vv")
def zips(x, y):
    t = 0.0
    for a, b in zip(x, y):
        t += a * b
    for i, a in enumerate(x):
        t += i * a
    for a in reversed(x):
        t = t / 2 + a
    return t


@program("m")
def rows(m):
    t = 0.0
    for r in m:
        t += r @ r
    return t


@program("v")
def concat(x):
    return (
        np.concatenate([x, x[:2]]),
        np.stack([x, x * 2]),
        np.hstack([x, np.zeros(2)]),
        np.vstack([x, x]),
        np.concatenate([x, np.ones(1)]),
    )


@program("v")
def cum(x):
    return (
        np.cumsum(x),
        np.sort(x),
        np.argsort(x),
        np.diff(x),
        x.cumsum()[-1],
        np.median(x),
        np.clip(x, -0.5, 0.5),
        np.where(x > 0, x, -1.0),
        np.round(x, 1),
        np.abs(x).max(),
        np.flip(x),
        np.roll(x, 1),
    )


@program("s")
def make(a):
    return (
        np.array([[a, 1.0], [0.0, a]]),
        np.full(2, a),
        np.zeros(2) + a,
        np.arange(3) * a,
        np.linspace(0, 1, 4) * a,
        np.eye(2) * a,
        np.ones((2, 2)),
    )


@program("v")
def helper(x):
    return nrm(x) + nrm(x * 2)


def nrm(v):
    if v[0] > 0:
        return np.sqrt((v**2).sum())
    return 0.0


@program("v")
def raiser(x):
    if x.sum() > 100:
        raise ValueError("big")
    return x.sum()


@program("v")
def builtin(x):
    return sum(x), max(x), min(x), any(x > 0), all(x > 0), abs(x)


@program("v")
def comp(x):
    return sum(q * q for q in x), np.array([q * 2 for q in x])


@program("v")
def unpk(x):
    a, *rest = x
    return a, rest[0]


@program("v")
def power(x):
    return x**2, x**3, x**0.5, 2.0**x, x**-1


@program("vs")
def outerlane(x, a):
    return x * a, a * x + a, x > a, np.maximum(x, a), np.hypot(x, a)


@program("v")
def mean0(x):
    m = x.mean()
    return np.array([m, x.var(), (x - m).std()])


@program("m")
def store2(m):
    a = m.copy()
    a[0, 1] = 5.0
    a[:, 2] = 1.0
    a[1] = np.arange(3)
    a[2, 1:] = a[0, :2]
    return a


@program("v")
def tmp(x):
    best = x
    for i in range(3):
        y = x * (i + 1)
        if y.sum() > best.sum():
            best = y
    return best


@program("v")
def noarr(x):
    return [x[0], x[1]], {"a": x, "b": x.sum()}


@program("vVS")
def store_in_a_uniform_branch(x, u, c):
    t = u.copy()
    if c < t.min():
        pass
    else:
        t[-1] = 1
    return t, x * t


@program("vVS")
def store_in_a_uniform_branch_of_lanes(x, u, c):
    t = x * 1.0
    if c > 0:
        t[0] = u[1]
    if c < 0:
        t[1] = 5.0
    return t


@program("vmV")
def arrays_of_the_world_on_some_lanes(x, m, u):
    y = u if x[0] > 0 else x
    z = m[0] if x[1] > 0 else u
    return y + z, u


@program("v")
def what_a_mask_keeps(x):
    most = x[x > 0].max() if (x > 0).any() else -1.0
    return x[x > 0].sum(), len(x[x < 0.5]), np.sum(x[x > 0.25]), x[~(x > 0)].prod(), most


@program("mv")
def what_a_mask_keeps_of_a_matrix(m, v):
    inner = m[m > v[0]]
    return inner.sum(), (m[m < 0]).any(), len(inner)
