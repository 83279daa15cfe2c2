"""Lists and dicts that a function makes, changes and looks up in."""

import functools
import itertools
import math
import statistics
from itertools import combinations

from tests.programs.grid import program

WEIGHTS = (0.5, 1.5, 2.5)


@program("ff")
def stack(x, y):
    values = []
    values.append(x)
    values.append(y)
    values.append(2.0)
    right = values.pop()
    values.append(values.pop() * right)
    values.append(values.pop() + values.pop())
    return values[0], len(values), values


@program("fi")
def every_method(x, k):
    values = [x, k]
    values.insert(1, 3.0)
    values.insert(-9, k)
    values.extend((x, 1))
    values.reverse()
    first = values.pop(0)
    del values[0]
    values += [k]
    values *= 2
    other = values.copy()
    values.clear()
    return other, first, len(values)


@program("fi")
def slices(x, k):
    values = [x, k, 1.0, 2.0]
    values[1:3] = [x]
    values[0] = k
    del values[-1:]
    return values, values[::-1], values[1:], list(values)[0]


@program("fi")
def sorted_in_place(x, k):
    values = [k, 3, 1]
    values.sort()
    pair = [x, 0.5]
    pair.sort(reverse=True)
    return values, pair


@program("fi")
def item_that_varies(x, k):
    values = [x, 2.0, 3.0]
    values[k % 3] = 7.0
    values[-(k % 2) - 1] += x
    return values


@program("ii")
def counters(k, j):
    counts = [0] * 4
    for v in (k, j, 3):
        counts[v % 4] += 1
    return max(counts), counts[k % 4], sum(counts)


@program("fi")
def dict_methods(x, k):
    d = {"a": x}
    d["b"] = k
    d["a"] += 1
    d.update(c=2.0)
    d.update({"e": k})
    d.setdefault("e", x)
    d.setdefault("f", x)
    del d["b"]
    c = d.pop("c") + d.pop("z", k)
    return d, c, len(d), list(d)


@program("fi")
def a_dict_as_counters(x, k):
    d = {0: 0.0, 1: 0.0}
    d[k % 2] += x
    d[0] += 1
    return d[0], d[1]


@program("fI")
def swapped_in_a_loop(x, n):
    a = [x, 1.0]
    for _ in range(n):
        a[0], a[1] = a[1], a[0] + a[1]
    return a[0]


@program("fi")
def changed_in_a_while(x, k):
    state = {"n": 0, "x": x}
    n = 0
    while n < 5 and state["x"] < 3:
        state["x"] = state["x"] + 1
        state["n"] += k
        n += 1
    return state["x"], state["n"]


@program("f")
def grown_in_a_loop(x):
    values = [x]
    for _ in range(4):
        values.append(values[-1] * 0.5)
    return sum(values) / len(values), max(values), values


@program("fi")
def changed_in_a_branch(x, k):
    values = [x, 0.0]
    if k > 0:
        values[0] = k
    else:
        values[1] = x
    return values


@program("ff")
def reduced(x, y):
    return functools.reduce(lambda a, b: a * 2 + b, [x, y, 1.0], 0.5), math.prod((x, y, 2))


@program("fi")
def by_key(x, k):
    values = [x, k, -1.5]
    return (
        min(values, key=abs) if x == x else 0.0,
        max((x, 1), (k, 2), key=lambda pair: pair[0])[1],
        sorted([k, 2, -3], key=lambda v: -v),
        sorted([x, 1.0], reverse=True),
    )


@program("fi")
def read_in_every_way(x, k):
    values = [x, k]
    first, *rest = values
    return (
        len(values) + len(rest),
        first,
        any(v > 1 for v in values),
        sum(v * w for v, w in zip(values, (1, 2), strict=True)),
        [v * 2 for v in values],
        tuple(values),
        values + [1.0],
    )


@program("fi")
def position_of_the_largest(x, k):
    values = [x, k, 1.0]
    return values.index(max(values)), [k, 3].index(min(k, 3)), values.index(k)


@program("fi")
def largest_of_some(x, k):
    values = (x, k, -0.5)
    return (
        max((v for v in values if v > 0), default=-1.0),
        min([v * 2 for v in values if v != 0 if v < 5], default=k),
        max(v for v in values if v == v or k < 99 and v is not None),
    )


@program("fi")
def lists_on_a_stack(x, k):
    todo = [[1.0], [x, 2.0], [k, 1], [3, k]]
    total = 0.0
    for v in todo.pop():
        total += v
    return total + sum(todo.pop()) + max(todo.pop()), len(todo)


@program("fi")
def iterators(x, k):
    values = [x, k, 0.5]
    total = sum(a * b for a, b in itertools.combinations(values, 2))
    for a, b in itertools.pairwise(values):
        total += a - b
    for a in itertools.chain(values, (1.0,)):
        total -= a
    running = list(itertools.accumulate(values))
    best = list(itertools.accumulate([k, 2, 1], max, initial=0))
    pairs = list(itertools.product([k], [1, 2]))
    rows = list(itertools.zip_longest([k, 1], [2], fillvalue=0))
    powers = list(itertools.starmap(lambda a, b: a + b, [(k, 1), (2, k)]))
    return total, running, best, pairs, rows, powers, list(itertools.islice(values, 1, None))


@program("f")
def loops_over_iterators(x):
    total = 0.0
    for i, j in itertools.product(range(5), range(7)):
        total += i * x - j
    for a, b in combinations(WEIGHTS, 2):
        total += a * b * x
    for a, b in itertools.product(WEIGHTS, repeat=2):
        if a > b:
            total -= x
    return total


@program("fi")
def sets_of_literals(x, k):
    small, large = {1, 2, 3}, frozenset((10, -1000, 7, 0, 5, 4))
    return k in small, k in large, len(small), k in {0, 1, -7}, x in {0.5, 7.0} or x in set()


@program("ff")
def middle(x, y):
    return statistics.median([x, y, 1.0]) if x == x and y == y else 0.0


def averages(x, y):
    return statistics.fmean([x, y, 1.0]), statistics.fmean((x, 2))
