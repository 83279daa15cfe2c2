"""A loop's body whose statements may change places: each name is set once.

What a turn finds in a name of the turn before it has a name of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from autovec.lift.live import live_before
from autovec.syntax import quote
from autovec.syntax.names import Namer
from autovec.syntax.scope import assigned_names, free_names, mutated_names
from autovec.syntax.visit import replace_names
from autovec.syntax.walking import updated, walk


@dataclass(frozen=True, eq=False)
class Separated:
    """The statements, and for each name of an earlier turn the user's and who sets it."""

    body: list[Any]
    earlier: dict[str, Earlier] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Earlier:
    """What the turn before left in a name; `depth` turns before, it was the loop's start."""

    name: str
    setter: int
    depth: int = 1


def separated(body: list[Any], live: frozenset[str], namer: Namer) -> Separated:
    """The body with a name for each value.

    >>> from autovec.syntax.convert import text_of
    >>> made = separated(quote.stmts("y = t + x; t = x; t = t * 2"), frozenset(), Namer({"t"}))
    >>> print(*map(text_of, made.body), sep="; ")
    y = t_before + x; t2 = x; t = t2 * 2
    """
    body = [part for node in body for part in _one_by_one(node)]
    counts = _settings(body)
    exposed = live_before(body, frozenset())
    now: dict[str, str] = {}
    setters: dict[str, int] = {}
    for wanted in counts:
        if wanted in exposed:
            now[wanted] = namer.fresh(f"{wanted}_before")
    first = dict(now)
    left = {wanted: len(places) for wanted, places in counts.items()}
    made: list[Any] = []
    for k, node in enumerate(body):
        target = _target(node)
        if target not in counts:
            made.append(replace_names(node, dict(now)) if now else node)
            continue
        value = replace_names(node.value, {n: quote.name(v) for n, v in now.items()})
        left[target] -= 1
        new = target if left[target] == 0 else namer.fresh(target)
        now[target] = new
        setters[target] = k
        place = updated(node.targets[0], id=new)
        made.append(updated(node, targets=[place], value=value))
    earlier = {alias: Earlier(wanted, setters[wanted]) for wanted, alias in first.items()}
    return Separated(made, _with_depths(made, earlier))


def _one_by_one(node: Any) -> list[Any]:
    """``a, b = e, f`` where no target is read: ``a = e; b = f``."""
    if not isinstance(node, gast.Assign) or len(node.targets) != 1:
        return [node]
    target, value = node.targets[0], node.value
    if not isinstance(target, gast.Tuple) or not isinstance(value, gast.Tuple):
        return [node]
    if len(target.elts) != len(value.elts):
        return [node]
    names: list[str] = []
    made = []
    for part, item in zip(target.elts, value.elts, strict=True):
        if not isinstance(part, gast.Name) or free_names(item) & set(names):
            return [node]
        names.append(part.id)
        made.append(gast.copy_location(quote.stmt("t = e", t=part, e=item), node))
    return made


def _target(node: Any) -> str:
    if isinstance(node, gast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, gast.Name):
            return target.id
    return ""


def _settings(body: list[Any]) -> dict[str, list[int]]:
    """The names that nothing but whole statements of the body set, and where."""
    plain: dict[str, list[int]] = {}
    others: set[str] = set()
    for k, node in enumerate(body):
        target = _target(node)
        if target:
            plain.setdefault(target, []).append(k)
            others |= assigned_names(node.value)
        else:
            others |= assigned_names(node)
    others |= mutated_names(body)
    return {name: places for name, places in plain.items() if name not in others}


def _with_depths(body: list[Any], earlier: dict[str, Earlier]) -> dict[str, Earlier]:
    """How many turns there have to be before each name holds what a turn computed."""
    setting = {_target(node): node.value for node in body if _target(node)}
    found: dict[str, int] = {}

    def depth(name: str, seen: frozenset[str]) -> int:
        value = setting.get(name)
        if value is None or name in seen:
            return 0
        most = 0
        for read in free_names(value):
            if read in earlier:
                most = max(most, of(read, seen | {name}))
            else:
                most = max(most, depth(read, seen | {name}))
        return most

    def of(alias: str, seen: frozenset[str]) -> int:
        if alias not in found:
            found[alias] = 1 + depth(earlier[alias].name, seen)
        return found[alias]

    return {
        alias: Earlier(made.name, made.setter, of(alias, frozenset()))
        for alias, made in earlier.items()
    }


def order_of(body: list[Any], made: Separated, edges: set[tuple[int, int]]) -> list[int] | None:
    """An order of the statements where each of `edges` holds, and names are set before reads."""
    wanted = set(edges)
    reads = [free_names(node) for node in body]
    sets = [assigned_names(node) | mutated_names(node) for node in body]
    arrays = {
        n.value.id for n in walk(body)
        if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name)
    }  # fmt: skip
    sets = [names - arrays for names in sets]
    for j, names in enumerate(sets):
        for k in range(len(body)):
            if j != k and names & (reads[k] | sets[k]):
                wanted.add((min(j, k), max(j, k)))
    for alias, before in made.earlier.items():
        for k, names in enumerate(reads):
            if alias in names:
                wanted.add((before.setter, k))
    left = list(range(len(body)))
    order: list[int] = []
    while left:
        free = next((k for k in left if not any(b == k and a in left for a, b in wanted)), None)
        if free is None:
            return None
        left.remove(free)
        order.append(free)
    return order


def split_branches(body: list[Any], namer: Namer) -> list[Any] | None:
    """``if t: a; b`` as ``m = t; if m: a; if m: b``; None where no branch has two statements.

    >>> from autovec.syntax.convert import text_of
    >>> made = split_branches(quote.stmts("if x > 0:\\n    a[i] = 1\\n    b[i] = 2"), Namer())
    >>> print("; ".join(text_of(s).replace("\\n    ", " ") for s in made))
    mask = x > 0; if mask: a[i] = 1; if mask: b[i] = 2
    """
    made: list[Any] = []
    changed = False
    for node in body:
        several = isinstance(node, gast.If) and len(node.body) + len(node.orelse) > 1
        if not several or any(isinstance(n, (gast.For, gast.While)) for n in walk([node])):
            made.append(node)
            continue
        if assigned_names([node]):
            made.append(node)  # a name set in one part is read in the next
            continue
        changed = True
        test: Any = node.test
        mask = namer.fresh("mask")
        made.append(gast.copy_location(quote.stmt("m = t", m=mask, t=test), node))
        for inside, template in ((node.body, "m"), (node.orelse, "not m")):
            for part in inside:
                only = quote.stmt("if t:\n    body", t=quote.expr(template, m=mask), body=[part])
                made.append(gast.copy_location(only, node))
    return made if changed else None
