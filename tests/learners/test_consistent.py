"""The consistent learner: one survivor at a time, |H| - 1 mistakes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from littlestone.base.coins import pick
from littlestone.base.errors import BadParameter, NotRealizable
from littlestone.base.learner import Size, copy_state
from littlestone.concepts import Thresholds
from littlestone.environments import Bisection, Recorded
from littlestone.game.play import play
from littlestone.learners import Consistent
from tables import Table, singletons, worst_case

tables = st.integers(1, 4).flatmap(
    lambda width: st.sets(st.tuples(*[st.integers(0, 1)] * width), min_size=1, max_size=8).map(sorted)
)


@pytest.mark.parametrize("n", range(2, 9))
def test_errs_once_for_each_singleton_but_one_when_the_lowest_comes_first(n):
    learner = Consistent(singletons(n))
    game = play(learner, Recorded(list(range(n - 1)), [False] * (n - 1)))
    assert game.mistakes == n - 1 == learner.bound().mistakes == game.certificate().bound
    assert worst_case(learner, learner.start(Size()), range(n), lambda x: (0, 1)) == n - 1


@settings(deadline=None)
@given(table=tables)
def test_never_exceeds_its_bound_whatever_is_answered(table):
    learner = Consistent(Table(tuple(table)))
    worst = worst_case(learner, learner.start(Size()), range(len(table[0])), lambda x: (0, 1))
    assert worst <= learner.bound().mistakes == len(table) - 1


@pytest.mark.parametrize("choice", ["lowest", "random"])
@settings(deadline=None)
@given(
    table=tables, target=st.integers(0, 7), points=st.lists(st.integers(0, 3), max_size=12), seed=st.integers(-9, 99)
)
def test_guesses_as_the_plain_rule_does(choice, table, target, points, seed):
    target, width = table[target % len(table)], len(table[0])
    rounds = [(x % width, target[x % width]) for x in points]
    learner = Consistent(Table(tuple(table)), choice)
    stream = Recorded([x for x, _ in rounds], [y for _, y in rounds])
    game = play(learner, stream, seed=seed, transcript=True)
    seeded = lambda deaths, among: pick(seed % 2**63, deaths, among)  # noqa: E731
    plain = reference.consistent(table, rounds, *[seeded] if choice == "random" else [])
    assert [int(r.guess) for r in game.transcript] == plain
    assert play(learner, stream, seed=seed).mistakes == game.mistakes
    certificate = game.certificate()
    assert certificate.holds
    assert certificate.bound == len(table) - sum(all(row[x] == y for x, y in rounds) for row in table)
    assert all(table[certificate.witness["concept"]][x] == y for x, y in rounds)


def test_a_random_survivor_is_kept_until_a_concept_dies_and_depends_on_the_seed():
    learner = Consistent(singletons(64), "random")
    firsts = []
    for seed in range(40):
        state = learner.start(Size(), seed)
        guesses = [learner.predict(state, x) for x in range(64)]
        assert sum(guesses) == 1
        assert guesses == [learner.predict(state, x) for x in range(64)]
        firsts.append(guesses.index(1))
    assert len(set(firsts)) > 20


def test_counts_rounds_that_removed_a_concept_as_updates():
    game = play(Consistent(Thresholds(14)), Bisection(Thresholds(14)))
    assert game.updates == 4
    assert game.certificate().witness["survivors"] == 1


def test_refuses_what_no_survivor_says_and_keeps_its_state():
    learner = Consistent(singletons(3))
    state = learner.start(Size())
    learner.update(state, 0, 1, 0)
    before = copy_state(state)
    with pytest.raises(NotRealizable):
        learner.update(state, 1, 1, 0)
    assert learner.key(state) == learner.key(before)
    assert learner.moves(state) == 1


def test_refuses_another_choice():
    with pytest.raises(BadParameter, match="'lowest' or 'random'"):
        Consistent(singletons(3), "first")
