"""The fuzzer: one seed is one program; a right vectoriser passes; faults are found and shrunk."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fuzz.__main__ import main
from tests.fuzz.data import draw
from tests.fuzz.faults import Mutant
from tests.fuzz.judge import judge
from tests.fuzz.minimise import Minimiser, store
from tests.fuzz.mutants import MUTANTS
from tests.fuzz.program import generate
from tests.fuzz.scope import FEATURES
from tests.oracle.calls import CALLS
from tests.oracle.law import Law
from tests.oracle.reference import Reference
from tests.oracle.results import leaves, rebuild
from tests.oracle.scalars import plain

ROOT = Path(__file__).parents[1]


def test_a_seed_is_one_program() -> None:
    assert generate("3:14").text == generate("3:14").text
    assert generate("3:14").text != generate("3:15").text
    one = draw(generate("3:14"), 0).args[0]
    assert np.array_equal(one, draw(generate("3:14"), 0).args[0], equal_nan=True)


def test_a_program_does_not_depend_on_hashing() -> None:
    code = (
        "from tests.fuzz.program import generate as g; print([g(f'0:{k}').text for k in range(40)])"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1 and b"def f" in texts.pop()


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_is_generated(feature: str) -> None:
    programs = [generate(f"0:{k}", [feature, "early_return", "math"]) for k in range(5)]
    assert all("def f" in p.text or "f = lambda" in p.text for p in programs)


def test_programs_are_of_a_useful_size() -> None:
    sizes = [
        sum(":" != line.strip() for line in generate(f"0:{k}").text.splitlines()) - 6
        for k in range(300)
    ]
    assert 10 < np.mean(sizes) < 45


def test_no_difference_against_the_loop_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["--programs", "60", "--seed", "5", "--target", "tests.oracle.reference:Reference"])
        == 0
    )
    assert "0 differences" in capsys.readouterr().out


class DropsNan(Reference):
    """Takes nan for zero, as a careless maximum does."""

    def __call__(self, *args: Any, **kw: Any) -> Any:
        result = super().__call__(*args, **kw)
        pairs = dict(leaves(result))

        def leaf(path: Any) -> Any:
            value = pairs[path]
            return (
                value
                if value is None or value.dtype.kind != "f"
                else np.where(np.isnan(value), 0.0, value)
            )

        return rebuild(result, leaf)


def test_a_fault_is_found_and_made_small(tmp_path: Path) -> None:
    for k in range(200):
        program = generate(f"0:{k}", rows=False)
        verdict = judge(program, DropsNan)
        if verdict.status == "different" and verdict.kind == "values":
            break
    small, call, why = Minimiser(program, verdict, DropsNan, seconds=20).run()
    assert why.status == "different" and len(small.text) < len(program.text)
    path = store(str(tmp_path), small, call, why)
    assert "from tests.harness import check" in Path(path).read_text()
    compile(Path(path).read_text(), path, "exec")


def test_the_command_says_which_program_differs(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "--programs",
                "100",
                "--seed",
                "0",
                "--target",
                "tests.test_fuzz:DropsNan",
                "--fail-fast",
            ]
        )
        == 1
    )
    assert "DIFFERENT 0:" in capsys.readouterr().out


class Careless(Reference):
    """The loop with one of Python's rules replaced by NumPy's or a beginner's."""

    owner: Any = None
    key: Any = None
    fault: Any = None

    def __call__(self, *args: Any, **kw: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            if isinstance(self.owner, dict):
                patch.setitem(self.owner, self.key, self.fault)
            else:
                patch.setattr(self.owner, self.key, self.fault)
            return super().__call__(*args, **kw)


def numpy_max(*args: Any, **kw: Any) -> Any:
    values = [float(plain(v)) for v in (args[0] if len(args) == 1 else args)]
    return np.float64(np.maximum.reduce(values))


def inverted_less(self: Law, op: str, a: Any, b: Any) -> Any:
    return not compare(self, "GtE", a, b) if op == "Lt" else compare(self, op, a, b)


def caught_by_nobody(self: Law, error: BaseException) -> bool:
    return False


def truncating(self: Law, a: Any, b: Any) -> Any:
    return np.int64(int(a / b)) if isinstance(a, int | np.integer) and b else floordiv(self, a, b)


def zero_check_missing(self: Law, a: Any, b: Any) -> Any:
    return np.int64(0) if b == 0 else mod(self, a, b)


def short_range(*args: int) -> range:
    return range(*args)[:-1]


compare, floordiv, mod = Law.compare, Law.floordiv, Law.mod
FAULTS = {
    "max takes NaN": (CALLS, max, numpy_max),
    "min takes max": (CALLS, min, CALLS[max]),
    "a comparison is inverted": (Law, "compare", inverted_less),
    "no handler ever runs": (Law, "caught", caught_by_nobody),
    "// truncates": (Law, "floordiv", truncating),
    "% by zero is zero": (Law, "mod", zero_check_missing),
    "round is NumPy's": (CALLS, round, lambda x, n=0: np.round(float(x), n)),
    "int floors": (CALLS, int, lambda x: math.floor(plain(x))),
    "a range is one short": (CALLS, range, short_range),
    "abs is missing": (CALLS, abs, lambda x: x),
    "float stays float32": (CALLS, float, lambda x: x),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_careless_vectoriser_is_found(fault: str) -> None:
    owner, key, replacement = FAULTS[fault]
    careless = type("Fault", (Careless,), {"owner": owner, "key": key, "fault": replacement})
    programs = (generate(f"0:{k}", rows=False) for k in range(2000))
    assert any(judge(program, careless).status == "different" for program in programs)


@pytest.mark.parametrize("mutant", MUTANTS, ids=[m.name for m in MUTANTS])
def test_a_mutant_has_a_text_to_change(mutant: Mutant) -> None:
    """A compiler that has moved on takes its mutants along."""
    assert (ROOT / mutant.path).read_text(encoding="utf-8").count(mutant.old) == 1
