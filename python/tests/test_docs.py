"""Catches docstrings that `help` and an editor would show differently, and examples that do not run or type-check."""

import ast
import doctest
import inspect
import pathlib
import subprocess
import sys

import pytest

import qiguan
import qiguan._qiguan as native

FOLDER = pathlib.Path(__file__).parents[1]
STUBS = pathlib.Path(qiguan.__file__).parent / "_qiguan.pyi"


def documented():
    for of in ast.parse(STUBS.read_text()).body:
        if isinstance(of, ast.ClassDef) and of.name != "LockedCore":
            yield of.name, getattr(native, of.name), ast.get_docstring(of)
            for part in of.body:
                if isinstance(part, ast.FunctionDef) and not part.name.startswith("__"):
                    yield f"{of.name}.{part.name}", getattr(getattr(native, of.name), part.name), ast.get_docstring(part)


@pytest.mark.parametrize("name, thing, text", list(documented()), ids=lambda value: value if isinstance(value, str) else "")
def test_help_says_what_the_stubs_say(name, thing, text):
    assert text and inspect.getdoc(thing) == text


def test_stubs_name_everything():
    stubs = ast.parse(STUBS.read_text()).body
    named = {part.name for part in stubs if isinstance(part, (ast.ClassDef, ast.FunctionDef))}
    there = {name for name in dir(native) if not name.startswith("_")}
    assert there == named
    for of in (part for part in stubs if isinstance(part, ast.ClassDef)):
        methods = {name for name in vars(getattr(native, of.name)) if not name.startswith("_")}
        assert methods == {part.name for part in of.body if isinstance(part, ast.FunctionDef) and part.name[0] != "_"}


@pytest.mark.parametrize("module", ["qiguan", "qiguan.env"])
def test_examples_of_docstrings(module):
    __import__(module)
    failed, tried = doctest.testmod(sys.modules[module])
    assert tried > 0 and failed == 0


@pytest.mark.parametrize("example", sorted((FOLDER / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(example):
    told = subprocess.run([sys.executable, example], capture_output=True, text=True)
    assert told.returncode == 0 and told.stdout, told.stderr


def test_types():
    pytest.importorskip("mypy")
    files = [*sorted((FOLDER / "examples").glob("*.py"))]
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "/dev/null", *files], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout + told.stderr
