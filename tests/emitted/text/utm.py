import numpy as np

ALPHA = 0.0008377318188192541, 7.608496958699166e-7, 1.2034877875966646e-9
RADIUS = 6367.449145823416
ROOT = 0.08181919084262149


def to_int(x):
    """int(x): truncates; a lane that is nan, infinite or beyond int64 raises."""
    x = np.asarray(x)
    if x.dtype.kind == "f":
        limit = np.float64(2 ** 63)
        bad = ~((x >= -limit) & (x < limit))
        if bad.any():
            int(x[bad][0])
            raise OverflowError("result too large for int64")
    elif x.dtype.kind == "u" and (x > 2 ** 63 - 1).any():
        raise OverflowError("result too large for int64")
    return x.astype(int)


def zone_of_batched(lat, lon):
    """The zone from 1 to 60, with the exceptions west of Norway and around Svalbard."""
    out = np.full(len(lat), 32)
    both = (56 <= lat) & (lat < 64) & (3 <= lon) & (lon < 12)
    both2 = (72 <= lat) & (lat <= 84) & (0 <= lon) & (lon < 42)
    k = np.flatnonzero(~both & both2)
    lon_k = lon[k]
    out[k] = np.where(lon_k < 9, 31,
             np.where(lon_k < 21, 33,
             np.where(lon_k < 33, 35,
                      37)))
    k = np.flatnonzero(~(both | both2))
    out[k] = to_int((lon[k] + 180) // 6) % 60 + 1
    return out


def utm(lat, lon):
    """(zone, easting, northing) in kilometres; southern northings count from 10,000 km.

    Batched: lat, lon (arrays that broadcast).
    """
    lat, lon = np.broadcast_arrays(lat, lon)
    shape, lat, lon = lat.shape, lat.ravel(), lon.ravel()
    n = len(lat)
    bad = ~((-80 <= lat) & (lat <= 84))
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"latitude {lat[lane].item()} has no UTM zone")
    zone = zone_of_batched(lat, lon)
    s = np.sin(np.radians(lat))
    turn = np.radians(lon - (6 * zone - 183))
    t = np.sinh(np.arctanh(s) - ROOT * np.arctanh(ROOT * s))
    xi = np.arctan2(t, np.cos(turn))
    eta = np.arctanh(np.sin(turn) / np.sqrt(1 + t * t))
    total = np.zeros(n)
    for j, a in enumerate(ALPHA, 1):
        total = total + a * np.cos(2 * j * xi) * np.sinh(2 * j * eta)
    east = eta + total
    total = np.zeros(n)
    for j, a in enumerate(ALPHA, 1):
        total = total + a * np.sin(2 * j * xi) * np.cosh(2 * j * eta)
    north = xi + total
    false_northing = np.where(lat < 0, 10_000, 0)
    return (zone.copy().reshape(shape),
            (500 + 0.9996 * RADIUS * east).reshape(shape),
            (false_northing + 0.9996 * RADIUS * north).reshape(shape))
