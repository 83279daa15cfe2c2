"""What the user handed over: which Python function it is, with which arguments already given."""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autovec import ops
from autovec.emit.load import load
from autovec.program.facts import Uniform
from autovec.run.columns import Item


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A callable taken apart.

    `function` is the Python function behind partials and bound methods, `lead` and `preset` the
    arguments that those give, uniform in every call. Without a Python function, `rule` is the
    qualified name of `operation`, which has a rule; without one, only the loop can run it.
    """

    original: Callable[..., Any]
    function: Any = None  # a types.FunctionType, which mypy would take for a method of this class
    lead: tuple[object, ...] = ()
    preset: Mapping[str, object] = field(default_factory=dict)
    rule: str | None = None
    operation: Any = None
    binds: type | None = None  # read through an instance: object binds that, type its class
    _functions: dict[object, types.FunctionType | None] = field(default_factory=dict)

    @property
    def callee(self) -> Any:
        """What the loop calls, with the lead arguments given."""
        if self.function is not None:
            return self.function
        return self.original if self.rule is None else self.operation

    def functions(self) -> list[types.FunctionType]:
        """The Python functions that calls have been compiled from."""
        made = [self.function, *self._functions.values()]
        return [function for function in made if function is not None]

    def synthesised(self, nargs: int, keywords: tuple[str, ...]) -> types.FunctionType | None:
        """The function that stands for an operation with a rule, one for each form of call."""
        form = (nargs, keywords)
        if form not in self._functions:
            self._functions[form] = _function_of_rule(self, nargs, keywords)
        return self._functions[form]


def resolve(original: Any) -> Target:
    """Take partials, bound methods and callable objects apart.

    >>> def scaled(k, x): return k * x
    >>> resolve(functools.partial(scaled, 2)).lead
    (2,)
    """
    lead: tuple[object, ...] = ()
    preset: dict[str, object] = {}
    binds = {staticmethod: None, classmethod: type}.get(type(original), object)
    callee: Any = original
    if isinstance(original, (staticmethod, classmethod)):
        original = callee = original.__func__
    while True:
        rule = _rule_name(callee)
        if rule is not None:
            return Target(original, None, lead, preset, rule, callee)
        if isinstance(callee, types.FunctionType):
            return Target(original, callee, lead, preset, binds=None if lead or preset else binds)
        if isinstance(callee, functools.partial):
            lead = (*callee.args, *lead)
            preset = {**callee.keywords, **preset}
            if any(arg is getattr(functools, "Placeholder", preset) for arg in lead):
                return Target(original)
            callee = callee.func
        elif isinstance(callee, types.MethodType):
            lead = (callee.__self__, *lead)
            callee = callee.__func__
        elif isinstance(callee, functools._lru_cache_wrapper) or _is_lifted(callee):
            callee = callee.__wrapped__
        elif isinstance(call := _python_call(callee), types.FunctionType):
            lead = (callee, *lead)
            callee = call
        else:
            return Target(original)


def _rule_name(callee: object) -> str | None:
    """The qualified name of an operation that has a rule, or that the compiler knows by itself."""
    if isinstance(callee, (types.BuiltinFunctionType, type)):
        name = f"{callee.__module__}.{callee.__name__}"
        if callee.__module__ == "builtins" and getattr(builtins, callee.__name__, None) is callee:
            return name
    return ops.qualified_name(callee)


def _is_lifted(callee: object) -> bool:
    """Whether it is a lifted function: what it maps is the function itself."""
    return type(callee).__module__ == "autovec.run.lifted"


def _python_call(callee: object) -> object:
    """The ``__call__`` that an instance's class defines in Python."""
    # np.vectorize or a vectorized function: their own machinery is not to be rewritten.
    if type(callee).__module__.partition(".")[0] in ("numpy", "autovec"):
        return None
    return next((vars(c)["__call__"] for c in type(callee).__mro__ if "__call__" in vars(c)), None)


# ------------------------------------------------------------------ parameters


