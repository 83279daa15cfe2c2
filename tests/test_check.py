"""What is refused: all of it at once, at its place; and nothing that is in the language."""

import sys
import textwrap

import pytest

from autovec.check import MAX_DEPTH, check_function
from autovec.errors import UnsupportedSyntax
from autovec.syntax.parse import Source, parse_file, source_of, text_lines


def source(text, name="f"):
    text = textwrap.dedent(text).lstrip("\n")
    module = parse_file(text, "f.py")
    [tree] = [node for node in module.body if getattr(node, "name", None) == name]
    return Source("f.py", tree, text_lines(text), name)


def check(text):
    """The refused pieces of the text: line, piece, what."""
    problems = check_function(source(text))
    for problem in problems:
        assert problem.why and problem.instead
    return [(p.place.line, p.place.text[p.place.col : p.place.end_col], p.what) for p in problems]


YIELD = "yield makes this a generator"
ASYNC = "this is asynchronous"


@pytest.mark.parametrize(
    "text, found",
    [
        ("def f(x):\n    yield x + 1", [(2, "yield x + 1", YIELD)]),
        ("def f(x):\n    y = yield", [(2, "yield", YIELD)]),
        ("def f(x):\n    yield from x", [(2, "yield from x", YIELD)]),
        ("def f(x):\n    def g():\n        yield x\n    return g", [(3, "yield x", YIELD)]),
        ("def f(x):\n    return lambda: (yield x)", [(2, "yield x", YIELD)]),
        ("async def f(x):\n    return x", [(1, "async def f(x):", ASYNC)]),
        (
            "async def f(x):\n    return await x",
            [(1, "async def f(x):", ASYNC), (2, "await x", ASYNC)],
        ),
        (
            "async def f(x):\n    async with x: pass\n    async for i in x: pass",
            [
                (1, "async def f(x):", ASYNC),
                (2, "async with x: pass", ASYNC),
                (3, "async for i in x: pass", ASYNC),
            ],
        ),
        (
            "def f(x):\n    async def g():\n        return [i async for i in x]\n    return 1",
            [(2, "async def g():", ASYNC), (3, "i", ASYNC)],
        ),
        (
            "def f(x):\n    class C:\n        y = x\n    return C.y",
            [(2, "class C:", "a class is defined here")],
        ),
        (
            "def f(x):\n    try:\n        return x\n    except* ValueError:\n        pass",
            [(2, "try:", "except* handles groups of exceptions")],
        ),
        (
            "def f(x):\n    from math import *\n    return sin(x)",
            [(2, "from math import *", "this imports names that are not written here")],
        ),
        (
            "def f(x):\n    with open(x) as y, lock: return y",
            [(2, "open(x)", "a with statement"), (2, "lock", "a with statement")],
        ),
        (
            "def f(x):\n    with np.errstate(all='ignore'), x.lock: return y",
            [(2, "x.lock", "a with statement")],
        ),
    ],
)
def test_refused(text, found):
    assert check(text) == found


@pytest.mark.parametrize(
    "statement, piece",
    [
        ("n = 1", "n"),
        ("n += 1", "n"),
        ("for n in x: pass", "n"),
        ("a, (n, b) = x", "n"),
        ("n: int = 1", "n"),
        ("print(n := 1)", "n"),
        ("[(n := i) for i in x]", "n"),
        ("del n", "n"),
        ("import n", "n"),
        ("import a as n", "a as n"),
        ("def n(): pass", "def n(): pass"),
        ("match x:\n        case n: pass", None),
        ("try: pass\n    except E as n: pass", None),
        ("with np.errstate() as n: pass", "n"),
    ],
)
def test_outer_names_that_are_assigned_to(statement, piece):
    what = "n is global and assigned to"
    [(line, found, told)] = check(f"def f(x):\n    global n\n    {statement}\n    return x")
    assert told == what
    assert line >= 3
    assert piece is None or found == piece


def test_each_outer_name_is_told_once_at_its_first_assignment():
    text = """
    def f(x):
        global a, b, c
        if x > 0:
            a = 1
        b = a
        a = b = c
        return c
    """
    assert check(text) == [
        (4, "a", "a is global and assigned to"),
        (5, "b", "b is global and assigned to"),
    ]


def test_nonlocal_names_of_inner_functions():
    text = """
    def f(x):
        n = 0
        m = 0
        def count():
            nonlocal n, m
            n += 1
            return m
        count()
        return n
    """
    assert check(text) == [(6, "n", "n is nonlocal and assigned to")]


def test_outer_names_that_are_only_read_are_fine():
    assert check("def f(x):\n    global n\n    def n2():\n        n = 1\n    return n + x") == []


