"""The text of a function that could not be vectorised: the function itself, and one visible loop over samples."""

from __future__ import annotations

import gast

from autovec.emit.printer import to_text
from autovec.errors import Problem
from autovec.syntax import quote
from autovec.syntax.parse import Source


def fallback_text(source: Source, problem: Problem, parameters: list[str], name: str) -> str:
    """The user's function, then a def that calls it a lane at a time, with the reason as a comment."""
    sample = f"{name}_sample"
    tree = source.tree
    if isinstance(tree, gast.Lambda):
        one = quote.stmt("name = value", name=sample, value=tree)
    else:
        made = gast.FunctionDef(
            name=sample, args=tree.args, body=tree.body, decorator_list=[], returns=None, type_comment=None,
            type_params=[],
        )  # fmt: skip
        one = gast.copy_location(made, tree)
    args = ", ".join(parameters)
    why = f" ({problem.why})" if problem.why else ""
    body = [
        quote.comment(f"a lane at a time: {problem.what}{why}, line {problem.place.line}"),
        *quote.stmts(
            f"""
lanes = np.broadcast({args})
results = [sample(*lane) for lane in lanes]
return np.array(results).reshape(lanes.shape)
""",
            sample=sample,
        ),
    ]
    loop = quote.stmt(f"def {name}({args}):\n    body", body=body)
    return to_text([quote.stmt("import numpy as np"), one, loop])
