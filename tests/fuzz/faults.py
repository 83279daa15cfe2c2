"""The mutants: what a compiler like this gets wrong, one replacement each (see mutants.py)."""

from __future__ import annotations

from dataclasses import dataclass

LOWER, PROGRAM = "autovec/lower", "autovec/program"


@dataclass(frozen=True)
class Mutant:
    """One fault: in `path`, `old` becomes `new`."""

    name: str
    path: str
    old: str
    new: str
    command: str = "tests.fuzz"
    only: str = ""  # the features that the programs are made of


MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "else takes the lanes of then",
        f"{LOWER}/framing.py",
        "test = inverse(mask) if negate else mask",
        "test = mask",
    ),
    Mutant(
        "mask not intersected",
        f"{LOWER}/framing.py",
        'index = quote.expr("k[j]", k=made.parent.index(min(made.index_reads, 2)), j=chosen)',
        "index = chosen",
    ),
    Mutant(
        "pack is off by one",
        f"{LOWER}/framing.py",
        'return [quote.stmt("k = np.flatnonzero(t)", k=made.index_name, t=made.mask)]',
        'return [quote.stmt("k = np.flatnonzero(t)[1:]", k=made.index_name, t=made.mask)]',
    ),
    Mutant(
        "else is dropped",
        f"{LOWER}/packing.py",
        "sides = []\n    for block, negate in ((node.then, False), (node.orelse, True)):",
        "sides = []\n    for block, negate in ((node.then, False),):",
    ),
    Mutant(
        "uniform code runs without lanes",
        f"{LOWER}/framing.py",
        "    if guard:\n        body = quote",
        "    if guard and not w:\n        body = quote",
    ),
    Mutant(
        "wrong merge",
        f"{LOWER}/selections.py",
        'made = quote.expr("np.where(t, a, b)", t=test',
        'made = quote.expr("np.where(t, b, a)", t=test',
    ),
    Mutant(
        "elif inverted",
        f"{LOWER}/selections.py",
        "return Pick(tree.test, _behind(tree.then, rest), _behind(tree.orelse, rest))",
        "return Pick(tree.test, _behind(tree.orelse, rest), _behind(tree.then, rest))",
    ),
    Mutant(
        "returned lanes stay live",
        f"{LOWER}/outs.py",
        'w.emit(quote.stmt("live[k] = False"',
        'w.emit(quote.stmt("live[k] = True"',
    ),
    Mutant(
        "a result is the argument itself",
        f"{LOWER}/analysis.py",
        "return not isinstance(value.op, (Param, Path, Carry, CallTwin))",
        "return not isinstance(value.op, (Path, Carry, CallTwin))",
    ),
    Mutant(
        "carried names change one by one",
        f"{LOWER}/carrying.py",
        'w.emit(quote.stmt("(*names,) = (*values,)", names=targets, values=exprs))',
        'w.emit(*(quote.stmt("n = v", n=n, v=v) for n, v in zip(targets, exprs)))',
    ),
    Mutant(
        "a raise looks at the other lanes",
        f"{LOWER}/errors.py",
        "    if negate:\n        where",
        "    if not negate:\n        where",
    ),
    Mutant(
        "max takes NaN",
        f"{PROGRAM}/ordering.py",
        '"np.where(y > x, y, x)"',
        '"np.maximum(x, y)"',
    ),
    Mutant(
        "or gives what and gives",
        f"{PROGRAM}/truth.py",
        "lambda: rest(k + 1)) if stop else",
        "lambda: rest(k + 1)) if not stop else",
    ),
    Mutant(
        "both operands are evaluated",
        f"{PROGRAM}/truth.py",
        "return isinstance(node, Let) and _spared(node.value.op)",
        "return isinstance(node, Let)",
    ),
    Mutant(
        "negative numbers are false",
        f"{PROGRAM}/truth.py",
        'IS_TRUE = Operation("truth", ("x",), "x != 0"',
        'IS_TRUE = Operation("truth", ("x",), "x > 0"',
    ),
    Mutant(
        "literals are strong",
        f"{PROGRAM}/facts.py",
        "return (Weak(fact.kind) if fact.weak else fact.dtype,)",
        "return (storage(fact),)",
    ),
    Mutant(
        "wrong dtype union",
        f"{PROGRAM}/joining.py",
        "fact = join(a.fact, b.fact).over(self.lanes)",
        "fact = a.fact.over(self.lanes)",
    ),
    Mutant(
        "a chain compares a stale operand",
        f"{PROGRAM}/chains.py",
        "lambda: chain(k + 1, right)",
        "lambda: chain(k + 1, left)",
    ),
    Mutant(
        "membership forgets the last",
        f"{PROGRAM}/membership.py",
        "found = b.const(False)\n    for item in right.items:",
        "found = b.const(False)\n    for item in right.items[:-1]:",
    ),
    Mutant(
        "a cube is a square",
        f"{PROGRAM}/powers.py",
        '3: "x * x * x",',
        '3: "x * x",',
    ),
    Mutant(
        "handler and body swapped",
        f"{PROGRAM}/guarded.py",
        "        self.b.branch(test, leave, rest, node)\n",
        "        self.b.branch(test, rest, leave, node)\n",
    ),
    Mutant(
        "or-pattern matches its first only",
        "autovec/canonical/match.py",
        "return any_of([test for test, _ in parts]), []",
        "return parts[0][0], []",
    ),
    Mutant(
        "columns change places",
        f"{PROGRAM}/columns.py",
        'key: make(column, quote.expr("row[key]", row=expr, key=constant(key)))',
        'key: make(column, quote.expr("row[key]", row=expr, key=constant([*arg.columns][-1])))',
    ),
    Mutant(
        "a default hides its column",
        f"{PROGRAM}/rows.py",
        "    if key in row.items:\n        return column(row, key, node)\n    return args[1]",
        "    if key not in row.items:\n        return column(row, key, node)\n    return args[1]",
    ),
    Mutant(
        "rows of another part are replayed",
        "autovec/run/tables.py",
        "parts = {key: cut(part, shape, low, high) for key, part in item.parts.items()}",
        "parts = {key: cut(part, shape, 0, high - low) for key, part in item.parts.items()}",
    ),
    Mutant(
        "missing zero check",
        "autovec/ops/binary.py",
        'fails("y == 0", function, 7, 0, kinds="II", always=True),',
        "None,",
    ),
    Mutant(
        "bools are added as NumPy's",
        "autovec/ops/binary.py",
        'op("+", "x + y", 0.5, by_kind=as_int("add"),',
        'op("+", "x + y", 0.5,',
    ),
    Mutant(
        "the parts of a pair share a name",
        f"{LOWER}/carrying.py",
        "        w.lock(name)\n    for name in names.values():\n        w.release(name)\n",
        "",
    ),
    Mutant(
        "an array gathered late takes an inner name",
        f"{LOWER}/writer.py",
        "used = ahead.used if ahead else ()",
        "used = ()",
    ),
    Mutant(
        "min is max",
        f"{PROGRAM}/ordering.py",
        "op = MIN if function is min else MAX",
        "op = MAX",
    ),
    Mutant(
        "a loop ends for all lanes at once",
        f"{LOWER}/retiring.py",
        "        shrink(w, w.read(asked))\n",
        "        w.consume(asked)\n",
    ),
    Mutant(
        "lanes leave a loop only if all of them do",
        f"{LOWER}/shrinking.py",
        "if t.any():",
        "if t.all():",
        only="loop,retire,augmented,math,early_return,lists",
    ),
    Mutant(
        "the name of what is carried is free while a trip is decided",
        f"{LOWER}/carrying.py",
        "    found = [names[id(c.head)] for c in carries if id(c.head) in names]\n",
        "    found: list[str] = []\n",
    ),
    Mutant(
        "what waits is written where it is named",
        f"{LOWER}/waiting.py",
        "    inner = since(w, waiting.out)\n",
        "    inner: list[Any] = []\n",
    ),
    Mutant(
        "the upper half is replayed first",
        "autovec/run/replay.py",
        "for start, stop in ((low, middle), (middle, high)):",
        "for start, stop in ((middle, high), (low, middle)):",
    ),
    Mutant(
        "undeclared numbers are doubled",
        f"{PROGRAM}/agreement.py",
        '"number", ("x",), "1 * x", "x"',
        '"number", ("x",), "2 * x", "x"',
        "tests.fuzz.written",
    ),
    Mutant(
        "undeclared dtypes are float64 in buffers",
        f"{LOWER}/expressions.py",
        'return quote.name(f"{MARK_DTYPE}{str(dtype).encode().hex()}")',
        'return quote.name("float")',
        "tests.fuzz.written",
    ),
    Mutant(
        "undeclared divisors are not looked at",
        f"{PROGRAM}/agreement.py",
        "if len(checks) > 1 or any(raises_itself(text) for text in texts):",
        "if len(checks) > 9:",
        "tests.fuzz.written",
    ),
)
