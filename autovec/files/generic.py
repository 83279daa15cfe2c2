"""Array samples of a file: one text for arrays of every length, and of every dtype not declared.

The compiler knows the shape and the dtype of every array.  A file only says how many axes a sample
has.  So the function is compiled for several lengths and dtypes, and if all the texts are one, that
is the text.  Where the lengths decide what is written (a loop over a sample of four that is written
out), there is none.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autovec import pipeline
from autovec.emit.printer import to_text
from autovec.errors import Unsupported
from autovec.program.facts import Varying
from autovec.program.unknown import UNDECLARED

#: lengths of the first, second, ... dimension: all apart, few, one, more than is ever written out
_LENGTHS = ((7, 11, 13, 17, 19), (3, 2, 5, 4, 6), (1, 1, 1, 1, 1), (400, 401, 402, 403, 404))
_DTYPES = tuple(np.dtype(code) for code in ("f8", "i8", "f4", "i4", "u1"))
#: more combinations of dtypes than this are not tried
_MOST = 64

Params = Mapping[str, Any]
Dims = Mapping[str, tuple[str, ...]]


def compiled(
    function: types.FunctionType, params: Params, dims: Dims, options: pipeline.Options
) -> pipeline.Specialisation:
    """The function compiled for arrays of any length; raises Unsupported where no text fits all."""
    first: pipeline.Specialisation | None = None
    text = ""
    for what, trial in trials(params, dims):
        found = pipeline.specialise(function, trial, options)
        if found.fallbacks or found.parts is None:
            return found
        if first is None:
            first, text = found, written(found)
        elif written(found) != text:
            names = [*dims] if what == "lengths" else unsaid(params)
            known = 'np.ndarray, "3"' if what == "lengths" else 'NDArray[np.float64], "n"'
            raise Unsupported(
                None,
                f"the {what} of {', '.join(names)} decide the text",
                f"the {what} are not declared",
                f"declare them, as in {names[0]}: Annotated[{known}], or call autovec.vmap",
            )
    assert first is not None
    return first


def written(made: pipeline.Specialisation) -> str:
    """The text in full."""
    parts = made.parts
    assert parts is not None
    twins = (t.tree for t in parts.twins)
    return to_text([*parts.imports, *parts.helpers, *twins, parts.main])


def trials(params: Params, dims: Dims) -> Iterator[tuple[str, dict[str, Any]]]:
    """The facts to compile for, and what differs from the first ones.

    >>> from autovec.program.facts import UNKNOWN
    >>> x = Varying(np.dtype("f8"), (UNKNOWN, UNKNOWN))
    >>> [trial["x"].shape for _, trial in trials({"x": x}, {"x": ("n", "3")})]
    [(7, 3), (3, 3), (1, 3), (400, 3)]
    """
    named = sorted({d for own in dims.values() for d in own if d != "_" and not d.isdigit()})
    open_ = unsaid(params)
    first = dict.fromkeys(open_, _DTYPES[0])
    for lengths in _LENGTHS:
        if len(lengths) >= len(named):
            named_lengths = dict(zip(named, lengths, strict=False))
            yield "lengths", dict(_with(params, dims, named_lengths, first))
    choices = itertools.product(_DTYPES, repeat=len(open_))
    known = dict(zip(named, _LENGTHS[0], strict=False))
    for dtypes in itertools.islice(choices, 1, _MOST):
        chosen = dict(zip(open_, dtypes, strict=True))
        yield "dtypes", dict(_with(params, dims, known, chosen))


def unsaid(params: Params) -> list[str]:
    """The parameters whose dtype nothing declares."""
    return [n for n, f in params.items() if isinstance(f, Varying) and f.dtype == UNDECLARED]


def _with(
    params: Params, dims: Dims, lengths: Mapping[str, int], dtypes: Mapping[str, np.dtype[Any]]
) -> Iterator[tuple[str, Any]]:
    """The parameters with these lengths and dtypes; a dimension without a name is like no other."""
    others = itertools.count(23)
    for name, fact in params.items():
        if not isinstance(fact, Varying):
            yield name, fact
            continue
        shape = (
            int(d) if d.isdigit() else lengths[d] if d in lengths else next(others)
            for d in dims.get(name, ())
        )
        yield name, Varying(dtypes.get(name, fact.dtype), tuple(shape), fact.holds)
