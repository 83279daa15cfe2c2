"""What the sweep over the table of operations needs: batches, and the loop over their lanes."""

from __future__ import annotations

import builtins
import cmath
import itertools
import math
import operator
import sys
import warnings
from dataclasses import dataclass

import numpy as np

from autovec import ops
from autovec.ops import BINARY, OPERATORS, UNARY, Rule, prelude
from autovec.ops.table import rules

#: methods of strings have a sweep of their own
RULES = [r for name in ops.names() for r in rules(name) if not name.startswith("str.")]
RULES += [*BINARY.values(), *UNARY.values()]
RULES += [ops.find(name, n) for name in ("math.hypot", "math.gcd", "math.lcm") for n in (3, 4)]

SYMBOLS = {OPERATORS[n]: getattr(operator, n.split(".")[1]) for n in reversed(OPERATORS)}
UNARY_SYMBOLS = {"-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_}

#: the names that texts and predicates may use
WORLD = {"np": np, "math": math, "cmath": cmath}
WORLD |= {name: prelude.function(name) for name in prelude.names()}


def name_of(r: Rule) -> str:
    """A test's id."""
    return f"{r.name}-{len(r.params)}"


def scalar_function(r: Rule):
    """What the loop calls: the function, operator or method itself."""
    if r.name in BINARY and len(r.params) == 2:
        return SYMBOLS[r.name]
    if r.name in UNARY and len(r.params) == 1:
        return UNARY_SYMBOLS[r.name]
    owner, _, attribute = r.name.rpartition(".")
    if owner in ("number", "int", "float", "complex", "bool"):
        if r.attribute:
            return lambda x: getattr(x, attribute)
        return lambda x, *rest: getattr(x, attribute)(*rest)
    return getattr(builtins if owner == "builtins" else sys.modules[owner], attribute)


def sample(r: Rule, value):
    """One lane's value as the loop's function sees it: Python's scalar, or NumPy's own."""
    owner, _, name = r.name.partition(".")
    cast = owner == "numpy" and isinstance(getattr(np, name), type)
    numpy_owned = owner in ("numpy", "number", "float", "int") and name != "bit_length"
    if (numpy_owned and not cast) or value.dtype not in (float, int, bool, complex):
        return value
    return value.item()


def lane(r: Rule, value, k):
    """Lane k of a varying operand, or of a list of them."""
    return [e[k] for e in value] if isinstance(value, list) else sample(r, value[k])


@dataclass
class Batch:
    """Operands of one call: columns where varying, a Python value where uniform."""

    rule: Rule
    columns: list
    varying: list[bool]

    @property
    def pairs(self):
        """Each operand, and whether it varies."""
        return zip(self.columns, self.varying, strict=True)

    @property
    def lanes(self):
        """How many samples there are."""
        return next(len(c[0] if isinstance(c, list) else c) for c, v in self.pairs if v)

    @property
    def kinds(self):
        """The operands' kind letters."""
        letters = {bool: "b", int: "i", float: "f", complex: "c"}
        return "".join(
            c.dtype.kind if isinstance(c, np.ndarray) else letters.get(type(c), "i")
            for c in self.columns
        )

    def keep(self, lanes):
        """The batch of some of the lanes."""
        columns = [
            c if not v else [e[lanes] for e in c] if isinstance(c, list) else c[lanes]
            for c, v in self.pairs
        ]
        return Batch(self.rule, columns, self.varying)

    def loop(self):
        """The scalar function's answer (or exception) for each lane, and whether it warned."""
        fn, out = scalar_function(self.rule), []
        for k in range(self.lanes):
            args = [lane(self.rule, c, k) if v else c for c, v in self.pairs]
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                warnings.simplefilter("ignore", DeprecationWarning)
                try:
                    value = fn(*args)
                except (TypeError, AttributeError, ValueError, ArithmeticError) as error:
                    value = error
            out.append((value, bool(seen)))
        return out

    def text(self):
        """The batched text that the rule gives for these operands."""
        dtypes = [c.dtype if isinstance(c, np.ndarray) else None for c in self.columns]
        named = zip(self.rule.params, self.varying, strict=False)
        return self.rule.text_for(self.kinds, dtypes, [p for p, v in named if not v])

    def run(self, text=...):
        """The batched answer."""
        text = self.text() if text is ... else text
        operands = [as_float(c) for c in self.columns] if self.rule.float_args else self.columns
        if text is None:
            return scalar_function(self.rule)(*operands)
        return eval(text, WORLD, bindings(self.rule, operands))


def bindings(r: Rule, operands):
    """The parameters' values, defaults filled in."""
    names = {p: eval(default) for p, default in r.defaults.items()}
    return names | dict(zip(r.params, operands, strict=False))


def as_float(column):
    """What the compiler does to an operand of a rule with ``float_args``."""
    small = isinstance(column, np.ndarray) and column.dtype.kind in "biu" and column.itemsize < 4
    return column.astype(float) if small else column


def free_params(r: Rule):
    """The places of the parameters that may vary, among those the examples give."""
    width = min(len(row) for row in r.examples)
    return [k for k in range(width) if r.params[k] not in r.fixed]


def cast(values, dtype):
    """A column in this dtype, None where an example does not fit; whole numbers stay whole."""
    if all(type(v) is int for v in values) and dtype.kind in "fc":
        dtype = np.dtype(int)
    if dtype.kind == "i":
        info = np.iinfo(dtype)
        whole = [int(v.real) for v in values]
        return [v if info.min <= v <= info.max else None for v in whole], dtype
    convert = {"f": lambda v: v.real, "b": bool, "c": complex}[dtype.kind]
    return [convert(v) for v in values], dtype


def batches(r: Rule, dtype):
    """The rule's examples in this dtype, with every choice of varying parameters."""
    free, columns = free_params(r), []
    for k in range(min(len(row) for row in r.examples)):
        values = [row[k] for row in r.examples]
        plain = k not in free or r.params[k] in r.sequences
        columns.append((values, None) if plain else cast(values, dtype))
    lanes = [j for j in range(len(r.examples)) if all(v[j] is not None for v, _ in columns)]
    if not lanes or not any(d == dtype for _, d in columns):
        return
    for size in range(len(free), 0, -1):
        for varying in itertools.combinations(free, size):
            out = []
            for k, (values, column_dtype) in enumerate(columns):
                some = [values[j] for j in lanes]
                if k not in varying:
                    out.append(some[0])
                elif column_dtype is None:
                    out.append([np.array(v) for v in zip(*some, strict=True)])
                else:
                    out.append(np.array(some, column_dtype))
            yield Batch(r, out, [k in varying for k in range(len(columns))])


def edge_batch(r: Rule, columns):
    """All combinations of these values for the free parameters."""
    out = list(r.examples[0])
    free = free_params(r)
    for k, grid in zip(free, np.meshgrid(*columns), strict=True):
        out[k] = grid.ravel()
    return Batch(r, out, [k in free for k in range(len(out))])


def kinds_of(r: Rule, letters):
    """The kinds of operands that the rule accepts, of these letters; unsigned ones not mixed."""
    for kinds in itertools.product(letters, repeat=len(free_params(r))):
        mixed = "u" in kinds and set(kinds) != {"u"}
        if r.supports("".join(kinds)) and not r.sequences and not mixed:
            yield "".join(kinds)
