"""``autovec --lift``: which functions are lifted, what stays byte for byte, what is said."""

import json
import sysconfig
import warnings
from pathlib import Path

import numpy as np
import pytest

import autovec
from autovec.files.disk import sources
from autovec.files.rewrite import Request, rewrite
from autovec.lift.function import OWN_FAULT
from tests.cli_tools import command, done, load, refused, written

BODY = """
def scaled(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * 2
    return out
"""
NUMPY = "import numpy as np\n"


def lifted(source, *functions):
    return written(source, *functions, lift=True)


DECORATORS = {
    "from": ("from autovec import lift", "@lift"),
    "called": ("from autovec import lift", "@lift()"),
    "module": ("import autovec", "@autovec.lift"),
    "alias": ("import autovec as av", "@av.lift"),
    "as": ("from autovec import lift as up", "@up"),
    "options": ("import autovec", "@autovec.lift(fallback='loop')"),
    "deep": ("from autovec.api import lift", "@lift"),
    "star": ("from autovec import *", "@lift"),
    "name": ("import autovec\nup = autovec.lift", "@up"),
    "partial": ("import functools\nimport autovec", "@functools.partial(autovec.lift)"),
}


@pytest.mark.parametrize("how", DECORATORS)
def test_decorators(how):
    heading, decorator = DECORATORS[how]
    new = lifted(f"{NUMPY}{heading}\n\n\n{decorator}{BODY}")
    assert "autovec" not in new
    assert "@" not in new
    assert "out[:] = x * 2" in new
    for x in (np.arange(3.0), [1, 2], np.array([]), np.array([[1.0], [2.0]])[:, 0]):
        np.testing.assert_array_equal(load(new).scaled(x), np.asarray(x) * 2)


def test_the_others_stay_where_one_is_decorated():
    other = BODY.replace("scaled", "other")
    new = lifted(f"{NUMPY}from autovec import lift\n\n\n@lift{BODY}\n{other}")
    assert new.count("turn by turn") == 1
    assert new.endswith(other)


def test_all_that_lift_where_none_is_decorated():
    new = lifted(f"{NUMPY}{BODY}\n{BODY.replace('scaled', 'other')}\nn = 3\n")
    assert new.count("turn by turn") == 2
    assert new.count("def is_array") == 1


@pytest.mark.parametrize("decorator", ["@numba.njit", "@autovec.vectorize", "@np.vectorize"])
def test_what_another_tool_reads_stays(decorator):
    source = f"import autovec\nimport numba\n{NUMPY}\n{decorator}{BODY}"
    assert not done(source, lift=True).changed


@pytest.mark.parametrize(
    "decorator", ["@functools.cache", "@staticmethod", "@contextlib.contextmanager"]
)
def test_what_only_calls_does_not_matter(decorator):
    source = f"import contextlib\nimport functools\n{NUMPY}\n{decorator}{BODY}"
    assert done(source, lift=True).changed


def test_an_assignment_becomes_a_def():
    new = lifted(f"{NUMPY}import autovec\n{BODY}\n\ntwice = autovec.lift(scaled)\nprint(twice)\n")
    assert "autovec" not in new
    assert new.count("def scaled(x):") == new.count("def twice(x):") == 1
    assert BODY in new
    assert load(new).twice([1, 2]).tolist() == [2, 4]


def test_an_assignment_of_what_is_not_lifted():
    result = done("import autovec\n\nf = autovec.lift(lambda x: x + 1)\n", lift=True)
    assert result.new_text == "\nf = lambda x: x + 1\n"
    assert "it is no def of this file" in str(result.warnings[0])
    result = done(
        "import autovec\n\n\ndef f(x):\n    return x\n\n\ng = autovec.lift(f)\n", lift=True
    )
    assert result.new_text.endswith("g = f\n")


def test_picked_by_name():
    method = "class Model:\n" + "\n".join("    " + line for line in BODY.strip().split("\n"))
    method = method.replace("scaled(x)", "scaled(self, x)") + "\n"
    source = f"{NUMPY}{BODY}\n\n{method}"
    new = lifted(source, "Model.scaled")
    assert BODY.strip() in new
    assert load(new).Model().scaled(np.arange(2.0)).tolist() == [0, 2]
    assert not done(source, "nothing", lift=True).changed
    assert "is_array" in lifted(source, "scaled")


