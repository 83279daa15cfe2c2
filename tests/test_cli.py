"""The command line: options, exit status, what goes where; files on disk, all or none."""

import io
import json
import os
import stat
import sys
from pathlib import Path

import pytest

import autovec
from autovec import cli
from autovec.files import disk
from tests.cli_tools import command, load

ASKS = """\
import autovec


@autovec.vectorize
def tax(income):
    return income * 0.19 if income > 0 else 0.0
"""
PLAIN = "def tax(income):\n    return income * 0.19 if income > 0 else 0.0\n"
LOOPS = (
    "import autovec\nfrom elsewhere import k\n\n@autovec.vectorize\ndef f(x):\n    return x * k\n"
)
ARRAY = "import autovec\n\n@autovec.vectorize\ndef f(x):\n    return x[0]\n"
BROKEN = "def f(:\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to be in, with a file that asks for something and one that does not."""
    (tmp_path / "asks.py").write_text(ASKS)
    (tmp_path / "plain.py").write_text(PLAIN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *args):
    """The status, standard output and standard error of a call."""
    try:
        status = cli.main(args)
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    return status, out, err


def test_it_prints_the_file(folder, capsys):
    status, out, err = run(capsys, "asks.py")
    assert (status, err) == (0, "")
    assert "def tax(income):" in out
    assert "autovec" not in out
    assert load(out)
    assert Path("asks.py").read_text() == ASKS
    assert run(capsys, "plain.py") == (0, PLAIN, "")


def test_a_process_of_its_own(folder):
    status, out, err = command("asks.py", cwd=folder)
    assert (status, err) == (0, "")
    data = ASKS.replace("\n", "\r\n").encode()
    status, piped, err = command("-", cwd=folder, given=data)
    assert (status, err) == (0, "")
    assert piped == out.replace(b"\n", b"\r\n")
    status, out, err = command("-", cwd=folder, given=b"def f(:\n")
    assert (status, out) == (2, b"")
    assert err.startswith("<stdin>:1: error: ")
    assert "Traceback" not in err


def test_output(folder, capsys):
    assert run(capsys, "asks.py", "-o", "out.py") == (0, "", "")
    assert load(Path("out.py").read_text())
    assert Path("asks.py").read_text() == ASKS
    status, out, _ = run(capsys, "asks.py", "--output", "-")
    assert (status, out) == (0, Path("out.py").read_text())
    status, _, err = run(capsys, "asks.py", "-o", "nowhere/out.py")
    assert (status, "nowhere/out.py: No such file" in err) == (2, True)


def test_in_place(folder, capsys):
    os.chmod("asks.py", 0o751)
    before = Path("plain.py").stat().st_mtime_ns
    assert run(capsys, "--in-place", "asks.py", "plain.py") == (0, "", "")
    new = Path("asks.py").read_text()
    assert "autovec" not in new
    assert stat.S_IMODE(Path("asks.py").stat().st_mode) == 0o751
    assert Path("plain.py").stat().st_mtime_ns == before
    assert run(capsys, "-i", "asks.py") == (0, "", "")
    assert Path("asks.py").read_text() == new
    assert sorted(os.listdir()) == ["asks.py", "plain.py"]


def test_diff(folder, capsys, monkeypatch):
    status, out, _ = run(capsys, "--diff", "asks.py", "plain.py")
    assert status == 0
    assert out.startswith("--- asks.py\n+++ asks.py\n@@ ")
    assert "-@autovec.vectorize\n" in out
    assert "plain.py" not in out
    assert "\033" not in out
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.delenv("NO_COLOR", raising=False)
    cli.main(["--diff", "asks.py"])
    assert "\033[31m-@autovec.vectorize\033[0m" in sys.stdout.getvalue()
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    cli.main(["--diff", "asks.py"])
    assert "\033" not in sys.stdout.getvalue()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_diff_of_a_file_without_a_final_newline(folder, capsys):
    Path("asks.py").write_text(ASKS.rstrip("\n"))
    _, out, _ = run(capsys, "--diff", "asks.py")
    assert "\\ No newline at end of old file\n\\ No newline at end of new file" in out


def test_check(folder, capsys):
    assert run(capsys, "--check", "plain.py") == (0, "", "")
    assert run(capsys, "--check", "asks.py", "plain.py") == (1, "", "would rewrite asks.py\n")
    assert Path("asks.py").read_text() == ASKS
    status, out, _ = run(capsys, "--check", "--diff", "asks.py")
    assert status == 1
    assert out.startswith("--- asks.py")
    Path("broken.py").write_text(BROKEN)
    assert run(capsys, "--check", "asks.py", "broken.py")[0] == 2


