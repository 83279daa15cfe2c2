"""Loops and comprehensions over uniform sequences."""

import math

from tests.programs.grid import program

COEFFICIENTS = (0.5, -1.0, 0.25, 2.0)
BRACKETS = [(0.0, 0.1), (1.0, 0.2), (2.5, 0.4)]
PRICES = {"a": 1.5, "b": 2, "c": -3.0}


@program("f")
def horner(x):
    r = 0.0
    for c in COEFFICIENTS:
        r = r * x + c
    return r


@program("fi")
def over_range(x, k):
    s = 0
    for i in range(4):
        if i > k:
            s += x
        else:
            s -= i
    return s


@program("fI")
def range_of_an_argument(x, n):
    y = x
    for _ in range(n):
        y = y / 2 if y > 1 else y + 1
    return y


@program("f")
def ranges_of_every_kind(x):
    a = 0.0
    for i in range(2, 8, 3):
        a += i * x
    for i in range(5, 0, -2):
        a -= i
    for i in range(0):
        a = 1 / 0
    return a


@program("f")
def tax(income):
    due = 0.0
    for floor, rate in BRACKETS:
        if income > floor:
            due += (income - floor) * rate
    return due


@program("fi")
def partial_body(x, k):
    s = 0.0
    for c in COEFFICIENTS:
        if k != c:
            s += math.log(abs(x)) / (k - c) if x else 1
    return s


@program("f")
def over_zip(x):
    s = 0.0
    for c, (low, rate) in zip(COEFFICIENTS, BRACKETS):
        s += c * rate if x > low else -c
    return s


@program("f")
def over_enumerate(x):
    s = 0
    for i, c in enumerate(COEFFICIENTS):
        s += x * i + c
    for i, c in enumerate((1, 2), 10):
        s -= i * c
    return s


@program("f")
def over_reversed(x):
    s = 1.0
    for c in reversed(COEFFICIENTS):
        s = s * x + c
    for i in reversed(range(3)):
        s += i
    return s


@program("f")
def over_dicts(x):
    s = 0.0
    for name, price in PRICES.items():
        if name != "b":
            s += price * x
    for price in PRICES.values():
        s -= price
    for name in PRICES:
        s += len(name)
    return s


@program("f")
def over_map(x):
    s = 0.0
    for v in map(lambda c: c * x, COEFFICIENTS):
        s += v
    for v in map(math.sqrt, (1.0, 4.0)):
        s += v
    return s


@program("fi")
def over_values(x, k):
    best = -1.0
    for v in (x, k, x * 2, 1):
        if v > best:
            best = v
    return best


@program("fi")
def over_a_list_of_pairs(x, k):
    s = 0
    for a, b in [(x, 1), (k, 2), (x - k, 3)]:
        if a > 0:
            s += a * b
    return s


@program("fi")
def nested_loops(x, k):
    s = 0.0
    for i in range(3):
        for j in range(i + 1):
            if i * k > j:
                s += x * j
            else:
                s -= 1
        s = s / 2
    return s


@program("f")
def uniform_break(x):
    s = 0.0
    for i in range(10):
        if i > 3:
            break
        s += x * i
    else:
        s = -1.0
    return s


@program("f")
def uniform_continue(x):
    s = 0.0
    for i in range(6):
        if i % 2:
            continue
        s += x / (i + 1)
    return s


@program("f")
def return_from_a_short_loop(x):
    for i in range(4):
        if i > x:
            return i / x
    return -1


@program("f")
def loop_else(x):
    s = x
    for i in range(3):
        s += i
    else:
        s *= 2
    return s


@program("f")
def uniform_while(x):
    i, s = 0, 0.0
    while i < 4:
        s = s * x + i
        i += 1
    return s


@program("fI")
def uniform_while_break(x, n):
    i, s = 1, x
    while True:
        i *= 2
        if i > 10 * n:
            break
        s += i
    return s, i


@program("f")
def loop_variable_stays(x):
    for i in range(3):
        x = x + i
    return x * i


@program("f")
def uniform_at_first_sight(x):
    y = 0.0
    for _ in range(3):
        if y > 1:
            y = y - 2
        else:
            y = y + x
    return y


@program("fi")
def carried_dtype_grows(x, k):
    s = 0
    for i in range(3):
        s = s + k if i < 2 else s + x
    return s


@program("f")
def carried_swap(x):
    a, b = 0.0, 1.0
    for _ in range(4):
        a, b = b, a + b * x
    return a, b


@program("fi")
def loop_in_a_branch(x, k):
    y = x
    if k > 1:
        for c in COEFFICIENTS:
            y = math.sqrt(abs(y)) / k + c
    return y


@program("fi")
def loop_after_return(x, k):
    if k < 0:
        return 0.0
    s = x
    for i in (1, 2):
        if s > i:
            s = s / (k + 1)
    if s > 2:
        return s
    return -s


