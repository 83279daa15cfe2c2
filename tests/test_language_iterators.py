"""Builtins by any name, iterators that are run through once, calls with wrong arguments."""

from __future__ import annotations

import builtins
import math
import warnings

import numpy as np
import pytest

import autovec
from tests.harness import check

X, Y = np.array([1.5, -2.5, 3.0, -0.0]), np.array([2.0, -7.0, 3.0, 0.0])


def vectorised(f, *args):
    assert check(f, *args).fallbacks == []


# ---------------------------------------------------------------- by any name
def test_a_builtin_under_a_name_of_the_users():
    def f(x, y):
        low, whole, some, every, pairs = min, int, any, all, zip
        total = low(x, y) + whole(x) + low((y, x, 1.0))
        for p, q in pairs((1, 2), (x, y)):
            total += p * q
        return total, some((x > 0, y > 0)), every((x > 0, y > 0)), low([x, y], key=abs)

    vectorised(f, X, Y)


def test_a_builtin_that_is_handed_on():
    def f(x, y):
        def two(g):
            return g(x, y)

        def both(g):
            return g((x > 0, y > 0))

        return two(min), two(max), both(any), both(all), (min, max)[0](x, y)

    vectorised(f, X, Y)


def test_a_builtin_of_the_module_and_as_a_default():
    def f(x, y, low=min):
        return low(x, y) + builtins.min(x, y) + builtins.int(x), builtins.all((x, y))

    vectorised(f, X, Y)


# ---------------------------------------------------------------- once
def generator(x, y):
    g = (v * 2 for v in (x, y))
    return sum(g) + sum(g)


def zipped(x, y):
    z = zip((x, y), (1, 2), strict=True)
    return sum(p * q for p, q in z) + sum(p for p, q in z)


def mapped(x, y):
    g = map(abs, (x, y))
    return sum(g) + sum(g)


def backwards(x, y):
    g = reversed([x, y])
    return max(g) + sum(g)


def filtered(x, y):
    g = filter(None, (1, 0, 2))
    return x * sum(g) + sum(g)


def later_name(x, y):
    k = 1
    g = (v * k for v in (x, y))
    k = 5
    return sum(g)


def in_a_list(x, y):
    pair = [map(abs, (x, y)), 1.0]
    return sum(pair[0]) + sum(pair[0])


def handed_over(x, y):
    def twice(it):
        return sum(it) + sum(it)

    return twice(v for v in (x, y))


def length(x, y):
    return len(zip((x,), (y,), strict=True)) + x


def item(x, y):
    return map(abs, (x, y))[0]


def strictly(x, y):
    return sum(a * b for a, b in zip((1, 2, 3), (x, y), strict=True))


def reversed_generator(x, y):
    return sum(reversed(v for v in (x, y)))


@pytest.mark.parametrize(
    "f",
    [generator, zipped, mapped, backwards, filtered, later_name, in_a_list, handed_over, length,
     item, strictly, reversed_generator],
)  # fmt: skip
def test_an_iterator_that_is_kept_loops(f):
    report = check(f, X, Y)
    assert report.fallbacks and "bug" not in report.fallbacks[0]


def test_an_iterator_that_is_run_through_at_once():
    def f(x, y):
        a, b = map(abs, (x, y))
        first, *rest = (v * 2 for v in (x, y, 1.0))
        listed = [*map(float, (x, y)), *reversed((x, y))]
        listed.extend(v + 1 for v in (x, y))
        kept = dict(zip("ab", (x, y), strict=True))
        return (
            a - b,
            first + rest[1],
            sum(listed),
            max(*map(abs, (x, y))),
            kept["a"],
            tuple(p * q for p, q in zip((x, y), (1, 2), strict=True)),
        )

    vectorised(f, X, Y)


# ---------------------------------------------------------------- comparisons of structures
def test_a_list_is_no_tuple_and_one_nan_is_itself():
    def f(x, y):
        nan = math.nan
        return [x] == (x,), [x] != (x,), math.nan in (math.nan, 1), (nan, x) == (nan, x), nan == nan

    vectorised(f, X, Y)


