"""Aviation: temperature, pressure, density and speed of sound in the standard atmosphere.

Source: ISO 2533:1975 / ICAO Doc 7488, the layers up to 47 km of geopotential altitude.
"""

import math

import numpy as np

import autovec

G0 = 9.80665  # m/s^2
R = 287.05287  # J/(kg K)
# Bottom and top in metres of geopotential altitude, lapse rate in K/m.
LAYERS = (
    (0.0, 11_000.0, -0.0065),
    (11_000.0, 20_000.0, 0.0),
    (20_000.0, 32_000.0, 0.001),
    (32_000.0, 47_000.0, 0.0028),
)


@autovec.vectorize
def atmosphere(height):
    """Kelvin, pascal, kg/m^3 and m/s at a geometric height in metres."""
    h = 6_356_766.0 * height / (6_356_766.0 + height)
    if h < 0.0 or h > 47_000.0:
        raise ValueError(f"height {height} m is outside the table")
    temp, pressure = 288.15, 101_325.0
    for bottom, top, lapse in LAYERS:
        if h > bottom:
            rise = min(h, top) - bottom
            if lapse == 0.0:
                pressure *= math.exp(-G0 * rise / (R * temp))
            else:
                warmer = temp + lapse * rise
                pressure *= (warmer / temp) ** (-G0 / (lapse * R))
                temp = warmer
    return {
        "temperature": temp,
        "pressure": pressure,
        "density": pressure / (R * temp),
        "sound": math.sqrt(1.4 * R * temp),
    }


def draw(n):
    """n heights in metres, most of them where aircraft fly."""
    rng = np.random.default_rng(0)
    return (np.where(rng.random(n) < 0.7, rng.uniform(0, 13_000, n), rng.uniform(0, 47_000, n)),)


if __name__ == "__main__":
    arguments = draw(1000)
    print(atmosphere.emit(*arguments))
    loop = [atmosphere.__wrapped__(height) for height in arguments[0].tolist()]
    for name, column in atmosphere(*arguments).items():
        np.testing.assert_allclose(column, [sample[name] for sample in loop], rtol=1e-12)
    print("1000 samples: equal to the plain loop")
