"""One batched call against the loop: result or exception, warnings, changed arguments."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.oracle.compare import Difference, Tally, compare
from tests.oracle.results import leaves
from tests.oracle.samples import Loop, Outcome, run
from tests.oracle.scalars import plain

BUG, LOOPS = "which is a bug", "# a lane at a time"
EXPRESSION = "this expression"
RAISED = object()
_MATH_ERRORS = (ZeroDivisionError, ValueError, OverflowError)


@dataclass
class Report:
    """What `check` saw on the way."""

    lanes: int = 0
    fallbacks: list[str] = field(default_factory=list)
    expressions: list[str] = field(default_factory=list)  # single ones that loop
    text: str = ""
    raised: str = ""
    unstable: int = 0
    overflowed: int = 0

    @property
    def looped(self) -> bool:
        """The plain function ran somewhere: no departures there, and no static dtypes."""
        return bool(self.fallbacks)


def call_and_compare(
    f: Any,
    batched: Any,
    want: Loop,
    args: Any,
    kw: Any,
    report: Report,
    tally: Tally,
) -> Any:
    kept = [np.copy(a) if isinstance(a, np.ndarray) else a for a in (*args, *kw.values())]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        raised: Exception | None = None
        try:
            got: Any = batched(*args, **kw)
        except Exception as error:  # noqa: BLE001  compared with the loop's
            got, raised = RAISED, error
    _note_fallbacks(batched, args, kw, seen, report)
    _note_warnings(want, seen, report)
    if any(BUG in text for text in report.fallbacks):
        _raise_own_failure(batched, args, kw, report)
    if report.looped and any(o.noisy for o in want.outcomes):
        return RAISED  # the plain loop raises where the law departs
    if raised is not None:
        _compare_error(f, want, raised, _has_scalars(args, kw), report)
    for name, before, after in zip(_names(args, kw), kept, (*args, *kw.values()), strict=True):
        if isinstance(before, np.ndarray) and before.tobytes() != after.tobytes():
            raise Difference("inputs", f"argument {name} was changed")
    if got is RAISED:
        return got
    if want.error and not _may_pass(f, want):
        lane, error = want.error
        raise Difference(
            "exception",
            f"nothing raised, wanted {message(error)} of lane {lane}; sample {want.lanes[lane]!r}",
        )
    plain_only = report.looped and (want.narrow or all(v is None for v in want.values))
    if not want.error and not plain_only:
        compare(f, want, got, tally, dtypes=not report.looped)
        _check_memory(got, args, kw)
    return got


def _raise_own_failure(batched: Any, args: Any, kw: Any, report: Report) -> None:
    """The exception that the package turned into a loop, with its traceback."""
    failure: Exception | None = None
    try:
        batched.emit(*args, **kw)
    except Exception as error:  # noqa: BLE001
        failure = error
    why = failure and f"{type(failure).__name__}: {failure}"
    raise Difference("crash", why or next(t for t in report.fallbacks if BUG in t)) from failure


def _names(args: tuple[Any, ...], kw: dict[str, Any]) -> list[str]:
    return [*map(str, range(len(args))), *kw]


def message(error: BaseException) -> str:
    """Type and message, with samples in it spelled as Python's scalars."""
    try:
        return f"{type(error).__name__}: {type(error)(*map(plain, error.args))}"
    except Exception:  # noqa: BLE001  an exception class with a constructor of its own
        return f"{type(error).__name__}: {error}"


