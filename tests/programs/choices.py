"""match on values."""

import math

from tests.programs.grid import program

LIMIT = 7


class Level:
    LOW = 1
    HIGH = 3


@program("i")
def literals(k):
    match k:
        case 0:
            return 0.0
        case 1:
            return 1.5
        case -7:
            return 7.0
    return -1.0


@program("i")
def or_patterns(k):
    match k:
        case 0 | 1:
            r = 10
        case 2 | 3 | -1:
            r = 20
        case _:
            r = 30
    return r + k


@program("fi")
def guards(x, k):
    match k:
        case 0:
            return x
        case n if n > 2 and x > 0:
            return math.log(x) * n
        case n if n < 0:
            return n
        case _ if x > 1:
            return 2.0
        case other:
            return other + x


@program("f")
def float_against_int_patterns(x):
    match x:
        case 0:
            return 1
        case 1.0 | 2.5:
            return 2
        case _:
            return 3


@program("b")
def bool_patterns(p):
    match p:
        case True:
            return 1
        case False:
            return 0
        case _:
            return 2


@program("s")
def string_patterns(s):
    match s:
        case "a" | "bb":
            return 1.0
        case "":
            return 0.0
        case _:
            return -1.0


@program("fi")
def sequences(x, k):
    match (x, k):
        case (0, 0):
            return 0.0
        case (a, 0):
            return a
        case (0, b):
            return b
        case (a, b) if a > b:
            return a / b
        case [a, b]:
            return a - b


@program("fi")
def star_in_sequence(x, k):
    match (x, k, x + k):
        case (first, *rest):
            return first + rest[0] * 2 + rest[1]


@program("fi")
def nested_sequences(x, k):
    match ((x, k), 1):
        case ((a, 1 | 2), c):
            return a + c
        case ((a, b), _):
            return a * b


@program("fi")
def as_patterns(x, k):
    match k:
        case (1 | 2 | 3) as small:
            return small * x
        case big:
            return big - x


@program("i")
def dotted_constants(k):
    match k:
        case Level.LOW:
            return 1.0
        case Level.HIGH:
            return 2.0
        case math.inf:
            return 3.0
    return 0.0


@program("i")
def capture_stays_bound(k):
    match k:
        case n if n > 2:
            r = 1
        case 0:
            r = 2
        case _:
            r = 3
    return r + n


@program("fi")
def falls_through(x, k):
    r = x
    match k:
        case 1:
            r = 1 / x if x else 2.0
        case 2:
            if x > 0:
                return math.log(x)
            r = 5.0
        case 3:
            pass
    return r + k


@program("fi")
def nested_match(x, k):
    match k:
        case 1 | 2:
            match k:
                case 1:
                    y = x
                case _:
                    y = -x
        case _:
            y = 0.0
    return y


@program("fi")
def subject_once(x, k):
    match x + k:
        case 0:
            x = 100.0
        case y if y > 0:
            x = y
        case y:
            x = -y
    return x


@program("fI")
def uniform_subject(x, k):
    match k:
        case 1:
            return x
        case 2 if x > 0:
            return math.sqrt(x)
        case 2:
            return -x
    return 0.0


@program("fi")
def subject_changes_in_a_branch(x, k):
    match k:
        case 0:
            k = 3
        case 3:
            k = 0
        case _ if x > 0:
            k = k + 1
    return k


@program("fi")
def after_early_returns(x, k):
    if x > 1:
        return x
    match k:
        case 0 | 1:
            x = x + 1
        case _ if k < 0:
            return -1.0
        case _:
            x = x / k
    return x * 2


@program("f")
def none_pattern(x):
    y = None
    match y:
        case None:
            return x
        case _:
            return -x
