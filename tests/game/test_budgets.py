"""Budgets: never more than the bound leaves, never growing, and forced to the last mistake where that is attained."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.errors import NotCertified
from littlestone.base.traits import ask_remaining
from littlestone.game.description import count_left as left
from littlestone.game.progress import Progress

seeds = st.integers(0, 2**63)


def spent(player, rounds, **facts):
    """Play rounds and check, after each, that the budget fell by every mistake at least and never grew."""
    before, history = player.budget(**facts).value, [player.budget(**facts).value]
    for x, y in rounds:
        count = player.tally.updates if player.budget(**facts).counts == "updates" else player.tally.mistakes
        player.update(x, y)
        after = player.tally.updates if player.budget(**facts).counts == "updates" else player.tally.mistakes
        now = player.budget(**facts).value
        assert now <= before - (after - count), "a mistake must be paid for"
        before = now
        history.append(now)
    return history


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_halving_and_its_kin_pay_for_every_mistake(seed):
    rng = random.Random(seed)
    concepts = rng.choice([ls.Thresholds(14), ls.Parities(3), ls.Conjunctions(2)])
    target, points = concepts.concept(rng.randrange(concepts.size)), list(concepts.instances())
    rounds = [(x, target(x)) for x in (rng.choice(points) for _ in range(20))]
    for make in (ls.Halving, ls.Consistent):
        player = ls.Player(make(concepts))
        assert spent(player, rounds)[0] == make(concepts).bound().value
    conservative = ls.Player(ls.Conservative(ls.Halving(concepts)))
    spent(conservative, rounds)
    drawn = ls.Player(ls.RandomizedHalving(concepts))
    start = drawn.budget()
    assert (start.value, start.counts) == (drawn.learner.bound().value, "expected mistakes")
    for x, y in rounds:
        drawn.update(x, y)
        assert drawn.tally.expected + drawn.budget().value <= start.value


def test_bisection_spends_the_whole_budget():
    for n in (2, 6, 14, 30):
        concepts = ls.Thresholds(n)
        game = ls.play(ls.Halving(concepts), ls.Bisection(concepts), transcript=True)
        player = ls.Player(ls.Halving(concepts))
        history = spent(player, [(one.x, one.y) for one in game.transcript])
        assert history == list(range(history[0], -1, -1)) and history[0] == game.mistakes  # noqa: PT018


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_the_standard_optimal_algorithm_pays_from_the_dimension(seed):
    rng = random.Random(seed)
    concepts = rng.choice([ls.Thresholds(6), ls.Parities(3), ls.Conjunctions(2)])
    target, points = concepts.concept(rng.randrange(concepts.size)), list(concepts.instances())
    player = ls.Player(ls.StandardOptimal(concepts))
    history = spent(player, [(x, target(x)) for x in (rng.choice(points) for _ in range(12))])
    assert history[0] == player.learner.bound().value
    assert f"one of the {concepts.survivors(player.state)} concepts" in player.budget().promise


def test_a_mistake_tree_spends_the_whole_dimension():
    concepts = ls.Thresholds(6)
    worst = ls.worst_case(ls.StandardOptimal(concepts), concepts)
    history = spent(ls.Player(ls.StandardOptimal(concepts)), worst.rounds)
    assert history[0] == worst.mistakes == 3
    assert history[-1] == 0


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_box_pays_by_growing(seed):
    rng = random.Random(seed)
    m, d = rng.choice([(2, 1), (4, 1), (3, 2), (4, 3)])
    ends = [sorted((rng.randrange(m), rng.randrange(m))) for _ in range(d)]
    points = [tuple(rng.randrange(m) for _ in range(d)) for _ in range(20)]
    rounds = [(x, all(a <= v <= b for v, (a, b) in zip(x, ends, strict=True))) for x in points]
    player = ls.Player(ls.Closure(ls.Rectangles(m, d)))
    assert spent(player, rounds)[0] == player.learner.bound().value


def test_corner_after_corner_spends_all_that_a_box_has():
    rounds = [((0, 0), True), ((0, 1), True), ((0, 2), True), ((1, 0), True), ((2, 0), True)]
    assert spent(ls.Player(ls.Closure(ls.Rectangles(3, 2))), rounds) == [5, 4, 3, 2, 1, 0]


def test_concepts_that_die_one_at_a_time_spend_what_is_expected():
    singletons = ls.Concepts([[h == x for x in range(5)] for h in range(5)])
    player = ls.Player(ls.RandomizedHalving(singletons))
    for x in range(5):
        assert player.tally.expected + player.budget().value == player.learner.bound().value if x else True
        player.update(x, x == 4)
    assert player.budget().value == 0


@pytest.mark.parametrize("k", [0, 1, 2])
def test_elimination_is_forced_to_spend_what_it_has(k):
    class_ = ls.Disjunctions(3, k=k)
    worst = ls.worst_case(ls.Elimination(), class_)
    player = ls.Player(ls.Elimination(), features=ls.Indexed(3))
    history = spent(player, worst.rounds, relevant=k)
    assert history[0] == worst.mistakes == 4 - k
    assert player.tally.mistakes + history[-1] <= 4 - k


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_the_perceptron_pays_from_its_margin(seed):
    rng = random.Random(seed)
    u, constant = [rng.randrange(-2, 3) for _ in range(3)], rng.randrange(-2, 3)
    points = [x for x in product((-1, 0, 1), repeat=3) if sum(a * b for a, b in zip(u, x, strict=True)) + constant]
    if not points:
        return
    chosen = [rng.choice(points) for _ in range(40)]
    rounds = [(x, sum(a * b for a, b in zip(u, x, strict=True)) + constant > 0) for x in chosen]
    learner = ls.Perceptron(rate=rng.choice([1, 0.5]), margin=rng.choice([0, 1]), tie=rng.choice(["strict", "plus"]))
    facts = {"u": u, "constant": constant, "margin": 1, "reach": Fraction(7, 4)}  # 7/4 > sqrt 3
    spent(ls.Player(learner, features=ls.Indexed(3)), rounds, **facts)


def test_basis_vectors_spend_all_that_novikoff_gives():
    game = ls.play(ls.Perceptron(bias=0), ls.BasisVectors(9), transcript=True)
    player = ls.Player(ls.Perceptron(bias=0), features=ls.Indexed(9))
    signs = list(game.target.signs)
    history = spent(player, [(one.x, one.y) for one in game.transcript], u=signs, margin=1, reach=1)
    assert (history[0], history[-1], player.tally.updates) == (9, 0, 9)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_vote_pays_from_its_weight(seed):
    rng = random.Random(seed)
    n, penalty = rng.randrange(1, 5), rng.choice([Fraction(1, 2), Fraction(1, 3), 0.75, 0])
    rounds = [([rng.randrange(2) for _ in range(n)], rng.randrange(2)) for _ in range(12)]
    best = min(sum(x[i] != y for x, y in rounds) for i in range(n))
    if penalty == 0 and best:
        rounds = [(x, x[0]) for x, _ in rounds]
        best = 0
    player = ls.Player(ls.WeightedMajority(penalty))
    player.update(*rounds[0])
    history = spent(player, rounds[1:], best_loss=best)
    bound = player.learner.bound(n, best).value
    assert player.tally.mistakes + history[-1] <= bound


def test_a_vote_that_nobody_can_win_any_more_has_no_budget():
    player = ls.Player(ls.WeightedMajority())
    for _ in range(3):
        player.update([0, 0], 1)
    with pytest.raises(NotCertified, match="3 marks or more, not 2"):
        player.budget(best_loss=2)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_winnow_pays_from_its_weights(seed):
    rng = random.Random(seed)
    n, learner = 5, rng.choice([ls.Winnow(), ls.Winnow(1.5, 4.0), ls.Winnow(threshold=2.5), ls.Winnow(strict_gt=True)])
    relevant = rng.sample(range(n), rng.randrange(0, 4))
    xs = [[rng.randrange(2) for _ in range(n)] for _ in range(40)]
    rounds = [(x, any(x[i] for i in relevant)) for x in xs]
    player = ls.Player(learner, features=ls.Indexed(n))
    history = spent(player, rounds, relevant=relevant)
    assert history[0] == learner.bound(attributes=n, relevant=len(relevant)).value
    again = ls.Player(learner, features=ls.Indexed(n))
    for x, y in rounds:
        again.update(x, y)
        assert again.budget(relevant=len(relevant)).value >= again.budget(relevant=relevant).value


def test_an_empty_disjunction_spends_its_one_demotion():
    player = ls.Player(ls.Winnow(), features=ls.Indexed(4))
    assert spent(player, [([1, 1, 1, 1], False)] * 3, relevant=[]) == [1, 0, 0, 0]


def test_facts_that_are_missing_are_asked_for():
    with pytest.raises(NotCertified, match="needs other facts"):
        ls.Player(ls.Perceptron()).budget()
    with pytest.raises(NotCertified, match="no budget is known for Hedge"):
        ls.Player(ls.Hedge()).budget()
    with pytest.raises(NotCertified, match="how many attributes"):
        ls.Player(ls.Elimination()).budget()
    assert left(ls.Player(ls.Perceptron())) is None
    assert ask_remaining(ls.Halving(ls.Thresholds(6)), ls.Thresholds(6).start()).mistakes == 3


def test_a_game_that_is_not_decided_says_what_is_left():
    game = ls.play(ls.Halving(ls.Thresholds(14)), ls.Recorded([7], [False]))
    assert "       left  at most 3 more mistakes, if one of the 8 concepts that survive labels" in repr(game)
    decided = ls.play(ls.Halving(ls.Thresholds(14)), ls.Bisection(ls.Thresholds(14)))
    assert "left  at most" not in repr(decided)


def test_a_bar_says_what_is_left(monkeypatch):
    from rich.console import Console

    monkeypatch.setattr(Console, "is_terminal", property(lambda self: True))
    player = ls.Player(ls.Halving(ls.Thresholds(14)))
    with Progress(True, 4, lambda: left(player)) as bar:
        bar.advance(1, 1)
        assert bar._bar.tasks[0].fields["left"] == ", at most 4 more"


def test_exponents_and_marks_may_be_many():
    player = ls.Player(ls.WeightedMajority(0.9))
    rng = np.random.default_rng(0)
    for _ in range(300):
        player.update(rng.integers(0, 2, 6), 1)
    fewest = int(player.learner.charges(player.state).min())
    assert player.budget(best_loss=fewest).value + player.tally.mistakes <= player.learner.bound(6, fewest).value


def test_winnow_has_no_budget_while_more_attributes_may_come():
    """Each attribute that comes later brings a weight of its own: 6 were promised, 30 mistakes made."""
    player = ls.Player(ls.Winnow(threshold=2.0))
    player.update([1, 0], True)
    with pytest.raises(NotCertified, match=r"more than 2 attributes may come: declare them with Player"):
        player.budget(relevant=1)
    with pytest.raises(NotCertified, match="more than 2 attributes may come"):
        player.budget(relevant=1, attributes=100)
    told = player.budget(relevant=1, attributes=2)
    assert "an OR of 1 of the 2 attributes labels every round" in told.promise
    declared = ls.Player(ls.Winnow(threshold=2.0), features=ls.Indexed(64))
    declared.update([1, 0], True)
    still, mistakes = declared.budget(relevant=1), declared.tally.mistakes
    assert "of the 64 attributes" in still.promise
    for i in range(1, 64):
        declared.update({i: 1.0}, False)
    assert declared.tally.mistakes - mistakes <= still.value


def test_a_vote_names_its_experts_in_the_promise():
    player = ls.Player(ls.WeightedMajority())
    player.update([0, 1, 1], 1)
    assert player.budget(best_loss=1).promise == "of 3 experts, and no others come, one makes at most 1 mistakes in all"
