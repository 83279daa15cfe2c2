"""Rules for Python's builtins on scalar samples; min, max, sum, any, all and sorted take lists of values
and are the builder's own."""

from __future__ import annotations

from autovec.ops.math_rules import ANY, not_whole
from autovec.ops.rule import NUMBER, REAL, fails, rule
from autovec.ops.table import add

NUMBERS = (*ANY, (7.0,), (-1.0,))


def enter() -> None:
    """Enter the family into the table."""
    whole = {"i": "x.astype(int)", "b": "x.astype(int)", "u": "to_int(x)"}
    add(
        rule("builtins.abs", "x", "np.abs(x)", by_kind={"b": "x.astype(int)"}, dtype="same", total=True, cost=0.5,
             number="operands", examples=NUMBERS),
        rule("builtins.int", "x", "to_int(x)", by_kind=whole, dtype="int", cost=2, accepts=REAL, raises=not_whole(int),
             examples=NUMBERS),
        rule("builtins.float", "x", "x.astype(float)", total=True, cost=0.5, accepts=REAL, examples=NUMBERS),
        rule("builtins.bool", "x", "x != 0", by_kind={"b": "x", "U": "x != ''"}, dtype="bool", total=True, cost=0.5,
             accepts=NUMBER + "U", examples=NUMBERS),
        rule("builtins.complex", "x", "x.astype(complex)", dtype="complex", total=True, cost=1, examples=NUMBERS),
        rule("builtins.complex", "real, imag", "make_complex(real, imag)", dtype="complex", total=True, cost=4, accepts=REAL,
             examples=((1.0, 2.0), (-0.5, 0.0), (3.0, -4.0))),
        rule("builtins.round", "x", "to_int(np.rint(x))", by_kind=whole | {"?": "to_int(np.round(x))"}, dtype="int", cost=3, accepts=REAL, examples=NUMBERS,
             raises=not_whole(round)),
        rule("builtins.round", "x, n", "round_number(x, n)", by_kind={"f": "round_half_even(x, n)", "I": "round_int(x, n)"},
             dtype="same", total=True, cost=10, accepts=REAL, fixed="n", number="operands",
             examples=((2.675, 2), (0.125, 2), (-1.005, 2), (25.0, 2))),
        rule("builtins.divmod", "x, y", "np.divmod(x, y)", by_kind={"bb": "np.divmod(x, y, dtype=int)"}, dtype="same", cost=25,
             accepts=REAL, number="operands", outputs=2, examples=((7.0, 2.0), (-7.0, 2.0), (7.0, -2.5), (0.5, 0.25)),
             raises=[fails("y == 0", divmod, 7, 0, kinds="II", always=True),
                     fails("y == 0", divmod, 7.0, 0.0, kinds="f Nf")]),
        rule("builtins.pow", "x, y, mod", "pow_mod(x, y, mod)", dtype="int", cost=150, accepts="biu?", number="operands",
             note="NumPy has no modular power: Python's own, one element at a time",
             raises=[fails("mod == 0", pow, 7, 2, 0, always=True, in_text=True)],
             examples=((3, 4, 5), (2, 10, 7), (7, 0, 3), (-3, 3, 4))),
    )
