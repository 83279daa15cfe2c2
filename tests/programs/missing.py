"""Arguments in which values are missing, and results that are None on some lanes."""

import math

from tests.programs.grid import program


@program("of")
def nobody(s, x):
    if s is None:
        return "nobody"
    return s.title()


@program("of")
def default(s, x):
    return s or "unknown"


@program("of")
def none_or_empty(s, x):
    return 0 if s is None or s == "" else len(s)


@program("of")
def kept(s, x):
    return s if x > 0 else None


@program("of")
def nested(s, x):
    if s is not None and s.startswith("b"):
        return s + "!"
    return None


@program("of")
def truth(s, x):
    if not s:
        return x
    return x * len(s)


@program("oo")
def compared(s, t):
    return s == t, s != "a", s in ("a", "bb", None), t is None


@program("of")
def whole(s, x):
    return s


@program("pf")
def number(k, x):
    return x if k is None else k + x


@program("pf")
def number_or(k, x):
    return k or -1


@program("pf")
def small(k, x):
    if k is None or k < 0:
        return 0
    return k % 3


@program("pf")
def back(k, x):
    return k


@program("qf")
def half(y, x):
    if y is None:
        return -1.0
    return y / 2


@program("rf")
def not_a_string(s, x):
    return "missing" if s != s else s.upper()


@program("rf")
def is_a_string(s, x):
    if isinstance(s, str):
        return s.strip()
    return "-"


@program("rf")
def none_is_not_nan(s, x):
    return s is None, s == "a"


def prefix(s):
    return "none" if s is None else s[:2]


@program("of")
def helper(s, x):
    return prefix(s) + "."


def sign(x):
    return "pos" if x > 0 else None


@program("of")
def helper_of_none(s, x):
    t = sign(x)
    if t is None:
        return "neg"
    return t + (s or "")


@program("of")
def named(s, x):
    label = None
    if x > 0:
        label = "pos"
    if label is not None and s:
        return label + s
    return "-"


@program("f")
def none_beside_text(x):
    if math.isnan(x):
        return None
    return "big" if x > 1 else "small"


@program("of")
def refused(s, x):
    if x > 2:
        return s.upper()
    return ""


@program("pf")
def refused_number(k, x):
    return k * 2 if x > 2 else 0


@program("pf")
def refused_order(k, x):
    return k > 1 if x > 2 else False
