"""Finance: the level monthly payment of a loan, and the interest paid over its life.

Source: the present value of an annuity, for example Brealey, Myers and Allen, Principles of
Corporate Finance, chapter 2. A rate of zero makes the formula 0 / 0: the payment is a plain split.
"""

import numpy as np

import autovec


@autovec.vectorize
def loan(principal, annual_rate, months, fee=25.0):
    """(monthly payment, total interest), in cents; loans below 1000 pay no fee."""
    if principal <= 0 or months < 1:
        raise ValueError(f"no loan: {principal} over {months} months")
    if principal >= 1000:
        principal += fee
    rate = annual_rate / 12
    growth = (1 + rate) ** months
    try:
        payment = principal * rate * growth / (growth - 1)
    except ZeroDivisionError:
        payment = principal / months
    payment = round(payment, 2)
    return payment, round(max(payment * months - principal, 0.0), 2)


def draw(n):
    """n amounts, annual rates (some zero) and terms in months."""
    rng = np.random.default_rng(0)
    rate = np.where(rng.random(n) < 0.1, 0.0, rng.uniform(0.001, 0.15, n))
    return rng.uniform(200, 500_000, n).round(2), rate, rng.integers(1, 361, n)


if __name__ == "__main__":
    arguments = draw(1000)
    print(loan.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [loan.__wrapped__(*sample) for sample in samples]
    np.testing.assert_allclose(np.stack(loan(*arguments), axis=-1), loop, rtol=1e-12)
    print("1000 samples: equal to the plain loop")
