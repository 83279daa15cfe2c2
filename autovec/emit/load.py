"""Turn emitted text into a function that ``inspect``, tracebacks and pdb can show.

The text is executed in a namespace of its own, so nothing is ever written into the user's
globals, and its lines are kept in :mod:`linecache` for as long as the function lives.
"""

import itertools
import linecache
import types
import weakref
from collections.abc import Callable

_COUNT = itertools.count(1)


class _World(dict[str, object]):
    """The text's own globals; other names are looked up where the user's function would."""

    def __init__(self, namespace: dict[str, object], live: Callable[[str], object] | None) -> None:
        super().__init__(namespace)
        self._live = live

    def __missing__(self, name: str) -> object:
        if self._live is None:
            raise KeyError(name)
        return self._live(name)


def load(
    text: str,
    name: str,
    namespace: dict[str, object],
    filename_hint: str,
    live: Callable[[str], object] | None = None,
) -> types.FunctionType:
    """The function `name` that the module text `text` defines.

    `namespace` holds the objects the text refers to without defining them; it is copied, never
    written. `live` finds every other name at each look-up, KeyError saying that it is a builtin.
    `filename_hint` is what a traceback shows, with a number that keeps two loaded texts apart.

    >>> import inspect
    >>> scale = load("def scale(x):\\n    return x * k\\n", "scale", {"k": 2}, "scale")
    >>> scale(21)
    42
    >>> print(inspect.getsource(scale), end="")
    def scale(x):
        return x * k
    """
    filename = f"<autovec {filename_hint} {next(_COUNT)}>"
    # Without a time stamp the entry survives linecache.checkcache, which tracebacks call.
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    try:
        own = _World({"__name__": "autovec.emitted", **namespace}, live)
        exec(compile(text, filename, "exec", dont_inherit=True), own)
        function = own[name]
        if not isinstance(function, types.FunctionType):
            kind = type(function).__name__
            raise TypeError(f"the text defines {name} as a {kind}, not a function")
    except BaseException:
        linecache.cache.pop(filename, None)
        raise
    # The code object, not the function: a copy with other cells shows the same lines.
    weakref.finalize(function.__code__, _forget, filename).atexit = False
    return function


def _forget(filename: str) -> None:
    linecache.cache.pop(filename, None)
