"""The samples as a careful person writes them in NumPy: the measure of the emitted texts.

Each obeys the law: the loop's values, dtypes and errors; nothing that can fail or warn runs for a
sample that does not take that branch. None knows more about its numbers than the function says.
Arguments are arrays of one axis, as the samples' `draw` gives them. They were written before the
emitted texts were looked at, and stay as they are: a text that is slower than these is the
compiler's to improve.
"""

from __future__ import annotations

import math

import numpy as np

from samples.atmosphere import G0, LAYERS, R
from samples.clean_reading import MISSING
from samples.normal_quantile import CENTRE, SHOULDER, TAIL
from samples.pipe import GRAVITY, VISCOSITY
from samples.planck import C, H, K
from samples.sunrise import ZENITH, Day
from samples.tax import SOLI_FREE
from samples.utm import ALPHA, RADIUS, ROOT
from samples.water_bill import PRICES


def tariff(income):
    x = np.floor(income).astype(int)
    due = np.zeros(len(x), int)
    k = np.flatnonzero((x > 12_096) & (x <= 17_443))
    y = (x[k] - 12_096) / 10_000
    due[k] = np.floor((932.30 * y + 1_400) * y)
    k = np.flatnonzero((x > 17_443) & (x <= 68_480))
    z = (x[k] - 17_443) / 10_000
    due[k] = np.floor((176.64 * z + 2_397) * z + 1_015.13)
    k = np.flatnonzero((x > 68_480) & (x <= 277_825))
    due[k] = np.floor(0.42 * x[k] - 10_911.92)
    k = np.flatnonzero(x > 277_825)
    due[k] = np.floor(0.45 * x[k] - 19_246.67)
    return due


def tax(income, couple):
    if np.isnan(income).any():
        raise ValueError("income is missing")
    if np.isinf(income).any():
        raise OverflowError("cannot convert float infinity to integer")
    people = np.where(couple, 2, 1)
    due = people * tariff(income / people)
    over = due - people * SOLI_FREE
    soli = np.zeros(len(due))
    k = np.flatnonzero(over > 0)
    soli[k] = np.floor(100 * np.minimum(0.055 * due[k], 0.119 * over[k])) / 100
    return due, soli


def cents(x):
    """round(x, 2) as Python has it: exact where scaling by 100 might round across a half."""
    scaled = x * 100
    result = np.rint(scaled) / 100
    near_half = np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-6 + np.abs(scaled) * 1e-15
    k = np.flatnonzero(near_half & (np.abs(scaled) < 2**52))
    result[k] = [round(v, 2) for v in x[k].tolist()]
    return result


def loan(principal, annual_rate, months):
    bad = (principal <= 0) | (months < 1)
    if bad.any():
        k = bad.argmax()
        raise ValueError(f"no loan: {principal[k]} over {months[k]} months")
    principal = np.where(principal >= 1000, principal + 25.0, principal)
    rate = annual_rate / 12
    growth = (1 + rate) ** months
    flat = growth == 1
    payment = principal * rate * growth
    payment /= np.where(flat, 1.0, growth - 1)
    payment[flat] = principal[flat] / months[flat]
    payment = cents(payment)
    interest = payment * months - principal
    return payment, cents(np.where(0.0 > interest, 0.0, interest))


def water_bill(use, households, metered):
    standing, discount = 24.0, 0.03
    bill = standing + 61.5 * households
    k = np.flatnonzero(metered)
    use, households = use[k], households[k]
    bad = use < 0
    if bad.any():
        raise ValueError(f"the meter runs backwards: {use[bad.argmax()]}")
    share = use / households
    total, used = np.zeros(len(k)), 0.0
    for end, price in PRICES:
        total += price * np.maximum(np.minimum(share, end) - used, 0.0)
        used = end
    total = np.where(share > used, total + 2 * PRICES[-1][1] * (share - used), total)
    total = standing + total * households
    bill[k] = np.where(total > 500, total * (1 - discount), total)
    return bill


def sines(angle):
    """Cosine and sine of the angle, once for all the terms."""
    return np.cos(angle), np.sin(angle)


