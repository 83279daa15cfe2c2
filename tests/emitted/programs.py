"""Functions whose emitted text is kept and reviewed: one for each way of writing that matters.

The samples come on top of these. Each entry of `PROGRAMS` is a function, the arguments that decide
its text, and vmap's `in_axes` where it is not `vectorize` that makes the batched function.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.emitted import arrays


@dataclass(frozen=True)
class Program:
    """A function for one sample and a batch of samples; `looped` where its text holds a loop."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    in_axes: tuple[int | None, ...] | None = None
    looped: bool = False


def overtime(hours, rate):
    """Piecewise linear, early returns: selections only."""
    if hours <= 0:
        return 0.0
    if hours <= 38:
        return hours * rate
    elif hours <= 48:
        return (1.5 * hours - 19) * rate
    return (2 * hours - 43) * rate


def signed_log(x, scale):
    """An operation that may not run for all samples, under a condition."""
    if x > 0:
        y = math.log(x) / scale
    elif x < 0:
        y = -math.log(-x) / scale
    else:
        y = 0.0
    return y * 100


def part_of(part, whole):
    """A guarded division: any shapes broadcast."""
    if whole == 0:
        return 0.0
    return part / whole


def hat(x, left, peak, right):
    """A chain of conditional expressions."""
    return 0.0 if x <= left or x >= right else x - left if x < peak else right - x


def cap_area(lat_1, lat_2, lon_1, lon_2):
    """map() over a fixed tuple, unpacked into the arguments' own names."""
    lat_1, lat_2, lon_1, lon_2 = map(math.radians, (lat_1, lat_2, lon_1, lon_2))
    return 6371.0**2 * abs(math.sin(lat_2) - math.sin(lat_1)) * abs(lon_2 - lon_1)


def drag(re):
    """A chain of branches with a division in some."""
    if re <= 0:
        return math.inf
    elif re < 0.1:
        coefficient = 24 / re
    elif re < 1000:
        coefficient = 24 / re * (1 + 0.15 * re**0.687)
    else:
        coefficient = 0.44
    return coefficient


def wind_chill(celsius, kmh):
    """None where the formula does not hold, which is nan in a column of floats."""
    if celsius > 10 or kmh < 4.8:
        return None
    v = kmh**0.16
    return 13.12 + 0.6215 * celsius - 11.37 * v + 0.3965 * celsius * v


def ellipse(a, b):
    """An inner function and a loop with the same number of turns for every sample."""

    def speed(t):
        return math.sqrt((a * math.sin(t)) ** 2 + (b * math.cos(t)) ** 2)

    if a < 0 or b < 0:
        raise ValueError(f"axes are positive: {a}, {b}")
    panels = 8
    h = math.pi / 2 / panels
    total = speed(0.0) + speed(math.pi / 2)
    for i in range(1, panels):
        total += (4 if i % 2 else 2) * speed(i * h)
    return 4 * total * h / 3


def season(month, day):
    """Tuples in order, and strings for results."""
    if (3, 20) <= (month, day) < (6, 21):
        return "spring"
    if (6, 21) <= (month, day) < (9, 22):
        return "summer"
    return "autumn" if (9, 22) <= (month, day) < (12, 21) else "winter"


