"""Assignment in all its forms, in every layout of arguments."""

import numpy as np
import pytest

import autovec
from tests.harness import check
from tests.programs import names
from tests.programs.grid import array, calls, vectorised

NAN = np.nan


@calls(names)
def test_names(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def test_read_before_assignment_on_some_lanes():
    """Python raises UnboundLocalError, for those lanes only and not for the others."""

    def f(x, k):
        if k > 0:
            y = x / k
        return y

    assert check(f, array("f", 0), array("i", 1)).raised == "UnboundLocalError"
    vectorised(f, array("f", 0), np.abs(array("i", 1)) + 1)

    def g(x, k):
        if k > 0:
            y = 1.0
        if x > 0:
            return y
        return x

    report = check(g, np.array([-1.0, 2.0, 3.0]), np.array([0, 1, 0]))
    assert report.raised == "UnboundLocalError"
    vectorised(g, np.array([-1.0, 2.0, -3.0]), np.array([0, 1, 0]))


def test_deleted_names_are_gone():
    def f(x):
        y = x
        del y
        if x > 1:
            return y  # noqa: F821
        return x

    assert check(f, np.array([0.0, 2.0])).raised == "UnboundLocalError"
    check(f, np.array([0.0, -2.0]))


def test_augmented_assignment_of_small_integers():
    """A literal is weak: int8 stays int8 and wraps as NumPy's scalars do."""

    def f(k):
        k += 100
        k *= 2
        return k

    got = autovec.vectorize(f, fallback="error")(np.array([1, 27, 100], "i1"))
    with np.errstate(over="ignore"):
        want = [f(v) for v in np.array([1, 27, 100], "i1")]
    assert got.tolist() == want and got.dtype == np.int8


@pytest.mark.parametrize("kinds", ["fi", "gj", "hb", "ih", "bb", "ff"])
def test_swaps_of_other_dtypes(kinds):
    x, k = (array(c, n) for n, c in enumerate(kinds))
    for f in (names.swap, names.swap_in_depth, names.deleted_on_one_side):
        vectorised(f, x, k)


def test_swap_of_elements():
    def f(x, k):
        pair = [x, k]
        pair[0], pair[1] = pair[1], pair[0]
        i = 0
        i, pair[i] = 1, 5.0
        return pair[0] - pair[1], i

    vectorised(f, array("f", 0), array("i", 1))


def test_order_of_targets():
    """Targets are assigned from the left, after the value is computed."""

    def f(x):
        a = b = x
        a, b = b + 1, a + 2
        (c, d), e = (b, a), a + b
        c = d = c + e
        return a, b, c, d, e

    vectorised(f, array("f", 0))


def test_lists_of_two_names():
    """A list that two names hold changes under both; where that is not followed, it loops."""

    def f(x):
        a = [x, 1.0]
        b = a
        b[0] = x + 1
        b.append(2.0)
        return a[0], len(a)

    check(f, array("f", 0))

    def g(x, k):
        a = [x]
        b = a if k > 0 else [k]
        b.append(1)
        return len(a), len(b)

    check(g, array("f", 0), array("i", 1))

    def h(x):
        a = [x]
        rows = [a, a]
        a.append(2.0)
        return len(rows[0]), rows[1][1]

    check(h, array("f", 0))


def test_augmented_list_is_in_place():
    def f(x):
        a = [x]
        b = a
        a += [1.0]
        t = (x,)
        u = t
        t += (2.0,)
        return len(b), len(u), len(t)

    check(f, array("f", 0))


def test_unpacking_errors_are_pythons():
    def f(x):
        a, b = (x, 1, 2)
        return a + b

    with pytest.raises(ValueError, match="too many values to unpack"):
        autovec.vectorize(f, fallback="silent")(array("f", 0))


def test_globals_and_locals_of_one_name():
    """A name assigned anywhere in the function is local everywhere in it."""

    def f(x):
        if x > 1:
            RATE = 2.0
        else:
            RATE = x
        return RATE * x

    vectorised(f, array("f", 0))


RATE = 100.0


def test_the_users_own_np(tmp_path):
    """A module whose np is something else: right in any case, at worst as an announced loop."""
    path = tmp_path / "program.py"
    path.write_text(
        "import math\n"
        "np = 3.0\n"
        "def f(x):\n"
        "    if x > 0:\n"
        "        return math.log(x) * np\n"
        "    return np\n"
    )
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    check(namespace["f"], np.array([1.0, 2.0, -1.0, NAN]))


def test_names_that_patterns_assign_on_some_paths():
    def f(x, j):
        for _ in (1, 2):
            match j:
                case 7 if j > 8:
                    pass
                case 1 as found if 2:
                    j -= found
                case 4 | 5 if 1.0:
                    pass
        return j + x

    for j in (0, 1, 2, 4):
        vectorised(f, np.ones(3), j, in_axes=(0, None))


def test_long_names_keep_lines_short():
    def f(a_rather_long_name_for_a_velocity, another_long_name_for_a_temperature):
        an_intermediate_with_a_long_name = (
            a_rather_long_name_for_a_velocity * another_long_name_for_a_temperature
            + a_rather_long_name_for_a_velocity**2
            - another_long_name_for_a_temperature
        )
        if an_intermediate_with_a_long_name > another_long_name_for_a_temperature:
            return an_intermediate_with_a_long_name / a_rather_long_name_for_a_velocity
        return a_rather_long_name_for_a_velocity + an_intermediate_with_a_long_name

    vectorised(f, np.array([1.0, 2.0, -3.0]), np.array([4.0, -5.0, 0.5]))


@pytest.mark.parametrize(
    "word", ["shape", "n", "out", "live", "k", "k2", "lane", "bad", "j", "size", "test", "result"]
)
def test_arguments_named_as_emitted_names(word, tmp_path):
    """The text's own names give way to the user's."""
    path = tmp_path / "program.py"
    path.write_text(
        f"def f({word}, y):\n"
        f"    if {word} > 0:\n"
        f"        y = y / {word}\n"
        f"        if y > 1:\n"
        f"            return y\n"
        f"    elif y == 2:\n"
        f"        raise ValueError(f'two: {{{word}}}')\n"
        f"    {word} = y + {word}\n"
        f"    return {word}\n"
    )
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    vectorised(namespace["f"], array("f", 0), array("i", 1))
