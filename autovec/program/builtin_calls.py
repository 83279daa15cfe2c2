"""Builtins that are not plain operations: ranges, containers, iterators, type tests, numbers."""

from __future__ import annotations

import functools
import math
from typing import Any

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.ops.result_types import head
from autovec.program import splits, strings
from autovec.program.agreement import ANNOTATE
from autovec.program.arrays.items import length
from autovec.program.arrays.masked import count, is_kept
from autovec.program.arrays.operands import is_array
from autovec.program.build import Builder
from autovec.program.calls import arguments, call_known, call_with, special
from autovec.program.facts import PYTHON_DTYPES, Fact
from autovec.program.iteration import sequence_items, wrapped_items
from autovec.program.rows import row_class
from autovec.program.rules import rule_call
from autovec.program.tables import unpacked
from autovec.program.things import (
    Known,
    Map,
    Maybe,
    Once,
    Range,
    Record,
    Row,
    Seq,
    Thing,
    describe,
    literal,
)
from autovec.program.truth import negated, truth
from autovec.program.uniform_calls import uniform_call
from autovec.program.unknown import LateDtype
from autovec.program.values import Const, Path, Value
from autovec.syntax import quote
from autovec.syntax.walking import updated


@special(range, least=1, most=3)
def range_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``range``: a loop's or a membership test's."""
    args = tuple(b.value(a) for a in node.args)
    if any(a.fact.kind not in "biu?" for a in args):
        raise Unsupported(node, "range of floats", "Python raises TypeError")
    return Range(args)


@special(len, least=1, most=1)
def len_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """The length of a structure or table."""
    thing = b.expr(node.args[0])
    if is_kept(thing):
        return count(b, thing, node)
    if is_array(thing):
        return length(b, b.as_value(thing, node), node)
    if isinstance(thing, (Seq, Map)):
        return b.const(len(thing.items))
    if (
        isinstance(thing, Known)
        and type(thing.obj) in (tuple, list, dict, set, frozenset)
        and thing.expr is not None
    ):
        return Value(
            Path(quote.expr("len(x)", x=thing.expr), ""), (), Fact(np.dtype(np.int64), weak=True)
        )
    number = splits.count(b, thing, node) if isinstance(thing, Value) else None
    if number is not None:
        return number
    if isinstance(thing, Value) and thing.fact.kind == "U":
        return strings.length(b, thing, node)
    raise Unsupported(node, f"len of {describe(thing)}", "it has no array form")


@special(tuple, list, most=1)
def sequence(b: Builder, node: gast.Call, kind: Any) -> Thing:
    """``tuple`` and ``list`` of a fixed sequence."""
    if not node.args:
        return Seq((), kind)
    return Seq(tuple(sequence_items(b, node.args[0])), kind)


@special(set, frozenset, most=1)
def set_(b: Builder, node: gast.Call, kind: Any) -> Thing:
    """A set of literals: a table that the text holds itself."""
    items = [literal(t) for t in sequence_items(b, node.args[0])] if node.args else []
    if not all(isinstance(v, (bool, int, float, complex, str)) for v in items):
        raise Unsupported(node, "a set of what is no literal", "lanes would differ in its length")
    made = quote.expr("{*items}", items=[quote.const(v) for v in items])
    return Known(kind(items), made if items else quote.expr("f()", f=kind.__name__))


@special(dict, most=1, keywords=None)
def dict_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``dict(a=..., b=...)``, ``dict(other)``."""
    _, keywords = arguments(b, updated(node, args=[]))
    items: dict[Any, Thing] = {}
    for a in map(b.iterable, node.args):
        if isinstance(a, Map):
            items.update(a.items)
            continue
        pairs = unpacked(b, a)
        if not isinstance(pairs, Seq):
            raise Unsupported(node, f"dict of {describe(pairs)}", "its keys are not known")
        for pair in pairs.items:
            if not isinstance(pair, Seq) or len(pair.items) != 2:
                raise Unsupported(node, "a dict of such pairs", "its keys are not known")
            key = literal(pair.items[0])
            if not isinstance(key, (str, int, float)):
                raise Unsupported(node, "a dict of such pairs", "its keys are not known")
            items[key] = pair.items[1]
    return Map({**items, **keywords})


@special(enumerate, least=1, most=2, keywords="start")
@special(reversed, least=1, most=1)
@special(zip, keywords="strict")
def lazily(b: Builder, node: gast.Call, function: Any) -> Thing:
    """Iterators of fixed length, as the list of what they give."""
    return Once(tuple(wrapped_items(b, node, function)))


@special(map, least=2)
def map_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """What a function gives for each item."""
    target = b.expr(node.args[0])
    rows = zip(*(sequence_items(b, a) for a in node.args[1:]), strict=False)
    return Once(tuple(call_with(b, target, list(row), {}, node) for row in rows))


@special(filter, least=2, most=2)
def filter_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """The items that a filter keeps, which has to be known."""
    target = b.expr(node.args[0])
    kept: list[Thing] = []
    for item in sequence_items(b, node.args[1]):
        by_itself = isinstance(target, Known) and target.obj is None
        test = truth(b, item if by_itself else call_with(b, target, [item], {}, node), node)
        if not isinstance(test.op, Const):
            raise Unsupported(node, "filter", "its length would differ between lanes")
        kept += [item] if test.op.value else []
    return Once(tuple(kept))


