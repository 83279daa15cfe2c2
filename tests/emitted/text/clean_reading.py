import math
import numpy as np

MISSING = -999.0, -99.9, 9999.0


def clean_reading(value, unit, previous):
    """clean_reading, batched: every sample of the arguments at once.

    Batched: value, unit, previous (arrays that broadcast).
    """
    value, unit, previous = np.broadcast_arrays(value, unit, previous)
    shape, value, unit, previous = value.shape, value.ravel(), unit.ravel(), previous.ravel()
    n = len(value)
    out0 = np.empty(n)
    out1 = np.empty(n, "<U10")
    or2 = np.isnan(value) | ((value == MISSING[0]) | (value == MISSING[1]) | (value == MISSING[2]))
    k = np.flatnonzero(or2)
    out0[k] = math.nan
    out1[k] = "missing"
    k = np.flatnonzero(~or2)
    if k.size:
        celsius = value[k].copy()
        j2 = np.flatnonzero(~((unit[k] == "C") | (unit[k] == "c")))
        k2 = k[j2]
        if k2.size:
            or3 = (unit[k2] == "F") | (unit[k2] == "f")
            j3 = np.flatnonzero(or3)
            celsius[j2[j3]] = (value[k2[j3]] - 32) / 1.8
            j3 = np.flatnonzero(~or3)
            k3 = k2[j3]
            if k3.size:
                bad = ~(unit[k3] == "K")
                if bad.any():
                    lane = bad.argmax()
                    raise ValueError(f"unknown unit {unit[k3][lane].item()}")
                celsius2 = value[k3] - 273.15
                celsius[j2[j3]] = celsius2
        others = ~((-80 <= celsius) & (celsius <= 60))
        and2 = ~np.isnan(previous[k]) & (np.abs(celsius - previous[k]) > 10)
        out0[k] = np.where(others, math.nan, np.where(and2, celsius, celsius))
        out1[k] = np.where(others, "impossible", np.where(and2, "jump", "ok"))
    return out0.reshape(shape), out1.reshape(shape)
