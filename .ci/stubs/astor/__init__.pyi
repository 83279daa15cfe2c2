"""Types of the part of astor that autovec uses (astor ships none)."""

import ast

from astor import code_gen as code_gen
from astor.code_gen import SourceGenerator as SourceGenerator

__version__: str
