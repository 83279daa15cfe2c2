import numpy as np

C = 299792458.0
H = 6.62607015e-34
K = 1.380649e-23


def planck(wavelength, temperature):
    """(radiance in W/(m^2 sr m), whether the peak is at a shorter wavelength).

    Batched: wavelength, temperature (arrays that broadcast).
    """
    wavelength, temperature = np.broadcast_arrays(wavelength, temperature)
    shape, wavelength, temperature = wavelength.shape, wavelength.ravel(), temperature.ravel()
    n = len(wavelength)
    if np.any(temperature < 0):
        raise ValueError("temperatures are absolute")
    out0 = np.zeros(n)
    out1 = np.zeros(n, bool)
    k = np.flatnonzero(~(temperature == 0))
    wavelength_k = wavelength[k]
    ratio = H * C / (wavelength_k * K * temperature[k])
    with np.errstate(all="ignore"):
        expm1 = np.expm1(ratio)
    photons = np.divide(1, expm1, out=np.zeros(len(k)),
                        where=~(np.isinf(expm1) & np.isfinite(ratio)))
    out0[k] = 2 * H * C ** 2 / ((wavelength_k * wavelength_k) ** 2 * wavelength_k) * photons
    out1[k] = wavelength_k * temperature[k] > 2.897771955e-3
    return out0.reshape(shape), out1.reshape(shape)
