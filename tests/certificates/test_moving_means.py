"""Intervals of shares and losses of hypotheses that change: the figures of the theory, and games that attack them."""

import math

import numpy as np
import pytest

from littlestone.certificates.moving_means import LARGEST_LOSS, LossSums, bound_f1, bound_share
from littlestone.certificates.risk import risk


@pytest.mark.parametrize(
    ("rounds", "mistakes", "bound"),
    [(1000, 0, 0.00563), (1000, 155, 0.20548), (5000, 775, 0.17664), (10000, 1550, 0.16988), (32561, 5043, 0.16301)],
)
def test_the_upper_end_is_that_of_the_risk_and_the_lower_one_its_mirror_image(rounds, mistakes, bound):
    low, high = bound_share(mistakes, rounds, 0.02)
    assert high == pytest.approx(bound, abs=6e-6)
    assert high == pytest.approx(float(risk(rounds, mistakes, 0.99).average), rel=1e-6)
    assert low <= mistakes / rounds <= high
    if mistakes:  # the lower side by its definition, as a sum over the same rates
        total = 0.0
        for j in range(27):
            rate, share = 32.0 * 2.0**-j, 0.25 if j == 0 else 0.75 / 26
            total += share * math.exp(rate * mistakes - rounds * math.log1p(low * math.expm1(rate)))
        assert total == pytest.approx(100, rel=1e-4)


def test_f1_lies_between_what_the_ends_of_precision_and_recall_give():
    low, high = bound_f1(80, 100, 120, 0.05)
    ends = [bound_share(80, n, 0.025) for n in (100, 120)]
    assert low == pytest.approx(2 / (1 / ends[0][0] + 1 / ends[1][0]))
    assert high == pytest.approx(2 / (1 / ends[0][1] + 1 / ends[1][1]))
    assert low < 2 * 80 / 220 < high
    assert bound_f1(0, 5, 5, 0.05)[0] == 0


def plain_sums(losses):
    """Total and squares as the definition has them."""
    squares = sum((x - (sum(losses[:t]) + 0.25) / (t + 1)) ** 2 for t, x in enumerate(losses))
    return sum(losses), squares


def test_sums_are_those_of_the_definition_however_rounds_come():
    losses = np.random.default_rng(0).random(50)
    whole, pieces = LossSums(1.0), LossSums(1.0)
    whole.add(losses)
    for part in np.split(losses, [1, 4, 30]):
        pieces.add(part)
    assert pieces.to_record() == whole.to_record() == LossSums.from_record(1.0, whole.to_record()).to_record()
    assert (whole.total, whole.squares) == pytest.approx(plain_sums(losses.tolist()))


def test_a_loss_beyond_the_largest_counts_as_that_and_nothing_seen_bounds_nothing():
    sums = LossSums(LARGEST_LOSS)
    assert sums.bound(0.05) == (0.0, LARGEST_LOSS)
    sums.add(np.array([1e9, 0.0]))
    assert sums.mean == LARGEST_LOSS / 2


def test_the_interval_of_losses_is_that_of_the_definition():
    sums = LossSums(1.0)
    sums.add(np.random.default_rng(1).beta(1, 8, 3000))
    low, high = sums.bound(0.02)
    for end in (high - sums.mean, sums.mean - low):
        slopes = [0.75 * 2.0**-j for j in range(20)]
        total = sum(math.exp(s * 3000 * end + (math.log(1 - s) + s) * sums.squares) / 20 for s in slopes)
        assert total == pytest.approx(100, rel=1e-4)
    assert high - low < 0.02


def test_few_games_with_chances_that_move_ever_leave_their_intervals():
    """An adversary raises the chance after each lucky stretch; every round is looked at, at 10 % in all."""
    rng, outside, looked = np.random.default_rng(2), np.zeros(2), [10, 20, 40, 80, 160, 320, 640]
    for _ in range(150):
        events, losses, chances, means = 0, LossSums(1.0), 0.0, 0.0
        missed = np.zeros(2, bool)
        for t in range(1, 641):
            chance = 0.4 if events < 0.2 * t else 0.05
            event = rng.random() < chance
            events, chances = events + event, chances + chance
            loss = rng.random() * (1.0 if event else 0.2)
            means += 0.5 * chance + 0.1 * (1 - chance)
            losses.add(np.array([loss]))
            if t in looked:
                low, high = bound_share(events, t, 0.1)
                missed[0] |= not low <= chances / t <= high
                low, high = losses.bound(0.1)
                missed[1] |= not low <= means / t <= high
        outside += missed
    assert (outside <= 15).all()


def test_recall_by_skipping_holds_for_a_hypothesis_that_changes_with_what_it_saw():
    rng, outside = np.random.default_rng(3), 0
    for _ in range(200):
        right = came = 0
        rates = 0.0
        missed = False
        for _ in range(400):
            rate = 0.9 if right * 2 <= came else 0.3
            if rng.random() < 0.3:
                came, right, rates = came + 1, right + (rng.random() < rate), rates + rate
                if came % 10 == 0:
                    low, high = bound_share(right, came, 0.1)
                    missed |= not low <= rates / came <= high
        outside += missed
    assert outside <= 20
