"""Writing statements from values: reading, naming and inlining.

A value is written where it is first needed: one that is read once, in the block where it is
computed, stands in the expression that reads it; others get a name, the user's where it is free.  A
name is free again when the value it holds has no reads left, none is pending in an expression not
yet written, and no loop comes back to it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gast
import numpy as np

from autovec.lower.analysis import Uses, is_atom, uses_of
from autovec.lower.frames import MARK, MARK_SIZE, Frame, Gather
from autovec.program import probe
from autovec.program.build import HIDDEN
from autovec.program.facts import Fact, storage
from autovec.program.functions import Program
from autovec.program.nodes import Node, Return
from autovec.program.things import Known, Map, Record, Seq, Thing, leaves
from autovec.program.values import CallTwin, Const, Operation, Param, Path, Value
from autovec.syntax import quote
from autovec.syntax.build import dict_display
from autovec.syntax.names import RESERVED

#: what to call the result of an operation that the user gave no name
IDEAS = {
    "+": "total", "-": "difference", "*": "product", "/": "ratio", "//": "quotient", "%": "rest",
    "**": "power", "neg": "negative", "not": "others", "&": "test", "|": "test", "truth": "test",
    "in": "known", "max": "largest", "min": "smallest", "phi": "value", "call": "result", "list": "values",
    "carry": "value", "item": "item", "invert": "inverse", "<<": "shifted", ">>": "shifted", "^": "flipped",
    "abs": "size", "absolute": "size", "part": "part", "round": "rounded", "int": "whole", "float": "number",
}  # fmt: skip
_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}


class NeedFlat(Exception):
    """The text packs: arrays of any shapes have to be broadcast and flattened first."""


class Writer:
    """The state of writing one program."""

    def __init__(
        self,
        program: Program,
        flat: bool,
        taken: set[str],
        keep_parameters: bool = False,
        renames: dict[str, str] | None = None,
    ) -> None:
        self.program = program
        self.flat = flat
        self.uses: Uses = uses_of(program.body)
        self.remaining: Counter[int] = Counter(self.uses.count)
        self.root = Frame()
        self.frame = self.root
        self.frames = 0
        self.out: list[gast.stmt] = []
        self.body = self.out
        self.names: dict[int, str] = {}
        self.home: dict[int, Frame] = {}
        self.holder: dict[str, Value] = {}
        self.pending: dict[int, tuple[gast.expr, frozenset[str]]] = {}
        self.aliases: dict[int, Value] = {}
        self.aliased: set[int] = set()
        self.locked: Counter[str] = Counter()
        self.taken = RESERVED | taken
        self.loop_depth = 0
        self.size_reads = 0
        self.quiet = False
        self.partial = False
        self.selecting = 0
        self.values: dict[int, Value] = {}
        self.live_masks: list[str] = []
        self.targets: dict[int, Any] = {}
        self.out_names: list[str] = []
        self.filled: Return | None = None
        self.keep_parameters = keep_parameters
        self.renames = renames or {}
        self.dependencies: dict[int, frozenset[str]] = {}
        self.returned: set[int] = set()
        self.shared: set[int] = set()
        self.reassigned: set[str] = set()
        self.size_name = self.reserve("n", "size", "count", "lanes")
        self.shape_word = self.reserve("shape", "batch_shape", "lanes_shape")
        self.shape_reads = 0
        self.bind_parameters()

    def bind_parameters(self) -> None:
        """Parameters are the first names held."""
        for name, thing in self.program.things.items():
            for v in leaves(thing):
                self.home[id(v)] = self.root
                if isinstance(v.op, Param) and isinstance(thing, Value):
                    self.names[id(v)] = name
                    self.holder[name] = v
            if (
                not isinstance(thing, Value)
                or not isinstance(thing.op, Param)
                or self.keep_parameters
            ):
                self.locked[name] += 1

    def reserve(self, *wishes: str) -> str:
        """A name that neither the user nor the program has."""
        name = next(
            n
            for n in (*wishes, *(f"{wishes[0]}_{k}" for k in range(1000)))
            if n not in self.taken and n not in self.program.locals
        )
        self.taken = self.taken | {name}
        return name

    # ------------------------------------------------------------ names
    def take(self, value: Value, wish: str | None = None) -> str:
        """A name for a value: the user's if it is free, else one like it."""
        want = wish or clean(value.origin) or idea(value)
        name = want
        k = 1
        while not self.free(name):
            k += 1
            name = f"{want}{k}"
        self.assigned(value, name)
        return name

    def assigned(self, value: Value, name: str) -> None:
        """The value is in this name from here on."""
        self.holder[name] = value
        self.names[id(value)] = name
        self.home[id(value)] = self.frame
        self.reassigned.add(name)

    def free(self, name: str) -> bool:
        """May this name be assigned now?"""
        if self.locked[name] or name in self.taken:
            return False
        held = self.holder.get(name)
        if held is not None and self.remaining[id(held)] > 0:
            return False
        return not any(name in used for _, used in self.pending.values())

    def fresh(self, want: str) -> str:
        """A name that holds no value of the program: an index, a buffer's size, a mask."""
        name = want
        k = 1
        while not self.free(name) or name in self.program.locals:
            k += 1
            name = f"{want}{k}"
        self.locked[name] += 1
        return name

    def release(self, name: str) -> None:
        """Give a fresh name back."""
        self.locked[name] -= 1

    def take_later(self, value: Value) -> str:
        """A name for a value that is about to be assigned in more than one place."""
        want = clean(value.origin) or idea(value)
        name, k = want, 1
        while not self.free(name):
            k += 1
            name = f"{want}{k}"
        self.locked[name] += 1
        return name

    def hold(self, value: Value, name: str) -> None:
        """The value is in this name now."""
        self.locked[name] -= 1
        self.assigned(value, name)

    def keep(self, value: Value, name: str) -> None:
        """The value is in a name that another one had."""
        self.locked[name] += 1
        self.hold(value, name)

    def alias(self, value: Value, source: Value) -> None:
        """The value is another one: its reads are that one's."""
        source = self.resolve(source)
        self.named(source)
        self.remaining[id(source)] += self.remaining[id(value)] - 1
        self.aliases[id(value)] = source
        self.aliased.add(id(source))

    def resolve(self, value: Value) -> Value:
        """The value itself, or what it is an alias of."""
        while id(value) in self.aliases:
            value = self.aliases[id(value)]
        return value

    # ------------------------------------------------------------ reading
    def consume(self, value: Value) -> None:
        """Count a read that needs no expression."""
        value = self.resolve(value)
        self.remaining[id(value)] -= 1

    def named(self, value: Value) -> None:
        """Give a pending value a name: it will be read more than once."""
        value = self.resolve(value)
        if id(value) in self.pending:
            expr, _ = self.pending.pop(id(value))
            home = self.home.get(id(value))
            assert home is self.frame or home is None
            name = self.take(value)
            self.emit(quote.stmt("name = value", name=name, value=expr))

    def wait(self, value: Value, expr: gast.expr) -> None:
        """The value's expression is written where it is read."""
        self.pending[id(value)] = (expr, names_in(expr))
        self.home[id(value)] = self.frame
        self.values[id(value)] = value

    def define(self, value: Value, expr: gast.expr) -> None:
        """A merged value, as a statement or pending."""
        plain = value.origin is None or self.selecting
        if self.remaining[id(value)] == 1 and plain and self.in_place(value):
            self.wait(value, expr)
            return
        name = self.take(value)
        if not (isinstance(expr, gast.Name) and expr.id == name):
            self.emit(quote.stmt("name = value", name=name, value=expr))

    @contextmanager
    def collect(self) -> Iterator[list[gast.stmt]]:
        """Write into a list of its own."""
        before, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = before

    def read(self, value: Value) -> gast.expr:
        """The expression of a value in the current frame."""
        value = self.resolve(value)
        self.remaining[id(value)] -= 1
        return self.peek(value)

    def peek(self, value: Value) -> gast.expr:
        """The same without counting a read."""
        value = self.resolve(value)
        op = value.op
        if isinstance(op, Const):
            return literal(op.value)
        if isinstance(op, Path) and not value.varying:
            return op.expr
        waiting = self.pending.pop(id(value), None)
        if waiting is not None:
            assert self.home[id(value)] is self.frame or not value.varying, "read in other lanes"
            return waiting[0]
        source = op.expr if isinstance(op, Path) else quote.name(self.names[id(value)])
        if not value.varying:
            return source
        return self.gather(value, source, self.frame)

    def gather(self, value: Value, source: gast.expr, frame: Frame) -> gast.expr:
        """A value of some enclosing frame's lanes, for this frame's lanes."""
        home = self.home.get(id(value), self.root)
        if home is frame:
            return source
        assert frame.parent is not None, (value, home.number, frame.number)
        weight = 3 if self.loop_depth > frame.loop_depth else 1
        found = frame.gathers.get(id(value))
        if found is None:
            mark = f"{MARK}gather{frame.number}_{len(frame.gathers)}"
            if home.root:
                inner, by = source, frame.index_mark
            else:
                inner, by = self.gather(value, source, frame.parent), frame.select_mark
                if frame.parent.root:
                    by = frame.index_mark
            name = self.fresh(f"{self.names.get(id(value), 'value')}_k")
            frame.locked += [name, *names_in(inner)]
            self.locked.update(names_in(inner))
            found = frame.gathers[id(value)] = Gather(mark, value, inner, by, name)
        found.reads += weight
        return quote.name(found.mark)

    def flush(self) -> None:
        """Write what is pending: what follows runs for other lanes."""
        for key in [*self.pending]:
            value = self.values[key]
            if value.varying and self.home[key] is self.frame:
                self.named(value)

    def thing(self, thing: Thing) -> gast.expr:
        """A structure as a display."""
        if isinstance(thing, Value):
            return self.read(thing)
        if isinstance(thing, Seq):
            items = [self.thing(t) for t in thing.items]
            if thing.cls is not None:
                return quote.expr("cls(*items)", cls=thing.cls.__name__, items=items)
            return quote.expr("[*items]" if thing.kind is list else "(*items,)", items=items)
        if isinstance(thing, Map):
            return dict_display(
                map(quote.const, thing.items), [self.thing(t) for t in thing.items.values()]
            )
        if isinstance(thing, Record):
            keywords = {k: self.thing(t) for k, t in thing.fields.items()}
            return quote.expr("cls(**fields)", cls=thing.cls.__name__, fields=keywords)
        if isinstance(thing, Known):
            return thing.expr if thing.expr is not None else quote.const(None)
        raise TypeError(thing)

    # ------------------------------------------------------------ writing
    def emit(self, *statements: gast.stmt) -> None:
        """Append statements."""
        self.out.extend(statements)

    def let(self, value: Value) -> None:
        """Compute a value here: as a statement, or pending until it is read."""
        single = self.remaining[id(value)] == 1
        in_place = single and self.in_place(value)
        named = (
            value.origin is not None and not self.selecting and id(value) not in self.uses.merged
        )
        op = value.op
        expr = self.compute(value)
        if isinstance(op, Operation) and op.ignore:
            name = self.take(value)
            assign = quote.stmt("name = value", name=name, value=expr)
            self.emit(quote.stmt('with np.errstate(all="ignore"):\n    body', body=[assign]))
            return
        if in_place and not named and not (isinstance(op, Operation) and op.note):
            self.wait(value, expr)
            return
        if self.remaining[id(value)] == 0:
            self.emit(quote.stmt("value", value=expr))
            return
        name = self.take(value)
        if isinstance(expr, gast.Name) and expr.id == name:
            return
        self.emit(quote.stmt("name = value", name=name, value=expr))
        if isinstance(op, Operation) and op.note and value.varying:
            self.emit(quote.trailing_comment(op.note))

    def in_place(self, value: Value) -> bool:
        """Is its one read in the block where it is computed?"""
        if id(value) in self.aliased:
            return False
        return self.uses.block.get(id(value)) is self.uses.home.get(id(value))

    def compute(self, value: Value) -> gast.expr:
        """The expression of an operation."""
        op = value.op
        if isinstance(op, CallTwin):
            return self.call(value, op)
        assert isinstance(op, Operation), op
        template = op.lanes if value.varying else op.python
        for old, new in self.renames.items():
            template = re.sub(rf"(?<![\w.]){old}\(", f"{new}(", template)
        casts = self.casts(value, op) if value.varying else {}
        holes: dict[str, Any] = {}
        for p, arg in zip(op.params, value.args, strict=True):
            if occurrences(template, p) > 1 and not is_atom(arg):
                self.named(arg)  # before anything is read: a name read last is free again
        for p, arg in zip(op.params, value.args, strict=True):
            times = occurrences(template, p)
            if times == 0:
                self.consume(arg)
                self.pending.pop(id(self.resolve(arg)), None)
                continue
            expr = self.read(arg)
            if p in casts:
                expr = quote.expr("x.astype(dtype)", x=expr, dtype=dtype_expr(casts[p]))
            holes[p] = expr
        return quote.expr(template, **holes)

    def casts(self, value: Value, op: Operation) -> dict[str, np.dtype[Any]]:
        """Weak operands that are stored too wide for the result's dtype."""
        weak = [
            (p, a) for p, a in zip(op.params, value.args, strict=True) if a.varying and a.fact.weak
        ]
        strong = [a.fact for a in value.args if not a.fact.weak]
        if not weak or not strong or value.fact.kind in "UO":
            return {}
        facts = tuple(a.fact for a in value.args)
        try:
            natural = probe.result(op.lanes, op.params, facts, False).dtype
        except (probe.NoResult, AttributeError):
            return {}
        if natural == storage(value.fact) and value.fact.kind != "b":
            return {}
        one = {"b": True, "i": 1, "f": 1.0, "c": 1j}
        dtypes = [f.dtype for f in strong]
        found = {p: np.result_type(one[a.fact.kind], *dtypes) for p, a in weak}
        return {p: d for p, d in found.items() if d != storage(dict(weak)[p].fact)}

    def call(self, value: Value, op: CallTwin) -> gast.expr:
        """The call of a helper's twin."""
        twin = op.twin
        args: list[gast.expr] = []
        keywords: dict[str, gast.expr] = {}
        for thing, keyword in zip(twin.passed, twin.keywords, strict=True):
            expr = self.thing(thing)
            if keyword is None:
                args.append(expr)
            else:
                keywords[keyword] = expr
        return quote.expr("f(*args, **keywords)", f=twin.program.name, args=args, keywords=keywords)

    def snapshot(self) -> dict[str, Value]:
        """Which names hold what, before the sides of a branch are written."""
        return dict(self.holder)

    def merge(self, before: dict[str, Value]) -> None:
        """After a side of a Python branch: names assigned in it are not held on the other."""
        self.holder = {**self.holder, **before}

    # ------------------------------------------------------------ out buffers
    def outs(self) -> None:
        """The buffers of the result, made once at the function's own level."""
        if self.out_names:
            return
        from autovec.lower.results import make_outs

        make_outs(self)

    def is_filled(self, nodes: list[Node]) -> bool:
        """Is it only the return whose values the buffers are filled with?"""
        return len(nodes) == 1 and nodes[0] is self.filled and not self.live_masks

    def return_outs(self) -> None:
        """Return the buffers."""
        from autovec.lower.results import return_outs

        return_outs(self)

    # ------------------------------------------------------------ sizes and dtypes
    def size(self) -> gast.expr:
        """The number of lanes of the current frame."""
        if not self.frame.root:
            return quote.expr("len(k)", k=self.frame.index(2))
        return self.whole_size()

    def whole_size(self) -> gast.expr:
        """The number of all lanes, in any frame."""
        self.need_flat()
        self.size_reads += 1
        return quote.name(MARK_SIZE)

    def shape_name(self) -> gast.expr:
        """The shape of the batch, kept when it was flattened."""
        self.shape_reads += 1
        return quote.name(self.shape_word)

    def insert_at_top(self, statements: list[gast.stmt]) -> None:
        """Write at the function's own level, before what is being written there."""
        self.body.extend(statements)

    def filled_array(self, size: gast.expr, value: Any, dtype: np.dtype[Any]) -> gast.expr:
        """An array of one literal."""
        extra = dtype_argument(dtype)
        zero = isinstance(value, (bool, int, float)) and value == 0 and not _negative_zero(value)
        if zero and dtype.kind in "biuf":
            return quote.expr("np.zeros(size, *dtype)", size=size, dtype=extra)
        if np.asarray(value).dtype == dtype:
            extra = []
        elif not extra:
            extra = [quote.name("float")]
        return quote.expr(
            "np.full(size, value, *dtype)", size=size, value=literal(value), dtype=extra
        )

    def need_flat(self) -> None:
        """The text from here on holds for one lane axis only."""
        if not self.flat:
            raise NeedFlat

    def full(self, value: gast.expr, uniform: Any, dtype: np.dtype[Any]) -> gast.expr:
        """A new array of the frame's size, filled with a uniform value."""
        size = self.size()
        extra = dtype_argument(dtype)
        if uniform is not None:
            return self.filled_array(size, uniform, dtype)
        if dtype.kind == "U":
            extra = []
        elif not extra:
            extra = [quote.name("float")]
        return quote.expr("np.full(size, value, *dtype)", size=size, value=value, dtype=extra)

    def spread(self, value: Value, fact: Fact) -> gast.expr:
        """A value read as an array over the frame's lanes, of a fact's dtype."""
        value = self.resolve(value)
        dtype = storage(fact)
        if not value.varying:
            constant = value.op.value if isinstance(value.op, Const) else None
            return self.full(self.read(value), constant, dtype)
        return self.cast(self.read(value), storage(value.fact), dtype)

    def as_stored(self, expr: gast.expr, fact: Fact, sides: tuple[Value, ...]) -> gast.expr:
        """A pick of these values in the dtype of their join, which NumPy may have made wider."""
        return self.cast(expr, natural(sides), storage(fact)) if fact.kind in "biufc" else expr

    def scalar(self, value: Value, fact: Fact) -> gast.expr:
        """A uniform value read as a Python number of a fact's kind (int or float is float)."""
        value = self.resolve(value)
        return self.as_kind(self.read(value), value, fact)

    def as_kind(self, expr: gast.expr, value: Value, fact: Fact) -> gast.expr:
        """A uniform value's expression, made a number of a fact's kind."""
        if fact.varying or fact.kind == value.fact.kind or not fact.weak or fact.kind not in "ifc":
            return expr
        kind = {"i": int, "f": float, "c": complex}[fact.kind]
        if isinstance(value.op, Const):
            return literal(kind(value.op.value))
        return quote.expr("kind(x)", kind=kind.__name__, x=expr)

    def cast(self, expr: gast.expr, have: np.dtype[Any], want: np.dtype[Any]) -> gast.expr:
        """An array in another dtype, if it has another."""
        if have == want or want.kind in "U":
            return expr
        return quote.expr("x.astype(dtype)", x=expr, dtype=dtype_expr(want))


