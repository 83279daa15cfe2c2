"""Dates and durations: NumPy's, datetime's and pandas', against the plain loop."""

from __future__ import annotations

import warnings
from datetime import date, datetime, timedelta, timezone

import numpy as np
import pytest

import autovec
from tests.oracle.standalone import load_text

pd = pytest.importorskip("pandas")

START, DAY, WEEK = datetime(2024, 1, 15, 12), date(2024, 2, 1), timedelta(days=7)
STAMP, SPAN = pd.Timestamp("2024-03-01"), pd.Timedelta(hours=36)
EPOCH = np.datetime64("2024-01-15")
EDGES = ["1969-12-31T23:59:59.999999", "1970-01-01", "2000-02-29T12:00", "2024-02-29", "2024-12-31",
         "1900-03-01", "2023-01-01T00:00:01", "2024-03-31T23:00"]  # fmt: skip
RANDOM = np.random.default_rng(5).integers(-30 * 365, 60 * 365, 40).astype("m8[D]")
MOMENTS = np.concatenate(
    [
        np.array(EDGES, "M8[us]"),
        np.datetime64("1970-01-01", "us") + RANDOM + np.arange(40).astype("m8[s]") * 7919,
    ]
)
STAMPS = pd.Series(MOMENTS)
DATETIMES = np.array(MOMENTS.tolist(), object)
DATES = np.array(MOMENTS.astype("M8[D]").tolist(), object)
WITH_NAT = STAMPS.copy()
WITH_NAT[3] = pd.NaT
WITH_NONE = DATES.copy()
WITH_NONE[[2, 9]] = None


def same(got, want):
    if isinstance(want, pd.Timestamp | pd.Timedelta):
        return type(want)(got) == want
    if isinstance(got, np.generic) and not isinstance(want, np.generic):
        got = got.item()
    if want is None or want is pd.NaT or want != want:
        return got is None or got != got
    if isinstance(want, int) and isinstance(got, float):
        return got == want  # beside None
    if isinstance(want, float):
        return abs(got - want) <= 1e-12 * abs(want)
    return type(got) is type(want) and got == want


