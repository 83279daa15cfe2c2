"""Types of the part of gast that autovec uses (gast ships none)."""

from ast import (
    AST as AST,
)
from ast import NodeTransformer as NodeTransformer
from ast import NodeVisitor as NodeVisitor
from ast import (
    boolop as boolop,
)
from ast import (
    cmpop as cmpop,
)
from ast import (
    excepthandler as excepthandler,
)
from ast import (
    expr as expr,
)
from ast import (
    expr_context as expr_context,
)
from ast import (
    iter_child_nodes as iter_child_nodes,
)
from ast import iter_fields as iter_fields
from ast import (
    mod as mod,
)
from ast import (
    operator as operator,
)
from ast import pattern as _pattern
from ast import (
    pattern as pattern,
)
from ast import (
    stmt as stmt,
)
from ast import (
    unaryop as unaryop,
)
from ast import (
    walk as walk,
)
from typing import Any
from typing import TypeVar as _TypeVar

_Node = _TypeVar("_Node", bound=AST)

class slice(AST): ...
class type_ignore(AST): ...
class type_param(AST): ...

class Module(mod):
    body: list[stmt]
    type_ignores: list[type_ignore]
    def __init__(self, body: list[stmt] = ..., type_ignores: list[type_ignore] = ...) -> None: ...

class Expression(mod):
    body: expr
    def __init__(self, body: expr = ...) -> None: ...

class FunctionDef(stmt):
    name: str
    args: arguments
    body: list[stmt]
    decorator_list: list[expr]
    returns: expr | None
    type_comment: str | None
    type_params: list[type_param]
    def __init__(
        self,
        name: str = ...,
        args: arguments = ...,
        body: list[stmt] = ...,
        decorator_list: list[expr] = ...,
        returns: expr | None = ...,
        type_comment: str | None = ...,
        type_params: list[type_param] = ...,
    ) -> None: ...

class AsyncFunctionDef(stmt):
    name: str
    args: arguments
    body: list[stmt]
    decorator_list: list[expr]
    returns: expr | None
    type_comment: str | None
    type_params: list[type_param]
    def __init__(
        self,
        name: str = ...,
        args: arguments = ...,
        body: list[stmt] = ...,
        decorator_list: list[expr] = ...,
        returns: expr | None = ...,
        type_comment: str | None = ...,
        type_params: list[type_param] = ...,
    ) -> None: ...

class ClassDef(stmt):
    name: str
    bases: list[expr]
    keywords: list[keyword]
    body: list[stmt]
    decorator_list: list[expr]
    type_params: list[type_param]
    def __init__(
        self,
        name: str = ...,
        bases: list[expr] = ...,
        keywords: list[keyword] = ...,
        body: list[stmt] = ...,
        decorator_list: list[expr] = ...,
        type_params: list[type_param] = ...,
    ) -> None: ...

class Return(stmt):
    value: expr | None
    def __init__(self, value: expr | None = ...) -> None: ...

class Delete(stmt):
    targets: list[expr]
    def __init__(self, targets: list[expr] = ...) -> None: ...

class Assign(stmt):
    targets: list[expr]
    value: expr
    type_comment: str | None
    def __init__(
        self,
        targets: list[expr] = ...,
        value: expr = ...,
        type_comment: str | None = ...,
    ) -> None: ...

class TypeAlias(stmt):
    name: expr
    type_params: list[type_param]
    value: expr
    def __init__(
        self,
        name: expr = ...,
        type_params: list[type_param] = ...,
        value: expr = ...,
    ) -> None: ...

class AugAssign(stmt):
    target: expr
    op: operator
    value: expr
    def __init__(self, target: expr = ..., op: operator = ..., value: expr = ...) -> None: ...

class AnnAssign(stmt):
    target: expr
    annotation: expr
    value: expr | None
    simple: int
    def __init__(
        self,
        target: expr = ...,
        annotation: expr = ...,
        value: expr | None = ...,
        simple: int = ...,
    ) -> None: ...

class For(stmt):
    target: expr
    iter: expr
    body: list[stmt]
    orelse: list[stmt]
    type_comment: str | None
    def __init__(
        self,
        target: expr = ...,
        iter: expr = ...,
        body: list[stmt] = ...,
        orelse: list[stmt] = ...,
        type_comment: str | None = ...,
    ) -> None: ...

