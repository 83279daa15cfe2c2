"""What a file's names mean without running it; names that clash; ranks and dtypes as declared."""

import ast
import math

import numpy as np
import pytest

from autovec.files.annotations import declared_by
from autovec.files.scopes import scopes_of
from tests.cli_tools import done, load, refused, same, text, written

X = [-2.0, 0.0, 0.5, 3.0]


def body(expression: str, heading: str = "", parameters: str = "x") -> str:
    """A file with one batched function."""
    function = f"def f({parameters}):\n    return {expression}\n"
    return f"import autovec\n{heading}\n\n@autovec.vectorize\n{function}"


KNOWN = {
    "LIMIT": "LIMIT = 3",
    "PI2": "import math\nPI2 = 2 * math.pi",
    "ROOT": "from math import sqrt\nROOT = sqrt(2.0)",
    "A": "A, B = 1.5, 2.5",
    "B": "A = B = 1.5",
    "TABLE[1]": "TABLE = (1.0, 2.0)",
    "RATES['a']": "RATES = {'a': 1.5}",
    "C.k": "from collections import namedtuple\nP = namedtuple('P', 'k m')\nC = None\nC = 2",
    "E.ONE": "",
    "math.pi": "import math",
    "m.pi": "import math as m",
    "pi": "from math import pi",
    "tau": "from math import *",
    "xp.pi": "import numpy as xp",
    "LATE": "",
    "-abs(-2)": "",
    "N ** 2": "N = 2",
    "OTHER": "K = 2.0\nOTHER = K * 3",
}


@pytest.mark.parametrize("name", [n for n in KNOWN if n not in ("C.k", "E.ONE", "LATE")])
def test_constants(name):
    result = done(body(f"x * {name}", KNOWN[name]))
    assert not result.warnings
    module = load(result.new.decode())
    value = eval(name, {**vars(module), "abs": abs})
    same(module.f, lambda x: x * value, X)


def test_opaque_constants_have_a_type():
    heading = "import os\nSCALE = float(os.environ.get('S', '2'))\nSHIFT: float = os.getpid() * 0.0"
    result = done(body("x * SCALE + SHIFT", heading))
    assert not result.warnings
    assert load(result.new.decode()).f(np.array([1.5])).tolist() == [3.0]


UNKNOWN = {
    "from elsewhere import K": "K comes from elsewhere.K",
    "from .near import K": "K comes from .near.K",
    "import os\nK = os.getpid()": "when the file runs",
    "K = 1\nif K:\n    K = 2": "in more than one place",
    "K = 1\nK += 1": "when the file runs",
    "K = 1\ndef g():\n    global K\n    K = [2]": "in more than one place",
    "for K in range(3): pass": "when the file runs",
    "with open('x') as K: pass": "when the file runs",
    "K = 10 ** 10 ** 10": "too large",
    "K = 1 / 0": "ZeroDivisionError",
    "from elsewhere import *": "elsewhere may define K",
    "K = K2\nK2 = K": "",
    "if c:\n    import math as K\nelse:\n    import cmath as K": "in more than one place",
}


@pytest.mark.parametrize("heading", UNKNOWN)
def test_what_only_running_it_would_tell_loops_with_the_reason(heading):
    result = done(body("x * K", heading))
    assert "cannot be read" in str(result.warnings[0])
    assert UNKNOWN[heading] in str(result.warnings[0])
    assert "f_sample" in result.new.decode()


def test_tables_that_change():
    heading = "RATES = {'a': 1.0}\nRATES['a'] = 2.0"
    result = done(body("x * RATES['a']", heading))
    assert "the file changes what RATES holds" in str(result.warnings[0])
    result = done(body("x * LIST[0]", "LIST = [1.0]\ndef g():\n    LIST.append(2)"))
    assert "the file changes what LIST holds" in str(result.warnings[0])


@pytest.mark.parametrize(
    "test",
    ["K is None", "K", "K == 1", "isinstance(K, int)", "callable(K)", "K in (1, 2)", "not K"],
)
def test_nothing_is_decided_by_what_is_not_known(test):
    """A stand-in for an unknown object must not answer a question."""
    result = done(body(f"x if {test} else -x", "from elsewhere import K"))
    assert result.warnings


