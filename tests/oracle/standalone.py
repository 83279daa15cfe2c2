"""An emitted text as a function, loaded as somebody without the package would load it."""

from __future__ import annotations

import builtins
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any


def imports(text: str) -> set[str]:
    """The words of the text's import lines."""
    lines = [line for line in text.splitlines() if line.lstrip().startswith(("import ", "from "))]
    return {word for line in lines for word in line.replace(".", " ").split()}


def captured(alone: Callable[..., Any], f: Callable[..., Any]) -> dict[str, Any]:
    """What the text asks for by keyword: the objects that `f` captured, and its `self`."""
    wanted = inspect.signature(alone).parameters.values()
    names = [p.name for p in wanted if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    plain_f = inspect.unwrap(getattr(f, "__func__", f))
    known: dict[str, Any] = dict(getattr(plain_f, "__globals__", {}))
    cells = getattr(plain_f, "__closure__", None) or ()
    for name, cell in zip(plain_f.__code__.co_freevars if cells else (), cells, strict=True):
        known[name] = cell.cell_contents
    known["self"] = getattr(f, "__self__", None)
    return {name: known[name] for name in names if name in known}


def load_text(text: str, name: str) -> Callable[..., Any]:
    """The text's function, where only NumPy and the standard library can be imported."""

    def importer(module: str, *rest: Any, **kw: Any) -> Any:
        root = module.partition(".")[0]
        if root != "numpy" and root not in sys.stdlib_module_names:
            raise ImportError(f"the text imports {module}")
        return builtins.__import__(module, *rest, **kw)

    guarded = {**vars(builtins), "__import__": importer}
    module = types.ModuleType("emitted")
    namespace = module.__dict__
    namespace["__builtins__"] = guarded
    sys.modules["emitted"] = module  # as for a file: dataclasses look their module up
    try:
        exec(compile(text, "<emitted>", "exec"), namespace)
    finally:
        del sys.modules["emitted"]
    if isinstance(namespace.get(name), types.FunctionType):
        return namespace[name]  # type: ignore[no-any-return]
    return [v for v in namespace.values() if isinstance(v, types.FunctionType)][-1]
