"""Nothing is left out: every file is in its list, with a twin, an instance to try and a recorded game."""

import importlib
import inspect
from pathlib import Path

import pytest

import reference
from laws.examples import of, snake
from littlestone import concepts, learners
from places import TRANSCRIPTS

FOLDERS = {"learners": learners, "concepts": concepts}
TABLES = {"Concepts"}  # given by a table of labels, so that there is no rule to write again


SHARED = {"atlas", "concept", "dimension", "packed", "set_cover", "tree", "worst_case"}  # what concept classes share


def files(folder):
    stems = {path.stem for path in Path(folder.__file__).parent.glob("*.py")} - {"__init__"}
    return sorted(stems - SHARED if folder is concepts else stems)


@pytest.mark.parametrize("name", FOLDERS)
def test_every_file_exports_the_class_that_it_is_named_after(name):
    folder = FOLDERS[name]
    assert files(folder) == sorted(snake(made) for made in folder.__all__ if inspect.isclass(getattr(folder, made)))
    for made in folder.__all__:
        assert snake(made) == getattr(folder, made).__module__.rsplit(".", 1)[-1]


@pytest.mark.parametrize("name", FOLDERS)
def test_every_file_is_in_all(name):
    folder = FOLDERS[name]
    assert files(folder) == sorted(snake(made.__name__) for made in folder.ALL)
    assert sorted(made.__name__ for made in folder.ALL) == sorted(folder.__all__)
    for stem in files(folder):
        module = importlib.import_module(f"{folder.__name__}.{stem}")
        assert module.__doc__, f"{module.__name__} does not say what it is"
        assert ": " in module.__doc__.splitlines()[0], f"{module.__name__} starts with a name, a colon and its one idea"


RULES = [make for make in (*learners.ALL, *concepts.ALL) if make.__name__ not in TABLES]


@pytest.mark.parametrize("make", RULES, ids=lambda make: make.__name__)
def test_every_rule_has_a_plain_twin(make):
    twin = snake(make.__name__)
    assert callable(getattr(reference, twin, None)), f"write {make.__name__} again, slow and plain, as reference.{twin}"


@pytest.mark.parametrize("make", learners.ALL, ids=lambda make: make.__name__)
def test_every_learner_has_an_instance_to_try(make):
    assert of(make), f"add {make.__name__!r} to LISTED in tests/laws/examples.py, with at least one instance"
    assert all(type(example) is make for example in of(make))


@pytest.mark.parametrize("make", learners.ALL, ids=lambda make: make.__name__)
def test_every_learner_has_a_recorded_game(make):
    assert (TRANSCRIPTS / f"{snake(make.__name__)}.txt").exists(), "record it: LITTLESTONE_RECORD=1 pytest tests"


def test_no_recorded_game_has_lost_its_learner():
    assert {path.stem for path in TRANSCRIPTS.iterdir()} == {snake(make.__name__) for make in learners.ALL}


def test_learners_are_final_and_frozen():
    for make in learners.ALL:
        assert make.__dataclass_params__.frozen, f"{make.__name__} must be a frozen dataclass"
        assert getattr(make, "__final__", False), f"{make.__name__} must be final"
