"""The bytes of a file: encodings, line ends, indentation, comments; and what cannot be read."""

import ast
import sys

import numpy as np
import pytest

from autovec.files.rewrite import Request, rewrite
from autovec.files.text import Edit, FileText, Unreadable
from tests.cli_tools import done, load, refused, written

SOURCE = '''\
#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Täx."""
from __future__ import annotations
import math
import autovec

RATE = 0.19  # Umsatzsteuer: übliche


@autovec.vectorize
def tax(income):
    """Steuer für ein Jahr.

    Größe in €.
    """
    # über null
    if income > 0:  # nur dann
        return income * RATE  # fällig
    return 0.0


\x0c
print("ende")  # Schluß
'''


def outside(text: str) -> tuple[str, str]:
    """What stands before and behind the function."""
    start = "RATE = "
    return text[text.index(start) : text.index("def tax")], text[text.index("\x0c") :]


VARIANTS = {
    "plain": lambda b: b,
    "bom": lambda b: b"\xef\xbb\xbf" + b,
    "crlf": lambda b: b.replace(b"\n", b"\r\n"),
    "cr": lambda b: b.replace(b"\n", b"\r"),
    "no final newline": lambda b: b.rstrip(b"\n"),
    "tabs": lambda b: b.replace(b"    ", b"\t"),
    "two blanks": lambda b: b.replace(b"    ", b"  "),
    "mixed ends": lambda b: b.replace(b"\n\n\n", b"\r\n\r\n\r\n"),
    "bom and crlf": lambda b: b"\xef\xbb\xbf" + b.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_everything_else_stays_byte_for_byte(variant):
    data = VARIANTS[variant](SOURCE.encode())
    new = done(data).new
    assert new != data
    prefix = data[: data.index(b"import autovec")]
    assert new.startswith(prefix)
    assert new.endswith(data[data.index(b"\x0c") :])
    constant = data[data.index(b"RATE =") : data.index(b"@autovec")]
    assert constant in new
    text = new.decode("utf-8-sig")
    for comment in ("# über null", "# nur dann", "# fällig", "Größe in €."):
        assert text.count(comment) == 1
    if variant in ("crlf", "bom and crlf"):
        assert new.count(b"\n") == new.count(b"\r\n")
    if variant == "cr":
        assert b"\n" not in new
    if variant == "tabs":
        assert "\n    " not in text
        assert "\n\tk = np.flatnonzero" in text or "\n\treturn" in text
    assert load(text).tax(np.array([-1.0, 100.0])).tolist() == [0.0, 19.0]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso-8859-15", "utf-8", "shift_jis"])
def test_encodings(encoding):
    word = "Größe" if encoding != "shift_jis" else "税"
    source = f"# coding: {encoding}\nimport autovec\n\n@autovec.vectorize\ndef f(x):\n"
    source += f"    # {word}\n    return x + 1  # {word}\n"
    data = source.encode(encoding)
    new = done(data).new
    assert new.decode(encoding).count(f"# {word}") == 2
    assert new.startswith(f"# coding: {encoding}\n".encode())


def test_comments_go_with_their_statements():
    source = """
        import autovec

        @autovec.vectorize
        def f(x: float, y: float):  # signature
            #: first
            a = x * y  #!keep this as it is
            #no blank
            if a > 1:
                # in the branch
                a = a / y  # divided

                # at the end of the branch
            # before the result
            return a  # result
            # behind everything
        # outside
    """
    text = written(source)
    lines = [line.strip() for line in text.splitlines()]
    assert "def f(x, y):  # signature" in lines
    assert lines.index("#: first") + 1 == lines.index("a = x * y  #!keep this as it is")
    order = ["#: first", "#no blank", "# in the branch", "# at the end of the branch",
             "# before the result", "# behind everything", "# outside"]  # fmt: skip
    places = [lines.index(comment) for comment in order]
    assert places == sorted(places)
    assert text.count("#") == 11


def test_long_comments_are_not_wrapped():
    comment = "# " + "a very long remark " * 8 + "https://example.org/" + "x" * 90
    source = f"import autovec\n\n@autovec.vectorize\ndef f(x):\n    y = x + 1  {comment}\n"
    source += f"    {comment}\n    return y * y\n"
    assert written(source).count(comment) == 2


def test_comments_of_multi_line_signatures():
    source = """
        import autovec

        @autovec.vectorize
        def f(
            x: float,  # metres
            y: "float" = 2.0,  # seconds
            *,
            # a limit
            limit: int = 3,
        ) -> float:
            return x + y + limit
    """
    text = written(source)
    assert '    x,  # metres\n    y: "float" = 2.0,  # seconds\n    *,\n    # a limit' in text
    assert "limit: int = 3,\n):\n" in text


def test_strings_with_line_ends_and_comment_signs():
    source = """
        import autovec

        @autovec.vectorize
        def f(x):
            s = '''# no comment
        flush left'''
            return x + len(s)  # comment
    """
    text = written(source)
    assert text.count("# comment") == 1
    assert load(text).f(np.array([1.0])).tolist() == [1.0 + len("# no comment\nflush left")]


@pytest.mark.parametrize(
    "docstring",
    ['"""One line."""', "'single'", 'r"""Raw \\d."""', '"""\n    Below.\n    """', '"two" " parts"',
     '"""With "quotes\\"."""', "'''Other\n\n    quotes.'''", '"""Tabs\n\t\tand more."""', '""""""'],
)  # fmt: skip
def test_docstrings_are_kept(docstring):
    source = f"import autovec\n\n@autovec.vectorize\ndef f(x):\n    {docstring}\n    return x\n"
    value = ast.literal_eval(docstring)
    text = written(source)
    new = ast.get_docstring(ast.parse(text).body[-1], clean=False)
    assert new.split() == [*value.split(), "Batched:", "x", "(arrays", "that", "broadcast)."]


def test_one_line_functions_and_odd_places():
    source = "import autovec; import os\n@autovec.vectorize\ndef f(x): return x + 1; y = 2\n"
    source += "class A: f = f; g = 1\n\\\n@autovec.vectorize\ndef h(x): return x"
    text = written(source)
    assert text.startswith("import os\n")
    assert text.count("return x") == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import autovec\n", ""),
        ("import autovec  # noqa\n", ""),
        ("import autovec, os\n", "import os\n"),
        ("import os, autovec\n", "import os\n"),
        ("import os, autovec, re\n", "import os, re\n"),
        ("import os; import autovec\n", "import os\n"),
        ("import autovec; import os\n", "import os\n"),
        ("import os; import autovec; import re\n", "import os; import re\n"),
        ("import os\n\nimport autovec\n\nimport re\n", "import os\n\nimport re\n"),
        ("import autovec, autovec.api\n", ""),
        ("import os, autovec, autovec.api as a, re\n", "import os, re\n"),
        ("import autovec\nif 1:\n    from autovec import vmap\n", "if 1:\n    pass\n"),
        ("import autovec\nif 1: from autovec import vmap\n", "if 1: pass\n"),
    ],
)
def test_imports_that_nothing_needs_any_more(old, new):
    function = "\n\n@autovec.vectorize\ndef f(x):\n    return x + 1\n"
    assert written(old + function).startswith(f"{new}\n\ndef f(x):\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from autovec import vectorize\n", ""),
        ("from autovec import vectorize, vmap\n", ""),
        ("from autovec import (\n    vectorize,  # this\n    vmap,\n)\n", ""),
        (
            "from autovec import vectorize as v, register, vectorize\n",
            "from autovec import register\n",
        ),
        ("from autovec import register, vectorize\n", "from autovec import register\n"),
        (
            "from autovec import (\n    register,\n    vectorize,\n)\n",
            "from autovec import (\n    register,\n)\n",
        ),
    ],
)
def test_names_that_nothing_needs_any_more(old, new):
    function = "\n\n@vectorize\ndef f(x):\n    return x + 1\n"
    end = "\nregister\n" if "register" in old else ""
    assert written(old + function + end).startswith(f"{new}\n\ndef f(x):\n")