def test_helpers_of_other_modules_loop_with_the_reason():
    result = done(body("helper(x)", "from elsewhere import helper"))
    assert "helper comes from elsewhere.helper: elsewhere is not loaded" in str(result.warnings[0])
    result = done(body("em.helper(x)", "import elsewhere as em"))
    assert "em comes from elsewhere" in str(result.warnings[0])


def test_classes():
    source = """
        import enum
        from collections import namedtuple
        from dataclasses import dataclass, field
        from typing import NamedTuple
        import autovec

        Pair = namedtuple("Pair", "a b", defaults=(2.0,))

        class Wrong(ValueError):
            def __init__(self, *args):
                super().__init__(*args)

        class Mode(enum.Enum):
            FAST = 1
            SLOW = 2

        class Span(NamedTuple):
            low: float
            high: float = 1.0

        @dataclass(frozen=True)
        class Body:
            mass: float
            speed: float = field(default=2.0)

        @autovec.vectorize
        def f(x: float):
            if x > 100:
                raise Wrong(f"{x} is too much")
            b = Body(x)
            return b.mass * b.speed + Pair(x).b + Span(x).high
    """
    module = load(written(source))
    same(module.f, lambda x: x * 2 + 3, X)
    with pytest.raises(module.Wrong, match=r"101.0 is too much"):
        module.f(np.array([1.0, 101.0]))


def test_closures():
    source = """
        import autovec

        def make(scale: float, table, offset=2.0):
            half = 0.5

            @autovec.vectorize
            def inner(x):
                return x * scale * half + offset

            @autovec.vectorize
            def other(x):
                return table[x]

            return inner, other
    """
    result = done(source)
    assert "what table is cannot be read" in str(result.warnings[0])
    module = load(result.new.decode())
    inner, other = module.make(3.0, {1.5: 2.0})
    same(inner, lambda x: x * 1.5 + 2, X)
    assert other(np.array([1.5])).tolist() == [2.0]


# ---------------------------------------------------------------- names that clash
def test_the_files_own_names_are_left_alone():
    source = """
        import numpy as xp
        from autovec import vectorize

        np = 5
        out = lanes = k = n = shape = live = test = 7
        math = "not the module"

        def erf(x):
            return "mine"

        def samples(x):
            return "mine"

        @vectorize
        def f(x):
            from math import log, erf
            if x > 1:
                return log(x) + out + k
            return x * n

        @vectorize
        def g(x):
            return len(str(x))
    """
    module = load(written(source))
    same(module.f, lambda x: math.log(x) + 14 if x > 1 else x * 7, X)
    same(module.g, lambda x: len(str(x)), X)
    assert (module.np, module.erf(1), module.samples(1)) == (5, "mine", "mine")
    assert module.out == module.k == module.n == 7


def test_names_of_scopes_around():
    source = """
        import autovec

        def outer(np, math):
            @autovec.vectorize
            def f(x):
                return 0.0 if x < 0 else x * np
            return f
    """
    module = load(written(source.replace("outer(np,", "outer(np: float,")))
    same(module.outer(2.0, None), lambda x: 0.0 if x < 0 else x * 2.0, X)


def test_parameters_called_like_modules():
    result = done(body("0.0 if np < 0 else np * 2", parameters="np"))
    module = load(result.new.decode())
    same(module.f, lambda x: 0.0 if x < 0 else x * 2, X)


def test_loops_over_parameters_called_like_their_own_names():
    source = body("len(str(shape)) + results", parameters="shape, results, count")
    same(load(written(source)).f, lambda a, b, c: len(str(a)) + b, X, X, X)
    new = written(source, signatures={"f": "(),(),(n)->()"})
    f = load(new.replace("len(str(shape))", "len(count)")).f
    assert f(np.array([1.0, 2.0]), 1.0, np.zeros(3)).tolist() == [4.0, 4.0]


def test_a_helper_that_stands_already_is_used_again():
    first = written(body("len(str(x))"))
    second = first + "\n\nimport autovec\n\n@autovec.vectorize\ndef g(x):\n    return str(x)\n"
    new = written(second.encode())
    assert new.count("def stack_results") == 1


