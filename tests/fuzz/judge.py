"""One program against the loop."""

from __future__ import annotations

import contextlib
import copy
import linecache
import math
import os
import signal
import sys
import tempfile
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tests.fuzz import arrays, tables
from tests.fuzz.data import Call, draw
from tests.fuzz.program import Program
from tests.harness import Difference, check
from tests.oracle.results import leaves
from tests.oracle.samples import Loop, lanes_of, run, run_plain

# what a well-defined program never raises
ILL_DEFINED = (
    NameError,
    TypeError,
    AttributeError,
    IndexError,
    RecursionError,
    SyntaxError,
    MemoryError,
)
SECONDS = 30
Make = Callable[[Any, Any], Any]  # (f, in_axes) -> the batched function


@dataclass
class Verdict:
    """What became of a program."""

    status: str  # ok, discarded, different
    kind: str = ""
    what: str = ""
    fallbacks: list[str] = field(default_factory=list)
    text: str = ""
    raised: str = ""
    lanes: int = 0
    unstable: int = 0
    call: Call | None = None


class IllDefined(Exception):
    """The program is not one of the language's: no verdict."""


class Slow(BaseException):
    """Compiling or running took longer than any of these programs should; nobody may catch it."""


@contextlib.contextmanager
def loaded(text: str, folder: str | None = None) -> Iterator[types.ModuleType]:
    """The text as an imported module with a file of its own."""
    handle, path = tempfile.mkstemp(".py", "fuzz_", folder)
    name = os.path.basename(path)[:-3]
    module = types.ModuleType(name)
    module.__file__ = path
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        sys.modules[name] = module
        exec(compile(text, path, "exec"), module.__dict__)
        yield module
    finally:
        sys.modules.pop(name, None)
        linecache.cache.pop(path, None)
        os.unlink(path)


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    def ring(_signal: int, _frame: Any) -> None:
        raise Slow(f"longer than {seconds} s")

    old = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


def judge(program: Program, make: Make | None = None, calls: list[Call] | None = None) -> Verdict:
    """Compare the program's function with the loop on a few calls (drawn from its seed)."""
    try:
        with loaded(program.text) as module, time_limit(SECONDS):
            return _judge(module.f, program, make, calls)
    except (IllDefined, SyntaxError) as why:
        return Verdict("discarded", type(why).__name__, str(why))
    except Slow as slow:
        found = calls[0] if calls else draw(program, 0)
        return Verdict("different", "slow", f"{slow}\n{_where(slow)}", call=found)


def well_defined(program: Program, calls: list[Call]) -> bool:
    """Whether the loop itself can run the program on these calls."""
    try:
        with loaded(program.text) as module, time_limit(SECONDS):
            for call in calls:
                expected(module.f, call, program)
    except (IllDefined, SyntaxError, Slow):
        return False
    return True


def _judge(f: Any, program: Program, make: Make | None, calls: list[Call] | None) -> Verdict:
    verdict = Verdict("ok")
    batched: dict[Any, Any] = {}
    for k, call in enumerate(
        calls if calls is not None else (draw(program, 0), draw(program, 1, 40))
    ):
        in_axes = call.in_axes
        want = expected(f, call, program)
        if all(o.error for o in want.outcomes) and len(want.outcomes) > 2:
            raise IllDefined("every lane raises")
        verdict.call = call

        def fresh(g: Any, in_axes: Any = in_axes, call: Call = call) -> Any:
            if call.shape and not make:
                return arrays.Levels(g, call)
            made = make(g, in_axes) if make else _default(g, in_axes)
            return tables.plain(made) if program.table else made

        def known(g: Any, in_axes: Any = in_axes, fresh: Any = fresh) -> Any:
            return batched.get(in_axes) or fresh(g)

        factory = fresh if k == 0 or call.shape else known
        try:
            if k == 0:
                batched[in_axes] = fresh(f)
            if call.shape and not arrays.unchanged(f, call):
                verdict.fallbacks += arrays.check_storing(f, call)
                verdict.lanes += len(want.outcomes)
                continue
            report = check(
                f,
                *arguments(program, call),
                in_axes=in_axes,
                vectorize=factory,
                deep=k == 0 and (not call.shape or arrays.plain(call)),
                want=want,
            )
            if k == 0 and call.shape and not report.looped and not report.raised:
                arrays.check_sizes(f, call)
        except Difference as difference:
            verdict.status, verdict.kind, verdict.what = (
                "different",
                difference.kind,
                difference.what,
            )
            if difference.__cause__ is not None:
                verdict.what += "\n" + _where(difference.__cause__)
            return verdict
        except IllDefined:
            raise
        except Exception as error:  # noqa: BLE001  the package's own failure, outside a batched call
            verdict.status, verdict.kind = "different", "crash"
            verdict.what = f"{type(error).__name__}: {error}\n{_where(error)}"
            return verdict
        verdict.fallbacks += report.fallbacks
        verdict.text = verdict.text or report.text
        verdict.raised = verdict.raised or report.raised
        verdict.lanes += report.lanes
        verdict.unstable += report.unstable
        if report.looped:
            break
    return verdict


