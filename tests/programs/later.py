"""What still runs as one visible loop; a program moves to its subject's file when it compiles."""


import numpy as np

TABLE = {1: 0.5, 2: 1.5}
ROWS = np.array([1.0, 2.0, 4.0])


def key_that_varies(k):
    return TABLE[k] if k in (1, 2) else 0.0


def get_of_a_varying_key(k):
    return TABLE.get(k, -1.0)


def index_that_varies(k):
    return ROWS[k]


def no_rule(k):
    return len(str(k)) + int(format(k, "d"))


def prints(x):
    if x > 1e6:
        print(x)
    return x


def array_sample(v):
    return v.sum() + v[0]
