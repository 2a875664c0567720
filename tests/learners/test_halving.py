"""Halving: the majority of the survivors, floor(lg |H|) mistakes."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import NotRealizable
from littlestone.base.learner import Size, copy_state
from littlestone.concepts import Parities, Thresholds
from littlestone.environments import Bisection, Recorded
from littlestone.game.play import play
from littlestone.learners import Halving
from tables import Table, singletons, worst_case


def conjunctions(n):
    """The 3^n satisfiable conjunctions of literals over n bits, as a table over all instances."""
    points = tuple(product((0, 1), repeat=n))
    literals = [(i, sign) for i in range(n) for sign in (True, False)]
    sets = [chosen for k in range(n + 1) for chosen in combinations(literals, k)]
    rows = {tuple(reference.says("conjunction", chosen, x) for x in points) for chosen in sets}
    return Table(tuple(sorted(row for row in rows if any(row))), points=points)


def worst(concepts):
    learner = Halving(concepts)
    labels = range(len(concepts.labels))
    return worst_case(learner, learner.start(Size()), list(concepts.instances()), lambda x: labels)


@pytest.mark.parametrize(("n", "mistakes"), [(1, 1), (2, 2), (3, 2), (5, 2), (6, 3), (13, 3), (14, 4)])
def test_worst_case_on_grid_thresholds_is_the_bound(n, mistakes):
    assert worst(Thresholds(n)) == mistakes == Halving(Thresholds(n)).bound().mistakes


@pytest.mark.parametrize(("n", "mistakes"), [(1, 1), (6, 3), (14, 4), (30, 5), (2**60 - 2, 60)])
def test_bisection_forces_the_bound_on_grid_thresholds(n, mistakes):
    game = play(Halving(Thresholds(n)), Bisection(Thresholds(n)))
    assert game.mistakes == mistakes == game.certificate().bound


def test_thresholds_of_six_points_run_as_by_hand():
    learner, labels = Halving(Thresholds(6)), []
    state, ends = learner.start(Size()), [(0, 7)]
    for x in (3, 1, 0):
        labels.append(1 - learner.predict(state, x))
        learner.update(state, x, labels[-1], 1 - labels[-1])
        ends.append(tuple(state.ends.tolist()))
    assert labels == [1, 1, 1]
    assert ends == [(0, 7), (0, 3), (0, 1), (0, 0)]


@pytest.mark.parametrize("n", range(2, 9))
def test_makes_one_mistake_on_singletons(n):
    assert worst(singletons(n)) == 1


@pytest.mark.parametrize(("n", "size", "mistakes"), [(1, 3, 1), (2, 9, 3), (3, 27, 4)])
def test_worst_case_on_conjunctions_of_literals(n, size, mistakes):
    concepts = conjunctions(n)
    assert concepts.size == size
    assert worst(concepts) == mistakes <= Halving(concepts).bound().mistakes


multiclass = st.integers(1, 4).flatmap(
    lambda width: st.sets(st.tuples(*[st.integers(0, 2)] * width), min_size=1, max_size=8)
)


@settings(deadline=None)
@given(rows=multiclass)
def test_never_exceeds_its_bound_with_three_labels(rows):
    concepts = Table(tuple(sorted(rows)), labels=("red", "green", "blue"))
    assert worst(concepts) <= Halving(concepts).bound().mistakes


def test_the_bound_is_attained_with_three_labels():
    concepts = Table(tuple(product(range(3), repeat=2)), labels=("red", "green", "blue"))
    assert worst(concepts) == 2
    assert worst(Table(((0, 0), (0, 1), (1, 2), (1, 0)), labels=("red", "green", "blue"))) == 2


@settings(deadline=None)
@given(rows=multiclass, target=st.integers(0, 7), points=st.lists(st.integers(0, 3), max_size=12))
def test_guesses_as_the_plain_rule_does(rows, target, points):
    table = sorted(rows)
    target, width = table[target % len(table)], len(table[0])
    rounds = [(x % width, target[x % width]) for x in points]
    game = play(Halving(Table(tuple(table), (0, 1, 2))), Recorded([x for x, _ in rounds], [y for _, y in rounds]))
    guesses = reference.halving(table, rounds, (0, 1, 2))
    assert game.mistakes == sum(guess != y for guess, (_, y) in zip(guesses, rounds, strict=True))
    certificate = game.certificate()
    assert certificate.holds
    assert all(table[certificate.witness["concept"]][x] == y for x, y in rounds)


@settings(deadline=None)
@given(seed=st.integers(0, 2**20), target=st.integers(0, 2**7 - 1))
def test_packed_replay_is_the_plain_rule_on_parities(seed, target):
    concepts = Parities(7)
    points = list(concepts.instances())
    table = [[(h & sum(b << i for i, b in enumerate(x))).bit_count() & 1 for x in points] for h in range(128)]
    asked = np.random.default_rng(seed).integers(0, 128, 20).tolist()
    rounds = [(x, table[target][x]) for x in asked]
    plain = reference.halving(table, rounds, (0, 1))
    stream = Recorded([points[x] for x, _ in rounds], [bool(y) for _, y in rounds])
    live = play(Halving(concepts), stream, transcript=True)
    assert [int(r.guess) for r in live.transcript] == plain
    assert play(Halving(concepts), stream).mistakes == live.mistakes


def test_a_label_that_no_survivor_gives_is_refused_and_changes_nothing():
    learner = Halving(singletons(3))
    state = learner.start(Size())
    learner.update(state, 0, 1, 0)
    before = copy_state(state)
    with pytest.raises(NotRealizable):
        learner.update(state, 1, 1, 0)
    assert learner.key(state) == learner.key(before)
