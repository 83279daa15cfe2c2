"""Civil engineering: the head lost in a full pipe, laminar, turbulent and between the two.

Source: L. Rossman, EPANET 2 Users Manual (2000), appendix D: Darcy-Weisbach with Hagen-Poiseuille
below a Reynolds number of 2000, Swamee and Jain above 4000, and Dunlop's cubic in between.
"""

import math

import numpy as np

import autovec

GRAVITY = 9.81  # m/s^2
VISCOSITY = 1.0e-6  # m^2/s, water at 20 degrees


def friction_factor(re, roughness):
    """Darcy's f for a Reynolds number and a roughness relative to the diameter."""
    if re < 2000:
        return 64 / re
    if re > 4000:
        return 0.25 / math.log10(roughness / 3.7 + 5.74 / re**0.9) ** 2
    y2 = roughness / 3.7 + 5.74 / re**0.9
    y3 = -0.86859 * math.log(roughness / 3.7 + 5.74 / 4000**0.9)
    fa = y3**-2
    fb = fa * (2 - 0.00514215 / (y2 * y3))
    r = re / 2000
    x1 = 7 * fa - fb
    x2 = 0.128 - 17 * fa + 2.5 * fb
    x3 = -0.128 + 13 * fa - 2 * fb
    x4 = r * (0.032 - 3 * fa + 0.5 * fb)
    return x1 + r * (x2 + r * (x3 + x4))


@autovec.vectorize
def pipe(flow, diameter, length, roughness=0.26e-3):
    """Metres of head lost over a length in metres, with the sign of the flow in m^3/s."""
    if diameter <= 0 or length < 0:
        raise ValueError("a pipe has a diameter and a length")
    if flow == 0:
        return 0.0
    speed = 4 * abs(flow) / (math.pi * diameter**2)
    f = friction_factor(speed * diameter / VISCOSITY, roughness / diameter)
    return math.copysign(f * length / diameter * speed**2 / (2 * GRAVITY), flow)


def draw(n):
    """n flows (some nil, some backwards), diameters and lengths."""
    rng = np.random.default_rng(0)
    flow = rng.choice([1.0, -1.0, 0.0], n, p=[0.8, 0.15, 0.05]) * 10 ** rng.uniform(-5.5, -1, n)
    return flow, rng.choice([0.05, 0.1, 0.15, 0.2, 0.3], n), rng.uniform(5, 800, n)


if __name__ == "__main__":
    arguments = draw(1000)
    print(pipe.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [pipe.__wrapped__(*sample) for sample in samples]
    np.testing.assert_allclose(pipe(*arguments), loop, rtol=1e-11)
    print("1000 samples: equal to the plain loop")