def test_explain(folder, capsys):
    Path("loops.py").write_text(LOOPS)
    status, out, err = run(capsys, "--explain", "asks.py", "loops.py")
    assert status == 0
    assert "asks.py:5: tax: batched\n" in out
    assert "loops.py:5: f: one visible loop\n" in out
    assert "what k is cannot be read" in out
    assert "loops.py:6: warning: the function loops over its samples: what k is" in err


def test_json(folder, capsys):
    Path("array.py").write_text(ARRAY)
    status, out, err = run(capsys, "--json", "--check", "asks.py", "array.py", "plain.py")
    assert (status, err) == (2, "")
    found = json.loads(out)
    assert found["version"] == autovec.__version__
    asks, array = found["files"]
    assert (asks["path"], asks["changed"], asks["errors"]) == ("asks.py", True, [])
    [function] = asks["functions"]
    assert (function["name"], function["result"]) == ("tax", "batched")
    assert (function["batched"], function["shared"]) == (["income"], [])
    assert array["functions"][0]["result"] == "refused"
    [error] = array["errors"]
    assert (error["line"], error["column"], error["what"]) == (5, 12, "x is used as an array")
    status, out, _ = run(capsys, "--json", "asks.py")
    assert status == 0
    assert load(json.loads(out)["files"][0]["text"])


def test_strict(folder, capsys):
    Path("loops.py").write_text(LOOPS)
    status, out, err = run(capsys, "loops.py")
    assert status == 0
    assert "def f_sample(x):" in out
    assert err.startswith("loops.py:6: warning: the function loops over its samples: ")
    status, out, err = run(capsys, "--strict", "loops.py")
    assert (status, out) == (2, "")
    assert err.startswith("loops.py:6: error: what k is cannot be read")


def test_functions_by_name(folder, capsys):
    status, out, _ = run(capsys, "-f", "tax", "plain.py")
    assert status == 0
    assert "def tax(income):\n    return" in out
    assert "def tax_batched(income):" in out
    status, out, _ = run(capsys, "--function", "tax", "--replace", "plain.py")
    assert out.count("def tax") == 1
    status, out, err = run(capsys, "-f", "tex", "plain.py")
    assert (status, out) == (2, "")
    assert err == "autovec: no function to be batched is called tex; there is tax\n"
    assert run(capsys, "-f", "tax", "--check", "asks.py", "plain.py")[0] == 1


def test_shapes_and_axes_by_name(folder, capsys):
    Path("two.py").write_text(
        "def dot(x, k):\n    return x[0] * k\n\ndef scaled(x, k):\n    return x * k\n"
    )
    status, out, _ = run(capsys, "-f", "dot", "--signature", "dot: (n),()->()", "two.py")
    assert status == 0
    assert "Batched: x, k (arrays that broadcast; axes of one sample behind: x: 1)." in out
    status, out, _ = run(capsys, "-f", "scaled", "--in-axes", "scaled: (0, None)", "two.py")
    assert status == 0
    assert "Batched: x (axis 0).\n    Shared: k.\n" in out
    status, _, err = run(capsys, "-f", "scaled", "--signature", "scald: (n)->()", "two.py")
    assert (status, "is called scald" in err) == (2, True)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["missing.py"],
        ["asks.py", "plain.py"],
        ["."],
        ["asks.py", "plain.py", "-o", "out.py"],
        ["asks.py", "--in-place", "-o", "out.py"],
        ["asks.py", "--in-place", "--check"],
        ["-", "--in-place"],
        ["-", "asks.py", "--check"],
        ["asks.py", "--replace"],
        ["asks.py", "--signature", "(n)->()"],
        ["asks.py", "--signature", "f: (n"],
        ["asks.py", "--signature", "f g: (n)->()"],
        ["asks.py", "--in-axes", "f: [1"],
        ["asks.py", "--in-axes", "f: 'x'"],
        ["asks.py", "--in-axes", "f: open('x')"],
        ["asks.py", "--unknown"],
    ],
)
def test_calls_that_make_no_sense(folder, capsys, args):
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert err.startswith("usage: autovec [options] FILE ...\nautovec: error: ")
    assert sorted(os.listdir()) == ["asks.py", "plain.py"]


def test_version_and_help(capsys):
    assert run(capsys, "--version") == (0, f"autovec {autovec.__version__}\n", "")
    status, out, _ = run(capsys, "--help")
    assert status == 0
    for option in ("-f", "--replace", "-o", "--in-place", "--diff", "--check", "--explain",
                   "--json", "--strict", "--signature", "--in-axes", "--version"):  # fmt: skip
        assert option in out
    assert "examples:\n" in out
    assert "exit status:\n" in out


