"""Statements over samples that are arrays: stores in place, branches, loops, retiring lanes."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.array_expressions import ArrayExpressions
from tests.fuzz.array_scalars import ArrayScope, Shape
from tests.fuzz.assignments import Block, Lines, indent
from tests.fuzz.scope import Dice


class ArrayStatements:
    """The statements of one function; `result` makes what a return of it returns."""

    def __init__(
        self, dice: Dice, e: ArrayExpressions, shapes: list[Shape],
        result: Callable[[ArrayScope], str],
    ) -> None:  # fmt: skip
        self.d = dice
        self.e = e
        self.shapes = shapes
        self.result = result
        self.budget = 9
        self.given: set[str] = set()  # parameters, into which seldom something is stored
        self.loops = 0
        self.tries = 0

    def block(self, s: ArrayScope, size: int, depth: int) -> Block:
        """Up to `size` statements, branches at most `depth` deep."""
        lines: Lines = []
        left = False
        while size > 0 and self.budget > 0 and not left:
            size -= 1
            self.budget -= 1
            made, left = self.statement(s, depth)
            lines += made
        return lines or self.assign(s), left

    def statement(self, s: ArrayScope, depth: int) -> Block:
        d = self.d
        options: list[tuple[float, Callable[..., Block]]] = [
            (5, lambda: (self.assign(s), False)), (5, lambda: (self.store(s), False)),
        ]  # fmt: skip
        if depth:
            options += [(2.2, lambda: self.branch(s, depth)), (1.5, lambda: self.loop(s, depth))]
            options += [(0.8, lambda: self.retiring(s, depth))]
        return d.weighted(options)()

    # ---------------------------------------------------------------- simple ones
    def assign(self, s: ArrayScope) -> Lines:
        d = self.d
        kind = d.pick("ffffffib")
        shape = d.pick(self.shapes) if d.chance(0.65) else ()
        old = [n for n in s.of(kind, shape) if n not in s.fixed and n[0] in "tbpq"]
        name = d.pick(old) if old and d.chance(0.5) else d.fresh("t")
        text = self.e.make(kind, shape, s)
        fresh = text.endswith(".copy()") or text.startswith(("np.zeros(", "np.ones(", "np.full("))
        s.names[name] = (kind, shape)
        s.own.pop(name, None)
        s.places.pop(name, None)
        if kind == "f" and shape and fresh:
            s.own[name] = "f"
        return [f"{name} = {text}"]

    def buffer(self, s: ArrayScope) -> tuple[Lines, str]:
        """An array of the function's own: one there is, or a new one."""
        d = self.d
        own = [n for n in s.own if n in s.names]
        given = [n for n, (k, shape) in s.names.items() if n in self.given and shape and k == "f"]
        if given and d.chance(0.12):
            return [], d.pick(given)
        if own and d.chance(0.8):
            return [], d.pick(own)
        shape, name = d.pick(self.shapes), d.fresh("b")
        text = d.pick((
            f"np.zeros({shape!r})", f"{self.e.array(shape, s, 1)}.copy()", f"np.ones({shape!r})",
            f"{self.e.array(shape, s, 1)} * 1.0", f"np.full({shape!r}, 0.25)",
        ))  # fmt: skip
        s.names[name], s.own[name] = ("f", shape), "f"
        return [f"{name} = {text}"], name

    def store(self, s: ArrayScope) -> Lines:
        """Into an array of the function's own: an item, a slice, a mask, all of it."""
        d, e = self.d, self.e
        lines, name = self.buffer(s)
        shape = s.names[name][1]
        sign = d.pick(("=", "=", "+=", "*=", "-="))
        roll = d.random.random()
        if roll < 0.45 and all(shape):
            at = ", ".join(e.place(n, s, 1) for n in shape)
            return [*lines, f"{name}[{at}] {sign} {e.number(s, 1)}"]
        if roll < 0.6 and len(shape) > 1 and shape[0]:
            at = e.place(shape[0], s, 1)
            value = e.make("f", e.broadcastable(shape[1:]), s, 1)
            return [*lines, f"{name}[{at}] = {value}"]
        if roll < 0.7:
            n = shape[-1]
            cut, length = d.pick(((":", n), ("1:", max(n - 1, 0)), (":2", min(n, 2)),
                                  ("::-1", n), ("::2", (n + 1) // 2)))  # fmt: skip
            before = d.pick(("..., ", ":, " * (len(shape) - 1))) if len(shape) > 1 else ""
            value = e.make("f", (length,) if d.chance(0.5) else (), s, 1)
            return [*lines, f"{name}[{before}{cut}] {d.pick(('=', '='))} {value}"]
        if roll < 0.85:
            return [*lines, f"{name}[{e.mask(shape, s, 1)}] = {e.number(s, 1)}"]
        if roll < 0.95:
            value = e.make("f", e.broadcastable(shape), s, 1)
            return [*lines, f"{name} {d.pick(('+=', '*=', '-='))} {value}"]
        other = d.fresh("q")
        s.names[other] = s.names[name]
        s.own[other] = s.own.get(name, "f")
        return [*lines, f"{other} = {name}"]

    # ---------------------------------------------------------------- branches and loops
    def inner(self, s: ArrayScope, depth: int) -> Block:
        """A block of whose new names nothing is known afterwards."""
        return self.block(s.copy(), self.d.pick((1, 1, 2, 3)), depth - 1)

    def branch(self, s: ArrayScope, depth: int) -> Block:
        d = self.d
        test = self.e.test(s, 1)
        if d.chance(0.25):
            body: Lines = [f"return {self.result(s)}"]
            then = True
        else:
            body, then = self.inner(s, depth)
        lines = [f"if {test}:", *indent(body)]
        left = False
        if d.chance(0.5):
            other, left = self.inner(s, depth)
            lines += ["else:", *indent(other)]
        self.forget(s)
        return lines, then and left

    def forget(self, s: ArrayScope) -> None:
        """Names that a branch rebinds stay what they are, but perhaps not arrays of their own."""
        for name in [n for n in s.own if n.startswith("t")]:
            del s.own[name]

    def loop(self, s: ArrayScope, depth: int) -> Block:
        d = self.d
        inside = s.copy()
        found = [(n, k, shape) for n, (k, shape) in s.names.items() if shape and k == "f"]
        trip = d.fresh("j")
        head = f"for {trip} in range({d.pick(('2', '3', '2, -1, -1'))}):"
        places = {trip: 3}
        if found and d.chance(0.6):
            name, kind, shape = d.pick(found)
            row = d.fresh("e")
            inside.names[row] = (kind, shape[1:])
            inside.fixed.add(row)
            head, places = f"for {row} in {name}:", {}
            if d.chance(0.4):
                head, places = f"for {trip}, {row} in enumerate({name}):", {trip: shape[0]}
            elif d.chance(0.3):
                head, places = f"for {trip} in range(len({name})):", {trip: shape[0]}
                del inside.names[row]
        if places:
            inside.places.update(places)
            inside.names[trip] = ("i", ())
            inside.fixed.add(trip)
        self.loops += 1
        body, _ = self.block(inside, d.pick((1, 2, 3)), depth - 1)
        if d.chance(0.3):
            body.append(f"if {self.e.test(inside, 2)}:")
            word = f"return {self.result(s)}" if d.chance(0.3) else d.pick(("break", "continue"))
            body.append(f"    {word}")
            if d.chance(0.5):
                body += self.assign(inside)
        self.loops -= 1
        self.forget(s)
        return [head, *indent(body)], False

    def retiring(self, s: ArrayScope, depth: int) -> Block:
        """A loop that lanes leave one by one, with an array that goes from trip to trip."""
        d = self.d
        shape = d.pick([x for x in self.shapes if all(x)] or [(2,)])
        name, count = d.fresh("p"), d.fresh("c")
        lines = [f"{name} = {self.e.array(shape, s, 1)}", f"{count} = 0"]
        s.names[name] = ("f", shape)
        test = f"{name}.{d.pick(('max', 'sum', 'mean'))}() > {d.pick(('0.5', '1.0', '-0.5'))}"
        inside = s.copy()
        inside.names[count] = ("i", ())
        step = d.pick((f"{name} = {name} / 2", f"{name} = {name} * 0.5 - 0.25",
                       f"{name} = {name} - 1.0"))  # fmt: skip
        body = [step]
        if d.chance(0.5):
            more, _ = self.block(inside, d.pick((1, 2)), 0)
            body += more
        if d.chance(0.3):
            body += [f"if {self.e.test(inside, 2)}:", "    break"]
        body.append(f"{count} += 1")
        head = f"while {test} and {count} < {d.pick(('3', '5'))}:"
        s.names[count] = ("i", ())
        self.forget(s)
        return [*lines, head, *indent(body)], False
