import numpy as np


def linear_batched(channel):
    c = channel / 255
    value = np.empty(len(channel))
    test = c <= 0.04045
    k = np.flatnonzero(test)
    value[k] = c[k] / 12.92
    k = np.flatnonzero(~test)
    value[k] = ((c[k] + 0.055) / 1.055) ** 2.4
    return value


def luminance_batched(r, g, b):
    return 0.2126 * linear_batched(r) + 0.7152 * linear_batched(g) + 0.0722 * linear_batched(b)


def contrast(r, g, b, back_r, back_g, back_b, large):
    """contrast, batched: every sample of the arguments at once.

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
    test = dark > light
    dark2 = np.where(test, light, dark)
    light = np.where(test, dark, light)
    ratio = (light + 0.05) / (dark2 + 0.05)
    test = ratio >= np.where(large, 4.5, 7)
    test2 = ratio >= np.where(large, 3, 4.5)
    return (np.where(test, ratio, np.where(test2, ratio, ratio)).reshape(shape),
            np.where(test, "AAA", np.where(test2, "AA", "fails")).reshape(shape))
