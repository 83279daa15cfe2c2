"""Audio: the gain computer of a dynamic range compressor with a soft knee and a noise gate.

Source: D. Giannoulis, M. Massberg and J. Reiss, Digital Dynamic Range Compressor Design: A Tutorial
and Analysis (2012), equation 4.
"""

import math

import numpy as np

import autovec


class Compressor:
    """Settings of one channel, all in decibels but for the ratio."""

    def __init__(self, threshold, ratio, knee, gate, makeup=0.0):
        self.threshold = threshold
        self.ratio = ratio
        self.knee = knee
        self.gate = gate
        self.makeup = makeup

    def level(self, x):
        """The level after compression of a level in dB."""
        over = x - self.threshold
        if 2 * over < -self.knee:
            return x
        if 2 * abs(over) <= self.knee:
            return x + (1 / self.ratio - 1) * (over + self.knee / 2) ** 2 / (2 * self.knee)
        return self.threshold + over / self.ratio

    @autovec.vectorize
    def process(self, sample):
        """The sample as it leaves the channel."""
        if sample == 0.0:
            return 0.0
        x = 20 * math.log10(abs(sample))
        if x < self.gate:
            return 0.0
        return sample * 10 ** ((self.level(x) - x + self.makeup) / 20)


compressor = Compressor(threshold=-18.0, ratio=4.0, knee=6.0, gate=-70.0, makeup=3.0).process


def draw(n):
    """n samples of a decaying tone in a little noise, with silence at its end."""
    rng = np.random.default_rng(0)
    t = np.arange(n) / n
    sound = np.exp(-6 * t) * np.sin(440 * t) + rng.normal(0, 1e-3, n) * (t < 0.7)
    return (np.where(t < 0.9, sound, 0.0),)


if __name__ == "__main__":
    arguments = draw(1000)
    print(compressor.emit(*arguments))
    loop = [compressor.__wrapped__(sample) for sample in arguments[0].tolist()]
    np.testing.assert_allclose(compressor(*arguments), loop, rtol=1e-12)
    print("1000 samples: equal to the plain loop")
