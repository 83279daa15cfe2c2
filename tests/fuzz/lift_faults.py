"""What a lifter of loops gets wrong; `tests.lift_fuzz` and its kin find each (see mutants.py)."""

from __future__ import annotations

from tests.fuzz.faults import Mutant

LIFT = "autovec/lift"
_CARRIED, _DTYPES = "tests.lift_fuzz_carried", "tests.lift_fuzz_dtypes"

LIFT_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "lift: missed dependence",
        f"{LIFT}/depend.py",
        "    if all(sign != bad for sign, _ in signs):\n        return",
        "    if signs:\n        return",
        "tests.lift_fuzz",
    ),
    Mutant(
        "lift: wrong direction",
        f"{LIFT}/depend.py",
        "bad = -1 if before else 1",
        "bad = 1 if before else -1",
        "tests.lift_fuzz",
    ),
    Mutant(
        "lift: clipped slice",
        f"{LIFT}/reading.py",
        "high = (turn.stop - 1) * stride + shift",
        "high = (turn.stop - 2) * stride + shift",
        "tests.lift_fuzz",
    ),
    Mutant(
        "lift: NaN in an extreme",
        f"{LIFT}/extremes.py",
        'form = f"int(v[b].{end}())" if value.python else f"v[b].{end}()"',
        'form = f"int(v.{end}())" if value.python else f"v.{end}()"',
        "tests.lift_fuzz",
    ),
    Mutant(
        "lift: statements moved past each other",
        f"{LIFT}/depend.py",
        "if same and store.order != other.order and (store.order < other.order) != before:",
        "if same and store.order < 0:",
        _CARRIED,
    ),
    Mutant(
        "lift: the first value at the end",
        f"{LIFT}/carried.py",
        '"np.concatenate(([t], x))"',
        '"np.concatenate((x, [t]))"',
        _CARRIED,
    ),
    Mutant(
        "lift: too few turns peeled",
        f"{LIFT}/carried.py",
        "if peeled < earlier.depth:",
        "if peeled < 1:",
        _CARRIED,
    ),
    Mutant(
        "lift: a store that wraps where it raises",
        f"{LIFT}/integers.py",
        "nest.require(most - high)",
        "nest.risky = bool(most - high)",
        _DTYPES,
    ),
    Mutant(
        "lift: a maximum for a minimum",
        f"{LIFT}/integers.py",
        "least = kind in (gast.Gt, gast.GtE)",
        "least = kind in (gast.Lt, gast.LtE)",
        _DTYPES,
    ),
)
