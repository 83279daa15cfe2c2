import math
from collections import namedtuple

import numpy as np

Day = namedtuple("Day", ("rise", "set", "hours"))
ZENITH = 1.5853349194640094


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
    cos_angle = np.cos(angle)
    sin_angle = np.sin(angle)
    cos_2angle = np.cos(2 * angle)
    sin_2angle = np.sin(2 * angle)
    tilt = (0.006918 - 0.399912 * cos_angle + 0.070257 * sin_angle - 0.006758 * cos_2angle
            + 0.000907 * sin_2angle - 0.002697 * np.cos(3 * angle) + 0.00148 * np.sin(3 * angle))
    phi = np.radians(latitude)
    c = math.cos(ZENITH) / (np.cos(phi) * np.cos(tilt)) - np.tan(phi) * np.tan(tilt)
    out0 = np.full(n, math.nan, float)
    out1 = np.full(n, math.nan, float)
    out2 = np.zeros(n)
    low = c < -1
    out2[low] = 24.0
    k = np.flatnonzero(~((c > 1) | low))
    half = np.degrees(np.arccos(c[k]))
    noon = 720 - 4 * longitude[k] - 229.18 * (0.000075 + 0.001868 * cos_angle[k]
                                              - 0.032077 * sin_angle[k] - 0.014615 * cos_2angle[k]
                                              - 0.040849 * sin_2angle[k])
    out0[k] = (noon - 4 * half) % 1440
    out1[k] = (noon + 4 * half) % 1440
    out2[k] = half * 2 / 15
    return Day(out0.reshape(shape), out1.reshape(shape), out2.reshape(shape))