# ---------------------------------------------------------------- small helpers
def natural(values: tuple[Value, ...]) -> np.dtype[Any]:
    """The dtype of np.where over these values."""
    operands: list[Any] = []
    for v in values:
        if v.fact.weak and not v.varying:
            operands.append({"b": True, "i": 1, "f": 1.0, "c": 1j}[v.fact.kind])
        else:
            operands.append(storage(v.fact))
    if not any(isinstance(o, np.dtype) for o in operands):
        return np.result_type(*(np.asarray(o).dtype for o in operands))
    return np.result_type(*operands)


def clean(origin: str | None) -> str | None:
    """A user's name as an identifier."""
    if origin is None:
        return None
    name = origin.lstrip(HIDDEN)
    return name if name.isidentifier() else None


def idea(value: Value) -> str:
    """A name for what the user left unnamed, from what it is."""
    name = getattr(value.op, "name", "value")
    if name in _COMPARISONS:
        return "test"
    last = re.sub(r"\W.*", "", name.rpartition(".")[2]) or name
    return IDEAS.get(name) or IDEAS.get(last) or (last if last.isidentifier() else "value")


def literal(value: Any) -> gast.expr:
    """A literal's expression; inf and nan have none of their own."""
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return quote.expr("np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf")
    return quote.const(value)


def dtype_expr(dtype: np.dtype[Any]) -> gast.expr:
    """A dtype as one writes it."""
    plain = {
        "float64": "float",
        "int64": "int",
        "bool": "bool",
        "complex128": "complex",
        "object": "object",
    }
    if dtype.name in plain:
        return quote.name(plain[dtype.name])
    if dtype.kind in "iufc":
        return quote.expr(f"np.{dtype.name}")
    return quote.const(dtype.str)


def dtype_argument(dtype: np.dtype[Any]) -> list[gast.expr]:
    """The dtype argument of np.zeros and its kin, none for float64."""
    return [] if dtype == np.dtype(float) else [dtype_expr(dtype)]


def occurrences(template: str, name: str) -> int:
    """How often a parameter stands in a template."""
    return len(re.findall(rf"(?<![\w.]){name}\b", template))


def names_in(expr: gast.expr) -> frozenset[str]:
    """The names an expression reads."""
    return frozenset(n.id for n in gast.walk(expr) if isinstance(n, gast.Name))


def _negative_zero(value: Any) -> bool:
    return isinstance(value, float) and math.copysign(1.0, value) < 0
