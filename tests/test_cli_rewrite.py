"""What in a file is batched, and that everything else stays byte for byte."""

import numpy as np
import pytest

from tests.cli_tools import done, load, refused, same, written

X = [-2.0, -0.5, 0.0, 0.5, 3.0]


def ramp(x):
    if x < 0:
        return 0.0
    return x * 2


BODY = """
def ramp(x):
    if x < 0:
        return 0.0
    return x * 2
"""

DECORATORS = {
    "from": ("from autovec import vectorize", "@vectorize"),
    "called": ("from autovec import vectorize", "@vectorize()"),
    "module": ("import autovec", "@autovec.vectorize"),
    "alias": ("import autovec as av", "@av.vectorize"),
    "as": ("from autovec import vectorize as v", "@v"),
    "options": ("import autovec", "@autovec.vectorize(cache=True, fallback='silent')"),
    "deep": ("from autovec.api import vectorize", "@vectorize"),
    "star": ("from autovec import *", "@vectorize"),
    "vmap": ("from autovec import vmap", "@vmap"),
    "in_axes": ("from autovec import vmap", "@vmap(in_axes=(0,))"),
    "name": ("import autovec\nvec = autovec.vectorize", "@vec"),
    "partial": ("import functools, autovec", "@functools.partial(autovec.vectorize, cache=True)"),
    "partial name": (
        "from functools import partial\nfrom autovec import vectorize\n"
        "quiet = partial(vectorize, fallback='silent')",
        "@quiet",
    ),
    "try": (
        "try:\n    import numpy as np\n    from autovec import vectorize\n"
        "except ImportError:\n    vectorize = None",
        "@vectorize",
    ),
    "numpy": ("import numpy as np", "@np.vectorize"),
    "numpy called": ("import numpy", "@numpy.vectorize(otypes=[float])"),
}


@pytest.mark.parametrize("how", DECORATORS)
def test_decorators(how):
    heading, decorator = DECORATORS[how]
    new = written(f"{heading}\n\n\n{decorator}{BODY}")
    assert decorator not in new
    if how != "try":
        same(load(new).ramp, ramp, X)


ASSIGNMENTS = {
    "np.vectorize(ramp)": "import numpy as np",
    "numpy.vectorize(pyfunc=ramp)": "import numpy",
    "autovec.vectorize(ramp)": "import autovec",
    "vmap(ramp, in_axes=0)": "from autovec import vmap",
    "vmap(ramp, (0,))": "from autovec import vmap",
    "vmap(in_axes=0)(ramp)": "from autovec import vmap",
    "partial(vmap, in_axes=0)(ramp)": "from functools import partial\nfrom autovec import vmap",
    "np.vectorize(lambda x: 0.0 if x < 0 else x * 2)": "import numpy as np",
    "autovec.vectorize(other)": "import autovec\nother = lambda x: 0.0 if x < 0 else 2 * x",
}


@pytest.mark.parametrize("call", ASSIGNMENTS)
def test_assignments_become_defs(call):
    new = written(f"{ASSIGNMENTS[call]}\n{BODY}\n\ng = {call}  # mapped\n")
    assert "# mapped\ndef g(x):" in new
    assert "autovec" not in new
    same(load(new).g, ramp, X)


def test_an_annotated_assignment():
    new = written(
        f"import numpy as np\nfrom typing import Any\n{BODY}\ng: Any = np.vectorize(ramp)\n"
    )
    same(load(new).g, ramp, X)


def test_a_function_that_hides_the_one_for_a_sample():
    new = written(f"import numpy as np\n{BODY}\n\nramp = np.vectorize(ramp)\nh = ramp\n")
    assert new.count("def ramp(x):") == 2
    same(load(new).h, ramp, X)


def test_vmap_with_shared_arguments():
    source = """
        from autovec import vmap

        def price(amount, rate, *, floor=0.0):
            return max(amount * rate, floor)

        prices = vmap(price, in_axes=(0, None))
    """
    module = load(written(source))
    same(module.prices, module.price, X, shared=[2.0])
    assert "Batched: amount (axis 0).\n    Shared: rate, floor." in written(source)


