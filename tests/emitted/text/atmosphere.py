import numpy as np

G0 = 9.80665
LAYERS = ((0.0, 11000.0, -0.0065),
          (11000.0, 20000.0, 0.0),
          (20000.0, 32000.0, 0.001),
          (32000.0, 47000.0, 0.0028))
R = 287.05287


def to_power(x, exponent):
    """x ** exponent, one for all: NumPy takes 0.5 for the square root, and -inf and -0.0 differ."""
    if exponent == 0.5:
        x = np.where(x == -np.inf, np.inf, x) + 0.0
    return x ** exponent


def atmosphere(height):
    """Kelvin, pascal, kg/m^3 and m/s at a geometric height in metres.

    Batched: height (arrays that broadcast).
    """
    shape, height = np.shape(height), np.ravel(height)
    n = len(height)
    h = 6_356_766.0 * height / (6_356_766.0 + height)
    bad = (h < 0.0) | (h > 47_000.0)
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"height {height[lane].item()} m is outside the table")
    pressure = np.full(n, 101_325.0)
    temp = np.full(n, 288.15)
    for bottom, top, lapse in LAYERS:
        k = np.flatnonzero(h > bottom)
        if k.size:
            temp_k = temp[k]
            rise = np.minimum(h[k], top) - bottom
            if lapse == 0.0:
                pressure2 = pressure[k] * np.exp(-G0 * rise / (R * temp_k))
                temp2 = temp_k
            else:
                warmer = temp_k + lapse * rise
                pressure2 = pressure[k] * to_power(warmer / temp_k, -G0 / (lapse * R))
                temp2 = warmer
            pressure[k], temp[k] = pressure2, temp2
    return {"temperature": temp.reshape(shape),
            "pressure": pressure.reshape(shape),
            "density": (pressure / (R * temp)).reshape(shape),
            "sound": np.sqrt(1.4 * R * temp).reshape(shape)}