def sunrise(day_of_year, latitude, longitude):
    if not ((-90 < latitude) & (latitude < 90)).all():
        raise AssertionError("no sunrise at a pole")
    angle = 2 * math.pi / 365 * (day_of_year - 1)
    (c1, s1), (c2, s2), (c3, s3) = sines(angle), sines(2 * angle), sines(3 * angle)
    tilt = (
        0.006918 - 0.399912 * c1 + 0.070257 * s1 - 0.006758 * c2 + 0.000907 * s2
        - 0.002697 * c3 + 0.00148 * s3
    )  # fmt: skip
    phi = np.radians(latitude)
    c = math.cos(ZENITH) / (np.cos(phi) * np.cos(tilt)) - np.tan(phi) * np.tan(tilt)
    rise, fall = np.full((2, len(c)), math.nan)
    hours = np.where(c < -1, 24.0, 0.0)
    k = np.flatnonzero(~((c > 1) | (c < -1)))
    c1, s1, c2, s2 = c1[k], s1[k], c2[k], s2[k]
    half = np.degrees(np.arccos(c[k]))
    equation = 229.18 * (
        0.000075 + 0.001868 * c1 - 0.032077 * s1 - 0.014615 * c2 - 0.040849 * s2
    )  # fmt: skip
    noon = 720 - 4 * longitude[k] - equation
    rise[k] = (noon - 4 * half) % 1440
    fall[k] = (noon + 4 * half) % 1440
    hours[k] = half * 2 / 15
    return Day(rise, fall, hours)


