"""What still runs as one visible loop; a program moves to its subject's file when it compiles."""


def no_rule(k):
    return hash(k) % 5


def prints(x):
    if x > 1e6:
        print(x)
    return x


def inverse(v):
    return 1 / v


def helper_inside_a_try(k):
    try:
        return inverse(k)
    except ZeroDivisionError:
        return 0.0


def loop_inside_a_try(k):
    s = 0.0
    try:
        for i in range(3):
            s += 6 / (k - i)
    except ZeroDivisionError:
        s = s - 100
    return s


def return_through_a_finally(k):
    y = 1.0
    try:
        if k == 0:
            return 0.0
        y = 6 / k
    finally:
        y = y + 1
    return y


def array_sample(v):
    return v.sum() + v[0]
