"""Region programs of real functions: single assignment, order, facts, what folds away."""

import inspect

import numpy as np
import pytest

from autovec.errors import Unsupported
from autovec.pipeline import parameter
from autovec.program.facts import BATCH, Uniform, Varying
from autovec.program.functions import Unit
from autovec.program.nodes import (
    Block,
    Check,
    Exit,
    If,
    Let,
    Loop,
    Raise,
    Return,
    raise_reads,
    walk,
)
from autovec.program.things import Seq, leaves
from autovec.program.values import CallTwin, Carry, Const, Item, Operation, Param, Path, Phi, Value
from tests.programs import (
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
)
from tests.programs.grid import _KINDS, UNIFORM

DTYPES = {"f": "f8", "i": "i8", "b": "?", "s": "U3"}


def programs(f, kinds):
    """Every program of the unit of a function, helpers too."""
    unit = Unit()
    things = {}
    parameters = list(inspect.signature(f).parameters.values())
    for k, p in enumerate(parameters):
        if p.kind is p.VAR_POSITIONAL:
            arg = tuple(Varying(np.dtype(DTYPES[c])) for c in kinds[k:])
        elif k < len(kinds) and p.kind is not p.VAR_KEYWORD:
            c = kinds[k]
            arg = Varying(np.dtype(DTYPES[c])) if c.islower() else Uniform(UNIFORM[c.lower()])
        else:
            arg = Uniform(p.default)
        things[p.name] = parameter(arg, p.name, (BATCH,))
    unit.main(f, things, (BATCH,), f.__name__)
    return list(unit.programs.values())


def build(f, kinds):
    return programs(f, kinds)[-1]


class Verifier:
    """Every value is computed once, before it is read, over the lanes of its operands."""

    def __init__(self, program):
        self.program = program
        self.carried = []
        known = [v for t in program.things.values() for v in leaves(t)]
        self.block(program.body, {id(v): v for v in known})

    def read(self, value, known):
        assert isinstance(value, Value), value
        if isinstance(value.op, Const | Path | Param):
            return
        assert id(value) in known, f"{value} is read before it is computed"

    def define(self, value, known):
        assert id(value) not in known, f"{value} is computed twice"
        known[id(value)] = value

    def block(self, block, known):
        for k, node in enumerate(block.nodes):
            if isinstance(node, Return | Raise | Exit):
                assert k == len(block.nodes) - 1, "an exit ends its block"
            getattr(self, type(node).__name__)(node, known)

    def Let(self, node, known):
        for arg in node.value.args:
            self.read(arg, known)
            assert set(arg.fact.lanes) <= set(node.value.fact.lanes)
        assert isinstance(node.value.op, Operation | CallTwin)
        self.define(node.value, known)

    def If(self, node, known):
        self.read(node.test, known)
        assert node.test.fact.kind == "b"
        then, orelse = dict(known), dict(known)
        self.block(node.then, then)
        self.block(node.orelse, orelse)
        for phi in node.phis:
            assert isinstance(phi.value.op, Phi)
            if phi.then is not None:
                self.read(phi.then, then)
            if phi.orelse is not None:
                self.read(phi.orelse, orelse)
            if node.then.falls and node.orelse.falls:
                assert set(node.test.fact.lanes) <= set(phi.value.fact.lanes)
            self.define(phi.value, known)

    def Loop(self, node, known):
        for v in node.args:
            self.read(v, known)
            assert not v.varying, "a trip count is the same for all lanes"
        inside = dict(known)
        for carry in node.carries:
            assert isinstance(carry.head.op, Carry)
            if isinstance(carry.init.op, Operation | Phi | Carry | Item):
                self.read(carry.init, known)
            self.define(carry.head, inside)
        if node.head is not None:
            self.block(node.head, inside)
            self.read(node.test, inside)
        todo = [node.target]
        while todo:
            target = todo.pop()
            if isinstance(target, tuple):
                todo.extend(target)
            elif target is not None:
                inside[id(target)] = target
        self.carried.append(len(node.carries))
        self.block(node.body, inside)
        self.carried.pop()
        for carry in node.carries:
            assert (carry.next is not None) == node.body.falls
            if carry.next is not None:
                self.read(carry.next, inside)
                assert set(carry.next.fact.lanes) <= set(carry.head.fact.lanes)
            if carry.result is not carry.head:
                self.define(carry.result, known)

    def Check(self, node, known):
        self.read(node.test, known)
        self.Raise(node.error, known)

    def Raise(self, node, known):
        for v in raise_reads(node):
            self.read(v, known)

    def Exit(self, node, known):
        assert len(node.values) == self.carried[-1], "a break hands on a value a carry"
        for v in node.values:
            self.read(v, known)

    def Return(self, node, known):
        assert len(node.leaves) == len(leaves(self.program.result))
        for v in node.leaves:
            self.read(v, known)


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


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
def test_programs_are_well_formed(module):
    for f, kinds in _KINDS.items():
        if inspect.getmodule(f) is module:
            try:
                found = programs(f, kinds)
            except Unsupported:
                continue  # the language tests say so
            for program in found:
                Verifier(program)


