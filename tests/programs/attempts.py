"""try around arithmetic."""

import math

from tests.programs.grid import program


@program("fi")
def division(x, k):
    try:
        return x / k
    except ZeroDivisionError:
        return 0.0


@program("i")
def whole_division(k):
    try:
        r = 100 // k
    except ZeroDivisionError:
        r = -1
    return r


@program("f")
def logarithm(x):
    try:
        return math.log(x)
    except ValueError:
        return -1.0


@program("f")
def overflow(x):
    try:
        r = math.exp(x * 1e4)
    except OverflowError:
        r = 2.0
    return r


@program("f")
def several_handlers(x):
    try:
        return math.exp(1 / x) + math.sqrt(x)
    except ZeroDivisionError:
        return 1.0
    except OverflowError:
        return 2.0
    except ValueError:
        return 3.0


@program("f")
def tuple_of_exceptions(x):
    try:
        return math.log(1 / x)
    except (ZeroDivisionError, ValueError):
        return -5.0


@program("f")
def base_class(x):
    try:
        return math.exp(1 / x)
    except ArithmeticError:
        return 4.0


@program("f")
def order_of_handlers(x):
    try:
        return 1 / x
    except ArithmeticError:
        return 1.0
    except ZeroDivisionError:
        return 2.0


@program("fi")
def assigned_before_the_failure(x, k):
    y = 0.0
    try:
        y = x + 1
        z = y / k
        y = z * 2
    except ZeroDivisionError:
        y = y + 100
        z = -1.0
    return y, z


@program("fi")
def with_else(x, k):
    try:
        r = x / k
    except ZeroDivisionError:
        return -1.0
    else:
        r = r + 1
        if r > 2:
            return r
    return r * 10


@program("fi")
def with_finally(x, k):
    n = 0
    try:
        r = x / k
    except ZeroDivisionError:
        r = 0.0
    finally:
        n = n + 1
    return r + n


@program("fi")
def all_clauses(x, k):
    s = x
    try:
        s = 1 / k
    except ZeroDivisionError:
        s = 7.0
    else:
        s = s + math.sqrt(abs(x))
    finally:
        s = s * 2
    return s


@program("fi")
def nested_tries(x, k):
    try:
        try:
            r = x / k
        except ValueError:
            r = 1.0
        r = math.log(r)
    except ZeroDivisionError:
        r = 2.0
    except ValueError:
        r = 3.0
    return r


@program("fi")
def handler_fails_outside(x, k):
    try:
        try:
            return x / k
        except ZeroDivisionError:
            return math.sqrt(x)
    except ValueError:
        return -7.0


@program("fi")
def try_in_a_branch(x, k):
    if x > 0:
        try:
            y = math.log(x) / k
        except ZeroDivisionError:
            y = 0.5
    else:
        y = x
    return y + 1


@program("fi")
def branch_in_a_try(x, k):
    try:
        if x > 0:
            y = x / k
        else:
            y = math.sqrt(x + 1)
    except (ZeroDivisionError, ValueError):
        y = -9.0
    return y


@program("fi")
def try_after_returns(x, k):
    if k > 2:
        return x
    try:
        return x % k
    except ZeroDivisionError:
        pass
    return 11.0


@program("fi")
def only_the_named_exception(x, k):
    try:
        return math.log(x) / k
    except ZeroDivisionError:
        return 5.0


@program("fi")
def short_circuit_inside(x, k):
    try:
        return k and x / k > 1 or 1 / x > 0
    except ZeroDivisionError:
        return False


@program("fi")
def unused_result(x, k):
    try:
        1 / k
    except ZeroDivisionError:
        return x
    return -x


@program("f")
def int_of_nan(x):
    try:
        return int(x) if x != 1e300 else 0
    except ValueError:
        return -1
    except OverflowError:
        return -2


@program("fi")
def helper_with_try(x, k):
    return careful(x, k) + careful(k, x)


def careful(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return 0.0


@program("fi")
def loop_with_try(x, k):
    s = 0.0
    for i in range(3):
        try:
            s += x / (k - i)
        except ZeroDivisionError:
            s -= 1
    return s


@program("fi")
def two_operations_fail(x, k):
    try:
        a = x // k
        b = k % x
    except ZeroDivisionError:
        return k
    return a + b


@program("fi")
def pass_in_handler(x, k):
    y = 2.0
    try:
        y = k / x
    except ZeroDivisionError:
        pass
    return y


@program("fi")
def exception_classes_that_never_come(x, k):
    try:
        return x + k
    except (KeyError, TypeError):
        return 0.0


@program("fi")
def bare_except(x, k):
    try:
        return math.log(x) // k
    except Exception:
        return -1.0
