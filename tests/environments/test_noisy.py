from collections import Counter
from fractions import Fraction

import pytest

from guessers import Scrambled
from littlestone.base.errors import BadLabel, BadParameter, NotRealizable
from littlestone.concepts import Parities
from littlestone.environments import BasisVectors, Nature, Noisy, Recorded
from littlestone.game.play import play
from littlestone.learners import Halving


def labels(environment, rounds=60, seed=0):
    return [line.y for line in play(Scrambled(), environment, rounds=rounds, seed=seed, transcript=True).transcript]


def test_no_noise_leaves_the_game_as_it_was_and_full_noise_turns_every_label():
    nature = Nature(Parities(5).concept(9))
    honest = labels(nature)
    assert labels(Noisy(nature, 0)) == honest
    assert labels(Noisy(nature, 1)) == [not y for y in honest]


def test_about_the_rate_of_labels_is_wrong_and_counted():
    nature = Nature(Parities(5).concept(9))
    noisy = play(Scrambled(), Noisy(nature, Fraction(1, 4)), rounds=2000, seed=2, transcript=True)
    honest = labels(nature, rounds=2000, seed=2)
    wrong = sum(line.y != y for line, y in zip(noisy.transcript, honest, strict=True))
    assert wrong == noisy.environment.flips
    assert abs(wrong - 500) < 6 * 20  # six standard deviations


def test_noise_upon_noise_is_independent():
    nature = Nature(Parities(5).concept(9))
    twice = play(Scrambled(), Noisy(Noisy(nature, 0.5), 0.5), rounds=2000, transcript=True)
    honest = labels(nature, rounds=2000)
    wrong = sum(line.y != y for line, y in zip(twice.transcript, honest, strict=True))
    assert abs(wrong - 1000) < 6 * 23  # were the coins shared, it would be none


def test_of_several_classes_each_other_one_is_equally_likely():
    noisy = Noisy(Recorded([1] * 3000, ["a"] * 3000, classes=("a", "b", "c")), 1)
    noisy.start(0)
    said: Counter[str] = Counter()
    for _ in range(3000):
        noisy.ask()
        said[noisy.answer("a")] += 1
    assert set(said) == {"b", "c"}
    assert abs(said["b"] - 1500) < 6 * 28


def test_no_concept_is_promised_any_more():
    game = play(Scrambled(), Noisy(Nature(Parities(3).concept(1)), 0.1), rounds=5)
    assert game.target is None


def test_a_version_space_runs_empty_and_says_where():
    with pytest.raises(NotRealizable, match="shortest inconsistent prefix") as refused:
        play(Halving(Parities(3)), Noisy(Nature(Parities(3).concept(1)), 0.4), rounds=200)
    assert refused.value.game.rounds == refused.value.rounds - 1


def test_it_keeps_the_length_and_the_sizes_of_the_game():
    noisy = Noisy(BasisVectors(9), 0.5)
    assert noisy.rounds == 9
    assert noisy.size().attributes == 9
    assert noisy.classes() == (False, True)
    assert play(Scrambled(), noisy).rounds == 9


def test_the_environment_inside_is_not_disturbed():
    inside = BasisVectors(4)
    play(Scrambled(), Noisy(inside, 0.5))
    assert inside.signs == []


def test_labels_that_cannot_be_told_must_be_declared():
    noisy = Noisy(Recorded([1, 2], ["spam", "ham"]), 1)
    with pytest.raises(BadLabel, match="of which 'spam' is one"):
        play(Scrambled(), noisy)


def test_rates_outside_probability_and_things_that_are_no_environment_are_refused():
    for rate in (-0.1, 1.1, float("nan")):
        with pytest.raises(BadParameter, match=r"rate must be in \[0, 1\]"):
            Noisy(BasisVectors(3), rate)
    with pytest.raises(BadParameter, match="needs an environment"):
        Noisy([1, 2], 0.1)
