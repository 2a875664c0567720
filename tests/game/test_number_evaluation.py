"""Numbers judged before their labels were seen: the errors, of all rounds and of the latest, and a constant's."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error, mean_pinball_loss, r2_score, root_mean_squared_error

from littlestone.game.number_evaluation import NumberEvaluation


def judged(guesses, labels, cuts=(), quantile=0.5):
    seen = NumberEvaluation(quantile)
    for first, end in zip([0, *cuts], [*cuts, len(labels)], strict=True):
        seen.add(guesses[first:end], labels[first:end])
    return seen


def make(rounds=3000, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    labels = rng.normal(size=rounds) + shift
    return labels + rng.normal(size=rounds) / 2, labels


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_errors_are_those_that_others_compute(shift):
    guesses, labels = make(shift=shift)
    seen = judged(guesses, labels, quantile=0.9)
    for latest, part in ((False, slice(1, None)), (True, slice(-1000, None))):
        x, y = guesses[part], labels[part]
        pinball = mean_pinball_loss(y, x, alpha=0.9)
        theirs = mean_absolute_error(y, x), root_mean_squared_error(y, x), r2_score(y, x), pinball
        assert seen.errors(latest) == pytest.approx(theirs, rel=1e-6)
    record = seen.summarize()
    assert (record["rounds"], record["quantile"]) == (3000, 0.9)
    assert record["mae"] == seen.errors().absolute
    assert record["recent"]["rmse"] == seen.errors(latest=True).root_square


def test_the_constants_are_the_mean_and_the_median_of_the_labels_before():
    _, labels = make(rounds=40, shift=3.0)
    seen = judged(np.zeros(40), labels)
    means = [labels[:t].mean() for t in range(1, 40)]
    medians = [np.median(labels[: 1 << (t.bit_length() - 1)]) for t in range(1, 40)]
    assert seen.constant_root_square == pytest.approx(np.sqrt(np.mean((labels[1:] - means) ** 2)))
    assert seen.constant_absolute == pytest.approx(np.mean(np.abs(labels[1:] - medians)))


def test_a_median_is_found_in_a_sample_of_long_games():
    labels = np.random.default_rng(0).exponential(size=60_000)
    seen = judged(np.zeros(60_000), labels)
    assert len(seen._sample) <= 4096
    assert seen.constant_absolute == pytest.approx(np.abs(labels - np.median(labels)).mean(), rel=0.01)


@given(st.sets(st.integers(1, 2999), max_size=6))
def test_it_is_the_same_however_the_rounds_come_and_when_it_is_written_down_in_between(cuts):
    guesses, labels = make()
    whole, pieces = judged(guesses, labels), NumberEvaluation()
    for first, end in zip([0, *sorted(cuts)], [*sorted(cuts), 3000], strict=True):
        pieces = NumberEvaluation.from_record(json.loads(json.dumps(pieces.to_record())))
        pieces.add(guesses[first:end], labels[first:end])
    assert pieces.to_record() == whole.to_record()


def test_nothing_and_labels_that_are_all_the_same():
    assert NumberEvaluation().errors() == (0.0, 0.0, None, 0.0)
    assert NumberEvaluation().errors(latest=True) == (0.0, 0.0, None, 0.0)
    seen = judged(np.zeros(5), np.full(5, 2.0))
    assert seen.errors() == (2.0, 2.0, None, 1.0)
    assert seen.constant_absolute == 0


@pytest.mark.parametrize("rounds", [1, 7, 255, 256, 3000])
def test_the_curve_has_the_errors_up_to_evenly_spaced_rounds_and_the_last(rounds):
    guesses, labels = make(rounds)
    seen = judged(guesses, labels, cuts=[rounds // 3, rounds // 2])
    short, curve = np.where(np.arange(rounds) > 0, labels - guesses, 0), seen.curve
    numbers = np.array(curve["rounds"])
    assert numbers[-1] == rounds
    assert len(numbers) <= 256
    assert len(set(np.diff(numbers, prepend=0)[:-1])) <= 1
    assert curve["absolute"] == pytest.approx(np.cumsum(np.abs(short))[numbers - 1])
    assert curve["square"] == pytest.approx(np.cumsum(short**2)[numbers - 1])
    again = NumberEvaluation.from_record(json.loads(json.dumps(seen.to_record())))
    again.add(guesses, labels)
    seen.add(guesses, labels)
    assert again.curve == seen.curve


def test_the_last_label_repeated_is_judged_however_rounds_come():
    labels, whole, parts = np.random.default_rng(0).normal(size=50) + 9, NumberEvaluation(), NumberEvaluation()
    whole.add(labels, labels)
    for first in range(0, 50, 7):
        parts.add(labels[first : first + 7], labels[first : first + 7])
        parts = NumberEvaluation.from_record(parts.to_record())
    apart = np.diff(labels)
    assert whole.repeated == parts.repeated
    assert whole.repeated["mae"] == pytest.approx(np.abs(apart).mean())
    assert whole.summarize()["repeated"]["rmse"] == pytest.approx(np.sqrt((apart**2).mean()))


def test_a_record_of_a_run_that_did_not_count_repeated_labels_says_nothing_of_them():
    seen = NumberEvaluation()
    seen.add(np.zeros(3), np.arange(3.0))
    record = {name: value for name, value in seen.to_record().items() if name not in ("last", "repeated")}
    before = NumberEvaluation.from_record(record)
    before.add(np.zeros(2), np.ones(2))
    assert before.repeated is None
    assert before.summarize()["repeated"] is None


def test_the_first_round_is_not_judged_since_no_label_was_known():
    guesses, labels = np.array([0.0, 1001.0, 999.0, 1002.0]), np.array([1000.0, 1001.0, 999.0, 1003.0])
    seen = judged(guesses, labels, cuts=[2])
    assert (seen.rounds, seen.judged) == (4, 3)
    assert seen.errors() == pytest.approx((1 / 3, np.sqrt(1 / 3), 1 - 1 / 8, 1 / 6))
    assert seen.errors(latest=True) == pytest.approx((1 / 3, np.sqrt(1 / 3), 1 - 1 / 8, 1 / 6))
    held = NumberEvaluation(blind=False)
    held.add(guesses, labels)
    assert held.errors().absolute == pytest.approx(1001 / 4)


def test_a_record_of_a_run_that_judged_the_first_round_goes_on_as_it_began():
    seen = NumberEvaluation(blind=False)
    seen.add(np.zeros(3), np.arange(3.0) + 5)
    record = {name: value for name, value in seen.to_record().items() if name not in ("blind", "judged")}
    again = NumberEvaluation.from_record(record)
    assert (again.judged, again.errors()) == (3, seen.errors())
