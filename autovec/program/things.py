"""What a name may stand for while a program is built: a value, a structure of values, an object.

Structures are known item by item, so only their leaves are values of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from autovec.program.values import Const, Path, Value


@dataclass(frozen=True)
class Known:
    """An object known while compiling (a function, a table, None); ``expr`` reads it later."""

    obj: Any
    expr: gast.expr | None = None


def _new_object() -> frozenset[object]:
    return frozenset([object()])


@dataclass(frozen=True)
class Seq:
    """A tuple or list of fixed length, or a namedtuple (``cls``).

    ``objects`` are the user's objects that it may be, for a list: a store into it changes them all;
    for a view of a dict, the dict.
    """

    items: tuple[Thing, ...]
    kind: type = tuple
    cls: Any = None
    objects: frozenset[object] = field(default_factory=_new_object, compare=False)


@dataclass(frozen=True)
class Map:
    """A dict with known keys, and the user's objects that it may be."""

    items: Mapping[Any, Thing]
    objects: frozenset[object] = field(default_factory=_new_object, compare=False)


@dataclass(frozen=True)
class Row(Map):
    """One row of a table, column by column.

    ``kind``: it has the manners of a ``dict``, of a pandas Series (``frame``), or of a NumPy
    record.  ``label`` is its label in the table's index.
    """

    kind: str = "dict"
    label: Thing | None = None


@dataclass(frozen=True)
class Record:
    """An instance of a dataclass, field by field."""

    cls: Any
    fields: Mapping[str, Thing]


@dataclass(frozen=True)
class Local:
    """A local def or lambda and the names it sees; ``own``: it stands in the function's body.

    ``fn`` is the function it stands in, ``names`` what it reads from around it.
    """

    node: gast.FunctionDef | gast.Lambda
    name: str
    env: Mapping[str, Thing] = field(hash=False, compare=False)
    own: bool = True
    defaults: Mapping[str, Thing] = field(default_factory=dict, hash=False, compare=False)
    fn: Any = field(default=None, hash=False, compare=False)
    names: tuple[str, ...] = field(default=(), hash=False, compare=False)

    @property
    def held(self) -> list[Thing]:
        """What it holds itself; a def of the function's own body sees its names as they are."""
        seen = [] if self.own else [self.env[n] for n in self.names if n in self.env]
        beside = (t for t in seen if not isinstance(t, Local) or t.env is not self.env)
        return [*self.defaults.values(), *beside]


@dataclass(frozen=True)
class Partial:
    """A function with some of its arguments."""

    function: Thing
    args: tuple[Thing, ...]
    keywords: Mapping[str, Thing]


@dataclass(frozen=True)
class Chosen:
    """One function where the test holds, another elsewhere."""

    test: Value
    then: Thing
    orelse: Thing


@dataclass(frozen=True)
class Caught:
    """What a handler answers for: class, node, ``str``; None where several places may raise it."""

    error: type[BaseException] | None = None
    made: Any = None
    text: Value | None = None


@dataclass(frozen=True)
class Range:
    """``range`` with uniform bounds."""

    args: tuple[Value, ...]


@dataclass(frozen=True)
class Once:
    """An iterator over these items: what runs through it first leaves nothing for others."""

    items: tuple[Thing, ...]


@dataclass(frozen=True)
class Unbound:
    """A name that some lanes have not assigned; ``value`` for the others, where ``bound`` holds.

    ``late``: all lanes have assigned it, or none; the text finds out as Python does.
    """

    name: str
    value: Thing | None = None
    bound: Value | None = None
    late: bool = False


@dataclass(frozen=True)
class Conflict:
    """A name whose branches gave values of no common type; an error only when it is read."""

    why: str


@dataclass(frozen=True)
class Maybe:
    """None (or with ``nan`` a float nan) where ``none``, ``value`` elsewhere; that is nan there."""

    value: Value
    none: Value
    nan: bool = False


Function = Local | Partial | Chosen
Failed = Unbound | Conflict | Caught
Thing = Value | Known | Seq | Map | Record | Function | Range | Once | Failed | Maybe
NONE = Known(None)


