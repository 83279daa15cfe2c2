"""Data cleaning: thermometer readings from several loggers as one column of degrees Celsius.

Source: the loggers' usual missing-value codes (-999, -99.9 and 9999), the definitions of the
scales, and the gross error limits of WMO-No. 8, Guide to Instruments and Methods of Observation.
"""

import math

import numpy as np

import autovec

MISSING = (-999.0, -99.9, 9999.0)


@autovec.vectorize
def clean_reading(value, unit, previous):
    """(degrees Celsius or nan, flag) of a reading and the one before it in degrees Celsius."""
    if math.isnan(value) or value in MISSING:
        return math.nan, "missing"
    match unit:
        case "C" | "c":
            celsius = value
        case "F" | "f":
            celsius = (value - 32) / 1.8
        case "K":
            celsius = value - 273.15
        case _:
            raise ValueError(f"unknown unit {unit}")
    if not -80 <= celsius <= 60:
        return math.nan, "impossible"
    if not math.isnan(previous) and abs(celsius - previous) > 10:
        return celsius, "jump"
    return celsius, "ok"


def draw(n):
    """n readings with their units, and the readings before them."""
    rng = np.random.default_rng(0)
    celsius = rng.normal(12, 9, n)
    unit = rng.choice(["C", "c", "F", "f", "K"], n, p=[0.5, 0.1, 0.2, 0.1, 0.1])
    value = np.where(np.isin(unit, ["F", "f"]), celsius * 1.8 + 32, celsius)
    value = np.where(unit == "K", celsius + 273.15, value)
    value = np.where(rng.random(n) < 0.1, rng.choice([*MISSING, np.nan, 150.0], n), value)
    previous = np.where(rng.random(n) < 0.1, np.nan, celsius + rng.normal(0, 5, n))
    return value, unit, previous


if __name__ == "__main__":
    arguments = draw(1000)
    print(clean_reading.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    value, flag = zip(*(clean_reading.__wrapped__(*sample) for sample in samples), strict=True)
    np.testing.assert_allclose(clean_reading(*arguments)[0], value, rtol=1e-13)
    np.testing.assert_array_equal(clean_reading(*arguments)[1], flag)
    print("1000 samples: equal to the plain loop")
