"""The visible loop: the user's own function, called once for every lane, in order."""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterator
from typing import Any

from autovec.run.columns import Column, Item
from autovec.run.prepare import Call
from autovec.run.randomness import Streams
from autovec.run.samplerows import as_result

Sample = tuple[list[object], dict[str, object]]


def samples(call: Call) -> Iterator[Sample]:
    """The arguments of each lane, positional and by keyword."""
    columns = [
        iter(item.samples(call.shape)) if isinstance(item, Column) else None
        for item in (*call.positional, *call.keywords.values())
    ]
    items = [*call.positional, *call.keywords.values()]
    split = len(call.positional)
    for _ in range(call.size):
        values = [
            _uniform(item) if column is None else next(column)
            for item, column in zip(items, columns, strict=True)
        ]
        yield values[:split], dict(zip(call.keywords, values[split:], strict=True))


def _uniform(item: Item) -> object:
    assert not isinstance(item, Column)
    return item.value


def run_loop(callee: Callable[..., Any], call: Call, randomness: str = "different") -> list[object]:
    """The result of every lane; an exception gets a note that names its lane."""
    results = []
    streams = None
    for lane, (args, keywords) in enumerate(samples(call)):
        if randomness != "different":
            streams = streams or Streams(callee, [*args, *keywords.values()])
            streams.rewind()
        try:
            results.append(as_result(callee(*args, **keywords)))
        except Exception as error:
            note_lane(error, call, lane, args, keywords)
            raise
        if randomness == "error" and streams is not None and streams.drawn():
            streams.rewind()
            name = getattr(callee, "__name__", "the function")
            raise RuntimeError(
                f"vmap: {name} draws random numbers, which randomness='error' forbids; "
                "'different' gives each sample draws of its own, 'same' all the same"
            )
    return results


def only_none(function: types.FunctionType | None) -> bool:
    """Whether a function can return nothing but None, by its code.

    >>> only_none(lambda x: None), only_none(lambda x: x if x > 0 else None)
    (True, False)
    """
    if function is None:
        return False
    previous = None
    for step in dis.get_instructions(function):
        if step.opname in ("RETURN_VALUE", "RETURN_CONST"):
            value = step if step.opname == "RETURN_CONST" else previous
            if value is None or value.argval is not None or "CONST" not in value.opname:
                return False
            if value is not step and step.is_jump_target:  # with another value on the stack
                return False
        previous = step
    return True


def note_lane(
    error: BaseException, call: Call, lane: int, args: list[object], keywords: dict[str, object]
) -> None:
    """Add to an exception which lane raised it, and with which varying arguments."""
    items = [*call.positional, *call.keywords.values()]
    shown = [
        f"{item.name}={_short(value)}"
        for item, value in zip(items, [*args, *keywords.values()], strict=True)
        if isinstance(item, Column)
    ]
    where = ", ".join(map(str, _position(lane, call)))
    error.add_note(f"in lane {where} of {call.size}: {', '.join(shown)}")


def _position(lane: int, call: Call) -> tuple[int, ...]:
    position: list[int] = []
    for extent in reversed(call.shape):
        lane, i = divmod(lane, extent)
        position.insert(0, i)
    return tuple(position)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
