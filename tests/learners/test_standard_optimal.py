import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import NotRealizable
from littlestone.concepts import Parities, Thresholds
from littlestone.concepts.dimension import littlestone_dimension
from littlestone.environments import Bisection, Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import StandardOptimal
from tables import Table, boxes, conjunctions


@st.composite
def games(draw, labels):
    """A table, and rounds that one of its rows labels."""
    width = draw(st.integers(1, 5))
    row = st.tuples(*[st.integers(0, labels - 1)] * width)
    rows = tuple(draw(st.lists(row, min_size=1, max_size=10)))
    asked = draw(st.lists(st.integers(0, width - 1), max_size=12))
    target = draw(st.sampled_from(rows))
    return Table(rows, tuple(range(labels))), [(x, target[x]) for x in asked]


@settings(max_examples=100, deadline=None)
@given(st.one_of(games(2), games(3)))
def test_guesses_are_those_of_the_plain_rule_and_the_certificate_holds(game):
    concepts, rounds = game
    player = Player(StandardOptimal(concepts))
    guesses = []
    for x, y in rounds:
        guesses.append(player.predict(x))
        player.update(x, y)
        certificate = player.certificate()
        assert certificate.holds
        assert certificate.mistakes == sum(guess != label for guess, (_, label) in zip(guesses, rounds, strict=False))
        alive = [row for row in concepts.rows if all(row[a] == b for a, b in rounds[: len(guesses)])]
        whole, left = reference.littlestone_dimension(concepts.rows), reference.littlestone_dimension(alive)
        assert certificate.bound == whole - left <= player.learner.bound().value == whole
    assert guesses == reference.standard_optimal(concepts.rows, rounds, concepts.labels)


@pytest.mark.parametrize("concepts", [Parities(3), Thresholds(9)], ids=str)
def test_guesses_on_packed_and_interval_spaces_are_those_of_the_plain_rule(concepts):
    points = list(concepts.instances())
    rows = [[bool(concepts.label(h, x)) for x in points] for h in range(concepts.size)]
    chance = random.Random(3)
    for _ in range(12):
        target, asked = chance.choice(rows), chance.choices(range(len(points)), k=10)
        game = play(
            StandardOptimal(concepts), Recorded([points[k] for k in asked], [target[k] for k in asked]), transcript=True
        )
        assert [r.guess for r in game.transcript] == reference.standard_optimal(rows, [(k, target[k]) for k in asked])
        assert game.certificate().holds


def test_a_tie_goes_to_the_first_label():
    # Both sides of instance 0 are single concepts, so their dimensions are equal.
    assert Player(StandardOptimal(Table(((1,), (0,)), ("no", "yes")))).predict(0) == "no"


def test_it_follows_the_dimension_and_not_the_majority():
    # Five concepts with at most one positive point each (dimension 1) call instance 0 positive, four with all patterns
    # on two points (dimension 2) call it negative.
    rows = (
        *((1, *spot, 0, 0) for spot in ((1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 1, 0), (0,) * 5)),
        *((0, 0, 0, 0, 0, 0, a, b) for a in (0, 1) for b in (0, 1)),
    )
    assert [sum(row[0] == y for row in rows) for y in (0, 1)] == [4, 5]
    assert Player(StandardOptimal(Table(rows))).predict(0) is False


def test_bisection_forces_its_bound_on_thresholds():
    concepts = Thresholds(6)
    game = play(StandardOptimal(concepts), Bisection(concepts))
    certificate = game.certificate()
    assert game.mistakes == certificate.bound == StandardOptimal(concepts).bound().value == 3
    assert certificate.witness == {
        "concept": 0,
        "name": "x >= 0",
        "concepts": 8,
        "survivors": 1,
        "dimension": 3,
        "dimension left": 0,
    }


def test_a_fresh_player_has_a_certificate_for_no_mistakes():
    certificate = Player(StandardOptimal(conjunctions(2))).certificate()
    assert (certificate.mistakes, certificate.bound) == (0, 0)


def test_its_bound_can_be_smaller_than_halvings():
    assert StandardOptimal(boxes(3, 2)).bound().value == littlestone_dimension(boxes(3, 2)) == 4


def test_labels_of_no_concept_are_refused_and_nothing_changes():
    player = Player(StandardOptimal(Thresholds(4)))
    player.update(1, True)
    with pytest.raises(NotRealizable, match="rounds 1 to 2"):
        player.update(3, False)
    assert player.certificate().witness["survivors"] == 2


def test_equal_concepts_do_not_count_twice():
    concepts = Table(((0, 0), (0, 0), (0, 0), (1, 0), (1, 1)))
    # Three equal concepts have dimension 0, the two others 1.
    assert Player(StandardOptimal(concepts)).predict(0) is True
