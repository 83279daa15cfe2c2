"""Calls, loops and ways out inside ``try``."""

import math

from tests.programs.grid import program


def inverse(v):
    return 1 / v


@program("i")
def helper_called(k):
    try:
        return inverse(k)
    except ZeroDivisionError:
        return 0.0


@program("i")
def loop_left_by_an_exception(k):
    s = 0.0
    try:
        for i in range(3):
            s += 6 / (k - i)
    except ZeroDivisionError:
        s = s - 100
    return s


@program("i")
def return_through_finally(k):
    y = 1.0
    try:
        if k == 0:
            return 0.0
        y = 6 / k
    finally:
        y = y + 1
    return y


def helper(x, k):
    y = math.log(x)
    if k > 3:
        return y
    return y / k


@program("fi")
def helper_with_two_exceptions(x, k):
    try:
        return helper(x, k)
    except ZeroDivisionError:
        return -1.0
    except ValueError:
        return -2.0


@program("fi")
def call_else_finally(x, k):
    y = 5.0
    try:
        y = helper(x, k) + helper(x + 1, k - 1)
    except (ZeroDivisionError, ValueError):
        y = y + 1
    else:
        y = y * 2
    finally:
        y = y + 100
    return y


@program("fi")
def try_inside_a_loop(x, k):
    total = 0.0
    for i in range(4):
        try:
            v = x / (k - i)
            if v > 2:
                continue
            v = math.sqrt(v)
        except ZeroDivisionError:
            continue
        except ValueError:
            break
        total += v
    return total


@program("f")
def name_kept_where_the_statement_raised(x):
    y = 1.0
    try:
        y = math.exp(x * 10)
    except OverflowError:
        return y
    return y + 1


@program("fi")
def while_test_that_raises(x, k):
    try:
        n = 0
        while x / (k - n) > 0.1:
            n += 1
            if n > 6:
                break
        return n
    except ZeroDivisionError:
        return -1


@program("i")
def raises_caught_by_class(k):
    try:
        if k > 3:
            raise ValueError("too large")
        if k == 2:
            raise KeyError("two")
        return k
    except ValueError as e:
        return len(str(e))


@program("i")
def assert_and_raise_from(k):
    try:
        assert k != 2, "no two"
        return 10 // k
    except AssertionError:
        return -5
    except ZeroDivisionError as e:
        raise ValueError(f"bad {k}: {e}") from e


@program("i")
def finally_inside_a_loop_inside(k):
    out = 0
    for i in range(5):
        try:
            try:
                out += 10 // (k - i)
            finally:
                out += 1000
        except ZeroDivisionError:
            out += 7
            if k == 2:
                break
    return out


def factorial(n):
    if n < 0:
        raise ValueError("negative")
    return 1 if n == 0 else n * factorial(n - 1)


@program("i")
def recursion_called(k):
    try:
        return factorial(k % 15 - 2)
    except ValueError:
        return -1


def down(n):
    try:
        return 10 // n + down(n - 1)
    except ZeroDivisionError:
        return 0


@program("i")
def try_inside_a_recursion(k):
    return down(abs(k) % 50)


@program("fi")
def return_break_and_finally(x, k):
    for i in range(3):
        try:
            return x / (k - i)
        except ZeroDivisionError:
            pass
        finally:
            x = x + 1
    return x


@program("fi")
def exception_for_the_outer_try(x, k):
    try:
        try:
            return inverse(x) + inverse(k)
        except ValueError:
            return 0.0
    except ZeroDivisionError:
        return x


@program("f")
def lambda_called(x):
    f = lambda t: 1 / math.sqrt(t)  # noqa: E731
    try:
        y = f(x)
    except (ValueError, ZeroDivisionError):
        y = -1.0
    return y


@program("fi")
def helper_called_in_a_loop(x, k):
    try:
        s = 0.0
        for i in range(k % 6):
            s += helper(x, i - 2)
    except ZeroDivisionError:
        return s
    except ValueError:
        s = -1.0
    return s


