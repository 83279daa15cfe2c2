"""autovec/axes.py: prefixes, sizes and signatures, and messages that name every argument."""

import collections
import doctest

import numpy as np
import pytest

from autovec import axes
from autovec.axes import Named


def test_doctests():
    assert doctest.testmod(axes).failed == 0


def test_broadcast_names_every_argument():
    with pytest.raises(ValueError, match=r"x has shape \(3,\), y has shape \(2,\)"):
        axes.broadcast([Named("x", (3,)), Named("y", (2,))])


@pytest.mark.parametrize(
    ("axis", "needed"), [(1, "at least 2"), (-2, "at least 2"), (0, None), (-1, None)]
)
def test_rank_too_small(axis, needed):
    if needed is None:
        assert axes.mapped_size(Named("x", (4,)), axis) == 4
        return
    with pytest.raises(ValueError, match=rf"argument x along axis {axis}, .*{needed}.*\(4,\)"):
        axes.mapped_size(Named("x", (4,)), axis)


def test_sizes_majority_first():
    mapped = [(Named("a", (4, 2)), 0), (Named("b", (3,)), 0), (Named("c['w']", (2, 3)), -1)]
    with pytest.raises(ValueError) as caught:
        axes.batch_size(mapped)
    assert str(caught.value) == (
        "vmap got inconsistent sizes for array axes to be mapped:\n"
        "  * size 3: axis 0 of argument b of shape (3,), "
        "axis -1 of argument c['w'] of shape (2, 3);\n"
        "  * size 4: axis 0 of argument a of shape (4, 2)"
    )


def test_axis_size_takes_part():
    assert axes.batch_size([], 5) == 5
    assert axes.batch_size([(Named("a", (5,)), 0)], 5) == 5
    with pytest.raises(ValueError, match="size 4: the argument axis_size"):
        axes.batch_size([(Named("a", (5,)), 0)], 4)


def test_nothing_mapped():
    with pytest.raises(ValueError, match="at least one non-None value in in_axes"):
        axes.batch_size([])


def test_size_one_is_not_broadcast():
    with pytest.raises(ValueError, match="size 3.*\n.*size 1"):
        axes.batch_size([(Named("a", (3,)), 0), (Named("b", (1,)), 0)])


def test_normalised_is_an_index_error_too():
    with pytest.raises(IndexError, match="axis -4 is out of bounds for array of dimension 3"):
        axes.normalised(-4, 3)


@pytest.mark.parametrize(
    "bad", ["0", 1.0, True, (0, "x"), {"x": 0.5}, np.array([1.0, 2.0]), np.array([0, 1]), {0}]
)
def test_bad_in_axes(bad):
    with pytest.raises(TypeError, match="in_axes"):
        axes.check_in_axes(bad)


@pytest.mark.parametrize("good", [0, None, -1, (0, None), [0], {"x": 1}, ((0, [1]),), np.int64(1)])
def test_good_in_axes(good):
    axes.check_in_axes(good)


def test_entries_by_position():
    assert axes.entries_for_arguments((0, None), ["x", "y"]) == [0, None]
    with pytest.raises(ValueError, match="1 entries for 2 positional arguments"):
        axes.entries_for_arguments((0,), ["x", "y"])


def test_entries_by_name():
    with pytest.raises(ValueError, match="names z, but the arguments of this call are x, y"):
        axes.entries_for_arguments({"z": 0}, ["x", "y"])


def test_prefix_over_trees():
    value = (1, collections.OrderedDict([("a", [2, 3]), ("b", None)]))
    assert list(axes.leaf_axes(0, value, "in_axes")) == [0, 0, 0]
    prefix = (None, collections.OrderedDict([("b", 0), ("a", -1)]))
    assert list(axes.leaf_axes(prefix, value, "in_axes")) == [None, -1, -1]


@pytest.mark.parametrize(
    ("prefix", "value", "where"),
    [
        ((0, 1), 5, "at out_axes it is a tuple of 2 where the value is an int"),
        ((0, [1]), (5, (6,)), r"at out_axes\[1\] it is a list of 1 where .* a tuple of 1"),
        ({"a": 0}, {"a": 1, "b": 2}, r"keys \['a'\] where .* keys \['a', 'b'\]"),
    ],
)
def test_prefix_mismatch_says_where(prefix, value, where):
    with pytest.raises(ValueError, match=where):
        list(axes.leaf_axes(prefix, value, "out_axes"))


@pytest.mark.parametrize(
    "text",
    [
        "(x),(y)->",
        "->()",
        "(x)",
        "((x))->(x)",
        "(x,)->()",
        "(x)(y)->()",
        "(x)->()->()",
        "",
        "(x y)",
    ],
)
def test_bad_signatures(text):
    with pytest.raises(ValueError, match="not a valid gufunc signature"):
        axes.parse_signature(text)


@pytest.mark.parametrize(
    "text",
    ["()->()", "(x)->()", "( x , y ),\t(y)->(x)", "(x),(y)->(x),(),(y)", "(a1),(n_2)->(a1,n_2)"],
)
def test_signatures_agree_with_numpy(text):
    from numpy.lib._function_base_impl import _parse_gufunc_signature

    ours = axes.parse_signature(text)
    assert [list(ours.inputs), list(ours.outputs)] == list(_parse_gufunc_signature(text))


def test_scalar_signatures():
    assert axes.parse_signature("(),()->(),()").scalar
    assert not axes.parse_signature("()->(n)").scalar
    assert not axes.parse_signature("(n)->()").scalar


def test_loop_shape_messages_are_numpys():
    signature = axes.parse_signature("(n),(n)->()")

    def shape(*shapes):
        named = [Named(name, shape) for name, shape in zip("abc", shapes)]
        return axes.loop_shape(named, signature, {})

    assert shape((4, 1, 3), (2, 3)) == (4, 2)
    with pytest.raises(TypeError, match="wrong number of positional arguments: expected 2, got 1"):
        shape((3,))
    with pytest.raises(ValueError, match="inconsistent size for core dimension 'n': 3 vs 2"):
        shape((2,), (3,))
    with pytest.raises(ValueError, match="0-dimensional argument does not have enough dimensions"):
        shape((), (3,))
    with pytest.raises(ValueError, match=r"a has shape \(5,\), b has shape \(4,\)"):
        shape((5, 3), (4, 3))