def test_an_import_that_is_still_needed_stays():
    function = "import autovec\n\n@autovec.vectorize\ndef f(x):\n    return x\n\nautovec.register\n"
    assert written(function).startswith("import autovec\n")
    exported = "from autovec import vmap\n__all__ = ['vmap']\n\n@vmap\ndef f(x):\n    return x\n"
    assert written(exported).startswith("from autovec import vmap\n")


FUTURE = "from __future__ import annotations\n"


@pytest.mark.parametrize(
    ("head", "new"),
    [
        ("", "import numpy as np\n\n\ndef"),
        ("#!/bin/python\n", "#!/bin/python\nimport numpy as np\n\n\ndef"),
        ('"""Doc."""\n', '"""Doc."""\n\nimport numpy as np\n\n\ndef'),
        ('"""Doc."""\n\n\n', '"""Doc."""\n\n\nimport numpy as np\n\n\ndef'),
        (FUTURE, f"{FUTURE}import numpy as np\ndef"),
        ("import os\nx = 1\nimport re\n", "import os\nimport numpy as np\nx = 1\nimport re\ndef"),
        ("if 1:\n    import os\n", "import numpy as np\n\nif 1:\n    import os\ndef"),
        ("if 1:\n    1\nimport re\n", "if 1:\n    1\nimport re\nimport numpy as np\ndef"),
        ("import numpy\n", "import numpy\ndef"),
        ("import numpy as xp\n", "import numpy as xp\ndef"),
        ("x = 1\n# about f\n", "import numpy as np\n\nx = 1\n# about f\ndef"),
    ],
)  # fmt: skip
def test_where_numpy_is_imported(head, new):
    function = "def f(x):\n    return 0.0 if x < 0 else x\n"
    text = written(head + function, "f")
    assert text.startswith(new)
    assert load(text).f_batched(np.array([-1.0, 2.0])).tolist() == [0.0, 2.0]