@pytest.mark.parametrize(
    "line",
    [
        "g = h = vmap(ramp)",
        "g = vmap(ramp, in_axes=axes)",
        "g = vmap(unknown)",
        "g = vmap(math.sin)",
        "g = vmap(ramp, out_axes=1)",
        "g = vmap(ramp, in_axes=1)",
        "g = vmap(ramp, in_axes=(0, 0))",
        "g = vmap(ramp, in_axes={'y': 0})",
        "g = vmap(ramp, in_axes='x')",
        "g = vmap(ramp, axis=0)",
        "g = vmap(ramp, *options)",
        "g = vmap(ramp, **options)",
        "x = 1; g = vmap(ramp)",
        "g = vmap(ramp); x = 1",
        "if 1: g = vmap(ramp)",
        "g = vectorize(ramp, excluded=['x'])",
        "g = vectorize(ramp, signature='(n)')",
        "g = vectorize(vectorize)",
    ],
)
def test_what_cannot_become_a_def_is_refused_where_it_stands(line):
    source = f"import math\nfrom autovec import vmap, vectorize\n{BODY}\n\n{line}\n"
    message = refused(source)
    assert "model.py:10: " in message or "model.py:4: " in message
    # what only NumPy is asked for stays as it is
    plain = source.replace("from autovec import vmap, vectorize", "import numpy as np")
    result = done(plain.replace("vectorize(", "np.vectorize("))
    assert not result.changed
    assert not result.problems


def test_calls_that_give_no_name_a_function_stay():
    source = "import numpy as np\n\ny = np.vectorize(abs)([1, 2])\nprint(np.vectorize(abs))\n"
    assert written(source) == source


def test_dashed_f_adds_a_function_beside():
    new = written(f"import os\n{BODY}\nprint(ramp)\n", "ramp")
    assert new.startswith(f"import os\nimport numpy as np\n{BODY}\n\ndef ramp_batched(x):\n")
    assert new.endswith("\n\nprint(ramp)\n")
    same(load(new).ramp_batched, ramp, X)


def test_replace_puts_it_in_the_place():
    new = written(BODY, "ramp", replace=True)
    assert "ramp_batched" not in new
    same(load(new).ramp, ramp, X)
    assert written(new.encode(), "ramp", replace=True) == new


def test_a_function_beside_is_written_anew_when_the_sample_changes():
    new = written(BODY, "ramp")
    changed = written(new.replace("x * 2\n\n\ndef", "x * 3\n\n\ndef").encode(), "ramp")
    assert changed.count("def ramp_batched") == 1
    assert load(changed).ramp_batched(np.array([2.0])) == 6.0


def test_names_further_inside():
    source = """
        class A:
            k: float = 2.0

            def m(self, x):
                return x * self.k if x > 0 else -x

            class B:
                @staticmethod
                def s(x):
                    return x + 1

        def make(scale: float):
            def inner(x):
                return x * scale
            return inner
    """
    module = load(written(source, "A.m", "A.B.s", "inner"))
    same(module.A().m_batched, module.A().m, X)
    same(module.A.B.s_batched, module.A.B.s, X)
    assert "def inner_batched(x):\n        " in written(source, "make.inner")


def test_a_name_that_nothing_has():
    result = done(BODY, "rump")
    assert result.matched == set()
    assert result.near == {"ramp"}
    assert not result.changed


def test_a_name_that_several_have():
    source = "if c:\n    def f(x):\n        return x\nelse:\n    def f(x):\n        return -x\n"
    assert "f is defined in 2 places" in refused(source, "f")


def test_overloads_are_not_definitions():
    source = """
        from typing import overload

        @overload
        def f(x: int) -> int: ...
        @overload
        def f(x: float) -> float: ...
        def f(x):
            return x + 1
    """
    assert "def f_batched(x):" in written(source, "f")


def test_other_decorators_stay():
    source = """
        import functools
        from autovec import vectorize

        def logged(f):
            return functools.wraps(f)(lambda *a: ("logged", f(*a)))

        # about the function
        @logged
        @vectorize  # fast
        # between
        def f(x):
            return x + 1
    """
    new = written(source)
    assert "# about the function\n@logged\n# fast\n# between\ndef f(x):\n" in new
    assert load(new).f(np.array([1.0]))[0] == "logged"


def test_decorators_of_several_lines():
    source = """
        from autovec import vectorize

        @vectorize(
            fallback="silent",  # quiet
            # more
        )  # end
        def f(x):
            return x + 1

        @(
            vectorize  # in parentheses
        )
        # between
        def g(x):
            return x + 2
    """
    new = written(source)
    assert "\n# quiet\n# more\n# end\ndef f(x):\n" in new
    assert "\n# in parentheses\n# between\ndef g(x):\n" in new


def test_a_decorator_below_makes_another_function():
    source = "import autovec, numba\n\n@autovec.vectorize\n@numba.njit\ndef f(x):\n    return x\n"
    assert "model.py:4: @numba.njit stands below" in refused(source)
