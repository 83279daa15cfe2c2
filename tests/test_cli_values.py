"""Values of constants, classes and shared objects, read off a file's text."""

import ast
import dataclasses
import enum

import numpy as np
import pytest

from autovec.files.constants import OpaqueFloat, OpaqueInt, OpaqueStr, Undeclared
from autovec.files.instances import instance_of
from autovec.files.meaning import Doubt, object_of
from autovec.files.scopes import scopes_of
from autovec.files.text import FileText
from autovec.files.world import World
from tests.cli_tools import text


def world_of(source):
    """What stands for the names of a file."""
    file = FileText.decode(text(source).encode(), "f.py")
    tree = file.parse()
    return World(file, tree, scopes_of(tree))


def value_of(expression, heading=""):
    """The value of a constant of a file."""
    world = world_of(f"{heading}\nimport math, os\nimport numpy as np\nK = {expression}\n")
    return world.value("K", world.scopes.module)


VALUES = {
    "1.5": 1.5,
    "-2": -2,
    "not 1": False,
    "~5": -6,
    "2 ** 10 - 1": 1023,
    "7 // 2 + 7 % 4 + (6 & 3) + (1 | 2) + (1 ^ 3)": 3 + 3 + 2 + 3 + 2,
    "2 * math.pi / 360": 0.017453292519943295,
    "math.sqrt(16.0)": 4.0,
    "np.pi": np.pi,
    "np.float32(2)": np.float32(2),
    "float('inf')": float("inf"),
    "max(1, 2, 3)": 3,
    "(1, 'a', None, True)": (1, "a", None, True),
    "[1, [2]]": [1, [2]],
    "{1, 2}": {1, 2},
    "{'a': (1, 2)}": {"a": (1, 2)},
    "dict(a=1)": {"a": 1},
    "list(range(3))": [0, 1, 2],
    "{'a': 2}['a']": 2,
    "(1, 2)[-1]": 2,
    "'a' + 'b'": "ab",
    "(1,) + (2,)": (1, 2),
    "round(2.675, 2)": 2.67,
    "frozenset([1])": frozenset([1]),
}


@pytest.mark.parametrize("expression", VALUES)
def test_constants(expression):
    found = value_of(expression)
    assert found == VALUES[expression]
    assert type(found) is type(VALUES[expression])


OPAQUE = {
    "float(os.environ['K'])": OpaqueFloat,
    "int(os.environ['K'])": OpaqueInt,
    "str(os.getpid())": OpaqueStr,
    "len(os.listdir())": OpaqueInt,
    "math.sqrt(os.getpid())": OpaqueFloat,
    "math.floor(os.getpid() / 2)": OpaqueInt,
    "2 * float(os.environ['K']) + 1": OpaqueFloat,
    "-int(os.environ['K'])": OpaqueInt,
}


@pytest.mark.parametrize("expression", OPAQUE)
def test_values_of_a_known_type(expression):
    assert type(value_of(expression)) is OPAQUE[expression]


@pytest.mark.parametrize(
    "expression",
    [
        "os.getpid()", "f'{1}'", "[i for i in range(3)]", "1 if os else 2", "2 ** 10_000",
        "10 ** 100 ** 100", "'a' * 10**9", "[0] * 10**9", "'%s' % 3", "1 / 0", "math.sqrt(-1)",
        "math.factorial(10**6)", "list(range(10**9))", "sorted([2, 1], key=abs)", "{**{}}",
        "{[]: 1}", "{[]}", "unknown", "os.path", "math.nothing", "open('x')", "max([])",
        "map(abs, (1, 2))", "(1, 2)[5]", "math.isnan(os.getpid())", "dict(**{'a': 1})",
        "1 @ 2", "(yield)", "await x", "float(os.getpid()) == 1", "[1][0].real", "math.frexp",
    ],
)  # fmt: skip
def test_what_is_no_constant(expression):
    heading = "" if "yield" not in expression and "await" not in expression else "x = 1"
    if heading:
        assert isinstance(world_of("K = 1").constant(ast.Yield(), None, None), Doubt)
        return
    found = value_of(expression)
    assert isinstance(found, Doubt) or callable(found)
    if isinstance(found, Doubt):
        with pytest.raises(TypeError):
            bool(found)


def test_long_tables_are_not_read():
    assert isinstance(value_of("(" + "1, " * 30_000 + ")"), Doubt)
    deep = value_of("+".join(["1"] * 2000))
    assert deep == 2000 or isinstance(deep, Doubt)


def test_objects_by_name():
    assert object_of("numpy.linalg.norm") is np.linalg.norm
    assert object_of("builtins.len") is len
    assert "there is no math.nothing" in object_of("math.nothing").why
    assert "requests is not loaded" in object_of("requests.get").why
    assert "not loaded" in object_of(".near").why