def test_everything_is_told_at_once_in_the_order_of_the_text():
    text = """
    def f(x):
        global total
        with lock:
            total += x
        class Box:
            pass
        yield x
        yield total
    """
    assert [line for line, _, _ in check(text)] == [3, 4, 5, 7, 8]
    error = UnsupportedSyntax(check_function(source(text)))
    assert len(error.problems) == 5
    assert str(error).count("f.py:") == 5


def test_what_runs_outside_of_the_function_is_not_looked_at():
    text = """
    @decorate(lambda: (yield))
    def f(x=[(yield)], *, y: (yield) = 1):
        return x
    """
    assert check(text) == []


def test_a_live_function_is_told_with_its_own_file():
    def counts(x):
        yield x

    [problem] = check_function(source_of(counts))
    assert problem.place.file == __file__
    assert problem.place.line == counts.__code__.co_firstlineno + 1
    assert "        yield x" in problem.place.text


def test_a_lambda():
    fn = lambda x: (yield x)  # noqa: E731
    assert [p.what for p in check_function(source_of(fn))] == [YIELD]
    assert check_function(source_of(lambda x: x + 1)) == []


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement came with 3.12")
def test_a_type_statement():
    assert check("def f(x):\n    type T = int\n    return x") == [
        (2, "type T = int", "a type is named here")
    ]


THE_LANGUAGE = '''
def f(x, y=1, /, *rest, key: float = 2.0, **more) -> float:
    """A docstring."""
    import math
    from math import sin, cos as c
    limit: float = 3.0
    a = b = x
    a, b = b, a
    first, *others = (1, 2, 3)
    if x < y <= 3 and not y or (n := x):
        return sin(x) if x in (1, 2) else -x
    elif x is None:
        pass
    match y:
        case 1 | 2 if x > 0:
            a += 1
        case {"k": v, **kw} | [v, *kw]:
            a **= 2
        case str() | None | -1:
            a = f"{a!r:>{b}}"
        case _:
            del b
    for i, (p, q) in enumerate(zip(rest, reversed(others))):
        if p:
            continue
        a @= q
    else:
        a //= 2
    while a > 0:
        a -= 1
        break
    total = sum(t * a for t in rest if t) + len([*rest, *others]) + len({**more, "k": 1})
    try:
        total = 1 / x
    except (ZeroDivisionError, ValueError) as error:
        raise KeyError(f"bad {x}") from error
    finally:
        total += 1
    assert x >= 0, "negative"
    with np.errstate(divide="ignore"):
        total /= x
    with errstate(all="ignore"):
        total /= x
    def helper(u, k=total):
        return lambda v: u + v + k
    table = {1: 2}
    table[1], table[2:3] = 1, (1,)
    del table[1]
    rest[0].attribute = 1
    print(locals(), eval("1"), *rest, **more)
    return helper(x)(y), {x for x in rest}, {x: 1 for x in rest}, ..., b"", 1j
'''


def test_nothing_of_the_language_is_refused():
    assert check(THE_LANGUAGE) == []


# depth

DEEP = f"this is nested more than {MAX_DEPTH} levels deep"


def test_a_sum_as_long_as_it_may_be():
    fits = " + ".join(["x"] * (MAX_DEPTH - 1))
    assert check(f"def f(x):\n    return {fits}") == []
    [(line, piece, what)] = check(f"def f(x):\n    y = 1\n    return x + {fits}")
    assert (line, what) == (3, DEEP)
    assert piece.startswith("return x + x")


def test_a_long_elif_chain():
    def chain(count):
        tests = "".join(f"    elif x == {i}:\n        return {i}\n" for i in range(count))
        return f"def f(x):\n    if x < 0:\n        return 0\n{tests}"

    assert check(chain(MAX_DEPTH - 4)) == []
    problems = check_function(source(chain(400)))
    assert {p.what for p in problems} == {DEEP}
    assert "look the value up in a table" in problems[0].instead


def test_nested_loops_and_calls():
    text = "def f(x):\n"
    for depth in range(90):
        text += " " * (depth + 1) + "if x:\n"
    fits = " " * 91 + "y = " + "g(" * 50 + "x" + ")" * 50
    deep = " " * 91 + "y = " + "g(" * 70 + "x" + ")" * 70
    assert check(text + fits) == []
    assert [(line, what) for line, _, what in check(text + deep)] == [(92, DEEP)]


def test_depth_is_told_along_with_the_rest():
    long = " - ".join(["x"] * 1500)
    text = f"def f(x):\n    yield x\n    y = {long}\n    z = {long}\n    yield y"
    assert [(line, what) for line, _, what in check(text)] == [
        (2, YIELD),
        (3, DEEP),
        (4, DEEP),
        (5, YIELD),
    ]


def test_flat_code_may_be_long():
    lines = "\n".join(f"    x = x + {i}" for i in range(2000))
    ands = " and ".join(["x"] * 500)
    assert check(f"def f(x):\n{lines}\n    return ({ands}, [{'x, ' * 500}])") == []
