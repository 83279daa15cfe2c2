import math

import numpy as np

MISSING = -999.0, -99.9, 9999.0


def clean_reading(value, unit, previous):
    """(degrees Celsius or nan, flag) of a reading and the one before it in degrees Celsius.

    Batched: value, unit, previous (arrays that broadcast).
    """
    value, unit, previous = np.broadcast_arrays(value, unit, previous)
    shape, value, unit, previous = value.shape, value.ravel(), unit.ravel(), previous.ravel()
    n = len(value)
    out0 = np.full(n, math.nan, float)
    out1 = np.full(n, "ok", "<U10")
    either = np.isnan(value) | (value == MISSING[0]) | (value == MISSING[1]) | (value == MISSING[2])
    out1[either] = "missing"
    k = np.flatnonzero(~either)
    if k.size:
        unit_k = unit[k]
        celsius = value[k]
        either2 = (unit_k == "C") | (unit_k == "c")
        either3 = (unit_k == "F") | (unit_k == "f")
        j2 = np.flatnonzero(~either2 & either3)
        celsius[j2] = (value[k[j2]] - 32) / 1.8
        j2 = np.flatnonzero(~(either2 | either3))
        k2 = k[j2]
        if k2.size:
            bad = ~(unit[k2] == "K")
            if bad.any():
                lane = bad.argmax()
                raise ValueError(f"unknown unit {unit[k2][lane].item()}")
            celsius2 = value[k2] - 273.15
            celsius[j2] = celsius2
        both = (-80 <= celsius) & (celsius <= 60)
        both2 = ~np.isnan(previous[k]) & (np.abs(celsius - previous[k]) > 10)
        out0[k] = np.where(both, np.where(both2, celsius, celsius), math.nan)
        out1[k] = np.where(both, np.where(both2, "jump", "ok"), "impossible")
    return out0.reshape(shape), out1.reshape(shape)
