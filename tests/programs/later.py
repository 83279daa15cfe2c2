"""What still runs as one visible loop; a program moves to its subject's file when it compiles."""


def no_rule(k):
    return hash(k) % 5


def prints(x):
    if x > 1e6:
        print(x)
    return x


def array_sample(v):
    return v.sum() + v[0]
