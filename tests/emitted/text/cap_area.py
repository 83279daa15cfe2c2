import numpy as np


def cap_area(lat_1, lat_2, lon_1, lon_2):
    """map() over a fixed tuple, unpacked into the arguments' own names.

    Batched: lat_1, lat_2, lon_1, lon_2 (arrays that broadcast).
    """
    lat_1 = np.radians(lat_1)
    lat_2 = np.radians(lat_2)
    lon_1 = np.radians(lon_1)
    lon_2 = np.radians(lon_2)
    return 6371.0 ** 2 * np.abs(np.sin(lat_2) - np.sin(lat_1)) * np.abs(lon_2 - lon_1)
