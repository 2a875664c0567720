"""The events of a game: rounds come, are played or held out, and the stream ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.base.errors import BadLabel
from littlestone.base.learner import fingerprint
from littlestone.environments import Recorded
from littlestone.environments.derived import WithoutHeldOut
from littlestone.game.game import Coming, Ended, keep_tally, play_events, proceed, start_game
from littlestone.game.play import play
from littlestone.game.played_rounds import PlayedRounds
from littlestone.game.player import Player
from littlestone.learners import AveragedPerceptron, Network, Perceptron


def rows(count=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((count, 4))
    return X, X[:, 0] + 0.3 * rng.standard_normal(count) > 0


def played(learner, stream, **options):
    game = start_game(learner, stream)
    with keep_tally(game):
        events = list(play_events(game, stream.chunks(), **options))
    return game, events


@given(st.integers(0, 60), st.integers(1, 9), st.integers(0, 1))
def test_pieces_are_played_in_order_and_make_the_same_game(count, step, traced):
    stream = Recorded(*rows(count))
    game, events = played(Perceptron(), stream, following=lambda t: t + step, traced=bool(traced))
    whole = play(Perceptron(), stream)
    assert (game.tally, fingerprint(game.player.state)) == (whole.tally, fingerprint(whole.player.state))
    assert [points.tolist() for points in game.curve.points] == [points.tolist() for points in whole.curve.points]
    assert [type(event) for event in events] == [Coming, PlayedRounds] * -(-count // step) + [Ended]
    assert events[-1].rounds == count
    for coming, rounds in zip(events[::2], events[1::2], strict=False):
        assert coming.chunk.labels.tolist() == rounds.chunk.labels.tolist()
        assert (rounds.moved is not None) == bool(traced)
        assert rounds.seen.labels.tolist() == rounds.labels.tolist()


def test_a_learner_is_told_how_many_rounds_were_read_and_wait_to_be_played(monkeypatch):
    told, X, y = [], *rows(20)
    monkeypatch.setattr(Perceptron, "foresee", lambda learner, state, rounds: told.append((state.counts[0], rounds)))
    stream = Recorded(X, y)
    chunks = [chunk[some] for chunk in stream.chunks() for some in (slice(0, 12), slice(12, 20))]
    game = start_game(Perceptron(), stream)
    with keep_tally(game):
        list(play_events(game, iter(chunks), following=lambda t: t + 5, first=2))
    assert told == [(0, 12), (5, 7), (12, 8)]  # of pieces of 5, 5, 2, then of 5, 3; the last of a chunk is all there is


@given(st.integers(0, 40), st.integers(2, 7), st.integers(0, 12), st.integers(1, 9))
def test_rounds_held_out_are_guessed_by_what_was_learned_before_them_and_not_learned(count, every, first, step):
    X, y = rows(count, seed=every)
    stream = Recorded(X, y)
    game, events = played(AveragedPerceptron(), stream, following=lambda t: t + step, holdout=every, first=first)
    player, expected = Player(AveragedPerceptron()), []
    for t in range(count):
        if (first + t + 1) % every == 0:
            expected.append((player.predict(X[t]) or False, bool(y[t])))
        else:
            player.update(X[t], bool(y[t]))
    parts = [event.held for event in events if isinstance(event, PlayedRounds) and event.held is not None]
    held = [one for part in parts for one in zip(part.guesses, part.labels, part.chunk.labels, strict=True)]
    names = player.labels.names or [False, True]
    assert [(guess == 1, label) for guess, _, label in held] == expected
    assert all(names[number] in (label, None) for _, number, label in held if number < len(names))
    assert (game.tally, events[-1].rounds) == (player.tally, first + count)
    assert play(AveragedPerceptron(), WithoutHeldOut(stream, every, first)).tally == player.tally


@given(st.integers(0, 2**16), st.integers(1, 30), st.sampled_from([Player, lambda: Player(Network(Perceptron()))]))
def test_rounds_held_out_are_judged_alike_in_a_chunk_and_one_by_one_while_classes_turn_up(seed, count, make):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-1, 2, (count, 4)).astype(float), rng.choice(["a", "b", "c", "d"], count)
    chunk, held = Recorded(X, y)._chunk, rng.random(count) < 0.4
    whole, single, plain, expected = make(), make(), make(), []
    judged = [list(part.held.guesses) for part in whole.play_chunk(chunk, held=held) if part.held is not None]
    for t in range(count):
        if held[t]:
            (one,) = single.play_chunk(chunk[t : t + 1], held=held[t : t + 1])
            name = plain.predict(X[t])
            expected.append(-1 if name is None else one.held.guesses[0])
            assert name is None or single.labels.name(one.held.guesses[0]) == name
            known, count_known = plain.labels.find(y[t]), len(plain.labels)
            assert one.held.labels[0] == (count_known if known is None else known)
        else:
            single.update(X[t], y[t])
            plain.update(X[t], y[t])
    assert [guess for part in judged for guess in part] == expected
    assert whole.tally == single.tally == plain.tally
    assert whole.labels.names == plain.labels.names


def test_a_refused_round_between_rounds_held_out_leaves_those_before_it_learned_and_judged():
    X, y = np.eye(4)[[0, 1, 0, 1, 2, 3]], np.array(["a", "b", "a", "b", "c", "a"])
    player, parts = Player(Perceptron()), []
    with pytest.raises(BadLabel):
        parts.extend(player.play_chunk(Recorded(X, y)._chunk, held=np.array([0, 0, 1, 1, 0, 0], bool)))
    assert (player.tally.rounds, player.labels.names) == (2, ["a", "b"])
    assert [label for part in parts if part.held is not None for label in part.held.labels.tolist()] == [0, 1]


def test_a_game_that_is_left_early_counts_what_was_played():
    stream = Recorded(*rows())
    game = start_game(Perceptron(), stream)
    with keep_tally(game):
        for event in play_events(game, stream.chunks(), following=lambda t: t + 50):
            if isinstance(event, PlayedRounds):
                break
    assert game.rounds == game.curve.rounds == game.player.tally.rounds == 50
    proceed(game, stream._chunk[50:])
    assert game.tally == play(Perceptron(), stream).tally


def test_a_refused_round_names_the_game_so_far():
    stream = Recorded(np.eye(3), ["a", "b", "c"])
    game, events = start_game(Perceptron(), stream), []
    with pytest.raises(BadLabel) as refused, keep_tally(game):
        events.extend(play_events(game, stream.chunks()))
    assert refused.value.game is game
    assert game.rounds == 2


def test_no_rounds_are_read_for_a_game_of_no_rounds():
    stream = Recorded(*rows())
    stream.chunks = lambda: (pytest.fail("the stream was read") for _ in range(1))
    assert play(Perceptron(), stream, rounds=0).rounds == 0


def test_a_label_that_is_new_when_it_is_judged_has_the_number_after_all_classes():
    player = Player(Perceptron(), classes=["a", "b"])
    player.update([1.0, 0.0], "a")
    (played,) = player.play_chunk(Recorded(np.eye(2), ["b", "c"])._chunk, held=np.ones(2, bool))
    assert played.held.labels.tolist() == [1, 2]
    assert [player.labels.name(c) for c in played.held.guesses] == [player.predict(x) for x in np.eye(2)]
    assert player.tally.rounds == 1
