"""Rules that people write for ``df.apply(rule, axis=1)``, and what the engine makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import autovec
from tests.benchmark.clock import in_turns

BANDS = ((0, 0.0), (12_000, 0.1), (40_000, 0.25))


def order_total(row: Any) -> float:
    """Discounts by quantity and membership, freight by weight."""
    price = row["price"] * row["quantity"]
    if row["quantity"] >= 100:
        price *= 0.85
    elif row["quantity"] >= 20:
        price *= 0.93
    if row["member"] and price > 50:
        price -= 5.0
    if row["weight"] > 30:
        freight = 25 + (row["weight"] - 30) * 0.9
    elif row["weight"] > 5:
        freight = 9.5
    else:
        freight = 4.0
    return price + freight


def risk_band(row: Any) -> int:
    """A score from several columns, then a band."""
    score = 0
    if row["age"] < 25 or row["age"] > 70:
        score += 2
    if row["claims"] > 0:
        score += 1 + row["claims"]
    if row["power"] / row["mass"] > 0.12:
        score += 2
    if row["annual_km"] > 20_000:
        score += 1
    if score >= 6:
        return 3
    if score >= 3:
        return 2
    return 1


def shipping_fee(row: Any) -> float:
    """Free above a limit, else by zone and weight; members pay half."""
    total = row["price"] * row["quantity"]
    if total >= 2000 and row["zone"] != "abroad":
        return 0.0
    fee = 2.5
    if row["zone"] == "abroad":
        fee = 18.0
    elif row["zone"] == "national":
        fee = 6.0
    if row["weight"] > 20:
        fee += 15 + (row["weight"] - 20) * 0.8
    elif row["weight"] > 5:
        fee += 5
    return fee / 2 if row["member"] else fee


RULES = (order_total, risk_band, shipping_fee)


def table(n: int, seed: int = 0) -> Any:
    """A DataFrame with the columns of all rules."""
    import pandas as pd

    r = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "price": r.uniform(1, 80, n),
            "quantity": r.integers(1, 150, n),
            "member": r.random(n) < 0.4,
            "weight": r.uniform(0, 45, n),
            "age": r.integers(18, 90, n),
            "claims": r.poisson(0.3, n),
            "power": r.uniform(40, 250, n),
            "mass": r.uniform(800, 2500, n),
            "annual_km": r.uniform(2e3, 4e4, n),
            "zone": r.choice(["local", "national", "abroad"], n),
        }
    )


def speedups(n: int, rounds: int, loops: int) -> Iterator[tuple[str, float, float]]:
    """For each rule: its name, milliseconds of the engine, and how many times pandas takes."""
    frame = table(n)
    for rule in RULES:

        def plain(rule: Any = rule) -> Any:
            return frame.apply(rule, axis=1)

        def engine(rule: Any = rule) -> Any:
            return frame.apply(rule, axis=1, engine=autovec.vectorize)

        assert plain().equals(engine())
        batched = min(in_turns({"engine": engine}, rounds)["engine"])
        looped = min(in_turns({"pandas": plain}, loops)["pandas"])
        yield rule.__name__, batched * 1e3, looped / batched
