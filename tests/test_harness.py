"""The harness is worth what it finds: it names each kind of fault of a broken vectoriser."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from tests.harness import Difference, check, loop
from tests.oracle.reference import Reference
from tests.oracle.results import leaves, rebuild


def kinked(x, k):  # type: ignore[no-untyped-def]
    if x > 0:
        return math.log(x) / 2, k + 1
    return -x, 0


def guarded(x):  # type: ignore[no-untyped-def]
    if x > 2:
        raise ValueError(f"too big: {x}")
    return x * 0.5


X = np.array([1.0, -2.0, 0.0, -0.0, np.nan, 3.0, -np.inf, 0.5])
K = np.arange(8)
KINKED = """
def kinked(x, k):
    log = np.log(np.where(x > 0, x, 1))
    return np.where(x > 0, log / 2, -x), np.where(x > 0, k + 1, 0)
"""


class Broken(Reference):
    """The reference with one fault, given as what happens to its first leaf (or to the call)."""

    def spoil(self, leaf: np.ndarray, args: Any) -> Any:
        return leaf

    def __call__(self, *args: Any, **kw: Any) -> Any:
        result = super().__call__(*args, **kw)
        pairs = dict(leaves(result))
        first = next(iter(pairs))
        return rebuild(result, lambda p: self.spoil(pairs[p], args) if p == first else pairs[p])


def broken(spoil: Any) -> type[Broken]:
    return type("Fault", (Broken,), {"spoil": lambda self, leaf, args: spoil(leaf, args)})


def test_a_right_vectoriser_passes() -> None:
    report = check(kinked, X, K, vectorize=Reference)
    assert report.lanes == 8 and not report.fallbacks
    check(kinked, X, 3, vectorize=Reference)
    check(kinked, X[:, None], K[:3], vectorize=Reference)
    check(kinked, X, 3, in_axes=(0, None), vectorize=lambda f: Reference(f, (0, None)))
    assert check(guarded, X, vectorize=Reference).raised == "ValueError"


def swapped(leaf: np.ndarray, args: Any) -> np.ndarray:
    new = leaf.copy()
    if len(new) > 1:
        new[[0, 1]] = new[[1, 0]]
    return new


def without_nan(leaf: np.ndarray, args: Any) -> np.ndarray:
    return np.nan_to_num(leaf, posinf=np.inf, neginf=-np.inf)


def positive_zero(leaf: np.ndarray, args: Any) -> np.ndarray:
    return leaf + 0.0


def one_ulp_in_a_million(leaf: np.ndarray, args: Any) -> np.ndarray:
    return leaf * (1 + 1e-9)


def reusing(leaf: np.ndarray, args: Any) -> np.ndarray:
    args[0][...] = leaf
    return args[0]


def changing(leaf: np.ndarray, args: Any) -> np.ndarray:
    if len(args[0]):
        args[0][0] += 1
    return leaf


def alone_it_is_float32(leaf: np.ndarray, args: Any) -> np.ndarray:
    return leaf.astype("f4") if len(leaf) == 1 else leaf


def no_empty_batch(leaf: np.ndarray, args: Any) -> np.ndarray:
    leaf[0]
    return leaf


def halves_differ(leaf: np.ndarray, args: Any) -> np.ndarray:
    return leaf if len(leaf) != 4 else leaf + 1


def noisy(leaf: np.ndarray, args: Any) -> np.ndarray:
    warnings.warn("divide by zero", RuntimeWarning, stacklevel=1)
    return leaf


def read_only(leaf: np.ndarray, args: Any) -> np.ndarray:
    return np.broadcast_to(leaf, leaf.shape)


@pytest.mark.parametrize(
    ("kind", "spoil"),
    [
        ("values", swapped),
        ("values", without_nan),
        ("values", one_ulp_in_a_million),
        ("sign of zero", positive_zero),
        ("memory", reusing),
        ("inputs", changing),
        ("n = 1", alone_it_is_float32),
        ("n = 0", no_empty_batch),
        ("the first half", halves_differ),
        ("warning", noisy),
        ("memory", read_only),
        ("memory", lambda leaf, args: args[0]),
        ("dtype", lambda leaf, args: leaf.astype("f4")),
        ("dtype", lambda leaf, args: leaf.astype(object)),
        ("shape", lambda leaf, args: leaf[:-1]),
        ("shape", lambda leaf, args: leaf[:, None]),
        ("type", lambda leaf, args: leaf.tolist()[0]),
        ("structure", lambda leaf, args: (leaf, leaf)),
        ("structure", lambda leaf, args: leaf.tolist()),
    ],
)
def test_each_fault_is_named(kind: str, spoil: Any) -> None:
    def f(x, k):  # type: ignore[no-untyped-def]
        return x if k > 100 else (x if x != 7 else 7.0)

    with pytest.raises(Difference) as found:
        check(f, X.copy(), K.copy(), vectorize=broken(spoil))
    assert found.value.kind == kind


class Raising(Reference):
    """Raises something else than the loop does."""

    other: Any = None

    def __call__(self, *args: Any, **kw: Any) -> Any:
        try:
            return super().__call__(*args, **kw)
        except ValueError as error:
            if self.other is None:
                return np.zeros(8)
            raise self.other from error


@pytest.mark.parametrize(
    "other", [None, KeyError("too big: 3.0"), ValueError("too big: 9.0"), ValueError("too big")]
)
def test_exceptions_are_compared(other: Any) -> None:
    with pytest.raises(Difference) as found:
        check(guarded, X, vectorize=type("Fault", (Raising,), {"other": other}))
    assert found.value.kind == "exception"


def test_an_exception_of_its_own_is_found() -> None:
    def fails(f: Any) -> Any:
        def batched(*args: Any) -> Any:
            raise ZeroDivisionError("division by zero")

        return batched

    with pytest.raises(Difference, match="the loop raises nothing"):
        check(kinked, X, K, vectorize=fails)


class Emitting(Reference):
    """The reference with a text of its own."""

    text = "import numpy as np\n\n\n" + KINKED
    calls = 0

    def emit(self, *args: Any, **kw: Any) -> str:
        type(self).calls += 1
        return self.text.replace("COUNT", str(self.calls))


def emitting(text: str) -> type[Emitting]:
    return type("Text", (Emitting,), {"text": text, "calls": 0})


def test_the_text_alone_does_the_same() -> None:
    report = check(kinked, X, K, vectorize=Emitting)
    assert "np.where" in report.text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text", "import numpy as np\n# COUNT\n" + KINKED),
        ("text", "import numpy as np\nimport autovec\n" + KINKED),
        ("text", "import numpy as np\n" + "# " + "x" * 100 + "\n" + KINKED),
        ("text", KINKED),
        ("values", "import numpy as np\n" + KINKED.replace("/ 2", "/ 3")),
        (
            "inputs",
            "import numpy as np\ndef kinked(x, k):\n    x[0] = 5\n    return x * 1.0, k + 0\n",
        ),
        ("dtype", "import numpy as np\n" + KINKED.replace("k + 1, 0)", "k + 1.0, 0)")),
    ],
)
def test_faults_of_the_text_are_named(kind: str, text: str) -> None:
    with pytest.raises(Difference) as found:
        check(kinked, X.copy(), K.copy(), vectorize=emitting(text))
    assert found.value.kind == kind


def test_text_may_import_the_standard_library_and_numpy_only() -> None:
    check(kinked, X, K, vectorize=emitting("import math\nimport numpy as np\n" + KINKED))
    with pytest.raises(ImportError, match="pytest"):
        check(kinked, X, K, vectorize=emitting("import pytest\nimport numpy as np\n" + KINKED))


# ---------------------------------------------------------------- the oracle itself
def same(got: Any, want: Any) -> None:
    want = np.asarray(want)
    assert got.dtype == want.dtype and np.array_equal(got, want, equal_nan=got.dtype.kind == "f")


def test_departure_1_gives_inf_and_nan() -> None:
    x = np.array([0.0, -1.0, 1000.0, 4.0])

    def f(x):  # type: ignore[no-untyped-def]
        return 1 / x, math.log(x), math.exp(x), x**-0.5, math.sqrt(x)

    with np.errstate(all="ignore"):
        want = 1 / x, np.log(x), np.exp(x), x**-0.5, np.sqrt(x)
    for got, w in zip(loop(f, x), want, strict=True):
        np.testing.assert_allclose(got, w, rtol=1e-14)


def test_departure_1_stops_at_a_try_that_names_the_exception() -> None:
    def helper(x):  # type: ignore[no-untyped-def]
        return 1 / x

    def f(x):  # type: ignore[no-untyped-def]
        try:
            return helper(x)
        except ArithmeticError:
            return -1.0

    def g(x):  # type: ignore[no-untyped-def]
        try:
            return helper(x)
        except ValueError:
            return -1.0

    x = np.array([0.0, 2.0])
    same(loop(f, x), [-1.0, 0.5])
    same(loop(g, x), [np.inf, 0.5])


def test_ints_raise_and_wrap() -> None:
    with pytest.raises(ZeroDivisionError):
        loop(lambda k: 1 // k, np.array([1, 0]))
    same(loop(lambda k: 1 / k, np.array([1, 0])), [1.0, np.inf])
    same(loop(lambda k: k * 2, np.array([2**62])), [-(2**63)])
    with pytest.raises(ValueError, match="negative"):
        loop(lambda k, e: k**e, np.array([2]), np.array([-1]))
    same(loop(lambda k: k**-1, np.array([2])), [0.5])


def test_python_numbers_are_weak_and_samples_strong() -> None:
    x = np.array([1.0, -1.0], np.float32)
    k = np.array([1, 2])
    assert loop(lambda x: x if x > 0 else 0, x).dtype == np.float32
    assert loop(lambda x: 1 if x > 0 else None, x).dtype == np.float64
    assert loop(lambda x: math.sin(x), x).dtype == np.float32
    assert loop(lambda x, k: x * k, x, k).dtype == np.float64
    assert loop(lambda x: x * 2.5 + 1, x).dtype == np.float32
    assert loop(lambda k: True if k > 1 else k, k).dtype == np.int64


def test_python_rules_that_numpy_does_not_share() -> None:
    nan = np.nan
    same(loop(lambda a, b: max(a, b), np.array([nan, 1.0]), np.array([1.0, nan])), [nan, 1.0])
    same(loop(lambda x: round(x, 2), np.array([2.675, 0.285])), [2.67, 0.28])
    same(loop(lambda b, c: b + c, np.array([True, False]), np.array([True, True])), [2, 1])
    same(loop(lambda x: x or 5.0, np.array([0.0, nan, 2.0])), [5.0, nan, 2.0])
    same(loop(lambda x: not x, np.array([3.0, 0.0])), [False, True])
    same(loop(lambda k, x: k == x, np.array([2**53 + 1]), np.array([2.0**53])), [False])


def test_results_of_numpy_functions_have_numpys_operators() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        try:
            return 1 / np.negative(x)
        except ZeroDivisionError:
            return 5.0

    same(loop(f, np.array([0.0, 2.0])), [-np.inf, -0.5])
    same(loop(lambda x: np.isnan(x) + np.isfinite(x), np.array([1.0])), [True])
    same(loop(lambda x: (x > 0) + (x > 1), np.array([1.0, 2.0])), [1, 2])
    same(loop(lambda x: round(np.positive(x), 2), np.array([2.675])), [2.68])


def test_one_sample_is_one_object() -> None:
    same(loop(lambda x: x in (x, 1.0), np.array([np.nan])), [True])
    same(loop(lambda x: x in (x + 0.0, 1.0), np.array([np.nan])), [False])


def test_every_path_has_its_say_in_the_dtype() -> None:
    def f(k, x):  # type: ignore[no-untyped-def]
        match k:
            case 7:
                return 2.5
            case (8, _):
                return None
        return k

    class Careful(Reference):
        dtype = float

        def __call__(self, *args: Any, **kw: Any) -> Any:
            return super().__call__(*args, **kw).astype(self.dtype)

    k, x = np.array([1, 2]), np.array([0.5, 0.5])
    check(f, k, x, vectorize=Careful)
    with pytest.raises(Difference, match="complex128"):
        check(f, k, x, vectorize=type("Careless", (Careful,), {"dtype": complex}))


def test_text_is_given_what_the_function_captured() -> None:
    def make(scale):  # type: ignore[no-untyped-def]
        def f(x):  # type: ignore[no-untyped-def]
            return x * scale

        return f

    text = "import numpy as np\ndef f(x, *, scale):\n    return x * scale\n"
    check(make(2.5), np.array([1.0, 3.0]), vectorize=emitting(text))


def test_lambdas_closures_and_globals_are_the_users_own() -> None:
    def make(scale):  # type: ignore[no-untyped-def]
        return lambda x, y=2: scale / (x * y)

    f, g = make(1.0), make(4.0)
    same(loop(f, np.array([0.0, 0.5])), [np.inf, 1.0])
    same(loop(g, np.array([0.0, 0.5])), [np.inf, 4.0])
    assert "_law_" not in globals()


def test_rounding_is_told_from_a_difference() -> None:
    def cancels(x):  # type: ignore[no-untyped-def]
        return math.exp(x) - math.exp(x) * 0.999999999

    def off(f: Any) -> Any:
        def batched(x: Any) -> Any:
            y = np.exp(x)
            return np.nextafter(y, np.inf) - y * 0.999999999

        return batched

    check(cancels, np.linspace(0, 3, 7), vectorize=off, deep=False)
    with pytest.raises(Difference):
        check(lambda x: x - x * 0.999999999, np.linspace(1, 3, 7), vectorize=off, deep=False)
