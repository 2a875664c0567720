"""The house: few rooms, short modules, few parameters, one name for one thing, words that a stranger understands."""

import ast
import dataclasses
import inspect
import re
from collections import Counter

import pytest

import littlestone
from places import SOURCE

PACKAGE = SOURCE / "littlestone"
MODULES = sorted(PACKAGE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text()) for path in MODULES}
RIDDLES = re.compile(r"\b(nobody|somebody|whoever|anybody|everybody|so many)\b", re.IGNORECASE)
PARTICIPLES = {
    "settled", "taken", "held", "told", "said", "kept", "noted", "chosen", "shown", "given", "listed", "joined",
    "copied", "measured", "looked_up", "looked_at", "seated", "traced", "covered", "found", "named", "written",
    "explained", "played", "left", "known", "counted", "moved", "followed", "claimed", "restored", "opened",
}  # fmt: skip


def functions():
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path.relative_to(PACKAGE), node


def decorators(node):
    return {ast.unparse(one).split("(")[0].split(".")[-1] for one in node.decorator_list}


def test_the_rooms_can_be_recited():
    entries = [path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"]
    assert len(entries) <= 18, sorted(entries)


def test_every_room_and_module_says_what_it_is():
    for path, tree in TREES.items():
        assert ast.get_docstring(tree), path


def test_no_module_is_longer_than_300_lines():
    assert not [(str(path), n) for path in MODULES if (n := len(path.read_text().splitlines())) > 300]


def test_no_function_takes_more_than_eight_parameters_but_for_flat_entries_into_compiled_code():
    def count(node):
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        return len([one for one in given if one.arg not in ("self", "cls")])

    found = [
        f"{path}:{node.lineno} {node.name} takes {count(node)}"
        for path, node in functions()
        if count(node) > 8 and not decorators(node) & {"kernel", "late_kernel"}
    ]
    assert not found, "\n".join(found)


def test_no_two_classes_have_one_name():
    names = Counter(node.name for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    twice = {name for name, times in names.items() if times > 1}
    assert twice == {"OnlineClassifier", "OnlineRegressor"}  # of scikit-learn and of River


def test_functions_are_verbs():
    found = [
        f"{path}:{node.lineno} {node.name}"
        for path, node in functions()
        if node.name.strip("_") in PARTICIPLES and not decorators(node) & {"property", "cached_property"}
    ]
    assert not found, "\n".join(found)


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
