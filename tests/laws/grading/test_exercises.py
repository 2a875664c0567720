"""Every exercise: its solution has all points, and wrong learners have fewer, with a game to play again."""

from itertools import product
from math import inf

import pytest

from laws.grading.solutions import SOLVED, graded
from littlestone.laws.grading import POINTS
from littlestone.laws.grading.exercises import CHAPTERS, EXERCISES
from littlestone.laws.grading.rules import ClassGame, ExpertsGame, GradedGame

NUMBERS = range(1, len(EXERCISES) + 1)


def make(source, part):
    """A fresh object of a student's class."""
    names = {"__name__": "students_file"}
    exec(compile(source, "students_file", "exec"), names)
    kinds = [one for one in names.values() if isinstance(one, type) and one.__module__ == "students_file"]
    return kinds[0](**part.told)


def test_there_is_a_solution_and_three_wrong_ones_for_each_exercise():
    assert len(SOLVED) == len(EXERCISES)
    assert all(len(wrong) == 3 for _, wrong in SOLVED)
    assert sum(exercise.notes for exercise in EXERCISES) >= 10
    assert sum(not exercise.notes for exercise in EXERCISES) >= 20
    assert all(chapter.exercises for chapter in CHAPTERS)
    assert all(sum(exercise.divide_points()) == POINTS for exercise in EXERCISES)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_solution_has_all_points_and_is_proven(number, tmp_path):
    report = graded(tmp_path, number, SOLVED[number - 1][0])
    assert report.points == POINTS, str(report)
    assert all(outcome.proven for outcome in report.outcomes)
    assert f"{POINTS} of {POINTS} points" in str(report)


@pytest.mark.long
@pytest.mark.parametrize(("number", "which"), list(product(NUMBERS, range(3))))
def test_wrong_ones_fail_with_a_game_that_goes_wrong_when_it_is_played_again(number, which, tmp_path):
    check_wrong(number, which, tmp_path)


@pytest.mark.parametrize("number", [1, 8, 9, 16, 21, 25, 29, 42, 47])
def test_a_wrong_one_of_each_kind_fails_with_a_game_that_goes_wrong_when_it_is_played_again(number, tmp_path):
    check_wrong(number, 0, tmp_path)


def check_wrong(number, which, folder):
    right, changes = SOLVED[number - 1]
    source = right.replace(*changes[which], 1)
    assert source != right
    report = graded(folder, number, source)
    assert report.points < POINTS, str(report)
    failed = [pair for pair in zip(report.exercise.parts, report.outcomes, strict=True) if pair[1].words]
    assert failed
    assert max((len(outcome.rounds) for _, outcome in failed), default=0) <= 30
    for part, outcome in failed:
        assert outcome.words
        if isinstance(part, GradedGame) and outcome.shown:
            check_game(part, outcome, source)


def check_game(part, outcome, source):
    """Play the rounds of a transcript here: the learner says what is printed, and what is claimed follows."""
    learner, mistakes = make(source, part), 0
    for round in outcome.rounds:
        said = learner.predict(round.x)
        assert said == round.said
        mistakes += part.weigh(said, round.y)
        learner.update(round.x, round.y)
    if isinstance(part, ClassGame):
        places = {x: place for place, x in enumerate(part.points)}
        agree = [k for k, row in enumerate(part.table) if all(row[places[one.x]] == one.y for one in outcome.rounds)]
        assert agree
        allowed = part.bound if not isinstance(part.bound, list) else min(part.bound[k] for k in agree)
        assert mistakes > allowed or outcome.again is not None or part.law
    if isinstance(part, ExpertsGame) and outcome.again is None:
        lost = [sum(part.charge(one.x[k], one.y) for one in outcome.rounds) for k in range(len(part.advice[0]))]
        assert mistakes > part.allowance(min(lost))
    if " back to where it was" in outcome.words:  # and then it costs the same again, each time
        more = sum(
            part.weigh(learner.predict(one.x), one.y) + (learner.update(one.x, one.y) or 0)
            for _ in range(3)
            for one in outcome.rounds[outcome.again :]
        )
        assert more == 3 * sum(one.cost for one in outcome.rounds[outcome.again :]) > 0
        assert outcome.worst == inf