def heron(a, b, c):
    """sorted() of a fixed number of values, an assert, and arithmetic under try."""
    a, b, c = sorted((a, b, c), reverse=True)
    assert c > 0, "sides are positive"
    try:
        return math.sqrt((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4
    except ValueError:
        return 0.0


def cubic(p, q):
    """The real roots of x^3 + p x + q as a dict, smallest first."""
    disc = (q / 2) ** 2 + (p / 3) ** 3
    if disc > 0:
        root = math.sqrt(disc)
        x = math.cbrt(-q / 2 + root) + math.cbrt(-q / 2 - root)
        return {"count": 1, "low": x, "high": x}
    if p == 0:
        return {"count": 1, "low": 0.0, "high": 0.0}
    size = 2 * math.sqrt(-p / 3)
    cosine = 3 * q / (p * size)
    angle = math.acos(max(-1.0, min(1.0, cosine))) / 3
    low, high = size * math.cos(angle), size * math.cos(angle - 4 * math.pi / 3)
    if low > high:
        low, high = high, low
    return {"count": 3, "low": low, "high": high}


def hsl(r, g, b):
    """The largest and smallest of three, and which of them it was."""
    high, low = max(r, g, b), min(r, g, b)
    light = (high + low) / 2
    if high == low:
        return 0.0, 0.0, light
    spread = high - low
    saturation = spread / (1 - abs(2 * light - 1))
    if high == r:
        sector = (g - b) / spread % 6
    elif high == g:
        sector = (b - r) / spread + 2
    else:
        sector = (r - g) / spread + 4
    return 60 * sector, saturation, light


def snap(x, step):
    """int(), floor, round and copysign side by side."""
    units = x / step
    away = math.copysign(math.floor(abs(units) + 0.5), units)
    return int(units), round(units), away * step, round(x, 1)


Gains = namedtuple("Gains", "kp ki limit")


def steer(error, total, gains):
    """A settings object that all samples share, and an assignment inside a test."""
    if abs(out := gains.kp * error + gains.ki * total) > gains.limit:
        return math.copysign(gains.limit, out), True
    return out, False


def postage(grams, *, table={20: 0.95, 50: 1.10, 500: 1.80, 1000: 2.90}):
    """A table in a default argument, scanned in order."""
    price = 0.85
    for limit, step in table.items():
        if grams > limit:
            price += step
    return price


def orthodox_easter(year):
    """Integers only: divmod, // and %."""
    a, b, c = year % 4, year % 7, year % 19
    d = (19 * c + 15) % 30
    e = (2 * a + 4 * b - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    return month, day + 1


elu = lambda x, alpha: x if x > 0 else alpha * math.expm1(x)  # noqa: E731


def gray_code(n):
    """Bits, in a loop over a fixed range."""
    code = 0
    for i in range(8):
        code |= (n >> i & 1 ^ n >> i + 1 & 1) << i
    return code


class Tank:
    """A tank with a conical bottom: the method's self is shared by all samples."""

    def __init__(self, radius, cone):
        self.radius = radius
        self.cone = cone

    def cone_volume(self):
        return math.pi * self.radius**2 * self.cone / 3

    def level(self, volume):
        if volume < 0:
            raise ValueError(f"a volume is not negative: {volume}")
        rest = volume - self.cone_volume()
        if rest >= 0:
            return self.cone + rest / (math.pi * self.radius**2)
        return (3 * volume * self.cone**2 / (math.pi * self.radius**2)) ** (1 / 3)


def decibels(power, *, reference=1.0, floor=-120.0):
    """Keyword-only arguments with defaults."""
    ratio = power / reference
    return max(10 * math.log10(ratio), floor) if ratio > 0 else floor


def digit_sum(n):
    """A function that calls itself."""
    if n < 0:
        return digit_sum(-n)
    return n if n < 10 else n % 10 + digit_sum(n // 10)


def band(x, code):
    """An operation that has no rule: that expression alone loops."""
    y = 2 * x + 1
    return y * len(str(code))


def greatest_divisor(a, b):
    """A loop whose number of turns differs between samples."""
    while b:
        a, b = b, a % b
    return a


FEES = {"local": 2.5, "national": 6.0, "abroad": 18.0}


def parcel(row):
    """A row of a table: a check, a table of constants, a dict as the result."""
    if row["weight"] < 0:
        raise ValueError(f"negative weight {row['weight']} to {row['zone']}")
    rate = FEES[row["zone"]]
    free = row["total"] > 100 and row["zone"] != "abroad"
    return {"fee": 0.0 if free else rate + 0.5 * row["weight"], "free": free}


def _yearly(row, rate):
    """Interest of a year, nothing below a limit."""
    if row["balance"] < 100:
        return 0.0
    return row["balance"] * math.expm1(rate)


def savings(row):
    """A row handed on to a helper, and years until it has doubled."""
    goal, years = 2 * row["balance"], 0
    balance = row["balance"] + _yearly(row, 0.02)
    while balance < goal and years < 60:
        balance += row["deposit"] + balance * 0.03
        years += 1
    return years, balance


_rng = np.random.default_rng(1)


def _floats(low: float, high: float, *edges: float) -> np.ndarray:
    return np.concatenate([_rng.uniform(low, high, 200 - len(edges)), edges])


def _ints(low: int, high: int, *edges: int) -> np.ndarray:
    return np.concatenate([_rng.integers(low, high, 200 - len(edges)), np.array(edges, int)])


PROGRAMS = {
    "overtime": Program(overtime, (_floats(-9, 80, 0, 38, 48), _floats(9, 99))),
    "signed_log": Program(signed_log, (_floats(-3, 3, 0, -0.0), 2.5), in_axes=(0, None)),
    "part_of": Program(part_of, (_floats(-9, 9), _ints(-3, 4, 0))),
    "hat": Program(hat, (_floats(-2, 2, -1, 0, 1), -1.0, 0.25, 1.0)),
    "cap_area": Program(cap_area, tuple(_floats(-90, 90) for _ in range(4))),
    "drag": Program(drag, (_floats(-1, 3, 0, 0.05, 900, 1000, 5000),)),
    "wind_chill": Program(wind_chill, (_floats(-30, 20), _floats(0, 60))),
    "ellipse": Program(ellipse, (_floats(0, 5, 0), _floats(0, 5, 0))),
    "season": Program(season, (_ints(1, 13, 3, 6, 9, 12), _ints(1, 31, 20, 21, 22, 21))),
    "heron": Program(heron, tuple(_floats(1, 3, 4) for _ in range(3))),
    "cubic": Program(cubic, (_floats(-5, 5, 0, -3), _floats(-3, 3, 0, 2))),
    "hsl": Program(hsl, tuple(_floats(0, 1, 0.5, 0.1) for _ in range(3))),
    "snap": Program(snap, (_floats(-9, 9, 0.25, -0.25), 0.5), in_axes=(0, None)),
    "steer": Program(
        steer, (_floats(-3, 3), _floats(-9, 9), Gains(2.0, 0.3, 4.0)), in_axes=(0, 0, None)
    ),
    "postage": Program(postage, (_ints(1, 2000, 20, 500),)),
    "orthodox_easter": Program(orthodox_easter, (_ints(1583, 2500),)),
    "elu": Program(elu, (_floats(-5, 5, 0), 0.1)),
    "gray_code": Program(gray_code, (_ints(0, 256, 0, 255),)),
    "tank": Program(Tank(1.5, 2.0).level, (_floats(0, 40, 0),)),
    "decibels": Program(decibels, (_floats(-0.1, 1, 0, 1e-300),)),
    "parcel": Program(
        parcel,
        (
            {
                "weight": _floats(0, 9, 0),
                "zone": _rng.choice(list(FEES), 200),
                "total": _floats(0, 200, 100),
            },
        ),
    ),
    "savings": Program(savings, ({"balance": _floats(0, 900, 0, 100), "deposit": _floats(0, 50)},)),
    "digit_sum": Program(digit_sum, (_ints(-99_999, 99_999, 0),), looped=True),
    "band": Program(band, (_floats(-2, 2), _ints(0, 10**6)), looped=True),
    "greatest_divisor": Program(greatest_divisor, (_ints(1, 999), _ints(0, 999)), looped=True),
    "softmax": Program(arrays.softmax, (_rng.normal(size=(50, 5)),), in_axes=(0,)),
    "perceptron": Program(
        arrays.perceptron,
        (_rng.normal(size=(50, 3)), _rng.normal(size=(4, 3)), np.ones(4), _rng.normal(size=(2, 4))),
        in_axes=(0, None, None, None),
    ),
    "standardised": Program(
        arrays.standardised, (np.vstack([np.ones((3, 4)), _rng.normal(size=(9, 4))]),), in_axes=(0,)
    ),
    "one_hot": Program(arrays.one_hot, (_ints(-4, 4), _floats(0, 2)), in_axes=(0, 0)),
    "smoothed": Program(arrays.smoothed, (_rng.normal(size=(20, 6)), 2), in_axes=(0, None)),
    "power_step": Program(
        arrays.power_step,
        (np.eye(3) * [3.0, 1.0, 0.5] + _rng.normal(size=(20, 3, 3)) / 20, np.ones(3)),
        in_axes=(0, None),
    ),
    "signed_area": Program(arrays.signed_area, (_rng.normal(size=(20, 5, 2)),), in_axes=(0,)),
}
