"""Methods and attributes of scalar samples.

They are those of NumPy's scalars, and of Python's numbers where only these have them.  The
receiver is ``x``.  A name is that of the type (``float.is_integer``), or ``number`` where all
have it:

    >>> from autovec.ops import method
    >>> method("f", "is_integer").text_for("f")
    'np.isfinite(x) & (x == np.floor(x))'
    >>> method("i", "mean").text_for("i"), method("i", "real").attribute
    ('x.astype(float)', True)
"""

from __future__ import annotations

from typing import Any

from autovec.ops.math_rules import WHOLE_KINDS
from autovec.ops.rule import INTEGER, Rule, rule
from autovec.ops.table import add

ANY = ((0.5,), (-2.25,), (3.0,), (0.0,))
WHOLE = ((12,), (-7,), (0,), (1,), (255,), (-256,))


def of(name: str, text: str, signature: str = "x", **facts: Any) -> Rule:
    """A method or attribute of the receiver ``x``."""
    facts = {"number": "operands", "dtype": "first", "total": True, "cost": 0.5, "examples": ANY,
             **facts}  # fmt: skip
    return rule(name, signature, text, **facts)


def parts() -> list[Rule]:
    """Attributes: parts of a complex number, terms of a fraction."""
    whole: dict[str, Any] = {"accepts": "iu", "attribute": True, "examples": WHOLE}
    return [
        of("number.real", "x.real", by_kind={"N": "x"}, attribute=True, fresh=False),
        of("number.imag", "x.imag", by_kind={"N": "np.zeros_like(x)"}, attribute=True, fresh=False),
        of("int.numerator", "x", **whole),
        of("int.denominator", "np.ones_like(x, dtype=int)", **whole),
    ]


def questions() -> list[Rule]:
    """Properties of one number."""
    truth: dict[str, Any] = {"dtype": "bool", "number": "python"}
    return [
        of("float.is_integer", "np.isfinite(x) & (x == np.floor(x))", accepts="f?", **truth),
        of("int.is_integer", "np.ones_like(x, dtype=bool)", accepts=INTEGER, examples=WHOLE,
           **truth),
        of("int.bit_length", "bit_length(x)", accepts=INTEGER, dtype="int", number="python",
           cost=8, examples=WHOLE),
        of("int.bit_count", "np.bitwise_count(x).astype(int)", accepts=INTEGER, dtype="int",
           number="python", examples=WHOLE),
    ]  # fmt: skip


def conversions() -> list[Rule]:
    """Copies, casts, conjugates."""
    python = WHOLE_KINDS | {"b": "x", "f": "x.astype(float)", "c": "x.astype(complex)"}
    return [
        *(of(f"number.{name}", "np.conjugate(x)", by_kind={"N": "x"})
          for name in ("conjugate", "conj")),
        *(of(f"number.{name}", "x", by_kind=python, number="python", total=False)
          for name in ("item", "tolist")),
        of("number.copy", "x.copy()", number="numpy"),
        of("number.astype", "x.astype(dtype)", "x, dtype", fixed="dtype", number="numpy",
           total=False, examples=((0.5, "float32"), (3.0, "float32"), (0.0, "float32"))),
        of("number.round", "np.round(x, decimals)", "x, decimals=0", fixed="decimals", cost=3,
           number="numpy", total=False, examples=((2.675, 2), (0.125, 2), (-1.005, 2))),
        of("number.clip", "np.clip(x, min, max)", "x, min=None, max=None", number="numpy",
           examples=((0.5, 0.0, 1.0), (7.0, 0.0, 1.0), (-3.0, -2.0, 5.0))),
    ]  # fmt: skip


def reductions() -> list[Rule]:
    """Reductions of a single number: itself, in the dtype that the reduction gives."""
    total = {"b": "x.astype(int)", "i": "x.astype(int)", "u": "x.astype(np.uint64)"}
    numpy: dict[str, Any] = {"number": "numpy"}
    truth: dict[str, Any] = {"by_kind": {"b": "x"}, "dtype": "bool", **numpy}
    return [
        *(of(f"number.{name}", "x", by_kind=total, **numpy) for name in ("sum", "prod")),
        *(of(f"number.{name}", "x", **numpy) for name in ("max", "min")),
        of("number.mean", "x", by_kind={"I": "x.astype(float)", "?": "x * 1.0"}, **numpy),
        *(of(f"number.{name}", "x != 0", **truth) for name in ("any", "all")),
    ]


def enter() -> None:
    """Enter the family into the table."""
    add(*parts(), *questions(), *conversions(), *reductions())