def leaves(thing: Thing) -> list[Value]:
    """The values of a structure, left to right.

    >>> leaves(Seq((NONE,)))
    []
    """
    if isinstance(thing, Value):
        return [thing]
    if isinstance(thing, Seq):
        return [v for item in thing.items for v in leaves(item)]
    if isinstance(thing, Map):
        return [v for item in thing.items.values() for v in leaves(item)]
    if isinstance(thing, Record):
        return [v for item in thing.fields.values() for v in leaves(item)]
    if isinstance(thing, Range):
        return list(thing.args)
    if isinstance(thing, Maybe):
        return [thing.value, thing.none]
    if isinstance(thing, Local):
        return [v for t in thing.held for v in leaves(t)]
    if isinstance(thing, Partial):
        parts = (thing.function, *thing.args, *thing.keywords.values())
        return [v for t in parts for v in leaves(t)]
    if isinstance(thing, Chosen):
        return [thing.test, *leaves(thing.then), *leaves(thing.orelse)]
    if isinstance(thing, Unbound) and thing.value is not None:
        return [*leaves(thing.value), *([thing.bound] if thing.bound is not None else [])]
    return []


def map_leaves(thing: Thing, f: Callable[[Value], Value]) -> Thing:
    """A structure with every leaf replaced."""
    if isinstance(thing, Value):
        return f(thing)
    if isinstance(thing, Seq):
        return replace(thing, items=tuple(map_leaves(t, f) for t in thing.items))
    if isinstance(thing, Map):
        return replace(thing, items={k: map_leaves(t, f) for k, t in thing.items.items()})
    if isinstance(thing, Record):
        return Record(thing.cls, {k: map_leaves(t, f) for k, t in thing.fields.items()})
    if isinstance(thing, Maybe):
        return replace(thing, value=f(thing.value), none=f(thing.none))
    if isinstance(thing, Local):
        defaults = {k: map_leaves(t, f) for k, t in thing.defaults.items()}
        if thing.own:
            return replace(thing, defaults=defaults)
        held = {n: t for n in thing.names if (t := thing.env.get(n)) in thing.held}
        held = {n: map_leaves(t, f) for n, t in held.items()}
        return replace(thing, defaults=defaults, env={**thing.env, **held})
    if isinstance(thing, Partial):
        return Partial(
            map_leaves(thing.function, f),
            tuple(map_leaves(t, f) for t in thing.args),
            {k: map_leaves(t, f) for k, t in thing.keywords.items()},
        )
    if isinstance(thing, Chosen):
        return Chosen(f(thing.test), map_leaves(thing.then, f), map_leaves(thing.orelse, f))
    if isinstance(thing, Unbound) and thing.value is not None:
        value = map_leaves(thing.value, f)
        bound = f(thing.bound) if thing.bound is not None else None
        return replace(thing, value=value, bound=bound)
    return thing


def any_maybe(thing: Thing) -> bool:
    """Is it, or does it hold, something that is None on some lanes?"""
    if isinstance(thing, Seq):
        return any(map(any_maybe, thing.items))
    if isinstance(thing, (Map, Record)):
        inner = thing.items if isinstance(thing, Map) else thing.fields
        return any(map(any_maybe, inner.values()))
    return isinstance(thing, Maybe)


def map_key(thing: Map) -> tuple[Any, ...]:
    """What two dicts, or rows, have in common that can be joined: manners and keys in order."""
    return (thing.kind if isinstance(thing, Row) else "", *thing.items)


def shape(thing: Thing) -> Any:
    """A thing's structure without its leaves."""
    if isinstance(thing, Value):
        return "leaf"
    if isinstance(thing, Seq):
        return (thing.kind, thing.cls, *(shape(t) for t in thing.items))
    if isinstance(thing, Map):
        kind = thing.kind if isinstance(thing, Row) else ""
        return (kind, *((k, shape(t)) for k, t in thing.items.items()))
    if isinstance(thing, Record):
        return (thing.cls, *(shape(t) for t in thing.fields.values()))
    if isinstance(thing, Unbound) and thing.value is not None:
        return ("unbound", shape(thing.value))
    return ("maybe", thing.nan) if isinstance(thing, Maybe) else thing


