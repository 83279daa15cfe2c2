"""Expressions over samples that are arrays, made for the shape that is wanted.

A kind is `f` (floats, of either width), `i` (ints) or `b` (bools); a shape is a tuple of lengths,
`()` that of a scalar.  Every expression is defined for every sample, whatever the data are: indices
are within bounds, and nothing empty is asked for its largest element.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from tests.fuzz.array_scalars import DEEPEST, ArrayScalars, ArrayScope, Shape, inserted


class ArrayExpressions(ArrayScalars):
    """Random expressions of any shape."""

    def make(self, kind: str, shape: Shape, s: ArrayScope, depth: int = 0) -> str:
        """An expression of this kind and shape."""
        if not shape:
            return {"f": self.number, "i": self.whole, "b": self.test}[kind](s, depth)
        return {"f": self.array, "i": self.ints, "b": self.mask}[kind](shape, s, depth)

    # ---------------------------------------------------------------- arrays of floats
    def array(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        known = s.of("f", shape)
        if depth >= DEEPEST or d.chance(0.25):
            if known and d.chance(0.95):
                return d.recent(known)
            return self.spread(shape, s) or self.made(shape, s, depth)
        options: list[tuple[float, Callable[[Shape, ArrayScope, int], str]]] = [
            (4, self.binary), (2, self.unary), (1.2, self.picked), (0.7, self.chosen),
            (1.5, self.reduced), (2.5, self.indexed), (1.2, self.joined), (1, self.reshaped),
            (1, self.ordered), (1.2, self.product), (0.8, self.stacked), (0.5, self.made),
        ]  # fmt: skip
        return d.weighted(options)(shape, s, depth + 1)

    def spread(self, shape: Shape, s: ArrayScope) -> str:
        """A smaller array, or a part of a larger one, in this shape; empty where there is none."""
        d = self.d
        names = [(n, other) for n, (k, other) in s.names.items() if k == "f" and other]
        rows = [n for n, other in names if other[1:] == shape and other[0] > 1]
        ends = [
            n for n, other in names if len(other) < len(shape) and other == shape[-len(other) :]
        ]
        cut = [n for n, other in names
               if len(other) == len(shape) and all(map(int.__ge__, other, shape))]  # fmt: skip
        forms = [f"{n}[{d.pick((0, 1, -1))}]" for n in rows]
        forms += [f"(np.zeros({shape!r}) + {n})" for n in ends]
        forms += [f"{n}[{', '.join(f':{m}' for m in shape)}]" for n in cut]
        return d.pick(forms) if forms and d.chance(0.85) else ""

    def made(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        shown = str(shape[0]) if len(shape) == 1 and d.chance(0.7) else repr(shape)
        same = [n for n, (_, other) in s.names.items() if other == shape]
        if same and d.chance(0.2):
            return d.pick(("np.zeros_like({})", "np.ones_like({}, dtype=float)")).format(
                d.pick(same)
            )
        if len(shape) == 2 and d.chance(0.2):
            return f"np.eye({shape[0]}, {shape[1]})"
        if len(shape) == 1 and d.chance(0.3):
            return d.pick((f"(np.arange({shape[0]}) * 0.5)", f"np.linspace(-1.0, 1.0, {shape[0]})"))
        if d.chance(0.4):
            return f"np.full({shown}, {self.number(s, max(depth, 2) + 1)})"
        return d.pick(("np.zeros({})", "np.ones({})", "np.full({}, 0.5)")).format(shown)

    def binary(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        other = self.make(d.pick("fffib"), self.broadcastable(shape), s, depth)
        left, right = self.array(shape, s, depth), other
        if d.chance(0.35):
            left, right = right, left
        if d.chance(0.1):
            return f"({self.array(shape, s, depth)} / {d.pick(('2.0', '-4', '0.5'))})"
        return f"({left} {d.pick(('+', '-', '*'))} {right})"

    def unary(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        inner = self.array(shape, s, depth)
        forms = (
            "(-{})", "abs({})", "np.tanh({})", "np.clip({}, -1.0, 2.0)", "({} ** 2)", "{}.copy()",
            "np.square({})", "np.floor({})", "np.maximum({}, 0.0)", "np.sign({})", "{}.round(1)",
            "np.nan_to_num({})", "np.exp(-np.abs({}))", "np.asarray({})", "np.minimum({}, {})",
        )  # fmt: skip
        form = self.d.pick(forms)
        operands = [inner] * form.count("{}")
        if len(operands) == 2:
            operands[1] = self.array(self.broadcastable(shape) or shape, s, depth)
        return form.format(*operands)

    def picked(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        test = self.mask(shape, s, depth)
        other = self.make("f", self.broadcastable(shape), s, depth)
        return f"np.where({test}, {self.array(shape, s, depth)}, {other})"

    def chosen(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        sides = (self.array(shape, s, depth) for _ in range(2))
        return f"({next(sides)} if {self.test(s, depth)} else {next(sides)})"

    def reduced(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        found = self.larger(shape, s)
        if found is None:
            return self.array(shape, s, depth)
        k, length = found
        whole = self.array(inserted(shape, k, length), s, depth)
        axis, rank = self.axis(k, len(shape) + 1), len(shape) + 1
        name = d.pick(("sum", "mean", "max", "min", "prod", "sum", "std", "ptp"))
        if k < len(shape) and shape[k] == 1 and d.chance(0.7):
            rest = self.array((*shape[:k], length, *shape[k + 1 :]), s, depth)
            return f"{rest}.sum(axis={self.axis(k, rank - 1)}, keepdims=True)"
        if name == "ptp" or d.chance(0.3):
            return f"np.{name}({whole}, axis={axis})"
        return f"{whole}.{name}({d.pick(('axis=', '')) if name != 'ptp' else 'axis='}{axis})"

    def indexed(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        if d.chance(0.5):
            return self.sliced(shape, s, depth)
        if 1 in shape and d.chance(0.5):
            k = shape.index(1)
            rest = (*shape[:k], *shape[k + 1 :])
            if rest:
                return f"{self.array(rest, s, depth)}[{':, ' * k}None]"
        found = self.larger(shape, s)
        if found is None:
            return self.sliced(shape, s, depth)
        k, length = found
        whole = self.array(inserted(shape, k, length), s, depth)
        at = self.place(length, s, depth)
        if k == len(shape) and d.chance(0.4):
            return f"{whole}[..., {at}]"
        return f"{whole}[{':, ' * k}{at}]"

    def sliced(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        k = d.random.randrange(len(shape))
        n = shape[k]
        m = d.pick([m for m in {*self.lengths, n} if m >= n])
        source = (*shape[:k], m, *shape[k + 1 :])
        bounds = [f":{n}", f"{m - n}:", f"{m - 1}::-1"[: 0 if m != n else None] or f":{n}"]
        if n and m != n:
            bounds += [f"-{n}:", f"{m - n}:{m}"]
        if m == n:
            bounds += ["::-1", ":", ":99", f"-{m + 1}:"]
        if n == (m + 1) // 2 and m > 1:
            bounds += ["::2"]
        if n == m // 2 and m > 1:
            bounds += ["1::2"]
        if n >= 1 and k == 0 and d.chance(0.2):
            picks = [d.random.randrange(-m, m) for _ in range(n)]
            return f"{self.array(source, s, depth)}[{picks}]"
        before = d.pick((":, " * k, "..., " if k == len(shape) - 1 else ":, " * k))
        return f"{self.array(source, s, depth)}[{before}{d.pick(bounds)}]"

    def joined(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        k = d.random.randrange(len(shape))
        if shape[k] < 2:
            return self.stacked(shape, s, depth)
        first = d.random.randrange(1, shape[k])
        parts = [
            self.array((*shape[:k], n, *shape[k + 1 :]), s, depth)
            for n in (first, shape[k] - first)
        ]
        if k == 0 and len(shape) == 1 and d.chance(0.3):
            return f"np.hstack([{parts[0]}, {parts[1]}])"
        return f"np.concatenate([{parts[0]}, {parts[1]}], axis={self.axis(k, len(shape))})"

    def stacked(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        k = d.random.randrange(len(shape)) if d.chance(0.4) else 0
        if not shape[k] or shape[k] > 4:
            return self.array(shape, s, depth)
        rest = (*shape[:k], *shape[k + 1 :])
        parts = ", ".join(self.make("f", rest, s, depth + 1) for _ in range(shape[k]))
        if k == 0 and (not rest or d.chance(0.5)):
            return f"np.array([{parts}])"
        return (
            f"np.stack([{parts}], axis={self.axis(k, len(shape))})"
            if rest
            else f"np.array([{parts}])"
        )

    def reshaped(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        if len(shape) >= 2 and d.chance(0.6):
            inner = self.array(shape[::-1], s, depth)
            if d.chance(0.5):
                return d.pick(("{}.T", "np.transpose({})", "{}.transpose()")).format(inner)
            k, j = d.random.sample(range(len(shape)), 2)
            turned = list(shape)
            turned[k], turned[j] = turned[j], turned[k]
            inner, other = self.array(tuple(turned), s, depth), self.axis(j, len(shape))
            return f"np.swapaxes({inner}, {k}, {other})"
        size = prod(shape)
        if not size or len(shape) == 1 and size > 12:
            return self.array(shape, s, depth)
        if len(shape) == 1:
            factors = [n for n in range(1, size + 1) if size % n == 0]
            n = d.pick(factors)
            inner = self.array((n, size // n), s, depth)
            return d.pick(
                ("{}.reshape(-1)", "{}.ravel()", f"{{}}.reshape({size})", "{}.flatten()")
            ).format(inner)
        inner = self.array((size,), s, depth)
        sizes = ", ".join(map(str, shape))
        return d.pick((f"{{}}.reshape({sizes})", f"np.reshape({{}}, ({sizes}))")).format(inner)

    def ordered(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        k = d.random.randrange(len(shape))
        inner, axis = self.array(shape, s, depth), self.axis(k, len(shape))
        forms = [
            f"np.cumsum({inner}, axis={axis})", f"np.sort({inner}, axis={axis})",
            f"np.flip({inner}, {axis})", f"np.roll({inner}, {d.pick((1, -1, 2))}, axis={axis})",
        ]  # fmt: skip
        if len(shape) == 1:
            forms += [f"np.roll({inner}, 1)", f"np.flip({inner})", f"{inner}.cumsum()"]
        if len(shape) == 2:
            forms += [f"np.tril({inner})", f"np.triu({inner}, 1)"]
        if shape[k]:
            longer = self.array((*shape[:k], shape[k] + 1, *shape[k + 1 :]), s, depth)
            forms.append(f"np.diff({longer}, axis={axis})")
        return d.pick(forms)

    def product(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        n = d.pick([n for n in self.lengths if n] or [2])

        def part(*lengths: int) -> str:
            return self.array(lengths, s, depth)

        if len(shape) == 1:
            (m,) = shape
            return d.pick((
                lambda: f"({part(m, n)} @ {part(n)})", lambda: f"({part(n)} @ {part(n, m)})",
                lambda: f"np.dot({part(m, n)}, {part(n)})", lambda: f"np.diag({part(m, m)})",
                lambda: f"np.einsum('ij,j->i', {part(m, n)}, {part(n)})",
            ))()  # fmt: skip
        if len(shape) == 2:
            m, p = shape
            return d.pick((
                lambda: f"({part(m, n)} @ {part(n, p)})", lambda: f"np.outer({part(m)}, {part(p)})",
                lambda: f"np.einsum('ij,jk->ik', {part(m, n)}, {part(n, p)})",
                lambda: f"{part(m, n)}.dot({part(n, p)})",
                lambda: f"({part(m)}[:, None] * {part(p)})",
                lambda: f"np.matmul({part(m, n)}, {part(n, p)})",
            ))()  # fmt: skip
        *_, m, p = shape
        return f"({part(*shape[:-1], n)} @ {part(n, p)})"

    # ---------------------------------------------------------------- ints and masks
    def ints(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        known = s.of("i", shape)
        if known and (depth >= DEEPEST or d.chance(0.5)):
            return d.recent(known)
        if depth < DEEPEST and d.chance(0.3):
            found = self.larger(shape, s)
            if found is not None:
                k, n = found
                axis = self.axis(k, len(shape) + 1)
                if d.chance(0.5):
                    return (
                        f"np.argmax({self.array(inserted(shape, k, n), s, depth + 1)}, axis={axis})"
                    )
                return f"{self.mask(inserted(shape, k, n), s, depth + 1)}.sum(axis={axis})"
        if depth < DEEPEST and d.chance(0.4):
            other = self.ints(shape, s, depth + 1)
            right = self.make("i", self.broadcastable(shape), s, depth + 1)
            return f"({other} {d.pick(('+', '-', '*'))} {right})"
        if len(shape) == 1 and d.chance(0.5):
            return f"np.arange({shape[0]})"
        return f"np.ones({shape!r}, dtype=int)"

    def mask(self, shape: Shape, s: ArrayScope, depth: int) -> str:
        d = self.d
        known = s.of("b", shape)
        if known and d.chance(0.4):
            return d.pick(known)
        if depth < DEEPEST and d.chance(0.25):
            one = self.mask(shape, s, depth + 1)
            form = d.pick(("(~{})", "({} & {})", "({} | {})", "np.logical_not({})"))
            return form.format(*[one, self.mask(shape, s, depth + 1)][: form.count("{}")])
        left = self.array(shape, s, depth + 1)
        if d.chance(0.1):
            return f"np.isnan({left})"
        right = self.make(d.pick("ffi"), self.broadcastable(shape), s, depth + 1)
        return f"({left} {d.pick(('>', '<', '>=', '<=', '=='))} {right})"
