"""The expressions of generated programs, one line each: weight, feature (or .), template.

Holes in a template:

    {f} {i} {b} {s} {g}    an expression of that type, one level smaller ({n}: float or int)
    {f1} {i1} {b1}         the same, small
    {F} {I} {N}            a leaf: mostly a name ({N}: also one that is int in some lanes)
    {X} {K} {B} {G} {H}    a name of type f, i, b, g, h or j; a literal where there is none
    {lit} {int} {set}      a float literal, an int literal, a constant set, ...
    {/f} {/i}              a nonzero constant
    {<} {==}               an ordering, any comparison
    {sum:f}                a comprehension over a table; {call:f} a call of a helper
    {a|b|c}                one of these texts
    {v=X} ... {v}          the same choice again

Every template is well defined for every sample: it has a value, or departs to inf or nan, or
(feature raise) raises an exception of the loop's own.  Two things are left out because the law
leaves them open: an int in some lanes and a float in others as a divisor of `//`, and int8 beside
Python ints that differ between lanes.
"""

from __future__ import annotations

TOTAL = "sin|cos|atan|tanh|fabs|asinh|erf|radians|degrees|cbrt"
PARTIAL = "log|sqrt|exp|asin|acos|log1p|expm1|log10|log2|sinh|cosh|atanh|acosh|exp2|tan"
NP_TOTAL = (
    "sin|cos|arctan|tanh|abs|sign|floor|ceil|rint|square|absolute|positive|negative|nan_to_num"
    "|deg2rad|trunc|arcsinh"
)
GUARDS = {
    "log": "{v} > 0",
    "sqrt": "{v} >= 0",
    "exp": "{v} < 700",
    "asin": "-1 <= {v} <= 1",
    "acos": "abs({v}) <= 1",
    "log1p": "{v} > -1",
    "expm1": "{v} < 700.0",
    "log10": "{v} > 0",
    "log2": "0 < {v}",
    "sinh": "abs({v}) < 700",
    "cosh": "abs({v}) < 700",
    "atanh": "-1 < {v} < 1",
    "acosh": "{v} >= 1",
    "exp2": "{v} < 1000",
}
_GUARDED = "\n".join(
    f"0.1 math (math.{fn}({{v=X}}) if {guard} else {{other}})\n"
    f"0.04 math ({{other}} if not ({guard.replace('{v}', '{v=X}', 1)}) else math.{fn}({{v}}))"
    for fn, guard in GUARDS.items()
)

