"""``retire``: lanes leave a loop one by one, and the arrays of those still running shrink.

    k = np.arange(len(x))               # the lanes still running
    for _ in range(50):
        ...
        done = np.abs(step) < 1e-12
        root_out[k[done]] = root[done]  # a lane that is done is written out
        k, root = k[~done], root[~done] # and dropped from the working set
        if not k.size:
            break

A lane that has left is never computed on.  Carried values and what else the lanes' own arrays hold
shrink with the index; arguments stay full width and are read as ``x[k]``.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import gast

from autovec.lower.analysis import defined_inside, read_inside, risky_uniform
from autovec.lower.arrays import dims, filled_array, scalar, spread
from autovec.lower.carrying import begin, finish, hand_on, held, settled, starts, target_of
from autovec.lower.expressions import dtype_argument, put_text
from autovec.lower.frames import Frame, LoopExits
from autovec.lower.framing import frame
from autovec.lower.lowering import Done, lower_nodes
from autovec.lower.naming import clean, idea, numbered
from autovec.lower.outs import make_outs
from autovec.lower.packing import pack_left
from autovec.lower.shrinking import drop_all, name_test, shrink, stop_if_empty, where_some_leave
from autovec.lower.writer import Writer
from autovec.program.carries import UNSET
from autovec.program.facts import STRING, storage
from autovec.program.nodes import CarryResult, Exit, Loop, Node, returns
from autovec.program.things import literal
from autovec.program.values import Const, Path, Value
from autovec.syntax import quote
from autovec.syntax.visit import replace_names

#: an argument that a trip reads more often than this is taken along packed
_OFTEN = 2


def retire(w: Writer, node: Loop, rest: list[Node], done: Done | None) -> bool:
    """Write a loop from which lanes retire; True when the code behind is for those left."""
    w.need_flat()
    w.partial = True
    leaving = returns(node.body)
    if leaving:
        make_outs(w)
    w.flush(*(c.init for c in node.carries))  # read where the loop starts
    live = None
    if leaving and (rest or done is not None):
        live = w.fresh("live")
        w.emit(quote.stmt("live = np.ones(size, bool)", live=live, size=w.whole_size()))
        w.live_masks.append(live)
    write_loop(w, node)
    if live is None:
        return leaving and _close(w)
    w.live_masks.pop()
    pack_left(w, live, rest, done)
    _close(w)
    return True


def _close(w: Writer) -> bool:
    """At the function's own level nothing follows: the results are returned."""
    from autovec.lower.results import return_outs

    if w.frame.root and not w.live_masks:
        return_outs(w)
    return True


def write_loop(w: Writer, node: Loop) -> None:
    """The loop itself; its results are in full-size arrays behind it."""
    outer = w.frame
    iterable: gast.expr | None = None
    if node.iterable is not None:
        args = {p: w.read(a) for p, a in zip(node.params, node.args, strict=True)}
        iterable = replace_names(node.iterable, args)
    results = allocate(w, node)
    moving = [c for c in node.carries if not settled(w, c) or not c.result.fact.varying]
    names, iterable = starts(w, moving, start, iterable)
    inner = enter(w, node)
    for c in moving:
        w.home[id(c.head)] = inner
    kept = along(w, node, inner)
    base = len(w.live_masks)
    w.loop_depth += 1
    w.before_loop.append(w.out)
    breaks: list[Exit] = []
    with w.collect() as body:
        if iterable is not None:
            w.emit(*quote.stmts("if not k.size:\n    break", k=inner.index_name))
        leaving = partial(leave, w, node, results, names, base, breaks)
        w.loop_exits.append(LoopExits(leaving, partial(drop_all, w, node, names)))
        read_behind = [c for c in node.carries if w.remaining[id(c.result)] > 0]
        with held(w, read_behind, names):
            stop_where_false(w, node, results)
        target = target_of(w, node.target) if iterable is not None else None
        lower_nodes(w, node.body.nodes, partial(finish, w, node.carries, names))
        w.loop_exits.pop()
    w.loop_depth -= 1
    w.before_loop.pop()
    if iterable is not None:
        text = "for target in items:\n    body"
        w.emit(quote.stmt(text, target=target, items=iterable, body=body))
    else:
        w.emit(quote.stmt("while k.size:\n    body", k=inner.index_name, body=body))
    endless = node.test is not None and isinstance(node.test.op, Const)
    together = node.test is None or not (node.test.varying or endless)
    if together or breaks:
        write_out(w, node, results, names, inner)
    w.frame = outer
    leave_frame(w, inner, kept)
    for c, name in zip(node.carries, results, strict=True):
        if name is None:
            if not c.result.fact.varying:
                w.assigned(c.result, names[id(c.head)])
            continue
        w.own.add(id(c.result))
        if outer.root:
            w.hold(c.result, name)
            continue
        w.release(name)  # the frame around reads its own lanes of it
        source = quote.expr("x[k]", x=name, k=outer.index())
        w.emit(quote.stmt("name = source", name=w.take(c.result), source=source))


