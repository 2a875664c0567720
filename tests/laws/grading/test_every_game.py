"""The search through all games: its worst cases are those of `worst_case`, and what it says of a game is true."""

import math

import pytest

from laws.grading.solutions import graded
from littlestone.concepts import Concepts, Thresholds
from littlestone.concepts.worst_case import worst_case
from littlestone.laws.grading import grade
from littlestone.laws.grading.exercises.finite_classes import LATE, MIXED, read_table
from littlestone.learners import Consistent, Halving

CONSISTENT = """
class Learner:
    def __init__(self, table):
        self.alive = list(table)
    def predict(self, x):
        return self.alive[0][x]
    def update(self, x, y):
        self.alive = [row for row in self.alive if row[x] == y]
"""
HALVING = CONSISTENT.replace("self.alive[0][x]", "2 * sum(row[x] for row in self.alive) > len(self.alive)")


@pytest.mark.parametrize(("source", "learner"), [(CONSISTENT, Consistent), (HALVING, Halving)])
def test_the_worst_case_is_that_of_the_library(source, learner, tmp_path):
    report = graded(tmp_path, 8, source)
    tables = [Concepts(part.table) for part in report.exercise.parts]
    assert [outcome.worst for outcome in report.outcomes] == [
        worst_case(learner(table), table).mistakes for table in tables
    ]
    assert all(outcome.proven for outcome in report.outcomes)


def test_the_hard_classes_are_what_is_said_of_them():
    from littlestone.concepts.dimension import littlestone_dimension

    for rows in LATE:
        table = Concepts(read_table(rows))
        assert littlestone_dimension(table) == 2
        assert worst_case(Halving(table), table).mistakes == 3
    assert littlestone_dimension(Thresholds(6)) == 3
    assert len(MIXED) == len(set(MIXED)) == 12


def test_the_shortest_game_is_shown(tmp_path):
    report = graded(tmp_path, 8, CONSISTENT)
    singletons = report.outcomes[1]
    assert [(one.x, one.said, one.y) for one in singletons.rounds] == [(x, True, False) for x in range(3)]
    assert "3 mistakes, and the bound allows 2" in singletons.words
    shown = str(report)
    assert "3 of 10 points" in shown
    assert "      3  2       yes  no  mistake" in shown


def test_a_learner_that_remembers_all_rounds_is_played_as_far_as_can_be_and_that_is_said(tmp_path):
    source = HALVING.replace("self.alive = list(table)", "self.alive, self.past = list(table), []").replace(
        "    def update(self, x, y):", "    def update(self, x, y):\n        self.past.append((x, y))"
    )
    report = graded(tmp_path, 8, source)
    assert report.points == 10
    assert not any(outcome.proven for outcome in report.outcomes)
    assert "what it keeps in self grows" in str(report)
    assert all(outcome.depth >= 3 for outcome in report.outcomes)
    worse = graded(tmp_path, 8, source.replace("> len(self.alive)", "< len(self.alive)"))
    assert worse.points == 0


def test_mistakes_without_end_are_found(tmp_path):
    report = graded(tmp_path, 1, "class Learner:\n  def predict(self, x): return False\n  def update(self, x, y): pass")
    assert report.outcomes[0].worst == math.inf
    assert "round 2 leads back to where it was" in report.outcomes[0].words
    assert "without end" in str(report)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("class Learner:\n  def predict(self, x): return 7\n  def update(self, x, y): pass", "predict returned 7"),
        ("class Learner:\n  def predict(self, x): return 1 / 0\n  def update(self, x, y): pass", "ZeroDivisionError"),
        ("class Learner:\n  def __init__(self, n): pass\n  def predict(self, x): pass\n  def update(self, x, y): pass",
         "making it failed: TypeError"),
        ("class Learner:\n  def predict(self, x): return True", "one class with `predict` and `update`"),
        ("import nothing_like_this", "ModuleNotFoundError: No module named 'nothing_like_this'"),
        ("class Learner:\n  def predict(self, x)", "SyntaxError"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import os; os._exit(3)", "its process ended by itself"),
        ("class Learner:\n  seen = {}\n  def predict(self, x): return self.seen.get(x, False)\n"
         "  def update(self, x, y): self.seen[x] = y", "must be kept in self"),
    ],
)  # fmt: skip
def test_what_cannot_be_graded_is_said_in_words(source, words, tmp_path):
    report = graded(tmp_path, 1, source)
    assert report.points < 10
    assert words in str(report), str(report)


def test_there_is_no_exercise_below_1_or_beyond_the_last(tmp_path):
    from littlestone.base.errors import BadParameter

    path = tmp_path / "a.py"
    path.write_text("")
    for number in (0, 1000):
        with pytest.raises(BadParameter, match="there are exercises 1 to"):
            grade(str(path), number)
