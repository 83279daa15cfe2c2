import numpy as np


def is_leap_batched(year):
    """Every fourth year, but of the full centuries only every fourth."""
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def weeks_in_batched(year):
    """52 or 53: a long year starts on a Thursday, or is leap and starts on a Wednesday."""
    y = year - 1
    first = (1 + y * 365 + y // 4 - y // 100 + y // 400) % 7
    return np.where((first == 4) | (first == 3) & is_leap_batched(year), 53, 52)


def iso_week(year, month, day):
    """(year of the week, week, weekday from 1 for Monday to 7).

    Batched: year, month, day (arrays that broadcast).
    """
    year, month, day = np.broadcast_arrays(year, month, day)
    shape, year, month, day = year.shape, year.ravel(), month.ravel(), day.ravel()
    bad = ~((month >= 1) & (month < 13))
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"month {month[lane].item()} of {year[lane].item()}")
    ordinal = (367 * month - 362) // 12 + day
    ordinal = np.where(month > 2, ordinal - np.where(is_leap_batched(year), 1, 2), ordinal)
    y = year - 1
    weekday = (ordinal + y * 365 + y // 4 - y // 100 + y // 400 - 1) % 7 + 1
    week = (ordinal - weekday + 10) // 7
    out1 = np.full(len(year), 1)
    low = week < 1
    k = np.flatnonzero(low)
    out1[k] = weeks_in_batched(y[k])
    k = np.flatnonzero(~low)
    year_k = year[k]
    above = week[k] > weeks_in_batched(year_k)
    y[k], out1[k] = np.where(above, year_k + 1, year_k), np.where(above, 1, week[k])
    return y.reshape(shape), out1.reshape(shape), weekday.reshape(shape)
