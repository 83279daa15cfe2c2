"""Geodesy: latitude and longitude to UTM coordinates, with the zones of Norway and Svalbard.

Source: the Krüger series of third order in the third flattening, for WGS 84 (L. Krüger, Konforme
Abbildung des Erdellipsoids in der Ebene, 1912; C. Karney, Transverse Mercator with an accuracy of
a few nanometers, 2011), and the zones of DMA TM 8358.2, The Universal Grids.
"""

import math

import numpy as np

import autovec

FLATTENING = 1 / 298.257223563
N = FLATTENING / (2 - FLATTENING)
RADIUS = 6378.137 / (1 + N) * (1 + N**2 / 4 + N**4 / 64)
ALPHA = (
    N / 2 - 2 / 3 * N**2 + 5 / 16 * N**3,
    13 / 48 * N**2 - 3 / 5 * N**3,
    61 / 240 * N**3,
)
ROOT = 2 * math.sqrt(N) / (1 + N)


def zone_of(lat, lon):
    """The zone from 1 to 60, with the exceptions west of Norway and around Svalbard."""
    if 56 <= lat < 64 and 3 <= lon < 12:
        return 32
    if 72 <= lat <= 84 and 0 <= lon < 42:
        if lon < 9:
            return 31
        if lon < 21:
            return 33
        return 35 if lon < 33 else 37
    return int((lon + 180) // 6) % 60 + 1


@autovec.vectorize
def utm(lat, lon):
    """(zone, easting, northing) in kilometres; southern northings count from 10,000 km."""
    if not -80 <= lat <= 84:
        raise ValueError(f"latitude {lat} has no UTM zone")
    zone = zone_of(lat, lon)
    s = math.sin(math.radians(lat))
    turn = math.radians(lon - (6 * zone - 183))
    t = math.sinh(math.atanh(s) - ROOT * math.atanh(ROOT * s))
    xi = math.atan2(t, math.cos(turn))
    eta = math.atanh(math.sin(turn) / math.sqrt(1 + t * t))
    east = eta + sum(
        a * math.cos(2 * j * xi) * math.sinh(2 * j * eta) for j, a in enumerate(ALPHA, 1)
    )
    north = xi + sum(
        a * math.sin(2 * j * xi) * math.cosh(2 * j * eta) for j, a in enumerate(ALPHA, 1)
    )
    false_northing = 10_000 if lat < 0 else 0
    return zone, 500 + 0.9996 * RADIUS * east, false_northing + 0.9996 * RADIUS * north


def draw(n):
    """n latitudes and longitudes, more than a fair share of them in the north of Europe."""
    rng = np.random.default_rng(0)
    lat, lon = rng.uniform(-80, 84, n), rng.uniform(-180, 180, n)
    north = rng.random(n) < 0.2
    lat[north], lon[north] = rng.uniform(54, 84, north.sum()), rng.uniform(0, 45, north.sum())
    return lat, lon


if __name__ == "__main__":
    arguments = draw(1000)
    print(utm.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [utm.__wrapped__(*sample) for sample in samples]
    np.testing.assert_allclose(np.stack(utm(*arguments), axis=-1), loop, rtol=1e-11)
    print("1000 samples: equal to the plain loop")
