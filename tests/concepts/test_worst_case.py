import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import BadParameter, NotRealizable, TooLarge
from littlestone.base.exact_numbers import floor_log2, harmonic
from littlestone.concepts import Parities, Thresholds
from littlestone.concepts.dimension import littlestone_dimension, vc_dimension
from littlestone.concepts.worst_case import WorstCase, worst_case
from littlestone.environments import Recorded
from littlestone.game.play import play
from littlestone.learners import Halving, StandardOptimal
from plain_learners import Constant, Echo, Exponents, Gibbs
from tables import Table, boxes, conjunctions, disjunctions, singletons


def small_tables(labels=2, concepts=10, instances=4):
    rows = st.integers(1, instances).flatmap(
        lambda width: st.lists(st.tuples(*[st.integers(0, labels - 1)] * width), min_size=1, max_size=concepts)
    )
    return rows.map(lambda rows: Table(tuple(rows), tuple(range(labels))))


def replayed(learner, found):
    """The mistakes of the learner when the rounds of a finite worst case are played."""
    rounds = [(list(x) if isinstance(learner, Exponents) else x, y) for x, y in found.rounds]
    return play(learner, Recorded(*zip(*rounds, strict=True))).mistakes if rounds else 0


def vote(labels):
    return lambda rows, x: reference.halving(rows, [(x, rows[0][x])], labels)[0]


def optimal(labels):
    return lambda rows, x: reference.standard_optimal(rows, [(x, rows[0][x])], labels)[0]


@pytest.mark.parametrize("n", range(1, 15))
def test_halving_on_thresholds_can_be_made_to_err_as_often_as_bisection_does(n):
    found = worst_case(Halving(Thresholds(n)), Thresholds(n))
    assert found.mistakes == floor_log2(n + 2) == len(found.rounds)
    assert replayed(Halving(Thresholds(n)), found) == found.mistakes


@pytest.mark.parametrize("n", range(2, 9))
def test_halving_errs_once_on_singletons(n):
    assert worst_case(Halving(singletons(n)), singletons(n)).mistakes == 1


@pytest.mark.parametrize(("n", "value"), [(1, 1), (2, 3), (3, 4)])
def test_halving_is_optimal_on_conjunctions_of_up_to_three_variables(n, value):
    concepts = conjunctions(n)
    assert worst_case(Halving(concepts), concepts).mistakes == value == littlestone_dimension(concepts)


@pytest.mark.parametrize(("m", "value"), [(2, 3), (3, 5)])
def test_halving_on_boxes_errs_as_often_as_the_logarithm_allows(m, value):
    assert worst_case(Halving(boxes(m, 2)), boxes(m, 2)).mistakes == value


def test_the_standard_optimal_algorithm_beats_halving_on_boxes():
    assert worst_case(StandardOptimal(boxes(3, 2)), boxes(3, 2)).mistakes == 4


@settings(max_examples=80, deadline=None)
@given(st.one_of(small_tables(), small_tables(labels=3, concepts=7, instances=3)))
def test_values_are_those_of_a_plain_recursion_and_the_rounds_force_them(concepts):
    for learner, rule in ((Halving(concepts), vote), (StandardOptimal(concepts), optimal)):
        found = worst_case(learner, concepts)
        expected = reference.version_space_game(concepts.rows, rule(concepts.labels), concepts.labels)
        assert found.mistakes == expected == replayed(learner, found)
        assert found.cycle is None
        indices = [concepts.labels.index(y) for _, y in found.rounds]
        asked = [x for x, _ in found.rounds]
        assert any([row[x] for x in asked] == indices for row in concepts.rows)


@settings(max_examples=60, deadline=None)
@given(small_tables(concepts=12, instances=5))
def test_no_learner_does_better_than_either_dimension(concepts):
    dimension = littlestone_dimension(concepts)
    values = [worst_case(learner, concepts).mistakes for learner in (Halving(concepts), StandardOptimal(concepts))]
    assert vc_dimension(concepts) <= min(values)
    assert dimension == min(values) == values[1]
    assert values[0] <= floor_log2(concepts.size)


@pytest.mark.parametrize(("n", "values"), [(3, (1, 3, 4, 6)), (4, (1, 4, 7, 8, 8))])
def test_winnow_over_rows_has_its_known_worst_cases(n, values):
    for k, value in enumerate(values):
        found = worst_case(Exponents(), disjunctions(n, k))
        assert found.mistakes == value == replayed(Exponents(), found)


@pytest.mark.parametrize(
    ("n", "value"),
    [(2, "1/2"), (3, "5/6"), (4, "13/12"), (5, "77/60"), (6, "29/20"), (7, "223/140"), (8, "481/280")],
)
def test_a_learner_with_coins_has_an_exact_expected_value(n, value):
    found = worst_case(Gibbs(singletons(n)), singletons(n))
    assert found.mistakes == Fraction(value) == harmonic(n) - 1
    assert isinstance(found.mistakes, Fraction)


