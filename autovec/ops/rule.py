"""What autovec knows of one operation: a line of data.

A rule holds the batched NumPy text of an operation, and the facts that a compiler needs to place
it: is it
defined everywhere, what does it cost, when would Python raise.  Tables of rules read like a
textbook page:

    >>> import math
    >>> sqrt = rule("math.sqrt", "x", "np.sqrt(x)", cost=2, accepts="biuf?",
    ...             raises=[fails("x < 0", math.sqrt, -1.5)], examples=[(4.0,), (0.25,)])
    >>> sqrt.params, sqrt.text_for("f")
    (('x',), 'np.sqrt(x)')
    >>> sqrt.raises[0].error, sqrt.raises[0].always
    ('ValueError', False)

Kinds.  The operands' dtypes enter as a string of NumPy's kind letters, one an operand, ``?``
where the dtype is not known.  ``by_kind`` is keyed by patterns of them, first match first: a
letter is itself, ``I`` is any integer of Python's (b, i or u), ``N`` any real number (b, i, u or
f), ``*`` anything, ``?`` only the unknown; a short pattern constrains the first operands only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

#: the name of the operation's own result in a predicate with ``after=True``
RESULT = "result"
REAL = "biuf?"
INTEGER = "biu?"
NUMBER = "biufc?"
ANYTHING = "biufcU?"

_CLASSES = {"I": "biu", "N": "biuf", "*": "biufcUSOMmV?"}
#: a whole text that is a cast, and the dtypes of which a cast may be left out
_CAST = re.compile(r"(\w+)\.astype\((\S+)\)")
_DTYPES = {name: np.dtype(name) for name in ("bool", "int", "float", "complex")} | {
    f"np.{name}": np.dtype(name) for name in ("float32", "float16", "complex64", "uint64")
}


@dataclass(frozen=True, slots=True)
class Raises:
    """An exception that Python's own operation raises for some lanes.

    ``when`` is a batched predicate over the parameters (and ``result``, if ``after``).
    ``always``: the lane must raise in any context (``int(nan)``); otherwise NumPy's inf or nan
    stands in, and the exception matters only inside a ``try`` that names it.  ``in_text``: the
    batched text raises it by itself, so no check is needed.  ``{x}`` in ``message`` stands for
    the lane's own value of ``x``.
    """

    error: str
    when: str
    message: str
    always: bool = False
    after: bool = False
    in_text: bool = False
    kinds: tuple[str, ...] = ("*",)


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One operation; see the module's page for kinds and the constructor :func:`rule`.

    text:       batched NumPy over the parameters; None is the call as the user wrote it
    by_kind:    texts that override it for some kinds; by_uniform: for parameters that are uniform
    exact:      texts that compare a 64-bit integer with a float as exactly as Python does (plain
                text is right when either side is known to be below 2**53)
    dtype:      a hint for unknown operands; for known ones the text is evaluated on one element
    total:      no warning and no exception for any input (overflow of ``+ - *`` aside)
    cost:       nanoseconds an element
    fixed:      parameters that must be uniform; sequences: parameters that take a list of values
    number:     is the loop's result a Python or a NumPy number, or whichever the operands are
    float_args: operands of bool and small integer dtypes become float first, as
                np.sin(int8) would be float16
    fresh:      the result never shares memory with an operand
    outputs:    the length of the result tuple, 1 for a plain result
    accepts:    the kinds of operands it is defined for; Python raises TypeError for others
    attribute:  written without a call (``x.real``)
    imports:    statements that the text needs besides ``import numpy as np``
    note:       a comment for the emitted line
    fold:       the operation of two arguments, which any number of arguments repeats
    examples:   arguments for the sweep over the table
    """

    name: str
    params: tuple[str, ...]
    defaults: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None
    by_kind: Mapping[str, str] = field(default_factory=dict)
    by_uniform: Mapping[str, str] = field(default_factory=dict)
    exact: Mapping[str, str] = field(default_factory=dict)
    dtype: Literal["float", "same", "bool", "int", "complex", "first"] = "float"
    total: bool = False
    cost: float = 1.0
    raises: tuple[Raises, ...] = ()
    fixed: tuple[str, ...] = ()
    sequences: tuple[str, ...] = ()
    keyword_only: tuple[str, ...] = ()
    number: Literal["python", "numpy", "operands"] = "python"
    float_args: bool = False
    fresh: bool = True
    outputs: int = 1
    accepts: str = NUMBER
    attribute: bool = False
    imports: tuple[str, ...] = ()
    note: str = ""
    fold: bool = False
    examples: tuple[tuple[Any, ...], ...] = ()

    @property
    def required(self) -> int:
        """How many parameters have no default."""
        return len(self.params) - len(self.defaults)

    def supports(self, kinds: str) -> bool:
        """Is the operation defined for operands of these kinds?"""
        return all(kind in self.accepts for kind in kinds)

    def text_for(
        self,
        kinds: str,
        dtypes: Sequence[np.dtype[Any] | None] = (),
        uniform: Iterable[str] = (),
        exact: bool = False,
    ) -> str | None:
        """The batched text for operands of these kinds; None is the call as the user wrote it.

        With ``dtypes`` (None where unknown) a cast that changes nothing is left out.

        >>> to_float = rule("float", "x", "x.astype(float)", examples=[(1,)])
        >>> to_float.text_for("f", [np.dtype("float32")]), to_float.text_for("f", [np.dtype(float)])
        ('x.astype(float)', 'x')
        """
        text = _first(self.exact, kinds) if exact else None
        if text is None:
            text = self._uniform_text(set(uniform))
        if text is None:
            text = _first(self.by_kind, kinds)
        if text is None:
            text = self.text
        cast = _CAST.fullmatch(text or "")
        if dtypes and cast and cast[2] in _DTYPES:
            dtype = dtypes[self.params.index(cast[1])]
            return cast[1] if dtype is not None and dtype == _DTYPES[cast[2]] else text
        return text

    def _uniform_text(self, uniform: set[str]) -> str | None:
        for params in sorted(self.by_uniform, key=len, reverse=True):
            if uniform.issuperset(params.split()):
                return self.by_uniform[params]
        return None

    def raises_for(self, kinds: str) -> tuple[Raises, ...]:
        """The exceptions that Python raises for operands of these kinds."""
        return tuple(r for r in self.raises if any(matches(p, kinds) for p in r.kinds))

    def is_fresh(self, text: str | None) -> bool:
        """Does the result of this text (of :meth:`text_for`) share no memory with an operand?"""
        return self.fresh and text not in self.params


