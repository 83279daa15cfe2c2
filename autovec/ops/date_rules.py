"""Fields of dates and durations, as arithmetic on NumPy's datetime64 and timedelta64.

A date is an integer: days, seconds or less since 1970-01-01, a Thursday.  Casts to a coarser unit
round down, so a field is the difference of two of them:

    >>> import numpy as np
    >>> x = np.array(["2024-02-29T13:45", "1969-12-31T23:59"], dtype="datetime64[us]")
    >>> eval(FIELDS["hour"].text), eval(FIELDS["weekday()"].text)
    (array([13, 23]), array([3, 2]))
"""

from __future__ import annotations

from dataclasses import dataclass

YEAR = 'x.astype("M8[Y]").astype(int) + 1970'
MONTH = 'x.astype("M8[M]").astype(int) % 12 + 1'
DAY = '(x.astype("M8[D]") - x.astype("M8[M]")).astype(int) + 1'
DAYS = 'x.astype("M8[D]").astype(int)'
WEEKDAY = f"({DAYS} + 3) % 7"
DAY_OF_YEAR = '(x.astype("M8[D]") - x.astype("M8[Y]")).astype(int) + 1'
QUARTER = 'x.astype("M8[M]").astype(int) % 12 // 3 + 1'
NEXT_MONTH = 'x.astype("M8[M]") + np.timedelta64(1, "M")'
DAYS_IN_MONTH = f'(({NEXT_MONTH}).astype("M8[D]") - x.astype("M8[M]")).astype(int)'
LAST_OF_MONTH = f'x.astype("M8[D]") + np.timedelta64(1, "D") == {NEXT_MONTH}'
NEXT_YEAR = 'x.astype("M8[Y]") + np.timedelta64(1, "Y")'
LAST_OF_YEAR = f'x.astype("M8[D]") + np.timedelta64(1, "D") == {NEXT_YEAR}'
NAMES_OF_DAYS = '["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]'
NAMES_OF_MONTHS = (
    '["January", "February", "March", "April", "May", "June", "July", "August", "September", '
    '"October", "November", "December"]'
)


def clock(unit: str, within: str) -> str:
    """How many whole units have passed within a larger one."""
    return f'(x.astype("M8[{unit}]") - x.astype("M8[{within}]")).astype(int)'


@dataclass(frozen=True)
class Field:
    """A field or method without arguments: its text, what it gives, and of which types.

    ``of``: d is a date, t a datetime, p a pandas Timestamp.
    """

    text: str
    gives: str = "int"
    of: str = "dtp"


FIELDS: dict[str, Field] = {
    "year": Field(YEAR),
    "month": Field(MONTH),
    "day": Field(DAY),
    "hour": Field(clock("h", "D"), of="tp"),
    "minute": Field(clock("m", "h"), of="tp"),
    "second": Field(clock("s", "m"), of="tp"),
    "microsecond": Field(clock("us", "s"), of="tp"),
    "nanosecond": Field(clock("ns", "us"), of="p"),
    "weekday()": Field(WEEKDAY),
    "isoweekday()": Field(f"{WEEKDAY} + 1"),
    "toordinal()": Field(f"{DAYS} + 719163"),
    "date()": Field('x.astype("M8[D]")', "date", "tp"),
    "dayofweek": Field(WEEKDAY, of="p"),
    "day_of_week": Field(WEEKDAY, of="p"),
    "dayofyear": Field(DAY_OF_YEAR, of="p"),
    "day_of_year": Field(DAY_OF_YEAR, of="p"),
    "quarter": Field(QUARTER, of="p"),
    "days_in_month": Field(DAYS_IN_MONTH, of="p"),
    "daysinmonth": Field(DAYS_IN_MONTH, of="p"),
    "is_month_start": Field('x.astype("M8[D]") == x.astype("M8[M]")', "bool", "p"),
    "is_month_end": Field(LAST_OF_MONTH, "bool", "p"),
    "is_year_start": Field('x.astype("M8[D]") == x.astype("M8[Y]")', "bool", "p"),
    "is_year_end": Field(LAST_OF_YEAR, "bool", "p"),
    "day_name()": Field(f"np.array({NAMES_OF_DAYS})[{WEEKDAY}]", "str", "p"),
    "month_name()": Field(
        f'np.array({NAMES_OF_MONTHS})[x.astype("M8[M]").astype(int) % 12]', "str", "p"
    ),
    "normalize()": Field('x.astype("M8[D]").astype(x.dtype)', "Timestamp", "p"),
    "timestamp()": Field('(x - np.datetime64(0, "s")) / np.timedelta64(1, "s")', "float", "p"),
}
#: the same of durations
SPANS: dict[str, Field] = {
    "days": Field('x.astype("m8[D]").astype(int)'),
    "seconds": Field('(x.astype("m8[s]") - x.astype("m8[D]")).astype(int)'),
    "microseconds": Field('(x.astype("m8[us]") - x.astype("m8[s]")).astype(int)'),
    "total_seconds()": Field('x / np.timedelta64(1, "s")', "float"),
}
