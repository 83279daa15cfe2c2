"""The shape of the batch, and which parameters give a value its shape."""

from __future__ import annotations

import gast

from autovec.lower.selections import Leaf, Pick, Tree
from autovec.lower.writer import Writer
from autovec.program.nodes import Block, If, Let, Loop
from autovec.program.things import leaves
from autovec.program.values import Param, Path, Value
from autovec.syntax import quote


class Rewrite(Exception):
    """The program has to be written again, its parameters keeping their names."""


def varying_parameters(w: Writer) -> frozenset[str]:
    """The parameters whose shapes make the batch's."""
    return frozenset(
        name for name, thing in w.program.things.items() if any(v.varying for v in leaves(thing))
    )


def batch_shape(w: Writer) -> gast.expr:
    """The broadcast shape of the varying parameters."""
    shapes = []
    for thing in w.program.things.values():
        for v in leaves(thing):
            if v.varying:
                source = v.op.expr if isinstance(v.op, Path) else quote.name(_own_name(w, v))
                shapes.append(quote.expr("np.shape(x)", x=source))
    return shapes[0] if len(shapes) == 1 else quote.expr("np.broadcast_shapes(*s)", s=shapes)


def _own_name(w: Writer, v: Value) -> str:
    assert isinstance(v.op, Param)
    if v.op.name in w.reassigned:
        # its name was given to another value: keep it for the parameter, and write again
        w.keep_parameters = True
        raise Rewrite
    return v.op.name


def deps_of(w: Writer, tree: Tree, k: int) -> frozenset[str]:
    """The parameters whose shapes a leaf of the result has."""
    if isinstance(tree, Pick):
        return dependencies(w, tree.test) | deps_of(w, tree.then, k) | deps_of(w, tree.orelse, k)
    return dependencies(w, tree.values[k]) if isinstance(tree, Leaf) else frozenset()


def dependencies(w: Writer, value: Value) -> frozenset[str]:
    """The parameters whose shapes a value has."""
    if not w.dependencies:
        _find_dependencies(w)
    return w.dependencies.get(id(value), frozenset())


def _find_dependencies(w: Writer) -> None:
    found = w.dependencies
    for name, thing in w.program.things.items():
        for v in leaves(thing):
            found[id(v)] = frozenset({name}) if v.varying else frozenset()

    def of(v: Value | None) -> frozenset[str]:
        return found.get(id(v), frozenset())

    def visit(block: Block) -> bool:
        changed = False
        for node in block.nodes:
            if isinstance(node, Let):
                args = node.value.args if node.value.varying else ()
                new = frozenset().union(*(of(a) for a in args))
                changed |= found.get(id(node.value)) != new
                found[id(node.value)] = new
            elif isinstance(node, If):
                changed |= visit(node.then) | visit(node.orelse)
                for phi in node.phis:
                    sides = of(phi.then) | of(phi.orelse)
                    two = phi.then is not None and phi.orelse is not None
                    new = sides | (of(node.test) if two else frozenset())
                    changed |= found.get(id(phi.value)) != new
                    found[id(phi.value)] = new
            elif isinstance(node, Loop):
                for carry in node.carries:
                    new = of(carry.init) | of(carry.next)
                    for e in node.breaks:
                        new |= of(e.values[node.carries.index(carry)])
                    if node.retires:
                        new |= varying_parameters(w)
                    changed |= found.get(id(carry.head)) != new
                    found[id(carry.head)] = found[id(carry.result)] = new
                changed |= visit(node.body)
        return changed

    while visit(w.program.body):
        pass
    found.setdefault(-1, frozenset())  # found, though there may be no values
