"""Lists and dicts that a function makes and changes: stores, ``append``, ``pop`` and their kin.

A list is known item by item, so a change is a new list in each name that holds the object.  Each
object has an identity, which a display makes and names share.  Where a name may hold one of several
objects, or a caller holds it, too, a change is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import gast

from autovec.errors import Unsupported
from autovec.program.build import Builder
from autovec.program.identities import held, map_containers, mutable
from autovec.program.tables import unpacked
from autovec.program.things import NONE, NOT_LITERAL, Map, Seq, Thing, describe, literal
from autovec.syntax.visit import mutated_names

#: methods that change a list or dict
CHANGES = {
    *("append", "extend", "insert", "pop", "reverse", "sort", "clear"),
    *("update", "setdefault", "remove", "popitem"),
}
#: functions of a list that keep nothing of it but its items
_READERS = {
    *("len", "sum", "max", "min", "sorted", "any", "all"),
    *("tuple", "list", "enumerate", "zip", "reversed"),
}
#: and those whose result reads the list or dict later
_LAZY = {"enumerate", "zip", "reversed", "map", "filter", "iter", "items", "keys", "values"}
Container = Seq | Map
C = TypeVar("C", bound=Container)


def current(b: Builder, base: C) -> C:
    """The list as it is now, if it changed since it was read."""
    if not base.objects:  # nothing that can change
        return base
    found: list[C] = []

    def look(c: Container) -> Thing:
        if type(c) is type(base) and c.objects == base.objects:
            found.append(c)
        return c

    for thing in b.env.values():
        map_containers(thing, look)
        if found:
            return found[0]
    return base


def change(b: Builder, base: Container, made: Container, node: gast.AST) -> None:
    """Put the changed list in the place of the old one, in every name that holds it."""
    what = f"a change of {describe(base)}"
    if base.objects & b.foreign:
        raise Unsupported(node, f"{what} that others hold", "it would change there, too")
    if base.objects & mutable(Seq(tuple((b.outer or {}).values()))):
        raise Unsupported(node, f"{what} of the function around", "it would change there, too")
    if any(base.objects & held(thing) for thing in b.env.values()):
        raise Unsupported(node, f"{what} that a function holds", "it would change there, too")
    holders = [name for name, thing in b.env.items() if base.objects & mutable(thing)]
    if len(holders) > 1 and (b.loops or len(base.objects) > 1):
        raise Unsupported(node, f"{what} that {holders[0]} and {holders[1]} hold", "or may hold")

    def changed(c: Container) -> Thing:
        if c.objects == base.objects:
            return made
        if c.objects & base.objects:
            raise Unsupported(node, f"{what} that may be one of several", "which is not known")
        return c

    for name in holders:
        b.env[name] = map_containers(b.env[name], changed)


def changed_names(b: Builder, tree: gast.AST) -> set[str]:
    """The names whose lists or dicts statements change, and those that hold the same ones."""
    roots = mutated_names(tree) & set(b.env)  # np.sort changes nothing called np
    objects = frozenset[object]().union(*(mutable(b.env.get(name)) for name in roots))
    return roots | {name for name, thing in b.env.items() if objects & mutable(thing)}


def changes_nothing(b: Builder, node: gast.expr) -> gast.expr:
    """An argument that is computed before those that Python computes first."""
    if changed_names(b, node):
        raise Unsupported(node, "a change of a list in this argument", "others come before it")
    return node


def is_list(thing: Thing) -> bool:
    """Is it a list of fixed length?"""
    return isinstance(thing, Seq) and thing.kind is list


def changes(base: Thing, attr: str) -> bool:
    """Does this method change this list or dict?"""
    return (isinstance(base, Map) or is_list(base)) and attr in CHANGES


def call(
    b: Builder, base: Container, node: gast.Call, args: list[Thing], keywords: dict[str, Thing]
) -> Thing:
    """A call of a method that changes a list or dict; what it gives."""
    attr = getattr(node.func, "attr", "")
    base = current(b, base)
    _alone(b, base, node)
    made = (_LIST if isinstance(base, Seq) else _DICT).get(attr)
    if made is None or (keywords and attr not in ("sort", "update")):
        raise Unsupported(node, f".{attr}() of {describe(base)}", "it has no array form")
    after, result = made(b, base, args, keywords, node)
    change(b, base, after, node)
    return result


def _alone(b: Builder, base: Container, node: gast.AST) -> None:
    """Nothing else of the statement holds the list as it was before."""
    whole: Any = b.statement or node
    whole = getattr(whole, "test", None) or getattr(whole, "iter", None) or whole
    read = _only_read(whole, node)
    for n in gast.walk(whole):
        if not isinstance(n, gast.Name) or id(n) in read or not isinstance(n.ctx, gast.Load):
            continue
        if base.objects & mutable(b.env.get(n.id)):
            what = f"a change of {n.id} where it is read"
            raise Unsupported(node, what, "it is read before and after")


def _only_read(whole: gast.AST, node: gast.AST) -> set[int]:
    """The names of a statement from which something is read at once: none waits for the change.

    ``t[-1] + t.pop()`` reads an item and is done; ``t[-t.pop()]`` and ``zip(t, [t.pop()])`` have
    the list at hand, and read it when it has changed.
    """
    read, waiting = set(), set()
    for n in gast.walk(whole):
        beside: list[gast.expr] = []
        if isinstance(n, (gast.Attribute, gast.Subscript)):
            read.add(id(n.value))
        if isinstance(n, gast.Subscript) and _inside(node, [n.slice]):
            waiting |= {id(v) for v in gast.walk(n.value)}
        elif isinstance(n, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
            beside = [g.iter for g in n.generators] if _inside(node, [n]) else []
        elif isinstance(n, gast.Call):
            given = [*n.args, *(k.value for k in n.keywords)]
            if _inside(node, given):
                beside = given
                if getattr(n.func, "attr", None) not in CHANGES:  # these look at the list anew
                    waiting |= {id(v) for v in gast.walk(n.func)}
            elif isinstance(n.func, gast.Name) and n.func.id in _READERS:
                read |= {id(a) for a in n.args}
        for part in beside:
            if reads_later(part) and not _inside(node, [part]):
                waiting |= {id(v) for v in gast.walk(part)}
    return read - waiting


def reads_later(node: gast.expr) -> bool:
    """Is it an iterator or view, which reads what it is made of when it is run through?"""
    if isinstance(node, gast.Call):
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
        return name in _LAZY
    return isinstance(node, gast.GeneratorExp)


def _inside(node: gast.AST, trees: list[gast.expr]) -> bool:
    return any(n is node for tree in trees for n in gast.walk(tree))


# ---------------------------------------------------------------- the methods of lists
Made = tuple[Container, Thing]
Method = Callable[[Builder, Any, list[Thing], dict[str, Thing], gast.Call], Made]
_LIST: dict[str, Method] = {}
_DICT: dict[str, Method] = {}


def _method(table: dict[str, Method], least: int, most: int) -> Callable[[Method], Method]:
    def register(method: Method) -> Method:
        name = method.__name__.strip("_").partition("_")[2] or method.__name__.strip("_")

        def counted(
            b: Builder, base: Any, args: list[Thing], keywords: dict[str, Thing], node: gast.Call
        ) -> Made:
            if not least <= len(args) <= most:
                raise Unsupported(node, f".{name}() with {len(args)} arguments", "")
            return method(b, base, args, keywords, node)

        table[name] = counted
        return method

    return register


def items_of(b: Builder, thing: Thing, node: gast.AST) -> tuple[Thing, ...]:
    """The items of a sequence of fixed length."""
    seq = unpacked(b, thing)
    if not isinstance(seq, Seq):
        raise Unsupported(node, f"the items of {describe(seq)}", "their number is not known")
    return seq.items


def position(thing: Thing, node: gast.AST) -> int:
    """A literal index."""
    key = literal(thing)
    if not isinstance(key, int):
        raise Unsupported(node, "a place in a list that is no literal", "lanes would differ")
    return key


@_method(_LIST, 1, 1)
def list_append(b: Builder, base: Seq, args: Any, keywords: Any, node: gast.Call) -> Made:
    """One more item at the end."""
    return replace(base, items=(*base.items, args[0])), NONE


@_method(_LIST, 1, 1)
def list_extend(b: Builder, base: Seq, args: Any, keywords: Any, node: gast.Call) -> Made:
    """The items of another sequence at the end."""
    return replace(base, items=(*base.items, *items_of(b, args[0], node))), NONE


@_method(_LIST, 2, 2)
def list_insert(b: Builder, base: Seq, args: Any, keywords: Any, node: gast.Call) -> Made:
    """An item before a place."""
    items = list(base.items)
    items.insert(position(args[0], node), args[1])
    return replace(base, items=tuple(items)), NONE


@_method(_LIST, 0, 1)
def list_pop(b: Builder, base: Seq, args: Any, keywords: Any, node: gast.Call) -> Made:
    """An item taken out, the last one by default."""
    items = list(base.items)
    place = position(args[0], node) if args else -1
    if not -len(items) <= place < len(items):
        raise Unsupported(node, "pop of an item that is not there", "it raises IndexError")
    taken = items.pop(place)
    return replace(base, items=tuple(items)), taken


@_method(_LIST, 0, 0)
def list_reverse(b: Builder, base: Seq, args: Any, keywords: Any, node: gast.Call) -> Made:
    """The last item first."""
    return replace(base, items=base.items[::-1]), NONE


@_method(_LIST, 0, 0)
def list_clear(b: Builder, base: Seq, args: Any, keywords: Any, node: gast.Call) -> Made:
    """No items."""
    return replace(base, items=()), NONE


@_method(_LIST, 0, 0)
def list_sort(b: Builder, base: Seq, args: Any, keywords: Any, node: gast.Call) -> Made:
    """The items in order."""
    from autovec.program.ordering import in_order

    made = in_order(b, list(base.items), keywords, node)
    return replace(base, items=made.items), NONE


@_method(_DICT, 0, 1)
def dict_update(b: Builder, base: Map, args: Any, keywords: Any, node: gast.Call) -> Made:
    """The items of another dict."""
    if args and not isinstance(args[0], Map):
        raise Unsupported(node, f"an update by {describe(args[0])}", "its keys are not known")
    more = args[0].items if args else {}
    return replace(base, items={**base.items, **more, **keywords}), NONE


@_method(_DICT, 1, 2)
def dict_setdefault(b: Builder, base: Map, args: Any, keywords: Any, node: gast.Call) -> Made:
    """The value of a key, which is put there if it is missing."""
    key = known_key(args[0], node)
    value = base.items.get(key, args[1] if len(args) > 1 else NONE)
    return replace(base, items={**base.items, key: value}), value


@_method(_DICT, 1, 2)
def dict_pop(b: Builder, base: Map, args: Any, keywords: Any, node: gast.Call) -> Made:
    """The value of a key that is taken out."""
    key = known_key(args[0], node)
    if key not in base.items and len(args) < 2:
        raise Unsupported(node, "pop of a key that is not there", "it raises KeyError")
    value = base.items.get(key, args[-1])
    return replace(base, items={k: v for k, v in base.items.items() if k != key}), value


@_method(_DICT, 0, 0)
def dict_clear(b: Builder, base: Map, args: Any, keywords: Any, node: gast.Call) -> Made:
    """No items."""
    return replace(base, items={}), NONE


def known_key(thing: Thing, node: gast.AST) -> Any:
    """A literal key."""
    key = literal(thing)
    if key is NOT_LITERAL:
        raise Unsupported(node, "a dict key that is not a literal", "lanes would differ in keys")
    return key
