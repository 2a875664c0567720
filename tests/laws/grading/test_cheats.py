"""Cheating: no file gets points for what it reads around its methods, and no answer hangs or breaks the grader."""

import time
from fractions import Fraction

import pytest

from laws.grading.solutions import SOLVED, graded
from littlestone.concepts import Concepts
from littlestone.concepts.dimension import littlestone_dimension
from littlestone.laws.grading.every_game import EveryGame
from littlestone.laws.grading.exercises import EXERCISES
from littlestone.laws.grading.rules import ClassGame, GradedGame
from littlestone.laws.grading.sandbox import Sandbox

LOOK = """
import sys

def look(kinds, wanted):
    frame = sys._getframe(2)
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if (found := search(value, kinds, wanted)) is not None:
                return found
        frame = frame.f_back

def search(value, kinds, wanted):
    if isinstance(value, list) and len(value) > 1 and value[0] == wanted and isinstance(value[-1], kinds):
        return value[-1]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for part in parts:
        if (found := search(part, kinds, wanted)) is not None:
            return found
"""
PEEKING = (
    LOOK
    + """
class Learner:
    def __init__(self, **told):
        pass
    def predict(self, x):
        found = look((bool, int), "update")
        return False if found is None else found
    def update(self, x, y):
        pass
"""
)
PEEKING_ADVERSARY = (
    LOOK
    + """
class Adversary:
    def __init__(self):
        self.low, self.high = 0.0, 1.0
    def instance(self):
        guess = look(bool, "label")
        self.seen = guess is not None
        return (self.low + self.high) / 2
    def label(self, guess):
        if not self.seen:
            return guess
        middle = (self.low + self.high) / 2
        if guess:
            self.low = middle
        else:
            self.high = middle
        return not guess
    def target(self):
        return self.high
"""
)
FORGED = """
import os, time

class Learner:
    def __init__(self, **told):
        pass
    def predict(self, x):
        for fd in range(3, 9):
            try:
                os.write(fd, {line!r} + b"\\n")
            except OSError:
                pass
        time.sleep(1)
        return False
    def update(self, x, y):
        pass
"""
OTHERS = [n for n, one in enumerate(EXERCISES, 1) if one.methods != ("predict", "update")]


@pytest.mark.parametrize("number", [1, 8])
def test_a_learner_finds_no_label_in_the_frames_that_call_it(number, tmp_path):
    report = graded(tmp_path, number, PEEKING)
    assert report.points == 0, str(report)
    assert all(outcome.worst > outcome.allowed for outcome in report.outcomes)


def test_an_adversary_finds_no_guess_in_the_frames_that_ask_for_an_instance(tmp_path):
    report = graded(tmp_path, 4, PEEKING_ADVERSARY)
    assert report.points == 0, str(report)
    assert "the learner was right in this round" in str(report)


@pytest.mark.parametrize(
    "line",
    [
        b'{"ends": [{"said": [{"fraction": "1e400000000"}], "node": 0}]}',
        b'{"ends": [{"said": [{"fraction": "1/0"}], "node": 0}]}',
        b'{"ends": [{"said": [{"fraction": 0.5}], "node": 0}]}',
        b'{"ends": [{"said": [{"fraction": "' + b"9" * 400 + b'"}], "node": 0}]}',
        b'{"ends": [{"said": [false], "node": [0]}]}',
        b'{"ends": [{"said": [false]}]}',
        b'{"ends": [{"said": false, "node": 0}]}',
        b'{"ends": [{"said": [], "node": 0}]}',
        b'{"ends": [{"said": [NaN], "node": 0}]}',
        b'{"ends": [{"said": ["' + b"x" * 30_000 + b'"], "node": 0}]}',
        b'{"ends": []}',
        b'{"ends": 7}',
        b'{"node": 0}',
        b"[" * 1_000_000,
        b"7" * 1_000_000,
    ],
)  # fmt: skip
def test_forged_answers_are_refused_in_words_and_at_once(line, tmp_path):
    started = time.process_time()
    report = graded(tmp_path, 1, FORGED.format(line=line))
    assert report.points == 0
    assert "it wrote something else than answers" in str(report)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("return Fraction(10 ** 400, 3)", "a fraction of more than 300 digits"),
        ("return 10 ** 5000", "ValueError"),
        ("return 10 ** 400", "a chance from 0 to 1 was asked for"),
    ],
)
def test_numbers_that_are_too_long_are_refused_in_words(source, words, tmp_path):
    learner = "from fractions import Fraction\nclass Learner:\n  def __init__(self, table): pass\n"
    learner += f"  def predict(self, x): {source}\n  def update(self, x, y): pass"
    assert words in str(graded(tmp_path, 11, learner))


@pytest.mark.parametrize("said", ["'a'", "[1]", "None", "10 ** 400", "Fraction(1, 3)"])
@pytest.mark.parametrize("number", [1, 11, *OTHERS])
def test_answers_of_every_kind_are_judged_in_words(number, said, tmp_path):
    methods = EXERCISES[number - 1].methods
    lines = [f"  def {name}(self, *given): return {said}" for name in methods]
    source = "\n".join(["from fractions import Fraction", "class Own:", "  def __init__(self, **told): pass", *lines])
    assert graded(tmp_path, number, source).points < 10


def test_the_value_of_a_game_is_the_dimension_of_its_class():
    from littlestone.laws.grading.value import find_value

    games = [part for exercise in EXERCISES for part in exercise.parts if isinstance(part, ClassGame)]
    games = [game for game in games if len(game.labels) == 2 and not isinstance(game.bound, list | tuple)]
    assert len(games) > 20
    for game in games:
        table = [[value == game.labels[1] for value in row] for row in game.table]
        assert find_value(game, 20, time.monotonic() + 60) == littlestone_dimension(Concepts(table)) - game.bound


def test_the_value_of_a_coin_is_half_a_mistake():
    from littlestone.laws.grading.value import find_value

    game = ClassGame(name="a coin", table=[[False], [True]], points=(0,), bound=Fraction(1, 2), labels=())
    assert abs(find_value(game, 4, time.monotonic() + 60)) < 1e-9


def test_a_worst_case_below_the_value_of_the_game_is_refused(tmp_path):
    game = EXERCISES[7].parts[0]  # thresholds on 0..6, where 3 mistakes can be forced
    path = tmp_path / "learner.py"
    path.write_text(SOLVED[7][0])
    with Sandbox(str(path), ("predict", "update")) as sandbox:
        search = EveryGame(sandbox, game, time.monotonic() + 60)
        search.rounds = {(0, move.x, move.y): (move.y, 0) for move in game.list_moves(game.start())}  # always right
        outcome = search.play()
    assert not outcome.right
    assert not outcome.shown
    assert "an adversary forces 3 on every learner" in outcome.words


@pytest.mark.parametrize("number", range(1, len(EXERCISES) + 1))
def test_no_solution_is_below_the_value_of_its_game(number, tmp_path):
    """Values are lower bounds: what is right must not be refused by them."""
    from littlestone.laws.grading.value import find_value

    for part in EXERCISES[number - 1].parts:
        if isinstance(part, GradedGame):
            value = find_value(part, 8, time.monotonic() + 20)
            assert value is None or value <= 1e-9, (part.name, value)
