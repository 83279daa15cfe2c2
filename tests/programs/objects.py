"""Settings objects, methods, properties, enumerations, dataclasses: what all samples share."""

import enum
import math
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple


class Level(enum.Enum):
    LOW = 1
    MID = 2
    HIGH = 3


class Code(enum.IntEnum):
    A = 1
    B = 5


class Zone(str, enum.Enum):  # noqa: UP042  (StrEnum is its own text; this one is not)
    LOCAL = "local"
    ABROAD = "abroad"


class Flag(enum.Flag):
    ON = 1
    FAST = 2


@dataclass(frozen=True)
class Settings:
    rate: float = 0.2
    cap: float = 50.0
    steps: tuple = (1, 2, 4)
    names: dict = field(default_factory=lambda: {"base": 1.5})
    level: Level = Level.MID
    FLOOR: ClassVar[float] = -2.0

    @property
    def double(self):
        return self.rate * 2

    @property
    def chained(self):
        return self.double + 1

    def fee(self, x):
        return min(x * self.rate, self.cap)

    @staticmethod
    def positive(x):
        return x if x > 0 else 0.0

    @classmethod
    def floored(cls, x):
        return max(x, cls.FLOOR)


class Point(NamedTuple):
    x: float
    y: float = 2.0

    @property
    def norm(self):
        return math.hypot(self.x, self.y)

    def shifted(self, d):
        return Point(self.x + d, self.y)


@dataclass
class Result:
    total: float
    many: bool = True
    RATE: ClassVar[float] = 3.0

    def twice(self):
        return self.total * 2 * self.RATE

    @property
    def half(self):
        return self.total / 2


class Slots:
    __slots__ = ("k",)

    def __init__(self, k):
        self.k = k


class Base:
    scale = 3.0
    limits = {"low": -1.0, "high": 2.5}

    def __init__(self):
        self.settings = Settings()
        self.weights = [1.0, 2.0]
        self.inner = Slots(0.5)
        self.mode = "fast"


class Model(Base):
    def __call__(self, x, k):
        return self.score(x, k)

    def score(self, x, k):
        if x < self.limits["low"]:
            return self._low(x)
        return x * self.scale * self.inner.k + self._weight(k) + self.settings.double

    def _low(self, x):
        return x * self.settings.rate

    def _weight(self, k):
        return self.weights[0] if k > 2 else self.weights[1]

    def by_mode(self, x, k):
        if self.mode == "fast":
            return x
        return math.log(x)

    def inherited(self, x, k):
        return super().scale * x if k else 0.0

    @property
    def factor(self):
        return self.scale * 2

    def with_property(self, x, k):
        return x * self.factor + (self.factor if k > 1 else 0.0)

    @staticmethod
    def static(x, k):
        return x + k

    @classmethod
    def of_class(cls, x, k):
        return x * cls.scale if k > 0 else cls.limits["high"]


S = Settings()


def settings_method(x, k):
    return S.fee(x) + S.double + Settings.positive(x)


def settings_chain(x, k):
    return S.chained * x + S.names["base"] + Settings.floored(x)


def settings_steps(x, k):
    total = 0.0
    for step in S.steps:
        if x > step:
            total += step * S.rate
    return total


def enum_identity(x, k):
    return x if S.level is Level.MID else -x


def enum_in(x, k):
    return x if S.level in (Level.LOW, Level.HIGH) else k


def enum_value(x, k):
    return x * S.level.value + len(S.level.name)


def int_enum(x, k):
    return k == Code.B or k < Code.A


def int_enum_result(x, k):
    return Code.A if k > 2 else Code.B


def point_property(x, k):
    return Point(x, k).norm + Point(x).norm


def point_method(x, k):
    return Point(x, k).shifted(1)


def result_record(x, k):
    return Result(x, k > 2)


def result_method(x, k):
    return Result(x).twice() + Result(x).half


def class_constants(x, k):
    return Result.RATE * x + Settings.FLOOR


def dataclass_argument(x, k, settings):
    if x > settings.cap:
        return settings.cap
    return settings.fee(x) * settings.double


def record_of_settings(x, k, settings):
    made = Result(settings.fee(x), many=k > 1)
    return made if k > 0 else Result(0.0, False)


FUNCTIONS = [settings_method, settings_chain, settings_steps, enum_identity, enum_in, enum_value,
             int_enum, int_enum_result, point_property, point_method, result_record, result_method,
             class_constants]  # fmt: skip
METHODS = [Model(), *(getattr(Model(), name) for name in
           ("score", "by_mode", "with_property", "static", "of_class")), Model.of_class,
           Model.static]  # fmt: skip
OF_SETTINGS = [dataclass_argument, record_of_settings]


# ------------------------------------------------------------------ what loops, and says why


def enum_result(x, k):
    return Level.HIGH if x > 1 else Level.LOW


def text_enum_result(x, k):
    return Zone.LOCAL if x > 1 else Zone.ABROAD


def enum_of_a_value(x, k):
    return Level(k).name


LOOPED = [enum_result, text_enum_result]
