"""if, elif, else, early returns and ternaries, in every layout of arguments."""

import numpy as np
import pytest

from tests.harness import check
from tests.programs import branches
from tests.programs.grid import BOOLS, FLOATS, INTS, array, calls, vectorised

NAN, INF = np.nan, np.inf


@calls(branches)
def test_branches(f, args, in_axes):
    vectorised(f, *args, in_axes=in_axes)


def test_all_combinations_of_two_edges():
    x, k = np.meshgrid(FLOATS, INTS)
    for f in (branches.some_paths_return, branches.two_joins_behind_returns, branches.deep):
        if f is branches.deep:
            vectorised(f, x.ravel(), k.ravel(), k.ravel()[::-1].copy())
        else:
            vectorised(f, x.ravel(), k.ravel())


@pytest.mark.parametrize(
    "kinds", ["ff", "gg", "gj", "hh", "hi", "bi", "ib", "jg", "bb", "fh", "ih"]
)
def test_dtypes_of_branches(kinds):
    """Each pair of dtypes, through returns, merges and ternaries."""
    args = [array(c, k) for k, c in enumerate(kinds)]
    for f in (branches.nested, branches.nested_ternary, branches.branches_of_other_types):
        vectorised(f, *args)


@pytest.mark.parametrize("shapes", [((), (4,)), ((3, 1), (4,)), ((2, 1, 3), (5, 1)), ((1,), (6,))])
def test_shapes(shapes):
    x = np.resize(np.array(FLOATS), shapes[0])
    k = np.resize(np.array(INTS), shapes[1])
    for f in (branches.partial_sides, branches.some_paths_return, branches.ternary_in_arguments):
        vectorised(f, x, k)
        vectorised(f, k, x)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_lanes(n):
    for f in (branches.sign, branches.constant_tail, branches.returns_at_every_depth):
        vectorised(f, array("f", 0, n))
    for f in (branches.partial_sides, branches.guard_clauses, branches.some_paths_return):
        vectorised(f, array("f", 0, n), array("i", 1, n))
        vectorised(f, np.zeros((n, 3)), np.zeros((3,), int))


def test_one_lane_for_every_path():
    """Each lane alone: whole branches have no lane at all."""
    for x in FLOATS:
        for k in INTS:
            for f in (branches.nested, branches.some_paths_return, branches.partial_sides):
                check(f, np.array([x]), np.array([k]), deep=False)


def test_all_lanes_on_one_path():
    for x, k in ((3.0, 5), (-3.0, 0), (NAN, -2), (INF, 1)):
        for f in (branches.nested, branches.two_joins_behind_returns, branches.partial_sides):
            vectorised(f, np.full(4, x), np.full(4, k))


def test_nan_goes_to_else():
    x = np.array([1.0, NAN, -1.0])
    assert vectorised(branches.sign, x).lanes == 3
    got = branch_values(branches.sign, x)
    assert got.tolist() == [1, 0, -1] and got.dtype == np.int64


def test_the_test_is_not_asked_again():
    """else does not see what then did to the names of the test."""
    x = np.array([3.0, 0.5, -0.5, -7.0])
    got = branch_values(branches.test_changes_in_its_branch, x)
    np.testing.assert_array_equal(got, [5.0, -0.5, 5.0, 5.0])


def branch_values(f, *args):
    import autovec

    return autovec.vectorize(f, fallback="error")(*args)


def generated(depth, shape):
    """A program with a branch on every level; `shape` picks returns, merges and rebinding."""
    lines = ["def f(x, k):", "    y = x"]

    def block(level, indent, bits):
        pad = "    " * indent
        if level == 0:
            choice = bits % 4
            lines.append(
                pad + ("y = y + 1", "return y - k", "y = y / (k - 0.5)", "x = x - 1")[choice]
            )
            return
        test = ("x > 0", "k > 1", "y < 2", "x < k")[bits % 4]
        lines.append(f"{pad}if {test}:")
        block(level - 1, indent + 1, bits // 4)
        if bits % 3:
            lines.append(f"{pad}else:")
            block(level - 1, indent + 1, bits // 16)
        if bits % 5 == 0:
            lines.append(f"{pad}y = y * 2")

    block(depth, 1, shape)
    block(max(depth - 1, 1), 1, shape // 7)
    lines.append("    return x + y")
    return "\n".join(lines)


@pytest.mark.parametrize("shape", range(3, 4000, 97))
def test_shapes_of_programs(shape, tmp_path):
    """Branches nested two to three deep, with every kind of end, twice in a row."""
    path = tmp_path / "program.py"
    path.write_text(generated(2 + shape % 2, shape))
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    vectorised(namespace["f"], array("f", 1, 23), array("i", 2, 23))


def test_bool_lanes_as_tests():
    def f(on, x):
        if on:
            return x
        return -x if not on else 0.0

    vectorised(f, np.resize(BOOLS, 7), array("f", 0, 7))


def test_long_elif_chain():
    """Forty cases: neither the depth of the text nor the width of a line is limited."""

    def f(k):
        if k == 0:
            return 0.0
        elif k == 1:
            return 1.5
        elif k == 2:
            return 2.5
        elif k == 3:
            return 3.5
        elif k == 4:
            return 4.5
        elif k == 5:
            return 5.5
        elif k == 6:
            return 6.5
        elif k == 7:
            return 7.5
        elif k == 8:
            return 8.5
        elif k == 9:
            return 9.5
        elif k == 10:
            return 10.5
        elif k == 11:
            return 11.5
        elif k == 12:
            return 12.5
        return -1.0

    vectorised(f, np.arange(-2, 16))
