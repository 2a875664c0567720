"""The conservative conversion: only mistakes teach, and the bound stays."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.errors import BadParameter, NotCertified, NotRealizable
from littlestone.base.features import Named
from littlestone.base.learner import Size, copy_state, fingerprint
from littlestone.concepts import Thresholds
from littlestone.environments import Bisection, Recorded
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import (
    Consistent,
    Elimination,
    Halving,
    KernelPerceptron,
    Memorizer,
    Perceptron,
    RandomizedHalving,
    VotedPerceptron,
)
from littlestone.learners.conversions import Conservative
from littlestone.learners.shared.kernel_functions import LinearKernel
from tables import Table, singletons, worst_case

tables = st.integers(1, 4).flatmap(
    lambda width: st.sets(st.tuples(*[st.integers(0, 1)] * width), min_size=1, max_size=8).map(sorted)
)


@settings(deadline=None)
@given(table=tables)
@pytest.mark.parametrize("inner", [Halving, Consistent, lambda concepts: Consistent(concepts, "random")])
def test_a_conservative_learner_makes_no_more_mistakes_than_the_inner_bound(inner, table):
    learner = Conservative(inner(Table(tuple(table))))
    for target in table:
        worst = worst_case(learner, learner.start(Size(), 3), range(len(target)), lambda x, row=target: (row[x],))
        assert worst <= learner.bound().mistakes == learner.learner.bound().mistakes


@settings(deadline=None)
@given(table=tables, target=st.integers(0, 7), points=st.lists(st.integers(0, 3), max_size=12))
def test_a_conservative_learner_never_changes_without_a_mistake(table, target, points):
    learner = Conservative(Halving(Table(tuple(table))))
    target, state = table[target % len(table)], learner.start(Size())
    for x in points:
        x, before = x % len(target), copy_state(state)
        guess = learner.predict(state, x)
        learner.update(state, x, target[x], guess)
        assert (fingerprint(state) == fingerprint(before)) == (guess == target[x])


@settings(deadline=None)
@given(table=tables, target=st.integers(0, 7), points=st.lists(st.integers(0, 3), max_size=12))
def test_guesses_as_the_inner_learner_run_afresh_on_its_mistakes(table, target, points):
    target, width = table[target % len(table)], len(table[0])
    rounds = [(x % width, target[x % width]) for x in points]
    stream = Recorded([x for x, _ in rounds], [y for _, y in rounds])
    learner = Conservative(Halving(Table(tuple(table))))
    game = play(learner, stream, transcript=True)
    afresh = lambda mistakes, x: reference.halving(table, [*mistakes, (x, None)], (0, 1))[-1]  # noqa: E731
    assert [int(r.guess) for r in game.transcript] == reference.conservative(afresh, rounds)
    assert play(learner, stream).mistakes == game.mistakes == game.updates
    certificate = game.certificate()
    assert certificate.holds
    assert certificate.witness["rounds shown"] == game.mistakes
    shown = [(r.x, r.y) for r in game.transcript if r.mistake]
    survivor = table[certificate.witness["agreeing with them"]["concept"]]
    assert all(survivor[x] == y for x, y in shown)


def test_the_bound_is_attained_by_bisection():
    game = play(Conservative(Halving(Thresholds(14))), Bisection(Thresholds(14)))
    assert game.mistakes == game.certificate().bound == 4
    assert "Conservative conversion" in game.certificate().theorem


def test_an_expectation_does_not_transfer():
    learner = Conservative(RandomizedHalving(singletons(4)))
    with pytest.raises(NotCertified, match="expectation over its coins"):
        learner.bound()
    game = play(learner, Recorded([0, 1], [False, False]), seed=1)
    assert game.expected is None
    with pytest.raises(NotCertified, match="expectation over its coins"):
        game.certificate()


def test_elimination_is_conservative_as_it_is():
    X = list(product((0, 1), repeat=4))
    stream = Recorded(np.array(X * 2), [x[0] | (1 - x[2]) for x in X] * 2)
    plain, wrapped = play(Elimination(), stream, transcript=True), play(Conservative(Elimination()), stream)
    assert plain.mistakes == wrapped.mistakes == 3
    assert play(Conservative(Elimination()), stream, transcript=True).mistakes == 3
    assert fingerprint(plain.player.state) == fingerprint(wrapped.player.state.inner)
    assert wrapped.certificate().bound == plain.certificate().bound == 3


def test_grows_with_attributes_that_turn_up():
    player = Player(Conservative(Elimination(monotone=True)), features=Named())
    words = [
        ("spam now", 1),
        ("hello", 0),
        ("hello spam", 1),
        ("now hello", 0),
        ("now", 0),
        ("new spam", 1),
        ("old", 0),
    ]
    rows = [(dict.fromkeys(text.split(), 1), y) for text, y in words]
    guesses = []
    for x, y in rows:
        guesses.append(player.predict(x))
        player.update(x, y)
    assert guesses == [None, 1, 1, 1, 0, 1, 1]
    assert player.tally[:3] == (7, 3, 3)


def test_says_of_itself_what_the_inner_learner_says():
    inner = Halving(Table(((0, 1), (1, 2)), labels=("a", "b", "c")))
    learner = Conservative(inner)
    assert (learner.known_labels(), learner.limit(), learner.features()) == (("a", "b", "c"), 3, inner.concepts)
    assert Conservative(Memorizer()).limit() == Memorizer().limit()
    with pytest.raises(BadParameter, match="must be a Learner"):
        Conservative("halving")


def test_a_refused_mistake_leaves_the_state_as_it_was():
    learner = Conservative(Halving(singletons(3)))
    state = learner.start(Size())
    learner.update(state, 0, 1, 0)
    before = copy_state(state)
    with pytest.raises(NotRealizable):
        learner.update(state, 1, 1, 0)
    assert fingerprint(state) == fingerprint(before)


@pytest.mark.parametrize("inner", [VotedPerceptron(), KernelPerceptron(LinearKernel(), bias=1), Perceptron()], ids=repr)
def test_an_inner_learner_that_keeps_rows_is_given_room_for_them(inner):
    rows = np.random.default_rng(34).integers(-2, 3, (200, 4)).astype(float)
    labels = np.random.default_rng(35).integers(0, 2, 200).astype(bool)
    weights, mistakes = np.zeros(5), 0
    for x, y in zip(rows, labels, strict=True):
        x = np.append(x, 1.0)
        if (weights @ x > 0) != y:
            weights += x if y else -x
            mistakes += 1
    live = Player(Conservative(inner), classes=[False, True])
    for x, y in zip(rows, labels.tolist(), strict=True):
        live.update(x, y)
    assert mistakes > 50
    assert live.tally.mistakes == play(Conservative(inner), Recorded(rows, labels.tolist())).mistakes == mistakes
