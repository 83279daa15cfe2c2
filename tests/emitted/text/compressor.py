import numpy as np


def level_batched(self, x):
    over = x - self.threshold
    out = np.empty(len(x))
    test = 2 * over < -self.knee
    k = np.flatnonzero(test)
    out[k] = x[k]
    k = np.flatnonzero(~test)
    if k.size:
        test2 = 2 * np.abs(over[k]) <= self.knee
        k2 = k[test2]
        if k2.size:
            out[k2] = (x[k2]
                       + (1 / self.ratio - 1) * (over[k2] + self.knee / 2) ** 2 / (2 * self.knee))
        k2 = k[~test2]
        out[k2] = self.threshold + over[k2] / self.ratio
    return out


def process(self, sample):
    """process, batched: every sample of the arguments at once.

    Batched: sample (arrays that broadcast).
    Shared: self.
    """
    shape, sample = np.shape(sample), np.ravel(sample)
    out = np.zeros(len(sample))
    test = sample == 0.0
    k = np.flatnonzero(~test)
    if k.size:
        x = 20 * np.log10(np.abs(sample[k]))
        test2 = x < self.gate
        out[k[test2]] = 0.0
        j2 = np.flatnonzero(~test2)
        k2 = k[j2]
        if k2.size:
            x_k = x[j2]
            out[k2] = sample[k2] * 10 ** ((level_batched(self, x_k) - x_k + self.makeup) / 20)
    return out.reshape(shape)