# ---------------------------------------------------------------- wrong arguments
def test_the_truth_of_a_test_in_a_function_of_math():
    """NumPy computes in half precision there."""

    def f(x, y):
        return math.cos(x > 0), math.sqrt(not y), math.atan2(x > 0, y > 0), math.exp(x == y)

    vectorised(f, X, Y)
    assert autovec.vectorize(f)(X, Y)[0].dtype == np.float64


WRONG = (
    """
sum() | sum(x, y) | sum("a") | sum((x,), 1, 2) | sum((x, y), begin=1) | len() | len(x) | min()
max(x, key=abs) | min((x, y), key=abs, least=1) | sorted() | sorted((x, y), abs) | map(abs)
enumerate() | zip((x,), (y,), strict=x) | reversed() | filter(abs) | isinstance(x) | range()
range(1, 2, 3, 4) | range(x) | float(1, 2) | float(x=x) | abs() | abs(x=x) | abs("a") | round()
round(x, y) | round(x, None) | divmod(x) | pow(x) | pow(x, y, 2) | int(x, 2) | complex(x, y, 1)
any(x) | all() | any((x, y), 1) | math.sin() | math.sin(x, y) | math.sin(x=x) | math.sin("a")
math.atan2(x) | math.hypot("a", x) | math.prod(x) | math.prod((x, y), 2) | math.fsum(x) | x @ y
math.dist((x,)) | math.isclose(x) | math.log(x, y, 1) | math.pow(x, y, 1) | math.gcd(x, y) | x < 1j
math.floor("a") | np.sin() | np.sin(x=x) | np.maximum(x) | np.where(x) | np.clip() | np.sin("a")
operator.add(x) | operator.lt(x, 1j) | operator.neg(x, y) | (x, y) < [x, y] | tuple(x, y) | dict(x)
str(x, y, x, y) | print() + x | x() | x[0] | x.nothing | x.mean(1, 2, 3) | None + x
""".replace("\n", " | ")
    .strip(" |")
    .split(" | ")
)


@pytest.mark.parametrize("text", WRONG)
def test_what_python_refuses_is_no_bug_of_ours(text, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(
        f"import math\nimport operator\nimport numpy as np\n\ndef f(x, y):\n    return {text}\n"
    )
    world = {}
    exec(compile(path.read_text(), str(path), "exec"), world)
    try:
        world["f"](1.5, 2.0)
        wanted = None
    except Exception as error:  # noqa: BLE001
        wanted = error
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            autovec.vectorize(world["f"])(np.array([1.5]), np.array([2.0]))
            got = None
        except Exception as error:  # noqa: BLE001
            got = error
    assert not any("which is a bug" in str(w.message) for w in caught)
    assert type(got) is type(wanted)


# ---------------------------------------------------------------- items that can fail
K, M = np.array([1, 2, 3]), np.array([0, 0, 3])


def left_early(k, m):
    for v in (6 // n for n in (k, m)):
        if v > 0:
            return v
    return 0


def asked_in_turn(k, m):
    return any(map(lambda n: 6 // n > 0, (k, m)))


def counted_until(k, m):
    for i, v in enumerate(map(lambda n: 6 // n, (k, m))):
        if v > 0:
            return i
    return -1


@pytest.mark.parametrize("f", [left_early, asked_in_turn, counted_until])
def test_items_that_are_not_asked_for_do_not_fail(f):
    assert check(f, K, M).fallbacks


def test_a_list_is_made_before_it_is_asked():
    def f(k, m):
        return any([6 // n > 0 for n in (k, m)])

    vectorised(f, K, np.array([1, 2, 3]))
    check(f, K, M)
    every = lambda k, m: (all([n > 1 for n in (k, m)]), any([n > k for n in range(3)]))  # noqa: C419, E731
    vectorised(every, K, M)


def test_an_iterator_handed_to_a_function_that_runs_through_it():
    def total(items):
        return sum(items)

    def f(x, y):
        return total(v * 2 for v in (x, y)) + (lambda it: max(it))(v + 1 for v in (x, y))

    vectorised(f, X, Y)
