import math

import numpy as np


def _yearly_batched(row, rate):
    """Interest of a year, nothing below a limit."""
    balance = row["balance"]
    out = np.zeros(len(balance))
    k = np.flatnonzero(~(balance < 100))
    if k.size:
        out[k] = balance[k] * math.expm1(rate)
    return out


def savings(row):
    """A row handed on to a helper, and years until it has doubled.

    Rows: row (a DataFrame or dict of arrays with balance, deposit).
    """
    row_balance = np.asarray(row["balance"])
    deposit = np.asarray(row["deposit"])
    n = len(row_balance)
    goal = 2 * row_balance
    balance = row_balance + _yearly_batched({"balance": row_balance}, 0.02)
    balance_out = np.empty(n)
    years_out = np.empty(n, int)
    years = 0
    k = np.arange(n)  # the lanes still running
    while k.size:
        running = (balance < goal[k]) & (years < 60)
        j = np.flatnonzero(~running)
        k2 = k[j]
        balance_out[k2] = balance[j]
        years_out[k2] = years
        keep = np.flatnonzero(running)
        k, balance = k[keep], balance[keep]
        balance = balance + (deposit[k] + balance * 0.03)
        years = years + 1
    return years_out, balance_out