# ---------------------------------------------------------------- ranks and dtypes
DECLARED = {
    "x: float": [1.5, -2.0],
    "x: int": [1, -2],
    "x: bool": [True, False],
    "x: 'int'": [1, -2],
    "x: np.int32": np.array([1, -2], "i4"),
    "x: np.float32": np.array([1.5, -2], "f4"),
    "x: Annotated[int, 'count']": [1, -2],
    "x: Whole": [1, -2],
    "x: Final[int]": [1, -2],
    "x: Int[Array, '']": [1, -2],
    "x: int | None": [1.0, -2.0],
    "x": [1.5, -2.0],
}
TYPING = """\
import numpy as np
from typing import Annotated, Final
from jaxtyping import Int, Array
Whole = int"""


@pytest.mark.parametrize("parameters", DECLARED)
def test_annotations(parameters):
    new = written(body("x % 3 if x > 0 else 0 * x", TYPING, parameters))
    assert "def f(x):" in new
    new = new.replace("from jaxtyping import Int, Array\n", "")
    same(load(new).f, lambda x: x % 3 if x > 0 else 0 * x, DECLARED[parameters])


ANNOTATIONS = {
    "float": ("f8", 0, False),
    "'complex'": ("c16", 0, False),
    "np.uint8": ("u1", 0, False),
    "np.floating": (None, None, False),
    "np.ndarray": (None, None, True),
    "npt.NDArray[np.float32]": ("f4", None, True),
    "npt.ArrayLike": (None, None, True),
    "np.ndarray[Any, Any]": (None, None, True),
    "Annotated[npt.NDArray[np.int64], 'm n']": ("i8", 2, True),
    "Annotated[np.ndarray, (3, 3), 'rotation']": (None, 2, True),
    "Annotated[np.ndarray, 'any', 5]": (None, 1, True),
    "Annotated[np.ndarray, '...']": (None, None, True),
    "Annotated[float, 'metres']": ("f8", 0, False),
    "Float[Array, '']": ("f8", 0, False),
    "Float32[np.ndarray, 'n 3']": ("f4", 2, True),
    "Num[Array, 'n=4']": (None, 1, True),
    "jt.Bool[Array, 'n']": ("?", 1, True),
    "Int[Array, '*batch']": ("i8", None, True),
    "Final[int]": ("i8", 0, False),
    "Vector": (None, 1, True),
    "Circle": (None, None, False),
    "Unknown": (None, None, False),
    "list[float]": (None, None, False),
    "float | None": (None, None, False),
    "'not valid python'": (None, None, False),
    "f()": (None, None, False),
    "Late": ("f8", 0, False),
    "Maybe": (None, None, False),
}


@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_what_an_annotation_declares(annotation):
    heading = """
        import numpy as np
        import numpy.typing as npt
        import jaxtyping as jt
        from typing import Annotated, Any, Final, TYPE_CHECKING
        from jaxtyping import *
        if TYPE_CHECKING:
            Late = float
            from jaxtyping import Array, Float, Float32, Int, Num
        Vector = Annotated[np.ndarray, "n"]
        Circle = "Circle"
        if Any:
            Maybe = int
        else:
            Maybe = float
    """
    scopes = scopes_of(ast.parse(text(heading)))
    found = declared_by(ast.parse(annotation, mode="eval").body, scopes.module)
    dtype, rank, array = ANNOTATIONS[annotation]
    assert (found.rank, found.array) == (rank, array)
    assert found.dtype == (None if dtype is None else np.dtype(dtype))


def test_type_comments():
    source = """
        import autovec

        @autovec.vectorize
        def f(x, n):
            # type: (float, int) -> float
            return x * n if n > 1 else 0

        @autovec.vectorize
        def g(x,  # type: float
              n,  # type: int
              ):
            # type: (...) -> float
            y = x + n  # type: float
            return y
    """
    module = load(written(source))
    same(module.f, lambda x, n: x * n if n > 1 else 0, X, [1, 2, 3, 4])
    same(module.g, lambda x, n: x + n, X, [1, 2, 3, 4])