FLOAT = f"""
3   .             {{N}}
5   .             ({{f}} {{+|-|*}} {{n}})
2   .             ({{n}} {{+|-|*}} {{f}})
1.5 .             ({{f}} / {{/f}})
0.7 .             ({{i1}} / {{/i}})
0.8 .             -{{X}}
0.8 .             abs({{f}})
0.5 .             ({{b}}) * {{f}}
0.7 .             ({{f}} {{//|%}} {{/f}})
2   ternary       ({{f}} if {{b}} else {{f}})
1   ternary       ({{1|2|-3}} if {{b}} else {{f}})
0.8 boolop        ({{f}} {{or|and}} {{f}})
1.2 math          math.{{{TOTAL}}}({{f}})
0.4 math          math.{{hypot|atan2|copysign}}({{f}}, {{f}})
0.1 math          math.exp(-abs({{f}}))
0.1 math          math.sqrt(abs({{f}}))
0.1 math          math.log(abs({{f}}) + 1)
0.1 math          math.exp(min({{f}}, 5.0))
0.1 math          math.log(1 + abs({{f}}), 2)
{_GUARDED}
0.5 math          ({{f1}} / {{v=X}} if {{v}} != 0 else {{lit}})
0.2 math          math.hypot({{f}}, {{f}}, {{f}})
0.2 sequences     math.fsum(({{f}}, {{f}}, {{f}}))
0.1 sequences     math.prod(({{f}}, {{lit}}))
0.1 sequences     math.dist(({{f}}, {{f}}), ({{lit}}, {{f}}))
0.1 math          math.modf({{X}})[{{0|1}}]
0.1 math          math.frexp({{X}})[0]
0.1 math          math.ldexp({{X}}, {{1|2|-3}})
0.6 partial       math.{{{PARTIAL}}}({{f}})
0.2 partial       math.{{fmod|pow|remainder}}({{f}}, {{f}})
1   partial       ({{n}} / {{X}})
0.5 partial       ({{n}} / {{K}})
0.7 partial       ({{f}} {{//|%}} {{X}})
0.2 partial       np.{{sqrt|log|exp|log1p|expm1|arcsin|log2}}({{f}})
0.9 numpy         np.{{{NP_TOTAL}}}({{f}})
0.4 numpy         np.{{maximum|minimum|hypot|arctan2|fmax|fmin|add|multiply|copysign}}({{f}}, {{f}})
0.3 numpy         (np.where({{b}}, {{f}}, {{f}}) + 0.0)
0.3 numpy         np.clip({{f}}, {{-1.0|0.0}}, {{1.0|2.5}})
0.2 numpy         np.interp({{f}}, (0.0, 1.0, 2.5), (1.0, 3.0, -1.0))
0.2 numpy         (np.select([{{b1}}, {{b1}}], [{{f}}, {{f}}], {{f}}) * 1.0)
0.1 numpy         np.heaviside({{f}}, 0.5)
1   power         {{X}} ** {{2|3|0.5|-1|-2|1.5|4|0}}
0.4 power         {{2.0|0.5|10}} ** {{f}}
0.2 power         {{X}} ** {{X}}
0.2 power         {{X}} ** {{K}}
0.6 minmax        {{max|min}}({{f}}, {{f}})
0.5 minmax        {{max|min}}({{f}}, {{lit}})
0.3 minmax        {{max|min}}({{lit}}, {{f}}, {{f}})
0.5 minmax        max({{lit}}, min({{f}}, {{lit}}))
0.2 minmax        {{max|min|sum}}(({{f}}, {{f}}, {{f}}))
0.2 power         pow({{X}}, {{2|3|0.5}})
0.2 minmax        sorted([{{f}}, {{f}}, {{f}}])[{{0|1|2}}]
0.7 rounding      round({{f}}, {{0|1|2|3}})
0.5 rounding      float({{n}})
0.4 divmod        divmod({{f}}, {{/f}})[{{0|1}}]
0.8 comprehension {{sum:f}}
0.3 iterators     sum(p * q for p, q in zip(({{f1}}, {{f1}}), ({{f1}}, 2)))
0.2 iterators     sum(n * v for n, v in enumerate([{{f1}}, {{f1}}], start=1))
0.2 iterators     {{max|min|sum}}({{map(abs, |tuple(|list(|reversed(}}({{f1}}, {{f1}})))
0.2 iterators     (lambda q: q * {{lit}} + {{X}})({{f1}})
0.2 iterators     ({{min|max}} if {{b1}} else {{min|max}})({{f1}}, {{f1}})
0.2 iterators     {{min|max}}(({{f1}}, {{f1}}), key=lambda v: {{-v|abs(v)|v * v - v}})
1.5 helper        {{call:f}}
1.5 recursion     {{call:f}}
1   local_def     {{call:f}}
1   small         ({{f}} * {{G}})
0.5 small         ({{H}} {{+|*|/}} {{/f}})
0.3 small         float({{G}})
"""