def test_the_verifier_finds_faults():
    def program():
        return build(branches.nested, "fi")

    made = program()
    made.body.nodes.insert(0, made.body.nodes.pop())
    with pytest.raises(AssertionError):
        Verifier(made)
    made = program()
    made.body.nodes.append(made.body.nodes[0])
    with pytest.raises(AssertionError):
        Verifier(made)
    made = program()
    (branch, *_) = [n for n in walk(made.body) if isinstance(n, If)]
    branch.phis[0].then, branch.phis[0].orelse = branch.phis[0].orelse, branch.phis[0].then
    with pytest.raises(AssertionError):
        Verifier(made)


def nodes(program, kind):
    return [n for n in walk(program.body) if isinstance(n, kind)]


def test_a_name_is_not_a_value():
    """y[i], y[j] = y[j], y[i]: the swap is of values, and leaves nothing to do."""
    program = build(lambda x, y: swapped(x, y), "ff")
    assert program.result.kind is tuple

    def rotate(x, y):
        x, y = y, x
        return x - y

    program = build(rotate, "ff")
    (value,) = program.body.nodes[-1].leaves
    assert [a.op.name for a in value.args] == ["y", "x"]
    assert len(nodes(program, Let)) == 1


def swapped(x, y):
    x, y = y, x
    return x, y


def test_decided_tests_leave_no_branch():
    def f(x, y=None):
        if y is None:
            y = 2.0
        if x is None:
            return 1 / 0
        if isinstance(y, str) or not True:
            return None
        return x * y

    assert not nodes(build(f, "f"), If)


def test_only_live_names_are_merged():
    def f(x, y):
        t = 0.0
        if x > y:
            t = x + 1
            z = t * 2
        else:
            z = y
        return z

    (branch,) = nodes(build(f, "ff"), If)
    assert [p.value.origin for p in branch.phis] == ["z"]


def test_code_behind_an_exit_is_not_built():
    def f(x):
        if x > 0:
            return x
            x = unknown(x)  # noqa: F821
        else:
            raise ValueError
        return also_unknown  # noqa: F821

    program = build(f, "f")
    assert len(nodes(program, Return)) == 1 and len(nodes(program, Raise)) == 1


def test_returns_agree_on_a_structure():
    program = build(results.nested_on_paths, "fi")
    found = nodes(program, Return)
    assert len(found) == 3 and {len(r.leaves) for r in found} == {3}
    assert [v.fact.dtype for v in leaves(program.result)] == [np.int64, np.int64, np.float64] or [
        v.fact.kind for v in leaves(program.result)
    ] == ["f", "i", "f"]


def test_facts_of_loops_reach_a_fixpoint():
    program = build(loops.uniform_at_first_sight, "f")
    (loop,) = nodes(program, Loop)
    assert all(c.head.varying for c in loop.carries)
    assert all(n.test.varying for n in nodes(program, If))
    program = build(loops.carried_dtype_grows, "fi")
    (loop,) = nodes(program, Loop)
    assert loop.carries[0].head.fact.dtype == float


def test_loops_are_not_unrolled_when_long():
    def f(x):
        s = 0.0
        for i in range(10**6):
            s = s + x * i
        return s

    assert len(nodes(build(f, "f"), Loop)) == 1


def test_helpers_are_built_once_for_the_same_facts():
    def f(x, k):
        return functions.safe_log(x) + functions.safe_log(x + 1) + functions.safe_log(k)

    made = programs(f, "fi")
    assert len(made) == 3, "one for float64, one for int64, and the function itself"


def test_helpers_do_not_depend_on_uniform_numbers():
    def f(x):
        return functions.clipped(x, 1.0) + functions.clipped(x, 2.0) + functions.clipped(x, 3.0)

    assert len(programs(f, "f")) == 2


def test_checks_hold_what_their_message_reads():
    program = build(errors.raise_in_depth, "fi")
    told = [*nodes(program, Raise), *(c.error for c in nodes(program, Check))]
    assert [sorted(e.captures) for e in told] == [["k", "z"]]


def test_notes_name_lines():
    program = build(branches.nested, "fi")
    first = branches.nested.__code__.co_firstlineno
    assert all(first <= n.line <= first + 20 for n in program.notes)


def test_the_result_of_a_recursion_is_found_in_rounds():
    def f(x):
        return f(x - 1) if x > 0 else 0

    program = build(f, "i")
    assert program.recursive and program.result.fact.dtype == np.dtype(int)


def test_blocks_know_their_ends():
    x = Value(Param("x"), (), build(branches.sign, "f").result.fact, "x")
    one = Block([Return(x, (x,))])
    assert not one.falls and one.exits and one.end is one.nodes[0]
    both = Block([If(x, one, one, [])])
    assert not both.falls and both.exits and both.end is None
    half = Block([If(x, one, Block(), [])])
    assert half.falls and half.exits
    assert Block().falls and not Block().exits
    assert Seq((x,)).kind is tuple
