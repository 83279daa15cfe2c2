"""A search of each lane's own: ``for j in range(m): if test: found; break`` in a lifted loop.

hit = img > t
some = hit.any(axis=1)
j = hit.argmax(axis=1)      # the first hit of each row; 0 where there is none
"""

from __future__ import annotations

from dataclasses import replace

import gast
import numpy as np

from autovec.errors import Unsupported
from autovec.lift.expressions import truth
from autovec.lift.headers import open_turn
from autovec.lift.nest import Nest
from autovec.lift.running import run
from autovec.lift.searches import search_of
from autovec.lift.values import Accumulator, Lane
from autovec.syntax import quote
from autovec.syntax.build import branch
from autovec.syntax.names import HIDDEN
from autovec.syntax.scope import assigned_names, free_names


def row_search(nest: Nest, node: gast.For, live: frozenset[str]) -> None:
    """All searches at once: the test for all turns of both loops, then the first hit of each."""
    parts = search_of(node)
    if parts is None or parts.returns or parts.rest:
        raise Unsupported(node, "an inner loop that does more than to search")
    names = assigned_names(node.target)
    if names & live or assigned_names(parts.first) & (live | free_names(parts.found)):
        raise Unsupported(node, "a value that an inner search leaves behind")
    if nest.pack is not None or nest.masks:
        raise Unsupported(node, "a search under a condition")
    outer = nest.axes
    turn, bind = open_turn(nest, node)
    if turn.step != 1 or turn.down:
        raise Unsupported(node, "a search that strides or descends")
    before = dict(nest.env)
    writes = sum(a.write for a in nest.accesses)
    nest.turns.append(turn)
    nest.axes = (*outer, turn.sym)
    bind()
    run(nest, parts.first, frozenset(free_names(parts.test)))
    mask = truth(nest, parts.test)
    if sum(a.write for a in nest.accesses) > writes:
        raise Unsupported(node, "a store before the test of a search")
    if mask.axes != nest.axes:
        raise Unsupported(node, "a test that is the same for all places of a search")
    if any(isinstance(nest.env.get(n), Accumulator) for n in free_names(parts.test)):
        raise Unsupported(node, "a search that depends on what is carried")
    hit = nest.bind("hit", mask)
    nest.turns.remove(turn)
    nest.axes = outer
    nest.env = before
    axis = len(outer)
    some = Lane(quote.expr("h.any(axis=a)", h=nest.text(hit), a=axis), outer, True)
    tested = f"{HIDDEN}hit"
    if names & free_names(parts.found):
        some = nest.bind("some", some)
        if not isinstance(node.target, gast.Name):
            raise Unsupported(node, "a search of this form that uses what it found")
        nest.require(turn.stop - turn.low - 1)  # argmax of nothing raises
        text = quote.expr("h.argmax(axis=a)", h=nest.text(hit), a=axis)
        if turn.low.constant != 0:
            text = quote.expr("k + low", k=text, low=nest.facts.render(turn.low))
        place = nest.bind(turn.name, Lane(text, outer, np.int64(1)))
        nest.env[node.target.id] = replace(place, sample=1)
    nest.env[tested] = some
    made = gast.copy_location(branch(quote.name(tested), parts.found, node.orelse), node)
    run(nest, [made], live)
    del nest.env[tested]
    for name in names:
        nest.env.pop(name, None)
        if name in before:
            nest.env[name] = before[name]
