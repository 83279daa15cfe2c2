"""What is refused before anything is compiled, with file, line, caret, reason and a way out."""

from autovec.check.depth import MAX_DEPTH
from autovec.check.refused import check_function
from autovec.syntax.parse import place_of

__all__ = ["MAX_DEPTH", "check_function", "place_of"]
