"""Programs whose samples are arrays: a module of one function, and the calls of it.

Axes of arguments and of results stand anywhere, arguments are shared or mapped, and a vmap may run
inside another.  Batches of one and of no sample must give the same structure, shapes and dtypes.
"""

from __future__ import annotations

import copy
import warnings
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from tests.fuzz.array_expressions import ArrayExpressions
from tests.fuzz.array_scalars import KINDS, ArrayScope, Shape
from tests.fuzz.array_statements import ArrayStatements
from tests.fuzz.assignments import indent
from tests.fuzz.data import DTYPES, EDGES, Call
from tests.fuzz.program import Parameter, Program
from tests.fuzz.scope import Dice
from tests.harness import check
from tests.oracle.batched import Report
from tests.oracle.compare import Difference, compare
from tests.oracle.results import leaves, rebuild
from tests.oracle.samples import Lane, run, sample

NAMES = "xyzwuvrm"


def array_program(seed: str) -> Program:
    """The program of array samples of this seed."""
    dice = Dice(f"arrays/{seed}", ("arrays",))
    lengths = tuple(dice.random.sample((2, 3, 4), 2))
    if dice.chance(0.2):
        lengths += (1,)
    if dice.chance(0.07):
        lengths += (0,)
    shapes = [tuple(dice.pick(lengths) for _ in range(dice.pick((1, 1, 1, 2, 2, 3))))
              for _ in range(3)]  # fmt: skip
    parameters = _parameters(dice, shapes)
    scope = ArrayScope()
    for p in parameters:
        scope.names[p.name] = (KINDS[p.type], p.shape)
        if p.type == "i" and not p.shape:
            scope.places[p.name] = 2
    e = ArrayExpressions(dice, lengths)
    results = [
        (dice.pick("ffffib"), dice.pick([*shapes, ()])) for _ in range(dice.pick((1, 1, 1, 2)))
    ]

    def result(s: ArrayScope) -> str:
        made = [e.make(kind, shape, s, 1) for kind, shape in results]
        return made[0] if len(made) == 1 else f"({', '.join(made)})"

    make = ArrayStatements(dice, e, shapes, result)
    make.budget = dice.pick((2, 4, 6, 9))
    make.given = {p.name for p in parameters if p.type == "f"} if dice.chance(0.5) else set()
    body, left = make.block(scope, make.budget, 2)
    if not left:
        body.append(f"return {result(scope)}")
    head = f"def f({', '.join(p.name for p in parameters)}):"
    text = "\n".join(["import math", "", "import numpy as np", "", "", head, *indent(body)]) + "\n"
    return Program(seed, text, parameters, ["arrays"])


def _parameters(dice: Dice, shapes: list[Shape]) -> list[Parameter]:
    types = "f" + "".join(dice.pick("ffffgihb") for _ in range(dice.pick((1, 2, 3))))
    made = [
        Parameter(NAMES[k], t, k == 0 or dice.chance(0.75), shape=dice.pick([*shapes, shapes[0]]))
        for k, t in enumerate(types)
    ]
    if dice.chance(0.6):
        made.append(Parameter("a", "f", dice.chance(0.8)))
    if dice.chance(0.6):
        made.append(Parameter("k", "i", dice.chance(0.8)))
    return made


def draw_arrays(program: Program, seed: int, n: int | None = None) -> Call:
    """The seed-th call of a program."""
    r = Random(f"{program.seed}/{seed}")
    edge = r.random() < 0.35
    sizes = [n if n is not None else r.choice((1, 3, 5, 8))]
    if r.random() < 0.25:
        sizes.append(r.choice((1, 2, 3)))
    front = len(sizes) == 1 and r.random() < 0.6
    out = [0 if front else r.choice((0, 0, 0, -1)) for _ in sizes]
    args: list[Any] = []
    axes: list[list[int | None]] = [[] for _ in sizes]
    for k, p in enumerate(program.parameters):
        maps = [p.varying and (k == 0 or r.random() < 0.75) for _ in sizes]
        if p.varying and len(sizes) == 1:
            maps = [True]
        rank = len(p.shape)
        shape = p.shape
        places: list[int | None] = [None] * len(sizes)
        for level in reversed(range(len(sizes))):
            if maps[level]:
                at = 0 if front else r.randrange(rank + 1)
                shape, rank = (*shape[:at], sizes[level], *shape[at:]), rank + 1
                places[level] = at if front or r.random() < 0.7 else at - rank
        for level, place in enumerate(places):
            axes[level].append(place)
        args.append(_drawn(p.type, shape, r, edge))
    first, *inner = (tuple(level) for level in axes)
    return Call(args, first, inner, tuple(out), tuple(sizes))


def _drawn(type_: str, shape: Shape, r: Random, edge: bool) -> Any:
    size = int(np.prod(shape))
    values = [_value(type_, r, edge) for _ in range(size)]
    array = np.array(values, DTYPES[type_]).reshape(shape)
    if shape:
        return array
    return array.item() if type_ in "fib" else array[()]


def _value(type_: str, r: Random, edge: bool) -> Any:
    if type_ == "b":
        return r.random() < 0.5
    if type_ == "i":
        return r.choice((0, 1, -1, -2))
    if edge and r.random() < 0.15:
        return r.choice([v for v in EDGES[type_] if abs(v) < 1e200 or v != v or abs(v) > 1e308])
    if type_ in "hj":
        return r.randint(-9, 9)
    if r.random() < 0.7:
        return r.randint(-12, 12) / 4
    return r.gauss(0, 2)


