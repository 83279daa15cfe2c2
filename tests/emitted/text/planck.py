import numpy as np

C = 299792458.0
H = 6.62607015e-34
K = 1.380649e-23


def planck(wavelength, temperature):
    """planck, batched: every sample of the arguments at once.

    Batched: wavelength, temperature (arrays that broadcast).
    """
    wavelength, temperature = np.broadcast_arrays(wavelength, temperature)
    shape, wavelength, temperature = wavelength.shape, wavelength.ravel(), temperature.ravel()
    n = len(wavelength)
    if np.any(temperature < 0):
        raise ValueError("temperatures are absolute")
    out0 = np.zeros(n)
    out1 = np.zeros(n, bool)
    test = temperature == 0
    k = np.flatnonzero(~test)
    wavelength_k = wavelength[k]
    part3 = H * C
    part5 = wavelength_k * K
    part4 = part5 * temperature[k]
    part2 = part3 / part4
    with np.errstate(all="ignore"):
        part1 = np.expm1(part2)
    photons = np.zeros(len(k))
    j2 = np.flatnonzero(~(np.isinf(part1) & np.isfinite(part2)))
    photons[j2] = 1 / part1[j2]
    out0[k] = 2 * H * C ** 2 / ((wavelength_k * wavelength_k) ** 2 * wavelength_k) * photons
    out1[k] = wavelength_k * temperature[k] > 0.002897771955
    return out0.reshape(shape), out1.reshape(shape)
