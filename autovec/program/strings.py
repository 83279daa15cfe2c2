"""Strings that differ between lanes: what of them is cut out, what they read as, how they begin.

Methods that are plain operations are rules (``autovec/ops/string_rules.py``).
"""

from __future__ import annotations

import gast
import numpy as np

from autovec import ops
from autovec.errors import Unsupported
from autovec.ops.rule import fails
from autovec.ops.string_rules import PARSE
from autovec.program.build import Builder
from autovec.program.facts import STRING, Fact, union
from autovec.program.guards import operate
from autovec.program.rules import apply_rule, operand
from autovec.program.splits import split
from autovec.program.tables import unpacked
from autovec.program.things import NONE, Known, Seq, Thing, describe, literal
from autovec.program.truth import either
from autovec.program.uniform_calls import uniform_call
from autovec.program.values import Const, Operation, Value

LENGTH = Operation(
    "len", ("x",), "np.strings.str_len(x)", "len(x)", total=True, cost=2, number="python", weak=True
)
SLICES = hasattr(np.strings, "slice")  # since NumPy 2.3


def length(b: Builder, text: Value, node: gast.AST) -> Value:
    """``len(text)``."""
    return b.apply(LENGTH, text, node=node)


def parsed(
    b: Builder, kind: str, text: Value, node: gast.AST, base: Value | None = None
) -> Thing:
    """``int(text)``, ``int(text, base)`` or ``float(text)``."""
    if base is not None:
        return apply_rule(b, PARSE["base"], {"x": text, "base": base}, node)
    return apply_rule(b, PARSE[kind], {"x": text}, node)


def method(
    b: Builder,
    base: Value,
    attr: str,
    args: list[Thing],
    keywords: dict[str, Thing],
    node: gast.AST,
) -> Thing:
    """A method of a string."""
    if attr in ("startswith", "endswith") and args and not keywords:
        found = affixes(b, base, attr, args, node)
        if found is not None:
            return found
    if attr in ("strip", "lstrip", "rstrip") and args == [NONE]:
        args = []
    if attr in ("split", "rsplit") and base.varying and not keywords:
        made = split(b, base, attr, args, node)
        if made is not None:
            return made
    if not base.varying and not keywords:
        kept = uniform_call(b, "str", base, attr, args, node)
        if kept is not None:
            return kept
    rule = ops.method("U", attr, 1 + len(args) + len(keywords))
    if rule is None or rule.attribute or not rule.name.startswith("str."):
        raise Unsupported(node, f".{attr}() of {describe(base)}", "there is no rule for it")
    values = {rule.params[0]: base}
    for p, thing in [*zip(rule.params[1:], args, strict=False), *keywords.items()]:
        if p not in rule.params or p in values:
            raise Unsupported(node, f"the argument {p} of .{attr}()", "there is no rule for it")
        values[p] = operand(b, thing, node)
    return apply_rule(b, rule, values, node, set(keywords))


def affixes(b: Builder, base: Value, attr: str, args: list[Thing], node: gast.AST) -> Value | None:
    """``text.startswith(("a", "b"))``: one of several; None if the argument is one string."""
    several = unpacked(b, args[0])
    if not isinstance(several, Seq):
        return None
    found = b.const(False)
    for one in several.items:
        here = method(b, base, attr, [one, *args[1:]], {}, node)
        assert isinstance(here, Value)
        found = either(b, found, here)
    return found


def cut(b: Builder, text: Value, s: gast.Slice, node: gast.AST) -> Value:
    """``text[start:stop:step]``, with bounds that are integers or left out."""
    bounds: dict[str, Value] = {}
    parts: dict[str, str] = {"start": "", "stop": "", "step": ""}
    for name, part in (("start", s.lower), ("stop", s.upper), ("step", s.step)):
        thing = NONE if part is None else b.expr(part)
        if isinstance(thing, Known) and thing.obj is None:
            continue
        value = b.as_value(thing, node)
        if value.fact.kind not in "biu" or (value.varying and name == "step"):
            raise Unsupported(node, f"a slice of a string up to {describe(value)}", "")
        bounds[name], parts[name] = value, name
    if any(v.varying for v in (text, *bounds.values())) and not SLICES:
        raise Unsupported(node, "a slice of a string", "this NumPy cuts no strings")
    written = f"x[{parts['start']}:{parts['stop']}" + (":step" if parts["step"] else "") + "]"
    given = [parts["start"] or "None", parts["stop"] or "None", *filter(None, [parts["step"]])]
    if given[0] == "None" and len(given) == 2:
        given = given[1:]
    lanes = f"np.strings.slice(x, {', '.join(given)})"
    step = literal(bounds["step"]) if "step" in bounds else 1
    total = isinstance(step, int) and step != 0
    op = Operation(
        "slice", ("x", *bounds), lanes, written, total=total, cost=6, number="python",
        impure=not total,
    )  # fmt: skip
    return b.apply(op, text, *bounds.values(), node=node)


def character(b: Builder, text: Value, index: Value, node: gast.AST) -> Value:
    """``text[k]``."""
    if index.fact.kind not in "biu":
        raise Unsupported(node, f"a string indexed by {describe(index)}", "Python raises TypeError")
    if not text.varying and not index.varying and not b.attempts:
        op = Operation("item", ("t", "i"), "t[i]", "t[i]", impure=True)
        return b.apply(op, text, index, node=node, fact=Fact(STRING))
    if not SLICES:
        raise Unsupported(node, "a character of a string", "this NumPy cuts no strings")
    if not isinstance(index.op, Const):
        outside = "(i < -np.strings.str_len(t)) | (i >= np.strings.str_len(t))"
        beyond = fails(outside, lambda t, i: t[i], "a", 7, always=True, in_text=True)
        op = Operation("item", ("t", "i"), "char_at(t, i)", "t[i]", cost=25, number="python",
                       impure=True)  # fmt: skip
        both = union(text.fact.lanes, index.fact.lanes)
        entries = () if beyond is None else (beyond,)
        return operate(b, op, entries, (text, index), node, Fact(STRING, both))
    k = int(index.op.value)
    stop = "None" if k == -1 else str(k + 1)
    lanes = f"np.strings.slice(t, {k}, {stop})" if k else "np.strings.slice(t, 1)"
    short = f"np.strings.str_len(t) < {-k}" if k < 0 else f"np.strings.str_len(t) <= {k}"
    if k in (0, -1):
        short = "t == ''"
    missing = fails(short, lambda t: t[7], "a", always=True)
    assert missing is not None
    op = Operation("item", ("t",), lanes, f"t[{k}]", cost=6, number="python", impure=True)
    return operate(b, op, (missing,), (text,), node)
