import numpy as np


def linear_batched(channel):
    """An sRGB channel from 0 to 255 as linear light from 0 to 1."""
    c = channel / 255
    value = np.empty(len(channel))
    low = c <= 0.04045
    k = np.flatnonzero(low)
    value[k] = c[k] / 12.92
    k = np.flatnonzero(~low)
    value[k] = ((c[k] + 0.055) / 1.055) ** 2.4
    return value


def luminance_batched(r, g, b):
    """Relative luminance: 0 for black, 1 for white."""
    return 0.2126 * linear_batched(r) + 0.7152 * linear_batched(g) + 0.0722 * linear_batched(b)


def contrast(r, g, b, back_r, back_g, back_b, large):
    """(contrast ratio from 1 to 21, level that the text conforms to).

    Batched: r, g, b, back_r, back_g, back_b, large (arrays that broadcast).
    """
    r, g, b, back_r, back_g, back_b, large = np.broadcast_arrays(r, g, b, back_r, back_g, back_b,
                                                                 large)
    shape, r, g, b, back_r, back_g, back_b, large = (r.shape,
                                                     r.ravel(),
                                                     g.ravel(),
                                                     b.ravel(),
                                                     back_r.ravel(),
                                                     back_g.ravel(),
                                                     back_b.ravel(),
                                                     large.ravel())
    dark = luminance_batched(r, g, b)
    light = luminance_batched(back_r, back_g, back_b)
    above = dark > light
    dark2 = np.where(above, light, dark)
    light = np.where(above, dark, light)
    ratio = (light + 0.05) / (dark2 + 0.05)
    return (ratio.reshape(shape),
            np.where(ratio >= np.where(large, 4.5, 7), "AAA",
            np.where(ratio >= np.where(large, 3, 4.5), "AA",
                     "fails")).reshape(shape))
