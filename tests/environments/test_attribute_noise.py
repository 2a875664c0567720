from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
from guessers import Scrambled
from littlestone.base.errors import BadInstance, BadParameter

N, RELEVANT = 32, (3, 17, 30)


def draw(rng):
    return (rng.random(N) < 0.2).astype(int)


def nature():
    return ls.Nature(lambda x: bool(x[list(RELEVANT)].any()), draw, classes=(False, True))


def lines(environment, rounds=200, seed=0):
    return ls.play(Scrambled(), environment, rounds=rounds, seed=seed, transcript=True).transcript


def test_labels_are_those_of_the_true_instances_and_bits_are_wrong_as_often_as_counted():
    true = lines(nature(), 2000)
    noisy = ls.play(Scrambled(), ls.AttributeNoise(nature(), Fraction(1, 10)), rounds=2000, transcript=True)
    assert [line.y for line in noisy.transcript] == [line.y for line in true]
    differ = sum(a.x != b.x for a, b in zip(noisy.transcript, true, strict=True))
    assert np.array_equal(differ, noisy.environment.flips)
    assert abs(differ.sum() - 6400) < 6 * 76  # six standard deviations
    assert abs(differ[3] - 200) < 6 * 13.5


def test_no_noise_shows_the_instances_as_they_are_and_full_noise_their_opposites():
    true = [line.x for line in lines(nature())]
    for rate, expected in ((0, true), (1, [1 - x for x in true])):
        shown = [line.x for line in lines(ls.AttributeNoise(nature(), rate))]
        assert np.array_equal(shown, expected)


def test_only_the_attributes_that_are_named_are_shown_wrongly():
    noisy = ls.play(Scrambled(), ls.AttributeNoise(nature(), 0.5, attributes=(0, 31)), rounds=400)
    flips = noisy.environment.flips
    assert flips[1:31].sum() == 0
    assert all(abs(flips[i] - 200) < 60 for i in (0, 31))


@pytest.mark.parametrize("seed", range(8))
def test_winnow_keeps_its_bound_with_the_wrong_relevant_bits_counted(seed):
    noisy = ls.AttributeNoise(nature(), 0.02)
    game = ls.play(ls.Winnow(threshold=float(N)), noisy, rounds=1500, seed=seed)
    wrong = int(game.environment.flips[list(RELEVANT)].sum())
    assert wrong > 50
    assert game.mistakes <= 3 * (3 * 5 + wrong) + 1


def test_what_is_wrong_in_irrelevant_attributes_costs_nothing():
    irrelevant = tuple(i for i in range(N) if i not in RELEVANT)
    game = ls.play(ls.Winnow(threshold=float(N)), ls.AttributeNoise(nature(), 0.5, irrelevant), rounds=3000)
    assert game.environment.flips.sum() > 40_000
    assert game.mistakes <= 3 * 3 * 5 + 1


def test_noise_upon_noise_is_independent_and_noise_in_labels_goes_with_it():
    twice = ls.AttributeNoise(ls.AttributeNoise(nature(), 0.5), 0.5)
    true, shown = (np.array([line.x for line in lines(one, 500)]) for one in (nature(), twice))
    assert abs((true != shown).sum() - 8000) < 6 * 64  # were the coins shared, it would be none
    both = ls.play(Scrambled(), ls.Noisy(ls.AttributeNoise(nature(), 0.1), 0.1), rounds=300)
    assert both.environment.flips > 10
    assert both.environment.environment.flips.sum() > 500


def test_rows_of_a_stream_tuples_and_lists_are_shown_as_what_they_were():
    stream = ls.Recorded(np.eye(3), [True, False, True])
    shown = [line.x for line in lines(ls.AttributeNoise(stream, 1), 3)]
    assert np.array_equal(shown, 1 - np.eye(3))
    drifting = ls.AttributeNoise(ls.Drifting(6, 2, 10), 1)
    drifting.start(0)
    assert isinstance(drifting.ask(), tuple)


def test_what_are_no_rows_of_bits_is_refused():
    for stream in (ls.Recorded([[0.5, 1]], [True]), ls.Recorded(["word"], [True]), ls.Recorded([3], [True])):
        with pytest.raises(BadInstance, match="rows of bits, all of them listed"):
            ls.play(Scrambled(), ls.AttributeNoise(stream, 0.1))
    for rate in (-0.1, 1.1, float("nan")):
        with pytest.raises(BadParameter, match=r"rate must be in \[0, 1\]"):
            ls.AttributeNoise(nature(), rate)
    with pytest.raises(BadParameter, match="needs an environment"):
        ls.AttributeNoise([1, 2], 0.1)
    with pytest.raises(BadParameter, match="numbers from 0 on"):
        ls.AttributeNoise(nature(), 0.1, attributes=(-1,))
