"""The house: few rooms, every module says what it is, words that a stranger understands."""

import ast
import dataclasses
import inspect
import re

import pytest

import littlestone
from places import SOURCE

PACKAGE = SOURCE / "littlestone"
MODULES = sorted(PACKAGE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text()) for path in MODULES}
RIDDLES = re.compile(r"\b(nobody|somebody|whoever|anybody|everybody|so many)\b", re.IGNORECASE)


def test_the_rooms_can_be_recited():
    entries = [path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"]
    assert len(entries) <= 18, sorted(entries)


def test_every_room_and_module_says_what_it_is():
    for path, tree in TREES.items():
        assert ast.get_docstring(tree), path


def test_no_riddles():
    found = [
        f"{path.relative_to(PACKAGE)}:{number} {line.strip()}"
        for path in MODULES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if RIDDLES.search(line)
    ]
    assert not found, "\n".join(found)


PUBLIC = [
    value
    for name in littlestone.__all__
    if inspect.isclass(value := getattr(littlestone, name)) and dataclasses.is_dataclass(value)
]


@pytest.mark.parametrize("kind", PUBLIC, ids=lambda kind: kind.__name__)
def test_every_public_class_has_a_line_for_each_parameter(kind):
    text = inspect.getdoc(kind) or ""
    missing = [
        field.name
        for field in dataclasses.fields(kind)
        if field.init and not re.search(rf"^\s+{field.name}: \S", text, re.MULTILINE)
    ]
    assert not missing, f"help({kind.__name__}) has no line for {', '.join(missing)}"