@special(functools.reduce, least=2, most=3)
def reduce_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """``functools.reduce`` over a fixed sequence."""
    target, items = b.expr(node.args[0]), sequence_items(b, node.args[1])
    start = [b.expr(node.args[2])] if len(node.args) > 2 else []
    if not start and not items:
        raise Unsupported(node, "reduce of nothing", "Python raises TypeError")
    return functools.reduce(lambda x, y: call_with(b, target, [x, y], {}, node), [*start, *items])


@special(isinstance, least=2, most=2)
def isinstance_(b: Builder, node: gast.Call, function: Any) -> Thing:
    """A type test, decided while compiling."""
    thing, classes = b.expr(node.args[0]), b.expr(node.args[1])
    wanted = _classes(classes, node)
    if isinstance(thing, Maybe):
        there = _is_one_of(thing.value, wanted)
        if there == isinstance(math.nan if thing.nan else None, wanted):
            return b.const(there)
        return negated(b, thing.none) if there else thing.none
    if isinstance(thing, Value):
        return b.const(_is_one_of(thing, wanted))
    if isinstance(thing, Known):
        return b.const(isinstance(thing.obj, wanted))
    if isinstance(thing, Map):
        return b.const(issubclass(row_class(thing) if isinstance(thing, Row) else dict, wanted))
    if not isinstance(thing, (Seq, Record)):
        raise Unsupported(node, f"isinstance of {describe(thing)}", "")
    cls = thing.cls if isinstance(thing, Record) or thing.cls is not None else thing.kind
    return b.const(issubclass(cls, wanted))


#: classes whose instances are those of others, too
BASES = {
    "datetime": ("datetime", "date"),
    "Timestamp": ("Timestamp", "datetime", "date"),
    "Timedelta": ("Timedelta", "timedelta"),
}


def _is_one_of(thing: Value, wanted: tuple[type, ...]) -> bool:
    """Is a sample of this fact an instance of one of these classes?"""
    what = "isinstance of a value that has another type on other lanes"
    if thing.fact.mixed:
        raise Unsupported(None, what, "it would differ between lanes")
    dtype = thing.fact.dtype
    if dtype.kind in "OMm":
        if thing.fact.holds is None:
            raise Unsupported(None, f"the class of {describe(thing)}", "it is not known")
        names = BASES.get(thing.fact.holds, (head(thing.fact.holds),))
        return any(cls is object or cls.__name__ in names for cls in wanted)
    if isinstance(dtype, LateDtype):
        raise Unsupported(None, f"the class of {describe(thing)}", "it is not known", ANNOTATE)
    one: Any = "" if dtype.kind == "U" else dtype.type(1)
    numpy = isinstance(one, wanted)
    own = numpy
    if thing.fact.dtype in PYTHON_DTYPES:  # others are NumPy's scalars
        own = isinstance(one.item(), wanted)
    if thing.fact.either and own != numpy:
        raise Unsupported(None, what, "it would differ between lanes")
    return own if thing.fact.python else numpy


def _classes(thing: Thing, node: gast.AST) -> tuple[type, ...]:
    if isinstance(thing, Known) and isinstance(thing.obj, type):
        return (thing.obj,)
    if isinstance(thing, Seq):
        return tuple(c for t in thing.items for c in _classes(t, node))
    raise Unsupported(node, "isinstance with such a class", "")


@special(float, most=1)
@special(int, most=2, keywords="base")
def number(b: Builder, node: gast.Call, kind: Any) -> Thing:
    """``float("inf")`` and ``int("7")`` are literals; of numbers they are operations."""
    args, keywords = arguments(b, node)
    text = literal(args[0]) if len(args) == 1 and not keywords else None
    if not args and not keywords:
        return b.const(kind())
    if isinstance(text, str):
        try:
            return b.const(kind(text))
        except ValueError as e:
            raise Unsupported(node, f"{kind.__name__} of {text!r}", str(e)) from None
    if len(args) == 1 and isinstance(args[0], Value) and args[0].fact.kind == "U":
        kept = uniform_call(b, "builtins", None, kind.__name__, args, node)
        if kept is not None:
            return kept
        return strings.parsed(b, kind.__name__, args[0], node)
    both = [*args, *keywords.values()]
    first, base = both if len(both) == 2 else (None, None)
    if isinstance(first, Value) and first.fact.kind == "U" and isinstance(base, Value):
        return strings.parsed(b, "int", first, node, base)
    return rule_call(b, f"builtins.{kind.__name__}", args, keywords, node)


@special(str, repr, ascii, bin, oct, hex, chr, ord, keywords=None)
def of_uniform(b: Builder, node: gast.Call, function: Any) -> Thing:
    """Builtins that make a string, or read one, of values that are the same for every lane."""
    args, keywords = arguments(b, node)
    name = function.__name__
    kept = uniform_call(b, "builtins", None, name, args, node) if args and not keywords else None
    if kept is not None:
        return kept
    target = b.expr(node.func)
    assert isinstance(target, Known)
    return call_known(b, target, args, keywords, node)


@special(
    print, input, open, exec, eval, globals, locals, vars, setattr, delattr, id, hash, iter, next,
    keywords=None,
)  # fmt: skip
def effect(b: Builder, node: gast.Call, function: Any) -> Thing:
    """Builtins whose effects the loop would order, or that reach outside of the values."""
    what = f"{function.__name__}()"
    raise Unsupported(node, what, "its effects keep the order of the samples")