def test_a_learner_that_never_learns_can_be_made_to_err_for_ever():
    # The first answer leaves one concept; from then on the same round comes back to the same position.
    found = worst_case(Constant(domain=Thresholds(2)), Thresholds(2))
    assert found == WorstCase(math.inf, ((0, True), (0, True)), cycle=1)


def test_a_constant_guess_that_no_concept_contradicts_costs_nothing():
    assert worst_case(Constant(domain=Thresholds(2)), Table(((0, 0, 0),))) == WorstCase(0, ())


def test_an_endless_worst_case_says_where_its_cycle_starts():
    concepts = Table(((0, 1), (0, 0)))
    found = worst_case(Echo(concepts), concepts)
    assert found.mistakes == math.inf
    before, again = list(found.rounds[: found.cycle]), list(found.rounds[found.cycle :])
    once, thrice = (play(Echo(concepts), Recorded(*zip(*(before + again * k), strict=True))) for k in (1, 3))
    assert thrice.mistakes - once.mistakes == 2 * (once.mistakes - replayed_start(concepts, before)) > 0
    assert any(all(row[x] == int(y) for x, y in found.rounds) for row in concepts.rows)


def replayed_start(concepts, rounds):
    return play(Echo(concepts), Recorded(*zip(*rounds, strict=True))).mistakes if rounds else 0


def test_walks_inside_a_part_that_costs_nothing_are_found():
    # A clock that guesses right until it strikes: instance 0 moves it from hour 0 to 1, 2 from 1 to 2, 3 back to 0.
    # At hour 2 alone it errs on instance 1, which stops it.
    concepts = Table(((0, 1, 0, 0),))
    moves = {(0, 0): 1, (1, 2): 2, (1, 3): 0, (2, 3): 0, (2, 1): 3}

    class Clock(Echo):
        def predict(self, state, x):
            return int(x == 1 and state[0] != 2)

        def update(self, state, x, y, guess):
            state[0] = moves.get((int(state[0]), x), state[0])

    found = worst_case(Clock(concepts), concepts)
    assert found == WorstCase(1, ((0, False), (2, False), (1, True)))


def test_of_two_rounds_to_the_same_position_the_mistake_counts():
    concepts = Table(((0, 1, 0),))

    class Fuse(Echo):
        """Guesses 0 in its first round and is right ever after."""

        def predict(self, state, x):
            return concepts.rows[0][x] if state[0] else 0

        def update(self, state, x, y, guess):
            state[0] = 1

    assert worst_case(Fuse(concepts), concepts) == WorstCase(1, ((1, True),))


def test_a_learner_of_a_larger_class_is_told_apart_by_what_it_still_believes():
    found = worst_case(Halving(Thresholds(6)), Table(((1,) * 7,)))
    assert found == WorstCase(3, ((3, True), (1, True), (0, True)))


def test_attributes_that_are_always_zero_are_attributes():
    # With two attributes the threshold is 2, and the one weight must double once; with one it would be 1.
    concepts = Table(((0, 1),), points=((0, 0), (1, 0)))
    assert worst_case(Exponents(), concepts).mistakes == 1


def test_labels_are_numbered_as_the_learner_numbers_them():
    there, back = Table(((0, 1), (1, 1)), ("no", "yes")), Table(((1, 0), (0, 0)), ("yes", "no"))
    found = worst_case(Halving(there), back)
    assert found.mistakes == 1
    assert found.rounds == ((0, "yes"),)


def test_a_class_with_more_labels_than_the_learner_can_tell_apart_is_refused():
    concepts = Table(((0, 1, 2), (2, 1, 0)), ("a", "b", "c"))
    with pytest.raises(BadParameter, match="3 labels"):
        worst_case(Echo(concepts), concepts)


def test_a_learner_of_a_smaller_class_may_refuse_what_a_larger_one_allows():
    with pytest.raises(NotRealizable):
        worst_case(Halving(singletons(3)), Table(((0, 0, 0), (1, 1, 1))))


def test_a_game_beyond_its_limit_says_so():
    with pytest.raises(TooLarge, match="more than 10 positions"):
        worst_case(Halving(Thresholds(14)), Thresholds(14), limit=10)


def test_a_limit_that_is_just_enough_is_enough():
    pairs = sum(1 for low in range(4) for _ in range(low, 4))  # the intervals that remain of four thresholds
    assert worst_case(Halving(Thresholds(2)), Thresholds(2), limit=pairs).mistakes == 2
    with pytest.raises(TooLarge):
        worst_case(Halving(Thresholds(2)), Thresholds(2), limit=pairs - 1)


def test_the_answer_is_the_same_every_time():
    first, second = (worst_case(Halving(Parities(3)), Parities(3)) for _ in range(2))
    assert first == second
    assert first.mistakes == 3


def test_a_worst_case_reads_as_a_sentence():
    assert str(WorstCase(1, ((0, True),))) == "1 mistake: 0 is True"
    assert str(WorstCase(Fraction(5, 6), ())) == "5/6 mistakes"
    assert str(WorstCase(math.inf, ((0, True), (1, False)), 1)) == "mistakes without end: 0 is True, repeat: 1 is False"
