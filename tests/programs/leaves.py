"""Expressions that only Python has: each is one visible line over the live lanes."""

import re

from tests.programs.grid import program

PATTERN = "[aeiou]"
TABLE = {"a": 1, "ab": 2, "banana": 3}


@program("tif")
def f_string(s, k, x):
    return f"{s}: {k:03d}/{x * 2:.2f}"


@program("ti")
def old_formatting(s, k):
    return "%s=%5d" % (s, k)


@program("ti")
def format_method(s, k):
    return "{0}-{1:>4}-{0}".format(s, k)


@program("i")
def digit_sum(k):
    return sum(int(c) for c in str(abs(k)))


@program("op")
def missing_shown(s, k):
    return f"{s}/{k}"


@program("or")
def missing_written(s, t):
    return str(s) + "%s" % t


@program("t")
def words(s):
    return " ".join(w.capitalize() for w in s.split())


@program("t")
def first_word(s):
    parts = s.split()
    if len(parts) > 1:
        return parts[0] + parts[1]
    return "one"


@program("t")
def letters(s):
    return len(set(s)) + sum(1 for c in s if c in "aeiou")


@program("t")
def patterns(s):
    if re.search(PATTERN, s):
        return re.sub("[aeiou]", "*", s)
    return "none"


@program("t")
def groups(s):
    m = re.match(r"(\w)(\w+)?(?P<rest>.*)", s)
    if m is None:
        return -1, "none"
    return m.end(), m.group(1) + m["rest"] + m.group()


@program("t")
def all_groups(s):
    m = re.search(r"(a)(.)", s)
    if m:
        one, two = m.groups()
        return two + one
    return s.translate(str.maketrans("ax", "xa"))


@program("t")
def longest_word(s):
    return max((len(w) for w in s.split()), default=0)


@program("t")
def sorted_letters(s):
    return "".join(sorted(s)) + "".join(reversed(s))


@program("tf")
def only_where_needed(s, x):
    if x > 0 and "," in s:
        return [p.strip() for p in s.split(", ")][-1]
    return f"{x:g}"


@program("t")
def looked_up(s):
    return sum(TABLE[c] for c in s if c in TABLE)


@program("tf")
def in_a_loop(s, x):
    total = 0.0
    for step in (1, 2, 3):
        if x > step:
            total = total + len(f"{s}{step}")
    return total
