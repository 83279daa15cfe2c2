"""The object that ``lift`` returns: a function whose loops run as array operations."""

from __future__ import annotations

import functools
import inspect
import threading
import types
from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from autovec.emit.load import load
from autovec.emit.printer import to_text
from autovec.errors import NotLiftable, Problem, SourceNotFound, Unsupported, UnsupportedSyntax
from autovec.lift.function import LiftedFunction, Note, Walker
from autovec.lift.known import Scope
from autovec.lift.uses import kinds_from_use
from autovec.syntax import quote
from autovec.syntax.build import import_module
from autovec.syntax.parse import Source, place_of, source_of
from autovec.syntax.scope import free_names
from autovec.syntax.walking import updated

_INSTEAD = 'leave out fallback="error": this loop stays as it is, the others are lifted'
_NUMBERS = (int, float, bool, np.float64, np.float32, np.int64, np.int32, np.bool_)


@dataclass(frozen=True)
class Version:
    """The function lifted for arguments of certain kinds; `call` is None if nothing is lifted."""

    text: str
    call: types.FunctionType | None
    notes: tuple[Note, ...]
    problems: tuple[Problem, ...]
    strict: bool
    risky: bool
    stored: tuple[str, ...]
    scope: Scope | None = None


class Lifted:
    """A function whose loops over elements are array operations.

    For each combination of argument types it holds one version. A call whose arguments are no
    arrays and numbers runs the function as it was written.
    """

    transparent = True  # it does what the function does

    def __init__(
        self, function: Any, fallback: str, name: str | None, exact: bool = False
    ) -> None:
        self._function = function
        self._exact = exact
        self._fallback = fallback
        self._name = name or function.__name__
        self._lock = threading.Lock()
        self._versions: dict[Any, Version] = {}
        self._last: Version | None = None
        self._source: Source | None = None
        self._parameters = _positional(function)
        functools.update_wrapper(self, function)
        if fallback == "error":
            self._version(None)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's result, and what it does to its arguments."""
        bound = args
        names = self._parameters
        if names is None:
            return self._function(*args, **kwargs)
        if kwargs or len(args) != len(names):
            try:
                found = inspect.signature(self._function).bind(*args, **kwargs)
            except TypeError:
                return self._function(*args, **kwargs)
            found.apply_defaults()
            bound = tuple(found.arguments[name] for name in names)
        kinds = tuple(map(_kind, bound))
        version = self._versions.get(kinds)
        if version is None or (version.scope is not None and not version.scope.unchanged()):
            self._versions.pop(kinds, None)
            version = self._version(kinds)
        self._last = version
        if version.call is None:
            return self._function(*args, **kwargs)
        return self._run(version, names, bound)

    def _run(self, version: Version, names: tuple[str, ...], bound: tuple[Any, ...]) -> Any:
        assert version.call is not None
        if any(isinstance(a, np.ndarray) and not a.size for a in bound):
            return self._function(*bound)  # Python's own numbers stay where there is no turn
        stored = [a for n, a in zip(names, bound, strict=True) if n in version.stored]
        stored = [a for a in stored if isinstance(a, np.ndarray)]
        for array in stored:
            if not array.flags.writeable or 0 in array.strides:
                return self._function(*bound)
        if not version.risky:
            return version.call(*bound)
        kept = [a.copy() for a in stored]
        try:
            if version.strict:
                with np.errstate(divide="raise", over="raise", invalid="raise"):
                    return version.call(*bound)
            return version.call(*bound)
        except Exception:
            for array, old in zip(stored, kept, strict=True):
                array[...] = old
        return self._function(*bound)

    # ------------------------------------------------------------ what it is

    @property
    def source(self) -> str:
        """The text for the last call's arguments; before one, for what the uses tell of them."""
        return (self._last or self._version(None)).text

    def explain(self) -> str:
        """For each loop what became of it, or what forbids to lift it."""
        version = self._last or self._version(None)
        lines = [f"{self._name}: what became of each loop"]
        for note in version.notes:
            reason = f" ({note.why})" if note.why else ""
            line = note.place.text.strip()
            lines.append(f"{note.place.line:5}  {line}\n       -> {note.what}{reason}")
        if not version.notes:
            lines += [f"left as it is: {problem}" for problem in version.problems]
            lines += [] if version.problems else ["there is no loop"]
        return "\n".join(lines)

    def _version(self, kinds: Any) -> Version:
        with self._lock:
            if kinds not in self._versions:
                self._versions[kinds] = self._made(kinds)
            version = self._versions[kinds]
        known = kinds is None or None not in kinds  # others run the function as it is written
        if self._fallback == "error" and version.problems and known:
            raise NotLiftable([_with_way_out(problem) for problem in version.problems])
        return version

    def _made(self, kinds: Any) -> Version:
        try:
            if self._source is None:
                self._source = source_of(self._function)
        except (SourceNotFound, UnsupportedSyntax) as error:
            if self._fallback == "error":
                raise NotLiftable(str(error)) from error
            return Version("", None, (), (), False, False, ())
        source = self._source
        if not isinstance(source.tree, gast.FunctionDef) or self._parameters is None:
            return self._left(source, "this kind of function", "a plain def is lifted")
        if kinds is None:
            named = kinds_from_use(source.tree)
        else:
            named = dict(zip(self._parameters, kinds, strict=True))
        try:
            walker = Walker(source, self._function, named)
            walker.exact = self._exact
            made = walker.run()
        except Unsupported as error:
            return self._left(source, error.what, error.why, error.node)
        if not made.lifted:
            return self._plain(source, made)
        return self._finished(source, made)

    def _left(self, source: Source, what: str, why: str, node: Any = None) -> Version:
        node = node if getattr(node, "lineno", None) else source.tree
        problem = Problem(place_of(source, node), what, why)
        text = _plain_text(source)
        return Version(text, None, (), (problem,), False, False, ())

    def _plain(self, source: Source, made: LiftedFunction) -> Version:
        text = _plain_text(source)
        return Version(text, None, tuple(made.notes), tuple(made.problems), False, False, ())

    def _finished(self, source: Source, made: LiftedFunction) -> Version:
        tree = updated(made.tree, decorator_list=[], name=self._name)
        imports: list[Any] = []
        used = free_names(tree)
        if "np" in used:
            imports.append(quote.stmt("import numpy as np"))
        if "math" in used and self._function.__globals__.get("math") is not None:
            imports.insert(0, import_module("math"))
        text = to_text([*imports, tree])
        call = self._loaded(to_text([_bare(tree)]))
        stored = tuple(sorted(made.stored & set(self._parameters or ())))
        return Version(
            text,
            call,
            tuple(made.notes),
            tuple(made.problems),
            made.strict,
            made.risky,
            stored,
            made.scope,
        )

    def _loaded(self, text: str) -> types.FunctionType:
        function = self._function

        def live(name: str) -> object:
            code = function.__code__
            if name in code.co_freevars:
                cell = function.__closure__[code.co_freevars.index(name)]
                try:
                    return cell.cell_contents
                except ValueError:
                    raise KeyError(name) from None
            return function.__globals__[name]

        made = load(text, self._name, {"np": np}, function.__name__, live)
        made.__defaults__ = function.__defaults__
        made.__kwdefaults__ = function.__kwdefaults__
        return made