def _default(f: Any, in_axes: Any) -> Any:
    import autovec

    return autovec.vectorize(f) if in_axes is None else autovec.vmap(f, in_axes)


def _where(error: BaseException) -> str:
    """The last few places of a traceback, which tell one fault from another."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    paths = ["/".join(t.filename.split(os.sep)[-2:]) for t in frames]
    pairs = zip(frames, paths, strict=True)
    return "\n".join(f"  {path}:{t.lineno} {t.name}: {t.line}" for t, path in pairs)


def arguments(program: Program, call: Call) -> list[Any]:
    """The arguments as the function takes them: its arrays may be the columns of a table."""
    if not program.table:
        return call.args
    names = [p.name for p in program.parameters]
    return tables.packed(program.table, program.columns, names, call.args)


def lanes_of_call(program: Program, call: Call) -> tuple[list[Any], Any]:
    """The calls that the loop makes, and the shape of the batch."""
    if call.shape:  # of copies: a program may store into its arguments
        return arrays.lanes_of_arrays(replace(call, args=copy.deepcopy(call.args)))
    if not program.table:
        return lanes_of(tuple(call.args), {}, call.in_axes)
    names = [p.name for p in program.parameters]
    lanes = tables.lanes_of_rows(program.table, program.columns, names, call.args)
    return lanes, (len(lanes),)


def expected(f: Any, call: Call, program: Program) -> Loop:
    """The loop's outcomes; raises `IllDefined` where the program is not of the language."""
    lanes, shape = lanes_of_call(program, call)
    want = run(f, lanes, shape)
    if call.shape:  # what a walk stores must not be in results, nor in the samples shown
        want = copy.deepcopy(want)
        want.lanes = lanes_of_call(program, call)[0]
    for lane, out in zip(lanes, want.outcomes, strict=True):
        if isinstance(out.error, ILL_DEFINED):
            raise IllDefined(f"{type(out.error).__name__}: {out.error} for {lane}")
    walks = [run(f, lanes[:1], explore=seed).outcomes[0] for seed in range(12 if lanes else 0)]
    for out in (*want.outcomes, *walks):
        if out.error is None and any(isinstance(v, complex) for _, v in leaves(out.value)):
            raise IllDefined("a complex result")
    if not program.table and not any(
        isinstance(a, np.ndarray | np.generic) and a.dtype.char in "fbi" for a in call.args
    ):
        _agree(f, want, lanes[:8])
    return want


def _agree(f: Any, want: Loop, lanes: list[Any]) -> None:
    """The oracle against plain Python, where no departure was taken."""
    for lane, law in zip(lanes, want.outcomes, strict=False):
        if law.noisy or law.overflow:
            continue
        (bare,) = run_plain(f, [lane])
        if type(law.error) is not type(bare.error):
            if isinstance(bare.error, TypeError) or "negative integer powers" in str(law.error):
                continue  # plain Python made a complex number, or a float
            raise AssertionError(f"oracle: {law.error!r} against {bare.error!r} for {lane}")
        if law.error is None and not _alike(plain_tree(law.value), plain_tree(bare.value)):
            if _stable(f, lane, law.value):
                raise AssertionError(f"oracle: {law.value!r} against {bare.value!r} for {lane}")


def _stable(f: Any, lane: Any, value: Any) -> bool:
    """Whether a few ulp per operation leave the value as it is."""
    others = [run(f, [lane], wobble=seed).outcomes[0] for seed in range(4)]
    same = plain_tree(value)
    return all(o.error is None and _alike(plain_tree(o.value), same) for o in others)


def _alike(a: list[Any], b: list[Any]) -> bool:
    """Equal but for the last bits: NumPy's powers of arrays and of scalars differ there."""
    return len(a) == len(b) and all(
        repr(x) == repr(y)
        or (isinstance(x, float) and isinstance(y, float) and math.isclose(x, y, rel_tol=1e-13))
        for x, y in zip(a, b, strict=True)
    )


def plain_tree(value: Any) -> Any:
    """The leaves as Python's own scalars."""
    scalars = [v[()] if isinstance(v, np.ndarray) else v for _, v in leaves(value)]
    return [v.item() if isinstance(v, np.generic) else v for v in scalars]