class AsyncFor(stmt):
    target: expr
    iter: expr
    body: list[stmt]
    orelse: list[stmt]
    type_comment: str | None
    def __init__(
        self,
        target: expr = ...,
        iter: expr = ...,
        body: list[stmt] = ...,
        orelse: list[stmt] = ...,
        type_comment: str | None = ...,
    ) -> None: ...

class While(stmt):
    test: expr
    body: list[stmt]
    orelse: list[stmt]
    def __init__(
        self,
        test: expr = ...,
        body: list[stmt] = ...,
        orelse: list[stmt] = ...,
    ) -> None: ...

class If(stmt):
    test: expr
    body: list[stmt]
    orelse: list[stmt]
    def __init__(
        self,
        test: expr = ...,
        body: list[stmt] = ...,
        orelse: list[stmt] = ...,
    ) -> None: ...

class With(stmt):
    items: list[withitem]
    body: list[stmt]
    type_comment: str | None
    def __init__(
        self,
        items: list[withitem] = ...,
        body: list[stmt] = ...,
        type_comment: str | None = ...,
    ) -> None: ...

class AsyncWith(stmt):
    items: list[withitem]
    body: list[stmt]
    type_comment: str | None
    def __init__(
        self,
        items: list[withitem] = ...,
        body: list[stmt] = ...,
        type_comment: str | None = ...,
    ) -> None: ...

class Match(stmt):
    subject: expr
    cases: list[match_case]
    def __init__(self, subject: expr = ..., cases: list[match_case] = ...) -> None: ...

class Raise(stmt):
    exc: expr | None
    cause: expr | None
    def __init__(self, exc: expr | None = ..., cause: expr | None = ...) -> None: ...

class Try(stmt):
    body: list[stmt]
    handlers: list[excepthandler]
    orelse: list[stmt]
    finalbody: list[stmt]
    def __init__(
        self,
        body: list[stmt] = ...,
        handlers: list[excepthandler] = ...,
        orelse: list[stmt] = ...,
        finalbody: list[stmt] = ...,
    ) -> None: ...

class TryStar(stmt):
    body: list[stmt]
    handlers: list[excepthandler]
    orelse: list[stmt]
    finalbody: list[stmt]
    def __init__(
        self,
        body: list[stmt] = ...,
        handlers: list[excepthandler] = ...,
        orelse: list[stmt] = ...,
        finalbody: list[stmt] = ...,
    ) -> None: ...

class Assert(stmt):
    test: expr
    msg: expr | None
    def __init__(self, test: expr = ..., msg: expr | None = ...) -> None: ...

class Import(stmt):
    names: list[alias]
    def __init__(self, names: list[alias] = ...) -> None: ...

class ImportFrom(stmt):
    module: str | None
    names: list[alias]
    level: int
    def __init__(
        self,
        module: str | None = ...,
        names: list[alias] = ...,
        level: int = ...,
    ) -> None: ...

class Global(stmt):
    names: list[str]
    def __init__(self, names: list[str] = ...) -> None: ...

class Nonlocal(stmt):
    names: list[str]
    def __init__(self, names: list[str] = ...) -> None: ...

class Expr(stmt):
    value: expr
    def __init__(self, value: expr = ...) -> None: ...

class Pass(stmt): ...
class Break(stmt): ...
class Continue(stmt): ...
class BoolOp(expr):
    op: boolop
    values: list[expr]
    def __init__(self, op: boolop = ..., values: list[expr] = ...) -> None: ...

class NamedExpr(expr):
    target: expr
    value: expr
    def __init__(self, target: expr = ..., value: expr = ...) -> None: ...

class BinOp(expr):
    left: expr
    op: operator
    right: expr
    def __init__(self, left: expr = ..., op: operator = ..., right: expr = ...) -> None: ...

class UnaryOp(expr):
    op: unaryop
    operand: expr
    def __init__(self, op: unaryop = ..., operand: expr = ...) -> None: ...

class Lambda(expr):
    args: arguments
    body: expr
    def __init__(self, args: arguments = ..., body: expr = ...) -> None: ...

class IfExp(expr):
    test: expr
    body: expr
    orelse: expr
    def __init__(self, test: expr = ..., body: expr = ..., orelse: expr = ...) -> None: ...

class Dict(expr):
    keys: list[expr | None]
    values: list[expr]
    def __init__(self, keys: list[expr | None] = ..., values: list[expr] = ...) -> None: ...

class Set(expr):
    elts: list[expr]
    def __init__(self, elts: list[expr] = ...) -> None: ...

