"""Calls: of operations with a rule, of the user's own functions, of classes."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
from typing import Any

import gast
import numpy as np

from autovec import ops
from autovec.errors import Unsupported
from autovec.ops.rule import Rule
from autovec.program.build import Builder, describe, expression
from autovec.program.facts import FLOAT, Fact, Lanes, NoCommonType, join, union
from autovec.program.guards import operate
from autovec.program.scope import is_namedtuple_class, is_plain_dataclass
from autovec.program.values import (
    CallTwin,
    Const,
    Known,
    Let,
    Local,
    Map,
    Operation,
    Path,
    Range,
    Record,
    Seq,
    Thing,
    Value,
    leaves,
)
from autovec.syntax import quote

SPECIAL: dict[int, Any] = {}
#: operations that make a Python number of any NumPy scalar: their results are weak in promotion
PYTHON_NUMBERS = frozenset(
    f"{m}.{n}"
    for m, names in {
        "builtins": "int float bool complex round",
        "math": "floor ceil trunc factorial comb perm gcd lcm isqrt isnan isinf isfinite isclose",
        "number": "item tolist",
        "float": "is_integer",
    }.items()
    for n in names.split()
)
_ALIASES = {"numpy": "np", "builtins": ""}


def special(*functions: Any) -> Any:
    """Register the builder of a builtin that is not a plain operation (min, sum, zip, ...)."""

    def register(rule: Any) -> Any:
        SPECIAL.update({id(f): (f, rule) for f in functions})
        return rule

    return register


@expression(gast.Call)
def call(b: Builder, node: gast.Call) -> Thing:
    """A call: what is called is known while compiling."""
    if isinstance(node.func, gast.Attribute):
        base = b.expr(node.func.value)
        if isinstance(base, (Value, Seq, Map, Record)) and not _is_field(base, node.func.attr):
            from autovec.program.methods import method_call

            return method_call(b, base, node.func.attr, node)
        if isinstance(base, Known):
            from autovec.program.atoms import attribute_of
            from autovec.program.methods import table_method

            if type(base.obj) in (dict, list, tuple, set, frozenset, str):
                return table_method(b, base, node.func.attr, node)
            return call_thing(b, attribute_of(b, base, node.func.attr, node), node)
    return call_thing(b, b.expr(node.func), node)


def _is_field(base: Thing, attr: str) -> bool:
    return (isinstance(base, Record) and attr in base.fields) or (
        isinstance(base, Seq) and base.cls is not None and attr in base.cls._fields
    )


def call_thing(b: Builder, target: Thing, node: gast.Call) -> Thing:
    """A call of a thing, with the arguments of a call node."""
    if isinstance(target, Known):
        found = SPECIAL.get(id(target.obj))
        if found is not None and found[0] is target.obj:
            result: Thing = found[1](b, node)
            return result
    args, keywords = arguments(b, node)
    if isinstance(target, Local):
        from autovec.program.functions import call_local

        return call_local(b, target, args, keywords, node)
    if isinstance(target, Known):
        if isinstance(target.obj, types.MethodType) and isinstance(
            target.obj.__func__, types.FunctionType
        ):
            return call_function(b, target.obj.__func__, [receiver(target), *args], keywords, node)
        return call_known(b, target.obj, args, keywords, node)
    raise Unsupported(node, f"a call of {describe(target)}", "it is not known while compiling")


def receiver(method: Known) -> Known:
    """The object a method is bound to, and how the text reads it."""
    expr = None
    if isinstance(method.expr, gast.Attribute):
        expr = method.expr.value
    elif method.expr is not None:
        expr = quote.expr("method.__self__", method=method.expr)
    return Known(method.obj.__self__, expr)


def arguments(b: Builder, node: gast.Call) -> tuple[list[Thing], dict[str, Thing]]:
    """The positional and keyword arguments of a call, stars unpacked."""
    from autovec.program.truth import unpacked

    args: list[Thing] = []
    for a in node.args:
        if isinstance(a, gast.Starred):
            inner = unpacked(b, b.expr(a.value))
            if not isinstance(inner, Seq):
                raise Unsupported(a, f"*{describe(inner)}", "its length is not fixed")
            args.extend(inner.items)
        else:
            args.append(b.expr(a))
    keywords: dict[str, Thing] = {}
    for k in node.keywords:
        thing = b.expr(k.value)
        if k.arg is not None:
            keywords[k.arg] = thing
        elif isinstance(thing, Map) and all(isinstance(key, str) for key in thing.items):
            keywords.update(thing.items)
        else:
            raise Unsupported(k.value, f"**{describe(thing)}", "its keys are not known")
    return args, keywords


def call_known(
    b: Builder, obj: Any, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of an object known while compiling."""
    name = ops.qualified_name(obj)
    if name is not None:
        return rule_call(b, name, obj, args, keywords, node)
    if isinstance(obj, types.FunctionType):
        return call_function(b, obj, args, keywords, node)
    if isinstance(obj, types.MethodType) and isinstance(obj.__func__, types.FunctionType):
        return call_function(b, obj.__func__, [Known(obj.__self__), *args], keywords, node)
    if is_namedtuple_class(obj):
        return Seq(tuple(bound(b, obj, args, keywords, node).values()), tuple, obj)
    if is_plain_dataclass(obj):
        return Record(obj, bound(b, obj, args, keywords, node))
    wrapped = getattr(obj, "__wrapped__", None)
    if isinstance(wrapped, types.FunctionType) and type(obj).__module__.startswith("autovec"):
        return call_function(b, wrapped, args, keywords, node)
    label = getattr(obj, "__name__", type(obj).__name__)
    raise Unsupported(node, f"a call of {label}", "there is no rule for it")


