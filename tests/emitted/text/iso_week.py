import numpy as np


def is_leap_batched(year):
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def weeks_in_batched(year):
    y = year - 1
    first = (1 + y * 365 + y // 4 - y // 100 + y // 400) % 7
    value = np.full(len(year), True)
    k = np.flatnonzero(~(first == 4))
    test = first[k] == 3
    k2 = k[test]
    value[k2] = is_leap_batched(year[k2])
    value[k[~test]] = False
    return np.where(value, 53, 52)


def iso_week(year, month, day):
    """iso_week, batched: every sample of the arguments at once.

    Batched: year, month, day (arrays that broadcast).
    """
    year, month, day = np.broadcast_arrays(year, month, day)
    shape, year, month, day = year.shape, year.ravel(), month.ravel(), day.ravel()
    n = len(year)
    bad = ~((month >= 1) & (month < 13))
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"month {month[lane].item()} of {year[lane].item()}")
    ordinal = (367 * month - 362) // 12 + day
    ordinal2 = ordinal.copy()
    k = np.flatnonzero(month > 2)
    ordinal2[k] = ordinal[k] - np.where(is_leap_batched(year[k]), 1, 2)
    y = year - 1
    weekday = (ordinal2 + y * 365 + y // 4 - y // 100 + y // 400 - 1) % 7 + 1
    week = (ordinal2 - weekday + 10) // 7
    out0 = np.empty(n, int)
    out1 = np.empty(n, int)
    out2 = np.empty(n, int)
    test = week < 1
    k = np.flatnonzero(test)
    out0[k] = y[k]
    out1[k] = weeks_in_batched(y[k])
    out2[k] = weekday[k]
    k = np.flatnonzero(~test)
    year_k = year[k]
    test2 = week[k] > weeks_in_batched(year_k)
    out0[k] = np.where(test2, year_k + 1, year_k)
    out1[k] = np.where(test2, 1, week[k])
    out2[k] = np.where(test2, weekday[k], weekday[k])
    return out0.reshape(shape), out1.reshape(shape), out2.reshape(shape)
