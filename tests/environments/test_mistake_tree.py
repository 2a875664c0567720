import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone.concepts import Parities, Thresholds
from littlestone.concepts.dimension import littlestone_dimension
from littlestone.environments import MistakeTree
from littlestone.game.play import play
from littlestone.learners import Halving, StandardOptimal
from plain_learners import Constant, Exponents
from tables import Table, boxes, conjunctions, disjunctions, singletons

CLASSES = [Thresholds(14), Parities(4), conjunctions(3), boxes(3, 2), disjunctions(4, 2), singletons(5)]


def forced(learner, concepts):
    """Play the tree: every guess is wrong, and the target says what was said."""
    tree = MistakeTree(concepts)
    game = play(learner, tree, transcript=True)
    assert game.mistakes == game.rounds == tree.rounds
    assert all(r.guess != r.y for r in game.transcript)
    assert all(game.target(r.x) == r.y for r in game.transcript)
    return game.mistakes


@pytest.mark.parametrize("concepts", CLASSES, ids=lambda concepts: f"{concepts.size} concepts")
def test_every_deterministic_learner_errs_as_often_as_the_dimension_says(concepts):
    learners = (Halving(concepts), StandardOptimal(concepts), *(Constant(guess, concepts) for guess in (0, 1)))
    assert {forced(learner, concepts) for learner in learners} == {littlestone_dimension(concepts)}


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_learner_over_rows_of_attributes_is_forced_too(n):
    assert forced(Exponents(), disjunctions(n, 1)) == littlestone_dimension(disjunctions(n, 1))
    assert MistakeTree(disjunctions(n, 1)).size().attributes == n


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=14))
def test_three_labels_are_forced_as_well(rows):
    concepts = Table(tuple(rows), ("red", "green", "blue"))
    dimension = littlestone_dimension(concepts)
    for learner in (Halving(concepts), StandardOptimal(concepts), *(Constant(guess, concepts) for guess in range(3))):
        assert forced(learner, concepts) == dimension


def test_the_standard_optimal_algorithm_has_no_slack_against_it():
    for concepts in CLASSES:
        assert play(StandardOptimal(concepts), MistakeTree(concepts)).certificate().slack == 0


def test_a_target_agrees_before_the_last_round_too():
    tree = MistakeTree(Thresholds(14))
    game = play(Halving(Thresholds(14)), tree, rounds=2, transcript=True)
    assert all(game.target(r.x) == r.y for r in game.transcript)


def test_the_same_tree_can_be_played_again():
    tree = MistakeTree(conjunctions(2))
    first, second = (play(Halving(conjunctions(2)), tree, transcript=True).transcript for _ in range(2))
    assert first == second


def test_a_new_game_starts_at_the_root():
    tree = MistakeTree(Thresholds(6))
    tree.start(0)
    first = tree.ask()
    tree.answer(True)
    assert tree.ask() != first
    tree.start(0)
    assert tree.ask() == first


def test_a_class_of_one_concept_forces_nothing():
    concepts = Table(((0, 1),))
    game = play(Halving(concepts), MistakeTree(concepts))
    assert (game.rounds, game.mistakes, str(game.target)) == (0, 0, "concept 0")


def test_it_names_itself_and_its_labels():
    concepts = Table(((0, 1),), ("no", "yes"))
    assert str(MistakeTree(Thresholds(2))) == "MistakeTree(Thresholds(n=2))"
    assert MistakeTree(concepts).classes() == ("no", "yes")