INT = """
4   .             {I}
4   .             ({i} {+|-} {i})
1.5 .             ({i} * {int})
2   .             ({i} {//|%} {/i})
0.5 .             -{K}
0.7 .             abs({i})
0.4 .             (({b}) + {i})
0.6 .             ({K} {//|%} {v=K} if {v} else {K})
0.3 .             ({i} {//|%} (abs({i}) + 1))
0.3 raise         ({i} {//|%} {K})
1.5 ternary       ({i} if {b} else {i})
0.8 boolop        ({i} {or|and} {i})
1   bits          ({i} {bit} {i})
0.3 bits          ~{K}
0.4 bits          ({i} >> {1|2|3})
0.3 bits          (({i} % 50) << {1|2|3})
0.2 bits          (1 << ({K} % 6))
0.5 power         ({K} % 7) ** {2|3}
0.2 power         2 ** ({K} % 5)
1   minmax        {max|min}({i}, {i})
0.2 minmax        sorted([{i}, {i}, {i}])[{0|1|2}]
0.2 minmax        {max|min}({i}, {i}, key=abs)
1   rounding      ({int|round|math.floor|math.ceil}({v=X}) if abs({v}) < 1e6 else {int})
0.4 rounding      int(max(-50.0, min(50.0, {X})))
0.2 raise         {int|round|math.floor|math.trunc}({X})
0.5 divmod        divmod({i}, {/i})[{0|1}]
0.6 comprehension {sum:i}
0.3 math          math.gcd({i}, {i})
0.2 math          math.isqrt(abs({i}))
1   helper        {call:i}
1   recursion     {call:i}
0.7 local_def     {call:i}
0.4 lookup        {codes}[{i} % 3]
1   small         ({strong} + {H})
0.4 small         int({H})
1   texts         len({s})
0.7 texts         {S}.{find|count|rfind}({"a"|"b"|""|"bc"})
0.3 texts         {S}.find({s}, {1|-2})
0.3 texts         (int({v=S}) if {v}.isdecimal() else {int})
0.2 raise         int({S})
0.2 raise         {S}.index("a")
0.3 texts         len({S}.split(","))
0.3 texts         sum(ord(c) for c in {s})
0.2 texts         (ord({v=S}) if len({v}) == 1 else {int})
0.2 texts         len(set({S}))
0.5 optional      (len({v=O}) if {v} else {int})
0.3 optional      ({int} if {v=O} is None else len({v}))
0.4 dates         {D}.{year|month|day}
0.3 dates         {D}.{weekday|isoweekday|toordinal}()
0.3 dates         ({D} - {D}).days
"""

BOOL = """
3   .             {X} {<} {f1}
2   .             {f1} {<} {X}
1   .             {X} {<} {lit}
1   .             {K} {==} {int}
1   .             {i1} {==} {K}
1   .             {f1} {==} {i1}
0.7 .             {X} {==|!=} {lit}
1.2 .             {B}
1   small         {G} {==} {int}
0.7 small         {H} {==} {int}
0.5 small         {g1} {<} {f1}
0.5 texts         {S}.{startswith|endswith}({"a"|"b"|("b", "x")|""})
0.5 texts         {S} {==} {s}
0.3 texts         {S}.{isalpha|isdigit|isupper|islower|isspace|isalnum|istitle}()
0.4 texts         {"a"|"b"|","|""} {in|not in} {S}
0.3 texts         bool({S})
0.5 optional      {O} is {None|not None}
0.4 optional      {O} {==|!=} {s}
0.3 optional      ({v=O} is not None and {v}.startswith("a"))
0.3 optional      (not {O})
0.3 dates         {D} {==} {D}
0.5 strings       {S} {==|!=} "a"
0.5 strings       {S} {in|not in} {("a", "ccc")|["bb", ""]}
0.8 deep          not ({b})
0.3 deep          bool({i})
2   boolop        ({b1} {and|or} {b1})
0.5 boolop        ({b1} and {b1} or {b1})
0.8 chain         {f1} {<|<=} {f1} {<|<=|!=} {n1}
0.8 chain         {lit} {<|<=} {f1} {<|<=} {lit}
0.3 chain         {f1} > {f1} < {f1}
0.2 chain         {i1} == {i1} == {i1}
0.8 tuples        ({i1}, {f1}) {==} ({int}, {lit})
0.4 tuples        ({i1}, {i1}, {i1}) {<|>=} ({i1}, {int}, {int})
1   membership    {i1} {in|not in} {(1, 2, 3)|[0, 5]|range(0, 9, 2)|range(5)}
0.3 membership    {i1} {in|not in} {set}
0.5 membership    {f1} {in|not in} {(0.0, 1.0)|[-1.5, 2, 0.5]|(0, 1)}
0.8 math          math.{isnan|isfinite|isinf}({f1})
0.2 math          math.isclose({f1}, {f1}, rel_tol={0.1|1e-9})
0.3 .             {X} is {None|not None}
0.3 boolop        {any|all}(({b1}, {b1}, {b1}))
0.2 numpy         np.isclose({f1}, {f1})
0.4 numpy         np.{isnan|isfinite|signbit}({f1})
0.7 comprehension {sum:b}
0.3 iterators     {any|all}([v {<} {f1} for v in ({f1}, {f1})])
0.3 iterators     {any|all}(v {<} {f1} for v in ({f1}, {f1}))
0.2 iterators     [{i1}, {f1}] {==|!=} {[2, 0.5]|(2, 0.5)|[0, 0.0]}
0.2 kinds         isinstance({n1}, {int|float|(int, float)})
0.1 kinds         isinstance({i1} if {b1} else {f1}, {int|float})
0.2 kinds         {B} is {True|not False}
0.6 helper        {call:b}
0.5 local_def     {call:b}
"""

