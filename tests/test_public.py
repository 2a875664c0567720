"""The public names: one list, resolved on first use, and nothing heavy before that."""

import ast
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import littlestone


def type_checking_imports():
    """The names that a type checker sees, from the block in the source."""
    tree = ast.parse(Path(littlestone.__file__).read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    seen = {}
    for node in block.body:
        names = [alias.asname or alias.name for alias in node.names]
        seen |= dict.fromkeys(import_module(node.module).__all__ if names == ["*"] else names, node.module)
    return seen


def test_what_type_checkers_see_is_what_is_listed_and_what_resolves():
    seen = type_checking_imports()
    assert littlestone.__all__ == sorted(seen) == sorted(set(littlestone.__all__))
    assert dir(littlestone) == littlestone.__all__
    for name, module in seen.items():
        value = getattr(littlestone, name)
        assert value is getattr(sys.modules[module], name)
        assert value.__name__ == name
        assert value.__doc__, f"{name} is public and says nothing"


def test_no_public_name_is_that_of_a_module():
    """Importing the module anywhere would put it in the place of what the name stands for."""
    modules = {path.stem for path in Path(littlestone.__file__).parent.iterdir()}
    assert modules.isdisjoint(littlestone.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = littlestone.Nonsense


def run(code):
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_the_package_imports_neither_numba_nor_numpy():
    heavy = run("import sys, littlestone; print(*(m for m in ('numba', 'numpy', 'scipy', 'rich') if m in sys.modules))")
    assert heavy == []


def test_a_star_import_brings_exactly_the_public_names():
    names = run("from littlestone import *; print(*sorted(n for n in dir() if not n.startswith('__')))")
    assert names == littlestone.__all__


def test_the_version_is_one():
    assert [part.isdigit() for part in littlestone.__version__.split(".")] == [True] * 3