def _compare_error(f: Any, want: Loop, error: Exception, scalars: bool, report: Report) -> None:
    """Raise `Difference` unless it is the lowest failing lane's exception, or a uniform value's."""

    def uniform(outcome: Outcome) -> bool:
        return outcome.departed_weak or (scalars and outcome.noisy)

    report.raised = type(error).__name__
    if report.looped and want.narrow:
        return  # the plain loop's own: Python numbers beside float32 and int8
    if any(o.overflow for o in want.outcomes) and isinstance(error, OverflowError):
        return
    if want.error is None:
        if any(map(uniform, want.outcomes)) and isinstance(error, _MATH_ERRORS):
            return  # a uniform division by zero is Python's, as written
        raise Difference(
            "exception", f"raised {message(error)}, the loop raises nothing"
        ) from error
    lane, wanted = want.error
    if message(error) == message(wanted):
        return
    if _located(wanted) and isinstance(error, ValueError):
        return
    if _flips(f, want, lane) or any(map(uniform, want.outcomes[: lane + 1])):
        return
    raise Difference(
        "exception",
        f"raised {message(error)}, wanted {message(wanted)} of lane {lane};"
        f" sample {want.lanes[lane]!r}",
    ) from error


def _located(error: BaseException) -> bool:
    """An int to a negative int: only the law raises it, and with words of its own."""
    return isinstance(error, ValueError) and "negative integer powers" in str(error)


def _may_pass(f: Any, want: Loop) -> bool:
    """Whether the batch may go on where the loop raises: overflow, rounding, a float elsewhere."""
    assert want.error is not None
    lane, error = want.error
    return want.outcomes[lane].overflow or _located(error) or _flips(f, want, lane)


def _has_scalars(args: Any, kw: Any) -> bool:
    """NumPy scalars and arrays without axes are the same for all lanes, though strong."""
    values = (*args, *kw.values())
    batched = any(isinstance(v, np.ndarray) and v.ndim for v in values)
    return batched and any(isinstance(v, np.ndarray | np.generic) and not v.ndim for v in values)


def _flips(f: Any, want: Loop, lane: int) -> bool:
    """Whether rounding decides if this lane raises."""
    for seed in range(6):
        error = run(f, want.lanes[lane : lane + 1], wobble=seed).outcomes[0].error
        wanted = want.outcomes[lane].error
        if error is None or (wanted is not None and message(error) != message(wanted)):
            return True
    return False


def _note_fallbacks(batched: Any, args: Any, kw: Any, seen: list[Any], report: Report) -> None:
    """The warnings, or what the text says: a place is announced once, whatever is called later."""
    fallbacks = [w for w in seen if w.category.__name__ == "FallbackWarning"]
    messages = [str(w.message) for w in fallbacks]
    report.expressions += [text for text in messages if text.startswith(EXPRESSION)]
    report.fallbacks += [text for text in messages if not text.startswith(EXPRESSION)]
    if not fallbacks and hasattr(batched, "emit"):
        try:
            text = batched.emit(*args, **kw)
        except Exception:  # noqa: BLE001  compared where the text is
            return
        found = [line.strip() for line in text.splitlines() if LOOPS in line]
        whole = "_sample(" in text and bool(found)
        (report.fallbacks if whole else report.expressions).extend(found)


def _note_warnings(want: Loop, seen: list[Any], report: Report) -> None:
    heard = report.looped or any(o.noisy or o.overflow for o in want.outcomes)
    for w in seen:
        if re.search(r"in (matmul|vecdot|matvec|vecmat|dot)$", str(w.message)):
            continue  # products of matrices raise flags as their library likes
        if issubclass(w.category, RuntimeWarning) and not heard:
            raise Difference("warning", f"{w.message} (no live lane gives a reason)")
        if issubclass(w.category, SyntaxWarning | DeprecationWarning):
            raise Difference("warning", f"{w.category.__name__}: {w.message}")


def _check_memory(got: Any, args: Any, kw: Any) -> None:
    arrays = [a for a in (*args, *kw.values()) if isinstance(a, np.ndarray)]
    for path, leaf in leaves(got):
        if not isinstance(leaf, np.ndarray):
            continue
        if not leaf.flags.writeable:
            raise Difference("memory", f"result{list(path)} is read-only")
        if any(np.may_share_memory(leaf, a) for a in arrays):
            raise Difference("memory", f"result{list(path)} shares memory with an argument")
