"""The objects that ``vectorize`` and ``vmap`` return."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from autovec.errors import AutovecError, FallbackError
from autovec.run.cache import CacheInfo
from autovec.run.elements import Elements
from autovec.run.engine import Engine
from autovec.run.explain import explanation
from autovec.run.fast import MISS, Fast, fast_key, fast_way
from autovec.run.target import Parameters


class Vectorized:
    """A function for one sample that is called with a whole batch.

    `remake` is the public function and its options that made this object from `original`, which
    is how it is pickled and copied.
    """

    def __init__(
        self,
        original: Any,
        engine: Engine,
        doc: str | None,
        remake: tuple[Callable[..., Any], Mapping[str, object]],
    ) -> None:
        self._engine = engine
        self._remake = remake
        self._fast: dict[tuple[object, ...], Fast] = {}
        self._first: Callable[[], str] | None = None  # the text of the first call
        self._owner: type | None = None
        self._by_position = _keywords_as_positions(engine)
        self.__wrapped__ = original
        self.__module__: str
        self.__name__: str
        self.__qualname__: str
        _take_names(self, original, engine.target.function)
        if doc is not None:
            self.__doc__ = doc

    @property
    def engine(self) -> Engine:
        """What compiles and runs its calls."""
        return self._engine

    @property
    def transparent(self) -> bool:
        """Whether ``vectorize`` of this is ``vectorize`` of the function itself."""
        mode = self._engine.mode
        return self._engine.outputs.plain and isinstance(mode, Elements) and not mode.excluded

    # -------------------------------------------------------------- calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._invoke((), args, kwargs)

    def _invoke(self, lead: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        engine = self._engine
        if kwargs and self._by_position is not None:
            args, kwargs = _positional(self._by_position[len(lead) :], args, kwargs)
        if not kwargs:
            given = (*engine.target.lead, *lead, *args)
            fast = self._fast.get(fast_key(given))
            if fast is not None:
                result = fast.run(given)
                if result is not MISS:
                    engine.hits += 1
                    return result
        call = engine.prepare(lead, args, kwargs)
        if call.arguments.plain or not call.columns or engine.why_loop(call):
            return engine.run(call, None)
        try:
            ready = engine.ready(call)
        except FallbackError:
            if call.size or not call.of_objects:
                raise
            return engine.empty(call)  # of what type the objects are that are not there, who knows
        result = engine.run(call, ready)
        if self._first is None:
            self._first = engine.text_of(ready, call)
        if not kwargs:
            way = fast_way(engine, ready, call, given)
            if way is not None:
                self._fast[fast_key(given)] = way
        return result

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        binds = self._engine.target.binds
        if binds is type:
            return BoundVectorized(self, owner if owner is not None else type(instance))
        if binds is None or instance is None:
            return self
        return BoundVectorized(self, instance)

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner

    # -------------------------------------------------------------- what it was made into

    @property
    def source(self) -> str:
        """The batched text: the first call's, before any call what annotations and defaults say.

        Parameters without annotation are scalars of any number's dtype.
        """
        return self._source(())

    def _source(self, lead: tuple[Any, ...]) -> str:
        if self._first is None:
            self._refuse_unbound(lead)
            return self._engine.declared(lead).text
        return self._first()

    def emit(self, *args: Any, **kwargs: Any) -> str:
        """The batched text for these arguments; runs nothing."""
        return self._emit((), args, kwargs)

    def _emit(self, lead: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        call = self._engine.prepare(lead, args, kwargs)
        return self._engine.specialisation(call).text_for(call.function)

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Line by line: what became what and why, for these arguments.

        Without arguments, for what annotations and defaults say.
        """
        return self._explain((), args, kwargs)

    def _explain(self, lead: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        engine = self._engine
        if not args and not kwargs:
            self._refuse_unbound(lead)
            return explanation(self.__name__, engine.declared(lead))
        call = engine.prepare(lead, args, kwargs)
        why = engine.why_loop(call)
        if why:
            return f"{self.__name__}: the whole function runs once for every sample: {why}"
        return explanation(self.__name__, engine.specialisation(call))

    def _refuse_unbound(self, lead: tuple[Any, ...]) -> None:
        if not lead and self._owner is not None and self._engine.target.binds is not None:
            raise AutovecError(
                f"{self.__qualname__} is a method, and its text depends on the object: "
                "ask the bound method"
            )

    def cache_info(self) -> CacheInfo:
        """How many calls found their text compiled, how many did not, and how many texts there are.

        >>> import autovec, numpy as np
        >>> half = autovec.vectorize(lambda x: x / 2)
        >>> half(np.arange(3)), half.cache_info()
        (array([0. , 0.5, 1. ]), CacheInfo(hits=0, misses=1, currsize=1))
        """
        return self._engine.cache_info()

    def cache_clear(self) -> None:
        """Forget everything that was compiled for this function."""
        self._fast.clear()
        self._first = None
        self._engine.cache_clear()

    # -------------------------------------------------------------- as an object

    def __repr__(self) -> str:
        made_by = self._remake[0].__name__
        signature = getattr(self, "__signature__", "(...)")
        return f"<autovec.{made_by} of {self.__qualname__}{signature}>"

    def __reduce__(self) -> Any:
        if _global(self.__module__, self.__qualname__) is self:
            return self.__qualname__
        factory, options = self._remake
        return functools.partial(factory, **options), (self.__wrapped__,)

    def __deepcopy__(self, memo: dict[int, object]) -> Any:
        target = self._engine.target
        if not target.lead and not target.preset:
            return self  # as functions are
        factory, options = self._remake
        return factory(copy.deepcopy(self.__wrapped__, memo), **options)


class BoundVectorized:
    # A vectorized method of one object, which is uniform in every call. Its docstring is the
    # method's, which is why the class has none.

    __slots__ = ("__func__", "__self__")

    def __init__(self, vectorized: Vectorized, instance: object) -> None:
        self.__func__ = vectorized
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__func__._invoke((self.__self__,), args, kwargs)

    @property
    def source(self) -> str:
        """The batched text: the first call's, before any call what annotations say."""
        return self.__func__._source((self.__self__,))

    def emit(self, *args: Any, **kwargs: Any) -> str:
        """The batched text for these arguments; runs nothing."""
        return self.__func__._emit((self.__self__,), args, kwargs)

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Line by line: what became what and why, for these arguments."""
        return self.__func__._explain((self.__self__,), args, kwargs)

    @property
    def __wrapped__(self) -> Any:
        function = self.__func__._engine.target.function
        return function.__get__(self.__self__)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.__wrapped__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__name__", "__qualname__"):
            raise AttributeError(name)  # how it is copied and pickled is its own affair
        return getattr(self.__func__, name)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundVectorized)
            and self.__func__ is other.__func__
            and self.__self__ is other.__self__
        )

    def __hash__(self) -> int:
        return hash((id(self.__func__), id(self.__self__)))

    def __repr__(self) -> str:
        return f"<bound {self.__func__!r} of {self.__self__!r}>"

    def __reduce__(self) -> Any:
        return getattr, (self.__self__, self.__func__.__name__)

    __doc__ = property(lambda self: self.__func__.__doc__)


def _keywords_as_positions(engine: Engine) -> tuple[str, ...] | None:
    """The parameters whose arguments mean the same by keyword as by position, from the first on.

    With vmap they do not: in_axes speaks of positions, and keywords are mapped on axis 0.
    """
    target = engine.target
    if target.function is None or target.preset or not isinstance(engine.mode, Elements):
        return None
    parameters = Parameters.of(target.function)
    if parameters.positional_only:
        return None
    return parameters.positional[len(target.lead) :]


def _positional(
    names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The call with its keywords as positions, where they follow without a gap."""
    following = names[len(args) : len(args) + len(kwargs)]
    if len(following) == len(kwargs) and all(name in kwargs for name in following):
        return (*args, *(kwargs[name] for name in following)), {}
    return args, kwargs


def _take_names(vectorized: Vectorized, original: Any, function: Any) -> None:
    """Name, doc and signature of what was vectorized."""
    for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
        value = getattr(original, attribute, None)
        if value is None or (attribute == "__doc__" and not _documented(original)):
            value = getattr(function, attribute, None)
        if value is None and attribute in ("__name__", "__qualname__"):
            value = type(original).__name__
        setattr(vectorized, attribute, value)
    if isinstance(original, types.FunctionType):
        taken = {*vars(vectorized), *dir(type(vectorized))}
        vars(vectorized).update({k: v for k, v in vars(original).items() if k not in taken})
    with contextlib.suppress(TypeError, ValueError):  # some builtins have none
        vectorized.__signature__ = inspect.signature(original)  # type: ignore[attr-defined]


def _documented(original: Any) -> bool:
    """Whether a docstring is the object's own; that of a partial is its class's."""
    return getattr(type(original), "__doc__", None) is not original.__doc__


def _global(module: str | None, qualname: str) -> object:
    """What stands under a dotted name in a module, or None."""
    found: Any = sys.modules.get(module or "")
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return found
