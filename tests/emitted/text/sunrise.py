import math
from collections import namedtuple

import numpy as np

Day = namedtuple("Day", ("rise", "set", "hours"))
ZENITH = 1.5853349194640094


def declination_batched(angle):
    """The sun's declination in radians."""
    return (0.006918 - 0.399912 * np.cos(angle) + 0.070257 * np.sin(angle)
            - 0.006758 * np.cos(2 * angle) + 0.000907 * np.sin(2 * angle)
            - 0.002697 * np.cos(3 * angle) + 0.00148 * np.sin(3 * angle))


def equation_of_time_batched(angle):
    """Minutes by which a sundial is ahead of the clock."""
    return 229.18 * (7.5e-5 + 0.001868 * np.cos(angle) - 0.032077 * np.sin(angle)
                     - 0.014615 * np.cos(2 * angle) - 0.040849 * np.sin(2 * angle))


def sunrise(day_of_year, latitude, longitude):
    """The day at a place: degrees north and east.

    Batched: day_of_year, latitude, longitude (arrays that broadcast).
    """
    day_of_year, latitude, longitude = np.broadcast_arrays(day_of_year, latitude, longitude)
    shape, day_of_year, latitude, longitude = (
        day_of_year.shape, day_of_year.ravel(), latitude.ravel(), longitude.ravel())
    n = len(day_of_year)
    if np.any(~((-90 < latitude) & (latitude < 90))):
        raise AssertionError("no sunrise at a pole")
    angle = 2 * math.pi / 365 * (day_of_year - 1)
    tilt = declination_batched(angle)
    phi = np.radians(latitude)
    c = math.cos(ZENITH) / (np.cos(phi) * np.cos(tilt)) - np.tan(phi) * np.tan(tilt)
    out0 = np.full(n, math.nan, float)
    out1 = np.full(n, math.nan, float)
    out2 = np.zeros(n)
    test2 = c < -1
    out2[test2] = 24.0
    k = np.flatnonzero(~((c > 1) | test2))
    half = np.degrees(np.arccos(c[k]))
    noon = 720 - 4 * longitude[k] - equation_of_time_batched(angle[k])
    out0[k] = (noon - 4 * half) % 1440
    out1[k] = (noon + 4 * half) % 1440
    out2[k] = half * 2 / 15
    return Day(out0.reshape(shape), out1.reshape(shape), out2.reshape(shape))