def matches(pattern: str, kinds: str) -> bool:
    """Does a pattern of kinds fit these operands?

    >>> matches("II", "bi"), matches("f", "fi"), matches("*f", "if"), matches("II", "i?")
    (True, True, True, False)
    """
    return len(pattern) <= max(len(kinds), 1) and all(
        kind in _CLASSES.get(want, want) for want, kind in zip(pattern, kinds, strict=False)
    )


def _first(table: Mapping[str, str], kinds: str) -> str | None:
    return next((text for pattern, text in table.items() if matches(pattern, kinds)), None)


def rule(
    name: str,
    signature: str,
    text: str | None = None,
    *,
    raises: Iterable[Raises | None] = (),
    fixed: str = "",
    sequences: str = "",
    examples: Iterable[tuple[Any, ...]] = (),
    **facts: Any,
) -> Rule:
    """A rule from a signature as one writes it: ``"x, base"``, ``"a, *, tol=1e-9"``.

    >>> r = rule("f", "a, b, *, rel_tol=1e-09", "np.isclose(a, b, rel_tol)", fixed="rel_tol")
    >>> r.params, r.defaults, r.keyword_only, r.fixed
    (('a', 'b', 'rel_tol'), {'rel_tol': '1e-09'}, ('rel_tol',), ('rel_tol',))
    """
    keywords = signature.partition("*,")[2]
    pieces = [piece.strip() for piece in signature.replace("*,", "").split(",") if piece.strip()]
    params = tuple(piece.partition("=")[0] for piece in pieces)
    defaults = {p: d for p, sign, d in (piece.partition("=") for piece in pieces) if sign}
    return Rule(
        name,
        params,
        defaults,
        text,
        raises=tuple(_named(r, params) for r in raises if r),
        fixed=tuple(fixed.split()),
        sequences=tuple(sequences.split()),
        keyword_only=tuple(p for p in params if re.search(rf"\b{p}\b", keywords)),
        examples=tuple(examples),
        **facts,
    )


def _named(raises: Raises, params: tuple[str, ...]) -> Raises:
    """Replace the position of an argument in a message by the parameter's name."""
    if "{" not in raises.message:
        return raises
    message = re.sub(r"\{(\d)\}", lambda m: "{" + params[int(m[1])] + "}", raises.message)
    return replace(raises, message=message)


def fails(
    when: str,
    function: Callable[..., Any],
    *arguments: Any,
    kinds: str = "*",
    always: bool = False,
    after: bool = False,
    in_text: bool = False,
) -> Raises | None:
    """An exception of a real call, with the message of the running Python (versions differ).

    None where the running Python accepts the call.

    >>> fails("y == 0", lambda x, y: x // y, 7, 0, always=True).message
    'integer division or modulo by zero'
    >>> fails("x < 0", abs, -3) is None
    True
    """
    try:
        function(*arguments)
    except Exception as error:
        message = str(error)
        for k, argument in enumerate(arguments):
            whole = rf"(?<![\w.]){re.escape(repr(argument))}(?![\w.])"
            message = re.sub(whole, f"{{{k}}}", message)
        return Raises(
            type(error).__name__, when, message, always, after, in_text, tuple(kinds.split())
        )
    return None


def refuses(
    when: str, function: Callable[..., Any], *arguments: Any, kinds: str = "*"
) -> Raises | None:
    """An exception that the batched text raises by itself, for any live lane.

    >>> import math
    >>> refuses("n < 0", math.factorial, -3).always
    True
    """
    return fails(when, function, *arguments, kinds=kinds, always=True, in_text=True)
