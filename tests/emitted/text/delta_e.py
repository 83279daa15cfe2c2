import numpy as np


def share_batched(chroma):
    """The term with seventh powers that singles out the greys."""
    c7 = chroma ** 7
    return np.sqrt(c7 / (c7 + 25 ** 7))


def hue_batched(a, b):
    """The angle in degrees from 0 to 360; grey has none and counts as 0."""
    out = np.zeros(len(a))
    k = np.flatnonzero(~((a == 0) & (b == 0)))
    out[k] = np.degrees(np.arctan2(b[k], a[k])) % 360
    return out


def delta_e(l1, a1, b1, l2, a2, b2):
    """The difference of two colours in CIELAB coordinates.

    Batched: l1, a1, b1, l2, a2, b2 (arrays that broadcast).
    """
    l1, a1, b1, l2, a2, b2 = np.broadcast_arrays(l1, a1, b1, l2, a2, b2)
    shape, l1, a1, b1, l2, a2, b2 = (
        l1.shape, l1.ravel(), a1.ravel(), b1.ravel(), l2.ravel(), a2.ravel(), b2.ravel())
    g = 1 + 0.5 * (1 - share_batched((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2))
    a1 = g * a1
    a2 = g * a2
    c1 = np.hypot(a1, b1)
    c2 = np.hypot(a2, b2)
    h1 = hue_batched(a1, b1)
    h2 = hue_batched(a2, b2)
    turn = h2 - h1
    h = h1 + h2
    zero = c1 * c2 == 0
    low = np.abs(turn) <= 180
    h = np.where(zero, h,
        np.where(low, h / 2,
        np.where(h < 360, (h + 360) / 2,
                 (h - 360) / 2)))
    turn = np.where(zero, 0.0, np.where(low, turn, turn + np.where(turn > 180, -360, 360)))
    l = (l1 + l2) / 2
    c = (c1 + c2) / 2
    t = (1 - 0.17 * np.cos(np.radians(h - 30)) + 0.24 * np.cos(np.radians(2 * h))
         + 0.32 * np.cos(np.radians(3 * h + 6)) - 0.20 * np.cos(np.radians(4 * h - 63)))
    dl = (l2 - l1) / (1 + 0.015 * (l - 50) ** 2 / np.sqrt(20 + (l - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * c)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * c * t)
    blue = 30 * np.exp(-((h - 275) / 25) ** 2)
    rotation = -2 * share_batched(c) * np.sin(np.radians(2 * blue))
    return np.sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh).reshape(shape)
