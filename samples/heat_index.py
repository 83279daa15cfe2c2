"""Meteorology: the heat index of the US National Weather Service, in degrees Fahrenheit.

Source: NWS Weather Prediction Center, The Heat Index Equation: Steadman's simple formula where it
stays below 80, else Rothfusz's regression (technical attachment SR 90-23) with its two adjustments.
"""

import math

import numpy as np

import autovec


@autovec.vectorize
def heat_index(t, rh):
    """How hot it feels at temperature t (Fahrenheit) and relative humidity rh (percent)."""
    simple = 0.5 * (t + 61.0 + (t - 68.0) * 1.2 + rh * 0.094)
    if (simple + t) / 2 < 80.0:
        return simple
    hi = (
        -42.379
        + 2.04901523 * t
        + 10.14333127 * rh
        - 0.22475541 * t * rh
        - 6.83783e-3 * t**2
        - 5.481717e-2 * rh**2
        + 1.22874e-3 * t**2 * rh
        + 8.5282e-4 * t * rh**2
        - 1.99e-6 * t**2 * rh**2
    )
    if rh < 13 and 80 <= t <= 112:
        hi -= (13 - rh) / 4 * math.sqrt((17 - abs(t - 95)) / 17)
    elif rh > 85 and 80 <= t <= 87:
        hi += (rh - 85) / 10 * (87 - t) / 5
    return hi


def draw(n):
    """n temperatures and humidities."""
    rng = np.random.default_rng(0)
    return rng.uniform(50, 115, n), rng.uniform(2, 100, n)


if __name__ == "__main__":
    arguments = draw(1000)
    print(heat_index.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [heat_index.__wrapped__(*sample) for sample in samples]
    np.testing.assert_allclose(heat_index(*arguments), loop, rtol=1e-11)
    print("1000 samples: equal to the plain loop")