def lanes_of_arrays(call: Call) -> tuple[list[Lane], tuple[int, ...]]:
    """The calls that the loop makes, and the shape of the batch."""
    axes = list(zip(call.in_axes, *call.inner, strict=True))
    pairs = list(zip(call.args, axes, strict=True))
    indices = np.ndindex(*call.shape)
    return [(tuple(_taken(a, e, index) for a, e in pairs), {}) for index in indices], call.shape


def _taken(array: Any, axes: tuple[int | None, ...], index: tuple[int, ...]) -> Any:
    """One sample of an argument, or the argument itself where no level maps it."""
    if all(axis is None for axis in axes):
        return array
    for axis, i in zip(axes, index, strict=True):
        if axis is not None:
            array = np.moveaxis(array, axis, 0)[i]
    return sample(np.asarray(array), ())


class Levels:
    """vmaps inside each other, with the lanes' axes in front of the results again."""

    def __init__(self, f: Any, call: Call) -> None:
        import autovec

        self.call = call
        for axes, out in zip([*call.inner[::-1], call.in_axes], call.out[::-1], strict=True):
            f = autovec.vmap(f, axes, out)
        self.made = f

    def __call__(self, *args: Any) -> Any:
        result = self.made(*args)
        for depth, axis in enumerate(self.call.out):
            result = _moved(result, axis, depth)
        return result

    def emit(self, *args: Any) -> str:
        """The text for these arguments."""
        return str(self.made.emit(*args))


def _moved(result: Any, axis: int, depth: int) -> Any:
    """A result with the axis of the level at this depth where the loop's results have it."""
    pairs = dict(leaves(result))

    def leaf(path: Any) -> Any:
        array = pairs[path]
        if axis < 0 or array is None:
            return array if array is None else np.moveaxis(array, axis, depth)
        return np.moveaxis(array, depth + axis, depth)

    return rebuild(result, leaf)


def unchanged(f: Any, call: Call) -> bool:
    """Does the loop leave its arguments as they are?"""
    lanes, _ = lanes_of_arrays(replace(call, args=copy.deepcopy(call.args)))
    kept = copy.deepcopy(lanes)
    run(f, lanes)
    pairs = [
        (a, b)
        for (x, _), (y, _) in zip(lanes, kept, strict=True)
        for a, b in zip(x, y, strict=True)
    ]
    return all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
               for a, b in pairs if isinstance(a, np.ndarray))  # fmt: skip


def plain(call: Call) -> bool:
    """Is it a call of one level with all axes in front, as the text takes it?"""
    return not call.inner and call.out == (0,) and all(a in (0, None) for a in call.in_axes)


def check_storing(f: Any, call: Call) -> list[str]:
    """Compare one call that changes its arguments, also in what it changes them to."""
    own, mine = copy.deepcopy(call.args), copy.deepcopy(call.args)
    lanes, _ = lanes_of_arrays(replace(call, args=copy.deepcopy(call.args)))
    rows, shape = lanes_of_arrays(replace(call, args=own))
    want = run(f, [])
    for row in rows:  # up to the first that raises, as a loop does
        done = run(f, [row]).outcomes[0]
        done.value = copy.deepcopy(done.value)
        want.outcomes.append(done)
        if done.error is not None:
            break
    want.lanes, want.shape = lanes, shape
    error = None
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            got = Levels(f, call)(*mine)
        except Exception as raised:  # noqa: BLE001  compared with the loop's
            error = raised
    if type(error) is not type(want.error and want.error[1]):
        raise Difference("exception", f"raised {error!r}, wanted {want.error!r}") from error
    if error is None:
        compare(f, want, got, dtypes=False)
    for k, (a, b) in enumerate(zip(mine, own, strict=True)):
        if isinstance(a, np.ndarray) and not np.allclose(a, b, 1e-5, 1e-9, equal_nan=True):
            raise Difference("inputs", f"argument {k} is {a!r} afterwards, wanted {b!r}")
    return [str(w.message) for w in heard if w.category.__name__ == "FallbackWarning"]


def check_levels(f: Any, call: Call) -> Report:
    """Compare one call with the loop."""
    lanes, shape = lanes_of_arrays(call)
    return check(
        f, *call.args, in_axes=call.in_axes, vectorize=lambda g: Levels(g, call), deep=plain(call),
        want=run(f, lanes, shape),
    )  # fmt: skip


def check_sizes(f: Any, call: Call) -> None:
    """A batch of no sample: the same structure, shapes and dtypes as one of some samples."""
    args = [
        a if axis is None else np.take(a, [], axis=axis)
        for a, axis in zip(call.args, call.in_axes, strict=True)
    ]
    empty = replace(call, args=args)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        none, some = Levels(f, empty)(*empty.args), Levels(f, call)(*call.args)
    if any(w.category.__name__ == "FallbackWarning" for w in heard):
        return  # a loop over nothing knows nothing
    for (path, a), (_, b) in zip(leaves(none), leaves(some), strict=True):
        if a is None or b is None:
            continue
        if a.dtype != b.dtype or a.shape[len(empty.shape) :] != b.shape[len(call.shape) :]:
            raise Difference(
                "n = 0", f"result{list(path)} is {a.dtype} {a.shape}, else {b.dtype} {b.shape}"
            )
