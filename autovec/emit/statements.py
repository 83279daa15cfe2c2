"""The text of simple statements and of the headers of compound ones."""

from __future__ import annotations

import ast
from collections.abc import Callable

from autovec.emit.comments import WIDTH
from autovec.emit.layout import Layout
from autovec.emit.pieces import Item, excess_of, item_of, keyword_item, width_of
from autovec.emit.precedence import ATOM, SYMBOLS, TEST, TUPLE, level_of


def line(layout: Layout, indent: int, parts: list[Item], end: str = "") -> str:
    """Words and expressions in a row, at column `indent`; the last expression may go below.

    >>> from autovec.emit.astor_printer import printed
    >>> test = ast.parse("x > 0", mode="eval").body
    >>> line(Layout(printed, 4), 0, [("while ", test, TEST)], ":")
    'while x > 0:'
    """

    def laid(whole: bool, below: bool) -> str:
        block = ""
        for index, (word, node, level) in enumerate(parts):
            rest = parts[index + 1 :]
            room = len(end) if not rest else len(rest[0][0])
            if whole:  # all that follows stays on the line where this expression ends
                room = len(end) + sum(len(w) + len(layout.flat(n, v)) for w, n, v in rest)
            block += word
            if node is None:
                continue
            if below and not rest:
                column = indent + 4
                inner = layout.expr(node, column, room + 1, TUPLE)
                block += f"(\n{' ' * column}{inner})"
            else:
                block += layout.expr(node, width_of(block, indent), room, level, bracketed=False)
        return block + end

    flat = "".join(word + layout.flat(node, level) for word, node, level in parts) + end
    blocks = [laid(whole=False, below=False)]
    if "\n" in blocks[0] or indent + len(flat) > WIDTH:
        blocks += [laid(whole=True, below=False), laid(whole=False, below=True)]
    # Below costs parentheses: half a line, and the last choice for what has brackets of its own.
    last = parts[-1][1]
    penalties = [0.0, 0.0, 0.5 if last is not None and level_of(last) < ATOM else WIDTH]
    return min(
        (excess_of(block, indent, 0), block.count("\n") + penalty, index, block)
        for index, (block, penalty) in enumerate(zip(blocks, penalties, strict=False))
    )[-1]


def simple_parts(node: ast.stmt) -> list[Item] | None:
    """The words and expressions of a simple statement; None for other statements.

    >>> [word for word, _, _ in simple_parts(ast.parse("x = y = 1").body[0])]
    ['', ' = ', ' = ']
    """
    match node:
        case ast.Assign(targets=targets, value=value):
            parts: list[Item] = [(" = ", target, TUPLE) for target in targets]
            parts[0] = ("", targets[0], TUPLE)
            return [*parts, (" = ", value, TUPLE)]
        case ast.AugAssign(target=target, op=op, value=value):
            return [("", target, TEST), (f" {SYMBOLS[type(op)]}= ", value, TUPLE)]
        case ast.AnnAssign(target=target, annotation=annotation, value=value, simple=simple):
            wrapped = isinstance(target, ast.Name) and not simple
            parts = [("(" if wrapped else "", target, TEST)]
            parts.append((("): " if wrapped else ": "), annotation, TEST))
            return parts if value is None else [*parts, (" = ", value, TUPLE)]
        case ast.Return(value=value):
            return [("return" if value is None else "return ", value, TUPLE)]
        case ast.Expr(value=value):
            return [("", value, TUPLE)]
        case ast.Raise(exc=exc, cause=cause):
            parts = [("raise" if exc is None else "raise ", exc, TEST)]
            return parts if cause is None else [*parts, (" from ", cause, TEST)]
        case ast.Assert(test=test, msg=msg):
            parts = [("assert ", test, TEST)]
            return parts if msg is None else [*parts, (", ", msg, TEST)]
        case ast.Delete(targets=targets):
            return [("del " if k == 0 else ", ", t, TEST) for k, t in enumerate(targets)]
    return None


def import_line(layout: Layout, indent: int, node: ast.ImportFrom) -> str:
    """`from module import names`, in parentheses where one line is too short."""
    text = ast.unparse(node)
    if indent + len(text) <= WIDTH:
        return text
    head = text[: text.index(" import ")] + " import ("
    return layout.brackets(head, [(ast.unparse(a), None, TEST) for a in node.names], ")", indent, 0)


def def_header(layout: Layout, indent: int, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """`def name(parameters) -> annotation:`, its parameters aligned where they need more lines."""
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    generic = ", ".join(map(ast.unparse, getattr(node, "type_params", [])))
    head = f"{word} {node.name}" + (f"[{generic}]" if generic else "") + "("
    end = "):" if node.returns is None else f") -> {layout.flat(node.returns)}:"
    items = parameters(node.args, layout.flat)
    if not items:
        return head + end
    flat = head + ", ".join(prefix + layout.flat(value, level) for prefix, value, level in items)
    if indent + len(flat) + len(end) <= WIDTH:
        return flat + end
    return layout.brackets(head, items, end, indent, 0)


def parameters(args: ast.arguments, text: Callable[[ast.expr], str]) -> list[Item]:
    """Each parameter with its annotation and default, and the markers `/` and `*`."""

    def name(arg: ast.arg) -> str:
        return arg.arg + (f": {text(arg.annotation)}" if arg.annotation is not None else "")

    def item(arg: ast.arg, default: ast.expr | None) -> Item:
        if default is None:
            return name(arg), None, TEST
        return name(arg) + (" = " if arg.annotation is not None else "="), default, TEST

    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    items = list(map(item, positional, defaults))
    if args.posonlyargs:
        items.insert(len(args.posonlyargs), ("/", None, TEST))
    if args.vararg is not None:
        items.append(("*" + name(args.vararg), None, TEST))
    elif args.kwonlyargs:
        items.append(("*", None, TEST))
    items += map(item, args.kwonlyargs, args.kw_defaults)
    if args.kwarg is not None:
        items.append(("**" + name(args.kwarg), None, TEST))
    return items


def class_header(layout: Layout, indent: int, node: ast.ClassDef) -> str:
    """`class Name(bases, keyword=value):`."""
    generic = ", ".join(map(ast.unparse, getattr(node, "type_params", [])))
    head = f"class {node.name}" + (f"[{generic}]" if generic else "")
    items = [*map(item_of, node.bases), *map(keyword_item, node.keywords)]
    return layout.brackets(head + "(", items, "):", indent, 0) if items else head + ":"


def with_header(layout: Layout, indent: int, node: ast.With | ast.AsyncWith) -> str:
    """`with manager as name, ...:`; parentheses around several managers on several lines."""
    word = "async with " if isinstance(node, ast.AsyncWith) else "with "
    parts: list[Item] = []
    for item in node.items:
        parts.append((", " if parts else word, item.context_expr, TEST))
        if item.optional_vars is not None:
            parts.append((" as ", item.optional_vars, TEST))
    block = line(layout, indent, parts, ":")
    if len(node.items) == 1 or "\n" not in block:
        return block
    column = indent + len(word) + 1
    managers = []
    for item in node.items:
        name = f" as {layout.flat(item.optional_vars, TEST)}" if item.optional_vars else ""
        managers.append(layout.expr(item.context_expr, column, len(name) + 2) + name)
    return word + "(" + (",\n" + " " * column).join(managers) + "):"