def _with_way_out(problem: Problem) -> Problem:
    return problem if problem.instead else replace(problem, instead=_INSTEAD)


def _bare(tree: gast.FunctionDef) -> gast.FunctionDef:
    """The def without annotations, and without defaults: those of the user's function are taken."""
    args = tree.args
    plain = [updated(arg, annotation=None) for arg in [*args.posonlyargs, *args.args]]
    count = len(args.posonlyargs)
    none = [quote.const(None) for _ in args.defaults]
    args = updated(args, posonlyargs=plain[:count], args=plain[count:], defaults=none)
    return updated(tree, args=args, returns=None)


def _plain_text(source: Source) -> str:
    """The function as it is written, without decorators."""
    tree = source.tree
    return to_text([updated(tree, decorator_list=[])]) if isinstance(tree, gast.FunctionDef) else ""


def _positional(function: Any) -> tuple[str, ...] | None:
    """The names of the parameters, where all are given by position."""
    if not isinstance(function, types.FunctionType):
        return None
    code = function.__code__
    if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return None
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return None
    return code.co_varnames[: code.co_argcount]


def _kind(value: Any) -> Any:
    """What the versions distinguish: an array's dtype and rank, a number's type, or neither."""
    kind = type(value)
    if kind is np.ndarray:
        dtype = value.dtype
        if value.ndim and dtype.kind in "biuf" and dtype.isnative and dtype.itemsize <= 8:
            return (dtype, value.ndim)
        return None
    return kind if kind in _NUMBERS else None
