"""Integer polynomials in named symbols: what a subscript or a bound of a loop is.

A symbol is an integer that does not change while a loop runs (a length, a parameter) or the index
of a loop. `n - 1 - i` is a polynomial in `n` and `i`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Monomial = tuple[str, ...]


@dataclass(frozen=True)
class Poly:
    """A sum of products of symbols with integer factors, in one normal form.

    >>> n, i = symbol("n"), symbol("i")
    >>> print((n - 1 - i) - (n - i))
    -1
    >>> print(2 * i * n + i, "|", (2 * i * n + i).factor("i"), "|", (i + n).without("i"))
    i + 2*i*n | 1 + 2*n | n
    """

    terms: tuple[tuple[Monomial, int], ...] = ()

    def __add__(self, other: Poly | int) -> Poly:
        found = dict(self.terms)
        for key, factor in as_poly(other).terms:
            found[key] = found.get(key, 0) + factor
        return _made(found)

    def __mul__(self, other: Poly | int) -> Poly:
        found: dict[Monomial, int] = {}
        for a, x in self.terms:
            for b, y in as_poly(other).terms:
                key = tuple(sorted(a + b))
                found[key] = found.get(key, 0) + x * y
        return _made(found)

    def __neg__(self) -> Poly:
        return self * -1

    def __sub__(self, other: Poly | int) -> Poly:
        return self + -as_poly(other)

    def __rsub__(self, other: int) -> Poly:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    @property
    def constant(self) -> int | None:
        """The number that it is, or None."""
        if not self.terms:
            return 0
        [(key, factor), *rest] = self.terms
        return factor if not rest and key == () else None

    @property
    def symbols(self) -> set[str]:
        return {name for key, _ in self.terms for name in key}

    @property
    def degree(self) -> int:
        return max((len(key) for key, _ in self.terms), default=0)

    def factor(self, name: str) -> Poly | None:
        """What the symbol is multiplied with; None if it is not linear in it."""
        found: dict[Monomial, int] = {}
        for key, factor in self.terms:
            if key.count(name) > 1:
                return None
            if name in key:
                found[tuple(s for s in key if s != name)] = factor
        return _made(found)

    def without(self, name: str) -> Poly:
        """The terms that the symbol is not in."""
        return _made({key: factor for key, factor in self.terms if name not in key})

    def replaced(self, name: str, value: Poly) -> Poly:
        """With a value in the place of a symbol."""
        result = Poly()
        for key, factor in self.terms:
            term = Poly(((tuple(s for s in key if s != name), factor),))
            for _ in range(key.count(name)):
                term = term * value
            result = result + term
        return result

    def __str__(self) -> str:
        def term(key: Monomial, factor: int) -> str:
            names = "*".join(key)
            return names if factor == 1 and key else "*".join(filter(None, [str(factor), names]))

        return " + ".join(term(*t) for t in self.terms) or "0"


def _made(found: Mapping[Monomial, int]) -> Poly:
    return Poly(tuple(sorted((key, factor) for key, factor in found.items() if factor)))


def number(value: int) -> Poly:
    return _made({(): value})


def symbol(name: str) -> Poly:
    return Poly((((name,), 1),))


def range_ends(args: Sequence[Poly]) -> tuple[Poly, Poly, int | None]:
    """Where a range with these arguments starts and stops, and its step if that is a number.

    >>> low, stop, step = range_ends([number(4)])
    >>> low.constant, stop.constant, step
    (0, 4, 1)
    """
    low = args[0] if len(args) > 1 else number(0)
    stop = args[1] if len(args) > 1 else args[0]
    return low, stop, args[2].constant if len(args) > 2 else 1


def as_poly(value: Poly | int) -> Poly:
    return value if isinstance(value, Poly) else number(value)
