"""Rules that every emitted text keeps, read from the texts of all programs in every layout."""

import ast

import pytest

from tests.programs import (
    attempts,
    branches,
    choices,
    errors,
    functions,
    loops,
    names,
    numbers,
    reading,
    results,
    retired,
    truth,
)
from tests.programs.reading import RULES

MODULES = [
    attempts,
    branches,
    choices,
    errors,
    functions,
    loops,
    names,
    numbers,
    results,
    retired,
    truth,
]
#: inside try every step is a statement, so that what it raises is known
STEPS = {(reading.single_use_temporaries, attempts)}


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.__name__)
def test_every_text_keeps(rule, module):
    if (rule, module) in STEPS:
        pytest.skip("each step has a name")
    found = {}
    for name, f, tree in reading.texts(module):
        if rule is reading.conversions and not name.endswith("-vmap"):
            continue  # what np.vectorize accepts may be a number or a list
        offending = rule(f, tree)
        if offending:
            found[name] = sorted(set(offending))
    assert not found


def user(x, y):
    z = x
    return z


BAD = [
    (reading.partial_inside_where, "return np.where(x > 0, np.log(x), 0.0)"),
    (reading.partial_inside_where, "return np.where(x > 0, 0.0, 1 / x)"),
    (reading.partial_inside_where, "return np.where(x > 0, x // 0, x)"),
    (reading.partial_inside_where, "return np.where(x > 0, x, x ** y)"),
    (reading.relative_indexes, "out[k6[k9][lanes][hit[k]]] = 1"),
    (reading.relative_indexes, "return x[k[j[i]]]"),
    (reading.unread_names, "dead = x + 1\nreturn x"),
    (reading.single_use_temporaries, "test = x > 0\nreturn np.where(test, x, y)"),
    (reading.copies_of_fresh_arrays, "z = x + 1\nz = z.copy()\nreturn z"),
    (reading.copies_of_fresh_arrays, "return (x + 1).copy()"),
    (reading.copies_of_fresh_arrays, "return x.astype(float).copy()"),
    (reading.no_operations, "return np.where(x > 0, True, False)"),
    (reading.no_operations, "return np.where(x > 0, y, y)"),
    (reading.no_operations, "return ~~(x > 0)"),
    (reading.no_operations, "x = x\nreturn x"),
    (reading.no_operations, "if k.size:\n    if k.size:\n        raise ValueError"),
    (reading.no_operations, "return (x > 0) == True"),
    (reading.conversions, "return np.asarray(x)"),
    (reading.names, "tmp = x + 1\nreturn tmp"),
    (reading.names, "_t1 = x + 1\nreturn _t1"),
    (reading.names, "z117 = x + 1\nreturn z117"),
    (reading.names, "len = x\nreturn len(x)"),
]


@pytest.mark.parametrize(("rule", "text"), BAD)
def test_each_rule_finds(rule, text):
    tree = ast.parse("def user(x, y):\n" + "".join(f"    {s}\n" for s in text.splitlines())).body[0]
    assert rule(user, tree)


def test_the_gallerys_texts_pass():
    """What DESIGN.md calls good keeps the rules."""
    text = (
        "pos = np.flatnonzero(y > 0)\n"
        "    z = np.full(len(y), -1.0)\n"
        "    z[pos] = np.log(y[pos]) / x[pos]\n"
        "    return z * 2"
    )
    tree = ast.parse(f"def user(x, y):\n    {text}\n").body[0]
    assert not any(rule(user, tree) for rule in RULES)
    text = "return np.where(x < 0, 0.0, np.where(x > y, 1.0, (x - y) / 2.0))"
    tree = ast.parse(f"def user(x, y):\n    {text}\n").body[0]
    assert not any(rule(user, tree) for rule in RULES)
