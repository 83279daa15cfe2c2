"""Assignment in all its forms, names that come and go."""

import math

from tests.programs.grid import program


@program("fi")
def augmented(x, k):
    x += k
    x *= 2
    x -= 1
    x /= 4
    k //= 2
    k %= 5
    return x + k


@program("i")
def augmented_bits(k):
    m = k
    m &= 6
    m |= 1
    m ^= k
    k <<= 1
    k >>= 2
    return m, k


@program("fi")
def augmented_on_some_lanes(x, k):
    total = 0
    if x > 0:
        total += x
        if k > 1:
            total -= k
    elif k:
        total += 1 / k
    return total


@program("f")
def augmented_keeps_the_other(x):
    y = x
    y += 1
    return x, y


@program("fi")
def chained_assignment(x, k):
    a = b = c = x + k
    b += 1
    c = b * c
    return a, b, c


@program("f")
def chained_unpacking(x):
    a = (b, c) = (x, x + 1)
    return a, b, c


@program("ff")
def swap(x, y):
    if x > y:
        x, y = y, x
    return x, y


@program("fff")
def rotate(x, y, z):
    x, y, z = y, z, x
    if x < y:
        x, z = z, x
    y, x = x, y
    return x + 2 * y, z


@program("fff")
def sort_three(a, b, c):
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return a, b, c


@program("fi")
def swap_in_depth(x, k):
    a, b = x, x + k
    if k > 0:
        a, b = b, a
        if x > 0:
            a, b = b / k, math.log(x)
            a, b = b, a
    return a - b


@program("fi")
def nested_unpacking(x, k):
    (a, (b, c)), d = (x, (k, x - k)), 2
    [e, f] = a, d
    return a + b, c * d, e - f


@program("fi")
def star(x, k):
    first, *middle, last = x, k, k + 1, x * 2
    a, *empty = (x,)
    *init, tail = middle
    return first + last, middle[0] - middle[1], len(empty), sum(init) + tail + a


@program("fi")
def star_in_displays(x, k):
    pair = (x, k)
    both = [*pair, 1, *pair]
    return sum(both), len(both), (*pair, 3)[2]


@program("f")
def walrus_in_test(x):
    if (y := x * 2) > 1:
        return y
    return y - 1


@program("fi")
def walrus_in_and(x, k):
    if k != 0 and (q := x / k) > 1:
        return q
    return 0.0


@program("f")
def walrus_in_ternary(x):
    return (z := x + 1) if x > 0 else (z := x - 1) * 2 + z


@program("fi")
def walrus_in_chain(x, k):
    if 0 < (m := k + 1) < 5:
        return m * x
    return m


@program("f")
def walrus_in_arguments(x):
    r = max(a := x + 1, b := 2 - x)
    return r - a * b


@program("f")
def deleted(x):
    y = x + 1
    z = y * 2
    del y
    y = z - x
    del z
    return y


@program("fi")
def deleted_on_one_side(x, k):
    y = x
    if k > 0:
        del y
        y = k
    return y


@program("f")
def annotations(x: float) -> float:
    y: float = x + 1
    z: int
    w: "anything at all" = y  # noqa: F722
    z = 3
    return w * z


@program("f")
def docstring_and_pass(x):
    """What it does."""
    pass
    "a string that nobody reads"
    ...
    return x


@program("ff")
def rebound_parameters(x, y):
    x = x + 1
    y = x * y
    if y > 1:
        x = y
    return x


@program("fi")
def names_of_emitted_code(x, k):
    n = size = k + 1
    out = x * 2
    live = out > n
    test = not live
    if live:
        lane = bad = out / 3
        if test or bad > 1:
            shape = lane + size
            out = math.sqrt(shape) if shape > 0 else n
    j = out + k
    if j > 2:
        return j
    k2 = j / 2 if j else 1.0
    return k2 + n


@program("fi")
def shadowed_builtins(x, k):
    max = x + k
    len = max * 2
    return len - max


@program("fi")
def two_versions_of_one_name(x, k):
    y = x + 1
    z = y * 2
    if k > 0:
        y = z / k
    w = y
    y = w + z
    return y, w


@program("fi")
def alias_then_rebind(x, k):
    y = x
    if k > 0:
        x = x + 1
    z = x
    x = y
    return x, y, z


@program("fi")
def assigned_on_some_lanes_and_read_there(x, k):
    if k > 0:
        y = x / k
    z = x
    if k > 0:
        z = y + 1
    return z


@program("fi")
def assigned_in_every_branch(x, k):
    if k > 2:
        y, z = x, k
    elif k < 0:
        z = y = -x
    else:
        y = z = 0
    return y - z


@program("fi")
def constants_on_paths(x, k):
    a = 0
    if x > 0:
        a = 1
    elif k > 0:
        a = 2.5
    b = 3 if a > 1 else a
    return a, b


@program("f")
def list_that_grows(x):
    items = [x]
    items.append(x + 1)
    items += [2.0]
    items.extend((x, x * 2))
    items[0] = -1.0
    return sum(items), len(items), items[-1]


@program("fi")
def dict_of_values(x, k):
    d = {"a": x, "b": k}
    d["c"] = d["a"] + d["b"]
    return d["c"] * 2, len(d)
