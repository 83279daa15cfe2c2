"""For tests of ``autovec --lift``: functions lifted within a file, and arguments that trip them."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import signal
import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from autovec.files.rewrite import Request, rewrite
from autovec.lift.function import OWN_FAULT
from tests.cli_tools import load
from tests.lifting import equal, outcome

_TRIED = 2
_KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Assign)


@functools.cache
def alone(module: types.ModuleType) -> str:
    """The functions of a module of tests, without the tests, as the text of a file."""
    text = inspect.getsource(module)
    lines = text.split("\n")
    parts = []
    for node in ast.parse(text).body:
        piece = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        words = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        module_name = getattr(node, "module", None) or ""
        foreign = module_name.startswith(("tests", "autovec")) or "autovec" in piece
        tests = getattr(node, "name", "").startswith("test_") or "pytest" in piece
        ours = words & set(vars(module)) & {"FLOATS", "INTS", "SMALL", "SINGLE", "ALL"}
        if isinstance(node, _KEPT) and not (foreign or tests or ours):
            parts.append(piece)
    return "\n\n\n".join(parts) + "\n"


@functools.cache
def in_file(module: types.ModuleType) -> tuple[types.ModuleType, str]:
    """The same functions, lifted by the command line and loaded without autovec."""
    text = alone(module)
    name = f"{module.__name__}.py"
    done = rewrite(text.encode(), name, Request(lift=True))
    assert not done.problems, "\n".join(map(str, done.problems))
    for unit in done.lifts:
        for loop in unit.loops:
            assert OWN_FAULT not in loop.why, (unit.target.name, loop)
    asked = Request(tuple(unit.target.name for unit in done.lifts), lift=True)
    again = rewrite(done.new, name, asked)
    assert again.new == done.new, "its own output is changed"
    return load(done.new.decode()), done.new.decode()


_seen: dict[Any, int] = {}


def check(function: Any, *args: Any, rtol: float = 1e-9) -> None:
    """The function in the file does what the plain one does, for the arguments.

    For the first few arguments of a function their kin are tried, too.
    """
    module = inspect.getmodule(function)
    assert module is not None
    loaded, text = in_file(module)
    lifted = getattr(loaded, function.__name__, None)
    if lifted is None or "<locals>" in function.__qualname__:
        return
    _seen[function] = _seen.get(function, 0) + 1
    for given in (args, *(variants(args) if _seen[function] <= _TRIED else ())):
        try:
            with limited(1.0):
                want, after = outcome(function, given)
        except TimeUp:
            continue  # a loop that does not end for these
        got, left = outcome(lifted, given)
        where = f"{function.__name__}{given}:"
        single = any(getattr(a, "dtype", None) == np.float32 for a in given)
        near = max(rtol, 1e-4) if single else rtol
        if not (equal(want, got, near) and equal(after, left, near)):
            start = text.index(f"def {function.__name__}(")
            shown = text[start : text.find("\ndef ", start + 1)]
            raise AssertionError(f"{where}\n{want!r}\n{got!r}\n{after}\n{left}\n{shown}")


class TimeUp(BaseException):
    """The time for a call is over."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    def over(*_: object) -> None:
        raise TimeUp

    old = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def variants(args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Other arguments that a function may get where it gets these."""
    arrays = [k for k, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind in "biuf"]
    if not arrays:
        return

    def changed(which: list[int], how: Any) -> tuple[Any, ...]:
        return tuple(how(a) if k in which else a for k, a in enumerate(args))

    yield changed(arrays, np.ndarray.tolist)
    yield changed(arrays[:1], np.ndarray.tolist)
    for dtype in (np.float32, np.int64, np.int8, bool, np.float64):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield changed(arrays, lambda a: np.nan_to_num(a).astype(dtype))  # noqa: B023
            yield changed(arrays[:1], lambda a: np.nan_to_num(a).astype(dtype))  # noqa: B023
    for count in (0, 1, 2):
        yield changed(arrays, lambda a: a[:count].copy())  # noqa: B023
        yield changed(arrays[-1:], lambda a: a[:count].copy())  # noqa: B023
    first = args[arrays[0]]
    same = [k for k in arrays if args[k].ndim == first.ndim]
    if len(same) > 1:
        yield changed(same, lambda a: first)
        base = np.arange(first.size + 3.0)
        if first.ndim == 1:
            views = {k: base[j : j + first.size] for j, k in enumerate(same)}
            yield tuple(views.get(k, a) for k, a in enumerate(args))
    read_only = changed(arrays, np.copy)
    for k in arrays:
        read_only[k].flags.writeable = False
    yield read_only
    numbers = [k for k, a in enumerate(args) if type(a) in (int, float)]
    if numbers:
        yield changed(numbers, float)
        yield changed(numbers, np.float32)
        yield changed(numbers, lambda a: int(a) if np.isfinite(a) else 7)
        yield changed(numbers, lambda a: np.int64(a) if np.isfinite(a) else np.int64(7))
