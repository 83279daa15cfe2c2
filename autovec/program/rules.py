"""Calls of operations that the rule table knows."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import gast
import numpy as np

from autovec import ops
from autovec.errors import Unsupported
from autovec.ops.rule import Raises, Rule
from autovec.program.agreement import ANNOTATE, has_unknown, may_be, settled
from autovec.program.arrays.calls import array_rule
from autovec.program.arrays.operands import holds_array
from autovec.program.arrays.operands import operand as array_operand
from autovec.program.build import Builder
from autovec.program.comparisons import ordered
from autovec.program.facts import FLOAT, UNKNOWN, Fact, Lanes, NoCommonType, join, storage, union
from autovec.program.guards import needed, operate, refuse_either
from autovec.program.numbers import number, real
from autovec.program.operators import binary, refuse_mixed
from autovec.program.powers import meets, rooted
from autovec.program.probe import NoResult, result, result_fact
from autovec.program.things import Known, Seq, Thing, describe
from autovec.program.truth import negated, truth
from autovec.program.unknown import LateDtype
from autovec.program.values import Const, Operation, Path, Value

#: operations that make a Python number of any NumPy scalar: their results are weak in promotion
PYTHON_NUMBERS = frozenset(
    f"{m}.{n}"
    for m, names in {
        "builtins": "int float bool complex round",
        "math": "floor ceil trunc factorial comb perm gcd lcm isqrt isnan isinf isfinite isclose",
        "number": "item tolist",
        "float": "is_integer",
        "str": "find rfind count index rindex",
    }.items()
    for n in names.split()
)
_ALIASES = {"numpy": "np", "builtins": ""}
#: the functions of the operator module that are signs
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "lshift": "<<", "rshift": ">>", "and_": "&", "or_": "|", "xor": "^",
}  # fmt: skip
#: the functions of Python's own that take keywords
_BY_KEYWORD = frozenset({"isclose", "complex", "pow", "round", "int"})
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}


def rule_call(
    b: Builder, name: str, args: list[Thing], keywords: dict[str, Thing], node: gast.AST
) -> Thing:
    """A call of an operation with a rule."""
    if keywords and by_position(name):
        raise Unsupported(node, f"{name} with keywords", "Python raises TypeError")
    if name.startswith("operator."):
        made = _operator(b, name.removeprefix("operator."), args, node)
        if made is not None:
            return made
    if name == "builtins.abs" and len(args) == 1 and isinstance(args[0], Value):
        x = args[0]
        if x.fact.kind == "m":
            op = Operation("abs", ("x",), "np.abs(x)", "abs(x)", total=True, number="python")
            return b.apply(op, x, node=node, fact=x.fact)
    if name == "builtins.pow" and len(args) == 2 and not keywords:
        made = _operator(b, "pow", args, node)
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


def by_position(name: str) -> bool:
    """Does a function take its arguments by position only?"""
    module, _, attr = name.rpartition(".")
    if module == "numpy":
        return isinstance(getattr(np, attr, None), (np.ufunc, type))
    return module in ("builtins", "math", "cmath", "operator") and attr not in _BY_KEYWORD


def apply_rule(
    b: Builder,
    rule: Rule,
    values: dict[str, Value],
    node: gast.AST,
    keywords: set[str] | None = None,
) -> Thing:
    """The value of a rule's operation."""
    if any(v.fact.rank for v in values.values()) and not table_rule(rule, values):
        given = tuple(p for p in rule.params if p in values)
        written = written_call(rule, given, keywords or set())
        return array_rule(b, rule, values, written, node)
    for p in rule.fixed:
        if p in values and values[p].varying:
            raise Unsupported(
                node, f"{rule.name} with {p} differing between lanes", f"{p} has to be uniform"
            )
    for p, value in values.items():
        if value.fact.rank and p not in rule.fixed + rule.sequences:
            raise Unsupported(node, f"{rule.name} of a list", "samples are scalars here")
    params = tuple(p for p in rule.params if p in values)
    args = tuple(values[p] for p in params)
    if has_unknown(*args):
        return unknown_rule(b, rule, params, args, node, keywords or set())
    if rule.float_args and any(a.varying for a in args):
        args = tuple(as_float(b, a) for a in args)
    kinds = "".join(a.fact.kind for a in args)
    if not rule.supports(kinds):
        raise Unsupported(
            node,
            f"{rule.name} of {', '.join(describe(a) for a in args)}",
            "Python raises TypeError",
        )
    if rule.name == "builtins.divmod":
        refuse_mixed(b, "divmod", args[0], args[1], node)
    op = rule_operation(rule, params, args, keywords or set())
    raises = tuple(
        dataclasses.replace(r, when=with_defaults(r.when, rule, params))
        for r in rule.raises_for(kinds)
    )
    if rule.number == "operands":
        refuse_either(b, op, raises, args)
    if rule.outputs > 1:
        return several(b, op, raises, args, node, rule.outputs)
    return operate(b, op, raises, args, node)


def unknown_rule(
    b: Builder,
    rule: Rule,
    params: tuple[str, ...],
    args: tuple[Value, ...],
    node: gast.AST,
    keywords: set[str],
) -> Thing:
    """The value of a rule's operation where the dtype of an operand is not known."""

    def known(shadows: tuple[Value, ...]) -> tuple[Operation, frozenset[Raises]] | None:
        kinds = "".join(s.fact.kind for s in shadows)
        if not rule.supports(kinds):
            return None
        op = rule_operation(rule, params, shadows, keywords)
        return op, needed(rule.raises_for(kinds), op, shadows)

    if rule.float_args and any(a.varying for a in args):
        args = tuple(real(b, a) for a in args)
    if not has_unknown(*args):
        return apply_rule(b, rule, dict(zip(params, args, strict=True)), node, keywords)
    text = rule_operation(rule, params, args, keywords).lanes
    op = settled(known, args, text)
    wider = real if rule.dtype == "float" and rule.number == "python" else number
    if op is None and any(may_be(a, "bool", "int8") for a in args):
        args = tuple(wider(b, a) for a in args)
        op = settled(known, args, text)
    if op is None:
        what = f"{rule.name} of a number of no declared dtype"
        raise Unsupported(node, what, "no one text is right for all dtypes", ANNOTATE)
    raises = rule.raises_for("".join(a.fact.kind for a in args))
    if rule.outputs > 1:
        return several(b, op, raises, args, node, rule.outputs)
    return operate(b, op, raises, args, node)