def write_out(
    w: Writer, node: Loop, results: list[str | None], names: dict[int, str], inner: Frame
) -> None:
    """What the lanes hold that ran to the end.

    Where all of them may have left on the way, names that only a trip assigns may not be there,
    arrays not be shrunk, and names that no trip hands on hold something else.
    """
    unset = any(c.init is UNSET for c, name in zip(node.carries, results, strict=True) if name)
    with w.collect() as stores:
        for c, name in zip(node.carries, results, strict=True):
            if name is not None and id(c.head) in names:
                store(w, name, quote.name(names[id(c.head)]))
    if stores and (unset or inner.emptied or not node.body.falls):
        w.emit(quote.stmt("if k.size:\n    body", k=inner.index_name, body=stores))
    else:
        w.emit(*stores)


def allocate(w: Writer, node: Loop) -> list[str | None]:
    """A full-size array for each carried value that is read behind the loop.

    What is the same on all lanes that are left stays a scalar, in the name that the trips give it.
    """
    found: list[str | None] = []
    for c in node.carries:
        if w.remaining[id(c.result)] <= 0 or not c.result.fact.varying:
            found.append(None)
            continue
        dtype = storage(c.result.fact)
        if dtype.kind == "U":
            dtype = STRING
        word = clean(c.result.origin) or idea(c.result)
        same = settled(w, c)
        name = numbered(word if same else f"{word}_out", w.free)
        w.locked[name] += 1
        (w.texts.add if dtype == STRING else w.texts.discard)(name)
        size = dims(w, w.whole_size(), c.result.fact)
        if same:
            made = filled_array(size, literal(c.init), dtype, w.peek(c.init))
        else:
            made = quote.expr("np.empty(n, *dtype)", n=size, dtype=dtype_argument(dtype))
        w.emit(quote.stmt("name = made", name=name, made=made))
        found.append(name)
    return found


def start(w: Writer, c: CarryResult) -> str:
    """A carried value's name, assigned its initial value for the lanes that enter."""
    if c.init is UNSET:
        name = w.take_later(c.head)
        w.hold(c.head, name)
        return name
    fact = c.head.fact
    return begin(w, c, spread(w, c.init, fact) if fact.varying else scalar(w, c.init, fact))


def enter(w: Writer, node: Loop) -> Frame:
    """The frame of the lanes still running: at first all of the frame around."""
    outer = w.frame
    w.frames += 1
    made = Frame(outer, w.frames, looping=True, loop_depth=w.loop_depth + 1)
    made.index_name = w.fresh("k")
    index = quote.expr("np.arange(n)", n=w.whole_size()) if outer.root else outer.index(2)
    w.emit(quote.stmt("k = index", k=made.index_name, index=index))
    w.emit(quote.trailing_comment("the lanes still running"))
    w.frame = made
    return made