def zone_of(lat, lon):
    zone = ((lon + 180) // 6).astype(int) % 60 + 1
    svalbard = (72 <= lat) & (lat <= 84) & (0 <= lon) & (lon < 42)
    east = np.where(lon < 9, 31, np.where(lon < 21, 33, np.where(lon < 33, 35, 37)))
    norway = (56 <= lat) & (lat < 64) & (3 <= lon) & (lon < 12)
    return np.where(norway, 32, np.where(svalbard, east, zone))


def utm(lat, lon):
    bad = ~((-80 <= lat) & (lat <= 84))
    if bad.any():
        raise ValueError(f"latitude {lat[bad.argmax()]} has no UTM zone")
    zone = zone_of(lat, lon)
    s = np.sin(np.radians(lat))
    turn = np.radians(lon - (6 * zone - 183))
    t = np.sinh(np.arctanh(s) - ROOT * np.arctanh(ROOT * s))
    xi = np.arctan2(t, np.cos(turn))
    eta = np.arctanh(np.sin(turn) / np.sqrt(1 + t * t))
    east, north = eta, xi
    for j, a in enumerate(ALPHA, 1):
        east = east + a * np.cos(2 * j * xi) * np.sinh(2 * j * eta)
        north = north + a * np.sin(2 * j * xi) * np.cosh(2 * j * eta)
    false_northing = np.where(lat < 0, 10_000, 0)
    return zone, 500 + 0.9996 * RADIUS * east, false_northing + 0.9996 * RADIUS * north


def heat_index(t, rh):
    simple = 0.5 * (t + 61.0 + (t - 68.0) * 1.2 + rh * 0.094)
    k = np.flatnonzero(~((simple + t) / 2 < 80.0))
    t, rh = t[k], rh[k]
    t2, rh2 = t * t, rh * rh
    hi = (
        -42.379 + 2.04901523 * t + 10.14333127 * rh - 0.22475541 * t * rh - 6.83783e-3 * t2
        - 5.481717e-2 * rh2 + 1.22874e-3 * t2 * rh + 8.5282e-4 * t * rh2 - 1.99e-6 * t2 * rh2
    )  # fmt: skip
    dry = np.flatnonzero((rh < 13) & (80 <= t) & (t <= 112))
    hi[dry] -= (13 - rh[dry]) / 4 * np.sqrt((17 - np.abs(t[dry] - 95)) / 17)
    wet = np.flatnonzero((rh > 85) & (80 <= t) & (t <= 87))
    hi[wet] += (rh[wet] - 85) / 10 * (87 - t[wet]) / 5
    simple[k] = hi
    return simple


def atmosphere(height):
    h = 6_356_766.0 * height / (6_356_766.0 + height)
    bad = (h < 0.0) | (h > 47_000.0)
    if bad.any():
        raise ValueError(f"height {height[bad.argmax()]} m is outside the table")
    temp, pressure = np.full(len(h), 288.15), np.full(len(h), 101_325.0)
    for bottom, top, lapse in LAYERS:
        k = np.flatnonzero(h > bottom)
        rise = np.minimum(h[k], top) - bottom
        before = temp[k]
        if lapse == 0.0:
            pressure[k] *= np.exp(-G0 * rise / (R * before))
        else:
            warmer = before + lapse * rise
            pressure[k] *= (warmer / before) ** (-G0 / (lapse * R))
            temp[k] = warmer
    density = pressure / (R * temp)
    sound = np.sqrt(1.4 * R * temp)
    return {"temperature": temp, "pressure": pressure, "density": density, "sound": sound}


def friction_factor(re, roughness):
    f = np.empty(len(re))
    laminar, turbulent = re < 2000, re > 4000
    k = np.flatnonzero(laminar)
    f[k] = 64 / re[k]
    k = np.flatnonzero(turbulent)
    f[k] = 0.25 / np.log10(roughness[k] / 3.7 + 5.74 / re[k] ** 0.9) ** 2
    k = np.flatnonzero(~(laminar | turbulent))
    re, roughness = re[k], roughness[k]
    y2 = roughness / 3.7 + 5.74 / re**0.9
    y3 = -0.86859 * np.log(roughness / 3.7 + 5.74 / 4000**0.9)
    fa = 1 / (y3 * y3)
    fb = fa * (2 - 0.00514215 / (y2 * y3))
    r = re / 2000
    x1 = 7 * fa - fb
    x2 = 0.128 - 17 * fa + 2.5 * fb
    x3 = -0.128 + 13 * fa - 2 * fb
    x4 = r * (0.032 - 3 * fa + 0.5 * fb)
    f[k] = x1 + r * (x2 + r * (x3 + x4))
    return f


def pipe(flow, diameter, length):
    roughness = 0.26e-3
    if ((diameter <= 0) | (length < 0)).any():
        raise ValueError("a pipe has a diameter and a length")
    lost = np.zeros(len(flow))
    k = np.flatnonzero(flow != 0)
    flow, diameter, length = flow[k], diameter[k], length[k]
    speed = 4 * np.abs(flow) / (math.pi * (diameter * diameter))
    f = friction_factor(speed * diameter / VISCOSITY, roughness / diameter)
    lost[k] = np.copysign(f * length / diameter * (speed * speed) / (2 * GRAVITY), flow)
    return lost


def planck(wavelength, temperature):
    if (temperature < 0).any():
        raise ValueError("temperatures are absolute")
    radiance, short = np.zeros(len(wavelength)), np.zeros(len(wavelength), bool)
    k = np.flatnonzero(temperature != 0)
    wavelength, temperature = wavelength[k], temperature[k]
    with np.errstate(over="ignore"):
        photons = 1 / np.expm1(H * C / (wavelength * K * temperature))  # overflow leaves 0 of them
    squared = wavelength * wavelength
    radiance[k] = 2 * H * C**2 / (squared * squared * wavelength) * photons
    short[k] = wavelength * temperature > 2.897771955e-3
    return radiance, short


def weight_at(z, l, m, s):
    weight = np.empty(len(l))
    normal = l == 0
    k = np.flatnonzero(normal)
    weight[k] = m[k] * np.exp(s[k] * z)
    k = np.flatnonzero(~normal)
    weight[k] = m[k] * (1 + l[k] * s[k] * z) ** (1 / l[k])
    return weight


def growth_z(weight, l, m, s):
    bad = ~(weight > 0)
    if bad.any():
        raise ValueError(f"a child weighs more than {weight[bad.argmax()]} kg")
    z = np.empty(len(weight))
    normal = l == 0
    k = np.flatnonzero(normal)
    z[k] = np.log(weight[k] / m[k]) / s[k]
    k = np.flatnonzero(~normal)
    z[k] = ((weight[k] / m[k]) ** l[k] - 1) / (l[k] * s[k])
    above, below = np.flatnonzero(z > 3), np.flatnonzero(z < -3)
    for k, side in ((above, 1), (below, -1)):
        reference = l[k], m[k], s[k]
        three = weight_at(side * 3, *reference)
        step = side * (three - weight_at(side * 2, *reference))
        z[k] = side * 3 + (weight[k] - three) / step
    return z


def leap(year):
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def weeks_in(year):
    y = year - 1
    first = (1 + y * 365 + y // 4 - y // 100 + y // 400) % 7
    return np.where((first == 4) | ((first == 3) & leap(year)), 53, 52)


def iso_week(year, month, day):
    bad = (month < 1) | (month > 12)
    if bad.any():
        k = bad.argmax()
        raise ValueError(f"month {month[k]} of {year[k]}")
    ordinal = (367 * month - 362) // 12 + day
    ordinal = np.where(month > 2, ordinal - np.where(leap(year), 1, 2), ordinal)
    y = year - 1
    weekday = (ordinal + y * 365 + y // 4 - y // 100 + y // 400 - 1) % 7 + 1
    week = (ordinal - weekday + 10) // 7
    k = np.flatnonzero(week < 1)
    after = week > weeks_in(year)
    year, week = np.where(after, year + 1, year), np.where(after, 1, week)
    year[k], week[k] = y[k], weeks_in(y[k])
    return year, week, weekday


def hue(a, b):
    return np.where((a == 0) & (b == 0), 0.0, np.degrees(np.arctan2(b, a)) % 360)


def share(chroma):
    c2 = chroma * chroma
    c7 = c2 * c2 * c2 * chroma
    return np.sqrt(c7 / (c7 + 25**7))


def delta_e(l1, a1, b1, l2, a2, b2):
    g = 1 + 0.5 * (1 - share((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2))
    a1, a2 = g * a1, g * a2
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = hue(a1, b1), hue(a2, b2)
    turn = h2 - h1
    h = h1 + h2
    grey, near = c1 * c2 == 0, np.abs(turn) <= 180
    h = np.where(grey, h, np.where(near, h, np.where(h < 360, h + 360, h - 360)) / 2)
    far = np.where(turn > 180, turn - 360, turn + 360)
    turn = np.where(grey, 0.0, np.where(near, turn, far))
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * np.cos(np.radians(h - 30))
        + 0.24 * np.cos(np.radians(2 * h))
        + 0.32 * np.cos(np.radians(3 * h + 6))
        - 0.20 * np.cos(np.radians(4 * h - 63))
    )
    l50 = (l - 50) * (l - 50)
    dl = (l2 - l1) / (1 + 0.015 * l50 / np.sqrt(20 + l50))
    dc = (c2 - c1) / (1 + 0.045 * c)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * c * t)
    off = (h - 275) / 25
    blue = 30 * np.exp(-off * off)
    rotation = -2 * share(c) * np.sin(np.radians(2 * blue))
    return np.sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh)


def linear(channel):
    c = channel / 255
    light = c / 12.92
    k = np.flatnonzero(~(c <= 0.04045))
    light[k] = ((c[k] + 0.055) / 1.055) ** 2.4
    return light


def luminance(r, g, b):
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)


