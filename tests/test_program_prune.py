"""Dead code goes; what can raise, and what it reads, stays."""

import gast
import numpy as np
import pytest

from autovec.program.facts import Fact
from autovec.program.nodes import (
    Block,
    CarryResult,
    Check,
    Exit,
    If,
    Let,
    Loop,
    PhiResult,
    Raise,
    Return,
)
from autovec.program.prune import prune, summary
from autovec.program.values import Carry, Operation, Param, Phi, Value

FACT = Fact(np.dtype(float), ("B",))
ADD = Operation("+", ("a", "b"), "a + b", "a + b", total=True, cost=1.0)
DIV = Operation("/", ("a", "b"), "a / b", "a / b", total=False, cost=3.0)
LOUD = Operation("int", ("a",), "to_int(a)", "int(a)", impure=True)
ERROR = Raise(gast.Name("ValueError", gast.Load(), None, None), None, {})


def param(name="x"):
    return Value(Param(name), (), FACT, name)


def op(*args, kind=ADD):
    return Value(kind, args, FACT)


def phi():
    return Value(Phi(), (), FACT)


def returning(*values):
    return Return(values[0] if len(values) == 1 else None, values)


def lets(block):
    return [n.value for n in block.nodes if isinstance(n, Let)]


def test_unread_values_go_with_what_only_they_read():
    x = param()
    a, used = op(x, x), op(x, x)
    b = op(a, x)
    body = Block([Let(a), Let(used), Let(b), returning(used)])
    prune(body)
    assert lets(body) == [used]


def test_operands_stay():
    x = param()
    a = op(x, x)
    b = op(a, a)
    body = Block([Let(a), Let(b), returning(b)])
    prune(body)
    assert lets(body) == [a, b]


def test_an_unread_division_goes_but_what_raises_stays():
    """A float division departs; int() raises whether or not anybody reads it."""
    x = param()
    a = op(x, x)
    silent, loud = op(x, x, kind=DIV), op(a, kind=LOUD)
    body = Block([Let(a), Let(silent), Let(loud), returning(x)])
    prune(body)
    assert lets(body) == [a, loud]


def test_merges_that_nobody_reads_go():
    x, test = param(), param("t")
    a, b, dead_a, dead_b = (op(x, x) for _ in range(4))
    live, dead = phi(), phi()
    branch = If(
        test,
        Block([Let(a), Let(dead_a)]),
        Block([Let(b), Let(dead_b)]),
        [PhiResult(dead, dead_a, dead_b), PhiResult(live, a, b)],
    )
    body = Block([branch, returning(live)])
    prune(body)
    assert [p.value for p in branch.phis] == [live]
    assert lets(branch.then) == [a] and lets(branch.orelse) == [b]


def test_a_branch_that_does_nothing_goes_with_its_test():
    x = param()
    test, a = op(x, x), op(x, x)
    body = Block([Let(test), If(test, Block([Let(a)]), Block(), []), returning(x)])
    prune(body)
    assert body.nodes == [body.nodes[-1]] and isinstance(body.nodes[0], Return)


@pytest.mark.parametrize("node", [Check(param("c"), ERROR), ERROR, returning(param())])
def test_a_branch_that_ends_or_raises_stays(node):
    x = param()
    test = op(x, x)
    branch = If(test, Block([node]), Block(), [])
    body = Block([Let(test), branch, returning(x)])
    prune(body)
    assert lets(body) == [test] and branch in body.nodes


def test_what_a_message_reads_stays():
    x = param()
    told = op(x, x)
    error = Raise(ERROR.exc, None, {"y": told})
    body = Block([Let(told), Check(param("c"), error), returning(x)])
    prune(body)
    assert lets(body) == [told]


def test_a_chain_of_merges_is_followed():
    """A merge read by a side of the next branch is read."""
    x, s, t = param(), param("s"), param("t")
    a, inner, outer = op(x, x), phi(), phi()
    first = If(s, Block([Let(a)]), Block(), [PhiResult(inner, a, x)])
    second = If(t, Block(), Block(), [PhiResult(outer, inner, x)])
    body = Block([first, second, returning(outer)])
    prune(body)
    assert first in body.nodes and second in body.nodes and lets(first.then) == [a]


def loop(x, carries, nodes):
    return Loop(gast.Name("seq", gast.Load(), None, None), (), (), None, Block(nodes), carries)


def test_a_carried_value_that_only_feeds_itself_goes():
    """count = count + 1 in a loop, never read behind it."""
    x = param()
    heads = [Value(Carry(), (), FACT) for _ in range(2)]
    results = [Value(Carry(), (), FACT) for _ in range(2)]
    steps = [op(h, x) for h in heads]
    carries = [CarryResult(h, x, n, r) for h, n, r in zip(heads, steps, results, strict=True)]
    node = loop(x, carries, [Let(s) for s in steps])
    body = Block([node, returning(results[1])])
    prune(body)
    assert [c.head for c in node.carries] == [heads[1]]
    assert lets(node.body) == [steps[1]]


def test_a_loop_that_does_nothing_goes():
    x = param()
    head, result = Value(Carry(), (), FACT), Value(Carry(), (), FACT)
    step = op(head, x)
    node = loop(x, [CarryResult(head, x, step, result)], [Let(step)])
    body = Block([node, returning(x)])
    prune(body)
    assert node not in body.nodes


def test_a_loop_that_can_raise_stays():
    x = param()
    node = loop(x, [], [Check(op(x, x), ERROR)])
    body = Block([node, returning(x)])
    prune(body)
    assert node in body.nodes


def test_an_exit_keeps_its_branch():
    x, head, result = param(), Value(Carry(), (), FACT), Value(Carry(), (), FACT)
    test, step = op(x, x), op(head, x)
    inner = If(test, Block([Exit(values=(head,))]), Block(), [])
    node = loop(x, [CarryResult(head, x, step, result)], [Let(test), inner, Let(step)])
    body = Block([node, returning(result)])
    prune(body)
    assert inner in node.body.nodes and test in lets(node.body)


def test_once_is_enough():
    x, t = param(), param("t")
    a, dead, merged = op(x, x), op(x, x), phi()
    branch = If(t, Block([Let(a), Let(dead)]), Block(), [PhiResult(merged, a, x)])
    body = Block([branch, returning(merged)])
    prune(body)
    before = [type(n) for n in body.nodes], lets(branch.then)
    prune(body)
    assert before == ([type(n) for n in body.nodes], lets(branch.then))


def test_a_summary_says_whether_a_call_is_harmless():
    x, t = param(), param("t")
    a, q = op(x, x), op(x, x, kind=DIV)
    assert summary(Block([Let(a), returning(a)])) == (True, 1.0)
    assert summary(Block([Let(q), returning(q)])) == (False, 3.0)
    total, _ = summary(Block([Check(t, ERROR), returning(x)]))
    assert not total
    uniform = Value(Param("u"), (), Fact(np.dtype(bool)), "u")
    total, _ = summary(Block([If(uniform, Block(), Block(), []), returning(x)]))
    assert not total
    total, cost = summary(Block([If(t, Block([Let(a)]), Block(), []), returning(x)]))
    assert total and cost > 1.0
