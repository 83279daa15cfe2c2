"""Rules for one row of a table, in the ways that people read a row."""

import contextlib
import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np

with contextlib.suppress(ModuleNotFoundError):
    import pandas as pd

RATES = (0.1, 0.2)
LIMIT = 40.0
Price = namedtuple("Price", "net gross")


@dataclass
class Quote:
    net: float
    free: bool


# Every kind of row: price, weight (floats), count (int), zone (str), member (bool), small (float32)


def by_key(row):
    return row["price"] * row["count"]


def branches(row):
    if row["price"] < 0:
        return 0.0
    if row["zone"] == "abroad" and not row["member"]:
        return row["price"] + 18.0
    if row["weight"] > 20:
        fee = 15 + (row["weight"] - 20) * 0.8
    elif row["weight"] > 5:
        fee = 5
    else:
        fee = 0
    return row["price"] + fee


def partial_sides(row):
    if row["price"] > 0:
        return math.log(row["price"]) / row["count"] if row["count"] else -1.0
    return math.sqrt(-row["price"])


def floor_division(row):
    return row["count"] // (2 if row["member"] else 3) + row["count"] % 7


def in_a_loop(row):
    total = 0.0
    for rate in RATES:
        if row["price"] > LIMIT * rate:
            total += row["price"] * rate
    return total


def while_it_lasts(row):
    left, steps = abs(row["price"]), 0
    while left > 1 and steps < 50:
        left = left / 2
        steps += 1
    return steps


def returned_from_a_loop(row):
    for k in range(5):
        if row["count"] < k:
            return k * row["weight"]
    return row["price"]


def text_results(row):
    if row["member"]:
        return "member in " + row["zone"]
    return row["zone"]


def membership(row):
    return row["zone"] in ("local", "abroad") or row["count"] in {1, 2, 3}


def own_dtypes(row):
    return row["count"], row["small"], row["member"], row["zone"]


def float32_stays(row):
    return row["small"] * 2 + 1 if row["member"] else row["small"]


def none_on_some(row):
    if row["count"] > 3:
        return row["count"]


def or_operand(row):
    return row["count"] or row["price"]


def raises(row):
    if row["count"] == 5:
        raise ValueError(f"five of {row['zone']!r} at {row['price']:.2f}")
    return 10 // row["count"]


def asserts(row):
    assert row["count"] != 7, row["zone"]
    return row["weight"]


def caught(row):
    try:
        return row["price"] / row["count"]
    except ZeroDivisionError:
        return 0.0


def a_dict(row):
    return {"net": row["price"] * 0.8, "zone": row["zone"], "many": row["count"] > 2}


def a_tuple(row):
    if row["member"]:
        return row["price"], 0
    return row["price"] * 1.2, row["count"]


def a_namedtuple(row):
    return Price(row["price"], row["price"] * 1.19)


def a_dataclass(row):
    return Quote(net=row["price"], free=row["price"] > LIMIT)


def _freight(row, rate):
    if row["weight"] > 10:
        return row["weight"] * rate
    return _base(row)


def _base(r):
    return 2.5 if r["zone"] == "local" else r["price"] * 0.1


def helpers(row):
    return _freight(row, 0.3) + (_freight(row, 0.5) if row["member"] else 0.0)


def _unused(row):
    return 3


def helper_that_reads_nothing(row):
    return _unused(row) * row["price"]


def reads_nothing(row):
    return 7


def local_function(row):
    def scaled(k):
        return row["price"] * k

    return scaled(2) + scaled(row["count"])


def names_of_their_own(row):
    """Names of the function's that are those of columns."""
    price = row["weight"]
    weight = row["price"]
    count = price + weight
    count += row["count"]
    return count


def one_name_for_two(row):
    x = row["price"]
    y = x * 2
    x = row["weight"]
    return x + y


def reassigned(row):
    price = row["price"]
    if price < 0:
        price = -price
    price += row["count"]
    return price


def an_alias(row):
    r = row
    return r["price"] + row["count"]


def uniform_arguments(row, rate, cap=50.0):
    return min(row["price"] * rate, cap)


def a_key_in_a_constant(row):
    return row[KEY] + sum(row[name] for name in KEYS)


KEY, KEYS = "price", ("weight", "count")


def comparisons(row):
    return 0 <= row["price"] < 10 or row["weight"] != row["weight"]


