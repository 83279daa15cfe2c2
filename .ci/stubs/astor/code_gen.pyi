import ast
from collections.abc import Callable

class Precedence:
    Comma: int
    highest: int

class SourceGenerator(ast.NodeVisitor):
    result: list[str]
    def __init__(
        self,
        indent_with: str,
        add_line_information: bool = ...,
        pretty_string: Callable[..., str] = ...,
    ) -> None: ...
    def visit_ListComp(self, node: ast.ListComp) -> None: ...
    def visit_SetComp(self, node: ast.SetComp) -> None: ...
    def visit_DictComp(self, node: ast.DictComp) -> None: ...

def set_precedence(value: int | ast.AST, *nodes: ast.AST) -> None: ...