def test_all_else_stays_byte_for_byte():
    source = (
        "\ufeff# coding: utf-8\r\n'''Doc.'''\r\n\r\nimport numpy as np\r\n\r\n\r\n"
        "def f(x):\r\n\t'''Doc.'''\r\n\tout = np.zeros(len(x))  # new\r\n\t# above\r\n"
        "\tfor i in range(len(x)):  # all\r\n\t\tout[i] = (  2*x[i] )  # twice\r\n\t# below\r\n"
        "\treturn   out\r\n\x0c\r\nprint( f )"
    ).encode()
    new = done(source, lift=True).new
    assert new.startswith(source[: source.index(b"def f")])
    assert new.endswith(source[source.index(b"\t# below") :])
    assert b"\t\tfor i in range(len(x)):  # all\r\n\t\t\tout[i] = (  2*x[i] )  # twice\r\n" in new
    assert b"\n" not in new.replace(b"\r\n", b"")
    assert load(new.decode("utf-8-sig").replace("\r\n", "\n")).f([2]).tolist() == [4]


def test_comments_of_a_loop_that_goes():
    source = """
    import numpy as np


    def f(n: int):
        out = np.zeros(5)
        for i in range(5):  # all
            # twice
            out[i] = i * 2  # two
        return out
    """
    new = lifted(source)
    lines = [line.strip() for line in new.split("\n")]
    at = lines.index("# lifted: for i in range(5)")
    assert lines[at - 3 : at] == ["# all", "# twice", "# two"]
    assert "turn by turn" not in new
    assert load(new).f(1).tolist() == [0, 2, 4, 6, 8]


def test_names_that_the_file_has():
    source = """
    import numpy as xp

    is_array = np = arrays = 1


    def f(x, arrays):
        s = 0.0
        for i in range(len(x)):
            s += x[i] * 2
        for i in range(len(x)):
            s += x[i] * arrays
        return s
    """
    new = lifted(source)
    module = load(new)
    assert module.is_array == module.np == 1
    assert module.f(np.arange(3.0), 2.0) == 12 == module.f([0, 1, 2], 2)
    assert "xp.ndarray" in new


def test_numpy_is_imported_where_it_is_not():
    new = lifted("'''Doc.'''\nimport math\n\n\ndef f(x):\n    return sum(v * v for v in x)\n")
    assert "import math\nimport numpy as np\n" in new
    assert load(new).f([1, 2]) == 5 == load(new).f(np.array([1.0, 2.0]))


def test_builtins_that_the_file_replaces():
    source = """
    def min(*args):
        return 0


    def f(x, y):
        s = 0.0
        for a, b in zip(x, y):
            s += a * b
        return s
    """
    result = done(source, lift=True)
    assert not result.changed
    assert "min is another one in this file" in result.lifts[-1].loops[0].why


def test_one_line_functions_stay():
    result = done("def f(x): return sum(v * v for v in x)\n", lift=True)
    assert not result.changed
    assert "in one line" in result.lifts[0].loops[0].why


DECLARED = """
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def f(x: Annotated[NDArray[np.float64], "n"], c: float, n: int):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * c + n
    return out
"""


def test_what_is_declared_is_not_asked():
    new = lifted(DECLARED)
    assert "is_array" not in new
    assert "out[:] = x * c + n" in new
    new = lifted(DECLARED.replace('Annotated[NDArray[np.float64], "n"]', "NDArray[np.float64]"))
    assert "is_array(x, 1, float" in new  # how many axes it has is not declared
    new = lifted(DECLARED.replace("np.float64", "np.float32"))
    assert "out[:] = x * c + n" in new


def test_a_failure_is_the_loop_s():
    source = """
    import math

    import numpy as np


    def f(x, y, out):
        s = 0.0
        for i in range(len(x)):
            s += y[i]
            out[i] = math.log(x[i])
        return s
    """
    new = lifted(source)
    f = load(new).f
    out = np.zeros(3)
    with pytest.raises(ValueError, match="math domain error|expected a positive"):
        f(np.array([1.0, np.e, -1.0]), np.ones(3), out)
    assert out.tolist() == [0.0, 1.0, 0.0]
    assert f(np.ones(3), np.ones(3), out) == 3
    assert out.tolist() == [0.0, 0.0, 0.0]


def test_effects_that_cannot_be_taken_back():
    source = """
    import math


    def f(x):
        for i in range(len(x)):
            if math.sqrt(x[i]) > 3:
                print(i)
                break
        return None
    """
    assert not done(source, lift=True).changed


def test_the_name_is_asked_before_the_parameter_changes():
    source = """
    def f(x):
        x = [v for v in x]
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        return s
    """
    new = lifted(source)
    assert load(new).f(np.arange(3.0)) == load(new).f([0, 1, 2]) == 3


SERIAL = """
def decay(x):
    for i in range(1, len(x)):
        x[i] = x[i - 1] * x[i] + 1
"""