STRING = """
3   .             {"low"|"mid"|"high"|""|"x"}
2   .             {S}
2   deep          ({"low"|"mid"|""} if {b1} else {s})
1   texts         {s}.{upper|lower|title|swapcase|capitalize|strip}()
0.4 texts         {S}.{strip|lstrip|rstrip}({"a"|" b"|"xyz"})
1.2 texts         ({s} + {s})
0.4 texts         ({S} * {0|1|2|3})
0.3 texts         ({S} * ({i1} % 3))
0.7 texts         {S}.replace({"a"|"b"|""|"cc"|"ab"}, {"a"|"xy"|""})
1   texts         {S}[{1:|:2|-1:|:-1|::-1|1:3|::2|-2:-1}]
0.3 texts         {S}[({i1} % 3):]
0.5 texts         {S}.{zfill|rjust|center|ljust}({3|5|0})
0.2 texts         {S}.{rjust|center|ljust}(4, {"*"|"x"})
0.4 texts         {S}.{partition|rpartition}({"b"|","|"ab"})[{0|1|2}]
0.6 texts         {S}.split({"b"|","|"ab"})[{0|-1}]
0.2 texts         ({v=S}.split(",")[1] if "," in {v} else {s})
0.2 raise         {S}.split(",")[1]
0.2 raise         {S}[{0|-1|2}]
0.3 texts         {S}.{removeprefix|removesuffix}({"a"|"b"|""})
0.5 texts         ({s} {or|and} {s})
0.5 texts         {str|hex|bin}({i})
0.3 texts         {max|min}({s}, {s})
0.3 texts         ("%s/%d" % ({s}, {i}))
0.3 texts         "".join(sorted({s}))
0.2 texts         format({i}, {"05d"|"x"|""})
0.2 texts         " ".join({S}.split())
1   optional      ({O} or {s})
0.5 optional      ({v=O} if {v} is not None else {s})
0.3 optional      ({s} if {v=O} is None or {v} == "a" else {v}.upper())
0.3 raise         {O}.upper()
"""

SINGLE = f"""
3   .             {{G}}
4   .             ({{g}} {{+|-|*}} {{g}})
2   .             ({{g}} {{+|-|*}} {{lit}})
2   .             ({{int}} {{+|-|*}} {{g}})
1   .             ({{g}} / {{/f}})
0.5 .             abs({{g}})
0.5 .             -{{G}}
0.5 .             ({{b1}}) * {{g}}
1.5 ternary       ({{g}} if {{b1}} else {{g}})
0.5 ternary       ({{lit}} if {{b1}} else {{g}})
0.5 ternary       ({{g}} if {{b1}} else {{int}})
0.7 minmax        {{max|min}}({{g}}, {{lit}})
1   math          math.{{{TOTAL}}}({{g}})
"""

NARROW = """
3   .             {H}
1   .             ({H} + {1|2|3})
1   .             ({H} - 1)
0.5 .             -{H}
0.5 .             abs({H})
0.5 .             ({H} // 2)
0.5 .             ({H} % 5)
0.5 .             ({H} & 7)
0.5 .             ({H} if {b1} else {H})
"""
