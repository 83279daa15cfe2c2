"""Methods, helpers, loops and lambdas in a file that is rewritten."""

import numpy as np
import pytest

from tests.cli_tools import done, load, refused, same, written

X = [-2.0, -0.5, 0.0, 0.5, 3.0]


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
    assert (a.dtype, b.dtype) == (np.dtype("i"), np.dtype("f"))
    assert module.both.__doc__.startswith("Both.")


def test_recursion_calls_itself():
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
