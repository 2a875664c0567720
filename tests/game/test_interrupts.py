"""An interrupt leaves a player that has counted every round that it has learned, and no other."""

import signal
import threading

import numpy as np
import pytest

import littlestone as ls
from littlestone.base.chunks import Examples, Instances

ROWS = np.random.default_rng(0).normal(size=(40_000, 3))
LABELS = (ROWS[:, 0] + 0.3 * ROWS[:, 1] > 0).tolist()
KINDS = [ls.Perceptron(), ls.Logistic()]


@pytest.fixture(autouse=True)
def default_interrupts():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def interrupt(monkeypatch, learner, name, call=2):
    """Interrupt this process at the end of a call that learns, as if the signal came while compiled code ran."""
    learned = []
    method = getattr(type(learner), name)

    def play(self, state, chunk, *args):
        done = method(self, state, chunk, *args)
        learned.append(done)
        if len(learned) == call:
            signal.raise_signal(signal.SIGINT)
        return done

    monkeypatch.setattr(type(learner), name, play)
    return learned


def require_counted(player, learned, folder):
    """Require that a player is as one that played as many rounds and was not interrupted."""
    assert player.tally.rounds == sum(learned) < len(ROWS)
    assert player._mark is None
    other = ls.Player(player.learner)
    ls.play(other, ls.Recorded(ROWS, LABELS), rounds=sum(learned))
    assert player.tally == other.tally
    for one, name in ((player, "one"), (other, "other")):
        one.save(folder / name)
    assert (folder / "one").read_bytes() == (folder / "other").read_bytes()


@pytest.mark.parametrize("learner", KINDS, ids=repr)
def test_a_player_that_is_interrupted_in_a_chunk_has_counted_what_it_learned(learner, monkeypatch, tmp_path):
    with monkeypatch.context() as patch:
        learned = interrupt(patch, learner, "replay")
        player = ls.Player(learner)
        ls.play(player, ls.Recorded(ROWS, LABELS), rounds=0)
        with pytest.raises(KeyboardInterrupt):
            player.replay(Examples.of(ROWS, LABELS))
    require_counted(player, learned, tmp_path)


@pytest.mark.parametrize("traced", [False, True])
def test_a_game_that_is_interrupted_has_counted_what_was_learned(traced, monkeypatch, tmp_path):
    seen = []
    player = ls.Player(ls.Perceptron())
    stream = ls.Recorded(ROWS, LABELS)
    with monkeypatch.context() as patch:
        learned = interrupt(patch, player.learner, "trace" if traced else "replay", call=2)
        with pytest.raises(KeyboardInterrupt):
            ls.play(player, stream, watch=lambda game, *rest: seen.append(game), traced=traced)
    require_counted(player, learned, tmp_path)
    for game in seen[:1]:
        assert (game.curve.rounds, game.curve.mistakes) == player.tally[:2] == (game.rounds, game.mistakes)


def test_an_interrupt_before_anything_was_learned_changes_nothing(monkeypatch, tmp_path):
    read_chunk = ls.Named.read_chunk

    def read_and_interrupt(self, chunk):
        read_chunk(self, chunk)
        signal.raise_signal(signal.SIGINT)

    player = ls.Player(ls.Perceptron(), ls.Named())
    player.update({"a": 1.0}, True)
    player.save(tmp_path / "before")
    with monkeypatch.context() as patch:
        patch.setattr(ls.Named, "read_chunk", read_and_interrupt)
        with pytest.raises(KeyboardInterrupt):
            player.replay(Instances.of([{"new": 1.0}, {"other": 2.0}], [True, False]))
    player.save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


def replay_forever(player):
    while True:
        for start in range(0, len(ROWS), 1_000):
            player.replay(Examples.of(ROWS[start : start + 1_000], LABELS[start : start + 1_000]))


def test_an_interrupt_at_any_time_leaves_state_and_tally_in_agreement(tmp_path):
    for wait in (0.002, 0.01, 0.03):
        player = ls.Player(ls.Perceptron())
        timer = threading.Timer(wait, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            replay_forever(player)
        timer.join()
        other = ls.Player(ls.Perceptron())
        for first in range(0, player.tally.rounds, len(ROWS)):
            left = player.tally.rounds - first
            other.replay(Examples.of(ROWS[:left], LABELS[:left]))
        assert player.tally == other.tally
        assert np.array_equal(player.state[0], other.state[0])
