"""What an annotation says of a parameter: its dtype, and the rank of its sample."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from autovec.files.meaning import binding_of, loaded, qualified
from autovec.files.scopes import Binding, Scope

_SCALARS = {
    "builtins.float": "f8", "builtins.int": "i8", "builtins.bool": "?", "builtins.str": "U",
    "builtins.complex": "c16",
}  # fmt: skip
_ARRAYS = {"numpy.ndarray", "numpy.typing.NDArray", "numpy.typing.ArrayLike"}
_JAXTYPING = {
    "Float": "f8", "Float64": "f8", "Float32": "f4", "Float16": "f2", "Int": "i8", "Int64": "i8",
    "Int32": "i4", "Int16": "i2", "Int8": "i1", "UInt": "u8", "UInt64": "u8", "UInt32": "u4",
    "UInt16": "u2", "UInt8": "u1", "Bool": "?", "Complex": "c16", "Complex128": "c16",
    "Complex64": "c8", "Num": None, "Real": None, "Inexact": "f8", "Integer": "i8", "Shaped": None,
}  # fmt: skip
_DIMENSION = re.compile(r"[A-Za-z_]\w*(?:=\d+)?|\d+|_")
_DEEPEST = 8


@dataclass(frozen=True)
class Declared:
    """A dtype and the names of the dimensions, each None where nothing is said.

    `array`: an array of some rank.  A dimension named `_` is like no other one.
    """

    dtype: np.dtype[Any] | None = None
    dims: tuple[str, ...] | None = None
    array: bool = False
    cls: ast.ClassDef | None = None

    @property
    def rank(self) -> int | None:
        """The number of axes, if it is known."""
        return None if self.dims is None else len(self.dims)


NOTHING = Declared()


def declared_by(annotation: ast.AST | None, scope: Scope, depth: int = 0) -> Declared:
    """What an annotation declares, where it stands.

    >>> from autovec.files.scopes import scopes_of
    >>> module = scopes_of(ast.parse("import numpy as np\\nfrom jaxtyping import Float")).module
    >>> for text in ("float", "np.float32", "Float[np.ndarray, 'n 3']", "'int'", "np.ndarray"):
    ...     found = declared_by(ast.parse(text, mode="eval").body, module)
    ...     print(found.dtype, found.rank, found.array)
    float64 0 False
    float32 0 False
    float64 2 True
    int64 0 False
    None None True
    """
    if annotation is None or depth > _DEEPEST:
        return NOTHING
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return declared_by(_parsed(annotation.value), scope, depth + 1)
    if isinstance(annotation, ast.Subscript):
        return _subscript(annotation, scope, depth)
    name = qualified(annotation, scope)
    if isinstance(annotation, ast.Name) and scope.owner(annotation.id) is None:
        name = f"builtins.{annotation.id}"  # whatever else `from module import *` may bring
    if name in _SCALARS:
        return Declared(np.dtype(_SCALARS[name]), ())
    if name in _ARRAYS:
        return Declared(array=True)
    if name is not None and name.startswith("numpy."):
        found = getattr(loaded("numpy"), name.removeprefix("numpy."), None)
        if isinstance(found, type) and issubclass(found, np.generic):
            return _numpy_scalar(found)
    if isinstance(annotation, ast.Name):
        return _of_name(annotation, scope, depth)
    return NOTHING


def _numpy_scalar(found: type[np.generic]) -> Declared:
    try:
        dtype = np.dtype(found)
    except TypeError:
        return NOTHING  # np.floating and its kin
    return Declared(dtype, ()) if dtype.kind in "biufcUS" else NOTHING


def _of_name(annotation: ast.Name, scope: Scope, depth: int) -> Declared:
    """An alias, or a class of the file."""
    owner = scope.owner(annotation.id)
    binding = binding_of(annotation.id, scope)
    if owner is None or not isinstance(binding, Binding):
        return NOTHING
    if isinstance(binding.node, ast.ClassDef):
        return Declared(cls=binding.node)
    if binding.kind == "value":
        return declared_by(binding.node, owner, depth + 1)
    return NOTHING


def _dotted(node: ast.AST, scope: Scope) -> str:
    """The dotted name; a class of the file's own has its name."""
    return qualified(node, scope) or str(getattr(node, "id", ""))


def _subscript(node: ast.Subscript, scope: Scope, depth: int) -> Declared:
    """`Annotated[...]`, `NDArray[...]`, and jaxtyping's `Float[Array, "n 3"]`."""
    name = _dotted(node.value, scope)
    last = name.rpartition(".")[2]
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if last == "Annotated" and items:
        inner = declared_by(items[0], scope, depth + 1)
        shapes = [dims for item in items[1:] if (dims := _dims_of(item)) is not None]
        if not shapes or inner.rank == 0:
            return inner
        return Declared(inner.dtype, shapes[0], array=bool(shapes[0]))
    if (
        last in _JAXTYPING
        and (name.startswith("jaxtyping.") or "." not in name)
        and len(items) == 2
    ):
        code = _JAXTYPING[last]
        dtype = None if code is None else np.dtype(code)
        dims = _dims_of(items[1])
        return Declared(dtype, dims, array=dims != ())
    if last in ("NDArray", "ndarray"):
        inner = declared_by(items[-1], scope, depth + 1) if last == "NDArray" else NOTHING
        return Declared(inner.dtype, array=True)
    if last in ("Final", "ClassVar", "Required"):
        return declared_by(items[0], scope, depth + 1)
    return NOTHING


def _dims_of(item: ast.expr) -> tuple[str, ...] | None:
    """The dimensions that `"n 3"`, `"(m, n)"` or `(3, 3)` names.

    >>> [_dims_of(ast.parse(t, mode="eval").body) for t in ("'n 3'", "'(m,n=4)'", "(3,)", "'...'")]
    [('n', '3'), ('m', '4'), ('3',), None]
    """
    if isinstance(item, ast.Tuple):
        return tuple(ast.unparse(e) for e in item.elts)
    if not (isinstance(item, ast.Constant) and isinstance(item.value, str)):
        return None
    dimensions = item.value.strip().removeprefix("(").removesuffix(")").replace(",", " ").split()
    if not all(map(_DIMENSION.fullmatch, dimensions)):
        return None
    return tuple(d.rpartition("=")[2] for d in dimensions)


def _parsed(text: str) -> ast.AST | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def type_comment_of(node: Any) -> list[ast.expr]:
    """The parameters' types in a function's comment `# type: (float, int) -> float`.

    >>> text = "def f(x, y):  # type: (float, int) -> float\\n  return x"
    >>> found = ast.parse(text, type_comments=True).body[0]
    >>> [ast.unparse(item) for item in type_comment_of(found)]
    ['float', 'int']
    """
    text = getattr(node, "type_comment", None)
    if not text:
        return []
    try:
        parsed: Any = ast.parse(text, mode="func_type")
    except SyntaxError:
        return []
    return [item for item in parsed.argtypes if not isinstance(item, ast.Constant)]
