"""The public functions: each takes a function for one sample and gives one for the whole batch.

What runs them is imported by the first use, so that ``import autovec`` costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from autovec.axes import parse_signature
from autovec.run.udf import Udf

if TYPE_CHECKING:
    from autovec.run.engine import Errors, Fallback, Settings
    from autovec.run.outputs import Outputs
    from autovec.run.prepare import Mode
    from autovec.run.vectorized import Vectorized

_MISSING: Any = object()
_FALLBACKS = ("warn", "silent", "error")
_ERRORS = ("numpy", "raise")


def vectorize(
    pyfunc: Any = _MISSING,
    otypes: str | Iterable[object] | None = None,
    doc: str | None = None,
    excluded: Iterable[str | int] | None = None,
    cache: bool = False,
    signature: str | None = None,
    *,
    fallback: Fallback = "warn",
    exact: bool = False,
    errors: Errors = "numpy",
    name: str | None = None,
) -> Any:
    """Let a function of scalars take arrays of any shapes that broadcast.

    A drop-in for ``np.vectorize``, except that nothing is called once per element: the function's
    source is rewritten to NumPy, compiled once for each combination of dtypes, and shown by
    ``.source``. The plain loop over elements is the law: each element of the result is what the
    function returns for that element, and the dtype is the one that holds every return value.

    Parameters
    ----------
    pyfunc
        A function, method, ``functools.partial`` or an operation such as ``np.hypot``. Left out,
        the result is a decorator.
    otypes
        Dtypes of the results, one for each, as np.vectorize takes them: ``"df"`` or a list.
    doc
        A docstring in place of the function's own.
    excluded
        Names and positions of arguments that are handed over whole. Other arguments are varying
        if they are arrays, lists or Series, and uniform if they are scalars.
    cache
        Accepted for np.vectorize's sake: nothing is evaluated twice.
    signature
        Core dimensions of arguments and results, ``"(m,n),(n)->(m)"``.
    fallback
        What happens where something has to run as a loop over samples: ``"warn"`` (a
        :class:`FallbackWarning`), ``"silent"`` or ``"error"`` (a :class:`FallbackError`).
    exact
        Keep the loop's own rounding where it can be kept, and loop where it cannot.
    errors
        What a division by zero, an argument that a function of ``math`` is not defined for, or an
        overflow gives: ``"numpy"``, inf or nan, or ``"raise"``, Python's exception.
    name
        The name of the emitted function.

    >>> import numpy as np
    >>> @vectorize
    ... def clipped(x, limit):
    ...     if x > limit:
    ...         return limit
    ...     return x
    >>> clipped(np.array([1.0, 5.0, 9.0]), 6.0)
    array([1., 5., 6.])
    >>> clipped([[1], [8]], [3, 4])
    array([[1, 1],
           [3, 4]])
    """
    from autovec.run.elements import Elements
    from autovec.run.outputs import ElementOutputs

    core = None if signature is None else parse_signature(signature)
    excluded = frozenset(excluded or ())
    outputs = ElementOutputs(otypes, core)
    options: dict[str, object] = {
        "otypes": outputs.otypes,
        "doc": doc,
        "excluded": excluded,
        "cache": cache,
        "signature": signature,
        "fallback": fallback,
        "exact": exact,
        "errors": errors,
        "name": name,
    }
    mode = Elements(excluded, core)
    settings = _settings(fallback, exact, name, errors)

    def decorate(function: Any) -> Vectorized:
        return _made(vectorize, function, mode, outputs, settings, options, doc)

    if pyfunc is _MISSING:
        decorate.__pandas_udf__ = Udf(fallback, exact, name)  # type: ignore[attr-defined]
        return decorate
    if not callable(pyfunc) and not isinstance(pyfunc, classmethod):
        raise TypeError("When used as a decorator, vectorize only accepts keyword arguments.")
    return decorate(pyfunc)


def vmap(
    fun: Any = _MISSING,
    in_axes: object = 0,
    out_axes: object = 0,
    axis_name: object = None,
    axis_size: int | None = None,
    *,
    kw_axes: object = None,
    chunk_size: int | None = None,
    randomness: str = "different",
    fallback: Fallback = "warn",
    exact: bool = False,
    errors: Errors = "numpy",
    name: str | None = None,
) -> Any:
    """Let a function of one sample take arrays with one sample at each position of an axis.

    ``vmap(f)(X)[i]`` is ``f(X[i])``: value, shape, dtype, structure and exception.

    Parameters
    ----------
    fun
        The function for one sample. Left out, the result is a decorator.
    in_axes
        Which axis of each positional argument holds the samples: one int for all, or a tuple with
        one entry an argument, or a dict by parameter name (names left out are 0). An entry is an
        int, None (the argument is the same for every sample), or a container of entries that is a
        prefix of the argument. Keyword arguments are mapped along axis 0.
    out_axes
        Where the samples' axis stands in the results; None for a result that is the same for all.
    axis_name
        Accepted for jax.vmap's sake: there are no collective operations to name it in.
    axis_size
        The number of samples, needed where no argument is mapped.
    kw_axes
        The entries of keyword arguments: a dict by name (names left out are 0), or one for all.
    chunk_size
        Run the text for at most so many samples at a time: the same results with less memory.
    randomness
        What random draws of the function give: ``"different"`` draws for each sample, as in the
        loop, the ``"same"`` for all, or an ``"error"`` (a RuntimeError).
    fallback, exact, errors, name
        As for :func:`vectorize`.

    >>> import numpy as np
    >>> def interest(amount, rate):
    ...     return amount * rate if amount > 0 else 0.0
    >>> vmap(interest, in_axes=(0, None))(np.array([100.0, -5.0]), 0.03)
    array([3., 0.])
    """
    from autovec.run.lanes import Lanes
    from autovec.run.outputs import LaneOutputs
    from autovec.run.randomness import WAYS

    options: dict[str, object] = {
        "in_axes": in_axes,
        "out_axes": out_axes,
        "axis_name": axis_name,
        "axis_size": axis_size,
        "kw_axes": kw_axes,
        "chunk_size": chunk_size,
        "randomness": randomness,
        "fallback": fallback,
        "exact": exact,
        "errors": errors,
        "name": name,
    }
    if chunk_size is not None and (not isinstance(chunk_size, int) or chunk_size < 1):
        raise ValueError(f"chunk_size must be a positive int or None, got {chunk_size!r}")
    if randomness not in WAYS:
        raise ValueError(f"randomness must be one of {', '.join(WAYS)}, got {randomness!r}")
    mode = Lanes(in_axes, axis_size, kw_axes)
    outputs = LaneOutputs(out_axes)
    settings = _settings(fallback, exact, name, errors)
    settings = replace(settings, chunk_size=chunk_size, randomness=randomness)

    def decorate(function: Any) -> Vectorized:
        return _made(vmap, function, mode, outputs, settings, options, None)

    if fun is _MISSING:
        decorate.__pandas_udf__ = Udf(fallback, exact, name)  # type: ignore[attr-defined]
        return decorate
    if not callable(fun) and not isinstance(fun, classmethod):
        raise TypeError(f"vmap takes a function, got {fun!r}")
    return decorate(fun)


def lift(
    fun: Any = _MISSING,
    *,
    fallback: Literal["loop", "error"] = "loop",
    exact: bool = False,
    name: str | None = None,
) -> Any:
    """Turn the loops over elements inside a function into NumPy array operations.

    The function keeps its meaning: what it returns and what it does to its arguments. A loop that
    is not certain to mean the same stays as it is written; where arguments might share memory, or
    a subscript might not be inside of its array, the text asks, and runs the loop then.

    Parameters
    ----------
    fun
        The function. Left out, the result is a decorator.
    fallback
        What happens with a loop that cannot be lifted: ``"loop"`` leaves it, ``"error"`` raises
        :class:`NotLiftable` at once, with the place and what forbids it.
    exact
        A loop that would become ``np.sum``, ``@`` or the like, which add in another order, stays.
    name
        The name of the emitted function.

    >>> import numpy as np
    >>> @lift
    ... def smooth(x):
    ...     out = x.copy()
    ...     for i in range(1, len(x) - 1):
    ...         out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    ...     return out
    >>> smooth(np.array([0.0, 3.0, 6.0, 0.0]))
    array([0., 3., 3., 0.])
    >>> print(smooth.source)
    def smooth(x):
        out = x.copy()
        out[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
        return out
    <BLANKLINE>
    """
    from autovec.run.lifted import Lifted

    if fallback not in ("loop", "error"):
        raise ValueError(f"fallback must be one of loop, error, got {fallback!r}")
    if name is not None and not name.isidentifier():
        raise ValueError(f"name must be an identifier, got {name!r}")

    def decorate(function: Any) -> Lifted:
        return Lifted(function, fallback, name, exact)

    if fun is _MISSING:
        return decorate
    if not callable(fun):
        raise TypeError(f"lift takes a function, got {fun!r}")
    return decorate(fun)


def jit(fun: Any) -> Any:
    """``jax.jit``: a function lifted, for NumPy has nothing else to compile ahead.

    One that is batched already is given back; ``vmap(jit(f))`` is ``jit(vmap(f))``.

    >>> import numpy as np
    >>> vmap(jit(lambda x: x.sum()))(np.array([[3.0, 4.0], [6.0, 8.0]]))
    array([ 7., 14.])
    """
    from autovec.run.lifted import Lifted
    from autovec.run.vectorized import Vectorized

    if isinstance(fun, (Lifted, Vectorized)):
        return fun
    return lift(fun)


def vectorized_map(
    fn: Callable[[Any], Any],
    elems: Any,
    fallback_to_while_loop: bool = True,
    warn: bool = True,
) -> Any:
    """``tf.vectorized_map``: a function of one argument, over the first axis of each array in it.

    An array of length one stands for all samples beside longer ones.

    Parameters
    ----------
    fn
        The function for one sample, which has the structure of `elems`.
    elems
        An array, or a tree of arrays of as many samples.
    fallback_to_while_loop
        Whether what cannot be vectorised may loop; else it is a :class:`FallbackError`.
    warn
        Whether such a loop is announced.

    >>> import numpy as np
    >>> vectorized_map(lambda t: t[0] * t[1], (np.array([1.0, 2.0]), np.array([10.0])))
    array([10., 20.])
    """
    from autovec.run.elems import mapped

    entry, arrays = mapped(elems)
    fallback: Fallback = "warn" if warn else "silent"
    if not fallback_to_while_loop:
        fallback = "error"
    return vmap(fn, in_axes=(entry,), fallback=fallback)(arrays)


def _settings(fallback: Fallback, exact: bool, name: str | None, errors: Errors) -> Settings:
    from autovec.run.engine import Settings

    if fallback not in _FALLBACKS:
        raise ValueError(f"fallback must be one of {', '.join(_FALLBACKS)}, got {fallback!r}")
    if name is not None and not name.isidentifier():
        raise ValueError(f"name must be an identifier, got {name!r}")
    if errors not in _ERRORS:
        raise ValueError(f"errors must be one of {', '.join(_ERRORS)}, got {errors!r}")
    return Settings(fallback, exact, name, errors)


def _made(
    factory: Any,
    function: Any,
    mode: Mode,
    outputs: Outputs,
    settings: Settings,
    options: dict[str, object],
    doc: str | None,
) -> Vectorized:
    from autovec.run.engine import Engine
    from autovec.run.target import resolve
    from autovec.run.vectorized import Vectorized

    if isinstance(function, Vectorized) and factory is vectorize and function.transparent:
        function = function.__wrapped__
    nested = None
    if isinstance(function, Vectorized) and factory is vmap:
        from autovec.run.nested import nest

        nested = nest(function.engine, mode, outputs, settings)
    engine = nested or Engine(resolve(function), mode, outputs, settings)
    return Vectorized(function, engine, doc, (factory, options))


# pandas asks its engines for this: df.apply(f, axis=1, engine=autovec.vectorize)
vectorize.__pandas_udf__ = Udf()  # type: ignore[attr-defined]
vmap.__pandas_udf__ = Udf()  # type: ignore[attr-defined]
