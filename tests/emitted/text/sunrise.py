import math
import numpy as np
from collections import namedtuple

Day = namedtuple("Day", ("rise", "set", "hours"))
ZENITH = 1.5853349194640094


def declination_batched(angle):
    return (0.006918 - 0.399912 * np.cos(angle) + 0.070257 * np.sin(angle)
            - 0.006758 * np.cos(2 * angle) + 0.000907 * np.sin(2 * angle)
            - 0.002697 * np.cos(3 * angle) + 0.00148 * np.sin(3 * angle))


def equation_of_time_batched(angle):
    return 229.18 * (7.5e-5 + 0.001868 * np.cos(angle) - 0.032077 * np.sin(angle)
                     - 0.014615 * np.cos(2 * angle) - 0.040849 * np.sin(2 * angle))


def sunrise(day_of_year, latitude, longitude):
    """sunrise, batched: every sample of the arguments at once.

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
    out0 = np.empty(n)
    out1 = np.empty(n)
    out2 = np.empty(n)
    test = c > 1
    k = np.flatnonzero(test)
    out0[k] = math.nan
    out1[k] = math.nan
    out2[k] = 0.0
    k = np.flatnonzero(~test)
    test2 = c[k] < -1
    k2 = k[test2]
    out0[k2] = math.nan
    out1[k2] = math.nan
    out2[k2] = 24.0
    k2 = k[~test2]
    half = np.degrees(np.arccos(c[k2]))
    noon = 720 - 4 * longitude[k2] - equation_of_time_batched(angle[k2])
    out0[k2] = (noon - 4 * half) % 1440
    out1[k2] = (noon + 4 * half) % 1440
    out2[k2] = half * 2 / 15
    return Day(out0.reshape(shape), out1.reshape(shape), out2.reshape(shape))
