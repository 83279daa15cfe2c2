"""Structures of results."""

import math
from collections import namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.programs.grid import program

Point = namedtuple("Point", "x y")


class Span(NamedTuple):
    low: float
    high: float = 9.0


@dataclass
class Body:
    mass: float
    speed: float = 2.0
    name: str = field(default="b", compare=False)


@dataclass(frozen=True)
class Orbit:
    body: Body
    at: Point


@program("fi")
def pair(x, k):
    return x + k, x - k


@program("f")
def single(x):
    return (x,)


@program("fi")
def as_list(x, k):
    return [x, k, 1]


@program("fi")
def as_dict(x, k):
    return {"sum": x + k, "both": x > 0 and k > 0, 3: k}


@program("fi")
def as_namedtuple(x, k):
    return Point(x, y=k)


@program("f")
def typed_namedtuple(x):
    if x > 1:
        return Span(x)
    return Span(0.0, high=x)


@program("fi")
def as_dataclass(x, k):
    if k > 0:
        return Body(x / k, speed=x)
    return Body(1.0)


@program("fi")
def nested(x, k):
    return {"p": (x, [k, {"deep": x * 2}]), "q": Point(x, (k, k))}


@program("fi")
def nested_on_paths(x, k):
    if x > 0:
        return {"a": (x, k), "b": [math.log(x)]}
    elif k > 2:
        return {"a": (0, 1), "b": [x / k]}
    return {"a": (k, k), "b": [0]}


@program("fi")
def tuple_on_paths(x, k):
    if k > 0:
        return x / k, k
    if x > 1:
        return 0, -1
    return x, 2.5


@program("f")
def nothing(x):
    x = x + 1


@program("f")
def explicit_none(x):
    if x > 0:
        return None
    return


@program("f")
def none_on_some(x):
    if x > 1:
        return x


@program("i")
def none_beside_ints(k):
    if k > 0:
        return k
    return None


@program("fi")
def none_in_a_tuple(x, k):
    return None, x, (None, k)


@program("fi")
def none_in_a_tuple_on_some(x, k):
    if k > 0:
        return x, None
    return None, k


@program("f")
def the_argument_itself(x):
    return x


@program("f")
def the_argument_twice(x):
    return x, x, [x]


@program("f")
def a_constant(x):
    return 3


@program("f")
def constants_of_every_type(x):
    return 1, 2.5, True, "word", None, 2j


@program("ff")
def not_of_every_argument(x, y):
    return x, y, 0


@program("fi")
def one_value_in_two_places(x, k):
    y = x / k if k else 0.0
    return y, y


@program("fi")
def strings(x, k):
    return "long word" if x > 1 else ("a" if k else "")


@program("fi")
def tuple_that_travels(x, k):
    t = (x, k)
    if k > 1:
        t = (k, x)
    u = t
    return u[0] - u[1], t


@program("fi")
def dict_that_travels(x, k):
    d = {"a": x, "b": 0}
    if k > 1:
        d["b"] = k
    return d


@program("fi")
def namedtuple_fields(x, k):
    p = Point(x, k)
    q = Span(p.y)
    return p.x * q.low + q[1] - p[0], q


@program("fi")
def dataclass_fields(x, k):
    b = Body(x, k)
    return b.mass * b.speed, b.name


@program("fi")
def dataclass_in_dataclass(x, k):
    return Orbit(Body(x), Point(k, x > 0))


@program("ff")
def unpacked_results(x, y):
    low, high = (x, y) if x < y else (y, x)
    return Span(low, high)


@program("f")
def empty_structures(x):
    return (), [], {}, x
