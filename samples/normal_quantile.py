"""Statistics: the quantile of the normal distribution, to sixteen digits.

Source: M. Wichura, Algorithm AS 241: The percentage points of the normal distribution (1988),
function PPND16: three rational functions, for the centre, the shoulders and the tails.
"""

import math

import numpy as np

import autovec

# Numerator and denominator of each, from the highest power down.
CENTRE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
)  # fmt: skip
SHOULDER = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
     1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
     4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
     0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
     2.05319162663775882187, 1.0),
)  # fmt: skip
TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
     0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
     5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
     7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
     0.59983220655588793769, 1.0),
)  # fmt: skip


def polynomial(coefficients, x):
    """Horner's scheme."""
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def rational(pair, x):
    """A quotient of two polynomials."""
    above, below = pair
    return polynomial(above, x) / polynomial(below, x)


@autovec.vectorize
def normal_quantile(p, mean=0.0, sigma=1.0):
    """The value that a normal variable stays below with probability p."""
    if p <= 0.0 or p >= 1.0:
        raise ValueError("p must lie between 0 and 1")
    if sigma < 0.0:
        raise ValueError("sigma must not be negative")
    q = p - 0.5
    if abs(q) <= 0.425:
        return mean + sigma * q * rational(CENTRE, 0.180625 - q * q)
    r = math.sqrt(-math.log(p if q < 0.0 else 1.0 - p))
    x = rational(SHOULDER, r - 1.6) if r <= 5.0 else rational(TAIL, r - 5.0)
    return mean + sigma * (-x if q < 0.0 else x)


def draw(n):
    """n probabilities, some of them far out."""
    rng = np.random.default_rng(0)
    p = rng.random(n)
    return (np.where(rng.random(n) < 0.1, p * 1e-14, p),)


if __name__ == "__main__":
    arguments = draw(1000)
    print(normal_quantile.emit(*arguments))
    loop = [normal_quantile.__wrapped__(p) for p in arguments[0].tolist()]
    np.testing.assert_allclose(normal_quantile(*arguments), loop, rtol=1e-12, atol=1e-15)
    print("1000 samples: equal to the plain loop")
