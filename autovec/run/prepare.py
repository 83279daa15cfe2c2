"""From the arguments of a call to columns and uniform values, bound to parameters."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from autovec.program.facts import Uniform
from autovec.run.columns import Column, Item, Shape, on_one_axis, unrepeated
from autovec.run.fields import columns_read, reads_fields
from autovec.run.labels import Labels
from autovec.run.tables import Table, fact_of, lanes_only, part_key, passed
from autovec.run.target import (
    Bound,
    Parameters,
    Target,
    bind,
    call_layout,
)


@dataclass(frozen=True, slots=True)
class Names:
    """How the function calls the arguments of a call.

    `given` names the positional ones, `order` says at which position a parameter stands.
    """

    given: Sequence[str]
    order: Mapping[str, int]
    function: types.FunctionType | None = None

    def rows(self, name: str, frame: Any) -> bool:
        """Whether a DataFrame for this parameter is a table of rows."""
        function: Any = self.function  # mypy would take it for a method
        return function is not None and reads_fields(function, name, frame.columns)

    def columns(self, name: str) -> frozenset[object] | None:
        """The columns that the function may read of a row; None: any of them."""
        function: Any = self.function
        return None if function is None else columns_read(function, name)


@dataclass(slots=True, eq=False)
class Arguments:
    """The arguments of one call as a mode reads them, before they are bound."""

    positional: list[Item]
    keywords: dict[str, Item]
    labels: Labels
    shape: Shape = ()  # of the lanes
    sizes: dict[str, int] = field(default_factory=dict)  # of a signature's core dimensions
    loops: str = ""  # why only the loop can run the call
    flat: bool = False  # the lanes' axes are one for the text
    plain: bool = False  # nothing is mapped: np.vectorize calls the function itself
    promoted: bool = False  # only scalars were given: one lane, and 0-d results
    wrap: Callable[[Any], Any] | None = None  # an array result as the arguments' own kind


class Mode(Protocol):
    """How arguments become columns: np.vectorize's way, or vmap's."""

    layout: Literal["broadcast", "lanes"]

    def read(
        self, args: Sequence[object], kwargs: Mapping[str, object], names: Names
    ) -> Arguments: ...

    def maps(self, name: str, position: int | None, count: int) -> bool:
        """Whether an array for this one of `count` positional parameters would be varying."""
        ...


@dataclass(slots=True, eq=False)
class Call:
    """One call: which function, with which items where."""

    function: Any  # a types.FunctionType, which mypy would take for a method; None: unknown
    parameters: Parameters | None
    positional: list[Item]
    keywords: dict[str, Item]
    bound: Bound
    arguments: Arguments

    @property
    def shape(self) -> Shape:
        return self.arguments.shape

    @property
    def columns(self) -> list[Column]:
        items = [*self.positional, *self.keywords.values()]
        return [item for item in items if isinstance(item, Column)]

    @property
    def size(self) -> int:
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    @property
    def of_objects(self) -> bool:
        """Is there an array of objects among the arguments, or of texts, which it may have been?"""
        arrays = (column.array for column in self.columns)
        return any(array is not None and array.dtype.kind in "OU" for array in arrays)

    @property
    def layout(self) -> Literal["broadcast", "lanes"] | None:
        """The layout of the arrays where it is known: rows of one length need no broadcasting."""
        tables = any(isinstance(column, Table) for column in self.columns)
        flat = (one for column in self.columns for one in lanes_only(column, self.shape))
        return "lanes" if tables and all(flat) else None

    def key(self) -> tuple[object, ...]:
        """What the emitted text depends on: facts of the columns, types of the rest.

        Types are held weakly: a method's cache must not keep its own class alive.
        """
        named = [(name, fact_key(item)) for name, item in self.keywords.items()]
        return (*map(fact_key, self.positional), *named)

    def params(self) -> dict[str, Any]:
        """The facts of every parameter, as the compiler wants them."""
        return {name: _mapped(item, fact_of) for name, item in self.bound.items()}

    def values(self) -> tuple[list[object], dict[str, object]]:
        """What emitted text is called with."""
        if self.arguments.flat:
            return self.laid_out(lambda c: on_one_axis(c.array, c.rank))
        keywords = {name: passed(item) for name, item in self.keywords.items()}
        return list(map(passed, self.positional)), keywords

    def repeats(self) -> bool:
        """Is an argument the same along one of several lane axes?"""
        arrays = ((c.array, c.rank) for c in self.columns if c.array is not None)
        return any(unrepeated(array, rank).shape != array.shape for array, rank in arrays)

    def laid_out(self, lay: Callable[[Any], Any]) -> tuple[list[object], dict[str, object]]:
        """The same with the arrays of several lane axes laid out in some way."""
        keywords = {name: _laid(item, lay) for name, item in self.keywords.items()}
        return [_laid(item, lay) for item in self.positional], keywords

    def arguments_by_name(self) -> dict[str, object]:
        """The value of every parameter: arrays where varying."""
        return {name: _mapped(item, passed) for name, item in self.bound.items()}

    def looped(self) -> str:
        """Why only the loop can run this call, or nothing."""
        for column in self.columns:
            if column.loops:
                return f"argument {column.name}: {column.loops}"
        return self.arguments.loops


def fact_key(item: Item) -> object:
    if isinstance(item, Table):
        return part_key(item, fact_key)
    if isinstance(item, Column):
        dtype = None if item.array is None else item.array.dtype
        return (dtype if dtype is None or dtype.kind != "U" else "U", item.core, item.holds)
    return weakref.ref(type(item.value))


def _laid(item: Item, lay: Callable[[Any], Any]) -> Any:
    return lay(item) if isinstance(item, Column) else item.value


def _mapped(item: Any, fn: Any) -> Any:
    if isinstance(item, tuple):
        return tuple(map(fn, item))
    if isinstance(item, dict):
        return {name: fn(value) for name, value in item.items()}
    return fn(item)


def prepare(
    target: Target,
    mode: Mode,
    lead: tuple[object, ...],
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> Call:
    """Classify and bind the arguments of a call; `lead` are those a bound method gives.

    Wrong arguments are refused with the plain function's own TypeError.
    """
    lead = (*target.lead, *lead)
    named = {**target.preset, **kwargs}
    function: types.FunctionType | None = target.function or target.synthesised(
        len(lead) + len(args), tuple(sorted(named))
    )
    parameters = None if function is None else Parameters.of(function)
    names = _names(function, parameters, len(lead), len(args))
    read = mode.read(args, kwargs, names)
    positional = [*map(Uniform, lead), *read.positional]
    keywords = {**{k: Uniform(v) for k, v in target.preset.items()}, **read.keywords}
    if function is None or parameters is None:
        return Call(None, None, positional, keywords, {}, read)
    bound = bind(function, parameters, positional, keywords)
    if bound is None:
        # Python refuses this call before the body runs, and words it better than anyone.
        function(*lead, *args, **named)
        raise TypeError(f"{function.__qualname__}() cannot be called with these arguments")
    positional, keywords = call_layout(parameters, bound)
    return Call(function, parameters, positional, keywords, bound, read)


def _names(
    function: types.FunctionType | None, p: Parameters | None, skipped: int, nargs: int
) -> Names:
    if p is None:
        return Names([f"args[{i}]" for i in range(nargs)], {})
    order = {name: i - skipped for i, name in enumerate(p.positional) if i >= skipped}
    return Names([p.name_of(skipped + i) for i in range(nargs)], order, function)