@program("i")
def raise_of_one_of_two(k):
    try:
        raise ValueError("no") if k == 1 else KeyError("k")
    except ValueError:
        return 1


@program("i")
def raised_again(k):
    try:
        return 6 / k
    except ZeroDivisionError:
        if k == 0:
            raise
        return 1.0


@program("fi")
def endless_loop_left_by_an_exception(x, k):
    n = 0
    while True:
        try:
            x = math.sqrt(x) - 1
        except ValueError:
            break
        n += 1
        if n > 5:
            return -1
    return n


@program("i")
def nested_loops_left(k):
    try:
        for i in range(3):
            for j in range(3):
                s = 10 // (k - i * j)
    except ZeroDivisionError:
        return 0
    return s


@program("fi")
def inner_handler_that_raises(x, k):
    y = 0.0
    try:
        for i in range(3):
            try:
                y += math.log(x - i)
            except ValueError:
                y -= 1 / k
                continue
            y += 1
    except ZeroDivisionError:
        y = y - 1000
    return y


@program("fi")
def handler_that_continues_among_others(x, k):
    total = 0.0
    for i in range(4):
        try:
            v = x / (k - i)
            if v > 2:
                continue
            v = math.sqrt(v)
        except ZeroDivisionError:
            total += 1
            continue
        except ValueError:
            total -= 1
        finally:
            total += 0.5
        total += 10
    return total


@program("fi")
def else_of_a_loop(x, k):
    try:
        for i in range(3):
            if x / (k - i) > 1:
                break
        else:
            x = x + 100
    except ZeroDivisionError:
        return -1.0
    return x


@program("fi")
def exits_through_two_finallys(x, k):
    y = 0.0
    for i in range(3):
        try:
            try:
                if k == i:
                    break
                if k < 0:
                    return y
                y += x
            finally:
                y += 1
        finally:
            y *= 2
    return y


@program("i")
def finally_that_raises(k):
    y = 1
    try:
        try:
            y = 2
            if k > 3:
                return y
        finally:
            y = y + 10 // k
    except ZeroDivisionError:
        return -y
    return y


@program("fi")
def match_inside(x, k):
    try:
        match k:
            case 0:
                y = 1 / x
            case 1 | 2:
                y = math.log(x)
            case _:
                y = x
    except (ZeroDivisionError, ValueError):
        y = -1.0
    return y


@program("fi")
def last_value_of_a_loop(x, k):
    """A name that a trip may leave unassigned keeps its value from trips before."""
    last = -1
    for i in range(5):
        if i * x > 3:
            break
        if i != k:
            found = i
        last = i
    return found if last > 0 and k != 0 else last


@program("fi")
def unassigned_in_the_last_trip(x, k):
    for i in range(5):
        if i * x > 3 and i > 0:
            break
        s = i + k
    return s


@program("ff")
def helper_that_gives_two(x, y):
    def pair(a, b):
        r = math.hypot(a, b)
        return a / r, b / r

    try:
        u, v = pair(x, y)
    except ZeroDivisionError:
        u, v = 1.0, 0.0
    return u - v


@program("f")
def helper_without_a_result(x):
    def refuse(v):
        if v < 0:
            raise ValueError("negative")

    try:
        refuse(x)
        return math.sqrt(x)
    except ValueError:
        return 0.0


@program("fi")
def uniform_call(x, k):
    try:
        return x * inverse(0)
    except ZeroDivisionError:
        return x - 0.5


@program("fi")
def conditional_call(x, k):
    try:
        return inverse(x) if k > 1 else k
    except ZeroDivisionError:
        return -1.0


@program("i")
def text_of_the_exception(k):
    try:
        if k > 2:
            raise ValueError("too large")
        return k
    except ValueError as error:
        return len(str(error)) if type(error) is ValueError else 0