ARRAYS = {
    "x[0]": "an array",
    "x.sum()": "an array",
    "np.max(x)": "an array",
    "np.linalg.norm(x)": "an array",
    "x @ x": "an array",
    "len(x)": "an array",
    "sum(x)": "an array",
    "sum(v for v in x)": "an array",
    "max(x)": "an array",
    "[v for v in x][0]": "an array",
    "(x * 2).mean()": "an array",
    "max(*x)": "an array",
    "helper(x)": "an array",
    "x['price'] + x": "a row",
    "x.price + x": "an object",
    "x.weekday()": "an object",
    "(y := x + 1)[0]": "an array",
}


@pytest.mark.parametrize("expression", ARRAYS)
def test_arrays_have_to_be_declared(expression):
    heading = "import numpy as np\ndef helper(a):\n    return a[1] + a[2]"
    message = refused(body(expression, heading))
    assert f"x is used as {ARRAYS[expression]}" in message
    assert message.startswith("model.py:8: ")
    if ARRAYS[expression] == "an array":
        assert '--signature "f: (n)->()"' in message
        assert "x: Annotated[np.ndarray, " in message


def test_a_name_that_comes_from_an_array():
    source = """
        import autovec, numpy as np

        @autovec.vectorize
        def softmax(scores):
            shifted = scores - np.max(scores)
            e = np.exp(shifted)
            return e / e.sum()
    """
    assert "scores is used as an array" in refused(source)


def test_scalars_are_not_taken_for_arrays():
    source = """
        import math
        import autovec

        @autovec.vectorize
        def f(x, y):
            a, b = map(math.radians, (x, y))
            total = sum([a, b]) + max(x, y)
            for v in (x, y):
                total = total + v
            lo, hi = sorted((x, y))
            return total + hi - lo
    """
    assert not done(source).problems


SHAPES = {
    "x: Annotated[np.ndarray, 'n']": "",
    "x: Annotated[np.ndarray, (3,)]": "",
    "x: Float[np.ndarray, 'n']": "",
    "x: 'Float[np.ndarray, \"n\"]'": "",
    "x": "(n)->()",
}


@pytest.mark.parametrize("parameters", SHAPES)
def test_arrays_that_are_declared(parameters):
    """Until samples can be arrays, they loop; the shapes and values are right."""
    heading = "import numpy as np\nfrom typing import Annotated\nfrom jaxtyping import Float"
    signatures = {"f": SHAPES[parameters]} if SHAPES[parameters] else {}
    new = written(body("x[0] * x.sum()", heading, parameters), signatures=signatures)
    module = load(new.replace("from jaxtyping import Float", "Float = {'x': 1}"))
    x = np.arange(24.0).reshape(2, 4, 3)
    np.testing.assert_allclose(module.f(x), x[..., 0] * x.sum(axis=-1))


def test_a_signature_with_scalars_and_arrays():
    source = body("(x * k).sum()", parameters="x, k=2.0")
    new = written(source, signatures={"f": "(n),()->()"})
    f = load(new).f
    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(f(x, np.array([[1.0], [2.0], [3.0]])).shape, (3, 2))
    np.testing.assert_allclose(f(x, 2.0), (2 * x).sum(axis=1))
    assert "the signature has 3 arguments for 2" in refused(
        source, signatures={"f": "(),(),()->()"}
    )


def test_an_array_of_no_shape():
    message = refused(body("x + 1", "import numpy as np", "x: np.ndarray"))
    assert "x is an array of no declared shape" in message


def test_strings():
    source = """
        import autovec

        @autovec.vectorize
        def f(sex, x: float):
            return x * 2 if sex == "F" else x

        @autovec.vectorize
        def g(word: str):
            return 1 if word == "a" else 2
    """
    module = load(written(source))
    same(module.f, lambda s, x: x * 2 if s == "F" else x, ["F", "M", "F", ""], X)
    same(module.g, lambda s: 1 if s == "a" else 2, ["a", "b"])


def test_shared_objects():
    source = """
        from autovec import vmap

        def control(x, gains, mode, scale):
            if mode == "p":
                return gains.kp * x * scale
            return gains.ki

        g = vmap(control, in_axes=(0, None, None, None))
    """
    module = load(written(source))

    class Gains:
        kp, ki = 2.0, 3.0

    same(module.g, module.control, X, shared=[Gains, "p", 1.5])
