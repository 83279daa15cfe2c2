"""Every rule of the table on arrays, against the loop over its scalars.

Its examples in every dtype, with every choice of varying and uniform parameters, with dtypes known
and unknown: values, dtype, silence.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.rule_sweep import RULES, WORLD, batches, name_of

DTYPES = [np.dtype(d) for d in ("float64", "float32", "int64", "int8", "bool", "complex128")]

#: a Python number of its own: explicitly asked for, or cmath's complex128
WIDENS = ("builtins.float", "builtins.complex", "number.item", "number.tolist", "cmath.")
#: their float32 answers are about float32 numbers, which Python's are not
OF_THE_TYPE = ("math.nextafter", "math.ulp")
#: not worth a rule: complex parts of a complex number, NumPy functions that drop an imaginary part;
#: an int's is_integer has its own rule
NARROWER = {"builtins.complex", "numpy.i0", "numpy.interp", "numpy.float64", "numpy.float32",
            "numpy.float16", "float.is_integer"}  # fmt: skip


def law_dtype(r, values, batch):
    """The dtype that the law asks for: float32 stays where Python's own number would be float64."""
    operands = [c.dtype for c in batch.columns if isinstance(c, np.ndarray)]
    numbers = operands[:1] if r.name == "math.ldexp" else operands
    stays = np.dtype(np.float32) in numbers and all(d.itemsize <= 4 for d in numbers)
    widens = r.name.startswith(WIDENS) and r.name not in ("cmath.phase", "cmath.polar")
    if stays and type(values[0]) is float and not widens:
        return np.dtype(np.float32)
    return np.asarray(values[0]).dtype


def agree(got, want, dtype, where):
    """Floats within 4 ulp (complex: 8 ulp of the modulus), everything else exactly."""
    assert isinstance(got, np.ndarray), where
    assert got.dtype == dtype, f"{where}: {got.dtype}, wanted {dtype}"
    with np.errstate(over="ignore"):
        want = np.array(want).astype(dtype)
    assert got.shape == want.shape, where
    near = got == want
    if dtype.kind in "fc":
        ulps = 4 if dtype.kind == "f" else 8
        with np.errstate(all="ignore"):
            near |= np.abs(got - want) <= ulps * np.finfo(dtype).eps * np.abs(want)
        near |= np.isnan(got) & np.isnan(want)
    assert near.all(), f"{where}: {got}, wanted {want}"


def leaves_int64(value):
    return type(value) is int and not -(2**63) <= value < 2**63


@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("r", RULES, ids=name_of)
def test_examples(r, dtype, unknown):
    for batch in batches(r, dtype):
        where = f"{r.name}{batch.columns}"
        outcomes = batch.loop()
        if any(isinstance(v, TypeError | AttributeError) for v, _ in outcomes):
            continue  # Python refuses operands of this type
        assert r.supports(batch.kinds) or r.name in NARROWER, f"{where}: the loop accepts it"
        good = [
            k
            for k, (value, warned) in enumerate(outcomes)
            if not (warned or isinstance(value, Exception) or leaves_int64(value))
        ]
        if not r.supports(batch.kinds) or not good:
            continue
        kept, text = batch.keep(good), ...
        if unknown:  # what a float16 or a bool does is decided by the dtype: not to be had here
            text = r.text_for("?" * len(kept.kinds))
            if not all(kept.varying) or dtype.itemsize == 1 or r.name in WIDENS:
                continue
        got = kept.run(text)  # pytest turns warnings into errors
        results = got if r.outputs > 1 else (got,)
        values = [outcomes[k][0] for k in good]
        wanted = list(zip(*values, strict=True)) if r.outputs > 1 else [values]
        for one, want in zip(results, wanted, strict=True):
            if dtype == np.float32 and r.name in OF_THE_TYPE:
                assert one.dtype == np.float32
            else:
                agree(one, list(want), law_dtype(r, want, batch), where)
        if not unknown and r.is_fresh(kept.text()):
            arrays = [c for c in kept.columns if isinstance(c, np.ndarray)]
            assert not any(np.shares_memory(one, c) for one in results for c in arrays), where


def test_every_rule_has_examples():
    for r in RULES:
        assert r.examples, f"{r.name} has no example"
        for example in r.examples:
            assert r.required <= len(example) <= len(r.params), r.name


@pytest.mark.parametrize("r", RULES, ids=name_of)
def test_texts_are_expressions_over_the_parameters(r):
    texts = [r.text, *r.by_kind.values(), *r.by_uniform.values(), *r.exact.values()]
    known = {*r.params, *WORLD, "int", "float", "complex", "bool", "str"}
    for text in filter(None, [*texts, *(x.when for x in r.raises)]):
        extra = {"result"} if any(x.after and x.when == text for x in r.raises) else set()
        for name in set(compile(text, r.name, "eval").co_names) - known - extra:
            assert any(hasattr(place, name) for place in (np, np.ndarray, math, str)), text
