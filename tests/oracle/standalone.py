"""An emitted text as a function, loaded as somebody without the package would load it."""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable
from typing import Any


def imports(text: str) -> set[str]:
    """The words of the text's import lines."""
    lines = [line for line in text.splitlines() if line.lstrip().startswith(("import ", "from "))]
    return {word for line in lines for word in line.replace(".", " ").split()}


def load_text(text: str, name: str) -> Callable[..., Any]:
    """The text's function, where only NumPy and the standard library can be imported."""

    def importer(module: str, *rest: Any, **kw: Any) -> Any:
        root = module.partition(".")[0]
        if root != "numpy" and root not in sys.stdlib_module_names:
            raise ImportError(f"the text imports {module}")
        return builtins.__import__(module, *rest, **kw)

    guarded = {**vars(builtins), "__import__": importer}
    namespace: dict[str, Any] = {"__name__": "emitted", "__builtins__": guarded}
    exec(compile(text, "<emitted>", "exec"), namespace)
    if isinstance(namespace.get(name), types.FunctionType):
        return namespace[name]  # type: ignore[no-any-return]
    return [v for v in namespace.values() if isinstance(v, types.FunctionType)][-1]
