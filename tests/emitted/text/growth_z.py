import numpy as np


def growth_z(weight, l, m, s):
    """The z-score for the reference's Box-Cox power l, median m and coefficient of variation s.

    Batched: weight, l, m, s (arrays that broadcast).
    """
    weight, l, m, s = np.broadcast_arrays(weight, l, m, s)
    shape, weight, l, m, s = weight.shape, weight.ravel(), l.ravel(), m.ravel(), s.ravel()
    bad = ~(weight > 0)
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"a child weighs more than {weight[lane].item()} kg")
    z = np.empty(len(weight))
    zero = l == 0
    k = np.flatnonzero(zero)
    z[k] = np.log(weight[k] / m[k]) / s[k]
    k = np.flatnonzero(~zero)
    z[k] = ((weight[k] / m[k]) ** l[k] - 1) / (l[k] * s[k])
    high = z > 3
    k = np.flatnonzero(high)
    three = np.empty(len(k))
    zero = l[k] == 0
    j2 = np.flatnonzero(zero)
    k2 = k[j2]
    three[j2] = m[k2] * np.exp(s[k2] * 3)
    j2 = np.flatnonzero(~zero)
    k2 = k[j2]
    three[j2] = m[k2] * (1 + l[k2] * s[k2] * 3) ** (1 / l[k2])
    value = np.empty(len(k))
    zero = l[k] == 0
    j2 = np.flatnonzero(zero)
    k2 = k[j2]
    value[j2] = m[k2] * np.exp(s[k2] * 2)
    j2 = np.flatnonzero(~zero)
    k2 = k[j2]
    value[j2] = m[k2] * (1 + l[k2] * s[k2] * 2) ** (1 / l[k2])
    z[k] = 3 + (weight[k] - three) / (three - value)
    k = np.flatnonzero(~high & (z < -3))
    three = np.empty(len(k))
    zero = l[k] == 0
    j2 = np.flatnonzero(zero)
    k2 = k[j2]
    three[j2] = m[k2] * np.exp(s[k2] * -3)
    j2 = np.flatnonzero(~zero)
    k2 = k[j2]
    three[j2] = m[k2] * (1 + l[k2] * s[k2] * -3) ** (1 / l[k2])
    value = np.empty(len(k))
    zero = l[k] == 0
    j2 = np.flatnonzero(zero)
    k2 = k[j2]
    value[j2] = m[k2] * np.exp(s[k2] * -2)
    j2 = np.flatnonzero(~zero)
    k2 = k[j2]
    value[j2] = m[k2] * (1 + l[k2] * s[k2] * -2) ** (1 / l[k2])
    z[k] = -3 + (weight[k] - three) / (value - three)
    return z.reshape(shape)
