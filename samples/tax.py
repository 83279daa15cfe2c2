"""German income tax and solidarity surcharge of 2025, for single filers and for couples.

Source: section 32a of the Einkommensteuergesetz (tariff of 2025, splitting for couples) and
sections 3 and 4 of the Solidaritätszuschlaggesetz.
"""

import math

import numpy as np

import autovec

SOLI_FREE = 19_950  # of tax; twice that for couples


def tariff(income):
    """The tariff of 2025: whole euros in, whole euros out."""
    x = math.floor(income)
    if x <= 12_096:
        return 0
    if x <= 17_443:
        y = (x - 12_096) / 10_000
        return math.floor((932.30 * y + 1_400) * y)
    if x <= 68_480:
        z = (x - 17_443) / 10_000
        return math.floor((176.64 * z + 2_397) * z + 1_015.13)
    if x <= 277_825:
        return math.floor(0.42 * x - 10_911.92)
    return math.floor(0.45 * x - 19_246.67)


@autovec.vectorize
def tax(income, couple):
    """(income tax, solidarity surcharge) in euros."""
    if math.isnan(income):
        raise ValueError("income is missing")
    due = 2 * tariff(income / 2) if couple else tariff(income)
    free = 2 * SOLI_FREE if couple else SOLI_FREE
    if due <= free:
        return due, 0.0
    soli = min(0.055 * due, 0.119 * (due - free))
    return due, math.floor(100 * soli) / 100


def draw(n):
    """n incomes, and whether each is a couple's."""
    rng = np.random.default_rng(0)
    return rng.lognormal(10.8, 0.9, n).round(2), rng.random(n) < 0.4


if __name__ == "__main__":
    arguments = draw(1000)
    print(tax.emit(*arguments))
    loop = [tax.__wrapped__(*sample) for sample in zip(*arguments, strict=True)]
    np.testing.assert_allclose(np.stack(tax(*arguments), axis=-1), loop, rtol=1e-13)
    print("1000 samples: equal to the plain loop")
