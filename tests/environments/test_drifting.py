from itertools import pairwise

import pytest

from guessers import GUESSERS, Always, Scrambled
from littlestone.base.errors import BadParameter
from littlestone.environments import Drifting, DriftingAdversary
from littlestone.environments.drifting import Schedule
from littlestone.game.play import play


def test_a_schedule_counts_additions_and_not_removals():
    schedule = Schedule(((1, frozenset({0, 1})), (4, frozenset({1})), (6, frozenset({1, 2})), (9, frozenset({0}))))
    assert schedule.cost == 2 + 0 + 1 + 1
    assert [schedule.until(t).cost for t in (0, 1, 5, 6, 9)] == [0, 2, 2, 3, 4]
    assert schedule.at(0) == frozenset()
    assert schedule.at(5) == {1}
    assert schedule.at(100) == {0}
    assert not schedule.label(5, (1, 0, 1))
    assert schedule.label(6, (1, 0, 1))


@pytest.mark.parametrize(
    ("n", "additions", "members"), [(5, 5, 1), (8, 8, 3), (1, 1, 1), (4, 0, 0), (6, 6, 6), (2, 20, 1)]
)
def test_the_cost_grows_to_the_additions_allowed_one_at_a_time(n, additions, members):
    for seed in range(5):
        other = Drifting(n, additions, rounds=60, members=members)
        other.start(seed)
        costs = [other.cost]
        while (x := other.ask()) is not None:
            assert len(x) == n
            assert other.answer(None) == any(x[i] for i in other.schedule.at(other.played))
            assert len(other.schedule.at(other.played)) == members
            costs.append(other.cost)
        assert costs[:2] == [0, members]
        assert all(after - before in (0, 1) for before, after in pairwise(costs[1:]))
        assert costs[-1] == other.plan.cost == additions
        assert len(costs) == 61


def test_both_labels_are_about_equally_likely():
    for members in (1, 2, 5):
        game = play(Always(0), Drifting(20, 30, rounds=3000, members=members), seed=members)
        assert abs(game.mistakes - 1500) < 6 * 28


def test_drifts_that_cannot_be_are_refused():
    for wrong, message in (
        ((0, 1, 5), "n must be at least 1"),
        ((3, 3, 5, 4), r"members must be in \[0, 3\]"),
        ((3, 1, 5, 2), "additions must count the 2 initial members"),
        ((3, 4, 5, 3), "leave none to exchange"),
        ((3, 2, 5, 0), "leave none to exchange"),
        ((3, 6, 5, 1), "rounds must be more than the 5 later additions"),
    ):
        with pytest.raises(BadParameter, match=message):
            Drifting(*wrong)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_the_adversary_pays_one_addition_for_each_phase(n):
    for learner in GUESSERS:
        for c in range(4):
            game = play(learner, DriftingAdversary(n, c), transcript=True)
            assert game.environment.cost == c
            assert game.mistakes == c * ((2 * n).bit_length() - 1)
            schedule = game.environment.schedule
            assert all(schedule.label(line.number, line.x) == line.y for line in game.transcript)
            assert all(len(members) <= 1 for _, members in schedule.changes)


def test_the_witness_is_true_between_question_and_answer_too():
    other = DriftingAdversary(6, 4)
    other.start(0)
    said = []
    for guess in (True, False, True, True, False, False, True, False, True, True, False, True):
        x = other.ask()
        assert all(other.schedule.label(t, x) == y for t, (x, y) in enumerate(said, start=1))
        assert other.cost == len(said) // other.length + 1
        said.append((x, other.answer(guess)))
    assert other.ask() is None


def test_a_drift_of_nothing_has_no_rounds():
    assert play(Scrambled(), DriftingAdversary(4, 0)).rounds == 0
    with pytest.raises(BadParameter, match="additions must be at least 0"):
        DriftingAdversary(4, -1)
    with pytest.raises(BadParameter, match="n must be at least 1"):
        DriftingAdversary(0, 1)