@dataclass(frozen=True, slots=True)
class Parameters:
    """A Python function's parameters, read off its code."""

    positional: tuple[str, ...]
    positional_only: int
    keyword_only: tuple[str, ...]
    varargs: str | None
    varkw: str | None

    @classmethod
    def of(cls, fn: types.FunctionType) -> Parameters:
        code = fn.__code__
        names = code.co_varnames
        plain, keyword = code.co_argcount, code.co_kwonlyargcount
        rest = iter(names[plain + keyword :])
        return cls(
            names[:plain],
            code.co_posonlyargcount,
            names[plain : plain + keyword],
            next(rest) if code.co_flags & 0x04 else None,  # inspect.CO_VARARGS
            next(rest) if code.co_flags & 0x08 else None,  # inspect.CO_VARKEYWORDS
        )

    def defaults(self, fn: types.FunctionType) -> dict[str, object]:
        """The default values, which may have been changed since the def."""
        values = fn.__defaults__ or ()
        last = self.positional[len(self.positional) - len(values) :]
        return {**dict(zip(last, values, strict=True)), **(fn.__kwdefaults__ or {})}

    def name_of(self, position: int) -> str:
        """How messages name the argument at a position."""
        if position < len(self.positional):
            return self.positional[position]
        if self.varargs is not None:
            return f"{self.varargs}[{position - len(self.positional)}]"
        return f"args[{position}]"


Bound = dict[str, Any]  # a parameter's Item; a tuple of them for *args, a dict for **kwargs


def bind(
    fn: types.FunctionType, p: Parameters, args: Sequence[Item], keywords: Mapping[str, Item]
) -> Bound | None:
    """Every parameter with its item, defaults filled in; None where Python would refuse the call.

    >>> def f(x, k=2, *, shift=0): return k * x + shift
    >>> bind(f, Parameters.of(f), [Uniform(1)], {"shift": Uniform(5)})
    {'x': Uniform(value=1), 'k': Uniform(value=2), 'shift': Uniform(value=5)}
    >>> bind(f, Parameters.of(f), [], {}) is None
    True
    """
    if len(args) > len(p.positional) and p.varargs is None:
        return None
    given: Bound = dict(zip(p.positional, args, strict=False))
    extra: dict[str, Item] = {}
    by_name = {*p.positional[p.positional_only :], *p.keyword_only}
    for name, item in keywords.items():
        if name in by_name:
            if name in given:
                return None
            given[name] = item
        elif p.varkw is not None:
            extra[name] = item
        else:
            return None
    defaults = p.defaults(fn)
    bound: Bound = {}
    for name in p.positional:
        if name not in given and name not in defaults:
            return None
        bound[name] = given[name] if name in given else Uniform(defaults[name])
    if p.varargs is not None:
        bound[p.varargs] = tuple(args[len(p.positional) :])
    for name in p.keyword_only:
        if name not in given and name not in defaults:
            return None
        bound[name] = given[name] if name in given else Uniform(defaults[name])
    if p.varkw is not None:
        bound[p.varkw] = extra
    return bound


def call_layout(p: Parameters, bound: Bound) -> tuple[list[Any], dict[str, Any]]:
    """The positional and keyword values that hand the bound arguments to the function itself."""
    positional = [bound[name] for name in p.positional]
    if p.varargs is not None:
        positional += bound[p.varargs]
    keywords = {name: bound[name] for name in p.keyword_only}
    if p.varkw is not None:
        keywords.update(bound[p.varkw])
    return positional, keywords


# ------------------------------------------------------------------ operations that have a rule


def _function_of_rule(
    target: Target, nargs: int, keywords: tuple[str, ...]
) -> types.FunctionType | None:
    """``def sin(x): return np.sin(x)`` for a call of an operation with so many arguments.

    >>> import math
    >>> _function_of_rule(resolve(math.hypot), 2, ())(3.0, 4.0)
    5.0
    """
    rule = target.rule
    if rule is None:
        return None
    known = rule.startswith("builtins.") or ops.find(rule, nargs + len(keywords)) is not None
    if not known:
        return None
    module, _, name = rule.rpartition(".")
    taken = {name, *keywords}
    params = [f"{p}_" if p in taken else p for p in map(_param_name, range(nargs))]
    heading, callee = _reference(module, name)
    # A def named like a builtin would hide it from the helpers of its text.
    own = f"{name}_each" if module == "builtins" else name
    passed = ", ".join([*params, *(f"{k}={k}" for k in keywords)])
    head = ", ".join([*params, *keywords])
    text = f"{heading}def {own}({head}):\n    return {callee}({passed})\n"
    return load(text, own, {"operation": target.operation}, name)


def _param_name(i: int) -> str:
    return "xyzuvw"[i] if i < 6 else f"x{i}"


def _reference(module: str, name: str) -> tuple[str, str]:
    """The import before the def, and how its body refers to the operation."""
    top = module.partition(".")[0]
    if top == "numpy":
        return "import numpy as np\n\n\n", f"np{module[5:]}.{name}"
    if module == "builtins":
        return "", name
    if module in ("math", "cmath", "operator"):
        return f"import {module}\n\n\n", f"{module}.{name}"
    return "", "operation"  # registered by the user: the object itself is at hand
