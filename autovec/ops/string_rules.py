"""Methods of strings, on NumPy's fixed width text.

``np.strings`` answers as Python does but for what is noted here: it cuts what grows (an upper sharp
s has two characters), it cuts a longer pattern in ``replace`` and ``partition``, and several of its
functions want at least one lane.  Those have a helper instead.

    >>> from autovec.ops import method
    >>> method("U", "find", 2).text_for("UU"), method("U", "zfill", 2).text_for("Ui")
    ('np.strings.find(x, sub)', 'pad(np.strings.zfill, x, width)')
"""

from __future__ import annotations

from typing import Any

from autovec.ops.rule import Rule, fails, rule
from autovec.ops.table import add

TEXT = "U"
NUMBERED = "Uiub"

WORDS = (("Ab c",), ("",), ("xyz",), ("ÄSSß",), ("12",), (" \tpad ",), ("Title Case",))
PAIRS = (("banana", "an"), ("", ""), ("abc", ""), ("aaaa", "aa"), ("ab", "abc"), ("xax", "x"))
WIDTHS = (("ab", 5), ("-7", 4), ("", 3), ("+", 2), ("long", 2))

#: predicates, as np.strings answers
TESTS = "isalpha isdigit isspace isalnum islower isupper istitle isdecimal isnumeric"
#: predicates that np.strings has not
OTHER_TESTS = "isascii isidentifier isprintable"
#: methods whose results may be longer than np.strings makes them, or that it lacks
GROWING = "title capitalize swapcase casefold"


def of(name: str, signature: str, text: str, cost: float, **facts: Any) -> Rule:
    """A method of the receiver ``x``."""
    facts = {"total": True, "accepts": NUMBERED, "dtype": "same", "number": "python", **facts}
    return rule(f"str.{name}", signature, text, cost=cost, **facts)


def questions() -> list[Rule]:
    """Properties of one string, and how it begins and ends."""
    one = {"examples": WORDS, "dtype": "bool", "accepts": TEXT}
    leaf = "np.asarray(np.frompyfunc(str.{0}, 1, 1)(x), dtype=bool)"
    two = {"examples": PAIRS, "dtype": "bool"}
    return [
        *(of(name, "x", f"np.strings.{name}(x)", 10, **one) for name in TESTS.split()),
        *(of(name, "x", leaf.format(name), 100, **one) for name in OTHER_TESTS.split()),
        *(of(name, signature, f"np.strings.{name}({signature})", 15, **two)
          for name in ("startswith", "endswith")
          for signature in ("x, affix", "x, affix, start", "x, affix, start, end")),
    ]  # fmt: skip


def searches() -> list[Rule]:
    """Where a part stands, and how often."""
    made = []
    for signature in ("x, sub", "x, sub, start", "x, sub, start, end"):
        whole = {"examples": PAIRS, "dtype": "int"}
        made += [
            of(name, signature, f"np.strings.{name}({signature})", 15, **whole)
            for name in ("find", "rfind", "count")
        ]
        for find, method in (("find", str.index), ("rfind", str.rindex)):
            when = f"np.strings.{find}({signature}) < 0"
            missing = fails(when, method, "ab", "z", always=True)
            name, text = method.__name__, f"np.strings.{method.__name__}({signature})"
            made.append(of(name, signature, text, 15, total=False, raises=[missing], **whole))
    return made


def changes() -> list[Rule]:
    """Strings made of one string."""
    one = {"examples": WORDS, "accepts": TEXT}
    two = {"examples": PAIRS, "accepts": TEXT}
    bare, chars = ("x", one), ("x, chars", two)
    return [
        of("upper", "x", "upper(x)", 20, **one),
        of("lower", "x", "lower(x)", 20, **one),
        *(of(name, "x", f"texts(str.{name}, x)", 150, **one) for name in GROWING.split()),
        *(of(name, signature, f"np.strings.{name}({signature})", 15, **facts)
          for name in ("strip", "lstrip", "rstrip") for signature, facts in (bare, chars)),
        *(of(name, "x, affix", f"texts(str.{name}, x, affix)", 150, **two)
          for name in ("removeprefix", "removesuffix")),
        of("replace", "x, old, new", "replace(x, old, new)", 40, accepts=TEXT,
           examples=tuple((x, old, "XY") for x, old in PAIRS)),
        of("replace", "x, old, new, count", "replace(x, old, new, count)", 40,
           examples=tuple((x, old, "XY", 1) for x, old in PAIRS)),
        of("expandtabs", "x", "texts(str.expandtabs, x)", 150, **one),
    ]  # fmt: skip


def padding() -> list[Rule]:
    """Strings of at least some width."""
    bad = fails("np.strings.str_len(fill) != 1", str.ljust, "a", 3, "ab", always=True)
    made = [of("zfill", "x, width", "pad(np.strings.zfill, x, width)", 40, examples=WIDTHS)]
    for name in ("ljust", "rjust", "center"):
        made += [
            of(name, "x, width", f"pad(np.strings.{name}, x, width)", 40, examples=WIDTHS),
            of(name, "x, width, fill", f"pad(np.strings.{name}, x, width, fill)", 40, total=False,
               raises=[bad], examples=tuple((x, n, "*") for x, n in WIDTHS)),
        ]  # fmt: skip
    return made


def parts() -> list[Rule]:
    """The three parts around a separator."""
    split = tuple((x, sep or "n") for x, sep in PAIRS)
    empty = fails("sep == ''", str.partition, "ab", "", always=True)
    return [
        of(name, "x, sep", f"{name}(x, sep)", 60, outputs=3, total=False, raises=[empty],
           accepts=TEXT, examples=split)
        for name in ("partition", "rpartition")
    ]  # fmt: skip


#: int and float of a text, which are not those of a number
PARSE = {
    "int": rule(
        "builtins.int", "x", "parse_int(x)", cost=200, dtype="int", accepts=TEXT,
        raises=[fails("~is_int(x)", int, "a", always=True, in_text=True)],
        examples=(("12",), (" -7 ",), ("1_000",), ("+0",)),
    ),
    "base": rule(
        "builtins.int", "x, base", "np.asarray(np.frompyfunc(int, 2, 1)(x, base), dtype=int)",
        cost=200, dtype="int", accepts=NUMBERED,
        raises=[fails("~is_int(x, base)", int, "z", 8, always=True, in_text=True)],
        examples=(("12", 8), ("ff", 16), ("0x1f", 16), ("0b11", 0)),
    ),
    "float": rule(
        "builtins.float", "x", "parse_float(x)", cost=200, accepts=TEXT,
        raises=[fails("~is_float(x)", float, "a", always=True, in_text=True)],
        examples=(("12",), (" -7.5e3",), ("nan",), ("-inf",), ("1_0.0",)),
    ),
}  # fmt: skip


def enter() -> None:
    """Enter the family into the table."""
    add(*questions(), *searches(), *changes(), *padding(), *parts())