# ---------------------------------------------------------------- what cannot be read
@pytest.mark.parametrize(
    ("data", "line", "word"),
    [
        (b"def f(:\n", 1, "not valid Python"),
        (b"x = 1\n\nreturn 3 +\n", 3, "not valid Python"),
        (b"x = 1\n  y = 2\n", 2, "unexpected indent"),
        (b"if x:\n\ty\n        z\n", 3, "tabs"),
        (b"x = 'open\n", 1, "unterminated"),
        (b"x = (\n", 1, "never closed"),
        (b"x = 1\ny = '\xe4'\n", 2, "cannot be decoded"),
        (b"# coding: klingon\n", 1, "encoding"),
        (b"# coding: utf-8\n\n\xff\n", 3, "cannot be decoded"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "encoding"),
        (b"x = 1\n\x00\n", 2, "null byte"),
        (b"x = " + b"(" * 500 + b")" * 500, 1, "nested"),
        (b"x = " + b"-" * 100_000 + b"1", 1, "nested"),
        (b"y = 1\nx = " + b"a." * 100_000 + b"b", 2, "nested"),
        (b"x = " + b"[" * 150 + b"]" * 150 + b"\n", 1, ""),
        (b"x = 1" + b"0" * 5000 + b"\n", 1, ""),
    ],
)
def test_what_cannot_be_read_is_shown(data, line, word):
    result = rewrite(data, "bad.py", Request())
    if not word and not result.problems:
        return  # this Python reads it
    [problem] = result.problems
    assert (problem.place.line, result.changed) == (line, False)
    assert word in str(problem).replace("nested parentheses", "nested")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
def test_a_newer_grammar_is_named():
    message = refused("type X = int\n")
    assert message.startswith("model.py:1:")
    assert "newer Python than 3.11" in message


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is newer")
def test_type_parameters_go_with_the_annotations():
    source = (
        "import autovec\n@autovec.vectorize\ndef f[T](x: T, k: T = 2) -> T:\n    return x * k\n"
    )
    assert "def f(x, k: T = 2):" in written(source) or "def f(x, k" in written(source)


def test_code_that_does_not_compile_is_refused():
    function = "import autovec\n@autovec.vectorize\ndef f(x):\n    return x\n"
    assert "model.py:5: 'return' outside function" in refused(function + "return 3\n")


def test_a_file_of_ten_thousand_lines():
    functions = [
        f"@vectorize\ndef f{k}(x):\n    # number {k}\n    return x * {k}.5 if x > {k} else -x\n\n\n"
        for k in range(60)
    ]
    filler = "".join(f"x{k} = {k}  # {'ö' * (k % 7)}\n" for k in range(160))
    source = "from autovec import vectorize\n\n\n" + "".join(f + filler for f in functions)
    assert source.count("\n") > 9_900
    text = rewrite(source.encode(), "long.py", Request()).new.decode()
    assert text.count("# number ") == 60
    assert text.count(filler) == 60
    module = load(text)
    assert module.f7(np.array([1.0, 10.0])).tolist() == [-1.0, 75.0]


def test_a_function_nested_too_deeply():
    body = "".join("    " * k + "if x > 0:\n" for k in range(1, 95))
    source = f"import autovec\n@autovec.vectorize\ndef f(x):\n{body}{'    ' * 95}return x\n"
    result = rewrite(source.encode(), "deep.py", Request())
    assert result.problems or result.changed
    long = "import autovec\n@autovec.vectorize\ndef f(x):\n    return " + " + ".join(["x"] * 900)
    assert "nested" in refused(long)


def test_edits_must_not_overlap():
    file = FileText.decode(b"abc", "f.py")
    assert file.edited([Edit(1, 1, "x"), Edit(1, 2, ""), Edit(0, 0, "y")]) == "yaxc"
    with pytest.raises(ValueError, match="overlap"):
        file.edited([Edit(0, 2, ""), Edit(1, 3, "")])


def test_places_are_counted_in_characters():
    file = FileText.decode("x = 'ä'; y = β\n".encode(), "f.py")
    name = file.parse().body[1].value
    assert file.piece(name) == "β"
    assert (file.place(name).col, file.place(name).end_col) == (13, 14)
    with pytest.raises(Unreadable):
        FileText.decode(b"\xff\xfe\x00", "f.py")
