"""The closure algorithm: the smallest box around the positives, 1 + d (m - 1) mistakes."""

from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import BadParameter, NotRealizable
from littlestone.base.learner import Size, copy_state
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Closure
from tables import Table, worst_case


@dataclass(frozen=True)
class Boxes(Table):
    """Every box on the grid, the empty one included."""

    m: int = 0
    d: int = 0


def inside(x, low, high):
    return all(a <= place <= b for a, place, b in zip(low, x, high, strict=True))


def boxes(m, d):
    points = tuple(product(range(m), repeat=d))
    sides = [(a, b) for a in range(m) for b in range(a, m)]
    rows = [tuple(int(inside(x, *zip(*box, strict=True))) for x in points) for box in product(sides, repeat=d)]
    return Boxes((*rows, (0,) * len(points)), points=points, m=m, d=d)


@pytest.mark.parametrize(("m", "d", "mistakes"), [(3, 2, 5), (4, 2, 7), (4, 1, 4), (2, 3, 4), (1, 2, 1)])
def test_the_worst_case_over_all_boxes_is_the_bound(m, d, mistakes):
    concepts = boxes(m, d)
    learner = Closure(concepts)
    worst = 0
    for target in range(concepts.size):
        answers = dict(zip(concepts.points, concepts.rows[target], strict=True))
        worst = max(worst, worst_case(learner, learner.start(Size()), concepts.points, lambda x, a=answers: (a[x],)))
    assert worst == mistakes == learner.bound().mistakes


GRID = boxes(4, 2)


@settings(deadline=None)
@given(target=st.integers(0, GRID.size - 1), points=st.lists(st.sampled_from(GRID.points)))
def test_guesses_as_the_plain_rule_does_and_holds_its_certificate(target, points):
    rounds = [(x, GRID.label(target, x)) for x in points]
    stream = Recorded(points, [bool(y) for _, y in rounds])
    game = play(Closure(GRID), stream, transcript=True)
    assert [int(r.guess) for r in game.transcript] == reference.closure(rounds)
    assert play(Closure(GRID), stream).mistakes == game.mistakes == game.updates
    certificate = game.certificate()
    assert certificate.holds
    box = certificate.witness["box"]
    assert all(y == (box is not None and inside(x, *box)) for x, y in rounds)
    assert certificate.bound == (0 if box is None else 1 + sum(box[1]) - sum(box[0]))


def test_errs_on_positive_points_only():
    game = play(Closure(GRID), Recorded([(0, 0), (1, 1), (3, 3), (2, 2)], [False, True, True, True]), transcript=True)
    assert [r.mistake for r in game.transcript] == [False, True, True, False]
    assert game.certificate().witness == {"box": [[1, 1], [3, 3]]}


def test_a_negative_point_inside_the_box_is_refused_and_changes_nothing():
    learner = Closure(GRID)
    state = learner.start(Size())
    for x in ((0, 1), (2, 3)):
        learner.update(state, x, 1, 0)
    before = copy_state(state)
    with pytest.raises(NotRealizable, match=r"\(1, 2\) is labelled negative"):
        learner.update(state, (1, 2), 0, 1)
    assert learner.key(state) == learner.key(before)
    assert learner.moves(state) == 2


@pytest.mark.parametrize(
    "concepts", [None, SimpleNamespace(m=3), SimpleNamespace(m=0, d=2), SimpleNamespace(m=2, d=1.5)]
)
def test_refuses_what_is_not_a_class_of_boxes(concepts):
    with pytest.raises(BadParameter, match="boxes on a grid"):
        Closure(concepts)