def table_rule(rule: Rule, values: dict[str, Value]) -> bool:
    """Are its only arrays the uniform tables and the lists of values that it takes?"""
    arrays = {p for p, v in values.items() if v.fact.rank}
    if any(values[p].varying and UNKNOWN not in values[p].fact.shape for p in arrays):
        return False
    return arrays <= {*rule.fixed, *rule.sequences}


def rule_operation(
    rule: Rule, params: tuple[str, ...], args: tuple[Value, ...], keywords: set[str]
) -> Operation:
    """The operation of a rule for operands of these facts."""
    kinds = "".join(a.fact.kind for a in args)
    uniform = [p for p, a in zip(params, args, strict=True) if not a.varying]
    dtypes = [None if isinstance(a.fact.dtype, LateDtype) else a.fact.dtype for a in args]
    text = rule.text_for(kinds, dtypes, uniform)
    written = written_call(rule, params, keywords)
    lanes = written if text is None else with_defaults(text, rule, params)
    power = rule.name == "math.pow" and len(args) == 2
    if power:
        lanes = rooted(args[0], args[1], lanes)
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
        flat=power and meets(args[0], args[1]),
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
    b: Builder, op: Operation, raises: Any, args: tuple[Value, ...], node: gast.AST, count: int
) -> Thing:
    """An operation with a tuple result (divmod, frexp, modf): one value a part."""
    lanes: Lanes = ()
    for a in args:
        lanes = union(lanes, a.fact.lanes)
    parts: list[Thing] = []
    if has_unknown(*args):
        whole = operate(b, op, raises, args, node, Fact(np.dtype(object), lanes))
        for k in range(count):
            one = Operation(op.name, op.params, f"({op.lanes})[{k}]", f"({op.python})[{k}]")
            fact = b.fact_of(one, args, node)
            item = Operation(f"{op.name}[{k}]", ("r",), f"r[{k}]", f"r[{k}]", total=True)
            parts.append(b.apply(item, whole, node=node, fact=fact))
        return Seq(tuple(parts))
    try:
        sample = result(op.lanes if lanes else op.python, op.params, tuple(a.fact for a in args))
    except NoResult as e:
        raise Unsupported(node, f"{op.name} of these operands", str(e)) from e
    whole = operate(b, op, raises, args, node, Fact(np.dtype(object), lanes))
    for k, part in enumerate(sample):
        fact = result_fact(part, op, args, lanes)
        item = Operation(f"{op.name}[{k}]", ("r",), f"r[{k}]", f"r[{k}]", total=True)
        parts.append(b.apply(item, whole, node=node, fact=fact))
    return Seq(tuple(parts))


def as_float(b: Builder, x: Value) -> Value:
    """Operands of bool or small integer dtype as floats: math works in double precision."""
    if x.varying and x.fact.kind in "biu" and storage(x.fact) != np.dtype(np.int64):
        op = Operation("float", ("x",), "x.astype(float)", "float(x)", total=True, number="python")
        return b.apply(op, x, fact=Fact(FLOAT, x.fact.lanes))
    return x


def operand(b: Builder, thing: Thing, node: gast.AST) -> Value:
    """A thing as an operand: a scalar, or a uniform table, or a list of values."""
    if isinstance(thing, Value):
        return thing
    if isinstance(thing, Seq) and any(map(holds_array, thing.items)):
        return array_operand(b, thing, node)
    if isinstance(thing, Seq) and thing.items:
        items = tuple(b.as_value(t, node) for t in thing.items)
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
        return b.apply(op, *items, fact=dataclasses.replace(fact, shape=(UNKNOWN,), weak=False))
    if isinstance(thing, Known):
        obj = thing.obj
        if isinstance(obj, np.ndarray) and obj.dtype.kind in "biufc" and thing.expr is not None:
            return Value(Path(thing.expr, ""), (), Fact(obj.dtype, shape=obj.shape, python=False))
        if type(obj) in (list, tuple) and thing.expr is not None and len(obj) <= 10**6:
            array = np.asarray(obj)
            if array.dtype.kind in "biufc" and array.ndim:
                return Value(
                    Path(thing.expr, ""), (), Fact(array.dtype, shape=array.shape, python=False)
                )
        if isinstance(obj, (type, np.dtype)) and thing.expr is not None:
            return Value(Path(thing.expr, ""), (), Fact(np.dtype(object)))
    raise Unsupported(
        node, f"{describe(thing)} as an operand", "only scalars can be combined lane by lane"
    )


def _operator(b: Builder, attr: str, args: list[Thing], node: gast.AST) -> Thing | None:
    if attr in _OPERATORS and len(args) == 2:
        left, right = b.as_value(args[0], node), b.as_value(args[1], node)
        return binary(b, _OPERATORS[attr], left, right, node)
    if attr in _COMPARISONS and len(args) == 2:
        return ordered(b, _COMPARISONS[attr], args[0], args[1], node)
    if attr in ("not_", "truth") and len(args) == 1:
        found = truth(b, args[0], node)
        return negated(b, found) if attr == "not_" else found
    return None
