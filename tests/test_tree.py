"""autovec/tree.py: what is a node, and that a tree comes back as it was."""

import collections
import dataclasses
import doctest

import pytest

from autovec import tree

Pair = collections.namedtuple("Pair", "low high")


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object
    y: object = 1


@dataclasses.dataclass(slots=True)
class Slotted:
    x: object


@dataclasses.dataclass
class Derived:
    x: object
    twice: object = dataclasses.field(init=False)

    def __post_init__(self):
        self.twice = self.x * 2


TREES = [
    1,
    None,
    (),
    [],
    {},
    (1, [2, {"a": 3, "b": (4,)}], None),
    collections.OrderedDict([("z", 1), ("a", 2)]),
    Pair(1, high=[2]),
    Frozen(1, (2, 3)),
    Slotted([1]),
    Derived(3),
]


@pytest.mark.parametrize("value", TREES, ids=repr)
def test_round_trip(value):
    again = tree.unflatten(value, tree.leaves(value))
    assert again == value
    assert type(again) is type(value)


def test_doctests():
    assert doctest.testmod(tree).failed == 0


def test_paths_are_what_python_writes():
    value = {"a": [1, Pair(2, Frozen(3))]}
    paths = [path for path, _ in tree.leaves_with_paths(value)]
    assert paths == ["['a'][0]", "['a'][1].low", "['a'][1].high.x", "['a'][1].high.y"]
    assert eval("value" + paths[2]) == 3


def test_dict_order_is_kept():
    assert list(tree.map_leaves(str, {"b": 1, "a": 2})) == ["b", "a"]


def test_defaultdict_keeps_its_factory():
    again = tree.map_leaves(str, collections.defaultdict(list, a=1))
    assert again == {"a": "1"} and again["missing"] == []


def test_frozen_dataclass_is_copied_not_changed():
    value = Frozen(1)
    assert tree.map_leaves(lambda v: v + 1, value) == Frozen(2, 2)
    assert value == Frozen(1)


def test_post_init_does_not_run_again():
    assert tree.unflatten(Derived(3), [5, 7]).twice == 7


def test_other_subclasses_are_leaves():
    counter = collections.Counter("aab")
    assert tree.leaves([counter]) == [counter]
    assert tree.leaves(range(3)) == [range(3)]
    assert tree.leaves("ab") == ["ab"]
    assert tree.leaves(Frozen) == [Frozen]


def test_same_node():
    assert tree.same_node(Pair(1, 2), Pair(3, 4))
    assert not tree.same_node(Pair(1, 2), (1, 2))
    assert not tree.same_node({"a": 1}, collections.OrderedDict(a=1))
    assert not tree.same_node(1, 1)
    assert tree.same_node(None, None) and not tree.same_node(None, ())


class Interval:
    def __init__(self, low, high, unit):
        self.low, self.high, self.unit = low, high, unit


def test_registered_node(monkeypatch):
    monkeypatch.setattr(tree, "_REGISTERED", {})
    assert len(tree.leaves(Interval(1, 2, "m"))) == 1
    tree.register_node(
        Interval, lambda v: ((v.low, v.high), v.unit), lambda unit, ends: Interval(*ends, unit)
    )
    again = tree.map_leaves(lambda v: v * 10, Interval(1, 2, "m"))
    assert (again.low, again.high, again.unit) == (10, 20, "m")
    assert not tree.same_node(Interval(1, 2, "m"), Interval(1, 2, "s"))
    with pytest.raises(TypeError, match="class"):
        tree.register_node(Interval(1, 2, "m"), None, None)


def test_unflatten_wants_every_leaf():
    with pytest.raises(ValueError, match="more leaves"):
        tree.unflatten([1], [1, 2])


def test_describe():
    assert tree.describe(Pair(1, 2)) == "a Pair"
    assert tree.describe(None) == "None"
    assert tree.describe([1, 2, 3]) == "a list of 3"