def along(w: Writer, node: Loop, made: Frame) -> list[tuple[Value, str | None, Frame]]:
    """Arrays of the lanes around, and arguments read often: they shrink with the index."""
    inside = [*node.body.nodes, *(node.head.nodes if node.head else [])]
    own = defined_inside([node])
    counts: Counter[int] = Counter()
    found: dict[int, Value] = {}
    for v in read_inside(inside):
        known = w.resolve(v)
        if id(known) in own or id(known) not in w.names:
            continue
        if known.varying:
            counts[id(known)] += 1
            found[id(known)] = known
        else:  # the next trip reads it again
            w.locked[w.names[id(known)]] += 1
            made.locked.append(w.names[id(known)])
    kept: list[tuple[Value, str | None, Frame]] = []
    for key, value in found.items():
        home = w.home.get(key, w.root)
        if isinstance(value.op, Path) or (home.root and counts[key] <= _OFTEN):
            w.locked[w.names[key]] += 1
            made.locked.append(w.names[key])
            continue
        kept.append((value, w.names[key], home))
        source: gast.expr = quote.name(w.names[key])
        if home.root:
            source = quote.expr("x[k]", x=source, k=made.index_name)
        elif home is not made.parent:
            w.frame = made.parent  # type: ignore[assignment]
            source = w.gather(value, source, w.frame)
            w.frame = made
        old = w.names[key]
        w.locked[old] += 1
        made.locked.append(old)
        name = w.fresh(f"{old}_k")
        w.emit(quote.stmt("name = source", name=name, source=source))
        w.names[key] = name
        w.home[key] = made
        made.along.append(name)
    return kept


def leave_frame(w: Writer, made: Frame, kept: list[tuple[Value, str | None, Frame]]) -> None:
    """Behind the loop its arrays are gone; what was taken along is what it was."""
    for value, name, home in kept:
        assert name is not None
        w.names[id(value)], w.home[id(value)] = name, home
    for name in (made.index_name, *made.along, *made.locked):
        w.release(name)


def stop_where_false(w: Writer, node: Loop, results: list[str | None]) -> None:
    """The test of a ``while``: lanes where it fails are done."""
    if node.head is None or node.test is None:
        return
    lower_nodes(w, node.head.nodes)
    if not node.test.varying:
        test = w.read(node.test)
        if not (isinstance(test, gast.Constant) and test.value is True):
            w.emit(*quote.stmts("if not t:\n    break", t=test))
        return
    asked = node.test
    name_test(w, asked, "running")
    pairs = zip(node.carries, results, strict=True)
    kept = [(c, name) for c, name in pairs if name is not None and not settled(w, c)]

    def retired() -> None:
        if kept:
            with frame(w, w.peek(asked), True, []):
                for c, name in kept:
                    store(w, name, w.peek(c.head))
        shrink(w, w.read(asked))
        if risky_uniform(node.body.nodes):
            stop_if_empty(w)

    where_some_leave(w, asked, False, retired)


def leave(
    w: Writer,
    node: Loop,
    results: list[str | None],
    names: dict[int, str],
    base: int,
    together: list[Exit],
    exit: Exit,
) -> None:
    """These lanes break: their values are written out; in the loop's own frame all are done."""
    if w.frame.looping:
        together.append(exit)
        ways = [*zip(node.carries, exit.values, results, strict=True)]
        going = [(c, value) for c, value, _ in ways if id(c.head) in names]
        hand_on(w, [c for c, _ in going], [value for _, value in going], names)
        for c, value, name in ways:
            if id(c.head) not in names and name is not None:
                store(w, name, w.read(value))
        w.emit(quote.stmt("break"))
        return
    for value, name in zip(exit.values, results, strict=True):
        if name is None:
            w.skip(value)
        else:
            store(w, name, w.read(value))
    for live in w.live_masks[base:]:
        w.emit(quote.stmt("live[k] = False", live=live, k=w.frame.index()))


def store(w: Writer, name: str, expr: gast.expr) -> None:
    """Write a result for the lanes of the current frame."""
    if name in w.texts:
        w.emit(put_text(w, name, w.frame.index(), expr))
        return
    w.emit(quote.stmt("out[k] = value", out=name, k=w.frame.index(), value=expr))
