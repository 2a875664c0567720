"""Halving that falls back: its twin, its bound under attack, what halving does meanwhile, and pieces of any size."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
import reference
from littlestone.base.errors import BadParameter, NotCertified, NotRealizable

votes = st.sampled_from([0, 1, None])


def play_rounds(learner, rounds, transcript=True):
    X = np.array([[np.nan if v is None else v for v in row] for row, _ in rounds], float)
    return ls.play(learner, ls.Panel(X, [y for _, y in rounds]), transcript=transcript)


@pytest.mark.parametrize("penalty", [0.5, Fraction(1, 3)])
@given(st.data())
def test_agrees_with_its_twin_also_where_experts_sleep_and_however_the_rounds_are_cut(penalty, data):
    n = data.draw(st.integers(1, 5))
    row = st.lists(votes, min_size=n, max_size=n).filter(lambda said: any(vote is not None for vote in said))
    rounds = data.draw(st.lists(st.tuples(row, st.integers(0, 1)), min_size=1, max_size=25))
    guesses, marks = reference.fallback_halving(rounds, Fraction(penalty), n)
    live = play_rounds(ls.FallbackHalving(penalty), rounds)
    assert [int(line.guess) for line in live.transcript] == guesses
    whole = play_rounds(ls.FallbackHalving(penalty), rounds, transcript=False)
    assert whole.player.state.marks[:n].tolist() == live.player.state.marks[:n].tolist() == marks
    assert whole.mistakes == live.mistakes
    assert live.certificate().holds


@pytest.mark.parametrize("experts", [1, 2, 3, 4])
def test_no_game_of_five_rounds_exceeds_the_bound(experts):
    learner = ls.FallbackHalving()
    rows = list(product((0, 1), repeat=experts))[: 2 ** (experts - 1)]  # up to exchanging the outcomes
    for game in product(rows, repeat=4):
        rounds = []
        for row in game:  # the outcome against every guess
            guesses, _ = reference.fallback_halving([*rounds, (row, 0)], Fraction(1, 2), experts)
            rounds.append((row, 1 - guesses[-1]))
        guesses, marks = reference.fallback_halving(rounds, Fraction(1, 2), experts)
        missed = sum(guess != y for guess, (_, y) in zip(guesses, rounds, strict=True))
        assert missed == 4 <= learner.bound(experts, min(marks)).mistakes or min(marks) == 0


def test_while_an_expert_is_perfect_it_is_halving_and_afterwards_weighted_majority():
    concepts = ls.Thresholds(30)
    points = np.random.default_rng(0).integers(0, 31, 300).tolist()
    right = [x >= 11 for x in points]
    pool = ls.Pool(concepts, ls.FallbackHalving())
    assert (
        ls.play(pool, ls.Recorded(points, right)).mistakes
        == ls.play(ls.Halving(concepts), ls.Recorded(points, right)).mistakes
    )
    broken = [label != (t in (40, 90)) for t, label in enumerate(right)]
    with pytest.raises(NotRealizable):
        ls.play(ls.Halving(concepts), ls.Recorded(points, broken))
    game = ls.play(pool, ls.Recorded(points, broken))
    assert game.mistakes <= pool.bound(best_loss=2).mistakes
    assert game.certificate().witness["losses"] == 2
    assert game.mistakes <= ls.play(ls.Pool(concepts, ls.WeightedMajority()), ls.Recorded(points, broken)).mistakes + 5


def test_gold_bounds():
    learner = ls.FallbackHalving()
    # lg 16 = 4; then 5 + ln 16 / ln(4/3) = 5 + 9.64; each further mistake of the best one ln 2 / ln(4/3) = 2.41
    assert [learner.bound(16, m).mistakes for m in (0, 1, 2, 3)] == [4, 14, 17, 19]
    assert [learner.bound(1, m).mistakes for m in (0, 1, 2)] == [0, 1, 3]


def test_what_is_left_in_the_middle_of_a_game():
    learner = ls.FallbackHalving()
    rounds = [((1, 0, 0, 1), 0), ((0, 1, 0, 0), 0)]
    player = play_rounds(learner, rounds).player  # one expert without a mark
    assert learner.remaining(player.state, 0).mistakes == 0
    # 1 for the last perfect one, then weights of at most 4/2 against 1/2: ln 4 / ln(4/3) = 4.8
    assert learner.remaining(player.state, 1).mistakes == 1 + 4
    with pytest.raises(NotCertified, match="marks or more"):
        learner.remaining(play_rounds(learner, [((1, 1), 0)]).player.state, 0)


def test_a_certificate_is_verified_and_a_smaller_bound_refused():
    rng = np.random.default_rng(3)
    panel = ls.Panel(rng.integers(0, 2, (40, 6)).astype(float), rng.integers(0, 2, 40))
    certificate = ls.certify(ls.FallbackHalving(), panel)
    assert ls.verify(certificate, panel)
    for change in ({"bound": certificate.bound - 1}, {"mistakes": certificate.mistakes - 1}):
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, **change), panel)
    with pytest.raises(NotCertified, match="no penalty is 0"):
        ls.verify(replace(certificate, learner=certificate.learner | {"penalty": 0.0}), panel)


@pytest.mark.parametrize("penalty", [0, 1, -0.5, 0.99999])
def test_refuses_penalties_that_no_theorem_covers(penalty):
    with pytest.raises(BadParameter, match="penalty must be in"):
        ls.FallbackHalving(penalty)
