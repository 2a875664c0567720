"""Selective sampling: its twin, its theorems, its coins, and labels that it never sees."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.base.coins import draw_bits
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.learner import fingerprint
from littlestone.learners.selective_sampling import EXPECTED
from reference import selective_sampling
from row_games import noisy, scores_of


def coins_of(seed, rounds):
    return [Fraction(draw_bits(seed, t) >> 11, 2**53) for t in range(rounds)]


def make_game(seed, rounds=300, wide=6):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (rounds, wide)).astype(float)
    return X, X @ rng.normal(size=wide) + rng.normal(size=rounds) > 0


def mark(player):
    """All that a player has learned, room for more attributes left out."""
    return fingerprint(player.state._replace(weights=player.state.weights[:6]))


@given(st.integers(1, 4).flatmap(noisy), st.sampled_from([Fraction(1, 8), Fraction(1), Fraction(4)]), st.booleans(),
       st.integers(0, 9))  # fmt: skip
def test_agrees_with_its_twin_exactly_on_integers(rounds, smoothing, grows, seed):
    learner = ls.SelectiveSampling(float(smoothing), grows, bias=0)
    ours, state = scores_of(learner, rounds, seed)
    theirs, w, asked, estimate = selective_sampling(rounds, coins_of(seed, len(rounds)), smoothing, grows)
    assert ours == theirs
    assert state.weights.tolist() == w
    assert learner.asked(state) == sum(asked)
    assert learner.estimate_mistakes(state) == pytest.approx(float(estimate))


def test_labels_that_are_not_asked_for_change_nothing():
    """Live play that looks up no other label ends in the state of a game that had them all, or had lies for them."""
    X, y = make_game(1)
    whole = ls.play(ls.SelectiveSampling(0.02), ls.Recorded(X, y), seed=5).player
    live = ls.Player(ls.SelectiveSampling(0.02), classes=[False, True], seed=5)
    lies, unseen = y.copy(), 0
    for t, x in enumerate(X):
        if live.wants_label(x):
            live.update(x, bool(y[t]))
        else:
            live.skip(x)
            lies[t], unseen = not y[t], unseen + 1
    assert unseen > 100
    assert live.learner.asked(live.state) == 300 - unseen
    assert mark(live) == mark(whole)
    lied = ls.play(ls.SelectiveSampling(0.02), ls.Recorded(X, lies), seed=5).player
    assert mark(lied) == mark(whole)
    assert live.tally.rounds == 300
    again = ls.play(ls.SelectiveSampling(0.02), ls.Recorded(X, y), seed=6).player
    assert mark(again) != mark(whole)


@pytest.mark.parametrize("grows", [False, True])
def test_the_theorem_holds_on_every_sequence_for_every_comparator(grows):
    worst = 0.0
    for seed in range(40):
        X, y = make_game(seed, rounds=120, wide=3)
        rounds = [(x.tolist(), 1 if label else -1) for x, label in zip(X.astype(int), y, strict=True)]
        smoothing = Fraction(1, 4) if grows else Fraction(3)
        scores, _, asked, _ = selective_sampling(rounds, coins_of(seed, 120), smoothing, grows)
        reach, charged, taught = 0, 0, []
        for (x, label), s, wanted in zip(rounds, scores, asked, strict=True):
            reach = max(reach, sum(v * v for v in x))
            b = smoothing * reach if grows else smoothing
            if wanted and label * s <= 0:
                charged += b + abs(s)
                taught.append((x, label))
        a = b + Fraction(reach, 2)
        for scale in (0.0, 0.1, 0.3, 1.0):
            u = scale * np.linalg.lstsq(X, np.where(y, 1.0, -1.0), rcond=None)[0]
            loss = sum(max(0.0, 1 - label * float(np.dot(u, x))) for x, label in taught)
            allowed = float(a) * loss + float(a) ** 2 * float(u @ u) / 2
            assert float(charged) <= allowed * (1 + 1e-9)
            worst = max(worst, float(charged) / allowed if allowed else 0.0)
    assert worst > 0.3


def test_its_estimates_are_unbiased_over_the_coins():
    X, y = make_game(3, rounds=150)
    made, estimated, asked, expected = [], [], [], []
    for seed in range(300):
        game = ls.play(ls.SelectiveSampling(0.05), ls.Recorded(X, y), seed=seed)
        learner, state = game.player.learner, game.player.state
        made.append(game.mistakes - 1)  # the first label surprises whoever guesses, asked or not
        estimated.append(learner.estimate_mistakes(state))
        asked.append(learner.asked(state))
        expected.append(float(state.sums[EXPECTED]))
    for one, other in ((made, estimated), (asked, expected)):
        gaps = np.array(one) - other
        assert abs(gaps.mean()) <= 4 * gaps.std() / np.sqrt(300) + 1  # that surprise may have been right


def test_its_certificate_is_checked_with_its_coins():
    X, y = make_game(4)
    stream = ls.Recorded(X, y)
    player = ls.play(ls.SelectiveSampling(0.1), stream, seed=3).player
    certificate = ls.certify(player, stream)
    assert (certificate.counts, certificate.learner["seed"]) == ("updates", 3)
    report = ls.verify(certificate, stream)
    assert report.exact
    assert report.counted == player.tally.updates < player.tally.mistakes
    for forged in (
        {"learner": certificate.learner | {"seed": 4}},
        {"learner": certificate.learner | {"smoothing": 0.2}},
        {"learner": certificate.learner | {"grows": False}},
        {"learner": certificate.learner | {"name": "VotedPerceptron"}},
        {"updated": certificate.updated[1:], "updates": certificate.updates - 1},
        {"mistakes": certificate.mistakes + 1},
        {"bound": certificate.bound - 1},
    ):
        with pytest.raises(NotCertified):
            ls.verify(replace(certificate, **forged), stream)


def test_what_has_no_sense_is_refused_in_words():
    player = ls.Player(ls.Perceptron())
    assert player.wants_label([1.0])
    with pytest.raises(BadParameter, match="wants every label"):
        player.skip([1.0])
    asking = ls.Player(ls.SelectiveSampling())
    with pytest.raises(BadParameter, match="wants this label"):
        asking.skip([1.0, 2.0])  # a score of zero is always asked for
    with pytest.raises(BadParameter, match="smoothing"):
        ls.SelectiveSampling(0)
    with pytest.raises(NotCertified, match="not asked for"):
        asking.budget(u=[1], margin=1, reach=1)
