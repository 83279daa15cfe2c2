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


def test_methods():
    source = """
        from dataclasses import dataclass
        from autovec import vectorize

        @dataclass
        class Spring:
            k: float
            limit: float = 1.0

            def stiff(self):
                return 3 * self.k

            @vectorize
            def force(self, x):
                if abs(x) < self.limit:
                    return -self.k * x
                return -self.stiff() * x

            @staticmethod
            @vectorize
            def double(x):
                return 2 * x

            @vectorize
            @staticmethod
            def triple(x):
                return 3 * x
    """
    module = load(written(source))
    spring = module.Spring(2.0)

    def force(x):
        return -spring.k * x if abs(x) < spring.limit else -3 * spring.k * x

    same(spring.force, force, X)
    same(module.Spring.double, lambda x: 2 * x, X)
    same(spring.triple, lambda x: 3 * x, X)


def test_otypes_and_doc():
    source = """
        import numpy as np

        @np.vectorize(otypes="if", doc="Both.")
        def both(x):
            '''Own.'''
            return x + 1, x * 2
    """
    module = load(written(source))
    a, b = module.both(np.array(X))
    assert (a.dtype, b.dtype) == (np.int_, np.float32) or a.dtype.kind == "i"
    assert module.both.__doc__.startswith("Both.")


def test_recursion_loops_and_calls_itself():
    source = """
        from autovec import vectorize

        @vectorize
        def digits(n: int):
            if n < 10:
                return n
            return n % 10 + digits(n // 10)
    """
    new = written(source)
    same(load(new).digits, lambda n: sum(map(int, str(n))), [1, 99, 12345])


def test_a_loop_keeps_the_function_for_a_sample():
    source = """
        from autovec import vectorize
        from elsewhere import table

        @vectorize
        def f(x):
            # looked up
            return table[x]  # there
    """
    result = done(source)
    assert "table comes from elsewhere.table" in str(result.warnings[0])
    new = result.new.decode()
    assert "def f_sample(x):\n    # looked up\n    return table[x]  # there\n" in new
    assert "results = [f_sample(x) for x in samples(x)]" in new
    assert "what table is cannot be read" in refused(source, strict=True)
    assert "what table is cannot be read" in refused(
        source.replace("@vectorize", "@vectorize(fallback='error')")
    )
    assert not done(source.replace("@vectorize", "@vectorize(fallback='silent')")).warnings


def test_a_method_that_loops():
    source = """
        from autovec import vectorize

        class A:
            @vectorize
            def f(self, x):
                '''Doc.'''
                s = '''
            text'''
                return len(s) + len(str(x))
    """
    module = load(written(source))
    same(module.A().f, lambda x: 9 + len(str(x)), X)


def test_helpers_get_twins_once():
    source = """
        import math
        from autovec import vectorize

        LIMIT = math.sqrt(4.0)

        def root(x):  # helper
            return math.sqrt(x) if x > 0 else 0.0

        half = lambda x: x / 2

        @vectorize
        def f(x):
            return root(x) + half(x) + LIMIT

        @vectorize
        def g(x):
            return root(x) * 2
    """
    new = written(source)
    assert new.count("def root_batched(x):") == 1
    assert new.index("def root(x):  # helper") < new.index("def root_batched") < new.index("half =")
    module = load(new)
    same(module.f, lambda x: module.root(x) + x / 2 + 2, X)
    same(module.g, lambda x: module.root(x) * 2, X)


def test_helpers_of_scopes_around():
    source = """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            import numpy as np
            from autovec import vectorize as checked
        from autovec import vectorize
        from math import *

        def outer(a: float):
            def helper(v):
                return sqrt(v) if v > 0 else a

            square = lambda v: v * v

            class Inner:
                @staticmethod
                @vectorize
                def g(x: float) -> np.ndarray:
                    return helper(x) + square(x)

            @vectorize
            def f(x):
                return helper(x) * 2 + a

            return Inner.g, f
    """
    text = written(source)
    assert text.count("    def helper_batched(v):") == 1
    assert "import numpy\n" in text
    g, f = load(text).outer(3.0)

    def helper(v):
        return v**0.5 if v > 0 else 3.0

    same(g, lambda x: helper(x) + x * x, X)
    same(f, lambda x: helper(x) * 2 + 3, X)


def test_helpers_of_other_scopes():
    source = """
        from autovec import vectorize

        class A:
            k = 2.0

            def factor(self, x):
                return x * self.k

            @vectorize
            def f(self, x):
                return self.factor(x) + 1

        def make(k: float):
            class B:
                def factor(self, x):
                    return x * k

                @vectorize
                def f(self, x):
                    return self.factor(x) + 1

            return B()
    """
    result = done(source)
    assert "k means nothing where the text would stand" in str(result.warnings[0])
    module = load(result.new.decode())
    same(module.A().f, lambda x: x * 2 + 1, X)
    same(module.make(3.0).f, lambda x: x * 3 + 1, X)


def test_uniform_helpers_are_called_themselves():
    source = """
        from autovec import vectorize

        def factor(k):
            return k * 2 + 1

        @vectorize
        def f(x, *, k=3):
            return x * factor(k)
    """
    new = written(source)
    assert new.count("def factor") == 1
    same(load(new).f, lambda x: x * 7, X)


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_what_no_sample_has_is_refused(kind):
    inside = "yield x" if kind == "def" else "return x"
    message = refused(f"import autovec\n\n@autovec.vectorize\n{kind} f(x):\n    {inside}\n")
    assert message.startswith("model.py:")


def test_functions_without_batched_arguments():
    assert "f has no argument to batch" in refused(
        "import autovec\n@autovec.vectorize\ndef f(): pass\n"
    )
    assert "a takes any number" in refused("def f(*a):\n    return a[0]\n", "f")
    assert "k takes any number" in refused("def f(x, **k):\n    return x\n", "f")
