from itertools import combinations, product

import pytest

from guessers import Always
from littlestone.base.errors import BadParameter
from littlestone.environments import Teacher
from littlestone.game.play import play


def subsets(n):
    return [frozenset(chosen) for k in range(n + 1) for chosen in combinations(range(n), k)]


def says(members, x):
    return all(x[i] for i in members)


def lesson(teacher):
    return [(line.x, line.y) for line in play(Always(), teacher, transcript=True).transcript]


def test_the_teaching_sizes_for_four_variables():
    assert [Teacher(4, range(k)).rounds for k in range(5)] == [1, 2, 3, 4, 4]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_lesson_fits_the_target_alone_and_no_shorter_lesson_does(n):
    points, targets = list(product((0, 1), repeat=n)), subsets(n)
    for target in targets:
        shown = lesson(Teacher(n, target))
        fits = [members for members in targets if all(says(members, x) == y for x, y in shown)]
        assert fits == [target]
        assert len(shown) == Teacher(n, target).rounds == min(len(target) + 1, n)
        shorter = combinations(points, len(shown) - 1)
        assert not any(
            all(other == target or any(says(other, x) != says(target, x) for x in few) for other in targets)
            for few in shorter
        )


def test_the_positive_comes_first_and_then_each_relevant_variable():
    assert lesson(Teacher(4, [3, 1])) == [((0, 1, 0, 1), True), ((1, 0, 1, 1), False), ((1, 1, 1, 0), False)]
    assert lesson(Teacher(2, [0, 1])) == [((0, 1), False), ((1, 0), False)]


def test_a_replayed_lesson_is_the_live_one():
    game = play(Always(1), Teacher(4, [3, 1]))
    assert (game.rounds, game.mistakes) == (3, 2)
    assert game.player.state.rounds == lesson(Teacher(4, [3, 1]))


def test_the_target_reads_as_its_variables():
    assert str(Teacher(5, [4, 0]).target()) == "x1 and x5"
    assert str(Teacher(5, []).target()) == "true"
    assert Teacher(5, [4]).size().attributes == 5


def test_variables_that_do_not_exist_are_refused():
    with pytest.raises(BadParameter, match=r"relevant variables must be in \[0, 3\), got 3"):
        Teacher(3, [3])
    with pytest.raises(BadParameter, match="n must be at least 1"):
        Teacher(0, [])
