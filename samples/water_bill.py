"""Utilities: a quarterly water bill with rising block prices, as a closure over the price list.

Source: increasing block tariffs, for example OECD, Pricing Water Resources and Water and
Sanitation Services (2010), chapter 2: every block is charged at its own price.
"""

import numpy as np

import autovec


def make_tariff(blocks, standing, discount):
    """The bill for a price list: blocks are (upper end in cubic metres, price) in rising order."""

    def bill(use, households, metered):
        if not metered:
            return standing + 61.5 * households
        if use < 0:
            raise ValueError(f"the meter runs backwards: {use}")
        share = use / households
        total, used = 0.0, 0.0
        for end, price in blocks:
            total += price * max(min(share, end) - used, 0.0)
            used = end
        if share > used:
            total += 2 * blocks[-1][1] * (share - used)
        total = standing + total * households
        return total * (1 - discount) if total > 500 else total

    return bill


PRICES = [(15.0, 1.05), (40.0, 1.89), (90.0, 2.75)]
water_bill = autovec.vectorize(make_tariff(PRICES, standing=24.0, discount=0.03))


def draw(n):
    """n uses in cubic metres, numbers of households behind the meter, and whether there is one."""
    rng = np.random.default_rng(0)
    return rng.gamma(2.0, 40.0, n), rng.integers(1, 5, n), rng.random(n) < 0.9


if __name__ == "__main__":
    arguments = draw(1000)
    print(water_bill.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [water_bill.__wrapped__(*sample) for sample in samples]
    np.testing.assert_allclose(water_bill(*arguments), loop, rtol=1e-13)
    print("1000 samples: equal to the plain loop")