class ListComp(expr):
    elt: expr
    generators: list[comprehension]
    def __init__(self, elt: expr = ..., generators: list[comprehension] = ...) -> None: ...

class SetComp(expr):
    elt: expr
    generators: list[comprehension]
    def __init__(self, elt: expr = ..., generators: list[comprehension] = ...) -> None: ...

class DictComp(expr):
    key: expr
    value: expr
    generators: list[comprehension]
    def __init__(
        self,
        key: expr = ...,
        value: expr = ...,
        generators: list[comprehension] = ...,
    ) -> None: ...

class GeneratorExp(expr):
    elt: expr
    generators: list[comprehension]
    def __init__(self, elt: expr = ..., generators: list[comprehension] = ...) -> None: ...

class Await(expr):
    value: expr
    def __init__(self, value: expr = ...) -> None: ...

class Yield(expr):
    value: expr | None
    def __init__(self, value: expr | None = ...) -> None: ...

class YieldFrom(expr):
    value: expr
    def __init__(self, value: expr = ...) -> None: ...

class Compare(expr):
    left: expr
    ops: list[cmpop]
    comparators: list[expr]
    def __init__(
        self,
        left: expr = ...,
        ops: list[cmpop] = ...,
        comparators: list[expr] = ...,
    ) -> None: ...

class Call(expr):
    func: expr
    args: list[expr]
    keywords: list[keyword]
    def __init__(
        self,
        func: expr = ...,
        args: list[expr] = ...,
        keywords: list[keyword] = ...,
    ) -> None: ...

class FormattedValue(expr):
    value: expr
    conversion: int
    format_spec: expr | None
    def __init__(
        self,
        value: expr = ...,
        conversion: int = ...,
        format_spec: expr | None = ...,
    ) -> None: ...

class JoinedStr(expr):
    values: list[expr]
    def __init__(self, values: list[expr] = ...) -> None: ...

class Constant(expr):
    value: Any
    kind: str | None
    def __init__(self, value: Any = ..., kind: str | None = ...) -> None: ...

class Attribute(expr):
    value: expr
    attr: str
    ctx: expr_context
    def __init__(self, value: expr = ..., attr: str = ..., ctx: expr_context = ...) -> None: ...

class Subscript(expr):
    value: expr
    slice: expr
    ctx: expr_context
    def __init__(self, value: expr = ..., slice: expr = ..., ctx: expr_context = ...) -> None: ...

class Starred(expr):
    value: expr
    ctx: expr_context
    def __init__(self, value: expr = ..., ctx: expr_context = ...) -> None: ...

class Name(expr):
    id: str
    ctx: expr_context
    annotation: expr | None
    type_comment: str | None
    def __init__(
        self,
        id: str = ...,
        ctx: expr_context = ...,
        annotation: expr | None = ...,
        type_comment: str | None = ...,
    ) -> None: ...

class List(expr):
    elts: list[expr]
    ctx: expr_context
    def __init__(self, elts: list[expr] = ..., ctx: expr_context = ...) -> None: ...

class Tuple(expr):
    elts: list[expr]
    ctx: expr_context
    def __init__(self, elts: list[expr] = ..., ctx: expr_context = ...) -> None: ...

class Load(expr_context): ...
class Store(expr_context): ...
class Del(expr_context): ...
class Param(expr_context): ...
class Slice(expr):
    lower: expr | None
    upper: expr | None
    step: expr | None
    def __init__(
        self,
        lower: expr | None = ...,
        upper: expr | None = ...,
        step: expr | None = ...,
    ) -> None: ...

class And(boolop): ...
class Or(boolop): ...
class Add(operator): ...
class Sub(operator): ...
class Mult(operator): ...
class MatMult(operator): ...
class Div(operator): ...
class Mod(operator): ...
class Pow(operator): ...
class LShift(operator): ...
class RShift(operator): ...
class BitOr(operator): ...
class BitXor(operator): ...
class BitAnd(operator): ...
class FloorDiv(operator): ...
class Invert(unaryop): ...
class Not(unaryop): ...
class UAdd(unaryop): ...
class USub(unaryop): ...
class Eq(cmpop): ...
class NotEq(cmpop): ...
class Lt(cmpop): ...
class LtE(cmpop): ...
class Gt(cmpop): ...
class GtE(cmpop): ...
class Is(cmpop): ...
class IsNot(cmpop): ...
class In(cmpop): ...
class NotIn(cmpop): ...
class comprehension(AST):
    target: expr
    iter: expr
    ifs: list[expr]
    is_async: int
    def __init__(
        self,
        target: expr = ...,
        iter: expr = ...,
        ifs: list[expr] = ...,
        is_async: int = ...,
    ) -> None: ...

