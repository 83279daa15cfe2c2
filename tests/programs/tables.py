"""Look-ups: tables that are the same for every lane, at an index or key that differs."""

import bisect
import math
from collections import namedtuple

import numpy as np

from tests.programs.grid import program

RATES = [0.5, 1.5, 4.0]
CODES = (3, 1, 2, 7)
MIXED = [1, 2.5, True]
FLAGS = [True, False]
WINDS = ["N", "NNE", ""]
GAPS = [1.0, None, 3.0]
WORDS = ["one", None, ""]
ROWS = [(1, 2.5, "x"), (3, -0.0, "yy"), (5, math.inf, "")]
GRID = [[1, 2, 3], [4, 5, 6]]
CUBE = (((1.0, 2.0), (3.0, 4.0)), ((5.0, 6.0), (7.0, 8.0)))
BOXES = [{"w": 1.0, "h": 2}, {"w": 3.0, "h": 4}]
Point = namedtuple("Point", "x y")
POINTS = [Point(1.0, 2), Point(3.0, 4)]
FEES = {"a": 1.5, "bb": 2.0, "": -3.0, "ccc": 0.25, "x": 7.0}
BY_NUMBER = {0: 0.5, 1: 1.5, -1: -1.5, 7: 70.0}
BY_FLOAT = {0.0: "zero", 0.5: "half", -math.inf: "low", 7.0: "seven"}
BY_FLAG = {True: 1.0, False: -1.0}
NAMES = {1: "one", 2: "two", 3: "three"}
PAIRS = {(0, "a"): 1, (1, "bb"): 2, (-1, ""): 3, (7, "ccc"): 4}
PARTS = {"a": (1.0, "one"), "bb": (2.0, "two")}
NESTED = {"a": {"p": 1, "q": 2.0}, "bb": {"p": 3, "q": 4.0}}
NOTHING = {"a": 1.0, "bb": None}
CALLS = {"a": math.sin, "bb": math.cos}
VECTOR = np.array([1.5, -0.0, np.nan, 4.0])
SINGLE = np.array([1.5, 2.5, 3.5], np.float32)
MATRIX = np.array([[1, 2, 3], [4, 5, 6]])
EDGES = [-1.0, 0.0, 1.0, 2.5, 7.0]
STEPS = (-1000, -1, 0, 2, 7)
SORTED_WORDS = ["", "a", "bb", "ccc"]
LONG = list(range(-300, 300, 2))
TENTHS = [0.0, 0.5, 1.0, -1.0, 2.5, 7.0]
SOME = {0, 1, 2, 3, 7, 10}
CORNERS = {(0, 1), (1, -1), (7, 0), (-1, 1), (2, 3)}


@program("i")
def list_of_floats(k):
    return RATES[k % 3] * 2


@program("i")
def tuple_from_the_end(k):
    return CODES[-(k % 4) - 1]


@program("i")
def ints_and_floats(k):
    return MIXED[k % 3]


@program("fi")
def by_a_bool(x, k):
    return CODES[x > 0], FLAGS[k > 0] and RATES[k == 1] > x


@program("i")
def strings_of_a_list(k):
    return WINDS[k % 3]


@program("i")
def characters(k):
    return "NESW"[k % 4]


@program("iI")
def uniform_indices(k, n):
    return RATES[n] + CODES[n - 1] + k, GRID[n - 1][k % 3], WINDS[n]


@program("i")
def none_among_them(k):
    gap = GAPS[k % 3]
    return -1.0 if gap is None else gap * 2


@program("i")
def unpacked_rows(k):
    count, size, label = ROWS[k % 3]
    return count + size, label


@program("i")
def one_column(k):
    return ROWS[k % 3][1], ROWS[k % 3][-1]


@program("ii")
def a_row_and_its_item(k, j):
    row = GRID[k % 2]
    return row[j % 3] + len(row), sum(row)


@program("ii")
def two_indices(k, j):
    return GRID[k % 2][j % 3]


@program("ii")
def three_indices(k, j):
    return CUBE[k % 2][j % 2][(k + j) % 2], CUBE[k % 2][1][j % 2]


@program("i")
def dicts_in_a_list(k):
    box = BOXES[k % 2]
    return box["w"] * box["h"], BOXES[k % 2]["h"]


@program("i")
def namedtuples_in_a_list(k):
    p = POINTS[k % 2]
    return p.x + p.y, POINTS[k % 2][0]


@program("s")
def dict_of_strings(s):
    return FEES[s]


@program("fs")
def where_it_is_taken(x, s):
    return 10.0 / FEES[s] if x > 0 else x


@program("i")
def dict_of_ints(k):
    return BY_NUMBER[k] if k in BY_NUMBER else 0.0


@program("f")
def dict_of_floats(x):
    return BY_FLOAT.get(x, "none")


@program("f")
def dict_of_bools(x):
    return BY_FLAG[x > 0]


@program("i")
def get_with_a_default(k):
    return BY_NUMBER.get(k, 0.25), NAMES.get(k, "many"), BY_NUMBER.get(k, 1)


@program("i")
def get_without_one(k):
    found = BY_NUMBER.get(k)
    return 0.0 if found is None else found