@program("f")
def assigned_in_a_loop(x):
    for i in range(2):
        t = x * i
        if t > 0:
            u = t
        else:
            u = -t
    return u + t


@program("f")
def sums(x):
    return sum(c * x for c in COEFFICIENTS) + sum([x, 1, 2]) + sum((x, x), 10)


@program("f")
def sums_with_conditions(x):
    return sum(c for c in COEFFICIENTS if x > c) - sum(x if x > c else c for c in COEFFICIENTS)


@program("fi")
def any_and_all(x, k):
    a = any(x > low for low, _ in BRACKETS)
    b = all(x > c or k > c for c in COEFFICIENTS)
    return a, b, any([]), all(())


@program("fi")
def any_short_circuits(x, k):
    return any(k and x / k > c for c in (0, k, 1 / k if k else 2))


@program("fi")
def extremes(x, k):
    return (
        max(x * c for c in COEFFICIENTS),
        min((x, k, 1.0)),
        max([k, 2]),
        min(x, k, 0),
        min((abs(x - c) for c in COEFFICIENTS), default=0.0),
    )


@program("f")
def lists(x):
    powers = [x * i for i in range(4)]
    evens = [p for i, p in enumerate(powers) if i % 2 == 0]
    return sum(powers), len(evens), evens[1], powers[-1] - powers[1]


@program("f")
def nested_comprehensions(x):
    grid = [[x + i * j for j in range(2)] for i in range(3)]
    flat = [v for row in grid for v in row]
    triangle = sum(i * j * x for i in range(3) for j in range(i))
    return sum(sum(row) for row in grid), flat[3], triangle


@program("fi")
def sorted_values(x, k):
    if x != x:
        x = 0.0
    low, mid, high = sorted((x, k, 1.0))
    return mid, high - low, sorted([x, 2.0], reverse=True)[0]


@program("fi")
def key_functions(x, k):
    return max((x, k), key=abs), min((x, k, -1), key=lambda v: -v)


@program("f")
def comprehension_scope(x):
    c = 10.0
    s = sum(c for c in COEFFICIENTS)
    return s + c * x


@program("f")
def names_of_sequences(x):
    pairs = tuple(zip((1, 2), (3, 4)))
    indexed = list(enumerate(COEFFICIENTS))
    return pairs[1][0] * x + indexed[2][1] + len(pairs)


@program("fI")
def swap_in_a_long_loop(x, n):
    a, b, c = 0.0, 1.0, x
    for i in range(n + 3):
        a, b = b, a + b * x
        b, c = c + i, b
    return a, b, c


@program("fiI")
def branches_in_a_long_loop(x, k, n):
    s, t = 0, x
    for i in range(n + 2):
        if k > i:
            t = t / (k - i)
            s += i
        elif x > 0:
            s, t = s + k, math.sqrt(abs(t))
        else:
            t = s - t
    return s, t


@program("fI")
def late_facts_in_a_long_loop(x, n):
    a = b = c = 0
    for _ in range(n + 2):
        a, b, c = b, c, x
        if a > 0:
            c = c / a
    return a, b, c


@program("fiI")
def nested_long_loops(x, k, n):
    s = 0.0
    for i in range(n + 1):
        for j in range(i, n + 2):
            if i * k > j:
                s += x * j
            else:
                s, x = s / 2 + x, x - 1
        if s > 100:
            s = s % 7
    return s + x


@program("fiI")
def long_loop_in_a_branch(x, k, n):
    y = x
    z = 0
    if k > 1:
        for i in range(n):
            y, z = math.sqrt(abs(y)) / k + i, z + 1
        if y > 1:
            return z
    return y - z


@program("fiI")
def tries_in_a_long_loop(x, k, n):
    s = 0.0
    for i in range(n + 1):
        try:
            s += x / (k - i)
        except ZeroDivisionError:
            s = -s - 1
    return s


@program("fiI")
def raise_in_a_long_loop(x, k, n):
    s = x
    for i in range(n + 2):
        if k + i == -6:
            raise ValueError(f"trip {i} of {k}: {s}")
        s = s / 2 + i
    return s


@program("fI")
def assigned_in_a_long_loop(x, n):
    for i in range(n):
        t = x * i
        if t > 0:
            u = t
        else:
            u = -t
    return u + t + i


@program("iI")
def growing_in_a_long_loop(k, n):
    r, s = 1, 0
    for i in range(n + 2):
        r = r * k
        s = s + r * i
    return r, s


def shifted(x, c):
    if x > c:
        return x - c
    return c / (x - 7) if x != 7 else 0.0


@program("fI")
def helper_in_a_long_loop(x, n):
    for i in range(n + 2):
        x = shifted(x, i)
    return x


@program("fI")
def pure_swaps_in_a_long_loop(x, n):
    a, b = x, x + 1
    p, q, r = 1.0, x, x * 2
    s = 0.0
    for _ in range(n + 3):
        a, b = b, a
        p, q, r = r, p, q
        s = s * 2 + a + p
    return a, b, p, q, r, s
