"""A stream that withholds its labels gives those that are asked for, and counts what the learner is not told."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.environments import Withheld

RNG = np.random.default_rng(0)
X = RNG.integers(-2, 3, (200, 4)).astype(float)
Y = X @ RNG.normal(size=4) > 0


@pytest.mark.parametrize(
    "learner", [ls.SelectiveSampling(0.05), ls.AppleTasting(ls.Perceptron(), 0.1), ls.Perceptron()]
)
def test_a_game_without_labels_is_the_game_with_all_of_them(learner):
    stream = ls.Recorded(X, Y, [False, True])
    hidden, whole = (ls.play(learner, other, seed=4) for other in (Withheld(stream), stream))
    assert hidden.tally == whole.tally
    asked = learner.asked(whole.player.state) if hasattr(learner, "asked") else 200
    assert hidden.environment.looked_up == asked
    assert hidden.certificate() == whole.certificate()
    assert hidden.curve.mistakes == whole.mistakes
    watched = []
    ls.play(learner, Withheld(stream), seed=4, watch=lambda game, guesses, labels: watched.append(len(guesses)))
    assert sum(watched) == 200


def test_no_label_is_looked_at_that_was_not_asked_for():
    """A stream whose other labels are not even labels of the game: nothing fails, so nothing was read."""

    class Blind(Withheld):
        def judge(self):
            return False

        def answer(self, guess):
            return super().answer(guess)

    stream = ls.Recorded(X, Y, [False, True])
    learner = ls.AppleTasting(ls.Perceptron(), 0.1)
    blind, whole = ls.play(learner, Blind(stream), seed=4), ls.play(learner, Withheld(stream), seed=4)
    assert np.array_equal(blind.player.state.inner.weights, whole.player.state.inner.weights)
    assert blind.mistakes < whole.mistakes


def test_a_player_says_which_labels_it_wants_and_a_transcript_has_all():
    game = ls.play(ls.AppleTasting(ls.Perceptron(), 0.1), Withheld(ls.Recorded(X, Y), [False, True]), transcript=True)
    assert [bool(one.y) for one in game.transcript] == Y.tolist()
    assert sum(one.mistake for one in game.transcript) == game.mistakes


def test_what_cannot_be_withheld_is_refused():
    with pytest.raises(BadParameter, match="which classes"):
        Withheld(ls.Recorded(X, Y))
    with pytest.raises(BadParameter, match="labels of a stream"):
        Withheld(ls.Contrary())
