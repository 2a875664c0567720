from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coverage_of import angle, bits, keeps
from littlestone import (
    Bisection,
    Drifting,
    Game,
    Halving,
    Hedge,
    Nature,
    Noisy,
    Panel,
    Perceptron,
    Player,
    Recorded,
    Thresholds,
    Winnow,
    play,
    risk,
)
from littlestone.base.errors import BadParameter, NotCertified
from littlestone.base.printed_numbers import format_percent
from littlestone.certificates.risk import RATES, measure_evidence
from reference import average_risk


@given(rounds=st.integers(1, 10**7), share=st.floats(0, 1), confidence=st.sampled_from([0.5, 0.9, 0.99, 0.999999]))
def test_the_mixture_is_never_worse_than_any_one_rate_with_its_share_of_the_doubt(rounds, share, confidence):
    mistakes = round(share * rounds)
    found = risk(rounds, mistakes, confidence)
    single = average_risk(rounds, mistakes, 0.25 * (1 - confidence), RATES)  # no share of a rate is below this one's
    assert found.average <= single * (1 + 1e-5) + 1e-9
    assert found.average >= Fraction(mistakes, rounds)
    assert found.voted == min(1, 2 * found.average)


@given(rounds=st.integers(1, 10**6), share=st.floats(0, 1))
def test_the_evidence_against_the_bound_just_exceeds_the_doubt(rounds, share):
    mistakes = round(share * rounds)
    bound = float(risk(rounds, mistakes, 0.95).average)
    if bound < 1:
        assert np.log(20) <= measure_evidence(rounds, mistakes, bound)
        assert measure_evidence(rounds, mistakes, bound - 1e-12 - 2e-9 * bound) <= np.log(20) + 1e-5


def test_a_pass_without_rounds_says_nothing_and_more_clean_rounds_say_more():
    assert risk(0, 0).average == risk(0, 0).voted == 1
    bounds = [risk(m, 0).average for m in (1, 10, 100, 1000, 10**6)]
    assert bounds == sorted(bounds, reverse=True)
    assert 4.6 / 1000 < bounds[3] < 6.1 / 1000  # ln(1/d)/m would do for one rate, without a mixture
    assert risk(1000, 1000).average == 1


def test_many_rounds_bring_the_bound_near_the_rate_of_mistakes():
    assert 0.1 < risk(10**9, 10**8).average < 0.10005
    assert 0.2 < risk(30000, 6000).average < 0.2 + 5 * (0.2 * 0.8 / 30000) ** 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((5, 6), "got 6 in 5 rounds"), ((5, -1), "got -1 in 5"), ((5, 1, 1.0), "got 1.0"), ((5, 1, 0), "got 0")],
)
def test_impossible_counts_and_confidences_are_refused(arguments, message):
    with pytest.raises(BadParameter, match=message):
        risk(*arguments)


def test_the_certificate_holds_for_data_like_these_and_survives_json():
    found = risk(1000, 100)
    for predictor, bound in (("average", found.average), ("voted", found.voted)):
        certificate = found.certificate(predictor)
        assert certificate.scope == "iid"
        assert certificate.holds
        assert (certificate.bound, certificate.counted) == (bound, Fraction(1, 10))
        assert type(certificate).from_json(certificate.to_json()) == certificate
    with pytest.raises(BadParameter, match="average or voted, got 'last'"):
        found.certificate("last")


def test_percentages_round_up():
    assert [format_percent(v) for v in (Fraction(1), 0.05, Fraction(1, 3), 1e-5, 0.0)] == [
        "100 %", "5.1 %", "33.4 %", "0.0011 %", "0 %",
    ]  # fmt: skip
    assert format_percent(Fraction(5, 100)) == "5 %"


# --- coverage: the bound must hold at all rounds at once -------------------------------------------------------------


@pytest.mark.parametrize("true", [0.003, 0.05, 0.3])
def test_a_hypothesis_of_known_risk_is_wronged_no_more_often_than_promised(true):
    """One hypothesis, 4,000 rounds, 2,000 passes, every round looked at; a bound at the end only would pass as well."""
    rng, trials, rounds = np.random.default_rng(7), 2000, 4000
    totals = np.cumsum(rng.random((trials, rounds)) < true, axis=1, dtype=np.int32)
    worst = np.zeros(rounds, np.int32)  # the fewest mistakes with which the bound still allows the true risk
    for m in range(1, rounds + 1):
        worst[m - 1] = m
        low = worst[m - 2] if m > 1 else 0
        worst[m - 1] = next(k for k in range(max(low - 1, 0), m + 2) if measure_evidence(m, k, true) < np.log(20))
    failures = int((totals < worst).any(axis=1).sum())
    assert keeps(failures, trials, 0.05)
    assert failures > trials / 2000  # the test has teeth: the bound is not so loose that nothing could ever fail
    for m in (100, 4000):
        k = int(worst[m - 1])
        assert risk(m, k, 0.95).average >= true - 1e-6
        assert k == 0 or risk(m, k - 1, 0.95).average <= true + 1e-6


