"""Fresh, readable names: `k`, `k2`, `k3`."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

# The builtins that emitted text may call. A fixed list, so that the text does not depend on the
# Python version; a builtin that is not here (`id`, `input`, `filter`) is a name like any other.
BUILTINS = frozenset(
    """
    abs all any bool bytes complex dict divmod enumerate float frozenset getattr hasattr int
    isinstance iter len list map max min next object ord pow print range repr reversed round set
    slice sorted str sum tuple type zip ArithmeticError AssertionError AttributeError Exception
    FloatingPointError IndexError KeyError LookupError NameError NotImplementedError OverflowError
    RecursionError RuntimeError StopIteration TypeError UnboundLocalError ValueError
    ZeroDivisionError
    """.split()  # noqa: SIM905
)
#: begins names of our own beside the user's: a letter that no program uses
HIDDEN = "\u01c0"
MODULES = frozenset({"np", "math", "cmath"})
RESERVED = BUILTINS | MODULES | frozenset(keyword.kwlist)


def users_name(name: str | None) -> str | None:
    """A name of the user's; None for that of an operand (two such letters), which needs none.

    >>> users_name("x"), users_name(HIDDEN + HIDDEN + "1")
    ('x', None)
    """
    return None if name is None or name.startswith(HIDDEN + HIDDEN) else name


class Namer:
    """Hands out names that are not taken, each once.

    >>> namer = Namer({"k", "x"})
    >>> [namer.fresh(name) for name in ("k", "k", "live", "len", "x1", "x1")]
    ['k2', 'k3', 'live', 'len2', 'x1', 'x1_2']
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(RESERVED)
        self._taken.update(taken)
        self._given: set[str] = set()

    def fresh(self, wanted: str) -> str:
        """The wanted name, or else the first free one with a number behind it; now taken."""
        if not wanted.isidentifier():
            raise ValueError(f"{wanted!r} is not a name")
        new = wanted
        separator = "_" if wanted[-1].isdigit() else ""
        number = 1
        while new in self._taken:
            number += 1
            new = f"{wanted}{separator}{number}"
        self._taken.add(new)
        self._given.add(new)
        return new

    def gave(self, name: str) -> bool:
        """Whether this namer handed the name out."""
        return name in self._given

    def copy(self) -> Namer:
        """A namer that knows the same names as taken."""
        new = Namer(self._taken)
        new._given = set(self._given)
        return new

    def take(self, names: Iterable[str]) -> None:
        """Marks names as taken."""
        self._taken.update(names)

    def __contains__(self, name: str) -> bool:
        """Whether a name is taken."""
        return name in self._taken
