"""The lines in the place of a loop: its lifted text, and the loop where that may not run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from autovec.files.lift_walk import LOOPS, MARK, Replaced
from autovec.syntax import quote
from autovec.syntax.build import all_of, conjuncts
from autovec.syntax.convert import text_of
from autovec.syntax.scope import MUTATORS, assigned_names, free_names, mutated_names
from autovec.syntax.visit import replace_names
from autovec.syntax.walking import updated, walk

_RAISING = 'divide="raise", over="raise", invalid="raise"'
_AGAIN = "what fails is done turn by turn, and fails there"


class NoWayBack(Exception):
    """A lifted text may fail in the middle, and what it did until then cannot be taken back."""


class Plan(NamedTuple):
    """What is asked before a lifted text runs, and the text; with a question the loop stays."""

    tests: list[gast.expr]
    body: list[Any]


def plan_of(replaced: Replaced, question: gast.expr | None) -> Plan:
    """The one question before a lifted text; lengths that it names first are written in it.

    >>> from autovec.syntax.quote import stmt, stmts
    >>> loop = stmt("for a in x:\\n    pass")
    >>> made = stmts("n = len(x)\\nif n < 9:\\n    y(n)\\nelse:\\n    loop", loop=loop)
    >>> plan = plan_of(Replaced(loop, made, False, False), quote.name("arrays"))
    >>> [text_of(t) for t in plan.tests], [text_of(s) for s in plan.body]
    (['arrays', 'len(x) < 9'], ['n = len(x)', 'y(n)'])
    """
    *before, last = replaced.made
    tests = [] if question is None else conjuncts(question)
    named = {s.targets[0].id: s.value for s in before if _names(s)}
    if (
        isinstance(last, gast.If)
        and len(named) == len(before)
        and text_of(last.orelse) == text_of([replaced.node])
    ):
        values = {name: gast.copy_location(v, replaced.node) for name, v in named.items()}
        read = {n.id for n in walk(last.body) if isinstance(n, gast.Name)}
        used = [s for s in before if s.targets[0].id in read]
        test: Any = replace_names(last.test, values)
        return Plan([*tests, *conjuncts(test)], [*used, *last.body])
    return Plan(tests, list(replaced.made))


def _names(statement: Any) -> bool:
    return isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name)


def statements(
    replaced: Replaced, plan: Plan, local: Callable[[str], str]
) -> tuple[list[Any], str | None]:
    """The statements before the loop, and the header under which it stands behind them, if it does.

    `local` gives free names. Raises NoWayBack.
    """
    body = [_marked(s) for s in plan.body]
    if not (replaced.strict or replaced.risky):
        if not plan.tests:
            return body, None
        return [quote.stmt("if t:\n    body", t=all_of(plan.tests), body=body)], "else:"
    kept, back = _way_back(replaced, plan.body, local)
    done = local("done")
    if replaced.strict:
        body = [quote.stmt(f"with np.errstate({_RAISING}):\n    body", body=body)]
    failed = [quote.comment(_AGAIN), *back, quote.stmt("done = False", done=done)]
    attempt = quote.stmt("try:\n    body\nexcept Exception:\n    back", body=body, back=failed)
    if plan.tests:
        start = quote.stmt("done = t", done=done, t=all_of(plan.tests))
        rest = quote.stmt("if done:\n    body", done=done, body=[*kept, attempt])
        return [start, rest], f"if not {done}:"
    return [quote.stmt("done = True", done=done), *kept, attempt], f"if not {done}:"


def _way_back(
    replaced: Replaced, body: list[Any], local: Callable[[str], str]
) -> tuple[list[Any], list[Any]]:
    """What is kept before an attempt, and what puts it back."""
    node = replaced.node
    if any(_is_call(s) for s in walk([node])):
        raise NoWayBack
    if not isinstance(node, LOOPS):
        return _one_effect(body)
    lists = {
        n.func.value.id
        for n in walk([node])
        if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute)
        and n.func.attr in MUTATORS and isinstance(n.func.value, gast.Name)
    }  # fmt: skip
    if lists:
        return _one_effect(body)
    arrays = sorted(mutated_names([node]))
    read = replaced.live | free_names([node])
    names = assigned_names(body) & assigned_names([node]) & read & replaced.bound
    kept, back = [], []
    for name in sorted(names | set(arrays)):
        holes: Any = {"old": local(f"{name}_before"), "x": name}
        array = name in arrays
        kept.append(quote.stmt("old = x.copy()" if array else "old = x", **holes))
        back.append(quote.stmt("x[...] = old" if array else "x = old", **holes))
    return kept, back


def _is_call(statement: Any) -> bool:
    """A call for its effect, which cannot be taken back; an append can."""
    call = statement.value if isinstance(statement, gast.Expr) else None
    return isinstance(call, gast.Call) and getattr(call.func, "attr", "") not in MUTATORS


def _one_effect(body: list[Any]) -> tuple[list[Any], list[Any]]:
    if len(body) != 1:
        raise NoWayBack
    return [], []


def _marked(statement: Any) -> Any:
    """Loops beside a lifted text, within one, are marked as such."""
    changes = {}
    for name in ("body", "orelse"):
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            changes[name] = [
                part
                for s in block
                for part in (
                    [quote.comment(MARK.removeprefix("# ")), s]
                    if isinstance(s, LOOPS) and name == "orelse"
                    else [_marked(s)]
                )
            ]
    return updated(statement, **changes) if changes else statement
