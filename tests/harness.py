"""The harness: a batched function against the plain Python loop over its samples.

    from tests.harness import check

    def safe_log(x, y):
        return math.log(x) / y if x > 0 else -1.0

    check(safe_log, np.array([1.0, 0.0, 2.0]), np.array([3.0, 1.0, 0.0]))  # vectorize: broadcasts
    check(safe_log, x, 2.0, in_axes=(0, None))  # vmap

`check` compares values, shape, dtype, structure, exceptions and warnings, and looks at what a
batched function must keep besides: inputs unchanged, no shared memory, the same text twice, text
that runs alone, halves that agree with the whole, empty and single batches.  It raises
`Difference`, or returns a `Report`.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.batched import RAISED, Report, call_and_compare, message
from tests.oracle.compare import Difference, Tally, compare
from tests.oracle.results import leaves, rebuild, skeleton, stack
from tests.oracle.samples import Loop, lanes_of, run, sample
from tests.oracle.standalone import captured, imports, load_text

__all__ = ["Difference", "Report", "check", "loop"]


def loop(f: Callable[..., Any], *args: Any, in_axes: Any = 0, **kw: Any) -> Any:
    """The plain loop's stacked results; raises what the loop raises.

    `in_axes` is vmap's (0, an axis or None, for all or per argument), or None for `vectorize`:
    arrays broadcast, samples are scalars.
    """
    lanes, shape = lanes_of(args, kw, in_axes)
    done = run(f, lanes, shape)
    if done.error:
        raise done.error[1]
    return stack(done.values, shape)


def check(
    f: Callable[..., Any],
    *args: Any,
    in_axes: Any = None,
    vectorize: Callable[..., Any] | None = None,
    deep: bool = True,
    want: Loop | None = None,
    **kw: Any,
) -> Report:
    """Compare `vectorize(f)(*args, **kw)` with the loop; `deep=False` makes one call only.

    `vectorize` makes the batched function (by default the package's own); `want` is the loop where
    the caller has run it already.
    """
    batched = batched_function(f, in_axes, vectorize)
    if want is None:
        lanes, shape = lanes_of(args, kw, in_axes)
        want = run(f, lanes, shape)
    lanes = want.lanes
    report = Report(lanes=len(lanes))
    tally = Tally()
    report.overflowed = sum(o.overflow for o in want.outcomes)
    got = call_and_compare(f, batched, want, args, kw, report, tally)
    if deep and len(lanes) and not report.looped:
        _good_lanes(f, batched, want, args, kw, in_axes, report, tally)
        if got is not RAISED and not report.overflowed:
            _other_sizes(f, batched, args, kw, in_axes, got, tally)
        _text(f, batched, in_axes, vectorize, want, args, kw, got, report, tally)
    report.unstable = tally.unstable
    return report


def batched_function(
    f: Callable[..., Any], in_axes: Any, vectorize: Callable[..., Any] | None
) -> Any:
    """A fresh batched function: the one given, or the package's own."""
    if vectorize is not None:
        return vectorize(f)
    import autovec

    return autovec.vectorize(f) if in_axes is None else autovec.vmap(f, in_axes)


# ---------------------------------------------------------------- other batches
def _pick(
    args: Any, kw: Any, in_axes: Any, index: Any
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """The call with some lanes only; None where the arguments are not all one flat batch."""
    arrays = [a for a in (*args, *kw.values()) if isinstance(a, np.ndarray)]
    if in_axes is None:
        if any(a.ndim != 1 for a in arrays) or len({a.shape for a in arrays}) != 1:
            return None

        def take(v: Any) -> Any:
            return v[index] if isinstance(v, np.ndarray) else v

        return tuple(map(take, args)), {k: take(v) for k, v in kw.items()}
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
    if any(
        ax is not None and (ax or not isinstance(a, np.ndarray))
        for a, ax in zip(args, axes, strict=True)
    ):
        return None
    return tuple(a if ax is None else a[index] for a, ax in zip(args, axes, strict=True)), kw


def _good_lanes(
    f: Any, batched: Any, want: Loop, args: Any, kw: Any, in_axes: Any, report: Report, tally: Tally
) -> None:
    """Where some lanes raise: the batch of the others, which must have values."""
    if not want.error:
        return
    good = [k for k, o in enumerate(want.outcomes) if o.error is None]
    picked = _pick(args, kw, in_axes, np.array(good, int))
    if picked and good:
        part = Loop([want.lanes[k] for k in good], [want.outcomes[k] for k in good], (len(good),))
        got = call_and_compare(f, batched, part, *picked, report, tally)
        if got is not RAISED and not any(o.overflow for o in part.outcomes):
            _other_sizes(f, batched, *picked, in_axes, got, tally)


def _other_sizes(
    f: Any, batched: Any, args: Any, kw: Any, in_axes: Any, got: Any, tally: Tally
) -> None:
    """No lane, one lane, two halves: the same structure and dtypes, and the same values."""
    n = next(
        (len(leaf) for _, leaf in leaves(got) if isinstance(leaf, np.ndarray) and leaf.ndim), 0
    )
    half = n // 2
    parts = {
        "n = 0": slice(0, 0),
        "n = 1": slice(0, 1),
        "the first half": slice(0, half),
        "the second half": slice(half, n),
    }
    for name, index in parts.items():
        picked = _pick(args, kw, in_axes, index)
        if picked is None or not n:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                part = batched(*picked[0], **picked[1])
            except Exception as error:
                raise Difference(
                    name, f"raised {message(error)}, the whole batch does not"
                ) from error
        if not range(n)[index] and _objects((*args, *kw.values())):
            continue  # of what type the objects are that are not there, nobody knows
        if skeleton(part) != skeleton(got):
            raise Difference(name, f"another structure than the whole batch: {part!r}")
        for (path, a), (_, b) in zip(leaves(part), leaves(got), strict=True):
            if a is None and b is None:
                continue
            if a is None or b is None:
                raise Difference(name, f"result{list(path)} is {a!r}, in the whole batch {b!r}")
            if a.dtype.kind == b.dtype.kind == "U":
                pass
            elif _objects((*args, *kw.values())):
                b = b.astype(object)  # of what type objects are, and whether one is None, is data
                a = a.astype(object)
            elif a.dtype != b.dtype:
                raise Difference(
                    name, f"result{list(path)} is {a.dtype}, in the whole batch {b.dtype}"
                )
            if a.shape != b[index].shape or not _close(a, b[index]):
                raise Difference(
                    name, f"result{list(path)} is {a!r}, in the whole batch {b[index]!r}"
                )


def _objects(values: tuple[Any, ...]) -> bool:
    """Is there an array of objects among these?"""
    inner = [w for v in values if isinstance(v, dict) for w in v.values()]
    arrays = [v for v in (*values, *inner) if hasattr(v, "dtype")]
    return any(v.dtype.kind in "OV" and v.dtype.hasobject for v in arrays)


def _close(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal but for the last bits, in which NumPy's vector and remainder lanes differ."""
    if a.dtype.kind in "fc":
        rtol = 1e-5 if a.dtype.itemsize <= 4 else 1e-10
        return bool(np.allclose(a, b, rtol=rtol, atol=0, equal_nan=True))
    if a.dtype.kind == "O":
        pairs = zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
        return all(map(_alike, *zip(*pairs, strict=True))) if a.size else True
    return bool(np.array_equal(a, b))


def _alike(x: Any, y: Any) -> bool:
    """Two objects: equal, both NaN, or floats that differ in the last bits."""
    if isinstance(x, float) and isinstance(y, float):
        return bool(np.isclose(x, y, rtol=1e-10, atol=0, equal_nan=True))
    return bool(x == y or (x != x and y != y))


# ---------------------------------------------------------------- the text
def _text(
    f: Any, batched: Any, in_axes: Any, vectorize: Any, want: Loop, args: Any, kw: Any, got: Any,
    report: Report, tally: Tally,
) -> None:  # fmt: skip
    """The same from two fresh objects; alone it does what the batched function does."""
    if not hasattr(batched, "emit"):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report.text = batched.emit(*args, **kw)
        again = batched_function(f, in_axes, vectorize).emit(*args, **kw)
    if again != report.text:
        raise Difference("text", "two fresh objects emit different texts")
    long = [line for line in report.text.splitlines() if len(line) > 100]
    if long:
        raise Difference("text", f"a line of {len(long[0])} characters: {long[0]}")
    if "autovec" in imports(report.text):
        raise Difference("text", "the text imports autovec")
    standalone = load_text(report.text, getattr(f, "__name__", "f"))
    if any(o.overflow for o in want.outcomes):
        return
    kept = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
    given = tuple(map(_texts, _scalars(args)))
    given = (*_receiver(f, standalone), *given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            alone: Any = standalone(*given, **{**captured(standalone, f), **kw})
        except Exception as error:
            if want.error or got is RAISED:
                return
            raise Difference("text", f"alone it raises {type(error).__name__}: {error}") from error
    for before, after in zip(kept, args, strict=True):
        if isinstance(before, np.ndarray) and before.tobytes() != after.tobytes():
            raise Difference("inputs", "the text alone changed an argument")
    if got is RAISED:
        raise Difference("text", "alone it raises nothing, the batched function does")
    if not want.error:
        compare(f, want, _arrays(alone), tally)


def _texts(value: Any) -> Any:
    """An array of objects that are all strings as the array of texts that a text is made for."""
    objects = isinstance(value, np.ndarray) and value.dtype.kind == "O"
    strings = objects and all(isinstance(v, str) for v in value.flat)
    return value.astype(str) if strings else value


def _receiver(f: Any, standalone: Callable[..., Any]) -> tuple[Any, ...]:
    """The object that a method's text takes first: a bound method's, or one that is called."""
    method = f if inspect.ismethod(f) else getattr(f, "__call__", None)  # noqa: B004
    if not inspect.ismethod(method):
        return ()
    first = next(iter(inspect.signature(method.__func__).parameters), None)
    wanted = next(iter(inspect.signature(standalone).parameters), None)
    return (method.__self__,) if first == wanted else ()


def _scalars(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arrays without axes as the scalars that they are: beside other arrays, or of an object."""
    axes = any(isinstance(a, np.ndarray) and a.ndim for a in args)

    def is_scalar(a: Any) -> bool:
        return isinstance(a, np.ndarray) and not a.ndim and (axes or a.dtype.kind == "O")

    return tuple(sample(a, (), python=True) if is_scalar(a) else a for a in args)


def _arrays(value: Any) -> Any:
    pairs = dict(leaves(value))
    return rebuild(value, lambda path: None if pairs[path] is None else np.asarray(pairs[path]))