def wronged(passes, looks, doubt):
    """In how many passes some average of true risks exceeds its bound; a pass is (mistakes, risks), one a round."""
    count = 0
    for mistakes, risks in passes:
        made, true = np.cumsum(mistakes), np.cumsum(risks)
        count += any(true[m - 1] / m > float(risk(m, int(made[m - 1]), 1 - doubt).average) for m in looks)
    return count


def test_halving_on_thresholds_is_covered():
    concepts, n, trials = Thresholds(98), 98, 300

    def one(rng):
        target, mistakes, risks = int(rng.integers(n + 2)), [], []
        low, high = 0, n + 1  # halving, as two numbers
        for x in rng.integers(0, n + 1, 60).tolist():
            cut = (low + high + 1) // 2 if (low + high) % 2 else (low + high) // 2
            cut = next(c for c in (cut, cut + 1) if 2 * c + 1 > low + high)
            guess, y = 2 * x + 1 > low + high, x >= target
            risks.append(abs(cut - target) / (n + 1))
            mistakes.append(guess != y)
            low, high = (low, min(high, x)) if y else (max(low, x + 1), high)
        return mistakes, risks

    passes = [one(np.random.default_rng(seed)) for seed in range(trials)]
    assert keeps(wronged(passes, (5, 20, 60), 0.2), trials, 0.2)
    rng = np.random.default_rng(0)  # the two numbers are the library's halving
    target, points = int(rng.integers(n + 2)), rng.integers(0, n + 1, 60).tolist()
    game = play(Halving(concepts), Recorded(points, [x >= target for x in points]))
    assert game.mistakes == sum(passes[0][0])


def test_winnow_on_disjunctions_is_covered():
    n, trials, everything = 6, 150, bits(6)

    def one(rng):
        members = rng.permutation(n)[:2]
        X = (rng.random((80, n)) < 0.3).astype(float)
        chance = (0.3**everything * 0.7 ** (1 - everything)).prod(axis=1)
        truth = everything[:, members].any(axis=1)
        player, mistakes, risks = Player(Winnow(threshold=6.0), classes=(False, True)), [], []
        for x in X:
            player.see(x)
            weights = 2.0 ** player.state.weights[:n].astype(float) if player.state.weights.size else np.ones(n)
            weights = np.concatenate((weights, np.ones(n - len(weights))))
            risks.append(float(chance[(everything @ weights >= 6) != truth].sum()))
            before = player.tally.mistakes
            player.update(x, bool(x[members].any()))
            mistakes.append(player.tally.mistakes > before)
        return mistakes, risks

    passes = [one(np.random.default_rng(seed)) for seed in range(trials)]
    assert keeps(wronged(passes, (10, 80), 0.2), trials, 0.2)


def test_the_perceptron_on_gaussian_halfspaces_is_covered():
    d, trials = 5, 150

    def one(rng):
        u, X = rng.normal(size=d), rng.normal(size=(100, d))
        w, mistakes, risks = np.zeros(d), [], []
        for x in X:
            y = 1 if x @ u > 0 else -1
            risks.append(angle(w, u))
            mistakes.append((1 if w @ x > 0 else -1) != y)
            w = w + y * x if y * (w @ x) <= 0 else w
        return mistakes, risks

    passes = [one(np.random.default_rng(seed)) for seed in range(trials)]
    assert keeps(wronged(passes, (10, 100), 0.2), trials, 0.2)
    rng = np.random.default_rng(0)
    u, X = rng.normal(size=d), rng.normal(size=(100, d))
    assert play(Perceptron(bias=0), Recorded(X, X @ u > 0)).mistakes == sum(passes[0][0])


# --- what a game says ------------------------------------------------------------------------------------------------


def test_a_game_speaks_for_its_first_pass_only():
    labels = np.random.default_rng(0).integers(0, 2, 100)
    stream = Recorded(np.eye(2)[labels], labels > 0)
    player = Player(Perceptron())
    first = play(player, stream)
    assert first.risk(0.95) == risk(first.rounds, first.mistakes, 0.95)
    second = play(player, stream)
    with pytest.raises(NotCertified, match="had played 100 rounds before"):
        second.risk()
    assert second.risk(new=True) == risk(100, 0)
    assert first.risk() == risk(first.rounds, first.mistakes)  # what came later does not take it back


def test_a_game_against_whoever_chooses_the_rounds_says_nothing_about_new_ones():
    concepts = Thresholds(6)
    for environment in (Bisection(concepts), Noisy(Bisection(concepts), 0.1), Drifting(4, 2, 20)):
        learner = Winnow(threshold=4.0) if isinstance(environment, Drifting) else Halving(concepts)
        with pytest.raises(NotCertified, match="does not draw its rounds independently"):
            play(learner, environment, rounds=1).risk()
    assert play(Halving(concepts), Nature(concepts.concept(3)), rounds=20).risk().rounds == 20


def test_a_learner_that_predicts_numbers_has_no_mistakes_to_speak_of():
    game = Game(Player(Hedge(1.0)), Panel([[0.0, 1.0]], [0.0]))
    with pytest.raises(NotCertified, match="predicts numbers"):
        game.risk()
