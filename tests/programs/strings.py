"""Strings that differ between samples, by NumPy's own functions."""

from tests.programs.grid import program

WORDS = ("xyz", "12", "ß", "banana", "", "none of them")


@program("t")
def case(s):
    return s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase(), s.casefold()


@program("t")
def stripped(s):
    return s.strip(), s.lstrip(), s.rstrip(), s.strip("ab "), s.lstrip("aB"), s.rstrip(None)


@program("t")
def questions(s):
    return s.isalpha(), s.isdigit(), s.isspace(), s.isalnum(), s.isupper(), s.islower()


@program("t")
def more_questions(s):
    return s.istitle(), s.isdecimal(), s.isnumeric(), s.isascii(), s.isidentifier()


@program("tt")
def searched(s, t):
    return s.find(t), s.rfind(t), s.count(t), t in s, s.startswith(t), s.endswith(t)


@program("ti")
def from_somewhere(s, k):
    return s.find("a", k), s.count("a", k, 4), s.startswith("a", k), s.rfind("n", 0, k)


@program("t")
def one_of_several(s):
    return s.startswith(("a", "b", "T")), s.endswith(()), s.startswith(WORDS)


@program("tt")
def compared(s, t):
    return s == t, s != t, s < t, s <= t, s > "b", "b" >= t


@program("t")
def member(s):
    return s in ("xyz", "12"), s in WORDS, s not in {"a", "banana"}, s in "banana bread"


@program("tt")
def joined(s, t):
    return s + "-" + t, "<" + s + ">", s + t[:1]


@program("ti")
def repeated(s, k):
    return s * 3, s * k, 2 * s, s * 0


@program("t")
def replaced(s):
    return s.replace("a", "oo"), s.replace("an", ""), s.replace("", "."), s.replace("a", "b", 1)


@program("tt")
def replaced_by_another(s, t):
    return s.replace(t, "<>"), s.replace("a", t)


@program("ti")
def padded(s, k):
    return s.zfill(8), s.ljust(k), s.rjust(9, "*"), s.center(7), s.center(k, "ß"), s.zfill(k)


@program("t")
def cut(s):
    return s[1:], s[:2], s[-2:], s[:-1], s[1:3], s[::2], s[::-1], s[5:2]


@program("tI")
def cut_somewhere(s, k):
    return s[k:], s[:k], s[-k:], s[k : k + 2]


@program("t")
def characters(s):
    if len(s) < 3:
        return "short"
    return s[0] + s[2] + s[-1] + s[-3]


@program("t")
def parts(s):
    head, sep, tail = s.partition("a")
    return tail + sep + head, s.rpartition("an")[2]


@program("t")
def affixes(s):
    return s.removeprefix("ba"), s.removesuffix("a"), s.removeprefix("")


@program("t")
def lengths(s):
    return len(s), len(s) * 2 + 1, len(s) > 3, len(s.strip())


@program("ts")
def truth(s, t):
    if not s:
        return "empty"
    return s if t else s + "!"


@program("tt")
def operands(s, t):
    return s or "nothing", s and t, s or t or "neither"


@program("tf")
def branches_of_any_width(s, x):
    if x > 1:
        return s.upper()
    if x > 0:
        return "a rather long literal that no argument has"
    return s[:1] if s else ""


@program("tf")
def named_in_branches(s, x):
    label = "none"
    if x > 0:
        label = s + "/" + s
        if s.startswith("b"):
            label = label.title()
    return label, len(label)


@program("tf")
def carried_by_a_loop(s, x):
    out = ""
    for mark in ("a", "bb", "ccc"):
        if mark in s or x > 2:
            out = out + mark
    return out


@program("ti")
def grown_lane_by_lane(s, k):
    out = s
    while len(out) < k:
        out = out + s + "."
    return out


@program("t")
def split_at(s):
    return s.split(",")[0], s.split(",")[-1], len(s.split(",")), s.split("an")[0]


@program("t")
def split_twice(s):
    fields = s.split(",")
    if len(fields) > 2:
        return fields[1] + fields[2] + fields[-2]
    return fields[0]


@program("t")
def split_once(s):
    once, last = s.split(",", 1), s.rsplit(",", 1)
    if "," in s:
        return once[1] + once[-1] + last[0] + last[1] + once[-2] + last[-2]
    return once[0] + once[-1] + last[0] + last[-1] + s.rsplit(",")[-1]


@program("t")
def split_counted(s):
    return len(s.split(",", 1)), len(s.rsplit(",", 1)) + len(s.split(","))


@program("t")
def unpacked(s):
    if s.count(",") == 1:
        a, b = s.split(",")
        return b + a
    if "," in s:
        a, b = s.split(",", 1)
        return b + "/" + a
    head, sep, tail = s.partition("a")
    return tail + sep + head


@program("t")
def parsed(s):
    return int(s) if s.isdecimal() else -1


@program("t")
def parsed_in_a_try(s):
    try:
        return float(s)
    except ValueError:
        return -1.0


@program("t")
def parsed_whole_in_a_try(s):
    try:
        return int(s) + 1
    except ValueError:
        return 0


@program("i")
def written(k):
    return str(k), hex(k), len(str(k)), bin(k), oct(k), str(k).zfill(4)


@program("fb")
def written_bools(x, flag):
    return str(flag), str(x > 0), repr(flag)


@program("t")
def letters(s):
    n = 0
    for c in s:
        if c.isdigit():
            n += int(c)
        elif c == "a":
            n += 100
    return n


@program("t")
def first_letter(s):
    total = 0
    for k, c in enumerate(s):
        if c == "n" or c == ",":
            return k
        total += ord(c)
    return total


@program("ti")
def at(s, k):
    return s[k] if -len(s) <= k < len(s) else "?"


@program("t")
def in_base_16(s):
    try:
        return int(s, 16)
    except ValueError:
        return -1


@program("t")
def codes(s):
    if len(s) == 1:
        return ord(s)
    return -1


@program("i")
def from_codes(k):
    return chr(65 + k % 26) + chr(abs(k) + 1)


@program("t")
def based(s):
    return int("0x" + "1f", 16) if s == "a" else int("12" + "34"[:1], 8)


def shout(word, mark="!"):
    return word.upper() + mark


@program("tf")
def helpers(s, x):
    return shout(s) if x > 0 else shout(s, "?") + shout("end")


@program("t")
def matched(s):
    match s:
        case "a" | "ab":
            return 1
        case "banana":
            return 2
        case _:
            return 0


@program("tt")
def extremes(s, t):
    return max(s, t), min(s, t, "m"), sorted([s, t])[0]


@program("t")
def in_a_dict(s):
    return {"upper": s.upper(), "length": len(s), "text": s}


@program("t")
def raised(s):
    if s.count("a") > 100:
        raise ValueError(f"too many in {s!r}")
    return s.index("") + s.rindex("")
