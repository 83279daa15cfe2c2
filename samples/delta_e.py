"""Colour: how different two colours look, by CIEDE2000.

Source: G. Sharma, W. Wu and E. Dalal, The CIEDE2000 color-difference formula: implementation
notes, supplementary test data, and mathematical observations (2005).
"""

import math

import numpy as np

import autovec


def hue(a, b):
    """The angle in degrees from 0 to 360; grey has none and counts as 0."""
    if a == 0 and b == 0:
        return 0.0
    return math.degrees(math.atan2(b, a)) % 360


def share(chroma):
    """The term with seventh powers that singles out the greys."""
    c7 = chroma**7
    return math.sqrt(c7 / (c7 + 25**7))


@autovec.vectorize
def delta_e(l1, a1, b1, l2, a2, b2):
    """The difference of two colours in CIELAB coordinates."""
    g = 1 + 0.5 * (1 - share((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2))
    a1, a2 = g * a1, g * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = hue(a1, b1), hue(a2, b2)

    turn = h2 - h1
    h = h1 + h2
    if c1 * c2 == 0:
        turn = 0.0
    elif abs(turn) <= 180:
        h /= 2
    else:
        turn += -360 if turn > 180 else 360
        h = (h + 360) / 2 if h < 360 else (h - 360) / 2

    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * math.cos(math.radians(h - 30))
        + 0.24 * math.cos(math.radians(2 * h))
        + 0.32 * math.cos(math.radians(3 * h + 6))
        - 0.20 * math.cos(math.radians(4 * h - 63))
    )
    dl = (l2 - l1) / (1 + 0.015 * (l - 50) ** 2 / math.sqrt(20 + (l - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * c)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * c * t)
    blue = 30 * math.exp(-(((h - 275) / 25) ** 2))
    rotation = -2 * share(c) * math.sin(math.radians(2 * blue))
    return math.sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh)


def draw(n):
    """n pairs of colours, some of them grey."""
    rng = np.random.default_rng(0)
    l1, l2 = rng.uniform(0, 100, (2, n))
    a1, b1 = rng.uniform(-80, 80, (2, n))
    grey = rng.random(n) < 0.05
    a1[grey] = b1[grey] = 0.0
    a2, b2 = np.where(rng.random(n) < 0.5, rng.uniform(-80, 80, (2, n)), [a1 + 2, b1 - 3])
    return l1, a1, b1, l2, a2, b2


if __name__ == "__main__":
    arguments = draw(1000)
    print(delta_e.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [delta_e.__wrapped__(*sample) for sample in samples]
    np.testing.assert_allclose(delta_e(*arguments), loop, rtol=1e-10)
    print("1000 samples: equal to the plain loop")
