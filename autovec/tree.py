"""Pytrees: nested containers whose leaves are arrays, numbers and other objects.

A node is a tuple, list, dict, OrderedDict, defaultdict, namedtuple, dataclass, ``None`` (a node
without children) or a type given to :func:`register_node`. Everything else is a leaf; so are other
subclasses of the containers, because nothing tells how to build one again. A dict keeps the order
of its keys.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Flatten = Callable[[Any], tuple[Iterable[object], object]]
Unflatten = Callable[[Any, list[Any]], object]


@dataclass(frozen=True, slots=True)
class Children:
    """One level of a node: its children, how each is written behind the node, and the way back."""

    values: tuple[object, ...]
    paths: tuple[str, ...]
    keys: tuple[object, ...]  # equal for nodes of the same shape: dict keys, field names, user data
    rebuild: Callable[[list[Any]], object]


_REGISTERED: dict[type, tuple[Flatten, Unflatten]] = {}


class Frame(dict[Any, Any]):
    """A table by columns: the batch of the rows that a function returns."""


def register_node(cls: type, flatten: Flatten, unflatten: Unflatten) -> None:
    """Let instances of `cls` be nodes, for arguments and for results.

    ``flatten(node)`` gives ``(children, data)`` and ``unflatten(data, children)`` builds a node
    again; `data` must be equal for nodes that may be stacked.

    >>> class Interval:
    ...     def __init__(self, low, high):
    ...         self.low, self.high = low, high
    >>> register_node(Interval, lambda v: ((v.low, v.high), None), lambda _, ends: Interval(*ends))
    >>> leaves([Interval(1, 2), 3])
    [1, 2, 3]
    """
    if not isinstance(cls, type):
        raise TypeError(f"register_node takes a class, got {cls!r}")
    _REGISTERED[cls] = (flatten, unflatten)


def _frame(names: Any, new: list[Any]) -> Frame:
    return Frame(zip(names, new, strict=True))


register_node(Frame, lambda frame: (frame.values(), tuple(frame)), _frame)


def is_namedtuple(value: object) -> bool:
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def children(node: object) -> Children | None:
    """The children of a node, or None for a leaf.

    >>> children({"a": 1, "b": 2}).paths
    ("['a']", "['b']")
    >>> children(1.5) is None
    True
    """
    kind = type(node)
    if kind in _REGISTERED:
        return _registered(node)
    if node is None:
        return Children((), (), (), lambda _: None)
    if kind is tuple or kind is list:
        assert isinstance(node, (tuple, list))
        return Children(tuple(node), _positions(len(node)), (len(node),), kind)
    if is_namedtuple(node):
        assert isinstance(node, tuple)
        fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
        return Children(tuple(node), _attributes(fields), fields, lambda new: kind(*new))
    if kind is dict or kind is collections.OrderedDict or kind is collections.defaultdict:
        assert isinstance(node, dict)
        return _mapping(node)
    if dataclasses.is_dataclass(kind):
        return _dataclass(node)
    return None


def _positions(n: int) -> tuple[str, ...]:
    return tuple(f"[{i}]" for i in range(n))


def _attributes(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f".{name}" for name in names)


def _registered(node: object) -> Children:
    flatten, unflatten = _REGISTERED[type(node)]
    parts, data = flatten(node)
    values = tuple(parts)
    keys = (len(values), data)
    return Children(values, _positions(len(values)), keys, lambda new: unflatten(data, new))


def _mapping(node: dict[Any, object]) -> Children:
    keys = tuple(node)

    def rebuild(new: list[Any]) -> object:
        pairs = zip(keys, new, strict=True)
        if isinstance(node, collections.defaultdict):
            return collections.defaultdict(node.default_factory, pairs)
        return type(node)(pairs)

    return Children(tuple(node.values()), tuple(f"[{key!r}]" for key in keys), keys, rebuild)


def _dataclass(node: Any) -> Children:
    names = tuple(field.name for field in dataclasses.fields(node))

    def rebuild(new: list[Any]) -> object:
        other = copy.copy(node)  # keeps what is no field; runs no __post_init__ on batched values
        for name, value in zip(names, new, strict=True):
            object.__setattr__(other, name, value)  # also where the dataclass is frozen
        return other

    values = tuple(getattr(node, name) for name in names)
    return Children(values, _attributes(names), names, rebuild)


def same_node(a: object, b: object) -> bool:
    """Whether two nodes have the same type and the same children's names, at this level.

    The order of a dict's keys does not matter.

    >>> same_node({"a": 1, "b": 2}, {"b": 3, "a": 4}), same_node([1], [1, 2]), same_node([1], (1,))
    (True, False, False)
    """
    left, right = children(a), children(b)
    if left is None or right is None or type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return set(left.keys) == set(right.keys)
    return left.keys == right.keys


def leaves(tree: object) -> list[Any]:
    """The leaves from left to right.

    >>> leaves({"w": [1, (2,)], "b": None})
    [1, 2]
    """
    return [leaf for _, leaf in leaves_with_paths(tree)]


def leaves_with_paths(tree: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each leaf with the way to it as Python writes it.

    >>> list(leaves_with_paths({"w": [1, (2,)]}))
    [("['w'][0]", 1), ("['w'][1][0]", 2)]
    """
    node = children(tree)
    if node is None:
        yield path, tree
        return
    for step, value in zip(node.paths, node.values, strict=True):
        yield from leaves_with_paths(value, path + step)


def unflatten(like: object, values: Iterable[object]) -> Any:
    """A tree of the structure of `like` with other leaves.

    >>> unflatten({"w": [1, (2,)], "b": None}, "xy")
    {'w': ['x', ('y',)], 'b': None}
    """
    rest = iter(values)
    tree = map_leaves(lambda _: next(rest), like)
    if next(rest, rest) is not rest:
        raise ValueError("more leaves than the tree has places")
    return tree


def map_leaves(fn: Callable[[Any], object], tree: object) -> Any:
    """The tree with each leaf replaced by ``fn(leaf)``, from left to right.

    >>> map_leaves(lambda x: x * 2, (1, [2], None))
    (2, [4], None)
    """
    node = children(tree)
    if node is None:
        return fn(tree)
    return node.rebuild([map_leaves(fn, value) for value in node.values])


def describe(tree: object) -> str:
    """The kind of a tree's top level, for messages.

    >>> describe((1, 2)), describe({"a": 1}), describe(2.5)
    ('a tuple of 2', "a dict with the keys ['a']", 'a float')
    """
    node = children(tree)
    if tree is None or node is None:
        return "None" if tree is None else _with_article(type(tree).__name__)
    kind = _with_article(type(tree).__name__)
    if isinstance(tree, Mapping):
        return f"{kind} with the keys {sorted(map(str, node.keys))}"
    return f"{kind} of {len(node.values)}" if type(tree) in (tuple, list) else kind


def _with_article(name: str) -> str:
    return f"an {name}" if name[:1] in tuple("aeioAEIO") else f"a {name}"
