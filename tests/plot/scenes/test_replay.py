"""A game's rounds come once more, with the same states; what is gone is refused in words."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.errors import BadParameter
from littlestone.plot.scenes.replay import choose_last_round, replay_rounds, start_again

AND = ls.Recorded([[0, 0], [0, 1], [1, 0], [1, 1]] * 9, [False, False, False, True] * 9)


def test_a_player_that_goes_through_the_rounds_again_ends_where_the_game_did():
    game = ls.play(ls.Perceptron(), AND)
    player = start_again(game)
    seen = list(replay_rounds(game, player))
    assert player.tally == game.player.tally
    assert player.state.weights.tolist() == game.player.state.weights.tolist()
    assert sum(turn.mistake for turn in seen) == game.mistakes
    assert sum(turn.moved for turn in seen) == game.updates
    assert [turn.number for turn in seen] == list(range(1, 37))


def test_only_the_rounds_up_to_the_one_asked_for_are_played():
    game = ls.play(ls.Perceptron(), AND)
    player = start_again(game)
    assert [turn.y for turn in replay_rounds(game, player, 5)] == [0, 0, 0, 1, 0]
    assert player.tally.rounds == 5


def test_a_game_that_stopped_early_is_shown_up_to_where_it_stopped():
    game = ls.play(ls.Perceptron(), AND, rounds=7)
    assert len(list(replay_rounds(game, start_again(game)))) == 7
    with pytest.raises(BadParameter, match=r"\[0, 7\], got 8"):
        choose_last_round(game, 8)


def test_a_transcript_serves_where_there_is_no_stream():
    concepts = ls.Thresholds(14)
    game = ls.play(ls.Halving(concepts), ls.Bisection(concepts), transcript=True)
    player = start_again(game)
    assert sum(turn.mistake for turn in replay_rounds(game, player)) == game.mistakes == 4
    assert np.array_equal(player.state.ends, game.player.state.ends)


def test_rounds_that_are_gone_are_asked_for_in_words():
    concepts = ls.Thresholds(14)
    game = ls.play(ls.Halving(concepts), ls.Bisection(concepts))
    with pytest.raises(BadParameter, match="transcript=True"):
        list(replay_rounds(game, start_again(game)))


def test_a_player_that_had_played_before_is_refused():
    first = ls.play(ls.Perceptron(), AND)
    with pytest.raises(BadParameter, match="36 rounds before"):
        start_again(ls.play(first.player, AND))