# ---------------------------------------------------------------- folders and files
def test_folders(folder, capsys):
    for path in ("src/a.py", "src/b/c.py", "src/.hidden/d.py", "src/venv/e.py", "src/x/pyvenv.cfg",
                 "src/x/f.py", "src/__pycache__/g.py", "src/notes.txt"):  # fmt: skip
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(ASKS)
    os.symlink("../asks.py", "src/link.py")
    status, _, err = run(capsys, "--check", "src", "src/a.py", "./src/a.py")
    assert status == 1
    assert err == "would rewrite src/a.py\nwould rewrite src/b/c.py\n"
    assert run(capsys, "-i", "src") == (0, "", "")
    assert run(capsys, "--check", "src") == (0, "", "")
    assert Path("asks.py").read_text() == ASKS


def test_nothing_is_written_if_one_file_fails(folder, capsys):
    for name, text in (("broken.py", BROKEN), ("array.py", ARRAY), ("bytes.py", "")):
        Path(name).write_text(text)
        if name == "bytes.py":
            Path(name).write_bytes(b"x = '\xff'\n")
        status, out, err = run(capsys, "--in-place", "asks.py", name)
        assert (status, out) == (2, "")
        assert err.startswith(f"{name}:")
        assert Path("asks.py").read_text() == ASKS
        Path(name).unlink()


def test_what_cannot_be_replaced(folder, capsys):
    Path("second.py").write_text(ASKS)
    os.chmod("second.py", 0o444)
    status, _, err = run(capsys, "-i", "asks.py", "second.py")
    assert (status, err) == (2, "autovec: second.py: it is read-only\n")
    Path("second.py").unlink()
    os.symlink("asks.py", "second.py")
    status, _, err = run(capsys, "-i", "second.py")
    assert status == 2
    assert "second.py: it is a symbolic link" in err
    assert run(capsys, "plain.py", "-o", "second.py")[0] == 2
    assert Path("second.py").is_symlink()
    assert run(capsys, "plain.py", "-o", ".")[0] == 2
    assert Path("asks.py").read_text() == ASKS
    assert sorted(os.listdir()) == ["asks.py", "plain.py", "second.py"]


def test_files_that_go_or_change_meanwhile(folder, capsys, monkeypatch):
    status, _, err = run(capsys, "--check", "asks.py", str(folder / "plain.py" / "x.py"))
    assert status == 2
    real = disk.read

    def changing(path):
        data = real(path)
        Path("asks.py").write_text(ASKS + "# more\n")
        return data

    monkeypatch.setattr(disk, "read", changing)
    status, _, err = run(capsys, "-i", "asks.py")
    assert (status, err) == (2, "autovec: asks.py: it changed while it was being read\n")
    assert sorted(os.listdir()) == ["asks.py", "plain.py"]


def test_a_failure_between_two_files_is_undone(folder, capsys, monkeypatch):
    Path("second.py").write_text(ASKS)
    real = os.replace
    calls = []

    def failing(old, new):
        calls.append(new)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(old, new)

    monkeypatch.setattr(os, "replace", failing)
    status, _, err = run(capsys, "-i", "asks.py", "second.py")
    assert (status, err) == (2, "autovec: second.py: No space left on device\n")
    assert Path("asks.py").read_text() == Path("second.py").read_text() == ASKS
    assert sorted(os.listdir()) == ["asks.py", "plain.py", "second.py"]


def test_folders_that_cannot_be_read(folder, monkeypatch):
    def failing(path, onerror):
        onerror(OSError(13, "Permission denied", "src"))
        return []

    monkeypatch.setattr(os, "walk", failing)
    with pytest.raises(disk.DiskError, match="src: Permission denied"):
        list(disk.sources(["."]))
    with pytest.raises(disk.DiskError, match="No such file"):
        disk.read("missing.py")


def test_an_error_of_its_own_is_no_traceback(folder, capsys, monkeypatch):
    def failing(*args):
        raise KeyError("a bug")

    monkeypatch.setattr("autovec.files.rewrite.rewrite", failing)
    status, out, err = run(capsys, "--in-place", "asks.py", "plain.py")
    assert (status, out) == (2, "")
    assert "asks.py:1: autovec failed, which is a bug: KeyError: 'a bug'" in err
    assert Path("asks.py").read_text() == ASKS


def test_a_compiler_error_is_a_loop_that_says_so(folder, capsys, monkeypatch):
    def failing(*args):
        raise KeyError("a bug")

    monkeypatch.setattr("autovec.pipeline.specialise", failing)
    status, out, err = run(capsys, "asks.py")
    assert status == 0
    assert "autovec failed, which is a bug" in err
    assert load(out).tax([-1.0, 100.0]).tolist() == [0.0, 19.0]


def test_a_reader_that_stops(folder, capsys, monkeypatch):
    def failing(*args):
        raise BrokenPipeError

    monkeypatch.setattr(cli, "_write", failing)
    monkeypatch.setattr(os, "dup2", lambda *args: None)
    assert run(capsys, "asks.py")[0] == 0
    monkeypatch.setattr(cli, "_write", lambda *args: exec("raise KeyboardInterrupt"))
    assert run(capsys, "asks.py")[0] == 130
