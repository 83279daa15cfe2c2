"""Lists and dicts that change while something else of the statement, or a loop, looks at them.

Each expression and statement pops, binds or stores in the middle of what it computes: one that
looks at a part twice, in another order, or at a list as it was, gives other values or lengths.
"""

import numpy as np
import pytest

from tests.harness import check
from tests.programs.grid import vectorised

PRELUDE = """
import functools, itertools, math
import numpy as np

def mixed(a, b, c):
    return a * 100 + b * 10 + c
"""

#: once, and in Python's order; ``t`` has the digits and ``rows`` the floats
ONCE = """
sum(v * 2 for v in rows.pop())
any(v > 2 for v in rows.pop())
all(v > 2 for v in rows.pop())
max(v for v in rows.pop())
sum(v for v in rows.pop() if v > 0)
sum(i * v for i, v in enumerate(rows.pop()))
sum(a * b for a, b in zip(rows.pop(), rows.pop()))
sum(map(abs, rows.pop()))
max(rows.pop(), key=lambda v: -v)
list(itertools.accumulate(rows.pop()))[-1]
sum(a * b for a, b in itertools.product(rows.pop(), rows.pop()))
sum(x * i for i in range(t.pop()))
sum(x for i in range(t.pop()) for j in range(t.pop()))
any(t.pop() > 2 for _ in range(3))
np.array([x, 2.0, 3.0])[:t.pop()].sum()
math.hypot(len(t), t.pop())
t[-1] + t.pop() * t[-1]
max(t[0], t.pop())
mixed(a=t.pop(0), c=t.pop(0), b=t.pop(0))
mixed(c=t.pop(0), *[t.pop(0), t.pop(0)])
(t.pop(0) if t.pop(0) > 2 else t.pop(0)) + x
[x, x + 1, x + 2, x + 3][t.pop(0) - 1:t.pop(0) + 2][0]
sorted([t.pop(0), t.pop(0)], key=lambda v: -v * t[0])[0] + x
min([t.pop(0), t.pop(0)], default=t.pop(0)) + x
functools.reduce(lambda a, b: a * 10 + b, [t.pop(0), t.pop(0)], t.pop(0)) + x
(n := x) + n * (n := 2.0) + n
max([n := x, n + 1], key=lambda v: -v)
sum((n := v) for v in (x, 2.0)) + n
"""

#: what has a list at hand, or comes before it is changed: these may loop
AT_HAND = """
next((v for v in rows.pop() if v > 100), x)
np.array([1.0, 2.0])[rows.pop()[2] > 0]
t[-t.pop()]
sum(t[t.pop() - 2:])
t.count(t.pop())
t.index(t.pop())
sum(a * b for a, b in zip(t, [t.pop()] * 9))
sum(a * b * x for a, b in enumerate(t, t.pop()))
len(list(zip(t, [t.pop()] * 9)))
t[t.pop(0) - 1]
t[-len(t) + t.pop(0) - 3]
max(t, [t.pop(), 9])[-1]
(t + [t.pop()])[-2]
sum(list(t), t.pop())
sum([x], t.pop() + len(t))
math.prod([t.pop(0) + x], start=t.pop(0))
sum(u.pop() for _ in reversed(u))
any(t.pop() > 2 for _ in enumerate(t))
d.get("b", d.pop("b") + 9)
sum(v * w for v, w in zip(d.values(), [d.pop("a")] * 9))
"{} {}".format(t.pop(0), t.pop(0))
"%s %s" % (t.pop(0), t.pop(0))
f"{t.pop(0) + x:{t.pop(0) + 6}.{t.pop(0)}f}"
list(itertools.accumulate([t.pop(0), t.pop(0)], initial=t.pop(0)))[0]
list(itertools.islice([t.pop(0), 5, 6, 7], t.pop(0)))[-1]
list(itertools.zip_longest([t.pop(0)], [1, 2], fillvalue=t.pop(0)))[1][0]
"""

