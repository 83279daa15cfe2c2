import numpy as np


def level_batched(self, x):
    """The level after compression of a level in dB."""
    over = x - self.threshold
    out = x.copy()
    below = 2 * over < -self.knee
    below2 = 2 * np.abs(over) <= self.knee
    k = np.flatnonzero(~below & below2)
    if k.size:
        out[k] = x[k] + (1 / self.ratio - 1) * (over[k] + self.knee / 2) ** 2 / (2 * self.knee)
    k = np.flatnonzero(~(below | below2))
    out[k] = self.threshold + over[k] / self.ratio
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
