"""One sample's arithmetic under the law.

A sample is a *strong* NumPy scalar; a literal and what is computed from literals is a *weak* Python
number.  An operator computes as Python does on the Python scalar of the same type, and only the
kind of the result (strong or weak, and which dtype) is NumPy's.  Three things differ from plain
Python:

- float division, `**` and math errors give inf or nan, unless an enclosing try names the exception;
- int64 `+ - *` wraps (and `overflow` is set, so that a caller can set such lanes aside);
- everything that NumPy would warn about on live lanes sets `noisy`.
"""

from __future__ import annotations

import contextlib
import math
import operator
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.oracle.scalars import (
    STRONG,
    Sample64,
    SampleComplex,
    SampleInt,
    is_narrow,
    is_native,
    own,
    plain,
    plain_same,
)

INT_RANGE = range(-(2**63), 2**63)


class Law:
    """The state of one run: what happened, and in which mode operators answer."""

    def __init__(self) -> None:
        self.catching: list[tuple[type[BaseException], ...]] = []
        self.explore: random.Random | None = None  # tests answer at random: every path's types
        self.wobble: random.Random | None = None  # inexact operations are off by a few ulp
        self.shared: dict[int, Any] = {}  # NumPy's results of Python numbers: strong, but uniform
        self.reset()

    def reset(self) -> None:
        """Forget what happened in earlier lanes."""
        self.noisy = self.overflow = self.departed = self.departed_weak = False
        self.catching.clear()
        self.shared.clear()

    # ---------------------------------------------------------------- exceptions
    @contextlib.contextmanager
    def enclosing(self, *types: Any) -> Iterator[None]:
        """The body of a try whose handlers name these exceptions."""
        flat: list[type[BaseException]] = []
        for t in types:
            flat.extend(t if isinstance(t, tuple) else (t,))
        depth = len(self.catching)
        self.catching.append(tuple(flat))
        try:
            yield
        finally:
            del self.catching[depth:]

    plain = staticmethod(plain)

    def caught(self, error: BaseException) -> bool:
        return any(isinstance(error, types) for types in self.catching)

    def depart(
        self, error: BaseException, operands: tuple[Any, ...], value: Callable[[], Any]
    ) -> Any:
        """Departure 1: the value instead of the error, unless a try around here names the error."""
        unseen = self.explore is not None and self.explore.random() < 0.3  # what comes behind it
        if self.caught(error) and not unseen:
            raise error
        self.noisy = self.departed = True
        if not any(isinstance(v, np.generic) and id(v) not in self.shared for v in operands):
            self.departed_weak = True
        with np.errstate(all="ignore"):
            return value()

    def maybe_raise(self, error: BaseException) -> None:
        """While exploring, a handler must be reached now and then whatever the data are."""
        if self.explore and self.caught(error) and self.explore.random() < 0.2:
            raise error

    # ---------------------------------------------------------------- results
    def strong(self, value: Any, exact: bool = True) -> Any:
        """A strong scalar of the value's own type."""
        kind = type(value)
        if kind is float:
            return Sample64(value if exact or not self.wobble else self.jitter(value))
        if kind is int:
            if value not in INT_RANGE:
                self.overflow = True
                value = (value + 2**63) % 2**64 - 2**63
            return SampleInt(value)
        return SampleComplex(value) if kind is complex else value

    def native_error(self, divisor: Any, error: BaseException) -> None:
        """NumPy's own scalars never raise; beside samples on other paths they may act as such."""
        zero = not isinstance(divisor, np.ndarray) and divisor == 0
        if zero and self.wobble and self.caught(error) and self.wobble.random() < 0.5:
            raise error

    def kin(self, value: Any, *operands: Any) -> Any:
        """The value, known as uniform where every strong operand is."""
        if self.shared and all(
            id(v) in self.shared for v in operands if isinstance(v, np.generic | np.ndarray)
        ):
            self.shared[id(value)] = value
        return value

    def jitter(self, value: float, ulp: float = 2.0**-52) -> float:
        """The value, off by up to three units in the last place."""
        assert self.wobble is not None
        return value * (1.0 + self.wobble.choice((-3, -1, 0, 1, 3)) * ulp)

    def shaken(self, array: np.ndarray) -> np.ndarray:
        """An array whose elements are off like a scalar's value."""
        assert self.wobble is not None
        if array.dtype.kind != "f":
            return array
        steps = [self.wobble.choice((-3, -1, 0, 1, 3)) for _ in range(array.size)]
        ulp = np.finfo(array.dtype).eps
        with np.errstate(all="ignore"):
            return array * (1 + ulp * np.array(steps, array.dtype).reshape(array.shape))

    def unsigned_zero(self, value: Any) -> Any:
        """An int zero, which is a float zero of either sign where other lanes hold a float."""
        assert self.wobble is not None
        return self.wobble.choice((value, value, 0.0, -0.0))

    def native(self, value: Any, *operands: Any) -> Any:
        """A NumPy result: a scalar out of an array without axes, a sample's if all operands are."""
        if isinstance(value, tuple):
            return tuple(self.native(v, *operands) for v in value)
        if isinstance(value, np.ndarray) and not value.ndim:
            value = value[()]
        if self.wobble and isinstance(value, np.float32):
            value = np.float32(self.jitter(float(value), 2.0**-23))
        if self.wobble and isinstance(value, np.ndarray):
            value = self.shaken(value)
        return value if not operands or any(map(is_native, operands)) else own(value)

    def listen(self, value: Any, a: Any, b: Any) -> None:
        """NumPy warns where inf comes from finite operands, and nan from none that is nan."""
        if type(value) is complex:
            self.noisy |= value - value != 0 and _finite(a) and _finite(b)
        elif type(value) is float and value - value != 0:
            if math.isnan(value):
                self.noisy |= not (_nan(a) or _nan(b))
            elif _finite(a) and _finite(b):
                self.noisy = True

    # ---------------------------------------------------------------- operators
    def binary(self, op: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        """+ - * and the bitwise operators."""
        if is_narrow(a) or is_narrow(b):
            return self.kin(self.native(op(a, b), a, b), a, b)
        strong = type(a) in STRONG or type(b) in STRONG
        pa, pb = plain(a), plain(b)
        value = op(pa, pb)
        if self.wobble and value == 0 and op is operator.mul and isinstance(value, int):
            value = self.unsigned_zero(value)
        self.listen(value, pa, pb)
        if type(value) is int and value not in INT_RANGE:
            self.overflow = True
        return self.kin(self.strong(value), a, b) if strong else value

    def add(self, a: Any, b: Any) -> Any:
        return self.binary(operator.add, a, b)

    def sub(self, a: Any, b: Any) -> Any:
        return self.binary(operator.sub, a, b)

    def mul(self, a: Any, b: Any) -> Any:
        return self.binary(operator.mul, a, b)

    def div(self, a: Any, b: Any) -> Any:
        return self._division(operator.truediv, np.divide, a, b)

    def floordiv(self, a: Any, b: Any) -> Any:
        return self._division(operator.floordiv, np.floor_divide, a, b)

    def mod(self, a: Any, b: Any) -> Any:
        if isinstance(a, str):
            return a % plain(b)
        return self._division(operator.mod, np.remainder, a, b)

    def _division(self, op: Callable[[Any, Any], Any], twin: Any, a: Any, b: Any) -> Any:
        self.maybe_raise(ZeroDivisionError("division by zero"))
        narrow = is_narrow(a) or is_narrow(b)
        native = is_native(a) or is_native(b)
        floors = op is not operator.truediv
        whole = isinstance(a, int | np.integer) and isinstance(b, int | np.integer)
        if native:
            self.native_error(b, ZeroDivisionError("division by zero"))
            return self.kin(self.native(op(a, b)), a, b)
        if narrow and b == 0 and ((whole and floors) or self.caught(ZeroDivisionError())):
            op(int(a), int(b)) if whole else op(float(a), float(b))  # Python's own exception
        if narrow:
            return self.kin(self.native(op(a, b), a, b), a, b)
        strong = type(a) in STRONG or type(b) in STRONG
        pa, pb = plain(a), plain(b)
        try:
            value = op(pa, pb)
        except ZeroDivisionError as error:
            if whole and floors:
                raise
            value = self.depart(error, (a, b), lambda: float(twin(float(pa), float(pb))))
        self.listen(value, pa, pb)
        if not strong and self.wobble and type(value) is float and floors:
            return self.jitter(value)
        return self.kin(self.strong(value, not floors), a, b) if strong else value

    def power(self, a: Any, b: Any) -> Any:
        """`**`: inf and nan for floats, ints for ints, never a complex number out of floats."""
        for error in (OverflowError(34, "Numerical result out of range"), ZeroDivisionError()):
            self.maybe_raise(error)
        if is_narrow(a) or is_narrow(b):
            if not is_native(a) and not is_native(b):
                self._narrow_power(a, b)
            return self.kin(self.native(a**b, a, b), a, b)
        strong = type(a) in STRONG or type(b) in STRONG
        pa, pb = plain(a), plain(b)
        if isinstance(pa, int) and type(b) is SampleInt and pb < 0:
            self.noisy |= pa == 0  # where the base is a float on other lanes, it is one here
            raise ValueError("Integers to negative integer powers are not allowed.")
        if isinstance(pa, int) and isinstance(pb, int) and pa.bit_length() * pb > 1 << 20:
            raise MemoryError("a power of more than a million bits")
        try:
            value = pa**pb
        except (ZeroDivisionError, OverflowError) as error:
            value = self.depart(error, (a, b), lambda: float(np.power(float(pa), float(pb))))
        if type(value) is complex and complex not in (type(pa), type(pb)):
            value, self.noisy, self.departed = math.nan, True, True
        if type(value) is int and value not in INT_RANGE:
            self.overflow = True
        if self.wobble and type(value) is float:
            value = self.jitter(value)
        return self.kin(self.strong(value), a, b) if strong else value

    def _narrow_power(self, a: Any, b: Any) -> None:
        """Python's own exception for float32 and the like, where a try around here names it."""
        if self.catching:
            try:
                float(a) ** float(b)
            except ArithmeticError as error:
                if self.caught(error):
                    raise

    def neg(self, a: Any) -> Any:
        return self._unary(operator.neg, a)

    def pos(self, a: Any) -> Any:
        return self._unary(operator.pos, a)

    def invert(self, a: Any) -> Any:
        return self._unary(operator.invert, a)

    def absolute(self, a: Any) -> Any:
        return self._unary(abs, a)

    def _unary(self, op: Callable[[Any], Any], a: Any) -> Any:
        if is_narrow(a):
            return self.native(op(a), a)
        value = op(plain(a))
        if self.wobble and op is operator.neg and type(value) is int and value == 0:
            value = self.unsigned_zero(value)
        return self.strong(value) if type(a) in STRONG else value

    def augmented(self, name: str, a: Any, b: Any) -> Any:
        """`a op= b`: in place on lists and array samples, a new value for scalars."""
        if isinstance(a, list | np.ndarray):
            return getattr(operator, _IN_PLACE[name])(a, b)
        return getattr(self, name)(a, b)

    # ---------------------------------------------------------------- tests
    def compare(self, op: str, a: Any, b: Any) -> Any:
        """One comparison; ints and floats are compared exactly, as Python does."""
        for one, other in ((a, b), (b, a)):
            if isinstance(one, np.float32) and type(other) is float and math.isfinite(other):
                self.noisy |= (
                    abs(other) > np.finfo(np.float32).max
                )  # NumPy warns: too big a literal
        if not is_narrow(a) and not is_narrow(b):
            known: dict[
                int, Any
            ] = {}  # one object stays one object: nan is in (nan,) if it is the same
            a, b = plain_same(a, known), plain_same(b, known)
        value = _COMPARE[op](a, b)
        mine = isinstance(value, np.bool_) and not is_native(a) and not is_native(b)
        return bool(value) if mine else value

    def subject(self, value: Any, wanted: Callable[[], list[Any]]) -> Any:
        """What `match` looks at; while exploring, a value of some case as often as not."""
        if self.explore and (cases := wanted()) and self.explore.random() < 0.7:
            return _as_sample(self.explore.choice(cases), value)
        return value

    def test(self, value: Any, odds: float = 0.5) -> bool:
        """The truth of a value where a path depends on it."""
        if self.explore:
            return self.explore.random() < odds
        return bool(value)


for _name, _op in {
    "bitand": operator.and_,
    "bitor": operator.or_,
    "bitxor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
    "matmul": operator.matmul,
}.items():
    setattr(Law, _name, lambda self, a, b, op=_op: self.binary(op, a, b))

_IN_PLACE = {
    "add": "iadd", "sub": "isub", "mul": "imul", "div": "itruediv", "floordiv": "ifloordiv",
    "mod": "imod", "power": "ipow", "bitand": "iand", "bitor": "ior", "bitxor": "ixor",
    "lshift": "ilshift", "rshift": "irshift", "matmul": "imatmul",
}  # fmt: skip
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le,
    "Gt": operator.gt, "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not,
    "In": lambda a, b: a in b, "NotIn": lambda a, b: a not in b,
}  # fmt: skip


def _as_sample(constant: Any, sample: Any) -> Any:
    """A pattern's constant in the kind of what it is matched with."""
    if isinstance(constant, tuple) and isinstance(sample, tuple | list):
        return type(sample)(map(_as_sample, constant, sample))
    number = isinstance(constant, int | float) and not isinstance(constant, bool)
    return type(sample)(constant) if number and isinstance(sample, np.generic) else constant


def _nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _finite(value: Any) -> bool:
    return not isinstance(value, float | complex) or value - value == 0


LAW = Law()
