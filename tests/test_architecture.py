"""The house: who may import whom, how long a file may be, and what no file may hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import gast
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "autovec"

# A module imports only from its own part or from parts below it; the first line is the surface.
ORDER = [
    ["__init__", "__main__", "api", "cli"],
    ["files"],
    ["run"],
    ["pipeline"],
    ["emit"],
    ["lower"],
    ["simplify"],
    ["grad"],
    ["lift"],
    ["program"],
    ["canonical"],
    ["check"],
    ["ops"],
    ["axes"],
    ["tree"],
    ["syntax"],
    ["errors"],
]
LEVEL = {part: level for level, parts in enumerate(ORDER) for part in parts}

CEILING = {"autovec": 350, "samples": 350, "tests": 500}  # a test file is mostly tables of cases

# Contexts and operators have nothing to quote.
NODES = {
    name
    for name, kind in vars(gast).items()
    if isinstance(kind, type) and issubclass(kind, ast.AST) and getattr(kind, "_fields", ())
}

# The helpers that emitted text copies are data, not modules.
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "prelude_text" not in path.parts)
FILES = sorted(
    path
    for folder in ("autovec", "tests", "samples", "docs", ".ci", "benchmarks")
    for path in (ROOT / folder).rglob("*")
    if path.is_file() and not {"__pycache__", ".ruff_cache", ".mypy_cache"} & set(path.parts)
) + [path for path in sorted(ROOT.iterdir()) if path.suffix in {".md", ".cfg", ".toml"}]


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import, those inside functions too."""
    package = path.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: -node.level]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def part_of(module: str) -> str:
    """The part of the package that a dotted name stands in."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LEVEL else "__init__"


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_a_module_imports_only_from_its_own_part_or_from_below(path):
    inner = path.relative_to(PACKAGE)
    own = inner.parts[0] if len(inner.parts) > 1 else inner.stem
    assert own in LEVEL, f"{label(path)} belongs to no part of the package: add it to ORDER"
    for line, name in imports(path):
        if name.split(".")[0] != "autovec":
            continue
        other = part_of(name)
        below = LEVEL[other] > LEVEL[own]
        assert below or other == own or LEVEL[own] == 0, (
            f"{label(path)}:{line} imports {name}: {own} stands below {other}"
        )


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_trees_are_built_by_quoting(path):
    if "syntax" in path.relative_to(PACKAGE).parts:
        return
    taken = {alias for _, name in imports(path) for alias in [name.removeprefix("gast.")]}
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(value=ast.Name(id="gast"), attr=name):
                built = name in NODES or name == "parse"
            case ast.Name(id=name):
                built = name in NODES and name in taken
            case _:
                built = False
        assert not built, f"{label(path)}:{node.lineno} calls gast.{name}: quote the code instead"


def test_only_one_file_imports_astor():
    for path in MODULES:
        names = {name.split(".")[0] for _, name in imports(path)}
        assert "astor" not in names or label(path) == "autovec/emit/astor_printer.py"


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_a_module_needs_numpy_and_gast_at_most(path):
    allowed = {*sys.stdlib_module_names, "autovec", "numpy", "gast", "astor"}
    for line, name in imports(path):
        assert name.split(".")[0] in allowed, f"{label(path)}:{line} imports {name}"


def test_importing_the_package_imports_neither_astor_nor_pandas():
    code = "import sys, autovec; print(*{'astor', 'pandas', 'hypothesis'} & set(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout.strip(), ran.stderr) == (0, "", "")


@pytest.mark.parametrize("folder", CEILING)
def test_no_file_is_too_long_to_read(folder):
    long = {
        label(path): count
        for path in FILES
        if path.suffix == ".py"
        and path.is_relative_to(ROOT / folder)
        and (count := len(path.read_text(encoding="utf-8").splitlines())) > CEILING[folder]
    }
    assert not long


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_a_module_says_what_it_is(path):
    assert ast.get_docstring(tree_of(path)), f"{label(path)} has no docstring"


def test_no_file_names_a_machine_or_leaves_work_undone():
    folders = "|".join(["work", "opt", "root", "home", "Users", "tmp"])
    places = re.compile(rf"""(?<![\w.\-/<}}])/(?:{folders})/[\w.]""")
    undone = re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX"]) + r")\b")
    found = [
        f"{label(path)}:{row}: {line.strip()}"
        for path in FILES
        if path.suffix in {".py", ".pyi", ".md", ".cfg", ".toml", ""}
        for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if places.search(line) or undone.search(line)
    ]
    assert not found