def contrast(r, g, b, back_r, back_g, back_b, large):
    dark, light = luminance(r, g, b), luminance(back_r, back_g, back_b)
    swap = dark > light
    dark, light = np.where(swap, light, dark), np.where(swap, dark, light)
    ratio = (light + 0.05) / (dark + 0.05)
    best, good = ratio >= np.where(large, 4.5, 7), ratio >= np.where(large, 3, 4.5)
    return ratio, np.where(best, "AAA", np.where(good, "AA", "fails"))


def compressor(sample):
    threshold, ratio, knee, gate, makeup = -18.0, 4.0, 6.0, -70.0, 3.0
    out = np.zeros(len(sample))
    k = np.flatnonzero(sample != 0.0)
    x = 20 * np.log10(np.abs(sample[k]))
    loud = ~(x < gate)
    k, x = k[loud], x[loud]
    over = x - threshold
    inside = over + knee / 2
    level = np.where(
        2 * over < -knee, x,
        np.where(2 * np.abs(over) <= knee, x + (1 / ratio - 1) * (inside * inside) / (2 * knee),
                 threshold + over / ratio),
    )  # fmt: skip
    out[k] = sample[k] * 10 ** ((level - x + makeup) / 20)
    return out


def clean_reading(value, unit, previous):
    missing = np.isnan(value) | np.isin(value, MISSING)
    celsius_unit = (unit == "C") | (unit == "c")
    fahrenheit = (unit == "F") | (unit == "f")
    kelvin = unit == "K"
    unknown = ~(missing | celsius_unit | fahrenheit | kelvin)
    if unknown.any():
        raise ValueError(f"unknown unit {unit[unknown.argmax()]}")
    celsius = np.where(
        celsius_unit, value, np.where(fahrenheit, (value - 32) / 1.8, value - 273.15)
    )
    impossible = ~((-80 <= celsius) & (celsius <= 60))
    jump = np.abs(celsius - previous) > 10  # false where there is none: nan
    flag = np.where(
        missing, "missing", np.where(impossible, "impossible", np.where(jump, "jump", "ok"))
    )
    return np.where(missing | impossible, math.nan, celsius), flag


def rational(pair, x):
    above, below = np.zeros(len(x)), np.zeros(len(x))
    for c, d in zip(*pair, strict=True):
        above = above * x + c
        below = below * x + d
    return above / below


def normal_quantile(p):
    if ((p <= 0.0) | (p >= 1.0)).any():
        raise ValueError("p must lie between 0 and 1")
    q = p - 0.5
    x = np.empty(len(p))
    centre = np.abs(q) <= 0.425
    k = np.flatnonzero(centre)
    x[k] = q[k] * rational(CENTRE, 0.180625 - q[k] * q[k])
    k = np.flatnonzero(~centre)
    low = q[k] < 0.0
    r = np.sqrt(-np.log(np.where(low, p[k], 1.0 - p[k])))
    far = np.empty(len(k))
    near = r <= 5.0
    j = np.flatnonzero(near)
    far[j] = rational(SHOULDER, r[j] - 1.6)
    j = np.flatnonzero(~near)
    far[j] = rational(TAIL, r[j] - 5.0)
    x[k] = np.where(low, -far, far)
    return 0.0 + 1.0 * x