STATEMENTS = """
t += [t.pop()]; r = t[-1] * len(t)
t += [9] * t.pop(); r = sum(t)
t *= t.pop(); r = len(t)
u += u[:t.pop() - 1]; r = sum(u)
k = t; k += [t.pop()]; r = t[-1] + len(k)
k = [[x], t]; k[1] += k[1][:t.pop()]; r = len(t)
k = {"a": t}; k["a"] += [t.pop()]; r = len(t)
t[-1] = t.pop(); r = t[-1] * len(t)
t[-1] += t.pop(); r = t[-1] * 10 + len(t)
t[t.pop(0) - 1] += t.pop(0); r = t[0] * 10 + t[-1]
del t[t.pop() - 1]; r = len(t)
del t[-t.pop()]; r = t[-1] * 10 + t[0]
del t[-t.pop():]; r = len(t)
t[-t.pop()] = x; r = t[-1]
del d["a" if d.pop("b") > 1 else "c"]; r = len(d)
for i in range(t.pop()): r += x * i
for i in range(t.pop()): r += x * t.pop()
for i in range(t.pop(1), t.pop(0) + 3): r += x * i
for i in range(int(abs(x)) % 3): r += t.pop()
while t.pop() > 1: r += x
while (n := len(t)) > 1: r += n * t.pop()
for a, b in itertools.product(rows.pop(), rows.pop()): r += a * b
w = np.zeros(4); w[t.pop()] = x; w[t.pop()] += x; r = w.sum()
w = np.arange(3.0); w[np.array(rows.pop()) > 1.5] = x; r = w.sum()
m = d.values(); d.pop("a"); r = sum(m)
m = d.items(); d["z"] = 5.0; r = len(m)
m = d.keys(); d["z"] = 5.0; r = len(list(m))
m = zip(t, [1, 2, 3, 4]); t.pop(); r = sum(a for a, b in m)
m = (v * 2 for v in t); t[0] = 9; r = sum(m)
"""

#: the header of a loop, a line of its body, and whether it stays vectorised
LOOPS = """
for v in t: | t[-1] = 9 |
for v in t: | t[0] = 9 | yes
for v in t: | t[:] = [7, 7, 7, 7] |
for v in t: | t.sort() |
for v in t: | t.reverse() |
for v in t: | t += [] if len(t) > 5 else [5] |
for v in t: | t.insert(0, v) if len(t) < 6 else 0 |
for v in t: | t = [9] | yes
for v in list(t): | t[-1] = 9 | yes
for v in tuple(t): | t.pop() | yes
for v in t[:]: | t.pop() | yes
for v in reversed(t): | t[0] = 9 |
for v in map(float, t): | t[-1] = 9 |
for v in (q * 2 for q in t): | t[-1] = 9 |
for v in [q * 2 for q in t]: | t[-1] = 9 | yes
for i, v in enumerate(t): | t[-1] = 9 |
for i, v in enumerate(t): | t[i] = v * x | yes
for i, v in enumerate(t): | t[i] = v * x if x > 1 else v | yes
for v, w in zip(t, t[1:]): | t[-1] = 9 |
for v, w in zip(t[1:], t): | t[-2] = 9 |
for v, w in zip(t, u): | t[0] += w | yes
for v in d.values(): | d["c"] = 9.0 |
for v in d.values(): | d["a"] = 9.0 | yes
for k, v in d.items(): | d["c"] = 9.0 |
for k, v in d.items(): | d[k] = v * 2 | yes
for v in [d][0].values(): | d["c"] = 9.0 |
for v in list(d.values()): | d["c"] = 9.0 | yes
for v in [d[k] for k in d]: | d["z"] = v | yes
for v, in rows[:1]: | rows.pop() |
for v, *w in rows: | rows[-1][0] = 9.0 | yes
for v, *w in rows: | rows[-1] = [7.0] |
for i, (v, *w) in enumerate(rows): | rows[2][0] += i | yes
for v in rows[0]: | rows[0].append(v + 1) if len(rows[0]) < 5 else 0 |
for v in rows[0]: | rows[1][0] = v | yes
"""

MADE = """
def f(x):
    t, u = [3, 2, 1, 2], [x, 2.0, 3.0]
    rows, d = [[x, 1.0, 2.0], [x, 2.0, -1.0], [x, x, 3.0]], {{"a": x, "b": 2.0, "c": 1.0}}
    r = 0.0
{body}
    return r, len(t), len(u), len(rows), len(d), sum(t), sum(d.values()), rows[0][0]
"""
X = np.array([1.5, 0.5, -2.0, 3.0, 0.0, -0.0, np.inf])


def lines(text):
    return text.strip().splitlines()


def made(load, body):
    return load(PRELUDE + MADE.format(body=body)).f


@pytest.mark.parametrize("expression", lines(ONCE))
def test_parts_are_looked_at_once_and_in_order(load, expression):
    vectorised(made(load, f"    r = {expression}"), X)


@pytest.mark.parametrize("expression", lines(AT_HAND))
def test_a_list_at_hand_is_read_when_it_has_changed(load, expression):
    check(made(load, f"    r = {expression}"), X)


@pytest.mark.parametrize("statement", lines(STATEMENTS))
def test_statements(load, statement):
    check(made(load, f"    {statement}"), X)


@pytest.mark.parametrize("loop", lines(LOOPS))
def test_loops_over_what_their_body_changes(load, loop):
    header, step, stays = (part.strip() for part in loop.split("|"))
    body = f"    {header}\n        {step}\n        r = r * 3 + v"
    (vectorised if stays else check)(made(load, body), X)
