import numpy as np


def level_batched(self, x):
    """The level after compression of a level in dB."""
    over = x - self.threshold
    out = x.copy()
    k = np.flatnonzero(~(2 * over < -self.knee))
    if k.size:
        test = 2 * np.abs(over[k]) <= self.knee
        k2 = k[test]
        if k2.size:
            out[k2] = (x[k2]
                       + (1 / self.ratio - 1) * (over[k2] + self.knee / 2) ** 2 / (2 * self.knee))
        k2 = k[~test]
        out[k2] = self.threshold + over[k2] / self.ratio
    return out


def process(self, sample):
    """The sample as it leaves the channel.

    Batched: sample (arrays that broadcast).
    Shared: self.
    """
    shape, sample = np.shape(sample), np.ravel(sample)
    out = np.zeros(len(sample))
    k = np.flatnonzero(~(sample == 0.0))
    if k.size:
        x = 20 * np.log10(np.abs(sample[k]))
        j2 = np.flatnonzero(~(x < self.gate))
        k2 = k[j2]
        if k2.size:
            x_k = x[j2]
            out[k2] = sample[k2] * 10 ** ((level_batched(self, x_k) - x_k + self.makeup) / 20)
    return out.reshape(shape)