@program("fi")
def behind_a_test_for_none(x, k):
    found = BY_NUMBER.get(k)
    big = found is not None and found > 1
    if found is None or x > 1:
        found = x
    if big:
        return found * 2
    gap = GAPS[k % 3]
    if gap is not None:
        y = gap - 1
    else:
        y = 0.5
        gap = 3.0
    return found + y + gap


@program("i")
def get_or_none(k):
    return BY_NUMBER.get(k)


@program("fi")
def get_with_a_default_that_varies(x, k):
    return BY_NUMBER.get(k, x)


@program("sS")
def get_of_what_is_uniform(s, w):
    return FEES.get(w, 9.0), FEES[w], NOTHING.get(w), s in FEES


@program("is")
def pairs_as_keys(k, s):
    return PAIRS.get((k, s), 0), (k, s) in PAIRS


@program("s")
def structures_of_a_dict(s):
    if s == "a" or s == "bb":
        size, name = PARTS[s]
        return size + NESTED[s]["q"] + NESTED[s]["p"], name
    return 0.0, PARTS["a"][1]


@program("s")
def none_of_a_dict(s):
    if s in NOTHING:
        v = NOTHING[s]
        return -1.0 if v is None else v
    return 0.0


@program("fs")
def functions_of_a_dict(x, s):
    if s in CALLS and abs(x) < 1e9:
        return CALLS[s](x)
    return 0.0


@program("fi")
def functions_of_a_list(x, k):
    return [abs, math.floor][k % 2](min(max(x, -9.0), 9.0) if x == x else 0.0)


@program("fs")
def methods_as_functions(x, s):
    sizes = {"a": x, "bb": 1.0}
    best = max(sizes, key=sizes.get) if x == x else "none"
    return best, sum(map(FEES.__getitem__, [s, "a"])), max((0, 1), key=RATES.__getitem__)


@program("i")
def strings_or_none(k):
    word = WORDS[k % 3]
    name = NAMES.get(k)
    if name is None:
        name = "?"
    return "none" if word is None else word, name


def loops_over_slices(x, n):
    total = x
    for rate in RATES[:n]:
        total += rate * x
    for i, code in enumerate(CODES[n - 1 : -1]):
        total -= code * i
    return total + sum(e * x for e in EDGES[::n] if e > 0)


@program("i")
def caught_index(k):
    try:
        return RATES[k]
    except IndexError:
        return -1.0


@program("fi")
def caught_key(x, k):
    try:
        y = x + BY_NUMBER[k]
    except KeyError:
        y = 0.0
    return y


@program("ii")
def caught_in_rows(k, j):
    try:
        return GRID[k][j]
    except IndexError:
        return 0


@program("i")
def arrays(k):
    return VECTOR[k % 4], SINGLE[k % 3] * 0.1, VECTOR[-1]


@program("iiI")
def matrices(k, j, n):
    return MATRIX[k % 2, j % 3], MATRIX[k % 2][j % 3], MATRIX[n - 1, j % 3] // 2


@program("f")
def bisected(x):
    return bisect.bisect(EDGES, x), bisect.bisect_left(EDGES, x), bisect.bisect_right(STEPS, x)


@program("is")
def bisected_ints_and_strings(k, s):
    return bisect.bisect_left(EDGES, k), bisect.bisect(STEPS, k), bisect.bisect(SORTED_WORDS, s)


@program("f")
def band(x):
    k = bisect.bisect_right(EDGES, x)
    return 0.0 if k == 0 else EDGES[k - 1] + k


@program("is")
def positions(k, s):
    if k in CODES and s in WINDS:
        return CODES.index(k) + WINDS.index(s)
    return -1


@program("i")
def caught_position(k):
    try:
        return LONG.index(k)
    except ValueError:
        return -1


@program("fis")
def counts(x, k, s):
    return TENTHS.count(x), LONG.count(k), WINDS.count(s), (1, 1, 2).count(k)


@program("fis")
def members(x, k, s):
    return x in TENTHS, k in LONG, s in FEES, k in SOME, x in SOME, k in range(-10, 10, 3)


@program("f")
def whole_floats_in_a_range(x):
    return x in range(5), x in range(0, 9, 2), x in range(7, -4, -3)


@program("ii")
def pairs_in_a_set(k, j):
    return (k, j) in CORNERS


@program("fi")
def tables_of_the_function(x, k):
    days = [0, 31, 59]
    return days[k % 3] + {0: x, 1: -x}[k % 2], {0: 1, 1: 2.5}.get(k, x), ["a", "bb"][k % 2]


@program("fi")
def items_that_vary(x, k):
    return [x, 2 * x, 1][k % 3], ([x, 1], [k, 2])[k % 2], "odd" if (False, True)[k % 2] else "even"


@program("fi")
def in_a_loop(x, k):
    total = x
    for j in range(4):
        total += RATES[(k + j) % 3] if total < 3 else CODES[j]
    return total


@program("i")
def until_it_ends(k):
    at, steps = k % 4, 0
    while CODES[at] != 7:
        at = (at + CODES[at]) % 4
        steps += 1
        if steps > 5:
            break
    return steps
