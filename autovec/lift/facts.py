"""The names of a function and what they hold at one place of its text; symbols and their proofs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.poly import Poly, as_poly, number, symbol
from autovec.lift.values import Arr, Fresh, Lane, Stream
from autovec.syntax import quote

Thing = Lane | Arr | Fresh | Stream | None


@dataclass(eq=False)
class Symbols:
    """What is known of each symbol of one function: its bounds, and how to write it."""

    low: dict[str, Poly] = field(default_factory=dict)
    high: dict[str, Poly] = field(default_factory=dict)  # the largest value
    written: dict[str, tuple[str, Poly, Poly]] = field(default_factory=dict)
    text: dict[str, gast.expr] = field(default_factory=dict)
    fresh: Any = field(default_factory=itertools.count)

    def length(self, key: str, axis: int) -> Poly:
        name = f"len {key} {axis}"
        self.low[name] = number(0)
        return symbol(name)

    def new(self, hint: str) -> str:
        return f"{hint}'{next(self.fresh)}"

    def quotient(self, a: Poly, b: Poly) -> Poly:
        """``a // b``."""
        x, y = a.constant, b.constant
        if x is not None and y:
            return number(x // y)
        if y and all(factor % y == 0 for _, factor in a.terms):
            return Poly(tuple((key, factor // y) for key, factor in a.terms))
        name = f"({a}) // ({b})"
        self.written[name] = ("//", a, b)
        if y and y > 0 and self.at_least(a, 0):
            self.low[name] = number(0)
        return symbol(name)

    def extreme(self, op: str, a: Poly, b: Poly) -> Poly:
        """``min(a, b)`` or ``max(a, b)``."""
        small, large = (a, b) if self.at_least(b - a, 0) else (b, a)
        if self.at_least(large - small, 0):
            return small if op == "min" else large
        name = f"{op}({a}, {b})"
        self.written[name] = (op, a, b)
        if self.at_least(a, 0) and self.at_least(b, 0):
            self.low[name] = number(0)
        return symbol(name)

    def at_least(self, poly: Poly, bound: int, depth: int = 4) -> bool:
        """Is it certainly at least this number?"""
        return self._holds(poly - bound, depth)

    def _holds(self, poly: Poly, depth: int) -> bool:
        if all(
            factor > 0 and all(self._natural(s) for s in key) if key else factor >= 0
            for key, factor in poly.terms
        ):
            return True
        if depth == 0:
            return False
        for name in sorted(poly.symbols):
            factor = poly.factor(name)
            value = factor.constant if factor is not None else None
            if value is None:
                op, x, y = self.written.get(name, ("", Poly(), Poly()))
                whole = op == "//" and factor == -y and self.at_least(y, 1, 1)
                # y * (x // y) <= x
                if whole and self._holds(poly.without(name) - x, depth - 1):
                    return True
                continue
            bound = (self.low if value > 0 else self.high).get(name)
            ways = []
            if bound is not None and bound.symbols != {name}:
                ways.append(bound)
            kind, a, b = self.written.get(name, ("", Poly(), Poly()))
            if (kind == "min" and value < 0) or (kind == "max" and value > 0):
                ways += [a, b]
            if any(self._holds(poly.replaced(name, way), depth - 1) for way in ways):
                return True
            if kind == "//" and value < 0 and (b.constant or 0) > 0:
                # b * (a // b) <= a
                if value % b.constant == 0:  # type: ignore[operator]
                    rest = poly.without(name) + a * (value // b.constant)  # type: ignore[operator]
                    if self._holds(rest, depth - 1):
                        return True
                elif self.at_least(a, 0, 1) and self._holds(
                    poly.without(name) + a * value, depth - 1
                ):
                    return True
        return False

    def _natural(self, name: str) -> bool:
        low = self.low.get(name)
        return low is not None and (
            (low.constant is not None and low.constant >= 0) or self.at_least(low, 0, 2)
        )


@dataclass(eq=False)
class Facts:
    """What each name holds; a name that is not in it, or holds None, is not understood."""

    symbols: Symbols
    env: dict[str, Thing] = field(default_factory=dict)
    #: the names that hold elements, as the statements just before left them
    elements: dict[str, tuple[str, tuple[Poly, ...]]] = field(default_factory=dict)

    def copy(self) -> Facts:
        return Facts(self.symbols, dict(self.env), dict(self.elements))

    def join(self, other: Facts) -> bool:
        """Keeps what both know; was anything lost?"""
        changed = False
        for name in list(self.env):
            mine, theirs = self.env[name], other.env.get(name)
            if mine is theirs or mine is None:
                continue
            self.env[name] = joined(mine, theirs, self.symbols)
            changed |= not same(mine, self.env[name])
        return changed

    # ------------------------------------------------------------- writing

    def render(self, poly: Poly) -> gast.expr:
        """The polynomial as Python's text, with the names that hold its symbols now."""
        whole = self._whole(poly)
        if whole is not None:
            return whole
        terms = sorted(poly.terms, key=lambda t: (t[1] < 0, not t[0], t[0]))
        result: gast.expr | None = None
        for key, factor in terms:
            parts = [self.symbol(name) for name in key]
            size = abs(factor)
            if size != 1 or not parts:
                parts.insert(0, quote.const(size))
            term = parts[0]
            for part in parts[1:]:
                term = quote.expr("a * b", a=term, b=part)
            if result is None:
                result = term if factor > 0 else quote.expr("-a", a=term)
            else:
                sign = "a + b" if factor > 0 else "a - b"
                result = quote.expr(sign, a=result, b=term)
        return quote.const(0) if result is None else result

    def _whole(self, poly: Poly) -> gast.expr | None:
        """A name that holds just this, where that is not a plain symbol or number."""
        if poly.constant is not None:
            return None
        for name, thing in self.env.items():
            if isinstance(thing, Lane) and not thing.axes and thing.poly == poly:
                return quote.name(name)
        return None

    def symbol(self, sym: str) -> gast.expr:
        if sym in self.symbols.text:
            return self.symbols.text[sym]
        wanted = symbol(sym)
        for name, thing in self.env.items():
            if isinstance(thing, Lane) and not thing.axes and thing.poly == wanted:
                return quote.name(name)
        for name, thing in self.env.items():
            if isinstance(thing, Arr):
                for axis, dim in enumerate(thing.dims):
                    if dim == wanted:
                        if axis == 0:
                            return quote.expr("len(x)", x=name)
                        return quote.expr("x.shape[k]", x=name, k=axis)
        if sym in self.symbols.written:
            op, a, b = self.symbols.written[sym]
            sides = {"a": self.render(a), "b": self.render(b)}
            return quote.expr("a // b" if op == "//" else f"{op}(a, b)", **sides)
        raise Unsupported(
            None, f"{sym.partition(chr(39))[0]} changed", "no name holds its old value"
        )


def joined(a: Thing, b: Thing, symbols: Symbols) -> Thing:
    """What a name holds that may hold one of two things."""
    if isinstance(a, Lane) and isinstance(b, Lane):
        if type(a.sample) is not type(b.sample) or a.either or b.either:
            if a.dtype != b.dtype:
                return None
            weak = np.asarray(a.sample).item()
            return Lane(None, (), type(weak)(1), either=True)
        if a.poly is not None and a.poly == b.poly:
            return a
        poly = symbol(symbols.new("n")) if type(a.sample) is int else None
        return replace(a, poly=poly, expr=None, sample=_forgotten(a.sample))
    if isinstance(a, Arr) and isinstance(b, Arr):
        if a.key == b.key:
            return a
        if a.dtype == b.dtype and a.rank == b.rank:
            dims = tuple(
                x if x == y else symbols.length(symbols.new("array"), k)
                for k, (x, y) in enumerate(zip(a.dims, b.dims, strict=True))
            )
            return Arr(symbols.new("array"), a.dtype, dims, a.roots | b.roots)
    return None


def _forgotten(sample: Any) -> Any:
    return type(sample)(1)


def same(a: Thing, b: Thing) -> bool:
    if isinstance(a, Lane) and isinstance(b, Lane):
        kinds = type(a.sample) is type(b.sample) and a.either == b.either
        return a.poly == b.poly and kinds
    if isinstance(a, Arr) and isinstance(b, Arr):
        return a.dims == b.dims and a.dtype == b.dtype and a.roots == b.roots
    return a is b


def bounds(poly: Poly, turns: Any, symbols: Symbols | None = None) -> tuple[Poly, Poly] | None:
    """The smallest and largest value over all turns, inner loops first; None if not known."""
    low = high = poly
    for turn in reversed(turns):
        ends = []
        for value, largest in ((low, False), (high, True)):
            factor = value.factor(turn.sym)
            if factor is None:
                return None
            number = factor.constant
            if number is None and (symbols is None or not symbols.at_least(factor, 0)):
                return None
            up = (number is None or number > 0) == largest
            ends.append(value.replaced(turn.sym, turn.last if up else turn.low))
        low, high = ends
    return as_poly(low), as_poly(high)
