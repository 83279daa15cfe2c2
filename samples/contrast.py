"""Accessibility: can this text be read on that background?

Source: W3C, Web Content Accessibility Guidelines 2.2, relative luminance and contrast ratio;
success criteria 1.4.3 (AA) and 1.4.6 (AAA).
"""

import numpy as np

import autovec


def linear(channel):
    """An sRGB channel from 0 to 255 as linear light from 0 to 1."""
    c = channel / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def luminance(r, g, b):
    """Relative luminance: 0 for black, 1 for white."""
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)


@autovec.vectorize
def contrast(r, g, b, back_r, back_g, back_b, large):
    """(contrast ratio from 1 to 21, level that the text conforms to)."""
    dark, light = luminance(r, g, b), luminance(back_r, back_g, back_b)
    if dark > light:
        dark, light = light, dark
    ratio = (light + 0.05) / (dark + 0.05)
    if ratio >= (4.5 if large else 7):
        return ratio, "AAA"
    if ratio >= (3 if large else 4.5):
        return ratio, "AA"
    return ratio, "fails"


def draw(n):
    """n colours of text and of background, and whether the text is large."""
    rng = np.random.default_rng(0)
    return (*rng.integers(0, 256, (6, n)), rng.random(n) < 0.3)


if __name__ == "__main__":
    arguments = draw(1000)
    print(contrast.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    ratio, level = zip(*(contrast.__wrapped__(*sample) for sample in samples), strict=True)
    np.testing.assert_allclose(contrast(*arguments)[0], ratio, rtol=1e-12)
    np.testing.assert_array_equal(contrast(*arguments)[1], level)
    print("1000 samples: equal to the plain loop")
