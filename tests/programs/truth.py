"""and, or, not, comparisons, in, is."""

import math

from tests.programs.grid import program

ALLOWED = {1, 3, 7}
ORDER = (2, 0, -1)
NAMES = ["a", "ccc"]


@program("ff")
def both(x, y):
    return 1 if x > 0 and y > 0 else 0


@program("ff")
def either(x, y):
    return x > 0 or y > 0


@program("fi")
def operand_of_or(x, k):
    return x or k


@program("fi")
def operand_of_and(x, k):
    return x and k + 1


@program("ffi")
def mixed_operands(x, y, k):
    return (x and y) or k


@program("fb")
def bool_and_float(x, on):
    return on and x


@program("fb")
def float_or_bool(x, on):
    return x or on


@program("f")
def or_literal(x):
    return x or 1


@program("f")
def and_literal(x):
    return x and 2.5


@program("fi")
def short_circuit_division(x, k):
    if k != 0 and x / k > 1:
        return 1
    return 0


@program("f")
def short_circuit_log(x):
    return x > 0 and math.log(x) > 0.5


@program("fi")
def short_circuit_or(x, k):
    return k == 0 or x // k > 2


@program("fi")
def short_circuit_chain(x, k):
    return k > 0 and x > 0 and math.log(x) / k < 1 and k % k == 0


@program("fi")
def short_circuit_value(x, k):
    return k and x / k


@program("fi")
def short_circuit_in_branch(x, k):
    if x > 0:
        if k and math.log(x) / k > 0.1 or x > 5:
            return math.sqrt(x)
    return k or -1.0


@program("f")
def negation(x):
    return not x


@program("fi")
def negated_operands(x, k):
    return not x > 1 and not (k > 2 or not k)


@program("ff")
def not_of_comparison(x, y):
    if not x < y:
        return x
    return y


@program("ff")
def not_of_or(x, y):
    return 1.0 if not (x or y) else 2.0


@program("ffi")
def chained(x, y, k):
    return x < y <= k


@program("fff")
def chained_four(x, y, z):
    return 0 <= x < y != z


@program("fi")
def chained_partial(x, k):
    return 0 < k < 10 / k if k else False


@program("fi")
def chained_short_circuit(x, k):
    return k != 0 != x / (k or 1) < 5


@program("f")
def chained_uniform(x):
    return 0 < 1 < x


@program("ffi")
def tuples_less(x, y, k):
    return (x, k) < (y, 2)


@program("ffi")
def tuples_of_three(x, y, k):
    if (x, y, k) >= (y, x, 3):
        return 1
    return 2


@program("fi")
def tuples_of_other_lengths(x, k):
    return (x, k) > (x,), (k,) == (k, k), (1, 2) != (1, 2, 3)


@program("ffi")
def tuples_equal(x, y, k):
    return (x, k) == (y, k), (x, 1) != (y, 1)


@program("fi")
def nested_tuples(x, k):
    return ((x, 1), k) <= ((1.0, k), 3)


@program("i")
def in_tuple(k):
    return k in (1, 3, 7)


@program("f")
def in_list(x):
    return 1 if x in [0, 1.0, -3] else 2


@program("i")
def in_set(k):
    return k in {1, 3}, k not in {1, 3}


@program("i")
def in_constant(k):
    if k in ALLOWED:
        return 10 * k
    if k not in ORDER:
        return -1
    return k


@program("i")
def in_range(k):
    return k in range(-1, 8, 2), k not in range(3)


@program("f")
def float_in_range(x):
    return x in range(3)


@program("s")
def in_strings(s):
    return s in ("a", "bb"), s not in NAMES


@program("fi")
def in_varying_elements(x, k):
    return x in (k, 1.0, k + 1)


@program("i")
def in_empty(k):
    return k in (), k not in []


@program("fI")
def uniform_in(x, k):
    return x if k in ALLOWED else -x


@program("f")
def is_none(x):
    y = None
    if x > 1:
        return y is None, x is None
    return x is not None, y is not None


def maybe(x):
    if x > 1:
        return None
    return x


@program("f")
def none_from_nowhere(x, limit=None):
    if limit is None:
        return x
    return x - limit


@program("ff")
def bool_arithmetic(x, y):
    return (x > y) + (x < y) * 2 - (x == y)


@program("ff")
def comparisons(x, y):
    return x < y, x <= y, x == y, x != y, x > y, x >= y


@program("ib")
def int_and_bool(k, on):
    return k == on, k < on, on > k, on is True


@program("bb")
def bools(p, q):
    return p and q, p or q, not p, p == q, p != q, p < q, p & q, p | q, p ^ q


@program("b")
def bool_of_bool(p):
    return (1 if p else 2), +p, -p, p + p, p * 3, p / 2
