"""One function with its options: compile for the facts of a call, run, replay, loop."""

from __future__ import annotations

import functools
import threading
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from autovec import tree
from autovec.errors import AutovecError, SourceNotFound
from autovec.ops.prelude import NEGATIVE_POWER
from autovec.run import notices
from autovec.run.cache import REGISTRY, CacheInfo, Entry, Refusal
from autovec.run.columns import unrepeated
from autovec.run.declared import declared
from autovec.run.lanes import Lanes
from autovec.run.levels import flat_text
from autovec.run.loop import only_none, run_loop
from autovec.run.outputs import Outputs
from autovec.run.ownership import entangled, owned
from autovec.run.prepare import Call, Mode, prepare
from autovec.run.replay import in_chunks, outgrown, replay
from autovec.run.tables import Table, passed
from autovec.run.target import Target

if TYPE_CHECKING:
    from autovec.pipeline import Specialisation


Fallback = Literal["warn", "silent", "error"]
Errors = Literal["numpy", "raise"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a vectorized function that its text or its way of running depends on."""

    fallback: Fallback = "warn"
    exact: bool = False
    name: str | None = None
    errors: Errors = "numpy"
    chunk_size: int | None = None
    randomness: str = "different"


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A specialisation bound to this very function, its cells and globals."""

    entry: Entry
    text: Callable[..., Any]


class Engine:
    """Compiles and runs the calls of one vectorized function."""

    def __init__(self, target: Target, mode: Mode, outputs: Outputs, settings: Settings) -> None:
        self.target = target
        self.mode = mode
        self.outputs = outputs
        self.settings = settings
        self.hits = 0
        self.misses = 0
        self._ready: dict[object, list[Ready]] = {}
        self._looped: set[object] = set()  # places of whole-function loops that were warned of
        self._lock = threading.Lock()

    # -------------------------------------------------------------- compiling

    def prepare(
        self, lead: tuple[object, ...], args: Sequence[object], kwargs: Mapping[str, object]
    ) -> Call:
        return prepare(self.target, self.mode, lead, args, kwargs)

    def ready(self, call: Call) -> Ready:
        """The bound text for a call, compiled where this is the first of its kind."""
        arguments = call.arguments_by_name()
        key = (id(call.function), call.layout, call.key())  # the target keeps its functions alive
        known = self._ready.get(key, [])
        for ready in known:
            if ready.entry.specialisation.still_valid(call.function, arguments):
                with self._lock:
                    self.hits += 1
                return ready
        entry, hit = self._find(call, arguments)
        with self._lock:
            self.hits += hit
            self.misses += not hit
        ready = Ready(entry, _bound(entry, call.function))
        self._ready[key] = [*known[-15:], ready]
        return ready

    def _find(self, call: Call, arguments: dict[str, object]) -> tuple[Entry, bool]:
        layout = call.layout or self.mode.layout
        levels = len(call.shape) if call.arguments.flat and call.repeats() else 1
        key = (layout, self.settings, levels, call.key())
        return REGISTRY.find(
            call.function,
            key,
            arguments,
            lambda: self.compile(call.function, call.params(), layout, levels),
        )

    def compile(
        self,
        function: types.FunctionType,
        params: dict[str, Any],
        layout: Literal["broadcast", "lanes"],
        levels: int = 1,
    ) -> Specialisation | Refusal:
        """The text for some facts, or a refusal that lets the visible loop run."""
        from autovec import pipeline  # the compiler is loaded when there is something to compile

        options = pipeline.Options(
            layout=layout,
            fallback=self.settings.fallback,
            exact=self.settings.exact,
            raises=self.settings.errors == "raise",
            name=self.settings.name,
            levels=levels,
            stores=type(self.mode) is Lanes,
        )
        try:
            return pipeline.specialise(function, params, options)
        except SourceNotFound as error:
            return Refusal(notices.without_source(function, error), SourceNotFound)
        except AutovecError:
            raise
        except Exception as error:
            # A bug of ours must not stop the user's program, nor be hidden from anybody.
            why = f"autovec failed, which is a bug: {type(error).__name__}: {error}"
            return Refusal(notices.whole_function(function, why), AutovecError)

    def declared(self, lead: tuple[object, ...]) -> Specialisation:
        """What the compiler makes of what annotations and defaults say."""
        function = self.target.function
        if function is None:
            raise AutovecError(
                "the text of an operation depends on its arguments: call it, or use .emit(...)"
            )
        params = declared(self.target, function, lead, self.mode)
        return _made(self.compile(function, params, self.mode.layout))

    def specialisation(self, call: Call) -> Specialisation:
        """What the compiler made for a call."""
        if call.function is None:
            raise SourceNotFound(f"{self.target.original!r} has no Python source and no rule")
        why = self.why_loop(call)
        if why:
            raise AutovecError(f"there is no text for this call, only the loop can run it: {why}")
        found = self._find(call, call.arguments_by_name())[0].specialisation
        return _made(found)

    def text_of(self, ready: Ready, call: Call) -> Callable[[], str] | None:
        """What shows the text of a call when it is asked; None where there is no text."""
        specialisation = ready.entry.specialisation
        if isinstance(specialisation, Refusal):
            return None
        return functools.partial(specialisation.text_for, call.function)

    # -------------------------------------------------------------- running

    def run(self, call: Call, ready: Ready | None) -> Any:
        """The result of a call as its caller gets it."""
        if call.arguments.plain:
            args, keywords = call.values()
            return self.target.callee(*args, **keywords)
        result = self._loop(call, None) if ready is None else self._compiled(call, ready)
        result = self.outputs.finish(_scalar(result, call), call)
        if call.arguments.wrap is not None:
            result = tree.map_leaves(call.arguments.wrap, result)
        if ready is not None and type(ready.entry.specialisation.result) is tree.Frame:
            result = tree.Frame(result)
        return call.arguments.labels.wrap(result)

    def empty(self, call: Call) -> Any:
        """The result for no lanes of which nothing is known."""
        result = self.outputs.finish(self.outputs.empty(call), call)
        return call.arguments.labels.wrap(result)

    def why_loop(self, call: Call) -> str:
        """Why a call cannot be compiled at all, or nothing."""
        if call.function is None:
            return "it has no Python source and no rule"
        return call.looped()

    def _compiled(self, call: Call, ready: Ready) -> Any:
        specialisation = ready.entry.specialisation
        notices.announce(specialisation.fallbacks, self.settings.fallback, ready.entry.warned)
        if specialisation.result is None and specialisation.fallbacks:
            return self._loop(call, announced=True)
        if not self.outputs.fits(specialisation.result):
            return self._loop(call, "its results are no arrays of the signature's dimensions")
        if self.outputs.keeps_objects and not isinstance(specialisation.result, np.dtype):
            return self._loop(call, "otypes=[object] keeps what each sample returns as it is")
        if not isinstance(specialisation, Refusal):
            self.outputs.accept(specialisation.mapped)
            if specialisation.stores:
                return self._storing(call, ready, specialisation.stores)
        try:
            result = self._text(ready, call)
        except Exception as problem:
            error = problem
        else:
            if result is None and call.size == 0 and not only_none(call.function):
                return self.outputs.empty(call)  # every lane would raise
            return owned(result, arrays_of(call))
        if call.size == 0:
            return self._empty(call, specialisation)
        if isinstance(error, RecursionError):  # the loop's own limit counts, not that of the text
            results = run_loop(self.target.callee, call, self.settings.randomness)
            self._announce("the text recurses deeper than Python allows")
            return self.outputs.from_samples(results, call)
        if not outgrown(error):
            result, failure = replay(flat_text(ready.text, call, levels_of(ready)), call, error)
            if failure is None:
                return result
            if not outgrown(failure):
                raise failure
            error = failure
        power = str(error) == NEGATIVE_POWER
        grows = "an integer grows beyond 64 bits: the loop keeps it exact"
        return self._loop(call, NEGATIVE_POWER if power else grows)

    def _storing(self, call: Call, ready: Ready, names: tuple[str, ...]) -> Any:
        """The results of text that changes arguments: where these are apart, lane after lane."""
        changed = [call.bound[name] for name in names]
        why = entangled(changed, arrays_of(call))
        if why:
            return self._loop(call, why)
        kept = [item.array.copy() for item in changed]
        try:
            return owned(self._text(ready, call), arrays_of(call))
        except Exception:
            for item, array in zip(changed, kept, strict=True):
                item.array[...] = array
        results = run_loop(self.target.callee, call, self.settings.randomness)
        return self.outputs.from_samples(results, call)

    def _text(self, ready: Ready, call: Call) -> Any:
        """The results of the text, for as many lanes at a time as the user wants."""
        most = self.settings.chunk_size
        if most is not None and call.size > most and call.columns:
            return in_chunks(flat_text(ready.text, call, levels_of(ready)), call, most)
        shape = call.shape
        if levels_of(ready) > 1:
            args, keywords = call.laid_out(lambda c: unrepeated(c.array, c.rank))
            result = ready.text(*args, **keywords)
            return tree.map_leaves(
                lambda leaf: np.broadcast_to(leaf, shape + leaf.shape[len(shape) :]), result
            )
        args, keywords = call.values()
        result = ready.text(*args, **keywords)
        if call.arguments.flat and result is not None:
            result = tree.map_leaves(lambda leaf: leaf.reshape(shape + leaf.shape[1:]), result)
        return result

    def _loop(self, call: Call, why: str | None = None, announced: bool = False) -> Any:
        """The visible loop over the user's own function."""
        if call.columns and not announced:
            self._announce(self.why_loop(call) if why is None else why)
        if call.size == 0:
            return self.outputs.empty(call)
        results = run_loop(self.target.callee, call, self.settings.randomness)
        if all(result is None for result in results) and not only_none(self.target.function):
            return np.full(call.shape, None, dtype=object)  # other lanes would return a value
        return self.outputs.from_samples(results, call)

    def _announce(self, why: str) -> None:
        problem = notices.whole_function(self.target.function, why)
        notices.announce([problem], self.settings.fallback, self._looped)

    def _empty(self, call: Call, specialisation: Specialisation | Refusal) -> Any:
        if specialisation.result is None:
            return self.outputs.empty(call)
        return tree.map_leaves(lambda dtype: np.empty(call.shape, dtype), specialisation.result)

    # -------------------------------------------------------------- the cache

    def cache_info(self) -> CacheInfo:
        return CacheInfo(self.hits, self.misses, sum(map(len, list(self._ready.values()))))

    def cache_clear(self) -> None:
        self._ready.clear()
        self.hits = self.misses = 0
        for function in self.target.functions():
            REGISTRY.clear(function)


def levels_of(ready: Ready) -> int:
    """How many lane axes the text's arguments have."""
    return getattr(ready.entry.specialisation, "levels", 1)


def arrays_of(call: Call) -> Iterator[object]:
    """The arrays that emitted text is given."""
    for item in (*call.positional, *call.keywords.values()):
        if isinstance(item, Table):
            for column in item.columns():
                yield column.array
        else:
            yield passed(item)


def _made(found: Specialisation | Refusal) -> Specialisation:
    if isinstance(found, Refusal):
        raise found.error()
    return found


def _bound(entry: Entry, function: types.FunctionType) -> Callable[..., Any]:
    text = entry.bound.get(function)
    if text is None:
        text = entry.specialisation.bind(function)
        if text is not function:  # which would keep itself alive
            entry.bound[function] = text
    if not entry.specialisation.quiet:
        return text

    def quiet(*args: object, **keywords: object) -> Any:
        # Lanes not taken may overflow in text built on np.where.
        with np.errstate(over="ignore", invalid="ignore"):
            return text(*args, **keywords)

    return quiet


def _scalar(result: Any, call: Call) -> Any:
    """The one lane of a call with scalars only, without its axis."""
    if not call.arguments.promoted or not call.shape:
        return result
    return tree.map_leaves(lambda leaf: leaf.reshape(leaf.shape[1:]), result)
