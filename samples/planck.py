"""Physics: the spectral radiance of a black body, and where its peak lies.

Source: M. Planck, Ueber das Gesetz der Energieverteilung im Normalspectrum (1901); constants of
the SI (exact since 2019). Far into the Wien side the exponential overflows: nothing is left there.
"""

import math

import numpy as np

import autovec

H, C, K = 6.62607015e-34, 299_792_458.0, 1.380649e-23


@autovec.vectorize
def planck(wavelength, temperature):
    """(radiance in W/(m^2 sr m), whether the peak is at a shorter wavelength)."""
    if temperature < 0:
        raise ValueError("temperatures are absolute")
    if temperature == 0:
        return 0.0, False
    try:
        photons = 1 / math.expm1(H * C / (wavelength * K * temperature))
    except OverflowError:
        photons = 0.0
    return 2 * H * C**2 / wavelength**5 * photons, wavelength * temperature > 2.897771955e-3


def draw(n):
    """n wavelengths from the ultraviolet to the far infrared, and temperatures."""
    rng = np.random.default_rng(0)
    return 10 ** rng.uniform(-7.5, -4, n), rng.choice([0.0, 3.0, 77.0, 300.0, 1e3, 5772.0, 3e4], n)


if __name__ == "__main__":
    arguments = draw(1000)
    print(planck.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [planck.__wrapped__(*sample) for sample in samples]
    np.testing.assert_allclose(np.stack(planck(*arguments), axis=-1), loop, rtol=1e-12)
    print("1000 samples: equal to the plain loop")
