"""A league plays pieces of a fraction of a second, whatever its members take, so that signals are obeyed soon."""

import time

import numpy as np

import littlestone as ls
from littlestone.base.chunks import Examples

ROWS = np.random.default_rng(0).normal(size=(1_500, 3))
LABELS = (ROWS[:, 0] > 0).tolist()


class Slow:
    """A model that takes its time."""

    def predict_one(self, x):
        return True

    def learn_one(self, x, y):
        time.sleep(0.002)


def test_pieces_of_a_slow_league_are_short():
    league = ls.League({"slow": Slow(), "perceptron": ls.Perceptron()})
    took, pieces, since = [], [], time.perf_counter()
    for played in league.play_chunk(Examples.of(ROWS, LABELS)):
        took.append(time.perf_counter() - since)
        pieces.append(played.rounds)
        since = time.perf_counter()
    assert sum(pieces) == league.rounds == len(ROWS)
    assert max(took) < 1.5  # a second on a machine that does nothing else; all rounds take three
    assert max(pieces) < 800


def test_pieces_do_not_change_what_a_league_learns(tmp_path, monkeypatch):
    saved = []
    for seconds in (0.2, 1e-6, 1e3):
        monkeypatch.setattr("littlestone.game.turns.SECONDS", seconds)
        league = ls.League([ls.Perceptron(), ls.Logistic(), ls.BalancedWinnow()])
        league.play(ls.Recorded(ROWS, (np.abs(3 * ROWS[:, 1]).astype(int) % 4).tolist()))
        league.save(tmp_path / "league")
        saved.append((tmp_path / "league").read_bytes())
    assert saved[0] == saved[1] == saved[2]