def thing_key(thing: Thing) -> Any:
    """What distinguishes two specialisations of a function."""
    if isinstance(thing, Value):
        return thing.fact
    if isinstance(thing, Seq):
        return (thing.kind, thing.cls, *(thing_key(t) for t in thing.items))
    if isinstance(thing, Map):
        kind = thing.kind if isinstance(thing, Row) else ""
        return (kind, *((k, thing_key(t)) for k, t in thing.items.items()))
    if isinstance(thing, Record):
        return (thing.cls, *(thing_key(t) for t in thing.fields.values()))
    if isinstance(thing, Known):
        return ("object", id(thing.obj))
    if isinstance(thing, Local):
        names = sorted({*thing.names} & set(thing.env))
        seen = ((n, thing_key(thing.env[n])) for n in names if not isinstance(thing.env[n], Local))
        defaults = ((n, thing_key(t)) for n, t in thing.defaults.items())
        return ("local", id(thing.node), *seen, *defaults)
    if isinstance(thing, Partial):
        keywords = ((k, thing_key(t)) for k, t in thing.keywords.items())
        return ("partial", thing_key(thing.function), *map(thing_key, thing.args), *keywords)
    if isinstance(thing, Chosen):
        return ("chosen", *map(thing_key, (thing.test, thing.then, thing.orelse)))
    if isinstance(thing, Maybe):
        return ("maybe", thing.nan, thing_key(thing.value), thing_key(thing.none))
    if isinstance(thing, Conflict):
        return ("unreadable", thing.why)
    return ("other", id(thing))


#: what ``literal`` gives for a thing that is none
NOT_LITERAL = object()


def literal(thing: Thing) -> object:
    """The value of a literal, else an object equal to nothing."""
    if isinstance(thing, Value) and isinstance(thing.op, Const):
        return thing.op.value
    return NOT_LITERAL


def same_literal(a: Value, b: Value) -> bool:
    """Are both the same literal, down to its type and the sign of zero?"""
    if isinstance(a.op, Const) and isinstance(b.op, Const):
        return repr(a.op.value) == repr(b.op.value)
    return same_path(a, b)


def same_path(a: Value, b: Value) -> bool:
    """Is it one object of the user's, read twice?"""
    if isinstance(a.op, Path) and isinstance(b.op, Path):
        return gast.dump(a.op.expr) == gast.dump(b.op.expr)
    return False


def describe(thing: Thing | None) -> str:
    """A thing in a user's words."""
    if isinstance(thing, Value) and thing.fact.rank:
        return f"an array of shape {tuple(map(int, thing.fact.shape))}"
    if isinstance(thing, Value):
        return _KINDS.get(thing.fact.kind, f"a {thing.fact.dtype}")
    if isinstance(thing, Known):
        return "None" if thing.obj is None else f"a {type(thing.obj).__name__}"
    if isinstance(thing, Seq):
        return f"a {thing.cls.__name__ if thing.cls else thing.kind.__name__} of {len(thing.items)}"
    if isinstance(thing, Map):
        return "a row" if isinstance(thing, Row) else "a dict"
    if isinstance(thing, Record):
        return f"a {thing.cls.__name__}"
    if isinstance(thing, (Local, Partial, Chosen)):
        return "a function"
    if isinstance(thing, Caught):
        return "an exception"
    if isinstance(thing, Maybe):
        return f"None on some lanes and {describe(thing.value)} on others"
    if isinstance(thing, Conflict):
        return thing.why
    if isinstance(thing, Once):
        return "an iterator"
    return "a range" if isinstance(thing, Range) else "nothing"


_KINDS = {"b": "a bool", "i": "an int", "f": "a float", "c": "a complex", "U": "a string",
          "M": "a date", "m": "a duration", "O": "an object",
          "?": "a number of no declared dtype"}  # fmt: skip