def bound(
    b: Builder, cls: Any, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> dict[str, Thing]:
    """The fields of a namedtuple or dataclass instance being made."""
    from autovec.program.tables import literal_thing

    signature = inspect.signature(cls)
    try:
        found = signature.bind(*args, **keywords)
    except TypeError as e:
        raise Unsupported(node, f"the call of {cls.__name__}", str(e)) from e
    fields: dict[str, Thing] = {}
    for name, parameter in signature.parameters.items():
        if name in found.arguments:
            fields[name] = found.arguments[name]
        else:
            default = parameter.default
            if dataclasses.is_dataclass(cls) and "factory" in type(default).__name__.lower():
                raise Unsupported(
                    node, f"{cls.__name__}.{name}", "its default is made by a function"
                )
            fields[name] = literal_thing(b, default, node)
    return fields


# ---------------------------------------------------------------- operations with a rule
def rule_call(
    b: Builder, name: str, obj: Any, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of an operation with a rule."""
    if name.startswith("operator."):
        made = _operator(b, name.removeprefix("operator."), args, node)
        if made is not None:
            return made
    rule = ops.find(name, len(args) + len(keywords))
    if rule is None:
        raise Unsupported(node, f"{name} with these arguments", "there is no rule for such a call")
    values: dict[str, Value] = {}
    positional = [p for p in rule.params if p not in rule.keyword_only]
    if len(args) > len(positional):
        raise Unsupported(node, f"{name} with {len(args)} arguments", "it takes fewer by position")
    for p, thing in [*zip(positional, args, strict=False), *keywords.items()]:
        if p not in rule.params or p in values:
            raise Unsupported(node, f"the argument {p} of {name}", "there is no rule for it")
        values[p] = operand(b, thing, node)
    return apply_rule(b, rule, values, node, keywords=set(keywords))


def apply_rule(
    b: Builder,
    rule: Rule,
    values: dict[str, Value],
    node: gast.AST,
    keywords: set[str] | None = None,
) -> Thing:
    """The value of a rule's operation."""
    for p in rule.fixed:
        if p in values and values[p].varying:
            raise Unsupported(
                node, f"{rule.name} with {p} differing between lanes", f"{p} has to be uniform"
            )
    params = tuple(p for p in rule.params if p in values)
    args = tuple(values[p] for p in params)
    if rule.float_args and any(a.varying for a in args):
        args = tuple(as_float(b, a) for a in args)
    kinds = "".join(a.fact.kind for a in args)
    if not rule.supports(kinds):
        raise Unsupported(
            node,
            f"{rule.name} of {', '.join(describe(a) for a in args)}",
            "Python raises TypeError",
        )
    op = rule_operation(rule, params, args, keywords or set())
    raises = tuple(rule.raises_for(kinds))
    if rule.outputs > 1:
        return several(b, rule, op, raises, args, node)
    return operate(b, op, raises, args, node)


def rule_operation(
    rule: Rule, params: tuple[str, ...], args: tuple[Value, ...], keywords: set[str]
) -> Operation:
    """The operation of a rule for operands of these facts."""
    kinds = "".join(a.fact.kind for a in args)
    uniform = [p for p, a in zip(params, args, strict=True) if not a.varying]
    text = rule.text_for(kinds, [a.fact.dtype for a in args], uniform)
    written = written_call(rule, params, keywords)
    lanes = written if text is None else with_defaults(text, rule, params)
    impure = any(r.always for r in rule.raises_for(kinds))
    return Operation(
        rule.name,
        params,
        lanes,
        written,
        total=rule.total,
        cost=rule.cost,
        number=rule.number,
        weak=rule.name in PYTHON_NUMBERS and (rule.name != "builtins.round" or len(params) == 1),
        impure=impure,
        note=rule.note,
        fresh=rule.is_fresh(lanes),
    )


def written_call(rule: Rule, params: tuple[str, ...], keywords: set[str]) -> str:
    """The call as the user wrote it, by the function's qualified name."""
    module, _, attr = rule.name.rpartition(".")
    if rule.attribute:
        return f"{params[0]}.{attr}"
    if module in ("float", "int", "bool", "complex", "number", "str"):
        return f"{params[0]}.{attr}({', '.join(params[1:])})"
    module = _ALIASES.get(module, module)
    written = [f"{p}={p}" if p in keywords or p in rule.keyword_only else p for p in params]
    return f"{module + '.' if module else ''}{attr}({', '.join(written)})"


def with_defaults(text: str, rule: Rule, params: tuple[str, ...]) -> str:
    """A rule's text with the defaults of the parameters that were not given."""
    for p, default in rule.defaults.items():
        if p not in params:
            text = re.sub(rf"(?<![\w.]){p}\b(?!\s*=[^=])", default, text)
    return text


def several(
    b: Builder, rule: Rule, op: Operation, raises: Any, args: tuple[Value, ...], node: gast.AST
) -> Thing:
    """An operation with a tuple result (divmod, frexp, modf): one value a part."""
    from autovec.program.build import result_fact
    from autovec.program.probe import NoResult, result

    lanes: Lanes = ()
    for a in args:
        lanes = union(lanes, a.fact.lanes)
    try:
        sample = result(op.lanes if lanes else op.python, op.params, tuple(a.fact for a in args))
    except NoResult as e:
        raise Unsupported(node, f"{op.name} of these operands", str(e)) from e
    whole = operate(b, op, raises, args, node, Fact(np.dtype(object), lanes))
    parts: list[Thing] = []
    for k, part in enumerate(sample):
        fact = result_fact(part, op, args, lanes)
        item = Operation(f"{op.name}[{k}]", ("r",), f"r[{k}]", f"r[{k}]", total=True)
        parts.append(b.apply(item, whole, node=node, fact=fact))
    return Seq(tuple(parts))


def as_float(b: Builder, x: Value) -> Value:
    """Operands of bool or small integer dtype as floats: math works in double precision."""
    if (
        x.varying
        and x.fact.kind in "biu"
        and x.fact.dtype != np.dtype(np.int64)
        and not x.fact.weak
    ):
        op = Operation("float", ("x",), "x.astype(float)", "float(x)", total=True, number="python")
        return b.apply(op, x, fact=Fact(FLOAT, x.fact.lanes))
    return x


def operand(b: Builder, thing: Thing, node: gast.AST) -> Value:
    """A thing as an operand: a scalar, or a uniform table, or a list of values."""
    if isinstance(thing, Value):
        return thing
    if isinstance(thing, Seq) and thing.items:
        items = tuple(operand(b, t, node) for t in thing.items)
        try:
            fact = items[0].fact
            for item in items[1:]:
                fact = join(fact, item.fact)
        except NoCommonType as e:
            raise Unsupported(node, f"a list of {e}", "no array holds both") from e
        names = tuple(f"a{k}" for k in range(len(items)))
        text = f"[{', '.join(names)}]"
        op = Operation(
            "list",
            names,
            text,
            text,
            total=all(isinstance(i.op, Const) for i in items),
            fresh=False,
        )
        return b.apply(op, *items, fact=dataclasses.replace(fact, rank=1, weak=False))
    if isinstance(thing, Known):
        obj = thing.obj
        if isinstance(obj, np.ndarray) and obj.dtype.kind in "biufc" and thing.expr is not None:
            return Value(Path(thing.expr, ""), (), Fact(obj.dtype, rank=obj.ndim, python=False))
        if type(obj) in (list, tuple) and thing.expr is not None and len(obj) <= 10**6:
            array = np.asarray(obj)
            if array.dtype.kind in "biufc" and array.ndim:
                return Value(
                    Path(thing.expr, ""), (), Fact(array.dtype, rank=array.ndim, python=False)
                )
        if isinstance(obj, (type, np.dtype)) and thing.expr is not None:
            return Value(Path(thing.expr, ""), (), Fact(np.dtype(object)))
    raise Unsupported(
        node, f"{describe(thing)} as an operand", "only scalars can be combined lane by lane"
    )


def _operator(b: Builder, attr: str, args: list[Thing], node: gast.AST) -> Thing | None:
    from autovec.program import operators, truth

    signs = {
        "add": "+",
        "sub": "-",
        "mul": "*",
        "truediv": "/",
        "floordiv": "//",
        "mod": "%",
        "pow": "**",
        "lshift": "<<",
        "rshift": ">>",
        "and_": "&",
        "or_": "|",
        "xor": "^",
    }
    compare = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
    if attr in signs and len(args) == 2:
        return operators.binary(
            b, signs[attr], b.as_value(args[0], node), b.as_value(args[1], node), node
        )
    if attr in compare and len(args) == 2:
        return truth.ordered(b, compare[attr], args[0], args[1], node)
    if attr in ("not_", "truth") and len(args) == 1:
        found = truth.truth(b, args[0], node)
        return truth.negated(b, found) if attr == "not_" else found
    return None


# ---------------------------------------------------------------- the user's functions
def call_function(
    b: Builder,
    fn: types.FunctionType,
    args: list[Thing],
    keywords: dict[str, Thing],
    node: gast.AST,
) -> Thing:
    """A call of one of the user's functions: its own batched twin, specialised for these facts."""
    if b.attempts:
        raise Unsupported(
            node, f"a call of {fn.__name__} inside try", "what it raises is not followed"
        )
    if fn.__module__ is not None and fn.__module__.split(".")[0] == "numpy":
        raise Unsupported(node, f"a call of numpy's {fn.__name__}", "there is no rule for it")
    twin = b.unit.twin(fn, args, keywords, node)
    return call_twin(b, twin)


def call_twin(b: Builder, twin: Any) -> Thing:
    """The call of a compiled helper, and the leaves of its result."""
    operands = tuple(v for thing in twin.passed for v in leaves(thing))
    result = twin.program.result
    if isinstance(result, Value):
        value = Value(CallTwin(twin), operands, result.fact, None, b.line)
        b.add(Let(value))
        return value
    lanes: Lanes = ()
    for v in operands:
        lanes = union(lanes, v.fact.lanes)
    whole = Value(CallTwin(twin), operands, Fact(np.dtype(object), lanes), None, b.line)
    b.add(Let(whole))
    return _parts(b, result, whole, "r")


def _parts(b: Builder, thing: Thing, whole: Value, text: str) -> Thing:
    if isinstance(thing, Value):
        op = Operation("part", ("r",), text, text, total=True, fresh=False)
        return b.apply(op, whole, fact=thing.fact)
    if isinstance(thing, Seq):
        items = (_parts(b, t, whole, f"{text}[{k}]") for k, t in enumerate(thing.items))
        return dataclasses.replace(thing, items=tuple(items))
    if isinstance(thing, Map):
        return Map({k: _parts(b, t, whole, f"{text}[{k!r}]") for k, t in thing.items.items()})
    if isinstance(thing, Record):
        return Record(
            thing.cls, {k: _parts(b, t, whole, f"{text}.{k}") for k, t in thing.fields.items()}
        )
    return thing


__all__ = ["Range", "call", "call_function", "call_known", "rule_call", "special"]