def agrees(f, samples, **options):
    """The compiled function, and its text alone, do what the loop does."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("ignore", message=".*deprecated", category=FutureWarning)
        want = [f(v) for v in samples]
    batched = autovec.vectorize(f, **options)
    results = [batched(samples)]
    text = batched.emit(samples)
    function = load_text(text, f.__name__)
    if not function.__kwdefaults__ and "*, " not in text:
        results.append(function(np.asarray(samples)))
    for got in results:
        listed = list(got)
        assert len(listed) == len(want)
        for one, wanted, sample in zip(listed, want, samples, strict=True):
            assert same(one, wanted), (sample, one, wanted)
    none = batched(samples[:0])
    assert len(none) == 0
    if samples.dtype != object:  # an array of no objects does not say of what
        assert np.asarray(none).dtype == np.asarray(results[0]).dtype


# ---------------------------------------------------------------- datetime and Timestamp
def calendar(t):
    return t.year * 10000 + t.month * 100 + t.day


def clock(t):
    return t.hour * 3600 + t.minute * 60 + t.second + t.microsecond / 1e6


def weekdays(t):
    return t.weekday() * 10 + t.isoweekday()


def day(t):
    return t.date()


def ordinal(t):
    return t.toordinal()


def later(t):
    return t > START


def days_since(t):
    return (t - START).days


def hours_since(t):
    return (t - START).total_seconds() / 3600


def seconds_of(t):
    return (t - START).seconds + (t - START).microseconds


def next_week(t):
    return t + WEEK


def before(t):
    return t - timedelta(days=1, hours=3)


def kind_of_day(t):
    return "weekend" if t.weekday() >= 5 else "week"


def months(t):
    return (t - datetime(2000, 1, 1)) // timedelta(days=30)


def in_hours(t):
    return (t - datetime(2000, 1, 1)) / timedelta(hours=1)


def rest(t):
    return (t - datetime(2000, 1, 1)) % timedelta(days=30) > timedelta(days=10)


def on_a_day(t):
    return t.date() >= DAY


def day_after(t):
    return t.date() + timedelta(days=1, hours=12)


def days_to(t):
    return (t.date() - DAY).days


def twice(t):
    return (t - START) * 2 + abs(t - START) - WEEK


def back(t):
    return -(t - START) if t < START else t - START


def never_equal(t):
    return t == 5, t != "a"


def is_truthy(t):
    return 1 if t and (t - t) else 0


BOTH = [calendar, clock, weekdays, day, ordinal, later, days_since, hours_since, seconds_of,
        next_week, before, kind_of_day, months, in_hours, rest, on_a_day, day_after, days_to,
        twice, back, is_truthy]  # fmt: skip


@pytest.mark.parametrize("f", BOTH, ids=lambda f: f.__name__)
@pytest.mark.parametrize("samples", [STAMPS, DATETIMES], ids=["Timestamp", "datetime"])
def test_moments(f, samples):
    agrees(f, samples, fallback="error")


def test_of_other_classes_they_are_not_equal():
    got = autovec.vectorize(never_equal, fallback="error")(DATETIMES)
    assert not got[0].any() and got[1].all()


# ---------------------------------------------------------------- pandas alone
def fields(t):
    return t.day_of_year + t.quarter * 1000 + t.day_of_week * 10000


def names(t):
    return t.day_name() + " " + t.month_name()


def ends(t):
    return t.is_month_end or t.is_month_start or t.is_year_end or t.is_year_start


def midnight(t):
    return t.normalize()


def after(t):
    return t > STAMP


def since(t):
    return (t - STAMP).days


def until(t):
    return (STAMP - t) / pd.Timedelta(days=1)


def shifted(t):
    return t + SPAN


def length_of_month(t):
    return t.days_in_month


def whole_hour(t):
    return t.floor("h")


def unix(t):
    return t.timestamp()


def long_ago(t):
    return t - pd.Timestamp(2020, 1, 1) < -pd.Timedelta(days=10)


PANDAS = [fields, names, ends, midnight, after, since, until, shifted, length_of_month, whole_hour,
          unix, long_ago]  # fmt: skip


@pytest.mark.parametrize("f", PANDAS, ids=lambda f: f.__name__)
def test_timestamps(f):
    agrees(f, STAMPS, fallback="error")


@pytest.mark.parametrize("unit", ["ns", "ms", "s"])
def test_units(unit):
    for f in (calendar, clock, after, days_since, next_week):
        agrees(f, STAMPS.dt.as_unit(unit), fallback="error")


def test_columns_of_a_frame():
    frame = pd.DataFrame({"when": STAMPS, "base": np.arange(len(STAMPS)) * 1.5})

    def rate(row):
        when = row["when"]
        if when.weekday() >= 5 or when.month == 12:
            return row["base"] * 1.5
        return row["base"]

    want = frame.apply(rate, axis=1)
    got = autovec.vectorize(rate, fallback="error")(frame)
    pd.testing.assert_series_equal(got, want)


# ---------------------------------------------------------------- missing dates
def year_or_zero(t):
    return 0 if pd.isna(t) else t.year


def nat_is_never_before(t):
    return t < STAMP


def december(t):
    if pd.notna(t) and t.month == 12:
        return 1.5
    return 1.0


@pytest.mark.parametrize("f", [year_or_zero, nat_is_never_before, december])
def test_nat(f):
    agrees(f, WITH_NAT, fallback="error")
    agrees(f, STAMPS, fallback="error")


def year_or_none(d):
    return None if d is None else d.year


def late_or_none(d):
    return d if d is not None and d > DAY else None


@pytest.mark.parametrize("f", [year_or_none, late_or_none])
def test_none(f):
    agrees(f, WITH_NONE, fallback="error")


def test_a_missing_date_raises_as_python_does():
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'year'"):
        autovec.vectorize(lambda d: d.year, fallback="error")(WITH_NONE)


# ---------------------------------------------------------------- dates
def parts_of_date(d):
    return d.year + d.month + d.day + d.weekday()


def early(d):
    return d < DAY


def distance(d):
    return (d - DAY).days


def itself(d):
    return d


def in_three_days(d):
    return d + timedelta(days=3)


@pytest.mark.parametrize("f", [parts_of_date, early, distance, itself, in_three_days])
def test_dates(f):
    agrees(f, DATES, fallback="error")


def due(d):
    return d + timedelta(days=30 if d.month != 2 else 28)


def spread_out(d):
    return timedelta(days=d.day, hours=d.month) * 2, timedelta(d.day, d.month).total_seconds()


def test_durations_of_integers():
    agrees(due, DATES, fallback="error")
    got = autovec.vectorize(spread_out, fallback="error")(DATES)
    want = list(zip(*map(spread_out, DATES), strict=True))
    assert [list(leaf) for leaf in got] == list(map(list, want))
    late = autovec.vectorize(lambda t: t + pd.Timedelta(hours=t.hour), fallback="error")(STAMPS)
    assert list(late) == [t + pd.Timedelta(hours=t.hour) for t in STAMPS]


def first_of_month(d):
    return date(d.year, d.month, 1)


def written(d):
    return f"{d:%d.%m.%Y}" + d.strftime(" (%j)") + d.isoformat()


@pytest.mark.parametrize("f", [first_of_month, written])
def test_what_only_python_has(f):
    agrees(f, DATES, fallback="silent")
    with pytest.raises(autovec.FallbackError):
        autovec.vectorize(f, fallback="error")(DATES)
    assert "_sample" not in autovec.vectorize(f, fallback="silent").emit(DATES)


# ---------------------------------------------------------------- NumPy's own
def test_datetime64():
    def f(t):
        if t < EPOCH:
            return (EPOCH - t) / np.timedelta64(1, "D")
        return (t - EPOCH) / np.timedelta64(1, "h")

    got = autovec.vectorize(f, fallback="error")(MOMENTS)
    np.testing.assert_allclose(got, [f(t) for t in MOMENTS])
    got = autovec.vectorize(lambda t: t + np.timedelta64(7, "D"), fallback="error")(MOMENTS)
    assert (got == MOMENTS + np.timedelta64(7, "D")).all() and got.dtype == MOMENTS.dtype
    got = autovec.vectorize(lambda t: t.astype("M8[D]"), fallback="error")(MOMENTS)
    assert got.dtype == "M8[D]"


def test_what_is_not_exact_is_the_loops():
    """Division and products with floats round, other than in NumPy; zones; mixed classes."""

    def half(t):
        return (t - START) / 2

    def one_and_a_half(t):
        return (t - START) * 1.5

    for f in (half, one_and_a_half):
        agrees(f, DATETIMES, fallback="silent")
    zoned = np.array([datetime(2024, 1, 1, tzinfo=timezone.utc)] * 2, object)
    got = autovec.vectorize(lambda t: t.year, fallback="silent")(zoned)
    assert got.tolist() == [2024, 2024]
    with pytest.raises(TypeError):
        autovec.vectorize(lambda d: d < START, fallback="silent")(DATES)
