"""The area under the curve: scikit-learn's, to the last digits, up to a million rounds; beyond them an estimate."""

import json

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import littlestone as ls
from littlestone.game import rank_counts
from littlestone.game.forecast_counts import ForecastCounts
from littlestone.game.rank_counts import RankCounts


def play_and_ask(learner, X, y):
    """The chances of class 1, asked one by one, and the metrics of the same rounds in chunks."""
    player = ls.Player(learner, classes=[False, True])
    said = []
    for x, label in zip(X, y, strict=True):
        said.append(player.probability(x))
        player.update(x, bool(label))
    return np.array(said), ls.play(ls.Player(learner, classes=[False, True]), ls.Recorded(X, y)).metrics


@pytest.mark.parametrize("learner", [ls.AdaGrad(rate=1e-4), ls.Logistic(), ls.Coin(1e-6)], ids=str)
def test_it_is_that_of_scikit_learn(learner):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 3))
    y = rng.random(1500) < 1 / (1 + np.exp(-X @ [1.0, -1.0, 0.3]))
    said, seen = play_and_ask(learner, X, y)
    assert seen.auc.value == pytest.approx(roc_auc_score(y, said), abs=1e-9)
    assert seen.auc_estimated is False


def test_ties_count_half():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (400, 1)).astype(float), rng.random(400) < 0.5
    _, seen = play_and_ask(ls.AdaGrad(rate=1e-25), X, y)
    assert seen.auc.value == 0.5


def test_beyond_the_limit_it_is_an_estimate_near_the_truth_and_says_so(monkeypatch):
    monkeypatch.setattr(rank_counts, "EXACT", 3000)
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.3
    said = 0.5 + 1e-5 * (rng.normal(size=20_000) + y)  # all within a bin of odds, were these counted in equal steps
    found = []
    for size in (1, 7, 4096, 20_000):
        ranks = RankCounts()
        for k in range(0, 20_000, size):
            ranks.add(said[k : k + size], y[k : k + size])
        found.append(ranks.auc)
        assert ranks.estimated
    assert len(set(found)) == 1
    assert found[0] == pytest.approx(roc_auc_score(y, said), abs=0.001)


@pytest.mark.parametrize(("rounds", "estimated"), [(4096, False), (4097, True)])
def test_what_is_saved_is_exact_or_marked(rounds, estimated):
    rng = np.random.default_rng(3)
    y, chances = rng.integers(0, 2, rounds), rng.random(rounds)
    counts = ForecastCounts()
    counts.add(chances, y)
    whole = ForecastCounts.from_record(json.loads(json.dumps(counts.to_record())))
    assert (whole.auc, whole.ranks.estimated) == (counts.auc, False)
    again = ForecastCounts.from_record(json.loads(json.dumps(counts.to_record(whole=False))))
    assert counts.ranks.estimated is False
    assert again.ranks.estimated is estimated
    assert again.auc == (counts.auc if not estimated else pytest.approx(counts.auc, abs=0.001))


def test_records_of_old_are_read_and_marked():
    counts = ForecastCounts()
    counts.add(np.array([0.9, 0.8, 0.6, 0.3]), np.array([1, 0, 1, 0]))
    record = counts.to_record()
    del record["ranks"]
    record["odds"] = [[1024 - 45, 1024 - 28, 2048 + 1024 + 12, 2048 + 1024 + 70], [1, 1, 1, 1]]
    again = ForecastCounts.from_record(record)
    assert again.ranks.estimated
    assert again.auc == 1.0
    again.add(np.array([0.999]), np.array([0]))
    assert again.auc == 1.0
