"""Calendar: the week of the year by ISO 8601, and the weekday.

Source: ISO 8601-1:2019, 4.3.8 (weeks start on Monday; week 1 has the year's first Thursday) and
the proleptic Gregorian day count of E. Reingold and N. Dershowitz, Calendrical Calculations.
"""

import numpy as np

import autovec


def is_leap(year):
    """Every fourth year, but of the full centuries only every fourth."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def weeks_in(year):
    """52 or 53: a long year starts on a Thursday, or is leap and starts on a Wednesday."""
    y = year - 1
    first = (1 + y * 365 + y // 4 - y // 100 + y // 400) % 7
    return 53 if first == 4 or (first == 3 and is_leap(year)) else 52


@autovec.vectorize
def iso_week(year, month, day):
    """(year of the week, week, weekday from 1 for Monday to 7)."""
    if month not in range(1, 13):
        raise ValueError(f"month {month} of {year}")
    ordinal = (367 * month - 362) // 12 + day
    if month > 2:
        ordinal -= 1 if is_leap(year) else 2
    y = year - 1
    weekday = (ordinal + y * 365 + y // 4 - y // 100 + y // 400 - 1) % 7 + 1
    week = (ordinal - weekday + 10) // 7
    if week < 1:
        return y, weeks_in(y), weekday
    if week > weeks_in(year):
        return year + 1, 1, weekday
    return year, week, weekday


def draw(n):
    """n years, months and days."""
    rng = np.random.default_rng(0)
    return rng.integers(1600, 2400, n), rng.integers(1, 13, n), rng.integers(1, 29, n)


if __name__ == "__main__":
    arguments = draw(1000)
    print(iso_week.emit(*arguments))
    samples = zip(*(a.tolist() for a in arguments), strict=True)
    loop = [iso_week.__wrapped__(*sample) for sample in samples]
    np.testing.assert_array_equal(np.stack(iso_week(*arguments), axis=-1), loop)
    print("1000 samples: equal to the plain loop")
