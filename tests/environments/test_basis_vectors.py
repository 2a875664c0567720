from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from guessers import GUESSERS
from littlestone.base.errors import BadParameter
from littlestone.certificates.make.margins import Rows, find_separator
from littlestone.concepts import Parities
from littlestone.environments import BasisVectors
from littlestone.game.play import play
from littlestone.game.player import Player
from littlestone.learners import Halving, Perceptron


@pytest.mark.parametrize(
    ("square", "forced"),
    [
        ("1", 1),
        ("1/2", 2),
        ("1/4", 4),
        ("1/9", 9),
        ("1/100", 100),
        ("2/7", 3),
        ("3/10", 3),
        ("1/3", 3),
        ("999/1000", 1),
    ],
)
def test_a_margin_forces_the_floor_of_its_inverse_square(square, forced):
    other = BasisVectors.with_margin(Fraction(square))
    for learner in GUESSERS:
        game = play(learner, other)
        assert game.mistakes == forced
        assert game.target.margin_squared >= Fraction(square)


def test_the_witness_is_a_unit_vector_with_the_margin_promised():
    game = play(GUESSERS[-1], BasisVectors(12), transcript=True)
    signs = game.target.signs
    n = len(signs)
    assert sum(Fraction(sign**2, n) for sign in signs) == 1
    for line in game.transcript:
        (place,) = line.x.indices.tolist()
        agreement = signs[place] * (1 if line.y else -1)  # of u times the root of n
        assert Fraction(agreement**2, n) == game.target.margin_squared == Fraction(1, 12)
        assert agreement > 0


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_basis_vectors_are_shattered_with_their_margin_and_no_points_with_a_larger_one(n):
    for signs in product((-1.0, 1.0), repeat=n):
        assert find_separator(Rows.of(np.diag(signs))).unit_margin == pytest.approx(n**-0.5)
    rng = np.random.default_rng(n)
    for d in (1, 2, n, n + 3):
        points = rng.normal(size=(n, d))
        points /= np.maximum(1, np.linalg.norm(points, axis=1, keepdims=True))
        player, signs = Player(Perceptron(bias=0), classes=(False, True)), []
        for x in points:  # each is answered against the guess: n mistakes, of which Novikoff allows 1 / margin^2
            signs.append(-1.0 if player.predict(x) else 1.0)
            player.update(x, signs[-1] > 0)
        assert player.tally.mistakes == n
        assert find_separator(Rows.of(points * np.array(signs)[:, None])).unit_margin <= n**-0.5 + 1e-12


def test_a_class_over_bits_can_read_the_rows():
    assert play(Halving(Parities(6)), BasisVectors(6)).mistakes == 6


def test_it_tells_the_number_of_attributes_beforehand():
    assert BasisVectors(7).size().attributes == 7


def test_a_margin_must_be_exact_and_possible():
    for wrong in (0, Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(BadParameter, match=r"squared margin must be in \(0, 1\]"):
            BasisVectors.with_margin(wrong)
    with pytest.raises(BadParameter, match=r"must be exact.*0\.01"):
        BasisVectors.with_margin(0.01)
    with pytest.raises(BadParameter, match="n must be at least 1"):
        BasisVectors(0)


def test_a_long_target_is_shown_short():
    assert len(str(BasisVectors(10_000).target())) < 120
    assert str(BasisVectors(3).target()) == "u = (+++) / sqrt(3), margin^2 = 1/3"