CLASSES = """
    import enum
    from collections import namedtuple
    from dataclasses import dataclass, field
    from typing import NamedTuple
    import elsewhere

    A = namedtuple("Other", "x, y")
    B = namedtuple("B", ["x", "y"], defaults=[1.0])
    Bad = namedtuple("Bad", elsewhere.fields)
    Odd = namedtuple("Odd", "x x")
    Renamed = namedtuple("Renamed", "x", rename=True)

    class C(NamedTuple):
        x: float
        y: int = 2

        def total(self):
            return self.x + self.y

    @dataclass
    class D:
        x: float
        y: float = 1.5
        z: int = field(default=3)

        @property
        def double(self):
            return 2 * self.x

    @dataclass(frozen=True, slots=True)
    class Frozen:
        x: float

    @dataclass
    class Made:
        x: list = field(default_factory=list)

    @dataclass
    class Own:
        x: float
        def __init__(self, x):
            self.x = x

    @dataclass(init=False)
    class Options:
        x: float

    @dataclass
    class Child(D):
        w: float = 0.0

    @elsewhere.decorated
    class Decorated:
        pass

    class Meta(metaclass=type):
        pass

    class Foreign(elsewhere.Base):
        pass

    class Plain:
        LIMIT = 3
        table = {"a": 1}

        def method(self):
            return self.LIMIT

        def __len__(self):
            return 1

    class Inherits(Plain):
        pass

    class Error(ValueError):
        pass

    class Colour(enum.Enum):
        RED = 1
        BLUE = 2

    class Unknown(enum.Enum):
        RED = elsewhere.red
"""


def test_classes():
    world = world_of(CLASSES)

    def get(name):
        return world.value(name, world.scopes.module)

    assert get("A")._fields == ("x", "y")
    assert get("A").__name__ == "A"  # as it is bound: that is how a text would name it
    assert get("B")(2)._asdict() == {"x": 2, "y": 1.0}
    assert get("C")(1.0).y == 2
    assert get("C").total.__name__ == "total"
    assert dataclasses.asdict(get("D")(1.0)) == {"x": 1.0, "y": 1.5, "z": 3}
    assert isinstance(get("D").double, property)
    with pytest.raises(dataclasses.FrozenInstanceError):
        get("Frozen")(1.0).x = 2.0
    assert get("Plain").LIMIT == 3
    assert get("Plain").method.__name__ == "method"
    with pytest.raises(TypeError, match="not run"):
        len(get("Plain")())
    assert issubclass(get("Inherits"), get("Plain"))
    assert issubclass(get("Error"), ValueError)
    assert isinstance(get("Colour").RED, enum.Enum)
    for name in ("Bad", "Odd", "Renamed", "Made", "Own", "Options", "Child", "Decorated", "Meta",
                 "Foreign", "Unknown"):  # fmt: skip
        assert isinstance(get(name), Doubt), name


def test_objects_of_classes():
    world = world_of("""
        from dataclasses import dataclass
        import elsewhere

        @dataclass
        class D:
            x: float
            n: int
            other: elsewhere.Thing

        class P:
            declared: float

            def __init__(self, k, table, name, size: int, on=False):
                self.k = k
                self.table = table
                self.name = name
                self.size = size
                self.on = on
                self.fixed = 2.5
                self.typed: float = elsewhere.k
                self.mixed = 1
                self.count = 0
                self.__private = k

            def use(self, x):
                self.mixed = "a"
                self.count += 1
                return x * self.k + self.table[0] if self.name == "a" else self.typed

        class E(Exception):
            pass
    """)

    def instance(name):
        nodes = {getattr(n, "name", ""): n for n in world.scopes.inside}
        return instance_of(nodes[name], world)

    d = instance("D")
    assert (type(d.x), type(d.n), type(d.other)) == (OpaqueFloat, OpaqueInt, Doubt)
    p = instance("P")
    kinds = {name: type(value) for name, value in vars(p).items()}
    assert kinds == {
        "k": Undeclared, "table": Doubt, "name": OpaqueStr, "size": OpaqueInt, "on": bool,
        "fixed": OpaqueFloat, "typed": OpaqueFloat, "mixed": Doubt, "count": Doubt,
        "_P__private": Undeclared,
    }  # fmt: skip
    assert isinstance(instance("E"), Doubt)


def test_functions_are_those_of_the_file():
    world = world_of("""
        import functools

        def f(x, k=2, *, w=1.5, **rest):
            return g(x) + h(x) + k

        @functools.lru_cache
        def g(x):
            return f(x)

        @functools.wraps(g)
        def h(x):
            return x
    """)
    nodes = {getattr(n, "name", ""): n for n in world.scopes.inside}
    f = world.function(nodes["f"])
    assert f.__defaults__ == (2,)
    assert f.__kwdefaults__ == {"w": 1.5}
    assert world.globals["g"].__code__.co_name == "g"
    assert "h is decorated with functools.wraps(g)" in world.globals["h"].why
