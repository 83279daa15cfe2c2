import ast
from typing import Any

class GAstToAst3(ast.NodeTransformer):
    def _visit(self, node: Any) -> Any: ...
