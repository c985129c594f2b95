"""The stubs tell of everything that is there, with the same parameters."""

import ast
import inspect
import sys
from pathlib import Path

import strong4

STUBS = Path(strong4.__file__).with_name("__init__.pyi")


def stubs():
    tree = ast.parse(STUBS.read_text())
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def parameters(function):
    arguments = function.args
    return [a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs][1:]


def test_the_package_says_that_it_is_typed():
    assert STUBS.with_name("py.typed").exists()


def test_every_method_has_a_stub():
    classes = stubs()
    for name in ("Exam", "Position", "Solver"):
        thing = getattr(strong4, name)
        public = {attribute for attribute in vars(thing) if not attribute.startswith("_")}
        functions = {f.name: f for f in classes[name].body if isinstance(f, ast.FunctionDef)}
        assert public == {f for f in functions if not f.startswith("_")}
        # Python 3.9 does not tell the signatures of types that are not written in Python.
        if sys.version_info >= (3, 10):
            init = inspect.signature(thing)
            assert list(init.parameters) == parameters(functions["__init__"])
        for attribute in public:
            value = getattr(thing, attribute)
            if callable(value):
                there = [p for p in inspect.signature(value).parameters if p != "self"]
                assert there == parameters(functions[attribute]), attribute


def test_every_function_has_a_stub():
    tree = ast.parse(STUBS.read_text())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name in ("sample", "positions", "to_arrays", "from_arrays"):
        arguments = functions[name].args
        named = [a.arg for a in arguments.args + arguments.kwonlyargs]
        assert list(inspect.signature(getattr(strong4, name)).parameters) == named, name


def test_every_public_name_is_in_the_stubs():
    named = set()
    for node in ast.parse(STUBS.read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            named.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            named.add(node.target.id)
        elif isinstance(node, ast.ImportFrom):
            named.update(alias.asname or alias.name for alias in node.names)
    assert set(strong4.__all__) <= named
