"""Astronomy: sunrise, sunset and length of day, polar days and nights included.

Source: NOAA Global Monitoring Laboratory, General Solar Position Calculations (the low-precision
formulas behind its spreadsheet), with the zenith 90.833 degrees for refraction and the disc.
"""

import math
from typing import NamedTuple

import numpy as np

import autovec

ZENITH = math.radians(90.833)


class Day(NamedTuple):
    """Minutes of UTC (nan where the sun does not rise or set), and hours of daylight."""

    rise: float
    set: float
    hours: float


def equation_of_time(angle):
    """Minutes by which a sundial is ahead of the clock."""
    return 229.18 * (
        0.000075
        + 0.001868 * math.cos(angle)
        - 0.032077 * math.sin(angle)
        - 0.014615 * math.cos(2 * angle)
        - 0.040849 * math.sin(2 * angle)
    )


def declination(angle):
    """The sun's declination in radians."""
    return (
        0.006918
        - 0.399912 * math.cos(angle)
        + 0.070257 * math.sin(angle)
        - 0.006758 * math.cos(2 * angle)
        + 0.000907 * math.sin(2 * angle)
        - 0.002697 * math.cos(3 * angle)
        + 0.00148 * math.sin(3 * angle)
    )


@autovec.vectorize
def sunrise(day_of_year, latitude, longitude):
    """The day at a place: degrees north and east."""
    assert -90 < latitude < 90, "no sunrise at a pole"
    angle = 2 * math.pi / 365 * (day_of_year - 1)
    tilt = declination(angle)
    phi = math.radians(latitude)
    c = math.cos(ZENITH) / (math.cos(phi) * math.cos(tilt)) - math.tan(phi) * math.tan(tilt)
    if c > 1:
        return Day(math.nan, math.nan, 0.0)
    if c < -1:
        return Day(math.nan, math.nan, 24.0)
    half = math.degrees(math.acos(c))
    noon = 720 - 4 * longitude - equation_of_time(angle)
    return Day((noon - 4 * half) % 1440, (noon + 4 * half) % 1440, half * 2 / 15)


def draw(n):
    """n days of the year, latitudes and longitudes."""
    rng = np.random.default_rng(0)
    return rng.integers(1, 366, n), rng.uniform(-85, 85, n), rng.uniform(-180, 180, n)


if __name__ == "__main__":
    arguments = draw(1000)
    print(sunrise.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [sunrise.__wrapped__(*sample) for sample in samples]
    np.testing.assert_allclose(np.stack(sunrise(*arguments), axis=-1), loop, rtol=1e-11)
    print("1000 samples: equal to the plain loop")
