import numpy as np

FEES = {"local": 2.5, "national": 6.0, "abroad": 18.0}


def find_in(table, *parts):
    """Where each value stands among a dict's keys or a list's items, -1 where it does not.

    Of equal items the first counts.  Tuples are given part by part.
    """
    known = True
    if len(parts) > 1:
        code, want = np.array(0), np.array(0)
        columns = zip(*table, strict=True)
        for column, part in zip(columns, parts, strict=True):
            values, codes = np.unique(np.array(column), return_inverse=True)
            at = np.minimum(np.searchsorted(values, part), len(values) - 1)
            known = known & (values[at] == part)
            code, want = code * len(values) + codes, want * len(values) + at
        table, parts = code, (want,)
    items = np.array(list(table))
    order = np.argsort(items, kind="stable")
    place = np.searchsorted(items, parts[0], sorter=order)
    at = order[np.minimum(place, len(items) - 1)]
    return np.where(known & (items[at] == parts[0]), at, -1)


def key_index(table, *parts):
    """Where each key stands in a dict; the first that does not raises KeyError."""
    at = find_in(table, *parts)
    missing = np.flatnonzero(at < 0)
    if missing.size:
        key = [np.broadcast_to(p, at.shape).flat[missing[0]].item() for p in parts]
        raise KeyError(key[0] if len(key) == 1 else tuple(key))
    return at


def parcel(row):
    """A row of a table: a check, a table of constants, a dict as the result.

    Rows: row (a DataFrame or dict of arrays with weight, zone, total).
    """
    weight = np.asarray(row["weight"])
    zone = np.asarray(row["zone"], dtype=str)
    total = np.asarray(row["total"])
    bad = weight < 0
    if bad.any():
        lane = bad.argmax()
        raise ValueError(f"negative weight {weight[lane].item()} to {zone[lane].item()}")
    rate = np.array(list(FEES.values()))[key_index(FEES, zone)]
    free = (total > 100) & (zone != "abroad")
    return {"fee": np.where(free, 0.0, rate + 0.5 * weight), "free": free}