class ExceptHandler(excepthandler):
    type: expr | None
    name: expr | None
    body: list[stmt]
    def __init__(
        self,
        type: expr | None = ...,
        name: expr | None = ...,
        body: list[stmt] = ...,
    ) -> None: ...

class arguments(AST):
    args: list[expr]
    posonlyargs: list[expr]
    vararg: expr | None
    kwonlyargs: list[expr]
    kw_defaults: list[expr | None]
    kwarg: expr | None
    defaults: list[expr]
    def __init__(
        self,
        args: list[expr] = ...,
        posonlyargs: list[expr] = ...,
        vararg: expr | None = ...,
        kwonlyargs: list[expr] = ...,
        kw_defaults: list[expr | None] = ...,
        kwarg: expr | None = ...,
        defaults: list[expr] = ...,
    ) -> None: ...

class keyword(AST):
    arg: str | None
    value: expr
    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None
    def __init__(self, arg: str | None = ..., value: expr = ...) -> None: ...

class alias(AST):
    name: str
    asname: str | None
    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None
    def __init__(self, name: str = ..., asname: str | None = ...) -> None: ...

class withitem(AST):
    context_expr: expr
    optional_vars: expr | None
    def __init__(self, context_expr: expr = ..., optional_vars: expr | None = ...) -> None: ...

class match_case(AST):
    pattern: _pattern
    guard: expr | None
    body: list[stmt]
    def __init__(
        self,
        pattern: _pattern = ...,
        guard: expr | None = ...,
        body: list[stmt] = ...,
    ) -> None: ...

class MatchValue(pattern):
    value: expr
    def __init__(self, value: expr = ...) -> None: ...

class MatchSingleton(pattern):
    value: Any
    def __init__(self, value: Any = ...) -> None: ...

class MatchSequence(pattern):
    patterns: list[pattern]
    def __init__(self, patterns: list[pattern] = ...) -> None: ...

class MatchMapping(pattern):
    keys: list[expr]
    patterns: list[pattern]
    rest: str | None
    def __init__(
        self,
        keys: list[expr] = ...,
        patterns: list[pattern] = ...,
        rest: str | None = ...,
    ) -> None: ...

class MatchClass(pattern):
    cls: expr
    patterns: list[pattern]
    kwd_attrs: list[str]
    kwd_patterns: list[pattern]
    def __init__(
        self,
        cls: expr = ...,
        patterns: list[pattern] = ...,
        kwd_attrs: list[str] = ...,
        kwd_patterns: list[pattern] = ...,
    ) -> None: ...

class MatchStar(pattern):
    name: str | None
    def __init__(self, name: str | None = ...) -> None: ...

class MatchAs(pattern):
    pattern: _pattern | None
    name: str | None
    def __init__(self, pattern: _pattern | None = ..., name: str | None = ...) -> None: ...

class MatchOr(pattern):
    patterns: list[pattern]
    def __init__(self, patterns: list[pattern] = ...) -> None: ...

class TypeVar(type_param):
    name: str
    bound: expr | None
    default_value: expr | None
    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None
    def __init__(
        self,
        name: str = ...,
        bound: expr | None = ...,
        default_value: expr | None = ...,
    ) -> None: ...

class ParamSpec(type_param):
    name: str
    default_value: expr | None
    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None
    def __init__(self, name: str = ..., default_value: expr | None = ...) -> None: ...

class TypeVarTuple(type_param):
    name: str
    default_value: expr | None
    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None
    def __init__(self, name: str = ..., default_value: expr | None = ...) -> None: ...


__version__: str

def parse(source: str | bytes, filename: str = ..., mode: str = ...) -> Module: ...
def unparse(gast_obj: AST) -> str: ...
def ast_to_gast(node: AST) -> Any: ...
def gast_to_ast(node: AST) -> Any: ...
def dump(
    node: AST,
    annotate_fields: bool = ...,
    include_attributes: bool = ...,
    indent: int | str | None = ...,
) -> str: ...
def literal_eval(node_or_string: str | AST) -> Any: ...
def copy_location(new_node: _Node, old_node: AST) -> _Node: ...
def fix_missing_locations(node: _Node) -> _Node: ...
def increment_lineno(node: _Node, n: int = ...) -> _Node: ...
def get_docstring(node: AST, clean: bool = ...) -> str | None: ...
