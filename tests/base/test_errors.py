"""The tree of errors in the docstring is the tree of classes."""

import inspect
import re

import pytest

from littlestone.base import errors
from littlestone.base.errors import (
    BadData,
    BadInstance,
    BadLabel,
    BadParameter,
    LittlestoneError,
    NotRealizable,
    require,
)


def drawn():
    """What the docstring draws: the root, then each child with the builtin it also is."""
    lines = [line.strip() for line in errors.__doc__.splitlines() if re.match(r"\s+(├── |└── |Littlestone)", line)]
    root, *children = lines
    tree = {}
    for child in children:
        name, builtin, words = re.match(r"[├└]── (\w+)\s+(?:\((\w+)\))?\s*(.*)", child).groups()
        tree[name] = builtin
        assert words, f"{name} is drawn without a word about it"
    return root, tree


def defined():
    classes = [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, Exception)]
    return {made.__name__: made for made in classes if made is not LittlestoneError}


def test_the_drawn_tree_is_the_defined_one():
    root, tree = drawn()
    assert root == "LittlestoneError"
    assert list(tree) == list(defined())
    for name, builtin in tree.items():
        bases = [base.__name__ for base in defined()[name].__bases__]
        assert bases == ["LittlestoneError", *([builtin] if builtin else [])]


def test_every_error_says_in_its_docstring_what_it_is():
    assert all(made.__doc__ for made in defined().values())


def test_every_error_may_carry_its_game():
    assert all(made("x").game is None for made in defined().values())
    assert NotRealizable("x").rounds is None


def test_require_raises_what_it_is_told_with_the_message():
    require(True, "never")
    with pytest.raises(BadParameter, match="n must be positive, got 0"):
        require(False, "n must be positive, got 0")
    with pytest.raises(BadInstance, match="no"):
        require(False, "no", BadInstance)
    assert issubclass(BadLabel, ValueError)


def test_refused_data_says_where_it_stands():
    assert str(BadData("7:x is no value", "a.svm", 3, 9)) == "a.svm, line 3, byte 9: 7:x is no value"
    assert str(BadData("cut off", "a.gz")) == "a.gz: cut off"
    assert str(BadData("empty")) == "empty"