def test_strict():
    assert not done(SERIAL, "decay", lift=True).changed
    said = refused(SERIAL, "decay", lift=True, strict=True)
    assert "model.py:3: a store that another turn reads\n" in said
    assert "why: the turns depend on each other" in said
    said = refused(f"import autovec\n\n\n@autovec.lift(fallback='error'){SERIAL}", lift=True)
    assert "a store that another turn reads" in said
    result = done(f"import autovec\n\n\n@autovec.lift{SERIAL}", lift=True)
    assert result.new_text == "\n" * 2 + SERIAL or result.new_text.endswith(SERIAL)
    assert len(result.warnings) == 1


def test_the_command(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(f"{NUMPY}{BODY}{SERIAL}")
    before = path.read_bytes()
    status, out, _ = command("--lift", "--explain", "model.py", cwd=tmp_path)
    said = out.decode().split("\n")
    assert status == 0
    assert said[0] == "model.py:5:5: loop lifted (out[:] = x * 2)"
    assert said[1].startswith("  if is_array(x, 1, float")
    assert said[2].startswith("model.py:10:5: loop not lifted: a store that another turn reads")
    assert said[2].endswith("(11:9)")
    status, out, _ = command("--lift", "--json", "model.py", cwd=tmp_path)
    [one, two] = json.loads(out)["files"][0]["functions"]
    assert (one["result"], two["result"]) == ("lifted", "left as it is")
    assert one["loops"][0]["text"] == "out[:] = x * 2"
    assert command("--lift", "--check", "model.py", cwd=tmp_path)[0] == 1
    assert path.read_bytes() == before
    assert command("--lift", "--strict", "-f", "decay", "model.py", cwd=tmp_path)[0] == 2
    status, out, said = command("--lift", "--diff", "model.py", cwd=tmp_path)
    assert status == 0 and b"+        out[:] = x * 2" in out
    assert command("--lift", "-i", "model.py", cwd=tmp_path)[0] == 0
    assert command("--lift", "--check", "model.py", cwd=tmp_path)[0] == 0
    status, out, _ = command("--lift", "-", cwd=tmp_path, given=before)
    assert out == path.read_bytes()
    for option in (["--replace", "-f", "f"], ["--signature", "f: ()->()"], ["--in-axes", "f: 0"]):
        assert command("--lift", *option, "model.py", cwd=tmp_path)[0] == 2
    status, _, said = command("--lift", "-f", "scale", "model.py", cwd=tmp_path)
    assert status == 2 and "no function to be lifted is called scale" in said


def test_a_file_that_is_not_python(tmp_path):
    (tmp_path / "bad.py").write_text("def f(:\n")
    status, _, said = command("--lift", "bad.py", cwd=tmp_path)
    assert status == 2 and "bad.py:1: error: invalid syntax" in said


def test_the_file_is_not_run(tmp_path):
    (tmp_path / "model.py").write_text(f"{NUMPY}raise SystemExit(9)\n{BODY}")
    assert command("--lift", "-i", "model.py", cwd=tmp_path)[0] == 0


def test_the_standard_library():
    """Whatever is lifted in it is valid, and stays as it is when it is lifted again."""
    for path in sorted(sources([sysconfig.get_path("stdlib")]))[5::60]:
        data = Path(path).read_bytes()
        result = rewrite(data, path, Request(lift=True))
        for unit in result.lifts:
            assert not [loop for loop in unit.loops if OWN_FAULT in loop.why], path
        if result.changed:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(result.new, path, "exec")
            assert rewrite(result.new, path, Request(lift=True)).new == result.new


def test_not_liftable_says_where_and_why():
    with pytest.raises(autovec.NotLiftable) as caught:

        @autovec.lift(fallback="error")
        def decay(x):
            for i in range(1, len(x)):
                x[i] = x[i - 1] * x[i] + 1

    [problem] = caught.value.problems
    assert problem.what == "a store that another turn reads"
    said = str(caught.value).split("\n")
    assert said[0].endswith(": a store that another turn reads")
    assert said[1].strip() == "x[i] = x[i - 1] * x[i] + 1"
    assert said[3].strip() == "why: the turns depend on each other"
    assert said[4].strip().startswith("instead: leave out fallback")


def test_not_liftable_for_the_arguments_of_a_call():
    @autovec.lift(fallback="error")
    def halves(x):
        for i in range(len(x)):
            x[i] = x[i] / 2

    x = np.arange(3.0)
    halves(x)
    assert x.tolist() == [0, 0.5, 1]
    items = [2, 4]
    halves(items)  # no array: the function as it is written
    assert items == [1, 2]