def minimum(row):
    return min(row["price"], row["weight"]), max(row["count"], 2)


def numpy_functions(row):
    return np.where(row["price"] > 1, np.sin(row["weight"]), 0.0) + np.hypot(row["price"], 1.0)


EVERY = [v for name, v in [*globals().items()] if getattr(v, "__module__", "") == __name__
         and callable(v) and name[0] != "_" and not isinstance(v, type)]  # fmt: skip


# ------------------------------------------------------------------ a dict or a Series


def attributes(row):
    return row.price * 2 if row.zone == "local" else row.weight


def get(row):
    return row.get("price", 0.0) + row.get("discount", 2.5) + len(row)


def get_of_nothing(row):
    found = row.get("discount")
    return row["price"] if found is None else found


def has_column(row):
    if "discount" in row:
        return row["discount"]
    return row["price"] if "price" in row else -1.0


def keyword_names(row):
    return _named(**{k: row[k] for k in ("price", "weight")})


def _named(price, weight):
    return price - weight


def every_key(row):
    return sum(1 for name in row.keys() if name != "price")


def every_item(row):
    return sum(value for name, value in row.items() if name in ("price", "weight", "count"))


def stored(row):
    row["total"] = row["price"] * row["count"]
    row["price"] += 1.0
    return row["total"] + row["price"]


def returned(row):
    row["total"] = row["price"] * 2
    return row


def returned_copy(row):
    other = row.copy()
    other["price"] = 0.0
    return other["price"] + row["price"]


def raises_by_attribute(row):
    if row.count == 5:
        raise KeyError(row.zone)
    return row.get("weight")


NAMED = [attributes, get, get_of_nothing, has_column, keyword_names, every_key, every_item, stored,
         returned, returned_copy, raises_by_attribute]  # fmt: skip


# ------------------------------------------------------------------ a Series


def by_label(row):
    return row.name * 2 if row.name > 1 else 0


def located(row):
    return row.loc["price"] + row.at["count"] + row.iloc[1]


def sub_row(row):
    low, high = row[["weight", "price"]]
    return high - low


def sum_of_a_sub_row(row):
    part = row[["price", "weight", "count"]]
    return sum(part) + max(part) + len(part) + part["price"]


def iterated(row):
    total = 0.0
    for value in row[["price", "weight"]]:
        if value > 0:
            total += value
    return total


def unpacked(row):
    price, weight, *rest = row
    return price * weight + len(rest)


def listed(row):
    return row.tolist()[0] + len(row.index) + row.to_dict()["weight"]


def sums(row):
    part = row[["price", "weight"]]
    whole = row[["count", "member"]]
    return part.sum(), whole.sum(), part.mean(), whole.mean(), row[["count"]].mean()


def extremes(row):
    part = row[["price", "weight"]]
    return part.max() - part.min(), row[["count"]].max()


def missing_columns(row):
    return row[["price", "weight", "zone"]].isna().any(), row[["price", "count"]].count()


def a_series(row):
    return pd.Series({"net": row["price"] * 0.8, "count": row["count"], "zone": row["zone"]})


def a_series_of_numbers(row):
    return pd.Series([row["price"], row["count"]], index=["price", "count"])


def by_getattr(row):
    return getattr(row, "price") + getattr(row, "discount", 0.5) + hasattr(row, "weight")


def missing_text(row):
    if row["note"] is None:
        return "none"
    return row["note"].upper() + row["zone"]


def missing_text_in_a_test(row):
    return row["note"] is not None and row.note.startswith("a")


def missing_raises(row):
    return row["note"].upper()


MISSING = [missing_text, missing_text_in_a_test, missing_raises]


SERIES = [by_getattr, by_label, located, sub_row, sum_of_a_sub_row, iterated, unpacked, listed]


# ------------------------------------------------------------------ what loops


def loops(row):
    print(end="")
    return row["price"] * row["count"] if row["member"] else len(row["zone"])


def loops_with_a_dict(row):
    print(end="")
    return {"net": row["price"], "zone": row["zone"] + "!"}


LOOPED = [loops, loops_with_a_dict]


# ------------------------------------------------------------------ a record


def by_position(row):
    return row[0] * row[-1]


def record_unpacked(row):
    price, weight, count, zone, member, small = row
    return price + weight * count if member else small


RECORD = [by_position, record_unpacked]
