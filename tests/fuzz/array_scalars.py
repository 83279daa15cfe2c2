"""Numbers and tests made of samples that are arrays, and names in scope at one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from tests.fuzz.scope import Dice

Shape = tuple[int, ...]
#: the letters of parameters (see data.py) -> kinds
KINDS = {"f": "f", "g": "f", "i": "i", "h": "i", "j": "i", "b": "b"}
DEEPEST = 3


@dataclass
class ArrayScope:
    """The names at one place: kind and shape of each, and which arrays are the function's own."""

    names: dict[str, tuple[str, Shape]] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=dict)  # a name -> the dtype of its array
    fixed: set[str] = field(default_factory=set)
    places: dict[str, int] = field(default_factory=dict)  # an index, and the lengths it is for

    def copy(self) -> ArrayScope:
        return ArrayScope(dict(self.names), dict(self.own), set(self.fixed), dict(self.places))

    def of(self, kind: str, shape: Shape) -> list[str]:
        return [n for n, found in self.names.items() if found == (kind, shape)]


def inserted(shape: Shape, axis: int, length: int) -> Shape:
    """The shape with one more axis."""
    return (*shape[:axis], length, *shape[axis:])


class ArrayScalars:
    """Random expressions of one program, whose axes have a few lengths."""

    def __init__(self, dice: Dice, lengths: tuple[int, ...]) -> None:
        self.d = dice
        self.lengths = lengths

    def array(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        raise NotImplementedError

    def mask(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        raise NotImplementedError

    # ---------------------------------------------------------------- small parts
    def axis(self, k: int, rank: int) -> int:
        """Axis k as it may be written."""
        return k if self.d.chance(0.6) else k - rank

    def place(self, length: int, s: ArrayScope, depth: int) -> str:
        """An index that is within an axis of this length."""
        d = self.d
        near = [n for n, least in s.places.items() if length >= least]
        if near and d.chance(0.5):
            return d.pick(near)
        if depth < 2 and d.chance(0.15):
            return f"{self.whole(s, DEEPEST)} % {length}"
        return str(d.random.randrange(-length, length))

    def broadcastable(self, shape: Shape) -> Shape:
        """A shape that NumPy broadcasts to this one."""
        d = self.d
        kept = shape[d.random.randrange(len(shape) + 1) :] if d.chance(0.5) else shape
        return tuple(1 if d.chance(0.1) else n for n in kept)

    def larger(self, shape: Shape, s: ArrayScope) -> tuple[int, int] | None:
        """An axis to insert, and its length; None where the rank is largest."""
        if len(shape) >= 3:
            return None
        known = [
            (k, other[k])
            for kind, other in s.names.values()
            for k in range(len(other))
            if kind == "f" and other[:k] + other[k + 1 :] == shape and other[k]
        ]
        if known and self.d.chance(0.7):
            return self.d.pick(known)
        lengths = [n for n in self.lengths if n] or [2]
        return self.d.random.randrange(len(shape) + 1), self.d.pick(lengths)

    # ---------------------------------------------------------------- scalars
    def some(self, s: ArrayScope, depth: int, least: int = 1) -> tuple[str, Shape]:
        """An array that is not empty, mostly one that has a name."""
        d = self.d
        known = [
            (n, shape) for n, (k, shape) in s.names.items() if k == "f" and shape and prod(shape)
        ]
        if known and (depth >= DEEPEST or d.chance(0.5)):
            return d.recent(known)
        lengths = [n for n in self.lengths if n >= least] or [2]
        shape = tuple(d.pick(lengths) for _ in range(d.pick((1, 1, 1, 2, 2, 3))))
        return self.array(shape, s, depth), shape

    def item(self, s: ArrayScope, depth: int) -> str:
        text, shape = self.some(s, depth)
        at = [self.place(n, s, depth) for n in shape]
        if len(at) > 1 and self.d.chance(0.2):
            return f"{text}[{at[0]}][{', '.join(at[1:])}]"
        return f"{text}[{', '.join(at)}]"

    def number(self, s: ArrayScope, depth: int) -> str:
        d = self.d
        known = s.of("f", ())
        if depth >= DEEPEST or d.chance(0.25):
            return (
                d.recent(known) if known and d.chance(0.7) else d.pick(("2.0", "0.5", "-1.5", "1"))
            )
        depth += 1
        roll = d.random.random()
        if roll < 0.3:
            text, shape = self.some(s, depth)
            form = d.pick((
                "{}.sum()", "{}.mean()", "{}.max()", "{}.min()", "np.sum({})", "np.prod({})",
                "{}.std()", "np.linalg.norm({})" if len(shape) < 3 else "{}.sum()", "np.median({})",
                "np.ptp({})", "sum({})" if len(shape) == 1 else "{}.sum()",
                "max({})" if len(shape) == 1 else "{}.max()",
                "min({})" if len(shape) == 1 else "{}.min()",
                "np.trace({})" if len(shape) == 2 else "np.mean({})", "float({}.sum())",
            ))  # fmt: skip
            return form.format(text)
        if roll < 0.5:
            return self.item(s, depth)
        if roll < 0.7:
            return f"({self.number(s, depth)} {d.pick(('+', '-', '*'))} {self.number(s, depth)})"
        if roll < 0.77:
            n = d.pick([n for n in self.lengths if n] or [2])
            pair = [self.array((n,), s, depth) for _ in range(2)]
            return d.pick(("({} @ {})", "np.dot({}, {})")).format(*pair)
        if roll < 0.84:
            test = self.test(s, depth)
            return f"({self.number(s, depth)} if {test} else {self.number(s, depth)})"
        if roll < 0.9:
            text, shape = self.some(s, depth)
            if not text.isidentifier():
                return f"abs({self.number(s, depth)})"
            mask = f"{text} {d.pick(('>', '<='))} {self.number(s, DEEPEST)}"
            return d.pick((f"{text}[{mask}].sum()", f"{text}[{mask}].prod()"))
        return d.pick(("abs({})", "np.tanh({})", "max({}, {})", "math.atan({})", "(-{})")).format(
            self.number(s, depth), self.number(s, depth)
        )

    def whole(self, s: ArrayScope, depth: int) -> str:
        d = self.d
        known = s.of("i", ())
        if depth >= DEEPEST or d.chance(0.4):
            return d.recent(known) if known and d.chance(0.7) else d.pick(("1", "2", "-3", "0"))
        text, shape = self.some(s, depth + 1)
        form = d.pick((
            "np.argmax({})", "len({})", "({} > 0).sum()", "{}.shape[0]", "np.count_nonzero({} > 0)",
            "{}.ndim", "{}.size", "np.argmin({})",
        ))  # fmt: skip
        return form.format(text)

    def test(self, s: ArrayScope, depth: int) -> str:
        d = self.d
        if d.chance(0.6) or depth >= DEEPEST:
            left, right = self.number(s, depth + 1), self.number(s, depth + 1)
            return f"{left} {d.pick(('>', '<', '>=', '<='))} {right}"
        if d.chance(0.6):
            shape = tuple(d.pick(self.lengths) for _ in range(d.pick((1, 1, 2))))
            mask = self.mask(shape, s, depth + 1)
            return d.pick(("{}.any()", "{}.all()", "np.any({})", "not {}.all()")).format(mask)
        pair = [self.test(s, depth + 1) for _ in range(2)]
        return f"({pair[0]} {d.pick(('and', 'or'))} {pair[1]})"
