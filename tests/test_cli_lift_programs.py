"""All programs of the tests of ``lift``, lifted in a file by the command line.

The tests of those files run once more here; where one compares a lifted function with the loop, the
function of the written file is compared, too, for the first arguments of each kind and others.
"""

import importlib
import types
from pathlib import Path

from tests.cli_lifting import check
from tests.lifting import agrees

NAMES = sorted(p.stem for p in Path(__file__).parent.glob("test_lift_*.py") if "fuzz" not in p.stem)
MODULES = [importlib.import_module(f"tests.{name}") for name in NAMES]
LIVE = {"test_a_helper_that_is_bound_anew"}  # what only a loaded function can do


SEEN = set()


def both(function, *args, **options):
    lifted = agrees(function, *args, **options)
    kinds = tuple((type(a), getattr(a, "dtype", None), getattr(a, "ndim", None)) for a in args)
    if (function.__code__, kinds) not in SEEN:
        SEEN.add((function.__code__, kinds))
        check(function, *args, **options)
    return lifted


for module in MODULES:
    for name, test in list(vars(module).items()):
        code = getattr(test, "__code__", None)
        if name.startswith("test_") and code and "agrees" in code.co_names and name not in LIVE:
            space = {**vars(module), "agrees": both}
            copy = types.FunctionType(code, space, name, test.__defaults__, test.__closure__)
            copy.__dict__.update(vars(test))
            globals()[f"{name}_of_{module.__name__.removeprefix('tests.test_lift_')}"] = copy
