import math

import numpy as np

GRAVITY = 9.81
VISCOSITY = 1e-6


def friction_factor_batched(re, roughness):
    """Darcy's f for a Reynolds number and a roughness relative to the diameter."""
    out = np.empty(len(re))
    low = re < 2000
    k = np.flatnonzero(low)
    out[k] = 64 / re[k]
    high = re > 4000
    k = np.flatnonzero(high)
    out[k] = 0.25 / np.log10(roughness[k] / 3.7 + 5.74 / re[k] ** 0.9) ** 2
    k = np.flatnonzero(~(low | high))
    y2 = roughness[k] / 3.7 + 5.74 / re[k] ** 0.9
    y3 = -0.86859 * np.log(roughness[k] / 3.7 + 5.74 / 4000 ** 0.9)
    fa = y3 ** -2
    fb = fa * (2 - 0.00514215 / (y2 * y3))
    r = re[k] / 2000
    x1 = 7 * fa - fb
    x2 = 0.128 - 17 * fa + 2.5 * fb
    x3 = -0.128 + 13 * fa - 2 * fb
    x4 = r * (0.032 - 3 * fa + 0.5 * fb)
    out[k] = x1 + r * (x2 + r * (x3 + x4))
    return out


def pipe(flow, diameter, length, roughness=0.00026):
    """Metres of head lost over a length in metres, with the sign of the flow in m^3/s.

    Batched: flow, diameter, length (arrays that broadcast).
    Shared: roughness.
    """
    flow, diameter, length = np.broadcast_arrays(flow, diameter, length)
    shape, flow, diameter, length = flow.shape, flow.ravel(), diameter.ravel(), length.ravel()
    if np.any((diameter <= 0) | (length < 0)):
        raise ValueError("a pipe has a diameter and a length")
    out = np.zeros(len(flow))
    k = np.flatnonzero(~(flow == 0))
    diameter_k = diameter[k]
    speed = 4 * np.abs(flow[k]) / (math.pi * diameter_k ** 2)
    f = friction_factor_batched(speed * diameter_k / VISCOSITY, roughness / diameter_k)
    out[k] = np.copysign(f * length[k] / diameter_k * speed ** 2 / (2 * GRAVITY), flow[k])
    return out.reshape(shape)
